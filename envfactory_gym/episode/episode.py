"""One task being played: turns, exchanges, tool calls, grading, outcome, reward.

An episode is a value: a template's pooled world, a transcript and a few counters. It is driven by
agent messages only; everything it says back is a function of the task and of those messages, so
that replaying the messages gives the same episode (`EpisodeJournal`).
"""

from __future__ import annotations

import copy
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Literal, NamedTuple

from pydantic_core import from_json, to_json

from ..environment import (
    EnvFactoryError,
    EnvironmentFault,
    Package,
    TaskPrivate,
    Tool,
    ToolError,
)
from ..world import LiveWorld, Mark, Template
from ..world.moments import Checkpoint
from .actions import MAX_ARGUMENTS, AgentMessage, ToolCall, read_action
from .classify import classify
from .constraints import confirmed
from .episode_tools import check_rule, episode_tools, listed_tools
from .gold import Expected
from .grade import Conduct, Made, grade_turn
from .instructions import Instruction, read_instruction
from .journal import EpisodeJournal, RewardForm, check_hashes, replay
from .outcome import Outcome, OutcomeKind, TurnOutcome
from .paging import Pages
from .plan import Begun, plan_of, replan
from .prompt import AnswerForm, EpisodeUser, system_prompt
from .solo import solo_form
from .user import YES, Reply, ScriptedUser


class EpisodeOver(EnvFactoryError, RuntimeError):
    """A step after the end, or before the first reset: a mistake in the calling program."""


class Step(NamedTuple):
    """What one agent message led to.

    Attributes:
        messages: The new messages: one per tool call, then the user's, if any.
        reward: Paid by this step.
        terminated: The task was done, well or not.
        truncated: The episode was cut short: out of steps, or a fault of the harness.
        outcome: Set on the last step.
    """

    messages: list[dict[str, Any]]
    reward: float = 0.0
    terminated: bool = False
    truncated: bool = False
    outcome: Outcome | None = None


@dataclass
class CallRecord:
    """One call made in the episode, as the run record keeps it."""

    turn: int
    step: int
    actor: Literal["agent", "user"]
    tool: str
    arguments: Any
    result: str
    error: str | None = None
    cause: Literal["agent", "instruction"] = "agent"


_PLAYED = (
    "messages", "calls", "outcome", "steps", "paid", "_actions", "_replies", "_pages", "grades", "_begun", "_due",
)  # fmt: skip
"""What steps change besides the world and the turn."""


class EpisodeCheckpoint(NamedTuple):
    """A place in an episode to come back to."""

    world: Checkpoint
    played: dict[str, Any]


@dataclass
class _Turn:
    """The turn being played."""

    index: int
    mark: Mark
    accepted: tuple[Expected, ...]
    conduct: Conduct = field(default_factory=Conduct)
    exchanges: int = 0
    affirmed: tuple[str, ...] = ()


class Episode:
    """One task being played on one world.

    Args:
        package: The environment.
        task: The task, or its id.
        user: `scripted` converses; `solo` gives one ticket and never replies; `model` converses in words that
            come with each step (see `awaits_reply`).
        answer: Facts are told in `text`, or with the `answer` `tool`.
        reward: `success` pays 1.0 at the end, `turns` 1/n as each of n turns passes; a callable
            gets the outcome and returns the reward of the last step, in [0, 1].
        max_steps: Agent messages after which the episode is out of steps.
        max_result: Characters of a tool result that are shown at once; longer ones come in pages, which the
            tool `read_more` turns. None for no limit.

    Raises:
        TaskError: The task cannot be played: unknown tools, broken gold, hashes of another version.
    """

    def __init__(
        self,
        package: Package,
        task: TaskPrivate | str,
        *,
        user: EpisodeUser = "scripted",
        answer: AnswerForm = "text",
        reward: RewardForm = "success",
        max_steps: int = 30,
        max_result: int | None = None,
    ) -> None:
        if user not in ("scripted", "solo", "model"):
            raise ValueError(f"user is 'scripted', 'solo' or 'model', not {user!r}")
        if answer not in ("text", "tool"):
            raise ValueError(f"answer is 'text' or 'tool', not {answer!r}")
        if not (reward in ("success", "turns") or callable(reward)):
            raise ValueError(f"reward is 'success', 'turns' or a callable, not {reward!r}")
        if max_steps < 1:
            raise ValueError(f"max_steps is at least 1, not {max_steps}")
        self.original = package.task(task) if isinstance(task, str) else task
        self.package = package = package.narrowed(self.original)
        check_hashes(package, self.original)
        self.task = solo_form(package, self.original) if user == "solo" else self.original
        self.user_form, self.answer_form, self.reward_form, self.max_steps = user, answer, reward, max_steps
        self.max_result, self._pages = max_result, Pages(max_result)
        self.plan = plan_of(package, self.task)
        self._episode_tools = episode_tools(package, answer, paged=max_result is not None)
        self._world: LiveWorld | None = None
        self._turn: _Turn
        self._forget()

    # ------------------------------------------------------------ what can be seen

    @property
    def world(self) -> LiveWorld:
        """The live world.

        Raises:
            EpisodeOver: Before the first reset, or after close.
        """
        if self._world is None:
            raise EpisodeOver("the episode has no world yet: call reset() first")
        return self._world

    @cached_property
    def tool_names(self) -> tuple[str, ...]:
        """Names of all tools the agent may call, in listed order."""
        own = (tool.name for tool in self.package.tools.values() if tool.actor == "agent")
        return (*own, *self._episode_tools)

    @property
    def tools(self) -> list[dict[str, Any]]:
        """The agent's tools in OpenAI form; fresh dicts each time."""
        tools: list[dict[str, Any]] = from_json(self._tools_json)
        return tools

    @cached_property
    def _tools_json(self) -> bytes:
        return to_json(listed_tools(self.package, self.answer_form, paged=self.max_result is not None))

    @cached_property
    def prompt(self) -> str:
        """The system prompt."""
        now = self.task.setup.now or self.package.manifest.clock
        return system_prompt(self.package, now=now, user=self.user_form, answer=self.answer_form)

    @property
    def turn(self) -> int:
        """The turn being played, or the last one, from 0."""
        return self._turn.index

    @property
    def replies(self) -> list[Reply | None]:
        """In the form `model`, what came with each step so far; empty in the others."""
        return list(self._replies) if self.user_form == "model" else []

    @property
    def over(self) -> bool:
        """Whether the episode has ended."""
        return self.outcome is not None

    # ------------------------------------------------------------ playing

    def _forget(self) -> None:
        self.messages: list[dict[str, Any]] = []
        self.calls: list[CallRecord] = []
        self.outcome: Outcome | None = None
        self.steps = 0
        self.paid = 0.0
        self._actions: list[dict[str, Any]] = []
        self._replies: list[Reply | None] = []
        self._pages = Pages(self.max_result)
        self.grades: list[TurnOutcome] = []
        self._begun: list[Begun] = []
        self._due: tuple[Expected, ...] | None = None
        self._user = ScriptedUser(self.package, self.task)

    def reset(self) -> list[dict[str, Any]]:
        """Begin (again): the world as the setup leaves it, and the first request.

        Returns:
            The first messages: the system prompt and the user's request.
        """
        if self._world is None:
            self._world = Template.of(self.package).acquire(self.task.setup, seed=self.task.seed)
        else:
            self._world.reset()
        self._forget()
        self._begin_turn(0)
        self.messages += [
            {"role": "system", "content": self.prompt},
            {"role": "user", "content": self.task.turns[0].request},
        ]
        return self._since(0)

    def awaits_reply(self, action: Mapping[str, Any]) -> bool:
        """Whether, in the form `model`, what that user says to this message has to come with the step.

        It does not for calls, for an instruction to use a tool of the user's, and after the last exchange.
        """
        message = read_action(action, self.steps)
        return self.user_form == "model" and not message.calls and self._may_reply and not self._told(message.content)

    def step(self, action: Mapping[str, Any], *, reply: Reply | None = None) -> Step:
        """Play one agent message.

        Args:
            action: A message in OpenAI form, or `{"tool_calls": [{"name", "arguments"}]}`.
            reply: In the form `model` alone: what the user says to a message without calls; None where
                nothing, which ends the turn.

        Raises:
            InvalidAction: It is no assistant message.
            EpisodeOver: The episode has not begun, or has ended.
        """
        self._must_have_begun()
        if self.outcome is not None:
            raise EpisodeOver("the episode has ended: call reset() before the next step")
        if reply is not None and self.user_form != "model":
            raise ValueError(f"user={self.user_form!r} replies by itself; replies are given with user='model'")
        message = read_action(action, self.steps)
        self.steps += 1
        self._replies.append(reply)
        said = message.as_openai()
        self.messages.append(said)
        self._actions.append(said)
        start = len(self.messages)
        try:
            if message.calls:
                self._turn.conduct.texts.append(message.content)
                for call in message.calls:
                    self._call(call)
                reward, done = 0.0, False
            else:
                reward, done = self._speak(message)
        except EnvironmentFault as fault:
            return self._end("infra", f"the environment failed: {fault}", start)
        if done:
            kind: OutcomeKind = "success" if all(grade.passed for grade in self.grades) else "failure"
            reason = next((grade.reasons[0] for grade in self.grades if not grade.passed), "every turn passed")
            return self._end(kind, reason, start, reward)
        if self.steps >= self.max_steps:
            return self._end("out_of_steps", f"not done after {self.steps} agent messages", start, reward)
        self.paid += reward
        return Step(self._since(start), reward)

    def _since(self, start: int) -> list[dict[str, Any]]:
        """Copies of the messages since a point; those said to the agent hold nothing but text."""
        return [dict(message) for message in self.messages[start:]]

    def _call(self, call: ToolCall) -> None:
        turn, error = self._turn, None
        tool = self.package.tools.get(call.name)
        try:
            if len(call.text) > MAX_ARGUMENTS:
                raise ToolError("limit", f"The arguments of {call.name} are longer than {MAX_ARGUMENTS} characters.")
            if call.name in self._episode_tools:
                result = self._episode_call(call)
            elif tool is not None and tool.actor == "user":
                raise ToolError("forbidden", f"Only the user can call {call.name}; ask the user to do it.")
            else:
                result = self.world.call(call.name, call.text)
                if tool is not None and tool.confirm and self.user_form != "solo":
                    self._check_confirmed(tool, call)
        except ToolError as refusal:
            result, error = _error_text(refusal), refusal.code
        if call.name != "read_more":
            result = self._pages.first(result)
        self.calls.append(CallRecord(turn.index, self.steps, "agent", call.name, call.arguments, result, error))
        self.messages.append({"role": "tool", "tool_call_id": call.id, "name": call.name, "content": result})

    def _check_confirmed(self, tool: Tool, call: ToolCall) -> None:
        """Note a write that was made before the user affirmed its key arguments."""
        arguments = tool.validate(call.text)
        if not confirmed(tool, arguments, self._turn.affirmed, self.package.language):
            self._turn.conduct.unconfirmed.append(tool.name)

    def _episode_call(self, call: ToolCall) -> str:
        tool = self._episode_tools[call.name]
        arguments = tool.validate(call.text)
        if call.name == "read_more":
            return self._pages.page(arguments["result"], arguments["page"])
        if call.name == "decline_request":
            check_rule(self.package, arguments["rule"])
            self._turn.conduct.declined.append(arguments["rule"])
        else:
            self._turn.conduct.values.extend(arguments["values"])
        return tool.encode(tool.function(None, **arguments))

    def _speak(self, message: AgentMessage) -> tuple[float, bool]:
        """An agent message without calls: the user replies, or the turn ends. Reward, and whether all is done."""
        turn = self._turn
        turn.conduct.texts.append(message.content)
        if self._may_reply:
            reply = self._react(message.content)
            if reply is not None:
                turn.exchanges += 1
                self.messages.append({"role": "user", "content": reply})
                return 0.0, False
        return self._end_turn()

    @property
    def _may_reply(self) -> bool:
        """Whether the user may say anything more in this turn."""
        return self.user_form != "solo" and self._turn.exchanges < self.task.max_exchanges

    def _told(self, text: str) -> Instruction | None:
        """What a message tells the user to do, if anything."""
        known = {slot.name: slot.value for slot in self.task.user.slots}
        return read_instruction(text, self.package, known, self.world.now)

    def _react(self, text: str) -> str | None:
        """What the user does and says about a message without calls; None where the turn ends."""
        turn = self._turn
        told = self._told(text)
        if told is not None:
            return self._follow(told)
        if self.user_form == "model":
            given = self._replies[-1]
            if given is not None and given.affirms:
                turn.affirmed += (text,)
            elif given is not None and classify(text, slots={}, rules={}).kind == "asks_confirmation":
                turn.affirmed = ()
            return None if given is None else given.text
        move = classify(text, slots=self._user.askable, rules=self.package.policy.rules)
        reply = self._user.reply(move, text, turn.index)
        if reply == YES:
            turn.affirmed += (text,)
        elif move.kind == "asks_confirmation":
            turn.affirmed = ()
        return reply

    def _follow(self, told: Instruction) -> str:
        """The user does what it is told, with its own tool, and says what came of it."""
        name = told.tool.name
        if told.missing is not None:
            return f"What should I enter for {told.missing.replace('_', ' ')}?"
        error = None
        try:
            result = self.world.call(name, told.arguments, actor="user")
            reply = self._user.report(name, from_json(result))
        except ToolError as refusal:
            result, error = _error_text(refusal), refusal.code
            reply = f"It does not let me: {refusal.message}"
        record = CallRecord(self._turn.index, self.steps, "user", name, told.arguments, result, error, "instruction")
        self.calls.append(record)
        return reply

    # ------------------------------------------------------------ going back, and elsewhere

    @contextmanager
    def trial(self) -> Iterator[None]:
        """A block whose steps are undone at its end: play a variant, look at it, and be where one was.

        Costs as much as the block changed, however long the episode is; trials nest.
        """
        kept = self._kept()
        with self.world.trial():
            try:
                yield
            finally:
                self._back(kept)

    def checkpoint(self) -> EpisodeCheckpoint:
        """Remember world, user and transcript; `restore` comes back to them. Checkpoints nest; a reset ends them."""
        self._must_have_begun()
        return EpisodeCheckpoint(self.world.checkpoint(), self._kept())

    def restore(self, point: EpisodeCheckpoint) -> None:
        """Go back to a checkpoint, any number of times; those made after it are gone.

        Raises:
            EnvironmentFault: The checkpoint is gone, or of another episode.
        """
        self.world.restore(point.world)
        self._back(point.played)

    def fork(self) -> Episode:
        """Another episode in the same place, played there anew: both go on without each other."""
        return replay(type(self), self.journal(), package=self.package, reward=self.reward_form)

    def score(self) -> Outcome:
        """How the episode ended, or how it would if the agent stopped here; it stays where it is.

        Raises:
            EpisodeOver: The episode has not begun.
        """
        if self.outcome is not None:
            return self.outcome
        self._must_have_begun()
        with self.trial():
            while (step := self.step({"role": "assistant", "content": "Done."})).outcome is None:
                pass
            return step.outcome

    def _must_have_begun(self) -> None:
        if self._world is None:
            raise EpisodeOver("the episode has not begun: call reset() first")

    def _kept(self) -> dict[str, Any]:
        """Copies of everything that steps change besides the world."""
        turn = replace(self._turn, conduct=self._turn.conduct.copy())
        return {"_turn": turn} | {name: copy.copy(getattr(self, name)) for name in _PLAYED}

    def _back(self, kept: Mapping[str, Any]) -> None:
        turn = replace(kept["_turn"], conduct=kept["_turn"].conduct.copy())
        vars(self).update({name: copy.copy(value) for name, value in kept.items()} | {"_turn": turn})

    # ------------------------------------------------------------ turns

    def _begin_turn(self, index: int) -> None:
        world, planned = self.world, self.plan.turns[index]
        world.advance(self.task.turns[index].advance)
        self._begun.append(Begun(world.mark(), frozenset(world.minted)))
        accepted = planned.accepted
        stretch = self.plan.turns[-1].compare_from
        if stretch is not None and stretch < index:
            # What is due at the end was planned when the stretch began.
            accepted = self._due if self._due is not None and index == len(self.task.turns) - 1 else accepted
        elif index and world.digest() != planned.start:
            accepted = replan(world, self.package, self.plan, index)
            self._due = accepted if stretch == index else None
        self._turn = _Turn(index, self._begun[index].mark, accepted)

    def _end_turn(self) -> tuple[float, bool]:
        turn = self._turn
        start = self.plan.turns[turn.index].compare_from
        happened = self.world.happened(turn.mark)
        made = None
        if start is not None:
            begun = self._begun[start]
            changes = happened.changes if start == turn.index else self.world.changes(begun.mark)
            made = Made(changes, self.world.minted - begun.minted)
        grade = grade_turn(
            self.world, self.plan, turn.index, turn.accepted, happened, made, turn.conduct, self.answer_form
        )
        self.grades.append(grade)
        reward = 1.0 / len(self.task.turns) if self.reward_form == "turns" and grade.passed else 0.0
        following = turn.index + 1
        if following == len(self.task.turns):
            return reward, True
        self._begin_turn(following)
        self.messages.append({"role": "user", "content": self.task.turns[following].request})
        return reward, False

    # ------------------------------------------------------------ the end

    def _end(self, kind: OutcomeKind, reason: str, start: int, reward: float = 0.0) -> Step:
        valid = kind in ("success", "failure", "out_of_steps")
        if self.reward_form == "success":
            reward = 1.0 if kind == "success" else 0.0
        elif not valid:
            reward = 0.0
        outcome = Outcome(
            kind=kind,
            reward=min(1.0, self.paid + reward) if valid else 0.0,
            reward_valid=valid,
            turns=tuple(self.grades),
            steps=self.steps,
            calls=len(self.calls),
            errors=sum(call.error is not None for call in self.calls if call.actor == "agent"),
            reason=reason,
            metrics=_metrics(self.grades, len(self.task.turns)),
        )
        if callable(self.reward_form) and valid:
            reward = _checked(self.reward_form(outcome))
            outcome = outcome.model_copy(update={"reward": reward})
        self.paid += reward
        self.outcome = outcome
        done = kind in ("success", "failure")
        return Step(self._since(start), reward, done, not done, outcome)

    def abort(self, kind: Literal["user_error", "infra"], reason: str) -> Step:
        """End the episode because the harness, not the agent, failed; pays 0.0 with `reward_valid` False."""
        if self.outcome is not None:
            raise EpisodeOver("the episode has ended already")
        return self._end(kind, reason, len(self.messages))

    def stop(self, reason: str) -> Step:
        """End the episode because the agent cannot go on, its context being full for example: out of steps."""
        if self.outcome is not None:
            raise EpisodeOver("the episode has ended already")
        return self._end("out_of_steps", reason, len(self.messages))

    def close(self) -> None:
        """Give the world back to its pool; the transcript and the outcome stay readable."""
        if self._world is not None:
            self._world.template.release(self._world)
            self._world = None

    def __enter__(self) -> Episode:
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()

    # ------------------------------------------------------------ being there again

    def journal(self) -> EpisodeJournal:
        """What is needed to be here again: task, options and the agent's messages."""
        return EpisodeJournal(
            environment=self.package.id,
            world_hash=self.package.world_hash,
            rules_hash=self.package.rules_hash,
            task=self.original,
            user=self.user_form,
            answer=self.answer_form,
            max_steps=self.max_steps,
            max_result=self.max_result,
            messages=tuple(copy.deepcopy(self._actions)),
            replies=tuple(self.replies),
            digest=self.world.digest(),
        )

    @classmethod
    def replay(
        cls, journal: EpisodeJournal, *, package: Package | None = None, reward: RewardForm = "success"
    ) -> Episode:
        """The episode of a journal, played again up to where it was.

        Raises:
            TaskError: The environment is another version, or the replay reaches another state.
        """
        return replay(cls, journal, package=package, reward=reward)


def _error_text(error: ToolError) -> str:
    return to_json(error.payload()).decode()


def _metrics(grades: list[TurnOutcome], turns: int) -> dict[str, Any]:
    return {
        "turns": turns,
        "turns_passed": sum(grade.passed for grade in grades),
        "effects": min((grade.effects for grade in grades), default=0.0),
        "collateral": sum(grade.collateral for grade in grades),
        "answers": min((grade.answers for grade in grades), default=0.0),
        "decline": all(grade.decline for grade in grades) if grades else False,
        "policy": all(grade.policy for grade in grades) if grades else False,
        "transient_changes": sum(grade.transient for grade in grades),
    }


def _checked(reward: float) -> float:
    value = float(reward)
    if not 0.0 <= value <= 1.0:
        raise ValueError(f"a reward function must return a number in [0, 1], not {reward!r}")
    return value
