-- Each query must return no row.

-- name: collections-updated-after-created
SELECT id FROM collections WHERE updated_at < created_at;

-- name: tickets-updated-after-created
SELECT id FROM tickets WHERE updated_at < created_at;

-- name: tickets-subject-not-empty
SELECT id FROM tickets WHERE subject = '';

-- name: comments-updated-after-created
SELECT id FROM comments WHERE updated_at < created_at;
