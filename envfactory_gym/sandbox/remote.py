"""Tools whose code runs in a sandbox, and whose world does not: the caller's side.

The trainer's process holds the world, the user, the transcript and the grade. What comes out of the
sandbox is SQL for a guarded connection, and a result as JSON text: a package that means harm can
lie about its own world, as any package could, and touch nothing else.
"""

from __future__ import annotations

import json
import os
import threading
import traceback
from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from ..environment.environment import Environment
from ..environment.errors import BudgetExceeded, EnvironmentFault, PackageError, ToolError
from ..environment.tool import EPISODE_TOOLS, MAX_NAME, RESERVED_NAMES, Actor, Parameter, Tool
from .errors import SandboxError, SandboxStopped
from .launch import Sandbox
from .limits import MIB, Limits
from .protection import Protection
from .remote_world import packed, unpacked

PLAY = Limits(message=8 * MIB, files=64)
"""What the tools of one package may use while they are played."""

SECONDS = 2.0
"""Wall time between two messages of a call: that of a call in the caller's own process."""

OPENING = 120.0
"""Wall time in which a package must have been read, checked and imported."""

_METHODS = frozenset({"one", "all", "value", "run", "new_code", "new_number", "chance", "pick"})
_TEXT = " text"
"""Key of a call's own JSON text among its arguments; no argument can be called so."""

Name = Annotated[str, Field(pattern=r"^[a-z][a-z0-9_]*$", max_length=MAX_NAME)]


class _Parameter(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True, populate_by_name=True)

    name: str
    required: bool
    default: Any
    json_schema: dict[str, Any] = Field(alias="schema")
    description: str
    ref: str | None


class _Described(BaseModel):
    """What a sandbox says about a tool: data, and only of the expected shape."""

    model_config = ConfigDict(extra="forbid")

    name: Name
    description: str
    input_schema: dict[str, Any]
    output_schema: dict[str, Any]
    parameters: tuple[_Parameter, ...]
    writes: tuple[str, ...]
    destructive: bool
    idempotent: bool
    candidates: str | None
    refused: dict[str, str]
    actor: Actor
    confirm: tuple[str, ...]
    outputs: dict[str, str]


class RemoteTool(Tool):
    """A tool that is called in a sandbox. Arguments are checked there, against the package's own types."""

    def validate(self, arguments: Mapping[str, Any] | str | bytes) -> dict[str, Any]:
        """The arguments as they read here, with their text, which is what the sandbox checks.

        A sandbox that is not there is started now, when no budget of a call runs yet.
        """
        self.function.ready()  # type: ignore[attr-defined]
        if isinstance(arguments, bytes):
            text = arguments.decode("utf-8", "replace")
        else:
            text = arguments if isinstance(arguments, str) else json.dumps(dict(arguments))
        try:
            found = json.loads(text or "{}")
        except (ValueError, RecursionError):
            found = None
        values = found if isinstance(found, dict) else {}
        for parameter in self.parameters:
            if parameter.name in self.confirm:
                values.setdefault(parameter.name, parameter.default)
        return {**values, _TEXT: text}

    def encode(self, result: Any) -> str:
        """The result, which is JSON text already."""
        return str(result)

    def check_result(self, text: str) -> str | None:
        """Nothing is known against it: types are checked when the package is verified."""
        return None


class _Function:
    """What stands where a tool's function stood."""

    def __init__(self, tools: RemoteTools, name: str) -> None:
        self._tools, self.__name__ = tools, name

    def ready(self) -> None:
        """Have a sandbox to run in."""
        self._tools.ready()

    def __call__(self, world: Any, **arguments: Any) -> str:
        return self._tools.call(self.__name__, world, arguments[_TEXT])


class RemoteTools:
    """The tools of one unverified package, and the sandbox in which they run.

    A sandbox that was stopped, by a call that took too long or in a process forked from this one, is
    started anew at the next call: tools keep no state.

    Args:
        target: What runs inside; it ends in `remote_world.serve`.
        folder: The package.
        imports: Modules that its code may import.
        limits: What ends the sandbox.
        layers: Layers to put up; all by default.

    Raises:
        PackageError: The package does not pass what is looked at before its code is imported, or does not load.
        SandboxStopped: It was stopped before it had said what its tools are.
    """

    def __init__(
        self,
        target: str,
        folder: str | Path,
        *,
        imports: Collection[str] = (),
        limits: Limits = PLAY,
        layers: Collection[str] | None = None,
    ) -> None:
        self.folder = Path(folder)
        self._options: dict[str, Any] = {"imports": imports, "limits": limits, "layers": layers}
        self._target = target
        self._lock = threading.Lock()
        self._sandbox: Sandbox | None = None
        self._process = os.getpid()
        self._said: Any = None
        self.started = 0
        tools = self._start()
        self.environment = Environment(str(self.folder / "server.py"))
        self.environment.tools.update({tool.name: self._tool(tool) for tool in tools})

    @property
    def protection(self) -> Protection:
        """What holds the tools' code now."""
        with self._lock:
            return self._ready().protection

    def close(self) -> None:
        """End the sandbox; the next call starts another."""
        with self._lock:
            self._drop()

    # ------------------------------------------------------------ the sandbox

    def _start(self) -> list[_Described]:
        sandbox = Sandbox(self._target, self.folder, **self._options)
        try:
            message = sandbox.receive(OPENING)
            if "error" in message:
                told = str(message["error"]).replace(str(sandbox.copy), str(self.folder))
                raise PackageError(told, remedy=f"`envfactory verify {self.folder} --sandbox` says more")
            tools = [_Described.model_validate(tool) for tool in message["tools"]]
        except (KeyError, TypeError, ValidationError) as error:
            sandbox.close()
            raise PackageError(f"it does not say what its tools are: {error}", file=self.folder) from None
        except BaseException:
            sandbox.close()
            raise
        if self._said is not None and message["tools"] != self._said:
            sandbox.close()
            raise EnvironmentFault(f"the tools in {self.folder} are not what they were when it was opened")
        self._said, self._sandbox, self._process = message["tools"], sandbox, os.getpid()
        self.started += 1
        return tools

    def _ready(self) -> Sandbox:
        if self._sandbox is None or self._process != os.getpid():
            self._start()
        assert self._sandbox is not None
        return self._sandbox

    def _drop(self) -> None:
        # Given up before it is closed: a call's watchdog may raise in between, and what is given up ends by itself.
        given_up, self._sandbox = self._sandbox, None
        if given_up is not None and self._process == os.getpid():
            given_up.close()

    # ------------------------------------------------------------ a call

    def _tool(self, tool: _Described) -> RemoteTool:
        if tool.name in RESERVED_NAMES | EPISODE_TOOLS:
            raise PackageError(f"the name {tool.name!r} is reserved", file=self.folder, remedy="rename the tool")
        parts = {name: getattr(tool, name) for name in _Described.model_fields}
        parts["parameters"] = tuple(
            Parameter(one.name, one.required, one.default, one.json_schema, one.description, one.ref)
            for one in tool.parameters
        )
        return RemoteTool(function=_Function(self, tool.name), **parts)

    def ready(self) -> None:
        """Have a sandbox that runs, be it a new one.

        Raises:
            EnvironmentFault: It does not start.
        """
        if self._sandbox is not None and self._process == os.getpid():
            return
        with self._lock:
            try:
                self._ready()
            except (SandboxError, PackageError) as error:
                raise EnvironmentFault(f"the sandbox of {self.folder} does not start again: {error}") from error

    def call(self, name: str, world: Any, text: str) -> str:
        """Run a call to its end; what it asks of the world is answered from `world`.

        Raises:
            ToolError: The tool refuses.
            BudgetExceeded: It took too long.
            EnvironmentFault: Anything else.
        """
        with self._lock:
            try:
                return self._talk(name, world, text)
            except SandboxStopped as end:
                self._drop()
                if end.reason.startswith("no answer"):
                    raise BudgetExceeded(f"{name} ran for more than two seconds and was stopped", tool=name) from None
                raise EnvironmentFault(f"{name}: {end}", tool=name) from None
            except SandboxError as error:
                raise EnvironmentFault(f"{name}: {error}", tool=name) from None
            except (ToolError, EnvironmentFault):
                raise
            except BaseException:  # in the middle of a conversation that nobody could take up again
                self._drop()
                raise

    def _talk(self, name: str, world: Any, text: str) -> str:
        sandbox = self._ready()
        sandbox.send({"call": name, "text": text, "now": world.now})
        theirs: Exception | None = None
        while True:
            message = sandbox.receive(SECONDS)
            if message.get("ask") in _METHODS:
                try:
                    answer = {"value": _asked(world, message)}
                except Exception as error:  # noqa: BLE001 - raised below, unless the tool goes on regardless
                    theirs = error
                    answer = {"raised": f"{type(error).__name__}: {error}"}
                sandbox.send(answer)
                continue
            return self._outcome(name, message, theirs)

    def _outcome(self, name: str, message: dict[str, Any], theirs: Exception | None) -> str:
        """The result of a call, or what its last message raises here."""
        match message:
            case {"result": str(result)} if _is_json(result):
                return result
            case {"refused": {"code": str(code), "message": str(text), "field": field, "reason": reason}}:
                try:
                    raise ToolError(code, text, field=_name(field), reason=_name(reason))  # type: ignore[arg-type]
                except ValueError as error:
                    raise EnvironmentFault(f"{name} raised {error}", tool=name) from None
            case {"elsewhere": str(place)} if theirs is not None:
                if isinstance(theirs, EnvironmentFault | ToolError):
                    raise theirs
                text = "".join(traceback.format_exception_only(theirs)).strip()
                raise EnvironmentFault(f"{name} raised {text}{place}", tool=name) from theirs
            case {"raised": str(text)}:
                raise EnvironmentFault(f"{name} raised {text}", tool=name)
        self._drop()
        raise EnvironmentFault(f"{name}: its sandbox answered something that is no result", tool=name)


def _asked(world: Any, message: dict[str, Any]) -> Any:
    """Ask the world, in one of the ways that a tool may."""
    method, first = message["ask"], message["first"]
    params = [unpacked(value) for value in message["params"]]
    named = {str(name): unpacked(value) for name, value in message["named"].items()}
    if method == "pick":
        return world.pick(first, range(int(params[0])))
    found = getattr(world, method)(first, *params, **named)
    if method == "all":
        return [{name: packed(value) for name, value in row.items()} for row in found]
    if method == "one" and found is not None:
        return {name: packed(value) for name, value in found.items()}
    return packed(found)


def _is_json(text: str) -> bool:
    try:
        json.loads(text)
    except (ValueError, RecursionError):
        return False
    return True


def _name(value: Any) -> str | None:
    return value if isinstance(value, str) else None
