"""Harbourgate Bank's customer service: tools that look things up, and tools that change something.

Read it top down: what the values are, what the tools return, the tools, and the steps they share. A rule of
policy.md that a `reason` names is enforced here; the others are the agent's to keep. `candidates` and `refused` are
examples for testing: arguments that succeed, and arguments that are refused for that reason. Views such as
movements and payments, which say what customers mean, stand at the end of schema.sql.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field
from typing_extensions import TypedDict

from envfactory_gym import Environment, Ref, ToolError, World
from envfactory_gym.fields import (
    Day,
    Page,
    Paged,
    PositiveCents,
    Transitions,
    days_between,
    dollars,
    found,
    later,
    paged,
    weekday,
)

env = Environment(__file__)

DAILY_LIMIT_CENTS = 500_000
NEW_PAYEE_CENTS, NEW_PAYEE_HOURS = 100_000, 24
WITHDRAWALS_A_MONTH = 3
LONGEST_WAIT_DAYS, LONGEST_FIRST_DAYS = 90, 60
CARD_LIMIT_CENTS = {"standard": 500_000, "plus": 1_000_000}
DISPUTE_DAYS, NOT_RECEIVED_DAYS, PROVISIONAL_CENTS = 60, 14, 25_000
FEE_DAYS, FEE_REFUNDS = 60, {"standard": 1, "plus": 2}

# Where examples for testing come from.
PAY = "SELECT account_id, payee_id, amount_cents FROM possible_payments"
FEES = "FROM transactions AS t WHERE kind = 'fee' AND booked_at"
CONTESTABLE = """
    FROM transactions WHERE kind = 'card_payment' AND booked_at >= '2026-03-20'
    AND transaction_id NOT IN (SELECT transaction_id FROM disputes)
    AND transaction_id NOT IN (SELECT reverses FROM transactions WHERE reverses IS NOT NULL)
"""

# ---------------------------------------------------------------- what the values are

CustomerId = Annotated[
    str, Ref("customers.customer_id"), Field(max_length=120, description='Customer number, such as "B204117".')
]
AccountId = Annotated[
    str, Ref("accounts.account_id"), Field(max_length=40, description='Account number, such as "20417733".')
]
CardId = Annotated[str, Ref("cards.card_id"), Field(max_length=40, description='Card, such as "D204117".')]
PayeeId = Annotated[str, Ref("payees.payee_id"), Field(max_length=40, description='Payee, such as "7QK2MD".')]
TransferId = Annotated[
    str, Ref("transfers.transfer_id"), Field(max_length=40, description='Payment, such as "4K7Q2MDX".')
]
OrderId = Annotated[
    str, Ref("standing_orders.order_id"), Field(max_length=40, description='Standing order, such as "4K7Q2MD".')
]
TransactionId = Annotated[
    str, Ref("transactions.transaction_id"), Field(max_length=40, description='Movement, such as "4K7Q2MDX9".')
]
Merchant = Annotated[str, Ref("transactions.counterparty"), Field(min_length=3, max_length=80)]
Plan = Literal["standard", "plus"]
CardStatus = Literal["active", "frozen", "blocked"]
TransferStatus = Literal["scheduled", "sent", "cancelled"]
DisputeStatus = Literal["open", "accepted", "rejected"]
Frequency = Annotated[Literal["weekly", "monthly"], Field(description="How often it is paid.")]
Reason = Annotated[
    Literal["not_recognised", "not_received", "charged_twice", "wrong_amount"],
    Field(description="Why the customer contests it."),
]
Kind = Literal[
    "carried_over",
    "card_payment",
    "card_refund",
    "salary",
    "transfer",
    "standing_order",
    "own_transfer",
    "interest",
    "fee",
    "fee_refund",
    "dispute_credit",
]

TRANSFERS = Transitions("payment", scheduled=("sent", "cancelled"), sent=(), cancelled=())
ORDERS = Transitions("standing order", active=("ended",), ended=())
CARDS = Transitions("card", active=("frozen", "blocked"), frozen=("active", "blocked"), blocked=())

# ---------------------------------------------------------------- what the tools return


class Customer(TypedDict):
    customer_id: CustomerId
    first_name: str
    last_name: str
    email: Annotated[str, Ref("customers.email")]
    phone: str
    address: str
    plan: Plan


class Account(TypedDict):
    account_id: AccountId
    kind: Literal["current", "savings"]
    name: str
    balance_cents: int
    overdraft_cents: int


class Accounts(TypedDict):
    accounts: list[Account]


class Card(TypedDict):
    card_id: CardId
    kind: Literal["plastic", "virtual"]
    account: str
    brand: Literal["visa", "mastercard", "amex"]
    last_four: str
    valid_until: str
    status: CardStatus
    limit_cents: int


class Cards(TypedDict):
    cards: list[Card]


class Payee(TypedDict):
    payee_id: PayeeId
    name: str
    bank: str
    account_number: str
    added_at: str


class Payees(TypedDict):
    payees: list[Payee]


class Payment(TypedDict):
    transfer_id: TransferId
    status: TransferStatus
    payee: str
    account: str
    amount_cents: int
    reference: str | None
    send_on: str


class Payments(Paged):
    payments: list[Payment]


class RegularPayment(TypedDict):
    order_id: OrderId
    status: Literal["active", "ended"]
    payee: str
    account: str
    amount_cents: int
    frequency: Frequency
    next_on: str | None


class RegularPayments(TypedDict):
    standing_orders: list[RegularPayment]


class Movement(TypedDict):
    transaction_id: TransactionId
    booked_at: str
    booked_on: str
    kind: Kind
    indicator: Literal["credit", "debit"]
    amount_cents: int
    counterparty: str
    reference: str | None
    account: str
    dispute: DisputeStatus | None


class Movements(Paged):
    transactions: list[Movement]


class Sent(TypedDict):
    transfer_id: TransferId
    status: TransferStatus
    send_on: str
    balance_cents: int


class Moved(TypedDict):
    from_balance_cents: int
    to_balance_cents: int


class Ordered(TypedDict):
    order_id: OrderId
    next_on: str


class Case(TypedDict):
    dispute_id: Annotated[str, Ref("disputes.dispute_id")]
    status: DisputeStatus
    credited_cents: int
    card_status: CardStatus


class Refunded(TypedDict):
    transaction_id: TransactionId
    refunded_cents: int
    balance_cents: int


# Columns of the views that the results above show.
MOVEMENT = (
    "transaction_id, booked_at, booked_on, kind, indicator, amount_cents, counterparty, reference, account, dispute"
)
PAYMENT = "transfer_id, status, payee, account, amount_cents, reference, send_on"
ORDER = "order_id, status, payee, account, amount_cents, frequency, next_on"
CARD = "card_id, kind, account, brand, last_four, valid_until, status, limit_cents"

# ---------------------------------------------------------------- looking things up


@env.tool(
    candidates="SELECT customer_id AS identifier FROM customers UNION ALL SELECT email FROM customers",
    refused={"not_found": "SELECT last_name AS identifier FROM customers"},
)
def find_customer(world: World, identifier: CustomerId) -> Customer:
    """Find a customer by customer number or by e-mail address.

    Args:
        identifier: Customer number such as "B204117", or the e-mail address on file.
    """
    customer_id = world.value(
        "SELECT customer_id FROM customers WHERE customer_id = ? OR email = ?", identifier.upper(), identifier.lower()
    )
    return _customer(world, customer_id or identifier, "identifier")


@env.tool(candidates="SELECT customer_id FROM customers", refused={"not_found": "SELECT 'B000000' AS customer_id"})
def list_accounts(world: World, customer_id: CustomerId) -> Accounts:
    """List a customer's accounts with what is in them and how far they may go below zero, in US cents."""
    _customer(world, customer_id)
    kept = "account_id, kind, name, balance_cents, overdraft_cents"
    return {
        "accounts": world.all(f"SELECT {kept} FROM accounts WHERE customer_id = ? ORDER BY kind, name", customer_id)
    }


@env.tool(candidates="SELECT account_id FROM accounts", refused={"not_found": "SELECT '00000000' AS account_id"})
def list_transactions(world: World, account_id: AccountId, page: Page = 1) -> Movements:
    """List the statement of an account, newest first, 20 to a page: movements, the other side, its reference."""
    _account(world, account_id, "account_id")
    listed = f"SELECT {MOVEMENT} FROM movements WHERE account_id = :account_id ORDER BY booked_at DESC, transaction_id"
    transactions, paging = paged(world, listed, page, account_id=account_id)
    return {"transactions": transactions, **paging}


@env.tool(
    candidates="""
        SELECT DISTINCT customer_id, counterparty AS merchant
        FROM movements WHERE kind LIKE 'card%' ORDER BY 1, 2
    """,
    refused={"not_found": "SELECT 'B000000' AS customer_id, 'Everfield' AS merchant"},
)
def find_transactions(world: World, customer_id: CustomerId, merchant: Merchant, page: Page = 1) -> Movements:
    """Find movements on all accounts of a customer by the other side's name or reference, newest first, 20 to a page.

    Args:
        merchant: Name such as "Everfield Air", or a part of it; or a reference, such as a booking code.
    """
    _customer(world, customer_id)
    listed = f"""
        SELECT {MOVEMENT} FROM movements
        WHERE customer_id = :customer_id AND (instr(lower(counterparty), :text) OR instr(lower(reference), :text))
        ORDER BY booked_at DESC, transaction_id
    """
    transactions, paging = paged(world, listed, page, customer_id=customer_id, text=merchant.lower())
    return {"transactions": transactions, **paging}


@env.tool(candidates="SELECT customer_id FROM customers", refused={"not_found": "SELECT 'B000000' AS customer_id"})
def list_cards(world: World, customer_id: CustomerId) -> Cards:
    """List a customer's cards: what they may pay in a day, and whether they are frozen or blocked."""
    _customer(world, customer_id)
    return {"cards": world.all(f"SELECT {CARD} FROM wallet WHERE customer_id = ? ORDER BY card_id", customer_id)}


@env.tool(candidates="SELECT customer_id FROM customers", refused={"not_found": "SELECT 'B000000' AS customer_id"})
def list_payees(world: World, customer_id: CustomerId) -> Payees:
    """List whom a customer can pay at other banks, by name."""
    _customer(world, customer_id)
    kept = "payee_id, name, bank, account_number, added_at"
    return {"payees": world.all(f"SELECT {kept} FROM payees WHERE customer_id = ? ORDER BY name", customer_id)}


@env.tool(candidates="SELECT customer_id FROM customers", refused={"not_found": "SELECT 'B000000' AS customer_id"})
def list_transfers(world: World, customer_id: CustomerId, page: Page = 1) -> Payments:
    """List a customer's payments to payees, sent, scheduled and cancelled, latest day first, 20 to a page."""
    _customer(world, customer_id)
    listed = f"""
        SELECT {PAYMENT} FROM payments WHERE customer_id = :customer_id ORDER BY send_on DESC, transfer_id
    """
    payments, paging = paged(world, listed, page, customer_id=customer_id)
    return {"payments": payments, **paging}


@env.tool(candidates="SELECT customer_id FROM customers", refused={"not_found": "SELECT 'B000000' AS customer_id"})
def list_standing_orders(world: World, customer_id: CustomerId) -> RegularPayments:
    """List a customer's standing orders, ended ones too, with the day of the next payment."""
    _customer(world, customer_id)
    listed = f"SELECT {ORDER} FROM regular_payments WHERE customer_id = ? ORDER BY payee, order_id"
    return {"standing_orders": world.all(listed, customer_id)}


# ---------------------------------------------------------------- sending and moving money


@env.tool(
    writes=["transfers", "transactions", "accounts"],
    confirm=["account_id", "payee_id", "amount_cents"],
    candidates="""
        SELECT account_id, payee_id, amount_cents,
               iif(amount_cents % 200 < 100, NULL,
                   date(:now, '+' || (4 + 7 * (account_id % 9) + amount_cents / 50 % 5) || ' days')) AS send_on
        FROM possible_payments WHERE balance_cents >= amount_cents
    """,
    refused={
        "savings-out": """
            SELECT a.account_id, payee_id, amount_cents FROM possible_payments JOIN accounts AS a USING (customer_id)
            WHERE kind = 'savings'
        """,
        "funds": """
            SELECT a.account_id, payee_id, (a.balance_cents + a.overdraft_cents) / 10000 * 10000 + 30000 AS amount_cents
            FROM possible_payments JOIN accounts AS a USING (account_id)
            WHERE a.balance_cents + a.overdraft_cents < 400000 AND added_at < '2026-05'
            AND account_id NOT IN (SELECT account_id FROM transfers WHERE send_on = date(:now))
        """,
        "daily-limit": """
            SELECT account_id, payee_id, 550000 AS amount_cents
            FROM possible_payments WHERE added_at < '2026-05'
        """,
        "new-payee": """
            SELECT account_id, payee_id, 120000 AS amount_cents
            FROM possible_payments WHERE added_at > '2026-05-13T10'
        """,
        "banking-days": f"""
            SELECT p.*, date('2026-05-16', '+' || (account_id % 8 * 7) || ' days') AS send_on
            FROM ({PAY}) AS p
        """,
        "dates": f"SELECT p.*, '2026-09-01' AS send_on FROM ({PAY}) AS p",
        "not_found": "SELECT account_id, '000000' AS payee_id, 5000 AS amount_cents FROM possible_payments",
    },
)
def send_money(
    world: World, account_id: AccountId, payee_id: PayeeId, amount_cents: PositiveCents, send_on: Day | None = None
) -> Sent:
    """Send money to a payee, now or on a later day.

    Args:
        account_id: Account to pay from.
        amount_cents: How much, in US cents.
        send_on: Day from Monday to Friday on which it is sent; now if left out.
    """
    account, payee = _payer(world, account_id, payee_id)
    day = send_on or world.today
    if send_on is not None:
        _check_ahead(world, send_on, LONGEST_WAIT_DAYS, "send_on")
        _check_banking_day(send_on)
    elif amount_cents > NEW_PAYEE_CENTS and world.now < later(payee["added_at"], hours=NEW_PAYEE_HOURS):
        message = f"The payee was added at {payee['added_at']}; until a day later at most {dollars(NEW_PAYEE_CENTS)}."
        raise ToolError("limit", message, field="amount_cents", reason="new-payee")
    _check_day(world, account_id, day, amount_cents)
    if send_on is None:
        _check_funds(account, amount_cents)
    transfer_id = world.new_code("transfers.transfer_id", 8)
    status = "sent" if send_on is None else "scheduled"
    world.run(
        "INSERT INTO transfers VALUES (?, ?, ?, ?, NULL, ?, ?, ?)",
        transfer_id, account_id, payee_id, amount_cents, day, status, world.now,
    )  # fmt: skip
    if send_on is None:
        _book(world, account_id, "transfer", "debit", amount_cents, payee["name"], transfer_id=transfer_id)
    return _sent(world, transfer_id)


@env.tool(
    writes=["transfers"],
    destructive=True,
    confirm=["transfer_id"],
    candidates="SELECT transfer_id FROM transfers WHERE status = 'scheduled' AND send_on > date(:now)",
    refused={
        "cut-off": "SELECT transfer_id FROM transfers WHERE status = 'scheduled' AND send_on = date(:now)",
        "sent": "SELECT transfer_id FROM transfers WHERE status = 'sent'",
        "cancelled": "SELECT transfer_id FROM transfers WHERE status = 'cancelled'",
        "not_found": "SELECT '00000000' AS transfer_id",
    },
)
def cancel_transfer(world: World, transfer_id: TransferId) -> Sent:
    """Call off a scheduled payment that is not due today."""
    transfer = world.one("SELECT status, send_on FROM transfers WHERE transfer_id = ?", transfer_id)
    transfer = found(transfer, f"payment {transfer_id}", "transfer_id")
    TRANSFERS.check(transfer["status"], "cancelled", "transfer_id")
    _check_cut_off(world, transfer["send_on"], "transfer_id")
    world.run("UPDATE transfers SET status = 'cancelled' WHERE transfer_id = ?", transfer_id)
    return _sent(world, transfer_id)


@env.tool(
    writes=["transactions", "accounts"],
    confirm=["from_account_id", "to_account_id", "amount_cents"],
    candidates="""
        SELECT from_account_id, to_account_id, amount_cents FROM possible_moves
        WHERE balance_cents >= amount_cents AND (kind = 'current' OR moved_this_month < 3)
    """,
    refused={
        "savings-withdrawals": """
            SELECT from_account_id, to_account_id, amount_cents FROM possible_moves
            WHERE kind = 'savings' AND moved_this_month = 3
        """,
        "funds": """
            SELECT from_account_id, to_account_id, balance_cents / 10000 * 10000 + 150000 AS amount_cents
            FROM possible_moves WHERE kind = 'savings' AND moved_this_month < 3
        """,
        "same-account": """
            SELECT account_id AS from_account_id, account_id AS to_account_id, 500 AS amount_cents
            FROM accounts
        """,
        "own-accounts": """
            SELECT a.account_id AS from_account_id, b.account_id AS to_account_id, 500 AS amount_cents
            FROM accounts AS a JOIN accounts AS b ON b.rowid = a.rowid + 9
        """,
    },
)
def move_money(
    world: World, from_account_id: AccountId, to_account_id: AccountId, amount_cents: PositiveCents
) -> Moved:
    """Move money between two accounts of the same customer, at once.

    Args:
        from_account_id: Account that it leaves.
        to_account_id: Account that it goes to.
        amount_cents: How much, in US cents.
    """
    source = _account(world, from_account_id, "from_account_id")
    target = _account(world, to_account_id, "to_account_id")
    if from_account_id == to_account_id:
        raise ToolError("invalid", "That is the same account.", field="to_account_id", reason="same-account")
    if source["customer_id"] != target["customer_id"]:
        message = "The accounts belong to two customers."
        raise ToolError("forbidden", message, field="to_account_id", reason="own-accounts")
    if source["kind"] == "savings" and _withdrawals(world, from_account_id) >= WITHDRAWALS_A_MONTH:
        message = f"Money was moved out of it {WITHDRAWALS_A_MONTH} times this month."
        raise ToolError("limit", message, field="from_account_id", reason="savings-withdrawals")
    _check_funds(source, amount_cents)
    _book(world, from_account_id, "own_transfer", "debit", amount_cents, target["name"])
    _book(world, to_account_id, "own_transfer", "credit", amount_cents, source["name"])
    return {
        "from_balance_cents": _account(world, from_account_id, "from_account_id")["balance_cents"],
        "to_balance_cents": _account(world, to_account_id, "to_account_id")["balance_cents"],
    }


# ---------------------------------------------------------------- standing orders


@env.tool(
    writes=["standing_orders"],
    confirm=["account_id", "payee_id", "amount_cents", "frequency", "first_on"],
    candidates="""
        SELECT account_id, payee_id, amount_cents, frequency,
               date(:now, '+' || (1 + account_id % 50) || ' days') AS first_on
        FROM possible_payments AS p, (SELECT 'weekly' AS frequency UNION ALL SELECT 'monthly') AS f
        WHERE NOT EXISTS (SELECT 1 FROM standing_orders AS s WHERE s.account_id = p.account_id
                          AND s.payee_id = p.payee_id AND s.frequency = f.frequency AND s.status = 'active')
    """,
    refused={
        "one-order": """
            SELECT account_id, payee_id, amount_cents, frequency, '2026-06-01' AS first_on
            FROM standing_orders WHERE status = 'active'
        """,
        "savings-out": """
            SELECT a.account_id, payee_id, amount_cents, 'monthly' AS frequency, '2026-06-08' AS first_on
            FROM possible_payments JOIN accounts AS a USING (customer_id) WHERE kind = 'savings'
        """,
        "dates": f"SELECT p.*, 'monthly' AS frequency, '2026-08-01' AS first_on FROM ({PAY}) AS p",
    },
)
def start_standing_order(
    world: World,
    account_id: AccountId,
    payee_id: PayeeId,
    amount_cents: PositiveCents,
    frequency: Frequency,
    first_on: Day,
) -> Ordered:
    """Let a payment to a payee be sent every week or every month, until it is ended.

    Args:
        account_id: Account to pay from.
        amount_cents: How much each time, in US cents.
        first_on: Day after today of the first payment.
    """
    _payer(world, account_id, payee_id)
    _check_ahead(world, first_on, LONGEST_FIRST_DAYS, "first_on")
    running = (
        "SELECT 1 FROM standing_orders WHERE account_id = ? AND payee_id = ? AND frequency = ? AND status = 'active'"
    )
    if world.one(running, account_id, payee_id, frequency):
        message = f"The payee gets a {frequency} standing order from that account already."
        raise ToolError("conflict", message, field="payee_id", reason="one-order")
    order_id = world.new_code("standing_orders.order_id", 7)
    world.run(
        "INSERT INTO standing_orders VALUES (?, ?, ?, ?, ?, ?, 'active')",
        order_id, account_id, payee_id, amount_cents, frequency, first_on,
    )  # fmt: skip
    return {"order_id": order_id, "next_on": first_on}


@env.tool(
    writes=["standing_orders"],
    destructive=True,
    confirm=["order_id"],
    candidates="SELECT order_id FROM standing_orders WHERE next_on > date(:now)",
    refused={
        "cut-off": "SELECT order_id FROM standing_orders WHERE next_on = date(:now)",
        "ended": "SELECT order_id FROM standing_orders WHERE status = 'ended'",
        "not_found": "SELECT '0000000' AS order_id",
    },
)
def end_standing_order(world: World, order_id: OrderId) -> RegularPayment:
    """End a standing order, so that nothing more is paid."""
    order = _regular_payment(world, order_id)
    ORDERS.check(order["status"], "ended", "order_id")
    _check_cut_off(world, str(order["next_on"]), "order_id")
    world.run("UPDATE standing_orders SET status = 'ended', next_on = NULL WHERE order_id = ?", order_id)
    return _regular_payment(world, order_id)


# ---------------------------------------------------------------- cards


@env.tool(
    writes=["cards"],
    destructive=True,
    candidates="SELECT card_id FROM cards WHERE status = 'active'",
    refused={
        "frozen": "SELECT card_id FROM cards WHERE status = 'frozen'",
        "blocked": "SELECT card_id FROM cards WHERE status = 'blocked'",
        "not_found": "SELECT 'D000000' AS card_id",
    },
)
def freeze_card(world: World, card_id: CardId) -> Card:
    """Freeze a card: it pays nothing until it is unfrozen."""
    CARDS.check(_card(world, card_id)["status"], "frozen", "card_id")
    return _set_card(world, card_id, "frozen")


@env.tool(
    writes=["cards"],
    destructive=True,
    candidates="SELECT card_id FROM cards WHERE status = 'frozen' AND card_id NOT IN (SELECT card_id FROM held_cards)",
    refused={
        "dispute-hold": "SELECT card_id FROM cards JOIN held_cards USING (card_id) WHERE status = 'frozen'",
        "active": "SELECT card_id FROM cards WHERE status = 'active'",
        "blocked": "SELECT card_id FROM cards WHERE status = 'blocked'",
        "not_found": "SELECT 'D000000' AS card_id",
    },
)
def unfreeze_card(world: World, card_id: CardId) -> Card:
    """Let a frozen card pay again."""
    CARDS.check(_card(world, card_id)["status"], "active", "card_id")
    if world.one("SELECT 1 FROM held_cards WHERE card_id = ?", card_id):
        message = "A payment of it is contested as not recognised, and the case is open."
        raise ToolError("forbidden", message, field="card_id", reason="dispute-hold")
    return _set_card(world, card_id, "active")


@env.tool(
    writes=["cards"],
    destructive=True,
    idempotent=True,
    candidates="""
        SELECT card_id, 20000 + substr(card_id, 4) % 40 * 10000 AS limit_cents
        FROM cards WHERE status <> 'blocked'
    """,
    refused={
        "card-limit": """
            SELECT card_id, 600000 AS limit_cents FROM wallet JOIN customers USING (customer_id)
            WHERE plan = 'standard' AND status <> 'blocked'
            UNION ALL
            SELECT card_id, 5000 FROM cards WHERE status <> 'blocked'
        """,
        "blocked": """
            SELECT card_id, 20000 + substr(card_id, 4) % 40 * 10000 AS limit_cents
            FROM cards WHERE status = 'blocked'
        """,
        "not_found": "SELECT 'D000000' AS card_id, 50000 AS limit_cents",
    },
)
def change_card_limit(world: World, card_id: CardId, limit_cents: Annotated[int, Field(ge=100, le=5_000_000)]) -> Card:
    """Change how much a card pays in a day at most.

    Args:
        limit_cents: New daily limit, in US cents.
    """
    card = _card(world, card_id)
    if card["status"] == "blocked":
        raise ToolError("conflict", "The card is blocked for good.", field="card_id", reason="blocked")
    plan = _customer(world, card["customer_id"])["plan"]
    if not 10_000 <= limit_cents <= CARD_LIMIT_CENTS[plan]:
        message = f"On the {plan} plan a limit is from $100 to {dollars(CARD_LIMIT_CENTS[plan])}."
        raise ToolError("limit", message, field="limit_cents", reason="card-limit")
    world.run("UPDATE cards SET limit_cents = ? WHERE card_id = ?", limit_cents, card_id)
    return _shown_card(world, card_id)


# ---------------------------------------------------------------- disputes and fees


@env.tool(
    writes=["disputes", "transactions", "accounts", "cards"],
    confirm=["transaction_id", "reason"],
    candidates=f"""
        SELECT transaction_id, 'charged_twice' AS reason {CONTESTABLE}
        UNION ALL SELECT transaction_id, 'wrong_amount' {CONTESTABLE}
        UNION ALL SELECT transaction_id, 'not_recognised' {CONTESTABLE}
        UNION ALL SELECT transaction_id, 'not_received' {CONTESTABLE} AND booked_at < '2026-04-29'
        ORDER BY 1, 2
    """,
    refused={
        "dispute-window": """
            SELECT transaction_id, 'wrong_amount' AS reason FROM transactions
            WHERE kind = 'card_payment' AND booked_at < '2026-03-15'
            AND transaction_id NOT IN (SELECT transaction_id FROM disputes) ORDER BY 1
        """,
        "not-received": f"""
            SELECT transaction_id, 'not_received' AS reason {CONTESTABLE} AND booked_at > '2026-05-01' ORDER BY 1
        """,
        "contested": "SELECT transaction_id, 'wrong_amount' AS reason FROM disputes",
        "no-card-payment": """
            SELECT transaction_id, 'wrong_amount' AS reason
            FROM transactions WHERE kind IN ('transfer', 'fee')
        """,
        "not_found": "SELECT '000000000' AS transaction_id, 'wrong_amount' AS reason",
    },
)
def dispute_transaction(world: World, transaction_id: TransactionId, reason: Reason) -> Case:
    """Contest a card payment. What is credited at once is told; not recognised also freezes the card."""
    paid = _transaction(world, transaction_id)
    if paid["kind"] != "card_payment":
        message = f"It is a {paid['kind']}; only card payments are contested."
        raise ToolError("invalid", message, field="transaction_id", reason="no-card-payment")
    if world.one("SELECT 1 FROM disputes WHERE transaction_id = ?", transaction_id):
        raise ToolError("conflict", "It was contested before.", field="transaction_id", reason="contested")
    days = days_between(paid["booked_at"], world.now)
    if days > DISPUTE_DAYS:
        message = f"It was booked {days} days ago; at most {DISPUTE_DAYS} are allowed."
        raise ToolError("forbidden", message, field="transaction_id", reason="dispute-window")
    if reason == "not_received" and days < NOT_RECEIVED_DAYS:
        message = f"It was paid {days} days ago; that can be said from {NOT_RECEIVED_DAYS} days on."
        raise ToolError("forbidden", message, field="reason", reason="not-received")
    dispute_id = world.new_code("disputes.dispute_id", 6)
    world.run("INSERT INTO disputes VALUES (?, ?, ?, 'open', ?)", dispute_id, transaction_id, reason, world.now)
    credited = paid["amount_cents"] if paid["amount_cents"] <= PROVISIONAL_CENTS else 0
    if credited:
        _make_good(world, paid, "dispute_credit")
    card = _card(world, paid["card_id"])
    if reason == "not_recognised" and CARDS.allows(card["status"], "frozen"):
        card = _set_card(world, paid["card_id"], "frozen")
    return {"dispute_id": dispute_id, "status": "open", "credited_cents": credited, "card_status": card["status"]}


@env.tool(
    writes=["transactions", "accounts"],
    candidates=f"""
        SELECT transaction_id {FEES} >= '2026-03-20'
        AND transaction_id NOT IN (SELECT reverses FROM transactions WHERE reverses IS NOT NULL)
        AND account_id IN (
            SELECT account_id FROM accounts JOIN fee_refunds USING (customer_id) WHERE given_back < allowed
        )
        ORDER BY 1
    """,
    refused={
        "fee-refunds": f"""
            SELECT transaction_id {FEES} >= '2026-03-20'
            AND transaction_id NOT IN (SELECT reverses FROM transactions WHERE reverses IS NOT NULL)
            AND account_id IN (
                SELECT account_id FROM accounts JOIN fee_refunds USING (customer_id) WHERE given_back >= allowed
            )
        """,
        "fee-age": f"""
            SELECT transaction_id {FEES} < '2026-03-15'
            AND transaction_id NOT IN (SELECT reverses FROM transactions WHERE reverses IS NOT NULL)
        """,
        "given-back": "SELECT reverses AS transaction_id FROM transactions WHERE kind = 'fee_refund'",
        "no-fee": "SELECT transaction_id FROM transactions WHERE kind IN ('transfer', 'card_payment')",
        "not_found": "SELECT '000000000' AS transaction_id",
    },
)
def refund_fee(world: World, transaction_id: TransactionId) -> Refunded:
    """Give a fee of the bank back to the account that paid it."""
    fee = _transaction(world, transaction_id)
    if fee["kind"] != "fee":
        raise ToolError("invalid", f"It is a {fee['kind']}, not a fee.", field="transaction_id", reason="no-fee")
    if world.one("SELECT 1 FROM transactions WHERE reverses = ?", transaction_id):
        raise ToolError("conflict", "The fee was given back.", field="transaction_id", reason="given-back")
    days = days_between(fee["booked_at"], world.now)
    if days > FEE_DAYS:
        message = f"It was charged {days} days ago; at most {FEE_DAYS} are allowed."
        raise ToolError("forbidden", message, field="transaction_id", reason="fee-age")
    given = world.one("SELECT given_back, allowed FROM fee_refunds WHERE customer_id = ?", fee["customer_id"])
    if given["given_back"] >= given["allowed"]:
        message = f"The customer got {given['given_back']} back in a year; the plan allows {given['allowed']}."
        raise ToolError("limit", message, field="transaction_id", reason="fee-refunds")
    _make_good(world, fee, "fee_refund")
    balance = _account(world, fee["account_id"], "transaction_id")["balance_cents"]
    return {"transaction_id": transaction_id, "refunded_cents": fee["amount_cents"], "balance_cents": balance}


# ---------------------------------------------------------------- customers, accounts and what belongs to them


def _customer(world: World, customer_id: str, field: str = "customer_id") -> Customer:
    customer = world.one("SELECT * FROM customers WHERE customer_id = ?", customer_id)
    return found(customer, f"customer with the number or address {customer_id}", field)


def _account(world: World, account_id: str, field: str) -> dict[str, Any]:
    return found(world.one("SELECT * FROM accounts WHERE account_id = ?", account_id), f"account {account_id}", field)


def _payer(world: World, account_id: str, payee_id: str) -> tuple[dict[str, Any], dict[str, Any]]:
    """An account that may pay others, and a payee of the same customer."""
    account = _account(world, account_id, "account_id")
    payee = world.one(
        "SELECT * FROM payees WHERE payee_id = ? AND customer_id = ?", payee_id, account["customer_id"]
    )  # fmt: skip
    payee = found(payee, f"payee {payee_id} of the account's customer", "payee_id")
    if account["kind"] == "savings":
        message = "A savings account pays the customer's own accounts only."
        raise ToolError("forbidden", message, field="account_id", reason="savings-out")
    return account, payee


def _transaction(world: World, transaction_id: str) -> dict[str, Any]:
    row = world.one("SELECT * FROM movements WHERE transaction_id = ?", transaction_id)
    return found(row, f"transaction {transaction_id}", "transaction_id")


def _regular_payment(world: World, order_id: str) -> RegularPayment:
    row = world.one(f"SELECT {ORDER} FROM regular_payments WHERE order_id = ?", order_id)
    return found(row, f"standing order {order_id}", "order_id")


def _card(world: World, card_id: str) -> dict[str, Any]:
    return found(world.one("SELECT * FROM wallet WHERE card_id = ?", card_id), f"card {card_id}", "card_id")


def _shown_card(world: World, card_id: str) -> Card:
    return found(world.one(f"SELECT {CARD} FROM wallet WHERE card_id = ?", card_id), f"card {card_id}", "card_id")


def _set_card(world: World, card_id: str, status: CardStatus) -> Card:
    world.run("UPDATE cards SET status = ? WHERE card_id = ?", status, card_id)
    return _shown_card(world, card_id)


# ---------------------------------------------------------------- what stands in the way of a payment


def _check_funds(account: dict[str, Any], cents: int) -> None:
    available = account["balance_cents"] + account["overdraft_cents"]
    if cents > available:
        message = f"{dollars(available)} are available, overdraft included."
        raise ToolError("conflict", message, field="amount_cents", reason="funds")


def _check_day(world: World, account_id: str, day: str, cents: int) -> None:
    """What an account sends on a day, with what is planned for it."""
    planned = world.value(
        """
        SELECT coalesce(sum(amount_cents), 0) FROM transfers
        WHERE account_id = ? AND send_on = ? AND status <> 'cancelled'
        """,
        account_id, day,
    )  # fmt: skip
    if planned + cents > DAILY_LIMIT_CENTS:
        message = f"With {dollars(planned)} already for {day}, it would be above {dollars(DAILY_LIMIT_CENTS)} a day."
        raise ToolError("limit", message, field="amount_cents", reason="daily-limit")


def _check_ahead(world: World, day: str, longest: int, field: str) -> None:
    """A day that is yet to come, but not too far away."""
    ahead = days_between(world.today, day)
    if not 1 <= ahead <= longest:
        message = f"It has to be from {later(world.today, days=1)} to {later(world.today, days=longest)}."
        raise ToolError("invalid", message, field=field, reason="dates")


def _check_banking_day(day: str) -> None:
    if weekday(day) in ("saturday", "sunday"):
        message = f"{day} is a {weekday(day).capitalize()}; payments go from Monday to Friday."
        raise ToolError("invalid", message, field="send_on", reason="banking-days")


def _check_cut_off(world: World, due: str, field: str) -> None:
    if due <= world.today:
        raise ToolError("forbidden", "It is due today.", field=field, reason="cut-off")


def _withdrawals(world: World, account_id: str) -> int:
    """How often money was moved out of an account this month."""
    return world.value(
        """
        SELECT count(*) FROM transactions WHERE account_id = ? AND kind = 'own_transfer' AND indicator = 'debit'
        AND substr(booked_at, 1, 7) = ?
        """,
        account_id, world.today[:7],
    )  # fmt: skip


# ---------------------------------------------------------------- movements


def _book(
    world: World,
    account_id: str,
    kind: Kind,
    indicator: Literal["credit", "debit"],
    cents: int,
    counterparty: str,
    *,
    transfer_id: str | None = None,
    reverses: str | None = None,
) -> None:
    """Write a movement, and bring the balance up to date."""
    world.run(
        "INSERT INTO transactions VALUES (?, ?, ?, ?, ?, ?, ?, NULL, NULL, ?, ?)",
        world.new_code("transactions.transaction_id", 9), account_id, world.now, kind, indicator, cents, counterparty,
        transfer_id, reverses,
    )  # fmt: skip
    change = cents if indicator == "credit" else -cents
    world.run("UPDATE accounts SET balance_cents = balance_cents + ? WHERE account_id = ?", change, account_id)


def _make_good(world: World, moved: dict[str, Any], kind: Kind) -> None:
    """Credit what an earlier movement took."""
    cents, other, reverses = moved["amount_cents"], moved["counterparty"], moved["transaction_id"]
    _book(world, moved["account_id"], kind, "credit", cents, other, reverses=reverses)


def _sent(world: World, transfer_id: str) -> Sent:
    return world.one(
        """
        SELECT transfer_id, status, send_on, balance_cents FROM transfers JOIN accounts USING (account_id)
        WHERE transfer_id = ?
        """,
        transfer_id,
    )  # fmt: skip


if __name__ == "__main__":
    env.serve()
