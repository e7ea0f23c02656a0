-- Tables of File storage API, compiled from an API document.
-- Booleans are 0 or 1, lists and objects are JSON, times are UTC as 2026-05-14T09:00:00Z.

-- Drive groups.
CREATE TABLE drive_groups (
    id TEXT PRIMARY KEY NOT NULL,  -- A unique identifier for an object; compare: generated
    display_name TEXT,  -- The display name of the drive group
    name TEXT NOT NULL,  -- The name of the drive group
    description TEXT,  -- A description of the object; compare: text(ignored)
    created_at TEXT,  -- The date and time when the object was created
    updated_at TEXT  -- The date and time when the object was last updated
) STRICT;

-- Drives.
CREATE TABLE drives (
    id TEXT PRIMARY KEY NOT NULL,  -- A unique identifier for an object; compare: generated
    name TEXT NOT NULL,  -- The name of the drive
    description TEXT,  -- A description of the object; compare: text(ignored)
    created_at TEXT,  -- The date and time when the object was created
    updated_at TEXT  -- The date and time when the object was last updated
) STRICT;

-- Files.
CREATE TABLE files (
    id TEXT PRIMARY KEY NOT NULL,  -- A unique identifier for an object; compare: generated
    name TEXT NOT NULL,  -- The name of the file
    type TEXT NOT NULL CHECK (type IN ('file', 'folder', 'url')),  -- The type of resource
    created_by TEXT,  -- The user who created the object
    downloadable INTEGER CHECK (downloadable IN (0, 1)),  -- Whether the current user can download this file
    exportable INTEGER CHECK (exportable IN (0, 1)),  -- Whether the current file is exportable to other file formats
    mime_type TEXT,  -- The MIME type of the file
    owner_email TEXT,  -- Email of the owner
    owner_name TEXT,  -- Name of the owner
    parent_folders_complete INTEGER CHECK (parent_folders_complete IN (0, 1)),  -- Whether the list of parent folders is complete
    path TEXT,  -- The full path of the file or folder (includes the file name)
    permissions_download INTEGER CHECK (permissions_download IN (0, 1)),  -- Whether the current user can download this file
    size INTEGER,  -- The size of the file in bytes
    updated_by TEXT,  -- The user who last updated the object
    description TEXT,  -- Optional description of the file; compare: text(ignored)
    export_formats TEXT CHECK (export_formats IS NULL OR json_valid(export_formats)),  -- The available file formats when exporting this file
    parent_folders TEXT CHECK (parent_folders IS NULL OR json_valid(parent_folders)),  -- The parent folders of the file, starting from the root
    created_at TEXT,  -- The date and time when the object was created
    updated_at TEXT  -- The date and time when the object was last updated
) STRICT;

-- Folders.
CREATE TABLE folders (
    id TEXT PRIMARY KEY NOT NULL,  -- A unique identifier for an object; compare: generated
    name TEXT NOT NULL,  -- The name of the folder
    parent_folder_id TEXT REFERENCES folders (id),  -- The parent folder to create the new file within
    description TEXT,  -- Optional description of the folder; compare: text(ignored)
    created_at TEXT,  -- The date and time when the object was created
    updated_at TEXT  -- The date and time when the object was last updated
) STRICT;

-- Shared links.
CREATE TABLE shared_links (
    id TEXT PRIMARY KEY NOT NULL,  -- Identifier of the shared link; compare: generated
    download_url TEXT NOT NULL,  -- The URL that can be used to download the file
    scope TEXT CHECK (scope IN ('public', 'company')),  -- The scope of the shared link
    created_at TEXT,  -- The date and time when the object was created
    updated_at TEXT  -- The date and time when the object was last updated
) STRICT;

-- Upload sessions.
CREATE TABLE upload_sessions (
    id TEXT PRIMARY KEY NOT NULL,  -- A unique identifier for an object; compare: generated
    name TEXT NOT NULL,  -- The name of the file
    parent_folder_id TEXT NOT NULL REFERENCES folders (id),  -- The parent folder to create the new file within
    size INTEGER NOT NULL  -- The size of the file in bytes
) STRICT;

CREATE INDEX folders_by_parent_folder_id ON folders (parent_folder_id);
CREATE INDEX upload_sessions_by_parent_folder_id ON upload_sessions (parent_folder_id);
