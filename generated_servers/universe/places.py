"""Where people live and companies sit: time zones of the cities, and addresses that nobody real has.

Cities are those of `airports.jsonl`. Streets are common names of their languages, put together with
numbers at random; postcodes have the shape of the country's.
"""

from __future__ import annotations

from typing import NamedTuple

from generated_servers.universe import draw
from generated_servers.universe.clock import Row

TIME_ZONES = {
    "Denmark": "Europe/Copenhagen",
    "Norway": "Europe/Oslo",
    "Sweden": "Europe/Stockholm",
    "Finland": "Europe/Helsinki",
    "Iceland": "Atlantic/Reykjavik",
    "United Kingdom": "Europe/London",
    "Ireland": "Europe/Dublin",
    "Netherlands": "Europe/Amsterdam",
    "Belgium": "Europe/Brussels",
    "France": "Europe/Paris",
    "Germany": "Europe/Berlin",
    "Switzerland": "Europe/Zurich",
    "Austria": "Europe/Vienna",
    "Czechia": "Europe/Prague",
    "Poland": "Europe/Warsaw",
    "Hungary": "Europe/Budapest",
    "Greece": "Europe/Athens",
    "Italy": "Europe/Rome",
    "Spain": "Europe/Madrid",
    "Portugal": "Europe/Lisbon",
    "Turkey": "Europe/Istanbul",
    "United States": "America/New_York",
    "Canada": "America/Toronto",
    "Japan": "Asia/Tokyo",
    "Singapore": "Asia/Singapore",
    "United Arab Emirates": "Asia/Dubai",
}
"""By country; `CITY_ZONES` has the exceptions."""

CITY_ZONES = {"Chicago": "America/Chicago", "San Francisco": "America/Los_Angeles"}


class Streets(NamedTuple):
    """How addresses look: streets, the order of street and number, and the shape of a postcode.

    In `postcode`, `9` stands for a digit and `A` for a letter.
    """

    names: str
    number_first: bool
    postcode: str


_ENGLISH = "Elm Street,Mill Lane,Church Road,Station Road,Garden Street,Harbour Road,Orchard Avenue,King Street"
STREETS = {
    "Denmark": Streets("Lindevej,Havnegade,Kirkevej,Møllevej,Skolegade,Strandvej,Birkevej,Torvegade", False, "9999"),
    "Norway": Streets("Bjerkeveien,Kirkegata,Sjøgata,Skoleveien,Storgata,Parkveien", False, "9999"),
    "Sweden": Streets("Björkvägen,Kyrkogatan,Skolgatan,Storgatan,Parkvägen,Hamngatan", False, "999 99"),
    "Finland": Streets("Koivutie,Kirkkokatu,Rantatie,Puistokatu,Koulukatu", False, "99999"),
    "Iceland": Streets("Hafnargata,Skólavegur,Birkigata,Strandgata", False, "999"),
    "United Kingdom": Streets(_ENGLISH, True, "AA9 9AA"),
    "Ireland": Streets(_ENGLISH, True, "A99 A9A9"),
    "Netherlands": Streets("Kerkstraat,Molenweg,Dorpsstraat,Havenkade,Lindelaan", False, "9999 AA"),
    "Belgium": Streets("Rue du Moulin,Kerkstraat,Rue des Tilleuls,Molenstraat", False, "9999"),
    "France": Streets("rue du Moulin,rue des Lilas,avenue de la Gare,rue de l'Église,quai du Port", True, "99999"),
    "Germany": Streets("Lindenstraße,Bahnhofstraße,Gartenweg,Schulstraße,Mühlenweg,Hafenstraße", False, "99999"),
    "Switzerland": Streets("Lindenstrasse,Bahnhofstrasse,Gartenweg,Dorfstrasse", False, "9999"),
    "Austria": Streets("Lindengasse,Bahnhofstraße,Gartengasse,Kirchengasse", False, "9999"),
    "Czechia": Streets("Lipová,Nádražní,Zahradní,Školní,Mlýnská", False, "999 99"),
    "Poland": Streets("ul. Lipowa,ul. Ogrodowa,ul. Szkolna,ul. Kościelna", False, "99-999"),
    "Hungary": Streets("Hársfa utca,Kertész utca,Iskola utca,Malom utca", False, "9999"),
    "Greece": Streets("Limanioú,Scholeíou,Kípou,Mýlou", False, "999 99"),
    "Italy": Streets("via dei Tigli,via della Stazione,via del Mulino,via dei Giardini", False, "99999"),
    "Spain": Streets("calle del Molino,calle de la Estación,calle Jardines,calle del Puerto", False, "99999"),
    "Portugal": Streets("rua do Moinho,rua da Estação,rua do Jardim,rua da Escola", False, "9999-999"),
    "Turkey": Streets("Bahçe Sokak,İstasyon Caddesi,Okul Sokak,Liman Caddesi", False, "99999"),
    "United States": Streets(_ENGLISH, True, "99999"),
    "Canada": Streets(_ENGLISH, True, "A9A 9A9"),
    "Japan": Streets("Sakura-dori,Eki-mae,Minato,Midori", False, "999-9999"),
    "Singapore": Streets("Garden Road,Harbour Drive,Orchard Walk,Station Avenue", True, "999999"),
    "United Arab Emirates": Streets("Garden Street,Harbour Street,Marina Walk,Palm Road", True, "99999"),
}


def time_zone(city: str, country: str) -> str:
    """The IANA name of the time zone a city keeps."""
    return CITY_ZONES.get(city, TIME_ZONES[country])


def cities(airports: list[Row]) -> list[Row]:
    """Every city once, with its country, its zone and how far it is from UTC in May 2026, in minutes."""
    found: dict[str, Row] = {}
    for row in airports:
        city, country = row["city"], row["country"]
        found.setdefault(
            city,
            {
                "city": city,
                "country": country,
                "time_zone": time_zone(city, country),
                "utc_offset_minutes": row["may_utc_offset_minutes"],
            },
        )
    return [found[city] for city in sorted(found)]


def address(city: str, country: str, *name: object) -> Row:
    """An address in a city, decided by `name`: `line`, `postcode`, `city`, `country`."""
    streets = STREETS[country]
    street = draw.pick(streets.names.split(","), *name, "street")
    number = draw.number(1, 140, *name, "number")
    return {
        "line": f"{number} {street}" if streets.number_first else f"{street} {number}",
        "postcode": "".join(_sign(shape, *name, "postcode", n) for n, shape in enumerate(streets.postcode)),
        "city": city,
        "country": country,
    }


def addresses(people: list[Row]) -> list[Row]:
    """One address for each household."""
    homes = {person["household"]: (person["city"], person["country"]) for person in people}
    return [{"household": number, **address(*homes[number], number, "home")} for number in sorted(homes)]


def _sign(shape: str, *name: object) -> str:
    """One sign of a postcode: none begins with a zero or holds a letter that reads like a digit."""
    if shape == "9":
        return str(draw.number(1 if name[-1] == 0 else 0, 9, *name))
    return draw.pick("ABCDEFGHJKLMNPRSTUVWXYZ", *name) if shape == "A" else shape
