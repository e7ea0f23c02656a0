"""`envfactory show`: what one environment is, one of its tools, or one of its tasks.

Shows what may be public; `--gold` opens the graded parts of a task, which is the only way to see them here.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

import typer

from .output import JSON_OPTION, console, counted, emit_json, heading, say, table

if TYPE_CHECKING:
    from envfactory_gym.environment import Package, TaskPrivate, Tool


def show(
    name: str = typer.Argument(metavar="NAME", help="Name, id or folder of an environment."),
    task: str | None = typer.Option(None, help="Show this task."),
    tool: str | None = typer.Option(None, help="Show this tool with its schemas."),
    gold: bool = typer.Option(
        False, "--gold", help="With --task: show the later turns, the solution and its certificate, too."
    ),
    policy: bool = typer.Option(False, "--policy", help="Show the policy's text."),
    as_json: bool = JSON_OPTION,
) -> None:
    """Show an environment: its tools, tables, rules and tasks."""
    from envfactory_gym.environment import PackageError, TaskError, load_package

    package = load_package(name)
    if gold and task is None:
        raise TaskError("--gold shows the solution of a task; name the task with --task")
    if sum((task is not None, tool is not None, policy)) > 1:
        raise PackageError("--task, --tool and --policy each show one thing", remedy="give one of them")
    if task is not None:
        _show_task(package, package.task(task), gold, as_json)
    elif tool is not None:
        if tool not in package.tools:
            raise PackageError(f"{package.name} has no tool {tool!r}; it has: {', '.join(package.tools)}")
        _show_tool(package.tools[tool], as_json)
    elif policy:
        _show_policy(package, as_json)
    else:
        _show_package(package, as_json)


def _tools(package: Package) -> list[Tool] | None:
    """The tools, or None where nobody has verified the code that would have to be imported."""
    from envfactory_gym.environment import UntrustedPackageError

    try:
        return list(package.tools.values())
    except UntrustedPackageError:
        return None


def _show_package(package: Package, as_json: bool) -> None:
    manifest, report, tools = package.manifest, package.report or {}, _tools(package)
    tier = report.get("tier", "draft") if report.get("package_hash") == package.package_hash else "draft"
    if as_json:
        emit_json(
            {
                **manifest.model_dump(mode="json"),
                "id": package.id,
                "path": str(package.path),
                "tier": tier,
                "trusted": tools is not None,
                "tools": [_tool_record(tool) for tool in tools or ()],
                "tables": {name: len(package.rows(name)) for name in package.schema.tables},
                "rules": package.policy.rules,
                "tasks": [task.public().model_dump(mode="json") for task in package.tasks],
                "world_hash": package.world_hash,
                "rules_hash": package.rules_hash,
                "package_hash": package.package_hash,
            }
        )
        return
    screen = console()
    screen.print(heading(f"{manifest.title}  ({package.id}, version {manifest.version}, {tier})"))
    say(screen, manifest.summary)
    say(screen, f"It is {manifest.clock} there. Files: {package.path}")
    for source in manifest.sources:
        say(screen, f"Source: {source.title} ({source.licence}) {source.url or ''}")

    screen.print(heading("Tools"))
    if tools is None:
        remedy = f"`envfactory verify {package.path}`"
        say(screen, f"Not imported, since nobody verified this code here: {remedy}.")
    else:
        screen.print(table(("tool", "does", "writes"), [_tool_row(tool) for tool in tools]))

    screen.print(heading("Tables"))
    rows = [(name, len(package.rows(name)), t.comment or None) for name, t in package.schema.tables.items()]
    screen.print(table(("table", "rows", "holds"), rows, right=["rows"]))

    if package.policy.rules:
        screen.print(heading("Rules"))
        screen.print(table(("rule", "says"), package.policy.rules.items()))

    screen.print(heading("Tasks"))
    tasks = [(t.id, t.split, len(t.turns), ", ".join(t.kinds) or None, t.turns[0].request) for t in package.tasks]
    if tasks:
        screen.print(table(("task", "split", "turns", "kinds", "first request"), tasks, right=["turns"]))
    splits = Counter(t.split for t in package.tasks)
    say(screen, f"{counted(len(tasks), 'task')}" + "".join(f", {splits[s]} {s}" for s in sorted(splits)) + ".")


def _first_sentence(text: str) -> str:
    return text.split(". ")[0].rstrip(".") + "."


def _tool_row(tool: Tool) -> tuple[str, str, str | None]:
    arguments = ", ".join(p.name if p.required else f"{p.name}?" for p in tool.parameters)
    return f"{tool.name}({arguments})", _first_sentence(tool.description), ", ".join(tool.writes) or None


def _tool_record(tool: Tool) -> dict[str, Any]:
    return {
        "name": tool.name,
        "description": tool.description,
        "actor": tool.actor,
        "writes": list(tool.writes),
        "destructive": tool.destructive,
        "idempotent": tool.idempotent,
        "input_schema": tool.input_schema,
        "output_schema": tool.output_schema,
    }


def _show_tool(tool: Tool, as_json: bool) -> None:
    if as_json:
        emit_json(_tool_record(tool))
        return
    screen = console()
    screen.print(heading(tool.name))
    say(screen, tool.description)
    marks = [word for word, true in (("destructive", tool.destructive), ("idempotent", tool.idempotent)) if true]
    writes = f"writes {', '.join(tool.writes)}" if tool.writes else "only reads"
    say(screen, "; ".join([f"Called by the {tool.actor}", writes, *marks]) + ".")
    screen.print(heading("Arguments"))
    rows = [(p.name, "yes" if p.required else None, _type(p.schema), p.description, p.ref) for p in tool.parameters]
    screen.print(table(("argument", "required", "type", "means", "names"), rows))
    screen.print(heading("Result"))
    screen.print_json(data=tool.output_schema)


def _type(schema: Any) -> str:
    """A JSON schema in a few words."""
    if "enum" in schema:
        return " | ".join(map(str, schema["enum"]))
    if "anyOf" in schema:
        return " | ".join(_type(part) for part in schema["anyOf"])
    if schema.get("type") == "array":
        return f"list of {_type(schema.get('items', {}))}"
    return str(schema.get("type", "any"))


def _show_policy(package: Package, as_json: bool) -> None:
    if as_json:
        emit_json({"text": package.policy.text, "rules": package.policy.rules})
    else:
        say(console(), package.policy.text or f"{package.name} has no policy.")


def _show_task(package: Package, task: TaskPrivate, gold: bool, as_json: bool) -> None:
    if as_json:
        emit_json((task if gold else task.public()).model_dump(mode="json"))
        return
    screen = console()
    kinds = f" · {', '.join(task.kinds)}" if task.kinds else ""
    screen.print(heading(f"{task.id}  ({package.id} · {task.split} · {counted(len(task.turns), 'turn')}{kinds})"))
    say(screen, f"{task.user.name}. {task.user.persona}".strip())
    if not gold:
        say(screen, f"\n“{task.turns[0].request}”\n")
        say(screen, "`--gold` shows the later turns and the solution; `envfactory play` lets you try first.")
        return
    for number, turn in enumerate(task.turns, start=1):
        screen.print(heading(f"Turn {number}"))
        say(screen, f"“{turn.request}”")
        for step in turn.gold:
            for call in step.calls:
                arguments = ", ".join(f"{name}={value!r}" for name, value in call.arguments.items())
                say(screen, f"  -> {call.tool}({arguments})")
            if step.say:
                say(screen, f"  agent: {step.say}")
            if step.expect in ("tells", "affirms"):
                say(screen, f"  user {step.expect} {', '.join(step.slots)}".rstrip())
    if task.twin:
        say(screen, f"\nTwin: {task.twin} (the same words on the other side of a rule)")
    if task.certificate:
        screen.print(heading("Certificate"))
        screen.print_json(data=task.certificate)
