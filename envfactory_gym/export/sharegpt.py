"""`sharegpt`: conversations as LLaMA-Factory reads them.

Its turns alternate strictly: human or observation, then gpt or function_call. Parallel results become one
observation, a JSON list. What the form has no place for (ids of calls, text beside a call, a tail
after the last assistant message) stands in `extra`, which the loader ignores and `messages_of` reads back.
"""

from __future__ import annotations

import json
from typing import Any

from .messages import Message, dump
from .sample import Sample

Row = dict[str, Any]

DATASET_INFO = {
    "formatting": "sharegpt",
    "columns": {"messages": "conversations", "system": "system", "tools": "tools"},
    "tags": {
        "role_tag": "from",
        "content_tag": "value",
        "user_tag": "human",
        "assistant_tag": "gpt",
        "observation_tag": "observation",
        "function_tag": "function_call",
    },
}
"""What LLaMA-Factory's dataset_info.json has to say of such a file, beside its name."""


def sharegpt_row(sample: Sample) -> Row:
    """A sample as one row; tools and calls are JSON text, as the loader expects."""
    messages = list(sample.messages)
    system = messages.pop(0)["content"] if messages and messages[0]["role"] == "system" else ""
    turns: list[Row] = []
    extra: dict[str, Any] = {"calls": [], "texts": {}, "results": []}
    index = 0
    while index < len(messages):
        message = messages[index]
        if message["role"] == "tool":
            results = []
            while index < len(messages) and messages[index]["role"] == "tool":
                results.append(messages[index])
                index += 1
            extra["results"].append([[result["tool_call_id"], result["name"]] for result in results])
            texts = [result["content"] for result in results]
            turns.append({"from": "observation", "value": texts[0] if len(texts) == 1 else dump(texts)})
            continue
        if message["role"] == "user":
            turns.append({"from": "human", "value": message["content"]})
        elif calls := message.get("tool_calls"):
            if message["content"]:
                extra["texts"][str(len(turns))] = message["content"]
            extra["calls"].append([call["id"] for call in calls])
            plain = [call["function"] for call in calls]
            turns.append({"from": "function_call", "value": dump(plain[0] if len(plain) == 1 else plain)})
        else:
            turns.append({"from": "gpt", "value": message["content"]})
        index += 1
    cut = len(turns)
    while cut and turns[cut - 1]["from"] not in ("gpt", "function_call"):
        cut -= 1
    extra["tail"] = turns[cut:]
    schemas = [tool["function"] for tool in sample.tools]
    return {
        "conversations": turns[:cut],
        "system": system,
        "tools": dump(schemas),
        "extra": dump(extra),
        **sample.about(),
    }


def messages_of(row: Row) -> list[Message]:
    """The canonical messages that a row was made of."""
    extra = json.loads(row["extra"])
    calls, results = iter(extra["calls"]), iter(extra["results"])
    found: list[Message] = [{"role": "system", "content": row["system"]}] if row["system"] else []
    for index, turn in enumerate([*row["conversations"], *extra["tail"]]):
        value = turn["value"]
        match turn["from"]:
            case "human":
                found.append({"role": "user", "content": value})
            case "gpt":
                found.append({"role": "assistant", "content": value})
            case "function_call":
                ids = next(calls)
                plain = json.loads(value)
                made = [
                    {"id": name, "type": "function", "function": function}
                    for name, function in zip(ids, plain if isinstance(plain, list) else [plain], strict=True)
                ]
                text = extra["texts"].get(str(index), "")
                found.append({"role": "assistant", "content": text, "tool_calls": made})
            case "observation":
                named = next(results)
                texts = [value] if len(named) == 1 else json.loads(value)
                found += [
                    {"role": "tool", "tool_call_id": call, "name": name, "content": text}
                    for (call, name), text in zip(named, texts, strict=True)
                ]
    return found
