"""Tables and columns as `schema.sql` declares them, with the policy under which each is compared.

A policy stands at the end of a column's line: `note TEXT, -- why; compare: text(ignored)`.
Without one, a policy is inferred: an `INTEGER PRIMARY KEY` is `generated`, the rest is `exact`.
The policies are those of docs/proofs.md, "Compare".
"""

from __future__ import annotations

import json
import re
import sqlite3
from collections.abc import Mapping
from fractions import Fraction
from functools import cached_property
from math import inf
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict

from .errors import PackageError

PolicyKind = Literal["exact", "number", "text", "time", "one_of", "where", "generated", "ignore"]


class ColumnPolicy(BaseModel):
    """How two values of a column are compared.

    `exact` equal · `number(quantum)` equal after rounding to the quantum · `text(ignored)` never
    compared · `text(contains)` must contain the turn's answers · `time(seconds)` within a window ·
    `one_of([..])` any of the values · `where(SQL)` the expression holds for the row ·
    `generated` a surrogate key, compared up to renaming · `ignore` never compared.
    """

    model_config = ConfigDict(frozen=True)

    kind: PolicyKind
    quantum: float | None = None
    contains: bool = False
    window: int | None = None
    values: tuple[Any, ...] = ()
    sql: str | None = None

    @property
    def in_colour(self) -> bool:
        """Whether equal values are required, so that the value may be hashed."""
        return self.kind in ("exact", "number")

    def canonical(self, value: Any) -> Any:
        """The value as it enters a comparison by equality: under `number` in quanta, infinities as they are."""
        if self.kind != "number" or not isinstance(value, (int, float)) or not self.quantum or value in _INFINITIES:
            return value
        try:
            return round(value / self.quantum)
        except OverflowError:  # so many quanta are too many for a float
            return round(Fraction(value) / Fraction(self.quantum))

    def __str__(self) -> str:
        match self.kind:
            case "number":
                return f"number({self.quantum!r})"
            case "text":
                return "text(contains)" if self.contains else "text(ignored)"
            case "time":
                return f"time({self.window})"
            case "one_of":
                return f"one_of({json.dumps(list(self.values))})"
            case "where":
                return f"where({self.sql})"
            case _:
                return self.kind


EXACT = ColumnPolicy(kind="exact")
GENERATED = ColumnPolicy(kind="generated")

_INFINITIES = (inf, -inf)
_POLICY = re.compile(r"^(\w+)(?:\((.*)\))?$", re.DOTALL)


def parse_policy(text: str) -> ColumnPolicy:
    """Read a policy such as `number(0.01)` or `text(ignored)`.

    Raises:
        ValueError: The text is not a policy; the message says which forms exist.
    """
    match = _POLICY.match(text.strip())
    name, inside = (match.group(1), match.group(2)) if match else (text, None)
    if name in ("exact", "generated", "ignore") and inside is None:
        return ColumnPolicy(kind=name)  # type: ignore[arg-type]
    if inside is not None:
        if name == "number" and 0 < float(inside) < inf:
            return ColumnPolicy(kind="number", quantum=float(inside))
        if name == "text" and inside in ("ignored", "contains"):
            return ColumnPolicy(kind="text", contains=inside == "contains")
        if name == "time" and int(inside) > 0:
            return ColumnPolicy(kind="time", window=int(inside))
        if name == "one_of":
            values = json.loads(inside)
            if isinstance(values, list) and values:
                return ColumnPolicy(kind="one_of", values=tuple(values))
        if name == "where" and inside.strip():
            return ColumnPolicy(kind="where", sql=inside.strip())
    raise ValueError(
        f"{text!r} is not a column policy; write exact, number(0.01), text(ignored), text(contains), "
        "time(60), one_of([1, 2]), where(SQL), generated or ignore"
    )


class Column(BaseModel):
    """One column. `references` is `table.column` where a foreign key of one column leaves it."""

    model_config = ConfigDict(frozen=True)

    name: str
    type: str
    nullable: bool
    primary_key: int = 0
    computed: bool = False
    references: str | None = None
    policy: ColumnPolicy = EXACT
    comment: str = ""


class Table(BaseModel):
    """One table.

    `key` names the columns that identify a row for the change log: the primary key where it
    cannot be NULL, else `("rowid",)`.
    """

    model_config = ConfigDict(frozen=True)

    name: str
    columns: tuple[Column, ...]
    key: tuple[str, ...]
    without_rowid: bool = False
    strict: bool = True
    comment: str = ""

    @cached_property
    def names(self) -> tuple[str, ...]:
        """Column names in declared order: the order of every row tuple."""
        return tuple(column.name for column in self.columns)

    def column(self, name: str) -> Column:
        """The column of that name; KeyError where there is none."""
        for column in self.columns:
            if column.name == name:
                return column
        raise KeyError(f"{self.name}.{name}")


class Schema(BaseModel):
    """All of `schema.sql`: the text, and the tables it makes, in declared order."""

    model_config = ConfigDict(frozen=True)

    ddl: str
    tables: dict[str, Table]

    def column(self, ref: str) -> Column:
        """The column named `table.column`; KeyError where there is none."""
        table, _, name = ref.partition(".")
        return self.tables[table].column(name)

    def with_policies(self, loosened: Mapping[str, str]) -> Schema:
        """A copy in which the named columns (`table.column`) compare under other policies."""
        if not loosened:
            return self
        tables = dict(self.tables)
        for ref, text in loosened.items():
            self.column(ref)
            table, _, name = ref.partition(".")
            columns = tuple(
                column.model_copy(update={"policy": parse_policy(text)}) if column.name == name else column
                for column in tables[table].columns
            )
            tables[table] = Table(**{**dict(tables[table]), "columns": columns})
        return Schema(ddl=self.ddl, tables=tables)


_TABLE_LINE = re.compile(r"^\s*CREATE\s+TABLE\s+(?:IF\s+NOT\s+EXISTS\s+)?[\"'`\[]?(\w+)", re.IGNORECASE)
_COLUMN_LINE = re.compile(r"^\s*[\"'`\[]?(\w+)[\"'`\]]?\s")
_STRING = r"""'(?:[^']|'')*'|"(?:[^"]|"")*\""""
_LINE = re.compile(rf"((?:{_STRING}|(?!--).)*)(--)?(.*)")
"""Code, dashes and comment of a line; dashes inside quotes begin no comment."""
_COMPARE = re.compile(r"(?:^|;)\s*compare:\s*(.+?)\s*$")


def _comments(ddl: str, file: str) -> tuple[dict[str, str], dict[tuple[str, str], tuple[int, str]]]:
    """Comments per table (lines just above or on CREATE TABLE) and per column (end of its line)."""
    tables: dict[str, str] = {}
    columns: dict[tuple[str, str], tuple[int, str]] = {}
    above: list[str] = []
    current: str | None = None
    for number, line in enumerate(ddl.splitlines(), start=1):
        code, dashes, comment = _LINE.findall(line)[0]
        if match := _TABLE_LINE.match(code):
            current = match.group(1)
            tables[current] = " ".join([*above, comment.strip()]).strip()
        elif current and dashes and (match := _COLUMN_LINE.match(code)):
            columns[current, match.group(1)] = (number, comment.strip())
        if not code.strip() and dashes:
            above.append(comment.strip())
        else:
            above = []
        if ";" in re.sub(_STRING, "", code):
            current = None
    return tables, columns


def read_schema(ddl: str, file: str = "schema.sql") -> Schema:
    """Execute a schema in memory and describe what it made.

    Args:
        ddl: The SQL text; STRICT tables, with comments that may carry column policies.
        file: Name used in error messages.

    Raises:
        PackageError: The SQL does not run, or a table breaks a rule of worlds
            (docs/worlds.md): deferred foreign keys, `ON CONFLICT ROLLBACK`, `RAISE(ROLLBACK)`,
            virtual tables other than FTS, REAL compared exactly, an unknown policy.
    """
    connection = sqlite3.connect(":memory:")
    try:
        try:
            connection.executescript(ddl)
        except sqlite3.Error as error:
            raise PackageError(
                f"SQLite refuses this schema: {error}", file=file, remedy="run it with `sqlite3 :memory:` to see where"
            ) from error
        table_comments, column_comments = _comments(ddl, file)
        tables = {}
        for name, sql in connection.execute(
            "SELECT name, sql FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'"
        ).fetchall():
            if _is_shadow(connection, name):
                continue
            tables[name] = _table(connection, name, sql, table_comments.get(name, ""), column_comments, file)
        _refuse_forbidden(connection, file)
        _refuse_lost_policies(ddl, tables, column_comments, file)
    finally:
        connection.close()
    if not tables:
        raise PackageError("no table is created", file=file, remedy="add at least one CREATE TABLE")
    return Schema(ddl=ddl, tables=tables)


def _refuse_lost_policies(
    ddl: str, tables: Mapping[str, Table], comments: Mapping[tuple[str, str], tuple[int, str]], file: str
) -> None:
    """A policy that belongs to no column would be ignored in silence."""
    read = {
        line for (table, column), (line, _) in comments.items() if table in tables and column in tables[table].names
    }
    for number, line in enumerate(ddl.splitlines(), start=1):
        if re.search(r"--.*\bcompare:", line) and number not in read:
            raise PackageError(
                "this column policy belongs to no column",
                file=file,
                line=number,
                remedy="write one column a line, with its policy at the end of that line",
            )


def _is_shadow(connection: sqlite3.Connection, name: str) -> bool:
    return bool(_listed(connection, name)[2] in ("shadow", "virtual"))


def _listed(connection: sqlite3.Connection, name: str) -> tuple[Any, ...]:
    """What `PRAGMA table_list` says of a table: schema, name, type, columns, WITHOUT ROWID, STRICT."""
    rows = connection.execute("PRAGMA main.table_list").fetchall()
    return next(row for row in rows if row[1] == name)


def _table(
    connection: sqlite3.Connection,
    name: str,
    sql: str,
    comment: str,
    comments: Mapping[tuple[str, str], tuple[int, str]],
    file: str,
) -> Table:
    info = connection.execute(f'PRAGMA table_xinfo("{name}")').fetchall()
    key = tuple(row[1] for row in sorted((row for row in info if row[5]), key=lambda row: row[5]))
    without_rowid = "WITHOUT ROWID" in " ".join(sql.upper().split())
    integer_key = len(key) == 1 and next(row[2] for row in info if row[5]).upper() == "INTEGER"
    never_null = all(row[3] for row in info if row[5])
    if not key or not (without_rowid or integer_key or never_null):
        key = ("rowid",)
    references = _references(connection, name)
    columns = []
    for _, column, kind, notnull, _, pk, hidden in info:
        line, text = comments.get((name, column), (None, ""))
        policy = GENERATED if pk and integer_key and not without_rowid else EXACT
        if match := _COMPARE.search(text):
            try:
                policy = parse_policy(match.group(1))
            except ValueError as error:
                raise PackageError(str(error), file=file, line=line, key=f"{name}.{column}") from error
        if kind.upper() == "REAL" and policy.kind == "exact":
            raise PackageError(
                "a REAL column cannot be compared exactly",
                file=file,
                line=line,
                key=f"{name}.{column}",
                remedy="add `-- compare: number(0.01)`, or store integer minor units",
            )
        columns.append(
            Column(
                name=column,
                type=kind.upper(),
                nullable=not notnull and not pk,
                primary_key=pk,
                computed=hidden in (2, 3),
                references=references.get(column),
                policy=policy,
                comment=_COMPARE.sub("", text).strip().rstrip(";"),
            )
        )
    strict = bool(_listed(connection, name)[5])
    return Table(
        name=name, columns=tuple(columns), key=key, without_rowid=without_rowid, strict=strict, comment=comment
    )


def _references(connection: sqlite3.Connection, table: str) -> dict[str, str]:
    """Column → `table.column` for foreign keys of one column."""
    grouped: dict[int, list[tuple[str, str, str | None]]] = {}
    for row in connection.execute(f'PRAGMA foreign_key_list("{table}")').fetchall():
        grouped.setdefault(row[0], []).append((row[2], row[3], row[4]))
    found = {}
    for rows in grouped.values():
        if len(rows) == 1:
            parent, column, target = rows[0]
            if target is None:
                keys = connection.execute(f'PRAGMA table_info("{parent}")').fetchall()
                target = next((row[1] for row in keys if row[5] == 1), "rowid")
            found[column] = f"{parent}.{target}"
    return found


_FORBIDDEN = (
    (r"INITIALLY\s+DEFERRED", "a deferred foreign key is never checked inside an episode", "drop INITIALLY DEFERRED"),
    (r"ON\s+CONFLICT\s+ROLLBACK", "ON CONFLICT ROLLBACK would end the episode's transaction", "use ON CONFLICT ABORT"),
    (r"\bOR\s+ROLLBACK\b", "OR ROLLBACK would end the episode's transaction", "use OR ABORT"),
    (r"RAISE\s*\(\s*ROLLBACK", "RAISE(ROLLBACK) would end the episode's transaction", "use RAISE(ABORT, ...)"),
)


def _refuse_forbidden(connection: sqlite3.Connection, file: str) -> None:
    for name, sql in connection.execute("SELECT name, sql FROM sqlite_schema WHERE sql IS NOT NULL").fetchall():
        flat = " ".join(sql.split())
        for pattern, problem, remedy in _FORBIDDEN:
            if re.search(pattern, flat, re.IGNORECASE):
                raise PackageError(problem, file=file, key=name, remedy=remedy)
        virtual = re.match(r"CREATE VIRTUAL TABLE .*? USING (\w+)", flat, re.IGNORECASE)
        if virtual and not virtual.group(1).lower().startswith("fts"):
            raise PackageError(
                f"virtual table module {virtual.group(1)!r} is not allowed",
                file=file,
                key=name,
                remedy="use a plain table or FTS5",
            )
