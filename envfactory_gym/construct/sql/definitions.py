"""Definitions to tables: `CREATE TABLE`, `ALTER TABLE`, indexes, enum types and comments, read by sqlglot.

sqlglot knows some thirty dialects; which one a script is written in is told by its habits.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Iterable
from typing import Any

from ..problem import BuildError
from .database import Column, Database, Reference, Table
from .statements import Statement

_HABITS = (
    ("mysql", r"`\w+`|\bAUTO_INCREMENT\b|\bENGINE\s*=|\bunsigned\b"),
    ("tsql", r"\bIDENTITY\s*\(|\[dbo\]|\bNVARCHAR\s*\(\s*MAX|^\s*GO\s*$|\bDATETIME2\b"),
    ("postgres", r"\b(?:BIG|SMALL)?SERIAL\b|::\w|\bTIMESTAMPTZ\b|\bCOPY\b.*\bFROM stdin|\bJSONB\b|\bnextval\(|"
                 r"\bALTER TABLE ONLY\b|\bAS ENUM\b|GENERATED (?:ALWAYS|BY DEFAULT) AS IDENTITY"),
    ("oracle", r"\bVARCHAR2\b|\bNUMBER\s*\("),
)  # fmt: skip
_MAKES = re.compile(r"nextval|uuid|newid|auto_?increment|identity", re.I)
_NOW = re.compile(r"^\(?\s*(?:current_timestamp|now|getdate|sysdate|sysdatetime|localtimestamp|current_date)", re.I)
_STRICTLY = {"GT": 1, "LT": -1}


def dialect_of(script: str) -> str:
    """The dialect a script is written in, as sqlglot calls it; SQLite's where nothing tells."""
    sample = script[:400_000]
    for name, habit in _HABITS:
        if re.search(habit, sample, re.I | re.M):
            return name
    return "sqlite"


def read_definitions(database: Database, script: Iterable[Statement], dialect: str) -> None:
    """Add to a database what the statements define; what cannot be read goes to `skipped`.

    Raises:
        BuildError: sqlglot is not installed.
    """
    try:
        import sqlglot
        from sqlglot import errors
    except ImportError:
        raise BuildError(
            "reading SQL needs sqlglot", file=database.file, remedy="pip install 'envfactory-gym[construct]'"
        ) from None
    logging.getLogger("sqlglot").setLevel(logging.ERROR)
    enums: dict[str, tuple[Any, ...]] = {}
    for statement in script:
        words = statement.words
        if not words.startswith(("CREATE", "ALTER TABLE", "COMMENT")):
            continue
        if words.startswith(("CREATE TRIGGER", "CREATE VIEW", "CREATE FUNCTION", "CREATE PROCEDURE")):
            database.skipped[_first(statement)] = "is logic of the database, which tools do not run"
            continue
        try:
            tree = sqlglot.parse_one(statement.text, dialect=dialect)
        except (errors.SqlglotError, RecursionError) as error:
            if words.startswith(("CREATE TABLE", "ALTER TABLE")):
                told = str(error).partition("\n")[0] or type(error).__name__
                database.skipped[_first(statement)] = f"cannot be read as {dialect}: {told}"
            continue
        _Reader(database, enums).take(tree)


def _first(statement: Statement) -> str:
    return f"{' '.join(statement.text[:60].split())} (line {statement.line})"


class _Reader:
    """Takes syntax trees and fills the database."""

    def __init__(self, database: Database, enums: dict[str, tuple[Any, ...]]) -> None:
        from sqlglot import expressions

        self.database, self.enums, self.exp = database, enums, expressions

    def take(self, tree: Any) -> None:
        exp = self.exp
        if isinstance(tree, exp.Create):
            kind = str(tree.args.get("kind") or "").upper()
            if kind == "TABLE" and isinstance(tree.this, exp.Schema):
                self._create(tree)
            elif kind == "TYPE" and isinstance(tree.expression, exp.DataType):
                self.enums[tree.this.name.casefold()] = self._values(tree.expression.expressions)
            elif kind == "INDEX":
                self._index(tree)
        elif isinstance(tree, exp.Alter) and (table := self.database.table(tree.this.name)):
            for action in tree.args.get("actions") or ():
                for one in action.expressions if isinstance(action, exp.AddConstraint) else [action]:
                    self._constraint(table, one)
        elif isinstance(tree, exp.Comment):
            self._comment(tree)

    def _create(self, tree: Any) -> None:
        exp = self.exp
        table = Table(tree.this.this.name)
        if self.database.table(table.name) is not None:
            return  # defined once already, as by CREATE TABLE IF NOT EXISTS
        self.database.tables[table.name] = table
        for one in tree.find_all(exp.SchemaCommentProperty):
            table.comment = one.this.name
        for one in tree.this.expressions:
            if isinstance(one, (exp.ColumnDef, exp.Identifier)):
                self._column(table, one)
            else:
                self._constraint(table, one)

    def _column(self, table: Table, tree: Any) -> None:
        exp = self.exp
        column = Column(tree.name, comment=" ".join(" ".join(tree.comments or ()).split()))
        table.columns[column.name] = column
        if not isinstance(tree, exp.ColumnDef):
            return
        self._type(column, tree.args.get("kind"))
        for each in tree.constraints:
            one = each.kind
            if isinstance(one, exp.PrimaryKeyColumnConstraint):
                table.key = (column.name,)
            elif isinstance(one, exp.NotNullColumnConstraint):
                column.required = not one.args.get("allow_null")
            elif isinstance(one, exp.UniqueColumnConstraint):
                column.unique = True
            elif isinstance(one, (exp.AutoIncrementColumnConstraint, exp.GeneratedAsIdentityColumnConstraint)):
                column.made = True
            elif isinstance(one, exp.ComputedColumnConstraint):
                column.computed = True
            elif isinstance(one, exp.CommentColumnConstraint):
                column.comment = one.this.name
            elif isinstance(one, exp.DefaultColumnConstraint):
                self._default(column, one.this)
            elif isinstance(one, exp.CheckColumnConstraint):
                self._check(table, one.this)
            elif isinstance(one, exp.Reference):
                self._reference(table, (column.name,), one)

    def _type(self, column: Column, kind: Any) -> None:
        exp = self.exp
        if not isinstance(kind, exp.DataType):
            return
        name = kind.this.name if hasattr(kind.this, "name") else str(kind.this)
        if name == "ARRAY" and kind.expressions and isinstance(kind.expressions[0], exp.DataType):
            column.many = True
            self._type(column, kind.expressions[0])
            return
        column.type = name.upper()
        if column.type == "USERDEFINED":
            own = kind.args.get("kind")
            called = own.name if hasattr(own, "name") else str(own or "")
            column.enum = self.enums.get(called.rpartition(".")[2].casefold(), ())
        elif column.type == "ENUM":
            column.enum = self._values(kind.expressions)
        column.made = column.made or "SERIAL" in column.type
        column.parameters = tuple(int(one.name) for one in kind.expressions if one.name.isdecimal())

    def _default(self, column: Column, value: Any) -> None:
        exp = self.exp
        text = value.sql() if value is not None else ""
        if _MAKES.search(text):
            column.made = True
        elif _NOW.match(text):
            column.stamp = True
        elif isinstance(value, (exp.Literal, exp.Boolean, exp.Neg)):
            column.default = self._value(value)

    def _value(self, node: Any) -> Any:
        exp = self.exp
        if isinstance(node, exp.Boolean):
            return bool(node.this)
        if isinstance(node, exp.Neg):
            inner = self._value(node.this)
            return -inner if isinstance(inner, (int, float)) else None
        if isinstance(node, exp.Cast):
            return self._value(node.this)
        if not isinstance(node, exp.Literal):
            return None
        if node.is_string:
            return node.this
        return int(node.this) if node.is_int else float(node.this)

    def _values(self, nodes: Iterable[Any]) -> tuple[Any, ...]:
        found = [self._value(node) for node in nodes]
        return tuple(dict.fromkeys(one for one in found if one is not None))

    def _check(self, table: Table, tree: Any) -> None:
        """What a CHECK says: the values of a column, its bounds, or which of two columns comes first."""
        exp = self.exp
        tree = tree.unnest() if tree is not None else None
        if isinstance(tree, exp.And):
            self._check(table, tree.left)
            self._check(table, tree.right)
            return
        if isinstance(tree, exp.Or) and (holding := self._unless_null(tree)) is not None:
            self._check(table, holding)
            return
        column, other = (self._checked(table, getattr(tree, side, None)) for side in ("this", "expression"))
        if column is not None and other is not None:
            if isinstance(tree, (exp.GTE, exp.GT)):
                column.after = other.name
            elif isinstance(tree, (exp.LTE, exp.LT)):
                other.after = column.name
        elif column is None or not self._alone(column, tree):
            table.unread.append(f"CHECK ({tree.sql() if tree is not None else ''})")

    def _unless_null(self, tree: Any) -> Any:
        """The rule in `column IS NULL OR rule`, which every CHECK means anyway; None where it says something else."""
        exp = self.exp
        sides = [side.unnest() for side in (tree.left, tree.right)]
        for one, other in (sides, sides[::-1]):
            if isinstance(one, exp.Is) and isinstance(one.expression, exp.Null):
                return other
        return None

    def _alone(self, column: Column, tree: Any) -> bool:
        """Take what a rule says of one column by itself. False where that cannot be held."""
        exp = self.exp
        if isinstance(tree, exp.In) and tree.expressions:
            column.enum = self._values(tree.expressions) or column.enum
        elif isinstance(tree, exp.EQ) and isinstance(tree.expression, exp.Any):  # PostgreSQL's = ANY (ARRAY[...])
            column.enum = self._values(tree.expression.find_all(exp.Literal)) or column.enum
        elif isinstance(tree, exp.Between):
            column.minimum = self._bound(tree.args.get("low"))
            column.maximum = self._bound(tree.args.get("high"))
        elif isinstance(tree, (exp.GTE, exp.GT, exp.LTE, exp.LT)):
            bound = self._bound(tree.expression)
            if bound is None:
                return False
            if isinstance(tree, (exp.GT, exp.LT)):
                bound += _STRICTLY[type(tree).__name__] * (1 if "INT" in column.type else 0.01)
            if isinstance(tree, (exp.GTE, exp.GT)):
                column.minimum = bound
            else:
                column.maximum = bound
        else:
            return False
        return True

    def _checked(self, table: Table, node: Any) -> Column | None:
        exp = self.exp
        while isinstance(node, (exp.Cast, exp.Paren)):
            node = node.this
        return table.columns.get(node.name) if isinstance(node, exp.Column) else None

    def _bound(self, node: Any) -> float | None:
        value = self._value(node.unnest()) if node is not None else None
        return value if isinstance(value, (int, float)) and not isinstance(value, bool) else None

    def _constraint(self, table: Table, one: Any) -> None:
        exp = self.exp
        if isinstance(one, exp.Constraint):
            for inner in one.expressions:
                self._constraint(table, inner)
        elif isinstance(one, exp.PrimaryKey):
            table.key = self._names(one.expressions)
        elif isinstance(one, exp.UniqueColumnConstraint) and one.this is not None:
            names = self._names(one.this.expressions)
            if len(names) == 1 and names[0] in table.columns:
                table.columns[names[0]].unique = True
            else:
                table.unread.append(f"UNIQUE ({', '.join(names)})")
        elif isinstance(one, exp.IndexColumnConstraint):
            table.indexed += self._names(one.expressions)[:1]
        elif isinstance(one, exp.ForeignKey):
            self._reference(table, self._names(one.expressions), one.args.get("reference"))
        elif isinstance(one, exp.CheckColumnConstraint):
            self._check(table, one.this)
        elif isinstance(one, exp.ColumnDef):
            self._column(table, one)

    def _names(self, nodes: Iterable[Any]) -> tuple[str, ...]:
        return tuple(node.find(self.exp.Identifier).name for node in nodes if node.find(self.exp.Identifier))

    def _reference(self, table: Table, columns: tuple[str, ...], tree: Any) -> None:
        exp = self.exp
        if tree is None:
            return
        schema = isinstance(tree.this, exp.Schema)
        target = tree.this.this.name if schema else tree.this.name
        targets = self._names(tree.this.expressions) if schema else ()
        options = " ".join(str(one) for one in tree.args.get("options") or ()).upper()
        deleting = re.search(r"ON DELETE (CASCADE|SET NULL|SET DEFAULT|RESTRICT|NO ACTION)", options)
        found = Reference(columns, target, targets, deleting.group(1) if deleting else "")
        if all(one.columns != columns for one in table.references):
            table.references.append(found)

    def _index(self, tree: Any) -> None:
        index = tree.this
        table = self.database.table(index.args["table"].name) if index.args.get("table") else None
        parameters = index.args.get("params")
        names = self._names(parameters.args.get("columns") or ()) if table is not None and parameters else ()
        known = [name for name in names if table is not None and name in table.columns]
        if table is None or not known:
            return
        table.indexed.append(known[0])
        if tree.args.get("unique") and len(names) == 1 and not parameters.args.get("where"):
            table.columns[known[0]].unique = True
        elif tree.args.get("unique"):
            table.unread.append(f"UNIQUE ({', '.join(names)})")

    def _comment(self, tree: Any) -> None:
        text = tree.expression.name if tree.expression is not None else ""
        kind = str(tree.args.get("kind") or "").upper()
        if kind == "TABLE" and (table := self.database.table(tree.this.name)):
            table.comment = text
        elif kind == "COLUMN":
            table = self.database.table(tree.this.args["table"].name)
            column = table.columns.get(tree.this.name) if table is not None else None
            if column is not None:
                column.comment = text
