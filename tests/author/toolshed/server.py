"""The desk of a neighbourhood's tool library: members, tools, loans and waiting lists."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field
from typing_extensions import TypedDict

from envfactory_gym import Environment, Ref, ToolError, World
from envfactory_gym.fields import PositiveCents, days_between, found, later

env = Environment(__file__)

LOAN_DAYS = 7
MOST_LOANS = 3
MOST_WAITS = 2
BLOCKING_CENTS = 1000
LATE_CENTS = 150

MemberId = Annotated[str, Ref("members.member_id"), Field(max_length=20)]
ToolId = Annotated[int, Ref("tools.tool_id"), Field(ge=1)]
LoanId = Annotated[str, Ref("loans.loan_id"), Field(max_length=20)]
ReservationId = Annotated[str, Ref("reservations.reservation_id"), Field(max_length=20)]
Kind = Literal["garden", "hand", "paint", "power"]

IN = "tool_id NOT IN (SELECT tool_id FROM loans WHERE returned_on IS NULL)"
OPEN_LOANS = "(SELECT count(*) FROM loans AS l WHERE l.member_id = m.member_id AND l.returned_on IS NULL)"
WAITED_FOR = "EXISTS (SELECT 1 FROM reservations AS r WHERE r.tool_id = t.tool_id AND r.status = 'waiting')"
LOAN = """SELECT loan_id, member_id, tool_id, title, lent_on, due_on, renewed, returned_on
          FROM loans JOIN tools USING (tool_id)"""
RESERVATION = """SELECT reservation_id, member_id, tool_id, title, placed_on, status
                 FROM reservations JOIN tools USING (tool_id)"""


class Member(TypedDict):
    member_id: MemberId
    name: str
    email: str
    briefed: bool
    fees_cents: int


class Tool(TypedDict):
    tool_id: ToolId
    title: str
    kind: Kind
    worth_cents: int
    available: bool


class Tools(TypedDict):
    tools: list[Tool]


class Loan(TypedDict):
    loan_id: LoanId
    member_id: MemberId
    tool_id: ToolId
    title: str
    lent_on: str
    due_on: str
    renewed: bool
    returned_on: str | None


class Loans(TypedDict):
    loans: list[Loan]


class Returned(TypedDict):
    loan_id: LoanId
    returned_on: str
    late_days: int
    fee_cents: int


class Reservation(TypedDict):
    reservation_id: ReservationId
    member_id: MemberId
    tool_id: ToolId
    title: str
    placed_on: str
    status: Literal["waiting", "cancelled", "done"]


class Reservations(TypedDict):
    reservations: list[Reservation]


# ---------------------------------------------------------------- looking things up


@env.tool(
    candidates="SELECT member_id AS identifier FROM members UNION ALL SELECT email FROM members",
    refused={"not_found": "SELECT 'M-999' AS identifier"},
)
def find_member(world: World, identifier: Annotated[str, Field(max_length=120)]) -> Member:
    """Find a member by member number or e-mail address, whatever the case.

    Args:
        identifier: Member number, such as "M-104", or the e-mail address on file.
    """
    member = world.one(
        """SELECT member_id, name, email, briefed, fees_cents FROM members
           WHERE member_id = upper(:key) OR email = lower(:key)""",
        key=identifier.strip(),
    )
    member = found(member, f"member is on file under {identifier}", "identifier")
    return {**member, "briefed": bool(member["briefed"])}


@env.tool(candidates="SELECT DISTINCT kind FROM tools")
def search_tools(
    world: World, kind: Kind | None = None, words: Annotated[str, Field(max_length=60)] | None = None
) -> Tools:
    """List tools by title and number, and whether each is in.

    Args:
        kind: Only tools of that kind.
        words: Only tools whose title contains these words, whatever the case.
    """
    tools = world.all(
        f"""SELECT tool_id, title, kind, worth_cents, {IN} AS available FROM tools
            WHERE (:kind IS NULL OR kind = :kind) AND (:words IS NULL OR instr(lower(title), lower(:words)) > 0)
            ORDER BY title, tool_id""",
        kind=kind,
        words=words,
    )
    return {"tools": [{**tool, "available": bool(tool["available"])} for tool in tools]}


@env.tool(candidates="SELECT member_id FROM members", refused={"not_found": "SELECT 'M-999' AS member_id"})
def list_loans(world: World, member_id: MemberId, returned: bool = False) -> Loans:
    """List what a member has out, by the day it is due.

    Args:
        member_id: Member number, such as "M-104".
        returned: Whether to list what was returned as well.
    """
    _member(world, member_id)
    loans = world.all(
        f"""{LOAN} WHERE member_id = :member AND (:returned OR returned_on IS NULL)
            ORDER BY due_on, loan_id""",
        member=member_id,
        returned=returned,
    )
    return {"loans": [_shown(loan) for loan in loans]}


@env.tool(candidates="SELECT member_id FROM members", refused={"not_found": "SELECT 'M-999' AS member_id"})
def list_reservations(world: World, member_id: MemberId) -> Reservations:
    """List the tools that a member waits for, longest waiting first.

    Args:
        member_id: Member number, such as "M-104".
    """
    _member(world, member_id)
    reservations = world.all(
        f"{RESERVATION} WHERE member_id = ? AND status = 'waiting' ORDER BY placed_on, reservation_id", member_id
    )
    return {"reservations": reservations}


# ---------------------------------------------------------------- lending


@env.tool(
    writes=["loans", "reservations"],
    confirm=["tool_id"],
    candidates=f"""SELECT member_id, tool_id FROM members AS m, tools AS t
                   WHERE {OPEN_LOANS} < 3 AND fees_cents < 1000 AND (briefed = 1 OR kind <> 'power')
                     AND t.{IN} AND NOT {WAITED_FOR}
                   ORDER BY (tool_id * 7 + substr(member_id, 3) * 13) % 101, member_id, tool_id LIMIT 200""",
    refused={
        "loan-limit": f"SELECT member_id, tool_id FROM members AS m, tools AS t WHERE {OPEN_LOANS} = 3 "
        f"AND fees_cents < 1000 AND kind <> 'power' AND t.{IN} AND NOT {WAITED_FOR} LIMIT 60",
        "power-briefing": f"SELECT member_id, tool_id FROM members AS m, tools AS t WHERE briefed = 0 "
        f"AND kind = 'power' AND {OPEN_LOANS} < 3 AND fees_cents < 1000 AND t.{IN} AND NOT {WAITED_FOR} LIMIT 60",
        "fees-first": f"SELECT member_id, tool_id FROM members AS m, tools AS t WHERE fees_cents >= 1000 "
        f"AND kind <> 'power' AND {OPEN_LOANS} < 3 AND t.{IN} AND NOT {WAITED_FOR} LIMIT 60",
        "out": "SELECT 'M-101' AS member_id, tool_id FROM loans WHERE returned_on IS NULL",
    },
)
def borrow_tool(world: World, member_id: MemberId, tool_id: ToolId) -> Loan:
    """Lend a tool to a member for seven days; a reservation of theirs is used up by it.

    Args:
        member_id: Member number, such as "M-104".
        tool_id: Number of the tool.
    """
    member = _member(world, member_id)
    tool = _tool(world, tool_id)
    if _holder(world, tool_id) is not None:
        raise ToolError("conflict", f"{tool['title']} is out; it can be reserved.", field="tool_id", reason="out")
    first = world.value(
        "SELECT member_id FROM reservations WHERE tool_id = ? AND status = 'waiting' "
        "ORDER BY placed_on, reservation_id LIMIT 1",
        tool_id,
    )
    if first is not None and first != member_id:
        raise ToolError("conflict", "Another member waits for it.", field="tool_id", reason="waited-for")
    if member["fees_cents"] >= BLOCKING_CENTS:
        raise ToolError("forbidden", "The fees are to be paid first.", field="member_id", reason="fees-first")
    if tool["kind"] == "power" and not member["briefed"]:
        raise ToolError("forbidden", "A safety briefing comes first.", field="tool_id", reason="power-briefing")
    if world.value("SELECT count(*) FROM loans WHERE member_id = ? AND returned_on IS NULL", member_id) >= MOST_LOANS:
        raise ToolError("limit", f"{MOST_LOANS} tools are out already.", field="member_id", reason="loan-limit")
    world.run(
        "UPDATE reservations SET status = 'done' WHERE member_id = ? AND tool_id = ? AND status = 'waiting'",
        member_id,
        tool_id,
    )
    loan_id = world.new_code("loans.loan_id")
    world.run(
        "INSERT INTO loans (loan_id, member_id, tool_id, lent_on, due_on, renewed) VALUES (?, ?, ?, ?, ?, 0)",
        loan_id,
        member_id,
        tool_id,
        world.today,
        later(world.today, days=LOAN_DAYS),
    )
    return _loan(world, loan_id)


@env.tool(
    writes=["loans"],
    confirm=["loan_id"],
    candidates=f"""SELECT loan_id FROM loans AS t
                   WHERE returned_on IS NULL AND renewed = 0 AND due_on >= :today AND NOT {WAITED_FOR}""",
    refused={
        "renew-once": "SELECT loan_id FROM loans WHERE returned_on IS NULL AND renewed = 1",
        "renew-overdue": "SELECT loan_id FROM loans WHERE returned_on IS NULL AND renewed = 0 AND due_on < :today",
        "renew-waiting": f"""SELECT loan_id FROM loans AS t
                             WHERE returned_on IS NULL AND renewed = 0 AND due_on >= :today AND {WAITED_FOR}""",
        "returned": "SELECT loan_id FROM loans WHERE returned_on IS NOT NULL LIMIT 40",
    },
)
def renew_loan(world: World, loan_id: LoanId) -> Loan:
    """Renew a loan once, for seven days after it is due.

    Args:
        loan_id: Code of the loan.
    """
    loan = _open_loan(world, loan_id)
    if loan["renewed"]:
        raise ToolError("limit", "It was renewed once already.", field="loan_id", reason="renew-once")
    if loan["due_on"] < world.today:
        raise ToolError("forbidden", "It is overdue; return it.", field="loan_id", reason="renew-overdue")
    if world.value("SELECT count(*) FROM reservations WHERE tool_id = ? AND status = 'waiting'", loan["tool_id"]):
        raise ToolError("conflict", "Another member waits for it.", field="loan_id", reason="renew-waiting")
    due_on = later(loan["due_on"], days=LOAN_DAYS)
    world.run("UPDATE loans SET due_on = ?, renewed = 1 WHERE loan_id = ?", due_on, loan_id)
    return _loan(world, loan_id)


@env.tool(
    writes=["loans", "members"],
    candidates="SELECT loan_id FROM loans WHERE returned_on IS NULL",
    refused={"returned": "SELECT loan_id FROM loans WHERE returned_on IS NOT NULL LIMIT 40"},
)
def return_tool(world: World, loan_id: LoanId) -> Returned:
    """Take a tool back today; each day after the due day costs $1.50, which the member owes from then on.

    Args:
        loan_id: Code of the loan.
    """
    loan = _open_loan(world, loan_id)
    late_days = max(0, days_between(loan["due_on"], world.today))
    fee_cents = late_days * LATE_CENTS
    world.run("UPDATE loans SET returned_on = ? WHERE loan_id = ?", world.today, loan_id)
    world.run("UPDATE members SET fees_cents = fees_cents + ? WHERE member_id = ?", fee_cents, loan["member_id"])
    return {"loan_id": loan_id, "returned_on": world.today, "late_days": late_days, "fee_cents": fee_cents}


@env.tool(
    writes=["members"],
    candidates="SELECT member_id, fees_cents AS amount_cents FROM members WHERE fees_cents > 0",
    refused={"overpaid": "SELECT member_id, fees_cents + 1 AS amount_cents FROM members"},
)
def pay_fees(world: World, member_id: MemberId, amount_cents: PositiveCents) -> Member:
    """Book a payment of what a member owes, in part or in full.

    Args:
        member_id: Member number, such as "M-104".
        amount_cents: What is paid, in cents; at most what is owed.
    """
    member = _member(world, member_id)
    if amount_cents > member["fees_cents"]:
        raise ToolError("invalid", "That is more than is owed.", field="amount_cents", reason="overpaid")
    world.run("UPDATE members SET fees_cents = fees_cents - ? WHERE member_id = ?", amount_cents, member_id)
    return {**member, "briefed": bool(member["briefed"]), "fees_cents": member["fees_cents"] - amount_cents}


# ---------------------------------------------------------------- waiting


@env.tool(
    writes=["reservations"],
    confirm=["tool_id"],
    candidates="""SELECT m.member_id, l.tool_id FROM members AS m, loans AS l
                  WHERE l.returned_on IS NULL AND l.member_id <> m.member_id
                    AND (SELECT count(*) FROM reservations AS r
                         WHERE r.member_id = m.member_id AND r.status = 'waiting') < 2
                    AND NOT EXISTS (SELECT 1 FROM reservations AS r WHERE r.member_id = m.member_id
                                    AND r.tool_id = l.tool_id AND r.status = 'waiting')
                  ORDER BY (l.tool_id * 11 + substr(m.member_id, 3) * 7) % 97, 1, 2 LIMIT 200""",
    refused={
        "reserve-out": f"SELECT 'M-101' AS member_id, tool_id FROM tools WHERE {IN} UNION ALL "
        "SELECT member_id, tool_id FROM loans WHERE returned_on IS NULL",
        "waiting-limit": """SELECT m.member_id, l.tool_id FROM members AS m, loans AS l
                            WHERE l.returned_on IS NULL AND l.member_id <> m.member_id
                              AND (SELECT count(*) FROM reservations AS r
                                   WHERE r.member_id = m.member_id AND r.status = 'waiting') = 2
                              AND NOT EXISTS (SELECT 1 FROM reservations AS r WHERE r.member_id = m.member_id
                                              AND r.tool_id = l.tool_id AND r.status = 'waiting') LIMIT 60""",
        "waits": "SELECT member_id, tool_id FROM reservations WHERE status = 'waiting'",
    },
)
def reserve_tool(world: World, member_id: MemberId, tool_id: ToolId) -> Reservation:
    """Put a member on the list for a tool that another member has.

    Args:
        member_id: Member number, such as "M-104".
        tool_id: Number of the tool.
    """
    _member(world, member_id)
    tool = _tool(world, tool_id)
    holder = _holder(world, tool_id)
    if holder is None or holder == member_id:
        problem = "is in; it can be borrowed" if holder is None else "is with this very member"
        raise ToolError("conflict", f"{tool['title']} {problem}.", field="tool_id", reason="reserve-out")
    waiting = world.all(
        "SELECT tool_id FROM reservations WHERE member_id = ? AND status = 'waiting' ORDER BY tool_id", member_id
    )
    if tool_id in [row["tool_id"] for row in waiting]:
        raise ToolError("conflict", "The member waits for it already.", field="tool_id", reason="waits")
    if len(waiting) >= MOST_WAITS:
        raise ToolError("limit", f"The member waits for {MOST_WAITS} tools.", field="member_id", reason="waiting-limit")
    reservation_id = world.new_code("reservations.reservation_id")
    world.run(
        "INSERT INTO reservations (reservation_id, member_id, tool_id, placed_on, status) "
        "VALUES (?, ?, ?, ?, 'waiting')",
        reservation_id,
        member_id,
        tool_id,
        world.today,
    )
    return _reservation(world, reservation_id)


@env.tool(
    writes=["reservations"],
    confirm=["reservation_id"],
    candidates="SELECT reservation_id FROM reservations WHERE status = 'waiting'",
    refused={"over": "SELECT reservation_id FROM reservations WHERE status <> 'waiting'"},
)
def cancel_reservation(world: World, reservation_id: ReservationId) -> Reservation:
    """Take a member off the list for a tool.

    Args:
        reservation_id: Code of the reservation.
    """
    reservation = _reservation(world, reservation_id)
    if reservation["status"] != "waiting":
        raise ToolError("conflict", "Nobody waits by it any more.", field="reservation_id", reason="over")
    world.run("UPDATE reservations SET status = 'cancelled' WHERE reservation_id = ?", reservation_id)
    return _reservation(world, reservation_id)


# ---------------------------------------------------------------- steps that tools share


def _member(world: World, member_id: str) -> dict[str, Any]:
    row = world.one("SELECT member_id, name, email, briefed, fees_cents FROM members WHERE member_id = ?", member_id)
    return found(row, f"member {member_id}", "member_id")


def _tool(world: World, tool_id: int) -> dict[str, Any]:
    return found(world.one("SELECT title, kind FROM tools WHERE tool_id = ?", tool_id), f"tool {tool_id}", "tool_id")


def _holder(world: World, tool_id: int) -> str | None:
    return world.value("SELECT member_id FROM loans WHERE tool_id = ? AND returned_on IS NULL", tool_id)


def _loan(world: World, loan_id: str) -> dict[str, Any]:
    return _shown(found(world.one(f"{LOAN} WHERE loan_id = ?", loan_id), f"loan {loan_id}", "loan_id"))


def _open_loan(world: World, loan_id: str) -> dict[str, Any]:
    loan = _loan(world, loan_id)
    if loan["returned_on"] is not None:
        raise ToolError("conflict", "It was returned already.", field="loan_id", reason="returned")
    return loan


def _shown(loan: dict[str, Any]) -> dict[str, Any]:
    return {**loan, "renewed": bool(loan["renewed"])}


def _reservation(world: World, reservation_id: str) -> dict[str, Any]:
    row = world.one(f"{RESERVATION} WHERE reservation_id = ?", reservation_id)
    return found(row, f"reservation {reservation_id}", "reservation_id")


if __name__ == "__main__":
    env.serve()
