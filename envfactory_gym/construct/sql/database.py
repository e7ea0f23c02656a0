"""What a database's definition says, whatever the dialect: tables, columns, keys, references. Data only."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

Record = dict[str, Any]
"""Column → value, as SQLite hands it out."""


@dataclass
class Column:
    """One column as the definition has it.

    Attributes:
        type: Name of the type in capitals, without its parameters: `VARCHAR`; empty where there is none.
        parameters: Numbers of the type: length, or precision and scale.
        made: Whether the database makes its values (identity, serial, a generated UUID).
        computed: Whether it is computed from other columns.
        stamp: Whether its default is the current time.
        enum: Values that a CHECK or the type allows.
        minimum, maximum: Bounds that a CHECK sets.
        after: Column of the table that a CHECK puts before this one; empty where none does.
        many: Whether it holds a list of its type.
    """

    name: str
    type: str = ""
    parameters: tuple[int, ...] = ()
    required: bool = False
    unique: bool = False
    made: bool = False
    computed: bool = False
    stamp: bool = False
    default: Any = None
    enum: tuple[Any, ...] = ()
    minimum: float | None = None
    maximum: float | None = None
    after: str = ""
    comment: str = ""
    many: bool = False


@dataclass
class Reference:
    """A foreign key: columns here, table and columns there, and what happens when that row is deleted."""

    columns: tuple[str, ...]
    table: str
    targets: tuple[str, ...] = ()
    on_delete: str = ""


@dataclass
class Table:
    """One table as the definition has it.

    Attributes:
        key: Columns of the primary key.
        indexed: Columns that an index begins with.
        rows: The first of its rows, at most `rows.MAX_ROWS` of them.
        total: How many rows the source has.
        unread: Rules, as SQL, that say more than a model can hold.
    """

    name: str
    columns: dict[str, Column] = field(default_factory=dict)
    key: tuple[str, ...] = ()
    references: list[Reference] = field(default_factory=list)
    indexed: list[str] = field(default_factory=list)
    comment: str = ""
    rows: list[Record] = field(default_factory=list)
    total: int = 0
    unread: list[str] = field(default_factory=list)


@dataclass
class Database:
    """A database as read.

    Attributes:
        file: Name used in messages.
        kind: `SQL` or `SQLite database`.
        skipped: Statement (its first words) → why nothing was made of it.
    """

    file: str
    kind: str
    tables: dict[str, Table] = field(default_factory=dict)
    skipped: dict[str, str] = field(default_factory=dict)

    def table(self, name: str) -> Table | None:
        """The table of that name, in whatever case it is written."""
        return self.tables.get(name) or next(
            (one for key, one in self.tables.items() if key.casefold() == name.casefold()), None
        )
