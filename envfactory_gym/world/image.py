"""The image of a world: schema and base rows built once into the bytes of a SQLite file.

Built in memory, checked, and kept on disk under a key of everything that decides its content.
The file appears by renaming, so it is whole or absent; its digest lies beside it, so a damaged
file is built anew.
"""

from __future__ import annotations

import json
import os
import sqlite3
import tempfile
from collections.abc import Mapping, Sequence
from hashlib import blake2b
from pathlib import Path
from typing import Any

from ..environment.columns import Schema, Table
from ..environment.errors import EnvFactoryError, PackageError
from . import functions
from .clock import Clock
from .connection import MINIMUM_SQLITE, PAGE_SIZE
from .ids import Ids
from .log import PREFIX, quote

FORMAT = 1
"""Version of images; raise it when the same rows would give other bytes or other meaning."""

Rows = Mapping[str, Sequence[Mapping[str, Any]]]


def stored(value: Any) -> Any:
    """A value of a data file as SQLite keeps it: lists and objects become compact JSON text."""
    if isinstance(value, (list, dict)):
        return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return value


def build(schema: Schema, rows: Rows, now: str) -> bytes:
    """The bytes of a database with the schema and its rows.

    Raises:
        PackageError: A row does not fit its table or refers to a row that is not there; the error
            names data file and line.
    """
    if sqlite3.sqlite_version_info < MINIMUM_SQLITE:
        wanted = ".".join(map(str, MINIMUM_SQLITE))
        raise EnvFactoryError(f"worlds need SQLite {wanted} or later; this Python has {sqlite3.sqlite_version}")
    for name in schema.tables:
        if name.lower().startswith(PREFIX):
            raise PackageError(
                f"names that begin with {PREFIX} belong to the library",
                file="schema.sql",
                key=name,
                remedy="rename the table",
            )
    for name in rows:
        if name not in schema.tables and rows[name]:
            raise PackageError("there is no such table", file=f"data/{name}.jsonl", remedy="add it to schema.sql")
    plain = functions.Plain()
    connection = sqlite3.connect(":memory:", isolation_level=None)
    try:
        nature = functions.Nature(Clock(now), Ids(0), plain)
        functions.install(connection, nature)
        connection.execute(f"PRAGMA page_size = {PAGE_SIZE}")
        connection.execute("PRAGMA trusted_schema = ON")
        connection.executescript(schema.ddl)
        triggers = connection.execute("SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'").fetchall()
        for name, _ in triggers:  # data files hold the whole state, so triggers must not add to it
            connection.execute(f"DROP TRIGGER {quote(name)}")
        connection.execute("PRAGMA foreign_keys = OFF")
        connection.execute("BEGIN")
        for table in schema.tables.values():
            for line, row in enumerate(rows.get(table.name, ()), start=1):
                _insert(connection, table, row, line)
        _fill_search_indexes(connection)
        connection.execute("COMMIT")
        _check_foreign_keys(connection, schema, rows)
        for _, sql in triggers:
            connection.execute(sql)
        connection.execute("VACUUM")
        return connection.serialize()
    finally:
        connection.close()
        plain.close()


def _insert(connection: sqlite3.Connection, table: Table, row: Mapping[str, Any], line: int) -> None:
    columns = ", ".join(map(quote, row))
    marks = ", ".join("?" * len(row))
    into = f"INSERT INTO {quote(table.name)}"
    try:
        connection.execute(
            f"{into} ({columns}) VALUES ({marks})" if row else f"{into} DEFAULT VALUES",
            [stored(value) for value in row.values()],
        )
    except (sqlite3.Error, OverflowError, UnicodeError) as error:
        unknown = [name for name in row if name not in table.names]
        problem = (
            f"{table.name} has no column {unknown[0]!r}" if unknown else f"the row does not fit {table.name}: {error}"
        )
        raise PackageError(
            problem, file=f"data/{table.name}.jsonl", line=line, remedy="correct the row or schema.sql"
        ) from error


def _fill_search_indexes(connection: sqlite3.Connection) -> None:
    """Full-text indexes over a table's content know its rows only after a rebuild."""
    for name, sql in connection.execute(
        "SELECT name, sql FROM sqlite_schema WHERE type = 'table' AND sql LIKE 'CREATE VIRTUAL%'"
    ).fetchall():
        compact = "".join(sql.lower().split())
        if "content=" in compact and "content=''" not in compact and 'content=""' not in compact:
            connection.execute(f"INSERT INTO {quote(name)} ({quote(name)}) VALUES ('rebuild')")


def _check_foreign_keys(connection: sqlite3.Connection, schema: Schema, rows: Rows) -> None:
    for name in schema.tables:
        columns: dict[int, list[str]] = {
            row[0]: [] for row in connection.execute(f"PRAGMA foreign_key_list({quote(name)})").fetchall()
        }
        for row in connection.execute(f"PRAGMA foreign_key_list({quote(name)})").fetchall():
            columns[row[0]].append(row[3])
        violations = connection.execute(f"PRAGMA foreign_key_check({quote(name)})").fetchall()
        if not violations:
            continue
        _, _, parent, key = violations[0]
        line, row = _find_dangling(connection, parent, columns[key], key, name, rows)
        where = ", ".join(f"{column} = {row.get(column)!r}" for column in columns[key])
        raise PackageError(
            f"row {dict(row)!r} of {name} refers to a row of {parent} that does not exist ({where}); "
            f"{len(violations)} such row(s)",
            file=f"data/{name}.jsonl",
            line=line,
            remedy=f"add the row to data/{parent}.jsonl or correct the reference",
        )


def _find_dangling(
    connection: sqlite3.Connection, parent: str, columns: Sequence[str], key: int, name: str, rows: Rows
) -> tuple[int | None, Mapping[str, Any]]:
    """The first line of the data file whose reference finds nothing."""
    targets = [
        row[4] for row in connection.execute(f"PRAGMA foreign_key_list({quote(name)})").fetchall() if row[0] == key
    ]
    if None in targets:
        info = connection.execute(f"PRAGMA table_info({quote(parent)})").fetchall()
        targets = [row[1] for row in sorted((row for row in info if row[5]), key=lambda row: row[5])]
    where = " AND ".join(f"{quote(target)} = ?" for target in targets)
    exists = connection.execute("SELECT 1 FROM sqlite_schema WHERE name = ?", (parent,)).fetchone() is not None
    for line, row in enumerate(rows.get(name, ()), start=1):
        values = [stored(row.get(column)) for column in columns]
        if None in values:
            continue
        if not exists or connection.execute(f"SELECT 1 FROM {quote(parent)} WHERE {where}", values).fetchone() is None:
            return line, row
    return None, {}


# ---------------------------------------------------------------- on disk


def cache_folder() -> Path:
    """Where images are kept: `ENVFACTORY_CACHE`, else the user's cache folder, else a new temporary one."""
    chosen = os.environ.get("ENVFACTORY_CACHE")
    if chosen:
        return Path(chosen) / "worlds"
    home = os.environ.get("XDG_CACHE_HOME")
    folder = (Path(home) if home else Path.home() / ".cache") / "envfactory" / "worlds"
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        writable = os.access(folder, os.W_OK)
    except OSError:
        writable = False
    return folder if writable else Path(tempfile.mkdtemp(prefix="envfactory-"))  # nobody else can have made it


def key(schema: Schema, rows: Rows | None, now: str, world_hash: str) -> str:
    """Names an image: the world, this SQLite, the page size and the format of images.

    Args:
        schema: Its tables.
        rows: Its rows; None where the world hash stands for them.
        now: Its base time.
        world_hash: Its name.
    """
    content = "" if rows is None else ascii([(table, [*map(dict, rows[table])]) for table in sorted(rows)])
    parts = (world_hash, schema.ddl, content, now, sqlite3.sqlite_version, str(PAGE_SIZE), str(FORMAT))
    return blake2b("\0".join(parts).encode(), digest_size=16).hexdigest()


def load(folder: Path, name: str) -> bytes | None:
    """The image of that name; None where there is none, or a damaged one."""
    try:
        image = (folder / f"{name}.db").read_bytes()
        digest = (folder / f"{name}.digest").read_text(encoding="ascii")
    except (OSError, UnicodeError):
        return None
    return image if blake2b(image, digest_size=16).hexdigest() == digest else None


def save(folder: Path, name: str, image: bytes) -> Path:
    """Write an image so that it is whole or absent, readable by its owner only.

    Raises:
        EnvFactoryError: The folder cannot be written.
    """
    digest = blake2b(image, digest_size=16).hexdigest().encode()
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        for suffix, content in ((".digest", digest), (".db", image)):
            handle, temporary = tempfile.mkstemp(dir=folder, prefix=f".{name}")  # created with mode 0600
            try:
                with os.fdopen(handle, "wb") as file:
                    file.write(content)
                Path(temporary).replace(folder / f"{name}{suffix}")
            except BaseException:
                Path(temporary).unlink(missing_ok=True)
                raise
    except OSError as error:
        raise EnvFactoryError(
            f"the image of a world cannot be written to {folder}: {error}; set ENVFACTORY_CACHE to a writable folder"
        ) from error
    return folder / f"{name}.db"
