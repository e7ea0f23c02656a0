"""How people name the rows of a table: the noun of language.yaml, or a decent one derived from the schema."""

from __future__ import annotations

import re
from functools import lru_cache

from ...environment import Language
from ...environment.columns import Schema, Table
from ...environment.language import Noun
from .inflect import plural, singular, words_of

LABELS = ("name", "full_name", "display_name", "username", "title", "subject", "label", "headline", "summary")
"""Columns that hold what a row is called, the best first."""

_NAMES = frozenset({"name", "full_name", "display_name", "username"})
_NEVER = re.compile(
    r"(?:^|_)(?:id|ids|uuid|guid|hash|token|etag|checksum|password|secret|slug|json|metadata|url|uri|link|href|html|"
    r"description|body|content|notes?|comments?|position|sort|order|rank|version|created_by|updated_by)$"
)
_STAMPS = re.compile(
    r"^(?:updated|modified|changed|last_modified|last_updated|deleted|archived|synced)(?:_(?:at|on|date|time))?$"
)
_VERBED = re.compile(
    r"^(\w+ed|sent|paid|made|begun|bought|sold|given|taken|won|lost|due|born)(?:_(?:at|on|date|datetime|time))$"
)
_DAY = re.compile(r"(?:_(?:at|on|date|day|datetime|time)|^date|^day|^birthday|^deadline|^when)$")
_PLACES = frozenset({"city", "country", "location", "region", "town", "venue", "area", "place"})
_PRICES = re.compile(r"(?:^|_)(?:price|cost|fee|rate|fare|charge|paid)(?:_|$)")
_SIZES = re.compile(
    r"(?:^|_)(?:amount|total|value|balance|budget|revenue|salary|count|quantity|score|size|points)(?:_|$)"
)
_LOOSE_ENDS = frozenset({"as", "by", "to", "for", "of", "with", "from", "or", "in", "on", "is", "has"})


def noun_of(table: str, view: str, language: Language, schema: Schema) -> Noun:
    """The noun for the rows of a list.

    Args:
        table: Table whose rows they are.
        view: The view (or the table itself) that shows them; its noun comes first.
        language: Where nouns are given.
        schema: Where they are derived from otherwise.
    """
    for name in (view, table):
        if name in language.nouns:
            return language.nouns[name]
    definition = schema.tables.get(table) or schema.tables.get(view)
    if definition is None:
        return _bare(table or view)
    shown = schema.tables.get(view)
    if shown is not None and shown is not definition and _is_part_of(shown, definition):
        # What a list shows of these rows stands in another table, a row for a row.
        own = derived(definition)
        return derived(shown).model_copy(update={"one": own.one, "many": own.many})
    return derived(definition)


def _is_part_of(shown: Table, table: Table) -> bool:
    """Whether each row of a table stands for one row of another: its key is the other's."""
    keys = {column.name: column.references for column in shown.columns}
    return len(shown.key) == len(table.key) == 1 and keys.get(shown.key[0]) == f"{table.name}.{table.key[0]}"


def derived(table: Table) -> Noun:
    """A noun for a table without one in language.yaml, from its names and columns alone."""
    return _derived(table.name, tuple((c.name, c.type, c.references, c.primary_key > 0) for c in table.columns))


@lru_cache(maxsize=512)
def _derived(name: str, columns: tuple[tuple[str, str, str | None, bool], ...]) -> Noun:
    one = singular(words_of(name))
    says: dict[str, tuple[str, ...]] = {}
    extremes: dict[str, tuple[str, str]] = {}
    by_name = {column[0]: column for column in columns}
    label = next((one for one in LABELS if one in by_name and by_name[one][1] == "TEXT"), None)
    if label is not None:
        says[label] = ("{value}", "~ {value}") if label in _NAMES else ('~ "{value}"', "~ called {value}")
    for column, kind, references, key in columns:
        if column == label or key or column.startswith(("is_", "has_", "can_")):
            continue
        if label in _NAMES and column in ("first_name", "last_name", "middle_name", "prefix", "suffix"):
            continue
        if references is not None:
            parent = words_of(column)
            says[column] = (
                ("~ of {value}",) if parent in ("owner", "parent") or parent in references else ("~ for {value}",)
            )
            continue
        if _NEVER.search(column) or _STAMPS.match(column):
            continue
        plain = words_of(column.removeprefix(one.replace(" ", "_") + "_"))
        if plain.rpartition(" ")[2] in _LOOSE_ENDS:
            continue
        says[column] = _ways(column, plain, kind)
        if (pair := _extremes(column, kind)) is not None:
            extremes[column] = pair
    return Noun(one=(one,), many=(plural(one),), says=says, extremes=extremes)


def _bare(name: str) -> Noun:
    one = singular(words_of(name))
    return Noun(one=(one,), many=(plural(one),))


def _ways(column: str, plain: str, kind: str) -> tuple[str, ...]:
    if match := _VERBED.match(column):
        return (f"~ {match[1].replace('_', ' ')} on {{value}}",)
    if column in ("created_at", "created", "created_on"):
        return ("~ created on {value}", "~ from {value}")
    if column in ("date", "day", "starts_at", "start_date", "start", "start_time"):
        return ("~ on {value}",)
    if column in ("due_date", "deadline", "due_on", "due"):
        return ("~ due on {value}", "~ due by {value}")
    if plain in ("date", "datetime", "day"):
        return ("~ on {value}",)
    if _DAY.search(column):
        return (f"~ whose {_dated(plain)} is {{value}}",)
    if column in _PLACES:
        return ("~ in {value}",)
    if kind == "TEXT" and column in ("status", "state", "tier", "level"):
        return (f"~ with the {plain} {{value}}", "{value} ~")
    if kind == "TEXT" and column in ("type", "kind", "category"):
        return ("{value} ~", f"~ whose {plain} is {{value}}")
    if column in ("email", "phone", "phone_number", "mail"):
        return (f"~ with the {'phone number' if 'phone' in column else 'e-mail address'} {{value}}",)
    if column.endswith(("_cents", "_minor")) and _SIZES.search(column):
        return ("~ over {value}", "~ for {value}")
    return (f"~ whose {plain} is {{value}}",)


def _dated(plain: str) -> str:
    """`end` → `end date`, `birthday` stays."""
    return plain if plain.endswith(("date", "day", "time", "deadline", "end", "start")) else f"{plain} date"


def _extremes(column: str, kind: str) -> tuple[str, str] | None:
    plain = words_of(column)
    if column in ("created_at", "created", "created_on"):
        return "oldest ~", "newest ~"
    if column in ("date", "starts_at", "start_date", "start_time", "day"):
        return "earliest ~", "latest ~"
    if kind not in ("INTEGER", "REAL", "NUMERIC") and not _DAY.search(column):
        return None
    if _DAY.search(column):
        return f"~ with the earliest {_dated(plain)}", f"~ with the latest {_dated(plain)}"
    if _PRICES.search(column) and column.endswith(("_cents", "_minor", "price", "cost")):
        return "cheapest ~", "most expensive ~"
    if _SIZES.search(column):
        return f"~ with the lowest {plain}", f"~ with the highest {plain}"
    return None


__all__ = ["LABELS", "derived", "noun_of"]
