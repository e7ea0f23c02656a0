"""Brain Web API: 40 tools over items, keys, kvpairs, location rules, locations, item lists, spot lists, subscriptions.

Compiled from an API document. Read it top down: what the values are, what the tools return, what they share,
then each table with the function that reads one row, and its tools. `candidates` and `refused` are examples for
testing: arguments that succeed, and arguments that are refused for that reason.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal, cast

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
Protocol = Literal["altbeacon", "uniwear", "nfc", "generic", "eddystone", "epcgen2", "ibeacon", "nanoble"]
Technology = Literal["bluetooth", "optical", "rfid"]
ItemType = Literal["barcode", "bluetitan", "gbtag", "relay", "smarttag", "tag"]
LocationRuleType = Literal["allow", "disallow", "disappeared", "debounce"]
ItemId = Annotated[str, Ref("items.id"), Field(max_length=200)]
KeyId = Annotated[str, Ref("keys.id"), Field(max_length=200)]
KvpairId = Annotated[str, Ref("kvpairs.id"), Field(max_length=200)]
LocationRuleId = Annotated[str, Ref("location_rules.id"), Field(max_length=200)]
LocationId = Annotated[str, Ref("locations.id"), Field(max_length=200)]
ItemListId = Annotated[str, Ref("item_lists.id"), Field(max_length=200)]
SpotListId = Annotated[str, Ref("spot_lists.id"), Field(max_length=200)]
SubscriptionId = Annotated[str, Ref("subscriptions.id"), Field(max_length=200)]
ItemOrder = Literal["label"]
KeyOrder = Literal["label"]
LocationRuleOrder = Literal["label"]
LocationOrder = Literal["label"]
ItemListOrder = Literal["label"]
SpotListOrder = Literal["label"]

# ---------------------------------------------------------------- what the tools return


class Item(TypedDict):
    """An item."""

    id: ItemId
    label: str
    protocol: Protocol | None
    technology: Technology | None
    type: ItemType | None
    code_hex: str | None
    location_request: str | None


class Items(TypedDict):
    items: list[Item]
    total: int
    next_cursor: Cursor | None


class Key(TypedDict):
    """A key."""

    id: KeyId
    label: str
    is_read_only: bool | None


class Keys(TypedDict):
    keys: list[Key]
    total: int
    next_cursor: Cursor | None


class Kvpair(TypedDict):
    """A kvpair."""

    id: KvpairId
    kv_key: str


class Kvpairs(TypedDict):
    kvpairs: list[Kvpair]
    total: int
    next_cursor: Cursor | None


class LocationRule(TypedDict):
    """A location rule."""

    id: LocationRuleId
    label: str
    type: LocationRuleType | None
    enabled: bool | None


class LocationRules(TypedDict):
    location_rules: list[LocationRule]
    total: int
    next_cursor: Cursor | None


class Location(TypedDict):
    """A location."""

    id: LocationId
    label: str


class Locations(TypedDict):
    locations: list[Location]
    total: int
    next_cursor: Cursor | None


class ItemList(TypedDict):
    """An item list."""

    id: ItemListId
    label: str


class ItemLists(TypedDict):
    item_lists: list[ItemList]
    total: int
    next_cursor: Cursor | None


class SpotList(TypedDict):
    """A spot list."""

    id: SpotListId
    label: str


class SpotLists(TypedDict):
    spot_lists: list[SpotList]
    total: int
    next_cursor: Cursor | None


class Subscription(TypedDict):
    """A subscription."""

    id: SubscriptionId
    target_url: str
    database_hold_time_h: int | None
    populate_events: bool | None
    target_retry: bool | None
    topic_filter: str | None
    verify_target_certificate: bool | None
    description: str | None


class Subscriptions(TypedDict):
    subscriptions: list[Subscription]
    total: int
    next_cursor: Cursor | None


class Deleted(TypedDict):
    deleted: str | int


# ---------------------------------------------------------------- what the tools share


def flag(value: int | None) -> bool | None:
    """A stored 0 or 1 as a truth value."""
    return None if value is None else bool(value)


# ---------------------------------------------------------------- items


def read_item(world: World, item_id: str, field: str = "item_id") -> Item:
    """The item with that item_id; refused where there is none."""
    row = world.one("SELECT * FROM items WHERE id = ?", item_id)
    if row is None:
        raise ToolError("not_found", f"There is no item {item_id}.", field=field)
    return as_item(row)


def as_item(row: dict[str, Any]) -> Item:
    """A stored item as tools return it."""
    return cast(Item, row)


# Plays GET /items
@env.tool(candidates="SELECT DISTINCT id FROM items WHERE id IS NOT NULL")
def list_items(
    world: World,
    id: Line | None = None,
    code_hex: Line | None = None,
    label: Line | None = None,
    protocol: Protocol | None = None,
    technology: Technology | None = None,
    type: ItemType | None = None,
    sort_by: ItemOrder | None = None,
    descending: bool = False,
    limit: Annotated[int, Field(ge=1, le=100)] = 50,
    cursor: Cursor | None = None,
) -> Items:
    """List items, one page at a time; what is not given does not narrow the list.

    Args:
        id: Only items with this ID.
        code_hex: Only items with this code hex.
        label: Only items with this label.
        protocol: Only items with this protocol.
        technology: Only items with this technology.
        type: Only items with this type.
        sort_by: Column to sort by; by ID if not given.
        descending: Whether the largest comes first.
        limit: Most rows to return.
        cursor: The `next_cursor` of the page before.
    """
    start = int(cursor or 0)
    rows = world.all(
        f"""
        SELECT * FROM items
        WHERE (:id IS NULL OR id = :id COLLATE NOCASE)
          AND (:code_hex IS NULL OR code_hex = :code_hex COLLATE NOCASE)
          AND (:label IS NULL OR label = :label COLLATE NOCASE)
          AND (:protocol IS NULL OR protocol = :protocol)
          AND (:technology IS NULL OR technology = :technology)
          AND (:type IS NULL OR type = :type)
        ORDER BY {sort_by or "id"} {"DESC" if descending else "ASC"}, id
        """,
        id=id,
        code_hex=code_hex,
        label=label,
        protocol=protocol,
        technology=technology,
        type=type,
    )
    return {
        "items": [as_item(row) for row in rows[start : start + limit]],
        "total": len(rows),
        "next_cursor": str(start + limit) if start + limit < len(rows) else None,
    }


# Plays GET /items/{id}
@env.tool(candidates="SELECT id AS item_id FROM items", refused={"not_found": "SELECT 'NOSUCH' AS item_id"})
def get_item(world: World, item_id: ItemId) -> Item:
    """Return one item.

    Args:
        item_id: Identifier of the item.
    """
    return read_item(world, item_id)


# Plays POST /items
@env.tool(writes=["items"], candidates="SELECT label FROM items")
def create_item(
    world: World,
    label: Line,
    protocol: Protocol | None = None,
    technology: Technology | None = None,
    type: ItemType | None = None,
    code_hex: Line | None = None,
    location_request: Line | None = None,
) -> Item:
    """Create an item.

    Args:
        label: A name or a label for this resource.
        protocol: Type of protocol that was used to decode this item.
        technology: Type of technology that was used to detect this item.
        type: Type of item.
        code_hex: String representation of the unique code that this item transmits.
        location_request: Instruction for the location engine to forcibly localize the item at the specified location id
            as soon as possible.
    """
    item_id = world.new_code("items.id")
    world.run(
        """
        INSERT INTO items (id, label, protocol, technology, type, code_hex, location_request)
        VALUES (:id, :label, :protocol, :technology, :type, :code_hex, :location_request)
        """,
        id=item_id,
        label=label,
        protocol=protocol,
        technology=technology,
        type=type,
        code_hex=code_hex,
        location_request=location_request,
    )
    return read_item(world, item_id)


# Plays PUT /items/{id}
@env.tool(writes=["items"], destructive=True, idempotent=True, candidates="SELECT id AS item_id, label FROM items")
def replace_item(world: World, item_id: ItemId, label: Line, location_request: Line | None = None) -> Item:
    """Replace the fields of an item; what is not given is cleared.

    Args:
        item_id: Identifier of the item.
        label: A name or a label for this resource.
        location_request: Instruction for the location engine to forcibly localize the item at the specified location id
            as soon as possible.
    """
    read_item(world, item_id)
    world.run(
        "UPDATE items SET label = :label, location_request = :location_request WHERE id = :item_id",
        label=label,
        location_request=location_request,
        item_id=item_id,
    )
    return read_item(world, item_id)


# Plays DELETE /items/{id}
@env.tool(
    writes=["items"],
    destructive=True,
    confirm=["item_id"],
    candidates="SELECT id AS item_id FROM items",
    refused={"not_found": "SELECT 'NOSUCH' AS item_id"},
)
def delete_item(world: World, item_id: ItemId) -> Deleted:
    """Delete an item.

    Args:
        item_id: Identifier of the item.
    """
    read_item(world, item_id)
    world.run("DELETE FROM items WHERE id = :item_id", item_id=item_id)
    return {"deleted": item_id}


# ---------------------------------------------------------------- keys


def read_key(world: World, key_id: str, field: str = "key_id") -> Key:
    """The key with that key_id; refused where there is none."""
    row = world.one("SELECT * FROM keys WHERE id = ?", key_id)
    if row is None:
        raise ToolError("not_found", f"There is no key {key_id}.", field=field)
    return as_key(row)


def as_key(row: dict[str, Any]) -> Key:
    """A stored key as tools return it."""
    converted = {"is_read_only": flag(row["is_read_only"])}
    return cast(Key, row | converted)


# Plays GET /keys
@env.tool(candidates="SELECT DISTINCT id FROM keys WHERE id IS NOT NULL")
def list_keys(
    world: World,
    id: Line | None = None,
    label: Line | None = None,
    is_read_only: bool | None = None,
    sort_by: KeyOrder | None = None,
    descending: bool = False,
    limit: Annotated[int, Field(ge=1, le=100)] = 50,
    cursor: Cursor | None = None,
) -> Keys:
    """List keys, one page at a time; what is not given does not narrow the list.

    Args:
        id: Only keys with this ID.
        label: Only keys with this label.
        is_read_only: Only keys with this is read only.
        sort_by: Column to sort by; by ID if not given.
        descending: Whether the largest comes first.
        limit: Most rows to return.
        cursor: The `next_cursor` of the page before.
    """
    start = int(cursor or 0)
    rows = world.all(
        f"""
        SELECT * FROM keys
        WHERE (:id IS NULL OR id = :id COLLATE NOCASE)
          AND (:label IS NULL OR label = :label COLLATE NOCASE)
          AND (:is_read_only IS NULL OR is_read_only = :is_read_only)
        ORDER BY {sort_by or "id"} {"DESC" if descending else "ASC"}, id
        """,
        id=id,
        label=label,
        is_read_only=is_read_only,
    )
    return {
        "keys": [as_key(row) for row in rows[start : start + limit]],
        "total": len(rows),
        "next_cursor": str(start + limit) if start + limit < len(rows) else None,
    }


# Plays GET /keys/{id}
@env.tool(candidates="SELECT id AS key_id FROM keys", refused={"not_found": "SELECT 'NOSUCH' AS key_id"})
def get_key(world: World, key_id: KeyId) -> Key:
    """Return one key.

    Args:
        key_id: Identifier of the key.
    """
    return read_key(world, key_id)


# Plays POST /keys
@env.tool(writes=["keys"], candidates="SELECT label FROM keys")
def create_key(world: World, label: Line, is_read_only: bool | None = None) -> Key:
    """Create a key.

    Args:
        label: Custom label for this API key.
        is_read_only: Whether or not this key can only read and not write.
    """
    key_id = world.new_code("keys.id")
    world.run(
        "INSERT INTO keys (id, label, is_read_only) VALUES (:id, :label, :is_read_only)",
        id=key_id,
        label=label,
        is_read_only=is_read_only,
    )
    return read_key(world, key_id)


# Plays PUT /keys/{id}
@env.tool(writes=["keys"], destructive=True, idempotent=True, candidates="SELECT id AS key_id, label FROM keys")
def replace_key(world: World, key_id: KeyId, label: Line, is_read_only: bool | None = None) -> Key:
    """Replace the fields of a key; what is not given is cleared.

    Args:
        key_id: Identifier of the key.
        label: Custom label for this API key.
        is_read_only: Whether or not this key can only read and not write.
    """
    read_key(world, key_id)
    world.run(
        "UPDATE keys SET label = :label, is_read_only = :is_read_only WHERE id = :key_id",
        label=label,
        is_read_only=is_read_only,
        key_id=key_id,
    )
    return read_key(world, key_id)


# Plays DELETE /keys/{id}
@env.tool(
    writes=["keys"],
    destructive=True,
    confirm=["key_id"],
    candidates="SELECT id AS key_id FROM keys",
    refused={"not_found": "SELECT 'NOSUCH' AS key_id"},
)
def delete_key(world: World, key_id: KeyId) -> Deleted:
    """Delete a key.

    Args:
        key_id: Identifier of the key.
    """
    read_key(world, key_id)
    world.run("DELETE FROM keys WHERE id = :key_id", key_id=key_id)
    return {"deleted": key_id}


# ---------------------------------------------------------------- kvpairs


def read_kvpair(world: World, kvpair_id: str, field: str = "kvpair_id") -> Kvpair:
    """The kvpair with that kvpair_id; refused where there is none."""
    row = world.one("SELECT * FROM kvpairs WHERE id = ?", kvpair_id)
    if row is None:
        raise ToolError("not_found", f"There is no kvpair {kvpair_id}.", field=field)
    return as_kvpair(row)


def as_kvpair(row: dict[str, Any]) -> Kvpair:
    """A stored kvpair as tools return it."""
    return cast(Kvpair, row)


# Plays GET /kvpairs
@env.tool(candidates="SELECT DISTINCT id FROM kvpairs WHERE id IS NOT NULL")
def list_kvpairs(
    world: World,
    id: Line | None = None,
    kv_key: Line | None = None,
    limit: Annotated[int, Field(ge=1, le=100)] = 50,
    cursor: Cursor | None = None,
) -> Kvpairs:
    """List kvpairs, one page at a time; what is not given does not narrow the list.

    Args:
        id: Only kvpairs with this ID.
        kv_key: Only kvpairs with this kv key.
        limit: Most rows to return.
        cursor: The `next_cursor` of the page before.
    """
    start = int(cursor or 0)
    rows = world.all(
        """
        SELECT * FROM kvpairs
        WHERE (:id IS NULL OR id = :id COLLATE NOCASE)
          AND (:kv_key IS NULL OR kv_key = :kv_key COLLATE NOCASE)
        ORDER BY id
        """,
        id=id,
        kv_key=kv_key,
    )
    return {
        "kvpairs": [as_kvpair(row) for row in rows[start : start + limit]],
        "total": len(rows),
        "next_cursor": str(start + limit) if start + limit < len(rows) else None,
    }


# Plays GET /kvpairs/{id}
@env.tool(candidates="SELECT id AS kvpair_id FROM kvpairs", refused={"not_found": "SELECT 'NOSUCH' AS kvpair_id"})
def get_kvpair(world: World, kvpair_id: KvpairId) -> Kvpair:
    """Return one kvpair.

    Args:
        kvpair_id: Identifier of the kvpair.
    """
    return read_kvpair(world, kvpair_id)


# Plays POST /kvpairs
@env.tool(writes=["kvpairs"], candidates="SELECT kv_key FROM kvpairs")
def create_kvpair(world: World, kv_key: Line) -> Kvpair:
    """Create a kvpair.

    Args:
        kv_key: Unique identifier for the value.
    """
    kvpair_id = world.new_code("kvpairs.id")
    world.run("INSERT INTO kvpairs (id, kv_key) VALUES (:id, :kv_key)", id=kvpair_id, kv_key=kv_key)
    return read_kvpair(world, kvpair_id)


# Plays PUT /kvpairs/{id}
@env.tool(
    writes=["kvpairs"],
    destructive=True,
    idempotent=True,
    candidates="SELECT id AS kvpair_id, kv_key FROM kvpairs",
)
def replace_kvpair(world: World, kvpair_id: KvpairId, kv_key: Line) -> Kvpair:
    """Replace the fields of a kvpair; what is not given is cleared.

    Args:
        kvpair_id: Identifier of the kvpair.
        kv_key: Unique identifier for the value.
    """
    read_kvpair(world, kvpair_id)
    world.run("UPDATE kvpairs SET kv_key = :kv_key WHERE id = :kvpair_id", kv_key=kv_key, kvpair_id=kvpair_id)
    return read_kvpair(world, kvpair_id)


# Plays DELETE /kvpairs/{id}
@env.tool(
    writes=["kvpairs"],
    destructive=True,
    confirm=["kvpair_id"],
    candidates="SELECT id AS kvpair_id FROM kvpairs",
    refused={"not_found": "SELECT 'NOSUCH' AS kvpair_id"},
)
def delete_kvpair(world: World, kvpair_id: KvpairId) -> Deleted:
    """Delete a kvpair.

    Args:
        kvpair_id: Identifier of the kvpair.
    """
    read_kvpair(world, kvpair_id)
    world.run("DELETE FROM kvpairs WHERE id = :kvpair_id", kvpair_id=kvpair_id)
    return {"deleted": kvpair_id}


# ---------------------------------------------------------------- location rules


def read_location_rule(world: World, location_rule_id: str, field: str = "location_rule_id") -> LocationRule:
    """The location rule with that location_rule_id; refused where there is none."""
    row = world.one("SELECT * FROM location_rules WHERE id = ?", location_rule_id)
    if row is None:
        raise ToolError("not_found", f"There is no location rule {location_rule_id}.", field=field)
    return as_location_rule(row)


def as_location_rule(row: dict[str, Any]) -> LocationRule:
    """A stored location rule as tools return it."""
    converted = {"enabled": flag(row["enabled"])}
    return cast(LocationRule, row | converted)


# Plays GET /locationrules
@env.tool(candidates="SELECT DISTINCT id FROM location_rules WHERE id IS NOT NULL")
def list_location_rules(
    world: World,
    id: Line | None = None,
    label: Line | None = None,
    type: LocationRuleType | None = None,
    enabled: bool | None = None,
    sort_by: LocationRuleOrder | None = None,
    descending: bool = False,
    limit: Annotated[int, Field(ge=1, le=100)] = 50,
    cursor: Cursor | None = None,
) -> LocationRules:
    """List location rules, one page at a time; what is not given does not narrow the list.

    Args:
        id: Only location rules with this ID.
        label: Only location rules with this label.
        type: Only location rules with this type.
        enabled: Only location rules with this enabled.
        sort_by: Column to sort by; by ID if not given.
        descending: Whether the largest comes first.
        limit: Most rows to return.
        cursor: The `next_cursor` of the page before.
    """
    start = int(cursor or 0)
    rows = world.all(
        f"""
        SELECT * FROM location_rules
        WHERE (:id IS NULL OR id = :id COLLATE NOCASE)
          AND (:label IS NULL OR label = :label COLLATE NOCASE)
          AND (:type IS NULL OR type = :type)
          AND (:enabled IS NULL OR enabled = :enabled)
        ORDER BY {sort_by or "id"} {"DESC" if descending else "ASC"}, id
        """,
        id=id,
        label=label,
        type=type,
        enabled=enabled,
    )
    return {
        "location_rules": [as_location_rule(row) for row in rows[start : start + limit]],
        "total": len(rows),
        "next_cursor": str(start + limit) if start + limit < len(rows) else None,
    }


# Plays GET /locationrules/{id}
@env.tool(
    candidates="SELECT id AS location_rule_id FROM location_rules",
    refused={"not_found": "SELECT 'NOSUCH' AS location_rule_id"},
)
def get_location_rule(world: World, location_rule_id: LocationRuleId) -> LocationRule:
    """Return one location rule.

    Args:
        location_rule_id: Identifier of the location rule.
    """
    return read_location_rule(world, location_rule_id)


# Plays POST /locationrules
@env.tool(writes=["location_rules"], candidates="SELECT label FROM location_rules")
def create_location_rule(
    world: World,
    label: Line,
    type: LocationRuleType | None = None,
    enabled: bool | None = None,
) -> LocationRule:
    """Create a location rule.

    Args:
        label: A name or a label for this resource.
        type: The type of location rule to be applied.
        enabled: Whether this rule should be in effect (true) or on hold (false).
    """
    location_rule_id = world.new_code("location_rules.id")
    world.run(
        "INSERT INTO location_rules (id, label, type, enabled) VALUES (:id, :label, :type, :enabled)",
        id=location_rule_id,
        label=label,
        type=type,
        enabled=enabled,
    )
    return read_location_rule(world, location_rule_id)


# Plays PUT /locationrules/{id}
@env.tool(
    writes=["location_rules"],
    destructive=True,
    idempotent=True,
    candidates="SELECT id AS location_rule_id, label FROM location_rules",
)
def replace_location_rule(
    world: World,
    location_rule_id: LocationRuleId,
    label: Line,
    type: LocationRuleType | None = None,
    enabled: bool | None = None,
) -> LocationRule:
    """Replace the fields of a location rule; what is not given is cleared.

    Args:
        location_rule_id: Identifier of the location rule.
        label: A name or a label for this resource.
        type: The type of location rule to be applied.
        enabled: Whether this rule should be in effect (true) or on hold (false).
    """
    read_location_rule(world, location_rule_id)
    world.run(
        "UPDATE location_rules SET label = :label, type = :type, enabled = :enabled WHERE id = :location_rule_id",
        label=label,
        type=type,
        enabled=enabled,
        location_rule_id=location_rule_id,
    )
    return read_location_rule(world, location_rule_id)


# Plays DELETE /locationrules/{id}
@env.tool(
    writes=["location_rules"],
    destructive=True,
    confirm=["location_rule_id"],
    candidates="SELECT id AS location_rule_id FROM location_rules",
    refused={"not_found": "SELECT 'NOSUCH' AS location_rule_id"},
)
def delete_location_rule(world: World, location_rule_id: LocationRuleId) -> Deleted:
    """Delete a location rule.

    Args:
        location_rule_id: Identifier of the location rule.
    """
    read_location_rule(world, location_rule_id)
    world.run("DELETE FROM location_rules WHERE id = :location_rule_id", location_rule_id=location_rule_id)
    return {"deleted": location_rule_id}


# ---------------------------------------------------------------- locations


def read_location(world: World, location_id: str, field: str = "location_id") -> Location:
    """The location with that location_id; refused where there is none."""
    row = world.one("SELECT * FROM locations WHERE id = ?", location_id)
    if row is None:
        raise ToolError("not_found", f"There is no location {location_id}.", field=field)
    return as_location(row)


def as_location(row: dict[str, Any]) -> Location:
    """A stored location as tools return it."""
    return cast(Location, row)


# Plays GET /locations
@env.tool(candidates="SELECT DISTINCT id FROM locations WHERE id IS NOT NULL")
def list_locations(
    world: World,
    id: Line | None = None,
    label: Line | None = None,
    sort_by: LocationOrder | None = None,
    descending: bool = False,
    limit: Annotated[int, Field(ge=1, le=100)] = 50,
    cursor: Cursor | None = None,
) -> Locations:
    """List locations, one page at a time; what is not given does not narrow the list.

    Args:
        id: Only locations with this ID.
        label: Only locations with this label.
        sort_by: Column to sort by; by ID if not given.
        descending: Whether the largest comes first.
        limit: Most rows to return.
        cursor: The `next_cursor` of the page before.
    """
    start = int(cursor or 0)
    rows = world.all(
        f"""
        SELECT * FROM locations
        WHERE (:id IS NULL OR id = :id COLLATE NOCASE)
          AND (:label IS NULL OR label = :label COLLATE NOCASE)
        ORDER BY {sort_by or "id"} {"DESC" if descending else "ASC"}, id
        """,
        id=id,
        label=label,
    )
    return {
        "locations": [as_location(row) for row in rows[start : start + limit]],
        "total": len(rows),
        "next_cursor": str(start + limit) if start + limit < len(rows) else None,
    }


# Plays GET /locations/{id}
@env.tool(candidates="SELECT id AS location_id FROM locations", refused={"not_found": "SELECT 'NOSUCH' AS location_id"})
def get_location(world: World, location_id: LocationId) -> Location:
    """Return one location.

    Args:
        location_id: Identifier of the location.
    """
    return read_location(world, location_id)


# Plays POST /locations
@env.tool(writes=["locations"], candidates="SELECT label FROM locations")
def create_location(world: World, label: Line) -> Location:
    """Create a location.

    Args:
        label: A name or a label for this resource.
    """
    location_id = world.new_code("locations.id")
    world.run("INSERT INTO locations (id, label) VALUES (:id, :label)", id=location_id, label=label)
    return read_location(world, location_id)


# Plays PUT /locations/{id}
@env.tool(
    writes=["locations"],
    destructive=True,
    idempotent=True,
    candidates="SELECT id AS location_id, label FROM locations",
)
def replace_location(world: World, location_id: LocationId, label: Line) -> Location:
    """Replace the fields of a location; what is not given is cleared.

    Args:
        location_id: Identifier of the location.
        label: A name or a label for this resource.
    """
    read_location(world, location_id)
    world.run("UPDATE locations SET label = :label WHERE id = :location_id", label=label, location_id=location_id)
    return read_location(world, location_id)


# Plays DELETE /locations/{id}
@env.tool(
    writes=["locations"],
    destructive=True,
    confirm=["location_id"],
    candidates="SELECT id AS location_id FROM locations",
    refused={"not_found": "SELECT 'NOSUCH' AS location_id"},
)
def delete_location(world: World, location_id: LocationId) -> Deleted:
    """Delete a location.

    Args:
        location_id: Identifier of the location.
    """
    read_location(world, location_id)
    world.run("DELETE FROM locations WHERE id = :location_id", location_id=location_id)
    return {"deleted": location_id}


# ---------------------------------------------------------------- item lists


def read_item_list(world: World, item_list_id: str, field: str = "item_list_id") -> ItemList:
    """The item list with that item_list_id; refused where there is none."""
    row = world.one("SELECT * FROM item_lists WHERE id = ?", item_list_id)
    if row is None:
        raise ToolError("not_found", f"There is no item list {item_list_id}.", field=field)
    return as_item_list(row)


def as_item_list(row: dict[str, Any]) -> ItemList:
    """A stored item list as tools return it."""
    return cast(ItemList, row)


# Plays GET /sets/itemlists
@env.tool(candidates="SELECT DISTINCT id FROM item_lists WHERE id IS NOT NULL")
def list_item_lists(
    world: World,
    id: Line | None = None,
    label: Line | None = None,
    sort_by: ItemListOrder | None = None,
    descending: bool = False,
    limit: Annotated[int, Field(ge=1, le=100)] = 50,
    cursor: Cursor | None = None,
) -> ItemLists:
    """List item lists, one page at a time; what is not given does not narrow the list.

    Args:
        id: Only item lists with this ID.
        label: Only item lists with this label.
        sort_by: Column to sort by; by ID if not given.
        descending: Whether the largest comes first.
        limit: Most rows to return.
        cursor: The `next_cursor` of the page before.
    """
    start = int(cursor or 0)
    rows = world.all(
        f"""
        SELECT * FROM item_lists
        WHERE (:id IS NULL OR id = :id COLLATE NOCASE)
          AND (:label IS NULL OR label = :label COLLATE NOCASE)
        ORDER BY {sort_by or "id"} {"DESC" if descending else "ASC"}, id
        """,
        id=id,
        label=label,
    )
    return {
        "item_lists": [as_item_list(row) for row in rows[start : start + limit]],
        "total": len(rows),
        "next_cursor": str(start + limit) if start + limit < len(rows) else None,
    }


# Plays GET /sets/itemlists/{id}
@env.tool(
    candidates="SELECT id AS item_list_id FROM item_lists",
    refused={"not_found": "SELECT 'NOSUCH' AS item_list_id"},
)
def get_item_list(world: World, item_list_id: ItemListId) -> ItemList:
    """Return one item list.

    Args:
        item_list_id: Identifier of the item list.
    """
    return read_item_list(world, item_list_id)


# Plays POST /sets/itemlists
@env.tool(writes=["item_lists"], candidates="SELECT label FROM item_lists")
def create_item_list(world: World, label: Line) -> ItemList:
    """Create an item list.

    Args:
        label: A name or a label for this resource.
    """
    item_list_id = world.new_code("item_lists.id")
    world.run("INSERT INTO item_lists (id, label) VALUES (:id, :label)", id=item_list_id, label=label)
    return read_item_list(world, item_list_id)


# Plays PUT /sets/itemlists/{id}
@env.tool(
    writes=["item_lists"],
    destructive=True,
    idempotent=True,
    candidates="SELECT id AS item_list_id, label FROM item_lists",
)
def replace_item_list(world: World, item_list_id: ItemListId, label: Line) -> ItemList:
    """Replace the fields of an item list; what is not given is cleared.

    Args:
        item_list_id: Identifier of the item list.
        label: A name or a label for this resource.
    """
    read_item_list(world, item_list_id)
    world.run("UPDATE item_lists SET label = :label WHERE id = :item_list_id", label=label, item_list_id=item_list_id)
    return read_item_list(world, item_list_id)


# Plays DELETE /sets/itemlists/{id}
@env.tool(
    writes=["item_lists"],
    destructive=True,
    confirm=["item_list_id"],
    candidates="SELECT id AS item_list_id FROM item_lists",
    refused={"not_found": "SELECT 'NOSUCH' AS item_list_id"},
)
def delete_item_list(world: World, item_list_id: ItemListId) -> Deleted:
    """Delete an item list.

    Args:
        item_list_id: Identifier of the item list.
    """
    read_item_list(world, item_list_id)
    world.run("DELETE FROM item_lists WHERE id = :item_list_id", item_list_id=item_list_id)
    return {"deleted": item_list_id}


# ---------------------------------------------------------------- spot lists


def read_spot_list(world: World, spot_list_id: str, field: str = "spot_list_id") -> SpotList:
    """The spot list with that spot_list_id; refused where there is none."""
    row = world.one("SELECT * FROM spot_lists WHERE id = ?", spot_list_id)
    if row is None:
        raise ToolError("not_found", f"There is no spot list {spot_list_id}.", field=field)
    return as_spot_list(row)


def as_spot_list(row: dict[str, Any]) -> SpotList:
    """A stored spot list as tools return it."""
    return cast(SpotList, row)


# Plays GET /sets/spotlists
@env.tool(candidates="SELECT DISTINCT id FROM spot_lists WHERE id IS NOT NULL")
def list_spot_lists(
    world: World,
    id: Line | None = None,
    label: Line | None = None,
    sort_by: SpotListOrder | None = None,
    descending: bool = False,
    limit: Annotated[int, Field(ge=1, le=100)] = 50,
    cursor: Cursor | None = None,
) -> SpotLists:
    """List spot lists, one page at a time; what is not given does not narrow the list.

    Args:
        id: Only spot lists with this ID.
        label: Only spot lists with this label.
        sort_by: Column to sort by; by ID if not given.
        descending: Whether the largest comes first.
        limit: Most rows to return.
        cursor: The `next_cursor` of the page before.
    """
    start = int(cursor or 0)
    rows = world.all(
        f"""
        SELECT * FROM spot_lists
        WHERE (:id IS NULL OR id = :id COLLATE NOCASE)
          AND (:label IS NULL OR label = :label COLLATE NOCASE)
        ORDER BY {sort_by or "id"} {"DESC" if descending else "ASC"}, id
        """,
        id=id,
        label=label,
    )
    return {
        "spot_lists": [as_spot_list(row) for row in rows[start : start + limit]],
        "total": len(rows),
        "next_cursor": str(start + limit) if start + limit < len(rows) else None,
    }


# Plays GET /sets/spotlists/{id}
@env.tool(
    candidates="SELECT id AS spot_list_id FROM spot_lists",
    refused={"not_found": "SELECT 'NOSUCH' AS spot_list_id"},
)
def get_spot_list(world: World, spot_list_id: SpotListId) -> SpotList:
    """Return one spot list.

    Args:
        spot_list_id: Identifier of the spot list.
    """
    return read_spot_list(world, spot_list_id)


# Plays POST /sets/spotlists
@env.tool(writes=["spot_lists"], candidates="SELECT label FROM spot_lists")
def create_spot_list(world: World, label: Line) -> SpotList:
    """Create a spot list.

    Args:
        label: A name or a label for this resource.
    """
    spot_list_id = world.new_code("spot_lists.id")
    world.run("INSERT INTO spot_lists (id, label) VALUES (:id, :label)", id=spot_list_id, label=label)
    return read_spot_list(world, spot_list_id)


# Plays PUT /sets/spotlists/{id}
@env.tool(
    writes=["spot_lists"],
    destructive=True,
    idempotent=True,
    candidates="SELECT id AS spot_list_id, label FROM spot_lists",
)
def replace_spot_list(world: World, spot_list_id: SpotListId, label: Line) -> SpotList:
    """Replace the fields of a spot list; what is not given is cleared.

    Args:
        spot_list_id: Identifier of the spot list.
        label: A name or a label for this resource.
    """
    read_spot_list(world, spot_list_id)
    world.run("UPDATE spot_lists SET label = :label WHERE id = :spot_list_id", label=label, spot_list_id=spot_list_id)
    return read_spot_list(world, spot_list_id)


# Plays DELETE /sets/spotlists/{id}
@env.tool(
    writes=["spot_lists"],
    destructive=True,
    confirm=["spot_list_id"],
    candidates="SELECT id AS spot_list_id FROM spot_lists",
    refused={"not_found": "SELECT 'NOSUCH' AS spot_list_id"},
)
def delete_spot_list(world: World, spot_list_id: SpotListId) -> Deleted:
    """Delete a spot list.

    Args:
        spot_list_id: Identifier of the spot list.
    """
    read_spot_list(world, spot_list_id)
    world.run("DELETE FROM spot_lists WHERE id = :spot_list_id", spot_list_id=spot_list_id)
    return {"deleted": spot_list_id}


# ---------------------------------------------------------------- subscriptions


def read_subscription(world: World, subscription_id: str, field: str = "subscription_id") -> Subscription:
    """The subscription with that subscription_id; refused where there is none."""
    row = world.one("SELECT * FROM subscriptions WHERE id = ?", subscription_id)
    if row is None:
        raise ToolError("not_found", f"There is no subscription {subscription_id}.", field=field)
    return as_subscription(row)


def as_subscription(row: dict[str, Any]) -> Subscription:
    """A stored subscription as tools return it."""
    converted = {
        "populate_events": flag(row["populate_events"]),
        "target_retry": flag(row["target_retry"]),
        "verify_target_certificate": flag(row["verify_target_certificate"]),
    }
    return cast(Subscription, row | converted)


# Plays GET /subscriptions
@env.tool(candidates="SELECT DISTINCT id FROM subscriptions WHERE id IS NOT NULL")
def list_subscriptions(
    world: World,
    id: Line | None = None,
    topic_filter: Line | None = None,
    description: Line | None = None,
    database_hold_time_h: Whole | None = None,
    populate_events: bool | None = None,
    verify_target_certificate: bool | None = None,
    limit: Annotated[int, Field(ge=1, le=80)] = 50,
    cursor: Cursor | None = None,
) -> Subscriptions:
    """List subscriptions, one page at a time; what is not given does not narrow the list.

    Args:
        id: Only subscriptions with this ID.
        topic_filter: Only subscriptions with this topic filter.
        description: Only subscriptions with this description.
        database_hold_time_h: Only subscriptions with this database hold time h.
        populate_events: Only subscriptions with this populate events.
        verify_target_certificate: Only subscriptions with this verify target certificate.
        limit: Most rows to return.
        cursor: The `next_cursor` of the page before.
    """
    start = int(cursor or 0)
    rows = world.all(
        """
        SELECT * FROM subscriptions
        WHERE (:id IS NULL OR id = :id COLLATE NOCASE)
          AND (:topic_filter IS NULL OR topic_filter = :topic_filter COLLATE NOCASE)
          AND (:description IS NULL OR description = :description COLLATE NOCASE)
          AND (:database_hold_time_h IS NULL OR database_hold_time_h = :database_hold_time_h)
          AND (:populate_events IS NULL OR populate_events = :populate_events)
          AND (:verify_target_certificate IS NULL OR verify_target_certificate = :verify_target_certificate)
        ORDER BY id
        """,
        id=id,
        topic_filter=topic_filter,
        description=description,
        database_hold_time_h=database_hold_time_h,
        populate_events=populate_events,
        verify_target_certificate=verify_target_certificate,
    )
    return {
        "subscriptions": [as_subscription(row) for row in rows[start : start + limit]],
        "total": len(rows),
        "next_cursor": str(start + limit) if start + limit < len(rows) else None,
    }


# Plays GET /subscriptions/{id}
@env.tool(
    candidates="SELECT id AS subscription_id FROM subscriptions",
    refused={"not_found": "SELECT 'NOSUCH' AS subscription_id"},
)
def get_subscription(world: World, subscription_id: SubscriptionId) -> Subscription:
    """Return one subscription.

    Args:
        subscription_id: Identifier of the subscription.
    """
    return read_subscription(world, subscription_id)


# Plays POST /subscriptions
@env.tool(writes=["subscriptions"], candidates="SELECT target_url FROM subscriptions")
def create_subscription(
    world: World,
    target_url: Line,
    database_hold_time_h: Whole | None = None,
    populate_events: bool | None = None,
    target_retry: bool | None = None,
    topic_filter: Line | None = None,
    verify_target_certificate: bool | None = None,
    description: Prose | None = None,
) -> Subscription:
    """Create a subscription.

    Args:
        target_url: Url to an external service that all applicable events are pushed to (webhook).
        database_hold_time_h: The number of hours this event is retained in the database.
        populate_events: If set to true, resource references in an event (e.g. the location an item moved to) are
            resolved and populated with data instead of giving just an ID.
        target_retry: Set to true if you want our server to retry if target_url is not giving back a 2xx success code.
        topic_filter: MQTT filter that is applied to all events.
        verify_target_certificate: Whether or not the target_url endpoint TLS certificate is verified to be valid.
        description: Additional field to add some notes about this subscription.
    """
    subscription_id = world.new_code("subscriptions.id")
    world.run(
        """
        INSERT INTO subscriptions (id, target_url, database_hold_time_h, populate_events, target_retry,
            topic_filter, verify_target_certificate, description)
        VALUES (:id, :target_url, :database_hold_time_h, :populate_events, :target_retry, :topic_filter,
            :verify_target_certificate, :description)
        """,
        id=subscription_id,
        target_url=target_url,
        database_hold_time_h=database_hold_time_h,
        populate_events=populate_events,
        target_retry=target_retry,
        topic_filter=topic_filter,
        verify_target_certificate=verify_target_certificate,
        description=description,
    )
    return read_subscription(world, subscription_id)


# Plays PUT /subscriptions/{id}
@env.tool(
    writes=["subscriptions"],
    destructive=True,
    idempotent=True,
    candidates="SELECT id AS subscription_id, target_url FROM subscriptions",
)
def replace_subscription(
    world: World,
    subscription_id: SubscriptionId,
    target_url: Line,
    database_hold_time_h: Whole | None = None,
    populate_events: bool | None = None,
    target_retry: bool | None = None,
    topic_filter: Line | None = None,
    verify_target_certificate: bool | None = None,
    description: Prose | None = None,
) -> Subscription:
    """Replace the fields of a subscription; what is not given is cleared.

    Args:
        subscription_id: Identifier of the subscription.
        target_url: Url to an external service that all applicable events are pushed to (webhook).
        database_hold_time_h: The number of hours this event is retained in the database.
        populate_events: If set to true, resource references in an event (e.g. the location an item moved to) are
            resolved and populated with data instead of giving just an ID.
        target_retry: Set to true if you want our server to retry if target_url is not giving back a 2xx success code.
        topic_filter: MQTT filter that is applied to all events.
        verify_target_certificate: Whether or not the target_url endpoint TLS certificate is verified to be valid.
        description: Additional field to add some notes about this subscription.
    """
    read_subscription(world, subscription_id)
    world.run(
        """
        UPDATE subscriptions
        SET target_url = :target_url,
            database_hold_time_h = :database_hold_time_h,
            populate_events = :populate_events,
            target_retry = :target_retry,
            topic_filter = :topic_filter,
            verify_target_certificate = :verify_target_certificate,
            description = :description
        WHERE id = :subscription_id
        """,
        target_url=target_url,
        database_hold_time_h=database_hold_time_h,
        populate_events=populate_events,
        target_retry=target_retry,
        topic_filter=topic_filter,
        verify_target_certificate=verify_target_certificate,
        description=description,
        subscription_id=subscription_id,
    )
    return read_subscription(world, subscription_id)


# Plays DELETE /subscriptions/{id}
@env.tool(
    writes=["subscriptions"],
    destructive=True,
    confirm=["subscription_id"],
    candidates="SELECT id AS subscription_id FROM subscriptions",
    refused={"not_found": "SELECT 'NOSUCH' AS subscription_id"},
)
def delete_subscription(world: World, subscription_id: SubscriptionId) -> Deleted:
    """Delete a subscription.

    Args:
        subscription_id: Identifier of the subscription.
    """
    read_subscription(world, subscription_id)
    world.run("DELETE FROM subscriptions WHERE id = :subscription_id", subscription_id=subscription_id)
    return {"deleted": subscription_id}


if __name__ == "__main__":
    env.serve()
