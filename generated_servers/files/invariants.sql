-- Each query must return no row.

-- name: drive-groups-updated-after-created
SELECT id FROM drive_groups WHERE updated_at < created_at;

-- name: drive-groups-name-not-empty
SELECT id FROM drive_groups WHERE name = '';

-- name: drives-updated-after-created
SELECT id FROM drives WHERE updated_at < created_at;

-- name: drives-name-not-empty
SELECT id FROM drives WHERE name = '';

-- name: files-updated-after-created
SELECT id FROM files WHERE updated_at < created_at;

-- name: files-name-not-empty
SELECT id FROM files WHERE name = '';

-- name: folders-updated-after-created
SELECT id FROM folders WHERE updated_at < created_at;

-- name: folders-name-not-empty
SELECT id FROM folders WHERE name = '';

-- name: shared-links-updated-after-created
SELECT id FROM shared_links WHERE updated_at < created_at;

-- name: upload-sessions-name-not-empty
SELECT id FROM upload_sessions WHERE name = '';
