"""The layout tells the story: rooms that explain themselves, floors that only look down."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from .floors import ALLOWED_CLIMBS, FLOOR_OF, climbs, package_of

LONGEST = 600
"""Lines that can still be read in one sitting."""


def python_files(root: Path) -> list[Path]:
    """The library's own source files."""
    return sorted((root / "envfactory_gym").rglob("*.py"))


def rooms(root: Path) -> list[Path]:
    """The folders of the package that hold code."""
    return sorted({file.parent for file in python_files(root)})


def test_no_room_imports_a_higher_one(checkout: Path) -> None:
    wrong = [
        f"{file.relative_to(checkout)}:{line}: {here} imports {there}"
        for file in python_files(checkout)
        for here, there, lazy, line in climbs(file.read_text(), package_of(file, checkout))
        if not (lazy and (here, there) in ALLOWED_CLIMBS)
    ]
    assert wrong == []


@pytest.mark.parametrize(
    ("package", "source", "expected"),
    [
        ("envfactory_gym.world", "from envfactory_gym.rl import Env", [("world", "rl", False)]),
        ("envfactory_gym.world", "from ..rl import Env", [("world", "rl", False)]),
        ("envfactory_gym.world", "from .. import episode", [("world", "episode", False)]),
        ("envfactory_gym.world", "import envfactory_gym.cli", [("world", "cli", False)]),
        ("envfactory_gym.environment", "def f():\n    from ..serve import run", [("environment", "serve", True)]),
        (
            "envfactory_gym.rl",
            "import importlib\nimportlib.import_module('envfactory_gym.export')",
            [("rl", "export", False)],
        ),
        ("envfactory_gym.world", "from ..environment import Package\nfrom .ids import code\nimport json", []),
        ("envfactory_gym.world", "if TYPE_CHECKING:\n    from ..episode import Episode", []),
    ],
)
def test_a_climb_is_seen_however_it_is_written(
    package: str, source: str, expected: list[tuple[str, str, bool]]
) -> None:
    assert [climb[:3] for climb in climbs(source, package)] == expected


def test_every_room_stands_on_a_floor(checkout: Path) -> None:
    found = {path.relative_to(checkout).parts[1] for path in rooms(checkout) if path != checkout / "envfactory_gym"}
    assert found <= set(FLOOR_OF)


def test_every_room_says_what_lives_there(checkout: Path) -> None:
    silent = [
        str(room.relative_to(checkout))
        for room in rooms(checkout)
        if len(ast.get_docstring(ast.parse((room / "__init__.py").read_text())) or "") < 40
    ]
    assert silent == []


def test_every_module_opens_with_its_idea(checkout: Path) -> None:
    silent = [
        str(file.relative_to(checkout))
        for file in python_files(checkout)
        if not ast.get_docstring(ast.parse(file.read_text()))
    ]
    assert silent == []


def test_every_file_can_be_read_in_one_sitting(checkout: Path) -> None:
    files = [*python_files(checkout), *(checkout / "tests").rglob("*.py"), *(checkout / "benchmarks").rglob("*.py")]
    lengths = {str(file.relative_to(checkout)): len(file.read_text().splitlines()) for file in files}
    assert {name: length for name, length in lengths.items() if length > LONGEST} == {}
