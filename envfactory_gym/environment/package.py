"""A package: one environment as a folder of files, read lazily and validated part by part."""

from __future__ import annotations

import copy
import importlib.util
import json
import re
import sys
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cached_property
from pathlib import Path
from typing import Any

from pydantic_core import to_json

from . import hashing, trust
from .behaviour import Behaviour
from .columns import Schema, read_schema
from .environment import Environment
from .errors import PackageError, TaskError, UntrustedPackageError
from .files import read_jsonl, read_jsonl_as, read_text, read_yaml_as
from .language import Language, Policy, read_policy
from .manifest import Manifest
from .task import TaskPrivate
from .tool import Tool


@dataclass(frozen=True)
class Invariant:
    """A query that must return no row."""

    name: str
    sql: str


class Package:
    """One environment's folder. Only `environment.yaml` is read at once; the rest when asked for.

    Args:
        path: The folder.
        trusted: Whether its code may be imported here without being listed as verified: say so
            only for code you would run anyway.
        environment: The tools, where server.py has already run (as a script).

    Attributes:
        tools_from: Tells apart packages of the same files whose tools run in different places; 0 is this process.

    Raises:
        PackageError: A file is missing or wrong (at construction for environment.yaml, later for
            the others).
    """

    tools_from: int = 0

    def __init__(self, path: str | Path, *, trusted: bool = False, environment: Environment | None = None) -> None:
        self.path = Path(path).resolve()
        if not self.path.is_dir():
            raise PackageError(
                "no such package folder", file=path, remedy="give the folder that holds environment.yaml"
            )
        self.trusted = trusted
        if environment is not None:
            self.__dict__["environment"] = environment
        self.manifest: Manifest = read_yaml_as(self.path / "environment.yaml", Manifest)

    @classmethod
    def load(cls, path: str | Path, trusted: bool = False) -> Package:
        """Open a package folder; the same as the constructor."""
        return cls(path, trusted=trusted)

    def __repr__(self) -> str:
        return f"Package({self.name!r}, {str(self.path)!r})"

    @property
    def name(self) -> str:
        """The identifier, such as `airline`."""
        return self.manifest.name

    @property
    def id(self) -> str:
        """The Gymnasium id, such as `EnvFactory/airline-v0`."""
        return self.manifest.id

    # ------------------------------------------------------------ state

    @cached_property
    def schema(self) -> Schema:
        """Tables, columns and column policies of schema.sql."""
        path = self.path / "schema.sql"
        return read_schema(read_text(path), file=str(path))

    @cached_property
    def invariants(self) -> tuple[Invariant, ...]:
        """The queries of invariants.sql; none where the file is absent."""
        path = self.path / "invariants.sql"
        return _read_invariants(path) if path.exists() else ()

    @cached_property
    def data(self) -> Mapping[str, list[dict[str, Any]]]:
        """All rows of the base world, by table."""
        folder = self.path / "data"
        if folder.is_dir():
            for path in sorted(folder.iterdir()):
                if path.suffix == ".jsonl" and path.stem not in self.schema.tables:
                    raise PackageError(
                        f"schema.sql has no table {path.stem!r}", file=path, remedy="rename the file or add the table"
                    )
        return {name: self._read_rows(name) for name in self.schema.tables}

    def rows(self, table: str) -> list[dict[str, Any]]:
        """The rows of one table, as data/<table>.jsonl gives them."""
        return self.data[table]

    def _read_rows(self, table: str) -> list[dict[str, Any]]:
        path = self.path / "data" / f"{table}.jsonl"
        if not path.exists():
            return []
        names = set(self.schema.tables[table].names)
        rows = []
        for line, row in read_jsonl(path):
            if unknown := sorted(row.keys() - names):
                raise PackageError(
                    f"table {table} has no column {unknown[0]!r}", file=path, line=line, key=unknown[0],
                    remedy=f"its columns are {', '.join(self.schema.tables[table].names)}",
                )  # fmt: skip
            rows.append(row)
        return rows

    # ------------------------------------------------------------ rules and words

    @cached_property
    def policy(self) -> Policy:
        """The agent's rules; an empty policy where policy.md is absent."""
        path = self.path / "policy.md"
        return read_policy(path) if path.exists() else Policy("", {})

    @cached_property
    def language(self) -> Language:
        """How people talk about the environment; empty where language.yaml is absent."""
        path = self.path / "language.yaml"
        return read_yaml_as(path, Language) if path.exists() else Language()

    @cached_property
    def behaviours(self) -> tuple[Behaviour, ...]:
        """The executable examples of behaviours.yaml; none where it is absent."""
        path = self.path / "behaviours.yaml"
        return tuple(read_yaml_as(path, list[Behaviour]) or ()) if path.exists() else ()

    # ------------------------------------------------------------ tasks

    @cached_property
    def tasks(self) -> tuple[TaskPrivate, ...]:
        """All tasks of tasks.jsonl, in file order; none where it is absent."""
        return self._read_tasks()

    def _read_tasks(self) -> tuple[TaskPrivate, ...]:
        path = self.path / "tasks.jsonl"
        tasks = read_jsonl_as(path, TaskPrivate) if path.exists() else ()
        seen: set[str] = set()
        for number, task in enumerate(tasks, start=1):
            if task.id in seen:
                raise PackageError(f"the task id {task.id!r} stands twice", file=path, line=number, remedy="rename one")
            seen.add(task.id)
        return tasks

    @cached_property
    def _tasks_by_id(self) -> dict[str, TaskPrivate]:
        return {task.id: task for task in self.tasks}

    def task(self, task_id: str) -> TaskPrivate:
        """The task of that id.

        Raises:
            TaskError: There is none; the message names close ones.
        """
        try:
            return self._tasks_by_id[task_id]
        except KeyError:
            close = get_close_matches(task_id, self._tasks_by_id, n=3)
            hint = f"did you mean {', '.join(close)}?" if close else f"`envfactory show {self.name}` lists its tasks"
            raise TaskError(f"{self.name} has no task {task_id!r}; {hint}") from None

    def with_tasks(self, tasks: Iterable[TaskPrivate]) -> Package:
        """The same environment with other tasks, such as synthesised ones; everything else is shared.

        Args:
            tasks: Tasks of this environment; ids that stand twice keep the last.
        """
        found = copy.copy(self)
        by_id = {task.id: task for task in tasks}
        found.__dict__["_tasks_by_id"], found.__dict__["tasks"] = by_id, tuple(by_id.values())
        return found

    def narrowed(self, task: TaskPrivate) -> Package:
        """The package that a task is played on: this one, or of a bundle the part that the task names."""
        return self

    @cached_property
    def report(self) -> dict[str, Any] | None:
        """The last executed report; None where report.json is absent."""
        path = self.path / "report.json"
        if not path.exists():
            return None
        try:
            content: dict[str, Any] = json.loads(read_text(path))
        except json.JSONDecodeError as error:
            raise PackageError(
                f"not valid JSON: {error}", file=path, remedy="run `envfactory verify` to write it anew"
            ) from None
        return content

    # ------------------------------------------------------------ code

    @property
    def server_source(self) -> str:
        """The text of server.py, unexecuted."""
        return read_text(self.path / "server.py")

    @cached_property
    def environment(self) -> Environment:
        """The `Environment` object of server.py; importing runs its code.

        Raises:
            UntrustedPackageError: Nobody verified this code here.
            PackageError: server.py does not import, or defines no `env`.
        """
        if not (self.trusted or trust.is_trusted(self.package_hash)):
            raise UntrustedPackageError(
                "this package's code was not verified here, so it is not imported", file=self.path,
                remedy=f"run `envfactory verify {self.path}` first, or load it with trusted=True if you wrote it; "
                'code of others is verified with --sandbox, and played with unverified="subprocess"',
            )  # fmt: skip
        return _import_server(self)

    @property
    def tools(self) -> dict[str, Tool]:
        """The tools, agent's and user's, in the order of server.py."""
        return self.environment.tools

    @cached_property
    def agent_tools_json(self) -> bytes:
        """The agent's tools in OpenAI form, as JSON text: parsing it is the fastest way to a fresh copy."""
        return to_json([tool.openai() for tool in self.tools.values() if tool.actor == "agent"])

    # ------------------------------------------------------------ hashes

    @cached_property
    def world_hash(self) -> str:
        """Hash of everything that decides how a world behaves."""
        return hashing.world_hash(self.schema, self.data, self.server_source, self.manifest.clock)

    @cached_property
    def rules_hash(self) -> str:
        """Hash of policy.md and language.yaml."""
        texts = [
            read_text(path) if path.exists() else "" for path in (self.path / "policy.md", self.path / "language.yaml")
        ]
        return hashing.rules_hash(*texts)

    @cached_property
    def package_hash(self) -> str:
        """Hash of every file but report.json."""
        return hashing.package_hash(self.path)


_NAME_LINE = re.compile(r"^--\s*name:\s*([a-z0-9][a-z0-9_-]*)\s*$")


def _read_invariants(path: Path) -> tuple[Invariant, ...]:
    """Split the file at its `-- name:` lines."""
    queries: dict[str, list[str]] = {}
    current: list[str] | None = None
    for number, line in enumerate(read_text(path).split("\n"), start=1):
        if match := _NAME_LINE.match(line):
            current = queries.setdefault(match.group(1), [])
            if current:
                raise PackageError(
                    f"the name {match.group(1)!r} stands twice", file=path, line=number, remedy="rename one"
                )
        elif line.strip() and not line.lstrip().startswith("--"):
            if current is None:
                raise PackageError(
                    "a query has no name", file=path, line=number, remedy="put `-- name: some-id` above it"
                )
            current.append(line)
    for name, lines in queries.items():
        if not lines:
            raise PackageError(f"invariant {name!r} has no query", file=path, remedy="write its SELECT below the name")
    return tuple(Invariant(name, "\n".join(lines).strip().rstrip(";")) for name, lines in queries.items())


def _import_server(package: Package) -> Environment:
    path = package.path / "server.py"
    read_text(path)
    module_name = f"_envfactory_{package.name}_{package.package_hash[:12]}"
    spec = importlib.util.spec_from_file_location(module_name, path)
    if spec is None or spec.loader is None:
        raise PackageError("server.py cannot be imported", file=path, remedy="check that it is a Python file")
    module = importlib.util.module_from_spec(spec)
    # Types written as strings are resolved through sys.modules.
    sys.modules[module_name] = module
    writes_bytecode, sys.dont_write_bytecode = sys.dont_write_bytecode, True
    try:
        spec.loader.exec_module(module)
    except PackageError:
        raise
    except Exception as error:
        del sys.modules[module_name]
        line = getattr(error, "lineno", None) or _line_in(error, path)
        raise PackageError(
            f"importing it raised {type(error).__name__}: {error}", file=path, line=line, remedy="fix server.py"
        ) from error
    finally:
        sys.dont_write_bytecode = writes_bytecode
    env = getattr(module, "env", None)
    if not isinstance(env, Environment):
        raise PackageError(
            "it defines no `env`", file=path, remedy="write `env = Environment(__file__)` and use @env.tool"
        )
    if not env.tools:
        raise PackageError("it defines no tool", file=path, remedy="decorate a function with @env.tool(...)")
    return env


def _line_in(error: BaseException, path: Path) -> int | None:
    frame, line = error.__traceback__, None
    while frame is not None:
        if frame.tb_frame.f_code.co_filename == str(path):
            line = frame.tb_lineno
        frame = frame.tb_next
    return line
