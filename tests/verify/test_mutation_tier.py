"""Which tier a report gives: by checks, certified tasks, mutation score, and who made the package."""

import pytest

from envfactory_gym.environment import Package
from envfactory_gym.verify import Certificate, Finding, Report, verify
from envfactory_gym.verify.mutation import MutationScore, Survivor
from tests.support import copy_of_lending


def report(tasks, killed, *, passed=True, crafted=True):
    survivors = tuple(Survivor(id=f"tool.constant.{number}", line=1, diff="", ran=()) for number in range(100 - killed))
    score = MutationScore(
        killed=killed, survivors=survivors, left_out=0, equivalent=0, possible=100, tools={"tool": 100}, operators={}
    )
    good = Finding(check="gold", passed=True)
    return Report(
        environment="EnvFactory/x-v0", world_hash="", rules_hash="", package_hash="", tools=1, mutation=score,
        checks=(Finding(check="data", passed=passed),), crafted=crafted,
        certificates=tuple(Certificate(task=f"t{number}", form="scripted", findings=(good,)) for number in range(tasks)),
    )  # fmt: skip


@pytest.mark.parametrize(
    ("tasks", "killed", "crafted", "tier"),
    [
        (10, 70, False, "verified"),
        (9, 100, True, "draft"),
        (10, 69, True, "draft"),
        (60, 90, True, "reference"),
        (60, 90, False, "verified"),
        (59, 100, True, "verified"),
        (60, 89, True, "verified"),
    ],
)
def test_a_tier_needs_tasks_and_a_score(tasks, killed, crafted, tier):
    assert report(tasks, killed, crafted=crafted).tier == tier


def test_nothing_makes_up_for_a_failed_check():
    assert report(60, 100, passed=False).tier == "draft"


def test_without_a_score_a_package_is_a_draft():
    unmeasured = report(60, 100).model_copy(update={"mutation": "not measured"})
    assert unmeasured.tier == "draft"
    assert unmeasured.content()["mutation"] == "not measured"


def test_the_score_is_never_rounded_up():
    assert str(report(10, 99)).count("100 %") == 0
    found = MutationScore(killed=1999, survivors=(Survivor(id="a", line=1, diff="", ran=()),), left_out=0, equivalent=0, possible=2000, tools={}, operators={})  # fmt: skip
    assert (str(found), found.content()["score"]) == ("99.9 % of 2000", 0.999)


def test_it_is_not_measured_where_another_check_failed_or_it_was_left_out(tmp_path):
    good = Package.load(copy_of_lending(tmp_path))
    assert verify(good, tasks=[]).mutation == "not measured"
    bad = Package.load(copy_of_lending(tmp_path / "bad", ("server.py", "'+7 days'", "'+8 days'")))
    report = verify(bad, tasks=[], mutate=True)
    assert (report.mutation, report.tier) == ("not measured", "draft")
