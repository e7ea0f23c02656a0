"""OpenEnv itself: a served environment, its clients, its task routes and its `validate`."""

import asyncio
import json
import socket
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from envfactory_gym import load_package
from envfactory_gym.agents import gold_messages
from envfactory_gym.episode import Episode

pytest.importorskip("openenv", reason="needs the extra `openenv`: make test-integrations")

import httpx
import uvicorn
from openenv import GenericEnvClient

from envfactory_gym.integrations import openenv as adapter

SESSIONS = 8


@pytest.fixture(scope="module")
def url():
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        server = uvicorn.Server(uvicorn.Config(adapter.openenv_app("airline"), log_level="warning"))
        thread = threading.Thread(target=lambda: asyncio.run(server.serve(sockets=[listener])), daemon=True)
        thread.start()
        deadline = time.monotonic() + 30
        while not server.started and time.monotonic() < deadline:
            time.sleep(0.02)
        yield f"http://127.0.0.1:{listener.getsockname()[1]}"
        server.should_exit = True
        thread.join(10)


def actions(task):
    package = load_package("airline")
    with Episode(package, task, user="solo") as episode:
        for message in gold_messages(episode):
            for call in message.get("tool_calls", ()):
                yield {"type": "call_tool", "tool_name": call["name"], "arguments": call["arguments"]}
            if not message.get("tool_calls"):
                yield {"type": "call_tool", "tool_name": "say", "arguments": {"text": message["content"]}}


async def episode(url, index, good):
    """One session: gold or nothing; its reward, whether it ended, and its task."""
    async with GenericEnvClient(base_url=url) as client:
        await client.reset(split="train", index=index)
        state = await client.state()
        task = state["task_id"]
        plan = (
            list(actions(task)) if good else [{"type": "call_tool", "tool_name": "say", "arguments": {"text": "Done."}}]
        )
        total = 0.0
        for action in plan:
            await asyncio.sleep(0.002 * (index % 3))
            step = await client.step(action)
            total += step.reward or 0.0
        return total, step.done, task


async def test_sessions_at_the_same_time_are_their_own(url):
    made = await asyncio.gather(*[episode(url, index, index % 2 == 0) for index in range(SESSIONS)])
    assert [reward for reward, _, _ in made] == [float(index % 2 == 0) for index in range(SESSIONS)]
    assert all(done for _, done, _ in made)
    assert len({task for _, _, task in made}) == SESSIONS


async def test_schemas_are_exact_and_what_is_not_there_is_said(url):
    async with GenericEnvClient(base_url=url) as client:
        await client.reset(index=0)
        listed = (await client.step({"type": "list_tools"})).observation
        package = load_package("airline")
        shown = {tool["name"]: tool["input_schema"] for tool in listed["tools"]}
        for tool in package.tools.values():
            assert tool.actor != "agent" or shown[tool.name] == tool.input_schema
        assert "say" in shown
        missing = await client.step({"type": "call_tool", "tool_name": "nothing", "arguments": {}})
        assert missing.observation["error"]["error_type"] == "tool_not_found"


def test_tasks_are_listed_by_their_public_faces(url):
    with httpx.Client(base_url=url, timeout=30) as client:
        count = client.post("/airline/num_tasks", json={"split": "test"}).json()
        listed = client.post("/airline/tasks", json={"split": "test"}).json()
    package = load_package("airline")
    assert str(len([task for task in package.tasks if task.split == "test" and task.solo])) in json.dumps(count)
    assert "gold" not in json.dumps(listed) and '"goal"' not in json.dumps(listed)
    task = next(task for task in package.tasks if task.split == "test")
    assert task.id in json.dumps(listed)


def test_openenv_validate_passes(url, capsys):
    command = [str(Path(sys.executable).parent / "openenv"), "validate", "--url", url, "--json"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    report = json.loads(done.stdout)
    with capsys.disabled():
        print("\nopenenv validate:", json.dumps(report.get("summary", report))[:300])
    assert done.returncode == 0, done.stdout[-2000:]


def test_the_manifest_is_what_openenv_reads():
    import yaml

    text = yaml.safe_load(adapter.openenv_manifest("airline"))
    assert (text["name"], text["runtime"], text["spec_version"]) == ("airline", "fastapi", 1)
