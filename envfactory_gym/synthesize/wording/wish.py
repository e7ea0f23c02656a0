"""What one turn wants, ready to be worded: which tool or question, and the words already chosen for its values."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from ...environment.task import AnswerKind

Form = Literal["value", "which", "count", "sum", "min", "max"]
"""What is asked of a row or a list: a value, which row it is, how many rows, a total, the least or greatest value."""

Row = Literal["told", "again", "result", "none"]
"""How a question stands to its row: told by `Ask.row`; spoken of before ("it"); what the wished action gives or
changes ("what do I get back?"); no single row."""


@dataclass(frozen=True)
class Ask:
    """One thing that the user wants to know.

    Attributes:
        subject: The answer's subject, for the placeholder in the agent's reply: `refund`.
        kind: How the answer is written; decides "how much", "when", "how many", "which".
        field: Column or result field that holds it: `paid_cents`.
        table: Table or view of that column, for the phrases of language.yaml.
        form: A value of a row, or something about a list.
        row: Words of the row (`my trip to Oslo`) or, for `count`, `sum`, `min` and `max`, of the rows
            (`my trips to Oslo`); None where `about` says how else it is known.
        about: How the question stands to its row.
    """

    subject: str
    kind: AnswerKind
    field: str = ""
    table: str | None = None
    form: Form = "value"
    row: str | None = None
    about: Row = "told"


@dataclass(frozen=True)
class Wish:
    """One thing that a turn wants.

    Attributes:
        kind: `action`: something is to be done; `question`: something is to be looked up.
        tool: The tool that does it; for a question the tool whose result is asked about.
        words: Argument → words already chosen: a reference's words, or a spoken value. Arguments that the user
            does not say are absent. Every one of them stands literally in the text.
        again: Arguments whose row was spoken of before, in this turn or an earlier one: "it", "that trip".
            An argument is in `words` or here, not in both.
        rows: Argument → table of the row it names, so that "it" can be "that trip" too; read from the
            tool where left out.
        asks: What the user wants to know: about a result of the action, or the question itself.
        condition: A clause under which it is wanted, without "if": `it costs no more than $200`.
        otherwise: What is wanted where the first is not possible.
        instead_of: Argument → words said first and taken back at once: "on 3 May, no wait, on 5 May".
        reason: A clause that says why, in the user's words: `my plans changed`. Literal too.
        told: Slots that the request tells itself, in the order told: `customer_id` → `E104822`.
        look_up: For a question: the words that narrow what is looked up, by column, where no row or argument
            says them: `origin_city` → `Oslo`.
        decline: Whether a rule forbids it; the words do not differ, but nobody asks "is it allowed?" by accident.
        named: Argument → key of the row it names, and the words that name it in full.
        besides: Tables of which other rows are named besides: compared with, or asked about.
        it: Whether "it" can be understood, where a row was spoken of before.
    """

    kind: Literal["action", "question"]
    tool: str
    words: Mapping[str, str] = field(default_factory=dict)
    again: tuple[str, ...] = ()
    rows: Mapping[str, str] = field(default_factory=dict)
    asks: tuple[Ask, ...] = ()
    condition: str | None = None
    otherwise: Wish | None = None
    instead_of: Mapping[str, str] = field(default_factory=dict)
    reason: str | None = None
    told: Mapping[str, str] = field(default_factory=dict)
    look_up: Mapping[str, str] = field(default_factory=dict)
    decline: bool = False
    named: Mapping[str, tuple[Any, str]] = field(default_factory=dict)
    besides: tuple[str, ...] = ()
    it: bool = True

    @property
    def literal(self) -> tuple[str, ...]:
        """Every span that must stand letter for letter in the request."""
        spans = [*self.words.values(), *self.told.values(), *self.look_up.values()]
        spans += [ask.row for ask in self.asks if ask.row]
        spans += [clause for clause in (self.condition, self.reason) if clause]
        if self.otherwise is not None:
            spans += self.otherwise.literal
        return tuple(dict.fromkeys(spans))


@dataclass(frozen=True)
class Worded:
    """A request in words.

    Attributes:
        text: What the user writes.
        style: The person's way of writing, such as `chatty`.
        persona: Who that person is, for `User.persona`.
    """

    text: str
    style: str
    persona: str
