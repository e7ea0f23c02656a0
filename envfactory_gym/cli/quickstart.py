"""`envfactory quickstart`: the whole thing in one go, on a real API document, without a model or a key.

Five scenes, each of which executes what it tells: compile, verify, play through Gymnasium, play
again through MCP, compare the two faces byte for byte.
"""

from __future__ import annotations

import os
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from .output import FAILED, JSON_OPTION, console, counted, emit_json, heading, say, table

if TYPE_CHECKING:
    from rich.console import Console

    from envfactory_gym.construct import Coverage
    from envfactory_gym.environment import Package, TaskPrivate
    from envfactory_gym.episode import RunRecord

DOCUMENT = "apideck-crm.json"
"""The document that is compiled: a customer-relationship API, Apache-2.0."""

NAME = "crm"


def quickstart(
    out: Path | None = typer.Option(None, help="Keep the package in this folder; a temporary one if left out."),
    as_json: bool = JSON_OPTION,
) -> None:
    """See the whole thing work, in under two minutes.

    Compiles a real API document, proves the result, plays it through Gymnasium and through MCP. Needs no key.
    """
    started = time.perf_counter()
    screen = console(stderr=as_json)
    with _workplace(out) as folder:
        package, coverage = compile_scene(folder, screen)
        if not verify_scene(package, screen):
            raise typer.Exit(FAILED)
        records, task = gymnasium_scene(package, screen)
        agreed = mcp_scene(package, task, folder.parent, screen)
    seconds = time.perf_counter() - started
    well = agreed and all(record.outcome and record.outcome.success for record in records if record.agent == "gold")
    if as_json:
        emit_json(
            {
                "environment": package.id,
                "tools": len(coverage.tools),
                "left_out": len(coverage.left_out),
                "gold": [record.task for record in records if record.agent == "gold"],
                "faces_agree": agreed,
                "seconds": round(seconds, 1),
            }
        )
    else:
        _farewell(screen, seconds, out)
    if not well:
        raise typer.Exit(FAILED)


def quickstart_document() -> Path:
    """The document to compile: in the wheel, or among the checkout's examples."""
    package = Path(__file__).resolve().parents[1]
    carried = package / "_data" / DOCUMENT
    return carried if carried.exists() else package.parent / "examples" / "sources" / DOCUMENT


@contextmanager
def _workplace(out: Path | None) -> Iterator[Path]:
    """Where the package goes, and a search path on which Gymnasium finds it by name meanwhile."""
    with tempfile.TemporaryDirectory(prefix="envfactory-") as temporary:
        folder = out.resolve() if out is not None else Path(temporary) / NAME
        before = os.environ.get("ENVFACTORY_PATH")
        os.environ["ENVFACTORY_PATH"] = os.pathsep.join(filter(None, [str(folder), before]))
        try:
            yield folder
        finally:
            if before is None:
                del os.environ["ENVFACTORY_PATH"]
            else:
                os.environ["ENVFACTORY_PATH"] = before


def compile_scene(folder: Path, screen: Console) -> tuple[Package, Coverage]:
    """Scene 1: a document becomes a package."""
    from envfactory_gym.construct import build
    from envfactory_gym.environment import Package

    source = quickstart_document()
    screen.print(heading("1. An API document becomes an environment"))
    say(screen, f"{source.name}: an OpenAPI document as its vendor published it. No model reads it; a compiler does.")
    began = time.perf_counter()
    coverage = build(source, folder, name=NAME)
    package = Package(folder)
    seconds = time.perf_counter() - began
    say(
        screen,
        f"{coverage.operations} operations -> {counted(len(coverage.tools), 'tool')} over "
        f"{counted(len(package.schema.tables), 'table')}, {counted(coverage.rows, 'linked row')}, "
        f"{counted(coverage.behaviours, 'expected behaviour')}, {counted(coverage.tasks, 'task')}; "
        f"{len(coverage.left_out)} operations left out, with reasons ({seconds:.1f} s).",
    )
    say(screen, "\nOne of its tools, as it stands in server.py:\n")
    say(screen, _some_tool(package), "cyan")
    return package, coverage


def _some_tool(package: Package) -> str:
    """A tool that writes, neither the shortest nor the longest, with its decorator."""
    import ast

    lines = package.server_source.splitlines()
    found = [
        "\n".join(lines[node.decorator_list[0].lineno - 1 : node.end_lineno])
        for node in ast.parse(package.server_source).body
        if isinstance(node, ast.FunctionDef) and node.decorator_list
    ]
    writing = [text for text in found if "writes=" in text]
    return min(writing or found, key=lambda text: abs(text.count("\n") - 26))


def verify_scene(package: Package, screen: Console) -> bool:
    """Scene 2: every proof is executed; only then is the code trusted."""
    from .verify import show_report, verify_one

    screen.print(heading("2. It is proved by execution, not by opinion"))
    say(
        screen,
        "Checks of the environment, then a certificate for each task: gold wins, doing nothing earns nothing, "
        "leaving out a write or adding one fails.",
    )
    began = time.perf_counter()
    report = verify_one(package, (), min(2, os.cpu_count() or 1), write=True, quiet=not screen.is_terminal)
    show_report(report, screen, time.perf_counter() - began)
    return report.passed


def gymnasium_scene(package: Package, screen: Console) -> tuple[list[RunRecord], TaskPrivate]:
    """Scene 3: three agents play through Gymnasium. The task that gold solves there is returned for scene 4."""
    import gymnasium as gym

    from envfactory_gym.environment import load_package
    from envfactory_gym.episode import record
    from envfactory_gym.rl import register

    from .run import BASELINES, AgentName, make_agent, summarise

    register()
    screen.print(heading("3. Agents play it through Gymnasium"))
    say(screen, f'env = gymnasium.make("{package.id}", user="solo", answer="tool", render_mode="ansi")')
    env: Any = gym.make(package.id, user="solo", answer="tool", render_mode="ansi")
    tasks = env.unwrapped.tasks
    shown = max(tasks, key=lambda task: sum(len(step.calls) for turn in task.turns for step in turn.gold))
    records, transcript = [], ""
    for task in tasks:
        for name in BASELINES:
            messages, _ = env.reset(seed=0, options={"task": task.id})
            episode = env.unwrapped.episode
            agent = make_agent(name, episode, seed=0)
            agent.begin(list(messages), episode.tools)
            began, done = time.perf_counter(), False
            while not done:
                messages, _, terminated, truncated, _ = env.step(agent.act(list(messages)))
                done = terminated or truncated
            records.append(record(episode, name.value, seconds=time.perf_counter() - began))
            if task is shown and name is AgentName.GOLD:
                transcript = env.render()
    env.close()
    rows = [
        (row["agent"], row["episodes"], f"{row['reward']:.2f}", f"{row['calls']:.1f}", f"{row['seconds'] * 1e3:.1f}")
        for row in summarise(records)
    ]
    screen.print(
        table(
            ("agent", "episodes", "mean reward", "calls", "ms per episode"),
            rows,
            right=("episodes", "mean reward", "calls", "ms per episode"),
        )
    )
    say(screen, "How gold played one of them:\n")
    say(screen, _shortened(transcript))
    return records, load_package(package.name).task(shown.id)


def _shortened(transcript: str) -> str:
    """A transcript whose long tool results are cut to two lines."""
    lines, left = [], 0
    for line in transcript.splitlines():
        continues = line.startswith("         ")
        left = left - 1 if continues else 1
        if left >= 0 or not continues:
            lines.append(line)
        elif left == -1:
            lines.append("         ...")
    return "\n".join(lines)


def mcp_scene(package: Package, task: TaskPrivate, folder: Path, screen: Console) -> bool:
    """Scene 4: the same task through a real MCP client and server, compared with Gymnasium byte for byte."""
    import asyncio

    from envfactory_gym.agents import GoldAgent, play
    from envfactory_gym.environment import load_package
    from envfactory_gym.episode import Episode, read_run, record

    screen.print(heading("4. The same task through MCP"))
    package = load_package(package.name)
    episode = Episode(package, task, user="solo", answer="tool")
    try:
        play(episode, GoldAgent(episode))
        here = record(episode, "gold")
    finally:
        episode.close()
    there_file = folder / "mcp.jsonl"
    there_file.unlink(missing_ok=True)
    calls = [(call.tool, call.arguments) for call in here.calls]
    texts = asyncio.run(_through_mcp(package.path, task.id, there_file, calls))
    (there,) = read_run(there_file)
    there_file.unlink()
    same_bytes = texts == [call.result for call in here.calls] == [call.result for call in there.calls]
    same_digest = here.digest == there.digest
    for call in here.calls:
        say(screen, f"  {call.tool}: {len(call.result.encode()):,} bytes")
    rewards = [run.outcome.reward if run.outcome else None for run in (here, there)]
    say(screen, f"Results the same, byte for byte: {'yes' if same_bytes else 'NO'}")
    say(screen, f"Final state the same: {'yes' if same_digest else 'NO'} ({here.digest} / {there.digest})")
    say(screen, f"Reward through Gymnasium {rewards[0]}, through MCP {rewards[1]}.")
    return same_bytes and same_digest and rewards[0] == rewards[1]


async def _through_mcp(package: Path, task: str, record: Path, calls: list[tuple[str, Any]]) -> list[str]:
    """Start the server as a client does, make the calls, and return the text of each result."""
    import sys

    from mcp import Client, StdioServerParameters

    command = ["-m", "envfactory_gym.cli", "serve", str(package), "--task", task, "--record", str(record)]
    server = StdioServerParameters(command=sys.executable, args=command, env=dict(os.environ))
    texts = []
    async with Client(server) as client:
        for tool, arguments in calls:
            result = await client.call_tool(tool, arguments)
            texts.append("".join(getattr(block, "text", "") for block in result.content))
    return texts


def _farewell(screen: Console, seconds: float, out: Path | None) -> None:
    screen.print(heading(f"Done in {seconds:.0f} s."))
    lines = ["Next:", "  envfactory play airline          be the agent yourself, in an airline made with care"]
    if out is not None:
        lines.append(f"  envfactory show {out}".ljust(35) + "look at what was just made")
    lines += [
        "  envfactory serve airline         use it from Claude Desktop, Cursor or VS Code (docs/mcp.md)",
        "  envfactory build YOUR.json --out my/api",
    ]
    say(screen, "\n".join(lines))
