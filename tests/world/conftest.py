"""One shop for all tests of a file, in both forms; every test ends with the template's bytes as they were."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from envfactory_gym.world import LiveWorld, Template

from .shop import shop


@pytest.fixture(scope="module")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("images")


@pytest.fixture(scope="module")
def shared_template(cache: Path) -> Iterator[Template]:
    template = shop(cache)
    yield template
    template.close()


@pytest.fixture
def template(shared_template: Template) -> Iterator[Template]:
    before = shared_template.path.read_bytes()
    yield shared_template
    assert shared_template.path.read_bytes() == before


@pytest.fixture(params=[False, True], ids=["private", "shared"])
def form(request: pytest.FixtureRequest) -> bool:
    """Whether worlds share the template's file."""
    return bool(request.param)


@pytest.fixture
def world(template: Template, form: bool) -> Iterator[LiveWorld]:
    world = template.acquire(shared=form)
    yield world
    world.close()
