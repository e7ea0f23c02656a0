"""Users with tools of their own, who act when told in words; and writes that need a yes first."""

import pytest

from envfactory_gym import Package
from envfactory_gym.agents import GoldAgent, play
from envfactory_gym.environment import PackageError, TaskError, TaskPrivate
from envfactory_gym.episode import Episode, record
from envfactory_gym.verify import certify
from tests.support import copy_of_lending

USER_TOOL = '''
@env.user_tool(writes=["notes"], candidates="SELECT loan_id, 'clean' AS condition FROM loans")
def photograph_item(world: World, loan_id: LoanId, condition: Literal["clean", "worn"]) -> Photo:
    """Take a photo of a borrowed thing with the phone.

    Args:
        loan_id: Code of the loan.
        condition: What the photo shows.
    """
    _loan(world, loan_id)
    world.run("INSERT INTO notes (loan_id, body) VALUES (?, ?)", loan_id, f"photo: {condition}")
    return {"shows": condition}


def _member('''

EDITS = [
    ("server.py", "\ndef _member(", USER_TOOL),
    ("server.py", "class Loans(TypedDict):", "class Photo(TypedDict):\n    shows: str\n\n\nclass Loans(TypedDict):"),
    ("server.py", '    writes=["loans"],\n', '    writes=["loans"],\n    confirm=["loan_id"],\n'),
    (
        "language.yaml",
        "  extend_loan:",
        '  photograph_item: ["take a photo of it", "photograph {thing}"]\n  extend_loan:',
    ),
    ("language.yaml", "rows:\n", 'reports:\n  photograph_item: "Done, the photo shows it is {shows}."\nrows:\n'),
    ("language.yaml", "phrases:\n", 'phrases:\n  condition:\n    clean: ["spotless"]\n    worn: ["a bit worn"]\n'),
    ("schema.sql", "compare: text(ignored)", ""),
]


@pytest.fixture(scope="module")
def package(tmp_path_factory):
    return Package.load(copy_of_lending(tmp_path_factory.mktemp("dual"), *EDITS), trusted=True)


def said(span):
    return {"kind": "said", "turn": 0, "span": span}


def photo_task():
    """The user has to photograph what comes back, and only the user can."""
    return TaskPrivate.model_validate(
        {
            "id": "photo", "environment": "EnvFactory/lending-v0", "split": "test", "solo": False,
            "user": {"name": "Ada"},
            "turns": [{
                "request": "Loan H2MZP is coming back and it is spotless. What do you need?",
                "goal": {"calls": [
                    {"id": "photo", "tool": "photograph_item", "wish": True, "arguments": {
                        "loan_id": said("H2MZP"),
                        "condition": {"kind": "derived", "op": "phrase", "sources": [said("spotless")], "options": {"table": "condition"}}}},
                    {"id": "back", "tool": "return_item", "wish": True, "arguments": {"loan_id": said("H2MZP")}}]},
                "gold": [
                    {"say": 'Please photograph the thing, loan "H2MZP", as spotless.', "expect": "acts",
                     "acts": {"id": "photo", "tool": "photograph_item", "arguments": {"loan_id": "H2MZP", "condition": "clean"}}},
                    {"calls": [{"id": "back", "tool": "return_item", "arguments": {"loan_id": "H2MZP"}}]},
                    {"say": "Thank you, all is closed.", "expect": "ends"}],
            }],
        }
    )  # fmt: skip


def text(content):
    return {"role": "assistant", "content": content}


def call(name, **arguments):
    return {"role": "assistant", "content": "", "tool_calls": [{"name": name, "arguments": arguments}]}


def begun(package, task, **options):
    episode = Episode(package, task, **options)
    episode.reset()
    return episode


def test_user_tools_are_not_the_agents(package):
    episode = begun(package, photo_task())
    assert "photograph_item" not in [tool["function"]["name"] for tool in episode.tools]
    step = episode.step(call("photograph_item", loan_id="H2MZP", condition="clean"))
    assert "Only the user can call photograph_item" in step.messages[0]["content"]


def test_the_user_does_what_it_is_told_and_reports(package):
    episode = begun(package, photo_task())
    step = episode.step(text('Please photograph the thing, loan "H2MZP", as spotless.'))
    assert step.messages == [{"role": "user", "content": "Done, the photo shows it is clean."}]
    made = record(episode, "test").calls[-1]
    assert (made.actor, made.cause, made.tool) == ("user", "instruction", "photograph_item")


def test_gold_with_an_instruction_is_certified(package):
    episode = Episode(package, photo_task())
    assert play(episode, GoldAgent(episode)).outcome.success
    certificate = certify(package, photo_task())
    assert certificate.passed, [row for row in certificate.findings if not row.passed]


def test_what_is_done_on_instruction_is_the_agents_effect(package):
    episode = begun(package, photo_task())
    episode.step(text('Please photograph the thing, loan "H2MZP", as a bit worn.'))
    episode.step(call("return_item", loan_id="H2MZP"))
    outcome = episode.step(text("Thanks.")).outcome
    assert not outcome.success
    without = begun(package, photo_task())
    without.step(call("return_item", loan_id="H2MZP"))
    assert not without.step(text("Thanks.")).outcome.success


@pytest.mark.parametrize(
    "words",
    ["Do not photograph the thing, please.", "You photographed the thing, I see.", "No need to take a photo of it."],
)
def test_what_is_no_instruction_is_not_followed(package, words):
    episode = begun(package, photo_task())
    episode.step(text(words))
    assert not [made for made in episode.calls if made.actor == "user"]


def test_one_action_is_followed_per_message(package):
    episode = begun(package, photo_task())
    episode.step(text('Photograph the thing "H2MZP" as spotless. Then photograph the thing "QF7KD" as a bit worn.'))
    assert len([made for made in episode.calls if made.actor == "user"]) == 1


def test_what_is_not_said_is_asked_for_and_a_refusal_is_passed_on(package):
    episode = begun(package, photo_task())
    asked = episode.step(text("Please take a photo of it.")).messages[-1]["content"]
    assert asked == "What should I enter for loan id?"
    refused = episode.step(text('Photograph the thing, "ZZZZZ", as spotless.')).messages[-1]["content"]
    assert "There is no loan ZZZZZ" in refused


def test_a_task_in_which_the_user_acts_has_no_solo_form(package):
    with pytest.raises(TaskError, match="user has to act"):
        Episode(package, photo_task().model_copy(update={"solo": True}), user="solo")


CONFIRM = "extend-tent-once"
EXTEND = ("extend_loan", {"loan_id": "T9XWA"})


def extended_after(package, *texts, **options):
    episode = begun(package, CONFIRM, **options)
    for words in texts:
        episode.step(text(words))
    episode.step(call(EXTEND[0], **EXTEND[1]))
    return episode.step(text("All set.")).outcome


def test_a_confirmed_write_passes(package):
    outcome = extended_after(package, "Shall I extend loan T9XWA of the family tent to 19 March 2026?")
    assert outcome.success
    assert outcome.turns[0].policy


@pytest.mark.parametrize(
    "texts",
    [
        [],
        ["May I proceed?"],
        ["Shall I extend loan QF7KD to 19 March?"],
        ["Do you confirm the extension of the family tent to 19 March 2026?"],
    ],
)
def test_a_write_without_its_key_arguments_affirmed_fails(package, texts):
    outcome = extended_after(package, *texts)
    assert not outcome.success
    assert not outcome.turns[0].policy
    assert "affirmed" in outcome.turns[0].reasons[0]


def test_saying_it_after_the_write_is_too_late(package):
    episode = begun(package, CONFIRM)
    episode.step(call(EXTEND[0], **EXTEND[1]))
    episode.step(text("I extended loan T9XWA, is that right?"))
    assert not episode.step(text("All set.")).outcome.success


def test_a_ticket_is_consent_enough(package):
    assert extended_after(package, user="solo").success


def test_a_refused_write_needs_no_confirmation(package):
    episode = begun(package, CONFIRM)
    episode.step(call("extend_loan", loan_id="nope"))
    episode.step(text("Shall I extend loan T9XWA of the family tent to 19 March 2026?"))
    episode.step(call(EXTEND[0], **EXTEND[1]))
    assert episode.step(text("All set.")).outcome.success


def test_confirm_names_an_argument(tmp_path):
    folder = copy_of_lending(
        tmp_path, ("server.py", '    writes=["loans"],\n', '    writes=["loans"],\n    confirm=["loan"],\n')
    )
    with pytest.raises(PackageError, match="confirm names 'loan'"):
        Package.load(folder, trusted=True).tools  # noqa: B018
