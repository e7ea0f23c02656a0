"""The tools from npm, once per run; where they cannot be had, every check is skipped and says why."""

from __future__ import annotations

import pytest

from .node_tools import NodeTools, Unavailable, install


@pytest.fixture(scope="session")
def node_tools() -> NodeTools:
    """The conformance suite and the inspector."""
    try:
        return install()
    except Unavailable as reason:
        pytest.skip(str(reason))
