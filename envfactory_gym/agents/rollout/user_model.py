"""A model that speaks for the user, and sees the user's side only.

It changes how a wish is talked about, not what is wished or what is graded. Requests stay the words
that were certified; the model answers in between, from the slots that the script would tell. It is
never shown gold, the world, calls or results, so talking to it can tell an agent no more than the script
could. Its words are held to that: a reply with figures, codes or addresses that stand neither on the
user's side nor in what the agent said is refused. A success therefore means what it means with the
script; a failure may be the user's, who can end a turn too early: docs/evaluation.md.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any

from pydantic_core import from_json

from ...environment import TaskPrivate
from ...episode import Reply
from ...llm import Client, Exchange

Message = dict[str, Any]

TRIES = 2
"""Completions asked for until one can be used."""

_JSON = re.compile(r"\{.*\}", re.DOTALL)
_FIGURE = re.compile(r"[^\s\"'(),;!?]*[\d@][^\s\"'(),;!?]*")
_EDGES = ".:*_`[]<>-"

_BRIEF = """You play a customer who talks to an assistant. Stay in this role; you are not the assistant.

Who you are: {name}. {persona}
What you want now, in your own words: {request}
{earlier}{facts}
How to answer the assistant's last message:
- Say only what stands above. What you are asked beyond it, you do not know: say so. Never invent anything.
- Tell what you are asked for, and nothing that you are not asked for. One or two short sentences.
- If it asks whether it may do something, compare what it would do with what you want. Agree only if they are the
  same; otherwise say what you want instead.
- If it reports a result, says that it is done, or declines, you are finished with this request.

Answer with one JSON object and nothing else:
{{"finished": true or false, "agrees": true or false, "says": "your words, empty if finished"}}
"agrees" is true only if you agree to something that the assistant has proposed to do."""


class UserFailed(Exception):
    """The model that plays the user gave nothing that can be used: the user's fault, not the agent's."""


class UserModel:
    """A user played by a model.

    Args:
        client: The endpoint.
        model: Its name there.
        sampling: Further fields of each request, such as `temperature`.
    """

    def __init__(self, client: Client, model: str, *, sampling: Mapping[str, Any] | None = None) -> None:
        self.client, self.model = client, model
        self.sampling = dict(sampling or {})

    async def reply(
        self,
        task: TaskPrivate,
        turn: int,
        talk: Sequence[Message],
        *,
        tag: str = "",
        exchanges: list[Exchange] | None = None,
    ) -> Reply | None:
        """What the user says; None where the user is finished with this turn.

        Args:
            task: Only its user and its requests up to this turn are read.
            turn: The turn being played.
            talk: Messages without calls so far, from the first request to what the agent just said.
            tag: Whose it is, for the client.
            exchanges: Where to put what it took, as it happens.

        Raises:
            UserFailed: Nothing that the model said can be used.
            ModelError: Of the client.
        """
        messages = [{"role": "system", "content": brief(task, turn)}, *_turned_round(talk)]
        known = _known(task, turn, talk)
        why: Exception | None = None
        for _ in range(TRIES):
            request = {"model": self.model, "messages": list(messages), **self.sampling}
            exchange = await self.client.complete(request, tag=tag)
            if exchanges is not None:
                exchanges.append(exchange)
            try:
                return read_reply(exchange.text, known)
            except UserFailed as failure:
                messages += [
                    {"role": "assistant", "content": exchange.text},
                    {"role": "user", "content": f"That cannot be used: {failure} Answer again, as told at first."},
                ]
                why = failure
        raise UserFailed(f"the model that plays the user failed {TRIES} times: {why}")


def brief(task: TaskPrivate, turn: int) -> str:
    """What the model is told about the user: persona, requests up to now, and what the user knows."""
    user = task.user
    earlier = "".join(f"Earlier you wanted: {past.request}\n" for past in task.turns[:turn])
    facts = "".join(f"You know: {slot.say.format(value=slot.value)}\n" for slot in user.slots)
    return _BRIEF.format(
        name=user.name,
        persona=user.persona.strip(),
        request=task.turns[turn].request,
        earlier=earlier,
        facts=facts or "You know nothing else.\n",
    )


def read_reply(text: str, known: str) -> Reply | None:
    """What a model said for the user; None where the user is finished.

    Args:
        text: Its words, with a JSON object in them.
        known: Everything the user may name figures from.

    Raises:
        UserFailed: There is no such object, or it names what the user cannot know.
    """
    found = _JSON.search(text.rpartition("</think>")[2])
    try:
        told = from_json(found[0]) if found else None
    except ValueError:
        told = None
    if not isinstance(told, dict) or not isinstance(told.get("says", ""), str):
        raise UserFailed("it is no JSON object with finished, agrees and says.")
    if told.get("finished") is True:
        return None
    says = told.get("says", "").strip()
    if not says:
        raise UserFailed("it is not finished and says nothing.")
    if foreign := invented(says, known):
        raise UserFailed(f"the user does not know {', '.join(foreign)}.")
    return Reply(says, affirms=told.get("agrees") is True)


def invented(says: str, known: str) -> list[str]:
    """Figures, codes and addresses in a reply that stand nowhere on the user's side."""
    there = known.casefold()
    words = (word.strip(_EDGES) for word in _FIGURE.findall(says))
    return [word for word in dict.fromkeys(words) if word and word.casefold() not in there]


def _known(task: TaskPrivate, turn: int, talk: Sequence[Message]) -> str:
    slots = [slot.say.format(value=slot.value) + " " + json.dumps(slot.value) for slot in task.user.slots]
    said = [message["content"] for message in talk]
    return "\n".join([*(past.request for past in task.turns[: turn + 1]), *slots, *said])


def _turned_round(talk: Sequence[Message]) -> list[Message]:
    """The conversation with the roles exchanged: the model is the one who asks for help."""
    roles = {"user": "assistant", "assistant": "user"}
    return [{"role": roles[message["role"]], "content": message["content"]} for message in talk]
