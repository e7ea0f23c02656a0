-- Tables of Mailscript, compiled from an API document.
-- Booleans are 0 or 1, lists and objects are JSON, times are UTC as 2026-05-14T09:00:00Z.

-- Actions.
CREATE TABLE actions (
    id TEXT PRIMARY KEY NOT NULL,  -- Identifier of the action; compare: generated
    name TEXT NOT NULL,
    config_text TEXT,
    list TEXT CHECK (list IS NULL OR json_valid(list)),
    created_at TEXT
) STRICT;

-- Addresses.
CREATE TABLE addresses (
    address TEXT PRIMARY KEY NOT NULL,  -- Identifier of the address
    created_at TEXT
) STRICT;

-- Domains.
CREATE TABLE domains (
    domain TEXT PRIMARY KEY NOT NULL  -- Identifier of the domain
) STRICT;

-- Integrations.
CREATE TABLE integrations (
    id TEXT PRIMARY KEY NOT NULL,  -- Identifier of the integration; compare: generated
    type TEXT NOT NULL CHECK (type IN ('google')),
    created_at TEXT NOT NULL
) STRICT;

-- Triggers.
CREATE TABLE triggers (
    id TEXT PRIMARY KEY NOT NULL,  -- Identifier of the trigger; compare: generated
    name TEXT NOT NULL,
    criteria TEXT NOT NULL CHECK (json_valid(criteria)),
    created_at TEXT
) STRICT;

-- Workflows.
CREATE TABLE workflows (
    id TEXT PRIMARY KEY NOT NULL,  -- Identifier of the workflow; compare: generated
    name TEXT NOT NULL,
    action TEXT NOT NULL,
    input TEXT NOT NULL,
    active INTEGER CHECK (active IN (0, 1)),
    trigger TEXT,
    created_at TEXT
) STRICT;

-- Verifications.
CREATE TABLE verifications (
    id TEXT PRIMARY KEY NOT NULL,  -- Identifier of the verification; compare: generated
    email TEXT NOT NULL,
    type TEXT CHECK (type IN ('email')),
    sms TEXT
) STRICT;

-- Workspaces.
CREATE TABLE workspaces (
    id TEXT PRIMARY KEY NOT NULL,  -- Identifier of the workspace; compare: generated
    workspace TEXT NOT NULL,
    created_at TEXT
) STRICT;

-- Keys.
CREATE TABLE keys (
    id TEXT PRIMARY KEY NOT NULL,  -- Identifier of the key; compare: generated
    address_id TEXT NOT NULL REFERENCES addresses (address),  -- The address it belongs to
    name TEXT NOT NULL,
    read INTEGER NOT NULL CHECK (read IN (0, 1)),
    write INTEGER NOT NULL CHECK (write IN (0, 1)),
    created_at TEXT
) STRICT;

CREATE INDEX keys_by_address_id ON keys (address_id);
