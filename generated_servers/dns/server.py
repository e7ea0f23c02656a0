"""PowerDNS Authoritative HTTP API: 22 tools over servers, tsig keys, zones, cryptokeys, metadata.

Compiled from an API document. Read it top down: what the values are, what the tools return, what they share,
then each table with the function that reads one row, and its tools. `candidates` and `refused` are examples for
testing: arguments that succeed, and arguments that are refused for that reason.
"""

from __future__ import annotations

import json
from typing import Annotated, Any, Literal, cast

from pydantic import Field
from typing_extensions import TypedDict

from envfactory_gym import Environment, Ref, ToolError, World

env = Environment(__file__)

# ---------------------------------------------------------------- what the values are

Line = Annotated[str, Field(min_length=1, max_length=200)]
"""One line of text."""
Whole = Annotated[int, Field(ge=-(10**12), le=10**12)]
"""A whole number."""
Offset = Annotated[int, Field(ge=0, le=1_000_000)]
"""How many rows to skip."""
Kind = Literal["Native", "Master", "Slave"]
Keytype = Literal["ksk", "zsk", "csk"]
ServerId = Annotated[str, Ref("servers.id"), Field(max_length=200)]
TsigKeyId = Annotated[str, Ref("tsig_keys.id"), Field(max_length=200)]
ZoneId = Annotated[str, Ref("zones.id"), Field(max_length=200)]
CryptokeyId = Annotated[int, Ref("cryptokeys.id"), Field(ge=-(10**12), le=10**12)]
MetadataKind = Annotated[str, Ref("metadata.kind"), Field(max_length=200)]

# ---------------------------------------------------------------- what the tools return


class Server(TypedDict):
    """A server."""

    id: ServerId
    daemon_type: str | None
    version: str | None


class Servers(TypedDict):
    servers: list[Server]
    total: int
    next_offset: Offset | None


class TsigKey(TypedDict):
    """A TSIG key that can be used to authenticate NOTIFY, AXFR, and DNSUPDATE queries."""

    id: TsigKeyId
    server_id: ServerId
    name: str
    algorithm: str | None
    key: str | None


class TsigKeys(TypedDict):
    tsig_keys: list[TsigKey]
    total: int
    next_offset: Offset | None


class Zone(TypedDict):
    """This represents an authoritative DNS Zone."""

    id: ZoneId
    server_id: ServerId
    name: str
    kind: Kind | None
    account: str | None
    api_rectify: bool | None
    dnssec: bool | None
    edited_serial: int | None
    notified_serial: int | None
    nsec3narrow: bool | None
    nsec3param: str | None
    presigned: bool | None
    serial: int | None
    soa_edit: str | None
    soa_edit_api: str | None
    masters: list[Line] | None
    nameservers: list[Line] | None


class Zones(TypedDict):
    zones: list[Zone]
    total: int
    next_offset: Offset | None


class Cryptokey(TypedDict):
    """Describes a DNSSEC cryptographic key."""

    id: CryptokeyId
    zone_id: ZoneId
    keytype: Keytype
    active: bool | None
    algorithm: str | None
    bits: int | None
    dnskey: str | None
    published: bool | None
    ds: list[Line] | None


class Cryptokeys(TypedDict):
    cryptokeys: list[Cryptokey]
    total: int
    next_offset: Offset | None


class Metadata(TypedDict):
    """Represents zone metadata."""

    kind: MetadataKind
    zone_id: ZoneId
    metadata: list[Line] | None


class MetadataList(TypedDict):
    metadata: list[Metadata]
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


# ---------------------------------------------------------------- servers


def read_server(world: World, server_id: str, field: str = "server_id") -> Server:
    """The server with that server_id; refused where there is none."""
    row = world.one("SELECT * FROM servers WHERE id = ?", server_id)
    if row is None:
        raise ToolError("not_found", f"There is no server {server_id}.", field=field)
    return as_server(row)


def as_server(row: dict[str, Any]) -> Server:
    """A stored server as tools return it."""
    return cast(Server, row)


# Plays GET /servers
@env.tool(candidates='SELECT 5 AS "limit"')
def list_servers(world: World, limit: Annotated[int, Field(ge=1, le=100)] = 20, offset: Offset = 0) -> Servers:
    """List servers, one page at a time; what is not given does not narrow the list.

    Args:
        limit: Most rows to return.
        offset: How many rows to skip.
    """
    rows = world.all("SELECT * FROM servers ORDER BY id")
    return {
        "servers": [as_server(row) for row in rows[offset : offset + limit]],
        "total": len(rows),
        "next_offset": offset + limit if offset + limit < len(rows) else None,
    }


# Plays GET /servers/{server_id}
@env.tool(candidates="SELECT id AS server_id FROM servers", refused={"not_found": "SELECT 'NOSUCH' AS server_id"})
def get_server(world: World, server_id: ServerId) -> Server:
    """Return one server.

    Args:
        server_id: Identifier of the server.
    """
    return read_server(world, server_id)


# ---------------------------------------------------------------- tsig keys


def read_tsig_key(
    world: World,
    tsig_key_id: str,
    field: str = "tsig_key_id",
    *,
    server_id: str | None = None,
) -> TsigKey:
    """The tsig key with that tsig_key_id, in that server_id if given; refused where there is none."""
    row = world.one(
        "SELECT * FROM tsig_keys WHERE id = :key AND (:parent IS NULL OR server_id = :parent)",
        key=tsig_key_id,
        parent=server_id,
    )
    if row is None:
        raise ToolError("not_found", f"There is no tsig key {tsig_key_id}.", field=field)
    return as_tsig_key(row)


def as_tsig_key(row: dict[str, Any]) -> TsigKey:
    """A stored tsig key as tools return it."""
    return cast(TsigKey, row)


# Plays GET /servers/{server_id}/tsigkeys
@env.tool(candidates="SELECT id AS server_id FROM servers")
def list_tsig_keys(
    world: World,
    server_id: ServerId,
    limit: Annotated[int, Field(ge=1, le=100)] = 20,
    offset: Offset = 0,
) -> TsigKeys:
    """List tsig keys, one page at a time; what is not given does not narrow the list.

    Args:
        server_id: The server whose tsig keys to list.
        limit: Most rows to return.
        offset: How many rows to skip.
    """
    read_server(world, server_id)
    rows = world.all("SELECT * FROM tsig_keys WHERE server_id = :server_id ORDER BY id", server_id=server_id)
    return {
        "tsig_keys": [as_tsig_key(row) for row in rows[offset : offset + limit]],
        "total": len(rows),
        "next_offset": offset + limit if offset + limit < len(rows) else None,
    }


# Plays GET /servers/{server_id}/tsigkeys/{tsigkey_id}
@env.tool(
    candidates="SELECT server_id, id AS tsig_key_id FROM tsig_keys",
    refused={"not_found": "SELECT id AS server_id, 'NOSUCH' AS tsig_key_id FROM servers"},
)
def get_tsig_key(world: World, server_id: ServerId, tsig_key_id: TsigKeyId) -> TsigKey:
    """Return one tsig key.

    Args:
        server_id: The server it belongs to.
        tsig_key_id: Identifier of the tsig key.
    """
    read_server(world, server_id)
    return read_tsig_key(world, tsig_key_id, server_id=server_id)


# Plays POST /servers/{server_id}/tsigkeys
@env.tool(
    writes=["tsig_keys"],
    candidates="SELECT server_id, 'new-' || name AS name FROM tsig_keys",
    refused={"unique-tsig-key-name": "SELECT server_id, name FROM tsig_keys"},
)
def create_tsig_key(
    world: World,
    server_id: ServerId,
    name: Line,
    algorithm: Line | None = None,
    key: Line | None = None,
) -> TsigKey:
    """Create a tsig key.

    Args:
        server_id: The server it will belong to.
        name: The name of the key.
        algorithm: The algorithm of the TSIG key.
        key: The Base64 encoded secret key, empty when listing keys.
    """
    read_server(world, server_id)
    if world.value(
        "SELECT 1 FROM tsig_keys WHERE server_id = :server_id AND name = :name",
        server_id=server_id,
        name=name,
    ):
        raise ToolError(
            "conflict",
            f"There is already a tsig key with the name {name}.",
            field="name",
            reason="unique-tsig-key-name",
        )
    tsig_key_id = world.new_code("tsig_keys.id")
    world.run(
        "INSERT INTO tsig_keys (id, server_id, name, algorithm, key) VALUES (:id, :server_id, :name, :algorithm, :key)",
        id=tsig_key_id,
        server_id=server_id,
        name=name,
        algorithm=algorithm,
        key=key,
    )
    return read_tsig_key(world, tsig_key_id)


# Plays PUT /servers/{server_id}/tsigkeys/{tsigkey_id}
@env.tool(
    writes=["tsig_keys"],
    destructive=True,
    idempotent=True,
    candidates="SELECT server_id, id AS tsig_key_id, algorithm FROM tsig_keys WHERE algorithm IS NOT NULL",
)
def update_tsig_key(
    world: World,
    server_id: ServerId,
    tsig_key_id: TsigKeyId,
    name: Line | None = None,
    algorithm: Line | None = None,
    key: Line | None = None,
) -> TsigKey:
    """Change the given fields of a tsig key; the others keep their values.

    Args:
        server_id: The server it belongs to.
        tsig_key_id: Identifier of the tsig key.
        name: The name of the key.
        algorithm: The algorithm of the TSIG key.
        key: The Base64 encoded secret key, empty when listing keys.
    """
    read_server(world, server_id)
    read_tsig_key(world, tsig_key_id, server_id=server_id)
    if name is not None and world.value(
        "SELECT 1 FROM tsig_keys WHERE server_id = :server_id AND name = :name AND id != :tsig_key_id",
        server_id=server_id,
        name=name,
        tsig_key_id=tsig_key_id,
    ):
        raise ToolError(
            "conflict",
            f"There is already a tsig key with the name {name}.",
            field="name",
            reason="unique-tsig-key-name",
        )
    world.run(
        """
        UPDATE tsig_keys
        SET name = coalesce(:name, name),
            algorithm = coalesce(:algorithm, algorithm),
            key = coalesce(:key, key)
        WHERE id = :tsig_key_id
        """,
        name=name,
        algorithm=algorithm,
        key=key,
        tsig_key_id=tsig_key_id,
    )
    return read_tsig_key(world, tsig_key_id)


# Plays DELETE /servers/{server_id}/tsigkeys/{tsigkey_id}
@env.tool(
    writes=["tsig_keys"],
    destructive=True,
    confirm=["tsig_key_id"],
    candidates="SELECT server_id, id AS tsig_key_id FROM tsig_keys",
    refused={"not_found": "SELECT id AS server_id, 'NOSUCH' AS tsig_key_id FROM servers"},
)
def delete_tsig_key(world: World, server_id: ServerId, tsig_key_id: TsigKeyId) -> Deleted:
    """Delete a tsig key.

    Args:
        server_id: The server it belongs to.
        tsig_key_id: Identifier of the tsig key.
    """
    read_server(world, server_id)
    read_tsig_key(world, tsig_key_id, server_id=server_id)
    world.run("DELETE FROM tsig_keys WHERE id = :tsig_key_id", tsig_key_id=tsig_key_id)
    return {"deleted": tsig_key_id}


# ---------------------------------------------------------------- zones


def read_zone(world: World, zone_id: str, field: str = "zone_id", *, server_id: str | None = None) -> Zone:
    """The zone with that zone_id, in that server_id if given; refused where there is none."""
    row = world.one(
        "SELECT * FROM zones WHERE id = :key AND (:parent IS NULL OR server_id = :parent)",
        key=zone_id,
        parent=server_id,
    )
    if row is None:
        raise ToolError("not_found", f"There is no zone {zone_id}.", field=field)
    return as_zone(row)


def as_zone(row: dict[str, Any]) -> Zone:
    """A stored zone as tools return it."""
    converted = {
        "api_rectify": flag(row["api_rectify"]),
        "dnssec": flag(row["dnssec"]),
        "nsec3narrow": flag(row["nsec3narrow"]),
        "presigned": flag(row["presigned"]),
        "masters": parsed(row["masters"]),
        "nameservers": parsed(row["nameservers"]),
    }
    return cast(Zone, row | converted)


# Plays GET /servers/{server_id}/zones
@env.tool(candidates="SELECT id AS server_id FROM servers")
def list_zones(
    world: World,
    server_id: ServerId,
    name: Line | None = None,
    kind: Kind | None = None,
    limit: Annotated[int, Field(ge=1, le=50)] = 20,
    offset: Offset = 0,
) -> Zones:
    """List zones, one page at a time; what is not given does not narrow the list.

    Args:
        server_id: The server whose zones to list.
        name: Only zones with this name.
        kind: Only zones with this kind.
        limit: Most rows to return.
        offset: How many rows to skip.
    """
    read_server(world, server_id)
    rows = world.all(
        """
        SELECT * FROM zones
        WHERE server_id = :server_id
          AND (:name IS NULL OR name = :name COLLATE NOCASE)
          AND (:kind IS NULL OR kind = :kind)
        ORDER BY id
        """,
        server_id=server_id,
        name=name,
        kind=kind,
    )
    return {
        "zones": [as_zone(row) for row in rows[offset : offset + limit]],
        "total": len(rows),
        "next_offset": offset + limit if offset + limit < len(rows) else None,
    }


# Plays GET /servers/{server_id}/zones/{zone_id}
@env.tool(
    candidates="SELECT server_id, id AS zone_id FROM zones",
    refused={"not_found": "SELECT id AS server_id, 'NOSUCH' AS zone_id FROM servers"},
)
def get_zone(world: World, server_id: ServerId, zone_id: ZoneId) -> Zone:
    """Return one zone.

    Args:
        server_id: The server it belongs to.
        zone_id: Identifier of the zone.
    """
    read_server(world, server_id)
    return read_zone(world, zone_id, server_id=server_id)


# Plays POST /servers/{server_id}/zones
@env.tool(writes=["zones"], candidates="SELECT server_id, name FROM zones")
def create_zone(
    world: World,
    server_id: ServerId,
    name: Line,
    kind: Kind | None = None,
    account: Line | None = None,
    api_rectify: bool | None = None,
    dnssec: bool | None = None,
    edited_serial: Whole | None = None,
    notified_serial: Whole | None = None,
    nsec3narrow: bool | None = None,
    nsec3param: Line | None = None,
    presigned: bool | None = None,
    serial: Whole | None = None,
    soa_edit: Line | None = None,
    soa_edit_api: Line | None = None,
    masters: list[Line] | None = None,
    nameservers: list[Line] | None = None,
) -> Zone:
    """Create a zone.

    Args:
        server_id: The server it will belong to.
        name: Name of the zone (e.g. “example.com.”) MUST have a trailing dot.
        kind: Zone kind, one of “Native”, “Master”, “Slave”.
        account: MAY be set.
        api_rectify: Whether or not the zone will be rectified on data changes via the API.
        dnssec: Whether or not this zone is DNSSEC signed (inferred from presigned being true XOR presence of at least
            one cryptokey with active being true).
        edited_serial: The SOA serial as seen in query responses.
        notified_serial: The SOA serial notifications have been sent out for.
        nsec3narrow: Whether or not the zone uses NSEC3 narrow.
        nsec3param: The NSEC3PARAM record.
        presigned: Whether or not the zone is pre-signed.
        serial: The SOA serial number.
        soa_edit: The SOA-EDIT metadata item.
        soa_edit_api: The SOA-EDIT-API metadata item.
        masters: List of IP addresses configured as a master for this zone (“Slave” type zones only).
        nameservers: MAY be sent in client bodies during creation, and MUST NOT be sent by the server.
    """
    read_server(world, server_id)
    zone_id = world.new_code("zones.id")
    world.run(
        """
        INSERT INTO zones (id, server_id, name, kind, account, api_rectify, dnssec, edited_serial,
            notified_serial, nsec3narrow, nsec3param, presigned, serial, soa_edit, soa_edit_api, masters,
            nameservers)
        VALUES (:id, :server_id, :name, :kind, :account, :api_rectify, :dnssec, :edited_serial,
            :notified_serial, :nsec3narrow, :nsec3param, :presigned, :serial, :soa_edit, :soa_edit_api,
            :masters, :nameservers)
        """,
        id=zone_id,
        server_id=server_id,
        name=name,
        kind=kind,
        account=account,
        api_rectify=api_rectify,
        dnssec=dnssec,
        edited_serial=edited_serial,
        notified_serial=notified_serial,
        nsec3narrow=nsec3narrow,
        nsec3param=nsec3param,
        presigned=presigned,
        serial=serial,
        soa_edit=soa_edit,
        soa_edit_api=soa_edit_api,
        masters=packed(masters),
        nameservers=packed(nameservers),
    )
    return read_zone(world, zone_id)


# Plays PUT /servers/{server_id}/zones/{zone_id}
@env.tool(writes=["zones"], destructive=True, idempotent=True, candidates="SELECT server_id, id AS zone_id FROM zones")
def replace_zone(
    world: World,
    server_id: ServerId,
    zone_id: ZoneId,
    kind: Kind | None = None,
    account: Line | None = None,
    api_rectify: bool | None = None,
    dnssec: bool | None = None,
    nsec3param: Line | None = None,
    soa_edit: Line | None = None,
    soa_edit_api: Line | None = None,
    masters: list[Line] | None = None,
) -> Zone:
    """Replace the fields of a zone; what is not given is cleared.

    Args:
        server_id: The server it belongs to.
        zone_id: Identifier of the zone.
        kind: Zone kind, one of “Native”, “Master”, “Slave”.
        account: MAY be set.
        api_rectify: Whether or not the zone will be rectified on data changes via the API.
        dnssec: Whether or not this zone is DNSSEC signed (inferred from presigned being true XOR presence of at least
            one cryptokey with active being true).
        nsec3param: The NSEC3PARAM record.
        soa_edit: The SOA-EDIT metadata item.
        soa_edit_api: The SOA-EDIT-API metadata item.
        masters: List of IP addresses configured as a master for this zone (“Slave” type zones only).
    """
    read_server(world, server_id)
    read_zone(world, zone_id, server_id=server_id)
    world.run(
        """
        UPDATE zones
        SET kind = :kind,
            account = :account,
            api_rectify = :api_rectify,
            dnssec = :dnssec,
            nsec3param = :nsec3param,
            soa_edit = :soa_edit,
            soa_edit_api = :soa_edit_api,
            masters = :masters
        WHERE id = :zone_id
        """,
        kind=kind,
        account=account,
        api_rectify=api_rectify,
        dnssec=dnssec,
        nsec3param=nsec3param,
        soa_edit=soa_edit,
        soa_edit_api=soa_edit_api,
        masters=packed(masters),
        zone_id=zone_id,
    )
    return read_zone(world, zone_id)


# Plays DELETE /servers/{server_id}/zones/{zone_id}
@env.tool(
    writes=["zones", "cryptokeys", "metadata"],
    destructive=True,
    confirm=["zone_id"],
    candidates="SELECT server_id, id AS zone_id FROM zones",
    refused={"not_found": "SELECT id AS server_id, 'NOSUCH' AS zone_id FROM servers"},
)
def delete_zone(world: World, server_id: ServerId, zone_id: ZoneId) -> Deleted:
    """Delete a zone, with its cryptokeys and metadata.

    Args:
        server_id: The server it belongs to.
        zone_id: Identifier of the zone.
    """
    read_server(world, server_id)
    read_zone(world, zone_id, server_id=server_id)
    world.run("DELETE FROM metadata WHERE zone_id = :key", key=zone_id)
    world.run("DELETE FROM cryptokeys WHERE zone_id = :key", key=zone_id)
    world.run("DELETE FROM zones WHERE id = :zone_id", zone_id=zone_id)
    return {"deleted": zone_id}


# ---------------------------------------------------------------- cryptokeys


def read_cryptokey(
    world: World,
    cryptokey_id: int,
    field: str = "cryptokey_id",
    *,
    zone_id: str | None = None,
) -> Cryptokey:
    """The cryptokey with that cryptokey_id, in that zone_id if given; refused where there is none."""
    row = world.one(
        "SELECT * FROM cryptokeys WHERE id = :key AND (:parent IS NULL OR zone_id = :parent)",
        key=cryptokey_id,
        parent=zone_id,
    )
    if row is None:
        raise ToolError("not_found", f"There is no cryptokey {cryptokey_id}.", field=field)
    return as_cryptokey(row)


def as_cryptokey(row: dict[str, Any]) -> Cryptokey:
    """A stored cryptokey as tools return it."""
    converted = {"active": flag(row["active"]), "published": flag(row["published"]), "ds": parsed(row["ds"])}
    return cast(Cryptokey, row | converted)


# Plays GET /servers/{server_id}/zones/{zone_id}/cryptokeys
@env.tool(candidates="SELECT id AS zone_id FROM zones")
def list_cryptokeys(
    world: World,
    zone_id: ZoneId,
    keytype: Keytype | None = None,
    limit: Annotated[int, Field(ge=1, le=90)] = 20,
    offset: Offset = 0,
) -> Cryptokeys:
    """List cryptokeys, one page at a time; what is not given does not narrow the list.

    Args:
        zone_id: The zone whose cryptokeys to list.
        keytype: Only cryptokeys with this keytype.
        limit: Most rows to return.
        offset: How many rows to skip.
    """
    read_zone(world, zone_id)
    rows = world.all(
        "SELECT * FROM cryptokeys WHERE zone_id = :zone_id AND (:keytype IS NULL OR keytype = :keytype) ORDER BY id",
        zone_id=zone_id,
        keytype=keytype,
    )
    return {
        "cryptokeys": [as_cryptokey(row) for row in rows[offset : offset + limit]],
        "total": len(rows),
        "next_offset": offset + limit if offset + limit < len(rows) else None,
    }


# Plays GET /servers/{server_id}/zones/{zone_id}/cryptokeys/{cryptokey_id}
@env.tool(
    candidates="SELECT zone_id, id AS cryptokey_id FROM cryptokeys",
    refused={"not_found": "SELECT id AS zone_id, -1 AS cryptokey_id FROM zones"},
)
def get_cryptokey(world: World, zone_id: ZoneId, cryptokey_id: CryptokeyId) -> Cryptokey:
    """Return one cryptokey.

    Args:
        zone_id: The zone it belongs to.
        cryptokey_id: Identifier of the cryptokey.
    """
    read_zone(world, zone_id)
    return read_cryptokey(world, cryptokey_id, zone_id=zone_id)


# Plays POST /servers/{server_id}/zones/{zone_id}/cryptokeys
@env.tool(writes=["cryptokeys"], candidates="SELECT zone_id, keytype FROM cryptokeys")
def create_cryptokey(
    world: World,
    zone_id: ZoneId,
    keytype: Keytype,
    active: bool | None = None,
    algorithm: Line | None = None,
    bits: Whole | None = None,
    dnskey: Line | None = None,
    published: bool | None = None,
    ds: list[Line] | None = None,
) -> Cryptokey:
    """Create a cryptokey.

    Args:
        zone_id: The zone it will belong to.
        keytype: Keytype of the cryptokey.
        active: Whether or not the key is in active use.
        algorithm: The name of the algorithm of the key, should be a mnemonic.
        bits: The size of the key.
        dnskey: The DNSKEY record for this key.
        published: Whether or not the DNSKEY record is published in the zone.
        ds: An array of DS records for this key.
    """
    read_zone(world, zone_id)
    cryptokey_id = world.new_number("cryptokeys.id", 1000, 999_999)
    world.run(
        """
        INSERT INTO cryptokeys (id, zone_id, keytype, active, algorithm, bits, dnskey, published, ds)
        VALUES (:id, :zone_id, :keytype, :active, :algorithm, :bits, :dnskey, :published, :ds)
        """,
        id=cryptokey_id,
        zone_id=zone_id,
        keytype=keytype,
        active=active,
        algorithm=algorithm,
        bits=bits,
        dnskey=dnskey,
        published=published,
        ds=packed(ds),
    )
    return read_cryptokey(world, cryptokey_id)


# Plays PUT /servers/{server_id}/zones/{zone_id}/cryptokeys/{cryptokey_id}
@env.tool(
    writes=["cryptokeys"],
    destructive=True,
    idempotent=True,
    candidates="SELECT zone_id, id AS cryptokey_id, keytype FROM cryptokeys",
)
def replace_cryptokey(
    world: World,
    zone_id: ZoneId,
    cryptokey_id: CryptokeyId,
    keytype: Keytype,
    active: bool | None = None,
    algorithm: Line | None = None,
    bits: Whole | None = None,
    dnskey: Line | None = None,
    published: bool | None = None,
    ds: list[Line] | None = None,
) -> Cryptokey:
    """Replace the fields of a cryptokey; what is not given is cleared.

    Args:
        zone_id: The zone it belongs to.
        cryptokey_id: Identifier of the cryptokey.
        keytype: Keytype of the cryptokey.
        active: Whether or not the key is in active use.
        algorithm: The name of the algorithm of the key, should be a mnemonic.
        bits: The size of the key.
        dnskey: The DNSKEY record for this key.
        published: Whether or not the DNSKEY record is published in the zone.
        ds: An array of DS records for this key.
    """
    read_zone(world, zone_id)
    read_cryptokey(world, cryptokey_id, zone_id=zone_id)
    world.run(
        """
        UPDATE cryptokeys
        SET keytype = :keytype,
            active = :active,
            algorithm = :algorithm,
            bits = :bits,
            dnskey = :dnskey,
            published = :published,
            ds = :ds
        WHERE id = :cryptokey_id
        """,
        keytype=keytype,
        active=active,
        algorithm=algorithm,
        bits=bits,
        dnskey=dnskey,
        published=published,
        ds=packed(ds),
        cryptokey_id=cryptokey_id,
    )
    return read_cryptokey(world, cryptokey_id)


# Plays DELETE /servers/{server_id}/zones/{zone_id}/cryptokeys/{cryptokey_id}
@env.tool(
    writes=["cryptokeys"],
    destructive=True,
    confirm=["cryptokey_id"],
    candidates="SELECT zone_id, id AS cryptokey_id FROM cryptokeys",
    refused={"not_found": "SELECT id AS zone_id, -1 AS cryptokey_id FROM zones"},
)
def delete_cryptokey(world: World, zone_id: ZoneId, cryptokey_id: CryptokeyId) -> Deleted:
    """Delete a cryptokey.

    Args:
        zone_id: The zone it belongs to.
        cryptokey_id: Identifier of the cryptokey.
    """
    read_zone(world, zone_id)
    read_cryptokey(world, cryptokey_id, zone_id=zone_id)
    world.run("DELETE FROM cryptokeys WHERE id = :cryptokey_id", cryptokey_id=cryptokey_id)
    return {"deleted": cryptokey_id}


# ---------------------------------------------------------------- metadata


def read_metadata(world: World, zone_id: str, metadata_kind: str) -> Metadata:
    """The metadata with that metadata_kind; refused where there is none."""
    row = world.one("SELECT * FROM metadata WHERE zone_id = ? AND kind = ?", zone_id, metadata_kind)
    if row is None:
        raise ToolError("not_found", f"There is no metadata {metadata_kind}.", field="metadata_kind")
    return as_metadata(row)


def as_metadata(row: dict[str, Any]) -> Metadata:
    """A stored metadata as tools return it."""
    converted = {"metadata": parsed(row["metadata"])}
    return cast(Metadata, row | converted)


# Plays GET /servers/{server_id}/zones/{zone_id}/metadata
@env.tool(candidates="SELECT id AS zone_id FROM zones")
def list_metadata(
    world: World,
    zone_id: ZoneId,
    limit: Annotated[int, Field(ge=1, le=100)] = 20,
    offset: Offset = 0,
) -> MetadataList:
    """List metadata, one page at a time; what is not given does not narrow the list.

    Args:
        zone_id: The zone whose metadata to list.
        limit: Most rows to return.
        offset: How many rows to skip.
    """
    read_zone(world, zone_id)
    rows = world.all("SELECT * FROM metadata WHERE zone_id = :zone_id ORDER BY kind", zone_id=zone_id)
    return {
        "metadata": [as_metadata(row) for row in rows[offset : offset + limit]],
        "total": len(rows),
        "next_offset": offset + limit if offset + limit < len(rows) else None,
    }


# Plays GET /servers/{server_id}/zones/{zone_id}/metadata/{metadata_kind}
@env.tool(
    candidates="SELECT zone_id, kind AS metadata_kind FROM metadata",
    refused={"not_found": "SELECT id AS zone_id, 'NOSUCH' AS metadata_kind FROM zones"},
)
def get_metadata(world: World, zone_id: ZoneId, metadata_kind: MetadataKind) -> Metadata:
    """Return one metadata.

    Args:
        zone_id: The zone it belongs to.
        metadata_kind: Kind of the metadata.
    """
    read_zone(world, zone_id)
    return read_metadata(world, zone_id, metadata_kind)


# Plays POST /servers/{server_id}/zones/{zone_id}/metadata
@env.tool(
    writes=["metadata"],
    candidates="SELECT zone_id, 'new-' || kind AS metadata_kind FROM metadata",
    refused={"unique-metadata-kind": "SELECT zone_id, kind AS metadata_kind FROM metadata"},
)
def create_metadata(world: World, zone_id: ZoneId, metadata_kind: Line, metadata: list[Line] | None = None) -> Metadata:
    """Create a metadata.

    Args:
        zone_id: The zone it will belong to.
        metadata_kind: Name of the metadata.
        metadata: Array with all values for this metadata kind.
    """
    read_zone(world, zone_id)
    if world.value("SELECT 1 FROM metadata WHERE zone_id = ? AND kind = ?", zone_id, metadata_kind):
        raise ToolError(
            "conflict",
            f"There is already a metadata with the metadata kind {metadata_kind}.",
            field="metadata_kind",
            reason="unique-metadata-kind",
        )
    world.run(
        "INSERT INTO metadata (kind, zone_id, metadata) VALUES (:kind, :zone_id, :metadata)",
        kind=metadata_kind,
        zone_id=zone_id,
        metadata=packed(metadata),
    )
    return read_metadata(world, zone_id, metadata_kind)


# Plays PUT /servers/{server_id}/zones/{zone_id}/metadata/{metadata_kind}
@env.tool(
    writes=["metadata"],
    destructive=True,
    idempotent=True,
    candidates="SELECT zone_id, kind AS metadata_kind FROM metadata",
)
def replace_metadata(
    world: World,
    zone_id: ZoneId,
    metadata_kind: MetadataKind,
    metadata: list[Line] | None = None,
) -> Metadata:
    """Replace the fields of a metadata; what is not given is cleared.

    Args:
        zone_id: The zone it belongs to.
        metadata_kind: Kind of the metadata.
        metadata: Array with all values for this metadata kind.
    """
    read_zone(world, zone_id)
    read_metadata(world, zone_id, metadata_kind)
    world.run(
        "UPDATE metadata SET metadata = :metadata WHERE zone_id = :zone_id AND kind = :metadata_kind",
        metadata=packed(metadata),
        zone_id=zone_id,
        metadata_kind=metadata_kind,
    )
    return read_metadata(world, zone_id, metadata_kind)


# Plays DELETE /servers/{server_id}/zones/{zone_id}/metadata/{metadata_kind}
@env.tool(
    writes=["metadata"],
    destructive=True,
    confirm=["metadata_kind"],
    candidates="SELECT zone_id, kind AS metadata_kind FROM metadata",
    refused={"not_found": "SELECT id AS zone_id, 'NOSUCH' AS metadata_kind FROM zones"},
)
def delete_metadata(world: World, zone_id: ZoneId, metadata_kind: MetadataKind) -> Deleted:
    """Delete a metadata.

    Args:
        zone_id: The zone it belongs to.
        metadata_kind: Kind of the metadata.
    """
    read_zone(world, zone_id)
    read_metadata(world, zone_id, metadata_kind)
    world.run(
        "DELETE FROM metadata WHERE zone_id = :zone_id AND kind = :metadata_kind",
        zone_id=zone_id,
        metadata_kind=metadata_kind,
    )
    return {"deleted": metadata_kind}


if __name__ == "__main__":
    env.serve()
