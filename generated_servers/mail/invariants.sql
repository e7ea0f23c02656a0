-- Each query must return no row.

-- name: actions-name-not-empty
SELECT id FROM actions WHERE name = '';

-- name: triggers-name-not-empty
SELECT id FROM triggers WHERE name = '';

-- name: workflows-name-not-empty
SELECT id FROM workflows WHERE name = '';

-- name: keys-name-not-empty
SELECT id FROM keys WHERE name = '';
