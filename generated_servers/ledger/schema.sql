-- Tables of Accounting API, compiled from an API document.
-- Booleans are 0 or 1, lists and objects are JSON, times are UTC as 2026-05-14T09:00:00Z.

-- Credit notes.
CREATE TABLE credit_notes (
    id TEXT PRIMARY KEY NOT NULL,  -- Unique identifier representing the entity; compare: generated
    total_amount REAL NOT NULL,  -- Amount of transaction; compare: number(0.01)
    currency TEXT,  -- Indicates the associated currency for an amount of money
    status TEXT CHECK (status IN ('draft', 'authorised', 'paid', 'voided', 'deleted')),  -- Status of credit notes
    type TEXT CHECK (type IN ('accounts_receivable_credit', 'accounts_payable_credit')),  -- Type of payment
    account_code TEXT,  -- The code assigned to the account
    account_nominal_code TEXT,  -- The nominal code of the account
    balance REAL,  -- The balance reflecting any payments made against the transaction; compare: number(0.01)
    currency_rate REAL,  -- Currency Exchange Rate at the time entity was recorded/generated; compare: number(0.01)
    date_issued TEXT,  -- Date credit note issued - YYYY:MM::DDThh:mm:ss.sTZD
    date_paid TEXT,  -- Date credit note paid - YYYY:MM::DDThh:mm:ss.sTZD
    number TEXT,  -- Credit note number
    reference TEXT,  -- Optional reference message ie: Debit remittance detail
    remaining_credit REAL,  -- Indicates the total credit amount still available to apply towards the payment; compare: number(0.01)
    sub_total REAL,  -- Sub-total amount, normally before tax; compare: number(0.01)
    tax_code TEXT,  -- Applicable tax id/code override if tax is not supplied on a line item basis
    tax_inclusive INTEGER CHECK (tax_inclusive IN (0, 1)),  -- Amounts are including tax
    terms TEXT,  -- Optional terms to be associated with the credit note
    total_tax REAL,  -- Total tax amount applied to this invoice; compare: number(0.01)
    note TEXT,  -- Optional note to be associated with the credit note; compare: text(ignored)
    allocations TEXT CHECK (allocations IS NULL OR json_valid(allocations)),
    customer TEXT CHECK (customer IS NULL OR json_valid(customer)),  -- The customer this entity is linked to
    line_items TEXT CHECK (line_items IS NULL OR json_valid(line_items)),
    created_at TEXT,  -- The date and time when the object was created
    updated_at TEXT  -- The date and time when the object was last updated
) STRICT;

-- Tax rates.
CREATE TABLE tax_rates (
    id TEXT PRIMARY KEY NOT NULL,  -- ID assigned to identify this tax rate; compare: generated
    name TEXT NOT NULL,  -- Name assigned to identify this tax rate
    original_tax_rate_id TEXT REFERENCES tax_rates (id),  -- ID of the original tax rate from which the new tax rate is derived
    status TEXT CHECK (status IN ('active', 'inactive', 'archived')),  -- Tax rate status
    code TEXT,  -- Tax code assigned to identify this tax rate
    effective_tax_rate REAL,  -- Effective tax rate; compare: number(0.01)
    report_tax_type TEXT,  -- Report Tax type to aggregate tax collected or paid for reporting purposes
    total_tax_rate REAL,  -- Not compounded sum of the components of a tax rate; compare: number(0.01)
    type TEXT,  -- Tax type used to indicate the source of tax collected or paid
    description TEXT,  -- Description of tax rate; compare: text(ignored)
    components TEXT CHECK (components IS NULL OR json_valid(components)),
    created_at TEXT,  -- The date and time when the object was created
    updated_at TEXT  -- The date and time when the object was last updated
) STRICT;

-- Customers.
CREATE TABLE customers (
    id TEXT PRIMARY KEY NOT NULL,  -- A unique identifier for an object; compare: generated
    display_name TEXT NOT NULL,  -- Display name
    title TEXT,  -- The job title of the person
    parent_id TEXT REFERENCES customers (id),  -- The parent ID of the customer this entity is linked to
    tax_rate_id TEXT REFERENCES tax_rates (id),  -- The ID of the object
    currency TEXT,  -- Indicates the associated currency for an amount of money
    status TEXT CHECK (status IN ('active', 'inactive', 'archived', 'gdpr-erasure-request', 'unknown')),  -- Customer status
    account_code TEXT,  -- The code assigned to the account
    account_nominal_code TEXT,  -- The nominal code of the account
    channel TEXT,  -- The channel through which the transaction is processed
    company_name TEXT,  -- The name of the company
    first_name TEXT,  -- The first name of the person
    individual INTEGER CHECK (individual IN (0, 1)),  -- Is this an individual or business customer
    last_name TEXT,  -- The last name of the person
    middle_name TEXT,  -- Middle name of the person
    payment_method TEXT,  -- Payment method used for the transaction, such as cash, credit card, bank transfer, or check
    project INTEGER CHECK (project IN (0, 1)),  -- If true, indicates this is a Project
    suffix TEXT,  -- Suffix
    tax_number TEXT,  -- Tax number
    tax_rate_rate REAL,  -- Rate of the tax rate; compare: number(0.01)
    notes TEXT,  -- Some notes about this customer; compare: text(ignored)
    emails TEXT CHECK (emails IS NULL OR json_valid(emails)),
    phone_numbers TEXT CHECK (phone_numbers IS NULL OR json_valid(phone_numbers)),
    created_at TEXT,  -- The date and time when the object was created
    updated_at TEXT  -- The date and time when the object was last updated
) STRICT;

-- Ledger accounts.
CREATE TABLE ledger_accounts (
    id TEXT PRIMARY KEY NOT NULL,  -- A unique identifier for an object; compare: generated
    name TEXT NOT NULL,  -- The name of the account
    tax_rate_id TEXT REFERENCES tax_rates (id),  -- The ID of the object
    classification TEXT CHECK (classification IN ('asset', 'equity', 'expense', 'liability', 'revenue', 'income', 'other_income', 'other_expense', 'costs_of_sales')),  -- The classification of account
    currency TEXT,  -- Indicates the associated currency for an amount of money
    status TEXT CHECK (status IN ('active', 'inactive', 'archived')),  -- The status of the account
    type TEXT,  -- The type of account
    active INTEGER CHECK (active IN (0, 1)),  -- Whether the account is active or not
    code TEXT,  -- The code assigned to the account
    current_balance REAL,  -- The current balance of the account; compare: number(0.01)
    fully_qualified_name TEXT,  -- The fully qualified name of the account
    header INTEGER CHECK (header IN (0, 1)),  -- Whether the account is a header or not
    last_reconciliation_date TEXT,  -- Reconciliation Date means the last calendar day of each Reconciliation Period
    level REAL,  -- compare: number(0.01)
    opening_balance REAL,  -- The opening balance of the account; compare: number(0.01)
    parent_account_name TEXT,  -- The name of the parent account
    sub_account INTEGER CHECK (sub_account IN (0, 1)),  -- Whether the account is a sub account or not
    sub_type TEXT,  -- The sub type of account
    tax_rate_rate REAL,  -- Rate of the tax rate; compare: number(0.01)
    tax_type TEXT,  -- The tax type of the account
    description TEXT,  -- The description of the account; compare: text(ignored)
    bank_account TEXT CHECK (bank_account IS NULL OR json_valid(bank_account)),
    created_at TEXT,  -- The date and time when the object was created
    updated_at TEXT  -- The date and time when the object was last updated
) STRICT;

-- Bills.
CREATE TABLE bills (
    id TEXT PRIMARY KEY NOT NULL,  -- A unique identifier for an object; compare: generated
    status TEXT NOT NULL CHECK (status IN ('draft', 'submitted', 'authorised', 'partially_paid', 'paid', 'void', 'credit', 'deleted')),  -- Invoice status
    ledger_account_id TEXT REFERENCES ledger_accounts (id),  -- The unique identifier for the account
    currency TEXT,  -- Indicates the associated currency for an amount of money
    accounting_by_row INTEGER CHECK (accounting_by_row IN (0, 1)),  -- Indicates if accounting by row is used (true) or not (false)
    balance REAL,  -- Balance of bill due; compare: number(0.01)
    bill_date TEXT,  -- Date bill was issued - YYYY-MM-DD
    bill_number TEXT,  -- Reference to supplier bill number
    channel TEXT,  -- The channel through which the transaction is processed
    currency_rate REAL,  -- Currency Exchange Rate at the time entity was recorded/generated; compare: number(0.01)
    deposit REAL,  -- Amount of deposit made to this bill; compare: number(0.01)
    discount_percentage REAL,  -- Discount percentage applied to this transaction; compare: number(0.01)
    due_date TEXT,  -- The due date is the date on which a payment is scheduled to be received - YYYY-MM-DD
    language TEXT,  -- language code according to ISO 639-1
    paid_date TEXT,  -- The paid date is the date on which a payment was sent to the supplier - YYYY-MM-DD
    payment_method TEXT,  -- Payment method used for the transaction, such as cash, credit card, bank transfer, or check
    po_number TEXT,  -- A PO Number uniquely identifies a purchase order and is generally defined by the buyer
    reference TEXT,  -- Optional bill reference
    sub_total REAL,  -- Sub-total amount, normally before tax; compare: number(0.01)
    tax_inclusive INTEGER CHECK (tax_inclusive IN (0, 1)),  -- Amounts are including tax
    total REAL,  -- Total amount of bill, including tax; compare: number(0.01)
    total_tax REAL,  -- Total tax amount applied to this bill; compare: number(0.01)
    notes TEXT,  -- Notes; compare: text(ignored)
    created_at TEXT,  -- The date and time when the object was created
    updated_at TEXT  -- The date and time when the object was last updated
) STRICT;

-- Invoices.
CREATE TABLE invoices (
    id TEXT PRIMARY KEY NOT NULL,  -- A unique identifier for an object; compare: generated
    status TEXT NOT NULL CHECK (status IN ('draft', 'submitted', 'authorised', 'partially_paid', 'paid', 'void', 'credit', 'deleted')),  -- Invoice status
    ledger_account_id TEXT REFERENCES ledger_accounts (id),  -- The unique identifier for the account
    currency TEXT,  -- Indicates the associated currency for an amount of money
    type TEXT CHECK (type IN ('standard', 'credit', 'service', 'product', 'supplier', 'other')),  -- Invoice type
    accounting_by_row INTEGER CHECK (accounting_by_row IN (0, 1)),  -- Indicates if accounting by row is used (true) or not (false)
    balance REAL,  -- Balance of invoice due; compare: number(0.01)
    channel TEXT,  -- The channel through which the transaction is processed
    currency_rate REAL,  -- Currency Exchange Rate at the time entity was recorded/generated; compare: number(0.01)
    customer_memo TEXT,  -- Customer memo
    deposit REAL,  -- Amount of deposit made to this invoice; compare: number(0.01)
    discount_amount REAL,  -- Discount amount applied to this invoice; compare: number(0.01)
    discount_percentage REAL,  -- Discount percentage applied to this invoice; compare: number(0.01)
    due_date TEXT,  -- The invoice due date is the date on which a payment or invoice is scheduled to be received by the seller - YYYY-MM-DD
    invoice_date TEXT,  -- Date invoice was issued - YYYY-MM-DD
    invoice_sent INTEGER CHECK (invoice_sent IN (0, 1)),  -- Invoice sent to contact/customer
    language TEXT,  -- language code according to ISO 639-1
    number TEXT,  -- Invoice number
    payment_method TEXT,  -- Payment method used for the transaction, such as cash, credit card, bank transfer, or check
    sub_total REAL,  -- Sub-total amount, normally before tax; compare: number(0.01)
    tax_inclusive INTEGER CHECK (tax_inclusive IN (0, 1)),  -- Amounts are including tax
    total REAL,  -- Total amount of invoice, including tax; compare: number(0.01)
    total_tax REAL,  -- Total tax amount applied to this invoice; compare: number(0.01)
    created_at TEXT,  -- The date and time when the object was created
    updated_at TEXT  -- The date and time when the object was last updated
) STRICT;

-- Purchase orders.
CREATE TABLE purchase_orders (
    id TEXT PRIMARY KEY NOT NULL,  -- A unique identifier for an object; compare: generated
    status TEXT NOT NULL CHECK (status IN ('draft', 'open', 'closed', 'deleted', 'billed', 'other')),  -- Purchase order status
    ledger_account_id TEXT REFERENCES ledger_accounts (id),  -- The unique identifier for the account
    currency TEXT,  -- Indicates the associated currency for an amount of money
    accounting_by_row INTEGER CHECK (accounting_by_row IN (0, 1)),  -- Indicates if accounting by row is used (true) or not (false)
    channel TEXT,  -- The channel through which the transaction is processed
    currency_rate REAL,  -- Currency Exchange Rate at the time entity was recorded/generated; compare: number(0.01)
    delivery_date TEXT,  -- The date on which the purchase order is to be delivered - YYYY-MM-DD
    discount_percentage REAL,  -- Discount percentage applied to this transaction; compare: number(0.01)
    due_date TEXT,  -- The due date is the date on which a payment is scheduled to be received - YYYY-MM-DD
    expected_arrival_date TEXT,  -- The date on which the order is expected to arrive - YYYY-MM-DD
    issued_date TEXT,  -- Date purchase order was issued - YYYY-MM-DD
    ledger_account_code TEXT,  -- The code assigned to the account
    memo TEXT,  -- Message for the supplier
    payment_method TEXT,  -- Payment method used for the transaction, such as cash, credit card, bank transfer, or check
    po_number TEXT,  -- A PO Number uniquely identifies a purchase order and is generally defined by the buyer
    reference TEXT,  -- Optional purchase order reference
    sub_total REAL,  -- Sub-total amount, normally before tax; compare: number(0.01)
    tax_code TEXT,  -- Applicable tax id/code override if tax is not supplied on a line item basis
    tax_inclusive INTEGER CHECK (tax_inclusive IN (0, 1)),  -- Amounts are including tax
    total REAL,  -- Total amount of invoice, including tax; compare: number(0.01)
    total_tax REAL,  -- Total tax amount applied to this invoice; compare: number(0.01)
    bank_account TEXT CHECK (bank_account IS NULL OR json_valid(bank_account)),
    created_at TEXT,  -- The date and time when the object was created
    updated_at TEXT  -- The date and time when the object was last updated
) STRICT;

-- Suppliers.
CREATE TABLE suppliers (
    id TEXT PRIMARY KEY NOT NULL,  -- A unique identifier for an object; compare: generated
    display_name TEXT NOT NULL,  -- Display name
    title TEXT,  -- The job title of the person
    tax_rate_id TEXT REFERENCES tax_rates (id),  -- The ID of the object
    currency TEXT,  -- Indicates the associated currency for an amount of money
    status TEXT CHECK (status IN ('active', 'inactive', 'archived', 'gdpr-erasure-request', 'unknown')),  -- Supplier status
    account_code TEXT,  -- The code assigned to the account
    account_nominal_code TEXT,  -- The nominal code of the account
    channel TEXT,  -- The channel through which the transaction is processed
    company_name TEXT,  -- The name of the company
    first_name TEXT,  -- The first name of the person
    individual INTEGER CHECK (individual IN (0, 1)),  -- Is this an individual or business supplier
    last_name TEXT,  -- The last name of the person
    middle_name TEXT,  -- Middle name of the person
    payment_method TEXT,  -- Payment method used for the transaction, such as cash, credit card, bank transfer, or check
    suffix TEXT,  -- Suffix
    tax_number TEXT,  -- Tax number
    tax_rate_rate REAL,  -- Rate of the tax rate; compare: number(0.01)
    notes TEXT,  -- Some notes about this supplier; compare: text(ignored)
    addresses TEXT CHECK (addresses IS NULL OR json_valid(addresses)),
    bank_accounts TEXT CHECK (bank_accounts IS NULL OR json_valid(bank_accounts)),
    emails TEXT CHECK (emails IS NULL OR json_valid(emails)),
    phone_numbers TEXT CHECK (phone_numbers IS NULL OR json_valid(phone_numbers)),
    created_at TEXT,  -- The date and time when the object was created
    updated_at TEXT  -- The date and time when the object was last updated
) STRICT;

CREATE INDEX tax_rates_by_original_tax_rate_id ON tax_rates (original_tax_rate_id);
CREATE INDEX customers_by_parent_id ON customers (parent_id);
CREATE INDEX customers_by_tax_rate_id ON customers (tax_rate_id);
CREATE INDEX ledger_accounts_by_tax_rate_id ON ledger_accounts (tax_rate_id);
CREATE INDEX bills_by_ledger_account_id ON bills (ledger_account_id);
CREATE INDEX invoices_by_ledger_account_id ON invoices (ledger_account_id);
CREATE INDEX purchase_orders_by_ledger_account_id ON purchase_orders (ledger_account_id);
CREATE INDEX suppliers_by_tax_rate_id ON suppliers (tax_rate_id);
