"""Issue Tracking API: 12 tools over collections, tickets, comments.

Compiled from an API document. Read it top down: what the values are, what the tools return, what they share,
then each table with the function that reads one row, and its tools. `candidates` and `refused` are examples for
testing: arguments that succeed, and arguments that are refused for that reason.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal, cast

from pydantic import Field
from typing_extensions import TypedDict

from envfactory_gym import Environment, Ref, ToolError, World
from envfactory_gym.fields import Day, Moment

env = Environment(__file__)

# ---------------------------------------------------------------- what the values are

Line = Annotated[str, Field(min_length=1, max_length=200)]
"""One line of text."""
Prose = Annotated[str, Field(max_length=2000)]
"""Free text."""
Cursor = Annotated[str, Field(pattern=r"^[0-9]{1,6}$")]
"""Where the next page starts, as a list returned it."""
Priority = Literal["low", "normal", "high", "urgent"]
CollectionId = Annotated[str, Ref("collections.id"), Field(max_length=200)]
TicketId = Annotated[str, Ref("tickets.id"), Field(max_length=200)]
CommentId = Annotated[str, Ref("comments.id"), Field(max_length=200)]
CollectionOrder = Literal["name", "created_at", "updated_at"]
TicketOrder = Literal["created_at", "updated_at"]
TicketClearable = Literal["parent_id", "priority", "due_date", "status", "type", "description"]
CommentOrder = Literal["created_at", "updated_at"]
CommentClearable = Literal["body"]

# ---------------------------------------------------------------- what the tools return


class Collection(TypedDict):
    """A collection."""

    id: CollectionId
    name: str | None
    parent_id: CollectionId | None
    type: str | None
    description: str | None
    created_at: str | None
    updated_at: str | None


class Collections(TypedDict):
    collections: list[Collection]
    total: int
    next_cursor: Cursor | None


class Ticket(TypedDict):
    """A ticket."""

    id: TicketId
    collection_id: CollectionId
    subject: str
    parent_id: TicketId | None
    priority: Priority | None
    due_date: str | None
    status: str | None
    type: str | None
    description: str | None
    created_at: str | None
    updated_at: str | None


class Tickets(TypedDict):
    tickets: list[Ticket]
    total: int
    next_cursor: Cursor | None


class Comment(TypedDict):
    """A comment."""

    id: CommentId
    ticket_id: TicketId
    body: str | None
    created_at: str | None
    updated_at: str | None


class Comments(TypedDict):
    comments: list[Comment]
    total: int
    next_cursor: Cursor | None


class Deleted(TypedDict):
    deleted: str | int


# ---------------------------------------------------------------- what the tools share


def refuse_while_used(world: World, key: str | int, field: str, rule: str, queries: dict[str, str]) -> None:
    """Refuse a deletion while other rows refer to the row; each query counts those of one table."""
    for table, query in queries.items():
        count = world.value(query, key=key)
        if count:
            message = f"{key} cannot be deleted: it is still referred to ({count} of {table})."
            raise ToolError("conflict", message, field=field, reason=rule)


# ---------------------------------------------------------------- collections


def read_collection(world: World, collection_id: str, field: str = "collection_id") -> Collection:
    """The collection with that collection_id; refused where there is none."""
    row = world.one("SELECT * FROM collections WHERE id = ?", collection_id)
    if row is None:
        raise ToolError("not_found", f"There is no collection {collection_id}.", field=field)
    return as_collection(row)


def as_collection(row: dict[str, Any]) -> Collection:
    """A stored collection as tools return it."""
    return cast(Collection, row)


# Plays GET /issue-tracking/collections
@env.tool(candidates="SELECT DISTINCT parent_id FROM collections WHERE parent_id IS NOT NULL")
def list_collections(
    world: World,
    parent_id: CollectionId | None = None,
    sort_by: CollectionOrder | None = None,
    descending: bool = False,
    limit: Annotated[int, Field(ge=1, le=100)] = 20,
    cursor: Cursor | None = None,
) -> Collections:
    """List collections, one page at a time; what is not given does not narrow the list.

    Args:
        parent_id: Only collections with this parent ID.
        sort_by: Column to sort by; by ID if not given.
        descending: Whether the largest comes first.
        limit: Most rows to return.
        cursor: The `next_cursor` of the page before.
    """
    start = int(cursor or 0)
    rows = world.all(
        f"""
        SELECT * FROM collections
        WHERE (:parent_id IS NULL OR parent_id = :parent_id)
        ORDER BY {sort_by or "id"} {"DESC" if descending else "ASC"}, id
        """,
        parent_id=parent_id,
    )
    return {
        "collections": [as_collection(row) for row in rows[start : start + limit]],
        "total": len(rows),
        "next_cursor": str(start + limit) if start + limit < len(rows) else None,
    }


# Plays GET /issue-tracking/collections/{collection_id}
@env.tool(
    candidates="SELECT id AS collection_id FROM collections",
    refused={"not_found": "SELECT 'NOSUCH' AS collection_id"},
)
def get_collection(world: World, collection_id: CollectionId) -> Collection:
    """Return one collection.

    Args:
        collection_id: Identifier of the collection.
    """
    return read_collection(world, collection_id)


# ---------------------------------------------------------------- tickets


def read_ticket(world: World, ticket_id: str, field: str = "ticket_id", *, collection_id: str | None = None) -> Ticket:
    """The ticket with that ticket_id, in that collection_id if given; refused where there is none."""
    row = world.one(
        "SELECT * FROM tickets WHERE id = :key AND (:parent IS NULL OR collection_id = :parent)",
        key=ticket_id,
        parent=collection_id,
    )
    if row is None:
        raise ToolError("not_found", f"There is no ticket {ticket_id}.", field=field)
    return as_ticket(row)


def as_ticket(row: dict[str, Any]) -> Ticket:
    """A stored ticket as tools return it."""
    return cast(Ticket, row)


# Plays GET /issue-tracking/collections/{collection_id}/tickets
@env.tool(candidates="SELECT id AS collection_id FROM collections")
def list_tickets(
    world: World,
    collection_id: CollectionId,
    since: Moment | None = None,
    status: Line | None = None,
    parent_id: TicketId | None = None,
    priority: Priority | None = None,
    sort_by: TicketOrder | None = None,
    descending: bool = False,
    limit: Annotated[int, Field(ge=1, le=80)] = 20,
    cursor: Cursor | None = None,
) -> Tickets:
    """List tickets, one page at a time; what is not given does not narrow the list.

    Args:
        collection_id: The collection whose tickets to list.
        since: Only tickets created at this time or later.
        status: Only tickets with this status.
        parent_id: Only tickets with this parent ID.
        priority: Only tickets with this priority.
        sort_by: Column to sort by; by ID if not given.
        descending: Whether the largest comes first.
        limit: Most rows to return.
        cursor: The `next_cursor` of the page before.
    """
    read_collection(world, collection_id)
    start = int(cursor or 0)
    rows = world.all(
        f"""
        SELECT * FROM tickets
        WHERE collection_id = :collection_id
          AND (:since IS NULL OR created_at >= :since)
          AND (:status IS NULL OR status = :status COLLATE NOCASE)
          AND (:parent_id IS NULL OR parent_id = :parent_id)
          AND (:priority IS NULL OR priority = :priority)
        ORDER BY {sort_by or "id"} {"DESC" if descending else "ASC"}, id
        """,
        collection_id=collection_id,
        since=since,
        status=status,
        parent_id=parent_id,
        priority=priority,
    )
    return {
        "tickets": [as_ticket(row) for row in rows[start : start + limit]],
        "total": len(rows),
        "next_cursor": str(start + limit) if start + limit < len(rows) else None,
    }


# Plays GET /issue-tracking/collections/{collection_id}/tickets/{ticket_id}
@env.tool(
    candidates="SELECT collection_id, id AS ticket_id FROM tickets",
    refused={"not_found": "SELECT id AS collection_id, 'NOSUCH' AS ticket_id FROM collections"},
)
def get_ticket(world: World, collection_id: CollectionId, ticket_id: TicketId) -> Ticket:
    """Return one ticket.

    Args:
        collection_id: The collection it belongs to.
        ticket_id: Identifier of the ticket.
    """
    read_collection(world, collection_id)
    return read_ticket(world, ticket_id, collection_id=collection_id)


# Plays POST /issue-tracking/collections/{collection_id}/tickets
@env.tool(writes=["tickets"], candidates="SELECT collection_id, subject FROM tickets")
def create_ticket(
    world: World,
    collection_id: CollectionId,
    subject: Line,
    parent_id: TicketId | None = None,
    priority: Priority | None = None,
    due_date: Day | None = None,
    status: Line | None = None,
    type: Line | None = None,
    description: Prose | None = None,
) -> Ticket:
    """Create a ticket.

    Args:
        collection_id: The collection it will belong to.
        subject: Subject of the ticket.
        parent_id: The ticket's parent ID.
        priority: Priority of the ticket.
        due_date: Due date of the ticket.
        status: The current status of the ticket.
        type: The ticket's type.
        description: The ticket's description.
    """
    read_collection(world, collection_id)
    if parent_id is not None:
        read_ticket(world, parent_id, "parent_id", collection_id=collection_id)
    ticket_id = world.new_code("tickets.id")
    world.run(
        """
        INSERT INTO tickets (id, collection_id, subject, parent_id, priority, due_date, status, type,
            description, created_at, updated_at)
        VALUES (:id, :collection_id, :subject, :parent_id, :priority, :due_date, :status, :type,
            :description, :created_at, :updated_at)
        """,
        id=ticket_id,
        collection_id=collection_id,
        subject=subject,
        parent_id=parent_id,
        priority=priority,
        due_date=due_date,
        status=status,
        type=type,
        description=description,
        created_at=world.now,
        updated_at=world.now,
    )
    return read_ticket(world, ticket_id)


# Plays PATCH /issue-tracking/collections/{collection_id}/tickets/{ticket_id}
@env.tool(
    writes=["tickets"],
    destructive=True,
    idempotent=True,
    candidates="SELECT collection_id, id AS ticket_id, subject FROM tickets",
)
def update_ticket(
    world: World,
    collection_id: CollectionId,
    ticket_id: TicketId,
    subject: Line | None = None,
    parent_id: TicketId | None = None,
    priority: Priority | None = None,
    due_date: Day | None = None,
    status: Line | None = None,
    type: Line | None = None,
    description: Prose | None = None,
    clear: TicketClearable | None = None,
) -> Ticket:
    """Change the given fields of a ticket; the others keep their values.

    Args:
        collection_id: The collection it belongs to.
        ticket_id: Identifier of the ticket.
        subject: Subject of the ticket.
        parent_id: The ticket's parent ID.
        priority: Priority of the ticket.
        due_date: Due date of the ticket.
        status: The current status of the ticket.
        type: The ticket's type.
        description: The ticket's description.
        clear: A field to empty.
    """
    read_collection(world, collection_id)
    read_ticket(world, ticket_id, collection_id=collection_id)
    if parent_id is not None:
        read_ticket(world, parent_id, "parent_id", collection_id=collection_id)
    world.run(
        """
        UPDATE tickets
        SET subject = coalesce(:subject, subject),
            parent_id = coalesce(:parent_id, parent_id),
            priority = coalesce(:priority, priority),
            due_date = coalesce(:due_date, due_date),
            status = coalesce(:status, status),
            type = coalesce(:type, type),
            description = coalesce(:description, description),
            updated_at = :now
        WHERE id = :ticket_id
        """,
        subject=subject,
        parent_id=parent_id,
        priority=priority,
        due_date=due_date,
        status=status,
        type=type,
        description=description,
        now=world.now,
        ticket_id=ticket_id,
    )
    if clear is not None:
        world.run(f'UPDATE tickets SET "{clear}" = NULL WHERE id = :ticket_id', ticket_id=ticket_id)
    return read_ticket(world, ticket_id)


# Plays DELETE /issue-tracking/collections/{collection_id}/tickets/{ticket_id}
@env.tool(
    writes=["tickets", "comments"],
    destructive=True,
    confirm=["ticket_id"],
    candidates="""
    SELECT collection_id, id AS ticket_id
    FROM tickets
    WHERE NOT EXISTS (SELECT 1 FROM tickets AS other WHERE other.parent_id = tickets.id)
    """,
    refused={
        "not_found": "SELECT id AS collection_id, 'NOSUCH' AS ticket_id FROM collections",
        "keep-used-tickets": """
        SELECT collection_id, id AS ticket_id
        FROM tickets
        WHERE EXISTS (SELECT 1 FROM tickets AS other WHERE other.parent_id = tickets.id)
        """,
    },
)
def delete_ticket(world: World, collection_id: CollectionId, ticket_id: TicketId) -> Deleted:
    """Delete a ticket, with its comments; refused while other tickets refer to it.

    Args:
        collection_id: The collection it belongs to.
        ticket_id: Identifier of the ticket.
    """
    read_collection(world, collection_id)
    read_ticket(world, ticket_id, collection_id=collection_id)
    refuse_while_used(
        world,
        ticket_id,
        "ticket_id",
        "keep-used-tickets",
        {
            "tickets": "SELECT count(*) FROM tickets WHERE parent_id = :key",
        },
    )
    world.run("DELETE FROM comments WHERE ticket_id = :key", key=ticket_id)
    world.run("DELETE FROM tickets WHERE id = :ticket_id", ticket_id=ticket_id)
    return {"deleted": ticket_id}


# ---------------------------------------------------------------- comments


def read_comment(world: World, comment_id: str, field: str = "comment_id", *, ticket_id: str | None = None) -> Comment:
    """The comment with that comment_id, in that ticket_id if given; refused where there is none."""
    row = world.one(
        "SELECT * FROM comments WHERE id = :key AND (:parent IS NULL OR ticket_id = :parent)",
        key=comment_id,
        parent=ticket_id,
    )
    if row is None:
        raise ToolError("not_found", f"There is no comment {comment_id}.", field=field)
    return as_comment(row)


def as_comment(row: dict[str, Any]) -> Comment:
    """A stored comment as tools return it."""
    return cast(Comment, row)


# Plays GET /issue-tracking/collections/{collection_id}/tickets/{ticket_id}/comments
@env.tool(candidates="SELECT id AS ticket_id FROM tickets")
def list_comments(
    world: World,
    ticket_id: TicketId,
    sort_by: CommentOrder | None = None,
    descending: bool = False,
    limit: Annotated[int, Field(ge=1, le=100)] = 20,
    cursor: Cursor | None = None,
) -> Comments:
    """List comments, one page at a time; what is not given does not narrow the list.

    Args:
        ticket_id: The ticket whose comments to list.
        sort_by: Column to sort by; by ID if not given.
        descending: Whether the largest comes first.
        limit: Most rows to return.
        cursor: The `next_cursor` of the page before.
    """
    read_ticket(world, ticket_id)
    start = int(cursor or 0)
    rows = world.all(
        f"""
        SELECT * FROM comments
        WHERE ticket_id = :ticket_id
        ORDER BY {sort_by or "id"} {"DESC" if descending else "ASC"}, id
        """,
        ticket_id=ticket_id,
    )
    return {
        "comments": [as_comment(row) for row in rows[start : start + limit]],
        "total": len(rows),
        "next_cursor": str(start + limit) if start + limit < len(rows) else None,
    }


# Plays GET /issue-tracking/collections/{collection_id}/tickets/{ticket_id}/comments/{id}
@env.tool(
    candidates="SELECT ticket_id, id AS comment_id FROM comments",
    refused={"not_found": "SELECT id AS ticket_id, 'NOSUCH' AS comment_id FROM tickets"},
)
def get_comment(world: World, ticket_id: TicketId, comment_id: CommentId) -> Comment:
    """Return one comment.

    Args:
        ticket_id: The ticket it belongs to.
        comment_id: Identifier of the comment.
    """
    read_ticket(world, ticket_id)
    return read_comment(world, comment_id, ticket_id=ticket_id)


# Plays POST /issue-tracking/collections/{collection_id}/tickets/{ticket_id}/comments
@env.tool(writes=["comments"], candidates="SELECT ticket_id FROM comments")
def create_comment(world: World, ticket_id: TicketId, body: Prose | None = None) -> Comment:
    """Create a comment.

    Args:
        ticket_id: The ticket it will belong to.
        body: Body of the comment.
    """
    read_ticket(world, ticket_id)
    comment_id = world.new_code("comments.id")
    world.run(
        """
        INSERT INTO comments (id, ticket_id, body, created_at, updated_at)
        VALUES (:id, :ticket_id, :body, :created_at, :updated_at)
        """,
        id=comment_id,
        ticket_id=ticket_id,
        body=body,
        created_at=world.now,
        updated_at=world.now,
    )
    return read_comment(world, comment_id)


# Plays PATCH /issue-tracking/collections/{collection_id}/tickets/{ticket_id}/comments/{id}
@env.tool(
    writes=["comments"],
    destructive=True,
    idempotent=True,
    candidates="SELECT ticket_id, id AS comment_id, body FROM comments WHERE body IS NOT NULL",
)
def update_comment(
    world: World,
    ticket_id: TicketId,
    comment_id: CommentId,
    body: Prose | None = None,
    clear: CommentClearable | None = None,
) -> Comment:
    """Change the given fields of a comment; the others keep their values.

    Args:
        ticket_id: The ticket it belongs to.
        comment_id: Identifier of the comment.
        body: Body of the comment.
        clear: A field to empty.
    """
    read_ticket(world, ticket_id)
    read_comment(world, comment_id, ticket_id=ticket_id)
    world.run(
        "UPDATE comments SET body = coalesce(:body, body), updated_at = :now WHERE id = :comment_id",
        body=body,
        now=world.now,
        comment_id=comment_id,
    )
    if clear is not None:
        world.run(f'UPDATE comments SET "{clear}" = NULL WHERE id = :comment_id', comment_id=comment_id)
    return read_comment(world, comment_id)


# Plays DELETE /issue-tracking/collections/{collection_id}/tickets/{ticket_id}/comments/{id}
@env.tool(
    writes=["comments"],
    destructive=True,
    confirm=["comment_id"],
    candidates="SELECT ticket_id, id AS comment_id FROM comments",
    refused={"not_found": "SELECT id AS ticket_id, 'NOSUCH' AS comment_id FROM tickets"},
)
def delete_comment(world: World, ticket_id: TicketId, comment_id: CommentId) -> Deleted:
    """Delete a comment.

    Args:
        ticket_id: The ticket it belongs to.
        comment_id: Identifier of the comment.
    """
    read_ticket(world, ticket_id)
    read_comment(world, comment_id, ticket_id=ticket_id)
    world.run("DELETE FROM comments WHERE id = :comment_id", comment_id=comment_id)
    return {"deleted": comment_id}


if __name__ == "__main__":
    env.serve()
