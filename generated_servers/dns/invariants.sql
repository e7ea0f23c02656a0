-- Each query must return no row.

-- name: tsig-keys-name-not-empty
SELECT id FROM tsig_keys WHERE name = '';

-- name: zones-name-not-empty
SELECT id FROM zones WHERE name = '';
