"""Calendar API: 23 tools over calendars, calendar list entries, acl rules, events.

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
from envfactory_gym.fields import Day, Moment

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
Role = Literal["none", "freeBusyReader", "reader", "writerWithoutPrivateAccess", "writer", "owner"]
ScopeType = Literal["default", "user", "group", "domain"]
BirthdayPropertiesType = Literal["anniversary", "birthday", "custom", "other", "self"]
EventType = Literal["birthday", "default", "focusTime", "fromGmail", "outOfOffice", "workingLocation"]
Status = Literal["confirmed", "tentative", "cancelled"]
Transparency = Literal["opaque", "transparent"]
Visibility = Literal["default", "public", "private", "confidential"]
CalendarId = Annotated[str, Ref("calendars.id"), Field(max_length=200)]
AclRuleId = Annotated[str, Ref("acl_rules.id"), Field(max_length=200)]
EventId = Annotated[str, Ref("events.id"), Field(max_length=200)]
EventOrder = Literal["updated"]

# ---------------------------------------------------------------- what the tools return


class ConferenceProperties(TypedDict):
    allowedConferenceSolutionTypes: NotRequired[list[Line]]


class WorkingHours(TypedDict):
    workingHoursEnabled: NotRequired[bool]


class EventReminder(TypedDict):
    method: NotRequired[Literal["email", "popup"]]
    minutes: NotRequired[Whole]


class EventAttendee(TypedDict):
    additionalGuests: NotRequired[Whole]
    comment: NotRequired[Line]
    displayName: NotRequired[Line]
    email: NotRequired[Line]
    optional: NotRequired[bool]
    resource: NotRequired[bool]
    responseStatus: NotRequired[Literal["needsAction", "declined", "tentative", "accepted"]]


class Calendar(TypedDict):
    """A calendar."""

    id: CalendarId
    summary: str
    auto_accept_invitations: bool | None
    location: str | None
    time_zone: str | None
    description: str | None
    conference_properties: ConferenceProperties | None
    working_hours: WorkingHours | None


class CalendarListEntry(TypedDict):
    """A calendar list entry."""

    id: CalendarId
    summary_override: str
    background_color: str | None
    foreground_color: str | None
    hidden: bool | None
    selected: bool | None
    conference_properties: ConferenceProperties | None
    default_reminders: list[EventReminder] | None


class CalendarListEntries(TypedDict):
    calendar_list_entries: list[CalendarListEntry]
    total: int
    next_cursor: Cursor | None


class AclRule(TypedDict):
    """An acl rule."""

    id: AclRuleId
    calendar_id: CalendarId
    role: Role
    scope_type: ScopeType
    scope_value: str | None


class AclRules(TypedDict):
    acl_rules: list[AclRule]
    total: int
    next_cursor: Cursor | None


class Event(TypedDict):
    """An event."""

    id: EventId
    calendar_id: CalendarId
    summary: str
    recurring_event_id: EventId | None
    birthday_properties_type: BirthdayPropertiesType | None
    event_type: EventType | None
    status: Status | None
    transparency: Transparency | None
    visibility: Visibility | None
    end_date: str | None
    end_date_time: str | None
    guests_can_invite_others: bool | None
    guests_can_modify: bool | None
    guests_can_see_other_guests: bool | None
    i_cal_uid: str | None
    location: str | None
    original_start_time_date: str | None
    original_start_time_date_time: str | None
    private_copy: bool | None
    sequence: int | None
    start_date: str | None
    start_date_time: str | None
    description: str | None
    attendees: list[EventAttendee] | None
    created: str | None
    updated: str | None


class Events(TypedDict):
    events: list[Event]
    total: int
    next_cursor: Cursor | None


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


def refuse_backwards(start: str | None, end: str | None, field: str, rule: str) -> None:
    """Refuse an end before its start; either may be missing."""
    if start is not None and end is not None and end < start:
        message = f"The end, {end}, lies before the start, {start}."
        raise ToolError("invalid", message, field=field, reason=rule)


def refuse_while_used(world: World, key: str | int, field: str, rule: str, queries: dict[str, str]) -> None:
    """Refuse a deletion while other rows refer to the row; each query counts those of one table."""
    for table, query in queries.items():
        count = world.value(query, key=key)
        if count:
            message = f"{key} cannot be deleted: it is still referred to ({count} of {table})."
            raise ToolError("conflict", message, field=field, reason=rule)


# ---------------------------------------------------------------- calendars


def read_calendar(world: World, calendar_id: str, field: str = "calendar_id") -> Calendar:
    """The calendar with that calendar_id; refused where there is none."""
    row = world.one("SELECT * FROM calendars WHERE id = ?", calendar_id)
    if row is None:
        raise ToolError("not_found", f"There is no calendar {calendar_id}.", field=field)
    return as_calendar(row)


def as_calendar(row: dict[str, Any]) -> Calendar:
    """A stored calendar as tools return it."""
    converted = {
        "auto_accept_invitations": flag(row["auto_accept_invitations"]),
        "conference_properties": parsed(row["conference_properties"]),
        "working_hours": parsed(row["working_hours"]),
    }
    return cast(Calendar, row | converted)


# Plays GET /calendars/{calendarId}
@env.tool(candidates="SELECT id AS calendar_id FROM calendars", refused={"not_found": "SELECT 'NOSUCH' AS calendar_id"})
def get_calendar(world: World, calendar_id: CalendarId) -> Calendar:
    """Return one calendar.

    Args:
        calendar_id: Identifier of the calendar.
    """
    return read_calendar(world, calendar_id)


# Plays POST /calendars
@env.tool(writes=["calendars"], candidates="SELECT summary FROM calendars")
def create_calendar(
    world: World,
    summary: Line,
    auto_accept_invitations: bool | None = None,
    location: Line | None = None,
    time_zone: Line | None = None,
    description: Prose | None = None,
    conference_properties: ConferenceProperties | None = None,
    working_hours: WorkingHours | None = None,
) -> Calendar:
    """Create a calendar.

    Args:
        summary: Title of the calendar.
        auto_accept_invitations: Whether this calendar automatically accepts invitations.
        location: Geographic location of the calendar as free-form text.
        time_zone: The time zone of the calendar.
        description: Description of the calendar.
        conference_properties: Conferencing properties for this calendar, for example what types of conferences are
            allowed.
        working_hours: Represents the information about the user's working hours.
    """
    calendar_id = world.new_code("calendars.id")
    world.run(
        """
        INSERT INTO calendars (id, summary, auto_accept_invitations, location, time_zone, description,
            conference_properties, working_hours)
        VALUES (:id, :summary, :auto_accept_invitations, :location, :time_zone, :description,
            :conference_properties, :working_hours)
        """,
        id=calendar_id,
        summary=summary,
        auto_accept_invitations=auto_accept_invitations,
        location=location,
        time_zone=time_zone,
        description=description,
        conference_properties=packed(conference_properties),
        working_hours=packed(working_hours),
    )
    return read_calendar(world, calendar_id)


# Plays PATCH /calendars/{calendarId}
@env.tool(
    writes=["calendars"],
    destructive=True,
    idempotent=True,
    candidates="SELECT id AS calendar_id, summary FROM calendars",
)
def update_calendar(
    world: World,
    calendar_id: CalendarId,
    summary: Line | None = None,
    auto_accept_invitations: bool | None = None,
    location: Line | None = None,
    time_zone: Line | None = None,
    description: Prose | None = None,
    conference_properties: ConferenceProperties | None = None,
    working_hours: WorkingHours | None = None,
) -> Calendar:
    """Change the given fields of a calendar; the others keep their values.

    Args:
        calendar_id: Identifier of the calendar.
        summary: Title of the calendar.
        auto_accept_invitations: Whether this calendar automatically accepts invitations.
        location: Geographic location of the calendar as free-form text.
        time_zone: The time zone of the calendar.
        description: Description of the calendar.
        conference_properties: Conferencing properties for this calendar, for example what types of conferences are
            allowed.
        working_hours: Represents the information about the user's working hours.
    """
    read_calendar(world, calendar_id)
    world.run(
        """
        UPDATE calendars
        SET summary = coalesce(:summary, summary),
            auto_accept_invitations = coalesce(:auto_accept_invitations, auto_accept_invitations),
            location = coalesce(:location, location),
            time_zone = coalesce(:time_zone, time_zone),
            description = coalesce(:description, description),
            conference_properties = coalesce(:conference_properties, conference_properties),
            working_hours = coalesce(:working_hours, working_hours)
        WHERE id = :calendar_id
        """,
        summary=summary,
        auto_accept_invitations=auto_accept_invitations,
        location=location,
        time_zone=time_zone,
        description=description,
        conference_properties=packed(conference_properties),
        working_hours=packed(working_hours),
        calendar_id=calendar_id,
    )
    return read_calendar(world, calendar_id)


# Plays PUT /calendars/{calendarId}
@env.tool(
    writes=["calendars"],
    destructive=True,
    idempotent=True,
    candidates="SELECT id AS calendar_id, summary FROM calendars",
)
def replace_calendar(
    world: World,
    calendar_id: CalendarId,
    summary: Line,
    auto_accept_invitations: bool | None = None,
    location: Line | None = None,
    time_zone: Line | None = None,
    description: Prose | None = None,
    conference_properties: ConferenceProperties | None = None,
    working_hours: WorkingHours | None = None,
) -> Calendar:
    """Replace the fields of a calendar; what is not given is cleared.

    Args:
        calendar_id: Identifier of the calendar.
        summary: Title of the calendar.
        auto_accept_invitations: Whether this calendar automatically accepts invitations.
        location: Geographic location of the calendar as free-form text.
        time_zone: The time zone of the calendar.
        description: Description of the calendar.
        conference_properties: Conferencing properties for this calendar, for example what types of conferences are
            allowed.
        working_hours: Represents the information about the user's working hours.
    """
    read_calendar(world, calendar_id)
    world.run(
        """
        UPDATE calendars
        SET summary = :summary,
            auto_accept_invitations = :auto_accept_invitations,
            location = :location,
            time_zone = :time_zone,
            description = :description,
            conference_properties = :conference_properties,
            working_hours = :working_hours
        WHERE id = :calendar_id
        """,
        summary=summary,
        auto_accept_invitations=auto_accept_invitations,
        location=location,
        time_zone=time_zone,
        description=description,
        conference_properties=packed(conference_properties),
        working_hours=packed(working_hours),
        calendar_id=calendar_id,
    )
    return read_calendar(world, calendar_id)


# Plays DELETE /calendars/{calendarId}
@env.tool(
    writes=["calendars", "calendar_list_entries", "acl_rules", "events"],
    destructive=True,
    confirm=["calendar_id"],
    candidates="SELECT id AS calendar_id FROM calendars",
    refused={"not_found": "SELECT 'NOSUCH' AS calendar_id"},
)
def delete_calendar(world: World, calendar_id: CalendarId) -> Deleted:
    """Delete a calendar, with its calendar list entries, acl rules and events.

    Args:
        calendar_id: Identifier of the calendar.
    """
    read_calendar(world, calendar_id)
    world.run("DELETE FROM events WHERE calendar_id = :key", key=calendar_id)
    world.run("DELETE FROM acl_rules WHERE calendar_id = :key", key=calendar_id)
    world.run("DELETE FROM calendar_list_entries WHERE id = :key", key=calendar_id)
    world.run("DELETE FROM calendars WHERE id = :calendar_id", calendar_id=calendar_id)
    return {"deleted": calendar_id}


# ---------------------------------------------------------------- calendar list entries


def read_calendar_list_entry(world: World, calendar_id: str, field: str = "calendar_id") -> CalendarListEntry:
    """The calendar list entry with that calendar_id; refused where there is none."""
    row = world.one("SELECT * FROM calendar_list_entries WHERE id = ?", calendar_id)
    if row is None:
        raise ToolError("not_found", f"There is no calendar list entry {calendar_id}.", field=field)
    return as_calendar_list_entry(row)


def as_calendar_list_entry(row: dict[str, Any]) -> CalendarListEntry:
    """A stored calendar list entry as tools return it."""
    converted = {
        "hidden": flag(row["hidden"]),
        "selected": flag(row["selected"]),
        "conference_properties": parsed(row["conference_properties"]),
        "default_reminders": parsed(row["default_reminders"]),
    }
    return cast(CalendarListEntry, row | converted)


# Plays GET /users/me/calendarList
@env.tool(candidates='SELECT 5 AS "limit"')
def list_calendar_list_entries(
    world: World,
    limit: Annotated[int, Field(ge=1, le=80)] = 20,
    cursor: Cursor | None = None,
) -> CalendarListEntries:
    """List calendar list entries, one page at a time; what is not given does not narrow the list.

    Args:
        limit: Most rows to return.
        cursor: The `next_cursor` of the page before.
    """
    start = int(cursor or 0)
    rows = world.all("SELECT * FROM calendar_list_entries ORDER BY id")
    return {
        "calendar_list_entries": [as_calendar_list_entry(row) for row in rows[start : start + limit]],
        "total": len(rows),
        "next_cursor": str(start + limit) if start + limit < len(rows) else None,
    }


# Plays GET /users/me/calendarList/{calendarId}
@env.tool(
    candidates="SELECT id AS calendar_id FROM calendar_list_entries",
    refused={"not_found": "SELECT 'NOSUCH' AS calendar_id"},
)
def get_calendar_list_entry(world: World, calendar_id: CalendarId) -> CalendarListEntry:
    """Return one calendar list entry.

    Args:
        calendar_id: Identifier of the calendar list entry.
    """
    return read_calendar_list_entry(world, calendar_id)


# Plays POST /users/me/calendarList
@env.tool(
    writes=["calendar_list_entries"],
    candidates="""
    SELECT id AS calendar_id, summary AS summary_override
    FROM calendars WHERE id NOT IN (SELECT id FROM calendar_list_entries)
    """,
    refused={"unique-calendar-list-entry-id": "SELECT id AS calendar_id, summary_override FROM calendar_list_entries"},
)
def create_calendar_list_entry(
    world: World,
    calendar_id: CalendarId,
    summary_override: Line,
    background_color: Line | None = None,
    foreground_color: Line | None = None,
    hidden: bool = False,
    selected: bool = False,
    conference_properties: ConferenceProperties | None = None,
    default_reminders: list[EventReminder] | None = None,
) -> CalendarListEntry:
    """Create a calendar list entry for an existing calendar.

    Args:
        calendar_id: Identifier of the calendar.
        summary_override: The summary that the authenticated user has set for this calendar.
        background_color: The main color of the calendar in the hexadecimal format "#0088aa".
        foreground_color: The foreground color of the calendar in the hexadecimal format "#ffffff".
        hidden: Whether the calendar has been hidden from the list.
        selected: Whether the calendar content shows up in the calendar UI.
        conference_properties: Conferencing properties for this calendar, for example what types of conferences are
            allowed.
        default_reminders: The default reminders that the authenticated user has for this calendar.
    """
    read_calendar(world, calendar_id)
    if world.value("SELECT 1 FROM calendar_list_entries WHERE id = ?", calendar_id):
        raise ToolError(
            "conflict",
            f"There is already a calendar list entry with the calendar ID {calendar_id}.",
            field="calendar_id",
            reason="unique-calendar-list-entry-id",
        )
    world.run(
        """
        INSERT INTO calendar_list_entries (id, summary_override, background_color, foreground_color, hidden,
            selected, conference_properties, default_reminders)
        VALUES (:id, :summary_override, :background_color, :foreground_color, :hidden, :selected,
            :conference_properties, :default_reminders)
        """,
        id=calendar_id,
        summary_override=summary_override,
        background_color=background_color,
        foreground_color=foreground_color,
        hidden=hidden,
        selected=selected,
        conference_properties=packed(conference_properties),
        default_reminders=packed(default_reminders),
    )
    return read_calendar_list_entry(world, calendar_id)


# Plays PATCH /users/me/calendarList/{calendarId}
@env.tool(
    writes=["calendar_list_entries"],
    destructive=True,
    idempotent=True,
    candidates="SELECT id AS calendar_id, summary_override FROM calendar_list_entries",
)
def update_calendar_list_entry(
    world: World,
    calendar_id: CalendarId,
    summary_override: Line | None = None,
    background_color: Line | None = None,
    foreground_color: Line | None = None,
    hidden: bool | None = None,
    selected: bool | None = None,
    conference_properties: ConferenceProperties | None = None,
    default_reminders: list[EventReminder] | None = None,
) -> CalendarListEntry:
    """Change the given fields of a calendar list entry; the others keep their values.

    Args:
        calendar_id: Identifier of the calendar list entry.
        summary_override: The summary that the authenticated user has set for this calendar.
        background_color: The main color of the calendar in the hexadecimal format "#0088aa".
        foreground_color: The foreground color of the calendar in the hexadecimal format "#ffffff".
        hidden: Whether the calendar has been hidden from the list.
        selected: Whether the calendar content shows up in the calendar UI.
        conference_properties: Conferencing properties for this calendar, for example what types of conferences are
            allowed.
        default_reminders: The default reminders that the authenticated user has for this calendar.
    """
    read_calendar_list_entry(world, calendar_id)
    world.run(
        """
        UPDATE calendar_list_entries
        SET summary_override = coalesce(:summary_override, summary_override),
            background_color = coalesce(:background_color, background_color),
            foreground_color = coalesce(:foreground_color, foreground_color),
            hidden = coalesce(:hidden, hidden),
            selected = coalesce(:selected, selected),
            conference_properties = coalesce(:conference_properties, conference_properties),
            default_reminders = coalesce(:default_reminders, default_reminders)
        WHERE id = :calendar_id
        """,
        summary_override=summary_override,
        background_color=background_color,
        foreground_color=foreground_color,
        hidden=hidden,
        selected=selected,
        conference_properties=packed(conference_properties),
        default_reminders=packed(default_reminders),
        calendar_id=calendar_id,
    )
    return read_calendar_list_entry(world, calendar_id)


# Plays PUT /users/me/calendarList/{calendarId}
@env.tool(
    writes=["calendar_list_entries"],
    destructive=True,
    idempotent=True,
    candidates="SELECT id AS calendar_id, summary_override FROM calendar_list_entries",
)
def replace_calendar_list_entry(
    world: World,
    calendar_id: CalendarId,
    summary_override: Line,
    background_color: Line | None = None,
    foreground_color: Line | None = None,
    hidden: bool | None = None,
    selected: bool | None = None,
    conference_properties: ConferenceProperties | None = None,
    default_reminders: list[EventReminder] | None = None,
) -> CalendarListEntry:
    """Replace the fields of a calendar list entry; what is not given is cleared.

    Args:
        calendar_id: Identifier of the calendar list entry.
        summary_override: The summary that the authenticated user has set for this calendar.
        background_color: The main color of the calendar in the hexadecimal format "#0088aa".
        foreground_color: The foreground color of the calendar in the hexadecimal format "#ffffff".
        hidden: Whether the calendar has been hidden from the list.
        selected: Whether the calendar content shows up in the calendar UI.
        conference_properties: Conferencing properties for this calendar, for example what types of conferences are
            allowed.
        default_reminders: The default reminders that the authenticated user has for this calendar.
    """
    read_calendar_list_entry(world, calendar_id)
    world.run(
        """
        UPDATE calendar_list_entries
        SET summary_override = :summary_override,
            background_color = :background_color,
            foreground_color = :foreground_color,
            hidden = :hidden,
            selected = :selected,
            conference_properties = :conference_properties,
            default_reminders = :default_reminders
        WHERE id = :calendar_id
        """,
        summary_override=summary_override,
        background_color=background_color,
        foreground_color=foreground_color,
        hidden=hidden,
        selected=selected,
        conference_properties=packed(conference_properties),
        default_reminders=packed(default_reminders),
        calendar_id=calendar_id,
    )
    return read_calendar_list_entry(world, calendar_id)


# Plays DELETE /users/me/calendarList/{calendarId}
@env.tool(
    writes=["calendar_list_entries"],
    destructive=True,
    confirm=["calendar_id"],
    candidates="SELECT id AS calendar_id FROM calendar_list_entries",
    refused={"not_found": "SELECT 'NOSUCH' AS calendar_id"},
)
def delete_calendar_list_entry(world: World, calendar_id: CalendarId) -> Deleted:
    """Delete a calendar list entry.

    Args:
        calendar_id: Identifier of the calendar list entry.
    """
    read_calendar_list_entry(world, calendar_id)
    world.run("DELETE FROM calendar_list_entries WHERE id = :calendar_id", calendar_id=calendar_id)
    return {"deleted": calendar_id}


# ---------------------------------------------------------------- acl rules


def read_acl_rule(
    world: World,
    acl_rule_id: str,
    field: str = "acl_rule_id",
    *,
    calendar_id: str | None = None,
) -> AclRule:
    """The acl rule with that acl_rule_id, in that calendar_id if given; refused where there is none."""
    row = world.one(
        "SELECT * FROM acl_rules WHERE id = :key AND (:parent IS NULL OR calendar_id = :parent)",
        key=acl_rule_id,
        parent=calendar_id,
    )
    if row is None:
        raise ToolError("not_found", f"There is no acl rule {acl_rule_id}.", field=field)
    return as_acl_rule(row)


def as_acl_rule(row: dict[str, Any]) -> AclRule:
    """A stored acl rule as tools return it."""
    return cast(AclRule, row)


# Plays GET /calendars/{calendarId}/acl
@env.tool(candidates="SELECT id AS calendar_id FROM calendars")
def list_acl_rules(
    world: World,
    calendar_id: CalendarId,
    role: Role | None = None,
    scope_type: ScopeType | None = None,
    limit: Annotated[int, Field(ge=1, le=100)] = 20,
    cursor: Cursor | None = None,
) -> AclRules:
    """List acl rules, one page at a time; what is not given does not narrow the list.

    Args:
        calendar_id: The calendar whose acl rules to list.
        role: Only acl rules with this role.
        scope_type: Only acl rules with this scope type.
        limit: Most rows to return.
        cursor: The `next_cursor` of the page before.
    """
    read_calendar(world, calendar_id)
    start = int(cursor or 0)
    rows = world.all(
        """
        SELECT * FROM acl_rules
        WHERE calendar_id = :calendar_id
          AND (:role IS NULL OR role = :role)
          AND (:scope_type IS NULL OR scope_type = :scope_type)
        ORDER BY id
        """,
        calendar_id=calendar_id,
        role=role,
        scope_type=scope_type,
    )
    return {
        "acl_rules": [as_acl_rule(row) for row in rows[start : start + limit]],
        "total": len(rows),
        "next_cursor": str(start + limit) if start + limit < len(rows) else None,
    }


# Plays GET /calendars/{calendarId}/acl/{ruleId}
@env.tool(
    candidates="SELECT calendar_id, id AS acl_rule_id FROM acl_rules",
    refused={"not_found": "SELECT id AS calendar_id, 'NOSUCH' AS acl_rule_id FROM calendars"},
)
def get_acl_rule(world: World, calendar_id: CalendarId, acl_rule_id: AclRuleId) -> AclRule:
    """Return one acl rule.

    Args:
        calendar_id: The calendar it belongs to.
        acl_rule_id: Identifier of the acl rule.
    """
    read_calendar(world, calendar_id)
    return read_acl_rule(world, acl_rule_id, calendar_id=calendar_id)


# Plays POST /calendars/{calendarId}/acl
@env.tool(writes=["acl_rules"], candidates="SELECT calendar_id, role, scope_type FROM acl_rules")
def create_acl_rule(
    world: World,
    calendar_id: CalendarId,
    role: Role,
    scope_type: ScopeType,
    scope_value: Line | None = None,
) -> AclRule:
    """Create an acl rule.

    Args:
        calendar_id: The calendar it will belong to.
        role: The role assigned to the scope.
        scope_type: The type of the scope.
        scope_value: The email address of a user or group, or the name of a domain, depending on the scope type.
    """
    read_calendar(world, calendar_id)
    acl_rule_id = world.new_code("acl_rules.id")
    world.run(
        """
        INSERT INTO acl_rules (id, calendar_id, role, scope_type, scope_value)
        VALUES (:id, :calendar_id, :role, :scope_type, :scope_value)
        """,
        id=acl_rule_id,
        calendar_id=calendar_id,
        role=role,
        scope_type=scope_type,
        scope_value=scope_value,
    )
    return read_acl_rule(world, acl_rule_id)


# Plays PATCH /calendars/{calendarId}/acl/{ruleId}
@env.tool(
    writes=["acl_rules"],
    destructive=True,
    idempotent=True,
    candidates="SELECT calendar_id, id AS acl_rule_id, role FROM acl_rules",
)
def update_acl_rule(
    world: World,
    calendar_id: CalendarId,
    acl_rule_id: AclRuleId,
    role: Role | None = None,
    scope_type: ScopeType | None = None,
    scope_value: Line | None = None,
) -> AclRule:
    """Change the given fields of an acl rule; the others keep their values.

    Args:
        calendar_id: The calendar it belongs to.
        acl_rule_id: Identifier of the acl rule.
        role: The role assigned to the scope.
        scope_type: The type of the scope.
        scope_value: The email address of a user or group, or the name of a domain, depending on the scope type.
    """
    read_calendar(world, calendar_id)
    read_acl_rule(world, acl_rule_id, calendar_id=calendar_id)
    world.run(
        """
        UPDATE acl_rules
        SET role = coalesce(:role, role),
            scope_type = coalesce(:scope_type, scope_type),
            scope_value = coalesce(:scope_value, scope_value)
        WHERE id = :acl_rule_id
        """,
        role=role,
        scope_type=scope_type,
        scope_value=scope_value,
        acl_rule_id=acl_rule_id,
    )
    return read_acl_rule(world, acl_rule_id)


# Plays PUT /calendars/{calendarId}/acl/{ruleId}
@env.tool(
    writes=["acl_rules"],
    destructive=True,
    idempotent=True,
    candidates="SELECT calendar_id, id AS acl_rule_id, role, scope_type FROM acl_rules",
)
def replace_acl_rule(
    world: World,
    calendar_id: CalendarId,
    acl_rule_id: AclRuleId,
    role: Role,
    scope_type: ScopeType,
    scope_value: Line | None = None,
) -> AclRule:
    """Replace the fields of an acl rule; what is not given is cleared.

    Args:
        calendar_id: The calendar it belongs to.
        acl_rule_id: Identifier of the acl rule.
        role: The role assigned to the scope.
        scope_type: The type of the scope.
        scope_value: The email address of a user or group, or the name of a domain, depending on the scope type.
    """
    read_calendar(world, calendar_id)
    read_acl_rule(world, acl_rule_id, calendar_id=calendar_id)
    world.run(
        """
        UPDATE acl_rules
        SET role = :role, scope_type = :scope_type, scope_value = :scope_value
        WHERE id = :acl_rule_id
        """,
        role=role,
        scope_type=scope_type,
        scope_value=scope_value,
        acl_rule_id=acl_rule_id,
    )
    return read_acl_rule(world, acl_rule_id)


# Plays DELETE /calendars/{calendarId}/acl/{ruleId}
@env.tool(
    writes=["acl_rules"],
    destructive=True,
    confirm=["acl_rule_id"],
    candidates="SELECT calendar_id, id AS acl_rule_id FROM acl_rules",
    refused={"not_found": "SELECT id AS calendar_id, 'NOSUCH' AS acl_rule_id FROM calendars"},
)
def delete_acl_rule(world: World, calendar_id: CalendarId, acl_rule_id: AclRuleId) -> Deleted:
    """Delete an acl rule.

    Args:
        calendar_id: The calendar it belongs to.
        acl_rule_id: Identifier of the acl rule.
    """
    read_calendar(world, calendar_id)
    read_acl_rule(world, acl_rule_id, calendar_id=calendar_id)
    world.run("DELETE FROM acl_rules WHERE id = :acl_rule_id", acl_rule_id=acl_rule_id)
    return {"deleted": acl_rule_id}


# ---------------------------------------------------------------- events


def read_event(world: World, event_id: str, field: str = "event_id", *, calendar_id: str | None = None) -> Event:
    """The event with that event_id, in that calendar_id if given; refused where there is none."""
    row = world.one(
        "SELECT * FROM events WHERE id = :key AND (:parent IS NULL OR calendar_id = :parent)",
        key=event_id,
        parent=calendar_id,
    )
    if row is None:
        raise ToolError("not_found", f"There is no event {event_id}.", field=field)
    return as_event(row)


def as_event(row: dict[str, Any]) -> Event:
    """A stored event as tools return it."""
    converted = {
        "guests_can_invite_others": flag(row["guests_can_invite_others"]),
        "guests_can_modify": flag(row["guests_can_modify"]),
        "guests_can_see_other_guests": flag(row["guests_can_see_other_guests"]),
        "private_copy": flag(row["private_copy"]),
        "attendees": parsed(row["attendees"]),
    }
    return cast(Event, row | converted)


# Plays GET /calendars/{calendarId}/events
@env.tool(candidates="SELECT id AS calendar_id FROM calendars")
def list_events(
    world: World,
    calendar_id: CalendarId,
    event_type: EventType | None = None,
    i_cal_uid: Line | None = None,
    q: Line | None = None,
    time_max: Moment | None = None,
    time_min: Moment | None = None,
    updated_min: Moment | None = None,
    recurring_event_id: EventId | None = None,
    birthday_properties_type: BirthdayPropertiesType | None = None,
    sort_by: EventOrder | None = None,
    descending: bool = False,
    limit: Annotated[int, Field(ge=1, le=20)] = 20,
    cursor: Cursor | None = None,
) -> Events:
    """List events, one page at a time; what is not given does not narrow the list.

    Args:
        calendar_id: The calendar whose events to list.
        event_type: Only events with this event type.
        i_cal_uid: Only events with this i cal uid.
        q: Text that must occur in summary, location, description.
        time_max: Only events with a start date time not after this.
        time_min: Only events with a start date time not before this.
        updated_min: Only events with an updated not before this.
        recurring_event_id: Only events with this recurring event ID.
        birthday_properties_type: Only events with this birthday properties type.
        sort_by: Column to sort by; by ID if not given.
        descending: Whether the largest comes first.
        limit: Most rows to return.
        cursor: The `next_cursor` of the page before.
    """
    read_calendar(world, calendar_id)
    start = int(cursor or 0)
    rows = world.all(
        f"""
        SELECT * FROM events
        WHERE calendar_id = :calendar_id
          AND (:event_type IS NULL OR event_type = :event_type)
          AND (:i_cal_uid IS NULL OR i_cal_uid = :i_cal_uid COLLATE NOCASE)
          AND (:q IS NULL
               OR instr(lower(summary), lower(:q))
               OR instr(lower(location), lower(:q))
               OR instr(lower(description), lower(:q)))
          AND (:time_max IS NULL OR start_date_time <= :time_max)
          AND (:time_min IS NULL OR start_date_time >= :time_min)
          AND (:updated_min IS NULL OR updated >= :updated_min)
          AND (:recurring_event_id IS NULL OR recurring_event_id = :recurring_event_id)
          AND (:birthday_properties_type IS NULL OR birthday_properties_type = :birthday_properties_type)
        ORDER BY {sort_by or "id"} {"DESC" if descending else "ASC"}, id
        """,
        calendar_id=calendar_id,
        event_type=event_type,
        i_cal_uid=i_cal_uid,
        q=q,
        time_max=time_max,
        time_min=time_min,
        updated_min=updated_min,
        recurring_event_id=recurring_event_id,
        birthday_properties_type=birthday_properties_type,
    )
    return {
        "events": [as_event(row) for row in rows[start : start + limit]],
        "total": len(rows),
        "next_cursor": str(start + limit) if start + limit < len(rows) else None,
    }


# Plays GET /calendars/{calendarId}/events/{eventId}
@env.tool(
    candidates="SELECT calendar_id, id AS event_id FROM events",
    refused={"not_found": "SELECT id AS calendar_id, 'NOSUCH' AS event_id FROM calendars"},
)
def get_event(world: World, calendar_id: CalendarId, event_id: EventId) -> Event:
    """Return one event.

    Args:
        calendar_id: The calendar it belongs to.
        event_id: Identifier of the event.
    """
    read_calendar(world, calendar_id)
    return read_event(world, event_id, calendar_id=calendar_id)


# Plays POST /calendars/{calendarId}/events
@env.tool(writes=["events"], candidates="SELECT calendar_id, summary FROM events")
def create_event(
    world: World,
    calendar_id: CalendarId,
    summary: Line,
    recurring_event_id: EventId | None = None,
    birthday_properties_type: BirthdayPropertiesType = "birthday",
    event_type: EventType = "default",
    status: Status | None = None,
    transparency: Transparency = "opaque",
    visibility: Visibility = "default",
    end_date: Day | None = None,
    end_date_time: Moment | None = None,
    guests_can_invite_others: bool = True,
    guests_can_modify: bool = False,
    guests_can_see_other_guests: bool = True,
    i_cal_uid: Line | None = None,
    location: Line | None = None,
    original_start_time_date: Day | None = None,
    original_start_time_date_time: Moment | None = None,
    private_copy: bool = False,
    sequence: Whole | None = None,
    start_date: Day | None = None,
    start_date_time: Moment | None = None,
    description: Prose | None = None,
    attendees: list[EventAttendee] | None = None,
) -> Event:
    """Create an event.

    Args:
        calendar_id: The calendar it will belong to.
        summary: Title of the event.
        recurring_event_id: For an instance of a recurring event, this is the id of the recurring event to which this
            instance belongs.
        birthday_properties_type: Type of birthday or special event.
        event_type: Specific type of the event.
        status: Status of the event.
        transparency: Whether the event blocks time on the calendar.
        visibility: Visibility of the event.
        end_date: The date, in the format "yyyy-mm-dd", if this is an all-day event.
        end_date_time: The time, as a combined date-time value (formatted according to RFC3339).
        guests_can_invite_others: Whether attendees other than the organizer can invite others to the event.
        guests_can_modify: Whether attendees other than the organizer can modify the event.
        guests_can_see_other_guests: Whether attendees other than the organizer can see who the event's attendees are.
        i_cal_uid: Event unique identifier as defined in RFC5545.
        location: Geographic location of the event as free-form text.
        original_start_time_date: The date, in the format "yyyy-mm-dd", if this is an all-day event.
        original_start_time_date_time: The time, as a combined date-time value (formatted according to RFC3339).
        private_copy: If set to True, Event propagation is disabled.
        sequence: Sequence number as per iCalendar.
        start_date: The date, in the format "yyyy-mm-dd", if this is an all-day event.
        start_date_time: The time, as a combined date-time value (formatted according to RFC3339).
        description: Description of the event.
        attendees: The attendees of the event.
    """
    read_calendar(world, calendar_id)
    if recurring_event_id is not None:
        read_event(world, recurring_event_id, "recurring_event_id", calendar_id=calendar_id)
    refuse_backwards(start_date, end_date, "end_date", "dates-events")
    refuse_backwards(start_date_time, end_date_time, "end_date_time", "dates-events")
    event_id = world.new_code("events.id")
    world.run(
        """
        INSERT INTO events (id, calendar_id, summary, recurring_event_id, birthday_properties_type,
            event_type, status, transparency, visibility, end_date, end_date_time, guests_can_invite_others,
            guests_can_modify, guests_can_see_other_guests, i_cal_uid, location, original_start_time_date,
            original_start_time_date_time, private_copy, sequence, start_date, start_date_time, description,
            attendees, created, updated)
        VALUES (:id, :calendar_id, :summary, :recurring_event_id, :birthday_properties_type, :event_type,
            :status, :transparency, :visibility, :end_date, :end_date_time, :guests_can_invite_others,
            :guests_can_modify, :guests_can_see_other_guests, :i_cal_uid, :location,
            :original_start_time_date, :original_start_time_date_time, :private_copy, :sequence,
            :start_date, :start_date_time, :description, :attendees, :created, :updated)
        """,
        id=event_id,
        calendar_id=calendar_id,
        summary=summary,
        recurring_event_id=recurring_event_id,
        birthday_properties_type=birthday_properties_type,
        event_type=event_type,
        status=status,
        transparency=transparency,
        visibility=visibility,
        end_date=end_date,
        end_date_time=end_date_time,
        guests_can_invite_others=guests_can_invite_others,
        guests_can_modify=guests_can_modify,
        guests_can_see_other_guests=guests_can_see_other_guests,
        i_cal_uid=i_cal_uid,
        location=location,
        original_start_time_date=original_start_time_date,
        original_start_time_date_time=original_start_time_date_time,
        private_copy=private_copy,
        sequence=sequence,
        start_date=start_date,
        start_date_time=start_date_time,
        description=description,
        attendees=packed(attendees),
        created=world.now,
        updated=world.now,
    )
    return read_event(world, event_id)


# Plays PATCH /calendars/{calendarId}/events/{eventId}
@env.tool(
    writes=["events"],
    destructive=True,
    idempotent=True,
    candidates="SELECT calendar_id, id AS event_id, summary FROM events",
)
def update_event(
    world: World,
    calendar_id: CalendarId,
    event_id: EventId,
    summary: Line | None = None,
    recurring_event_id: EventId | None = None,
    birthday_properties_type: BirthdayPropertiesType | None = None,
    event_type: EventType | None = None,
    status: Status | None = None,
    transparency: Transparency | None = None,
    visibility: Visibility | None = None,
    end_date: Day | None = None,
    end_date_time: Moment | None = None,
    guests_can_invite_others: bool | None = None,
    guests_can_modify: bool | None = None,
    guests_can_see_other_guests: bool | None = None,
    i_cal_uid: Line | None = None,
    location: Line | None = None,
    original_start_time_date: Day | None = None,
    original_start_time_date_time: Moment | None = None,
    private_copy: bool | None = None,
    sequence: Whole | None = None,
    start_date: Day | None = None,
    start_date_time: Moment | None = None,
    description: Prose | None = None,
    attendees: list[EventAttendee] | None = None,
) -> Event:
    """Change the given fields of an event; the others keep their values.

    Args:
        calendar_id: The calendar it belongs to.
        event_id: Identifier of the event.
        summary: Title of the event.
        recurring_event_id: For an instance of a recurring event, this is the id of the recurring event to which this
            instance belongs.
        birthday_properties_type: Type of birthday or special event.
        event_type: Specific type of the event.
        status: Status of the event.
        transparency: Whether the event blocks time on the calendar.
        visibility: Visibility of the event.
        end_date: The date, in the format "yyyy-mm-dd", if this is an all-day event.
        end_date_time: The time, as a combined date-time value (formatted according to RFC3339).
        guests_can_invite_others: Whether attendees other than the organizer can invite others to the event.
        guests_can_modify: Whether attendees other than the organizer can modify the event.
        guests_can_see_other_guests: Whether attendees other than the organizer can see who the event's attendees are.
        i_cal_uid: Event unique identifier as defined in RFC5545.
        location: Geographic location of the event as free-form text.
        original_start_time_date: The date, in the format "yyyy-mm-dd", if this is an all-day event.
        original_start_time_date_time: The time, as a combined date-time value (formatted according to RFC3339).
        private_copy: If set to True, Event propagation is disabled.
        sequence: Sequence number as per iCalendar.
        start_date: The date, in the format "yyyy-mm-dd", if this is an all-day event.
        start_date_time: The time, as a combined date-time value (formatted according to RFC3339).
        description: Description of the event.
        attendees: The attendees of the event.
    """
    read_calendar(world, calendar_id)
    stored = read_event(world, event_id, calendar_id=calendar_id)
    if recurring_event_id is not None:
        read_event(world, recurring_event_id, "recurring_event_id", calendar_id=calendar_id)
    refuse_backwards(start_date or stored["start_date"], end_date or stored["end_date"], "end_date", "dates-events")
    refuse_backwards(
        start_date_time or stored["start_date_time"],
        end_date_time or stored["end_date_time"],
        "end_date_time",
        "dates-events",
    )
    world.run(
        """
        UPDATE events
        SET summary = coalesce(:summary, summary),
            recurring_event_id = coalesce(:recurring_event_id, recurring_event_id),
            birthday_properties_type = coalesce(:birthday_properties_type, birthday_properties_type),
            event_type = coalesce(:event_type, event_type),
            status = coalesce(:status, status),
            transparency = coalesce(:transparency, transparency),
            visibility = coalesce(:visibility, visibility),
            end_date = coalesce(:end_date, end_date),
            end_date_time = coalesce(:end_date_time, end_date_time),
            guests_can_invite_others = coalesce(:guests_can_invite_others, guests_can_invite_others),
            guests_can_modify = coalesce(:guests_can_modify, guests_can_modify),
            guests_can_see_other_guests = coalesce(:guests_can_see_other_guests, guests_can_see_other_guests),
            i_cal_uid = coalesce(:i_cal_uid, i_cal_uid),
            location = coalesce(:location, location),
            original_start_time_date = coalesce(:original_start_time_date, original_start_time_date),
            original_start_time_date_time =
                coalesce(:original_start_time_date_time, original_start_time_date_time),
            private_copy = coalesce(:private_copy, private_copy),
            sequence = coalesce(:sequence, sequence),
            start_date = coalesce(:start_date, start_date),
            start_date_time = coalesce(:start_date_time, start_date_time),
            description = coalesce(:description, description),
            attendees = coalesce(:attendees, attendees),
            updated = :now
        WHERE id = :event_id
        """,
        summary=summary,
        recurring_event_id=recurring_event_id,
        birthday_properties_type=birthday_properties_type,
        event_type=event_type,
        status=status,
        transparency=transparency,
        visibility=visibility,
        end_date=end_date,
        end_date_time=end_date_time,
        guests_can_invite_others=guests_can_invite_others,
        guests_can_modify=guests_can_modify,
        guests_can_see_other_guests=guests_can_see_other_guests,
        i_cal_uid=i_cal_uid,
        location=location,
        original_start_time_date=original_start_time_date,
        original_start_time_date_time=original_start_time_date_time,
        private_copy=private_copy,
        sequence=sequence,
        start_date=start_date,
        start_date_time=start_date_time,
        description=description,
        attendees=packed(attendees),
        now=world.now,
        event_id=event_id,
    )
    return read_event(world, event_id)


# Plays PUT /calendars/{calendarId}/events/{eventId}
@env.tool(
    writes=["events"],
    destructive=True,
    idempotent=True,
    candidates="SELECT calendar_id, id AS event_id, summary FROM events",
)
def replace_event(
    world: World,
    calendar_id: CalendarId,
    event_id: EventId,
    summary: Line,
    recurring_event_id: EventId | None = None,
    birthday_properties_type: BirthdayPropertiesType | None = None,
    event_type: EventType | None = None,
    status: Status | None = None,
    transparency: Transparency | None = None,
    visibility: Visibility | None = None,
    end_date: Day | None = None,
    end_date_time: Moment | None = None,
    guests_can_invite_others: bool | None = None,
    guests_can_modify: bool | None = None,
    guests_can_see_other_guests: bool | None = None,
    i_cal_uid: Line | None = None,
    location: Line | None = None,
    original_start_time_date: Day | None = None,
    original_start_time_date_time: Moment | None = None,
    private_copy: bool | None = None,
    sequence: Whole | None = None,
    start_date: Day | None = None,
    start_date_time: Moment | None = None,
    description: Prose | None = None,
    attendees: list[EventAttendee] | None = None,
) -> Event:
    """Replace the fields of an event; what is not given is cleared.

    Args:
        calendar_id: The calendar it belongs to.
        event_id: Identifier of the event.
        summary: Title of the event.
        recurring_event_id: For an instance of a recurring event, this is the id of the recurring event to which this
            instance belongs.
        birthday_properties_type: Type of birthday or special event.
        event_type: Specific type of the event.
        status: Status of the event.
        transparency: Whether the event blocks time on the calendar.
        visibility: Visibility of the event.
        end_date: The date, in the format "yyyy-mm-dd", if this is an all-day event.
        end_date_time: The time, as a combined date-time value (formatted according to RFC3339).
        guests_can_invite_others: Whether attendees other than the organizer can invite others to the event.
        guests_can_modify: Whether attendees other than the organizer can modify the event.
        guests_can_see_other_guests: Whether attendees other than the organizer can see who the event's attendees are.
        i_cal_uid: Event unique identifier as defined in RFC5545.
        location: Geographic location of the event as free-form text.
        original_start_time_date: The date, in the format "yyyy-mm-dd", if this is an all-day event.
        original_start_time_date_time: The time, as a combined date-time value (formatted according to RFC3339).
        private_copy: If set to True, Event propagation is disabled.
        sequence: Sequence number as per iCalendar.
        start_date: The date, in the format "yyyy-mm-dd", if this is an all-day event.
        start_date_time: The time, as a combined date-time value (formatted according to RFC3339).
        description: Description of the event.
        attendees: The attendees of the event.
    """
    read_calendar(world, calendar_id)
    read_event(world, event_id, calendar_id=calendar_id)
    if recurring_event_id is not None:
        read_event(world, recurring_event_id, "recurring_event_id", calendar_id=calendar_id)
    refuse_backwards(start_date, end_date, "end_date", "dates-events")
    refuse_backwards(start_date_time, end_date_time, "end_date_time", "dates-events")
    world.run(
        """
        UPDATE events
        SET summary = :summary,
            recurring_event_id = :recurring_event_id,
            birthday_properties_type = :birthday_properties_type,
            event_type = :event_type,
            status = :status,
            transparency = :transparency,
            visibility = :visibility,
            end_date = :end_date,
            end_date_time = :end_date_time,
            guests_can_invite_others = :guests_can_invite_others,
            guests_can_modify = :guests_can_modify,
            guests_can_see_other_guests = :guests_can_see_other_guests,
            i_cal_uid = :i_cal_uid,
            location = :location,
            original_start_time_date = :original_start_time_date,
            original_start_time_date_time = :original_start_time_date_time,
            private_copy = :private_copy,
            sequence = :sequence,
            start_date = :start_date,
            start_date_time = :start_date_time,
            description = :description,
            attendees = :attendees,
            updated = :now
        WHERE id = :event_id
        """,
        summary=summary,
        recurring_event_id=recurring_event_id,
        birthday_properties_type=birthday_properties_type,
        event_type=event_type,
        status=status,
        transparency=transparency,
        visibility=visibility,
        end_date=end_date,
        end_date_time=end_date_time,
        guests_can_invite_others=guests_can_invite_others,
        guests_can_modify=guests_can_modify,
        guests_can_see_other_guests=guests_can_see_other_guests,
        i_cal_uid=i_cal_uid,
        location=location,
        original_start_time_date=original_start_time_date,
        original_start_time_date_time=original_start_time_date_time,
        private_copy=private_copy,
        sequence=sequence,
        start_date=start_date,
        start_date_time=start_date_time,
        description=description,
        attendees=packed(attendees),
        now=world.now,
        event_id=event_id,
    )
    return read_event(world, event_id)


# Plays DELETE /calendars/{calendarId}/events/{eventId}
@env.tool(
    writes=["events"],
    destructive=True,
    confirm=["event_id"],
    candidates="""
    SELECT calendar_id, id AS event_id
    FROM events
    WHERE NOT EXISTS (SELECT 1 FROM events AS other WHERE other.recurring_event_id = events.id)
    """,
    refused={
        "not_found": "SELECT id AS calendar_id, 'NOSUCH' AS event_id FROM calendars",
        "keep-used-events": """
        SELECT calendar_id, id AS event_id
        FROM events
        WHERE EXISTS (SELECT 1 FROM events AS other WHERE other.recurring_event_id = events.id)
        """,
    },
)
def delete_event(world: World, calendar_id: CalendarId, event_id: EventId) -> Deleted:
    """Delete an event; refused while other events refer to it.

    Args:
        calendar_id: The calendar it belongs to.
        event_id: Identifier of the event.
    """
    read_calendar(world, calendar_id)
    read_event(world, event_id, calendar_id=calendar_id)
    refuse_while_used(
        world,
        event_id,
        "event_id",
        "keep-used-events",
        {
            "events": "SELECT count(*) FROM events WHERE recurring_event_id = :key",
        },
    )
    world.run("DELETE FROM events WHERE id = :event_id", event_id=event_id)
    return {"deleted": event_id}


if __name__ == "__main__":
    env.serve()
