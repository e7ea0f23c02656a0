"""Publishes what others know of the bank: payments that are scheduled, fees, and disputes.

Card payments are not published again: they are other environments' events. So nothing here names a card.

Run from the root of the checkout, after the data: `python -m generated_servers.banking.authoring.events`.
"""

from __future__ import annotations

from pathlib import Path

from generated_servers.universe import events
from generated_servers.universe.clock import Row
from generated_servers.universe.files import read_jsonl, universe

DATA = Path(__file__).resolve().parents[1] / "data"
COMPANY = "Harbourgate Bank"


def published() -> list[Row]:
    """A `payment_scheduled` for what waits, a `fee` or `fee_refund` for each, a `dispute_opened` for each case."""
    tables = {path.stem: read_jsonl(path) for path in sorted(DATA.glob("*.jsonl"))}
    people = {row["email"]: row["person_id"] for row in universe("people")}
    customers = {row["customer_id"]: people[row["email"]] for row in tables["customers"]}
    owner = {row["account_id"]: customers[row["customer_id"]] for row in tables["accounts"]}
    payees = {row["payee_id"]: row["name"] for row in tables["payees"]}
    moves = {row["transaction_id"]: row for row in tables["transactions"]}
    found = []
    for row in tables["transfers"]:
        if row["status"] == "scheduled":
            known = {
                "kind": "payment_scheduled",
                "at": row["created_at"],
                "starts_at": f"{row['send_on']}T16:00:00Z",
                "reference": row["transfer_id"],
                "amount_cents": row["amount_cents"],
                "summary": f"Payment to {payees[row['payee_id']]} on {row['send_on']}",
            }
            found.append(_event(f"transfer/{row['transfer_id']}", owner[row["account_id"]], known))
    for row in moves.values():
        if row["kind"] in ("fee", "fee_refund"):
            known = {
                "kind": row["kind"],
                "at": row["booked_at"],
                "reference": row["transaction_id"],
                "amount_cents": row["amount_cents"] if row["kind"] == "fee" else -row["amount_cents"],
                "summary": row["counterparty"] if row["kind"] == "fee" else f"{row['counterparty']} given back",
            }
            found.append(_event(f"transaction/{row['transaction_id']}", owner[row["account_id"]], known))
    for row in tables["disputes"]:
        paid = moves[row["transaction_id"]]
        known = {
            "kind": "dispute_opened",
            "at": row["opened_at"],
            "reference": row["dispute_id"],
            "summary": f"Card payment to {paid['counterparty']} of {paid['booked_at'][:10]} contested",
        }
        found.append(_event(f"dispute/{row['dispute_id']}", owner[paid["account_id"]], known))
    return found


def _event(key: str, person_id: str, known: Row) -> Row:
    return events.event("banking", key, person_id=person_id, company=COMPANY, **known)


if __name__ == "__main__":
    events.publish("banking", published())
