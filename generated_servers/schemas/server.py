"""Apicurio Registry API [v2]: 39 tools over properties, loggers, role mappings, rules, groups, artifacts, versions,
metas, artifact owners, version metas.

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
Offset = Annotated[int, Field(ge=0, le=1_000_000)]
"""How many rows to skip."""
Level = Literal["DEBUG", "TRACE", "WARN", "ERROR", "SEVERE", "WARNING", "INFO", "CONFIG", "FINE", "FINER", "FINEST"]
Role = Literal["READ_ONLY", "DEVELOPER", "ADMIN"]
Type = Literal["VALIDITY", "COMPATIBILITY"]
PropertyName = Annotated[str, Ref("properties.name"), Field(max_length=200)]
LoggerName = Annotated[str, Ref("loggers.name"), Field(max_length=200)]
RoleMappingPrincipalId = Annotated[str, Ref("role_mappings.principal_id"), Field(max_length=200)]
RuleId = Annotated[str, Ref("rules.id"), Field(max_length=200)]
GroupId = Annotated[str, Ref("groups.id"), Field(max_length=200)]
ArtifactId = Annotated[str, Ref("artifacts.id"), Field(max_length=200)]
Version2 = Annotated[str, Ref("versions.version"), Field(max_length=200)]
MetaName = Annotated[str, Ref("metas.name"), Field(max_length=200)]

# ---------------------------------------------------------------- what the tools return


class ArtifactReference(TypedDict):
    artifactId: Line
    groupId: Line
    name: Line
    version: NotRequired[Line]


class Property(TypedDict):
    """A property."""

    name: PropertyName
    label: str
    description: str
    type: str
    value: str


class Properties(TypedDict):
    properties: list[Property]
    total: int
    next_offset: Offset | None


class Logger(TypedDict):
    """A logger."""

    name: LoggerName
    level: Level


class Loggers(TypedDict):
    loggers: list[Logger]
    total: int
    next_offset: Offset | None


class RoleMapping(TypedDict):
    """The mapping between a user/principal and their role."""

    principal_id: RoleMappingPrincipalId
    role: Role
    principal_name: str | None


class RoleMappings(TypedDict):
    role_mappings: list[RoleMapping]
    total: int
    next_offset: Offset | None


class Rule(TypedDict):
    """A rule."""

    id: RuleId
    config: str
    type: Type | None


class Group(TypedDict):
    """A group."""

    id: GroupId
    description: str | None
    created_on: str | None
    modified_on: str | None


class Groups(TypedDict):
    groups: list[Group]
    total: int
    next_offset: Offset | None


class Artifact(TypedDict):
    """Models a single artifact from the result set returned when searching for artifacts."""

    id: ArtifactId
    group_id: GroupId
    content: str
    references: list[ArtifactReference]
    created_on: str | None
    modified_on: str | None


class Artifacts(TypedDict):
    artifacts: list[Artifact]
    total: int
    next_offset: Offset | None


class Version(TypedDict):
    """Models a single artifact from the result set returned when searching for artifacts."""

    version: Version2
    artifact_id: ArtifactId
    references: list[ArtifactReference]
    content: str
    created_on: str | None


class Versions(TypedDict):
    versions: list[Version]
    total: int
    next_offset: Offset | None


class Meta(TypedDict):
    """A reference to a different artifact."""

    name: MetaName
    artifact_id: ArtifactId
    content: str
    references: list[ArtifactReference]


class Metas(TypedDict):
    metas: list[Meta]
    total: int
    next_offset: Offset | None


class ArtifactOwner(TypedDict):
    """Describes the ownership of an artifact."""

    artifact_id: ArtifactId
    owner: str


class VersionMeta(TypedDict):
    """A version meta."""

    version_id: Version2
    name: str
    description: str | None
    labels: list[Line] | None


class Deleted(TypedDict):
    deleted: str | int


# ---------------------------------------------------------------- what the tools share


def parsed(value: str | None) -> Any:
    """A stored JSON text as what it says."""
    return None if value is None else json.loads(value)


def packed(value: Any) -> str | None:
    """A list or object as JSON text, written the same way every time."""
    return None if value is None else json.dumps(value, sort_keys=True)


# ---------------------------------------------------------------- properties


def read_property(world: World, property_name: str, field: str = "property_name") -> Property:
    """The property with that property_name; refused where there is none."""
    row = world.one("SELECT * FROM properties WHERE name = ?", property_name)
    if row is None:
        raise ToolError("not_found", f"There is no property {property_name}.", field=field)
    return as_property(row)


def as_property(row: dict[str, Any]) -> Property:
    """A stored property as tools return it."""
    return cast(Property, row)


# Plays GET /admin/config/properties
@env.tool(candidates='SELECT 5 AS "limit"')
def list_properties(world: World, limit: Annotated[int, Field(ge=1, le=100)] = 20, offset: Offset = 0) -> Properties:
    """List properties, one page at a time; what is not given does not narrow the list.

    Args:
        limit: Most rows to return.
        offset: How many rows to skip.
    """
    rows = world.all("SELECT * FROM properties ORDER BY name")
    return {
        "properties": [as_property(row) for row in rows[offset : offset + limit]],
        "total": len(rows),
        "next_offset": offset + limit if offset + limit < len(rows) else None,
    }


# Plays GET /admin/config/properties/{propertyName}
@env.tool(
    candidates="SELECT name AS property_name FROM properties",
    refused={"not_found": "SELECT 'NOSUCH' AS property_name"},
)
def get_property(world: World, property_name: PropertyName) -> Property:
    """Return one property.

    Args:
        property_name: Name of the property.
    """
    return read_property(world, property_name)


# Plays PUT /admin/config/properties/{propertyName}
@env.tool(
    writes=["properties"],
    destructive=True,
    idempotent=True,
    candidates="SELECT name AS property_name, value FROM properties",
)
def replace_property(world: World, property_name: PropertyName, value: Line) -> Property:
    """Replace the fields of a property; what is not given is cleared.

    Args:
        property_name: Name of the property.
        value: Value of the property.
    """
    read_property(world, property_name)
    world.run(
        "UPDATE properties SET value = :value WHERE name = :property_name",
        value=value,
        property_name=property_name,
    )
    return read_property(world, property_name)


# Plays DELETE /admin/config/properties/{propertyName}
@env.tool(
    writes=["properties"],
    destructive=True,
    confirm=["property_name"],
    candidates="SELECT name AS property_name FROM properties",
    refused={"not_found": "SELECT 'NOSUCH' AS property_name"},
)
def delete_property(world: World, property_name: PropertyName) -> Deleted:
    """Delete a property.

    Args:
        property_name: Name of the property.
    """
    read_property(world, property_name)
    world.run("DELETE FROM properties WHERE name = :property_name", property_name=property_name)
    return {"deleted": property_name}


# ---------------------------------------------------------------- loggers


def read_logger(world: World, logger_name: str, field: str = "logger_name") -> Logger:
    """The logger with that logger_name; refused where there is none."""
    row = world.one("SELECT * FROM loggers WHERE name = ?", logger_name)
    if row is None:
        raise ToolError("not_found", f"There is no logger {logger_name}.", field=field)
    return as_logger(row)


def as_logger(row: dict[str, Any]) -> Logger:
    """A stored logger as tools return it."""
    return cast(Logger, row)


# Plays GET /admin/loggers
@env.tool(candidates="SELECT DISTINCT level FROM loggers WHERE level IS NOT NULL")
def list_loggers(
    world: World,
    level: Level | None = None,
    limit: Annotated[int, Field(ge=1, le=100)] = 20,
    offset: Offset = 0,
) -> Loggers:
    """List loggers, one page at a time; what is not given does not narrow the list.

    Args:
        level: Only loggers with this level.
        limit: Most rows to return.
        offset: How many rows to skip.
    """
    rows = world.all("SELECT * FROM loggers WHERE (:level IS NULL OR level = :level) ORDER BY name", level=level)
    return {
        "loggers": [as_logger(row) for row in rows[offset : offset + limit]],
        "total": len(rows),
        "next_offset": offset + limit if offset + limit < len(rows) else None,
    }


# Plays GET /admin/loggers/{logger}
@env.tool(candidates="SELECT name AS logger_name FROM loggers", refused={"not_found": "SELECT 'NOSUCH' AS logger_name"})
def get_logger(world: World, logger_name: LoggerName) -> Logger:
    """Return one logger.

    Args:
        logger_name: Name of the logger.
    """
    return read_logger(world, logger_name)


# Plays PUT /admin/loggers/{logger}
@env.tool(
    writes=["loggers"],
    destructive=True,
    idempotent=True,
    candidates="SELECT name AS logger_name, level FROM loggers",
)
def replace_logger(world: World, logger_name: LoggerName, level: Level) -> Logger:
    """Replace the fields of a logger; what is not given is cleared.

    Args:
        logger_name: Name of the logger.
        level: Level of the logger.
    """
    read_logger(world, logger_name)
    world.run("UPDATE loggers SET level = :level WHERE name = :logger_name", level=level, logger_name=logger_name)
    return read_logger(world, logger_name)


# Plays DELETE /admin/loggers/{logger}
@env.tool(
    writes=["loggers"],
    destructive=True,
    confirm=["logger_name"],
    candidates="SELECT name AS logger_name FROM loggers",
    refused={"not_found": "SELECT 'NOSUCH' AS logger_name"},
)
def delete_logger(world: World, logger_name: LoggerName) -> Deleted:
    """Delete a logger.

    Args:
        logger_name: Name of the logger.
    """
    read_logger(world, logger_name)
    world.run("DELETE FROM loggers WHERE name = :logger_name", logger_name=logger_name)
    return {"deleted": logger_name}


# ---------------------------------------------------------------- role mappings


def read_role_mapping(world: World, principal_id: str, field: str = "principal_id") -> RoleMapping:
    """The role mapping with that principal_id; refused where there is none."""
    row = world.one("SELECT * FROM role_mappings WHERE principal_id = ?", principal_id)
    if row is None:
        raise ToolError("not_found", f"There is no role mapping {principal_id}.", field=field)
    return as_role_mapping(row)


def as_role_mapping(row: dict[str, Any]) -> RoleMapping:
    """A stored role mapping as tools return it."""
    return cast(RoleMapping, row)


# Plays GET /admin/roleMappings
@env.tool(candidates="SELECT DISTINCT role FROM role_mappings WHERE role IS NOT NULL")
def list_role_mappings(
    world: World,
    role: Role | None = None,
    limit: Annotated[int, Field(ge=1, le=100)] = 20,
    offset: Offset = 0,
) -> RoleMappings:
    """List role mappings, one page at a time; what is not given does not narrow the list.

    Args:
        role: Only role mappings with this role.
        limit: Most rows to return.
        offset: How many rows to skip.
    """
    rows = world.all(
        "SELECT * FROM role_mappings WHERE (:role IS NULL OR role = :role) ORDER BY principal_id",
        role=role,
    )
    return {
        "role_mappings": [as_role_mapping(row) for row in rows[offset : offset + limit]],
        "total": len(rows),
        "next_offset": offset + limit if offset + limit < len(rows) else None,
    }


# Plays GET /admin/roleMappings/{principalId}
@env.tool(candidates="SELECT principal_id FROM role_mappings", refused={"not_found": "SELECT 'NOSUCH' AS principal_id"})
def get_role_mapping(world: World, principal_id: RoleMappingPrincipalId) -> RoleMapping:
    """Return one role mapping.

    Args:
        principal_id: Principal id of the role mapping.
    """
    return read_role_mapping(world, principal_id)


# Plays POST /admin/roleMappings
@env.tool(
    writes=["role_mappings"],
    candidates="SELECT 'new-' || principal_id AS principal_id, role FROM role_mappings",
    refused={"unique-role-mapping-principal-id": "SELECT principal_id, role FROM role_mappings"},
)
def create_role_mapping(
    world: World,
    principal_id: Line,
    role: Role,
    principal_name: Line | None = None,
) -> RoleMapping:
    """Create a role mapping.

    Args:
        principal_id: Identifier of the role mapping.
        role: Role of the role mapping.
        principal_name: A friendly name for the principal.
    """
    if world.value("SELECT 1 FROM role_mappings WHERE principal_id = ?", principal_id):
        raise ToolError(
            "conflict",
            f"There is already a role mapping with the principal ID {principal_id}.",
            field="principal_id",
            reason="unique-role-mapping-principal-id",
        )
    world.run(
        "INSERT INTO role_mappings (principal_id, role, principal_name) VALUES (:principal_id, :role, :principal_name)",
        principal_id=principal_id,
        role=role,
        principal_name=principal_name,
    )
    return read_role_mapping(world, principal_id)


# Plays PUT /admin/roleMappings/{principalId}
@env.tool(
    writes=["role_mappings"],
    destructive=True,
    idempotent=True,
    candidates="SELECT principal_id, role FROM role_mappings",
)
def replace_role_mapping(world: World, principal_id: RoleMappingPrincipalId, role: Role) -> RoleMapping:
    """Replace the fields of a role mapping; what is not given is cleared.

    Args:
        principal_id: Principal id of the role mapping.
        role: Role of the role mapping.
    """
    read_role_mapping(world, principal_id)
    world.run(
        "UPDATE role_mappings SET role = :role WHERE principal_id = :principal_id",
        role=role,
        principal_id=principal_id,
    )
    return read_role_mapping(world, principal_id)


# Plays DELETE /admin/roleMappings/{principalId}
@env.tool(
    writes=["role_mappings"],
    destructive=True,
    confirm=["principal_id"],
    candidates="SELECT principal_id FROM role_mappings",
    refused={"not_found": "SELECT 'NOSUCH' AS principal_id"},
)
def delete_role_mapping(world: World, principal_id: RoleMappingPrincipalId) -> Deleted:
    """Delete a role mapping.

    Args:
        principal_id: Principal id of the role mapping.
    """
    read_role_mapping(world, principal_id)
    world.run("DELETE FROM role_mappings WHERE principal_id = :principal_id", principal_id=principal_id)
    return {"deleted": principal_id}


# ---------------------------------------------------------------- rules


def read_rule(world: World, rule_id: str, field: str = "rule_id") -> Rule:
    """The rule with that rule_id; refused where there is none."""
    row = world.one("SELECT * FROM rules WHERE id = ?", rule_id)
    if row is None:
        raise ToolError("not_found", f"There is no rule {rule_id}.", field=field)
    return as_rule(row)


def as_rule(row: dict[str, Any]) -> Rule:
    """A stored rule as tools return it."""
    return cast(Rule, row)


# Plays GET /admin/rules/{rule}
@env.tool(candidates="SELECT id AS rule_id FROM rules", refused={"not_found": "SELECT 'NOSUCH' AS rule_id"})
def get_rule(world: World, rule_id: RuleId) -> Rule:
    """Return one rule.

    Args:
        rule_id: Identifier of the rule.
    """
    return read_rule(world, rule_id)


# Plays POST /admin/rules
@env.tool(writes=["rules"], candidates="SELECT config FROM rules")
def create_rule(world: World, config: Line, type: Type | None = None) -> Rule:
    """Create a rule.

    Args:
        config: Config of the rule.
        type: Type of the rule.
    """
    rule_id = world.new_code("rules.id")
    world.run("INSERT INTO rules (id, config, type) VALUES (:id, :config, :type)", id=rule_id, config=config, type=type)
    return read_rule(world, rule_id)


# Plays PUT /admin/rules/{rule}
@env.tool(writes=["rules"], destructive=True, idempotent=True, candidates="SELECT id AS rule_id, config FROM rules")
def replace_rule(world: World, rule_id: RuleId, config: Line, type: Type | None = None) -> Rule:
    """Replace the fields of a rule; what is not given is cleared.

    Args:
        rule_id: Identifier of the rule.
        config: Config of the rule.
        type: Type of the rule.
    """
    read_rule(world, rule_id)
    world.run(
        "UPDATE rules SET config = :config, type = :type WHERE id = :rule_id",
        config=config,
        type=type,
        rule_id=rule_id,
    )
    return read_rule(world, rule_id)


# Plays DELETE /admin/rules/{rule}
@env.tool(
    writes=["rules"],
    destructive=True,
    confirm=["rule_id"],
    candidates="SELECT id AS rule_id FROM rules",
    refused={"not_found": "SELECT 'NOSUCH' AS rule_id"},
)
def delete_rule(world: World, rule_id: RuleId) -> Deleted:
    """Delete a rule.

    Args:
        rule_id: Identifier of the rule.
    """
    read_rule(world, rule_id)
    world.run("DELETE FROM rules WHERE id = :rule_id", rule_id=rule_id)
    return {"deleted": rule_id}


# ---------------------------------------------------------------- groups


def read_group(world: World, group_id: str, field: str = "group_id") -> Group:
    """The group with that group_id; refused where there is none."""
    row = world.one("SELECT * FROM groups WHERE id = ?", group_id)
    if row is None:
        raise ToolError("not_found", f"There is no group {group_id}.", field=field)
    return as_group(row)


def as_group(row: dict[str, Any]) -> Group:
    """A stored group as tools return it."""
    return cast(Group, row)


# Plays GET /groups
@env.tool(candidates='SELECT 5 AS "limit"')
def list_groups(world: World, limit: Annotated[int, Field(ge=1, le=100)] = 20, offset: Offset = 0) -> Groups:
    """List groups, one page at a time; what is not given does not narrow the list.

    Args:
        limit: Most rows to return.
        offset: How many rows to skip.
    """
    rows = world.all("SELECT * FROM groups ORDER BY id")
    return {
        "groups": [as_group(row) for row in rows[offset : offset + limit]],
        "total": len(rows),
        "next_offset": offset + limit if offset + limit < len(rows) else None,
    }


# Plays GET /groups/{groupId}
@env.tool(candidates="SELECT id AS group_id FROM groups", refused={"not_found": "SELECT 'NOSUCH' AS group_id"})
def get_group(world: World, group_id: GroupId) -> Group:
    """Return one group.

    Args:
        group_id: Identifier of the group.
    """
    return read_group(world, group_id)


# Plays POST /groups
@env.tool(
    writes=["groups"],
    candidates="SELECT 'new-' || id AS group_id FROM groups",
    refused={"unique-group-id": "SELECT id AS group_id FROM groups"},
)
def create_group(world: World, group_id: Line, description: Prose | None = None) -> Group:
    """Create a group.

    Args:
        group_id: Identifier of the group.
        description: Description of the group.
    """
    if world.value("SELECT 1 FROM groups WHERE id = ?", group_id):
        raise ToolError(
            "conflict",
            f"There is already a group with the group ID {group_id}.",
            field="group_id",
            reason="unique-group-id",
        )
    world.run(
        """
        INSERT INTO groups (id, description, created_on, modified_on)
        VALUES (:id, :description, :created_on, :modified_on)
        """,
        id=group_id,
        description=description,
        created_on=world.now,
        modified_on=world.now,
    )
    return read_group(world, group_id)


# Plays DELETE /groups/{groupId}
@env.tool(
    writes=["groups", "artifacts", "versions", "version_metas", "metas", "artifact_owners"],
    destructive=True,
    confirm=["group_id"],
    candidates="SELECT id AS group_id FROM groups",
    refused={"not_found": "SELECT 'NOSUCH' AS group_id"},
)
def delete_group(world: World, group_id: GroupId) -> Deleted:
    """Delete a group, with its artifacts, versions, version metas, metas and artifact owners.

    Args:
        group_id: Identifier of the group.
    """
    read_group(world, group_id)
    world.run(
        """
        DELETE FROM artifact_owners WHERE artifact_id IN (SELECT id FROM artifacts WHERE group_id = :key)
        """,
        key=group_id,
    )
    world.run("DELETE FROM metas WHERE artifact_id IN (SELECT id FROM artifacts WHERE group_id = :key)", key=group_id)
    world.run(
        """
        DELETE FROM version_metas WHERE version_id IN (SELECT version FROM versions WHERE artifact_id
            IN (SELECT id FROM artifacts WHERE group_id = :key))
        """,
        key=group_id,
    )
    world.run(
        "DELETE FROM versions WHERE artifact_id IN (SELECT id FROM artifacts WHERE group_id = :key)",
        key=group_id,
    )
    world.run("DELETE FROM artifacts WHERE group_id = :key", key=group_id)
    world.run("DELETE FROM groups WHERE id = :group_id", group_id=group_id)
    return {"deleted": group_id}


# ---------------------------------------------------------------- artifacts


def read_artifact(
    world: World,
    artifact_id: str,
    field: str = "artifact_id",
    *,
    group_id: str | None = None,
) -> Artifact:
    """The artifact with that artifact_id, in that group_id if given; refused where there is none."""
    row = world.one(
        "SELECT * FROM artifacts WHERE id = :key AND (:parent IS NULL OR group_id = :parent)",
        key=artifact_id,
        parent=group_id,
    )
    if row is None:
        raise ToolError("not_found", f"There is no artifact {artifact_id}.", field=field)
    return as_artifact(row)


def as_artifact(row: dict[str, Any]) -> Artifact:
    """A stored artifact as tools return it."""
    converted = {"references": parsed(row["references"])}
    return cast(Artifact, row | converted)


# Plays GET /groups/{groupId}/artifacts
@env.tool(candidates="SELECT id AS group_id FROM groups")
def list_artifacts(
    world: World,
    group_id: GroupId,
    limit: Annotated[int, Field(ge=1, le=60)] = 20,
    offset: Offset = 0,
) -> Artifacts:
    """List artifacts, one page at a time; what is not given does not narrow the list.

    Args:
        group_id: The group whose artifacts to list.
        limit: Most rows to return.
        offset: How many rows to skip.
    """
    read_group(world, group_id)
    rows = world.all("SELECT * FROM artifacts WHERE group_id = :group_id ORDER BY id", group_id=group_id)
    return {
        "artifacts": [as_artifact(row) for row in rows[offset : offset + limit]],
        "total": len(rows),
        "next_offset": offset + limit if offset + limit < len(rows) else None,
    }


# Plays GET /groups/{groupId}/artifacts/{artifactId}
@env.tool(
    candidates="SELECT group_id, id AS artifact_id FROM artifacts",
    refused={"not_found": "SELECT id AS group_id, 'NOSUCH' AS artifact_id FROM groups"},
)
def get_artifact(world: World, group_id: GroupId, artifact_id: ArtifactId) -> Artifact:
    """Return one artifact.

    Args:
        group_id: The group it belongs to.
        artifact_id: Identifier of the artifact.
    """
    read_group(world, group_id)
    return read_artifact(world, artifact_id, group_id=group_id)


# Plays POST /groups/{groupId}/artifacts
@env.tool(writes=["artifacts"], candidates='SELECT group_id, content, "references" FROM artifacts')
def create_artifact(world: World, group_id: GroupId, content: Prose, references: list[ArtifactReference]) -> Artifact:
    """Create an artifact.

    Args:
        group_id: The group it will belong to.
        content: Raw content of the artifact or a valid (and accessible) URL where the content can be found.
        references: Collection of references to other artifacts.
    """
    read_group(world, group_id)
    artifact_id = world.new_code("artifacts.id")
    world.run(
        """
        INSERT INTO artifacts (id, group_id, content, "references", created_on, modified_on)
        VALUES (:id, :group_id, :content, :references, :created_on, :modified_on)
        """,
        id=artifact_id,
        group_id=group_id,
        content=content,
        references=packed(references),
        created_on=world.now,
        modified_on=world.now,
    )
    return read_artifact(world, artifact_id)


# Plays PUT /groups/{groupId}/artifacts/{artifactId}
@env.tool(
    writes=["artifacts"],
    destructive=True,
    idempotent=True,
    candidates='SELECT group_id, id AS artifact_id, content, "references" FROM artifacts',
)
def replace_artifact(
    world: World,
    group_id: GroupId,
    artifact_id: ArtifactId,
    content: Prose,
    references: list[ArtifactReference],
) -> Artifact:
    """Replace the fields of an artifact; what is not given is cleared.

    Args:
        group_id: The group it belongs to.
        artifact_id: Identifier of the artifact.
        content: Raw content of the artifact or a valid (and accessible) URL where the content can be found.
        references: Collection of references to other artifacts.
    """
    read_group(world, group_id)
    read_artifact(world, artifact_id, group_id=group_id)
    world.run(
        """
        UPDATE artifacts
        SET content = :content, "references" = :references, modified_on = :now
        WHERE id = :artifact_id
        """,
        content=content,
        references=packed(references),
        now=world.now,
        artifact_id=artifact_id,
    )
    return read_artifact(world, artifact_id)


# Plays DELETE /groups/{groupId}/artifacts/{artifactId}
@env.tool(
    writes=["artifacts", "versions", "version_metas", "metas", "artifact_owners"],
    destructive=True,
    confirm=["artifact_id"],
    candidates="SELECT group_id, id AS artifact_id FROM artifacts",
    refused={"not_found": "SELECT id AS group_id, 'NOSUCH' AS artifact_id FROM groups"},
)
def delete_artifact(world: World, group_id: GroupId, artifact_id: ArtifactId) -> Deleted:
    """Delete an artifact, with its versions, version metas, metas and artifact owners.

    Args:
        group_id: The group it belongs to.
        artifact_id: Identifier of the artifact.
    """
    read_group(world, group_id)
    read_artifact(world, artifact_id, group_id=group_id)
    world.run("DELETE FROM artifact_owners WHERE artifact_id = :key", key=artifact_id)
    world.run("DELETE FROM metas WHERE artifact_id = :key", key=artifact_id)
    world.run(
        """
        DELETE FROM version_metas WHERE version_id IN (SELECT version FROM versions WHERE artifact_id = :key)
        """,
        key=artifact_id,
    )
    world.run("DELETE FROM versions WHERE artifact_id = :key", key=artifact_id)
    world.run("DELETE FROM artifacts WHERE id = :artifact_id", artifact_id=artifact_id)
    return {"deleted": artifact_id}


# ---------------------------------------------------------------- versions


def read_version(world: World, version: str, field: str = "version", *, artifact_id: str | None = None) -> Version:
    """The version with that version, in that artifact_id if given; refused where there is none."""
    row = world.one(
        "SELECT * FROM versions WHERE version = :key AND (:parent IS NULL OR artifact_id = :parent)",
        key=version,
        parent=artifact_id,
    )
    if row is None:
        raise ToolError("not_found", f"There is no version {version}.", field=field)
    return as_version(row)


def as_version(row: dict[str, Any]) -> Version:
    """A stored version as tools return it."""
    converted = {"references": parsed(row["references"])}
    return cast(Version, row | converted)


# Plays GET /groups/{groupId}/artifacts/{artifactId}/versions
@env.tool(candidates="SELECT id AS artifact_id FROM artifacts")
def list_versions(
    world: World,
    artifact_id: ArtifactId,
    limit: Annotated[int, Field(ge=1, le=70)] = 20,
    offset: Offset = 0,
) -> Versions:
    """List versions, one page at a time; what is not given does not narrow the list.

    Args:
        artifact_id: The artifact whose versions to list.
        limit: Most rows to return.
        offset: How many rows to skip.
    """
    read_artifact(world, artifact_id)
    rows = world.all(
        "SELECT * FROM versions WHERE artifact_id = :artifact_id ORDER BY version",
        artifact_id=artifact_id,
    )
    return {
        "versions": [as_version(row) for row in rows[offset : offset + limit]],
        "total": len(rows),
        "next_offset": offset + limit if offset + limit < len(rows) else None,
    }


# Plays GET /groups/{groupId}/artifacts/{artifactId}/versions/{version}
@env.tool(
    candidates="SELECT artifact_id, version FROM versions",
    refused={"not_found": "SELECT id AS artifact_id, 'NOSUCH' AS version FROM artifacts"},
)
def get_version(world: World, artifact_id: ArtifactId, version: Version2) -> Version:
    """Return one version.

    Args:
        artifact_id: The artifact it belongs to.
        version: Version of the version.
    """
    read_artifact(world, artifact_id)
    return read_version(world, version, artifact_id=artifact_id)


# Plays POST /groups/{groupId}/artifacts/{artifactId}/versions
@env.tool(writes=["versions"], candidates='SELECT artifact_id, "references", content FROM versions')
def create_version(
    world: World,
    artifact_id: ArtifactId,
    references: list[ArtifactReference],
    content: Prose,
) -> Version:
    """Create a version.

    Args:
        artifact_id: The artifact it will belong to.
        references: References of the version.
        content: Raw content of the artifact or a valid (and accessible) URL where the content can be found.
    """
    read_artifact(world, artifact_id)
    version = world.new_code("versions.version")
    world.run(
        """
        INSERT INTO versions (version, artifact_id, "references", content, created_on)
        VALUES (:version, :artifact_id, :references, :content, :created_on)
        """,
        version=version,
        artifact_id=artifact_id,
        references=packed(references),
        content=content,
        created_on=world.now,
    )
    return read_version(world, version)


# Plays DELETE /groups/{groupId}/artifacts/{artifactId}/versions/{version}
@env.tool(
    writes=["versions", "version_metas"],
    destructive=True,
    confirm=["version"],
    candidates="SELECT artifact_id, version FROM versions",
    refused={"not_found": "SELECT id AS artifact_id, 'NOSUCH' AS version FROM artifacts"},
)
def delete_version(world: World, artifact_id: ArtifactId, version: Version2) -> Deleted:
    """Delete a version, with its version metas.

    Args:
        artifact_id: The artifact it belongs to.
        version: Version of the version.
    """
    read_artifact(world, artifact_id)
    read_version(world, version, artifact_id=artifact_id)
    world.run("DELETE FROM version_metas WHERE version_id = :key", key=version)
    world.run("DELETE FROM versions WHERE version = :version", version=version)
    return {"deleted": version}


# ---------------------------------------------------------------- metas


def as_meta(row: dict[str, Any]) -> Meta:
    """A stored meta as tools return it."""
    converted = {"references": parsed(row["references"])}
    return cast(Meta, row | converted)


# Plays GET /groups/{groupId}/artifacts/{artifactId}/meta
@env.tool(candidates="SELECT id AS artifact_id FROM artifacts")
def list_metas(
    world: World,
    artifact_id: ArtifactId,
    limit: Annotated[int, Field(ge=1, le=80)] = 20,
    offset: Offset = 0,
) -> Metas:
    """List metas, one page at a time; what is not given does not narrow the list.

    Args:
        artifact_id: The artifact whose metas to list.
        limit: Most rows to return.
        offset: How many rows to skip.
    """
    read_artifact(world, artifact_id)
    rows = world.all("SELECT * FROM metas WHERE artifact_id = :artifact_id ORDER BY name", artifact_id=artifact_id)
    return {
        "metas": [as_meta(row) for row in rows[offset : offset + limit]],
        "total": len(rows),
        "next_offset": offset + limit if offset + limit < len(rows) else None,
    }


# Plays POST /groups/{groupId}/artifacts/{artifactId}/meta
@env.tool(writes=["metas"], candidates='SELECT artifact_id, content, "references" FROM metas')
def create_meta(world: World, artifact_id: ArtifactId, content: Prose, references: list[ArtifactReference]) -> Meta:
    """Create a meta.

    Args:
        artifact_id: The artifact it will belong to.
        content: Raw content of the artifact or a valid (and accessible) URL where the content can be found.
        references: Collection of references to other artifacts.
    """
    read_artifact(world, artifact_id)
    meta_name = world.new_code("metas.name")
    world.run(
        """
        INSERT INTO metas (name, artifact_id, content, "references")
        VALUES (:name, :artifact_id, :content, :references)
        """,
        name=meta_name,
        artifact_id=artifact_id,
        content=content,
        references=packed(references),
    )
    return as_meta(world.all("SELECT * FROM metas WHERE name = ?", meta_name)[0])


# ---------------------------------------------------------------- artifact owners


def read_artifact_owner(world: World, artifact_id: str, field: str = "artifact_id") -> ArtifactOwner:
    """The artifact owner with that artifact_id; refused where there is none."""
    row = world.one("SELECT * FROM artifact_owners WHERE artifact_id = ?", artifact_id)
    if row is None:
        raise ToolError("not_found", f"There is no artifact owner {artifact_id}.", field=field)
    return as_artifact_owner(row)


def as_artifact_owner(row: dict[str, Any]) -> ArtifactOwner:
    """A stored artifact owner as tools return it."""
    return cast(ArtifactOwner, row)


# Plays GET /groups/{groupId}/artifacts/{artifactId}/owner
@env.tool(candidates="SELECT artifact_id FROM artifact_owners", refused={"not_found": "SELECT 'NOSUCH' AS artifact_id"})
def get_artifact_owner(world: World, artifact_id: ArtifactId) -> ArtifactOwner:
    """Return one artifact owner.

    Args:
        artifact_id: Artifact id of the artifact owner.
    """
    return read_artifact_owner(world, artifact_id)


# Plays PUT /groups/{groupId}/artifacts/{artifactId}/owner
@env.tool(
    writes=["artifact_owners"],
    refused={"unique-artifact-owner-artifact-id": "SELECT artifact_id, owner FROM artifact_owners"},
)
def create_artifact_owner(world: World, artifact_id: ArtifactId, owner: Line) -> ArtifactOwner:
    """Create an artifact owner for an existing artifact.

    Args:
        artifact_id: The artifact it belongs to.
        owner: Owner of the artifact owner.
    """
    read_artifact(world, artifact_id)
    if world.value("SELECT 1 FROM artifact_owners WHERE artifact_id = ?", artifact_id):
        raise ToolError(
            "conflict",
            f"There is already an artifact owner with the artifact ID {artifact_id}.",
            field="artifact_id",
            reason="unique-artifact-owner-artifact-id",
        )
    world.run(
        "INSERT INTO artifact_owners (artifact_id, owner) VALUES (:artifact_id, :owner)",
        artifact_id=artifact_id,
        owner=owner,
    )
    return read_artifact_owner(world, artifact_id)


# Plays PUT /groups/{groupId}/artifacts/{artifactId}/owner
@env.tool(
    writes=["artifact_owners"],
    destructive=True,
    idempotent=True,
    candidates="SELECT artifact_id, owner FROM artifact_owners",
)
def replace_artifact_owner(world: World, artifact_id: ArtifactId, owner: Line) -> ArtifactOwner:
    """Replace the fields of an artifact owner; what is not given is cleared.

    Args:
        artifact_id: Artifact id of the artifact owner.
        owner: Owner of the artifact owner.
    """
    read_artifact_owner(world, artifact_id)
    world.run(
        "UPDATE artifact_owners SET owner = :owner WHERE artifact_id = :artifact_id",
        owner=owner,
        artifact_id=artifact_id,
    )
    return read_artifact_owner(world, artifact_id)


# ---------------------------------------------------------------- version metas


def read_version_meta(world: World, version_id: str, field: str = "version_id") -> VersionMeta:
    """The version meta with that version_id; refused where there is none."""
    row = world.one("SELECT * FROM version_metas WHERE version_id = ?", version_id)
    if row is None:
        raise ToolError("not_found", f"There is no version meta {version_id}.", field=field)
    return as_version_meta(row)


def as_version_meta(row: dict[str, Any]) -> VersionMeta:
    """A stored version meta as tools return it."""
    converted = {"labels": parsed(row["labels"])}
    return cast(VersionMeta, row | converted)


# Plays GET /groups/{groupId}/artifacts/{artifactId}/versions/{version}/meta
@env.tool(candidates="SELECT version_id FROM version_metas", refused={"not_found": "SELECT 'NOSUCH' AS version_id"})
def get_version_meta(world: World, version_id: Version2) -> VersionMeta:
    """Return one version meta.

    Args:
        version_id: Version id of the version meta.
    """
    return read_version_meta(world, version_id)


# Plays PUT /groups/{groupId}/artifacts/{artifactId}/versions/{version}/meta
@env.tool(
    writes=["version_metas"],
    refused={"unique-version-meta-version-id": "SELECT version_id, name FROM version_metas"},
)
def create_version_meta(
    world: World,
    version_id: Version2,
    name: Line,
    description: Prose | None = None,
    labels: list[Line] | None = None,
) -> VersionMeta:
    """Create a version meta for an existing version.

    Args:
        version_id: The version it belongs to.
        name: Name of the version meta.
        description: Description of the version meta.
        labels: Labels of the version meta.
    """
    read_version(world, version_id, "version_id")
    if world.value("SELECT 1 FROM version_metas WHERE version_id = ?", version_id):
        raise ToolError(
            "conflict",
            f"There is already a version meta with the version ID {version_id}.",
            field="version_id",
            reason="unique-version-meta-version-id",
        )
    world.run(
        """
        INSERT INTO version_metas (version_id, name, description, labels)
        VALUES (:version_id, :name, :description, :labels)
        """,
        version_id=version_id,
        name=name,
        description=description,
        labels=packed(labels),
    )
    return read_version_meta(world, version_id)


# Plays PUT /groups/{groupId}/artifacts/{artifactId}/versions/{version}/meta
@env.tool(
    writes=["version_metas"],
    destructive=True,
    idempotent=True,
    candidates="SELECT version_id, name FROM version_metas",
)
def replace_version_meta(
    world: World,
    version_id: Version2,
    name: Line,
    description: Prose | None = None,
    labels: list[Line] | None = None,
) -> VersionMeta:
    """Replace the fields of a version meta; what is not given is cleared.

    Args:
        version_id: Version id of the version meta.
        name: Name of the version meta.
        description: Description of the version meta.
        labels: Labels of the version meta.
    """
    read_version_meta(world, version_id)
    world.run(
        """
        UPDATE version_metas
        SET name = :name, description = :description, labels = :labels
        WHERE version_id = :version_id
        """,
        name=name,
        description=description,
        labels=packed(labels),
        version_id=version_id,
    )
    return read_version_meta(world, version_id)


# Plays DELETE /groups/{groupId}/artifacts/{artifactId}/versions/{version}/meta
@env.tool(
    writes=["version_metas"],
    destructive=True,
    confirm=["version_id"],
    candidates="SELECT version_id FROM version_metas",
    refused={"not_found": "SELECT 'NOSUCH' AS version_id"},
)
def delete_version_meta(world: World, version_id: Version2) -> Deleted:
    """Delete a version meta.

    Args:
        version_id: Version id of the version meta.
    """
    read_version_meta(world, version_id)
    world.run("DELETE FROM version_metas WHERE version_id = :version_id", version_id=version_id)
    return {"deleted": version_id}


if __name__ == "__main__":
    env.serve()
