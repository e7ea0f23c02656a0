"""What runs inside a sandbox when a package is verified there, or played: its checks, then its code."""

from __future__ import annotations

from typing import Any

from ..environment import Bundle, EnvFactoryError, PackageError
from ..environment.registry import open_package
from ..sandbox.channel import Channel
from ..sandbox.remote_world import serve as serve_calls
from ..world import Template
from .checks import static
from .report import verify


def serve(channel: Channel, arguments: dict[str, Any]) -> None:
    """Verify the package in `folder`; the last message holds the report, or the error that prevented one."""

    def tell(what: str, done: int, total: int) -> None:
        channel.send({"what": what, "done": done, "total": total})

    try:
        package = open_package(arguments["folder"])
        names = arguments["tasks"]
        report = verify(
            package,
            tasks=None if names is None else [package.task(name) for name in names],
            jobs=arguments["jobs"],
            mutate=arguments["mutate"],
            checks=arguments["checks"],
            progress=tell,
        )
    except PackageError as error:
        parts = {"message": error.message, "line": error.line, "key": error.key, "remedy": error.remedy}
        channel.send({"error": parts | {"file": None if error.file is None else str(error.file)}})
    except EnvFactoryError as error:
        channel.send({"error": {"message": str(error)}})
    else:
        channel.send({"report": report.model_dump(mode="json")})


def serve_tools(channel: Channel, arguments: dict[str, Any]) -> None:
    """Look at a package without running it, then import its tools, build its world once, and serve the tools.

    Whoever opens it outside reads the same files into the same templates: what would not end, or would take all
    memory, does so here first.
    """
    try:
        package = open_package(arguments["folder"])
        if isinstance(package, Bundle):
            raise PackageError("a bundle is no package", remedy="play its members in sandboxes of their own")
        looked = static.check(package)
        if not looked.passed:
            raise PackageError("; ".join(looked.evidence[:5]), remedy=looked.remedy)
        package.trusted = True
        environment = package.environment
        template = Template.of(package)
        template.release(template.acquire())
    except EnvFactoryError as error:
        channel.send({"error": str(error)})
    else:
        serve_calls(channel, environment)
