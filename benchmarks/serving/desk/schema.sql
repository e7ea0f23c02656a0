CREATE TABLE tickets (
    ticket_id TEXT PRIMARY KEY,
    customer TEXT NOT NULL,
    subject TEXT NOT NULL,
    status TEXT NOT NULL CHECK (status IN ('open', 'closed')),
    priority INTEGER NOT NULL
) STRICT;

CREATE TABLE notes (
    note_id INTEGER PRIMARY KEY,
    ticket_id TEXT NOT NULL REFERENCES tickets (ticket_id),
    written_at TEXT NOT NULL,
    body TEXT NOT NULL -- compare: text(ignored)
) STRICT;
