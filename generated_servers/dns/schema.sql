-- Tables of PowerDNS Authoritative HTTP API, compiled from an API document.
-- Booleans are 0 or 1, lists and objects are JSON, times are UTC as 2026-05-14T09:00:00Z.

-- Servers.
CREATE TABLE servers (
    id TEXT PRIMARY KEY NOT NULL,  -- The id of the server, “localhost”; compare: generated
    daemon_type TEXT,  -- “recursor” for the PowerDNS Recursor and “authoritative” for the Authoritative Server
    version TEXT  -- The version of the server software
) STRICT;

-- A TSIG key that can be used to authenticate NOTIFY, AXFR, and DNSUPDATE queries.
CREATE TABLE tsig_keys (
    id TEXT PRIMARY KEY NOT NULL,  -- The ID for this key, used in the TSIGkey URL endpoint; compare: generated
    server_id TEXT NOT NULL REFERENCES servers (id),  -- The server it belongs to
    name TEXT NOT NULL,  -- The name of the key
    algorithm TEXT,  -- The algorithm of the TSIG key
    key TEXT,  -- The Base64 encoded secret key, empty when listing keys
    UNIQUE (server_id, name)
) STRICT;

-- This represents an authoritative DNS Zone.
CREATE TABLE zones (
    id TEXT PRIMARY KEY NOT NULL,  -- Opaque zone id (string), assigned by the server, should not be interpreted by the application; compare: generated
    server_id TEXT NOT NULL REFERENCES servers (id),  -- The server it belongs to
    name TEXT NOT NULL,  -- Name of the zone (e.g. “example.com.”) MUST have a trailing dot
    kind TEXT CHECK (kind IN ('Native', 'Master', 'Slave')),  -- Zone kind, one of “Native”, “Master”, “Slave”
    account TEXT,  -- MAY be set
    api_rectify INTEGER CHECK (api_rectify IN (0, 1)),  -- Whether or not the zone will be rectified on data changes via the API
    dnssec INTEGER CHECK (dnssec IN (0, 1)),  -- Whether or not this zone is DNSSEC signed (inferred from presigned being true XOR presence of at least one cryptokey with active being true)
    edited_serial INTEGER,  -- The SOA serial as seen in query responses
    notified_serial INTEGER,  -- The SOA serial notifications have been sent out for
    nsec3narrow INTEGER CHECK (nsec3narrow IN (0, 1)),  -- Whether or not the zone uses NSEC3 narrow
    nsec3param TEXT,  -- The NSEC3PARAM record
    presigned INTEGER CHECK (presigned IN (0, 1)),  -- Whether or not the zone is pre-signed
    serial INTEGER,  -- The SOA serial number
    soa_edit TEXT,  -- The SOA-EDIT metadata item
    soa_edit_api TEXT,  -- The SOA-EDIT-API metadata item
    masters TEXT CHECK (masters IS NULL OR json_valid(masters)),  -- List of IP addresses configured as a master for this zone (“Slave” type zones only)
    nameservers TEXT CHECK (nameservers IS NULL OR json_valid(nameservers))  -- MAY be sent in client bodies during creation, and MUST NOT be sent by the server
) STRICT;

-- Describes a DNSSEC cryptographic key.
CREATE TABLE cryptokeys (
    id INTEGER PRIMARY KEY,  -- The internal identifier, read only; compare: generated
    zone_id TEXT NOT NULL REFERENCES zones (id),  -- The zone it belongs to
    keytype TEXT NOT NULL CHECK (keytype IN ('ksk', 'zsk', 'csk')),
    active INTEGER CHECK (active IN (0, 1)),  -- Whether or not the key is in active use
    algorithm TEXT,  -- The name of the algorithm of the key, should be a mnemonic
    bits INTEGER,  -- The size of the key
    dnskey TEXT,  -- The DNSKEY record for this key
    published INTEGER CHECK (published IN (0, 1)),  -- Whether or not the DNSKEY record is published in the zone
    ds TEXT CHECK (ds IS NULL OR json_valid(ds))  -- An array of DS records for this key
) STRICT;

-- Represents zone metadata.
CREATE TABLE metadata (
    kind TEXT NOT NULL,  -- Name of the metadata
    zone_id TEXT NOT NULL REFERENCES zones (id),  -- The zone it belongs to
    metadata TEXT CHECK (metadata IS NULL OR json_valid(metadata)),  -- Array with all values for this metadata kind
    PRIMARY KEY (zone_id, kind)
) STRICT;

CREATE INDEX tsig_keys_by_server_id ON tsig_keys (server_id);
CREATE INDEX zones_by_server_id ON zones (server_id);
CREATE INDEX cryptokeys_by_zone_id ON cryptokeys (zone_id);
