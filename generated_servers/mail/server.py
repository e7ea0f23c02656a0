"""Mailscript: 28 tools over actions, addresses, domains, integrations, triggers, workflows, verifications, workspaces,
keys.

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
Offset = Annotated[int, Field(ge=0, le=1_000_000)]
"""How many rows to skip."""
IntegrationType = Literal["google"]
VerificationType = Literal["email"]
ActionId = Annotated[str, Ref("actions.id"), Field(max_length=200)]
Address2 = Annotated[str, Ref("addresses.address"), Field(max_length=200)]
Domain2 = Annotated[str, Ref("domains.domain"), Field(max_length=200)]
IntegrationId = Annotated[str, Ref("integrations.id"), Field(max_length=200)]
TriggerId = Annotated[str, Ref("triggers.id"), Field(max_length=200)]
WorkflowId = Annotated[str, Ref("workflows.id"), Field(max_length=200)]
VerificationId = Annotated[str, Ref("verifications.id"), Field(max_length=200)]
WorkspaceId = Annotated[str, Ref("workspaces.id"), Field(max_length=200)]
KeyId = Annotated[str, Ref("keys.id"), Field(max_length=200)]

# ---------------------------------------------------------------- what the tools return


Criteria = TypedDict(
    "Criteria",
    {
        "domain": NotRequired[Line],
        "from": NotRequired[Line],
        "hasAttachments": NotRequired[bool],
        "hasTheWords": NotRequired[Line],
        "sentTo": NotRequired[Line],
        "subjectContains": NotRequired[Line],
    },
)


class Action(TypedDict):
    """An action."""

    id: ActionId
    name: str
    config_text: str | None
    list: list[Line] | None
    created_at: str | None


class Actions(TypedDict):
    actions: list[Action]
    total: int
    next_offset: Offset | None


class Address(TypedDict):
    """An address."""

    address: Address2
    created_at: str | None


class Addresses(TypedDict):
    addresses: list[Address]
    total: int
    next_offset: Offset | None


class Domain(TypedDict):
    """A domain."""

    domain: Domain2


class Integration(TypedDict):
    """An integration."""

    id: IntegrationId
    type: IntegrationType
    created_at: str


class Integrations(TypedDict):
    integrations: list[Integration]
    total: int
    next_offset: Offset | None


class Trigger(TypedDict):
    """A trigger."""

    id: TriggerId
    name: str
    criteria: Criteria
    created_at: str | None


class Triggers(TypedDict):
    triggers: list[Trigger]
    total: int
    next_offset: Offset | None


class Workflow(TypedDict):
    """A workflow."""

    id: WorkflowId
    name: str
    action: str
    input: str
    active: bool | None
    trigger: str | None
    created_at: str | None


class Workflows(TypedDict):
    workflows: list[Workflow]
    total: int
    next_offset: Offset | None


class Verification(TypedDict):
    """A verification."""

    id: VerificationId
    email: str
    type: VerificationType | None
    sms: str | None


class Verifications(TypedDict):
    verifications: list[Verification]
    total: int
    next_offset: Offset | None


class Workspace(TypedDict):
    """A workspace."""

    id: WorkspaceId
    workspace: str
    created_at: str | None


class Workspaces(TypedDict):
    workspaces: list[Workspace]
    total: int
    next_offset: Offset | None


class Key(TypedDict):
    """A key."""

    id: KeyId
    address_id: Address2
    name: str
    read: bool
    write: bool
    created_at: str | None


class Keys(TypedDict):
    keys: list[Key]
    total: int
    next_offset: Offset | None


class Deleted(TypedDict):
    deleted: str | int


# ---------------------------------------------------------------- what the tools share


def flag(value: int | None) -> bool | None:
    """A stored 0 or 1 as a truth value."""
    return None if value is None else bool(value)


def parsed(value: str | None) -> Any:
    """A stored JSON text as what it says."""
    return None if value is None else json.loads(value)


def packed(value: Any) -> str | None:
    """A list or object as JSON text, written the same way every time."""
    return None if value is None else json.dumps(value, sort_keys=True)


# ---------------------------------------------------------------- actions


def read_action(world: World, action_id: str, field: str = "action_id") -> Action:
    """The action with that action_id; refused where there is none."""
    row = world.one("SELECT * FROM actions WHERE id = ?", action_id)
    if row is None:
        raise ToolError("not_found", f"There is no action {action_id}.", field=field)
    return as_action(row)


def as_action(row: dict[str, Any]) -> Action:
    """A stored action as tools return it."""
    converted = {"list": parsed(row["list"])}
    return cast(Action, row | converted)


# Plays GET /actions
@env.tool(candidates='SELECT 5 AS "limit"')
def list_actions(world: World, limit: Annotated[int, Field(ge=1, le=100)] = 20, offset: Offset = 0) -> Actions:
    """List actions, one page at a time; what is not given does not narrow the list.

    Args:
        limit: Most rows to return.
        offset: How many rows to skip.
    """
    rows = world.all("SELECT * FROM actions ORDER BY id")
    return {
        "actions": [as_action(row) for row in rows[offset : offset + limit]],
        "total": len(rows),
        "next_offset": offset + limit if offset + limit < len(rows) else None,
    }


# Plays POST /actions
@env.tool(writes=["actions"], candidates="SELECT name FROM actions")
def create_action(world: World, name: Line, config_text: Line | None = None, list: list[Line] | None = None) -> Action:
    """Create an action.

    Args:
        name: Name of the action.
        config_text: Config text of the action.
        list: List of the action.
    """
    action_id = world.new_code("actions.id")
    world.run(
        """
        INSERT INTO actions (id, name, config_text, list, created_at)
        VALUES (:id, :name, :config_text, :list, :created_at)
        """,
        id=action_id,
        name=name,
        config_text=config_text,
        list=packed(list),
        created_at=world.now,
    )
    return read_action(world, action_id)


# Plays PUT /actions/{action}
@env.tool(writes=["actions"], destructive=True, idempotent=True, candidates="SELECT id AS action_id, name FROM actions")
def replace_action(
    world: World,
    action_id: ActionId,
    name: Line,
    config_text: Line | None = None,
    list: list[Line] | None = None,
) -> Action:
    """Replace the fields of an action; what is not given is cleared.

    Args:
        action_id: Identifier of the action.
        name: Name of the action.
        config_text: Config text of the action.
        list: List of the action.
    """
    read_action(world, action_id)
    world.run(
        "UPDATE actions SET name = :name, config_text = :config_text, list = :list WHERE id = :action_id",
        name=name,
        config_text=config_text,
        list=packed(list),
        action_id=action_id,
    )
    return read_action(world, action_id)


# Plays DELETE /actions/{action}
@env.tool(
    writes=["actions"],
    destructive=True,
    confirm=["action_id"],
    candidates="SELECT id AS action_id FROM actions",
    refused={"not_found": "SELECT 'NOSUCH' AS action_id"},
)
def delete_action(world: World, action_id: ActionId) -> Deleted:
    """Delete an action.

    Args:
        action_id: Identifier of the action.
    """
    read_action(world, action_id)
    world.run("DELETE FROM actions WHERE id = :action_id", action_id=action_id)
    return {"deleted": action_id}


# ---------------------------------------------------------------- addresses


def read_address(world: World, address: str, field: str = "address") -> Address:
    """The address with that address; refused where there is none."""
    row = world.one("SELECT * FROM addresses WHERE address = ?", address)
    if row is None:
        raise ToolError("not_found", f"There is no address {address}.", field=field)
    return as_address(row)


def as_address(row: dict[str, Any]) -> Address:
    """A stored address as tools return it."""
    return cast(Address, row)


# Plays GET /addresses
@env.tool(candidates='SELECT 5 AS "limit"')
def list_addresses(world: World, limit: Annotated[int, Field(ge=1, le=100)] = 20, offset: Offset = 0) -> Addresses:
    """List addresses, one page at a time; what is not given does not narrow the list.

    Args:
        limit: Most rows to return.
        offset: How many rows to skip.
    """
    rows = world.all("SELECT * FROM addresses ORDER BY address")
    return {
        "addresses": [as_address(row) for row in rows[offset : offset + limit]],
        "total": len(rows),
        "next_offset": offset + limit if offset + limit < len(rows) else None,
    }


# Plays POST /addresses
@env.tool(
    writes=["addresses"],
    candidates="SELECT 'new-' || address AS address FROM addresses",
    refused={"unique-address-address": "SELECT address FROM addresses"},
)
def create_address(world: World, address: Line) -> Address:
    """Create an address.

    Args:
        address: Identifier of the address.
    """
    if world.value("SELECT 1 FROM addresses WHERE address = ?", address):
        raise ToolError(
            "conflict",
            f"There is already an address with the address {address}.",
            field="address",
            reason="unique-address-address",
        )
    world.run(
        "INSERT INTO addresses (address, created_at) VALUES (:address, :created_at)",
        address=address,
        created_at=world.now,
    )
    return read_address(world, address)


# Plays DELETE /addresses/{address}
@env.tool(
    writes=["addresses", "keys"],
    destructive=True,
    confirm=["address"],
    candidates="SELECT address FROM addresses",
    refused={"not_found": "SELECT 'NOSUCH' AS address"},
)
def delete_address(world: World, address: Address2) -> Deleted:
    """Delete an address, with its keys.

    Args:
        address: Address of the address.
    """
    read_address(world, address)
    world.run("DELETE FROM keys WHERE address_id = :key", key=address)
    world.run("DELETE FROM addresses WHERE address = :address", address=address)
    return {"deleted": address}


# ---------------------------------------------------------------- domains


def read_domain(world: World, domain: str, field: str = "domain") -> Domain:
    """The domain with that domain; refused where there is none."""
    row = world.one("SELECT * FROM domains WHERE domain = ?", domain)
    if row is None:
        raise ToolError("not_found", f"There is no domain {domain}.", field=field)
    return as_domain(row)


def as_domain(row: dict[str, Any]) -> Domain:
    """A stored domain as tools return it."""
    return cast(Domain, row)


# Plays POST /domains
@env.tool(
    writes=["domains"],
    candidates="SELECT 'new-' || domain AS domain FROM domains",
    refused={"unique-domain-domain": "SELECT domain FROM domains"},
)
def create_domain(world: World, domain: Line) -> Domain:
    """Create a domain.

    Args:
        domain: Identifier of the domain.
    """
    if world.value("SELECT 1 FROM domains WHERE domain = ?", domain):
        raise ToolError(
            "conflict",
            f"There is already a domain with the domain {domain}.",
            field="domain",
            reason="unique-domain-domain",
        )
    world.run("INSERT INTO domains (domain) VALUES (:domain)", domain=domain)
    return read_domain(world, domain)


# Plays DELETE /domains/{domain}
@env.tool(
    writes=["domains"],
    destructive=True,
    confirm=["domain"],
    candidates="SELECT domain FROM domains",
    refused={"not_found": "SELECT 'NOSUCH' AS domain"},
)
def delete_domain(world: World, domain: Domain2) -> Deleted:
    """Delete a domain.

    Args:
        domain: Domain of the domain.
    """
    read_domain(world, domain)
    world.run("DELETE FROM domains WHERE domain = :domain", domain=domain)
    return {"deleted": domain}


# ---------------------------------------------------------------- integrations


def read_integration(world: World, integration_id: str, field: str = "integration_id") -> Integration:
    """The integration with that integration_id; refused where there is none."""
    row = world.one("SELECT * FROM integrations WHERE id = ?", integration_id)
    if row is None:
        raise ToolError("not_found", f"There is no integration {integration_id}.", field=field)
    return as_integration(row)


def as_integration(row: dict[str, Any]) -> Integration:
    """A stored integration as tools return it."""
    return cast(Integration, row)


# Plays GET /integrations
@env.tool(candidates="SELECT DISTINCT type FROM integrations WHERE type IS NOT NULL")
def list_integrations(
    world: World,
    type: IntegrationType | None = None,
    limit: Annotated[int, Field(ge=1, le=100)] = 20,
    offset: Offset = 0,
) -> Integrations:
    """List integrations, one page at a time; what is not given does not narrow the list.

    Args:
        type: Only integrations with this type.
        limit: Most rows to return.
        offset: How many rows to skip.
    """
    rows = world.all("SELECT * FROM integrations WHERE (:type IS NULL OR type = :type) ORDER BY id", type=type)
    return {
        "integrations": [as_integration(row) for row in rows[offset : offset + limit]],
        "total": len(rows),
        "next_offset": offset + limit if offset + limit < len(rows) else None,
    }


# Plays DELETE /integrations/{integration}
@env.tool(
    writes=["integrations"],
    destructive=True,
    confirm=["integration_id"],
    candidates="SELECT id AS integration_id FROM integrations",
    refused={"not_found": "SELECT 'NOSUCH' AS integration_id"},
)
def delete_integration(world: World, integration_id: IntegrationId) -> Deleted:
    """Delete an integration.

    Args:
        integration_id: Identifier of the integration.
    """
    read_integration(world, integration_id)
    world.run("DELETE FROM integrations WHERE id = :integration_id", integration_id=integration_id)
    return {"deleted": integration_id}


# ---------------------------------------------------------------- triggers


def read_trigger(world: World, trigger_id: str, field: str = "trigger_id") -> Trigger:
    """The trigger with that trigger_id; refused where there is none."""
    row = world.one("SELECT * FROM triggers WHERE id = ?", trigger_id)
    if row is None:
        raise ToolError("not_found", f"There is no trigger {trigger_id}.", field=field)
    return as_trigger(row)


def as_trigger(row: dict[str, Any]) -> Trigger:
    """A stored trigger as tools return it."""
    converted = {"criteria": parsed(row["criteria"])}
    return cast(Trigger, row | converted)


# Plays GET /triggers
@env.tool(candidates='SELECT 5 AS "limit"')
def list_triggers(world: World, limit: Annotated[int, Field(ge=1, le=100)] = 20, offset: Offset = 0) -> Triggers:
    """List triggers, one page at a time; what is not given does not narrow the list.

    Args:
        limit: Most rows to return.
        offset: How many rows to skip.
    """
    rows = world.all("SELECT * FROM triggers ORDER BY id")
    return {
        "triggers": [as_trigger(row) for row in rows[offset : offset + limit]],
        "total": len(rows),
        "next_offset": offset + limit if offset + limit < len(rows) else None,
    }


# Plays POST /triggers
@env.tool(writes=["triggers"], candidates="SELECT name, criteria FROM triggers")
def create_trigger(world: World, name: Line, criteria: Criteria) -> Trigger:
    """Create a trigger.

    Args:
        name: Name of the trigger.
        criteria: Criteria of the trigger.
    """
    trigger_id = world.new_code("triggers.id")
    world.run(
        "INSERT INTO triggers (id, name, criteria, created_at) VALUES (:id, :name, :criteria, :created_at)",
        id=trigger_id,
        name=name,
        criteria=packed(criteria),
        created_at=world.now,
    )
    return read_trigger(world, trigger_id)


# Plays PUT /triggers/{trigger}
@env.tool(
    writes=["triggers"],
    destructive=True,
    idempotent=True,
    candidates="SELECT id AS trigger_id, name, criteria FROM triggers",
)
def replace_trigger(world: World, trigger_id: TriggerId, name: Line, criteria: Criteria) -> Trigger:
    """Replace the fields of a trigger; what is not given is cleared.

    Args:
        trigger_id: Identifier of the trigger.
        name: Name of the trigger.
        criteria: Criteria of the trigger.
    """
    read_trigger(world, trigger_id)
    world.run(
        "UPDATE triggers SET name = :name, criteria = :criteria WHERE id = :trigger_id",
        name=name,
        criteria=packed(criteria),
        trigger_id=trigger_id,
    )
    return read_trigger(world, trigger_id)


# Plays DELETE /triggers/{trigger}
@env.tool(
    writes=["triggers"],
    destructive=True,
    confirm=["trigger_id"],
    candidates="SELECT id AS trigger_id FROM triggers",
    refused={"not_found": "SELECT 'NOSUCH' AS trigger_id"},
)
def delete_trigger(world: World, trigger_id: TriggerId) -> Deleted:
    """Delete a trigger.

    Args:
        trigger_id: Identifier of the trigger.
    """
    read_trigger(world, trigger_id)
    world.run("DELETE FROM triggers WHERE id = :trigger_id", trigger_id=trigger_id)
    return {"deleted": trigger_id}


# ---------------------------------------------------------------- workflows


def read_workflow(world: World, workflow_id: str, field: str = "workflow_id") -> Workflow:
    """The workflow with that workflow_id; refused where there is none."""
    row = world.one("SELECT * FROM workflows WHERE id = ?", workflow_id)
    if row is None:
        raise ToolError("not_found", f"There is no workflow {workflow_id}.", field=field)
    return as_workflow(row)


def as_workflow(row: dict[str, Any]) -> Workflow:
    """A stored workflow as tools return it."""
    converted = {"active": flag(row["active"])}
    return cast(Workflow, row | converted)


# Plays GET /workflows
@env.tool(candidates='SELECT 5 AS "limit"')
def list_workflows(world: World, limit: Annotated[int, Field(ge=1, le=100)] = 20, offset: Offset = 0) -> Workflows:
    """List workflows, one page at a time; what is not given does not narrow the list.

    Args:
        limit: Most rows to return.
        offset: How many rows to skip.
    """
    rows = world.all("SELECT * FROM workflows ORDER BY id")
    return {
        "workflows": [as_workflow(row) for row in rows[offset : offset + limit]],
        "total": len(rows),
        "next_offset": offset + limit if offset + limit < len(rows) else None,
    }


# Plays POST /workflows
@env.tool(writes=["workflows"], candidates="SELECT name, action, input FROM workflows")
def create_workflow(
    world: World,
    name: Line,
    action: Line,
    input: Line,
    active: bool | None = None,
    trigger: Line | None = None,
) -> Workflow:
    """Create a workflow.

    Args:
        name: Name of the workflow.
        action: Action of the workflow.
        input: Input of the workflow.
        active: Whether the workflow is active.
        trigger: Trigger of the workflow.
    """
    workflow_id = world.new_code("workflows.id")
    world.run(
        """
        INSERT INTO workflows (id, name, action, input, active, trigger, created_at)
        VALUES (:id, :name, :action, :input, :active, :trigger, :created_at)
        """,
        id=workflow_id,
        name=name,
        action=action,
        input=input,
        active=active,
        trigger=trigger,
        created_at=world.now,
    )
    return read_workflow(world, workflow_id)


# Plays PUT /workflows/{workflow}
@env.tool(
    writes=["workflows"],
    destructive=True,
    idempotent=True,
    candidates="SELECT id AS workflow_id, name, action, input FROM workflows",
)
def replace_workflow(
    world: World,
    workflow_id: WorkflowId,
    name: Line,
    action: Line,
    input: Line,
    active: bool | None = None,
    trigger: Line | None = None,
) -> Workflow:
    """Replace the fields of a workflow; what is not given is cleared.

    Args:
        workflow_id: Identifier of the workflow.
        name: Name of the workflow.
        action: Action of the workflow.
        input: Input of the workflow.
        active: Whether the workflow is active.
        trigger: Trigger of the workflow.
    """
    read_workflow(world, workflow_id)
    world.run(
        """
        UPDATE workflows
        SET name = :name, action = :action, input = :input, active = :active, trigger = :trigger
        WHERE id = :workflow_id
        """,
        name=name,
        action=action,
        input=input,
        active=active,
        trigger=trigger,
        workflow_id=workflow_id,
    )
    return read_workflow(world, workflow_id)


# Plays DELETE /workflows/{workflow}
@env.tool(
    writes=["workflows"],
    destructive=True,
    confirm=["workflow_id"],
    candidates="SELECT id AS workflow_id FROM workflows",
    refused={"not_found": "SELECT 'NOSUCH' AS workflow_id"},
)
def delete_workflow(world: World, workflow_id: WorkflowId) -> Deleted:
    """Delete a workflow.

    Args:
        workflow_id: Identifier of the workflow.
    """
    read_workflow(world, workflow_id)
    world.run("DELETE FROM workflows WHERE id = :workflow_id", workflow_id=workflow_id)
    return {"deleted": workflow_id}


# ---------------------------------------------------------------- verifications


def as_verification(row: dict[str, Any]) -> Verification:
    """A stored verification as tools return it."""
    return cast(Verification, row)


# Plays GET /verifications
@env.tool(candidates="SELECT DISTINCT type FROM verifications WHERE type IS NOT NULL")
def list_verifications(
    world: World,
    type: VerificationType | None = None,
    limit: Annotated[int, Field(ge=1, le=100)] = 20,
    offset: Offset = 0,
) -> Verifications:
    """List verifications, one page at a time; what is not given does not narrow the list.

    Args:
        type: Only verifications with this type.
        limit: Most rows to return.
        offset: How many rows to skip.
    """
    rows = world.all("SELECT * FROM verifications WHERE (:type IS NULL OR type = :type) ORDER BY id", type=type)
    return {
        "verifications": [as_verification(row) for row in rows[offset : offset + limit]],
        "total": len(rows),
        "next_offset": offset + limit if offset + limit < len(rows) else None,
    }


# Plays POST /verifications
@env.tool(writes=["verifications"], candidates="SELECT email FROM verifications")
def create_verification(
    world: World,
    email: Line,
    type: VerificationType | None = None,
    sms: Line | None = None,
) -> Verification:
    """Create a verification.

    Args:
        email: Email of the verification.
        type: Type of the verification.
        sms: Sms of the verification.
    """
    verification_id = world.new_code("verifications.id")
    world.run(
        "INSERT INTO verifications (id, email, type, sms) VALUES (:id, :email, :type, :sms)",
        id=verification_id,
        email=email,
        type=type,
        sms=sms,
    )
    return as_verification(world.all("SELECT * FROM verifications WHERE id = ?", verification_id)[0])


# ---------------------------------------------------------------- workspaces


def as_workspace(row: dict[str, Any]) -> Workspace:
    """A stored workspace as tools return it."""
    return cast(Workspace, row)


# Plays GET /workspaces
@env.tool(candidates='SELECT 5 AS "limit"')
def list_workspaces(world: World, limit: Annotated[int, Field(ge=1, le=100)] = 20, offset: Offset = 0) -> Workspaces:
    """List workspaces, one page at a time; what is not given does not narrow the list.

    Args:
        limit: Most rows to return.
        offset: How many rows to skip.
    """
    rows = world.all("SELECT * FROM workspaces ORDER BY id")
    return {
        "workspaces": [as_workspace(row) for row in rows[offset : offset + limit]],
        "total": len(rows),
        "next_offset": offset + limit if offset + limit < len(rows) else None,
    }


# Plays POST /workspaces
@env.tool(writes=["workspaces"], candidates="SELECT workspace FROM workspaces")
def create_workspace(world: World, workspace: Line) -> Workspace:
    """Create a workspace.

    Args:
        workspace: Workspace of the workspace.
    """
    workspace_id = world.new_code("workspaces.id")
    world.run(
        "INSERT INTO workspaces (id, workspace, created_at) VALUES (:id, :workspace, :created_at)",
        id=workspace_id,
        workspace=workspace,
        created_at=world.now,
    )
    return as_workspace(world.all("SELECT * FROM workspaces WHERE id = ?", workspace_id)[0])


# ---------------------------------------------------------------- keys


def read_key(world: World, key_id: str, field: str = "key_id", *, address_id: str | None = None) -> Key:
    """The key with that key_id, in that address_id if given; refused where there is none."""
    row = world.one(
        "SELECT * FROM keys WHERE id = :key AND (:parent IS NULL OR address_id = :parent)",
        key=key_id,
        parent=address_id,
    )
    if row is None:
        raise ToolError("not_found", f"There is no key {key_id}.", field=field)
    return as_key(row)


def as_key(row: dict[str, Any]) -> Key:
    """A stored key as tools return it."""
    converted = {"read": flag(row["read"]), "write": flag(row["write"])}
    return cast(Key, row | converted)


# Plays GET /addresses/{address}/keys
@env.tool(candidates="SELECT address AS address_id FROM addresses")
def list_keys(
    world: World,
    address_id: Address2,
    limit: Annotated[int, Field(ge=1, le=100)] = 20,
    offset: Offset = 0,
) -> Keys:
    """List keys, one page at a time; what is not given does not narrow the list.

    Args:
        address_id: The address whose keys to list.
        limit: Most rows to return.
        offset: How many rows to skip.
    """
    read_address(world, address_id, "address_id")
    rows = world.all("SELECT * FROM keys WHERE address_id = :address_id ORDER BY id", address_id=address_id)
    return {
        "keys": [as_key(row) for row in rows[offset : offset + limit]],
        "total": len(rows),
        "next_offset": offset + limit if offset + limit < len(rows) else None,
    }


# Plays GET /addresses/{address}/keys/{key}
@env.tool(
    candidates="SELECT address_id, id AS key_id FROM keys",
    refused={"not_found": "SELECT address AS address_id, 'NOSUCH' AS key_id FROM addresses"},
)
def get_key(world: World, address_id: Address2, key_id: KeyId) -> Key:
    """Return one key.

    Args:
        address_id: The address it belongs to.
        key_id: Identifier of the key.
    """
    read_address(world, address_id, "address_id")
    return read_key(world, key_id, address_id=address_id)


# Plays POST /addresses/{address}/keys
@env.tool(writes=["keys"], candidates="SELECT address_id, name, read, write FROM keys")
def create_key(world: World, address_id: Address2, name: Line, read: bool, write: bool) -> Key:
    """Create a key.

    Args:
        address_id: The address it will belong to.
        name: Name of the key.
        read: Whether the key is read.
        write: Write of the key.
    """
    read_address(world, address_id, "address_id")
    key_id = world.new_code("keys.id")
    world.run(
        """
        INSERT INTO keys (id, address_id, name, read, write, created_at)
        VALUES (:id, :address_id, :name, :read, :write, :created_at)
        """,
        id=key_id,
        address_id=address_id,
        name=name,
        read=read,
        write=write,
        created_at=world.now,
    )
    return read_key(world, key_id)


# Plays PUT /addresses/{address}/keys/{key}
@env.tool(
    writes=["keys"],
    destructive=True,
    idempotent=True,
    candidates="SELECT address_id, id AS key_id, name, read, write FROM keys",
)
def replace_key(world: World, address_id: Address2, key_id: KeyId, name: Line, read: bool, write: bool) -> Key:
    """Replace the fields of a key; what is not given is cleared.

    Args:
        address_id: The address it belongs to.
        key_id: Identifier of the key.
        name: Name of the key.
        read: Whether the key is read.
        write: Write of the key.
    """
    read_address(world, address_id, "address_id")
    read_key(world, key_id, address_id=address_id)
    world.run(
        "UPDATE keys SET name = :name, read = :read, write = :write WHERE id = :key_id",
        name=name,
        read=read,
        write=write,
        key_id=key_id,
    )
    return read_key(world, key_id)


# Plays DELETE /addresses/{address}/keys/{key}
@env.tool(
    writes=["keys"],
    destructive=True,
    confirm=["key_id"],
    candidates="SELECT address_id, id AS key_id FROM keys",
    refused={"not_found": "SELECT address AS address_id, 'NOSUCH' AS key_id FROM addresses"},
)
def delete_key(world: World, address_id: Address2, key_id: KeyId) -> Deleted:
    """Delete a key.

    Args:
        address_id: The address it belongs to.
        key_id: Identifier of the key.
    """
    read_address(world, address_id, "address_id")
    read_key(world, key_id, address_id=address_id)
    world.run("DELETE FROM keys WHERE id = :key_id", key_id=key_id)
    return {"deleted": key_id}


if __name__ == "__main__":
    env.serve()
