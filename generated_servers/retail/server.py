"""Nordlight Home's order desk: tools that look things up, and tools that change something.

Read it top down: what the values are, what the tools return, the tools, and the steps they share. A rule of
policy.md that a `reason` names is enforced here; the others are the agent's to keep. `candidates` and `refused` are
examples for testing: arguments that succeed, and arguments that are refused for that reason. The views order_sheets,
line_sheets and terms, which gather what the rules need to know, stand at the end of schema.sql.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field
from typing_extensions import TypedDict

from envfactory_gym import Environment, Ref, ToolError, World
from envfactory_gym.fields import Page, Paged, Phone, Transitions, days_between, found, later, paged

env = Environment(__file__)

FREE_SHIPPING_FROM_CENTS, RETURN_FEE_CENTS = 10000, 695
RETURN_DAYS = {"standard": 30, "plus": 60}
DAMAGE_DAYS, DAYS_TO_SEND = 14, 14
FAULTS = ("damaged", "wrong_article")
LINE = "line_id, name, product, size, quantity, cost_cents, each_cents, state, product_id"
OPEN = ("placed", "paid")

# Where examples for testing come from.
OPEN_ORDERS = "FROM orders WHERE status IN ('placed', 'paid')"
PACKED_ORDERS = "FROM orders WHERE status IN ('packed', 'shipped')"
IN_TIME = """
    order_status = 'delivered' AND state = 'bought'
    AND julianday(date(:now)) - julianday(delivered_on) <= iif(tier = 'plus', 60, 30)
"""
TOO_LATE = """
    order_status = 'delivered' AND state = 'bought'
    AND julianday(date(:now)) - julianday(delivered_on) > iif(tier = 'plus', 60, 30)
"""
CLOSED = "FROM terms WHERE order_status = 'delivered' AND state IN ('returning', 'returned', 'exchanged')"
OTHER_ADDRESS = """
    FROM orders AS o JOIN addresses AS a USING (address_id)
    JOIN addresses AS b ON b.customer_id = o.customer_id AND b.address_id <> o.address_id
"""
OTHER_METHOD = """
    FROM order_sheets AS o JOIN methods AS m ON m.customer_id = o.customer_id AND m.method_id <> o.method_id
"""
NEW_ORDER = """
    SELECT customer_id, article_id, 1 AS quantity, address_id, 'standard' AS shipping
    FROM customers JOIN addresses USING (customer_id) JOIN products JOIN articles USING (product_id)
"""

# ---------------------------------------------------------------- what the values are

CustomerId = Annotated[
    str, Ref("customers.customer_id"), Field(max_length=120, description='Customer number, such as "N204117".')
]
OrderId = Annotated[str, Ref("orders.order_id"), Field(max_length=40, description='Order number, such as "4K7Q2MD".')]
LineId = Annotated[str, Ref("lines.line_id"), Field(max_length=40, description='Line of an order, such as "7KQ2MD4X".')]
ArticleId = Annotated[str, Ref("articles.article_id"), Field(max_length=40, description='Article, such as "P017-03".')]
ProductId = Annotated[str, Ref("products.product_id"), Field(max_length=40, description='Product, such as "P017".')]
AddressId = Annotated[
    str, Ref("addresses.address_id"), Field(max_length=40, description="Address in the customer's address book.")
]
MethodId = Annotated[str, Ref("methods.method_id"), Field(max_length=40)]
Quantity = Annotated[int, Field(ge=1, le=50, description="Pieces.")]
Tier = Literal["standard", "plus"]
Category = Annotated[
    Literal["lighting", "seating", "tables", "storage", "rugs", "bedding", "kitchen", "decoration"],
    Field(description="Part of the range."),
]
Status = Literal["placed", "paid", "packed", "shipped", "delivered", "returned", "cancelled"]
State = Literal["bought", "returning", "returned", "exchanged"]
Shipping = Annotated[Literal["standard", "express"], Field(description="How an order is sent.")]
Cause = Annotated[
    Literal["changed_mind", "by_mistake", "found_cheaper", "too_slow"], Field(description="Why the order is cancelled.")
]
Reason = Annotated[
    Literal["changed_mind", "does_not_fit", "not_as_shown", "damaged", "wrong_article"],
    Field(description="Why it goes back."),
]
Condition = Annotated[Literal["unopened", "opened"], Field(description="In which condition it goes back.")]
Kind = Literal["visa", "mastercard", "amex", "gift_card"]

ORDERS = Transitions(
    "order",
    placed=("paid", "cancelled"),
    paid=("packed", "cancelled"),
    packed=("shipped",),
    shipped=("delivered",),
    delivered=("returned",),
    returned=(),
    cancelled=(),
)

# ---------------------------------------------------------------- what the tools return


class Customer(TypedDict):
    customer_id: CustomerId
    first_name: str
    last_name: str
    email: Annotated[str, Ref("customers.email")]
    phone: str
    tier: Tier


class Address(TypedDict):
    address_id: AddressId
    place: Literal["home", "work", "holiday_home"]
    street: str
    postcode: str
    city: str
    country: str


class Addresses(TypedDict):
    addresses: list[Address]


class Method(TypedDict):
    method_id: MethodId
    kind: Kind
    last_four: str
    valid_until: str | None
    balance_cents: int | None
    main: int


class Methods(TypedDict):
    methods: list[Method]


class Product(TypedDict):
    product_id: ProductId
    name: str
    return_rule: Literal["any", "unopened", "final"]
    bulk: Literal["parcel", "bulky"]
    from_cents: int


class Products(TypedDict):
    products: list[Product]


class Article(TypedDict):
    article_id: ArticleId
    colour: str
    size: str
    price_cents: int
    stock: int


class Articles(TypedDict):
    name: str
    articles: list[Article]


class OrderLine(TypedDict):
    line_id: LineId
    name: str
    product: str
    size: str
    quantity: int
    cost_cents: int
    each_cents: int
    state: State
    product_id: ProductId


class Purchase(OrderLine):
    order_id: OrderId
    order_status: Status
    ordered_on: str
    delivered_on: str | None


class Purchases(Paged):
    lines: list[Purchase]


class OrderHead(TypedDict):
    order_id: OrderId
    status: Status
    contents: str
    pieces: int
    ordered_on: str
    delivered_on: str | None
    city: str
    shipping: Shipping
    total_cents: int


class Orders(Paged):
    orders: list[OrderHead]


class Parcel(TypedDict):
    parcel_id: str
    carrier: Literal["parcel_service", "courier", "freight"]
    dispatched_at: str
    arrived_at: str | None


class Order(OrderHead):
    customer_id: CustomerId
    address_id: AddressId
    place: Literal["home", "work", "holiday_home"]
    country: str
    method_id: MethodId
    paid_with: Kind
    goods_cents: int
    shipping_cents: int
    paid_cents: int
    placed_at: str
    delivered_at: str | None
    cancelled_at: str | None
    lines: list[OrderLine]
    parcels: list[Parcel]


class Destination(TypedDict):
    order_id: OrderId
    address_id: AddressId


class Settled(TypedDict):
    order_id: OrderId
    total_cents: int
    charged_cents: int
    refunded_cents: int


class Return(TypedDict):
    return_id: str
    line_id: LineId
    fee_cents: int
    refund_cents: int
    send_by: str


class Kept(TypedDict):
    return_id: str
    line_id: LineId


class Exchange(TypedDict):
    exchange_id: str
    line_id: LineId
    charged_cents: int
    refunded_cents: int


# ---------------------------------------------------------------- looking things up


@env.tool(
    candidates="SELECT customer_id AS identifier FROM customers UNION ALL SELECT email FROM customers",
    refused={"not_found": "SELECT last_name AS identifier FROM customers"},
)
def find_customer(world: World, identifier: CustomerId) -> Customer:
    """Find a customer by customer number or by e-mail address.

    Args:
        identifier: Customer number such as "N204117", or the e-mail address on file.
    """
    customer_id = world.value(
        "SELECT customer_id FROM customers WHERE customer_id = ? OR email = ?", identifier.upper(), identifier.lower()
    )
    return _customer(world, customer_id or identifier, "identifier")


@env.tool(candidates="SELECT customer_id FROM customers", refused={"not_found": "SELECT 'N000000' AS customer_id"})
def list_orders(world: World, customer_id: CustomerId, page: Page = 1) -> Orders:
    """List a customer's orders, oldest first, 20 to a page."""
    _customer(world, customer_id)
    listed = """
        SELECT order_id, status, contents, pieces, ordered_on, delivered_on, city, shipping, total_cents
        FROM order_sheets WHERE customer_id = :customer_id ORDER BY placed_at, order_id
    """
    orders, paging = paged(world, listed, page, customer_id=customer_id)
    return {"orders": orders, **paging}


@env.tool(candidates="SELECT order_id FROM orders", refused={"not_found": "SELECT '0000000' AS order_id"})
def get_order(world: World, order_id: OrderId) -> Order:
    """Show an order: its lines, its parcels, where it goes, and what was paid for it, in US cents."""
    order = _order(world, order_id)
    parcels = "SELECT parcel_id, carrier, dispatched_at, arrived_at FROM parcels WHERE order_id = ? ORDER BY parcel_id"
    return {
        **order,
        "lines": world.all(f"SELECT {LINE} FROM line_sheets WHERE order_id = ? ORDER BY line_id", order_id),
        "parcels": world.all(parcels, order_id),
    }


@env.tool(candidates="SELECT customer_id FROM customers", refused={"not_found": "SELECT 'N000000' AS customer_id"})
def list_lines(world: World, customer_id: CustomerId, page: Page = 1) -> Purchases:
    """List what a customer ordered, a line for each article of each order, newest first, 20 to a page."""
    _customer(world, customer_id)
    listed = f"""
        SELECT {LINE}, order_id, order_status, ordered_on, delivered_on FROM line_sheets
        WHERE customer_id = :customer_id ORDER BY ordered_on DESC, line_id
    """
    lines, paging = paged(world, listed, page, customer_id=customer_id)
    return {"lines": lines, **paging}


@env.tool(candidates="SELECT customer_id FROM customers", refused={"not_found": "SELECT 'N000000' AS customer_id"})
def list_addresses(world: World, customer_id: CustomerId) -> Addresses:
    """List the addresses in a customer's address book."""
    _customer(world, customer_id)
    kept = "address_id, place, street, postcode, city, country"
    return {
        "addresses": world.all(f"SELECT {kept} FROM addresses WHERE customer_id = ? ORDER BY address_id", customer_id)
    }


@env.tool(candidates="SELECT customer_id FROM customers", refused={"not_found": "SELECT 'N000000' AS customer_id"})
def list_methods(world: World, customer_id: CustomerId) -> Methods:
    """List a customer's cards and gift cards; main is 1 for the card that is used unless another is named."""
    _customer(world, customer_id)
    kept = "method_id, kind, last_four, valid_until, balance_cents, main"
    return {"methods": world.all(f"SELECT {kept} FROM methods WHERE customer_id = ? ORDER BY method_id", customer_id)}


@env.tool(candidates="SELECT NULL AS category FROM products UNION ALL SELECT DISTINCT category FROM products")
def list_products(world: World, category: Category | None = None) -> Products:
    """List the range or a part of it: names, how products are taken back, and the lowest price in US cents.

    Args:
        category: Part of the range; all of it if left out.
    """
    listed = """
        SELECT product_id, name, return_rule, bulk, min(price_cents) AS from_cents
        FROM products JOIN articles USING (product_id) WHERE category = coalesce(?, category)
        GROUP BY product_id ORDER BY name
    """
    return {"products": world.all(listed, category)}


@env.tool(candidates="SELECT product_id FROM products", refused={"not_found": "SELECT 'P000' AS product_id"})
def list_articles(world: World, product_id: ProductId) -> Articles:
    """List the colours and sizes of a product, with today's price in US cents and the pieces in stock."""
    name = found(
        world.value("SELECT name FROM products WHERE product_id = ?", product_id), f"product {product_id}", "product_id"
    )
    kept = "article_id, colour, size, price_cents, stock"
    articles = world.all(f"SELECT {kept} FROM articles WHERE product_id = ? ORDER BY article_id", product_id)
    return {"name": name, "articles": articles}


# ---------------------------------------------------------------- ordering


@env.tool(
    writes=["orders", "lines", "articles", "payments", "methods"],
    confirm=["article_id", "quantity", "address_id", "shipping"],
    candidates=f"""
        {NEW_ORDER} WHERE stock > 2 AND place = 'home'
        AND (substr(customer_id, 2) + substr(article_id, 2, 3) + substr(article_id, 6)) % 83 = 7
        ORDER BY substr(customer_id, 4), article_id
    """,
    refused={
        "in-stock": f"{NEW_ORDER} WHERE stock = 0 AND place = 'home' AND substr(customer_id, 2) % 7 = 3",
        "five-each": f"""
            SELECT customer_id, article_id, 6 AS quantity, address_id, shipping
            FROM ({NEW_ORDER} WHERE stock > 6 AND place = 'home' AND substr(customer_id, 2) % 23 = 3)
        """,
        "express": f"""
            SELECT customer_id, article_id, quantity, address_id, 'express' AS shipping
            FROM ({NEW_ORDER} WHERE stock > 2 AND bulk = 'bulky' AND place = 'home' AND substr(customer_id, 2) % 23 = 5)
        """,
        "cards": f"""
            SELECT d.*, method_id FROM ({NEW_ORDER} WHERE stock > 2 AND place = 'home') AS d
            JOIN methods USING (customer_id)
            WHERE valid_until < '2026-05' AND (substr(customer_id, 2) + substr(article_id, 2, 3)) % 41 = 7
        """,
        "gift-cards": f"""
            SELECT d.*, method_id FROM ({NEW_ORDER} WHERE stock > 2 AND price_cents > 60000 AND place = 'home') AS d
            JOIN methods USING (customer_id) WHERE balance_cents < 30000
        """,
    },
)
def place_order(
    world: World,
    customer_id: CustomerId,
    article_id: ArticleId,
    quantity: Quantity,
    address_id: AddressId,
    shipping: Shipping,
    method_id: MethodId | None = None,
) -> Settled:
    """Order an article. A gift card pays at once, a card is charged when the shop has accepted the order.

    Args:
        customer_id: Customer who orders and pays.
        quantity: Pieces, at most 5.
        address_id: Where to, from the customer's address book.
        method_id: Card or gift card of the customer that pays; the main card if left out.
    """
    customer = _customer(world, customer_id)
    article = _article(world, article_id, "article_id")
    if quantity > 5:
        raise ToolError("limit", "An order has at most 5 of an article.", field="quantity", reason="five-each")
    _check_stock(article, quantity, "article_id")
    address = _address(world, customer_id, address_id)
    method = _method(world, customer_id, method_id)
    goods = quantity * article["price_cents"]
    cost = _shipping_cents(address, shipping, customer["tier"], goods, article["bulk"] == "bulky")
    order_id = world.new_code("orders.order_id", 7)
    world.run(
        "INSERT INTO orders VALUES (?, ?, ?, ?, 'placed', ?, ?, ?, NULL, NULL, NULL)",
        order_id, customer_id, address_id, method["method_id"], shipping, cost, world.now,
    )  # fmt: skip
    world.run(
        "INSERT INTO lines VALUES (?, ?, ?, ?, ?, 'bought')",
        world.new_code("lines.line_id", 8), order_id, article_id, quantity, article["price_cents"],
    )  # fmt: skip
    _move_stock(world, article_id, -quantity)
    return _pay_with(world, order_id, method)


# ---------------------------------------------------------------- until it is packed


@env.tool(
    writes=["orders", "articles", "payments", "methods"],
    destructive=True,
    confirm=["order_id"],
    candidates=f"""
        SELECT order_id, CASE unicode(order_id) % 4 WHEN 0 THEN 'changed_mind' WHEN 1 THEN 'too_slow'
            WHEN 2 THEN 'found_cheaper' ELSE 'by_mistake' END AS cause
        {OPEN_ORDERS} ORDER BY order_id
    """,
    refused={
        "until-packed": f"SELECT order_id, 'changed_mind' AS cause {PACKED_ORDERS}",
        "cancelled": "SELECT order_id, 'by_mistake' AS cause FROM orders WHERE status = 'cancelled'",
        "not_found": "SELECT '0000000' AS order_id, 'by_mistake' AS cause",
    },
)
def cancel_order(world: World, order_id: OrderId, cause: Cause) -> Settled:
    """Cancel an order that has not been packed; what was paid goes back."""
    order = _order(world, order_id)
    ORDERS.check(
        order["status"], "cancelled", "order_id", "cancelled" if order["status"] == "cancelled" else "until-packed"
    )
    for line in world.all("SELECT article_id, quantity FROM lines WHERE order_id = ? ORDER BY line_id", order_id):
        _move_stock(world, line["article_id"], line["quantity"])
    world.run(
        "UPDATE orders SET status = 'cancelled', cancelled_at = ?, cause = ? WHERE order_id = ?",
        world.now, cause, order_id,
    )  # fmt: skip
    return _settle(world, order_id, 0)


@env.tool(
    writes=["lines", "articles", "payments", "methods"],
    destructive=True,
    confirm=["line_id", "new_article_id"],
    candidates="""
        SELECT line_id, new_article_id FROM swaps JOIN methods USING (method_id)
        WHERE order_status IN ('placed', 'paid') AND stock >= quantity
        AND (balance_cents IS NULL OR balance_cents >= difference_cents OR order_status = 'placed')
    """,
    refused={
        "until-packed": """
            SELECT line_id, new_article_id FROM swaps WHERE order_status IN ('packed', 'shipped') AND stock >= quantity
        """,
        "in-stock": """
            SELECT line_id, new_article_id FROM swaps WHERE order_status IN ('placed', 'paid') AND stock < quantity
        """,
        "same-product": """
            SELECT line_id, 'P0' || (11 + (unicode(line_id) + each_cents / 10) % 20) || '-01' AS new_article_id
            FROM terms WHERE order_status IN ('placed', 'paid') AND product_id NOT BETWEEN 'P011' AND 'P030'
        """,
        "same-article": """
            SELECT line_id, article_id AS new_article_id FROM terms WHERE order_status IN ('placed', 'paid')
        """,
    },
)
def change_line(world: World, line_id: LineId, new_article_id: ArticleId) -> Settled:
    """Swap an article in an order that has not been packed for another colour or size, at today's price.

    Args:
        new_article_id: Article of the same product to send instead.
    """
    line = _line(world, line_id)
    _check_open(line["order_status"], "line_id")
    article = _other_article(world, line, new_article_id)
    world.run(
        "UPDATE lines SET article_id = ?, each_cents = ? WHERE line_id = ?",
        new_article_id, article["price_cents"], line_id,
    )  # fmt: skip
    _move_stock(world, line["article_id"], line["quantity"])
    _move_stock(world, new_article_id, -line["quantity"])
    return _settle(world, line["order_id"], _due(world, line["order_id"]))


@env.tool(
    writes=["orders"],
    destructive=True,
    idempotent=True,
    confirm=["order_id", "address_id"],
    candidates=f"""
        SELECT order_id, b.address_id {OTHER_ADDRESS}
        WHERE status IN ('placed', 'paid') AND a.country = b.country ORDER BY 1, 2
    """,
    refused={
        "until-packed": f"""
            SELECT order_id, b.address_id {OTHER_ADDRESS}
            WHERE status IN ('packed', 'shipped') AND a.country = b.country
        """,
        "same-country": f"""
            SELECT order_id, b.address_id {OTHER_ADDRESS} WHERE status IN ('placed', 'paid') AND a.country <> b.country
        """,
        "not_found": f"SELECT order_id, 'A000000' AS address_id {OPEN_ORDERS}",
    },
)
def change_address(world: World, order_id: OrderId, address_id: AddressId) -> Destination:
    """Send an order that has not been packed to another address in the same country.

    Args:
        address_id: Where to, from the customer's address book.
    """
    order = _order(world, order_id)
    _check_open(order["status"], "order_id")
    address = _address(world, order["customer_id"], address_id)
    if address["country"] != order["country"]:
        message = f"The order goes to {order['country']}, and cannot be sent to another country."
        raise ToolError("forbidden", message, field="address_id", reason="same-country")
    world.run("UPDATE orders SET address_id = ? WHERE order_id = ?", address_id, order_id)
    return {"order_id": order_id, "address_id": address_id}


@env.tool(
    writes=["orders", "payments", "methods"],
    destructive=True,
    confirm=["order_id", "shipping"],
    candidates="""
        SELECT order_id, iif(shipping = 'express', 'standard', 'express') AS shipping
        FROM order_sheets AS o JOIN countries USING (country) JOIN methods USING (method_id)
        WHERE status IN ('placed', 'paid') AND (shipping = 'express' OR express_cents IS NOT NULL)
        AND (balance_cents IS NULL OR balance_cents >= express_cents) AND NOT EXISTS (
            SELECT 1 FROM terms AS t WHERE t.order_id = o.order_id AND bulk = 'bulky') ORDER BY 1
    """,
    refused={
        "until-packed": f"SELECT order_id, 'express' AS shipping {PACKED_ORDERS}",
        "express": """
            SELECT order_id, 'express' AS shipping FROM order_sheets AS o JOIN countries USING (country)
            WHERE status IN ('placed', 'paid') AND shipping = 'standard' AND (express_cents IS NULL OR EXISTS (
                SELECT 1 FROM terms AS t WHERE t.order_id = o.order_id AND bulk = 'bulky'))
        """,
        "same-shipping": f"SELECT order_id, shipping {OPEN_ORDERS}",
    },
)
def change_shipping(world: World, order_id: OrderId, shipping: Shipping) -> Settled:
    """Send an order that has not been packed express instead, or by standard shipping, at today's cost."""
    order = _order(world, order_id)
    _check_open(order["status"], "order_id")
    if shipping == order["shipping"]:
        raise ToolError("conflict", f"It is sent by {shipping} already.", field="shipping", reason="same-shipping")
    address = _address(world, order["customer_id"], order["address_id"])
    tier = _customer(world, order["customer_id"])["tier"]
    bulky = world.value("SELECT count(*) FROM terms WHERE order_id = ? AND bulk = 'bulky'", order_id)
    cost = _shipping_cents(address, shipping, tier, order["goods_cents"], bulky > 0)
    world.run("UPDATE orders SET shipping = ?, shipping_cents = ? WHERE order_id = ?", shipping, cost, order_id)
    return _settle(world, order_id, _due(world, order_id))


@env.tool(
    writes=["orders", "payments", "methods"],
    destructive=True,
    idempotent=True,
    confirm=["order_id", "method_id"],
    candidates=f"""
        SELECT order_id, m.method_id {OTHER_METHOD} WHERE status = 'placed'
        AND iif(kind = 'gift_card', balance_cents >= total_cents, valid_until >= '2026-05') ORDER BY 1, 2
    """,
    refused={
        "payment": f"SELECT order_id, m.method_id {OTHER_METHOD} WHERE status IN ('paid', 'packed', 'shipped')",
        "cards": f"SELECT order_id, m.method_id {OTHER_METHOD} WHERE status = 'placed' AND valid_until < '2026-05'",
        "gift-cards": f"""
            SELECT order_id, m.method_id {OTHER_METHOD} WHERE status = 'placed' AND balance_cents < total_cents
        """,
        "not_found": "SELECT order_id, 'M000000' AS method_id FROM orders WHERE status = 'placed'",
    },
)
def change_method(world: World, order_id: OrderId, method_id: MethodId) -> Settled:
    """Let another card or gift card of the customer pay for an order that has not been paid; gift cards pay at once.

    Args:
        method_id: Card or gift card of the customer who ordered.
    """
    order = _order(world, order_id)
    if order["status"] != "placed":
        message = f"The order is {order['status']}; what pays for it cannot be changed."
        raise ToolError("conflict", message, field="order_id", reason="payment")
    method = _method(world, order["customer_id"], method_id)
    world.run("UPDATE orders SET method_id = ? WHERE order_id = ?", method_id, order_id)
    return _pay_with(world, order_id, method)


# ---------------------------------------------------------------- after delivery


@env.tool(
    writes=["returns", "lines"],
    confirm=["line_id", "reason", "condition"],
    candidates=f"""
        SELECT line_id, CASE unicode(line_id) % 3 WHEN 0 THEN 'changed_mind' WHEN 1 THEN 'does_not_fit'
            ELSE 'not_as_shown' END AS reason, 'unopened' AS condition
        FROM terms WHERE {IN_TIME} AND return_rule <> 'final'
        UNION ALL
        SELECT line_id, 'damaged', 'opened' FROM terms
        WHERE order_status = 'delivered' AND state = 'bought' AND delivered_on >= '2026-05-01'
        ORDER BY 2, 1
    """,
    refused={
        "return-window": f"""
            SELECT line_id, 'changed_mind' AS reason, 'unopened' AS condition FROM terms
            WHERE {TOO_LATE} AND return_rule <> 'final'
        """,
        "damage-window": """
            SELECT line_id, 'damaged' AS reason, 'opened' AS condition FROM terms
            WHERE order_status = 'delivered' AND state = 'bought' AND delivered_on BETWEEN '2026-04-01' AND '2026-04-29'
        """,
        "unopened": f"""
            SELECT line_id, 'not_as_shown' AS reason, 'opened' AS condition FROM terms
            WHERE {IN_TIME} AND return_rule = 'unopened'
        """,
        "final": f"""
            SELECT line_id, 'does_not_fit' AS reason, 'unopened' AS condition FROM terms
            WHERE {IN_TIME} AND return_rule = 'final'
        """,
        "whole-lines": f"SELECT line_id, 'changed_mind' AS reason, 'unopened' AS condition {CLOSED}",
        "not-delivered": """
            SELECT line_id, 'changed_mind' AS reason, 'unopened' AS condition FROM terms WHERE order_status = 'shipped'
        """,
    },
)
def return_line(world: World, line_id: LineId, reason: Reason, condition: Condition) -> Return:
    """Announce that a delivered article comes back, all pieces of it; it is refunded once it is received."""
    line = _delivered_line(world, line_id)
    fault = reason in FAULTS
    if fault:
        _check_window(world, line, DAMAGE_DAYS, "damage-window")
    else:
        _check_not_final(line)
        if line["return_rule"] == "unopened" and condition != "unopened":
            message = f"{line['product']} is taken back unopened only."
            raise ToolError("forbidden", message, field="condition", reason="unopened")
        _check_window(world, line, RETURN_DAYS[line["tier"]], "return-window")
    fee = 0 if fault or line["tier"] == "plus" else min(RETURN_FEE_CENTS, line["cost_cents"])
    return_id = world.new_code("returns.return_id", 6)
    refund = line["cost_cents"] - fee
    world.run(
        "INSERT INTO returns VALUES (?, ?, ?, ?, ?, 'announced', ?, ?)",
        return_id, line_id, reason, condition, world.now, fee, refund,
    )  # fmt: skip
    world.run("UPDATE lines SET state = 'returning' WHERE line_id = ?", line_id)
    send_by = later(world.now[:10], days=DAYS_TO_SEND)
    return {
        "return_id": return_id, "line_id": line_id, "fee_cents": fee, "refund_cents": refund, "send_by": send_by,
    }  # fmt: skip


@env.tool(
    writes=["returns", "lines"],
    destructive=True,
    confirm=["line_id"],
    candidates="SELECT line_id FROM lines WHERE state = 'returning' ORDER BY 1",
    refused={
        "withdraw": "SELECT line_id FROM lines WHERE state = 'returned'",
        "nothing-announced": "SELECT line_id FROM terms WHERE order_status = 'delivered' AND state = 'bought'",
    },
)
def withdraw_return(world: World, line_id: LineId) -> Kept:
    """Withdraw a return that was announced and has not been received: the customer keeps the article."""
    line = _line(world, line_id)
    if line["state"] == "returned":
        raise ToolError("conflict", "The return has been received.", field="line_id", reason="withdraw")
    if line["state"] != "returning":
        raise ToolError("conflict", "No return is announced.", field="line_id", reason="nothing-announced")
    return_id = world.value("SELECT return_id FROM returns WHERE line_id = ? AND status = 'announced'", line_id)
    world.run("UPDATE returns SET status = 'withdrawn' WHERE return_id = ?", return_id)
    world.run("UPDATE lines SET state = 'bought' WHERE line_id = ?", line_id)
    return {"return_id": return_id, "line_id": line_id}


@env.tool(
    writes=["exchanges", "lines", "articles", "payments", "methods"],
    destructive=True,
    confirm=["line_id", "new_article_id"],
    candidates=f"""
        SELECT line_id, new_article_id FROM swaps JOIN methods USING (method_id)
        WHERE {IN_TIME} AND return_rule = 'any' AND stock >= quantity
        AND (balance_cents IS NULL OR balance_cents >= difference_cents)
    """,
    refused={
        "return-window": f"""
            SELECT line_id, new_article_id FROM swaps WHERE {TOO_LATE} AND return_rule = 'any' AND stock >= quantity
        """,
        "in-stock": f"""
            SELECT line_id, new_article_id FROM swaps WHERE {IN_TIME} AND return_rule = 'any' AND stock < quantity
        """,
        "final": f"SELECT line_id, new_article_id FROM swaps WHERE {IN_TIME} AND return_rule = 'final'",
        "unopened": f"SELECT line_id, new_article_id FROM swaps WHERE {IN_TIME} AND return_rule = 'unopened'",
        "whole-lines": "SELECT line_id, new_article_id FROM swaps WHERE state IN ('returned', 'exchanged')",
        "not-delivered": "SELECT line_id, new_article_id FROM swaps WHERE order_status = 'shipped'",
    },
)
def exchange_line(world: World, line_id: LineId, new_article_id: ArticleId) -> Exchange:
    """Exchange a delivered article, all pieces of it, for another colour or size; the difference is settled at once.

    Args:
        new_article_id: Article of the same product that the customer gets.
    """
    line = _delivered_line(world, line_id)
    _check_not_final(line)
    if line["return_rule"] == "unopened":
        raise ToolError("forbidden", f"{line['product']} is not exchanged.", field="line_id", reason="unopened")
    _check_window(world, line, RETURN_DAYS[line["tier"]], "return-window")
    article = _other_article(world, line, new_article_id)
    difference = line["quantity"] * (article["price_cents"] - line["each_cents"])
    exchange_id = world.new_code("exchanges.exchange_id", 6)
    world.run(
        "INSERT INTO exchanges VALUES (?, ?, ?, ?, ?)", exchange_id, line_id, new_article_id, difference, world.now
    )
    world.run("UPDATE lines SET state = 'exchanged' WHERE line_id = ?", line_id)
    _move_stock(world, new_article_id, -line["quantity"])
    _move_money(world, line["order_id"], "exchange", difference)
    return {
        "exchange_id": exchange_id,
        "line_id": line_id,
        "charged_cents": max(0, difference),
        "refunded_cents": max(0, -difference),
    }


@env.tool(
    writes=["customers"],
    destructive=True,
    idempotent=True,
    candidates="SELECT customer_id, '+4520' || substr(customer_id, 2) AS phone FROM customers",
    refused={"not_found": "SELECT 'N000000' AS customer_id, '+4520304050' AS phone"},
)
def update_phone(world: World, customer_id: CustomerId, phone: Phone) -> Customer:
    """Change the telephone number on which carriers reach a customer.

    Args:
        phone: New number with country code, such as "+4520304050".
    """
    customer = _customer(world, customer_id)
    number = phone.replace(" ", "")
    world.run("UPDATE customers SET phone = ? WHERE customer_id = ?", number, customer_id)
    return {**customer, "phone": number}


# ---------------------------------------------------------------- customers, orders, lines and articles


def _customer(world: World, customer_id: str, field: str = "customer_id") -> Customer:
    customer = world.one("SELECT * FROM customers WHERE customer_id = ?", customer_id)
    return found(customer, f"customer with the number or address {customer_id}", field)


def _order(world: World, order_id: str) -> dict[str, Any]:
    order = world.one("SELECT * FROM order_sheets WHERE order_id = ?", order_id)
    return found(order, f"order {order_id}", "order_id")


def _line(world: World, line_id: str) -> dict[str, Any]:
    return found(world.one("SELECT * FROM terms WHERE line_id = ?", line_id), f"line {line_id}", "line_id")


def _delivered_line(world: World, line_id: str) -> dict[str, Any]:
    """A line that was delivered and has not gone back or been exchanged."""
    line = _line(world, line_id)
    if line["state"] != "bought":
        raise ToolError("conflict", f"It is {line['state']} already.", field="line_id", reason="whole-lines")
    if line["order_status"] != "delivered":
        message = f"The order is {line['order_status']}, not delivered."
        raise ToolError("conflict", message, field="line_id", reason="not-delivered")
    return line


def _article(world: World, article_id: str, field: str) -> dict[str, Any]:
    article = world.one("SELECT * FROM articles JOIN products USING (product_id) WHERE article_id = ?", article_id)
    return found(article, f"article {article_id}", field)


def _other_article(world: World, line: dict[str, Any], article_id: str) -> dict[str, Any]:
    """Another article of a line's product, if there is enough of it."""
    article = _article(world, article_id, "new_article_id")
    if article["product_id"] != line["product_id"]:
        message = f"It is not a {line['product']}."
        raise ToolError("forbidden", message, field="new_article_id", reason="same-product")
    if article_id == line["article_id"]:
        raise ToolError("conflict", "That is what it is.", field="new_article_id", reason="same-article")
    _check_stock(article, line["quantity"], "new_article_id")
    return article


def _address(world: World, customer_id: str, address_id: str) -> dict[str, Any]:
    """An address of the customer, with what shipping to its country costs."""
    address = world.one(
        "SELECT * FROM addresses JOIN countries USING (country) WHERE customer_id = ? AND address_id = ?",
        customer_id, address_id,
    )  # fmt: skip
    return found(address, f"address {address_id} of the customer", "address_id")


def _method(world: World, customer_id: str, method_id: str | None) -> dict[str, Any]:
    """The customer's card or gift card of that number, or the main card; a card must still be valid."""
    method = world.one(
        "SELECT * FROM methods WHERE customer_id = ? AND iif(? IS NULL, main, method_id = ?)",
        customer_id, method_id, method_id,
    )  # fmt: skip
    method = found(method, f"card {method_id} of the customer", "method_id")
    if method["valid_until"] is not None and method["valid_until"] < world.now[:7]:
        message = f"That card was valid until {method['valid_until']} only."
        raise ToolError("conflict", message, field="method_id", reason="cards")
    return method


# ---------------------------------------------------------------- rules and stock


def _check_open(status: str, field: str) -> None:
    if status not in OPEN:
        raise ToolError("conflict", f"The order is {status}.", field=field, reason="until-packed")


def _check_stock(article: dict[str, Any], quantity: int, field: str) -> None:
    if article["stock"] < quantity:
        message = f"There are {article['stock']} in stock."
        raise ToolError("conflict", message, field=field, reason="in-stock")


def _check_not_final(line: dict[str, Any]) -> None:
    if line["return_rule"] == "final":
        raise ToolError("forbidden", f"{line['product']} is made to measure.", field="line_id", reason="final")


def _check_window(world: World, line: dict[str, Any], days: int, rule: str) -> None:
    """What was delivered goes back for so many days after the day of delivery."""
    if days_between(line["delivered_on"], world.now) > days:
        message = f"It was delivered on {line['delivered_on']}, more than {days} days ago."
        raise ToolError("forbidden", message, field="line_id", reason=rule)


def _shipping_cents(address: dict[str, Any], shipping: str, tier: str, goods_cents: int, bulky: bool) -> int:
    """What sending goods of that value to an address costs."""
    if shipping == "standard":
        free = tier == "plus" or goods_cents >= FREE_SHIPPING_FROM_CENTS
        return 0 if free else address["standard_cents"]
    if bulky or address["express_cents"] is None:
        message = "Bulky goods are not sent express." if bulky else f"Express does not go to {address['country']}."
        raise ToolError("forbidden", message, field="shipping", reason="express")
    return address["express_cents"]


def _move_stock(world: World, article_id: str, pieces: int) -> None:
    world.run("UPDATE articles SET stock = stock + ? WHERE article_id = ?", pieces, article_id)


# ---------------------------------------------------------------- money


def _pay_with(world: World, order_id: str, method: dict[str, Any]) -> Settled:
    """Let a gift card pay an order at once; a card is charged later."""
    if method["kind"] == "gift_card":
        world.run("UPDATE orders SET status = 'paid' WHERE order_id = ?", order_id)
    return _settle(world, order_id, _due(world, order_id))


def _due(world: World, order_id: str) -> int:
    """What should have been paid for an order by now."""
    order = _order(world, order_id)
    return 0 if order["status"] == "placed" else order["total_cents"]


def _settle(world: World, order_id: str, due: int) -> Settled:
    """Charge what pays for the order, or refund to it, until what is due has been paid."""
    order = _order(world, order_id)
    missing = due - order["paid_cents"]
    _move_money(world, order_id, "order", missing)
    return {
        "order_id": order_id,
        "total_cents": order["total_cents"],
        "charged_cents": max(0, missing),
        "refunded_cents": max(0, -missing),
    }


def _move_money(world: World, order_id: str, cause: str, cents: int) -> None:
    """Take an amount from what pays for an order, or give it back where it is negative."""
    if not cents:
        return
    method = world.one("SELECT m.* FROM methods AS m JOIN orders USING (method_id) WHERE order_id = ?", order_id)
    if method["balance_cents"] is not None:
        if method["balance_cents"] < cents:
            message = f"{method['balance_cents']} US cents are left on the gift card; {cents} are due."
            raise ToolError("conflict", message, field="method_id", reason="gift-cards")
        world.run(
            "UPDATE methods SET balance_cents = balance_cents - ? WHERE method_id = ?", cents, method["method_id"]
        )
    world.run(
        "INSERT INTO payments (order_id, method_id, cause, moved_cents, made_at) VALUES (?, ?, ?, ?, ?)",
        order_id, method["method_id"], cause, cents, world.now,
    )  # fmt: skip


if __name__ == "__main__":
    env.serve()
