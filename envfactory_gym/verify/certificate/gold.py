"""Row `gold`: the reference solution scores 1 twice, no call of it errs, and the user reacts as planned."""

from __future__ import annotations

from ...episode.user import YES
from ..finding import Finding, finding
from .context import PlacedStep, TaskContext


def check(context: TaskContext) -> Finding:
    """Play gold twice, watching every call and every reaction."""
    evidence: list[str] = []
    episode = context.episode
    for attempt in (1, 2):
        episode.reset()
        for placed in context.gold:
            if episode.over:
                evidence.append(f"attempt {attempt}: the episode ended before gold did, at turn {placed.turn}")
                break
            before = len(episode.messages)
            episode.step(placed.message)
            evidence += _reaction(context, placed, before)
        outcome = episode.outcome
        if outcome is None:
            evidence.append(f"attempt {attempt}: gold ran out before the episode ended")
        elif not (outcome.success and outcome.reward == 1.0):
            reasons = [reason for grade in outcome.turns for reason in grade.reasons]
            evidence.append(f"attempt {attempt}: gold scored {outcome.reward:g} ({outcome.kind}): {'; '.join(reasons)}")
        errors = [call for call in episode.calls if call.error]
        evidence += [f"attempt {attempt}: {call.tool} was refused: {call.result}" for call in errors]
        if evidence:
            break
    return finding(
        "gold", evidence, figures={"steps": len(context.gold), "calls": len(episode.calls)},
        remedy="correct the goal or the gold steps of this task",
    )  # fmt: skip


def _reaction(context: TaskContext, placed: PlacedStep, before: int) -> list[str]:
    """What was wrong with the user's reaction to a message without calls."""
    episode, step = context.episode, placed.step
    if step.calls or context.user == "solo":
        return []
    replied = [message for message in episode.messages[before + 1 :] if message["role"] == "user"]
    ended = episode.over or len(episode.grades) > placed.turn
    if step.expect == "ends" and not ended:
        said = replied[-1]["content"] if replied else ""
        return [f"turn {placed.turn}: the user replied {said!r} to a message that should have ended the turn"]
    if step.expect in ("tells", "affirms", "acts") and (ended or not replied):
        return [f"turn {placed.turn}: the turn ended at a question: {step.say!r}"]
    if step.expect == "affirms" and replied[-1]["content"] != YES:
        return [f"turn {placed.turn}: the user did not affirm {step.say!r} but said {replied[-1]['content']!r}"]
    if step.expect == "acts":
        made = episode.calls[-1] if episode.calls else None
        wanted = (step.acts.tool, step.acts.arguments) if step.acts else None
        if made is None or made.actor != "user" or (made.tool, made.arguments) != wanted:
            did = f"{made.tool}{made.arguments}" if made and made.actor == "user" else "nothing"
            return [f"turn {placed.turn}: told {step.say!r}, the user did {did}, expected {wanted}"]
    if step.expect == "tells":
        slots = {slot.name: slot for slot in context.task.user.slots}
        for name in step.slots:
            told = slots[name].say.format(value=slots[name].value) if name in slots else None
            if told is None or told not in replied[-1]["content"]:
                return [f"turn {placed.turn}: asked for {name}, the user said {replied[-1]['content']!r}"]
    return []
