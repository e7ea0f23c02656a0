"""Tools of the measured help desk: one statement each, and one that is slow on purpose."""

# ruff: noqa: D417 - the first argument of every tool is the world it acts on
from typing import Annotated, cast

from pydantic import Field
from typing_extensions import TypedDict

from envfactory_gym import Environment, Ref, ToolError, World

env = Environment(__file__)

TicketId = Annotated[str, Ref("tickets.ticket_id")]


class Ticket(TypedDict):
    """A ticket."""

    ticket_id: TicketId
    customer: str
    subject: str
    status: str
    priority: int


class Noted(TypedDict):
    """A new note."""

    note_id: int


class Counted(TypedDict):
    """What a report found."""

    pairs: int


@env.tool()
def get_ticket(world: World, ticket_id: TicketId) -> Ticket:
    """Look up a ticket.

    Args:
        ticket_id: Number of the ticket.
    """
    ticket = world.one(
        "SELECT ticket_id, customer, subject, status, priority FROM tickets WHERE ticket_id = ?", ticket_id
    )
    if ticket is None:
        raise ToolError("not_found", f"No ticket {ticket_id}.", field="ticket_id")
    return cast(Ticket, ticket)


@env.tool(writes=["notes"])
def add_note(world: World, ticket_id: TicketId, body: str) -> Noted:
    """Write a note on a ticket.

    Args:
        ticket_id: Number of the ticket.
        body: What to write.
    """
    if world.value("SELECT status FROM tickets WHERE ticket_id = ?", ticket_id) != "open":
        raise ToolError("forbidden", f"{ticket_id} is no open ticket.", field="ticket_id", reason="open-only")
    note_id: int = world.value(
        "INSERT INTO notes (ticket_id, written_at, body) VALUES (?, ?, ?) RETURNING note_id",
        ticket_id, world.now, body,
    )  # fmt: skip
    return {"note_id": note_id}


@env.tool()
def count_pairs(world: World, priority: Annotated[int, Field(ge=0, le=1000)] = 0) -> Counted:
    """Compare every ticket with every other, on purpose without an index: about a fifth of a second.

    Args:
        priority: Pairs above this sum of priorities count.
    """
    pairs = world.value(
        "SELECT count(*) FROM tickets AS a, tickets AS b, (SELECT 1 UNION ALL SELECT 2 UNION ALL SELECT 3) AS c "
        "WHERE a.priority + b.priority > ?",
        priority,
    )
    return {"pairs": int(pairs)}


if __name__ == "__main__":
    env.serve()
