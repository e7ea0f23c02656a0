"""`envfactory play`: a person is the agent, in the terminal, against the same user and grader as a model."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

import typer

from .calls import Unreadable, read_call
from .opening import UNVERIFIED_OPTION, Unverified
from .output import console, heading, say, table
from .run import SplitName, chosen_tasks

if TYPE_CHECKING:
    from rich.console import Console

    from envfactory_gym.episode import Episode, Outcome, UserForm

HELP = """\
Write text to talk to the user; your turn ends when you do not ask for anything.
  /TOOL name=value ...   call a tool, such as: /{example}
  /tools                 list the tools          /tool NAME   say what one takes
  /policy                show the rules          /again       show the last request again
  /help                  this text               /quit        give up"""


def play(
    name: str = typer.Argument(metavar="NAME", help="Name, id or folder of an environment."),
    task: str | None = typer.Option(None, help="The task; the first that fits if left out."),
    split: SplitName | None = typer.Option(None, help="Only tasks of this split; if left out, dev comes first."),
    solo: bool = typer.Option(False, "--solo", help="One ticket, and nobody to ask."),
    unverified: Unverified | None = UNVERIFIED_OPTION,
) -> None:
    """Play a task yourself: you are the agent."""
    from envfactory_gym.episode import Episode

    from .opening import opened

    package = opened(name, unverified)
    user: UserForm = "solo" if solo else "scripted"
    fitting = chosen_tasks(package, split, [] if task is None else [task], user)
    chosen = next((one for one in fitting if one.split == "dev"), fitting[0])
    screen = console()
    episode = Episode(package, chosen, user=user)
    try:
        outcome = _converse(episode, screen)
    finally:
        episode.close()
    _show_outcome(outcome, screen, f"envfactory show {name} --task {chosen.id} --gold")


def _converse(episode: Episode, screen: Console) -> Outcome | None:
    """Play to the end; None where the person gave up."""
    opening = episode.reset()
    schemas = {tool["function"]["name"]: tool["function"]["parameters"] for tool in episode.tools}
    _enable_completion(schemas)
    screen.print(heading("You are the agent"))
    say(screen, HELP.format(example=_example(schemas)))
    request = [message for message in opening if message["role"] == "user"]
    _show_messages(request, screen)
    while True:
        line = _ask()
        if line is None or line == "/quit":
            return None
        if not line:
            continue
        action = _action(line, episode, schemas, request, screen)
        if action is None:
            continue
        step = episode.step(action)
        _show_messages(step.messages, screen)
        request = [message for message in step.messages if message["role"] == "user"] or request
        if step.terminated or step.truncated:
            return step.outcome


def _action(
    line: str, episode: Episode, schemas: Mapping[str, Any], request: list[dict[str, Any]], screen: Console
) -> dict[str, Any] | None:
    """The agent's message that a line stands for; None where the line only asked to see something."""
    if not line.startswith("/"):
        return {"role": "assistant", "content": line}
    command, _, rest = line[1:].partition(" ")
    if command == "help":
        say(screen, HELP.format(example=_example(schemas)))
    elif command == "tools":
        rows = [(_signature(t["function"]), t["function"]["description"]) for t in episode.tools]
        screen.print(table(("tool", "does"), rows))
    elif command == "tool":
        _show_tool(rest.strip(), episode, screen)
    elif command == "policy":
        system = [message for message in episode.messages if message["role"] == "system"]
        say(screen, system[0]["content"] if system else "There is no policy.")
    elif command == "again":
        _show_messages(request, screen)
    else:
        try:
            tool, arguments = read_call(line[1:], schemas)
        except Unreadable as error:
            say(screen, f"  {error}")
            return None
        return {"role": "assistant", "content": None, "tool_calls": [{"name": tool, "arguments": arguments}]}
    return None


def _ask() -> str | None:
    """The next line; None at the end of the input."""
    try:
        return input("agent> " if sys.stdin.isatty() else "").strip()
    except EOFError:
        return None


def _enable_completion(tools: Iterable[str]) -> None:
    """Tab completes tool names, arrows recall lines, where the terminal can do it."""
    if not sys.stdin.isatty():
        return
    try:
        import readline
    except ImportError:  # not every Python has it; typing works without
        return
    words = sorted(f"/{name}" for name in [*tools, "tools", "tool", "policy", "again", "help", "quit"])

    def complete(text: str, state: int) -> str | None:
        matches = [word for word in words if word.startswith(text)]
        return matches[state] if state < len(matches) else None

    readline.set_completer_delims(" ")
    readline.set_completer(complete)
    readline.parse_and_bind("tab: complete")


def _signature(function: Mapping[str, Any]) -> str:
    required = set(function["parameters"].get("required", ()))
    names = [name if name in required else f"{name}?" for name in function["parameters"].get("properties", {})]
    return f"{function['name']}({', '.join(names)})"


def _example(schemas: Mapping[str, Any]) -> str:
    name, schema = next(iter(schemas.items()))
    return " ".join([name, *(f"{argument}=..." for argument in schema.get("required", ()))])


def _show_tool(name: str, episode: Episode, screen: Console) -> None:
    found = [tool["function"] for tool in episode.tools if tool["function"]["name"] == name]
    if not found:
        say(screen, f"  there is no tool {name!r}; /tools lists them")
        return
    say(screen, f"{_signature(found[0])}\n{found[0]['description']}")
    for argument, schema in found[0]["parameters"].get("properties", {}).items():
        kinds = schema.get("enum") or [option.get("type") for option in schema.get("anyOf", [schema])]
        say(screen, f"  {argument} ({' | '.join(map(str, kinds))}): {schema.get('description', '')}")


def _show_messages(messages: Iterable[Mapping[str, Any]], screen: Console) -> None:
    from rich.text import Text

    for message in messages:
        content = message.get("content") or ""
        if message["role"] == "user":
            screen.print(Text.assemble(("\nuser: ", "bold green"), content, "\n"))
        elif message["role"] == "tool":
            screen.print(Text.assemble((f"  {_pretty(content)}", "cyan")))


def _pretty(text: str) -> str:
    """A tool result a person can read: indented where it is more than a line."""
    if len(text) <= 100:
        return text
    try:
        return json.dumps(json.loads(text), ensure_ascii=False, indent=2).replace("\n", "\n  ")
    except json.JSONDecodeError:
        return text


def _show_outcome(outcome: Outcome | None, screen: Console, reveal: str) -> None:
    if outcome is None:
        say(screen, "\nYou gave up; nothing was graded.")
        return
    screen.print(heading(f"{outcome.kind.replace('_', ' ').capitalize()}: reward {outcome.reward:g}"))
    if outcome.reason:
        say(screen, outcome.reason)
    for number, turn in enumerate(outcome.turns, start=1):
        say(screen, f"  turn {number}: {'passed' if turn.passed else 'did not pass'}")
        for reason in turn.reasons:
            say(screen, f"    {reason}")
    say(screen, f"`{reveal}` shows a solution.")
