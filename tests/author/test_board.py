"""The table of environments and stages: what stands in it is what was told, costs included."""

from __future__ import annotations

from rich.console import Console

from envfactory_gym.author.state import STAGES, Ledger, State
from envfactory_gym.cli.build_author import Board


def shown(board: Board) -> str:
    screen = Console(width=240, record=True)
    screen.print(board.drawn())
    return screen.export_text()


def test_each_stage_shows_how_it_stands_and_each_environment_what_it_costs() -> None:
    board = Board(["rooms", "boats"])
    rooms, boats = State(name="rooms", ledger=Ledger(calls=3, cost=0.25)), State(name="boats")
    board.tell(rooms, "propose", "begins")
    board.tell(rooms, "propose", "done")
    board.tell(rooms, "state", "try 2")
    board.tell(boats, "propose", "failed")
    lines = shown(board).splitlines()
    heads = next(line for line in lines if "environment" in line)
    assert [word for word in heads.split() if word in STAGES] == list(STAGES)
    assert next(line for line in lines if "rooms" in line).split() == [
        "rooms",
        "done",
        "try",
        "2",
        "3",
        "answers,",
        "0.25",
    ]
    assert "FAILED" in next(line for line in lines if "boats" in line)
