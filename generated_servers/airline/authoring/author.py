"""From what is said and planned to a whole task: gold is derived by carrying the plan out on a world.

The literal calls of gold, and the codes and flights that a confirmation states, come from execution;
none of it is typed in.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from envfactory_gym.environment import Package, TaskPrivate
from envfactory_gym.environment.task import (
    Answer,
    AnswerKind,
    Goal,
    GoalCall,
    GoldCall,
    GoldStep,
    Referent,
    RowPatch,
    Setup,
    Slot,
    Source,
    Turn,
    User,
)
from envfactory_gym.episode.gold import GoldFailed, carry_out, knowledge
from envfactory_gym.world import Template

from .splits import deal, footprint

CODE = "I have sent a text message to the phone we have on file. Could you read me the code in it, please?"


@dataclass(frozen=True)
class Say:
    """One turn.

    Attributes:
        request: The user's words.
        plan: Look-ups and wishes, in order.
        end: The agent's last words; `{subject}` stands for an answer.
        confirm: Said before the first write; `{id[argument]}` stands for an argument of the plan.
        instruct: Said when the user has to act, before a call of the user's own tool.
        answers: What has to be told.
        asks: A slot to ask for first, with the question.
        decline: The rule by which the request is declined.
        refers: Referring expressions of the request.
        others: How many other values of an answer's column may be told, if not the usual number.
    """

    request: str
    plan: tuple[GoalCall, ...]
    end: str
    confirm: str | None = None
    instruct: str = CODE
    answers: tuple[Answer, ...] = ()
    asks: tuple[str, str] | None = None
    decline: str | None = None
    refers: tuple[Referent, ...] = ()
    others: int | None = None

    @property
    def max_other_values(self) -> int:
        """The bound: none where telling is all there is to do, or telling everything would pay."""
        return self.others if self.others is not None else 2 if any(call.wish for call in self.plan) else 0

    def goal(self) -> Goal:
        """The turn's goal."""
        return Goal(calls=self.plan, answers=self.answers, decline=self.decline, referents=self.refers)


ASK_NUMBER = ("customer_id", "Gladly. Could you tell me your customer number, please?")


def tell(subject: str, kind: AnswerKind, source: Source, column: str | None = None) -> Answer:
    """Something the agent has to tell; money is in US cents."""
    return Answer(subject=subject, kind=kind, source=source, column=column, currency="USD" if kind == "money" else None)


def patched(*rows: tuple[str, dict[str, Any], dict[str, Any] | None], now: str | None = None) -> Setup:
    """A setup that changes rows (table, key, values; None deletes) or the time."""
    return Setup(now=now, rows=tuple(RowPatch(table=table, key=key, values=values) for table, key, values in rows))


class Author:
    """Collects tasks for a package."""

    def __init__(self, package: Package) -> None:
        self.package = package
        self.template = Template.of(package)
        self.customers = {row["customer_id"]: row for row in package.rows("customers")}
        self.tasks: list[TaskPrivate] = []
        self.footprints: dict[str, set[str]] = {}

    def email(self, customer_id: str) -> str:
        """The address on file."""
        return str(self.customers[customer_id]["email"])

    def task(
        self,
        task_id: str,
        customer_id: str,
        *turns: Say,
        kinds: Sequence[str],
        persona: str = "",
        slots: Sequence[tuple[str, str]] = (),
        setup: Setup | None = None,
        twin: str | None = None,
        solo: bool = True,
    ) -> None:
        """Add a task; the user knows the customer's number and address, and the slots given."""
        row = self.customers[customer_id]
        known = [("customer_id", customer_id), ("email", row["email"]), *slots]
        wording = self.package.language.slots
        draft = TaskPrivate(
            id=task_id,
            environment=self.package.id,
            split="train",
            seed=len(self.tasks) + 1,
            user=User(
                name=f"{row['first_name']} {row['last_name']}",
                persona=persona,
                slots=tuple(Slot(name=name, value=value, say=wording[name].say) for name, value in known),
            ),
            setup=setup or Setup(),
            turns=tuple(
                Turn(
                    request=turn.request,
                    goal=turn.goal(),
                    gold=(GoldStep(say="Done.", expect="ends"),),
                    max_other_values=turn.max_other_values,
                )
                for turn in turns
            ),
            twin=twin,
            solo=solo
            and not any(self.package.tools[call.tool].actor == "user" for turn in turns for call in turn.plan),
            kinds=tuple(kinds),
        )
        self.tasks.append(self._with_gold(draft, turns))

    def pair(
        self,
        refused: tuple[str, Setup | None, Say],
        done: tuple[str, Setup | None, Say],
        customer_id: str,
        *,
        kinds: Sequence[str] = (),
        slots: Sequence[tuple[str, str]] = (),
        persona: str = "",
    ) -> None:
        """Add twins: the same words in two worlds; in one the request is declined, in the other it is done."""
        for (task_id, setup, turn), twin, kind in ((refused, done[0], "refusal"), (done, refused[0], "action")):
            self.task(
                task_id, customer_id, turn,
                kinds=(kind, *kinds), slots=slots, persona=persona, setup=setup, twin=twin,
            )  # fmt: skip

    def finished(self) -> list[TaskPrivate]:
        """All tasks with their splits: what shares a customer, a row or a twin stands in one split."""
        splits = deal({task.id: self.footprints[task.id] for task in self.tasks})
        return [task.model_copy(update={"split": splits[task.id]}) for task in self.tasks]

    def _with_gold(self, draft: TaskPrivate, says: Sequence[Say]) -> TaskPrivate:
        world = self.template.acquire(draft.setup, seed=draft.seed)
        results: dict[str, Any] = {}
        arguments: dict[str, dict[str, Any]] = {}
        turns = []
        for index, (turn, say) in enumerate(zip(draft.turns, says, strict=True)):
            known = knowledge(self.package, draft, index, world.now, results)
            try:
                made = [gold for gold, _ in carry_out(world, self.package, turn.goal, known)]
            except GoldFailed as error:
                raise GoldFailed(f"{draft.id}, turn {index}: {error}") from error
            arguments |= {gold.id: gold.arguments for gold in made}
            turns.append(turn.model_copy(update={"gold": tuple(self._steps(say, made, arguments))}))
        self.footprints[draft.id] = footprint(draft, turns, world)
        self.template.release(world)
        return draft.model_copy(update={"turns": tuple(turns)})

    def _steps(self, say: Say, made: Sequence[GoldCall], arguments: dict[str, dict[str, Any]]) -> list[GoldStep]:
        steps = [GoldStep(say=say.asks[1], slots=say.asks[:1], expect="tells")] if say.asks else []
        unconfirmed = say.confirm
        for gold in made:
            if unconfirmed and self.package.tools[gold.tool].confirm:
                steps.append(GoldStep(say=unconfirmed.format(**arguments), expect="affirms"))
                unconfirmed = None
            if self.package.tools[gold.tool].actor == "user":
                steps.append(GoldStep(say=say.instruct, acts=gold, expect="acts"))
            else:
                steps.append(GoldStep(calls=(gold,)))
        if say.decline:
            refusal = {"rule": say.decline, "explanation": say.end}
            steps.append(GoldStep(calls=(GoldCall(id="decline", tool="decline_request", arguments=refusal),)))
        return [*steps, GoldStep(say=say.end, expect="ends")]
