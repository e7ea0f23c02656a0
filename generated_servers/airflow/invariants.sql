-- Each query must return no row.

-- name: pools-name-not-empty
SELECT name FROM pools WHERE name = '';

-- name: roles-name-not-empty
SELECT name FROM roles WHERE name = '';

-- name: users-username-not-empty
SELECT username FROM users WHERE username = '';
