"""`parquet`: chat rows with messages and tools as JSON text.

A parquet struct holds the union of the keys of all rows and fills with nulls, so that arguments and
schemas would not survive; text does, in every reader.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from ..environment import EnvFactoryError
from .messages import dump

Row = dict[str, Any]

TEXT = ("messages", "tools", "prompt", "completion")
"""Columns that hold JSON text."""


def packed(row: Row) -> Row:
    """A chat row with its nested columns as JSON text."""
    return {name: dump(value) if name in TEXT and not isinstance(value, str) else value for name, value in row.items()}


def unpacked(row: Row) -> Row:
    """The chat row that `packed` was given."""
    return {name: json.loads(value) if name in TEXT and value is not None else value for name, value in row.items()}


def write_parquet(path: Path, rows: Sequence[Row]) -> None:
    """Write rows to a parquet file.

    Raises:
        EnvFactoryError: pyarrow is not installed.
    """
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError:
        raise EnvFactoryError(
            "parquet files are written with pyarrow\n  -> pip install 'envfactory-gym[export]'"
        ) from None
    pyarrow.parquet.write_table(pyarrow.Table.from_pylist(list(rows)), path)
