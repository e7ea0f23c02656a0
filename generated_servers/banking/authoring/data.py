"""Draws the bank's base world from the universe and writes `data/*.jsonl`.

Customers are the people whose main card is Harbourgate's. What their cards paid and got back elsewhere is read from
the events that the other environments publish, whichever there are: to the cent, to the minute and with the other
side's reference. Around that lie salaries, rent, groceries and savings. Every draw is keyed by what it is for.

Run from the root of the checkout: `python -m generated_servers.banking.authoring.data`.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from datetime import date, timedelta
from pathlib import Path

from envfactory_gym.fields import later
from generated_servers.universe import draw, events
from generated_servers.universe.clock import NOW, Row, code, stamp
from generated_servers.universe.files import universe, write_jsonl

DATA = Path(__file__).resolve().parents[1] / "data"
TODAY = str(NOW.date())
BANK = "Harbourgate Bank"
CARRIED_OVER = "2025-10-31T22:00:00Z"
"""Before everything that an environment publishes."""

MONTHS = ("2026-03", "2026-04", "2026-05")
EARLIEST_PURCHASE, LATEST_PURCHASE = date(2026, 3, 1), date(2026, 5, 13)
SAVINGS = ("Rainy day", "Holiday", "House deposit")
OTHER_BANKS = ("Kingsway Credit", "Union of Savers")
FEES = (
    ("Overdraft fee", 2500),
    ("Returned payment fee", 1800),
    ("Card replacement fee", 1200),
    ("Paper statement fee", 500),
)
PROVISIONAL_CENTS = 25000
"""Contested payments up to this much are credited at once."""

CREDITS = ("carried_over", "card_refund", "salary", "interest", "fee_refund", "dispute_credit")


class Bank:
    """Tables as they are drawn, one customer after another."""

    def __init__(self) -> None:
        names = "customers accounts cards payees transfers standing_orders transactions disputes"
        self.tables: dict[str, list[Row]] = {name: [] for name in names.split()}
        self.people = universe("people")
        self.companies = universe("companies")
        self.jobs = {job["person_id"]: job for job in universe("jobs")}
        self.homes = {row["household"]: row for row in universe("addresses")}
        self.purchases: dict[tuple[str, str], list[Row]] = defaultdict(list)
        for row in events.of():
            if row["card"] and row["amount_cents"]:
                self.purchases[row["person_id"], row["card"]].append(row)

    def add(self, person: Row, card: Row) -> None:
        """A customer with everything that is theirs."""
        name, home = person["person_id"], self.homes[person["household"]]
        customer = {
            "customer_id": f"B{draw.number(100000, 999999, name, 'bank customer')}",
            "first_name": person["first_name"],
            "last_name": person["last_name"],
            "email": person["email"],
            "phone": person["phone"].replace(" ", ""),
            "address": f"{home['line']}, {home['postcode']} {home['city']}",
            "plan": "plus" if draw.chance(35, name, "bank plan") else "standard",
        }
        self.tables["customers"].append(customer)
        current = self._account(customer, "current", "Everyday")
        wallet = self._cards(name, current, card)
        payees = self._payees(person, customer)
        self._income(person, current)
        for event in self.purchases[name, card["last_four"]]:
            self._move(
                current,
                event["at"],
                "card_payment" if event["amount_cents"] > 0 else "card_refund",
                abs(event["amount_cents"]),
                event["company"],
                event["event_id"],
                reference=event["reference"],
                card_id=wallet[0]["card_id"],
            )
        self._purchases(person, current, wallet)
        self._standing_orders(current, payees)
        self._transfers(current, payees)
        self._fees(customer, current)
        saved = [
            self._savings(customer, current, title)
            for number, title in enumerate(SAVINGS)
            if draw.chance((75, 40, 20)[number], name, title)
        ]
        if draw.chance(35, name, "bills account"):
            bills = self._account(customer, "current", "Bills")
            for month in MONTHS:
                self._between(current, bills, f"{month}-02T06:10:00Z", draw.number(2, 8, name, "bills") * 10000)
            for month in MONTHS[:-1]:
                self._move(bills, f"{month}-21T05:00:00Z", "fee", 300, "Account fee", month)
            saved.append(bills)
        self._disputes(current, wallet)
        for account in (current, *saved):
            self._carry_over(account)

    def _account(self, customer: Row, kind: str, name: str) -> Row:
        key = (customer["email"], name, "account")
        overdraft = draw.pick((0, 25000, 50000, 100000), *key, "overdraft") if kind == "current" else 0
        opened = date(2014, 1, 6) + timedelta(days=draw.number(0, 3900, *key, "opened"))
        account = {
            "account_id": str(draw.number(20000000, 79999999, *key)),
            "customer_id": customer["customer_id"],
            "kind": kind,
            "name": name,
            "balance_cents": 0,
            "overdraft_cents": overdraft,
            "opened_on": str(opened),
        }
        self.tables["accounts"].append(account)
        return account

    def _move(
        self,
        account: Row,
        at: str,
        kind: str,
        cents: int,
        counterparty: str,
        key: object,
        indicator: str = "",
        **known: str | None,
    ) -> Row:
        """A movement on an account, which changes its balance."""
        sign = indicator or ("credit" if kind in CREDITS else "debit")
        row = {
            "transaction_id": code(9, account["account_id"], at, kind, key),
            "account_id": account["account_id"],
            "booked_at": at,
            "kind": kind,
            "indicator": sign,
            "amount_cents": cents,
            "counterparty": counterparty,
            **{name: known.get(name) for name in ("reference", "card_id", "transfer_id", "reverses")},
        }
        self.tables["transactions"].append(row)
        account["balance_cents"] += cents if sign == "credit" else -cents
        return row

    def _cards(self, name: str, account: Row, card: Row) -> list[Row]:
        """The universe's card, and for some a second one that exists in the app only."""
        kept = {key: card[key] for key in ("brand", "last_four", "valid_until")}
        wallet = [self._card(name, account, "plastic", kept)]
        if draw.chance(55, name, "virtual card"):
            until = f"{draw.number(2027, 2030, name, 'virtual')}-{draw.number(1, 12, name, 'virtual month'):02d}"
            digits = f"{draw.number(0, 9999, name, 'virtual digits'):04d}"
            wallet.append(
                self._card(name, account, "virtual", {"brand": "visa", "last_four": digits, "valid_until": until})
            )
        return wallet

    def _card(self, name: str, account: Row, kind: str, known: Row) -> Row:
        weights = [("active", 76), ("frozen", 16), ("blocked", 8 if kind == "virtual" else 4)]
        card = {
            "card_id": f"D{draw.number(100000, 999999, name, kind, 'bank card')}",
            "account_id": account["account_id"],
            "kind": kind,
            **known,
            "status": draw.weighted(weights, name, kind, "card status"),
            "limit_cents": draw.pick((50000, 100000, 150000, 200000, 300000), name, kind, "card limit"),
        }
        self.tables["cards"].append(card)
        return card

    def _payees(self, person: Row, customer: Row) -> list[Row]:
        """A landlord, friends, and companies that send bills."""
        name = person["person_id"]
        count = draw.number(2, 4, name, "friends")
        friends = [draw.pick(self.people, name, number, "payee") for number in range(count)]
        bills = [row for row in self.companies if row["industry"] in ("utilities", "insurance", "fitness", "energy")]
        who = [f"{friend['first_name']} {friend['last_name']}" for friend in friends if friend["person_id"] != name]
        who += [draw.pick(bills, name, number, "bill")["name"] for number in range(2)]
        payees = []
        for number, title in enumerate(dict.fromkeys(who)):
            new = number == 1 and draw.chance(45, name, "new payee")
            age = (
                timedelta(hours=draw.number(2, 22, name, title), minutes=7)
                if new
                else timedelta(days=draw.number(150, 900, name, title, "added"))
            )
            payees.append(
                {
                    "payee_id": code(6, name, title, "payee"),
                    "customer_id": customer["customer_id"],
                    "name": title,
                    "bank": draw.pick(OTHER_BANKS, name, title, "bank"),
                    "account_number": str(draw.number(10000000, 99999999, title, "account number")),
                    "added_at": stamp(NOW - age),
                }
            )
        self.tables["payees"] += payees
        return payees

    def _income(self, person: Row, account: Row) -> None:
        job = self.jobs.get(person["person_id"])
        if job is None:
            return
        company = next(row["name"] for row in self.companies if row["company_id"] == job["company_id"])
        pay = draw.number(2900, 7400, person["person_id"], "salary") * 100 + draw.number(0, 99, person["person_id"])
        for month in MONTHS[:-1]:
            self._move(account, f"{month}-27T07:00:00Z", "salary", pay, company, month, reference=f"Salary {month}")

    def _purchases(self, person: Row, account: Row, wallet: list[Row]) -> None:
        """Groceries, tickets, the pharmacy, and what is subscribed to."""
        name = person["person_id"]
        by_industry: dict[str, list[Row]] = defaultdict(list)
        for company in self.companies:
            by_industry[company["industry"]].append(company)
        span = (LATEST_PURCHASE - EARLIEST_PURCHASE).days
        for industry, count, low, high in (
            ("groceries", draw.number(3, 6, name, "groceries"), 1200, 14900),
            ("transport", draw.number(1, 3, name, "transport"), 300, 8900),
            ("pharmacy", draw.number(0, 2, name, "pharmacy"), 600, 6900),
        ):
            near = [row for row in by_industry[industry] if row["city"] == person["city"]]
            usual = draw.pick(near or by_industry[industry], name, industry, "usual")
            for number in range(count):
                key = (name, industry, number)
                shop = usual if draw.chance(80, *key, "usual") else draw.pick(by_industry[industry], *key, "other")
                day = EARLIEST_PURCHASE + timedelta(days=draw.number(0, span, *key, "day"))
                at = f"{day}T{draw.number(7, 20, *key):02d}:{draw.number(0, 59, *key, 'minute'):02d}:00Z"
                cents = draw.number(low, high, *key, "cents")
                paid = draw.pick(wallet, *key, "card")["card_id"]
                self._move(account, at, "card_payment", cents, shop["name"], key, card_id=paid)
        for company in (*by_industry["subscriptions"], *by_industry["fitness"]):
            if draw.chance(30, name, company["name"], "subscribes"):
                due = draw.number(1, 13, name, company["name"])
                cents = draw.pick((899, 1299, 1599, 3900), company["name"])
                member = f"{company['name'][:2].upper()}{draw.number(10000, 99999, name, company['name'], 'member')}"
                for month in MONTHS:
                    at = f"{month}-{due:02d}T03:{draw.number(10, 50, name, company['name'], month)}:00Z"
                    known = {"reference": member, "card_id": wallet[-1]["card_id"]}
                    self._move(account, at, "card_payment", cents, company["name"], company["name"], **known)

    def _standing_orders(self, account: Row, payees: list[Row]) -> None:
        for number, payee in enumerate(payees):
            key = (account["account_id"], payee["payee_id"], "order")
            if payee["added_at"] > "2026-01" or not draw.chance(70 if number == 0 else 40, *key):
                continue
            every = "weekly" if draw.chance(25, *key, "every") else "monthly"
            cents = draw.number(8, 30, *key, "cents") * (3500 if number == 0 and every == "monthly" else 250)
            first = date(2026, 4 if every == "weekly" else 3, draw.number(1, 28, *key, "day"))
            if draw.chance(18, *key, "today"):
                first = date(2026, 4, 16 if every == "weekly" else 14)
            days = list(_rhythm(first, every))
            past = [day for day in days if day < TODAY]
            ended = draw.chance(15, *key, "ended")
            for day in past[: 2 if ended else None]:
                self._move(account, f"{day}T16:00:00Z", "standing_order", cents, payee["name"], key)
            self.tables["standing_orders"].append(
                {
                    "order_id": code(7, *key),
                    "account_id": account["account_id"],
                    "payee_id": payee["payee_id"],
                    "amount_cents": cents,
                    "frequency": every,
                    "next_on": None if ended else days[len(past)],
                    "status": "ended" if ended else "active",
                }
            )

    def _transfers(self, account: Row, payees: list[Row]) -> None:
        """Payments of the last weeks, and those that wait for their day."""
        for number in range(draw.number(2, 6, account["account_id"], "transfers")):
            key = (account["account_id"], number, "transfer")
            payee = draw.pick(payees, *key, "to")
            status = draw.weighted([("sent", 42), ("scheduled", 48), ("cancelled", 10)], *key, "status")
            if payee["added_at"] > "2026-05" and status == "sent":
                continue
            ahead = 0 if draw.chance(18, *key, "today") else draw.number(1, 40, *key, "ahead")
            day = NOW.date() + timedelta(days=-draw.number(2, 80, *key, "ago") if status == "sent" else ahead)
            day = day - timedelta(days=max(0, day.weekday() - 4))
            ordered = f"{day}T09:12:00Z"
            if status != "sent":
                ordered = later(stamp(NOW), minutes=-draw.number(30, 9000, *key))
            if status != "sent" and str(day) < TODAY:
                continue
            transfer = {
                "transfer_id": code(8, *key),
                "account_id": account["account_id"],
                "payee_id": payee["payee_id"],
                "amount_cents": draw.number(20, 900, *key, "cents") * draw.pick((50, 100, 250), *key, "step"),
                "reference": draw.pick((None, "Thank you", "Dinner", "Invoice", "Birthday", "Deposit"), *key, "words"),
                "send_on": str(day),
                "status": status,
                "created_at": max(ordered, payee["added_at"]),
            }
            self.tables["transfers"].append(transfer)
            if status == "sent":
                known = {"reference": transfer["reference"], "transfer_id": transfer["transfer_id"]}
                cents = transfer["amount_cents"]
                self._move(account, transfer["created_at"], "transfer", cents, payee["name"], key, **known)

    def _fees(self, customer: Row, account: Row) -> None:
        """Fees of the last months; for some, one was given back."""
        key = (account["account_id"], "fee")
        fees = []
        for number in range(draw.weighted([(0, 25), (1, 30), (2, 25), (3, 20)], *key)):
            title, cents = draw.pick(FEES, *key, number)
            day = NOW.date() - timedelta(days=draw.number(3, 110, *key, number, "day"))
            fees.append(self._move(account, f"{day}T05:{10 + number}:00Z", "fee", cents, title, number))
        for number, fee in enumerate(fees):
            if len(fees) > 1 and draw.chance(45 if number == 0 else 12, *key, number, "given back"):
                at = min(later(fee["booked_at"], days=2, hours=6), later(stamp(NOW), days=-1))
                known = {"reverses": fee["transaction_id"]}
                self._move(account, at, "fee_refund", fee["amount_cents"], fee["counterparty"], number, **known)

    def _savings(self, customer: Row, current: Row, title: str) -> Row:
        account = self._account(customer, "savings", title)
        key = (account["account_id"], "savings")
        for month in MONTHS[:-1]:
            self._move(account, f"{month}-28T04:00:00Z", "interest", draw.number(90, 2900, *key, month), BANK, month)
            if draw.chance(55, *key, month, "saves"):
                minute = draw.number(10, 59, *key, month)
                self._between(current, account, f"{month}-28T08:{minute}:00Z", draw.number(5, 40, *key, month) * 1000)
        for number in range(draw.weighted([(0, 45), (1, 15), (2, 15), (3, 25)], *key, "withdrawals")):
            at = f"2026-05-{3 + 3 * number:02d}T10:{draw.number(10, 59, *key, number)}:00Z"
            self._between(account, current, at, draw.number(2, 25, *key, number) * 1000)
        return account

    def _between(self, source: Row, target: Row, at: str, cents: int) -> None:
        self._move(source, at, "own_transfer", cents, target["name"], target["name"], "debit")
        self._move(target, at, "own_transfer", cents, source["name"], source["name"], "credit")

    def _disputes(self, account: Row, wallet: list[Row]) -> None:
        """Contested card payments; small ones were credited at once, larger ones when the case was accepted."""
        own = [
            row
            for row in self.tables["transactions"]
            if row["account_id"] == account["account_id"] and row["kind"] == "card_payment"
        ]
        for row in own:
            key = (row["transaction_id"], "dispute")
            if not "2026-03-05" < row["booked_at"] < "2026-05-10" or not draw.chance(5, *key):
                continue
            small = row["amount_cents"] <= PROVISIONAL_CENTS
            old = row["booked_at"] < "2026-04-12"
            decided = ("accepted", "open") if small else ("accepted", "rejected")
            status = draw.pick(decided, *key, "status") if old else "open"
            reasons = ("not_recognised", "charged_twice", "wrong_amount", "not_received")
            reason = draw.pick(reasons if old else reasons[:3], *key, "reason")
            wait = 15 if reason == "not_received" else draw.number(1, 4, *key, "wait")
            opened = min(later(row["booked_at"], days=wait, minutes=37), later(stamp(NOW), minutes=-95))
            self.tables["disputes"].append(
                {
                    "dispute_id": code(6, *key),
                    "transaction_id": row["transaction_id"],
                    "reason": reason,
                    "status": status,
                    "opened_at": opened,
                }
            )
            if small or status == "accepted":
                at = opened if small else later(opened, days=12)
                known = {"reverses": row["transaction_id"]}
                self._move(account, at, "dispute_credit", row["amount_cents"], row["counterparty"], key, **known)
            if status == "open" and reason == "not_recognised":
                card = next(card for card in wallet if card["card_id"] == row["card_id"])
                card["status"] = "frozen" if card["status"] == "active" else card["status"]

    def _carry_over(self, account: Row) -> None:
        """What was in the account before, so that it never went below zero and ends with a likely balance."""
        moves = sorted(
            (row["booked_at"], row["amount_cents"] if row["indicator"] == "credit" else -row["amount_cents"])
            for row in self.tables["transactions"]
            if row["account_id"] == account["account_id"]
        )
        lowest = balance = 0
        for _, cents in moves:
            balance += cents
            lowest = min(lowest, balance)
        spare = draw.number(40, 2600 if account["kind"] == "current" else 900, account["account_id"], "spare") * 100
        self._move(account, CARRIED_OVER, "carried_over", spare - lowest, BANK, "carried over")


def _rhythm(first: date, frequency: str) -> Iterator[str]:
    """Days of a standing order, from its first one until it is beyond the present."""
    day = first
    while True:
        yield str(day)
        if str(day) >= TODAY:
            return
        following = date(day.year, day.month + 1, first.day)
        day = day + timedelta(days=7) if frequency == "weekly" else following


def tables() -> dict[str, list[Row]]:
    """Every table's rows, in the order they are written."""
    bank = Bank()
    people = {person["person_id"]: person for person in bank.people}
    for card in universe("cards"):
        if card["bank"] == BANK and card["main"]:
            bank.add(people[card["person_id"]], card)
    moves = bank.tables.pop("transactions")
    return {
        table: sorted(rows, key=lambda row: str(next(iter(row.values())))) for table, rows in bank.tables.items()
    } | {"transactions": sorted(moves, key=lambda row: (row["account_id"], row["booked_at"], row["transaction_id"]))}


if __name__ == "__main__":
    for table, rows in tables().items():
        write_jsonl(DATA / f"{table}.jsonl", rows)
