"""Heavy parts stay asleep: what `import envfactory_gym` may load, seen from a fresh process."""

from __future__ import annotations

import json
import subprocess
import sys

HEAVY = frozenset({"mcp", "fastapi", "starlette", "uvicorn", "openai", "httpx2", "torch", "jinja2", "rich", "typer"})
"""Parts that only some uses need. Gymnasium itself is expected; these are not."""

REPORT = "import json, sys; print(json.dumps(sorted({name.partition('.')[0] for name in sys.modules})))"


def loaded_by(statement: str) -> set[str]:
    """Top-level modules in `sys.modules` after a statement ran in a fresh process."""
    script = (
        f"{statement}\nimport json, sys\nprint(json.dumps(sorted({{name.partition('.')[0] for name in sys.modules}})))"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True, timeout=120)
    return set(json.loads(done.stdout.splitlines()[-1]))


def test_importing_the_library_loads_nothing_heavy() -> None:
    loaded = loaded_by("import envfactory_gym")
    assert "envfactory_gym" in loaded
    assert loaded & HEAVY == set()


def test_making_and_resetting_an_environment_loads_no_server_and_no_model() -> None:
    loaded = loaded_by(
        "import gymnasium, envfactory_gym\n"
        "env = gymnasium.make('EnvFactory/airline-v0')\n"
        "env.reset(seed=0)\n"
        "env.close()"
    )
    assert "gymnasium" in loaded
    assert loaded & {"mcp", "fastapi", "starlette", "uvicorn", "openai", "torch"} == set()


def test_help_of_the_command_line_loads_no_server_and_no_model() -> None:
    loaded = loaded_by(
        "from typer.testing import CliRunner\n"
        "from envfactory_gym.cli import app\n"
        "result = CliRunner().invoke(app, ['--help'])\n"
        "assert result.exit_code == 0, result.output\n"
        "assert 'quickstart' in result.output"
    )
    assert loaded & {"mcp", "fastapi", "starlette", "uvicorn", "openai", "torch", "jinja2"} == set()
