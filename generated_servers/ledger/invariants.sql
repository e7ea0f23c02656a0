-- Each query must return no row.

-- name: credit-notes-updated-after-created
SELECT id FROM credit_notes WHERE updated_at < created_at;

-- name: tax-rates-updated-after-created
SELECT id FROM tax_rates WHERE updated_at < created_at;

-- name: tax-rates-name-not-empty
SELECT id FROM tax_rates WHERE name = '';

-- name: customers-updated-after-created
SELECT id FROM customers WHERE updated_at < created_at;

-- name: customers-display-name-not-empty
SELECT id FROM customers WHERE display_name = '';

-- name: ledger-accounts-updated-after-created
SELECT id FROM ledger_accounts WHERE updated_at < created_at;

-- name: ledger-accounts-name-not-empty
SELECT id FROM ledger_accounts WHERE name = '';

-- name: bills-updated-after-created
SELECT id FROM bills WHERE updated_at < created_at;

-- name: invoices-updated-after-created
SELECT id FROM invoices WHERE updated_at < created_at;

-- name: purchase-orders-updated-after-created
SELECT id FROM purchase_orders WHERE updated_at < created_at;

-- name: suppliers-updated-after-created
SELECT id FROM suppliers WHERE updated_at < created_at;

-- name: suppliers-display-name-not-empty
SELECT id FROM suppliers WHERE display_name = '';
