-- Each query must return no row.

-- name: properties-name-not-empty
SELECT name FROM properties WHERE name = '';

-- name: loggers-name-not-empty
SELECT name FROM loggers WHERE name = '';

-- name: groups-updated-after-created
SELECT id FROM groups WHERE modified_on < created_on;

-- name: artifacts-updated-after-created
SELECT id FROM artifacts WHERE modified_on < created_on;

-- name: version-metas-name-not-empty
SELECT version_id FROM version_metas WHERE name = '';
