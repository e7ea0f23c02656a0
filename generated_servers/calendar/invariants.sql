-- Each query must return no row.

-- name: calendars-summary-not-empty
SELECT id FROM calendars WHERE summary = '';

-- name: calendar-list-entries-summary-override-not-empty
SELECT id FROM calendar_list_entries WHERE summary_override = '';

-- name: events-end-date-after-start
SELECT id FROM events WHERE end_date < start_date;

-- name: events-end-date-time-after-start
SELECT id FROM events WHERE end_date_time < start_date_time;

-- name: events-updated-after-created
SELECT id FROM events WHERE updated < created;

-- name: events-summary-not-empty
SELECT id FROM events WHERE summary = '';
