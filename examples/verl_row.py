"""What an exported row looks like, and what verl keeps of a tool's schema.

    pip install 'envfactory-gym[verl,export]'
    python -m pytest tests/integrations/test_verl.py      # plays such rows through verl's own agent loop

Training itself is verl_airline.sh.
"""

from __future__ import annotations

import json

from verl.tools.schemas import OpenAIFunctionToolSchema

from envfactory_gym import load_package
from envfactory_gym.export import prompts
from envfactory_gym.export.rl import verl_row, verl_tools


def main() -> None:
    """Print a row, and a tool as verl keeps it."""
    package = load_package("airline")
    row = verl_row(next(iter(prompts(package, package.tasks))), 0)
    print(json.dumps({**row, "prompt": f"{len(row['prompt'])} messages"}, indent=2)[:1200])
    for tool in verl_tools([tool.openai() for tool in package.tools.values() if tool.actor == "agent"])["tools"][:1]:
        kept = OpenAIFunctionToolSchema.model_validate(tool["tool_schema"])
        print(json.dumps(kept.model_dump(exclude_none=True), indent=2))


if __name__ == "__main__":
    main()
