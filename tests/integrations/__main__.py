"""Every integration with the real thing, each in a virtual environment of its own: `make test-integrations`.

No two trainers can be relied on to share one. An environment is made once, below `.venvs/`, and
made anew when pyproject.toml changes. Say which to run: `python -m tests.integrations ray trl`.
"""

from __future__ import annotations

import subprocess
import sys
import time
import venv
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
EXTRAS = ("trl", "verl", "openenv", "ray")
TOOLS = ("pytest>=9.2", "pytest-asyncio>=1.5", "hypothesis>=6.170", "pyarrow>=21", "matplotlib>=3.10")


def made(extra: str) -> Path:
    """The Python of an extra's environment, with the extra in it."""
    folder = ROOT / ".venvs" / extra
    python, ready = folder / "bin" / "python", folder / ".ready"
    wanted = (ROOT / "pyproject.toml").stat().st_mtime
    if not ready.exists() or ready.stat().st_mtime < wanted:
        print(f"{extra}: making {folder.relative_to(ROOT)} ...", flush=True)
        venv.create(folder, with_pip=True, clear=True)
        command = [str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
        subprocess.run([*command, "-e", f"{ROOT}[{extra}]", *TOOLS], check=True)
        ready.touch()
    return python


def main(names: list[str]) -> int:
    """Run the tests of some integrations; the number of those that failed."""
    if unknown := sorted(set(names) - set(EXTRAS)):
        print(f"no integration {', '.join(unknown)}; there are {', '.join(EXTRAS)}")
        return 2
    told = []
    for extra in names or EXTRAS:
        python = made(extra)
        start = time.monotonic()
        # Trainers warn of what is theirs to mend, so that warnings are no errors here.
        command = [str(python), "-m", "pytest", "-q", "-p", "no:cacheprovider", "-o", "filterwarnings=ignore"]
        files = sorted(map(str, (ROOT / "tests" / "integrations").glob(f"test_{extra}*.py")))
        done = subprocess.run([*command, *files], cwd=ROOT, check=False)
        told.append((extra, "passed" if done.returncode == 0 else "FAILED", time.monotonic() - start))
    for extra, verdict, seconds in told:
        print(f"{extra:8} {verdict}  {seconds:6.0f} s")
    return sum(verdict == "FAILED" for _, verdict, _ in told)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
