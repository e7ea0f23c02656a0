"""Trying the walls: whatever code it is given, run as if it were a package's, with no check before.

How the escape attempts of the tests reach the layers behind the static check, each layer by itself.
"""

from __future__ import annotations

import traceback
from pathlib import Path
from typing import Any

from .channel import Channel

CODE = "server.py"
"""The file of the package whose name the code is compiled under."""


def serve(channel: Channel, arguments: dict[str, Any]) -> None:
    """Run each request's `code` with its `given` names; say what it left in `got`, or what it raised."""
    file = str(Path(arguments["folder"]) / CODE)
    while (request := channel.receive()) is not None:
        # Compiled here, where it is no event of the package's code.
        code = compile(request["code"], file, "exec")
        names = {"__name__": "server", **request["given"]}
        try:
            exec(code, names)
        except Exception as error:  # noqa: BLE001 - the answer
            channel.send({"raised": "".join(traceback.format_exception_only(error)).strip()[:2000]})
        else:
            channel.send({"got": repr(names.get("got"))[:2000]})
