-- Nordlight Home: customers, what the shop sells, orders with their lines and parcels, what was paid, returns and exchanges.
-- Moments are UTC ("2026-05-21T13:00:00Z"), days are UTC days, money is whole US cents.

-- People who buy. They identify themselves by customer number or e-mail address.
CREATE TABLE customers (
    customer_id TEXT NOT NULL PRIMARY KEY CHECK (customer_id GLOB 'N[0-9][0-9][0-9][0-9][0-9][0-9]'),  -- such as N204117
    first_name TEXT NOT NULL,  -- given name
    last_name TEXT NOT NULL,  -- family name; several customers share one
    email TEXT NOT NULL UNIQUE CHECK (email = lower(email) AND email LIKE '%_@_%'),  -- lower case
    phone TEXT NOT NULL CHECK (phone GLOB '+[0-9]*'),  -- + and digits, country code first
    tier TEXT NOT NULL CHECK (tier IN ('standard', 'plus'))  -- plus has free shipping, and longer to return
) STRICT;

-- Countries the shop delivers to, and what that costs.
CREATE TABLE countries (
    country TEXT NOT NULL PRIMARY KEY,  -- name
    standard_cents INTEGER NOT NULL CHECK (standard_cents > 0),  -- standard shipping of an order
    express_cents INTEGER CHECK (express_cents > standard_cents)  -- express shipping; NULL where there is none
) STRICT;

-- Where customers have things sent.
CREATE TABLE addresses (
    address_id TEXT NOT NULL PRIMARY KEY CHECK (address_id GLOB 'A[0-9][0-9][0-9][0-9][0-9][0-9]'),  -- such as A204117
    customer_id TEXT NOT NULL REFERENCES customers (customer_id),  -- whose address book it is in
    place TEXT NOT NULL CHECK (place IN ('home', 'work', 'holiday_home')),  -- what it is to the customer
    street TEXT NOT NULL,  -- street and number
    postcode TEXT NOT NULL,  -- as the country writes it
    city TEXT NOT NULL,  -- city
    country TEXT NOT NULL REFERENCES countries (country),  -- country
    UNIQUE (customer_id, place)
) STRICT;

-- What customers pay with: cards and gift cards.
CREATE TABLE methods (
    method_id TEXT NOT NULL PRIMARY KEY CHECK (method_id GLOB 'M[0-9][0-9][0-9][0-9][0-9][0-9]'),  -- such as M204117
    customer_id TEXT NOT NULL REFERENCES customers (customer_id),  -- whose it is
    kind TEXT NOT NULL CHECK (kind IN ('visa', 'mastercard', 'amex', 'gift_card')),  -- brand of a card, or a gift card
    last_four TEXT NOT NULL CHECK (last_four GLOB '[0-9][0-9][0-9][0-9]'),  -- last digits of its number
    valid_until TEXT CHECK (valid_until GLOB '[0-9][0-9][0-9][0-9]-[0-9][0-9]'),  -- last month of a card; NULL for gift cards
    balance_cents INTEGER CHECK (balance_cents >= 0),  -- what is left on a gift card; NULL for cards
    main INTEGER NOT NULL CHECK (main IN (0, 1)),  -- 1 for the card that is used unless another is named
    CHECK ((kind = 'gift_card') = (balance_cents IS NOT NULL)),
    CHECK ((kind = 'gift_card') = (valid_until IS NULL)),
    CHECK (kind <> 'gift_card' OR main = 0)
) STRICT;
CREATE UNIQUE INDEX one_main_card ON methods (customer_id) WHERE main = 1;

-- What the shop sells, without colour and size.
CREATE TABLE products (
    product_id TEXT NOT NULL PRIMARY KEY CHECK (product_id GLOB 'P[0-9][0-9][0-9]'),  -- such as P017
    name TEXT NOT NULL UNIQUE,  -- such as Odense floor lamp
    category TEXT NOT NULL CHECK (
        category IN ('lighting', 'seating', 'tables', 'storage', 'rugs', 'bedding', 'kitchen', 'decoration')
    ),  -- where the shop shows it
    return_rule TEXT NOT NULL CHECK (return_rule IN ('any', 'unopened', 'final')),  -- in which condition it is taken back
    bulk TEXT NOT NULL CHECK (bulk IN ('parcel', 'bulky'))  -- whether a parcel service takes it
) STRICT;

-- Products in one colour and size: what can be bought.
CREATE TABLE articles (
    article_id TEXT NOT NULL PRIMARY KEY CHECK (article_id GLOB 'P[0-9][0-9][0-9]-[0-9][0-9]'),  -- such as P017-03
    product_id TEXT NOT NULL REFERENCES products (product_id),  -- of which product
    colour TEXT NOT NULL,  -- such as grey
    size TEXT NOT NULL,  -- such as large; "standard size" where there is no other
    price_cents INTEGER NOT NULL CHECK (price_cents > 0),  -- today, of one piece
    stock INTEGER NOT NULL CHECK (stock >= 0),  -- pieces that can be sold
    UNIQUE (product_id, colour, size)
) STRICT;

-- Orders.
CREATE TABLE orders (
    order_id TEXT NOT NULL PRIMARY KEY CHECK (length(order_id) = 7),  -- order number, such as 4K7Q2MD; compare: generated
    customer_id TEXT NOT NULL REFERENCES customers (customer_id),  -- who ordered
    address_id TEXT NOT NULL REFERENCES addresses (address_id),  -- where it goes
    method_id TEXT NOT NULL REFERENCES methods (method_id),  -- what pays for it, and gets refunds
    status TEXT NOT NULL CHECK (
        status IN ('placed', 'paid', 'packed', 'shipped', 'delivered', 'returned', 'cancelled')
    ),  -- where it stands
    shipping TEXT NOT NULL CHECK (shipping IN ('standard', 'express')),  -- how it is sent
    shipping_cents INTEGER NOT NULL CHECK (shipping_cents >= 0),  -- what that costs; 0 where it is free
    placed_at TEXT NOT NULL,  -- when it was ordered
    delivered_at TEXT CHECK (delivered_at > placed_at),  -- when its last parcel arrived
    cancelled_at TEXT,  -- when it was cancelled
    cause TEXT CHECK (cause IN ('changed_mind', 'by_mistake', 'found_cheaper', 'too_slow')),  -- why it was cancelled
    CHECK ((status IN ('delivered', 'returned')) = (delivered_at IS NOT NULL)),
    CHECK ((status = 'cancelled') = (cancelled_at IS NOT NULL)),
    CHECK ((status = 'cancelled') = (cause IS NOT NULL))
) STRICT;
CREATE INDEX orders_by_customer ON orders (customer_id);

-- What an order is of: one line for each article.
CREATE TABLE lines (
    line_id TEXT NOT NULL PRIMARY KEY CHECK (length(line_id) = 8),  -- such as 7KQ2MD4X; compare: generated
    order_id TEXT NOT NULL REFERENCES orders (order_id),  -- the order
    article_id TEXT NOT NULL REFERENCES articles (article_id),  -- what was ordered
    quantity INTEGER NOT NULL CHECK (quantity BETWEEN 1 AND 5),  -- how many
    each_cents INTEGER NOT NULL CHECK (each_cents > 0),  -- of one piece, when it was ordered
    state TEXT NOT NULL CHECK (state IN ('bought', 'returning', 'returned', 'exchanged'))  -- whether it goes back, or went
) STRICT;
CREATE INDEX lines_by_order ON lines (order_id);

-- Parcels and deliveries on the way to customers.
CREATE TABLE parcels (
    parcel_id TEXT NOT NULL PRIMARY KEY CHECK (parcel_id GLOB 'NH[0-9][0-9][0-9][0-9][0-9][0-9][0-9][0-9]'),  -- tracking number
    order_id TEXT NOT NULL REFERENCES orders (order_id),  -- what it belongs to
    carrier TEXT NOT NULL CHECK (carrier IN ('parcel_service', 'courier', 'freight')),  -- who brings it
    dispatched_at TEXT NOT NULL,  -- when it left the warehouse
    arrived_at TEXT CHECK (arrived_at > dispatched_at)  -- when it was handed over; NULL while it is on the way
) STRICT;
CREATE INDEX parcels_by_order ON parcels (order_id);

-- Lines that customers send back.
CREATE TABLE returns (
    return_id TEXT NOT NULL PRIMARY KEY CHECK (length(return_id) = 6),  -- such as R7K2QM; compare: generated
    line_id TEXT NOT NULL REFERENCES lines (line_id),  -- what comes back
    reason TEXT NOT NULL CHECK (
        reason IN ('changed_mind', 'does_not_fit', 'not_as_shown', 'damaged', 'wrong_article')
    ),  -- why
    condition TEXT NOT NULL CHECK (condition IN ('unopened', 'opened')),  -- in which condition
    announced_at TEXT NOT NULL,  -- when the customer announced it
    status TEXT NOT NULL CHECK (status IN ('announced', 'received', 'withdrawn')),  -- how far it is
    fee_cents INTEGER NOT NULL CHECK (fee_cents >= 0),  -- what the way back costs; 0 where it is free
    refund_cents INTEGER NOT NULL CHECK (refund_cents >= 0)  -- what is paid back once it is received
) STRICT;
CREATE INDEX returns_by_line ON returns (line_id);

-- Lines that were swapped for another article after delivery.
CREATE TABLE exchanges (
    exchange_id TEXT NOT NULL PRIMARY KEY CHECK (length(exchange_id) = 6),  -- such as X7K2QM; compare: generated
    line_id TEXT NOT NULL UNIQUE REFERENCES lines (line_id),  -- what is swapped
    article_id TEXT NOT NULL REFERENCES articles (article_id),  -- what the customer gets for it
    difference_cents INTEGER NOT NULL,  -- what the customer pays for it; negative for what comes back
    arranged_at TEXT NOT NULL  -- when it was arranged
) STRICT;

-- Money that a customer paid, or got back.
CREATE TABLE payments (
    payment_id INTEGER PRIMARY KEY,  -- running number
    order_id TEXT NOT NULL REFERENCES orders (order_id),  -- which order it was about
    method_id TEXT NOT NULL REFERENCES methods (method_id),  -- what paid, or got it back
    cause TEXT NOT NULL CHECK (cause IN ('order', 'return', 'exchange')),  -- what it was for
    moved_cents INTEGER NOT NULL CHECK (moved_cents <> 0),  -- negative for a refund
    made_at TEXT NOT NULL  -- when
) STRICT;
CREATE INDEX payments_by_order ON payments (order_id);

-- Orders as customers speak of them: what is in them, where they go, what they cost and what was paid for them.
CREATE VIEW order_sheets AS
SELECT o.order_id, o.customer_id, o.status,
       (SELECT group_concat(name, ' and ') FROM (
           SELECT DISTINCT p.name FROM lines AS l JOIN articles USING (article_id) JOIN products AS p USING (product_id)
           WHERE l.order_id = o.order_id ORDER BY p.name)) AS contents,
       (SELECT sum(quantity) FROM lines AS l WHERE l.order_id = o.order_id) AS pieces,
       date(o.placed_at) AS ordered_on, date(o.delivered_at) AS delivered_on, o.shipping, o.shipping_cents,
       a.place, a.city, a.country, o.address_id, o.method_id, m.kind AS paid_with,
       (SELECT sum(quantity * each_cents) FROM lines AS l WHERE l.order_id = o.order_id) AS goods_cents,
       (SELECT sum(quantity * each_cents) FROM lines AS l WHERE l.order_id = o.order_id) + o.shipping_cents AS total_cents,
       (SELECT coalesce(sum(moved_cents), 0) FROM payments AS p
        WHERE p.order_id = o.order_id AND p.cause = 'order') AS paid_cents,
       o.placed_at, o.delivered_at, o.cancelled_at
FROM orders AS o
JOIN addresses AS a USING (address_id)
JOIN methods AS m USING (method_id);

-- What customers bought, line by line, as they speak of it.
CREATE VIEW line_sheets AS
SELECT l.line_id, l.order_id, o.customer_id, a.colour || ' ' || p.name AS name, p.name AS product, a.colour, a.size, l.quantity, l.each_cents,
       l.quantity * l.each_cents AS cost_cents, l.state, o.status AS order_status, date(o.placed_at) AS ordered_on,
       date(o.delivered_at) AS delivered_on, l.article_id, a.product_id
FROM lines AS l
JOIN orders AS o USING (order_id)
JOIN articles AS a USING (article_id)
JOIN products AS p USING (product_id);

-- What the rules say about a line: its product, its order and its customer.
CREATE VIEW terms AS
SELECT s.*, p.return_rule, p.bulk, c.tier, o.method_id
FROM line_sheets AS s
JOIN products AS p USING (product_id)
JOIN customers AS c USING (customer_id)
JOIN orders AS o USING (order_id);

-- Lines with other articles of the same product that are in stock, as examples for testing.
CREATE VIEW swaps AS
SELECT t.*, a.article_id AS new_article_id, a.stock, (a.price_cents - t.each_cents) * t.quantity AS difference_cents
FROM terms AS t
JOIN articles AS a ON a.product_id = t.product_id AND a.article_id <> t.article_id
ORDER BY t.line_id, a.article_id;
