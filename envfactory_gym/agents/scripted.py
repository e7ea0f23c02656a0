"""Gold over real HTTP: a script for `llm.loopback` that plays the reference solution of any task it is asked.

An endpoint has no memory, so the script finds out from each request which task is being played and
how far it has come: by the session that rollouts name in a header, else by the words of prompt and
request, and, where two tasks share those, by what the tools have answered so far. Messages that are
not gold's, such as calls that a fault has spoilt, are passed over, and gold goes on where it was.

    python -m envfactory_gym.agents.scripted airline crm --port 8123
"""

from __future__ import annotations

import argparse
import json
import signal
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from threading import Event
from typing import Any

from ..environment import Package, TaskPrivate, load_package
from ..episode import Episode, UserForm
from ..episode.text_form import read_results, read_text, write_text
from ..llm.loopback import Faults, Heard, Loopback
from .baselines import GoldAgent, play

Message = dict[str, Any]


@dataclass(frozen=True)
class Solution:
    """What gold says in one form of one task.

    Attributes:
        task: Id of the task.
        steps: Gold's messages, each with the results that its calls led to.
    """

    task: str
    steps: tuple[tuple[Message, tuple[str, ...]], ...]


class GoldScript:
    """A responder that plays gold.

    Args:
        packages: The environments whose tasks it knows.
        user: In which forms.
    """

    def __init__(self, packages: Iterable[Package], *, user: Sequence[UserForm] = ("scripted", "solo")) -> None:
        self._pending: dict[str, list[tuple[Package, TaskPrivate, UserForm]]] = {}
        self._solutions: dict[tuple[str, str, UserForm], Solution] = {}
        for package in packages:
            for task in package.tasks:
                for form in user:
                    if form != "solo" or task.solo:
                        with Episode(package, task, user=form) as episode:
                            words = episode.task.turns[0].request
                        self._pending.setdefault(words, []).append((package, task, form))

    def __call__(self, heard: Heard) -> Message:
        """The next message of gold.

        Raises:
            KeyError: The request is of no task this script knows; the server answers 400.
        """
        messages = heard.request["messages"]
        native = "tools" in heard.request
        if not native:
            messages = [native for message in messages for native in _as_native(message)]
        words = next(message["content"] for message in messages if message["role"] == "user")
        likely = [self._solution(*known) for known in self._candidates(words, heard.session)]
        if not likely:
            raise KeyError(f"no task begins with these words: {words[:80]!r}")
        steps, position, _ = max((_progress(solution, messages) for solution in likely), key=lambda found: found[2])
        message = steps[position][0] if position < len(steps) else {"role": "assistant", "content": "Done."}
        return message if native else {"role": "assistant", "content": write_text(message)}

    def _candidates(self, words: str, session: str) -> list[tuple[Package, TaskPrivate, UserForm]]:
        """The tasks that begin with these words; if one of them is the session's, that one alone."""
        found = self._pending.get(words, [])
        name = session.partition("#")[0].rpartition("/")[2]
        named = [known for known in found if known[1].id == name]
        return named or found

    def _solution(self, package: Package, task: TaskPrivate, form: UserForm) -> Solution:
        key = (package.id, task.id, form)
        if key not in self._solutions:
            with Episode(package, task, user=form) as episode:
                play(episode, GoldAgent(episode))
                self._solutions[key] = Solution(task.id, tuple(_steps(episode.messages)))
        return self._solutions[key]


def _steps(transcript: Sequence[Message]) -> list[tuple[Message, tuple[str, ...]]]:
    """The agent's messages of a transcript, each with the results that follow it."""
    found = []
    for number, message in enumerate(transcript):
        if message["role"] == "assistant":
            results = []
            for following in transcript[number + 1 :]:
                if following["role"] != "tool":
                    break
                results.append(following["content"])
            found.append((message, tuple(results)))
    return found


def _progress(
    solution: Solution, messages: Sequence[Message]
) -> tuple[Sequence[tuple[Message, tuple[str, ...]]], int, int]:
    """How far a conversation has come in a solution: its steps, how many were made, and how many fit in all parts."""
    position = fitting = 0
    for said, results in _steps(messages):
        if position == len(solution.steps):
            break
        wanted, expected = solution.steps[position]
        if _same(said, wanted):
            position += 1
            fitting += 1 + (results == expected)
    return solution.steps, position, fitting


def _same(said: Mapping[str, Any], wanted: Mapping[str, Any]) -> bool:
    return (said.get("content") or "") == (wanted.get("content") or "") and _calls(said) == _calls(wanted)


def _calls(message: Mapping[str, Any]) -> list[tuple[str, Any]]:
    return [(call["function"]["name"], _arguments(call["function"]["arguments"])) for call in _listed(message)]


def _listed(message: Mapping[str, Any]) -> list[dict[str, Any]]:
    return [call if "function" in call else {"function": call} for call in message.get("tool_calls") or ()]


def _arguments(given: Any) -> Any:
    try:
        return json.loads(given) if isinstance(given, str) else given
    except ValueError:
        return given


def _as_native(message: Message) -> list[Message]:
    """A message of the text form as the native ones that it stands for."""
    if message["role"] == "assistant":
        return [read_text(message["content"] or "").message]
    if message["role"] == "user" and (results := read_results(message["content"])):
        return [{"role": "tool", "content": result} for result in results]
    return [message]


def main(arguments: Sequence[str] | None = None) -> None:
    """Serve gold until interrupted; the first line printed is the base URL."""
    parser = argparse.ArgumentParser(prog="python -m envfactory_gym.agents.scripted", description=main.__doc__)
    parser.add_argument("environments", nargs="+", metavar="NAME", help="names, ids or folders of environments")
    parser.add_argument("--port", type=int, default=0, help="0 for any free one")
    parser.add_argument("--delay", type=float, default=0.0, help="seconds that every answer takes")
    parser.add_argument("--faults", type=float, default=0.0, metavar="RATE", help="share of requests that fail")
    parser.add_argument("--seed", type=int, default=0, help="of the faults")
    given = parser.parse_args(arguments)
    script = GoldScript([load_package(name) for name in given.environments])
    faults = Faults(rate=given.faults, seed=given.seed) if given.faults else None
    stopped = Event()
    signal.signal(signal.SIGTERM, lambda *_: stopped.set())
    with Loopback(script, faults=faults, delay=given.delay, port=given.port) as server:
        sys.stdout.write(server.url + "\n")
        sys.stdout.flush()
        try:
            stopped.wait()
        except KeyboardInterrupt:
            sys.stderr.write(f"{server.served.answered} of {server.served.requests} requests answered\n")


if __name__ == "__main__":
    main()
