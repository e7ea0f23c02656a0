"""What runs inside a sandbox while an environment is written: looks at unfinished packages, rows from a script, tasks.

Nothing here is imported by the process that asks: it names these functions, and reads the JSON they send.
"""

from __future__ import annotations

import ast
import sqlite3
import traceback
from collections.abc import Callable, Iterator
from itertools import islice
from random import Random
from typing import Any

from ..environment import EnvFactoryError, EnvironmentFault, Package, ToolError
from ..environment.tool import Tool
from ..sandbox.channel import Channel
from ..verify.arguments import HintError, hinted_arguments, sampled_arguments
from ..verify.checks import behaviours, data, declarations, static, tools
from ..verify.finding import Finding, finding
from ..verify.reach import problems
from ..world import LiveWorld, Template
from .asserting import aims

SAMPLES = 12
"""Calls of each tool in a world without rows: enough to run into a name that does not exist."""

SCRIPT_SEED = 1
"""Seeds the generator that a script for rows is given."""


def probe(channel: Channel, arguments: dict[str, Any]) -> None:
    """Look at a package as far as it is written; sends `findings`, and from the tools on `signatures`."""
    package = Package(arguments["folder"], trusted=True)
    findings: list[Finding] = []
    for look in _LOOKS[arguments["stage"]]:
        try:
            findings.append(look(package, arguments))
        except EnvFactoryError as error:
            findings.append(finding(look.__name__.strip("_"), [_local(str(error), arguments["folder"])]))
        if not findings[-1].passed and look in _FIRST:
            break
    message: dict[str, Any] = {"findings": [one.model_dump(mode="json") for one in findings]}
    if "environment" in package.__dict__:
        message["signatures"] = [signature(tool) for tool in package.tools.values()]
    channel.send(message)


def signature(tool: Tool) -> dict[str, Any]:
    """What may be known of a tool without its code."""
    return {
        "name": tool.name,
        "does": tool.description,
        "called_by": tool.actor,
        "arguments": tool.input_schema.get("properties", {}),
        "required": tool.input_schema.get("required", []),
        "result": tool.output_schema,
        "changes_tables": list(tool.writes),
        "refuses_for": sorted(tool.refused),
    }


def _local(text: str, folder: str) -> str:
    return text.replace(f"{folder}/", "")


# ---------------------------------------------------------------- state


def _state(package: Package, arguments: dict[str, Any]) -> Finding:
    """The schema runs on SQLite, its references lead somewhere, and the invariants run."""
    evidence = []
    schema = package.schema
    evidence += [
        f"schema.sql: the table {table.name} is not STRICT" for table in schema.tables.values() if not table.strict
    ]
    connection = sqlite3.connect(":memory:")
    try:
        connection.executescript(schema.ddl)
        connection.execute("PRAGMA foreign_keys = ON")
        for name in schema.tables:
            try:
                # Keys are resolved when a statement that needs them is prepared, rows or not.
                connection.execute(f'EXPLAIN INSERT INTO "{name}" DEFAULT VALUES').fetchall()
                connection.execute(f'EXPLAIN DELETE FROM "{name}"').fetchall()
            except sqlite3.Error as error:
                evidence.append(f"schema.sql: a reference of the table {name} leads nowhere: {error}")
    except sqlite3.Error as error:
        evidence.append(f"schema.sql: {error}")
    finally:
        connection.close()
    wanted = set(arguments.get("tables", ()))
    evidence += [
        f"schema.sql: the proposal has a table {name}, which is missing" for name in sorted(wanted - set(schema.tables))
    ]
    if evidence:
        return finding("schema", evidence, remedy="correct schema.sql")
    template = Template(schema, {}, tools={}, now=package.manifest.clock, world_hash="state")
    world = template.acquire()
    try:
        for invariant in package.invariants:
            try:
                world.query(invariant.sql)
            except EnvironmentFault as error:
                evidence.append(f"invariants.sql: {invariant.name} does not run: {error}")
    finally:
        template.close()
    if not package.invariants:
        evidence.append("invariants.sql: there is no invariant; what must always hold of the tables together?")
    figures = {"tables": len(schema.tables), "invariants": len(package.invariants)}
    return finding("state", evidence, figures=figures, remedy="correct schema.sql or invariants.sql")


# ---------------------------------------------------------------- tools


def _static(package: Package, arguments: dict[str, Any]) -> Finding:
    """What can be said without running anything."""
    found = static.check(package)
    return found.model_copy(update={"evidence": tuple(_local(line, arguments["folder"]) for line in found.evidence)})


def _tools(package: Package, arguments: dict[str, Any]) -> Finding:
    """It imports, its declarations are in order, its SQL knows only names that exist, and the proposal is covered."""
    found = tools.check(package)
    evidence = list(found.evidence)
    source = package.server_source
    evidence += [
        f"the proposal has a tool {name}, which is missing"
        for name in arguments.get("tools", ())
        if name not in package.tools
    ]
    reasons = {
        node.value.value
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.keyword) and node.arg == "reason" and isinstance(node.value, ast.Constant)
    }
    evidence += [
        f"the rule [{rule}] is to be enforced, but nothing raises ToolError(..., reason={rule!r})"
        for rule in arguments.get("enforced", ())
        if rule not in reasons
    ]
    evidence += _unknown_names(package.schema.ddl, source)
    template = Template(package.schema, {}, tools=package.tools, now=package.manifest.clock, world_hash="tools")
    world = template.acquire()
    try:
        for tool in package.tools.values():
            evidence += _empty_calls(world, tool)
    finally:
        template.close()
    return finding(
        "tools", evidence, figures={"tools": len(package.tools)}, remedy="correct server.py at the place named"
    )


def _unknown_names(ddl: str, source: str) -> Iterator[str]:
    """SQL texts of server.py that name a table or column that is not there, also where no call gets so far."""
    connection = sqlite3.connect(":memory:", isolation_level=None)
    try:
        connection.executescript(ddl)
        for node in ast.walk(ast.parse(source)):
            match node:
                case ast.Constant(value=str(text)) if text.lstrip()[:7].upper() in _SQL:
                    try:
                        connection.execute(f"EXPLAIN {text}").fetchall()
                    except sqlite3.Error as error:
                        # Values are not bound here, and parts of a text may be missing: only names are judged.
                        if any(sign in str(error) for sign in _UNKNOWN):
                            yield f"server.py:{node.lineno}: {error}, in {' '.join(text.split())[:160]!r}"
    finally:
        connection.close()


_SQL = frozenset({"SELECT ", "INSERT ", "UPDATE ", "DELETE "})
_UNKNOWN = ("no such column", "no such table", "has no column named")


def _empty_calls(world: LiveWorld, tool: Tool) -> Iterator[str]:
    """Faults of a tool in a world without rows, and hints that do not run."""
    line = tool.function.__code__.co_firstlineno
    for name, sql in (("candidates", tool.candidates), *tool.refused.items()):
        try:
            list(hinted_arguments(world, tool, sql) if sql else ())
        except HintError as error:
            yield f"server.py:{line} {name}: {error}"
    for values in islice(sampled_arguments(world, tool, Random(3)), SAMPLES):
        with world.trial():
            try:
                world.call(tool.name, values, actor=tool.actor)
            except ToolError:
                continue  # refusing is what there is to do without rows
            except EnvironmentFault as error:
                yield f"server.py:{line} {tool.name}{values} failed: {error}"
                return


# ---------------------------------------------------------------- rows


def _data(package: Package, arguments: dict[str, Any]) -> Finding:
    """Constraints, invariants, and tools that succeed; enough rows to search in."""
    found = data.check(package)
    least, rows = arguments.get("rows", 0), sum(len(table) for table in package.data.values())
    if rows < least:
        evidence = (
            *found.evidence,
            f"there are {rows} rows in all; write at least {least}, so that search is a search",
        )
        found = found.model_copy(
            update={"passed": False, "evidence": evidence, "remedy": found.remedy or "write more rows"}
        )
    return found


def _declarations(package: Package, arguments: dict[str, Any]) -> Finding:
    """What tools say of themselves is true on these rows."""
    return declarations.check(package)


# ---------------------------------------------------------------- behaviours


def _aims(package: Package, arguments: dict[str, Any]) -> Finding:
    """Every example expects something of a tool that exists, and says where the expectation comes from."""
    enforced = {rule: tuple(tools) for rule, tools in arguments.get("enforced_by", {}).items()}
    return finding(
        "aims", aims(package, passages=arguments.get("passages", ()), enforced=enforced),
        figures={"behaviours": len(package.behaviours)}, remedy="correct behaviours.yaml",
    )  # fmt: skip


def _behaviours(package: Package, arguments: dict[str, Any]) -> Finding:
    """The examples, executed."""
    return behaviours.check(package)


Look = Callable[[Package, dict[str, Any]], Finding]
_LOOKS: dict[str, tuple[Look, ...]] = {
    "state": (_state,),
    "tools": (_state, _static, _tools),
    "data": (_state, _static, _tools, _data, _declarations),
    "basics": (_state, _static, _tools),
    "words": (_static,),
    "behaviours": (_static, _aims, _behaviours),
}
_FIRST = frozenset({_state, _static, _tools, _data})
"""Looks without which the following ones make no sense."""


# ---------------------------------------------------------------- rows from a script


def generate(channel: Channel, arguments: dict[str, Any]) -> None:
    """Run a script that defines `rows(random, base)`; sends `rows` by table, or an `error`."""
    source = arguments["script"]
    try:
        tree = ast.parse(source, filename="make_data.py")
        found = sorted(set(problems(tree)))
        if found:
            channel.send({"error": "\n".join(f"make_data.py:{line}: {problem}" for line, problem in found)})
            return
        module: dict[str, Any] = {"__name__": "make_data"}
        exec(compile(tree, "make_data.py", "exec"), module)
        made = module["rows"](Random(SCRIPT_SEED), arguments["base"])
        rows = {str(table): [dict(row) for row in made[table]] for table in made}
    except KeyError as error:
        told = "make_data.py defines no function rows(random, base)" if error.args == ("rows",) else traced(error)
        channel.send({"error": told})
    except Exception as error:  # noqa: BLE001 - it is told, in full, to whoever wrote the script
        channel.send({"error": traced(error)})
    else:
        channel.send({"rows": rows})


def traced(error: BaseException) -> str:
    """An error with the lines of the script that it passed through."""
    lines = [
        f"  make_data.py:{frame.lineno} in {frame.name}"
        for frame in traceback.extract_tb(error.__traceback__)
        if frame.filename == "make_data.py"
    ]
    return "\n".join(["".join(traceback.format_exception_only(error)).strip(), *lines])


# ---------------------------------------------------------------- tasks


def synth(channel: Channel, arguments: dict[str, Any]) -> None:
    """Make certified tasks; sends `tasks` as lines of tasks.jsonl, and why chains gave none."""
    from ..synthesize.pipeline import Recipe, Yield, chains_of, synthesise
    from ..verify.report import task_line

    package = Package(arguments["folder"], trusted=True)
    recipe = Recipe((arguments["folder"],), arguments["seed"], "medium")
    figures = Yield()
    try:
        made = [
            task_line(task)
            for task in synthesise(
                package, chains_of(package, recipe), recipe, arguments["count"], figures=figures,
                tell=lambda kept, wanted, chains: channel.send({"what": "tasks", "done": kept, "total": wanted}),
            )
        ]  # fmt: skip
    except EnvFactoryError as error:
        channel.send({"tasks": [], "rejected": {str(error): 1}})
        return
    rejected = {
        **dict(figures.rejected.most_common(8)),
        **{f"certificate: {row}": n for row, n in figures.failed.items()},
    }
    channel.send({"tasks": made, "rejected": rejected})
