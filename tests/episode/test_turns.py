"""What an agent does is graded turn by turn, by what changed, what was told, and what was declined."""

import pytest

from envfactory_gym.agents import GoldAgent, NoOpAgent, play
from envfactory_gym.environment import TaskPrivate
from envfactory_gym.episode import Episode
from tests.support import lending

PACKAGE = lending()
FORMS = [(task.id, form) for task in PACKAGE.tasks for form in ("scripted", "solo")]


def call(name, **arguments):
    return {"role": "assistant", "content": "", "tool_calls": [{"name": name, "arguments": arguments}]}


def text(content):
    return {"role": "assistant", "content": content}


def played(task, *messages, **options):
    """The last step of an episode in which these messages are played, then "Done." until the end."""
    episode = Episode(PACKAGE, task, **options)
    episode.reset()
    queue = list(messages)
    while True:
        step = episode.step(queue.pop(0) if queue else text("Done."))
        if step.outcome is not None:
            return step


@pytest.mark.parametrize(("task", "form"), FORMS)
@pytest.mark.parametrize("answer", ["text", "tool"])
def test_gold_earns_one_and_nothing_earns_nothing(task, form, answer):
    episode = Episode(PACKAGE, task, user=form, answer=answer)
    gold = play(episode, GoldAgent(episode))
    assert (gold.outcome.kind, gold.reward, gold.terminated, gold.truncated) == ("success", 1.0, True, False)
    assert gold.outcome.errors == 0
    idle = play(episode, NoOpAgent())
    assert (idle.outcome.kind, idle.reward, idle.terminated) == ("failure", 0.0, True)


@pytest.mark.parametrize(("task", "form"), FORMS)
def test_doing_nothing_pays_nothing_per_turn_either(task, form):
    episode = Episode(PACKAGE, task, user=form, reward="turns")
    assert play(episode, NoOpAgent()).outcome.reward == 0.0


def test_another_row_of_the_same_kind_is_wrong():
    outcome = played("return-sander", call("return_item", loan_id="QF7KD")).outcome
    assert not outcome.success
    assert outcome.turns[0].effects == 0.0
    assert outcome.turns[0].collateral == 2


def test_collateral_is_wrong_and_reads_are_free():
    right = call("return_item", loan_id="H2MZP")
    reads = [call("search_items"), call("list_loans", member_id="M-104")]
    assert played("return-sander", *reads, right).outcome.success
    outcome = played("return-sander", right, call("extend_loan", loan_id="QF7KD")).outcome
    assert not outcome.success
    assert outcome.turns[0].collateral == 1
    assert outcome.turns[0].effects == 1.0


def test_free_text_is_not_compared_but_a_row_nobody_asked_for_is():
    noted = played("return-sander", call("return_item", loan_id="H2MZP", note="Blade is dull."))
    assert not noted.outcome.success, "a note is a row of its own"


def test_refused_calls_use_a_step_and_leave_no_trace():
    outcome = played(
        "return-sander", call("return_item", loan_id="K8VNS"), call("return_item", loan_id="H2MZP")
    ).outcome
    assert outcome.success
    assert outcome.errors == 1
    assert outcome.steps == 3


def test_calls_of_one_message_run_in_order_and_a_failure_does_not_stop_the_rest():
    episode = Episode(PACKAGE, "return-sander")
    episode.reset()
    step = episode.step(
        {
            "role": "assistant",
            "content": "I do all of it.",
            "tool_calls": [
                {
                    "id": "a",
                    "type": "function",
                    "function": {"name": "return_item", "arguments": '{"loan_id": "nope"}'},
                },
                {
                    "id": "b",
                    "type": "function",
                    "function": {"name": "return_item", "arguments": '{"loan_id": "H2MZP"}'},
                },
                {
                    "id": "c",
                    "type": "function",
                    "function": {"name": "return_item", "arguments": '{"loan_id": "H2MZP"}'},
                },
            ],
        }
    )
    assert [message["tool_call_id"] for message in step.messages] == ["a", "b", "c"]
    assert ["error" in message["content"] for message in step.messages] == [True, False, True]
    assert step.outcome is None, "text beside calls never ends a turn"
    assert episode.step(text("Done.")).outcome.success


def test_acting_before_a_wish_is_voiced_fails_that_turn_and_the_later_one():
    outcome = played(
        "due-drill-then-extend",
        call("extend_loan", loan_id="QF7KD"),
        text("It is due on 14 March 2026."),
    ).outcome
    assert [grade.passed for grade in outcome.turns] == [False, False]
    assert "earlier turn" in outcome.turns[1].reasons[0]


def test_doing_it_a_turn_late_fails_unless_due_at_the_end():
    task = PACKAGE.task("borrow-cheapest-then-return")
    first, second = task.turns
    late = (text("Later."), call("borrow_item", member_id="M-104", item_id=9))
    three = task.model_copy(update={"turns": (first, second.model_copy(update={"goal": NOTHING, "gold": ANSWERED}))})
    assert not played(three, *late).outcome.success
    due = three.model_copy(update={"turns": (first.model_copy(update={"due": "end"}), three.turns[1])})
    assert played(due, *late).outcome.success
    assert not played(due, text("Later.")).outcome.success


NOTHING = PACKAGE.task("due-drill-then-extend").turns[0].goal.model_copy(update={"calls": (), "answers": ()})
ANSWERED = PACKAGE.task("return-sander").turns[0].gold[-1:]


def any_tool_then_extend() -> TaskPrivate:
    """Turn 1 leaves a choice; turn 2 is about whatever was chosen."""
    said = {"kind": "said", "turn": 0, "span": "M-104"}
    take = lambda item: {  # noqa: E731
        "calls": [
            {"id": "find", "tool": "search_items", "arguments": {"category": {"kind": "derived", "op": "phrase", "sources": [{"kind": "said", "turn": 0, "span": "tool"}], "options": {"table": "category"}}}},
            {"id": "take", "tool": "borrow_item", "wish": True, "arguments": {"member_id": said, "item_id": {"kind": "derived", "op": "field", "options": {"path": "item_id"}, "sources": [{"kind": "derived", "op": "first", "sources": [{"kind": "derived", "op": "filter", "options": {"where": [["item_id", "==", item]]}, "sources": [{"kind": "result", "call": "find", "path": "items"}]}]}]}}},
        ]
    }  # fmt: skip
    newest = {
        "kind": "derived",
        "op": "field",
        "options": {"path": "loan_id"},
        "sources": [
            {
                "kind": "derived",
                "op": "arg_max",
                "options": {"by": "due_on"},
                "sources": [{"kind": "result", "call": "mine", "path": "loans"}],
            }
        ],
    }
    return TaskPrivate.model_validate(
        {
            "id": "any-tool", "environment": PACKAGE.id, "split": "test", "user": {"name": "Dev"},
            "turns": [
                {"request": "Lend me any tool you have in, I'm M-104.", "goal": take(2), "alternatives": [take(8)],
                 "gold": [{"calls": [{"id": "find", "tool": "search_items", "arguments": {"category": "tools"}}]},
                          {"calls": [{"id": "take", "tool": "borrow_item", "arguments": {"member_id": "M-104", "item_id": 2}}]},
                          {"say": "There you are.", "expect": "ends"}]},
                {"request": "Thanks. And please extend that one right away.", "goal": {"calls": [
                    {"id": "mine", "tool": "list_loans", "arguments": {"member_id": said}},
                    {"id": "longer", "tool": "extend_loan", "wish": True, "arguments": {"loan_id": newest}}]},
                 "gold": [{"calls": [{"id": "mine", "tool": "list_loans", "arguments": {"member_id": "M-104"}}]},
                          {"calls": [{"id": "longer", "tool": "extend_loan", "arguments": {"loan_id": "?"}}]},
                          {"say": "Done.", "expect": "ends"}]},
            ],
        }
    )  # fmt: skip


@pytest.mark.parametrize("item", [2, 8])
def test_a_legitimate_choice_in_one_turn_does_not_break_the_next(item):
    episode = Episode(PACKAGE, any_tool_then_extend())
    episode.reset()
    taken = episode.step(call("borrow_item", member_id="M-104", item_id=item)).messages[0]["content"]
    loan = taken.split('"loan_id":"')[1][:5]
    episode.step(text("There you are."))
    episode.step(call("extend_loan", loan_id=loan))
    outcome = episode.step(text("Done.")).outcome
    assert outcome.success, outcome.turns


def test_a_choice_that_was_not_offered_is_wrong():
    task = any_tool_then_extend()
    strict = task.model_copy(update={"turns": (task.turns[0].model_copy(update={"alternatives": ()}), task.turns[1])})
    outcome = played(strict, call("borrow_item", member_id="M-104", item_id=8)).outcome
    assert not outcome.turns[0].passed


def test_a_row_with_another_minted_id_is_the_same_row():
    """Ids come from the task's seed; under another seed the loan has another code and is the same loan."""
    task = any_tool_then_extend()
    first = task.model_copy(update={"turns": task.turns[:1]})
    episode = Episode(PACKAGE, first)
    expected = episode.plan
    episode = Episode(PACKAGE, first.model_copy(update={"seed": 77}))
    episode.plan = expected
    episode.reset()
    taken = episode.step(call("borrow_item", member_id="M-104", item_id=2)).messages[0]["content"]
    loan = next(key for table, key in expected.turns[0].accepted[0].changes if table == "loans")
    assert loan[0] not in taken
    assert episode.step(text("There you are.")).outcome.success


def test_what_changes_and_is_restored_is_counted_and_may_be_forbidden():
    task = PACKAGE.task("return-sander")
    there_and_back = [call("borrow_item", member_id="M-104", item_id=2)]
    episode = Episode(PACKAGE, task)
    episode.reset()
    loan = episode.step(there_and_back[0]).messages[0]["content"].split('"loan_id":"')[1][:5]
    episode.step(call("return_item", loan_id=loan))
    episode.step(call("return_item", loan_id="H2MZP"))
    outcome = episode.step(text("Done.")).outcome
    assert not outcome.success and outcome.turns[0].transient == 1, "the item went out and came back; the loan stays"
    strict = task.model_copy(update={"never": ("notes",)})
    noted = played(strict, call("return_item", loan_id="H2MZP", note="x")).outcome
    assert any("must never be touched" in reason for reason in noted.turns[0].reasons)


def test_answers_must_be_told_and_not_guessed():
    asked = "due-drill-then-extend"
    look = call("list_loans", member_id="M-101")
    right = played(asked, look, text("The drill is due on March 14th, 2026."))
    assert right.outcome.turns[0].passed
    wrong = played(asked, look, text("The drill is due on March 20th, 2026."))
    assert not wrong.outcome.turns[0].passed
    dump = "Due dates here: 2026-03-14, 2026-03-20, 2026-03-16, 2026-03-12, 2026-03-18."
    assert not played(asked, look, text(dump)).outcome.turns[0].passed
    denied = played(asked, look, text("It is not due on 14 March 2026."))
    assert not denied.outcome.turns[0].passed


def test_with_the_answer_tool_only_its_values_count():
    asked = "due-drill-then-extend"
    told = call("answer", values=["2026-03-14"])
    assert played(asked, told, answer="tool").outcome.turns[0].passed
    assert not played(asked, text("It is due on 2026-03-14."), answer="tool").outcome.turns[0].passed
    assert not played(asked, call("answer", values=["2026-03-20"]), answer="tool").outcome.turns[0].passed


def test_a_refusal_is_graded_by_the_call_alone():
    no = call("decline_request", rule="extend-once", explanation="It was extended before.")
    assert played("extend-tent-twice", no).outcome.success
    assert not played("extend-tent-twice", text("I cannot extend it: extend-once.")).outcome.success
    wrong_rule = call("decline_request", rule="basic-limit", explanation="")
    assert not played("extend-tent-twice", wrong_rule).outcome.success
    both = [wrong_rule, no]
    assert not played("extend-tent-twice", *both).outcome.success
    acted = call("return_item", loan_id="T9XWA")
    assert not played("extend-tent-twice", no, acted).outcome.success


def test_declining_what_was_to_be_done_fails_even_if_it_is_done():
    no = call("decline_request", rule="extend-once")
    assert not played("extend-tent-once", call("extend_loan", loan_id="T9XWA"), no).outcome.success


def test_a_rule_that_does_not_exist_cannot_be_declined_by():
    episode = Episode(PACKAGE, "extend-tent-twice")
    episode.reset()
    step = episode.step(call("decline_request", rule="because"))
    assert "its rules are: extend-once, basic-limit" in step.messages[0]["content"]


def test_twins_share_words_and_split():
    tasks = {task.id: task for task in PACKAGE.tasks}
    for task in PACKAGE.tasks:
        if task.twin:
            twin = tasks[task.twin]
            assert [turn.request for turn in task.turns] == [turn.request for turn in twin.turns]
            assert task.split == twin.split


def test_the_clock_stands_in_a_turn_and_advances_between_turns():
    episode = Episode(PACKAGE, "due-drill-then-extend")
    episode.reset()
    assert episode.world.now == "2026-03-10T09:00:00Z"
    episode.step(call("list_loans", member_id="M-101"))
    assert episode.world.now == "2026-03-10T09:00:00Z"
    episode.step(text("On 14 March 2026."))
    assert episode.world.now == "2026-03-10T09:02:00Z"


def test_rewards_per_turn_and_by_callable():
    half = [call("list_loans", member_id="M-101"), text("On 14 March 2026.")]
    step = played("due-drill-then-extend", *half, reward="turns")
    assert step.outcome.reward == 0.5
    assert step.reward == 0.0
    shaped = played("due-drill-then-extend", *half, reward=lambda outcome: 0.25 * outcome.metrics["turns_passed"])
    assert shaped.reward == shaped.outcome.reward == 0.25
    with pytest.raises(ValueError, match=r"\[0, 1\]"):
        played("due-drill-then-extend", reward=lambda outcome: 2.0)
    with pytest.raises(ValueError, match=r"\[0, 1\]"):
        played("due-drill-then-extend", reward=lambda outcome: float("nan"))


def test_out_of_steps_truncates_and_keeps_what_turns_have_paid():
    reads = [call("list_loans", member_id="M-101")] * 9
    step = played("due-drill-then-extend", reads[0], text("On 14 March 2026."), *reads, max_steps=5, reward="turns")
    assert (step.outcome.kind, step.outcome.reward, step.truncated, step.terminated) == (
        "out_of_steps",
        0.5,
        True,
        False,
    )
    assert step.outcome.reward_valid
    step = played("due-drill-then-extend", reads[0], text("On 14 March 2026."), *reads, max_steps=5)
    assert step.outcome.reward == 0.0


def test_plans_are_shared_and_only_so_many_are_kept(monkeypatch):
    from envfactory_gym.episode import plan

    package, task = lending(), PACKAGE.task("return-sander")
    assert plan.plan_of(package, task) is plan.plan_of(package, task)
    monkeypatch.setattr(plan, "KEPT_PLANS", 2)
    first = plan.plan_of(package, task)
    for seed in (1, 2):
        plan.plan_of(package, task.model_copy(update={"seed": seed}))
    assert plan.plan_of(package, task) is not first
