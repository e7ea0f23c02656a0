"""A wheel is enough: built, installed outside the checkout, it carries every package and the registry."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest


@pytest.fixture(scope="module")
def built(checkout: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the source distribution, and the wheel that was built from it."""
    out = tmp_path_factory.mktemp("dist")
    command = [sys.executable, "-m", "build", "--no-isolation", "--outdir", str(out), str(checkout)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stdout + done.stderr
    return out


@pytest.fixture(scope="module")
def installed(built: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder in which the wheel is installed, far from the checkout."""
    target = tmp_path_factory.mktemp("site")
    (wheel,) = built.glob("*.whl")
    command = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--no-index", "--target", str(target)]
    done = subprocess.run([*command, str(wheel)], capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stdout + done.stderr
    return target


def run_outside(installed: Path, folder: Path, *arguments: str) -> str:
    """Run Python with the installed wheel first, in a folder that is not the checkout."""
    surroundings = {**os.environ, "PYTHONPATH": str(installed), "HOME": str(folder)}
    done = subprocess.run(
        [sys.executable, *arguments], capture_output=True, text=True, cwd=folder, env=surroundings, timeout=300
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def tracked(checkout: Path, folder: str) -> set[str]:
    """Files below a folder of the checkout that are part of the project (no caches)."""
    files = (checkout / folder).rglob("*")
    return {str(file.relative_to(checkout)) for file in files if file.is_file() and "__pycache__" not in file.parts}


def test_the_source_distribution_is_complete(checkout: Path, built: Path) -> None:
    (archive,) = built.glob("*.tar.gz")
    with tarfile.open(archive) as tar:
        names = {name.partition("/")[2] for name in tar.getnames()}
    folders = ["envfactory_gym", "generated_servers", "examples", "tests", "docs"]
    wanted = {"pyproject.toml", "README.md", "LICENSE", "CHANGELOG.md", "Makefile", "registry.yaml"}
    for folder in folders:
        wanted |= tracked(checkout, folder)
    assert wanted - names == set()


def test_the_wheel_carries_packages_registry_and_type_marker(checkout: Path, built: Path) -> None:
    (wheel,) = built.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        names = set(archive.namelist())
    inside = {
        name.replace("generated_servers/", "envfactory_gym/_packages/", 1)
        for name in tracked(checkout, "generated_servers")
    }
    assert len(inside) > 5
    wanted = inside | {"envfactory_gym/_packages/registry.yaml", "envfactory_gym/py.typed"}
    assert wanted - names == set()
    assert [name for name in names if "__pycache__" in name or name.startswith("tests/")] == []


def test_an_installed_wheel_plays_an_environment(installed: Path, tmp_path: Path) -> None:
    script = (
        "import json, gymnasium, envfactory_gym\n"
        "from envfactory_gym.environment import Registry\n"
        "env = gymnasium.make('EnvFactory/airline-v0')\n"
        "observation, info = env.reset(seed=0)\n"
        "print(json.dumps([envfactory_gym.__file__, str(Registry.installed().root), len(info['tools'])]))\n"
    )
    file, registry, tools = json.loads(run_outside(installed, tmp_path, "-c", script).splitlines()[-1])
    assert Path(file).is_relative_to(installed)
    assert Path(registry).is_relative_to(installed)
    assert tools >= 8


def test_the_installed_command_lists_the_packages(installed: Path, tmp_path: Path) -> None:
    listed = json.loads(run_outside(installed, tmp_path, "-m", "envfactory_gym.cli", "list", "--json"))
    assert "EnvFactory/airline-v0" in {entry["id"] for entry in listed}
