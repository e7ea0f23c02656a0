"""Cures: writes after which a call that was refused is accepted, found by making both.

`update_contact` is refused until `verify_identity`, which is refused until `send_verification_code`. A
write is tried about the same things as the refused call (the same customer); what it needs beyond that is
asked for on the way (the code, of `read_verification_code`). The refused call is then made again with the same
arguments, but for those that only another tool can tell, which are asked for anew.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from ...environment import EnvironmentFault, ToolError
from .execution import Trials, spread
from .flatten import put_at, values_at
from .records import Cure, InputNode, Link

ROUNDS = 3
"""Cures that need cures: how deep they may stand on each other."""

ASSEMBLED = 3
"""Argument objects tried for one write."""


class CureSearch:
    """Looks for cures with what execution has shown already.

    Args:
        trials: Calls and their results.
        links: Links of the graph; usable ones tell where a missing argument can be had.
    """

    def __init__(self, trials: Trials, links: Iterable[Link]) -> None:
        self._trials = trials
        self._into: dict[tuple[str, str], list[Link]] = {}
        for link in links:
            if link.usable and not trials.tools[link.producer].writes:
                self._into.setdefault((link.consumer, link.input), []).append(link)
        self._found: dict[tuple[str, str, str], Cure] = {}

    def run(self) -> list[Cure]:
        """All cures, by writer, tool and reason. Found ones help to find more, for a few rounds."""
        for _ in range(ROUNDS):
            before = len(self._found)
            for tool in self._trials.tools:
                self._look(tool)
            if len(self._found) == before:
                break
        return [self._found[key] for key in sorted(self._found)]

    def _look(self, tool: str) -> None:
        reasons: dict[str, list[dict[str, Any]]] = {}
        for reason, arguments in self._trials.refused[tool]:
            reasons.setdefault(reason, []).append(arguments)
        for reason, examples in reasons.items():
            chosen = [
                arguments
                for arguments in spread(examples, self._trials.budget.tries)
                if self._trials.tried(tool, arguments) is None
            ]
            for writer in self._trials.tools.values():
                key = writer.name, tool, reason
                if not chosen or not writer.writes or writer.name == tool or key in self._found:
                    continue
                shared = [self._cures(writer.name, tool, arguments) for arguments in chosen]
                cured = [one for one in shared if one]
                if cured:
                    self._found[key] = Cure(
                        writer=writer.name, tool=tool, reason=reason,
                        shared=cured[0], tried=len(chosen), cured=len(cured),
                    )  # fmt: skip

    def _cures(self, writer: str, tool: str, refused: Mapping[str, Any]) -> tuple[str, ...]:
        """The inputs that the two calls share where the write cures the other one; none where it does not."""
        context = self._trials.known(tool, refused)
        shared = self._shared(writer, tool, refused)
        if not shared:
            return ()
        if self._again(tool, refused, context):
            return ()  # it was only asked wrongly
        with self._trials.world.trial():
            if self._first(writer, context) or self._made_after(writer, tool, refused, context):
                return shared if self._again(tool, refused, context) else ()
        return ()

    def _shared(self, writer: str, tool: str, refused: Mapping[str, Any]) -> tuple[str, ...]:
        needed = {node.ref for node in self._trials.inputs[writer] if node.ref and node.required}
        return tuple(
            node.path for node in self._trials.inputs[tool] if node.ref in needed and values_at(refused, node.path)
        )

    def _made_after(self, writer: str, tool: str, refused: Mapping[str, Any], context: Mapping[str, Any]) -> bool:
        """Whether the write can be made after what cures it, which does not by itself cure the refused call."""
        for helper in self._helpers(writer, (tool,)):
            point = self._trials.world.checkpoint()
            if (
                self._made(helper, context, (tool, writer))
                and not self._again(tool, refused, context)
                and self._first(writer, context)
            ):
                return True
            self._trials.world.restore(point)
        return False

    def _made(self, writer: str, context: Mapping[str, Any], above: Sequence[str]) -> bool:
        """Whether a write can be made now, where need be after what cures it; its effects stay."""
        if self._first(writer, context):
            return True
        for helper in self._helpers(writer, above):
            point = self._trials.world.checkpoint()
            if self._made(helper, context, (*above, writer)) and self._first(writer, context):
                return True
            self._trials.world.restore(point)
        return False

    def _helpers(self, writer: str, above: Sequence[str]) -> list[str]:
        return sorted({cure.writer for cure in self._found.values() if cure.tool == writer} - {*above, writer})

    def _first(self, tool: str, context: Mapping[str, Any]) -> bool:
        return any(self._call(tool, arguments) for arguments in self._assembled(tool, context))

    def _call(self, tool: str, arguments: Mapping[str, Any]) -> bool:
        try:
            self._trials.call(tool, arguments)
        except (ToolError, EnvironmentFault):
            return False
        return True

    def _assembled(self, tool: str, context: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
        """Arguments about the things of the context: like accepted ones, with all that names something replaced."""
        models: list[dict[str, Any]] = []
        for played in self._trials.accepted[tool]:
            rest = {name: value for name, value in played.arguments.items() if name not in self._bound(tool)}
            if rest not in models:
                models.append(rest)
            if len(models) == ASSEMBLED:
                break
        bound: dict[str, Any] = {}
        for node in self._trials.inputs[tool]:
            if node.path != node.argument:
                continue
            if node.ref is not None and node.ref in context:
                bound[node.path] = context[node.ref]
            elif node.required and node.source == "call":
                told = self._told(node, context)
                if told is None:
                    return
                bound[node.path] = told
        for rest in models or [{}]:
            yield {**rest, **bound}

    def _bound(self, tool: str) -> set[str]:
        return {node.path for node in self._trials.inputs[tool] if node.ref or node.source == "call"}

    def _told(self, node: InputNode, context: Mapping[str, Any]) -> Any:
        """What a lookup about the context returns now, to be given as an input; None where none can tell."""
        for link in self._into.get(node.key, ()):
            about = self._trials.about(link.producer, context)
            if about is None:
                continue
            try:
                result = self._trials.call(link.producer, about)
            except (ToolError, EnvironmentFault):
                continue
            if values := values_at(result, link.output):
                return values[0]
        return None

    def _again(self, tool: str, refused: Mapping[str, Any], context: Mapping[str, Any]) -> bool:
        """Whether a refused call is accepted now, also with what is told anew."""
        if self._trials.tried(tool, refused):
            return True
        fresh = dict(refused)
        for node in self._trials.inputs[tool]:
            if node.source == "call" and node.ref is None and values_at(refused, node.path):
                told = self._told(node, context)
                if told is not None:
                    fresh = put_at(fresh, node.path, told)
        return fresh != refused and self._trials.tried(tool, fresh) is not None
