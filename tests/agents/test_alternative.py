"""Whoever solves a task another way than gold is paid; where not, it is said which way."""

import pytest

from envfactory_gym import Package, load_package
from envfactory_gym.agents import AlternativeSolver, GoldAgent, Way, play, ways
from envfactory_gym.episode import Episode
from envfactory_gym.verify.hackability import check, false_negatives
from tests.agents.planted import WITH_POSITIONS, WITH_USER_TOOL, all_back, borrow_two, due_of_two, photo
from tests.support import copy_of_lending, lending

PACKAGE = lending()
FORMS = [("scripted", "text"), ("scripted", "tool"), ("solo", "text"), ("solo", "tool")]
CONFIRMED = ("server.py", '    writes=["loans"],\n', '    writes=["loans"],\n    confirm=["loan_id"],\n')


@pytest.mark.parametrize(("user", "answer"), FORMS)
def test_no_other_solution_is_missed(user, answer):
    tasks = [*PACKAGE.tasks, all_back(), borrow_two(), due_of_two()]
    number, missed = false_negatives(PACKAGE, tasks, user=user, answer=answer)
    assert number >= 6 * len(tasks)
    assert missed == []


def test_writes_that_need_a_yes_are_confirmed_in_other_words(tmp_path):
    package = Package.load(copy_of_lending(tmp_path, CONFIRMED), trusted=True)
    assert false_negatives(package, package.tasks)[1] == []


def test_tasks_in_which_the_user_acts_are_solved_too(tmp_path):
    package = Package.load(copy_of_lending(tmp_path, *WITH_USER_TOOL), trusted=True)
    assert false_negatives(package, [photo()])[1] == []


def transcript(task, way):
    with Episode(PACKAGE, task) as episode:
        agent = GoldAgent(episode) if way is None else AlternativeSolver(episode, way)
        assert play(episode, agent).outcome.success
        texts = [
            message["content"] for message in episode.messages if message["role"] == "assistant" and message["content"]
        ]
        sizes = [len(message["tool_calls"]) for message in episode.messages if message.get("tool_calls")]
        return [(call.tool, call.arguments) for call in episode.calls], texts, sizes


def test_ways_differ_from_gold_as_they_say():
    task = borrow_two()
    gold, said, _ = transcript(task, None)
    swapped, _, _ = transcript(task, Way("another order", reorder=True))
    assert swapped == gold[::-1]
    assert transcript(task, Way("joined", joined=True))[2] == [2]
    assert transcript(task, Way("split"))[2] == [1, 1]
    assert transcript(task, Way("words", wording=1))[1] != said
    cheap = PACKAGE.task("borrow-cheapest-then-return")
    assert len(transcript(cheap, Way("more", reread=True))[0]) > len(transcript(cheap, None)[0])


def test_ids_of_this_episode_replace_golds():
    # Turn 2 returns what turn 1 borrowed, whose code depends on what else was borrowed first.
    cheap = PACKAGE.task("borrow-cheapest-then-return")
    calls, _, _ = transcript(cheap, Way("looking values up anew"))
    assert calls[-1][0] == "return_item"


def other_end():
    """A thing may be lent to either of two members."""
    task = borrow_two()
    turn = task.turns[0]
    return task.model_copy(
        update={
            "turns": (
                turn.model_copy(
                    update={"alternatives": (turn.goal.model_copy(update={"calls": turn.goal.calls[:1]}),)}
                ),
            )
        }
    )


def test_other_accepted_ends_are_taken_and_paid():
    task = other_end()
    with Episode(PACKAGE, task) as episode:
        assert "another end of turn 1 (1)" in [way.name for way in ways(episode)]
    assert transcript(task, Way("end", end=(0, 0)))[0] == [("borrow_item", {"member_id": "M-101", "item_id": 8})]
    assert false_negatives(PACKAGE, [task])[1] == []


def test_an_environment_that_grades_the_order_of_calls_is_found(tmp_path):
    package = Package.load(copy_of_lending(tmp_path, *WITH_POSITIONS), trusted=True)
    missed = false_negatives(package, [borrow_two()])[1]
    assert [line.partition(": ")[0] for line in missed] == [
        "borrow-two (scripted, text), solved by another order",
        "borrow-two (scripted, text), solved by all of this",
    ]
    finding = check(package, [borrow_two()])
    assert not finding.passed
    assert finding.figures["false_negatives"] == 6


def test_a_task_whose_order_matters_is_solved_in_order():
    task = borrow_two()
    goal = task.turns[0].goal.model_copy(update={"order": (("a", "b"),)})
    ordered = task.model_copy(update={"turns": (task.turns[0].model_copy(update={"goal": goal}),)})
    assert transcript(ordered, Way("another order", reorder=True))[0] == transcript(ordered, None)[0]


def test_a_write_waits_for_the_lookups_of_a_later_one_that_may_come_first():
    """Joined and reordered: two writes are tried in either order only once all that both need was looked up."""
    hotel = load_package("hotel")
    tasks = [task for task in hotel.tasks if sum(call.wish for turn in task.turns for call in turn.goal.calls) > 1]
    for task in tasks[:8]:
        with Episode(hotel, task) as episode:
            way = Way("all of this", reorder=True, reread=True, joined=True, wording=1)
            assert play(episode, AlternativeSolver(episode, way)).outcome.success, task.id
