"""What one environment's world looks like from outside: purchases, stays, trips and refunds that others know of.

Each environment's generator publishes its own events; a bank's statement, a mailbox and a calendar are drawn
from everybody else's. So the flight in the mailbox is the flight in the airline, and a refund that a shop made
arrives at the bank, to the cent and to the minute.

An event is a row of `published/<environment>.jsonl`:

- `event_id`: the environment, a colon, and what is unique there;
- `kind`: such as `flight_booked`, `order_placed`, `stay`, `refund`;
- `at`: when it happened, or was announced; `starts_at` and `ends_at` where it takes time,
  `starts_at` alone for a moment to come;
- `person_id`: whose it is; `company`: the other side's name;
- `reference`: the code that both sides use, such as a booking code;
- `city`: where, or null;
- `amount_cents`: what the person paid, negative for what came back, in US cents, or null;
- `card`: last four digits of the card, or null where none was used;
- `summary`: a few words, such as "Copenhagen to Oslo and back".
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from generated_servers.universe.clock import Row
from generated_servers.universe.files import read_jsonl, write_jsonl

PUBLISHED = Path(__file__).resolve().parent / "published"
FIELDS = (
    "event_id",
    "kind",
    "at",
    "starts_at",
    "ends_at",
    "person_id",
    "company",
    "reference",
    "city",
    "amount_cents",
    "card",
    "summary",
)


def event(environment: str, key: str, **known: object) -> Row:
    """One event, with null for what is not said.

    Raises:
        ValueError: If a field is unknown or a required one is missing.
    """
    unknown = sorted(set(known) - set(FIELDS))
    missing = [field for field in ("kind", "at", "person_id", "company", "summary") if known.get(field) is None]
    if unknown or missing:
        raise ValueError(f"event {environment}:{key}: unknown fields {unknown}, missing fields {missing}")
    return {field: known.get(field) for field in FIELDS} | {"event_id": f"{environment}:{key}"}


def publish(environment: str, events: Iterable[Row]) -> None:
    """Write an environment's events, by time."""
    rows = sorted(events, key=lambda row: (row["at"], row["event_id"]))
    PUBLISHED.mkdir(exist_ok=True)
    write_jsonl(PUBLISHED / f"{environment}.jsonl", rows)


def of(*environments: str) -> list[Row]:
    """The events of the named environments, or of all, by time."""
    names = environments or tuple(sorted(path.stem for path in PUBLISHED.glob("*.jsonl")))
    rows = [row for name in names for row in read_jsonl(PUBLISHED / f"{name}.jsonl")]
    return sorted(rows, key=lambda row: (row["at"], row["event_id"]))
