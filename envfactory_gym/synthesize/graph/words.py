"""Names and descriptions as words, so that `reservations[].reservation_id` and `reservationId` meet."""

from __future__ import annotations

import re
from functools import lru_cache

PAGING = frozenset(
    "page pages limit offset cursor next_cursor per_page page_size page_token next_page_token "
    "sort sort_by order order_by descending ascending".split()
)
"""Names of arguments that say which part of a list is wanted, and how, and of results that say which it is."""

GENERIC = frozenset({"id", "ids", "name", "title", "key", "code", "number", "type", "status", "uuid", "slug", "value"})
"""Names that mean something only together with what they are of."""

_IDENTIFIER = frozenset({"id", "ids", "uuid", "guid", "token", "cursor", "hash", "secret", "signature", "etag", "sha"})
"""Last words of names of values that no person knows by heart."""

_CLOCK = frozenset({"now", "today", "current_time", "current_date", "current_timestamp", "as_of_now"})

_PIECES = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|\d+")

_SILENT = frozenset(
    "a an the of to for in on at by or and with from is are be as it its this that such only not if one each any all "
    "which whose who what when where will can may must has have been was were no than then up e g".split()
)


@lru_cache(maxsize=20_000)
def words(text: str) -> tuple[str, ...]:
    """The words of a name or a sentence, lower case, in the singular, without those that say nothing."""
    found = (singular(piece.lower()) for piece in _PIECES.findall(text))
    return tuple(word for word in found if word not in _SILENT)


def singular(word: str) -> str:
    """The singular of an English noun, roughly: enough that `companies` meets `company`."""
    if len(word) > 4 and word.endswith("ies"):
        return word[:-3] + "y"
    if len(word) > 4 and word.endswith(("sses", "shes", "ches", "xes", "zes")):
        return word[:-2]
    if len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "us", "is")):
        return word[:-1]
    return word


def says_identifier(name: str) -> bool:
    """Whether a name is that of an identifier no person knows: `card_id`, `cursor`."""
    pieces = [piece.lower() for piece in _PIECES.findall(name)]
    return bool(pieces) and pieces[-1] in _IDENTIFIER


def says_clock(name: str) -> bool:
    """Whether a name asks for the present time."""
    return name.lower() in _CLOCK


def subject(tool: str) -> tuple[str, ...]:
    """What a tool is about, by its name without prefix and verb: `crm__list_contacts` → `contact`."""
    return words(tool.rpartition("__")[2])[1:]
