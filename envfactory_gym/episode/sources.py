"""Evaluating source expressions: where the value of an argument or an answer comes from.

One function, `evaluate`, walks a `Source`. It sees what a perfect solver could see: the user's
words and slots, results of earlier calls, the policy, the schema, the clock. It never sees the
database. The closed list of derivations is `OPERATIONS`; each is a plain function.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from typing import Any

from ..environment import EnvFactoryError, Language
from ..environment.task import Answered, Clock, Derived, PolicyValue, Result, Said, SchemaValue, Source
from . import values


class SourceError(EnvFactoryError):
    """A source expression has no value here: a slot, call, path or span is missing."""


@dataclass
class Knowledge:
    """What a solver knows while it works through a task.

    Attributes:
        requests: The user's requests so far, by turn.
        slots: Slot → value.
        rules: Policy rule → text.
        language: Phrase tables.
        now: The time in the episode, ISO 8601.
        results: Goal-call id → parsed result.
    """

    requests: Sequence[str]
    slots: Mapping[str, Any]
    rules: Mapping[str, str]
    language: Language
    now: str
    results: dict[str, Any] = field(default_factory=dict)


def evaluate(source: Source, known: Knowledge) -> Any:
    """The value of a source expression.

    Raises:
        SourceError: Something it needs is missing, or an operation does not apply.
    """
    match source:
        case Said(turn=turn, span=span):
            if turn >= len(known.requests) or span not in known.requests[turn]:
                raise SourceError(f"the words {span!r} do not stand in request {turn}")
            return span
        case Answered(slot=slot):
            if slot not in known.slots:
                raise SourceError(f"the user has no slot {slot!r}")
            return known.slots[slot]
        case Result(call=call, path=path):
            if call not in known.results:
                raise SourceError(f"no earlier call {call!r} has a result")
            return walk(known.results[call], path)
        case PolicyValue(rule=rule, value=value):
            if str(value) not in known.rules.get(rule, ""):
                raise SourceError(f"the value {value!r} does not stand in the policy rule {rule!r}")
            return value
        case SchemaValue(value=value):
            return value
        case Clock(part=part):
            return known.now if part == "now" else known.now[:10]
        case Derived():
            inputs = [evaluate(child, known) for child in source.sources]
            try:
                return OPERATIONS[source.op](inputs, source.options, known)
            except (KeyError, IndexError, TypeError, ValueError, AttributeError) as error:
                raise SourceError(f"{source.op} does not apply here: {error}") from error
    raise SourceError(f"unknown source {source!r}")


def walk(value: Any, path: str) -> Any:
    """Follow a dotted path (`trips.0.id`) into a JSON value; an empty path is the value itself."""
    for part in path.split(".") if path else ():
        try:
            value = value[int(part)] if isinstance(value, list) else value[part]
        except (KeyError, IndexError, ValueError, TypeError):
            raise SourceError(f"the result has nothing at {path!r}") from None
    return value


def user_knows(source: Source) -> bool:
    """Whether a value rests on the user's own words and slots alone."""
    match source:
        case Said() | Answered():
            return True
        case Derived(sources=children):
            return all(user_knows(child) for child in children)
        case _:
            return False


# ---------------------------------------------------------------- the closed list of derivations

Operator = Callable[[list[Any], Mapping[str, Any], Knowledge], Any]

_COMPARISONS: dict[str, Callable[[Any, Any], bool]] = {
    "==": lambda left, right: left == right,
    "!=": lambda left, right: left != right,
    "<": lambda left, right: left < right,
    "<=": lambda left, right: left <= right,
    ">": lambda left, right: left > right,
    ">=": lambda left, right: left >= right,
    "in": lambda left, right: left in right,
    "contains": lambda left, right: str(right).casefold() in str(left).casefold(),
    "starts": lambda left, right: str(left).startswith(str(right)),
}


def _filter(inputs: list[Any], options: Mapping[str, Any], known: Knowledge) -> list[Any]:
    """Items of a list for which every condition `[path, comparison, value]` holds."""

    def holds(item: Any, condition: Sequence[Any]) -> bool:
        path, comparison, value = condition
        if isinstance(value, Mapping) and set(value) == {"source"}:
            value = inputs[value["source"]]
        found = walk(item, path)
        return found is not None and _COMPARISONS[comparison](found, value)

    return [item for item in inputs[0] if all(holds(item, condition) for condition in options["where"])]


def _extreme(choose: Callable[..., Any]) -> Operator:
    """The item of a list with the smallest or largest value at `by`; a tie has no answer."""

    def pick(inputs: list[Any], options: Mapping[str, Any], known: Knowledge) -> Any:
        items = inputs[0]
        best = choose(walk(item, options["by"]) for item in items)
        winners = [item for item in items if walk(item, options["by"]) == best]
        if len(winners) != 1:
            raise ValueError(f"{len(winners)} items share the value {best!r} at {options['by']!r}")
        return winners[0]

    return pick


def _numbers(inputs: list[Any], options: Mapping[str, Any]) -> list[Any]:
    return [walk(item, options.get("path", "")) for item in inputs[0]]


def _date_add(inputs: list[Any], options: Mapping[str, Any], known: Knowledge) -> str:
    """A date or time plus `days`, `hours` or `minutes` of the options (or days as second source)."""
    days = inputs[1] if len(inputs) > 1 else options.get("days", 0)
    delta = timedelta(days=days, hours=options.get("hours", 0), minutes=options.get("minutes", 0))
    text = inputs[0]
    if len(text) == 10:
        return (date.fromisoformat(text) + delta).isoformat()
    return (datetime.fromisoformat(text.replace("Z", "+00:00")) + delta).strftime("%Y-%m-%dT%H:%M:%SZ")


def _date_diff(inputs: list[Any], options: Mapping[str, Any], known: Knowledge) -> int:
    """Whole days from the second date to the first."""
    return (date.fromisoformat(inputs[0][:10]) - date.fromisoformat(inputs[1][:10])).days


def _phrase(inputs: list[Any], options: Mapping[str, Any], known: Knowledge) -> str:
    """The value that the user's words name in a phrase table of language.yaml."""
    found = known.language.value_of(options["table"], str(inputs[0]))
    if found is None:
        raise ValueError(f"{inputs[0]!r} names nothing in the phrase table {options['table']!r}")
    return found


def _only(items: list[Any], index: int) -> Any:
    if not items:
        raise ValueError("the list is empty")
    return items[index]


def _product(inputs: list[Any]) -> Any:
    total = 1
    for value in inputs:
        total *= value
    return total


def _spoken(kind: values.Kind) -> Operator:
    """The first value of that kind in the user's words."""

    def read(inputs: list[Any], options: Mapping[str, Any], known: Knowledge) -> Any:
        found = values.parse(kind, str(inputs[0]), now=known.now)
        if found is None:
            raise ValueError(f"{inputs[0]!r} holds no {kind}")
        return found

    return read


OPERATIONS: dict[str, Operator] = {
    "add": lambda inputs, options, known: sum(inputs[1:], inputs[0]),
    "subtract": lambda inputs, options, known: inputs[0] - inputs[1],
    "multiply": lambda inputs, options, known: _product(inputs),
    "date_add": _date_add,
    "date_diff": _date_diff,
    "filter": _filter,
    "arg_min": _extreme(min),
    "arg_max": _extreme(max),
    "first": lambda inputs, options, known: _only(inputs[0], 0),
    "last": lambda inputs, options, known: _only(inputs[0], -1),
    "field": lambda inputs, options, known: walk(inputs[0], options["path"]),
    "count": lambda inputs, options, known: len(inputs[0]),
    "sum": lambda inputs, options, known: sum(_numbers(inputs, options)),
    "min": lambda inputs, options, known: min(_numbers(inputs, options)),
    "max": lambda inputs, options, known: max(_numbers(inputs, options)),
    "collect": lambda inputs, options, known: _numbers(inputs, options),
    "number": _spoken("number"),
    "money": _spoken("money"),
    "date": _spoken("date"),
    "time": _spoken("time"),
    "code": lambda inputs, options, known: "".join(str(inputs[0]).split()).upper(),
    "lower": lambda inputs, options, known: str(inputs[0]).strip().lower(),
    "phrase": _phrase,
}
"""The operations a `Derived` source may use; nothing else counts as derivable."""
