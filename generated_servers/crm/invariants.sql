-- Each query must return no row.

-- name: activities-end-datetime-after-start
SELECT id FROM activities WHERE end_datetime < start_datetime;

-- name: activities-updated-after-created
SELECT id FROM activities WHERE updated_at < created_at;

-- name: companies-updated-after-created
SELECT id FROM companies WHERE updated_at < created_at;

-- name: companies-name-not-empty
SELECT id FROM companies WHERE name = '';

-- name: contacts-updated-after-created
SELECT id FROM contacts WHERE updated_at < created_at;

-- name: contacts-name-not-empty
SELECT id FROM contacts WHERE name = '';

-- name: leads-updated-after-created
SELECT id FROM leads WHERE updated_at < created_at;

-- name: leads-name-not-empty
SELECT id FROM leads WHERE name = '';

-- name: notes-updated-after-created
SELECT id FROM notes WHERE updated_at < created_at;

-- name: notes-title-not-empty
SELECT id FROM notes WHERE title = '';

-- name: opportunities-updated-after-created
SELECT id FROM opportunities WHERE updated_at < created_at;

-- name: opportunities-title-not-empty
SELECT id FROM opportunities WHERE title = '';

-- name: pipelines-updated-after-created
SELECT id FROM pipelines WHERE updated_at < created_at;

-- name: pipelines-name-not-empty
SELECT id FROM pipelines WHERE name = '';

-- name: users-updated-after-created
SELECT id FROM users WHERE updated_at < created_at;
