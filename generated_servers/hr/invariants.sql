-- Each query must return no row.

-- name: companies-updated-after-created
SELECT id FROM companies WHERE updated_at < created_at;

-- name: departments-updated-after-created
SELECT id FROM departments WHERE updated_at < created_at;

-- name: departments-name-not-empty
SELECT id FROM departments WHERE name = '';

-- name: employees-employment-end-date-after-start
SELECT id FROM employees WHERE employment_end_date < employment_start_date;

-- name: employees-probation-period-end-date-after-start
SELECT id FROM employees WHERE probation_period_end_date < probation_period_start_date;

-- name: employees-updated-after-created
SELECT id FROM employees WHERE updated_at < created_at;

-- name: employees-display-name-not-empty
SELECT id FROM employees WHERE display_name = '';

-- name: time-off-requests-end-date-after-start
SELECT id FROM time_off_requests WHERE end_date < start_date;

-- name: time-off-requests-updated-after-created
SELECT id FROM time_off_requests WHERE updated_at < created_at;
