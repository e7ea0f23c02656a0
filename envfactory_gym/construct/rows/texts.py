"""Plain text for one field, told by its name: an address, a version, a cron line, a checksum.

The first pattern that fits the name decides. What no pattern knows takes the document's example,
or a word that fits the name's last part.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING

from ..model import Field
from ..naming import singular, words
from . import lexicon
from .dice import Dice
from .labels import named_thing

if TYPE_CHECKING:
    from .values import Subject

Maker = Callable[["Subject", Dice, str], str]


def _hex(dice: Dice, length: int) -> str:
    return dice.code(length, "0123456789abcdef")


def _street(subject: Subject, dice: Dice, name: str) -> str:
    return f"{dice.between(1, 120)} {dice.pick(lexicon.STREETS)} Street"


def _url(subject: Subject, dice: Dice, name: str) -> str:
    page = dice.pick(("about", "help", "images", "orders", "press", "products", "shop", "start", "status", "team"))
    return f"https://www.{subject.domain}/{page}/{dice.between(100, 999)}"


def _file(subject: Subject, dice: Dice, name: str) -> str:
    folder = dice.pick(("archive", "config", "exports", "images", "input", "jobs", "reports", "shared", "uploads"))
    return f"/{folder}/{dice.pick(_STEMS)}-{dice.between(1, 99):02d}.{dice.pick(('csv', 'json', 'pdf', 'txt', 'yaml'))}"


def _sentence(subject: Subject, dice: Dice) -> str:
    return dice.pick(
        (
            f"Welcome to {subject.firm}",
            f"{subject.first} answers questions about this",
            f"Open from {dice.between(7, 10)} to {dice.between(16, 21)}",
            f"More about the {dice.pick(lexicon.SUBJECTS)} in {subject.place[0]}",
            f"Valid from {dice.between(1, 28)} June",
            f"Please bring the papers for the {dice.pick(lexicon.SUBJECTS)}",
        )
    )


def _cron(subject: Subject, dice: Dice, name: str) -> str:
    return f"{dice.pick((0, 15, 30, 45))} {dice.between(0, 23)} * * {dice.pick(('*', '1-5', '1', '5', '6', '0'))}"


def _person(subject: Subject, dice: Dice, name: str) -> str:
    return f"{subject.first} {subject.last}"


def _one_of(*options: str) -> Maker:
    return lambda subject, dice, name: dice.pick(options)


def _arn(subject: Subject, dice: Dice, name: str) -> str:
    service = subject.resource.one.replace("_", "-")
    return f"arn:aws:{service}:eu-north-1:{dice.code(12, '0123456789')}:{named_thing('app', dice)}"


def _condition(subject: Subject, dice: Dice, name: str) -> str:
    column = dice.pick(("amount", "country", "priority", "status", "total", "type"))
    return f"{column} {dice.pick(('=', '>', '!='))} {dice.between(1, 900)}"


_STEMS = ("contacts", "customers", "daily", "invoices", "ledger", "orders", "prices", "products", "sales", "stock")

_TABLE: tuple[tuple[str, Maker], ...] = (
    (r"^first_name$|given_name", lambda s, d, n: s.first),
    (r"^last_name$|family_name|surname", lambda s, d, n: s.last),
    (r"^middle_name$", lambda s, d, n: d.pick(lexicon.FIRST_NAMES)),
    (r"initials", lambda s, d, n: f"{s.first[0]}{s.last[0]}"),
    (r"e_?mail_domain|^(sub)?domain$|domain_name|host_?name|(^|_)host$|fqdn", lambda s, d, n: s.domain),
    (r"e_?mail|reply_to|^scope_value", lambda s, d, n: s.email),
    (r"user_?name|login|screen_name|handle", lambda s, d, n: f"{s.first[0]}{s.last}{s.number}".lower()),
    (r"phone|mobile|fax|^tel|msisdn", lambda s, d, n: f"+47 555 {d.between(10000, 99999)}"),
    (r"iban", lambda s, d, n: f"NO{d.between(10, 99)} 8601 {d.between(1000, 9999)} {d.between(100, 999)}"),
    (r"bic|swift", lambda s, d, n: f"{d.code(4, 'ABCDEFGHKLMNPRSTVWX')}NOKK"),
    (r"account_number|bsb|routing|sort_code", lambda s, d, n: f"{d.between(10, 99)}-{d.between(100000, 999999)}"),
    (r"tax_?(id|number)|vat_?(id|number)|abn|acn|tfn|company_number|registration",
     lambda s, d, n: f"{s.place[1]}{d.code(9, '0123456789')}"),
    (r"city|town|locality|municipality", lambda s, d, n: s.place[0]),
    (r"country", lambda s, d, n: s.place[1]),
    (r"time_?zone", lambda s, d, n: s.place[2]),
    (r"language|locale", lambda s, d, n: d.pick(lexicon.LANGUAGES)),
    (r"latitude", lambda s, d, n: f"{d.between(-60, 60)}.{d.between(1000, 9999)}"),
    (r"longitude", lambda s, d, n: f"{d.between(-170, 170)}.{d.between(1000, 9999)}"),
    (r"^(.*_)?ip(v4)?(_.*)?$|^ip_?address", lambda s, d, n: f"192.0.2.{d.between(1, 250)}"),
    (r"cidr|subnet", lambda s, d, n: f"10.{d.between(0, 250)}.{d.between(0, 250)}.0/24"),
    (r"mac_?address", lambda s, d, n: ":".join(_hex(d, 2) for _ in range(6))),
    (r"availability_?zone|^zone$", lambda s, d, n: f"{d.pick(lexicon.REGIONS)}{d.pick(('a', 'b', 'c'))}"),
    (r"(aws|cloud|source|target|default)?_?region(_name)?$", lambda s, d, n: d.pick(lexicon.REGIONS)),
    (r"instance_(type|class)|machine_type|node_type|plan_size", _one_of("small", "medium", "large", "xlarge")),
    (r"arn$", _arn),
    (r"county|province|state_code", lambda s, d, n: f"{s.place[0]} region"),
    (r"postal|zip|post_?code", lambda s, d, n: str(d.between(1000, 9999))),
    (r"line2|line_2|address_2|floor|suite", lambda s, d, n: f"Floor {d.between(1, 9)}"),
    (r"street|line1|line_1|address", _street),
    (r"location|(^|_)venue|^room", lambda s, d, n: f"{d.pick(lexicon.ROOMS)}, {s.place[0]}"),
    (r"currency", lambda s, d, n: d.pick(lexicon.CURRENCIES)),
    (r"colou?r", lambda s, d, n: d.pick(lexicon.COLOURS)),
    (r"mime|content_type|media_type", _one_of("application/json", "application/pdf", "image/png", "text/csv")),
    (r"url|website|image|photo|link|avatar|uri|href|callback|webhook|logo|endpoint", _url),
    (r"(sort|order|group)_by|sort_(field|key)", _one_of("created_at", "name", "status", "updated_at")),
    (r"text|content|body|message|caption|html|remark|explanation", lambda s, d, n: _sentence(s, d)),
    (r"cron|schedule_expression|recurrence", _cron),
    (r"sha|md5|checksum|hash|fingerprint|digest|etag|thumbprint|commit|revision", lambda s, d, n: _hex(d, 12)),
    (r"path|directory|folder|file_?name|object_key|prefix_path|script_location", _file),
    (r"industry|sector", lambda s, d, n: d.pick(lexicon.INDUSTRIES)),
    (r"department|division|team|business_unit", lambda s, d, n: d.pick(lexicon.DEPARTMENTS)),
    (r"job_title|^position$|occupation|profession", lambda s, d, n: d.pick(lexicon.JOB_TITLES)),
    (r"source|channel|origin", lambda s, d, n: d.pick(lexicon.LEAD_SOURCES)),
    (r"priority|severity|urgency|importance", lambda s, d, n: d.pick(lexicon.PRIORITIES)),
    (r"^status$|_status$|^state$|stage$|lifecycle", lambda s, d, n: d.pick(lexicon.PLAIN_STATES)),
    (r"salutation|^prefix$", _one_of("Dr", "Mr", "Ms")),
    (r"suffix", _one_of("Jr", "PhD", "MBA")),
    (r"gender", _one_of("female", "male", "not stated")),
    (r"nationality", _one_of("Austrian", "Irish", "Japanese", "Kenyan", "Norwegian", "Polish", "Spanish")),
    (r"employees$|company_size", _one_of("1-10", "11-50", "51-200", "201-500", "501-1000")),
    (r"revenue", lambda s, d, n: f"{d.between(1, 90)}m"),
    (r"ownership", _one_of("Private", "Public", "Family", "Cooperative")),
    (r"brand|manufacturer|make$", lambda s, d, n: d.pick(lexicon.COMPANY_FIRST)),
    (r"(^|_)unit(s)?(_of_measure)?$|uom", _one_of("box", "hour", "kg", "litre", "metre", "pallet", "piece")),
    (r"size", _one_of("S", "M", "L", "XL")),
    (r"nsec3param", lambda s, d, n: "1 0 0 -"),
    (r"dnskey|^ds$|^d$", lambda s, d, n: f"257 3 13 {d.code(24)}"),
    (r"soa_edit", _one_of("DEFAULT", "INCREASE", "EPOCH", "INCEPTION-INCREMENT")),
    (r"daemon_type", lambda s, d, n: "authoritative"),
    (r"algorithm", lambda s, d, n: d.pick(lexicon.KEY_ALGORITHMS if "bits" in _names(s) else lexicon.ALGORITHMS)),
    (r"protocol", _one_of("https", "http", "tcp", "udp", "sftp", "mqtt")),
    (r"runtime|engine|platform|framework", _one_of("python3.12", "nodejs20", "java21", "go1.22", "postgres16")),
    (r"(^|_)os(_|$)|operating_system", _one_of("linux", "windows", "macos", "android", "ios")),
    (r"version|release|edition", lambda s, d, n: f"{d.between(1, 6)}.{d.between(0, 9)}.{d.between(0, 12)}"),
    (r"format|encoding", _one_of("csv", "json", "parquet", "xml", "avro")),
    (r"query|expression|condition|filter|pattern|selector|statement|regex", _condition),
    (r"duration|interval|period|frequency", _one_of("15m", "30m", "1h", "6h", "12h", "1d", "7d", "30d")),
    (r"company|organi[sz]ation|employer|legal_name|business_name|^account$|merchant_name|vendor|supplier|publisher",
     lambda s, d, n: s.firm),
    (r"contact_name|display_name|^organizer|^creator|(ed|ing)_by$|author|owner|assignee|reporter|manager|operator|"
     r"recipient|sender", _person),
    (r"first_line|subject|headline|heading|topic|objective|goal|title",
     lambda s, d, n: f"{d.pick(lexicon.ADJECTIVES)} {d.pick(lexicon.SUBJECTS)}"),
    (r"reason|cause", _one_of("customer request", "duplicate entry", "out of stock", "price change", "wrong address")),
    (r"(^|_)(key|token|secret|credential|signature)$", lambda s, d, n: d.code(16)),
    (r"(^|_)(code|sku|number|no|reference|ref|slug|branch|serial|barcode|ean|isbn|identifier|id|uid|uuid|guid)(_|$)",
     lambda s, d, n: f"{d.code(2, 'ABCDEFGHKLMNPRSTVWX')}-{d.between(1000, 99999)}"),
    (r"name$", lambda s, d, n: named_thing(n.removesuffix("_name").removesuffix("name") or s.resource.one, d)),
    (r"kind$", lambda s, d, n: d.pick(lexicon.DNS_KINDS)),
    (r"type$|class$|category$|group$|tier$|level$|mode$|role$|plan$|genre$|scope$",
     _one_of("basic", "business", "external", "internal", "premium", "shared", "standard", "trial")),
    (r"tag|keyword|label", lambda s, d, n: d.pick(lexicon.TAGS)),
)  # fmt: skip
"""Pattern of a field's name → what makes its text."""


_FORMATS: dict[str, Maker] = {
    "email": lambda s, d, n: s.email,
    "uri": _url,
    "url": _url,
    "hostname": lambda s, d, n: s.domain,
    "ipv4": lambda s, d, n: f"192.0.2.{d.between(1, 250)}",
    "ipv6": lambda s, d, n: f"2001:db8::{_hex(d, 4)}",
    "uuid": lambda s, d, n: "-".join(_hex(d, length) for length in (8, 4, 4, 4, 12)),
}
"""Format that a document states → what makes its text."""


def text_for(field: Field, name: str, subject: Subject, dice: Dice) -> str:
    """A short text for a field that is no label and no prose."""
    if field.format in _FORMATS:
        return _FORMATS[field.format](subject, dice, name)
    for pattern, make in _TABLE:
        if re.search(pattern, name):
            return make(subject, dice, name)
    example = field.example
    if isinstance(example, str) and 0 < len(example) <= 60 and not re.search(r"\d{4}", example) and dice.one_in(2):
        return example
    return f"{singular(words(name).split()[-1].lower())} {dice.between(1, 90)}"


def _names(subject: Subject) -> set[str]:
    return {field.name for field in subject.resource.fields}
