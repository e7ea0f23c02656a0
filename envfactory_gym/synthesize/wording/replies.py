"""What an agent says in gold: asking for a slot, stating what is about to be done, telling answers, declining.

A message counts only if a scripted user understands it: `classify` must read the move that is meant,
and a confirmation must state every key argument. Wordings that fail are passed over.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from random import Random
from typing import Any, TypeVar

from ...environment import Language, Tool
from ...environment.task import GoldCall
from ...episode.classify import classify
from ...episode.constraints import confirmed
from ...episode.wording import say
from ..referring.inflect import singular
from ..referring.said import is_clause, phrase_table
from .derived import derived, label_of, verb_and_noun
from .templates import cut, fitting, mood_of, templates_of
from .text import listed, sentence, tidy

T = TypeVar("T")

_ASK = (
    "Could you tell me {what}, please?", "May I have {what}, please?", "What is {what}?",
    "Please tell me {what} first.", "I just need {what}. Could you give it to me?", "Can you give me {what}?",
)  # fmt: skip
_GLADLY = ("Gladly.", "Of course.", "Sure, I can look into that.", "Happy to help.", "Certainly.", "")
_INTEND = (
    "I would {do}.", "I'm about to {do}.", "Here is what I would do: {do}.", "Then I would {do}.",
    "To be sure we mean the same: I would {do}.",
)  # fmt: skip
_LEAVE = ("Shall I go ahead?", "Is that right?", "Shall I do that?", "May I go ahead?", "Do you want me to proceed?")
_DONE = ("That is done.", "Done.", "All set.", "It is done.", "I have done that for you.")
_BOTH = ("All of that is done.", "Everything is done.", "Both are done.")
_TELL = ("The {subject} is {{subject}}.", "For the {subject} I see {{subject}}.", "Here is the {subject}: {{subject}}.")
_END = ("", "", "Is there anything else?", "Anything else I can do for you?", "Have a good day.")
_NOTHING = ("There you are.", "I have looked it up; everything is as it should be.")
_SORRY = (
    "I am sorry, but our rules do not allow that.", "I'm afraid I can't do that: our rules rule it out.",
    "Unfortunately that is not possible under our rules.", "I would if I could, but our rules do not permit it.",
)  # fmt: skip
_UNFIT = re.compile(
    r"\b(?:you|who|which|what|when|is|are|should|verify|identify)\b|\b(?:with|other|the|from|be|changed to)$",
    re.IGNORECASE,
)
_BARE = re.compile(
    r"\w+ed$|paid$|sent$|(?:departs|arrives|starts|ends|expires|leaves)$|^(?:to|from|by|in|of|on)\b|\b(?:until|by|from|left|at)$"
)
"""Subjects that do not go with "the": `paid`, `to card`, `valid until`."""

_VERBS = frozenset(
    "read tell give share open check turn switch press send show enter set restart look go take call type click tap "
    "run start stop enable disable toggle reboot connect disconnect unplug plug insert remove confirm forward".split()
)
_INSTRUCT = ("Could you please {do}?", "Please {do}.", "Now I need you to {do}, please.", "Would you {do}, please?")


def question_of_agent(slots: Sequence[str], language: Language, random: Random) -> str:
    """Ask the user for slots; understood as asking for exactly these.

    Args:
        slots: Their names.
        language: How each is asked for.
        random: Draws.
    """
    phrases = {
        name: wording.asked or (name.rpartition("__")[2].replace("_", " "),) for name, wording in language.slots.items()
    }
    for slot in slots:
        phrases.setdefault(slot, (slot.rpartition("__")[2].replace("_", " "),))
    what = listed([_wanted(slot, phrases[slot], language) for slot in slots])
    for frame in _turned(_ASK, random):
        text = f"{_one(_GLADLY, random)} {frame.replace('{what}', what)}".strip()
        move = classify(text, slots=phrases, rules={})
        if move.kind == "asks" and set(move.slots) == set(slots):
            return text
    return f"Could you tell me {what}, please?"


def confirmation(calls: Sequence[GoldCall], tools: Mapping[str, Tool], language: Language, random: Random) -> str:
    """State what is about to be done, with every key argument, and ask leave.

    Args:
        calls: The writes that wait.
        tools: By name.
        language: Templates and phrases.
        random: Draws.
    """
    acts = [intention(call, tools[call.tool], language, random) for call in calls]
    frame = _one(_INTEND, random)
    doing = listed(acts, "and then") if len(acts) > 1 else acts[0]
    text = f"{frame.replace('{do}', doing)} {_one(_LEAVE, random)}"
    if _understood(text, calls, tools, language):
        return text
    plain = "; ".join(_plainly(call, tools[call.tool]) for call in calls)
    return f"I would do this: {plain}. Shall I go ahead?"


def intention(call: GoldCall, tool: Tool, language: Language, random: Random) -> str:
    """A call in words, with its values as an agent states them: `cancel trip K7Q2MD because your plans changed`."""
    given = {key: value for key, value in call.arguments.items() if value not in (None, "", [])}
    clauses = {key: why for key, value in given.items() if (why := _clause(key, value, language, random))}
    told = {
        key: _stated(key, value, tool, language)
        for key, value in given.items()
        if key not in clauses and (key in tool.confirm or not {key, tool.prefix + key} & language.slots.keys())
    }
    templates = [one for one in templates_of(language, tool) if mood_of(one) == "imperative"]
    # After a colon a clause stands by itself; elsewhere it follows "because".
    ready = [_from_agent(one if re.search(r": \{\w+\}$", one) else cut(one, clauses)) for one in templates]
    found = [
        one for one in fitting(ready, {**told, **clauses}, lambda _: None) if all(told[key] in one.text for key in told)
    ] or [one for one in fitting(ready, told, lambda _: None) if all(told[key] in one.text for key in told)]
    because = f" because {listed(list(clauses.values()))}" if clauses else ""
    if found:
        text = tidy(_one(found, random).text.rstrip("."), tuple(told.values()))
        return text + (because if all(why not in text for why in clauses.values()) else "")
    rows = {one.name: one.ref.partition(".")[0] for one in tool.parameters if one.ref and one.name in told}
    made = derived(tool, told, rows, (), "it", random)
    return made.text + because if made.mood == "imperative" and ":" not in made.text else _plainly(call, tool)


def _clause(key: str, value: Any, language: Language, random: Random) -> str | None:
    """A reason in the agent's mouth: `my plans changed` → `your plans changed`; None where it is none."""
    for name, known in language.phrases.items():
        if name == key or name.endswith(f"_{key}"):
            clauses = [_from_agent(one) for one in known.get(str(value), ()) if is_clause(one)]
            if clauses:
                return _one(clauses, random)
    return None


def _plainly(call: GoldCall, tool: Tool) -> str:
    verb, noun = verb_and_noun(tool)
    values = [
        f"{label_of(key, noun)} {_value(value, key)}" for key, value in call.arguments.items() if value is not None
    ]
    return f"{verb.replace('_', ' ')} {'the ' + noun if noun else ''}".strip() + (
        f" with {listed(values)}" if values else ""
    )


def instruction(tool: Tool, language: Language, random: Random) -> str:
    """Tell the user to use one of the user's own tools, in a phrase the user understands."""
    given = [one for one in templates_of(language, tool) if "{" not in one]
    phrases = [one for one in given if one.split()[0] in _VERBS] or given[:1]
    doing = _one(phrases or [tool.name.removeprefix(tool.prefix).replace("_", " ")], random)
    return _one(_INSTRUCT, random).replace("{do}", doing)


def closing(subjects: Sequence[str], writes: Sequence[Tool], random: Random) -> str:
    """The last message of a turn, with `{subject}` where an answer's value goes.

    Args:
        subjects: Subjects of the answers.
        writes: Tools that changed something.
        random: Draws.
    """
    parts = []
    if writes:
        parts.append(_one(_BOTH if len(writes) == 2 else _BOTH[:2] if len(writes) > 2 else _DONE, random))
    for subject in subjects:
        # A subject may hold a second answer of the same name, told apart by a word behind it.
        named = re.sub(r" too$", "", subject)
        if _BARE.search(named):
            parts.append(f"{named.capitalize()}: {{{subject}}}.")
            continue
        told = _one(_TELL, random)
        thing = named.partition(" of ")[0]
        if thing.endswith("s") and singular(thing) != thing:
            told = told.replace("The {subject} is", "The {subject} are").replace("Here is", "Here are")
        parts.append(told.replace("{{subject}}", "{" + subject + "}").replace("{subject}", named, 1))
    if not parts:
        return _one(_NOTHING, random)
    end = _one(_END, random)
    return " ".join([*parts, end] if end else parts)


def refusal(rule: str, random: Random) -> str:
    """Say that a rule forbids it, with the rule's own words where they are short.

    Args:
        rule: Text of the rule.
        random: Draws.
    """
    sorry = _one(_SORRY, random)
    first = re.split(r"(?<=[.!])\s", rule.strip())[0] if rule else ""
    return f"{sorry} {first}".strip() if 0 < len(first) <= 160 and random.random() < 0.7 else sorry


def explanation(what: str, random: Random) -> str:
    """A remark while looking something up: `let me look at your bookings`."""
    return sentence(
        _one(("let me look up {x}", "I am looking up {x}", "one moment, I check {x}"), random).replace("{x}", what)
    )


# ------------------------------------------------------------ values


def _understood(text: str, calls: Sequence[GoldCall], tools: Mapping[str, Tool], language: Language) -> bool:
    slots = {name: wording.asked for name, wording in language.slots.items()}
    return classify(text, slots=slots, rules={}).kind == "asks_confirmation" and all(
        confirmed(tools[call.tool], call.arguments, (text,), language) for call in calls
    )


def _stated(key: str, value: Any, tool: Tool, language: Language) -> str:
    """A value as an agent states it; a key with the noun of what it names."""
    parameter = next((one for one in tool.parameters if one.name == key), None)
    words = _value(value, key)
    if parameter is not None and parameter.ref and isinstance(value, str) and re.search(r"\d|^[A-Z]{4,}$", value):
        table, _, column = parameter.ref.partition(".")
        noun = language.nouns[table].one[0] if table in language.nouns else label_of(key)
        return words if column in ("email", "phone") else f"{noun} {words}"
    spoken = phrase_table(key, value, language, tool.name)
    if spoken is not None:
        usual, phrases = words.replace("_", " "), language.phrases[spoken][str(value)]
        return usual if usual in phrases else next((one for one in phrases if not is_clause(one)), usual)
    return words


def _value(value: Any, key: str = "") -> str:
    if key.endswith("_cents") and isinstance(value, int):
        return say("money", value, "USD")
    if isinstance(value, list):
        return listed([str(one) for one in value]) if value else "nobody"
    if isinstance(value, str) and re.fullmatch(r"\d{4}-\d\d-\d\d", value):
        return say("date", value)
    return str(value)


_AGENT = {
    "me": "you",
    "you": "we",
    "your": "our",
    "my": "your",
    "we": "you",
    "us": "you",
    "our": "your",
    "i": "you",
    "i'm": "you are",
    "i've": "you have",
    "i'd": "you'd",
}


def _from_agent(template: str) -> str:
    """A template as the agent says it: `book {flight} for me` → `book {flight} for you`."""
    parts = re.split(r"(\{\w+\})", template)
    turned = (
        part
        if part.startswith("{")
        else re.sub(r"\b(?:I'm|I've|I'd|I|me|my|we|us|our|you|your)\b", lambda m: _AGENT[m[0].lower()], part)
        for part in parts
    )
    return "".join(turned)


def _wanted(slot: str, phrases: Sequence[str], language: Language) -> str:
    """What is asked for: `your customer number`; by the user's own word for it where that is understood."""
    wording = language.slots.get(slot)
    whole = [one for one in phrases if not _UNFIT.search(one)]
    own = [one for one in whole if wording is not None and one.casefold() in wording.say.casefold()]
    chosen = (own or whole or list(phrases))[0]
    if " of " in chosen:
        return f"the {chosen}"
    return chosen if chosen.startswith(("the ", "which ", "what ", "who ", "when ")) else f"your {chosen}"


def _turned(options: Sequence[T], random: Random) -> list[T]:
    start = int(random.random() * len(options))
    return [*options[start:], *options[:start]]


def _one(options: Sequence[T], random: Random) -> T:
    return options[int(random.random() * len(options))]


__all__ = ["closing", "confirmation", "explanation", "instruction", "intention", "question_of_agent", "refusal"]
