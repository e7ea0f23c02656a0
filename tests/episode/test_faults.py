"""A broken tool ends the episode as `infra`, never as the agent's failure, and harms nobody else."""

import random
import subprocess
import sys

import pytest

from envfactory_gym import Package
from envfactory_gym.agents import gold_messages
from envfactory_gym.episode import Episode, EpisodeOver
from tests.support import copy_of_lending, lending

RETURN = '    world.run("UPDATE items SET status = \'in\' WHERE item_id = ?", loan["item_id"])\n'

BREAKS = {
    "raises": "    raise KeyError('x')\n",
    "divides by zero": "    1 / 0\n",
    "breaks a constraint": "    world.run(\"UPDATE items SET status = 'lost' WHERE item_id = 1\")\n",
    "recurses": "    (lambda again: again(again))(lambda again: again(again))\n",
    "leaves": "    raise SystemExit(3)\n",
    "loops in SQL": "    world.all('WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT count(*) FROM n')\n",
    "loops in Python": "    while True:\n        pass\n",
    "commits": "    world.run('COMMIT')\n",
    "rolls back": "    world.run('ROLLBACK')\n",
    "attaches": "    world.run(\"ATTACH ':memory:' AS other\")\n",
    "ends the transaction": "    world.run(\"INSERT OR ROLLBACK INTO members VALUES ('M-101', 'x', 'x', 'basic')\")\n",
    "swallows that": "    try:\n        world.run(\"INSERT OR ROLLBACK INTO members VALUES ('M-101', 'x', 'x', 'basic')\")\n    except Exception:\n        pass\n",
    "changes the schema": "    world.run('DROP TABLE notes')\n",
    "switches foreign keys off": "    world.run('PRAGMA defer_foreign_keys = ON')\n",
    "returns what is not JSON": "    return object()\n",
    "asks for one of many": "    world.one('SELECT * FROM items')\n",
}  # fmt: skip


@pytest.mark.parametrize("fault", BREAKS)
def test_a_broken_tool_is_not_the_agents_failure(tmp_path, fault):
    folder = copy_of_lending(tmp_path, ("server.py", RETURN, BREAKS[fault] + RETURN))
    package = Package.load(folder, trusted=True)
    episode = Episode(package, package.task("extend-tent-once"))
    episode.reset()
    before = episode.world.digest()
    step = episode.step({"tool_calls": [{"name": "return_item", "arguments": {"loan_id": "H2MZP"}}]})
    assert step.outcome is not None
    assert (step.outcome.kind, step.outcome.reward, step.outcome.reward_valid) == ("infra", 0.0, False)
    assert (step.reward, step.terminated, step.truncated) == (0.0, False, True)
    assert "return_item" in step.outcome.reason
    assert episode.world.digest() == before
    with pytest.raises(EpisodeOver):
        episode.step({"content": "Done."})
    episode.reset()
    for message in gold_messages(episode):
        step = episode.step(message)
    assert step.outcome.success, "the same world plays on after a reset"
    episode.close()


def test_a_thousand_interleaved_episodes_end_as_they_end_alone():
    package = lending()
    tasks = package.tasks

    def script(number):
        task = tasks[number % len(tasks)]
        episode = Episode(package, task, user=("scripted", "solo")[number % 2])
        messages = gold_messages(episode)
        if number % 3 == 0:
            messages = (
                messages[:-1]
                + [{"tool_calls": [{"name": "borrow_item", "arguments": {"member_id": "M-104", "item_id": 2}}]}]
                + messages[-1:]
            )
        return episode, messages  # fmt: skip

    alone = []
    for number in range(1000):
        episode, messages = script(number)
        episode.reset()
        for message in messages:
            episode.step(message)
        alone.append((episode.world.digest(), episode.outcome))
        episode.close()
    running = [script(number) for number in range(1000)]
    for episode, _ in running:
        episode.reset()
    queues = [iter(messages) for _, messages in running]
    turns = [number for number, (_, messages) in enumerate(running) for _ in messages]
    random.Random(5).shuffle(turns)
    for number in turns:
        running[number][0].step(next(queues[number]))
    assert [(episode.world.digest(), episode.outcome) for episode, _ in running] == alone
    assert {outcome.kind for _, outcome in alone} == {"success", "failure"}
    for episode, _ in running:
        episode.close()


PROFILED = """
import sys
from envfactory_gym import Episode, Package

episode = Episode(Package.load(sys.argv[1], trusted=True), "extend-tent-once")
episode.reset()
outcome = episode.step({"tool_calls": [{"name": "return_item", "arguments": {"loan_id": "H2MZP"}}]}).outcome
for switch in (sys.setprofile, sys.settrace):
    switch(lambda *event: None)
    sum(number for number in range(1000))
    switch(None)
print(outcome.kind)
"""


def test_a_stopped_loop_leaves_the_interpreter_fit_for_profilers_and_tracers(tmp_path):
    folder = copy_of_lending(tmp_path, ("server.py", RETURN, BREAKS["loops in Python"] + RETURN))
    done = subprocess.run(
        [sys.executable, "-c", PROFILED, str(folder)], capture_output=True, text=True, timeout=60, check=False
    )
    assert done.stdout.strip() == "infra", done.stderr
