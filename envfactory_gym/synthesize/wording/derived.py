"""Words for tools without phrases, from their names: `create_lead` → "set up a new lead called ...".

The verb of a tool's name says what it does; the argument that names a row of its noun is the object.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from random import Random

from ...environment import Tool
from ..referring.inflect import article, singular, words_of
from ..referring.nouns import LABELS
from .templates import Filled, Mood
from .text import listed

_CREATE = frozenset({"create", "add", "new", "insert", "make", "register", "post", "open"})
_UPDATE = frozenset({"update", "change", "edit", "modify", "set", "patch", "put", "replace", "adjust"})
_DELETE = frozenset({"delete", "remove", "destroy", "drop", "erase"})
_READ = frozenset({"get", "list", "search", "find", "read", "show", "fetch", "lookup", "view", "describe", "retrieve"})
_BEFORE = {
    "origin": "from", "source": "from", "from": "from", "from_date": "from", "start_date": "from",
    "destination": "to", "to": "to", "recipient": "to", "until": "until", "to_date": "until", "end_date": "until",
    "date": "on", "day": "on", "city": "in", "country": "in", "location": "in", "place": "in",
}  # fmt: skip


def verb_and_noun(tool: Tool) -> tuple[str, str]:
    """The verb of a tool's name and the noun behind it, in words: `cancel_reservation` → `cancel`, `reservation`."""
    name = tool.name.removeprefix(tool.prefix)
    verb, _, rest = name.partition("_")
    return verb, words_of(rest)


def label_of(argument: str, noun: str = "") -> str:
    """An argument in words people use: `due_date` → `due date`, `new_email` → `new e-mail address`."""
    for thing in (singular(noun), noun):
        argument = argument.removeprefix(thing.replace(" ", "_") + "_") if thing else argument
    plain = {"datetime": "date and time", "at": "time"}.get(argument) or words_of(argument)
    plain = re.sub(r"\bemail\b", "e-mail address", plain)
    plain = re.sub(r"^phone$", "phone number", plain)
    if plain.rpartition(" ")[2] in ("as", "by", "for", "in", "of", "on", "to", "with"):
        return f"{plain} setting"
    return plain or "value"


def detail(argument: str, words: str, noun: str = "") -> str:
    """An argument as something that narrows a noun: `from Oslo`, `with the priority high`."""
    if argument in _BEFORE:
        return f"{_BEFORE[argument]} {words}"
    if words.startswith("the same "):
        return f"with {words}"
    if argument.endswith("_id") or words.startswith(("the ", "my ", "a ", "an ")):
        return f"for {words}"
    return f"with the {label_of(argument, noun)} {words}"


def derived(
    tool: Tool,
    words: Mapping[str, str],
    rows: Mapping[str, str],
    again: Sequence[str],
    pronoun: str,
    random: Random,
) -> Filled:
    """What a wish asks for, in words made from the names of its tool and arguments.

    Args:
        tool: The tool.
        words: Argument → words.
        rows: Argument → table, for arguments that name rows.
        again: Arguments whose row was spoken of before.
        pronoun: What such a row is called: `it`, `that trip`.
        random: Draws among wordings.
    """
    verb, noun = verb_and_noun(tool)
    object_ = _object(tool, noun, rows, again)
    told = {name: text for name, text in words.items() if name != object_}
    row = words.get(object_, pronoun) if object_ is not None else None
    if verb in _CREATE:
        text, mood = _creation(noun, {**told, **({object_: row} if object_ and row else {})}, random)
    elif verb in _UPDATE and row is not None and told:
        text, mood = _change(row, told, rows, noun, random)
    elif verb in _DELETE and row is not None:
        text, mood = _one(random, f"delete {row}", f"remove {row}", f"get rid of {row}"), "imperative"
    elif verb in _READ:
        whole = row or f"the {noun}"
        text, mood = _one(random, f"look up {whole}", f"have a look at {whole}"), "imperative"
        text += _details(told, noun)
    else:
        spoken = re.sub(r"_", " ", verb)
        text = f"{spoken} {row or _with_article(noun)}" if noun or row else spoken
        text += _details(told, noun)
        mood = "imperative"
    return Filled(text, mood, frozenset([*words, *again]))


def _object(tool: Tool, noun: str, rows: Mapping[str, str], again: Sequence[str]) -> str | None:
    """The argument that names the row a tool is about."""
    named = [parameter for parameter in tool.parameters if parameter.name in rows or parameter.name in again]
    for parameter in named:
        table = rows.get(parameter.name) or (parameter.ref or "").partition(".")[0]
        if parameter.name == "id" or singular(words_of(table)) == singular(noun) or words_of(parameter.name) == noun:
            return parameter.name
    required = [parameter.name for parameter in named if parameter.required]
    return required[0] if required else None


def _creation(noun: str, told: Mapping[str, str], random: Random) -> tuple[str, Mood]:
    thing = singular(noun)
    label = next((name for name in LABELS if name in told), None)
    called = ""
    if label is not None:
        quoted = label not in ("name", "full_name", "display_name", "username")
        called = f' called "{told[label]}"' if quoted or len(told[label].split()) > 3 else f" called {told[label]}"
    linked = {name: text for name, text in told.items() if name != label and _is_link(name, text)}
    first = next(iter(linked), None)
    links = [detail(first, linked.pop(first), noun)] if first is not None else []
    # One link says itself ("for Acme"); of several, the others say what they are.
    named = {
        name: detail(name, text, noun) if text.startswith("the same ") else f"with {text} as the {label_of(name, noun)}"
        for name, text in linked.items()
    }
    further = "".join(f", and {words}" for words in named.values())
    plain = [
        f"the {label_of(name, noun)} {text}"
        for name, text in told.items()
        if name != label and not _is_link(name, text)
    ]
    rest = "".join(f" {link}" for link in links[:1]) + (
        f"{',' if called else ''} with {listed(plain)}" if plain else ""
    )
    rest += further
    new = f"new {thing}{called}{rest}"
    return (
        _one(random, f"set up a {new}", f"create a {new}", f"add a {new}", f"enter a {new}"), "imperative"
    ) if random.random() < 0.8 else (f"I need a {new}", "statement")  # fmt: skip


def _is_link(name: str, words: str) -> bool:
    return name.endswith("_id") or name in _BEFORE or words.startswith(("the ", "my "))


def _change(row: str, told: Mapping[str, str], rows: Mapping[str, str], noun: str, random: Random) -> tuple[str, Mood]:
    own = "its" if row == "it" else None
    pairs = [(label_of(name, noun), text) for name, text in told.items()]
    if len(pairs) == 1:
        label, text = pairs[0]
        if next(iter(told)) in rows:
            return _one(
                random,
                f"make {text} the {label} of {row}",
                f"record {text} as the {label} of {row}",
                f"put {text} down as the {label} of {row}",
            ), "imperative"
        if own:
            return _one(
                random, f"set its {label} to {text}", f"change its {label} to {text}", f"make its {label} {text}"
            ), "imperative"
        if random.random() < 0.25:
            return f"the {label} of {row} should be {text}", "statement"
        return _one(
            random,
            f"change the {label} of {row} to {text}",
            f"set the {label} of {row} to {text}",
            f"set the {label} to {text} for {row}",
            f"correct the {label} of {row}: it should be {text}",
        ), "imperative"
    changes = listed([f"{'its' if own else 'the'} {label} to {text}" for label, text in pairs])
    if own:
        return _one(random, f"set {changes}", f"change {changes}"), "imperative"
    return _one(random, f"set {changes} for {row}", f"update {row}: set {changes}", f"change {changes} on {row}"), (
        "imperative"
    )


def _details(told: Mapping[str, str], noun: str) -> str:
    return "".join(f" {detail(name, text, noun)}" for name, text in told.items())


def _with_article(noun: str) -> str:
    return f"{article(noun)} {noun}" if noun and noun == singular(noun) else noun


def _one(random: Random, *options: str) -> str:
    return options[int(random.random() * len(options))]
