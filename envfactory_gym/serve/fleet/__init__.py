"""A fleet: many environments and thousands of episodes over HTTP, in one process or several.

What lives here, from the inside out: an episode is a journal and, while it is used, a session (`journal`,
`play`); episodes are kept, put to sleep and forgotten (`store`) and their environments opened when
needed (`shelf`); an MCP server per kind of address shows them (`face`, `mount`, `fastpath`); `control` is
what trainers use (`models` are its types); `app` leads each request to where it belongs, past the `gate`;
`running` and `workers` make processes of it. No reward is decided here.
"""

import importlib.util

from ..session import ServeError
from .settings import Settings

NEEDED = ("fastapi", "httptools", "mcp", "prometheus_client", "uvicorn")


def check_extra() -> None:
    """Make sure that everything is installed that serving over HTTP needs.

    Raises:
        ServeError: Something is missing.
    """
    missing = [name for name in NEEDED if importlib.util.find_spec(name) is None]
    if missing:
        raise ServeError(f"serving over HTTP needs {', '.join(missing)}: pip install 'envfactory-gym[serve]'")


__all__ = ["Settings", "check_extra"]
