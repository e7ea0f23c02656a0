"""One tool call, JSON text in and out, against the bare SQL of its body on a plain connection.

The plain connection holds the same image in memory, in one open transaction, without log, guard,
savepoints or validation. The difference is what the framework costs.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any

from envfactory_gym.environment import ToolError
from envfactory_gym.world import LiveWorld, Template
from envfactory_gym.world.log import LogPlan

from .. import shop_package, shop_play
from ..clock import Figures, timed
from ..shop_rows import order_id

PER_SAMPLE = 24
"""Calls in one sample: as many as in an episode, after which the world is reset."""


def measure(folder: Path, orders: int, samples: int) -> dict[str, Any]:
    """Figures of three kinds of step, and of the parts of the two-statement one."""
    template = Template.of(shop_package.load(folder))
    world = template.acquire(shop_play.setup())
    plain = _plain(template)

    def step(name: str, **arguments: Any) -> Figures:
        text = json.dumps(arguments)
        return timed(lambda: world.call(name, text), before=world.reset, samples=samples, repeat=PER_SAMPLE)

    def bare(body: Callable[[sqlite3.Cursor], object]) -> Figures:
        return _on(plain, body, samples)

    pending, other = order_id(0), order_id(orders // 2)
    found: dict[str, Any] = {
        "write": step("change_postcode", order_id=pending, postcode="90210"),
        "write_bare": bare(lambda cursor: _change_postcode(cursor, pending, "90210")),
        "read": step("get_order", order_id=other),
        "read_bare": bare(lambda cursor: _get_order(cursor, other)),
        "refused": timed(lambda: _refused(world, pending), before=world.reset, samples=samples, repeat=PER_SAMPLE),
        "parts": _parts(template, plain, pending, samples),
    }
    for kind in ("write", "read"):
        found[f"{kind}_share"] = _less(found[kind], found[f"{kind}_bare"])
    found["parts"]["facade, guards, budget, journal: the rest"] = _less(found["write_share"], *found["parts"].values())
    plain.close()
    template.close()
    return found


def _plain(template: Template) -> sqlite3.Connection:
    """The image in memory, on a connection without any of the framework, in a transaction."""
    connection = sqlite3.connect(":memory:", isolation_level=None)
    source = sqlite3.connect(f"{template.path.as_uri()}?mode=ro&immutable=1", uri=True)
    source.backup(connection)
    source.close()
    connection.execute("BEGIN")
    return connection


def _on(connection: sqlite3.Connection, body: Callable[[sqlite3.Cursor], object], samples: int) -> Figures:
    """Figures of statements on a plain connection, rolled back after each sample."""
    cursor = connection.cursor()
    return timed(lambda: body(cursor), before=lambda: _again(connection), samples=samples, repeat=PER_SAMPLE)


def _less(whole: Figures, *parts: Figures) -> Figures:
    return {figure: whole[figure] - sum(part[figure] for part in parts) for figure in ("mean", "p50", "min")}


def _again(plain: sqlite3.Connection) -> None:
    plain.execute("ROLLBACK")
    plain.execute("BEGIN")


def _change_postcode(cursor: sqlite3.Cursor, order: str, postcode: str) -> None:
    cursor.execute("SELECT status FROM orders WHERE order_id = ?", (order,)).fetchall()
    cursor.execute("UPDATE orders SET postcode = ? WHERE order_id = ?", (postcode, order)).fetchall()


def _get_order(cursor: sqlite3.Cursor, order: str) -> None:
    for sql in (
        "SELECT order_id, customer_id, status, placed_at, postcode, total_cents FROM orders WHERE order_id = ?",
        "SELECT line_id, sku, quantity, price_cents FROM order_lines WHERE order_id = ? ORDER BY line_id",
        "SELECT payment_id, kind, amount_cents FROM payments WHERE order_id = ? ORDER BY payment_id",
    ):
        cursor.execute(sql, (order,)).fetchall()


def _refused(world: LiveWorld, order: str) -> None:
    text = f'{{"order_id": "{order}", "sku": "SKU000001", "quantity": {shop_play.FAR_TOO_MANY}}}'
    try:
        world.call("add_line", text)
    except ToolError:
        return
    raise AssertionError("the call was not refused")


def _parts(template: Template, plain: sqlite3.Connection, order: str, samples: int) -> dict[str, Figures]:
    """Parts of the two-statement step, each alone."""
    tool = template.tools["change_postcode"]
    text = json.dumps({"order_id": order, "postcode": "90210"})
    result = {"order_id": order, "postcode": "90210"}
    control = plain.cursor().execute

    def savepoint() -> None:
        control("SAVEPOINT call")
        control("RELEASE call")

    return {
        "validate the arguments": timed(lambda: tool.validate(text), samples=samples, repeat=PER_SAMPLE),
        "savepoint and release": timed(savepoint, samples=samples, repeat=PER_SAMPLE),
        "encode the result": timed(lambda: tool.encode(result), samples=samples, repeat=PER_SAMPLE),
        "log of the changed row": _log(template, plain, order, samples),
    }


def _log(template: Template, plain: sqlite3.Connection, order: str, samples: int) -> Figures:
    """The two statements with the log's triggers, less the same two without them."""
    logged = _plain(template)
    logged.execute("ROLLBACK")
    for statement in LogPlan(template.schema, logged).ddl:
        logged.execute(statement)
    logged.execute("BEGIN")
    with_log = _on(logged, lambda cursor: _change_postcode(cursor, order, "90210"), samples)
    without = _on(plain, lambda cursor: _change_postcode(cursor, order, "90210"), samples)
    logged.close()
    return _less(with_log, without)
