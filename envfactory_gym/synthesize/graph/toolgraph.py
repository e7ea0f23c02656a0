"""The tool graph: which tool's result can be another tool's input, and what speaks for it.

It is made once per package (`build`), saved as JSON and read back to the same bytes. Samplers ask it a few
questions over and over, so those are answered from indexes; `network` gives the same graph to networkx.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Mapping
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pydantic import BaseModel, ConfigDict, ValidationError

from ...environment import Package, PackageError
from .records import Cure, InputNode, Link, OutputNode, ToolNode

if TYPE_CHECKING:
    import networkx

    from .execution import Budget
    from .proposals import Proposer
    from .sayable import Judge
    from .similarity import Similarity

FORMAT = 1
"""Version of the JSON form."""


class _File(BaseModel):
    """A saved graph."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    format: int
    packages: dict[str, str]
    similarity: str
    threshold: float
    executed: bool
    tools: tuple[ToolNode, ...]
    inputs: tuple[InputNode, ...]
    outputs: tuple[OutputNode, ...]
    links: tuple[Link, ...]
    cures: tuple[Cure, ...]


class ToolGraph:
    """Tools, what they take and return, links between them, and cures.

    Args:
        tools, inputs, outputs, links, cures: Its parts; every name in one part stands in the others.
        packages: Environment → package hash it was made from.
        similarity, threshold: The backend that scored links, and its threshold.
        executed: Whether links were executed.

    Raises:
        PackageError: A part names something that another part does not have, or stands twice.
    """

    def __init__(
        self,
        *,
        tools: Iterable[ToolNode],
        inputs: Iterable[InputNode] = (),
        outputs: Iterable[OutputNode] = (),
        links: Iterable[Link] = (),
        cures: Iterable[Cure] = (),
        packages: Mapping[str, str] | None = None,
        similarity: str = "none",
        threshold: float = 1.0,
        executed: bool = False,
    ) -> None:
        self.tools: dict[str, ToolNode] = {tool.name: tool for tool in tools}
        self.inputs: dict[tuple[str, str], InputNode] = {node.key: node for node in inputs}
        self.outputs: dict[tuple[str, str], OutputNode] = {node.key: node for node in outputs}
        self.links: tuple[Link, ...] = tuple(sorted(links, key=lambda link: link.key))
        self.cures: tuple[Cure, ...] = tuple(sorted(cures, key=lambda cure: (cure.writer, cure.tool, cure.reason)))
        self.packages = dict(sorted((packages or {}).items()))
        self.similarity, self.threshold, self.executed = similarity, threshold, executed
        self._check()

    def __repr__(self) -> str:
        return f"ToolGraph({len(self.tools)} tools, {len(self.links)} links, {len(self.cures)} cures)"

    @classmethod
    def build(
        cls,
        package: Package,
        *,
        similarity: str | Similarity = "lexical",
        execute: bool = True,
        seed: int = 0,
        budget: Budget | None = None,
        judge: Judge | None = None,
        proposer: Proposer | None = None,
        cache: bool = True,
    ) -> ToolGraph:
        """The graph of a package, or of a bundle of packages.

        Args:
            package: Whose tools. Its code runs where `execute` is set.
            similarity: A backend, or its name.
            execute: Whether links are executed; without it, declared and similar ones are believed.
            seed: For arguments where tools give no candidates.
            budget: How much is executed.
            judge: A model that says what users can provide, where only a name decided.
            proposer: A model that proposes links; execution decides on them.
            cache: Whether a graph of the same package, made the same way, is read from the user's cache folder.
        """
        from .build import build

        return build(
            package, similarity=similarity, execute=execute, seed=seed,
            budget=budget, judge=judge, proposer=proposer, cache=cache,
        )  # fmt: skip

    def _check(self) -> None:
        def known(kind: str, name: Any, among: Mapping[Any, Any]) -> None:
            if name not in among:
                raise PackageError(
                    f"the tool graph names {kind} {name!r}, which it does not have",
                    remedy="build it anew with `envfactory graph`",
                )

        for tool, _ in (*self.inputs, *self.outputs):
            known("the tool", tool, self.tools)
        for link in self.links:
            known("the output", (link.producer, link.output), self.outputs)
            known("the input", (link.consumer, link.input), self.inputs)
        for cure in self.cures:
            known("the tool", cure.writer, self.tools)
            known("the tool", cure.tool, self.tools)
        if len({link.key for link in self.links}) < len(self.links):
            raise PackageError("a link of the tool graph stands twice", remedy="build it anew with `envfactory graph`")

    # ------------------------------------------------------------ questions

    @cached_property
    def servers(self) -> tuple[str, ...]:
        """The environments, in order of their names."""
        return tuple(sorted({tool.server for tool in self.tools.values()}))

    @cached_property
    def inputs_of(self) -> dict[str, tuple[InputNode, ...]]:
        """Tool → what it takes."""
        found: dict[str, list[InputNode]] = {name: [] for name in self.tools}
        for node in self.inputs.values():
            found[node.tool].append(node)
        return {name: tuple(nodes) for name, nodes in found.items()}

    @cached_property
    def outputs_of(self) -> dict[str, tuple[OutputNode, ...]]:
        """Tool → what it returns."""
        found: dict[str, list[OutputNode]] = {name: [] for name in self.tools}
        for node in self.outputs.values():
            found[node.tool].append(node)
        return {name: tuple(nodes) for name, nodes in found.items()}

    @cached_property
    def links_into(self) -> dict[tuple[str, str], tuple[Link, ...]]:
        """Input (tool, path) → links a chain may rest on.

        What only repeats the producer's own input is left out, and what one would write for without need.
        """
        found: dict[tuple[str, str], list[Link]] = defaultdict(list)
        for link in self.links:
            output = self.outputs[link.producer, link.output]
            worthwhile = output.fresh or not self.tools[link.producer].writes
            if link.usable and output.echoes is None and worthwhile:
                found[link.consumer, link.input].append(link)
        return {key: tuple(links) for key, links in found.items()}

    @cached_property
    def successors(self) -> dict[str, tuple[str, ...]]:
        """Tool → tools that can use what it returns, or that it cures."""
        found: dict[str, set[str]] = {name: set() for name in self.tools}
        for links in self.links_into.values():
            for link in links:
                found[link.producer].add(link.consumer)
        for cure in self.cures:
            found[cure.writer].add(cure.tool)
        return {name: tuple(sorted(others)) for name, others in found.items()}

    @cached_property
    def cures_of(self) -> dict[str, tuple[Cure, ...]]:
        """Tool → cures of its refusals."""
        found: dict[str, list[Cure]] = defaultdict(list)
        for cure in self.cures:
            found[cure.tool].append(cure)
        return {name: tuple(cures) for name, cures in found.items()}

    @cached_property
    def network(self) -> networkx.DiGraph[Any]:
        """The whole graph for networkx: nodes ("tool" | "input" | "output", ...), edges with what is known of them."""
        from .network import network

        return network(self)

    # ------------------------------------------------------------ files

    def to_json(self) -> str:
        """The graph as JSON text; the same graph gives the same bytes."""
        content = _File(
            format=FORMAT,
            packages=self.packages,
            similarity=self.similarity,
            threshold=self.threshold,
            executed=self.executed,
            tools=tuple(self.tools.values()),
            inputs=tuple(self.inputs.values()),
            outputs=tuple(self.outputs.values()),
            links=self.links,
            cures=self.cures,
        ).model_dump(mode="json", exclude_defaults=True)
        return json.dumps(content, ensure_ascii=False, indent=1) + "\n"

    @classmethod
    def from_json(cls, text: str, *, file: str | Path | None = None) -> ToolGraph:
        """A graph from JSON text.

        Raises:
            PackageError: It is no graph, or of another format.
        """
        remedy = "build it anew with `envfactory graph`"
        try:
            content = json.loads(text)
            version = content.get("format") if isinstance(content, dict) else None
            if version != FORMAT:
                raise PackageError(
                    f"a tool graph of format {version!r}; this version reads format {FORMAT}", file=file, remedy=remedy
                )
            parts = dict(_File.model_validate(content))
        except (json.JSONDecodeError, ValidationError) as error:
            raise PackageError(f"not a tool graph: {error}", file=file, remedy=remedy) from None
        del parts["format"]
        return cls(**parts)

    def save(self, path: str | Path) -> None:
        """Write it as JSON, all or nothing."""
        target = Path(path)
        beside = target.with_name(target.name + ".part")
        beside.write_text(self.to_json(), encoding="utf-8")
        beside.replace(target)

    @classmethod
    def load(cls, path: str | Path) -> ToolGraph:
        """Read what `save` wrote.

        Raises:
            PackageError: The file is no graph, or of another format.
        """
        return cls.from_json(Path(path).read_text(encoding="utf-8"), file=path)
