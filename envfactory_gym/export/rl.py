"""RL rows for TRL and verl: the prompt and the public face of the task, and nothing else."""

from __future__ import annotations

from typing import Any

from .messages import dump
from .prompts import Prompt

Row = dict[str, Any]

AGENT_LOOP = "envfactory"
"""Name under which `integrations.verl` registers its agent loop."""


def trl_row(prompt: Prompt) -> Row:
    """A row for GRPOTrainer: `environment` selects the factory, `task` reaches `reset`."""
    return {
        "prompt": prompt.messages,
        "environment": prompt.facts.name,
        "task": prompt.task.id,
        "split": prompt.task.split,
        "difficulty": prompt.task.difficulty,
        "public": dump(prompt.task.model_dump(mode="json")),
    }


def verl_row(prompt: Prompt, index: int) -> Row:
    """A row for verl's RLHFDataset; what the agent loop needs is JSON text, since parquet merges keys of structs."""
    played = {"environment": prompt.environment, "task": prompt.task.id, "user": prompt.user, "answer": prompt.answer}
    return {
        "data_source": f"envfactory/{prompt.facts.name}",
        "agent_name": AGENT_LOOP,
        "prompt": prompt.messages,
        "ability": "tool_use",
        "reward_model": {"style": "rule", "ground_truth": ""},
        "extra_info": {
            "index": index,
            "split": prompt.task.split,
            "episode": dump(played),
            "public": dump(prompt.task.model_dump(mode="json")),
            "need_tools_kwargs": False,
            "tool_selection": [tool["function"]["name"] for tool in prompt.tools],
        },
    }


def verl_tools(tools: list[dict[str, Any]]) -> dict[str, Any]:
    """The tools.yaml of verl for some tools in OpenAI form: one class serves all of them.

    verl keeps `type`, `description` and `enum` of each property and refuses one without `type`, so unions
    become the type of their first member that is not null; the environment still validates the real schema.
    """
    return {
        "tools": [
            {
                "class_name": "envfactory_gym.integrations.verl.EnvironmentTool",
                "config": {"type": "native"},
                "tool_schema": {"type": "function", "function": {**tool["function"], "parameters": _flat(tool)}},
            }
            for tool in tools
        ]
    }


def _flat(tool: dict[str, Any]) -> dict[str, Any]:
    schema = tool["function"]["parameters"]
    return {
        "type": "object",
        "properties": {name: _property(child) for name, child in schema.get("properties", {}).items()},
        "required": list(schema.get("required", ())),
    }


def _property(schema: dict[str, Any]) -> dict[str, Any]:
    kept = {key: schema[key] for key in schema if key in ("description", "enum")}
    return {"type": _kind(schema), **kept}


def _kind(schema: dict[str, Any]) -> str:
    options = [schema, *schema.get("anyOf", ()), *schema.get("oneOf", ())]
    stated = [option["type"] for option in options if "type" in option]
    kinds = [kind for one in stated for kind in ([one] if isinstance(one, str) else one)]
    return next((kind for kind in kinds if kind != "null"), "string")
