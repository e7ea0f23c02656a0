"""Requests and replies in words: several phrasings of each kind of wish, chosen by the task's dice."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date

from ..model import Field
from ..naming import a, words
from ..rows.dice import Dice

_MONTHS = (
    "January", "February", "March", "April", "May", "June",
    "July", "August", "September", "October", "November", "December",
)  # fmt: skip


def spoken_date(value: str) -> str:
    """A date as people say it: 3 June 2026."""
    day = date.fromisoformat(value)
    return f"{day.day} {_MONTHS[day.month - 1]} {day.year}"


def joined(parts: Sequence[str]) -> str:
    """Parts as a sentence lists them: `a, b and c`."""
    return parts[0] if len(parts) == 1 else ", ".join(parts[:-1]) + " and " + parts[-1]


def capital(text: str) -> str:
    """The text with a capital first letter, the rest as it is."""
    return text[:1].upper() + text[1:]


def field(one: Field) -> str:
    """How people call a field: `reply_to_address` → `reply to address`."""
    return words(one.name)


def change(dice: Dice, row: str, changes: Sequence[tuple[str, str]]) -> str:
    """Ask to set fields of a row to values; each change is a field's and a value's words."""
    told = joined([f"the {name} to {value}" for name, value in changes])
    options = [
        f"Please set {told} for {row}.",
        f"Hi, a correction for {row}: please change {told}.",
        f"For {row}, could you set {told}?",
        f"I have a change to {row}: set {told}, please.",
    ]
    if len(changes) == 1:
        name, value = changes[0]
        options += [
            f"The {name} of {row} is wrong. It should be {value}.",
            f"Could you change the {name} of {row}? Make it {value}, please.",
            f"We agreed on a new {name} for {row}: {value}. Please enter it.",
            f"I just noticed that {row} has the wrong {name}. Please correct it to {value}.",
        ]
    else:
        options.append(f"Two things have changed for {row}. Please set {told}.")
    return dice.pick(options)


def change_again(dice: Dice, name: str, value: str) -> str:
    """Ask to set a field of the row that was just talked about."""
    return dice.pick(
        (
            f"Thank you. Please set its {name} to {value}.",
            f"Good. Then change the {name} there to {value}.",
            f"I see. In that case its {name} should become {value}.",
            f"Right, thanks. While you are there, make the {name} {value}.",
            f"That helps. The {name} has to be {value} from now on, please change that too.",
        )
    )


def clearing(dice: Dice, row: str, name: str) -> str:
    """Ask to empty a field of a row."""
    return dice.pick(
        (
            f"Please remove the {name} from {row}.",
            f"The {name} of {row} no longer applies. Please clear it.",
            f"Could you take the {name} off {row}? It should be empty.",
        )
    )


def link(dice: Dice, row: str, other: str, role: str, same: bool) -> str:
    """Ask to make another row the `role` of a row; `same` where the role is just what the other row is."""
    if same:
        return dice.pick(
            (
                f"Please link {row} to {other}.",
                f"{capital(row)} belongs to {other}. Can you record that?",
                f"Could you move {row} over to {other}?",
                f"{capital(row)} should be under {other}. Please fix that.",
            )
        )
    return dice.pick(
        (
            f"Make {other} the {role} of {row}.",
            f"Please record {other} as the {role} of {row}.",
            f"From now on, the {role} of {row} is {other}. Can you enter that?",
            f"The {role} of {row} has changed: it is {other} now. Please update it.",
        )
    )


def new(dice: Dice, one: str, name: str, inside: str, details: Sequence[str]) -> str:
    """Ask for a new row."""
    thing = words(one)
    rest = f"{name}{inside}" + (f", with {joined(details)}" if details else "")
    return dice.pick(
        (
            f"Please create {a(thing)}{rest}.",
            f"I need a new {thing}{rest}.",
            f"Could you add {a(thing)}{rest}?",
            f"Can you set up {a(thing)}{rest}?",
            f"Please enter a new {thing}{rest}.",
        )
    )


Row = tuple[str, str, Sequence[str]]


def new_both(dice: Dice, first: tuple[str, str, str, Sequence[str]], second: Row) -> str:
    """Ask for a new row and another that belongs to it."""
    one, name, inside, details = first
    other, theirs, more = second
    head = f"{name}{inside}" + (f", with {joined(details)}" if details else "")
    tail = theirs + (f", with {joined(more)}" if more else "")
    return dice.pick(
        (
            f"Please create {a(words(one))}{head}. Then add {a(words(other))}{tail} to it.",
            f"I need a new {words(one)}{head}, and for it {a(words(other))}{tail}.",
            f"Set up {a(words(one))}{head}, please, and once it is there {a(words(other))}{tail} that belongs to it.",
        )
    )


def removal(dice: Dice, row: str, *, several: bool = False) -> str:
    """Ask to delete a row, or several."""
    it = "them" if several else "it"
    return dice.pick(
        (
            f"Please delete {row}.",
            f"We no longer need {row}. Please remove {it}.",
            f"Can you get rid of {row} for me?",
            f"I would like {row} deleted, please.",
            f"{capital(row)} can go. Please delete {it}.",
        )
    )


def confirm_removal(row: str, argument: str, key: object, going: Sequence[str]) -> str:
    """Gold's question before a deletion: the row, its identifier if that is not said already, and what goes with it."""
    along = f", together with its {joined(going)}" if going else ""
    told = re.search(rf"(?<![\w.@-]){re.escape(str(key))}(?![\w@-])", row)
    named = "" if told else f" ({words(argument)} {key})"
    return f"I found {row}{named}. It will be deleted{along}. Shall I go ahead?"


def act(dice: Dice, verb: str, row: str) -> str:
    """Ask for an action on a row."""
    return dice.pick(
        (
            f"Please {verb} {row}.",
            f"Could you {verb} {row}?",
            f"I would like you to {verb} {row}.",
            f"It is time to {verb} {row}. Please do that.",
        )
    )


def question(dice: Dice, row: str, fields: Sequence[str]) -> str:
    """Ask for fields of a row."""
    named = " and the ".join(fields)
    verb = "is" if len(fields) == 1 else "are"
    return dice.pick(
        (
            f"What {verb} the {named} of {row}?",
            f"Can you tell me the {named} of {row}?",
            f"I am looking for the {named} of {row}.",
            f"Please look up the {named} of {row} for me.",
            f"Which {named} do we have on file for {row}?" if len(fields) == 1 else f"I need the {named} of {row}.",
        )
    )


def extreme_row(one: str, owner: str, role: str, degree: str, figure: str, *, same: bool) -> str:
    """The largest or latest of the rows that belong to another row; `same` as for `link`."""
    if same:
        return f"the {one} of {owner} with the {degree} {figure}"
    return f"the {one} with {owner} as its {role} that has the {degree} {figure}"


def extreme_question(
    dice: Dice, things: str, owner: str, role: str, label: str, figure: str, degree: str, *, same: bool
) -> str:
    """Ask which of the rows that belong to another row is the largest or latest; `same` as for `link`."""
    if same:
        return dice.pick(
            (
                f"Among the {things} of {owner}, which one has the {degree} {figure}?",
                f"Look at the {things} of {owner}. What is the {label} of the one with the {degree} {figure}?",
                f"Which of the {things} of {owner} has the {degree} {figure}?",
            )
        )
    return dice.pick(
        (
            f"Among the {things} that have {owner} as their {role}, which one has the {degree} {figure}?",
            f"Look at the {things} with {owner} as {role}. What is the {label} of the one with the {degree} {figure}?",
            f"Which of the {things} whose {role} is {owner} has the {degree} {figure}?",
        )
    )


def answer(fields: Sequence[str]) -> str:
    """Gold's reply to a question; `{field}` becomes the value."""
    return "The " + " and the ".join(f"{name} is {{{name}}}" for name in fields) + "."
