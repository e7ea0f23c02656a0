-- Tables of Issue Tracking API, compiled from an API document.
-- Booleans are 0 or 1, lists and objects are JSON, times are UTC as 2026-05-14T09:00:00Z.

-- Collections.
CREATE TABLE collections (
    id TEXT PRIMARY KEY NOT NULL,  -- A unique identifier for an object; compare: generated
    name TEXT,  -- Name of the collection
    parent_id TEXT REFERENCES collections (id),  -- The collections's parent ID
    type TEXT,  -- The collections's type
    description TEXT,  -- Description of the collection; compare: text(ignored)
    created_at TEXT,  -- The date and time when the object was created
    updated_at TEXT  -- The date and time when the object was last updated
) STRICT;

-- Tickets.
CREATE TABLE tickets (
    id TEXT PRIMARY KEY NOT NULL,  -- A unique identifier for an object; compare: generated
    collection_id TEXT NOT NULL REFERENCES collections (id),  -- The collection it belongs to
    subject TEXT NOT NULL,  -- Subject of the ticket
    parent_id TEXT REFERENCES tickets (id),  -- The ticket's parent ID
    priority TEXT CHECK (priority IN ('low', 'normal', 'high', 'urgent')),  -- Priority of the ticket
    due_date TEXT,  -- Due date of the ticket
    status TEXT,  -- The current status of the ticket
    type TEXT,  -- The ticket's type
    description TEXT,  -- The ticket's description; compare: text(ignored)
    created_at TEXT,  -- The date and time when the object was created
    updated_at TEXT  -- The date and time when the object was last updated
) STRICT;

-- Comments.
CREATE TABLE comments (
    id TEXT PRIMARY KEY NOT NULL,  -- A unique identifier for an object; compare: generated
    ticket_id TEXT NOT NULL REFERENCES tickets (id),  -- The ticket it belongs to
    body TEXT,  -- Body of the comment; compare: text(ignored)
    created_at TEXT,  -- The date and time when the object was created
    updated_at TEXT  -- The date and time when the object was last updated
) STRICT;

CREATE INDEX collections_by_parent_id ON collections (parent_id);
CREATE INDEX tickets_by_collection_id ON tickets (collection_id);
CREATE INDEX tickets_by_parent_id ON tickets (parent_id);
CREATE INDEX comments_by_ticket_id ON comments (ticket_id);
