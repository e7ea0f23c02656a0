-- Tables of Brain Web API, compiled from an API document.
-- Booleans are 0 or 1, lists and objects are JSON, times are UTC as 2026-05-14T09:00:00Z.

-- Items.
CREATE TABLE items (
    id TEXT PRIMARY KEY NOT NULL,  -- Unique identifier for resource; compare: generated
    label TEXT NOT NULL,  -- A name or a label for this resource
    protocol TEXT CHECK (protocol IN ('altbeacon', 'uniwear', 'nfc', 'generic', 'eddystone', 'epcgen2', 'ibeacon', 'nanoble')),  -- Type of protocol that was used to decode this item
    technology TEXT CHECK (technology IN ('bluetooth', 'optical', 'rfid')),  -- Type of technology that was used to detect this item
    type TEXT CHECK (type IN ('barcode', 'bluetitan', 'gbtag', 'relay', 'smarttag', 'tag')),  -- Type of item
    code_hex TEXT,  -- String representation of the unique code that this item transmits
    location_request TEXT  -- Instruction for the location engine to forcibly localize the item at the specified location id as soon as possible
) STRICT;

-- Keys.
CREATE TABLE keys (
    id TEXT PRIMARY KEY NOT NULL,  -- Unique identifier for resource; compare: generated
    label TEXT NOT NULL,  -- Custom label for this API key
    is_read_only INTEGER CHECK (is_read_only IN (0, 1))  -- Whether or not this key can only read and not write
) STRICT;

-- Kvpairs.
CREATE TABLE kvpairs (
    id TEXT PRIMARY KEY NOT NULL,  -- Unique identifier for resource; compare: generated
    kv_key TEXT NOT NULL  -- Unique identifier for the value
) STRICT;

-- Location rules.
CREATE TABLE location_rules (
    id TEXT PRIMARY KEY NOT NULL,  -- Unique identifier for resource; compare: generated
    label TEXT NOT NULL,  -- A name or a label for this resource
    type TEXT CHECK (type IN ('allow', 'disallow', 'disappeared', 'debounce')),  -- The type of location rule to be applied
    enabled INTEGER CHECK (enabled IN (0, 1))  -- Whether this rule should be in effect (true) or on hold (false)
) STRICT;

-- Locations.
CREATE TABLE locations (
    id TEXT PRIMARY KEY NOT NULL,  -- Unique identifier for resource; compare: generated
    label TEXT NOT NULL  -- A name or a label for this resource
) STRICT;

-- Item lists.
CREATE TABLE item_lists (
    id TEXT PRIMARY KEY NOT NULL,  -- Unique identifier for resource; compare: generated
    label TEXT NOT NULL  -- A name or a label for this resource
) STRICT;

-- Spot lists.
CREATE TABLE spot_lists (
    id TEXT PRIMARY KEY NOT NULL,  -- Unique identifier for resource; compare: generated
    label TEXT NOT NULL  -- A name or a label for this resource
) STRICT;

-- Subscriptions.
CREATE TABLE subscriptions (
    id TEXT PRIMARY KEY NOT NULL,  -- Unique identifier for resource; compare: generated
    target_url TEXT NOT NULL,  -- Url to an external service that all applicable events are pushed to (webhook)
    database_hold_time_h INTEGER,  -- The number of hours this event is retained in the database
    populate_events INTEGER CHECK (populate_events IN (0, 1)),  -- If set to true, resource references in an event (e.g. the location an item moved to) are resolved and populated with data instead of giving just an ID
    target_retry INTEGER CHECK (target_retry IN (0, 1)),  -- Set to true if you want our server to retry if target_url is not giving back a 2xx success code
    topic_filter TEXT,  -- MQTT filter that is applied to all events
    verify_target_certificate INTEGER CHECK (verify_target_certificate IN (0, 1)),  -- Whether or not the target_url endpoint TLS certificate is verified to be valid
    description TEXT  -- Additional field to add some notes about this subscription; compare: text(ignored)
) STRICT;
