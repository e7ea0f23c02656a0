"""OpenEnv: an environment as a server that its clients, its hub and its `validate` understand.

A plain OpenEnv `Environment` whose actions are tool calls and messages: schemas stay exact, and every
observation carries reward and end. A call of the tool `say` is the agent's message to the user; in
solo form it ends the episode. Only what a model may see leaves: prompt, task id, the new messages.

    app = openenv_app("airline")            # uvicorn module:app; openenv.yaml by `openenv_manifest`
"""

from __future__ import annotations

from typing import Any
from uuid import uuid4

import yaml
from openenv.core import CallToolAction, CallToolObservation, ListToolsAction, ListToolsObservation
from openenv.core.env_server.http_server import create_fastapi_app
from openenv.core.env_server.interfaces import Environment
from openenv.core.env_server.mcp_types import Tool, ToolError, ToolErrorType
from openenv.core.env_server.types import EnvironmentMetadata, Observation, State

from ..environment import EnvFactoryError, Package, TaskPrivate, load_package
from ..episode import AnswerForm, Episode, UserForm
from ..episode.episode_tools import listed_tools

RESERVED = frozenset({"reset", "step", "state", "close"})
"""Tool names that OpenEnv keeps for itself."""

SAY = {
    "name": "say",
    "description": "Say something to the user: a question, or the final message that tells what was done.",
    "input_schema": {
        "type": "object",
        "properties": {"text": {"type": "string", "description": "The message."}},
        "required": ["text"],
        "additionalProperties": False,
    },
}
"""How a message without calls is sent, since OpenEnv's action is a call."""


class OpenEnvEnvironment(Environment[CallToolAction, CallToolObservation, State]):  # type: ignore[misc]
    """One session: an episode at a time. Subclasses made by `openenv_class` know which environment."""

    SUPPORTS_CONCURRENT_SESSIONS = True
    package: Package
    user: UserForm = "solo"
    answer: AnswerForm = "text"
    max_steps: int = 30

    def __init__(self) -> None:
        super().__init__()
        self._episode: Episode | None = None
        self._state = State()

    def reset(
        self,
        seed: int | None = None,
        episode_id: str | None = None,
        *,
        split: str = "train",
        index: int | None = None,
        task: str | None = None,
        **_: Any,
    ) -> Observation:
        """Begin a task: the named one, the one at an index of a split, or the one a seed chooses."""
        chosen = self._choose(split, index, task, seed)
        if self._episode is not None:
            self._episode.close()
        self._episode = Episode(
            self.package, chosen, user=self.user, answer=self.answer, reward="success", max_steps=self.max_steps
        )
        messages = self._episode.reset()
        self._state = State(episode_id=episode_id or uuid4().hex, step_count=0, task_id=chosen.id)
        return Observation(done=False, reward=None, metadata={"messages": messages, "task_id": chosen.id})

    def _choose(self, split: str, index: int | None, task: str | None, seed: int | None) -> TaskPrivate:
        if task is not None:
            return self.package.task(task)
        tasks = self._tasks(split)
        if not tasks:
            raise EnvFactoryError(f"{self.package.name} has no tasks in the split {split!r}")
        return tasks[(index if index is not None else seed or 0) % len(tasks)]

    def step(self, action: Any, timeout_s: float | None = None, **_: Any) -> Observation:
        """List the tools, call one, or say something."""
        if isinstance(action, ListToolsAction):
            return ListToolsObservation(tools=self._tools())
        episode, name = self._episode, action.tool_name
        if episode is None or episode.over:
            problem = "call reset first" if episode is None else "the episode is over: call reset"
            return _failed(name, ToolErrorType.EXECUTION_ERROR, problem, done=episode is not None)
        if name != SAY["name"] and name not in episode.tool_names:
            return _failed(name, ToolErrorType.TOOL_NOT_FOUND, f"there is no tool {name}")
        self._state.step_count += 1
        if name == SAY["name"]:
            message: dict[str, Any] = {"role": "assistant", "content": str(action.arguments.get("text", ""))}
        else:
            message = {"tool_calls": [{"name": name, "arguments": action.arguments}]}
        step = episode.step(message)
        metadata: dict[str, Any] = {"messages": step.messages}
        if step.outcome is not None:
            metadata |= {"outcome": step.outcome.kind, "reward_valid": step.outcome.reward_valid}
        said = step.messages[0]["content"] if step.messages else ""
        over = step.terminated or step.truncated
        return CallToolObservation(tool_name=name, result=said, reward=step.reward, done=over, metadata=metadata)

    @property
    def state(self) -> State:
        """Episode id, task id and number of steps."""
        return self._state

    def close(self) -> None:
        """Give the world back."""
        if self._episode is not None:
            self._episode.close()
            self._episode = None

    def get_metadata(self) -> EnvironmentMetadata:
        """What a hub shows."""
        manifest = self.package.manifest
        return EnvironmentMetadata(name=manifest.name, description=manifest.summary, version=manifest.version)

    # ------------------------------------------------------------ the tasks, by their public faces only

    def _tasks(self, split: str) -> list[TaskPrivate]:
        return [task for task in self.package.tasks if task.split == split and (self.user != "solo" or task.solo)]

    def list_splits(self) -> list[str]:
        """The splits that have tasks."""
        return [split for split in ("train", "dev", "test") if self._tasks(split)]

    def list_tasks(self, split: str) -> list[dict[str, Any]]:
        """The public faces of the tasks of a split."""
        return [self._public(task, index) for index, task in enumerate(self._tasks(split))]

    def num_tasks(self, split: str) -> int:
        """How many tasks a split has."""
        return len(self._tasks(split))

    def get_task(self, split: str, index: int) -> dict[str, Any]:
        """The public face of one task."""
        return self._public(self._tasks(split)[index], index)

    def _public(self, task: TaskPrivate, index: int) -> dict[str, Any]:
        return {"index": index, **task.public().model_dump(mode="json")}

    def _tools(self) -> list[Tool]:
        if self._episode is not None:
            listed = self._episode.tools
        else:
            listed = listed_tools(self.package, self.answer)
        found = [
            Tool(name=one["name"], description=one["description"], input_schema=one["parameters"])
            for one in (tool["function"] for tool in listed)
        ]
        return [*found, Tool(**SAY)]


def _failed(name: str, kind: Any, message: str, *, done: bool = False) -> Observation:
    return CallToolObservation(tool_name=name, error=ToolError(error_type=kind, message=message), done=done)


def openenv_class(
    environment: str, *, user: UserForm = "solo", answer: AnswerForm = "text", max_steps: int = 30
) -> type[OpenEnvEnvironment]:
    """The class that serves an environment.

    Raises:
        EnvFactoryError: A tool has a name that OpenEnv keeps for itself.
    """
    package = load_package(environment)
    names = {tool["function"]["name"] for tool in listed_tools(package, answer)}
    if clash := sorted(names & (RESERVED | {SAY["name"]})):
        raise EnvFactoryError(f"OpenEnv keeps the names {', '.join(clash)} for itself\n  -> rename the tool")
    body = {"package": package, "user": user, "answer": answer, "max_steps": max_steps}
    return type(f"{package.name.title()}OpenEnv", (OpenEnvEnvironment,), {"__module__": __name__, **body})


def openenv_app(environment: str, *, sessions: int = 64, **options: Any) -> Any:
    """A FastAPI application that serves an environment to up to `sessions` clients at a time."""
    made = openenv_class(environment, **options)
    return create_fastapi_app(
        made, CallToolAction, CallToolObservation, max_concurrent_envs=sessions, env_name=made.package.name
    )


def openenv_manifest(environment: str, *, app: str = "server.app:app", port: int = 8000) -> str:
    """The text of openenv.yaml for an environment."""
    package = load_package(environment)
    manifest = {
        "spec_version": 1,
        "name": package.name,
        "version": package.manifest.version,
        "type": "space",
        "runtime": "fastapi",
        "app": app,
        "port": port,
        "validation": {
            "reward": {"range": [0.0, 1.0], "oracle_tolerance": 0.0, "floor_margin": 0.1},
            "resources": {"cpu": 1.0, "memory_mb": 1024, "disk_mb": 512, "episode_timeout_s": 60.0},
            "capabilities": {"verifier": {"kind": "reward_channel"}},
            "types": {"tags": [package.manifest.domain]},
        },
    }
    return yaml.safe_dump(manifest, sort_keys=False, allow_unicode=True)
