-- name: out-means-open-loan
SELECT item_id FROM items WHERE (status = 'out') <> (item_id IN (SELECT item_id FROM loans WHERE state = 'open'));

-- name: one-open-loan-per-item
SELECT item_id FROM loans WHERE state = 'open' GROUP BY item_id HAVING count(*) > 1;
