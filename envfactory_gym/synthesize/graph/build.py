"""How a tool graph is made: nodes from schemas, links from declarations and similarity, verdicts from execution."""

from __future__ import annotations

import os
import tempfile
from collections import defaultdict
from collections.abc import Iterable, Mapping
from hashlib import blake2b
from pathlib import Path
from typing import Any

from ...environment import Bundle, EnvFactoryError, Package, Tool
from ...environment.qualified import SEPARATOR
from ...world import Template
from ...world.image import cache_folder
from .cures import CureSearch
from .execution import Budget, Trials
from .flatten import leaves
from .proposals import Proposer, proposed
from .records import Cure, InputNode, Link, OutputNode, ToolNode
from .sayable import Judge, Sayable, judged
from .similarity import Similarity, Text
from .similarity import similarity as backend
from .toolgraph import FORMAT, ToolGraph
from .words import PAGING, subject

REVISION = 4
"""Raised when the same package would give another graph, so that cached ones are not read."""

SHARED = 2
"""Different telling values that must be equal for a link that nothing but execution speaks for."""


def build(
    package: Package,
    *,
    similarity: str | Similarity,
    execute: bool,
    seed: int,
    budget: Budget | None,
    judge: Judge | None,
    proposer: Proposer | None,
    cache: bool,
) -> ToolGraph:
    """See `ToolGraph.build`."""
    by = backend(similarity) if isinstance(similarity, str) else similarity
    limits = budget or Budget()
    kept = None
    if cache and judge is None and proposer is None:
        made_how = (FORMAT, REVISION, package.package_hash, by.name, by.threshold, execute, seed, limits)
        name = blake2b(repr(made_how).encode(), digest_size=16).hexdigest()
        kept = cache_folder() / f"graph-{name}.json"
        if (found := _cached(kept)) is not None:
            return found
    graph = _made(package, by, execute, seed, limits, judge, proposer)
    if kept is not None:
        _keep(kept, graph)
    return graph


def _made(
    package: Package,
    by: Similarity,
    execute: bool,
    seed: int,
    budget: Budget,
    judge: Judge | None,
    proposer: Proposer | None,
) -> ToolGraph:
    tools = [tool for tool in package.tools.values() if tool.actor != "episode"]
    nodes = [_node(package, tool) for tool in tools]
    rules = Sayable(package)
    inputs = judged((node for tool in tools for node in _inputs(tool, rules, package)), judge)
    outputs = [node for tool in tools for node in _outputs(tool)]
    links = _declared(inputs, outputs) | _similar(inputs, outputs, by)
    if proposer is not None:
        by_input, by_output = {node.key: node for node in inputs}, {node.key: node for node in outputs}
        for link in proposed(proposer(nodes, inputs, outputs), by_input, by_output):
            links[link.key] = links.get(link.key, link).model_copy(update={"proposed": True})
    cures: list[Cure] = []
    if execute:
        outputs, links, cures = _executed(package, inputs, outputs, links, budget, seed)
    else:
        outputs = _assumed(package, inputs, outputs)
    return ToolGraph(
        tools=nodes,
        inputs=inputs,
        outputs=outputs,
        links=links.values(),
        cures=cures,
        packages=_hashes(package),
        similarity=by.name,
        threshold=by.threshold,
        executed=execute,
    )


# ---------------------------------------------------------------- nodes


def _node(package: Package, tool: Tool) -> ToolNode:
    server = tool.prefix.removesuffix(SEPARATOR) if tool.prefix else package.name
    return ToolNode(
        name=tool.name,
        server=server,
        actor=tool.actor,
        writes=tool.writes,
        destructive=tool.destructive,
        description=tool.description,
    )


def _inputs(tool: Tool, rules: Sayable, package: Package) -> Iterable[InputNode]:
    for parameter in tool.parameters:
        refs: dict[str, str] = {}
        _collect(parameter.schema, parameter.name, refs)
        for leaf in leaves(parameter.schema, path=parameter.name, lists_whole=True):
            ref = parameter.ref if leaf.path == parameter.name else _target(refs.get(leaf.path), tool, package)
            source, why = rules.decide(tool, leaf, ref, required=parameter.required)
            yield InputNode(
                tool=tool.name,
                path=leaf.path,
                type=leaf.type,
                required=parameter.required and leaf.required,
                ref=ref,
                description=leaf.description,
                source=source,
                why=why,
            )


def _target(ref: str | None, tool: Tool, package: Package) -> str | None:
    """A `Ref` target inside a schema; in a bundle, a column carries its environment's prefix, a shared key does not."""
    prefixed = f"{tool.prefix}{ref}"
    return prefixed if ref and prefixed.partition(".")[0] in package.schema.tables else ref


def _collect(schema: Any, path: str, found: dict[str, str]) -> None:
    """Places inside a structured argument that name something, as `Tool.outputs` has them for results."""
    if not isinstance(schema, Mapping):
        return
    if "x-ref" in schema:
        found[path] = str(schema["x-ref"])
    for name, child in schema.get("properties", {}).items():
        _collect(child, f"{path}.{name}", found)
    if isinstance(schema.get("items"), Mapping):
        _collect(schema["items"], f"{path}[]", found)
    for child in schema.get("anyOf", ()):
        _collect(child, path, found)


def _outputs(tool: Tool) -> Iterable[OutputNode]:
    for leaf in leaves(tool.output_schema):
        yield OutputNode(
            tool=tool.name,
            path=leaf.path,
            type=leaf.type,
            ref=tool.outputs.get(leaf.path),
            description=leaf.description,
        )


def _assumed(package: Package, inputs: list[InputNode], outputs: list[OutputNode]) -> list[OutputNode]:
    """Outputs with what is likely without execution.

    What is called and means the same as an input of its tool repeats it; a write made what names a row of a
    table it writes, unless it was given the like.
    """
    named = {(node.tool, node.path, node.ref) for node in inputs}
    given = {(node.tool, node.ref) for node in inputs}
    found = []
    for node in outputs:
        table = (node.ref or "").partition(".")[0]
        echo = node.path if (node.tool, node.path, node.ref) in named else None
        new = table in package.tools[node.tool].writes and (node.tool, node.ref) not in given
        found.append(node.model_copy(update={"echoes": echo, "fresh": new}))
    return found


# ---------------------------------------------------------------- links

_Links = dict[tuple[str, str, str, str], Link]


def _declared(inputs: list[InputNode], outputs: list[OutputNode]) -> _Links:
    by_ref: dict[str, list[OutputNode]] = defaultdict(list)
    for output in outputs:
        if output.ref:
            by_ref[output.ref].append(output)
    found: _Links = {}
    for wanted in inputs:
        for output in by_ref.get(wanted.ref or "", ()):
            if output.tool != wanted.tool:
                link = _link(output, wanted, declared=True)
                found[link.key] = link
    return found


def _similar(inputs: list[InputNode], outputs: list[OutputNode], by: Similarity) -> _Links:
    """Links of all pairs whose score is above the threshold, and declared ones with theirs.

    Only inputs that name something are looked at. That two tools know the same statuses, or both take some text,
    makes neither need the other.
    """
    wanted = [node for node in inputs if node.ref or node.source == "call"]
    wanted = [node for node in wanted if node.path.rpartition(".")[2] not in PAGING]
    given = [node for node in outputs if node.type != "boolean" and node.path.rpartition(".")[2] not in PAGING]
    texts_in = [_text(node) for node in wanted]
    texts_out = [_text(node) for node in given]
    columns, rows = sorted(set(texts_in)), sorted(set(texts_out))
    if not columns or not rows:
        return {}
    scores = by.scores(rows, columns)
    row_of, column_of = {text: at for at, text in enumerate(rows)}, {text: at for at, text in enumerate(columns)}
    declared = _declared(inputs, outputs)
    found: _Links = {}
    for output, output_text in zip(given, texts_out, strict=True):
        row = scores[row_of[output_text]]
        for node, text in zip(wanted, texts_in, strict=True):
            score = row[column_of[text]]
            if score > by.threshold and output.tool != node.tool:
                link = _link(output, node, similar=round(min(score, 1.0), 4))
                found[link.key] = link.model_copy(update={"declared": link.key in declared})
    return found


def _text(node: InputNode | OutputNode) -> Text:
    return Text(name=node.path, type=node.type, description=node.description, subject=" ".join(subject(node.tool)))


def _link(output: OutputNode, wanted: InputNode, **evidence: Any) -> Link:
    return Link(producer=output.tool, output=output.path, consumer=wanted.tool, input=wanted.path, **evidence)


# ---------------------------------------------------------------- execution


def _executed(
    package: Package,
    inputs: list[InputNode],
    outputs: list[OutputNode],
    links: _Links,
    budget: Budget,
    seed: int,
) -> tuple[list[OutputNode], _Links, list[Cure]]:
    """Outputs with what they echo, links with verdicts, and cures, from calls in a world of their own."""
    taken, returned = _by_tool(package, inputs), _by_tool(package, outputs)
    template = Template.of(package)
    world = template.acquire(seed=seed)
    try:
        trials = Trials(package, world, taken, returned, budget=budget, seed=seed)
        fresh = {tool.name: trials.fresh(tool.name) for tool in package.tools.values() if tool.writes}
        outputs = [
            node.model_copy(update={"echoes": trials.echo(node), "fresh": node.path in fresh.get(node.tool, ())})
            for node in outputs
        ]
        by_output, by_input = {node.key: node for node in outputs}, {node.key: node for node in inputs}
        links = _discovered(trials, inputs, outputs) | links
        verdicts: _Links = {}
        after: dict[str, list[Link]] = defaultdict(list)
        for key, link in sorted(links.items()):
            output = by_output[link.producer, link.output]
            if output.echoes is not None:
                verdicts[key] = link
            elif trials.tools[link.producer].writes:
                if not output.fresh:
                    continue  # nobody writes to look something up
                after[link.producer].append(link)
            else:
                verdicts[key] = trials.lookup(link, output, by_input[link.consumer, link.input])
        for producer, some in sorted(after.items()):
            for link in trials.after_write(producer, some):
                verdicts[link.key] = link
        # What neither declaration nor names speak for stays only where it was accepted.
        links = {key: link for key, link in verdicts.items() if link.evidence}
        return outputs, links, CureSearch(trials, links.values()).run()
    finally:
        template.release(world)


def _by_tool(package: Package, nodes: Iterable[Any]) -> dict[str, list[Any]]:
    found: dict[str, list[Any]] = {name: [] for name in package.tools}
    for node in nodes:
        found[node.tool].append(node)
    return found


def _discovered(trials: Trials, inputs: list[InputNode], outputs: list[OutputNode]) -> _Links:
    """Links of lookups' outputs and inputs that hold several equal, telling values. Execution has the last word."""
    found: _Links = {}
    for wanted in inputs:
        if wanted.why in ("choice", "paging", "number") or wanted.type in ("date", "date-time", "boolean"):
            continue
        for output in outputs:
            if output.tool == wanted.tool or output.echoes or trials.tools[output.tool].writes:
                continue
            if output.type == wanted.type and trials.shared_values(output, wanted) >= SHARED:
                link = _link(output, wanted)
                found[link.key] = link
    return found


# ---------------------------------------------------------------- cache


def _hashes(package: Package) -> dict[str, str]:
    members = package.packages if isinstance(package, Bundle) else (package,)
    return {member.name: member.package_hash for member in members}


def _cached(path: Path) -> ToolGraph | None:
    if not path.exists():
        return None
    try:
        return ToolGraph.load(path)
    except EnvFactoryError:  # cut off or of another time; it is made anew
        return None


def _keep(path: Path, graph: ToolGraph) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, beside = tempfile.mkstemp(dir=path.parent, prefix=path.stem, suffix=".part")
    with os.fdopen(handle, "w", encoding="utf-8") as file:
        file.write(graph.to_json())
    Path(beside).replace(path)
