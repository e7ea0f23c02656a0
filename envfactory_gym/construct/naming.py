"""Names: from whatever a document writes to identifiers, plurals and words people say."""

from __future__ import annotations

import builtins
import keyword
import re
from functools import cache

from pydantic import BaseModel

_UNCOUNTABLE = frozenset(
    {
        "metadata", "data", "news", "information", "media", "settings", "equipment", "software", "feedback", "staff",
        "inventory",
    }
)  # fmt: skip
_IRREGULAR = {
    "ids": "id",
    "ips": "ip",
    "emojis": "emoji",
    "people": "person",
    "children": "child",
    "men": "man",
    "women": "woman",
    "statuses": "status",
    "addresses": "address",
    "aliases": "alias",
    "indices": "index",
    "caches": "cache",
    "movies": "movie",
    "series": "series",
    "cookies": "cookie",
}
_PLURALS = {one: many for many, one in _IRREGULAR.items()}

_LOCAL = frozenset(
    {
        "world", "json", "env", "sql", "params", "self", "cast", "parsed", "packed", "rows", "row", "limit",
        "cursor", "offset", "start", "sort_by", "descending", "stored",
    }
)  # fmt: skip
_TAKEN = frozenset(dir(BaseModel)) | frozenset(keyword.kwlist) | _LOCAL
"""Names that a column (and argument) may not have: they mean something else in pydantic, Python or emitted code."""


@cache
def snake(text: str) -> str:
    """`timeZone`, `time-zone` and `Time Zone` as `time_zone`; at least one letter comes first.

    Remembered: a document says the same few thousand names over and over.
    """
    text = re.sub(r"(?<![A-Z])(ID|URL|URI|API|IP)s(?![a-z])", lambda match: f"{match[1].title()}s", text)
    text = re.sub(r"([A-Z]+)([A-Z][a-z])", r"\1_\2", text)
    text = re.sub(r"([a-z0-9])([A-Z])", r"\1_\2", text)
    text = re.sub(r"[^A-Za-z0-9]+", "_", text).strip("_").lower()
    return text if text[:1].isalpha() else f"x_{text}".rstrip("_")


def identifier(text: str) -> str:
    """A name that can be an argument of a tool and a column of a table."""
    name = snake(text)
    return f"{name}_" if name in _TAKEN else name


def pascal(text: str) -> str:
    """`time_off_request` as `TimeOffRequest`; never the name of a built-in class."""
    name = "".join(part[:1].upper() + part[1:] for part in snake(text).split("_"))
    return (
        f"{name}Row"
        if hasattr(builtins, name) or name in ("Any", "Literal", "World", "Ref", "TypedDict", "Field")
        else name
    )


def singular(text: str) -> str:
    """One of them: `time_off_requests` → `time_off_request`."""
    head, _, last = text.rpartition("_")
    prefix = f"{head}_" if head else ""
    if last in _IRREGULAR:
        return prefix + _IRREGULAR[last]
    if last in _UNCOUNTABLE or len(last) < 4 or not last.endswith("s") or last.endswith(("ss", "us", "is")):
        return text
    if last.endswith("ies"):
        return prefix + last[:-3] + "y"
    if last.endswith(("sses", "shes", "ches", "xes", "zes")):
        return prefix + last[:-2]
    return prefix + last[:-1]


def plural(text: str) -> str:
    """Several of them: `acl_rule` → `acl_rules`; what is plural already stays."""
    head, _, last = text.rpartition("_")
    prefix = f"{head}_" if head else ""
    if last in _PLURALS:
        return prefix + _PLURALS[last]
    if last in _UNCOUNTABLE or singular(last) != last:
        return text
    if last.endswith("y") and last[-2:-1] not in "aeiou":
        return prefix + last[:-1] + "ies"
    return prefix + last + ("es" if last.endswith(("s", "sh", "ch", "x", "z")) else "s")


def words(text: str) -> str:
    """As people write it: `time_off_request` → `time off request`."""
    return " ".join("ID" if word == "id" else word for word in snake(text).split("_"))


def a(text: str) -> str:
    """With its indefinite article: `a company`, `an event`."""
    sounds_open = text[:1].lower() in "aeio" or (
        text[:1].lower() == "u" and not text.lower().startswith(("us", "uni", "ut"))
    )
    return f"{'an' if sounds_open else 'a'} {text}"


def one_line(text: str) -> str:
    """A text from a document as it may stand in a comment or docstring: one line, nothing that ends either."""
    return " ".join(text.replace("\\", "/").replace('"', "'").split())


def sentence(text: str, limit: int = 160) -> str:
    """The first sentence of a description, on one line, ending in a full stop; empty for no text."""
    text = re.sub(r"<[^>]+>", " ", text)
    text = re.sub(r"\[([^\]]+)\]\([^)]*\)", r"\1", text)
    text = " ".join(text.replace("\\", "/").replace('"""', '"').replace("*", "").replace("`", "").split())
    match = re.match(r"(.+?[.!?])(?:\s+[A-Z(\-].*)?$", text)
    text = match.group(1) if match else text
    if len(text) > limit:
        text = text[:limit].rsplit(" ", 1)[0].rstrip(",;:(- ") + "..."
    text = text.rstrip('" ') if text.count('"') % 2 else text
    return text if not text or text.endswith((".", "!", "?")) else f"{text}."
