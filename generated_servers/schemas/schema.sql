-- Tables of Apicurio Registry API [v2], compiled from an API document.
-- Booleans are 0 or 1, lists and objects are JSON, times are UTC as 2026-05-14T09:00:00Z.

-- Properties.
CREATE TABLE properties (
    name TEXT PRIMARY KEY NOT NULL,  -- Identifier of the property
    label TEXT NOT NULL,
    description TEXT NOT NULL,  -- compare: text(ignored)
    type TEXT NOT NULL,
    value TEXT NOT NULL
) STRICT;

-- Loggers.
CREATE TABLE loggers (
    name TEXT PRIMARY KEY NOT NULL,  -- Identifier of the logger
    level TEXT NOT NULL CHECK (level IN ('DEBUG', 'TRACE', 'WARN', 'ERROR', 'SEVERE', 'WARNING', 'INFO', 'CONFIG', 'FINE', 'FINER', 'FINEST'))
) STRICT;

-- The mapping between a user/principal and their role.
CREATE TABLE role_mappings (
    principal_id TEXT PRIMARY KEY NOT NULL,  -- Identifier of the role mapping
    role TEXT NOT NULL CHECK (role IN ('READ_ONLY', 'DEVELOPER', 'ADMIN')),
    principal_name TEXT  -- A friendly name for the principal
) STRICT;

-- Rules.
CREATE TABLE rules (
    id TEXT PRIMARY KEY NOT NULL,  -- Identifier of the rule; compare: generated
    config TEXT NOT NULL,
    type TEXT CHECK (type IN ('VALIDITY', 'COMPATIBILITY'))
) STRICT;

-- Groups.
CREATE TABLE groups (
    id TEXT PRIMARY KEY NOT NULL,  -- Identifier of the group
    description TEXT,  -- compare: text(ignored)
    created_on TEXT,
    modified_on TEXT
) STRICT;

-- Models a single artifact from the result set returned when searching for artifacts.
CREATE TABLE artifacts (
    id TEXT PRIMARY KEY NOT NULL,  -- Identifier of the artifact; compare: generated
    group_id TEXT NOT NULL REFERENCES groups (id),  -- The group it belongs to
    content TEXT NOT NULL,  -- Raw content of the artifact or a valid (and accessible) URL where the content can be found; compare: text(ignored)
    "references" TEXT NOT NULL CHECK (json_valid("references")),  -- Collection of references to other artifacts
    created_on TEXT,
    modified_on TEXT
) STRICT;

-- Models a single artifact from the result set returned when searching for artifacts.
CREATE TABLE versions (
    version TEXT PRIMARY KEY NOT NULL,  -- Identifier of the version; compare: generated
    artifact_id TEXT NOT NULL REFERENCES artifacts (id),  -- The artifact it belongs to
    "references" TEXT NOT NULL CHECK (json_valid("references")),
    content TEXT NOT NULL,  -- Raw content of the artifact or a valid (and accessible) URL where the content can be found; compare: text(ignored)
    created_on TEXT
) STRICT;

-- A reference to a different artifact.
CREATE TABLE metas (
    name TEXT PRIMARY KEY NOT NULL,  -- Identifier of the meta; compare: generated
    artifact_id TEXT NOT NULL REFERENCES artifacts (id),  -- The artifact it belongs to
    content TEXT NOT NULL,  -- Raw content of the artifact or a valid (and accessible) URL where the content can be found; compare: text(ignored)
    "references" TEXT NOT NULL CHECK (json_valid("references"))  -- Collection of references to other artifacts
) STRICT;

-- Describes the ownership of an artifact.
CREATE TABLE artifact_owners (
    artifact_id TEXT PRIMARY KEY NOT NULL REFERENCES artifacts (id),  -- The artifact it belongs to
    owner TEXT NOT NULL
) STRICT;

-- Version metas.
CREATE TABLE version_metas (
    version_id TEXT PRIMARY KEY NOT NULL REFERENCES versions (version),  -- The version it belongs to
    name TEXT NOT NULL,
    description TEXT,  -- compare: text(ignored)
    labels TEXT CHECK (labels IS NULL OR json_valid(labels))
) STRICT;

CREATE INDEX artifacts_by_group_id ON artifacts (group_id);
CREATE INDEX versions_by_artifact_id ON versions (artifact_id);
CREATE INDEX metas_by_artifact_id ON metas (artifact_id);
