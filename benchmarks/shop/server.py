"""Tools of the measured shop: reads of one to three statements, writes of two to five."""

# ruff: noqa: D417 - the first argument of every tool is the world it acts on
from typing import Annotated, Any, Literal, TypeAlias

from pydantic import Field
from typing_extensions import TypedDict

from envfactory_gym import Environment, Ref, ToolError, World

env = Environment(__file__)

CustomerId = Annotated[str, Ref("customers.customer_id")]
OrderId = Annotated[str, Ref("orders.order_id")]
Sku = Annotated[str, Ref("variants.sku")]
Quantity = Annotated[int, Field(ge=1, le=1_000_000)]
Postcode = Annotated[str, Field(pattern=r"^[0-9]{5}$")]
CancelReason = Literal["mistake", "too_late", "cheaper_elsewhere"]

# A row as the database gives it; a packaged environment would name its columns.
Row: TypeAlias = dict[str, Any]


class Basket(TypedDict):
    """One thing to buy."""

    sku: Sku
    quantity: Quantity


class Placed(TypedDict):
    """A new order."""

    order_id: OrderId
    total_cents: int


class Changed(TypedDict):
    """An order after a change."""

    order_id: OrderId
    postcode: str


class Added(TypedDict):
    """A new line of an order."""

    line_id: int
    total_cents: int


class Refunded(TypedDict):
    """A cancelled order."""

    order_id: OrderId
    refund_cents: int


class Removed(TypedDict):
    """How many orders were removed."""

    removed: int


@env.tool()
def get_customer(world: World, customer_id: CustomerId) -> Row:
    """Look up a customer and their orders.

    Args:
        customer_id: Customer number.
    """
    customer = world.one(
        "SELECT customer_id, name, email, city, postcode, tier FROM customers WHERE customer_id = ?", customer_id
    )
    if customer is None:
        raise ToolError("not_found", f"No customer {customer_id}.", field="customer_id")
    customer["orders"] = world.all(
        "SELECT order_id, status, total_cents FROM orders WHERE customer_id = ? ORDER BY order_id", customer_id
    )
    return customer


@env.tool()
def get_order(world: World, order_id: OrderId) -> Row:
    """Look up an order with its lines and payments.

    Args:
        order_id: Order number.
    """
    order = world.one(
        "SELECT order_id, customer_id, status, placed_at, postcode, total_cents FROM orders WHERE order_id = ?",
        order_id,
    )
    if order is None:
        raise ToolError("not_found", f"No order {order_id}.", field="order_id")
    order["lines"] = world.all(
        "SELECT line_id, sku, quantity, price_cents FROM order_lines WHERE order_id = ? ORDER BY line_id", order_id
    )
    order["payments"] = world.all(
        "SELECT payment_id, kind, amount_cents FROM payments WHERE order_id = ? ORDER BY payment_id", order_id
    )
    return order


@env.tool()
def list_variants(world: World, product_id: Annotated[int, Ref("products.product_id")]) -> list[Row]:
    """List what there is of a product.

    Args:
        product_id: Number of the product.
    """
    return world.all(
        "SELECT sku, colour, size, price_cents, stock FROM variants WHERE product_id = ? ORDER BY sku", product_id
    )


@env.tool(writes=["orders"], idempotent=True)
def change_postcode(world: World, order_id: OrderId, postcode: Postcode) -> Changed:
    """Send a pending order elsewhere.

    Args:
        order_id: Order number.
        postcode: Five digits.
    """
    status = world.value("SELECT status FROM orders WHERE order_id = ?", order_id)
    if status != "pending":
        raise ToolError("forbidden", "Only a pending order can be changed.", field="order_id", reason="pending-only")
    world.run("UPDATE orders SET postcode = ? WHERE order_id = ?", postcode, order_id)
    return {"order_id": order_id, "postcode": postcode}


@env.tool(writes=["orders", "order_lines", "variants"])
def place_order(world: World, customer_id: CustomerId, basket: Annotated[list[Basket], Field(min_length=1)]) -> Placed:
    """Place an order.

    Args:
        customer_id: Who buys.
        basket: What they buy.
    """
    postcode = world.value("SELECT postcode FROM customers WHERE customer_id = ?", customer_id)
    if postcode is None:
        raise ToolError("not_found", f"No customer {customer_id}.", field="customer_id")
    order_id = world.new_code("orders.order_id", 8)
    world.run("INSERT INTO orders VALUES (?, ?, 'pending', ?, ?, 0)", order_id, customer_id, world.now, postcode)
    for item in basket:
        _add(world, order_id, item["sku"], item["quantity"], "basket")
    total = world.value("SELECT total_cents FROM orders WHERE order_id = ?", order_id)
    return {"order_id": order_id, "total_cents": total}


@env.tool(writes=["orders", "order_lines", "variants"])
def add_line(world: World, order_id: OrderId, sku: Sku, quantity: Quantity) -> Added:
    """Add something to a pending order.

    Args:
        order_id: Order number.
        sku: What to add.
        quantity: Pieces.
    """
    _check_pending(world, order_id)
    line_id = _add(world, order_id, sku, quantity, "quantity")
    total = world.value("SELECT total_cents FROM orders WHERE order_id = ?", order_id)
    return {"line_id": line_id, "total_cents": total}


@env.tool(writes=["orders", "variants", "payments", "notes"], destructive=True)
def cancel_order(world: World, order_id: OrderId, reason: CancelReason) -> Refunded:
    """Cancel a pending order and refund it.

    Args:
        order_id: Order number.
        reason: Why.
    """
    total = _check_pending(world, order_id)
    world.run("UPDATE orders SET status = 'cancelled' WHERE order_id = ?", order_id)
    world.run(
        """
        UPDATE variants SET stock = stock + (
            SELECT sum(quantity) FROM order_lines WHERE order_lines.sku = variants.sku AND order_id = :order_id
        ) WHERE sku IN (SELECT sku FROM order_lines WHERE order_id = :order_id)
        """,
        order_id=order_id,
    )
    world.run(
        "INSERT INTO payments (order_id, kind, amount_cents, paid_at) VALUES (?, 'refund', ?, ?)",
        order_id, total, world.now,
    )  # fmt: skip
    world.run("INSERT INTO notes (order_id, written_at, body) VALUES (?, ?, ?)", order_id, world.now, reason)
    return {"order_id": order_id, "refund_cents": total}


@env.tool(writes=["orders", "order_lines", "payments", "parcels", "notes"], destructive=True)
def remove_order(world: World, order_id: OrderId) -> Removed:
    """Remove a pending order with all that belongs to it.

    Args:
        order_id: Order number.
    """
    _check_pending(world, order_id)
    return {"removed": world.run("DELETE FROM orders WHERE order_id = ?", order_id)}


def _check_pending(world: World, order_id: str) -> int:
    """The total of an order that may be changed."""
    order = world.one("SELECT status, total_cents FROM orders WHERE order_id = ?", order_id)
    if order is None:
        raise ToolError("not_found", f"No order {order_id}.", field="order_id")
    if order["status"] != "pending":
        raise ToolError("forbidden", "Only a pending order can be changed.", field="order_id", reason="pending-only")
    return int(order["total_cents"])


def _add(world: World, order_id: str, sku: str, quantity: int, field: str) -> int:
    """Insert a line, then take the stock: where there is too little, the call fails half way."""
    price = world.value("SELECT price_cents FROM variants WHERE sku = ?", sku)
    if price is None:
        raise ToolError("not_found", f"No variant {sku}.", field=field)
    line: int = world.value(
        "INSERT INTO order_lines (order_id, sku, quantity, price_cents) VALUES (?, ?, ?, ?) RETURNING line_id",
        order_id, sku, quantity, price,
    )  # fmt: skip
    world.run("UPDATE orders SET total_cents = total_cents + ? WHERE order_id = ?", price * quantity, order_id)
    if not world.run("UPDATE variants SET stock = stock - ? WHERE sku = ? AND stock >= ?", quantity, sku, quantity):
        raise ToolError("limit", f"There are not {quantity} of {sku}.", field=field, reason="stock")
    return line


if __name__ == "__main__":
    env.serve()
