"""A virtual environment for each client, at pinned versions, under `.cache/` of the checkout.

They cannot share one, nor this project's: half of them need the first generation of the SDK, and half the second.
"""

from __future__ import annotations

import hashlib
import shutil
import subprocess
import sys
import venv
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
DRIVERS = Path(__file__).parent / "drivers"
INSTALLING = 600
"""Seconds that pip may take."""


class Unavailable(Exception):
    """A client cannot be had here; the message is the reason."""


@dataclass(frozen=True)
class Client:
    """A client of the matrix.

    Attributes:
        name: As tests show it.
        needs: What pip installs.
        driver: The script that plays it, and its arguments.
    """

    name: str
    needs: str
    driver: tuple[str, ...]

    def command(self) -> list[str]:
        """How to run the driver, once its virtual environment is there.

        Raises:
            Unavailable: It cannot be made.
        """
        script, *arguments = self.driver
        return [str(interpreter(self.needs)), str(DRIVERS / script), *arguments]


CLIENTS = (
    Client("mcp 2.3, current era", "mcp==2.3.0", ("official_v2.py", "auto")),
    Client("mcp 2.3, era before", "mcp==2.3.0", ("official_v2.py", "legacy")),
    Client("mcp 1.30", "mcp==1.30.0", ("official_v1.py",)),
    Client("openai-agents", "openai-agents==0.24.0", ("openai_agents.py",)),
    Client("pydantic-ai", "pydantic-ai-slim[mcp]==2.68.0", ("pydantic_toolset.py",)),
    Client("langchain-mcp-adapters", "langchain-mcp-adapters==0.3.2", ("langchain_adapters.py",)),
)


def interpreter(needs: str) -> Path:
    """The interpreter of the virtual environment with a package, made now unless it is there.

    Raises:
        Unavailable: It cannot be installed.
    """
    version = f"{sys.version_info.major}.{sys.version_info.minor}"
    mark = hashlib.blake2b(f"{needs} {version}".encode(), digest_size=4).hexdigest()
    folder = ROOT / ".cache" / f"client-{needs.partition('[')[0].partition('=')[0]}-{mark}"
    python, done = folder / "bin" / "python", folder / ".installed"
    if not done.exists():
        shutil.rmtree(folder, ignore_errors=True)
        venv.create(folder, with_pip=True)
        command = [str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check", needs]
        try:
            run = subprocess.run(command, capture_output=True, text=True, timeout=INSTALLING, check=False)
        except subprocess.TimeoutExpired:
            raise Unavailable(f"pip install {needs} took longer than {INSTALLING} seconds") from None
        if run.returncode:
            raise Unavailable(f"pip install {needs} failed: {run.stderr.strip()[-500:]}")
        done.touch()
    return python
