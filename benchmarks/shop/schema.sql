-- Fjellsport: customers, catalogue and orders of a web shop. Money is whole cents, times are UTC.

-- People who buy.
CREATE TABLE customers (
    customer_id TEXT NOT NULL PRIMARY KEY,  -- such as C000012
    name TEXT NOT NULL,  -- given and family name
    email TEXT NOT NULL UNIQUE,  -- lower case
    city TEXT NOT NULL,  -- where parcels go by default
    postcode TEXT NOT NULL CHECK (length(postcode) = 5),  -- five digits
    tier TEXT NOT NULL CHECK (tier IN ('basic', 'silver', 'gold'))  -- loyalty tier
) STRICT;

-- What the catalogue shows.
CREATE TABLE products (
    product_id INTEGER PRIMARY KEY,  -- running number; compare: exact
    name TEXT NOT NULL,  -- as in the catalogue
    category TEXT NOT NULL,  -- shelf
    description TEXT NOT NULL  -- one paragraph
) STRICT;

-- What can be put into a basket: a product in a colour and a size.
CREATE TABLE variants (
    sku TEXT NOT NULL PRIMARY KEY,  -- such as SKU000031
    product_id INTEGER NOT NULL REFERENCES products (product_id),  -- the product
    colour TEXT NOT NULL,  -- colour
    size TEXT NOT NULL CHECK (size IN ('S', 'M', 'L', 'XL')),  -- size
    price_cents INTEGER NOT NULL CHECK (price_cents >= 0),  -- one piece
    stock INTEGER NOT NULL CHECK (stock >= 0)  -- pieces that can still be sold
) STRICT;
CREATE INDEX variants_by_product ON variants (product_id);

-- Orders of customers.
CREATE TABLE orders (
    order_id TEXT NOT NULL PRIMARY KEY,  -- such as W0000033; compare: generated
    customer_id TEXT NOT NULL REFERENCES customers (customer_id),  -- who bought
    status TEXT NOT NULL CHECK (status IN ('pending', 'shipped', 'delivered', 'cancelled')),  -- how far it has come
    placed_at TEXT NOT NULL,  -- when it was placed
    postcode TEXT NOT NULL CHECK (length(postcode) = 5),  -- where it goes
    total_cents INTEGER NOT NULL CHECK (total_cents >= 0)  -- sum of its lines
) STRICT;
CREATE INDEX orders_by_customer ON orders (customer_id);

-- What was ordered.
CREATE TABLE order_lines (
    line_id INTEGER PRIMARY KEY,  -- running number
    order_id TEXT NOT NULL REFERENCES orders (order_id) ON DELETE CASCADE,  -- the order
    sku TEXT NOT NULL REFERENCES variants (sku),  -- the variant
    quantity INTEGER NOT NULL CHECK (quantity > 0),  -- pieces
    price_cents INTEGER NOT NULL CHECK (price_cents >= 0)  -- one piece, when it was bought
) STRICT;
CREATE INDEX order_lines_by_order ON order_lines (order_id);
CREATE INDEX order_lines_by_sku ON order_lines (sku);

-- Money that moved.
CREATE TABLE payments (
    payment_id INTEGER PRIMARY KEY,  -- running number
    order_id TEXT NOT NULL REFERENCES orders (order_id) ON DELETE CASCADE,  -- what it was for
    kind TEXT NOT NULL CHECK (kind IN ('payment', 'refund')),  -- direction
    amount_cents INTEGER NOT NULL CHECK (amount_cents >= 0),  -- always positive
    paid_at TEXT NOT NULL  -- when
) STRICT;
CREATE INDEX payments_by_order ON payments (order_id);

-- Parcels.
CREATE TABLE parcels (
    order_id TEXT NOT NULL REFERENCES orders (order_id) ON DELETE CASCADE,  -- the order
    parcel INTEGER NOT NULL,  -- 1 for the first
    carrier TEXT NOT NULL,  -- who carries it
    tracking TEXT NOT NULL,  -- the carrier's code
    PRIMARY KEY (order_id, parcel)
) STRICT, WITHOUT ROWID;

-- What the desk wrote down about an order.
CREATE TABLE notes (
    note_id INTEGER PRIMARY KEY AUTOINCREMENT,  -- running number
    order_id TEXT NOT NULL REFERENCES orders (order_id) ON DELETE CASCADE,  -- the order
    written_at TEXT NOT NULL,  -- when
    body TEXT NOT NULL  -- free words; compare: text(ignored)
) STRICT;
CREATE INDEX notes_by_order ON notes (order_id);
