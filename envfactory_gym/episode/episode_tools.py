"""Tools that act on the episode and not on the world: declining a request, and telling answers."""

from __future__ import annotations

from functools import cache
from typing import Annotated, Any

from pydantic import Field
from pydantic_core import from_json
from typing_extensions import TypedDict

from ..environment import Package, Tool, ToolError, build_tool
from .prompt import AnswerForm

Value = Annotated[str, Field(max_length=500)] | int | float


class Noted(TypedDict):
    """What an episode tool says back; it never tells whether the agent is right."""

    noted: bool


def decline_request(
    world: None,
    rule: Annotated[str, Field(max_length=80)],
    explanation: Annotated[str, Field(max_length=2000)] = "",
) -> Noted:
    """Decline what the user asks for because a rule of the policy forbids it. Changes nothing in the world.

    Args:
        world: Unused: the tool acts on the episode.
        rule: Id of the rule, as it stands in brackets in the policy.
        explanation: Why, in a sentence for the user.
    """
    return {"noted": True}


def answer(world: None, values: Annotated[list[Value], Field(min_length=1, max_length=50)]) -> Noted:
    """Report the facts that the user asked for, each as one value. Changes nothing in the world.

    Args:
        world: Unused: the tool acts on the episode.
        values: The facts, one value each, such as "$120.50", "2026-05-14", "OSL" or 3.
    """
    return {"noted": True}


def read_more(world: None, result: Annotated[int, Field(ge=1)], page: Annotated[int, Field(ge=1)]) -> Noted:
    """Read a further page of a result that was too long to be shown at once. Changes nothing in the world.

    Args:
        world: Unused: the tool acts on the episode.
        result: Number of the long result, as its first page tells it.
        page: Number of the page, from 1.
    """
    return {"noted": True}


@cache
def decline_tool() -> Tool:
    """`decline_request`, listed wherever the policy has rules."""
    return build_tool(decline_request, actor="episode")


@cache
def answer_tool() -> Tool:
    """`answer`, listed with `answer="tool"`."""
    return build_tool(answer, actor="episode")


@cache
def more_tool() -> Tool:
    """`read_more`, listed where long results come in pages."""
    return build_tool(read_more, actor="episode")


def episode_tools(package: Package, answer: AnswerForm, *, paged: bool = False) -> dict[str, Tool]:
    """The episode tools that an episode of this package offers, by name."""
    tools = [decline_tool()] if package.policy.rules else []
    if answer == "tool":
        tools.append(answer_tool())
    if paged:
        tools.append(more_tool())
    return {tool.name: tool for tool in tools}


def listed_tools(package: Package, answer: AnswerForm, *, paged: bool = False) -> list[dict[str, Any]]:
    """Every tool that the agent of an episode may call, in OpenAI form; fresh dicts each time."""
    own: list[dict[str, Any]] = from_json(package.agent_tools_json)
    return own + [tool.openai() for tool in episode_tools(package, answer, paged=paged).values()]


def check_rule(package: Package, rule: str) -> None:
    """Refuse a rule id that the policy does not have."""
    if rule not in package.policy.rules:
        known = ", ".join(package.policy.rules)
        raise ToolError("invalid", f"The policy has no rule {rule!r}; its rules are: {known}.", field="rule")
