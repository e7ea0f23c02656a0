"""Random trajectories that hold whatever a transcript may hold, as run records."""

from __future__ import annotations

import json
from random import Random
from typing import Any

from envfactory_gym.episode import Outcome, RunRecord
from envfactory_gym.episode.record import RunCall

TEXTS = ("", "Done.", "Grüße, Ōsaka – 東京 🛫", 'quotes " and \\ back', "line\nbreak\ttab", "<tool_call>not one</tool_call>",
         "{\"json\": [1, 2]}", "   ", "null", "\u200bzero\u2028width")  # fmt: skip


def value(dice: Random, depth: int = 0) -> Any:
    kinds = ["text", "int", "float", "bool", "null", "big"] + (["list", "object"] * 2 if depth < 3 else [])
    match dice.choice(kinds):
        case "text":
            return dice.choice(TEXTS)
        case "int":
            return dice.randrange(-1000, 1000)
        case "float":
            return dice.choice([0.5, -2.0, 1e-9, 123456.789])
        case "bool":
            return dice.random() < 0.5
        case "null":
            return None
        case "big":
            return 2**53 + dice.randrange(9)
        case "list":
            return [value(dice, depth + 1) for _ in range(dice.randrange(4))]
        case _:
            return {f"k{n}": value(dice, depth + 1) for n in dice.sample(range(9), dice.randrange(4))}


def arguments(dice: Random) -> Any:
    made = {f"a{n}": value(dice) for n in dice.sample(range(12), dice.randrange(5))}
    form = dice.random()
    if form < 0.5:
        return made
    if form < 0.9:
        return json.dumps(made, ensure_ascii=dice.random() < 0.5)
    broken = [
        '{"a": 1',
        '{"a": 1, "a": 2}',
        "[1, 2]",
        '{"a": NaN}',
        '{"a": 1e999}',
        r'{"a": "\ud83d"}',
        "",
        "plain words",
    ]
    return dice.choice(broken)


def trajectory(seed: int) -> RunRecord:
    """A record with unicode, parallel calls, nested and broken arguments, empty results and long texts."""
    dice = Random(seed)
    text = lambda: dice.choice(TEXTS) if dice.random() < 0.9 else dice.choice(TEXTS) * 400  # noqa: E731
    messages: list[dict[str, Any]] = [{"role": "system", "content": "Be kind."}] if dice.random() < 0.9 else []
    calls, step = [], 0
    messages.append({"role": "user", "content": text()})
    for _ in range(dice.randrange(1, 7)):
        step += 1
        if dice.random() < 0.3:
            messages.append({"role": "assistant", "content": text()})
            messages.append({"role": "user", "content": text()})
            continue
        made = [
            {
                "id": f"c{step}_{n}",
                "type": "function",
                "function": {"name": f"tool_{dice.randrange(5)}", "arguments": arguments(dice)},
            }
            for n in range(dice.choice([1, 1, 1, 2, 3]))
        ]
        messages.append({"role": "assistant", "content": dice.choice(["", text()]), "tool_calls": made})
        for call in made:
            name, error = call["function"]["name"], dice.choice([None, None, "invalid"])
            result = text()
            messages.append({"role": "tool", "tool_call_id": call["id"], "name": name, "content": result})
            calls.append(RunCall(turn=0, step=step, actor="agent", tool=name,
                                 arguments=call["function"]["arguments"], result=result, error=error))  # fmt: skip
    if dice.random() < 0.8:
        step += 1
        messages.append({"role": "assistant", "content": text()})
    schema = {"type": "object", "properties": {"x": {"anyOf": [{"type": "integer", "minimum": 0}, {"type": "null"}]}}}
    tools = [
        {"type": "function", "function": {"name": f"tool_{n}", "description": "Ünïcode", "parameters": schema}}
        for n in range(5)
    ]
    won = dice.random() < 0.5
    return RunRecord(
        environment="EnvFactory/elsewhere-v0", task=f"t{seed}", world_hash="w", rules_hash="r",
        split=("train", "dev", "test")[seed % 3], user="solo", answer="text", agent="random", seed=seed,
        tools=tools, messages=messages, calls=calls, digest="d",
        outcome=Outcome(kind="success" if won else "failure", reward=float(won), reward_valid=True,
                        reason="SECRET", turns=({"passed": won, "reasons": ("SECRET row",)},)),
    )  # fmt: skip
