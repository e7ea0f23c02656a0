"""`envfactory serve --http` as a process: what it says, how it ends, and what it refuses to start with."""

from __future__ import annotations

import importlib.util
import json
import re
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import httpx2
import pytest

pytest.importorskip("fastapi", reason="serving over HTTP needs the serve extra")

from envfactory_gym.environment.trust import verified_list
from envfactory_gym.serve.client import AsyncFleetClient, FleetClient, FleetError
from tests.serve.fleet import EXTEND, TASK, TOKEN
from tests.serve.fleet import served as served_here
from tests.serve.raw import ROOT, cli_command, environment
from tests.support import LENDING, copy_of_lending, lending


@pytest.fixture
def shelf(tmp_path: Path) -> dict[str, str]:
    """Variables under which the lending desk is installed and verified."""
    home = tmp_path / "home"
    home.mkdir()
    (home / verified_list().name).write_text(f"{lending().package_hash} lending\n")
    return {"ENVFACTORY_PATH": str(LENDING.parent), "ENVFACTORY_HOME": str(home)}


class Served:
    """A process, its address, and what it has said."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self.process = process
        self.said: list[str] = []
        self._known = threading.Event()
        self.url = ""
        threading.Thread(target=self._read, daemon=True).start()
        assert self._known.wait(30), "the server says nothing"
        assert self.url, "".join(self.said)

    def _read(self) -> None:
        assert self.process.stderr is not None
        with suppress(ValueError):  # closed when the test is over
            for line in self.process.stderr:
                self.said.append(line)
                if not self.url and (found := re.search(r"on (http://\S+)", line)):
                    self.url = found[1]
                    self._known.set()
        self._known.set()

    def stop(self, ending: signal.Signals = signal.SIGTERM) -> float:
        """Seconds until it has ended, well."""
        began = time.monotonic()
        self.process.send_signal(ending)
        assert self.process.wait(20) == 0, "".join(self.said)
        return time.monotonic() - began


@contextmanager
def started(*arguments: object, **variables: str) -> Iterator[Served]:
    command = cli_command("serve", "--http", "--port", 0, *arguments)
    process = subprocess.Popen(
        command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        env={**environment(**variables), "ENVFACTORY_TOKEN": variables.get("ENVFACTORY_TOKEN", "")},
    )  # fmt: skip
    try:
        yield Served(process)
    finally:
        process.kill()
        with process:
            pass


def test_it_serves_what_it_was_told_to_and_says_where(shelf: dict[str, str]) -> None:
    with started("lending", "--token", "auto", **shelf) as served:
        with FleetClient(served.url) as stranger, pytest.raises(FleetError, match="send the master token"):
            stranger.environments()
        text = "".join(served.said)
        token = re.search(r"master token +(\S+)", text)
        assert token is not None
        with FleetClient(served.url, token=token[1]) as client:
            assert [environment.name for environment in client.environments()] == ["lending"]
            assert not client.create("lending", task=TASK).call(*EXTEND).refused
        assert "1 environment on" in text
        assert served.stop() < 5


def test_without_a_token_it_says_that_it_asks_nobody(shelf: dict[str, str]) -> None:
    with started("lending", **shelf) as served:
        with FleetClient(served.url) as client:
            client.create("lending")
        assert "no token: every program on this machine may use it" in "".join(served.said)
        assert served.stop(signal.SIGINT) < 5


def test_it_ends_soon_with_streams_open_and_goes_on_where_it_was(shelf: dict[str, str], tmp_path: Path) -> None:
    shelf = {**shelf, "ENVFACTORY_TOKEN": TOKEN}
    sent = {"Authorization": f"Bearer {TOKEN}", "Accept": "application/json, text/event-stream"}
    with started("--all", "--hibernate", tmp_path / "kept", "--log-format", "json", **shelf) as served:
        with FleetClient(served.url, token=TOKEN) as client:
            episode = client.create("lending", task=TASK)
            assert not episode.call(*EXTEND, key="once").refused
            digest = episode.digest()
        hello = {
            "jsonrpc": "2.0", "id": 0, "method": "initialize",
            "params": {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}},
        }  # fmt: skip
        streams = []
        host, port = served.url.removeprefix("http://").split(":")
        for _ in range(20):
            answer = httpx2.post(f"{served.url}/lending/mcp", json=hello, headers=sent)
            stream = socket.create_connection((host, int(port)))
            stream.sendall(
                f"GET /lending/mcp HTTP/1.1\r\nHost: {host}\r\nAuthorization: Bearer {TOKEN}\r\n"
                f"Accept: text/event-stream\r\nMcp-Session-Id: {answer.headers['mcp-session-id']}\r\n\r\n".encode()
            )
            assert b"200 OK" in stream.recv(4096)
            streams.append(stream)
        assert served.stop() < 3
        for stream in streams:
            stream.settimeout(5)
            while stream.recv(4096):
                pass
            stream.close()
        assert "without completing" not in "".join(served.said)
        assert TOKEN not in "".join(served.said)
    with started("lending", "--hibernate", tmp_path / "kept", **shelf) as again:
        with FleetClient(again.url, token=TOKEN) as client:
            assert client.episode(episode.id).digest() == digest
        assert again.stop() < 5


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (["lending", "--host", "0.0.0.0"], "without a token anybody who reaches 0.0.0.0"),
        (["lending", "--token", "short"], "can be guessed"),
        (["lendin"], "did you mean lending"),
        ([], "name environments, or say --all"),
        (["lending", "--all"], "name environments, or say --all"),
        (["lending", "--task", TASK], "goes without --http"),
        (["lending", "--hibernate", "/dev/null/x"], "cannot be kept here"),
    ],
)
def test_what_cannot_be_served_is_said_at_the_start(shelf: dict[str, str], arguments: list[str], reason: str) -> None:
    done = subprocess.run(
        cli_command("serve", "--http", "--port", 0, *arguments),
        capture_output=True, text=True, timeout=60, env={**environment(**shelf), "ENVFACTORY_TOKEN": ""},
    )  # fmt: skip
    assert done.returncode == 2
    assert reason in " ".join(done.stderr.replace("│", " ").split())
    assert "Traceback" not in done.stderr


def test_a_port_that_is_taken_and_code_that_nobody_verified(shelf: dict[str, str], tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        command = cli_command("serve", "--http", "--port", port, "lending")
        done = subprocess.run(command, capture_output=True, text=True, timeout=60, env=environment(**shelf))
        assert (done.returncode, f"cannot listen on 127.0.0.1:{port}" in done.stderr) == (2, True)
    folder = copy_of_lending(tmp_path, ("policy.md", "#", "# "))
    command = cli_command("serve", "--http", "--port", 0, folder)
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, env=environment(**shelf))
    assert (done.returncode, "envfactory verify" in done.stderr) == (2, True)


def test_several_processes_own_their_episodes_and_say_where(shelf: dict[str, str], tmp_path: Path) -> None:
    shelf = {**shelf, "ENVFACTORY_TOKEN": TOKEN}
    with started("lending", "--workers", 2, "--hibernate", tmp_path / "kept", **shelf) as served:
        with FleetClient(served.url, token=TOKEN) as client:
            deadline = time.monotonic() + 60
            while httpx2.get(f"{served.url}/readyz").status_code != 200:
                assert time.monotonic() < deadline, "".join(served.said)
                time.sleep(0.05)
            episodes = [client.create("lending", task=TASK) for _ in range(4)]
            homes = {episode.url.partition("/e/")[0] for episode in episodes}
            assert len(homes) == 2
            assert served.url not in homes
            assert len({client.create("lending", key="one").id for _ in range(4)}) == 1
            assert len(client.episodes()) == 5
            first = episodes[0]
            assert not first.call(*EXTEND).refused
            digest = first.digest()
            assert client.episode(first.id).digest() == digest
            assert first.fork().url.partition("/e/")[0] == first.url.partition("/e/")[0]
            for path, status in (("/e/0-0/lending/mcp", 404), ("/metrics", 404), ("/v1/workers", 200)):
                answer = httpx2.get(served.url + path, headers={"Authorization": f"Bearer {TOKEN}"})
                assert answer.status_code == status
            assert httpx2.get(f"{served.url}/v1/workers").status_code == 401
            assert httpx2.get(f"{served.url}/v1/workers", headers=first.headers).status_code == 403
            with pytest.raises(FleetError, match="there is no episode"):
                client.episode("7-0")
            _kill_a_child_of(served.process.pid)
            deadline = time.monotonic() + 60
            while httpx2.get(f"{served.url}/readyz").status_code != 200 or "a worker died" not in "".join(served.said):
                assert time.monotonic() < deadline, "".join(served.said)
                time.sleep(0.05)
            assert [client.episode(episode.id).status().calls for episode in episodes] == [1, 0, 0, 0]
            assert client.episode(first.id).digest() == digest
        assert served.stop() < 8


def _kill_a_child_of(process: int) -> None:
    """Kill one of the fleet's processes, as if the system had."""
    import psutil

    children = psutil.Process(process).children(recursive=True)
    victims = [child for child in children if "spawn_main" in " ".join(child.cmdline())]
    assert len(victims) == 2
    victims[0].kill()


def test_the_example_plays_every_training_task() -> None:
    with served_here() as (fleet, _):
        done = subprocess.run(
            [sys.executable, str(ROOT / "examples" / "serving" / "rollouts.py"), fleet.base_url, "lending"],
            capture_output=True, text=True, timeout=60, env=environment(ENVFACTORY_TOKEN=TOKEN),
        )  # fmt: skip
        count = sum(task.split == "train" for task in lending().tasks)
        assert (done.stdout, done.stderr) == (f"Counter({{'failure': {count}}})\n", "")
        assert len(fleet.store) == 0


async def test_the_example_takes_calls_as_models_write_them(monkeypatch: pytest.MonkeyPatch) -> None:
    specification = importlib.util.spec_from_file_location("rollouts", ROOT / "examples" / "serving" / "rollouts.py")
    assert specification is not None
    assert specification.loader is not None
    rollouts = importlib.util.module_from_spec(specification)
    specification.loader.exec_module(rollouts)
    name, arguments = EXTEND
    wanted = [
        (name, json.dumps(arguments)), (name, arguments), (name, '{"loan_id": '), (name, "[1]"), (name, "null"), ("no_such_tool", "{}"),
    ]  # fmt: skip
    heard: list[list[dict[str, object]]] = []

    async def act(messages: list[dict[str, object]], tools: object) -> dict[str, object]:
        heard.append(list(messages))
        if len(heard) > 1:
            return {"role": "assistant", "content": "Done."}
        calls = [
            {"id": f"c{n}", "type": "function", "function": {"name": name, "arguments": arguments}}
            for n, (name, arguments) in enumerate(wanted)
        ]
        return {"role": "assistant", "content": "", "tool_calls": calls}

    monkeypatch.setattr(rollouts, "act", act)
    with served_here() as (fleet, _):
        async with AsyncFleetClient(fleet.base_url, token=TOKEN) as client:
            episode = await client.create("lending", task=TASK, user="scripted", answer="text")
            assert await rollouts.play(episode) == "failure"
    answers = [json.loads(str(message["content"])) for message in heard[1] if message["role"] == "tool"]
    assert answers[0]["extended"] == 1
    assert [answer["error"]["code"] for answer in answers[1:]] == ["forbidden", *["invalid"] * 4]
