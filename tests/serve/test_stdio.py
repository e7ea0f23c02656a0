"""Real server processes on real pipes: how a session begins, survives nonsense, and ends."""

from __future__ import annotations

import json
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from envfactory_gym import Package
from envfactory_gym.agents import gold_messages
from envfactory_gym.environment.trust import verified_list
from envfactory_gym.episode import Episode, read_run
from tests.serve.raw import ROOT, RawClient, cli_command, environment, server_command, text_of
from tests.support import copy_of_lending, lending

pytest.importorskip("mcp", reason="serving needs the serve extra")

from envfactory_gym.serve.client_stdio import play_over_stdio

TASK = "due-drill-then-extend"
AIRLINE = ROOT / "generated_servers" / "airline"


def gold_calls(package: Package, task: str) -> tuple[list[tuple[str, dict[str, object]]], list[str], Episode]:
    """The calls of a task's gold, their results in an episode, and the ended episode."""
    episode = Episode(package, task, user="solo", answer="tool")
    episode.reset()
    for message in gold_messages(episode):
        episode.step(message)
    return [(call.tool, call.arguments) for call in episode.calls], [call.result for call in episode.calls], episode


@pytest.mark.parametrize(
    ("mode", "package"), [("auto", lending()), ("legacy", lending()), ("auto", Package(AIRLINE, trusted=True))]
)
def test_gold_played_over_stdio_equals_gold_played_in_an_episode(mode: str, package: Package) -> None:
    task = TASK if package.name == "lending" else "paid-for-copenhagen"
    calls, expected, episode = gold_calls(package, task)
    results, run = play_over_stdio(package, task, calls, mode=mode)
    assert results == expected
    assert run.digest == episode.world.digest()
    assert episode.outcome is not None
    assert run.outcome is not None
    assert run.outcome.success
    assert run.outcome.metrics == episode.outcome.metrics
    assert (run.task, run.user, run.answer, run.agent) == (task, "solo", "tool", "mcp:mcp")
    assert run.messages[-1] == {"role": "assistant", "content": "Done."}
    episode.close()


def test_leaving_at_once_is_recorded_as_a_failure(tmp_path: Path) -> None:
    file = tmp_path / "RUN.jsonl"
    with RawClient(server_command(lending(), "--task", TASK, "--record", file)) as client:
        assert client.leave() == (b"", "")
        assert client.process.returncode == 0
    (run,) = read_run(file)
    assert run.outcome is not None
    assert (run.outcome.kind, run.outcome.reward, run.outcome.reward_valid) == ("failure", 0.0, True)


@pytest.mark.parametrize("ending", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_ends_the_session_as_if_the_client_had_left(tmp_path: Path, ending: signal.Signals) -> None:
    record, state = tmp_path / "RUN.jsonl", tmp_path / "state.json"
    with RawClient(server_command(lending(), "--task", TASK, "--record", record, "--state", state)) as client:
        client.handshake()
        assert "result" in client.call(1, "extend_loan", loan_id="QF7KD")
        client.process.send_signal(ending)
        assert client.process.wait(10) == 0
    (run,) = read_run(record)
    assert [call.tool for call in run.calls] == ["extend_loan"]
    assert json.loads(state.read_text())["digest"] == run.digest


def test_a_client_that_reads_no_more_has_left(tmp_path: Path) -> None:
    record = tmp_path / "RUN.jsonl"
    with RawClient(server_command(lending(), "--task", TASK, "--record", record)) as client:
        client.handshake()
        client.stop_reading()
        client.request(1, "tools/call", name="extend_loan", arguments={"loan_id": "QF7KD"})
        assert client.process.wait(10) == 0
    (run,) = read_run(record)
    assert [call.tool for call in run.calls] == ["extend_loan"]


def test_a_signal_ends_a_server_whose_client_never_reads(tmp_path: Path) -> None:
    record = tmp_path / "RUN.jsonl"
    with RawClient(server_command(lending(), "--task", TASK, "--record", record)) as client:
        client.handshake()
        for number in range(1, 60):  # answers of about 4 KB each, so that the pipe is full
            client.request(number, "tools/list")
        client.request(60, "tools/call", name="list_loans", arguments={"member_id": "M-101"})
        client.process.send_signal(signal.SIGTERM)
        assert client.process.wait(10) == 0
    assert len(list(read_run(record))) == 1


def test_a_session_goes_on_in_the_next_process(tmp_path: Path) -> None:
    package = lending()
    calls, expected, episode = gold_calls(package, TASK)
    record, state = tmp_path / "RUN.jsonl", tmp_path / "state.json"
    command = server_command(package, "--task", TASK, "--record", record, "--state", state)
    results = []
    for part in (calls[:3], calls[3:]):
        with RawClient(command) as client:
            client.handshake()
            results += [text_of(client.call(n, tool, **arguments)) for n, (tool, arguments) in enumerate(part, 1)]
            client.leave()
    assert results == expected
    first, second = read_run(record)
    assert first.outcome is not None
    assert second.outcome is not None
    assert (first.outcome.kind, second.outcome.kind) == ("failure", "success")
    assert second.digest == episode.world.digest()
    episode.close()


def test_a_killed_server_loses_nothing_that_was_answered(tmp_path: Path) -> None:
    state = tmp_path / "state.json"
    command = server_command(lending(), "--state", state)
    with RawClient(command) as client:
        client.handshake()
        lent = json.loads(text_of(client.call(1, "borrow_item", member_id="M-104", item_id=9)))
        client.process.kill()
        client.process.wait(10)
    with RawClient(command) as client:
        client.handshake()
        loans = json.loads(text_of(client.call(1, "list_loans", member_id="M-104")))
        client.leave()
    assert lent in loans["loans"]
    assert [path.name for path in tmp_path.iterdir()] == ["state.json"]


@pytest.mark.parametrize("revision", ["2024-11-05", "2025-03-26", "2025-06-18"])
def test_older_revisions_are_spoken_too(revision: str) -> None:
    with RawClient(server_command(lending())) as client:
        assert client.handshake(revision)["protocolVersion"] == revision
        tools = client.ask(1, "tools/list")["result"]["tools"]
        assert [tool["name"] for tool in tools] == list(lending().tools)
        assert json.loads(text_of(client.call(2, "list_loans", member_id="M-101")))["loans"]


def test_calls_sent_without_waiting_happen_in_order_and_are_answered_before_the_end() -> None:
    with RawClient(server_command(lending())) as client:
        client.handshake()
        for number in range(1, 41):
            tool, arguments = ("borrow_item", {"member_id": "M-104", "item_id": 9})
            if number % 2 == 0:
                tool, arguments = ("list_loans", {"member_id": "M-104"})
            client.request(number, "tools/call", name=tool, arguments=arguments)
        output, errors = client.leave()
    answers = [json.loads(line) for line in output.splitlines()]
    assert [answer["id"] for answer in answers] == list(range(1, 41))
    # The first succeeds; the thing is out for all others.
    assert [answer["result"].get("isError", False) for answer in answers[::2]] == [False] + [True] * 19
    assert errors == ""


NONSENSE = [
    pytest.param(b"{", -32700, None, id="cut off"),
    pytest.param(b"hello", -32700, None, id="prose"),
    pytest.param(b'{"jsonrpc":"2.0","id":7,"method":"ping","params":{"x":"\xff\xfe"}}', -32700, 7, id="invalid UTF-8"),
    pytest.param(b'{"jsonrpc":"2.0","id":8,"method":5}', -32600, 8, id="no message"),
    pytest.param(b'[{"jsonrpc":"2.0","id":9,"method":"ping"}]', -32600, None, id="batch"),
    pytest.param(b"42", -32600, None, id="number"),
    pytest.param(b"[" * 100_000, -32700, None, id="deep"),
    pytest.param(b'"' + b"x" * (5 << 20) + b'"', -32600, None, id="huge"),
    pytest.param(b'{"jsonrpc":"2.0","id":10,"method":"ping","params":{"x":"\\ud800"}}', -32700, None, id="surrogate"),
]


def test_nonsense_costs_only_itself() -> None:
    with RawClient(server_command(lending())) as client:
        client.handshake()
        for case in NONSENSE:
            line, code, identifier = case.values
            client.send(line)
            answer = client.receive()
            assert (answer["id"], answer["error"]["code"]) == (identifier, code), case.id
        client.send(b"")
        client.send(b"   \r")
        assert client.ask(1, "ping")["result"] == {}
        assert client.leave() == (b"", "")
        assert client.process.returncode == 0


def test_bad_calls_are_answered_and_change_nothing() -> None:
    with RawClient(server_command(lending())) as client:
        client.handshake()
        assert client.ask(1, "tools/call", name="sell_item", arguments={})["error"]["code"] == -32602
        assert client.ask(2, "tools/call", arguments={})["error"]["code"] == -32602
        assert client.ask(3, "tools/call", name="list_loans", arguments=[1])["error"]["code"] == -32602
        missing = client.ask(4, "tools/call", name="list_loans")
        assert json.loads(text_of(missing))["error"]["field"] == "member_id"
        assert missing["result"]["isError"] is True
        assert "structuredContent" not in missing["result"]
        assert client.ask(5, "tools/explode")["error"]["code"] == -32601


def test_what_a_tool_prints_stays_off_the_wire(tmp_path: Path) -> None:
    noise = "    import os\n    print('noise')\n    os.write(1, b'more noise')\n"
    folder = copy_of_lending(tmp_path, ("server.py", "    rows = world.all(", f"{noise}    rows = world.all("))
    with RawClient(server_command(Package(folder))) as client:
        client.handshake()
        assert json.loads(text_of(client.call(1, "search_items")))["items"]
        output, errors = client.leave()
    assert output == b""
    assert "noise" in errors
    assert "more noise" in errors


def test_the_command_serves_what_server_py_serves(tmp_path: Path) -> None:
    folder = tmp_path / "mine" / "lending"
    shutil.copytree(lending().path, folder)
    package = Package(folder)
    home = tmp_path / "home"
    home.mkdir()
    (home / verified_list().name).write_text(f"{package.package_hash} lending\n")
    where = {"ENVFACTORY_PATH": str(folder.parent), "ENVFACTORY_HOME": str(home)}
    record = tmp_path / "RUN.jsonl"
    listings = []
    for command in (
        cli_command("serve", "lending", "--task", TASK, "--record", record),
        server_command(package, "--task", TASK, "--record", record),
    ):
        with RawClient(command, **where) as client:
            hello = client.handshake()
            listings.append((hello, client.ask(1, "tools/list"), client.call(2, "list_loans", member_id="M-101")))
            assert client.leave() == (b"", "")
    assert listings[0] == listings[1]
    runs = [run.model_copy(update={"seconds": None}) for run in read_run(record)]
    assert runs[0] == runs[1]


def refusal(command: list[str], **extra: str) -> str:
    """What a server says that does not start, after checking that it leaves with 2 and an empty output."""
    done = subprocess.run(
        command, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=60, env=environment(**extra)
    )
    assert (done.returncode, done.stdout) == (2, "")
    assert "Traceback" not in done.stderr
    return done.stderr


def test_what_cannot_be_served_is_said_at_the_start(tmp_path: Path) -> None:
    package = lending()
    corrupt = tmp_path / "corrupt.json"
    corrupt.write_text("{]")
    missing = tmp_path / "no" / "folder" / "file"
    assert f"{corrupt}: this is not a state" in refusal(server_command(package, "--state", corrupt))
    assert f"{missing}: the run record cannot be written" in refusal(server_command(package, "--record", missing))
    assert f"{missing}: the state cannot be saved" in refusal(server_command(package, "--state", missing))
    assert "did you mean due-drill-then-extend" in refusal(server_command(package, "--task", "due-drill"))


def test_the_command_refuses_code_that_nobody_verified(tmp_path: Path) -> None:
    folder = copy_of_lending(tmp_path)
    assert "envfactory verify" in refusal(cli_command("serve", folder), ENVFACTORY_HOME=str(tmp_path / "home"))


def test_without_the_extra_one_line_says_how_to_get_it() -> None:
    code = (
        "import runpy, sys\n"
        "sys.modules['mcp'] = None\n"
        f"runpy.run_path({str(lending().path / 'server.py')!r}, run_name='__main__')"
    )
    assert refusal([sys.executable, "-c", code]) == (
        "error: serving needs mcp 2.3 or later: pip install 'envfactory-gym[serve]'\n"
    )
