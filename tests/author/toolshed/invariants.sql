-- name: one-open-loan-per-tool
SELECT tool_id FROM loans WHERE returned_on IS NULL GROUP BY tool_id HAVING count(*) > 1;

-- name: three-tools-at-a-time
SELECT member_id FROM loans WHERE returned_on IS NULL GROUP BY member_id HAVING count(*) > 3;

-- name: power-tools-for-the-briefed
SELECT loan_id FROM loans JOIN tools USING (tool_id) JOIN members USING (member_id)
WHERE kind = 'power' AND briefed = 0 AND returned_on IS NULL;

-- name: two-waits-at-a-time
SELECT member_id FROM reservations WHERE status = 'waiting' GROUP BY member_id HAVING count(*) > 2;

-- name: one-wait-per-member-and-tool
SELECT member_id, tool_id FROM reservations WHERE status = 'waiting' GROUP BY member_id, tool_id HAVING count(*) > 1;
