"""Requests and replies in words: a few phrasings of each kind of wish, chosen by the task's dice."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

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


def change(dice: Dice, row: str, changes: Sequence[tuple[str, str]]) -> str:
    """Ask to set fields of a row to values; each change is a field's and a value's words."""
    told = joined([f"the {field} to {value}" for field, value in changes])
    options = [
        f"Please set {told} for {row}.",
        f"Hi, a correction for {row}: please change {told}.",
        f"For {row}, could you set {told}?",
    ]
    if len(changes) == 1:
        field, value = changes[0]
        options += [
            f"The {field} of {row} is wrong. It should be {value}.",
            f"Could you change the {field} of {row}? Make it {value}, please.",
        ]
    return dice.pick(options)


def change_again(dice: Dice, field: str, value: str) -> str:
    """Ask to set a field of the row that was just talked about."""
    return dice.pick(
        (
            f"Thank you. Please set its {field} to {value}.",
            f"Good. Then change the {field} there to {value}.",
            f"I see. In that case its {field} should become {value}.",
        )
    )


def link(dice: Dice, row: str, other: str, role: str, same: bool) -> str:
    """Ask to make another row the `role` of a row; `same` where the role is just what the other row is."""
    if same:
        return dice.pick((f"Please link {row} to {other}.", f"{capital(row)} belongs to {other}. Can you record that?"))
    return dice.pick(
        (
            f"Make {other} the {role} of {row}.",
            f"Please record {other} as the {role} of {row}.",
            f"From now on, the {role} of {row} is {other}. Can you enter that?",
        )
    )


def new(dice: Dice, one: str, name: str, inside: str, details: Sequence[str]) -> str:
    """Ask for a new row."""
    thing = words(one)
    rest = f"{name}{inside}" + (f", with {joined(details)}" if details else "")
    return dice.pick(
        (f"Please create {a(thing)}{rest}.", f"I need a new {thing}{rest}.", f"Could you add {a(thing)}{rest}?")
    )


def removal(dice: Dice, row: str) -> str:
    """Ask to delete a row."""
    return dice.pick(
        (
            f"Please delete {row}.",
            f"We no longer need {row}. Please remove it.",
            f"Can you get rid of {row} for me?",
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
        )
    )


def extreme_question(dice: Dice, things: str, owner: str, role: str, label: str, figure: str, degree: str) -> str:
    """Ask which of the rows that belong to another row is the largest or latest."""
    return dice.pick(
        (
            f"Among the {things} that have {owner} as their {role}, which one has the {degree} {figure}?",
            f"Look at the {things} with {owner} as {role}. What is the {label} of the one with the {degree} {figure}?",
        )
    )


def answer(fields: Sequence[str]) -> str:
    """Gold's reply to a question; `{field}` becomes the value."""
    return "The " + " and the ".join(f"{field} is {{{field}}}" for field in fields) + "."
