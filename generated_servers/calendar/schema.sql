-- Tables of Calendar API, compiled from an API document.
-- Booleans are 0 or 1, lists and objects are JSON, times are UTC as 2026-05-14T09:00:00Z.

-- Calendars.
CREATE TABLE calendars (
    id TEXT PRIMARY KEY NOT NULL,  -- Identifier of the calendar; compare: generated
    summary TEXT NOT NULL,  -- Title of the calendar
    auto_accept_invitations INTEGER CHECK (auto_accept_invitations IN (0, 1)),  -- Whether this calendar automatically accepts invitations
    location TEXT,  -- Geographic location of the calendar as free-form text
    time_zone TEXT,  -- The time zone of the calendar
    description TEXT,  -- Description of the calendar; compare: text(ignored)
    conference_properties TEXT CHECK (conference_properties IS NULL OR json_valid(conference_properties)),  -- Conferencing properties for this calendar, for example what types of conferences are allowed
    working_hours TEXT CHECK (working_hours IS NULL OR json_valid(working_hours))  -- Represents the information about the user's working hours
) STRICT;

-- Calendar list entries.
CREATE TABLE calendar_list_entries (
    id TEXT PRIMARY KEY NOT NULL REFERENCES calendars (id),  -- Identifier of the calendar
    summary_override TEXT NOT NULL,  -- The summary that the authenticated user has set for this calendar
    background_color TEXT,  -- The main color of the calendar in the hexadecimal format "#0088aa"
    foreground_color TEXT,  -- The foreground color of the calendar in the hexadecimal format "#ffffff"
    hidden INTEGER CHECK (hidden IN (0, 1)),  -- Whether the calendar has been hidden from the list
    selected INTEGER CHECK (selected IN (0, 1)),  -- Whether the calendar content shows up in the calendar UI
    conference_properties TEXT CHECK (conference_properties IS NULL OR json_valid(conference_properties)),  -- Conferencing properties for this calendar, for example what types of conferences are allowed
    default_reminders TEXT CHECK (default_reminders IS NULL OR json_valid(default_reminders))  -- The default reminders that the authenticated user has for this calendar
) STRICT;

-- Acl rules.
CREATE TABLE acl_rules (
    id TEXT PRIMARY KEY NOT NULL,  -- Identifier of the Access Control List (ACL) rule; compare: generated
    calendar_id TEXT NOT NULL REFERENCES calendars (id),  -- The calendar it belongs to
    role TEXT NOT NULL CHECK (role IN ('none', 'freeBusyReader', 'reader', 'writerWithoutPrivateAccess', 'writer', 'owner')),  -- The role assigned to the scope
    scope_type TEXT NOT NULL CHECK (scope_type IN ('default', 'user', 'group', 'domain')),  -- The type of the scope
    scope_value TEXT  -- The email address of a user or group, or the name of a domain, depending on the scope type
) STRICT;

-- Events.
CREATE TABLE events (
    id TEXT PRIMARY KEY NOT NULL,  -- Opaque identifier of the event; compare: generated
    calendar_id TEXT NOT NULL REFERENCES calendars (id),  -- The calendar it belongs to
    summary TEXT NOT NULL,  -- Title of the event
    recurring_event_id TEXT REFERENCES events (id),  -- For an instance of a recurring event, this is the id of the recurring event to which this instance belongs
    birthday_properties_type TEXT CHECK (birthday_properties_type IN ('anniversary', 'birthday', 'custom', 'other', 'self')),  -- Type of birthday or special event
    event_type TEXT CHECK (event_type IN ('birthday', 'default', 'focusTime', 'fromGmail', 'outOfOffice', 'workingLocation')),  -- Specific type of the event
    status TEXT CHECK (status IN ('confirmed', 'tentative', 'cancelled')),  -- Status of the event
    transparency TEXT CHECK (transparency IN ('opaque', 'transparent')),  -- Whether the event blocks time on the calendar
    visibility TEXT CHECK (visibility IN ('default', 'public', 'private', 'confidential')),  -- Visibility of the event
    end_date TEXT,  -- The date, in the format "yyyy-mm-dd", if this is an all-day event
    end_date_time TEXT,  -- The time, as a combined date-time value (formatted according to RFC3339)
    guests_can_invite_others INTEGER CHECK (guests_can_invite_others IN (0, 1)),  -- Whether attendees other than the organizer can invite others to the event
    guests_can_modify INTEGER CHECK (guests_can_modify IN (0, 1)),  -- Whether attendees other than the organizer can modify the event
    guests_can_see_other_guests INTEGER CHECK (guests_can_see_other_guests IN (0, 1)),  -- Whether attendees other than the organizer can see who the event's attendees are
    i_cal_uid TEXT,  -- Event unique identifier as defined in RFC5545
    location TEXT,  -- Geographic location of the event as free-form text
    original_start_time_date TEXT,  -- The date, in the format "yyyy-mm-dd", if this is an all-day event
    original_start_time_date_time TEXT,  -- The time, as a combined date-time value (formatted according to RFC3339)
    private_copy INTEGER CHECK (private_copy IN (0, 1)),  -- If set to True, Event propagation is disabled
    sequence INTEGER,  -- Sequence number as per iCalendar
    start_date TEXT,  -- The date, in the format "yyyy-mm-dd", if this is an all-day event
    start_date_time TEXT,  -- The time, as a combined date-time value (formatted according to RFC3339)
    description TEXT,  -- Description of the event; compare: text(ignored)
    attendees TEXT CHECK (attendees IS NULL OR json_valid(attendees)),  -- The attendees of the event
    created TEXT,  -- Creation time of the event (as a RFC3339 timestamp)
    updated TEXT  -- Last modification time of the main event data (as a RFC3339 timestamp)
) STRICT;

CREATE INDEX acl_rules_by_calendar_id ON acl_rules (calendar_id);
CREATE INDEX events_by_calendar_id ON events (calendar_id);
CREATE INDEX events_by_recurring_event_id ON events (recurring_event_id);
