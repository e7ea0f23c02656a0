"""What a hint lists for everybody is widened to the other rows that would do."""

from __future__ import annotations

from envfactory_gym.environment import load_package
from envfactory_gym.synthesize.grounding.landscape import Landscape
from envfactory_gym.world import Template


def test_not_everybody_books_the_flight_that_a_hint_lists_first() -> None:
    package = load_package("airline")
    booked = [
        arguments["flight_id"] for arguments, _ in Landscape.of(package).arguments(package.tools["book_reservation"])
    ]
    assert len({flight.partition("-")[0] for flight in booked}) > 50


def test_widened_candidates_work_and_name_no_rows_of_others() -> None:
    package = load_package("airline")
    landscape, tool = Landscape.of(package), package.tools["book_reservation"]
    template = Template.of(package)
    world = template.acquire(seed=0)
    try:
        for arguments, owner in landscape.arguments(tool)[::10]:
            assert landscape.owner("customers.customer_id", arguments["customer_id"]) == owner
            with world.trial():
                world.call(tool.name, arguments, actor=tool.actor)
    finally:
        template.release(world)


def test_arguments_that_belong_together_are_left_as_they_are() -> None:
    package = load_package("airline")
    template = Template.of(package)
    world = template.acquire(seed=0)
    try:
        held = set(world.query("SELECT reservation_id, flight_id FROM segments"))
    finally:
        template.release(world)
    drawn = Landscape.of(package).arguments(package.tools["change_flight"])
    assert drawn
    assert all((arguments["reservation_id"], arguments["flight_id"]) in held for arguments, _ in drawn)
