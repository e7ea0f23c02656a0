"""How one environment's things are called where several environments meet.

There is one rule: `airline__` stands before the name, for tools, tables, slots, phrase tables and
user tools' reports alike; only rules read `airline/confirm`, as a policy is prose. So a column is
`airline__flights.departs_at`, and whatever splits `table.column` goes on to work. Keys shared by
environments (`universe.person`) keep their name.

SQL is written for one database. A query says which by the same prefix, on a table or anywhere else
in it (`/* airline__ */ SELECT ...`), and `routed` takes the prefix off before it runs.
"""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Callable, Collection, Mapping
from dataclasses import replace
from functools import cached_property
from typing import Any

from .columns import Column, Schema, Table
from .errors import EnvironmentFault, PackageError
from .language import Language, Policy
from .package import Package
from .tool import MAX_NAME, Parameter, Tool

SEPARATOR = "__"

_RULE_LINE = re.compile(r"^(\s*[-*]\s+\[)([a-z0-9][a-z0-9-]*)(\])", re.MULTILINE)


def prefix_of(name: str) -> str:
    """What stands before the names of an environment: `airline__`."""
    return f"{name}{SEPARATOR}"


def marked(name: str, sql: str) -> str:
    """A query, marked as one on an environment's database."""
    return f"/* {prefix_of(name)} */ {sql}"


def routed(sql: str, names: Collection[str]) -> tuple[str, str]:
    """The environment that a query is for, and the query as that environment understands it.

    Text in single quotes is left alone.

    Raises:
        EnvironmentFault: It names no environment, or several.
    """
    ordered = sorted(names, key=len, reverse=True)
    found: dict[str, None] = {}

    def strip(match: re.Match[str]) -> str:
        if match.group(1) is None:
            return match.group(0)
        found[match.group(1)] = None
        return ""

    pattern = rf"'(?:[^']|'')*'|(?<!\w)({'|'.join(map(re.escape, ordered))}){SEPARATOR}"
    plain = re.sub(pattern, strip, sql)
    if len(found) == 1:
        return next(iter(found)), plain
    example = prefix_of(ordered[-1])
    problem = f"names several environments ({', '.join(found)})" if found else "does not say which environment it reads"
    raise EnvironmentFault(
        f"this query {problem}; it reads one, named by a prefix such as {example} on its tables: {sql}"
    )


class Names:
    """The names of one package's things inside a bundle.

    Args:
        package: The environment.
    """

    def __init__(self, package: Package) -> None:
        self.package, self.name, self.prefix = package, package.name, prefix_of(package.name)

    # ------------------------------------------------------------ tools

    def tools(self) -> dict[str, Tool]:
        """The environment's tools under their prefixed names.

        Raises:
            PackageError: A name becomes too long.
        """
        return {self.prefix + name: self._tool(tool) for name, tool in self.package.tools.items()}

    def _tool(self, tool: Tool) -> Tool:
        name = self.prefix + tool.name
        if len(name) > MAX_NAME:
            raise PackageError(
                f"the tool {tool.name!r} of {self.name} would be called {name!r} beside other environments, "
                f"which is {len(name)} characters long; {MAX_NAME} is the most",
                file=self.package.path / "server.py", key=tool.name, remedy="give the tool a shorter name",
            )  # fmt: skip
        return replace(
            tool,
            name=name,
            prefix=self.prefix,
            description=self.text(tool.description),
            input_schema=self._described(tool.input_schema),
            output_schema=self._described(tool.output_schema),
            parameters=tuple(self._parameter(parameter) for parameter in tool.parameters),
            writes=tuple(self.prefix + table for table in tool.writes),
            candidates=marked(self.name, tool.candidates) if tool.candidates else None,
            refused={self.rule(reason): marked(self.name, sql) for reason, sql in tool.refused.items()},
            outputs={path: self.target(target) for path, target in tool.outputs.items()},
        )

    def _parameter(self, parameter: Parameter) -> Parameter:
        return replace(
            parameter,
            schema=self._described(parameter.schema),
            description=self.text(parameter.description),
            ref=self.target(parameter.ref) if parameter.ref else None,
        )

    def target(self, target: str) -> str:
        """A `Ref` target: a column of this environment is prefixed, a shared key is not."""
        return self.prefix + target if target.partition(".")[0] in self.package.schema.tables else target

    def rule(self, reason: str) -> str:
        """A refusal's reason: `airline/confirm` where it is a rule of the policy, else as it is."""
        return f"{self.name}/{reason}" if reason in self.package.policy.rules else reason

    # ------------------------------------------------------------ prose

    @cached_property
    def text(self) -> Callable[[str], str]:
        """Renames the tools and rules of this environment in prose: those with `_`, and those in backticks."""
        tools = sorted(self.package.tools, key=len, reverse=True)
        rules = sorted(self.package.policy.rules, key=len, reverse=True)
        plain = [re.escape(tool) for tool in tools if "_" in tool]
        patterns = [rf"(?P<quoted>(?<=`)(?:{'|'.join(map(re.escape, tools))})(?=`))"]
        if plain:
            patterns.append(rf"(?P<plain>(?<!\w)(?:{'|'.join(plain)})(?!\w))")
        if rules:
            patterns.append(rf"(?P<rule>(?<=[`\[])(?:{'|'.join(map(re.escape, rules))})(?=[`\]]))")
        pattern = re.compile("|".join(patterns))

        def renamed(match: re.Match[str]) -> str:
            return f"{self.name}/{match[0]}" if match.lastgroup == "rule" else self.prefix + match[0]

        return lambda text: pattern.sub(renamed, text)

    def _described(self, schema: Any) -> Any:
        """A JSON schema whose descriptions speak of the prefixed names."""
        if isinstance(schema, Mapping):
            return {
                key: self.text(child) if key == "description" and isinstance(child, str) else self._described(child)
                for key, child in schema.items()
            }
        return [self._described(item) for item in schema] if isinstance(schema, list) else schema

    def policy(self) -> Policy:
        """The policy with its rules under their prefixed ids."""
        policy = self.package.policy
        text = self.text(_RULE_LINE.sub(rf"\g<1>{self.name}/\g<2>\g<3>", policy.text))
        return Policy(text, {f"{self.name}/{rule}": self.text(words) for rule, words in policy.rules.items()})

    def language(self) -> Language:
        """How people talk about this environment, by prefixed names."""
        spoken = self.package.language
        return Language.model_validate(
            {
                field: {self.prefix + key: value for key, value in getattr(spoken, field).items()}
                for field in Language.model_fields
            }
        )

    # ------------------------------------------------------------ tables

    def tables(self) -> dict[str, Table]:
        """The tables under their prefixed names."""
        return {self.prefix + name: self._table(table) for name, table in self.package.schema.tables.items()}

    def _table(self, table: Table) -> Table:
        columns = tuple(self._column(column) for column in table.columns)
        # Made anew, since a copy would carry what the other one has cached.
        return Table(**{**dict(table), "name": self.prefix + table.name, "columns": columns})

    def _column(self, column: Column) -> Column:
        if column.references is None:
            return column
        return column.model_copy(update={"references": self.prefix + column.references})

    def ddl(self) -> str:
        """The tables' SQL under their prefixed names; indexes, triggers and views are left out."""
        schema: Schema = self.package.schema
        connection = sqlite3.connect(":memory:")
        try:
            connection.executescript(schema.ddl)
            for kind in ("trigger", "view"):
                for (found,) in connection.execute("SELECT name FROM sqlite_schema WHERE type = ?", (kind,)).fetchall():
                    connection.execute(f'DROP {kind} "{found}"')
            parts = []
            for name in schema.tables:
                connection.execute(f'ALTER TABLE "{name}" RENAME TO "{self.prefix}{name}"')
            for name, table in schema.tables.items():
                query = "SELECT sql FROM sqlite_schema WHERE type = 'table' AND name = ?"
                ((sql,),) = connection.execute(query, (self.prefix + name,)).fetchall()
                parts.append((f"-- {table.comment}\n" if table.comment else "") + f"{sql};")
            return "\n\n".join(parts) + "\n"
        finally:
            connection.close()
