"""The official conformance suite and the inspector, from npm, with a Node recent enough to run them.

Installed once into `.cache/` of the checkout, at pinned versions, Node 22 among them; nothing global is touched. Where
npm or the registry cannot be had, `Unavailable` says why.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PINS = {
    "node": "22.23.3",
    "@modelcontextprotocol/conformance": "0.2.0-alpha.12",
    "@modelcontextprotocol/inspector": "2.12.0",
}
"""npm packages and their versions. `node` is the interpreter itself, as a package."""

INSTALLING = 600
"""Seconds that npm may take."""


class Unavailable(Exception):
    """The tools cannot be had here; the message is the reason."""


@dataclass(frozen=True)
class NodeTools:
    """The tools, installed."""

    folder: Path

    def conformance(self, *arguments: str, timeout: float = 180) -> subprocess.CompletedProcess[str]:
        """Run the conformance suite."""
        return self._run("conformance", *arguments, timeout=timeout)

    def inspector(
        self, *arguments: str, timeout: float = 120, variables: Mapping[str, str] | None = None
    ) -> subprocess.CompletedProcess[str]:
        """Run the inspector on the command line; it keeps its catalogue here and not in the home folder."""
        catalogue = {"MCP_CATALOG_PATH": str(self.folder / "catalogue.json")}
        return self._run(
            "mcp-inspector", "--cli", *arguments, timeout=timeout, variables={**catalogue, **(variables or {})}
        )

    def _run(
        self, program: str, *arguments: str, timeout: float, variables: Mapping[str, str] | None = None
    ) -> subprocess.CompletedProcess[str]:
        command = [str(_node(self.folder)), str(self.folder / "node_modules" / ".bin" / program), *arguments]
        path = f"{_node(self.folder).parent}{os.pathsep}{os.environ.get('PATH', '')}"
        return subprocess.run(
            command, cwd=self.folder, env={**os.environ, "PATH": path, **(variables or {})}, timeout=timeout,
            capture_output=True, text=True, stdin=subprocess.DEVNULL, check=False,
        )  # fmt: skip


def install() -> NodeTools:
    """The tools, installed now unless they are.

    Raises:
        Unavailable: There is no npm, the registry cannot be reached, or the Node it gives does not run here.
    """
    wanted = [f"{name}@{version}" for name, version in PINS.items()]
    folder = ROOT / ".cache" / f"npm-{hashlib.blake2b(' '.join(wanted).encode(), digest_size=6).hexdigest()}"
    done = folder / ".installed"
    if not done.exists():
        npm = shutil.which("npm")
        if npm is None:
            raise Unavailable("npm is not installed here, and the tools come from npm")
        folder.mkdir(parents=True, exist_ok=True)
        command = [npm, "install", "--prefix", str(folder), "--no-audit", "--no-fund", "--loglevel=error", *wanted]
        try:
            run = subprocess.run(command, capture_output=True, text=True, timeout=INSTALLING, check=False)
        except subprocess.TimeoutExpired:
            raise Unavailable(f"npm install took longer than {INSTALLING} seconds") from None
        if run.returncode:
            raise Unavailable(f"npm install failed: {run.stderr.strip()[-500:]}")
        _check_node(folder)
        done.touch()
    return NodeTools(folder)


def _node(folder: Path) -> Path:
    return folder / "node_modules" / "node" / "bin" / "node"


def _check_node(folder: Path) -> None:
    try:
        run = subprocess.run([_node(folder), "--version"], capture_output=True, text=True, timeout=60, check=False)
    except OSError as error:
        raise Unavailable(f"Node {PINS['node']} from npm does not run here: {error.strerror}") from None
    if run.stdout.strip() != f"v{PINS['node']}":
        raise Unavailable(f"Node {PINS['node']} was asked of npm, and {run.stdout.strip() or 'nothing'} came")
