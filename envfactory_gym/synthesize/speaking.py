"""The two who speak in a task: the person who asks, in one way of writing, and the agent of the gold."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from random import Random
from typing import Any

from ..environment import Package
from ..environment.task import GoldCall
from .gold import Speech as AgentSpeech
from .presets import Mix
from .turns import GroundedTurn
from .wording import replies
from .wording.person import person
from .wording.request import Speech, request

_GIVEN = (
    "Amara", "Ben", "Carla", "Dmitri", "Elena", "Farid", "Grace", "Hiro", "Imani", "Jonas", "Kavya", "Luis", "Mona",
    "Nils", "Olga", "Pablo", "Quinn", "Rosa", "Samir", "Tove", "Uma", "Viktor", "Wanda", "Xenia", "Yusuf", "Zoe",
)  # fmt: skip
_FAMILY = (
    "Abara", "Berg", "Castro", "Dahl", "Ekwueme", "Farkas", "Gruber", "Haddad", "Ito", "Jensen", "Kim", "Lind",
    "Moreau", "Novak", "Okafor", "Petrov", "Quist", "Rossi", "Sato", "Turner", "Usman", "Varga", "Weber", "Yilmaz",
    "Zhang",
)  # fmt: skip


class Voice:
    """How one person writes, and how the agent answers, in one task.

    Args:
        package: The environment.
        row: The asker's own row; empty where staff asks.
        random: Draws.
    """

    def __init__(self, package: Package, row: Mapping[str, Any], random: Random) -> None:
        self._package, self._random = package, random
        self.name = _name(row) or f"{_one(_GIVEN, random)} {_one(_FAMILY, random)}"
        self._person = person(random, self.name)
        self.persona = self._person.persona
        self._speech = Speech(package.language, package.tools, package.schema)

    def requests(self, turns: Sequence[GroundedTurn], slots: Mapping[str, Any], *, tell: bool, mix: Mix) -> list[str]:
        """The request of every turn.

        Args:
            turns: What each wants.
            slots: What the user may be asked for.
            tell: Whether the first request tells it unasked.
            mix: What tasks should be like.
        """
        found = []
        for number, turn in enumerate(turns):
            wishes = list(turn.wishes)
            if tell and not number and slots:
                wishes[0] = replace(wishes[0], told={name: str(value) for name, value in slots.items()})
            worded = request(wishes, speech=self._speech, person=self._person, random=self._random, turn=number)
            text = worded.text
            if turn.premise is not None:
                ended = text if text.endswith((".", "!", "?")) else f"{text}."
                text = f"{ended} {turn.premise}"
            found.append(text)
        return found

    def speech(self) -> AgentSpeech:
        """The agent's messages of the gold."""
        package, random = self._package, self._random

        def confirm(calls: Sequence[GoldCall]) -> str:
            return replies.confirmation(calls, package.tools, package.language, random)

        return AgentSpeech(
            ask=lambda slots: replies.question_of_agent(slots, package.language, random),
            confirm=confirm,
            instruct=lambda tool: replies.instruction(package.tools[tool], package.language, random),
            close=lambda subjects, writes: replies.closing(
                subjects, [package.tools[call.tool] for call in writes], random
            ),
            decline=lambda rule: replies.refusal(package.policy.rules[rule], random),
        )


def _name(row: Mapping[str, Any]) -> str:
    if row.get("first_name") and row.get("last_name"):
        return f"{row['first_name']} {row['last_name']}"
    return str(row.get("full_name") or row.get("name") or "")


def _one(options: Sequence[str], random: Random) -> str:
    return options[int(random.random() * len(options))]
