"""File storage API: 28 tools over drive groups, drives, files, folders, shared links, upload sessions.

Compiled from an API document. Read it top down: what the values are, what the tools return, what they share,
then each table with the function that reads one row, and its tools. `candidates` and `refused` are examples for
testing: arguments that succeed, and arguments that are refused for that reason.
"""

from __future__ import annotations

import json
from typing import Annotated, Any, Literal, NotRequired, cast

from pydantic import Field
from typing_extensions import TypedDict

from envfactory_gym import Environment, Ref, ToolError, World

env = Environment(__file__)

# ---------------------------------------------------------------- what the values are

Line = Annotated[str, Field(min_length=1, max_length=200)]
"""One line of text."""
Prose = Annotated[str, Field(max_length=2000)]
"""Free text."""
Whole = Annotated[int, Field(ge=-(10**12), le=10**12)]
"""A whole number."""
Cursor = Annotated[str, Field(pattern=r"^[0-9]{1,6}$")]
"""Where the next page starts, as a list returned it."""
Type = Literal["file", "folder", "url"]
Scope = Literal["public", "company"]
DriveGroupId = Annotated[str, Ref("drive_groups.id"), Field(max_length=200)]
DriveId = Annotated[str, Ref("drives.id"), Field(max_length=200)]
FileId = Annotated[str, Ref("files.id"), Field(max_length=200)]
FolderId = Annotated[str, Ref("folders.id"), Field(max_length=200)]
SharedLinkId = Annotated[str, Ref("shared_links.id"), Field(max_length=200)]
UploadSessionId = Annotated[str, Ref("upload_sessions.id"), Field(max_length=200)]
DriveGroupClearable = Literal["display_name", "description"]
DriveClearable = Literal["description"]
FileOrder = Literal["updated_at", "name"]
FileClearable = Literal["description"]
FolderClearable = Literal["description"]
SharedLinkClearable = Literal["scope"]

# ---------------------------------------------------------------- what the tools return


class LinkedFolder(TypedDict):
    name: NotRequired[Line]


class DriveGroup(TypedDict):
    """A drive group."""

    id: DriveGroupId
    display_name: str | None
    name: str
    description: str | None
    created_at: str | None
    updated_at: str | None


class DriveGroups(TypedDict):
    drive_groups: list[DriveGroup]
    total: int
    next_cursor: Cursor | None


class Drive(TypedDict):
    """A drive."""

    id: DriveId
    name: str
    description: str | None
    created_at: str | None
    updated_at: str | None


class Drives(TypedDict):
    drives: list[Drive]
    total: int
    next_cursor: Cursor | None


class File(TypedDict):
    """A file."""

    id: FileId
    name: str
    type: Type
    created_by: str | None
    downloadable: bool | None
    exportable: bool | None
    mime_type: str | None
    owner_email: str | None
    owner_name: str | None
    parent_folders_complete: bool | None
    path: str | None
    permissions_download: bool | None
    size: int | None
    updated_by: str | None
    description: str | None
    export_formats: list[Line] | None
    parent_folders: list[LinkedFolder] | None
    created_at: str | None
    updated_at: str | None


class Files(TypedDict):
    files: list[File]
    total: int
    next_cursor: Cursor | None


class Folder(TypedDict):
    """A folder."""

    id: FolderId
    name: str
    parent_folder_id: FolderId | None
    description: str | None
    created_at: str | None
    updated_at: str | None


class SharedLink(TypedDict):
    """A shared link."""

    id: SharedLinkId
    download_url: str
    scope: Scope | None
    created_at: str | None
    updated_at: str | None


class SharedLinks(TypedDict):
    shared_links: list[SharedLink]
    total: int
    next_cursor: Cursor | None


class UploadSession(TypedDict):
    """An upload session."""

    id: UploadSessionId
    name: str
    parent_folder_id: FolderId
    size: int


class Deleted(TypedDict):
    deleted: str | int


# ---------------------------------------------------------------- what the tools share


def flag(value: int | None) -> bool | None:
    """A stored 0 or 1 as a truth value."""
    return None if value is None else bool(value)


def parsed(value: str | None) -> Any:
    """A stored JSON text as what it says."""
    return None if value is None else json.loads(value)


def refuse_while_used(world: World, key: str | int, field: str, rule: str, queries: dict[str, str]) -> None:
    """Refuse a deletion while other rows refer to the row; each query counts those of one table."""
    for table, query in queries.items():
        count = world.value(query, key=key)
        if count:
            message = f"{key} cannot be deleted: it is still referred to ({count} of {table})."
            raise ToolError("conflict", message, field=field, reason=rule)


# ---------------------------------------------------------------- drive groups


def read_drive_group(world: World, drive_group_id: str, field: str = "drive_group_id") -> DriveGroup:
    """The drive group with that drive_group_id; refused where there is none."""
    row = world.one("SELECT * FROM drive_groups WHERE id = ?", drive_group_id)
    if row is None:
        raise ToolError("not_found", f"There is no drive group {drive_group_id}.", field=field)
    return as_drive_group(row)


def as_drive_group(row: dict[str, Any]) -> DriveGroup:
    """A stored drive group as tools return it."""
    return cast(DriveGroup, row)


# Plays GET /file-storage/drive-groups
@env.tool(candidates='SELECT 5 AS "limit"')
def list_drive_groups(
    world: World,
    limit: Annotated[int, Field(ge=1, le=100)] = 20,
    cursor: Cursor | None = None,
) -> DriveGroups:
    """List drive groups, one page at a time; what is not given does not narrow the list.

    Args:
        limit: Most rows to return.
        cursor: The `next_cursor` of the page before.
    """
    start = int(cursor or 0)
    rows = world.all("SELECT * FROM drive_groups ORDER BY id")
    return {
        "drive_groups": [as_drive_group(row) for row in rows[start : start + limit]],
        "total": len(rows),
        "next_cursor": str(start + limit) if start + limit < len(rows) else None,
    }


# Plays GET /file-storage/drive-groups/{id}
@env.tool(
    candidates="SELECT id AS drive_group_id FROM drive_groups",
    refused={"not_found": "SELECT 'NOSUCH' AS drive_group_id"},
)
def get_drive_group(world: World, drive_group_id: DriveGroupId) -> DriveGroup:
    """Return one drive group.

    Args:
        drive_group_id: Identifier of the drive group.
    """
    return read_drive_group(world, drive_group_id)


# Plays POST /file-storage/drive-groups
@env.tool(writes=["drive_groups"], candidates="SELECT name FROM drive_groups")
def create_drive_group(
    world: World,
    name: Line,
    display_name: Line | None = None,
    description: Prose | None = None,
) -> DriveGroup:
    """Create a drive group.

    Args:
        name: The name of the drive group.
        display_name: The display name of the drive group.
        description: A description of the object.
    """
    drive_group_id = world.new_code("drive_groups.id")
    world.run(
        """
        INSERT INTO drive_groups (id, display_name, name, description, created_at, updated_at)
        VALUES (:id, :display_name, :name, :description, :created_at, :updated_at)
        """,
        id=drive_group_id,
        display_name=display_name,
        name=name,
        description=description,
        created_at=world.now,
        updated_at=world.now,
    )
    return read_drive_group(world, drive_group_id)


# Plays PATCH /file-storage/drive-groups/{id}
@env.tool(
    writes=["drive_groups"],
    destructive=True,
    idempotent=True,
    candidates="SELECT id AS drive_group_id, display_name FROM drive_groups WHERE display_name IS NOT NULL",
)
def update_drive_group(
    world: World,
    drive_group_id: DriveGroupId,
    display_name: Line | None = None,
    name: Line | None = None,
    description: Prose | None = None,
    clear: DriveGroupClearable | None = None,
) -> DriveGroup:
    """Change the given fields of a drive group; the others keep their values.

    Args:
        drive_group_id: Identifier of the drive group.
        display_name: The display name of the drive group.
        name: The name of the drive group.
        description: A description of the object.
        clear: A field to empty.
    """
    read_drive_group(world, drive_group_id)
    world.run(
        """
        UPDATE drive_groups
        SET display_name = coalesce(:display_name, display_name),
            name = coalesce(:name, name),
            description = coalesce(:description, description),
            updated_at = :now
        WHERE id = :drive_group_id
        """,
        display_name=display_name,
        name=name,
        description=description,
        now=world.now,
        drive_group_id=drive_group_id,
    )
    if clear is not None:
        world.run(f'UPDATE drive_groups SET "{clear}" = NULL WHERE id = :drive_group_id', drive_group_id=drive_group_id)
    return read_drive_group(world, drive_group_id)


# Plays DELETE /file-storage/drive-groups/{id}
@env.tool(
    writes=["drive_groups"],
    destructive=True,
    confirm=["drive_group_id"],
    candidates="SELECT id AS drive_group_id FROM drive_groups",
    refused={"not_found": "SELECT 'NOSUCH' AS drive_group_id"},
)
def delete_drive_group(world: World, drive_group_id: DriveGroupId) -> Deleted:
    """Delete a drive group.

    Args:
        drive_group_id: Identifier of the drive group.
    """
    read_drive_group(world, drive_group_id)
    world.run("DELETE FROM drive_groups WHERE id = :drive_group_id", drive_group_id=drive_group_id)
    return {"deleted": drive_group_id}


# ---------------------------------------------------------------- drives


def read_drive(world: World, drive_id: str, field: str = "drive_id") -> Drive:
    """The drive with that drive_id; refused where there is none."""
    row = world.one("SELECT * FROM drives WHERE id = ?", drive_id)
    if row is None:
        raise ToolError("not_found", f"There is no drive {drive_id}.", field=field)
    return as_drive(row)


def as_drive(row: dict[str, Any]) -> Drive:
    """A stored drive as tools return it."""
    return cast(Drive, row)


# Plays GET /file-storage/drives
@env.tool(candidates='SELECT 5 AS "limit"')
def list_drives(world: World, limit: Annotated[int, Field(ge=1, le=100)] = 20, cursor: Cursor | None = None) -> Drives:
    """List drives, one page at a time; what is not given does not narrow the list.

    Args:
        limit: Most rows to return.
        cursor: The `next_cursor` of the page before.
    """
    start = int(cursor or 0)
    rows = world.all("SELECT * FROM drives ORDER BY id")
    return {
        "drives": [as_drive(row) for row in rows[start : start + limit]],
        "total": len(rows),
        "next_cursor": str(start + limit) if start + limit < len(rows) else None,
    }


# Plays GET /file-storage/drives/{id}
@env.tool(candidates="SELECT id AS drive_id FROM drives", refused={"not_found": "SELECT 'NOSUCH' AS drive_id"})
def get_drive(world: World, drive_id: DriveId) -> Drive:
    """Return one drive.

    Args:
        drive_id: Identifier of the drive.
    """
    return read_drive(world, drive_id)


# Plays POST /file-storage/drives
@env.tool(writes=["drives"], candidates="SELECT name FROM drives")
def create_drive(world: World, name: Line, description: Prose | None = None) -> Drive:
    """Create a drive.

    Args:
        name: The name of the drive.
        description: A description of the object.
    """
    drive_id = world.new_code("drives.id")
    world.run(
        """
        INSERT INTO drives (id, name, description, created_at, updated_at)
        VALUES (:id, :name, :description, :created_at, :updated_at)
        """,
        id=drive_id,
        name=name,
        description=description,
        created_at=world.now,
        updated_at=world.now,
    )
    return read_drive(world, drive_id)


# Plays PATCH /file-storage/drives/{id}
@env.tool(writes=["drives"], destructive=True, idempotent=True, candidates="SELECT id AS drive_id, name FROM drives")
def update_drive(
    world: World,
    drive_id: DriveId,
    name: Line | None = None,
    description: Prose | None = None,
    clear: DriveClearable | None = None,
) -> Drive:
    """Change the given fields of a drive; the others keep their values.

    Args:
        drive_id: Identifier of the drive.
        name: The name of the drive.
        description: A description of the object.
        clear: A field to empty.
    """
    read_drive(world, drive_id)
    world.run(
        """
        UPDATE drives
        SET name = coalesce(:name, name),
            description = coalesce(:description, description),
            updated_at = :now
        WHERE id = :drive_id
        """,
        name=name,
        description=description,
        now=world.now,
        drive_id=drive_id,
    )
    if clear is not None:
        world.run(f'UPDATE drives SET "{clear}" = NULL WHERE id = :drive_id', drive_id=drive_id)
    return read_drive(world, drive_id)


# Plays DELETE /file-storage/drives/{id}
@env.tool(
    writes=["drives"],
    destructive=True,
    confirm=["drive_id"],
    candidates="SELECT id AS drive_id FROM drives",
    refused={"not_found": "SELECT 'NOSUCH' AS drive_id"},
)
def delete_drive(world: World, drive_id: DriveId) -> Deleted:
    """Delete a drive.

    Args:
        drive_id: Identifier of the drive.
    """
    read_drive(world, drive_id)
    world.run("DELETE FROM drives WHERE id = :drive_id", drive_id=drive_id)
    return {"deleted": drive_id}


# ---------------------------------------------------------------- files


def read_file(world: World, file_id: str, field: str = "file_id") -> File:
    """The file with that file_id; refused where there is none."""
    row = world.one("SELECT * FROM files WHERE id = ?", file_id)
    if row is None:
        raise ToolError("not_found", f"There is no file {file_id}.", field=field)
    return as_file(row)


def as_file(row: dict[str, Any]) -> File:
    """A stored file as tools return it."""
    converted = {
        "downloadable": flag(row["downloadable"]),
        "exportable": flag(row["exportable"]),
        "parent_folders_complete": flag(row["parent_folders_complete"]),
        "permissions_download": flag(row["permissions_download"]),
        "export_formats": parsed(row["export_formats"]),
        "parent_folders": parsed(row["parent_folders"]),
    }
    return cast(File, row | converted)


# Plays GET /file-storage/files
@env.tool(candidates="SELECT DISTINCT type FROM files WHERE type IS NOT NULL")
def list_files(
    world: World,
    type: Type | None = None,
    sort_by: FileOrder | None = None,
    descending: bool = False,
    limit: Annotated[int, Field(ge=1, le=40)] = 20,
    cursor: Cursor | None = None,
) -> Files:
    """List files, one page at a time; what is not given does not narrow the list.

    Args:
        type: Only files with this type.
        sort_by: Column to sort by; by ID if not given.
        descending: Whether the largest comes first.
        limit: Most rows to return.
        cursor: The `next_cursor` of the page before.
    """
    start = int(cursor or 0)
    rows = world.all(
        f"""
        SELECT * FROM files
        WHERE (:type IS NULL OR type = :type)
        ORDER BY {sort_by or "id"} {"DESC" if descending else "ASC"}, id
        """,
        type=type,
    )
    return {
        "files": [as_file(row) for row in rows[start : start + limit]],
        "total": len(rows),
        "next_cursor": str(start + limit) if start + limit < len(rows) else None,
    }


# Plays GET /file-storage/files/{id}
@env.tool(candidates="SELECT id AS file_id FROM files", refused={"not_found": "SELECT 'NOSUCH' AS file_id"})
def get_file(world: World, file_id: FileId) -> File:
    """Return one file.

    Args:
        file_id: Identifier of the file.
    """
    return read_file(world, file_id)


# Plays PATCH /file-storage/files/{id}
@env.tool(writes=["files"], destructive=True, idempotent=True, candidates="SELECT id AS file_id, name FROM files")
def update_file(
    world: World,
    file_id: FileId,
    name: Line | None = None,
    description: Prose | None = None,
    clear: FileClearable | None = None,
) -> File:
    """Change the given fields of a file; the others keep their values.

    Args:
        file_id: Identifier of the file.
        name: The name of the file.
        description: Optional description of the file.
        clear: A field to empty.
    """
    read_file(world, file_id)
    world.run(
        """
        UPDATE files
        SET name = coalesce(:name, name),
            description = coalesce(:description, description),
            updated_at = :now
        WHERE id = :file_id
        """,
        name=name,
        description=description,
        now=world.now,
        file_id=file_id,
    )
    if clear is not None:
        world.run(f'UPDATE files SET "{clear}" = NULL WHERE id = :file_id', file_id=file_id)
    return read_file(world, file_id)


# Plays DELETE /file-storage/files/{id}
@env.tool(
    writes=["files"],
    destructive=True,
    confirm=["file_id"],
    candidates="SELECT id AS file_id FROM files",
    refused={"not_found": "SELECT 'NOSUCH' AS file_id"},
)
def delete_file(world: World, file_id: FileId) -> Deleted:
    """Delete a file.

    Args:
        file_id: Identifier of the file.
    """
    read_file(world, file_id)
    world.run("DELETE FROM files WHERE id = :file_id", file_id=file_id)
    return {"deleted": file_id}


# ---------------------------------------------------------------- folders


def read_folder(world: World, folder_id: str, field: str = "folder_id") -> Folder:
    """The folder with that folder_id; refused where there is none."""
    row = world.one("SELECT * FROM folders WHERE id = ?", folder_id)
    if row is None:
        raise ToolError("not_found", f"There is no folder {folder_id}.", field=field)
    return as_folder(row)


def as_folder(row: dict[str, Any]) -> Folder:
    """A stored folder as tools return it."""
    return cast(Folder, row)


# Plays GET /file-storage/folders/{id}
@env.tool(candidates="SELECT id AS folder_id FROM folders", refused={"not_found": "SELECT 'NOSUCH' AS folder_id"})
def get_folder(world: World, folder_id: FolderId) -> Folder:
    """Return one folder.

    Args:
        folder_id: Identifier of the folder.
    """
    return read_folder(world, folder_id)


# Plays POST /file-storage/folders
@env.tool(writes=["folders"], candidates="SELECT name FROM folders")
def create_folder(
    world: World,
    name: Line,
    parent_folder_id: FolderId | None = None,
    description: Prose | None = None,
) -> Folder:
    """Create a folder.

    Args:
        name: The name of the folder.
        parent_folder_id: The parent folder to create the new file within.
        description: Optional description of the folder.
    """
    if parent_folder_id is not None:
        read_folder(world, parent_folder_id, "parent_folder_id")
    folder_id = world.new_code("folders.id")
    world.run(
        """
        INSERT INTO folders (id, name, parent_folder_id, description, created_at, updated_at)
        VALUES (:id, :name, :parent_folder_id, :description, :created_at, :updated_at)
        """,
        id=folder_id,
        name=name,
        parent_folder_id=parent_folder_id,
        description=description,
        created_at=world.now,
        updated_at=world.now,
    )
    return read_folder(world, folder_id)


# Plays PATCH /file-storage/folders/{id}
@env.tool(writes=["folders"], destructive=True, idempotent=True, candidates="SELECT id AS folder_id, name FROM folders")
def update_folder(
    world: World,
    folder_id: FolderId,
    name: Line | None = None,
    parent_folder_id: FolderId | None = None,
    description: Prose | None = None,
    clear: FolderClearable | None = None,
) -> Folder:
    """Change the given fields of a folder; the others keep their values.

    Args:
        folder_id: Identifier of the folder.
        name: The name of the folder.
        parent_folder_id: The parent folder to create the new file within.
        description: Optional description of the folder.
        clear: A field to empty.
    """
    read_folder(world, folder_id)
    if parent_folder_id is not None:
        read_folder(world, parent_folder_id, "parent_folder_id")
    world.run(
        """
        UPDATE folders
        SET name = coalesce(:name, name),
            parent_folder_id = coalesce(:parent_folder_id, parent_folder_id),
            description = coalesce(:description, description),
            updated_at = :now
        WHERE id = :folder_id
        """,
        name=name,
        parent_folder_id=parent_folder_id,
        description=description,
        now=world.now,
        folder_id=folder_id,
    )
    if clear is not None:
        world.run(f'UPDATE folders SET "{clear}" = NULL WHERE id = :folder_id', folder_id=folder_id)
    return read_folder(world, folder_id)


# Plays DELETE /file-storage/folders/{id}
@env.tool(
    writes=["folders"],
    destructive=True,
    confirm=["folder_id"],
    candidates="""
    SELECT id AS folder_id
    FROM folders
    WHERE NOT EXISTS (SELECT 1 FROM folders AS other WHERE other.parent_folder_id = folders.id)
      AND NOT EXISTS (SELECT 1 FROM upload_sessions WHERE parent_folder_id = folders.id)
    """,
    refused={
        "not_found": "SELECT 'NOSUCH' AS folder_id",
        "keep-used-folders": """
        SELECT id AS folder_id
        FROM folders
        WHERE EXISTS (SELECT 1 FROM folders AS other WHERE other.parent_folder_id = folders.id)
        """,
    },
)
def delete_folder(world: World, folder_id: FolderId) -> Deleted:
    """Delete a folder; refused while other folders or upload sessions refer to it.

    Args:
        folder_id: Identifier of the folder.
    """
    read_folder(world, folder_id)
    refuse_while_used(
        world,
        folder_id,
        "folder_id",
        "keep-used-folders",
        {
            "folders": "SELECT count(*) FROM folders WHERE parent_folder_id = :key",
            "upload sessions": "SELECT count(*) FROM upload_sessions WHERE parent_folder_id = :key",
        },
    )
    world.run("DELETE FROM folders WHERE id = :folder_id", folder_id=folder_id)
    return {"deleted": folder_id}


# Plays POST /file-storage/folders/{id}/copy
@env.tool(writes=["folders"], destructive=True, idempotent=True, candidates="SELECT id AS folder_id, name FROM folders")
def copy_folder(
    world: World,
    folder_id: FolderId,
    name: Line | None = None,
    parent_folder_id: FolderId | None = None,
) -> Folder:
    """Change the given fields of a folder; the others keep their values.

    Args:
        folder_id: Identifier of the folder.
        name: The name of the folder.
        parent_folder_id: The parent folder to create the new file within.
    """
    read_folder(world, folder_id)
    if parent_folder_id is not None:
        read_folder(world, parent_folder_id, "parent_folder_id")
    world.run(
        """
        UPDATE folders
        SET name = coalesce(:name, name),
            parent_folder_id = coalesce(:parent_folder_id, parent_folder_id),
            updated_at = :now
        WHERE id = :folder_id
        """,
        name=name,
        parent_folder_id=parent_folder_id,
        now=world.now,
        folder_id=folder_id,
    )
    return read_folder(world, folder_id)


# ---------------------------------------------------------------- shared links


def read_shared_link(world: World, shared_link_id: str, field: str = "shared_link_id") -> SharedLink:
    """The shared link with that shared_link_id; refused where there is none."""
    row = world.one("SELECT * FROM shared_links WHERE id = ?", shared_link_id)
    if row is None:
        raise ToolError("not_found", f"There is no shared link {shared_link_id}.", field=field)
    return as_shared_link(row)


def as_shared_link(row: dict[str, Any]) -> SharedLink:
    """A stored shared link as tools return it."""
    return cast(SharedLink, row)


# Plays GET /file-storage/shared-links
@env.tool(candidates="SELECT DISTINCT scope FROM shared_links WHERE scope IS NOT NULL")
def list_shared_links(
    world: World,
    scope: Scope | None = None,
    limit: Annotated[int, Field(ge=1, le=100)] = 20,
    cursor: Cursor | None = None,
) -> SharedLinks:
    """List shared links, one page at a time; what is not given does not narrow the list.

    Args:
        scope: Only shared links with this scope.
        limit: Most rows to return.
        cursor: The `next_cursor` of the page before.
    """
    start = int(cursor or 0)
    rows = world.all("SELECT * FROM shared_links WHERE (:scope IS NULL OR scope = :scope) ORDER BY id", scope=scope)
    return {
        "shared_links": [as_shared_link(row) for row in rows[start : start + limit]],
        "total": len(rows),
        "next_cursor": str(start + limit) if start + limit < len(rows) else None,
    }


# Plays GET /file-storage/shared-links/{id}
@env.tool(
    candidates="SELECT id AS shared_link_id FROM shared_links",
    refused={"not_found": "SELECT 'NOSUCH' AS shared_link_id"},
)
def get_shared_link(world: World, shared_link_id: SharedLinkId) -> SharedLink:
    """Return one shared link.

    Args:
        shared_link_id: Identifier of the shared link.
    """
    return read_shared_link(world, shared_link_id)


# Plays POST /file-storage/shared-links
@env.tool(writes=["shared_links"], candidates="SELECT download_url FROM shared_links")
def create_shared_link(world: World, download_url: Line, scope: Scope | None = None) -> SharedLink:
    """Create a shared link.

    Args:
        download_url: The URL that can be used to download the file.
        scope: The scope of the shared link.
    """
    shared_link_id = world.new_code("shared_links.id")
    world.run(
        """
        INSERT INTO shared_links (id, download_url, scope, created_at, updated_at)
        VALUES (:id, :download_url, :scope, :created_at, :updated_at)
        """,
        id=shared_link_id,
        download_url=download_url,
        scope=scope,
        created_at=world.now,
        updated_at=world.now,
    )
    return read_shared_link(world, shared_link_id)


# Plays PATCH /file-storage/shared-links/{id}
@env.tool(
    writes=["shared_links"],
    destructive=True,
    idempotent=True,
    candidates="SELECT id AS shared_link_id, download_url FROM shared_links",
)
def update_shared_link(
    world: World,
    shared_link_id: SharedLinkId,
    download_url: Line | None = None,
    scope: Scope | None = None,
    clear: SharedLinkClearable | None = None,
) -> SharedLink:
    """Change the given fields of a shared link; the others keep their values.

    Args:
        shared_link_id: Identifier of the shared link.
        download_url: The URL that can be used to download the file.
        scope: The scope of the shared link.
        clear: A field to empty.
    """
    read_shared_link(world, shared_link_id)
    world.run(
        """
        UPDATE shared_links
        SET download_url = coalesce(:download_url, download_url),
            scope = coalesce(:scope, scope),
            updated_at = :now
        WHERE id = :shared_link_id
        """,
        download_url=download_url,
        scope=scope,
        now=world.now,
        shared_link_id=shared_link_id,
    )
    if clear is not None:
        world.run(f'UPDATE shared_links SET "{clear}" = NULL WHERE id = :shared_link_id', shared_link_id=shared_link_id)
    return read_shared_link(world, shared_link_id)


# Plays DELETE /file-storage/shared-links/{id}
@env.tool(
    writes=["shared_links"],
    destructive=True,
    confirm=["shared_link_id"],
    candidates="SELECT id AS shared_link_id FROM shared_links",
    refused={"not_found": "SELECT 'NOSUCH' AS shared_link_id"},
)
def delete_shared_link(world: World, shared_link_id: SharedLinkId) -> Deleted:
    """Delete a shared link.

    Args:
        shared_link_id: Identifier of the shared link.
    """
    read_shared_link(world, shared_link_id)
    world.run("DELETE FROM shared_links WHERE id = :shared_link_id", shared_link_id=shared_link_id)
    return {"deleted": shared_link_id}


# ---------------------------------------------------------------- upload sessions


def read_upload_session(world: World, upload_session_id: str, field: str = "upload_session_id") -> UploadSession:
    """The upload session with that upload_session_id; refused where there is none."""
    row = world.one("SELECT * FROM upload_sessions WHERE id = ?", upload_session_id)
    if row is None:
        raise ToolError("not_found", f"There is no upload session {upload_session_id}.", field=field)
    return as_upload_session(row)


def as_upload_session(row: dict[str, Any]) -> UploadSession:
    """A stored upload session as tools return it."""
    return cast(UploadSession, row)


# Plays GET /file-storage/upload-sessions/{id}
@env.tool(
    candidates="SELECT id AS upload_session_id FROM upload_sessions",
    refused={"not_found": "SELECT 'NOSUCH' AS upload_session_id"},
)
def get_upload_session(world: World, upload_session_id: UploadSessionId) -> UploadSession:
    """Return one upload session.

    Args:
        upload_session_id: Identifier of the upload session.
    """
    return read_upload_session(world, upload_session_id)


# Plays POST /file-storage/upload-sessions
@env.tool(writes=["upload_sessions"], candidates="SELECT name, parent_folder_id, size FROM upload_sessions")
def create_upload_session(world: World, name: Line, parent_folder_id: FolderId, size: Whole) -> UploadSession:
    """Create an upload session.

    Args:
        name: The name of the file.
        parent_folder_id: The parent folder to create the new file within.
        size: The size of the file in bytes.
    """
    read_folder(world, parent_folder_id, "parent_folder_id")
    upload_session_id = world.new_code("upload_sessions.id")
    world.run(
        "INSERT INTO upload_sessions (id, name, parent_folder_id, size) VALUES (:id, :name, :parent_folder_id, :size)",
        id=upload_session_id,
        name=name,
        parent_folder_id=parent_folder_id,
        size=size,
    )
    return read_upload_session(world, upload_session_id)


# Plays PUT /file-storage/upload-sessions/{id}
@env.tool(
    writes=["upload_sessions"],
    destructive=True,
    idempotent=True,
    candidates="SELECT id AS upload_session_id, name, parent_folder_id, size FROM upload_sessions",
)
def replace_upload_session(
    world: World,
    upload_session_id: UploadSessionId,
    name: Line,
    parent_folder_id: FolderId,
    size: Whole,
) -> UploadSession:
    """Replace the fields of an upload session; what is not given is cleared.

    Args:
        upload_session_id: Identifier of the upload session.
        name: The name of the file.
        parent_folder_id: The parent folder to create the new file within.
        size: The size of the file in bytes.
    """
    read_upload_session(world, upload_session_id)
    read_folder(world, parent_folder_id, "parent_folder_id")
    world.run(
        """
        UPDATE upload_sessions
        SET name = :name, parent_folder_id = :parent_folder_id, size = :size
        WHERE id = :upload_session_id
        """,
        name=name,
        parent_folder_id=parent_folder_id,
        size=size,
        upload_session_id=upload_session_id,
    )
    return read_upload_session(world, upload_session_id)


# Plays DELETE /file-storage/upload-sessions/{id}
@env.tool(
    writes=["upload_sessions"],
    destructive=True,
    confirm=["upload_session_id"],
    candidates="SELECT id AS upload_session_id FROM upload_sessions",
    refused={"not_found": "SELECT 'NOSUCH' AS upload_session_id"},
)
def delete_upload_session(world: World, upload_session_id: UploadSessionId) -> Deleted:
    """Delete an upload session.

    Args:
        upload_session_id: Identifier of the upload session.
    """
    read_upload_session(world, upload_session_id)
    world.run("DELETE FROM upload_sessions WHERE id = :upload_session_id", upload_session_id=upload_session_id)
    return {"deleted": upload_session_id}


if __name__ == "__main__":
    env.serve()
