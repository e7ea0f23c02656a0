-- Each query must return no row.

-- name: modifier-groups-updated-after-created
SELECT id FROM modifier_groups WHERE updated_at < created_at;

-- name: modifier-groups-name-not-empty
SELECT id FROM modifier_groups WHERE name = '';

-- name: modifiers-updated-after-created
SELECT id FROM modifiers WHERE updated_at < created_at;

-- name: modifiers-name-not-empty
SELECT id FROM modifiers WHERE name = '';

-- name: tenders-updated-after-created
SELECT id FROM tenders WHERE updated_at < created_at;

-- name: tenders-label-not-empty
SELECT id FROM tenders WHERE label = '';

-- name: locations-updated-after-created
SELECT id FROM locations WHERE updated_at < created_at;

-- name: locations-name-not-empty
SELECT id FROM locations WHERE name = '';

-- name: merchants-updated-after-created
SELECT id FROM merchants WHERE updated_at < created_at;

-- name: merchants-name-not-empty
SELECT id FROM merchants WHERE name = '';

-- name: orders-updated-after-created
SELECT id FROM orders WHERE updated_at < created_at;

-- name: payments-updated-after-created
SELECT id FROM payments WHERE updated_at < created_at;
