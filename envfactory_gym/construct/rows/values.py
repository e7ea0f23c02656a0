"""One plausible value for one field, told by its kind, its name, its enum and its examples."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

from ..model import Field, Kind, Nested, Part, Resource
from ..naming import snake
from . import lexicon
from .dice import Dice
from .labels import named_thing
from .texts import text_for

PEOPLE = frozenset(
    {
        "contact", "lead", "user", "employee", "person", "customer", "member", "patient", "candidate", "applicant",
        "attendee", "guest", "author", "student", "teacher", "driver",
    }
)  # fmt: skip
COMPANIES = frozenset(
    {"company", "organization", "organisation", "merchant", "supplier", "vendor", "client", "partner", "tenant"}
)


@dataclass
class Subject:
    """What one row is about, so that its values agree: a person, a firm, a place and a time.

    Attributes:
        anchor: The moment around which the row's dates lie.
        made: When the row was created.
    """

    resource: Resource
    first: str
    last: str
    firm: str
    place: tuple[str, str, str]
    made: datetime
    anchor: datetime
    number: int

    @classmethod
    def draw(cls, resource: Resource, dice: Dice, clock: str, number: int) -> Subject:
        """A subject for row `number` of a table."""
        now = datetime.fromisoformat(clock.replace("Z", "+00:00")).astimezone(UTC)
        return cls(
            resource=resource,
            first=dice.pick(lexicon.FIRST_NAMES),
            last=dice.pick(lexicon.LAST_NAMES),
            firm=f"{dice.pick(lexicon.COMPANY_FIRST)} {dice.pick(lexicon.COMPANY_LAST)}",
            place=dice.pick(lexicon.PLACES),
            made=now - timedelta(days=dice.between(30, 420), minutes=dice.between(0, 600)),
            anchor=(now + timedelta(days=dice.between(-45, 60))).replace(minute=dice.pick((0, 15, 30, 45)))
            + timedelta(hours=dice.between(-1, 8)),
            number=number,
        )

    @property
    def is_person(self) -> bool:
        """Whether the row stands for a person."""
        names = {field.name for field in self.resource.fields}
        return self.resource.one.rpartition("_")[2] in PEOPLE or (
            {"first_name", "last_name"} <= names - {"company_number"} and (self.resource.one not in COMPANIES)
        )

    @property
    def domain(self) -> str:
        """An internet domain for the row's firm (reserved for examples)."""
        return f"{snake(self.firm).replace('_', '-')}.example"

    @property
    def email(self) -> str:
        """The person's address."""
        return f"{self.first}.{self.last}@{self.domain}".lower()


def moment(when: datetime) -> str:
    """A time as worlds write it: `2026-05-14T09:00:00Z`."""
    return when.strftime("%Y-%m-%dT%H:%M:%SZ")


def scalar(field: Field, subject: Subject, dice: Dice) -> Any:
    """A value for a field that is no key, no reference and no JSON."""
    name = field.name.rstrip("_")
    if field.enum:
        return _enum(field, dice)
    if field.role == "created":
        return moment(subject.made)
    if field.role == "updated":
        return moment(subject.made + timedelta(days=dice.between(0, 25), minutes=dice.between(1, 500)))
    if field.kind == "boolean":
        return dice.one_in(3)
    if field.kind in ("date", "datetime"):
        return _time(field, name, subject, dice)
    if field.kind == "integer":
        return _integer(field, name, subject, dice)
    if field.kind == "number":
        return _number(field, name, subject, dice)
    text = _text(field, name, subject, dice)
    return text[: field.max_length].strip() if field.max_length else text


def nested(field: Field, subject: Subject, dice: Dice) -> Any:
    """A value for a JSON field."""
    shape = field.nested or Nested(many=True)
    if shape.mapping:
        return {dice.pick(lexicon.TAGS): _loose(shape.kind, field.name, subject, dice)}
    if not shape.parts:
        count = dice.between(1, 3)
        values = [_loose(shape.kind, field.name, subject, dice) for _ in range(count)]
        return list(dict.fromkeys(values)) if shape.many else values[0]
    if not shape.many:
        return _object(field.name, shape.parts, subject, dice)
    return [_object(field.name, shape.parts, subject, dice) for _ in range(dice.between(1, 2))]


def _object(outer: str, parts: tuple[Part, ...], subject: Subject, dice: Dice) -> dict[str, Any]:
    given = [part for part in parts if part.required or not dice.one_in(3)] or [parts[0]]
    made: dict[str, Any] = {}
    for part in given:
        field = Field(_inner(outer, snake(part.name)), part.name, part.kind, enum=part.enum, example=part.example)
        value = scalar(field, subject, dice)
        made[part.name] = [value] if part.many else value
    return made


def _inner(outer: str, name: str) -> str:
    """What tells a member's value: `number` of phone numbers is a phone number."""
    return "phone_number" if name == "number" and "phone" in outer else name


def _loose(kind: Kind, name: str, subject: Subject, dice: Dice) -> Any:
    """A scalar in a list, where only the list's name tells what it is."""
    plain = name.rstrip("_")
    if kind == "text":
        if plain in ("masters", "ip_addresses", "addresses", "servers", "hosts"):
            return f"192.0.2.{dice.between(1, 250)}"
        if "nameserver" in plain:
            return f"ns{dice.between(1, 3)}.{subject.domain}."
        if plain in ("tags", "labels", "categories", "metadata", "keywords"):
            return dice.pick(lexicon.TAGS)
    return scalar(Field(plain.removesuffix("s") or plain, plain, kind), subject, dice)


def _enum(field: Field, dice: Dice) -> Any:
    common = [value for value in field.enum if value in lexicon.CURRENCIES]
    if len(common) > 3:
        return dice.pick(common)
    return dice.pick(field.enum[:12])


_PAST = re.compile(
    r"(?<!schedul)(?<!plann)(?<!expect)(?<!estimat)ed_(on|date)$|(sent|paid)_(on|date)$|"
    r"(^|_)(order|invoice|issue|hire|payment|purchase|transaction|registration|request|submission|approval)_date$"
)
"""Names of what has happened already."""


def _time(field: Field, name: str, subject: Subject, dice: Dice) -> str:
    when = subject.anchor
    if re.search(r"birth|dob", name):
        when = subject.made.replace(year=1960 + dice.below(42), day=dice.between(1, 28))
    elif re.search(r"(^|_)(end|ends|finish|until|to)(_|$)", name):
        when = subject.anchor + (
            timedelta(minutes=30 * (1 + subject.number % 5))
            if field.kind == "datetime"
            else timedelta(days=1 + subject.number % 9)
        )
    elif re.search(r"remind", name):
        when = subject.anchor - timedelta(minutes=30)
    elif re.search(r"due|expir|close|deadline", name):
        when = subject.anchor + timedelta(days=14 + subject.number % 30)
    elif re.search(r"(last|changed|published|_at$|logical|execution)", name) or _PAST.search(name):
        when = subject.made + timedelta(days=dice.between(0, 20))
    return when.strftime("%Y-%m-%d") if field.kind == "date" else moment(when)


def _integer(field: Field, name: str, subject: Subject, dice: Dice) -> int:
    low = int(field.minimum) if field.minimum is not None else 0
    high = int(field.maximum) if field.maximum is not None else None
    if "serial" in name:
        return 2026050000 + dice.between(1, 1300)
    choices = (
        (r"(^|_)hours?$", tuple(range(7, 20))),
        (r"nanos$", (0,)),
        (r"bits", (256, 384, 1024, 2048)),
        (r"port", (22, 80, 443, 5432, 8080)),
        (r"ttl", (60, 300, 3600, 86400)),
        (r"second", (900, 1800, 2700, 3600)),
        (r"minute", (5, 10, 15, 30, 60)),
        (r"price|amount|cost|total|fee|tax|tip|revenue|balance", tuple(range(500, 25000, 250))),
        (r"order|position|rank|priority", tuple(range(1, 13))),
        (r"year", tuple(range(2019, 2027))),
        (r"percent|rate", (5, 10, 15, 20, 25, 50, 75, 80, 90)),
        (r"bytes|size|memory|storage|capacity", (128, 256, 512, 1024, 2048, 4096)),
        (r"timeout|interval|period|delay", (5, 10, 30, 60, 120, 300, 600)),
        (r"days|retention", (1, 7, 14, 30, 60, 90, 180, 365)),
    )
    for pattern, values in choices:
        if re.search(pattern, name):
            fitting = [value for value in values if value >= low and (high is None or value <= high)]
            if fitting:
                return dice.pick(fitting)
    return dice.between(low, high if high is not None and high - low < 1000 else low + 40)


def _number(field: Field, name: str, subject: Subject, dice: Dice) -> float:
    if re.search(r"probab|percent|rate|ratio|share", name):
        value = float(dice.between(1, 19) * 5)
    elif re.search(r"^lat|_lat|latitude", name):
        value = dice.between(-6000, 6000) / 100
    elif re.search(r"^ln?g|_ln?g|longitude", name):
        value = dice.between(-17000, 17000) / 100
    elif re.search(r"quantity|count|units|days|hours", name) or (name == "amount" and _has_unit(subject)):
        value = float(dice.between(1, 12))
    elif re.search(r"weight|height|width|length|depth|distance|score|rating", name):
        value = dice.between(5, 400) / 2
    elif re.search(r"price|cost|fee|tip|tax|discount|shipping", name):
        value = dice.between(50, 24_999) / 100
    else:
        value = dice.between(1_000, 900_000) / 100
    if field.maximum is not None:
        value = min(value, field.maximum)
    return max(value, field.minimum) if field.minimum is not None else value


def _has_unit(subject: Subject) -> bool:
    """Whether a column of the row says what its amount counts: days, or hours, but no money."""
    return any(re.fullmatch(r"units?(_of_measure)?", field.name) for field in subject.resource.fields)


def _text(field: Field, name: str, subject: Subject, dice: Dice) -> str:
    if field.label:
        return _label(name, field, subject, dice)
    if field.long:
        return _prose(subject, dice)
    return text_for(field, name, subject, dice)


def _label(name: str, field: Field, subject: Subject, dice: Dice) -> str:
    one = subject.resource.one
    if re.search(r"trailing dot", field.description, re.I) or one in ("zone", "domain"):
        return f"{subject.domain}{'.' if one == 'zone' or 'dot' in field.description else ''}"
    if name == "username":
        return f"{subject.first[0]}{subject.last}{subject.number}".lower()
    if subject.is_person and name in ("name", "display_name", "full_name"):
        return f"{subject.first} {subject.last}"
    if subject.is_person and name == "title":
        return dice.pick(lexicon.JOB_TITLES)
    if one in COMPANIES and name in ("name", "display_name"):
        return subject.firm
    if name in ("title", "summary", "subject") and one not in ("calendar", "blog", "list", "project", "board"):
        return f"{dice.pick(lexicon.ADJECTIVES)} {dice.pick(lexicon.SUBJECTS)}"
    return named_thing(one, dice)


def _prose(subject: Subject, dice: Dice) -> str:
    return dice.pick(
        (
            f"Ask {subject.first} before changing anything here.",
            f"Follow up on the {dice.pick(lexicon.SUBJECTS)} after the visit to {subject.place[0]}.",
            f"Agreed with {subject.firm}; documents are in the shared folder.",
            f"First mentioned during the {dice.pick(lexicon.SUBJECTS)}.",
            f"{subject.first} {subject.last} looks after this.",
        )
    )
