"""The one place where prompts are composed; every face and every export uses it."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, Literal

from ..environment import Package

UserForm = Literal["scripted", "solo"]
EpisodeUser = Literal["scripted", "solo", "model"]
"""Who speaks for the user in an episode: the script, nobody, or a model, whose replies come from outside."""

AnswerForm = Literal["text", "tool"]

_TOOLS = """# Tools

These are the functions that you can call, each as a JSON schema, between <tools> tags:
<tools>
{tools}
</tools>

To call a function, write a JSON object with its name and its arguments between <tool_call> tags, once per call:
<tool_call>
{{"name": "<name of the function>", "arguments": {{<its arguments>}}}}
</tool_call>

Results come back between <tool_response> tags, in the order of the calls."""


def system_prompt(
    package: Package,
    *,
    now: str,
    user: EpisodeUser = "scripted",
    answer: AnswerForm = "text",
    tools: Sequence[Mapping[str, Any]] = (),
) -> str:
    """What the agent is told before the user speaks: who it is, the rules, the time, the conventions.

    Args:
        package: The environment.
        now: The time in the episode, ISO 8601.
        user: `scripted` (or `model`) for a conversation, `solo` for one ticket without replies.
        answer: Whether facts are told in words or with the `answer` tool.
        tools: The tools in OpenAI form, for models that call them in the text form; natively they travel
            beside the prompt.
    """
    prompt = f"{introduction(package, now=now)}\n\n{_conventions(user, answer, bool(package.policy.rules))}"
    return with_tools(prompt, tools) if tools else prompt


def with_tools(prompt: str, tools: Sequence[Mapping[str, Any]]) -> str:
    """A system prompt that also tells the tools, and how to call them between tags."""
    listed = "\n".join(json.dumps(tool, ensure_ascii=False) for tool in tools)
    return f"{prompt}\n\n{_TOOLS.format(tools=listed)}"


def introduction(package: Package, *, now: str) -> str:
    """The part of the system prompt that holds without a task too: who the agent is, the time, the rules."""
    manifest = package.manifest
    moment = datetime.fromisoformat(now.replace("Z", "+00:00"))
    parts = [
        f"You are the assistant of {manifest.title}. {manifest.summary}".strip(),
        manifest.users.strip(),
        f"The current time is {moment:%A, %Y-%m-%d %H:%M} UTC ({now}).",
    ]
    if package.policy.text.strip():
        parts.append("Follow this policy:\n\n" + package.policy.text.strip())
    return "\n\n".join(part for part in parts if part)


def _conventions(user: EpisodeUser, answer: AnswerForm, has_rules: bool) -> str:
    lines = ["How to work:", "- Look things up and act with the tools; never invent data."]
    if has_rules:
        lines.append("- If the policy forbids a request, call decline_request with the rule's id, then explain.")
    if answer == "tool":
        lines.append("- Report every fact you were asked for with the answer tool.")
    if user == "solo":
        lines.append(
            "- You have one ticket and nobody to ask. Do all of it, then end with one message that tells the result."
        )
    else:
        lines.append("- A message without tool calls goes to the user. Ask only for what you cannot look up.")
    return "\n".join(lines)
