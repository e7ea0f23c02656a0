"""The proposal: what an environment is to be, with the words of the source behind each rule."""

from __future__ import annotations

import re
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, field_validator

from .passages import Sources

RuleId = Annotated[str, Field(pattern=r"^[a-z0-9][a-z0-9-]{1,39}$")]
Identifier = Annotated[str, Field(pattern=r"^[a-z][a-z0-9_]{0,39}$")]


class Rule(BaseModel):
    """A rule of the policy.

    Attributes:
        id: Such as `renew-overdue`; what a tool refuses by, where one enforces it.
        text: The rule, as the agent reads it.
        source: A passage (`S3`) or words of one; empty where the author made it up.
        enforced_by: Tools that refuse by it; none where keeping it is left to the agent.
    """

    model_config = ConfigDict(frozen=True, extra="ignore")

    id: RuleId
    text: Annotated[str, Field(min_length=10, max_length=600)]
    source: str = ""
    enforced_by: tuple[Identifier, ...] = ()

    @field_validator("text")
    @classmethod
    def _one_line(cls, text: str) -> str:
        return " ".join(text.split())

    @field_validator("source", mode="before")
    @classmethod
    def _none_is_empty(cls, value: object) -> object:
        return "" if value is None else value


class ToolIdea(BaseModel):
    """A tool that is to be.

    Attributes:
        name: Of the function.
        does: What it does, in a sentence or two, with what it refuses.
        changes: Whether it changes anything.
    """

    model_config = ConfigDict(frozen=True, extra="ignore")

    name: Identifier
    does: Annotated[str, Field(min_length=10, max_length=600)]
    changes: bool = False


class TableIdea(BaseModel):
    """A table that is to be: its name, and what one row is."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    name: Identifier
    row: Annotated[str, Field(min_length=3, max_length=400)]


class Proposal(BaseModel):
    """What an environment is to be.

    Attributes:
        title, domain, summary, users, clock: As in environment.yaml.
        introduction: Prose for the agent, before the rules.
        tables, tools, rules: What it is made of; on top of a package, only what is new or changes.
    """

    model_config = ConfigDict(frozen=True, extra="ignore")

    title: Annotated[str, Field(min_length=3, max_length=80)]
    domain: Annotated[str, Field(pattern=r"^[a-z][a-z_-]{1,30}$")]
    summary: Annotated[str, Field(min_length=10, max_length=300)]
    users: Annotated[str, Field(min_length=3, max_length=300)]
    clock: Annotated[str, Field(pattern=r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$")]
    introduction: Annotated[str, Field(max_length=2000)] = ""
    tables: tuple[TableIdea, ...] = ()
    tools: tuple[ToolIdea, ...] = ()
    rules: tuple[Rule, ...] = ()

    def problems(self, sources: Sources, *, extends: bool) -> list[str]:
        """What is wrong with it: quotations that stand nowhere, names that lead nowhere, too little of anything."""
        found = []
        for rule in self.rules:
            if rule.source and sources.find(rule.source) is None:
                found.append(
                    f"rule {rule.id}: no passage holds {rule.source[:160]!r}; give the id of a passage, or words as "
                    "they stand there, or leave the source empty and own the rule as made up"
                )
        tools = {tool.name for tool in self.tools}
        if not extends:
            found += [
                f"rule {rule.id} is enforced by {tool}, which is no tool of the proposal"
                for rule in self.rules
                for tool in rule.enforced_by
                if tool not in tools
            ]
            if len(self.tools) < 3 or not any(tool.changes for tool in self.tools):
                found.append("an environment has at least three tools, and one that changes something")
            if len(self.tables) < 2:
                found.append("an environment has at least two tables")
        if not self.rules:
            found.append("there is no rule: what may the agent not do, and why?")
        for kind, names in (
            ("rule", [rule.id for rule in self.rules]),
            ("tool", [tool.name for tool in self.tools]),
            ("table", [table.name for table in self.tables]),
        ):
            found += [
                f"the {kind} {name} stands twice" for name in sorted({one for one in names if names.count(one) > 1})
            ]
        return found

    def quoted(self, sources: Sources) -> dict[str, str | None]:
        """Rule → the passage it comes from; None where it was made up."""
        return {
            rule.id: (found.id if rule.source and (found := sources.find(rule.source)) else None) for rule in self.rules
        }


def policy_text(proposal: Proposal, sources: Sources, before: str = "") -> str:
    """The policy as `policy.md`: what stood there before, then the rules that are new, each with its passage."""
    known = set(re.findall(r"^\s*[-*]\s+\[([a-z0-9-]+)\]", before, re.MULTILINE))
    passages = proposal.quoted(sources)
    lines = [
        f"- [{rule.id}] {rule.text}" + (f" ({passages[rule.id]})" if passages[rule.id] else "")
        for rule in proposal.rules
        if rule.id not in known
    ]
    if before:
        return before.rstrip() + "\n" + "".join(f"{line}\n" for line in lines)
    introduction = proposal.introduction.strip() or f"You serve people who write to the desk. {proposal.summary}"
    return f"# {proposal.title}: rules\n\n{introduction}\n\n" + "".join(f"{line}\n" for line in lines)
