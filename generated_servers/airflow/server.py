"""Airflow API (Stable): 39 tools over connections, dags, pools, roles, users, variables, dag runs, tasks, task
instances.

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
from envfactory_gym.fields import Moment

env = Environment(__file__)

# ---------------------------------------------------------------- what the values are

Line = Annotated[str, Field(min_length=1, max_length=200)]
"""One line of text."""
Prose = Annotated[str, Field(max_length=2000)]
"""Free text."""
Whole = Annotated[int, Field(ge=-(10**12), le=10**12)]
"""A whole number."""
Number = Annotated[float, Field(ge=-1e12, le=1e12, allow_inf_nan=False)]
"""A number."""
Offset = Annotated[int, Field(ge=0, le=1_000_000)]
"""How many rows to skip."""
DagRunState = Literal["queued", "running", "success", "failed"]
TriggerRule = Literal[
    "all_success",
    "all_failed",
    "all_done",
    "one_success",
    "one_failed",
    "none_failed",
    "none_skipped",
    "none_failed_or_skipped",
    "none_failed_min_one_success",
    "dummy",
]
WeightRule = Literal["downstream", "upstream", "absolute"]
TaskInstanceState = Literal[
    "success",
    "running",
    "failed",
    "upstream_failed",
    "skipped",
    "up_for_retry",
    "up_for_reschedule",
    "queued",
    "none",
    "scheduled",
    "deferred",
    "removed",
    "restarting",
]
ConnectionId = Annotated[str, Ref("connections.connection_id"), Field(max_length=200)]
DagId = Annotated[str, Ref("dags.dag_id"), Field(max_length=200)]
PoolName = Annotated[str, Ref("pools.name"), Field(max_length=200)]
RoleName = Annotated[str, Ref("roles.name"), Field(max_length=200)]
Username = Annotated[str, Ref("users.username"), Field(max_length=200)]
VariableKey = Annotated[str, Ref("variables.key"), Field(max_length=200)]
DagRunId = Annotated[str, Ref("dag_runs.dag_run_id"), Field(max_length=200)]
TaskId = Annotated[str, Ref("tasks.task_id"), Field(max_length=200)]
TaskInstanceTaskId = Annotated[str, Ref("task_instances.task_id"), Field(max_length=200)]
ConnectionClearable = Literal["host", "login", "port", "schema_", "description"]
DagOrder = Literal[
    "last_expired",
    "last_parsed_time",
    "last_pickled",
    "next_dagrun",
    "next_dagrun_create_after",
    "next_dagrun_data_interval_end",
]
DagClearable = Literal["is_paused"]
PoolOrder = Literal["name"]
PoolClearable = Literal["description"]
RoleOrder = Literal["name"]
UserOrder = Literal["username", "created_on"]
VariableClearable = Literal["description"]
DagRunOrder = Literal["logical_date"]
TaskOrder = Literal["end_date", "pool_slots", "priority_weight", "retries", "start_date"]

# ---------------------------------------------------------------- what the tools return


class Tag(TypedDict):
    name: NotRequired[Line]


class SlaMiss(TypedDict):
    dag_id: NotRequired[Line]
    description: NotRequired[Line]
    email_sent: NotRequired[bool]
    execution_date: NotRequired[Line]
    notification_sent: NotRequired[bool]
    timestamp: NotRequired[Line]


class Trigger(TypedDict):
    classpath: NotRequired[Line]
    created_date: NotRequired[Moment]
    kwargs: NotRequired[Line]
    triggerer_id: NotRequired[Whole]


class Connection(TypedDict):
    """Full representation of the connection."""

    connection_id: ConnectionId
    extra: str
    conn_type: str | None
    host: str | None
    login: str | None
    port: int | None
    schema_: str | None
    description: str | None


class Connections(TypedDict):
    connections: list[Connection]
    total: int
    next_offset: Offset | None


class Dag(TypedDict):
    """DAG."""

    dag_id: DagId
    root_dag_id: DagId | None
    default_view: str | None
    file_token: str | None
    fileloc: str | None
    has_import_errors: bool | None
    has_task_concurrency_limits: bool | None
    is_active: bool | None
    is_paused: bool | None
    is_subdag: bool | None
    last_expired: str | None
    last_parsed_time: str | None
    last_pickled: str | None
    max_active_runs: int | None
    max_active_tasks: int | None
    next_dagrun: str | None
    next_dagrun_create_after: str | None
    next_dagrun_data_interval_end: str | None
    next_dagrun_data_interval_start: str | None
    scheduler_lock: bool | None
    timetable_description: str | None
    description: str | None
    tags: list[Tag] | None


class Dags(TypedDict):
    dags: list[Dag]
    total: int
    next_offset: Offset | None


class Pool(TypedDict):
    """The pool."""

    name: PoolName
    slots: int | None
    description: str | None


class Pools(TypedDict):
    pools: list[Pool]
    total: int
    next_offset: Offset | None


class Role(TypedDict):
    """a role item."""

    name: RoleName


class Roles(TypedDict):
    roles: list[Role]
    total: int
    next_offset: Offset | None


class User(TypedDict):
    """A user object."""

    username: Username
    email: str | None
    first_name: str | None
    last_name: str | None
    created_on: str | None


class Users(TypedDict):
    users: list[User]
    total: int
    next_offset: Offset | None


class Variable(TypedDict):
    """Full representation of Variable."""

    key: VariableKey
    value: str | None
    description: str | None


class Variables(TypedDict):
    variables: list[Variable]
    total: int
    next_offset: Offset | None


class DagRun(TypedDict):
    """A dag run."""

    dag_run_id: DagRunId
    dag_id: DagId
    state: DagRunState | None
    logical_date: str | None
    note: str | None


class DagRuns(TypedDict):
    dag_runs: list[DagRun]
    total: int
    next_offset: Offset | None


class Task(TypedDict):
    """For details see: airflow.models.BaseOperator."""

    task_id: TaskId
    dag_id: DagId
    sub_dag_id: DagId | None
    trigger_rule: TriggerRule | None
    weight_rule: WeightRule | None
    depends_on_past: bool | None
    end_date: str | None
    execution_timeout_days: int | None
    execution_timeout_microseconds: int | None
    execution_timeout_seconds: int | None
    is_mapped: bool | None
    owner: str | None
    pool: str | None
    pool_slots: float | None
    priority_weight: float | None
    queue: str | None
    retries: float | None
    retry_delay_days: int | None
    retry_delay_microseconds: int | None
    retry_delay_seconds: int | None
    retry_exponential_backoff: bool | None
    start_date: str | None
    ui_fgcolor: str | None
    wait_for_downstream: bool | None


class Tasks(TypedDict):
    tasks: list[Task]
    total: int
    next_offset: Offset | None


class TaskInstance(TypedDict):
    """A task instance."""

    task_id: TaskInstanceTaskId
    dag_run_id: DagRunId
    state: TaskInstanceState | None
    duration: float | None
    end_date: str | None
    execution_date: str | None
    executor_config: str | None
    hostname: str | None
    map_index: int | None
    max_tries: int | None
    operator: str | None
    pid: int | None
    pool: str | None
    pool_slots: int | None
    priority_weight: int | None
    queue: str | None
    queued_when: str | None
    start_date: str | None
    try_number: int | None
    unixname: str | None
    note: str | None
    sla_miss: SlaMiss | None
    trigger: Trigger | None


class TaskInstances(TypedDict):
    task_instances: list[TaskInstance]
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


def refuse_while_used(world: World, key: str | int, field: str, rule: str, queries: dict[str, str]) -> None:
    """Refuse a deletion while other rows refer to the row; each query counts those of one table."""
    for table, query in queries.items():
        count = world.value(query, key=key)
        if count:
            message = f"{key} cannot be deleted: it is still referred to ({count} of {table})."
            raise ToolError("conflict", message, field=field, reason=rule)


# ---------------------------------------------------------------- connections


def read_connection(world: World, connection_id: str, field: str = "connection_id") -> Connection:
    """The connection with that connection_id; refused where there is none."""
    row = world.one("SELECT * FROM connections WHERE connection_id = ?", connection_id)
    if row is None:
        raise ToolError("not_found", f"There is no connection {connection_id}.", field=field)
    return as_connection(row)


def as_connection(row: dict[str, Any]) -> Connection:
    """A stored connection as tools return it."""
    return cast(Connection, row)


# Plays GET /connections
@env.tool(candidates='SELECT 5 AS "limit"')
def list_connections(world: World, limit: Annotated[int, Field(ge=1, le=100)] = 50, offset: Offset = 0) -> Connections:
    """List connections, one page at a time; what is not given does not narrow the list.

    Args:
        limit: Most rows to return.
        offset: How many rows to skip.
    """
    rows = world.all("SELECT * FROM connections ORDER BY connection_id")
    return {
        "connections": [as_connection(row) for row in rows[offset : offset + limit]],
        "total": len(rows),
        "next_offset": offset + limit if offset + limit < len(rows) else None,
    }


# Plays GET /connections/{connection_id}
@env.tool(candidates="SELECT connection_id FROM connections", refused={"not_found": "SELECT 'NOSUCH' AS connection_id"})
def get_connection(world: World, connection_id: ConnectionId) -> Connection:
    """Return one connection.

    Args:
        connection_id: Connection id of the connection.
    """
    return read_connection(world, connection_id)


# Plays POST /connections
@env.tool(writes=["connections"], candidates="SELECT extra FROM connections")
def create_connection(
    world: World,
    extra: Line,
    conn_type: Line | None = None,
    host: Line | None = None,
    login: Line | None = None,
    port: Whole | None = None,
    schema_: Line | None = None,
    description: Prose | None = None,
) -> Connection:
    """Create a connection.

    Args:
        extra: Other values that cannot be put into another field, e.g.
        conn_type: The connection type.
        host: Host of the connection.
        login: Login of the connection.
        port: Port of the connection.
        schema_: Schema of the connection.
        description: The description of the connection.
    """
    connection_id = world.new_code("connections.connection_id")
    world.run(
        """
        INSERT INTO connections (connection_id, extra, conn_type, host, login, port, schema_, description)
        VALUES (:connection_id, :extra, :conn_type, :host, :login, :port, :schema_, :description)
        """,
        connection_id=connection_id,
        extra=extra,
        conn_type=conn_type,
        host=host,
        login=login,
        port=port,
        schema_=schema_,
        description=description,
    )
    return read_connection(world, connection_id)


# Plays PATCH /connections/{connection_id}
@env.tool(
    writes=["connections"],
    destructive=True,
    idempotent=True,
    candidates="SELECT connection_id, extra FROM connections",
)
def update_connection(
    world: World,
    connection_id: ConnectionId,
    extra: Line | None = None,
    conn_type: Line | None = None,
    host: Line | None = None,
    login: Line | None = None,
    port: Whole | None = None,
    schema_: Line | None = None,
    description: Prose | None = None,
    clear: ConnectionClearable | None = None,
) -> Connection:
    """Change the given fields of a connection; the others keep their values.

    Args:
        connection_id: Connection id of the connection.
        extra: Other values that cannot be put into another field, e.g.
        conn_type: The connection type.
        host: Host of the connection.
        login: Login of the connection.
        port: Port of the connection.
        schema_: Schema of the connection.
        description: The description of the connection.
        clear: A field to empty.
    """
    read_connection(world, connection_id)
    world.run(
        """
        UPDATE connections
        SET extra = coalesce(:extra, extra),
            conn_type = coalesce(:conn_type, conn_type),
            host = coalesce(:host, host),
            login = coalesce(:login, login),
            port = coalesce(:port, port),
            schema_ = coalesce(:schema_, schema_),
            description = coalesce(:description, description)
        WHERE connection_id = :connection_id
        """,
        extra=extra,
        conn_type=conn_type,
        host=host,
        login=login,
        port=port,
        schema_=schema_,
        description=description,
        connection_id=connection_id,
    )
    if clear is not None:
        world.run(
            f'UPDATE connections SET "{clear}" = NULL WHERE connection_id = :connection_id',
            connection_id=connection_id,
        )
    return read_connection(world, connection_id)


# Plays DELETE /connections/{connection_id}
@env.tool(
    writes=["connections"],
    destructive=True,
    confirm=["connection_id"],
    candidates="SELECT connection_id FROM connections",
    refused={"not_found": "SELECT 'NOSUCH' AS connection_id"},
)
def delete_connection(world: World, connection_id: ConnectionId) -> Deleted:
    """Delete a connection.

    Args:
        connection_id: Connection id of the connection.
    """
    read_connection(world, connection_id)
    world.run("DELETE FROM connections WHERE connection_id = :connection_id", connection_id=connection_id)
    return {"deleted": connection_id}


# ---------------------------------------------------------------- dags


def read_dag(world: World, dag_id: str, field: str = "dag_id") -> Dag:
    """The dag with that dag_id; refused where there is none."""
    row = world.one("SELECT * FROM dags WHERE dag_id = ?", dag_id)
    if row is None:
        raise ToolError("not_found", f"There is no dag {dag_id}.", field=field)
    return as_dag(row)


def as_dag(row: dict[str, Any]) -> Dag:
    """A stored dag as tools return it."""
    converted = {
        "has_import_errors": flag(row["has_import_errors"]),
        "has_task_concurrency_limits": flag(row["has_task_concurrency_limits"]),
        "is_active": flag(row["is_active"]),
        "is_paused": flag(row["is_paused"]),
        "is_subdag": flag(row["is_subdag"]),
        "scheduler_lock": flag(row["scheduler_lock"]),
        "tags": parsed(row["tags"]),
    }
    return cast(Dag, row | converted)


# Plays GET /dags
@env.tool()
def list_dags(
    world: World,
    root_dag_id: DagId | None = None,
    sort_by: DagOrder | None = None,
    descending: bool = False,
    limit: Annotated[int, Field(ge=1, le=30)] = 30,
    offset: Offset = 0,
) -> Dags:
    """List dags, one page at a time; what is not given does not narrow the list.

    Args:
        root_dag_id: Only dags with this root dag ID.
        sort_by: Column to sort by; by dag ID if not given.
        descending: Whether the largest comes first.
        limit: Most rows to return.
        offset: How many rows to skip.
    """
    rows = world.all(
        f"""
        SELECT * FROM dags
        WHERE (:root_dag_id IS NULL OR root_dag_id = :root_dag_id)
        ORDER BY {sort_by or "dag_id"} {"DESC" if descending else "ASC"}, dag_id
        """,
        root_dag_id=root_dag_id,
    )
    return {
        "dags": [as_dag(row) for row in rows[offset : offset + limit]],
        "total": len(rows),
        "next_offset": offset + limit if offset + limit < len(rows) else None,
    }


# Plays GET /dags/{dag_id}
@env.tool(candidates="SELECT dag_id FROM dags", refused={"not_found": "SELECT 'NOSUCH' AS dag_id"})
def get_dag(world: World, dag_id: DagId) -> Dag:
    """Return one dag.

    Args:
        dag_id: Dag id of the dag.
    """
    return read_dag(world, dag_id)


# Plays PATCH /dags/{dag_id}
@env.tool(
    writes=["dags"],
    destructive=True,
    idempotent=True,
    candidates="SELECT dag_id, is_paused FROM dags WHERE is_paused IS NOT NULL",
)
def update_dag(world: World, dag_id: DagId, is_paused: bool | None = None, clear: DagClearable | None = None) -> Dag:
    """Change the given fields of a dag; the others keep their values.

    Args:
        dag_id: Dag id of the dag.
        is_paused: Whether the DAG is paused.
        clear: A field to empty.
    """
    read_dag(world, dag_id)
    world.run(
        "UPDATE dags SET is_paused = coalesce(:is_paused, is_paused) WHERE dag_id = :dag_id",
        is_paused=is_paused,
        dag_id=dag_id,
    )
    if clear is not None:
        world.run(f'UPDATE dags SET "{clear}" = NULL WHERE dag_id = :dag_id', dag_id=dag_id)
    return read_dag(world, dag_id)


# Plays DELETE /dags/{dag_id}
@env.tool(
    writes=["dags", "dag_runs", "task_instances", "tasks"],
    destructive=True,
    confirm=["dag_id"],
    candidates="""
    SELECT dag_id
    FROM dags
    WHERE NOT EXISTS (SELECT 1 FROM dags AS other WHERE other.root_dag_id = dags.dag_id)
      AND NOT EXISTS (SELECT 1 FROM tasks WHERE (sub_dag_id = dags.dag_id AND NOT (dag_id = dags.dag_id)))
    """,
    refused={"not_found": "SELECT 'NOSUCH' AS dag_id"},
)
def delete_dag(world: World, dag_id: DagId) -> Deleted:
    """Delete a dag, with its dag runs, task instances and tasks; refused while other dags or tasks refer to it.

    Args:
        dag_id: Dag id of the dag.
    """
    read_dag(world, dag_id)
    refuse_while_used(
        world,
        dag_id,
        "dag_id",
        "keep-used-dags",
        {
            "dags": "SELECT count(*) FROM dags WHERE root_dag_id = :key",
            "tasks": "SELECT count(*) FROM tasks WHERE (sub_dag_id = :key AND NOT (dag_id = :key))",
        },
    )
    world.run("DELETE FROM tasks WHERE dag_id = :key", key=dag_id)
    world.run(
        """
        DELETE FROM task_instances WHERE dag_run_id IN (SELECT dag_run_id FROM dag_runs WHERE dag_id = :key)
        """,
        key=dag_id,
    )
    world.run("DELETE FROM dag_runs WHERE dag_id = :key", key=dag_id)
    world.run("DELETE FROM dags WHERE dag_id = :dag_id", dag_id=dag_id)
    return {"deleted": dag_id}


# ---------------------------------------------------------------- pools


def read_pool(world: World, pool_name: str, field: str = "pool_name") -> Pool:
    """The pool with that pool_name; refused where there is none."""
    row = world.one("SELECT * FROM pools WHERE name = ?", pool_name)
    if row is None:
        raise ToolError("not_found", f"There is no pool {pool_name}.", field=field)
    return as_pool(row)


def as_pool(row: dict[str, Any]) -> Pool:
    """A stored pool as tools return it."""
    return cast(Pool, row)


# Plays GET /pools
@env.tool(candidates='SELECT 5 AS "limit"')
def list_pools(
    world: World,
    sort_by: PoolOrder | None = None,
    descending: bool = False,
    limit: Annotated[int, Field(ge=1, le=100)] = 50,
    offset: Offset = 0,
) -> Pools:
    """List pools, one page at a time; what is not given does not narrow the list.

    Args:
        sort_by: Column to sort by; by name if not given.
        descending: Whether the largest comes first.
        limit: Most rows to return.
        offset: How many rows to skip.
    """
    rows = world.all(
        f"""
        SELECT * FROM pools
        ORDER BY {sort_by or "name"} {"DESC" if descending else "ASC"}, name
        """,
    )
    return {
        "pools": [as_pool(row) for row in rows[offset : offset + limit]],
        "total": len(rows),
        "next_offset": offset + limit if offset + limit < len(rows) else None,
    }


# Plays GET /pools/{pool_name}
@env.tool(candidates="SELECT name AS pool_name FROM pools", refused={"not_found": "SELECT 'NOSUCH' AS pool_name"})
def get_pool(world: World, pool_name: PoolName) -> Pool:
    """Return one pool.

    Args:
        pool_name: Name of the pool.
    """
    return read_pool(world, pool_name)


# Plays POST /pools
@env.tool(
    writes=["pools"],
    candidates="SELECT 'new-' || name AS pool_name FROM pools",
    refused={"unique-pool-name": "SELECT name AS pool_name FROM pools"},
)
def create_pool(world: World, pool_name: Line, slots: Whole | None = None, description: Prose | None = None) -> Pool:
    """Create a pool.

    Args:
        pool_name: The name of pool.
        slots: The maximum number of slots that can be assigned to tasks.
        description: The description of the pool.
    """
    if world.value("SELECT 1 FROM pools WHERE name = ?", pool_name):
        raise ToolError(
            "conflict",
            f"There is already a pool with the pool name {pool_name}.",
            field="pool_name",
            reason="unique-pool-name",
        )
    world.run(
        "INSERT INTO pools (name, slots, description) VALUES (:name, :slots, :description)",
        name=pool_name,
        slots=slots,
        description=description,
    )
    return read_pool(world, pool_name)


# Plays PATCH /pools/{pool_name}
@env.tool(
    writes=["pools"],
    destructive=True,
    idempotent=True,
    candidates="SELECT name AS pool_name, slots FROM pools WHERE slots IS NOT NULL",
)
def update_pool(
    world: World,
    pool_name: PoolName,
    slots: Whole | None = None,
    description: Prose | None = None,
    clear: PoolClearable | None = None,
) -> Pool:
    """Change the given fields of a pool; the others keep their values.

    Args:
        pool_name: Name of the pool.
        slots: The maximum number of slots that can be assigned to tasks.
        description: The description of the pool.
        clear: A field to empty.
    """
    read_pool(world, pool_name)
    world.run(
        """
        UPDATE pools
        SET slots = coalesce(:slots, slots), description = coalesce(:description, description)
        WHERE name = :pool_name
        """,
        slots=slots,
        description=description,
        pool_name=pool_name,
    )
    if clear is not None:
        world.run(f'UPDATE pools SET "{clear}" = NULL WHERE name = :pool_name', pool_name=pool_name)
    return read_pool(world, pool_name)


# Plays DELETE /pools/{pool_name}
@env.tool(
    writes=["pools"],
    destructive=True,
    confirm=["pool_name"],
    candidates="SELECT name AS pool_name FROM pools",
    refused={"not_found": "SELECT 'NOSUCH' AS pool_name"},
)
def delete_pool(world: World, pool_name: PoolName) -> Deleted:
    """Delete a pool.

    Args:
        pool_name: Name of the pool.
    """
    read_pool(world, pool_name)
    world.run("DELETE FROM pools WHERE name = :pool_name", pool_name=pool_name)
    return {"deleted": pool_name}


# ---------------------------------------------------------------- roles


def read_role(world: World, role_name: str, field: str = "role_name") -> Role:
    """The role with that role_name; refused where there is none."""
    row = world.one("SELECT * FROM roles WHERE name = ?", role_name)
    if row is None:
        raise ToolError("not_found", f"There is no role {role_name}.", field=field)
    return as_role(row)


def as_role(row: dict[str, Any]) -> Role:
    """A stored role as tools return it."""
    return cast(Role, row)


# Plays GET /roles
@env.tool(candidates='SELECT 5 AS "limit"')
def list_roles(
    world: World,
    sort_by: RoleOrder | None = None,
    descending: bool = False,
    limit: Annotated[int, Field(ge=1, le=100)] = 50,
    offset: Offset = 0,
) -> Roles:
    """List roles, one page at a time; what is not given does not narrow the list.

    Args:
        sort_by: Column to sort by; by name if not given.
        descending: Whether the largest comes first.
        limit: Most rows to return.
        offset: How many rows to skip.
    """
    rows = world.all(
        f"""
        SELECT * FROM roles
        ORDER BY {sort_by or "name"} {"DESC" if descending else "ASC"}, name
        """,
    )
    return {
        "roles": [as_role(row) for row in rows[offset : offset + limit]],
        "total": len(rows),
        "next_offset": offset + limit if offset + limit < len(rows) else None,
    }


# Plays GET /roles/{role_name}
@env.tool(candidates="SELECT name AS role_name FROM roles", refused={"not_found": "SELECT 'NOSUCH' AS role_name"})
def get_role(world: World, role_name: RoleName) -> Role:
    """Return one role.

    Args:
        role_name: Name of the role.
    """
    return read_role(world, role_name)


# Plays POST /roles
@env.tool(
    writes=["roles"],
    candidates="SELECT 'new-' || name AS role_name FROM roles",
    refused={"unique-role-name": "SELECT name AS role_name FROM roles"},
)
def create_role(world: World, role_name: Line) -> Role:
    """Create a role.

    Args:
        role_name: The name of the role Changed in version 2.3.0&#58; A minimum character length requirement
            ('minLength') is added.
    """
    if world.value("SELECT 1 FROM roles WHERE name = ?", role_name):
        raise ToolError(
            "conflict",
            f"There is already a role with the role name {role_name}.",
            field="role_name",
            reason="unique-role-name",
        )
    world.run("INSERT INTO roles (name) VALUES (:name)", name=role_name)
    return read_role(world, role_name)


# Plays DELETE /roles/{role_name}
@env.tool(
    writes=["roles"],
    destructive=True,
    confirm=["role_name"],
    candidates="SELECT name AS role_name FROM roles",
    refused={"not_found": "SELECT 'NOSUCH' AS role_name"},
)
def delete_role(world: World, role_name: RoleName) -> Deleted:
    """Delete a role.

    Args:
        role_name: Name of the role.
    """
    read_role(world, role_name)
    world.run("DELETE FROM roles WHERE name = :role_name", role_name=role_name)
    return {"deleted": role_name}


# ---------------------------------------------------------------- users


def read_user(world: World, username: str, field: str = "username") -> User:
    """The user with that username; refused where there is none."""
    row = world.one("SELECT * FROM users WHERE username = ?", username)
    if row is None:
        raise ToolError("not_found", f"There is no user {username}.", field=field)
    return as_user(row)


def as_user(row: dict[str, Any]) -> User:
    """A stored user as tools return it."""
    return cast(User, row)


# Plays GET /users
@env.tool(candidates='SELECT 5 AS "limit"')
def list_users(
    world: World,
    sort_by: UserOrder | None = None,
    descending: bool = False,
    limit: Annotated[int, Field(ge=1, le=100)] = 50,
    offset: Offset = 0,
) -> Users:
    """List users, one page at a time; what is not given does not narrow the list.

    Args:
        sort_by: Column to sort by; by username if not given.
        descending: Whether the largest comes first.
        limit: Most rows to return.
        offset: How many rows to skip.
    """
    rows = world.all(
        f"""
        SELECT * FROM users
        ORDER BY {sort_by or "username"} {"DESC" if descending else "ASC"}, username
        """,
    )
    return {
        "users": [as_user(row) for row in rows[offset : offset + limit]],
        "total": len(rows),
        "next_offset": offset + limit if offset + limit < len(rows) else None,
    }


# Plays GET /users/{username}
@env.tool(candidates="SELECT username FROM users", refused={"not_found": "SELECT 'NOSUCH' AS username"})
def get_user(world: World, username: Username) -> User:
    """Return one user.

    Args:
        username: Username of the user.
    """
    return read_user(world, username)


# Plays POST /users
@env.tool(
    writes=["users"],
    candidates="SELECT 'new-' || username AS username FROM users",
    refused={"unique-user-username": "SELECT username FROM users"},
)
def create_user(
    world: World,
    username: Line,
    email: Line | None = None,
    first_name: Line | None = None,
    last_name: Line | None = None,
) -> User:
    """Create a user.

    Args:
        username: The username.
        email: The user's email.
        first_name: The user's first name.
        last_name: The user's last name.
    """
    if world.value("SELECT 1 FROM users WHERE username = ?", username):
        raise ToolError(
            "conflict",
            f"There is already a user with the username {username}.",
            field="username",
            reason="unique-user-username",
        )
    world.run(
        """
        INSERT INTO users (username, email, first_name, last_name, created_on)
        VALUES (:username, :email, :first_name, :last_name, :created_on)
        """,
        username=username,
        email=email,
        first_name=first_name,
        last_name=last_name,
        created_on=world.now,
    )
    return read_user(world, username)


# Plays PATCH /users/{username}
@env.tool(
    writes=["users"],
    destructive=True,
    idempotent=True,
    candidates="SELECT username, email FROM users WHERE email IS NOT NULL",
)
def update_user(
    world: World,
    username: Username,
    email: Line | None = None,
    first_name: Line | None = None,
    last_name: Line | None = None,
) -> User:
    """Change the given fields of a user; the others keep their values.

    Args:
        username: Username of the user.
        email: The user's email.
        first_name: The user's first name.
        last_name: The user's last name.
    """
    read_user(world, username)
    world.run(
        """
        UPDATE users
        SET email = coalesce(:email, email),
            first_name = coalesce(:first_name, first_name),
            last_name = coalesce(:last_name, last_name)
        WHERE username = :username
        """,
        email=email,
        first_name=first_name,
        last_name=last_name,
        username=username,
    )
    return read_user(world, username)


# Plays DELETE /users/{username}
@env.tool(
    writes=["users"],
    destructive=True,
    confirm=["username"],
    candidates="SELECT username FROM users",
    refused={"not_found": "SELECT 'NOSUCH' AS username"},
)
def delete_user(world: World, username: Username) -> Deleted:
    """Delete a user.

    Args:
        username: Username of the user.
    """
    read_user(world, username)
    world.run("DELETE FROM users WHERE username = :username", username=username)
    return {"deleted": username}


# ---------------------------------------------------------------- variables


def read_variable(world: World, variable_key: str, field: str = "variable_key") -> Variable:
    """The variable with that variable_key; refused where there is none."""
    row = world.one("SELECT * FROM variables WHERE key = ?", variable_key)
    if row is None:
        raise ToolError("not_found", f"There is no variable {variable_key}.", field=field)
    return as_variable(row)


def as_variable(row: dict[str, Any]) -> Variable:
    """A stored variable as tools return it."""
    return cast(Variable, row)


# Plays GET /variables
@env.tool(candidates='SELECT 5 AS "limit"')
def list_variables(world: World, limit: Annotated[int, Field(ge=1, le=100)] = 50, offset: Offset = 0) -> Variables:
    """List variables, one page at a time; what is not given does not narrow the list.

    Args:
        limit: Most rows to return.
        offset: How many rows to skip.
    """
    rows = world.all("SELECT * FROM variables ORDER BY key")
    return {
        "variables": [as_variable(row) for row in rows[offset : offset + limit]],
        "total": len(rows),
        "next_offset": offset + limit if offset + limit < len(rows) else None,
    }


# Plays GET /variables/{variable_key}
@env.tool(
    candidates="SELECT key AS variable_key FROM variables",
    refused={"not_found": "SELECT 'NOSUCH' AS variable_key"},
)
def get_variable(world: World, variable_key: VariableKey) -> Variable:
    """Return one variable.

    Args:
        variable_key: Key of the variable.
    """
    return read_variable(world, variable_key)


# Plays POST /variables
@env.tool(
    writes=["variables"],
    candidates="SELECT 'new-' || key AS variable_key FROM variables",
    refused={"unique-variable-key": "SELECT key AS variable_key FROM variables"},
)
def create_variable(
    world: World,
    variable_key: Line,
    value: Line | None = None,
    description: Prose | None = None,
) -> Variable:
    """Create a variable.

    Args:
        variable_key: Identifier of the variable.
        value: Value of the variable.
        description: The description of the variable.
    """
    if world.value("SELECT 1 FROM variables WHERE key = ?", variable_key):
        raise ToolError(
            "conflict",
            f"There is already a variable with the variable key {variable_key}.",
            field="variable_key",
            reason="unique-variable-key",
        )
    world.run(
        "INSERT INTO variables (key, value, description) VALUES (:key, :value, :description)",
        key=variable_key,
        value=value,
        description=description,
    )
    return read_variable(world, variable_key)


# Plays PATCH /variables/{variable_key}
@env.tool(
    writes=["variables"],
    destructive=True,
    idempotent=True,
    candidates="SELECT key AS variable_key, value FROM variables WHERE value IS NOT NULL",
)
def update_variable(
    world: World,
    variable_key: VariableKey,
    value: Line | None = None,
    description: Prose | None = None,
    clear: VariableClearable | None = None,
) -> Variable:
    """Change the given fields of a variable; the others keep their values.

    Args:
        variable_key: Key of the variable.
        value: Value of the variable.
        description: The description of the variable.
        clear: A field to empty.
    """
    read_variable(world, variable_key)
    world.run(
        """
        UPDATE variables
        SET value = coalesce(:value, value), description = coalesce(:description, description)
        WHERE key = :variable_key
        """,
        value=value,
        description=description,
        variable_key=variable_key,
    )
    if clear is not None:
        world.run(f'UPDATE variables SET "{clear}" = NULL WHERE key = :variable_key', variable_key=variable_key)
    return read_variable(world, variable_key)


# Plays DELETE /variables/{variable_key}
@env.tool(
    writes=["variables"],
    destructive=True,
    confirm=["variable_key"],
    candidates="SELECT key AS variable_key FROM variables",
    refused={"not_found": "SELECT 'NOSUCH' AS variable_key"},
)
def delete_variable(world: World, variable_key: VariableKey) -> Deleted:
    """Delete a variable.

    Args:
        variable_key: Key of the variable.
    """
    read_variable(world, variable_key)
    world.run("DELETE FROM variables WHERE key = :variable_key", variable_key=variable_key)
    return {"deleted": variable_key}


# ---------------------------------------------------------------- dag runs


def read_dag_run(world: World, dag_run_id: str, field: str = "dag_run_id", *, dag_id: str | None = None) -> DagRun:
    """The dag run with that dag_run_id, in that dag_id if given; refused where there is none."""
    row = world.one(
        "SELECT * FROM dag_runs WHERE dag_run_id = :key AND (:parent IS NULL OR dag_id = :parent)",
        key=dag_run_id,
        parent=dag_id,
    )
    if row is None:
        raise ToolError("not_found", f"There is no dag run {dag_run_id}.", field=field)
    return as_dag_run(row)


def as_dag_run(row: dict[str, Any]) -> DagRun:
    """A stored dag run as tools return it."""
    return cast(DagRun, row)


# Plays GET /dags/{dag_id}/dagRuns
@env.tool(candidates="SELECT dag_id FROM dags")
def list_dag_runs(
    world: World,
    dag_id: DagId,
    state: DagRunState | None = None,
    sort_by: DagRunOrder | None = None,
    descending: bool = False,
    limit: Annotated[int, Field(ge=1, le=100)] = 50,
    offset: Offset = 0,
) -> DagRuns:
    """List dag runs, one page at a time; what is not given does not narrow the list.

    Args:
        dag_id: The dag whose dag runs to list.
        state: Only dag runs with this state.
        sort_by: Column to sort by; by dag run ID if not given.
        descending: Whether the largest comes first.
        limit: Most rows to return.
        offset: How many rows to skip.
    """
    read_dag(world, dag_id)
    rows = world.all(
        f"""
        SELECT * FROM dag_runs
        WHERE dag_id = :dag_id
          AND (:state IS NULL OR state = :state)
        ORDER BY {sort_by or "dag_run_id"} {"DESC" if descending else "ASC"}, dag_run_id
        """,
        dag_id=dag_id,
        state=state,
    )
    return {
        "dag_runs": [as_dag_run(row) for row in rows[offset : offset + limit]],
        "total": len(rows),
        "next_offset": offset + limit if offset + limit < len(rows) else None,
    }


# Plays GET /dags/{dag_id}/dagRuns/{dag_run_id}
@env.tool(
    candidates="SELECT dag_id, dag_run_id FROM dag_runs",
    refused={"not_found": "SELECT dag_id, 'NOSUCH' AS dag_run_id FROM dags"},
)
def get_dag_run(world: World, dag_id: DagId, dag_run_id: DagRunId) -> DagRun:
    """Return one dag run.

    Args:
        dag_id: The dag it belongs to.
        dag_run_id: Dag run id of the dag run.
    """
    read_dag(world, dag_id)
    return read_dag_run(world, dag_run_id, dag_id=dag_id)


# Plays POST /dags/{dag_id}/dagRuns
@env.tool(writes=["dag_runs"], candidates="SELECT dag_id FROM dag_runs")
def create_dag_run(
    world: World,
    dag_id: DagId,
    logical_date: Moment | None = None,
    note: Prose | None = None,
) -> DagRun:
    """Create a dag run.

    Args:
        dag_id: The dag it will belong to.
        logical_date: The logical date (previously called execution date).
        note: Contains manually entered notes by the user about the DagRun.
    """
    read_dag(world, dag_id)
    dag_run_id = world.new_code("dag_runs.dag_run_id")
    world.run(
        """
        INSERT INTO dag_runs (dag_run_id, dag_id, state, logical_date, note)
        VALUES (:dag_run_id, :dag_id, :state, :logical_date, :note)
        """,
        dag_run_id=dag_run_id,
        dag_id=dag_id,
        state=None,
        logical_date=logical_date,
        note=note,
    )
    return read_dag_run(world, dag_run_id)


# Plays PATCH /dags/{dag_id}/dagRuns/{dag_run_id}
@env.tool(
    writes=["dag_runs"],
    destructive=True,
    idempotent=True,
    candidates="SELECT dag_id, dag_run_id, state FROM dag_runs WHERE state IS NOT NULL",
)
def update_dag_run(world: World, dag_id: DagId, dag_run_id: DagRunId, state: DagRunState | None = None) -> DagRun:
    """Change the given fields of a dag run; the others keep their values.

    Args:
        dag_id: The dag it belongs to.
        dag_run_id: Dag run id of the dag run.
        state: DAG State.
    """
    read_dag(world, dag_id)
    read_dag_run(world, dag_run_id, dag_id=dag_id)
    world.run(
        "UPDATE dag_runs SET state = coalesce(:state, state) WHERE dag_run_id = :dag_run_id",
        state=state,
        dag_run_id=dag_run_id,
    )
    return read_dag_run(world, dag_run_id)


# Plays DELETE /dags/{dag_id}/dagRuns/{dag_run_id}
@env.tool(
    writes=["dag_runs", "task_instances"],
    destructive=True,
    confirm=["dag_run_id"],
    candidates="SELECT dag_id, dag_run_id FROM dag_runs",
    refused={"not_found": "SELECT dag_id, 'NOSUCH' AS dag_run_id FROM dags"},
)
def delete_dag_run(world: World, dag_id: DagId, dag_run_id: DagRunId) -> Deleted:
    """Delete a dag run, with its task instances.

    Args:
        dag_id: The dag it belongs to.
        dag_run_id: Dag run id of the dag run.
    """
    read_dag(world, dag_id)
    read_dag_run(world, dag_run_id, dag_id=dag_id)
    world.run("DELETE FROM task_instances WHERE dag_run_id = :key", key=dag_run_id)
    world.run("DELETE FROM dag_runs WHERE dag_run_id = :dag_run_id", dag_run_id=dag_run_id)
    return {"deleted": dag_run_id}


# Plays PATCH /dags/{dag_id}/dagRuns/{dag_run_id}/setNote
@env.tool(
    writes=["dag_runs"],
    destructive=True,
    idempotent=True,
    candidates="SELECT dag_id, dag_run_id, note FROM dag_runs WHERE note IS NOT NULL",
)
def set_note_dag_run(world: World, dag_id: DagId, dag_run_id: DagRunId, note: Prose | None = None) -> DagRun:
    """Change the given fields of a dag run; the others keep their values.

    Args:
        dag_id: The dag it belongs to.
        dag_run_id: Dag run id of the dag run.
        note: Contains manually entered notes by the user about the DagRun.
    """
    read_dag(world, dag_id)
    read_dag_run(world, dag_run_id, dag_id=dag_id)
    world.run(
        "UPDATE dag_runs SET note = coalesce(:note, note) WHERE dag_run_id = :dag_run_id",
        note=note,
        dag_run_id=dag_run_id,
    )
    return read_dag_run(world, dag_run_id)


# ---------------------------------------------------------------- tasks


def read_task(world: World, task_id: str, field: str = "task_id", *, dag_id: str | None = None) -> Task:
    """The task with that task_id, in that dag_id if given; refused where there is none."""
    row = world.one(
        "SELECT * FROM tasks WHERE task_id = :key AND (:parent IS NULL OR dag_id = :parent)",
        key=task_id,
        parent=dag_id,
    )
    if row is None:
        raise ToolError("not_found", f"There is no task {task_id}.", field=field)
    return as_task(row)


def as_task(row: dict[str, Any]) -> Task:
    """A stored task as tools return it."""
    converted = {
        "depends_on_past": flag(row["depends_on_past"]),
        "is_mapped": flag(row["is_mapped"]),
        "retry_exponential_backoff": flag(row["retry_exponential_backoff"]),
        "wait_for_downstream": flag(row["wait_for_downstream"]),
    }
    return cast(Task, row | converted)


# Plays GET /dags/{dag_id}/tasks
@env.tool(candidates="SELECT dag_id FROM dags")
def list_tasks(
    world: World,
    dag_id: DagId,
    sub_dag_id: DagId | None = None,
    trigger_rule: TriggerRule | None = None,
    weight_rule: WeightRule | None = None,
    sort_by: TaskOrder | None = None,
    descending: bool = False,
    limit: Annotated[int, Field(ge=1, le=40)] = 20,
    offset: Offset = 0,
) -> Tasks:
    """List tasks, one page at a time; what is not given does not narrow the list.

    Args:
        dag_id: The dag whose tasks to list.
        sub_dag_id: Only tasks with this sub dag ID.
        trigger_rule: Only tasks with this trigger rule.
        weight_rule: Only tasks with this weight rule.
        sort_by: Column to sort by; by task ID if not given.
        descending: Whether the largest comes first.
        limit: Most rows to return.
        offset: How many rows to skip.
    """
    read_dag(world, dag_id)
    rows = world.all(
        f"""
        SELECT * FROM tasks
        WHERE dag_id = :dag_id
          AND (:sub_dag_id IS NULL OR sub_dag_id = :sub_dag_id)
          AND (:trigger_rule IS NULL OR trigger_rule = :trigger_rule)
          AND (:weight_rule IS NULL OR weight_rule = :weight_rule)
        ORDER BY {sort_by or "task_id"} {"DESC" if descending else "ASC"}, task_id
        """,
        dag_id=dag_id,
        sub_dag_id=sub_dag_id,
        trigger_rule=trigger_rule,
        weight_rule=weight_rule,
    )
    return {
        "tasks": [as_task(row) for row in rows[offset : offset + limit]],
        "total": len(rows),
        "next_offset": offset + limit if offset + limit < len(rows) else None,
    }


# Plays GET /dags/{dag_id}/tasks/{task_id}
@env.tool(
    candidates="SELECT dag_id, task_id FROM tasks",
    refused={"not_found": "SELECT dag_id, 'NOSUCH' AS task_id FROM dags"},
)
def get_task(world: World, dag_id: DagId, task_id: TaskId) -> Task:
    """Return one task.

    Args:
        dag_id: The dag it belongs to.
        task_id: Task id of the task.
    """
    read_dag(world, dag_id)
    return read_task(world, task_id, dag_id=dag_id)


# ---------------------------------------------------------------- task instances


def read_task_instance(
    world: World,
    task_id: str,
    field: str = "task_id",
    *,
    dag_run_id: str | None = None,
) -> TaskInstance:
    """The task instance with that task_id, in that dag_run_id if given; refused where there is none."""
    row = world.one(
        "SELECT * FROM task_instances WHERE task_id = :key AND (:parent IS NULL OR dag_run_id = :parent)",
        key=task_id,
        parent=dag_run_id,
    )
    if row is None:
        raise ToolError("not_found", f"There is no task instance {task_id}.", field=field)
    return as_task_instance(row)


def as_task_instance(row: dict[str, Any]) -> TaskInstance:
    """A stored task instance as tools return it."""
    converted = {"sla_miss": parsed(row["sla_miss"]), "trigger": parsed(row["trigger"])}
    return cast(TaskInstance, row | converted)


# Plays GET /dags/{dag_id}/dagRuns/{dag_run_id}/taskInstances
@env.tool(candidates="SELECT dag_run_id FROM dag_runs")
def list_task_instances(
    world: World,
    dag_run_id: DagRunId,
    duration_gte: Number | None = None,
    duration_lte: Number | None = None,
    state: TaskInstanceState | None = None,
    pool: Line | None = None,
    queue: Line | None = None,
    limit: Annotated[int, Field(ge=1, le=30)] = 30,
    offset: Offset = 0,
) -> TaskInstances:
    """List task instances, one page at a time; what is not given does not narrow the list.

    Args:
        dag_run_id: The dag run whose task instances to list.
        duration_gte: Only task instances with a duration not before this.
        duration_lte: Only task instances with a duration not after this.
        state: Only task instances with this state.
        pool: Only task instances with this pool.
        queue: Only task instances with this queue.
        limit: Most rows to return.
        offset: How many rows to skip.
    """
    read_dag_run(world, dag_run_id)
    rows = world.all(
        """
        SELECT * FROM task_instances
        WHERE dag_run_id = :dag_run_id
          AND (:duration_gte IS NULL OR duration >= :duration_gte)
          AND (:duration_lte IS NULL OR duration <= :duration_lte)
          AND (:state IS NULL OR state = :state)
          AND (:pool IS NULL OR pool = :pool COLLATE NOCASE)
          AND (:queue IS NULL OR queue = :queue COLLATE NOCASE)
        ORDER BY task_id
        """,
        dag_run_id=dag_run_id,
        duration_gte=duration_gte,
        duration_lte=duration_lte,
        state=state,
        pool=pool,
        queue=queue,
    )
    return {
        "task_instances": [as_task_instance(row) for row in rows[offset : offset + limit]],
        "total": len(rows),
        "next_offset": offset + limit if offset + limit < len(rows) else None,
    }


# Plays GET /dags/{dag_id}/dagRuns/{dag_run_id}/taskInstances/{task_id}
@env.tool(
    candidates="SELECT dag_run_id, task_id FROM task_instances",
    refused={"not_found": "SELECT dag_run_id, 'NOSUCH' AS task_id FROM dag_runs"},
)
def get_task_instance(world: World, dag_run_id: DagRunId, task_id: TaskInstanceTaskId) -> TaskInstance:
    """Return one task instance.

    Args:
        dag_run_id: The dag run it belongs to.
        task_id: Task id of the task instance.
    """
    read_dag_run(world, dag_run_id)
    return read_task_instance(world, task_id, dag_run_id=dag_run_id)


# Plays PATCH /dags/{dag_id}/dagRuns/{dag_run_id}/taskInstances/{task_id}/setNote
@env.tool(
    writes=["task_instances"],
    destructive=True,
    idempotent=True,
    candidates="SELECT dag_run_id, task_id, note FROM task_instances WHERE note IS NOT NULL",
)
def set_note_task_instance(
    world: World,
    dag_run_id: DagRunId,
    task_id: TaskInstanceTaskId,
    note: Prose | None = None,
) -> TaskInstance:
    """Change the given fields of a task instance; the others keep their values.

    Args:
        dag_run_id: The dag run it belongs to.
        task_id: Task id of the task instance.
        note: Contains manually entered notes by the user about the TaskInstance.
    """
    read_dag_run(world, dag_run_id)
    read_task_instance(world, task_id, dag_run_id=dag_run_id)
    world.run(
        "UPDATE task_instances SET note = coalesce(:note, note) WHERE task_id = :task_id",
        note=note,
        task_id=task_id,
    )
    return read_task_instance(world, task_id)


if __name__ == "__main__":
    env.serve()
