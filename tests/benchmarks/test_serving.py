"""The serving benchmarks load what they say they load, and judge by the targets they print."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

from benchmarks.serving import desk_package, messages, processor, running, table, targets
from benchmarks.serving.load import Connection, drive
from benchmarks.serving.per_call import ECHO, FAST, FEW, MANY, SDK
from envfactory_gym.world import Template

pytest.importorskip("mcp", reason="the servers beside the fleet need the serve extra")


def test_the_measured_desk_answers_and_its_slow_tool_is_allowed(tmp_path: Path) -> None:
    package = desk_package.write(tmp_path / "desk", "renamed")
    assert package.name == "renamed"
    template = Template.of(package)
    world = template.acquire()
    assert desk_package.ticket_id(7) in world.call("get_ticket", {"ticket_id": desk_package.ticket_id(7)})
    assert "note_id" in world.call("add_note", {"ticket_id": desk_package.ticket_id(0), "body": "x"})
    assert "pairs" in world.call("count_pairs", {})
    template.release(world)


async def test_the_generator_counts_every_call_and_every_wrong_answer() -> None:
    with running.subject("echo") as server:
        connections = [await Connection.open(server.port) for _ in range(3)]
        fine = messages.tool_call("/mcp", server.port, "get_ticket", {"ticket_id": "T-00001"})
        before = server.spent
        load = await drive(connections, [fine] * 3, 20)
        assert (load.calls, load.wrong) == (60, 0)
        assert server.spent > before
        assert 0 < load.latency(0.5) <= load.latency(0.95) <= load.seconds
        lost = messages.http("GET", "/nowhere", server.port)
        assert (await drive(connections[:1], [lost], 2)).wrong == 2
        for connection in connections:
            connection.close()
        assert server.stop() < 10
        with pytest.raises(OSError):
            processor.nanoseconds(server.process.pid)


async def test_a_plain_server_offers_the_same_tools_on_one_world_for_all(tmp_path: Path) -> None:
    package = desk_package.write(tmp_path / "desk")
    with running.subject("plain", "--package", str(package.path)) as server:
        one, other = [await Connection.open(server.port) for _ in range(2)]
        note = messages.tool_call("/mcp", server.port, "add_note", {"ticket_id": "T-00000", "body": "x"})
        first, second = await one.ask(note), await other.ask(note)
        assert b'"note_id":1}' in first.body
        assert b'"note_id":2}' in second.body
        closed = messages.tool_call("/mcp", server.port, "add_note", {"ticket_id": "T-00003", "body": "x"})
        assert b'"isError":true' in (await one.ask(closed)).body


def figures(ratio: float) -> dict[str, Any]:
    """Parts of a run in which everything is `ratio` times as large as it may be."""
    one = {"cpu": 50.0, "calls_per_second": 1000.0, "p50_ms": 1.0, "p95_ms": 2.0}
    servers = {ECHO: {str(FEW): {**one, "ratio": 1.0}}}
    for name, limit in ((SDK, 6.0), (FAST, 1.2)):
        servers[name] = {
            str(FEW): {**one, "ratio": limit * ratio},
            str(MANY): {**one, "ratio": limit * ratio, "many": 1.3 * ratio},
        }
    return {
        "per_call": {"rounds": 1, "calls": {str(FEW): 1, str(MANY): 1}, "memory": {}, "servers": servers},
        "creating": {
            "create_cpu_ms": 2 * ratio, "create_ms": 2 * ratio, "create_p95_ms": 3.0, "delete_ms": 1.0, "episodes": 1
        },
        "ending": {"500": 3 * ratio, "0": 0.1},
    }  # fmt: skip


@pytest.mark.parametrize(("ratio", "kept"), [(0.99, True), (1.01, False)])
def test_a_run_is_judged_by_the_targets(ratio: float, kept: bool) -> None:
    found = list(targets.judged(figures(ratio)))
    assert len(found) == 6
    assert {verdict for _, _, verdict in found} == {kept}
    page = io.StringIO()
    table.show(Console(file=page, width=200), figures(ratio))
    assert page.getvalue().count("pass" if kept else "FAIL") == 6
