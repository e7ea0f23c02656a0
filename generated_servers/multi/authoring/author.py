"""From what is said and planned to a whole task: people and deals are chosen from the data, gold by execution.

The literal calls of gold, and the codes that a confirmation states, come from carrying the plan out on a
world; none of it is typed in.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from envfactory_gym.environment import Bundle, Goal, Setup, Slot, TaskPrivate, ToolError, Turn, User
from envfactory_gym.environment.task import Answer, GoalCall, GoldCall, GoldStep, Referent, Split
from envfactory_gym.episode.gold import carry_out, knowledge
from envfactory_gym.world import Template

from .words import NUMBER, Row

ASK_NUMBER = "Gladly. Could you tell me your customer number with Everfield Air, please?"
ASK_CODE = "I have sent a text message to the phone we have on file. Could you read me the code in it, please?"


@dataclass(frozen=True)
class Say:
    """One turn.

    Attributes:
        request: The user's words.
        plan: Look-ups and wishes, in order.
        end: The agent's last words; `{subject}` stands for an answer.
        asks: Whether the customer number is asked for first.
        confirm: Said before the first write that needs it; `{id[argument]}` stands for an argument of the plan.
        answers: What has to be told.
        decline: The rule by which something of the request is declined.
        refers: Referring expressions of the request.
    """

    request: str
    plan: tuple[GoalCall, ...]
    end: str
    asks: bool = False
    confirm: str | None = None
    answers: tuple[Answer, ...] = ()
    decline: str | None = None
    refers: tuple[Referent, ...] = ()

    def goal(self) -> Goal:
        """The turn's goal."""
        return Goal(calls=self.plan, answers=self.answers, decline=self.decline, referents=self.refers)


class Author:
    """Collects tasks for the airline and the CRM together.

    Args:
        bundle: Both.

    Attributes:
        tasks: Those added so far.
        travellers: Fare → customers who fly alone to a city, once and soon; each customer once.
        deals: Opportunities with a close date.
        people: Contacts with one e-mail address.
    """

    def __init__(self, bundle: Bundle) -> None:
        self.bundle = bundle
        self.template = Template.of(bundle)
        self.tasks: list[TaskPrivate] = []
        world = self.template.acquire()
        found = world.rows(
            """SELECT t.customer_id, first_name, last_name, reservation_id, fare, destination, departure_date
               FROM airline__trips t JOIN airline__customers c USING (customer_id)
               WHERE t.status = 'confirmed' AND departs_at > :now AND passengers = 1
                 AND (SELECT count(*) FROM airline__trips o WHERE o.customer_id = t.customer_id) <= 5
                 AND (SELECT count(*) FROM airline__trips o
                      WHERE o.customer_id = t.customer_id AND o.destination = t.destination) = 1
               ORDER BY customer_id, reservation_id"""
        )
        travellers = list({row["customer_id"]: row for row in reversed(found)}.values())[::-1]
        fares = ("basic", "standard", "flex")
        self.travellers = {fare: iter([row for row in travellers if row["fare"] == fare]) for fare in fares}
        self.deals = iter(
            world.rows("SELECT title, close_date FROM crm__opportunities WHERE close_date IS NOT NULL ORDER BY id")
        )
        self.people = iter(world.rows("SELECT name FROM crm__contacts WHERE json_array_length(emails) = 1 ORDER BY id"))
        self.template.release(world)

    def is_final(self, traveller: Row) -> bool:
        """Whether a trip on a basic fare stays: booked a day ago or earlier, on flights that leave as they should."""
        trip = {"reservation_id": traveller["reservation_id"]}
        world = self.template.acquire()
        try:
            refund = json.loads(world.call("airline__quote_refund", {**trip, "reason": "change_of_plans"}))
            world.call("airline__quote_refund", {**trip, "reason": "schedule_change"})
        except ToolError as refusal:
            return refusal.reason == "airline/schedule-change" and refund["refund_cents"] == 0
        finally:
            self.template.release(world)
        return False

    def add(
        self,
        task_id: str,
        traveller: Row,
        split: Split,
        *turns: Say,
        kinds: Sequence[str],
        setup: Setup | None = None,
        twin: str | None = None,
    ) -> None:
        """Add a task of a traveller, who knows the own customer number."""
        tools, wording = self.bundle.tools, self.bundle.language.slots[NUMBER]
        draft = TaskPrivate(
            id=task_id,
            environment=self.bundle.id,
            environments=self.bundle.members,
            split=split,
            seed=len(self.tasks) + 1,
            user=User(
                name=f"{traveller['first_name']} {traveller['last_name']}",
                persona="Sells for a living, and flies to do it.",
                slots=(Slot(name=NUMBER, value=traveller["customer_id"], say=wording.say),),
            ),
            setup=setup or Setup(),
            turns=tuple(
                Turn(
                    request=turn.request,
                    goal=turn.goal(),
                    gold=(GoldStep(say="Done.", expect="ends"),),
                    # Where telling is all there is to do, telling everything must not pay.
                    max_other_values=2 if any(made.wish for made in turn.plan) else 0,
                )
                for turn in turns
            ),
            twin=twin,
            solo=not any(tools[made.tool].actor == "user" for turn in turns for made in turn.plan),
            kinds=("several environments", *kinds),
        )
        self.tasks.append(self._with_gold(draft, turns))

    def _with_gold(self, draft: TaskPrivate, says: Sequence[Say]) -> TaskPrivate:
        world = self.template.acquire(draft.setup, seed=draft.seed)
        results: dict[str, Any] = {}
        arguments: dict[str, dict[str, Any]] = {}
        turns = []
        for index, (turn, say) in enumerate(zip(draft.turns, says, strict=True)):
            known = knowledge(self.bundle, draft, index, world.now, results)
            made = [gold for gold, _ in carry_out(world, self.bundle, turn.goal, known)]
            arguments |= {gold.id: gold.arguments for gold in made}
            turns.append(turn.model_copy(update={"gold": tuple(self._steps(say, made, arguments))}))
        self.template.release(world)
        return draft.model_copy(update={"turns": tuple(turns)})

    def _steps(self, say: Say, made: Sequence[GoldCall], arguments: dict[str, dict[str, Any]]) -> list[GoldStep]:
        steps = [GoldStep(say=ASK_NUMBER, slots=(NUMBER,), expect="tells")] if say.asks else []
        unconfirmed = say.confirm
        for gold in made:
            tool = self.bundle.tools[gold.tool]
            if unconfirmed and tool.confirm:
                steps.append(GoldStep(say=unconfirmed.format(**arguments), expect="affirms"))
                unconfirmed = None
            asked = GoldStep(say=ASK_CODE, acts=gold, expect="acts")
            steps.append(asked if tool.actor == "user" else GoldStep(calls=(gold,)))
        if say.decline:
            refusal = {"rule": say.decline, "explanation": say.end}
            steps.append(GoldStep(calls=(GoldCall(id="decline", tool="decline_request", arguments=refusal),)))
        return [*steps, GoldStep(say=say.end, expect="ends")]
