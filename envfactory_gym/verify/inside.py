"""What runs inside a sandbox when a package is verified there: `verify`, with its progress sent out."""

from __future__ import annotations

from typing import Any

from ..environment import EnvFactoryError, PackageError
from ..environment.registry import open_package
from ..sandbox.channel import Channel
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
