"""The lending desk: members, things, loans."""

from typing import Annotated, Literal

from pydantic import Field
from typing_extensions import TypedDict

from envfactory_gym import Environment, Ref, ToolError, World

env = Environment(__file__)

MemberId = Annotated[str, Ref("members.member_id"), Field(pattern=r"^M-\d+$")]
ItemId = Annotated[int, Ref("items.item_id")]
LoanId = Annotated[str, Ref("loans.loan_id")]


class Item(TypedDict):
    item_id: ItemId
    title: str
    category: str
    fee_cents: int
    status: str


class Items(TypedDict):
    items: list[Item]


class Loan(TypedDict):
    loan_id: LoanId
    member_id: MemberId
    item_id: ItemId
    title: str
    due_on: str
    extended: int
    state: str


class Loans(TypedDict):
    loans: list[Loan]


_LOAN = """SELECT loan_id, member_id, item_id, title, due_on, extended, state
           FROM loans JOIN items USING (item_id)"""


@env.tool(candidates="SELECT 'tools' AS category UNION SELECT 'camping'")
def search_items(
    world: World,
    category: Literal["tools", "camping", "kitchen"] | None = None,
    title: Annotated[str, Field(max_length=80)] | None = None,
) -> Items:
    """List things, cheapest first.

    Args:
        category: Only things of that kind.
        title: Only things whose title contains these words.
    """
    rows = world.all(
        """SELECT item_id, title, category, fee_cents, status FROM items
           WHERE (:category IS NULL OR category = :category)
             AND (:title IS NULL OR instr(lower(title), lower(:title)) > 0)
           ORDER BY fee_cents, item_id""",
        category=category,
        title=title,
    )
    return {"items": rows}


@env.tool(candidates="SELECT member_id FROM members", refused={"not_found": "SELECT 'M-999' AS member_id"})
def list_loans(world: World, member_id: MemberId) -> Loans:
    """List a member's open loans, by due date.

    Args:
        member_id: Number of the member, such as "M-104".
    """
    _member(world, member_id)
    return {
        "loans": world.all(
            f"{_LOAN} WHERE member_id = :member AND state = 'open' ORDER BY due_on, loan_id", member=member_id
        )
    }


@env.tool(
    writes=["loans", "items"],
    candidates="""SELECT member_id, item_id FROM members, items
                  WHERE status = 'in' AND (level = 'plus' OR category <> 'camping')
                    AND (level = 'plus' OR (SELECT count(*) FROM loans l WHERE l.member_id = members.member_id AND state = 'open') < 2)
                  ORDER BY member_id, item_id LIMIT 60""",
    refused={
        "item-out": "SELECT member_id, item_id FROM members, items WHERE status <> 'in' AND level = 'plus' LIMIT 10",
        "basic-limit": """SELECT member_id, item_id FROM members JOIN items ON status = 'in' AND category = 'tools'
                          WHERE level = 'basic' AND
                            (SELECT count(*) FROM loans l WHERE l.member_id = members.member_id AND state = 'open') >= 2 LIMIT 5""",
    },
)
def borrow_item(world: World, member_id: MemberId, item_id: ItemId) -> Loan:
    """Lend a thing to a member for 14 days.

    Args:
        member_id: Number of the member.
        item_id: Number of the thing.
    """
    member = _member(world, member_id)
    item = world.one("SELECT * FROM items WHERE item_id = ?", item_id)
    if item is None:
        raise ToolError("not_found", f"There is no item {item_id}.", field="item_id")
    if item["status"] != "in":
        raise ToolError("conflict", f"{item['title']} is not in.", field="item_id", reason="item-out")
    open_loans = world.value("SELECT count(*) FROM loans WHERE member_id = ? AND state = 'open'", member_id)
    if member["level"] == "basic" and open_loans >= 2:
        raise ToolError("limit", "A basic member has at most 2 open loans.", field="member_id", reason="basic-limit")
    loan_id = world.new_code("loans.loan_id", 5)
    world.run(
        "INSERT INTO loans (loan_id, member_id, item_id, due_on, state) VALUES (?, ?, ?, date(?, '+14 days'), 'open')",
        loan_id,
        member_id,
        item_id,
        world.today,
    )
    world.run("UPDATE items SET status = 'out' WHERE item_id = ?", item_id)
    return _loan(world, loan_id)


@env.tool(
    writes=["loans"],
    candidates="SELECT loan_id FROM loans WHERE state = 'open' AND extended = 0",
    refused={"extend-once": "SELECT loan_id FROM loans WHERE state = 'open' AND extended > 0"},
)
def extend_loan(world: World, loan_id: LoanId) -> Loan:
    """Extend an open loan by 7 days.

    Args:
        loan_id: Code of the loan.
    """
    loan = _loan(world, loan_id)
    if loan["state"] != "open":
        raise ToolError("conflict", "The loan is closed.", field="loan_id", reason="closed")
    if loan["extended"]:
        raise ToolError("forbidden", "A loan is extended once only.", field="loan_id", reason="extend-once")
    world.run("UPDATE loans SET due_on = date(due_on, '+7 days'), extended = extended + 1 WHERE loan_id = ?", loan_id)
    return _loan(world, loan_id)


@env.tool(
    writes=["loans", "items", "notes"],
    destructive=True,
    candidates="SELECT loan_id FROM loans WHERE state = 'open'",
    refused={"closed": "SELECT loan_id FROM loans WHERE state = 'closed'"},
)
def return_item(world: World, loan_id: LoanId, note: Annotated[str, Field(max_length=200)] | None = None) -> Loan:
    """Take a thing back and close its loan.

    Args:
        loan_id: Code of the loan.
        note: Anything worth writing down about the thing.
    """
    loan = _loan(world, loan_id)
    if loan["state"] != "open":
        raise ToolError("conflict", "The loan is closed already.", field="loan_id", reason="closed")
    world.run("UPDATE loans SET state = 'closed' WHERE loan_id = ?", loan_id)
    world.run("UPDATE items SET status = 'in' WHERE item_id = ?", loan["item_id"])
    if note is not None:
        world.run("INSERT INTO notes (loan_id, body) VALUES (?, ?)", loan_id, note)
    return _loan(world, loan_id)


def _member(world: World, member_id: str) -> dict:
    member = world.one("SELECT * FROM members WHERE member_id = ?", member_id)
    if member is None:
        raise ToolError("not_found", f"There is no member {member_id}.", field="member_id")
    return member


def _loan(world: World, loan_id: str) -> Loan:
    loan = world.one(f"{_LOAN} WHERE loan_id = ?", loan_id)
    if loan is None:
        raise ToolError("not_found", f"There is no loan {loan_id}.", field="loan_id")
    return loan


if __name__ == "__main__":
    env.serve()
