-- Tables of POS API, compiled from an API document.
-- Booleans are 0 or 1, lists and objects are JSON, times are UTC as 2026-05-14T09:00:00Z.

-- Modifier groups.
CREATE TABLE modifier_groups (
    id TEXT PRIMARY KEY NOT NULL,  -- A unique identifier for an object; compare: generated
    name TEXT NOT NULL,  -- Name
    selection_type TEXT CHECK (selection_type IN ('single', 'multiple')),  -- Indicates whether multiple options from the modifier group can be applied to a single or multiple modifiers
    alternate_name TEXT,  -- Alternate name
    maximum_allowed INTEGER,  -- Maximum allowed
    minimum_required INTEGER,  -- Minimum required
    present_at_all_locations INTEGER CHECK (present_at_all_locations IN (0, 1)),  -- Present at all locations
    created_at TEXT,  -- The date and time when the object was created
    updated_at TEXT  -- The date and time when the object was last updated
) STRICT;

-- Modifiers.
CREATE TABLE modifiers (
    id TEXT PRIMARY KEY NOT NULL,  -- A unique identifier for an object; compare: generated
    name TEXT NOT NULL,  -- Name
    modifier_group_id TEXT NOT NULL REFERENCES modifier_groups (id),  -- Modifier group ID
    currency TEXT,  -- Indicates the associated currency for an amount of money
    alternate_name TEXT,  -- Alternate name
    available INTEGER CHECK (available IN (0, 1)),  -- Available
    price_amount REAL,  -- Price amount; compare: number(0.01)
    created_at TEXT,  -- The date and time when the object was created
    updated_at TEXT  -- The date and time when the object was last updated
) STRICT;

-- Tenders.
CREATE TABLE tenders (
    id TEXT PRIMARY KEY NOT NULL,  -- A unique identifier for an object; compare: generated
    label TEXT NOT NULL,
    active INTEGER CHECK (active IN (0, 1)),  -- Is active
    allows_tipping INTEGER CHECK (allows_tipping IN (0, 1)),  -- Allow tipping on payment from tender
    editable INTEGER CHECK (editable IN (0, 1)),  -- Hidden
    hidden INTEGER CHECK (hidden IN (0, 1)),  -- Hidden
    key TEXT,
    opens_cash_drawer INTEGER CHECK (opens_cash_drawer IN (0, 1)),  -- If this tender opens the cash drawer
    created_at TEXT,  -- The date and time when the object was created
    updated_at TEXT  -- The date and time when the object was last updated
) STRICT;

-- Locations.
CREATE TABLE locations (
    id TEXT PRIMARY KEY NOT NULL,  -- A unique identifier for an object; compare: generated
    name TEXT NOT NULL,  -- The name of the location
    merchant_id TEXT REFERENCES merchants (id),
    currency TEXT,  -- Indicates the associated currency for an amount of money
    status TEXT CHECK (status IN ('active', 'inactive', 'other')),  -- Status of this location
    business_name TEXT,  -- The business name of the location
    address TEXT CHECK (address IS NULL OR json_valid(address)),
    created_at TEXT,  -- The date and time when the object was created
    updated_at TEXT  -- The date and time when the object was last updated
) STRICT;

-- Merchants.
CREATE TABLE merchants (
    id TEXT PRIMARY KEY NOT NULL,  -- A unique identifier for an object; compare: generated
    name TEXT NOT NULL,  -- The name of the merchant
    main_location_id TEXT REFERENCES locations (id),  -- The main location ID of the merchant
    currency TEXT,  -- Indicates the associated currency for an amount of money
    status TEXT CHECK (status IN ('active', 'inactive', 'other')),  -- Status of this merchant
    language TEXT,  -- language code according to ISO 639-1
    address TEXT CHECK (address IS NULL OR json_valid(address)),
    service_charges TEXT CHECK (service_charges IS NULL OR json_valid(service_charges)),
    created_at TEXT,  -- The date and time when the object was created
    updated_at TEXT  -- The date and time when the object was last updated
) STRICT;

-- Orders.
CREATE TABLE orders (
    id TEXT PRIMARY KEY NOT NULL,  -- A unique identifier for an object; compare: generated
    title TEXT,  -- Title
    location_id TEXT NOT NULL REFERENCES locations (id),
    merchant_id TEXT NOT NULL REFERENCES merchants (id),
    currency TEXT,  -- Indicates the associated currency for an amount of money
    payment_status TEXT CHECK (payment_status IN ('open', 'paid', 'refunded', 'credited', 'partially_paid', 'partially_refunded', 'unknown')),  -- Is this order paid or not?
    status TEXT CHECK (status IN ('open', 'draft', 'delivered', 'delayed', 'voided', 'completed', 'hidden')),  -- Order status
    closed_date TEXT,
    order_date TEXT,
    order_number TEXT,
    refunded INTEGER CHECK (refunded IN (0, 1)),
    seat TEXT,
    "table" TEXT,
    total_amount INTEGER,  -- Total amount (in cents)
    total_discount INTEGER,  -- Total discount (in cents)
    total_refund INTEGER,  -- Total refund (in cents)
    total_service_charge INTEGER,  -- Total service charge (in cents)
    total_tax INTEGER,  -- Total tax (in cents)
    total_tip INTEGER,  -- Total tax (in cents)
    version TEXT,  -- Version
    voided INTEGER CHECK (voided IN (0, 1)),
    note TEXT,  -- A note with information about this order, may be printed on the order receipt and displayed in apps; compare: text(ignored)
    created_at TEXT,  -- The date and time when the object was created
    updated_at TEXT  -- The date and time when the object was last updated
) STRICT;

-- Payments.
CREATE TABLE payments (
    id TEXT PRIMARY KEY NOT NULL,  -- A unique identifier for an object; compare: generated
    amount REAL NOT NULL,  -- Amount (in cents); compare: number(0.01)
    currency TEXT NOT NULL,  -- Indicates the associated currency for an amount of money
    order_id TEXT NOT NULL REFERENCES orders (id),
    tender_id TEXT NOT NULL REFERENCES tenders (id),
    location_id TEXT REFERENCES locations (id),
    merchant_id TEXT REFERENCES merchants (id),
    external_details_type TEXT CHECK (external_details_type IN ('check', 'bank_transfer', 'other_gift_card', 'crypto', 'square_cash', 'social', 'external', 'emoney', 'card', 'stored_balance', 'food_voucher', 'other')),  -- The type of external payment the seller received
    source TEXT CHECK (source IN ('card', 'bank_account', 'wallet', 'bnpl', 'cash', 'external', 'other')),  -- Source of this payment
    status TEXT CHECK (status IN ('approved', 'pending', 'completed', 'canceled', 'failed', 'other')),  -- Status of this payment
    wallet_status TEXT CHECK (wallet_status IN ('authorized', 'captured', 'voided', 'failed', 'other')),  -- The status of the wallet payment
    app_fee REAL,  -- The amount the developer is taking as a fee for facilitating the payment on behalf of the seller; compare: number(0.01)
    approved REAL,  -- The initial amount of money approved for this payment; compare: number(0.01)
    change_back_cash_amount REAL,  -- Change back cash amount (in cents); compare: number(0.01)
    external_details_source TEXT,  -- A description of the external payment source
    external_details_source_fee_amount REAL,  -- The fees paid to the source; compare: number(0.01)
    refunded REAL,  -- The initial amount of money approved for this payment; compare: number(0.01)
    tax REAL,  -- Tax amount (in cents); compare: number(0.01)
    tip REAL,  -- Tip amount (in cents); compare: number(0.01)
    total REAL,  -- Total amount (in cents); compare: number(0.01)
    bank_account TEXT CHECK (bank_account IS NULL OR json_valid(bank_account)),  -- Card details for this payment
    processing_fees TEXT CHECK (processing_fees IS NULL OR json_valid(processing_fees)),
    service_charges TEXT CHECK (service_charges IS NULL OR json_valid(service_charges)),  -- Optional service charges or gratuity tip applied to the order
    created_at TEXT,  -- The date and time when the object was created
    updated_at TEXT  -- The date and time when the object was last updated
) STRICT;

CREATE INDEX modifiers_by_modifier_group_id ON modifiers (modifier_group_id);
CREATE INDEX locations_by_merchant_id ON locations (merchant_id);
CREATE INDEX merchants_by_main_location_id ON merchants (main_location_id);
CREATE INDEX orders_by_location_id ON orders (location_id);
CREATE INDEX orders_by_merchant_id ON orders (merchant_id);
CREATE INDEX payments_by_order_id ON payments (order_id);
CREATE INDEX payments_by_tender_id ON payments (tender_id);
CREATE INDEX payments_by_location_id ON payments (location_id);
CREATE INDEX payments_by_merchant_id ON payments (merchant_id);
