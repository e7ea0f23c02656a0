"""Packages that are built once for all tests of the compiler."""

from __future__ import annotations

import pytest

from envfactory_gym import Package
from envfactory_gym.construct import build, bundled_source
from envfactory_gym.construct.model import Model

from .shop import built, model_of, shop


@pytest.fixture(scope="session")
def shop_model() -> Model:
    return model_of(shop())


@pytest.fixture(scope="session")
def shop_package(tmp_path_factory: pytest.TempPathFactory) -> Package:
    return built(shop(), tmp_path_factory.mktemp("shop"))


@pytest.fixture(scope="session", params=["powerdns", "apideck-crm"])
def example(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Package:
    out = tmp_path_factory.mktemp("example") / request.param.rpartition("-")[2]
    build(bundled_source(request.param), out)
    return Package.load(out, trusted=True)
