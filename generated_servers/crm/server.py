"""CRM API: 40 tools over activities, companies, contacts, leads, notes, opportunities, pipelines, users.

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
Day = Annotated[str, Field(pattern=r"^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$")]
"""A date: 2026-05-14."""
Moment = Annotated[str, Field(pattern=r"^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])T[0-2]\d:[0-5]\d:[0-5]\dZ$")]
"""A time in UTC: 2026-05-14T09:00:00Z."""
Whole = Annotated[int, Field(ge=-(10**12), le=10**12)]
"""A whole number."""
Number = Annotated[float, Field(ge=-1e12, le=1e12, allow_inf_nan=False)]
"""A number."""
Cursor = Annotated[str, Field(pattern=r"^[0-9]{1,6}$")]
"""Where the next page starts, as a list returned it."""
ActivityType = Literal["call", "meeting", "email", "note", "task", "deadline", "send-letter", "send-quote", "other"]
ShowAs = Literal["free", "busy"]
Currency = Literal[
    "UNKNOWN_CURRENCY", "AED", "AFN", "ALL", "AMD", "ANG", "AOA", "ARS", "AUD", "AWG", "AZN", "BAM", "BBD", "BDT",
    "BGN", "BHD", "BIF", "BMD", "BND", "BOB", "BOV", "BRL", "BSD", "BTN", "BWP", "BYR", "BZD", "CAD", "CDF", "CHE",
    "CHF", "CHW", "CLF", "CLP", "CNY", "COP", "COU", "CRC", "CUC", "CUP", "CVE", "CZK", "DJF", "DKK", "DOP", "DZD",
    "EGP", "ERN", "ETB", "EUR", "FJD", "FKP", "GBP", "GEL", "GHS", "GIP", "GMD", "GNF", "GTQ", "GYD", "HKD", "HNL",
    "HRK", "HTG", "HUF", "IDR", "ILS", "INR", "IQD", "IRR", "ISK", "JMD", "JOD", "JPY", "KES", "KGS", "KHR", "KMF",
    "KPW", "KRW", "KWD", "KYD", "KZT", "LAK", "LBP", "LKR", "LRD", "LSL", "LTL", "LVL", "LYD", "MAD", "MDL", "MGA",
    "MKD", "MMK", "MNT", "MOP", "MRO", "MUR", "MVR", "MWK", "MXN", "MXV", "MYR", "MZN", "NAD", "NGN", "NIO", "NOK",
    "NPR", "NZD", "OMR", "PAB", "PEN", "PGK", "PHP", "PKR", "PLN", "PYG", "QAR", "RON", "RSD", "RUB", "RWF", "SAR",
    "SBD", "SCR", "SDG", "SEK", "SGD", "SHP", "SLL", "SOS", "SRD", "SSP", "STD", "SVC", "SYP", "SZL", "THB", "TJS",
    "TMT", "TND", "TOP", "TRC", "TRY", "TTD", "TWD", "TZS", "UAH", "UGX", "USD", "USN", "USS", "UYI", "UYU", "UZS",
    "VEF", "VND", "VUV", "WST", "XAF", "XAG", "XAU", "XBA", "XBB", "XBC", "XBD", "XCD", "XDR", "XOF", "XPD", "XPF",
    "XPT", "XTS", "XXX", "YER", "ZAR", "ZMK", "ZMW", "BTC", "ETH",
]  # fmt: skip
Gender = Literal["male", "female", "unisex"]
ContactType = Literal["customer", "supplier", "employee", "personal"]
ActivityId = Annotated[str, Ref("activities.id"), Field(max_length=200)]
CompanyId = Annotated[str, Ref("companies.id"), Field(max_length=200)]
ContactId = Annotated[str, Ref("contacts.id"), Field(max_length=200)]
LeadId = Annotated[str, Ref("leads.id"), Field(max_length=200)]
NoteId = Annotated[str, Ref("notes.id"), Field(max_length=200)]
OpportunityId = Annotated[str, Ref("opportunities.id"), Field(max_length=200)]
PipelineId = Annotated[str, Ref("pipelines.id"), Field(max_length=200)]
UserId = Annotated[str, Ref("users.id"), Field(max_length=200)]
CompanyOrder = Literal["created_at", "updated_at", "name"]
ContactOrder = Literal["created_at", "updated_at", "name", "first_name", "last_name"]
LeadOrder = Literal["created_at", "updated_at", "name", "first_name", "last_name"]
OpportunityOrder = Literal["created_at", "updated_at", "title", "win_probability", "monetary_amount", "status"]

# ---------------------------------------------------------------- what the tools return


class ActivityAttendee(TypedDict):
    email_address: NotRequired[Line]
    first_name: NotRequired[Line]
    is_organizer: NotRequired[bool]
    last_name: NotRequired[Line]
    middle_name: NotRequired[Line]
    name: NotRequired[Line]
    prefix: NotRequired[Line]
    status: NotRequired[Literal["accepted", "tentative", "declined"]]


class Email(TypedDict):
    email: Line
    type: NotRequired[Literal["primary", "secondary", "work", "personal", "billing", "other"]]


class PhoneNumber(TypedDict):
    area_code: NotRequired[Line]
    country_code: NotRequired[Line]
    extension: NotRequired[Line]
    number: Line
    type: NotRequired[Line]


class Address(TypedDict):
    city: NotRequired[Line]
    contact_name: NotRequired[Line]
    country: NotRequired[Line]
    county: NotRequired[Line]
    email: NotRequired[Line]
    fax: NotRequired[Line]
    latitude: NotRequired[Line]
    line1: NotRequired[Line]


class Stage(TypedDict):
    display_order: NotRequired[Whole]
    name: NotRequired[Line]
    value: NotRequired[Line]
    win_probability: NotRequired[Whole]


class Activity(TypedDict):
    """Activities."""

    id: ActivityId
    title: str | None
    type: ActivityType
    company_id: CompanyId | None
    contact_id: ContactId | None
    lead_id: LeadId | None
    opportunity_id: OpportunityId | None
    owner_id: UserId | None
    user_id: UserId | None
    show_as: ShowAs | None
    activity_date: str | None
    activity_datetime: str | None
    end_date: str | None
    end_datetime: str | None
    location: str | None
    reminder_datetime: str | None
    start_datetime: str | None
    description: str | None
    attendees: list[ActivityAttendee] | None
    created_at: str | None
    updated_at: str | None


class Activities(TypedDict):
    activities: list[Activity]
    total: int
    next_cursor: Cursor | None


class Company(TypedDict):
    """Companies."""

    id: CompanyId
    name: str
    owner_id: UserId | None
    currency: Currency | None
    abn_branch: str | None
    abn_or_tfn: str | None
    acn: str | None
    annual_revenue: str | None
    birthday: str | None
    first_name: str | None
    industry: str | None
    last_name: str | None
    number_of_employees: str | None
    ownership: str | None
    status: str | None
    description: str | None
    emails: list[Email] | None
    phone_numbers: list[PhoneNumber] | None
    tags: list[Line] | None
    created_at: str | None
    updated_at: str | None


class Companies(TypedDict):
    companies: list[Company]
    total: int
    next_cursor: Cursor | None


class Contact(TypedDict):
    """Contacts."""

    id: ContactId
    name: str
    title: str | None
    company_id: CompanyId | None
    lead_id: LeadId | None
    owner_id: UserId | None
    gender: Gender | None
    type: ContactType | None
    active: bool | None
    birthday: str | None
    current_balance: float | None
    first_name: str | None
    last_name: str | None
    status: str | None
    description: str | None
    emails: list[Email] | None
    phone_numbers: list[PhoneNumber] | None
    tags: list[Line] | None
    created_at: str | None
    updated_at: str | None


class Contacts(TypedDict):
    contacts: list[Contact]
    total: int
    next_cursor: Cursor | None


class Lead(TypedDict):
    """Leads."""

    id: LeadId
    name: str
    title: str | None
    company_id: CompanyId | None
    owner_id: UserId | None
    currency: Currency | None
    first_name: str | None
    language: str | None
    last_name: str | None
    lead_source: str | None
    monetary_amount: float | None
    prefix: str | None
    status: str | None
    description: str | None
    addresses: list[Address] | None
    emails: list[Email] | None
    phone_numbers: list[PhoneNumber] | None
    tags: list[Line] | None
    created_at: str | None
    updated_at: str | None


class Leads(TypedDict):
    leads: list[Lead]
    total: int
    next_cursor: Cursor | None


class Note(TypedDict):
    """Notes."""

    id: NoteId
    title: str
    company_id: CompanyId | None
    contact_id: ContactId | None
    lead_id: LeadId | None
    opportunity_id: OpportunityId | None
    owner_id: UserId | None
    active: bool | None
    content: str | None
    created_at: str | None
    updated_at: str | None


class Notes(TypedDict):
    notes: list[Note]
    total: int
    next_cursor: Cursor | None


class Opportunity(TypedDict):
    """Opportunities."""

    id: OpportunityId
    title: str
    primary_contact_id: ContactId
    company_id: CompanyId | None
    contact_id: ContactId | None
    lead_id: LeadId | None
    owner_id: UserId | None
    pipeline_id: PipelineId | None
    currency: Currency | None
    close_date: str | None
    monetary_amount: float | None
    priority: str | None
    stage_last_changed_at: str | None
    status: str | None
    type: str | None
    win_probability: float | None
    description: str | None
    tags: list[Line] | None
    created_at: str | None
    updated_at: str | None


class Opportunities(TypedDict):
    opportunities: list[Opportunity]
    total: int
    next_cursor: Cursor | None


class Pipeline(TypedDict):
    """Pipelines."""

    id: PipelineId
    name: str
    currency: Currency | None
    active: bool | None
    archived: bool | None
    display_order: int | None
    win_probability_enabled: bool | None
    stages: list[Stage] | None
    created_at: str | None
    updated_at: str | None


class Pipelines(TypedDict):
    pipelines: list[Pipeline]
    total: int
    next_cursor: Cursor | None


class User(TypedDict):
    """Users."""

    id: UserId
    title: str | None
    username: str | None
    emails: list[Email]
    parent_id: UserId | None
    company_name: str | None
    division: str | None
    employee_number: str | None
    first_name: str | None
    image: str | None
    language: str | None
    last_name: str | None
    status: str | None
    description: str | None
    addresses: list[Address] | None
    phone_numbers: list[PhoneNumber] | None
    created_at: str | None
    updated_at: str | None


class Users(TypedDict):
    users: list[User]
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


def refuse_backwards(start: str | None, end: str | None, field: str) -> None:
    """Refuse an end before its start; either may be missing."""
    if start is not None and end is not None and end < start:
        message = f"The end, {end}, lies before the start, {start}."
        raise ToolError("invalid", message, field=field, reason="ends_before_start")


def refuse_while_used(world: World, key: str | int, field: str, queries: dict[str, str]) -> None:
    """Refuse a deletion while other rows refer to the row; each query counts those of one table."""
    for table, query in queries.items():
        count = world.value(query, key=key)
        if count:
            message = f"{key} cannot be deleted: {count} of {table} refer to it."
            raise ToolError("conflict", message, field=field, reason=f"has_{table}")


# ---------------------------------------------------------------- activities


def read_activity(world: World, activity_id: str, field: str = "activity_id") -> Activity:
    """The activity with that activity_id; refused where there is none."""
    row = world.one("SELECT * FROM activities WHERE id = ?", activity_id)
    if row is None:
        raise ToolError("not_found", f"There is no activity {activity_id}.", field=field)
    return as_activity(row)


def as_activity(row: dict[str, Any]) -> Activity:
    """A stored activity as tools return it."""
    converted = {"attendees": parsed(row["attendees"])}
    return cast(Activity, row | converted)


# Plays GET /crm/activities
@env.tool(candidates="SELECT DISTINCT type FROM activities WHERE type IS NOT NULL")
def list_activities(
    world: World,
    updated_since: Moment | None = None,
    type: ActivityType | None = None,
    company_id: CompanyId | None = None,
    contact_id: ContactId | None = None,
    lead_id: LeadId | None = None,
    opportunity_id: OpportunityId | None = None,
    owner_id: UserId | None = None,
    user_id: UserId | None = None,
    limit: Annotated[int, Field(ge=1, le=200)] = 20,
    cursor: Cursor | None = None,
) -> Activities:
    """List activities, one page at a time; what is not given does not narrow the list.

    Args:
        updated_since: Only activities with an updated at not before this.
        type: Only activities with this type.
        company_id: Only activities with this company ID.
        contact_id: Only activities with this contact ID.
        lead_id: Only activities with this lead ID.
        opportunity_id: Only activities with this opportunity ID.
        owner_id: Only activities with this owner ID.
        user_id: Only activities with this user ID.
        limit: Most rows to return.
        cursor: The `next_cursor` of the page before.
    """
    start = int(cursor or 0)
    rows = world.all(
        """
        SELECT * FROM activities
        WHERE (:updated_since IS NULL OR updated_at >= :updated_since)
          AND (:type IS NULL OR type = :type)
          AND (:company_id IS NULL OR company_id = :company_id)
          AND (:contact_id IS NULL OR contact_id = :contact_id)
          AND (:lead_id IS NULL OR lead_id = :lead_id)
          AND (:opportunity_id IS NULL OR opportunity_id = :opportunity_id)
          AND (:owner_id IS NULL OR owner_id = :owner_id)
          AND (:user_id IS NULL OR user_id = :user_id)
        ORDER BY id
        """,
        updated_since=updated_since,
        type=type,
        company_id=company_id,
        contact_id=contact_id,
        lead_id=lead_id,
        opportunity_id=opportunity_id,
        owner_id=owner_id,
        user_id=user_id,
    )
    return {
        "activities": [as_activity(row) for row in rows[start : start + limit]],
        "total": len(rows),
        "next_cursor": str(start + limit) if start + limit < len(rows) else None,
    }


# Plays GET /crm/activities/{id}
@env.tool(
    candidates="SELECT id AS activity_id FROM activities",
    refused={"not_found": "SELECT 'NOSUCH' AS activity_id"},
)
def get_activity(world: World, activity_id: ActivityId) -> Activity:
    """Return one activity.

    Args:
        activity_id: Identifier of the activity.
    """
    return read_activity(world, activity_id)


# Plays POST /crm/activities
@env.tool(writes=["activities"], candidates="SELECT type FROM activities")
def create_activity(
    world: World,
    type: ActivityType,
    title: Line | None = None,
    company_id: CompanyId | None = None,
    contact_id: ContactId | None = None,
    lead_id: LeadId | None = None,
    opportunity_id: OpportunityId | None = None,
    owner_id: UserId | None = None,
    user_id: UserId | None = None,
    show_as: ShowAs | None = None,
    activity_date: Day | None = None,
    activity_datetime: Moment | None = None,
    end_date: Day | None = None,
    end_datetime: Moment | None = None,
    location: Line | None = None,
    reminder_datetime: Moment | None = None,
    start_datetime: Moment | None = None,
    description: Prose | None = None,
    attendees: list[ActivityAttendee] | None = None,
) -> Activity:
    """Create an activity.

    Args:
        type: The type of the activity.
        title: The title of the activity.
        company_id: The company related to the activity.
        contact_id: The contact related to the activity.
        lead_id: The lead related to the activity.
        opportunity_id: The opportunity related to the activity.
        owner_id: The owner of the activity.
        user_id: The user related to the activity.
        show_as: Show as of the activity.
        activity_date: The date of the activity.
        activity_datetime: The date and time of the activity.
        end_date: The end date of the activity.
        end_datetime: The end date and time of the activity.
        location: The location of the activity.
        reminder_datetime: The date and time of the reminder.
        start_datetime: The start date and time of the activity.
        description: A description of the activity.
        attendees: Attendees of the activity.
    """
    if company_id is not None:
        read_company(world, company_id)
    if contact_id is not None:
        read_contact(world, contact_id)
    if lead_id is not None:
        read_lead(world, lead_id)
    if opportunity_id is not None:
        read_opportunity(world, opportunity_id)
    if owner_id is not None:
        read_user(world, owner_id, "owner_id")
    if user_id is not None:
        read_user(world, user_id)
    refuse_backwards(start_datetime, end_datetime, "end_datetime")
    activity_id = world.new_code("activities.id")
    world.run(
        """
        INSERT INTO activities (id, title, type, company_id, contact_id, lead_id, opportunity_id, owner_id,
            user_id, show_as, activity_date, activity_datetime, end_date, end_datetime, location,
            reminder_datetime, start_datetime, description, attendees, created_at, updated_at)
        VALUES (:id, :title, :type, :company_id, :contact_id, :lead_id, :opportunity_id, :owner_id,
            :user_id, :show_as, :activity_date, :activity_datetime, :end_date, :end_datetime, :location,
            :reminder_datetime, :start_datetime, :description, :attendees, :created_at, :updated_at)
        """,
        id=activity_id,
        title=title,
        type=type,
        company_id=company_id,
        contact_id=contact_id,
        lead_id=lead_id,
        opportunity_id=opportunity_id,
        owner_id=owner_id,
        user_id=user_id,
        show_as=show_as,
        activity_date=activity_date,
        activity_datetime=activity_datetime,
        end_date=end_date,
        end_datetime=end_datetime,
        location=location,
        reminder_datetime=reminder_datetime,
        start_datetime=start_datetime,
        description=description,
        attendees=packed(attendees),
        created_at=world.now,
        updated_at=world.now,
    )
    return read_activity(world, activity_id)


# Plays PATCH /crm/activities/{id}
@env.tool(
    writes=["activities"],
    destructive=True,
    idempotent=True,
    candidates="SELECT id AS activity_id, title FROM activities WHERE title IS NOT NULL",
)
def update_activity(
    world: World,
    activity_id: ActivityId,
    title: Line | None = None,
    type: ActivityType | None = None,
    company_id: CompanyId | None = None,
    contact_id: ContactId | None = None,
    lead_id: LeadId | None = None,
    opportunity_id: OpportunityId | None = None,
    owner_id: UserId | None = None,
    user_id: UserId | None = None,
    show_as: ShowAs | None = None,
    activity_date: Day | None = None,
    activity_datetime: Moment | None = None,
    end_date: Day | None = None,
    end_datetime: Moment | None = None,
    location: Line | None = None,
    reminder_datetime: Moment | None = None,
    start_datetime: Moment | None = None,
    description: Prose | None = None,
    attendees: list[ActivityAttendee] | None = None,
) -> Activity:
    """Change the given fields of an activity; the others keep their values.

    Args:
        activity_id: Identifier of the activity.
        title: The title of the activity.
        type: The type of the activity.
        company_id: The company related to the activity.
        contact_id: The contact related to the activity.
        lead_id: The lead related to the activity.
        opportunity_id: The opportunity related to the activity.
        owner_id: The owner of the activity.
        user_id: The user related to the activity.
        show_as: Show as of the activity.
        activity_date: The date of the activity.
        activity_datetime: The date and time of the activity.
        end_date: The end date of the activity.
        end_datetime: The end date and time of the activity.
        location: The location of the activity.
        reminder_datetime: The date and time of the reminder.
        start_datetime: The start date and time of the activity.
        description: A description of the activity.
        attendees: Attendees of the activity.
    """
    stored = read_activity(world, activity_id)
    if company_id is not None:
        read_company(world, company_id)
    if contact_id is not None:
        read_contact(world, contact_id)
    if lead_id is not None:
        read_lead(world, lead_id)
    if opportunity_id is not None:
        read_opportunity(world, opportunity_id)
    if owner_id is not None:
        read_user(world, owner_id, "owner_id")
    if user_id is not None:
        read_user(world, user_id)
    refuse_backwards(start_datetime or stored["start_datetime"], end_datetime or stored["end_datetime"], "end_datetime")
    world.run(
        """
        UPDATE activities
        SET title = coalesce(:title, title),
            type = coalesce(:type, type),
            company_id = coalesce(:company_id, company_id),
            contact_id = coalesce(:contact_id, contact_id),
            lead_id = coalesce(:lead_id, lead_id),
            opportunity_id = coalesce(:opportunity_id, opportunity_id),
            owner_id = coalesce(:owner_id, owner_id),
            user_id = coalesce(:user_id, user_id),
            show_as = coalesce(:show_as, show_as),
            activity_date = coalesce(:activity_date, activity_date),
            activity_datetime = coalesce(:activity_datetime, activity_datetime),
            end_date = coalesce(:end_date, end_date),
            end_datetime = coalesce(:end_datetime, end_datetime),
            location = coalesce(:location, location),
            reminder_datetime = coalesce(:reminder_datetime, reminder_datetime),
            start_datetime = coalesce(:start_datetime, start_datetime),
            description = coalesce(:description, description),
            attendees = coalesce(:attendees, attendees),
            updated_at = :now
        WHERE id = :activity_id
        """,
        title=title,
        type=type,
        company_id=company_id,
        contact_id=contact_id,
        lead_id=lead_id,
        opportunity_id=opportunity_id,
        owner_id=owner_id,
        user_id=user_id,
        show_as=show_as,
        activity_date=activity_date,
        activity_datetime=activity_datetime,
        end_date=end_date,
        end_datetime=end_datetime,
        location=location,
        reminder_datetime=reminder_datetime,
        start_datetime=start_datetime,
        description=description,
        attendees=packed(attendees),
        now=world.now,
        activity_id=activity_id,
    )
    return read_activity(world, activity_id)


# Plays DELETE /crm/activities/{id}
@env.tool(
    writes=["activities"],
    destructive=True,
    candidates="SELECT id AS activity_id FROM activities",
    refused={"not_found": "SELECT 'NOSUCH' AS activity_id"},
)
def delete_activity(world: World, activity_id: ActivityId) -> Deleted:
    """Delete an activity.

    Args:
        activity_id: Identifier of the activity.
    """
    read_activity(world, activity_id)
    world.run("DELETE FROM activities WHERE id = :activity_id", activity_id=activity_id)
    return {"deleted": activity_id}


# ---------------------------------------------------------------- companies


def read_company(world: World, company_id: str, field: str = "company_id") -> Company:
    """The company with that company_id; refused where there is none."""
    row = world.one("SELECT * FROM companies WHERE id = ?", company_id)
    if row is None:
        raise ToolError("not_found", f"There is no company {company_id}.", field=field)
    return as_company(row)


def as_company(row: dict[str, Any]) -> Company:
    """A stored company as tools return it."""
    converted = {
        "emails": parsed(row["emails"]),
        "phone_numbers": parsed(row["phone_numbers"]),
        "tags": parsed(row["tags"]),
    }
    return cast(Company, row | converted)


# Plays GET /crm/companies
@env.tool(candidates="SELECT DISTINCT name FROM companies WHERE name IS NOT NULL")
def list_companies(
    world: World,
    name: Line | None = None,
    owner_id: UserId | None = None,
    currency: Currency | None = None,
    sort_by: CompanyOrder | None = None,
    descending: bool = False,
    limit: Annotated[int, Field(ge=1, le=200)] = 20,
    cursor: Cursor | None = None,
) -> Companies:
    """List companies, one page at a time; what is not given does not narrow the list.

    Args:
        name: Only companies with this name.
        owner_id: Only companies with this owner ID.
        currency: Only companies with this currency.
        sort_by: Column to sort by; by ID if not given.
        descending: Whether the largest comes first.
        limit: Most rows to return.
        cursor: The `next_cursor` of the page before.
    """
    start = int(cursor or 0)
    rows = world.all(
        f"""
        SELECT * FROM companies
        WHERE (:name IS NULL OR name = :name COLLATE NOCASE)
          AND (:owner_id IS NULL OR owner_id = :owner_id)
          AND (:currency IS NULL OR currency = :currency)
        ORDER BY {sort_by or "id"} {"DESC" if descending else "ASC"}, id
        """,
        name=name,
        owner_id=owner_id,
        currency=currency,
    )
    return {
        "companies": [as_company(row) for row in rows[start : start + limit]],
        "total": len(rows),
        "next_cursor": str(start + limit) if start + limit < len(rows) else None,
    }


# Plays GET /crm/companies/{id}
@env.tool(candidates="SELECT id AS company_id FROM companies", refused={"not_found": "SELECT 'NOSUCH' AS company_id"})
def get_company(world: World, company_id: CompanyId) -> Company:
    """Return one company.

    Args:
        company_id: Identifier of the company.
    """
    return read_company(world, company_id)


# Plays POST /crm/companies
@env.tool(writes=["companies"], candidates="SELECT name FROM companies")
def create_company(
    world: World,
    name: Line,
    owner_id: UserId | None = None,
    currency: Currency | None = None,
    abn_branch: Line | None = None,
    abn_or_tfn: Line | None = None,
    acn: Line | None = None,
    annual_revenue: Line | None = None,
    birthday: Day | None = None,
    first_name: Line | None = None,
    industry: Line | None = None,
    last_name: Line | None = None,
    number_of_employees: Line | None = None,
    ownership: Line | None = None,
    status: Line | None = None,
    description: Prose | None = None,
    emails: list[Email] | None = None,
    phone_numbers: list[PhoneNumber] | None = None,
    tags: list[Line] | None = None,
) -> Company:
    """Create a company.

    Args:
        name: Name of the company.
        owner_id: Owner ID.
        currency: Indicates the associated currency for an amount of money.
        abn_branch: An ABN Branch (also known as a GST Branch) is used if part of your business needs to account for GST
            separately from its parent entity.
        abn_or_tfn: An ABN is necessary for operating a business, while a TFN (Tax File Number) is required for any
            person working in Australia.
        acn: The Australian Company Number (ACN) is a nine digit number with the last digit being a check digit
            calculated using a modified modulus 10 calculation.
        annual_revenue: The annual revenue of the company.
        birthday: The date of birth of the person.
        first_name: The first name of the person.
        industry: The industry represents the type of business the company is in.
        last_name: The last name of the person.
        number_of_employees: Number of employees.
        ownership: The ownership indicates the type of ownership of the company.
        status: The status of the company.
        description: A description of the company.
        emails: Emails of the company.
        phone_numbers: Phone numbers of the company.
        tags: Tags of the company.
    """
    if owner_id is not None:
        read_user(world, owner_id, "owner_id")
    company_id = world.new_code("companies.id")
    world.run(
        """
        INSERT INTO companies (id, name, owner_id, currency, abn_branch, abn_or_tfn, acn, annual_revenue,
            birthday, first_name, industry, last_name, number_of_employees, ownership, status, description,
            emails, phone_numbers, tags, created_at, updated_at)
        VALUES (:id, :name, :owner_id, :currency, :abn_branch, :abn_or_tfn, :acn, :annual_revenue,
            :birthday, :first_name, :industry, :last_name, :number_of_employees, :ownership, :status,
            :description, :emails, :phone_numbers, :tags, :created_at, :updated_at)
        """,
        id=company_id,
        name=name,
        owner_id=owner_id,
        currency=currency,
        abn_branch=abn_branch,
        abn_or_tfn=abn_or_tfn,
        acn=acn,
        annual_revenue=annual_revenue,
        birthday=birthday,
        first_name=first_name,
        industry=industry,
        last_name=last_name,
        number_of_employees=number_of_employees,
        ownership=ownership,
        status=status,
        description=description,
        emails=packed(emails),
        phone_numbers=packed(phone_numbers),
        tags=packed(tags),
        created_at=world.now,
        updated_at=world.now,
    )
    return read_company(world, company_id)


# Plays PATCH /crm/companies/{id}
@env.tool(
    writes=["companies"],
    destructive=True,
    idempotent=True,
    candidates="SELECT id AS company_id, name FROM companies",
)
def update_company(
    world: World,
    company_id: CompanyId,
    name: Line | None = None,
    owner_id: UserId | None = None,
    currency: Currency | None = None,
    abn_branch: Line | None = None,
    abn_or_tfn: Line | None = None,
    acn: Line | None = None,
    annual_revenue: Line | None = None,
    birthday: Day | None = None,
    first_name: Line | None = None,
    industry: Line | None = None,
    last_name: Line | None = None,
    number_of_employees: Line | None = None,
    ownership: Line | None = None,
    status: Line | None = None,
    description: Prose | None = None,
    emails: list[Email] | None = None,
    phone_numbers: list[PhoneNumber] | None = None,
    tags: list[Line] | None = None,
) -> Company:
    """Change the given fields of a company; the others keep their values.

    Args:
        company_id: Identifier of the company.
        name: Name of the company.
        owner_id: Owner ID.
        currency: Indicates the associated currency for an amount of money.
        abn_branch: An ABN Branch (also known as a GST Branch) is used if part of your business needs to account for GST
            separately from its parent entity.
        abn_or_tfn: An ABN is necessary for operating a business, while a TFN (Tax File Number) is required for any
            person working in Australia.
        acn: The Australian Company Number (ACN) is a nine digit number with the last digit being a check digit
            calculated using a modified modulus 10 calculation.
        annual_revenue: The annual revenue of the company.
        birthday: The date of birth of the person.
        first_name: The first name of the person.
        industry: The industry represents the type of business the company is in.
        last_name: The last name of the person.
        number_of_employees: Number of employees.
        ownership: The ownership indicates the type of ownership of the company.
        status: The status of the company.
        description: A description of the company.
        emails: Emails of the company.
        phone_numbers: Phone numbers of the company.
        tags: Tags of the company.
    """
    read_company(world, company_id)
    if owner_id is not None:
        read_user(world, owner_id, "owner_id")
    world.run(
        """
        UPDATE companies
        SET name = coalesce(:name, name),
            owner_id = coalesce(:owner_id, owner_id),
            currency = coalesce(:currency, currency),
            abn_branch = coalesce(:abn_branch, abn_branch),
            abn_or_tfn = coalesce(:abn_or_tfn, abn_or_tfn),
            acn = coalesce(:acn, acn),
            annual_revenue = coalesce(:annual_revenue, annual_revenue),
            birthday = coalesce(:birthday, birthday),
            first_name = coalesce(:first_name, first_name),
            industry = coalesce(:industry, industry),
            last_name = coalesce(:last_name, last_name),
            number_of_employees = coalesce(:number_of_employees, number_of_employees),
            ownership = coalesce(:ownership, ownership),
            status = coalesce(:status, status),
            description = coalesce(:description, description),
            emails = coalesce(:emails, emails),
            phone_numbers = coalesce(:phone_numbers, phone_numbers),
            tags = coalesce(:tags, tags),
            updated_at = :now
        WHERE id = :company_id
        """,
        name=name,
        owner_id=owner_id,
        currency=currency,
        abn_branch=abn_branch,
        abn_or_tfn=abn_or_tfn,
        acn=acn,
        annual_revenue=annual_revenue,
        birthday=birthday,
        first_name=first_name,
        industry=industry,
        last_name=last_name,
        number_of_employees=number_of_employees,
        ownership=ownership,
        status=status,
        description=description,
        emails=packed(emails),
        phone_numbers=packed(phone_numbers),
        tags=packed(tags),
        now=world.now,
        company_id=company_id,
    )
    return read_company(world, company_id)


# Plays DELETE /crm/companies/{id}
@env.tool(
    writes=["companies"],
    destructive=True,
    candidates="""
    SELECT id AS company_id
    FROM companies
    WHERE NOT EXISTS (SELECT 1 FROM activities WHERE company_id = companies.id)
      AND NOT EXISTS (SELECT 1 FROM contacts WHERE company_id = companies.id)
      AND NOT EXISTS (SELECT 1 FROM leads WHERE company_id = companies.id)
      AND NOT EXISTS (SELECT 1 FROM notes WHERE company_id = companies.id)
      AND NOT EXISTS (SELECT 1 FROM opportunities WHERE company_id = companies.id)
    """,
    refused={
        "not_found": "SELECT 'NOSUCH' AS company_id",
        "has_activities": """
        SELECT id AS company_id
        FROM companies
        WHERE EXISTS (SELECT 1 FROM activities WHERE company_id = companies.id)
        """,
    },
)
def delete_company(world: World, company_id: CompanyId) -> Deleted:
    """Delete a company; refused while activities, contacts, leads, notes or opportunities refer to it.

    Args:
        company_id: Identifier of the company.
    """
    read_company(world, company_id)
    refuse_while_used(
        world,
        company_id,
        "company_id",
        {
            "activities": "SELECT count(*) FROM activities WHERE company_id = :key",
            "contacts": "SELECT count(*) FROM contacts WHERE company_id = :key",
            "leads": "SELECT count(*) FROM leads WHERE company_id = :key",
            "notes": "SELECT count(*) FROM notes WHERE company_id = :key",
            "opportunities": "SELECT count(*) FROM opportunities WHERE company_id = :key",
        },
    )
    world.run("DELETE FROM companies WHERE id = :company_id", company_id=company_id)
    return {"deleted": company_id}


# ---------------------------------------------------------------- contacts


def read_contact(world: World, contact_id: str, field: str = "contact_id") -> Contact:
    """The contact with that contact_id; refused where there is none."""
    row = world.one("SELECT * FROM contacts WHERE id = ?", contact_id)
    if row is None:
        raise ToolError("not_found", f"There is no contact {contact_id}.", field=field)
    return as_contact(row)


def as_contact(row: dict[str, Any]) -> Contact:
    """A stored contact as tools return it."""
    converted = {
        "active": flag(row["active"]),
        "emails": parsed(row["emails"]),
        "phone_numbers": parsed(row["phone_numbers"]),
        "tags": parsed(row["tags"]),
    }
    return cast(Contact, row | converted)


# Plays GET /crm/contacts
@env.tool(candidates="SELECT DISTINCT company_id FROM contacts WHERE company_id IS NOT NULL")
def list_contacts(
    world: World,
    company_id: CompanyId | None = None,
    first_name: Line | None = None,
    last_name: Line | None = None,
    name: Line | None = None,
    lead_id: LeadId | None = None,
    owner_id: UserId | None = None,
    gender: Gender | None = None,
    type: ContactType | None = None,
    sort_by: ContactOrder | None = None,
    descending: bool = False,
    limit: Annotated[int, Field(ge=1, le=200)] = 20,
    cursor: Cursor | None = None,
) -> Contacts:
    """List contacts, one page at a time; what is not given does not narrow the list.

    Args:
        company_id: Only contacts with this company ID.
        first_name: Only contacts with this first name.
        last_name: Only contacts with this last name.
        name: Only contacts with this name.
        lead_id: Only contacts with this lead ID.
        owner_id: Only contacts with this owner ID.
        gender: Only contacts with this gender.
        type: Only contacts with this type.
        sort_by: Column to sort by; by ID if not given.
        descending: Whether the largest comes first.
        limit: Most rows to return.
        cursor: The `next_cursor` of the page before.
    """
    start = int(cursor or 0)
    rows = world.all(
        f"""
        SELECT * FROM contacts
        WHERE (:company_id IS NULL OR company_id = :company_id)
          AND (:first_name IS NULL OR first_name = :first_name COLLATE NOCASE)
          AND (:last_name IS NULL OR last_name = :last_name COLLATE NOCASE)
          AND (:name IS NULL OR name = :name COLLATE NOCASE)
          AND (:lead_id IS NULL OR lead_id = :lead_id)
          AND (:owner_id IS NULL OR owner_id = :owner_id)
          AND (:gender IS NULL OR gender = :gender)
          AND (:type IS NULL OR type = :type)
        ORDER BY {sort_by or "id"} {"DESC" if descending else "ASC"}, id
        """,
        company_id=company_id,
        first_name=first_name,
        last_name=last_name,
        name=name,
        lead_id=lead_id,
        owner_id=owner_id,
        gender=gender,
        type=type,
    )
    return {
        "contacts": [as_contact(row) for row in rows[start : start + limit]],
        "total": len(rows),
        "next_cursor": str(start + limit) if start + limit < len(rows) else None,
    }


# Plays GET /crm/contacts/{id}
@env.tool(candidates="SELECT id AS contact_id FROM contacts", refused={"not_found": "SELECT 'NOSUCH' AS contact_id"})
def get_contact(world: World, contact_id: ContactId) -> Contact:
    """Return one contact.

    Args:
        contact_id: Identifier of the contact.
    """
    return read_contact(world, contact_id)


# Plays POST /crm/contacts
@env.tool(writes=["contacts"], candidates="SELECT name FROM contacts")
def create_contact(
    world: World,
    name: Line,
    title: Line | None = None,
    company_id: CompanyId | None = None,
    lead_id: LeadId | None = None,
    owner_id: UserId | None = None,
    gender: Gender | None = None,
    type: ContactType | None = None,
    active: bool | None = None,
    birthday: Day | None = None,
    current_balance: Number | None = None,
    first_name: Line | None = None,
    last_name: Line | None = None,
    status: Line | None = None,
    description: Prose | None = None,
    emails: list[Email] | None = None,
    phone_numbers: list[PhoneNumber] | None = None,
    tags: list[Line] | None = None,
) -> Contact:
    """Create a contact.

    Args:
        name: Full name of the contact.
        title: The job title of the contact.
        company_id: The company the contact is associated with.
        lead_id: The lead the contact is associated with.
        owner_id: The owner of the contact.
        gender: The gender of the contact.
        type: The type of the contact.
        active: The active status of the contact.
        birthday: The birthday of the contact.
        current_balance: The current balance of the contact.
        first_name: The first name of the contact.
        last_name: The last name of the contact.
        status: The status of the contact.
        description: The description of the contact.
        emails: Emails of the contact.
        phone_numbers: Phone numbers of the contact.
        tags: Tags of the contact.
    """
    if company_id is not None:
        read_company(world, company_id)
    if lead_id is not None:
        read_lead(world, lead_id)
    if owner_id is not None:
        read_user(world, owner_id, "owner_id")
    contact_id = world.new_code("contacts.id")
    world.run(
        """
        INSERT INTO contacts (id, name, title, company_id, lead_id, owner_id, gender, type, active,
            birthday, current_balance, first_name, last_name, status, description, emails, phone_numbers,
            tags, created_at, updated_at)
        VALUES (:id, :name, :title, :company_id, :lead_id, :owner_id, :gender, :type, :active, :birthday,
            :current_balance, :first_name, :last_name, :status, :description, :emails, :phone_numbers,
            :tags, :created_at, :updated_at)
        """,
        id=contact_id,
        name=name,
        title=title,
        company_id=company_id,
        lead_id=lead_id,
        owner_id=owner_id,
        gender=gender,
        type=type,
        active=active,
        birthday=birthday,
        current_balance=current_balance,
        first_name=first_name,
        last_name=last_name,
        status=status,
        description=description,
        emails=packed(emails),
        phone_numbers=packed(phone_numbers),
        tags=packed(tags),
        created_at=world.now,
        updated_at=world.now,
    )
    return read_contact(world, contact_id)


# Plays PATCH /crm/contacts/{id}
@env.tool(
    writes=["contacts"],
    destructive=True,
    idempotent=True,
    candidates="SELECT id AS contact_id, name FROM contacts",
)
def update_contact(
    world: World,
    contact_id: ContactId,
    name: Line | None = None,
    title: Line | None = None,
    company_id: CompanyId | None = None,
    lead_id: LeadId | None = None,
    owner_id: UserId | None = None,
    gender: Gender | None = None,
    type: ContactType | None = None,
    active: bool | None = None,
    birthday: Day | None = None,
    current_balance: Number | None = None,
    first_name: Line | None = None,
    last_name: Line | None = None,
    status: Line | None = None,
    description: Prose | None = None,
    emails: list[Email] | None = None,
    phone_numbers: list[PhoneNumber] | None = None,
    tags: list[Line] | None = None,
) -> Contact:
    """Change the given fields of a contact; the others keep their values.

    Args:
        contact_id: Identifier of the contact.
        name: Full name of the contact.
        title: The job title of the contact.
        company_id: The company the contact is associated with.
        lead_id: The lead the contact is associated with.
        owner_id: The owner of the contact.
        gender: The gender of the contact.
        type: The type of the contact.
        active: The active status of the contact.
        birthday: The birthday of the contact.
        current_balance: The current balance of the contact.
        first_name: The first name of the contact.
        last_name: The last name of the contact.
        status: The status of the contact.
        description: The description of the contact.
        emails: Emails of the contact.
        phone_numbers: Phone numbers of the contact.
        tags: Tags of the contact.
    """
    read_contact(world, contact_id)
    if company_id is not None:
        read_company(world, company_id)
    if lead_id is not None:
        read_lead(world, lead_id)
    if owner_id is not None:
        read_user(world, owner_id, "owner_id")
    world.run(
        """
        UPDATE contacts
        SET name = coalesce(:name, name),
            title = coalesce(:title, title),
            company_id = coalesce(:company_id, company_id),
            lead_id = coalesce(:lead_id, lead_id),
            owner_id = coalesce(:owner_id, owner_id),
            gender = coalesce(:gender, gender),
            type = coalesce(:type, type),
            active = coalesce(:active, active),
            birthday = coalesce(:birthday, birthday),
            current_balance = coalesce(:current_balance, current_balance),
            first_name = coalesce(:first_name, first_name),
            last_name = coalesce(:last_name, last_name),
            status = coalesce(:status, status),
            description = coalesce(:description, description),
            emails = coalesce(:emails, emails),
            phone_numbers = coalesce(:phone_numbers, phone_numbers),
            tags = coalesce(:tags, tags),
            updated_at = :now
        WHERE id = :contact_id
        """,
        name=name,
        title=title,
        company_id=company_id,
        lead_id=lead_id,
        owner_id=owner_id,
        gender=gender,
        type=type,
        active=active,
        birthday=birthday,
        current_balance=current_balance,
        first_name=first_name,
        last_name=last_name,
        status=status,
        description=description,
        emails=packed(emails),
        phone_numbers=packed(phone_numbers),
        tags=packed(tags),
        now=world.now,
        contact_id=contact_id,
    )
    return read_contact(world, contact_id)


# Plays DELETE /crm/contacts/{id}
@env.tool(
    writes=["contacts"],
    destructive=True,
    candidates="""
    SELECT id AS contact_id
    FROM contacts
    WHERE NOT EXISTS (SELECT 1 FROM activities WHERE contact_id = contacts.id)
      AND NOT EXISTS (SELECT 1 FROM notes WHERE contact_id = contacts.id)
      AND NOT EXISTS (SELECT 1 FROM opportunities WHERE primary_contact_id = contacts.id OR contact_id = contacts.id)
    """,
    refused={
        "not_found": "SELECT 'NOSUCH' AS contact_id",
        "has_activities": """
        SELECT id AS contact_id
        FROM contacts
        WHERE EXISTS (SELECT 1 FROM activities WHERE contact_id = contacts.id)
        """,
    },
)
def delete_contact(world: World, contact_id: ContactId) -> Deleted:
    """Delete a contact; refused while activities, notes or opportunities refer to it.

    Args:
        contact_id: Identifier of the contact.
    """
    read_contact(world, contact_id)
    refuse_while_used(
        world,
        contact_id,
        "contact_id",
        {
            "activities": "SELECT count(*) FROM activities WHERE contact_id = :key",
            "notes": "SELECT count(*) FROM notes WHERE contact_id = :key",
            "opportunities": "SELECT count(*) FROM opportunities WHERE primary_contact_id = :key OR contact_id = :key",
        },
    )
    world.run("DELETE FROM contacts WHERE id = :contact_id", contact_id=contact_id)
    return {"deleted": contact_id}


# ---------------------------------------------------------------- leads


def read_lead(world: World, lead_id: str, field: str = "lead_id") -> Lead:
    """The lead with that lead_id; refused where there is none."""
    row = world.one("SELECT * FROM leads WHERE id = ?", lead_id)
    if row is None:
        raise ToolError("not_found", f"There is no lead {lead_id}.", field=field)
    return as_lead(row)


def as_lead(row: dict[str, Any]) -> Lead:
    """A stored lead as tools return it."""
    converted = {
        "addresses": parsed(row["addresses"]),
        "emails": parsed(row["emails"]),
        "phone_numbers": parsed(row["phone_numbers"]),
        "tags": parsed(row["tags"]),
    }
    return cast(Lead, row | converted)


# Plays GET /crm/leads
@env.tool(candidates="SELECT DISTINCT first_name FROM leads WHERE first_name IS NOT NULL")
def list_leads(
    world: World,
    first_name: Line | None = None,
    last_name: Line | None = None,
    name: Line | None = None,
    company_id: CompanyId | None = None,
    owner_id: UserId | None = None,
    currency: Currency | None = None,
    sort_by: LeadOrder | None = None,
    descending: bool = False,
    limit: Annotated[int, Field(ge=1, le=200)] = 20,
    cursor: Cursor | None = None,
) -> Leads:
    """List leads, one page at a time; what is not given does not narrow the list.

    Args:
        first_name: Only leads with this first name.
        last_name: Only leads with this last name.
        name: Only leads with this name.
        company_id: Only leads with this company ID.
        owner_id: Only leads with this owner ID.
        currency: Only leads with this currency.
        sort_by: Column to sort by; by ID if not given.
        descending: Whether the largest comes first.
        limit: Most rows to return.
        cursor: The `next_cursor` of the page before.
    """
    start = int(cursor or 0)
    rows = world.all(
        f"""
        SELECT * FROM leads
        WHERE (:first_name IS NULL OR first_name = :first_name COLLATE NOCASE)
          AND (:last_name IS NULL OR last_name = :last_name COLLATE NOCASE)
          AND (:name IS NULL OR name = :name COLLATE NOCASE)
          AND (:company_id IS NULL OR company_id = :company_id)
          AND (:owner_id IS NULL OR owner_id = :owner_id)
          AND (:currency IS NULL OR currency = :currency)
        ORDER BY {sort_by or "id"} {"DESC" if descending else "ASC"}, id
        """,
        first_name=first_name,
        last_name=last_name,
        name=name,
        company_id=company_id,
        owner_id=owner_id,
        currency=currency,
    )
    return {
        "leads": [as_lead(row) for row in rows[start : start + limit]],
        "total": len(rows),
        "next_cursor": str(start + limit) if start + limit < len(rows) else None,
    }


# Plays GET /crm/leads/{id}
@env.tool(candidates="SELECT id AS lead_id FROM leads", refused={"not_found": "SELECT 'NOSUCH' AS lead_id"})
def get_lead(world: World, lead_id: LeadId) -> Lead:
    """Return one lead.

    Args:
        lead_id: Identifier of the lead.
    """
    return read_lead(world, lead_id)


# Plays POST /crm/leads
@env.tool(writes=["leads"], candidates="SELECT name FROM leads")
def create_lead(
    world: World,
    name: Line,
    title: Line | None = None,
    company_id: CompanyId | None = None,
    owner_id: UserId | None = None,
    currency: Currency | None = None,
    first_name: Line | None = None,
    language: Line | None = None,
    last_name: Line | None = None,
    lead_source: Line | None = None,
    monetary_amount: Number | None = None,
    prefix: Line | None = None,
    status: Line | None = None,
    description: Prose | None = None,
    addresses: list[Address] | None = None,
    emails: list[Email] | None = None,
    phone_numbers: list[PhoneNumber] | None = None,
    tags: list[Line] | None = None,
) -> Lead:
    """Create a lead.

    Args:
        name: Full name of the lead.
        title: The job title of the lead.
        company_id: The company the lead is associated with.
        owner_id: The owner of the lead.
        currency: Indicates the associated currency for an amount of money.
        first_name: The first name of the lead.
        language: language code according to ISO 639-1.
        last_name: The last name of the lead.
        lead_source: The source of the lead.
        monetary_amount: The monetary amount of the lead.
        prefix: The prefix of the lead.
        status: Status of the lead.
        description: The description of the lead.
        addresses: Addresses of the lead.
        emails: Emails of the lead.
        phone_numbers: Phone numbers of the lead.
        tags: Tags of the lead.
    """
    if company_id is not None:
        read_company(world, company_id)
    if owner_id is not None:
        read_user(world, owner_id, "owner_id")
    lead_id = world.new_code("leads.id")
    world.run(
        """
        INSERT INTO leads (id, name, title, company_id, owner_id, currency, first_name, language, last_name,
            lead_source, monetary_amount, prefix, status, description, addresses, emails, phone_numbers,
            tags, created_at, updated_at)
        VALUES (:id, :name, :title, :company_id, :owner_id, :currency, :first_name, :language, :last_name,
            :lead_source, :monetary_amount, :prefix, :status, :description, :addresses, :emails,
            :phone_numbers, :tags, :created_at, :updated_at)
        """,
        id=lead_id,
        name=name,
        title=title,
        company_id=company_id,
        owner_id=owner_id,
        currency=currency,
        first_name=first_name,
        language=language,
        last_name=last_name,
        lead_source=lead_source,
        monetary_amount=monetary_amount,
        prefix=prefix,
        status=status,
        description=description,
        addresses=packed(addresses),
        emails=packed(emails),
        phone_numbers=packed(phone_numbers),
        tags=packed(tags),
        created_at=world.now,
        updated_at=world.now,
    )
    return read_lead(world, lead_id)


# Plays PATCH /crm/leads/{id}
@env.tool(writes=["leads"], destructive=True, idempotent=True, candidates="SELECT id AS lead_id, name FROM leads")
def update_lead(
    world: World,
    lead_id: LeadId,
    name: Line | None = None,
    title: Line | None = None,
    company_id: CompanyId | None = None,
    owner_id: UserId | None = None,
    currency: Currency | None = None,
    first_name: Line | None = None,
    language: Line | None = None,
    last_name: Line | None = None,
    lead_source: Line | None = None,
    monetary_amount: Number | None = None,
    prefix: Line | None = None,
    status: Line | None = None,
    description: Prose | None = None,
    addresses: list[Address] | None = None,
    emails: list[Email] | None = None,
    phone_numbers: list[PhoneNumber] | None = None,
    tags: list[Line] | None = None,
) -> Lead:
    """Change the given fields of a lead; the others keep their values.

    Args:
        lead_id: Identifier of the lead.
        name: Full name of the lead.
        title: The job title of the lead.
        company_id: The company the lead is associated with.
        owner_id: The owner of the lead.
        currency: Indicates the associated currency for an amount of money.
        first_name: The first name of the lead.
        language: language code according to ISO 639-1.
        last_name: The last name of the lead.
        lead_source: The source of the lead.
        monetary_amount: The monetary amount of the lead.
        prefix: The prefix of the lead.
        status: Status of the lead.
        description: The description of the lead.
        addresses: Addresses of the lead.
        emails: Emails of the lead.
        phone_numbers: Phone numbers of the lead.
        tags: Tags of the lead.
    """
    read_lead(world, lead_id)
    if company_id is not None:
        read_company(world, company_id)
    if owner_id is not None:
        read_user(world, owner_id, "owner_id")
    world.run(
        """
        UPDATE leads
        SET name = coalesce(:name, name),
            title = coalesce(:title, title),
            company_id = coalesce(:company_id, company_id),
            owner_id = coalesce(:owner_id, owner_id),
            currency = coalesce(:currency, currency),
            first_name = coalesce(:first_name, first_name),
            language = coalesce(:language, language),
            last_name = coalesce(:last_name, last_name),
            lead_source = coalesce(:lead_source, lead_source),
            monetary_amount = coalesce(:monetary_amount, monetary_amount),
            prefix = coalesce(:prefix, prefix),
            status = coalesce(:status, status),
            description = coalesce(:description, description),
            addresses = coalesce(:addresses, addresses),
            emails = coalesce(:emails, emails),
            phone_numbers = coalesce(:phone_numbers, phone_numbers),
            tags = coalesce(:tags, tags),
            updated_at = :now
        WHERE id = :lead_id
        """,
        name=name,
        title=title,
        company_id=company_id,
        owner_id=owner_id,
        currency=currency,
        first_name=first_name,
        language=language,
        last_name=last_name,
        lead_source=lead_source,
        monetary_amount=monetary_amount,
        prefix=prefix,
        status=status,
        description=description,
        addresses=packed(addresses),
        emails=packed(emails),
        phone_numbers=packed(phone_numbers),
        tags=packed(tags),
        now=world.now,
        lead_id=lead_id,
    )
    return read_lead(world, lead_id)


# Plays DELETE /crm/leads/{id}
@env.tool(
    writes=["leads"],
    destructive=True,
    candidates="""
    SELECT id AS lead_id
    FROM leads
    WHERE NOT EXISTS (SELECT 1 FROM activities WHERE lead_id = leads.id)
      AND NOT EXISTS (SELECT 1 FROM contacts WHERE lead_id = leads.id)
      AND NOT EXISTS (SELECT 1 FROM notes WHERE lead_id = leads.id)
      AND NOT EXISTS (SELECT 1 FROM opportunities WHERE lead_id = leads.id)
    """,
    refused={
        "not_found": "SELECT 'NOSUCH' AS lead_id",
        "has_activities": """
        SELECT id AS lead_id
        FROM leads
        WHERE EXISTS (SELECT 1 FROM activities WHERE lead_id = leads.id)
        """,
    },
)
def delete_lead(world: World, lead_id: LeadId) -> Deleted:
    """Delete a lead; refused while activities, contacts, notes or opportunities refer to it.

    Args:
        lead_id: Identifier of the lead.
    """
    read_lead(world, lead_id)
    refuse_while_used(
        world,
        lead_id,
        "lead_id",
        {
            "activities": "SELECT count(*) FROM activities WHERE lead_id = :key",
            "contacts": "SELECT count(*) FROM contacts WHERE lead_id = :key",
            "notes": "SELECT count(*) FROM notes WHERE lead_id = :key",
            "opportunities": "SELECT count(*) FROM opportunities WHERE lead_id = :key",
        },
    )
    world.run("DELETE FROM leads WHERE id = :lead_id", lead_id=lead_id)
    return {"deleted": lead_id}


# ---------------------------------------------------------------- notes


def read_note(world: World, note_id: str, field: str = "note_id") -> Note:
    """The note with that note_id; refused where there is none."""
    row = world.one("SELECT * FROM notes WHERE id = ?", note_id)
    if row is None:
        raise ToolError("not_found", f"There is no note {note_id}.", field=field)
    return as_note(row)


def as_note(row: dict[str, Any]) -> Note:
    """A stored note as tools return it."""
    converted = {"active": flag(row["active"])}
    return cast(Note, row | converted)


# Plays GET /crm/notes
@env.tool(candidates="SELECT DISTINCT company_id FROM notes WHERE company_id IS NOT NULL")
def list_notes(
    world: World,
    company_id: CompanyId | None = None,
    contact_id: ContactId | None = None,
    lead_id: LeadId | None = None,
    opportunity_id: OpportunityId | None = None,
    owner_id: UserId | None = None,
    limit: Annotated[int, Field(ge=1, le=200)] = 20,
    cursor: Cursor | None = None,
) -> Notes:
    """List notes, one page at a time; what is not given does not narrow the list.

    Args:
        company_id: Only notes with this company ID.
        contact_id: Only notes with this contact ID.
        lead_id: Only notes with this lead ID.
        opportunity_id: Only notes with this opportunity ID.
        owner_id: Only notes with this owner ID.
        limit: Most rows to return.
        cursor: The `next_cursor` of the page before.
    """
    start = int(cursor or 0)
    rows = world.all(
        """
        SELECT * FROM notes
        WHERE (:company_id IS NULL OR company_id = :company_id)
          AND (:contact_id IS NULL OR contact_id = :contact_id)
          AND (:lead_id IS NULL OR lead_id = :lead_id)
          AND (:opportunity_id IS NULL OR opportunity_id = :opportunity_id)
          AND (:owner_id IS NULL OR owner_id = :owner_id)
        ORDER BY id
        """,
        company_id=company_id,
        contact_id=contact_id,
        lead_id=lead_id,
        opportunity_id=opportunity_id,
        owner_id=owner_id,
    )
    return {
        "notes": [as_note(row) for row in rows[start : start + limit]],
        "total": len(rows),
        "next_cursor": str(start + limit) if start + limit < len(rows) else None,
    }


# Plays GET /crm/notes/{id}
@env.tool(candidates="SELECT id AS note_id FROM notes", refused={"not_found": "SELECT 'NOSUCH' AS note_id"})
def get_note(world: World, note_id: NoteId) -> Note:
    """Return one note.

    Args:
        note_id: Identifier of the note.
    """
    return read_note(world, note_id)


# Plays POST /crm/notes
@env.tool(writes=["notes"], candidates="SELECT title FROM notes")
def create_note(
    world: World,
    title: Line,
    company_id: CompanyId | None = None,
    contact_id: ContactId | None = None,
    lead_id: LeadId | None = None,
    opportunity_id: OpportunityId | None = None,
    owner_id: UserId | None = None,
    active: bool | None = None,
    content: Prose | None = None,
) -> Note:
    """Create a note.

    Args:
        title: The title of the note.
        company_id: The company that is related to the note.
        contact_id: The contact that is related to the note.
        lead_id: The lead that is related to the note.
        opportunity_id: The opportunity that is related to the note.
        owner_id: The user that owns the note.
        active: Whether the Note is active or not.
        content: The content of the note.
    """
    if company_id is not None:
        read_company(world, company_id)
    if contact_id is not None:
        read_contact(world, contact_id)
    if lead_id is not None:
        read_lead(world, lead_id)
    if opportunity_id is not None:
        read_opportunity(world, opportunity_id)
    if owner_id is not None:
        read_user(world, owner_id, "owner_id")
    note_id = world.new_code("notes.id")
    world.run(
        """
        INSERT INTO notes (id, title, company_id, contact_id, lead_id, opportunity_id, owner_id, active,
            content, created_at, updated_at)
        VALUES (:id, :title, :company_id, :contact_id, :lead_id, :opportunity_id, :owner_id, :active,
            :content, :created_at, :updated_at)
        """,
        id=note_id,
        title=title,
        company_id=company_id,
        contact_id=contact_id,
        lead_id=lead_id,
        opportunity_id=opportunity_id,
        owner_id=owner_id,
        active=active,
        content=content,
        created_at=world.now,
        updated_at=world.now,
    )
    return read_note(world, note_id)


# Plays PATCH /crm/notes/{id}
@env.tool(writes=["notes"], destructive=True, idempotent=True, candidates="SELECT id AS note_id, title FROM notes")
def update_note(
    world: World,
    note_id: NoteId,
    title: Line | None = None,
    company_id: CompanyId | None = None,
    contact_id: ContactId | None = None,
    lead_id: LeadId | None = None,
    opportunity_id: OpportunityId | None = None,
    owner_id: UserId | None = None,
    active: bool | None = None,
    content: Prose | None = None,
) -> Note:
    """Change the given fields of a note; the others keep their values.

    Args:
        note_id: Identifier of the note.
        title: The title of the note.
        company_id: The company that is related to the note.
        contact_id: The contact that is related to the note.
        lead_id: The lead that is related to the note.
        opportunity_id: The opportunity that is related to the note.
        owner_id: The user that owns the note.
        active: Whether the Note is active or not.
        content: The content of the note.
    """
    read_note(world, note_id)
    if company_id is not None:
        read_company(world, company_id)
    if contact_id is not None:
        read_contact(world, contact_id)
    if lead_id is not None:
        read_lead(world, lead_id)
    if opportunity_id is not None:
        read_opportunity(world, opportunity_id)
    if owner_id is not None:
        read_user(world, owner_id, "owner_id")
    world.run(
        """
        UPDATE notes
        SET title = coalesce(:title, title),
            company_id = coalesce(:company_id, company_id),
            contact_id = coalesce(:contact_id, contact_id),
            lead_id = coalesce(:lead_id, lead_id),
            opportunity_id = coalesce(:opportunity_id, opportunity_id),
            owner_id = coalesce(:owner_id, owner_id),
            active = coalesce(:active, active),
            content = coalesce(:content, content),
            updated_at = :now
        WHERE id = :note_id
        """,
        title=title,
        company_id=company_id,
        contact_id=contact_id,
        lead_id=lead_id,
        opportunity_id=opportunity_id,
        owner_id=owner_id,
        active=active,
        content=content,
        now=world.now,
        note_id=note_id,
    )
    return read_note(world, note_id)


# Plays DELETE /crm/notes/{id}
@env.tool(
    writes=["notes"],
    destructive=True,
    candidates="SELECT id AS note_id FROM notes",
    refused={"not_found": "SELECT 'NOSUCH' AS note_id"},
)
def delete_note(world: World, note_id: NoteId) -> Deleted:
    """Delete a note.

    Args:
        note_id: Identifier of the note.
    """
    read_note(world, note_id)
    world.run("DELETE FROM notes WHERE id = :note_id", note_id=note_id)
    return {"deleted": note_id}


# ---------------------------------------------------------------- opportunities


def read_opportunity(world: World, opportunity_id: str, field: str = "opportunity_id") -> Opportunity:
    """The opportunity with that opportunity_id; refused where there is none."""
    row = world.one("SELECT * FROM opportunities WHERE id = ?", opportunity_id)
    if row is None:
        raise ToolError("not_found", f"There is no opportunity {opportunity_id}.", field=field)
    return as_opportunity(row)


def as_opportunity(row: dict[str, Any]) -> Opportunity:
    """A stored opportunity as tools return it."""
    converted = {"tags": parsed(row["tags"])}
    return cast(Opportunity, row | converted)


# Plays GET /crm/opportunities
@env.tool(candidates="SELECT DISTINCT company_id FROM opportunities WHERE company_id IS NOT NULL")
def list_opportunities(
    world: World,
    company_id: CompanyId | None = None,
    monetary_amount: Number | None = None,
    status: Line | None = None,
    title: Line | None = None,
    win_probability: Number | None = None,
    primary_contact_id: ContactId | None = None,
    contact_id: ContactId | None = None,
    lead_id: LeadId | None = None,
    sort_by: OpportunityOrder | None = None,
    descending: bool = False,
    limit: Annotated[int, Field(ge=1, le=200)] = 20,
    cursor: Cursor | None = None,
) -> Opportunities:
    """List opportunities, one page at a time; what is not given does not narrow the list.

    Args:
        company_id: Only opportunities with this company ID.
        monetary_amount: Only opportunities with this monetary amount.
        status: Only opportunities with this status.
        title: Only opportunities with this title.
        win_probability: Only opportunities with this win probability.
        primary_contact_id: Only opportunities with this primary contact ID.
        contact_id: Only opportunities with this contact ID.
        lead_id: Only opportunities with this lead ID.
        sort_by: Column to sort by; by ID if not given.
        descending: Whether the largest comes first.
        limit: Most rows to return.
        cursor: The `next_cursor` of the page before.
    """
    start = int(cursor or 0)
    rows = world.all(
        f"""
        SELECT * FROM opportunities
        WHERE (:company_id IS NULL OR company_id = :company_id)
          AND (:monetary_amount IS NULL OR monetary_amount = :monetary_amount)
          AND (:status IS NULL OR status = :status COLLATE NOCASE)
          AND (:title IS NULL OR title = :title COLLATE NOCASE)
          AND (:win_probability IS NULL OR win_probability = :win_probability)
          AND (:primary_contact_id IS NULL OR primary_contact_id = :primary_contact_id)
          AND (:contact_id IS NULL OR contact_id = :contact_id)
          AND (:lead_id IS NULL OR lead_id = :lead_id)
        ORDER BY {sort_by or "id"} {"DESC" if descending else "ASC"}, id
        """,
        company_id=company_id,
        monetary_amount=monetary_amount,
        status=status,
        title=title,
        win_probability=win_probability,
        primary_contact_id=primary_contact_id,
        contact_id=contact_id,
        lead_id=lead_id,
    )
    return {
        "opportunities": [as_opportunity(row) for row in rows[start : start + limit]],
        "total": len(rows),
        "next_cursor": str(start + limit) if start + limit < len(rows) else None,
    }


# Plays GET /crm/opportunities/{id}
@env.tool(
    candidates="SELECT id AS opportunity_id FROM opportunities",
    refused={"not_found": "SELECT 'NOSUCH' AS opportunity_id"},
)
def get_opportunity(world: World, opportunity_id: OpportunityId) -> Opportunity:
    """Return one opportunity.

    Args:
        opportunity_id: Identifier of the opportunity.
    """
    return read_opportunity(world, opportunity_id)


# Plays POST /crm/opportunities
@env.tool(writes=["opportunities"], candidates="SELECT title, primary_contact_id FROM opportunities")
def create_opportunity(
    world: World,
    title: Line,
    primary_contact_id: ContactId,
    company_id: CompanyId | None = None,
    contact_id: ContactId | None = None,
    lead_id: LeadId | None = None,
    owner_id: UserId | None = None,
    pipeline_id: PipelineId | None = None,
    currency: Currency | None = None,
    close_date: Day | None = None,
    monetary_amount: Number | None = None,
    priority: Line | None = None,
    stage_last_changed_at: Moment | None = None,
    status: Line | None = None,
    type: Line | None = None,
    win_probability: Number | None = None,
    description: Prose | None = None,
    tags: list[Line] | None = None,
) -> Opportunity:
    """Create an opportunity.

    Args:
        title: The title or name of the opportunity.
        primary_contact_id: The unique identifier of the primary contact associated with the opportunity.
        company_id: The unique identifier of the company associated with the opportunity.
        contact_id: The unique identifier of the contact associated with the opportunity.
        lead_id: The unique identifier of the lead associated with the opportunity.
        owner_id: The unique identifier of the user who owns the opportunity.
        pipeline_id: The unique identifier of the pipeline associated with the opportunity.
        currency: Indicates the associated currency for an amount of money.
        close_date: The actual closing date for the opportunity.
        monetary_amount: The monetary value associated with the opportunity.
        priority: The priority level of the opportunity.
        stage_last_changed_at: The date and time when the stage of the opportunity was last changed.
        status: The current status of the opportunity.
        type: The type of the opportunity.
        win_probability: The probability of winning the opportunity, expressed as a percentage.
        description: A description of the opportunity.
        tags: Tags of the opportunity.
    """
    read_contact(world, primary_contact_id, "primary_contact_id")
    if company_id is not None:
        read_company(world, company_id)
    if contact_id is not None:
        read_contact(world, contact_id)
    if lead_id is not None:
        read_lead(world, lead_id)
    if owner_id is not None:
        read_user(world, owner_id, "owner_id")
    if pipeline_id is not None:
        read_pipeline(world, pipeline_id)
    opportunity_id = world.new_code("opportunities.id")
    world.run(
        """
        INSERT INTO opportunities (id, title, primary_contact_id, company_id, contact_id, lead_id, owner_id,
            pipeline_id, currency, close_date, monetary_amount, priority, stage_last_changed_at, status,
            type, win_probability, description, tags, created_at, updated_at)
        VALUES (:id, :title, :primary_contact_id, :company_id, :contact_id, :lead_id, :owner_id,
            :pipeline_id, :currency, :close_date, :monetary_amount, :priority, :stage_last_changed_at,
            :status, :type, :win_probability, :description, :tags, :created_at, :updated_at)
        """,
        id=opportunity_id,
        title=title,
        primary_contact_id=primary_contact_id,
        company_id=company_id,
        contact_id=contact_id,
        lead_id=lead_id,
        owner_id=owner_id,
        pipeline_id=pipeline_id,
        currency=currency,
        close_date=close_date,
        monetary_amount=monetary_amount,
        priority=priority,
        stage_last_changed_at=stage_last_changed_at,
        status=status,
        type=type,
        win_probability=win_probability,
        description=description,
        tags=packed(tags),
        created_at=world.now,
        updated_at=world.now,
    )
    return read_opportunity(world, opportunity_id)


# Plays PATCH /crm/opportunities/{id}
@env.tool(
    writes=["opportunities"],
    destructive=True,
    idempotent=True,
    candidates="SELECT id AS opportunity_id, title FROM opportunities",
)
def update_opportunity(
    world: World,
    opportunity_id: OpportunityId,
    title: Line | None = None,
    primary_contact_id: ContactId | None = None,
    company_id: CompanyId | None = None,
    contact_id: ContactId | None = None,
    lead_id: LeadId | None = None,
    owner_id: UserId | None = None,
    pipeline_id: PipelineId | None = None,
    currency: Currency | None = None,
    close_date: Day | None = None,
    monetary_amount: Number | None = None,
    priority: Line | None = None,
    stage_last_changed_at: Moment | None = None,
    status: Line | None = None,
    type: Line | None = None,
    win_probability: Number | None = None,
    description: Prose | None = None,
    tags: list[Line] | None = None,
) -> Opportunity:
    """Change the given fields of an opportunity; the others keep their values.

    Args:
        opportunity_id: Identifier of the opportunity.
        title: The title or name of the opportunity.
        primary_contact_id: The unique identifier of the primary contact associated with the opportunity.
        company_id: The unique identifier of the company associated with the opportunity.
        contact_id: The unique identifier of the contact associated with the opportunity.
        lead_id: The unique identifier of the lead associated with the opportunity.
        owner_id: The unique identifier of the user who owns the opportunity.
        pipeline_id: The unique identifier of the pipeline associated with the opportunity.
        currency: Indicates the associated currency for an amount of money.
        close_date: The actual closing date for the opportunity.
        monetary_amount: The monetary value associated with the opportunity.
        priority: The priority level of the opportunity.
        stage_last_changed_at: The date and time when the stage of the opportunity was last changed.
        status: The current status of the opportunity.
        type: The type of the opportunity.
        win_probability: The probability of winning the opportunity, expressed as a percentage.
        description: A description of the opportunity.
        tags: Tags of the opportunity.
    """
    read_opportunity(world, opportunity_id)
    if primary_contact_id is not None:
        read_contact(world, primary_contact_id, "primary_contact_id")
    if company_id is not None:
        read_company(world, company_id)
    if contact_id is not None:
        read_contact(world, contact_id)
    if lead_id is not None:
        read_lead(world, lead_id)
    if owner_id is not None:
        read_user(world, owner_id, "owner_id")
    if pipeline_id is not None:
        read_pipeline(world, pipeline_id)
    world.run(
        """
        UPDATE opportunities
        SET title = coalesce(:title, title),
            primary_contact_id = coalesce(:primary_contact_id, primary_contact_id),
            company_id = coalesce(:company_id, company_id),
            contact_id = coalesce(:contact_id, contact_id),
            lead_id = coalesce(:lead_id, lead_id),
            owner_id = coalesce(:owner_id, owner_id),
            pipeline_id = coalesce(:pipeline_id, pipeline_id),
            currency = coalesce(:currency, currency),
            close_date = coalesce(:close_date, close_date),
            monetary_amount = coalesce(:monetary_amount, monetary_amount),
            priority = coalesce(:priority, priority),
            stage_last_changed_at = coalesce(:stage_last_changed_at, stage_last_changed_at),
            status = coalesce(:status, status),
            type = coalesce(:type, type),
            win_probability = coalesce(:win_probability, win_probability),
            description = coalesce(:description, description),
            tags = coalesce(:tags, tags),
            updated_at = :now
        WHERE id = :opportunity_id
        """,
        title=title,
        primary_contact_id=primary_contact_id,
        company_id=company_id,
        contact_id=contact_id,
        lead_id=lead_id,
        owner_id=owner_id,
        pipeline_id=pipeline_id,
        currency=currency,
        close_date=close_date,
        monetary_amount=monetary_amount,
        priority=priority,
        stage_last_changed_at=stage_last_changed_at,
        status=status,
        type=type,
        win_probability=win_probability,
        description=description,
        tags=packed(tags),
        now=world.now,
        opportunity_id=opportunity_id,
    )
    return read_opportunity(world, opportunity_id)


# Plays DELETE /crm/opportunities/{id}
@env.tool(
    writes=["opportunities"],
    destructive=True,
    candidates="""
    SELECT id AS opportunity_id
    FROM opportunities
    WHERE NOT EXISTS (SELECT 1 FROM activities WHERE opportunity_id = opportunities.id)
      AND NOT EXISTS (SELECT 1 FROM notes WHERE opportunity_id = opportunities.id)
    """,
    refused={
        "not_found": "SELECT 'NOSUCH' AS opportunity_id",
        "has_activities": """
        SELECT id AS opportunity_id
        FROM opportunities
        WHERE EXISTS (SELECT 1 FROM activities WHERE opportunity_id = opportunities.id)
        """,
    },
)
def delete_opportunity(world: World, opportunity_id: OpportunityId) -> Deleted:
    """Delete an opportunity; refused while activities or notes refer to it.

    Args:
        opportunity_id: Identifier of the opportunity.
    """
    read_opportunity(world, opportunity_id)
    refuse_while_used(
        world,
        opportunity_id,
        "opportunity_id",
        {
            "activities": "SELECT count(*) FROM activities WHERE opportunity_id = :key",
            "notes": "SELECT count(*) FROM notes WHERE opportunity_id = :key",
        },
    )
    world.run("DELETE FROM opportunities WHERE id = :opportunity_id", opportunity_id=opportunity_id)
    return {"deleted": opportunity_id}


# ---------------------------------------------------------------- pipelines


def read_pipeline(world: World, pipeline_id: str, field: str = "pipeline_id") -> Pipeline:
    """The pipeline with that pipeline_id; refused where there is none."""
    row = world.one("SELECT * FROM pipelines WHERE id = ?", pipeline_id)
    if row is None:
        raise ToolError("not_found", f"There is no pipeline {pipeline_id}.", field=field)
    return as_pipeline(row)


def as_pipeline(row: dict[str, Any]) -> Pipeline:
    """A stored pipeline as tools return it."""
    converted = {
        "active": flag(row["active"]),
        "archived": flag(row["archived"]),
        "win_probability_enabled": flag(row["win_probability_enabled"]),
        "stages": parsed(row["stages"]),
    }
    return cast(Pipeline, row | converted)


# Plays GET /crm/pipelines
@env.tool(candidates="SELECT DISTINCT currency FROM pipelines WHERE currency IS NOT NULL")
def list_pipelines(
    world: World,
    currency: Currency | None = None,
    limit: Annotated[int, Field(ge=1, le=200)] = 20,
    cursor: Cursor | None = None,
) -> Pipelines:
    """List pipelines, one page at a time; what is not given does not narrow the list.

    Args:
        currency: Only pipelines with this currency.
        limit: Most rows to return.
        cursor: The `next_cursor` of the page before.
    """
    start = int(cursor or 0)
    rows = world.all(
        "SELECT * FROM pipelines WHERE (:currency IS NULL OR currency = :currency) ORDER BY id",
        currency=currency,
    )
    return {
        "pipelines": [as_pipeline(row) for row in rows[start : start + limit]],
        "total": len(rows),
        "next_cursor": str(start + limit) if start + limit < len(rows) else None,
    }


# Plays GET /crm/pipelines/{id}
@env.tool(candidates="SELECT id AS pipeline_id FROM pipelines", refused={"not_found": "SELECT 'NOSUCH' AS pipeline_id"})
def get_pipeline(world: World, pipeline_id: PipelineId) -> Pipeline:
    """Return one pipeline.

    Args:
        pipeline_id: Identifier of the pipeline.
    """
    return read_pipeline(world, pipeline_id)


# Plays POST /crm/pipelines
@env.tool(writes=["pipelines"], candidates="SELECT name FROM pipelines")
def create_pipeline(
    world: World,
    name: Line,
    currency: Currency | None = None,
    active: bool | None = None,
    archived: bool | None = None,
    display_order: Whole | None = None,
    win_probability_enabled: bool | None = None,
    stages: list[Stage] | None = None,
) -> Pipeline:
    """Create a pipeline.

    Args:
        name: The name of the Pipeline.
        currency: Indicates the associated currency for an amount of money.
        active: Whether the Pipeline is active or not.
        archived: Whether the Pipeline is archived or not.
        display_order: The order in which the Pipeline is displayed in the UI.
        win_probability_enabled: Whether the Pipeline has win probability enabled or not.
        stages: The Pipeline Stages.
    """
    pipeline_id = world.new_code("pipelines.id")
    world.run(
        """
        INSERT INTO pipelines (id, name, currency, active, archived, display_order, win_probability_enabled,
            stages, created_at, updated_at)
        VALUES (:id, :name, :currency, :active, :archived, :display_order, :win_probability_enabled,
            :stages, :created_at, :updated_at)
        """,
        id=pipeline_id,
        name=name,
        currency=currency,
        active=active,
        archived=archived,
        display_order=display_order,
        win_probability_enabled=win_probability_enabled,
        stages=packed(stages),
        created_at=world.now,
        updated_at=world.now,
    )
    return read_pipeline(world, pipeline_id)


# Plays PATCH /crm/pipelines/{id}
@env.tool(
    writes=["pipelines"],
    destructive=True,
    idempotent=True,
    candidates="SELECT id AS pipeline_id, name FROM pipelines",
)
def update_pipeline(
    world: World,
    pipeline_id: PipelineId,
    name: Line | None = None,
    currency: Currency | None = None,
    active: bool | None = None,
    archived: bool | None = None,
    display_order: Whole | None = None,
    win_probability_enabled: bool | None = None,
    stages: list[Stage] | None = None,
) -> Pipeline:
    """Change the given fields of a pipeline; the others keep their values.

    Args:
        pipeline_id: Identifier of the pipeline.
        name: The name of the Pipeline.
        currency: Indicates the associated currency for an amount of money.
        active: Whether the Pipeline is active or not.
        archived: Whether the Pipeline is archived or not.
        display_order: The order in which the Pipeline is displayed in the UI.
        win_probability_enabled: Whether the Pipeline has win probability enabled or not.
        stages: The Pipeline Stages.
    """
    read_pipeline(world, pipeline_id)
    world.run(
        """
        UPDATE pipelines
        SET name = coalesce(:name, name),
            currency = coalesce(:currency, currency),
            active = coalesce(:active, active),
            archived = coalesce(:archived, archived),
            display_order = coalesce(:display_order, display_order),
            win_probability_enabled = coalesce(:win_probability_enabled, win_probability_enabled),
            stages = coalesce(:stages, stages),
            updated_at = :now
        WHERE id = :pipeline_id
        """,
        name=name,
        currency=currency,
        active=active,
        archived=archived,
        display_order=display_order,
        win_probability_enabled=win_probability_enabled,
        stages=packed(stages),
        now=world.now,
        pipeline_id=pipeline_id,
    )
    return read_pipeline(world, pipeline_id)


# Plays DELETE /crm/pipelines/{id}
@env.tool(
    writes=["pipelines"],
    destructive=True,
    candidates="""
    SELECT id AS pipeline_id
    FROM pipelines
    WHERE NOT EXISTS (SELECT 1 FROM opportunities WHERE pipeline_id = pipelines.id)
    """,
    refused={
        "not_found": "SELECT 'NOSUCH' AS pipeline_id",
        "has_opportunities": """
        SELECT id AS pipeline_id
        FROM pipelines
        WHERE EXISTS (SELECT 1 FROM opportunities WHERE pipeline_id = pipelines.id)
        """,
    },
)
def delete_pipeline(world: World, pipeline_id: PipelineId) -> Deleted:
    """Delete a pipeline; refused while opportunities refer to it.

    Args:
        pipeline_id: Identifier of the pipeline.
    """
    read_pipeline(world, pipeline_id)
    refuse_while_used(
        world,
        pipeline_id,
        "pipeline_id",
        {
            "opportunities": "SELECT count(*) FROM opportunities WHERE pipeline_id = :key",
        },
    )
    world.run("DELETE FROM pipelines WHERE id = :pipeline_id", pipeline_id=pipeline_id)
    return {"deleted": pipeline_id}


# ---------------------------------------------------------------- users


def read_user(world: World, user_id: str, field: str = "user_id") -> User:
    """The user with that user_id; refused where there is none."""
    row = world.one("SELECT * FROM users WHERE id = ?", user_id)
    if row is None:
        raise ToolError("not_found", f"There is no user {user_id}.", field=field)
    return as_user(row)


def as_user(row: dict[str, Any]) -> User:
    """A stored user as tools return it."""
    converted = {
        "emails": parsed(row["emails"]),
        "addresses": parsed(row["addresses"]),
        "phone_numbers": parsed(row["phone_numbers"]),
    }
    return cast(User, row | converted)


# Plays GET /crm/users
@env.tool(candidates="SELECT DISTINCT parent_id FROM users WHERE parent_id IS NOT NULL")
def list_users(
    world: World,
    parent_id: UserId | None = None,
    limit: Annotated[int, Field(ge=1, le=200)] = 20,
    cursor: Cursor | None = None,
) -> Users:
    """List users, one page at a time; what is not given does not narrow the list.

    Args:
        parent_id: Only users with this parent ID.
        limit: Most rows to return.
        cursor: The `next_cursor` of the page before.
    """
    start = int(cursor or 0)
    rows = world.all(
        "SELECT * FROM users WHERE (:parent_id IS NULL OR parent_id = :parent_id) ORDER BY id",
        parent_id=parent_id,
    )
    return {
        "users": [as_user(row) for row in rows[start : start + limit]],
        "total": len(rows),
        "next_cursor": str(start + limit) if start + limit < len(rows) else None,
    }


# Plays GET /crm/users/{id}
@env.tool(candidates="SELECT id AS user_id FROM users", refused={"not_found": "SELECT 'NOSUCH' AS user_id"})
def get_user(world: World, user_id: UserId) -> User:
    """Return one user.

    Args:
        user_id: Identifier of the user.
    """
    return read_user(world, user_id)


# Plays POST /crm/users
@env.tool(writes=["users"], candidates="SELECT emails FROM users")
def create_user(
    world: World,
    emails: list[Email],
    title: Line | None = None,
    username: Line | None = None,
    parent_id: UserId | None = None,
    company_name: Line | None = None,
    division: Line | None = None,
    employee_number: Line | None = None,
    first_name: Line | None = None,
    image: Line | None = None,
    language: Line | None = None,
    last_name: Line | None = None,
    status: Line | None = None,
    description: Prose | None = None,
    addresses: list[Address] | None = None,
    phone_numbers: list[PhoneNumber] | None = None,
) -> User:
    """Create a user.

    Args:
        emails: Emails of the user.
        title: The job title of the person.
        username: The username of the user.
        parent_id: The parent user id.
        company_name: The name of the company.
        division: The division the person is currently in.
        employee_number: An Employee Number, Employee ID or Employee Code, is a unique number that has been assigned to
            each individual staff member within a company.
        first_name: The first name of the person.
        image: The URL of the user's avatar.
        language: language code according to ISO 639-1.
        last_name: The last name of the person.
        status: The status of the user.
        description: A description of the object.
        addresses: Addresses of the user.
        phone_numbers: Phone numbers of the user.
    """
    if parent_id is not None:
        read_user(world, parent_id, "parent_id")
    user_id = world.new_code("users.id")
    world.run(
        """
        INSERT INTO users (id, title, username, emails, parent_id, company_name, division, employee_number,
            first_name, image, language, last_name, status, description, addresses, phone_numbers,
            created_at, updated_at)
        VALUES (:id, :title, :username, :emails, :parent_id, :company_name, :division, :employee_number,
            :first_name, :image, :language, :last_name, :status, :description, :addresses, :phone_numbers,
            :created_at, :updated_at)
        """,
        id=user_id,
        title=title,
        username=username,
        emails=packed(emails),
        parent_id=parent_id,
        company_name=company_name,
        division=division,
        employee_number=employee_number,
        first_name=first_name,
        image=image,
        language=language,
        last_name=last_name,
        status=status,
        description=description,
        addresses=packed(addresses),
        phone_numbers=packed(phone_numbers),
        created_at=world.now,
        updated_at=world.now,
    )
    return read_user(world, user_id)


# Plays PATCH /crm/users/{id}
@env.tool(
    writes=["users"],
    destructive=True,
    idempotent=True,
    candidates="SELECT id AS user_id, title FROM users WHERE title IS NOT NULL",
)
def update_user(
    world: World,
    user_id: UserId,
    title: Line | None = None,
    username: Line | None = None,
    emails: list[Email] | None = None,
    parent_id: UserId | None = None,
    company_name: Line | None = None,
    division: Line | None = None,
    employee_number: Line | None = None,
    first_name: Line | None = None,
    image: Line | None = None,
    language: Line | None = None,
    last_name: Line | None = None,
    status: Line | None = None,
    description: Prose | None = None,
    addresses: list[Address] | None = None,
    phone_numbers: list[PhoneNumber] | None = None,
) -> User:
    """Change the given fields of a user; the others keep their values.

    Args:
        user_id: Identifier of the user.
        title: The job title of the person.
        username: The username of the user.
        emails: Emails of the user.
        parent_id: The parent user id.
        company_name: The name of the company.
        division: The division the person is currently in.
        employee_number: An Employee Number, Employee ID or Employee Code, is a unique number that has been assigned to
            each individual staff member within a company.
        first_name: The first name of the person.
        image: The URL of the user's avatar.
        language: language code according to ISO 639-1.
        last_name: The last name of the person.
        status: The status of the user.
        description: A description of the object.
        addresses: Addresses of the user.
        phone_numbers: Phone numbers of the user.
    """
    read_user(world, user_id)
    if parent_id is not None:
        read_user(world, parent_id, "parent_id")
    world.run(
        """
        UPDATE users
        SET title = coalesce(:title, title),
            username = coalesce(:username, username),
            emails = coalesce(:emails, emails),
            parent_id = coalesce(:parent_id, parent_id),
            company_name = coalesce(:company_name, company_name),
            division = coalesce(:division, division),
            employee_number = coalesce(:employee_number, employee_number),
            first_name = coalesce(:first_name, first_name),
            image = coalesce(:image, image),
            language = coalesce(:language, language),
            last_name = coalesce(:last_name, last_name),
            status = coalesce(:status, status),
            description = coalesce(:description, description),
            addresses = coalesce(:addresses, addresses),
            phone_numbers = coalesce(:phone_numbers, phone_numbers),
            updated_at = :now
        WHERE id = :user_id
        """,
        title=title,
        username=username,
        emails=packed(emails),
        parent_id=parent_id,
        company_name=company_name,
        division=division,
        employee_number=employee_number,
        first_name=first_name,
        image=image,
        language=language,
        last_name=last_name,
        status=status,
        description=description,
        addresses=packed(addresses),
        phone_numbers=packed(phone_numbers),
        now=world.now,
        user_id=user_id,
    )
    return read_user(world, user_id)


# Plays DELETE /crm/users/{id}
@env.tool(
    writes=["users"],
    destructive=True,
    candidates="""
    SELECT id AS user_id
    FROM users
    WHERE NOT EXISTS (SELECT 1 FROM activities WHERE owner_id = users.id OR user_id = users.id)
      AND NOT EXISTS (SELECT 1 FROM companies WHERE owner_id = users.id)
      AND NOT EXISTS (SELECT 1 FROM contacts WHERE owner_id = users.id)
      AND NOT EXISTS (SELECT 1 FROM leads WHERE owner_id = users.id)
      AND NOT EXISTS (SELECT 1 FROM notes WHERE owner_id = users.id)
      AND NOT EXISTS (SELECT 1 FROM opportunities WHERE owner_id = users.id)
      AND NOT EXISTS (SELECT 1 FROM users AS other WHERE other.parent_id = users.id)
    """,
    refused={
        "not_found": "SELECT 'NOSUCH' AS user_id",
        "has_activities": """
        SELECT id AS user_id
        FROM users
        WHERE EXISTS (SELECT 1 FROM activities WHERE owner_id = users.id OR user_id = users.id)
        """,
    },
)
def delete_user(world: World, user_id: UserId) -> Deleted:
    """Delete a user; refused while activities, companies, contacts, leads, notes, opportunities or users refer to it.

    Args:
        user_id: Identifier of the user.
    """
    read_user(world, user_id)
    refuse_while_used(
        world,
        user_id,
        "user_id",
        {
            "activities": "SELECT count(*) FROM activities WHERE owner_id = :key OR user_id = :key",
            "companies": "SELECT count(*) FROM companies WHERE owner_id = :key",
            "contacts": "SELECT count(*) FROM contacts WHERE owner_id = :key",
            "leads": "SELECT count(*) FROM leads WHERE owner_id = :key",
            "notes": "SELECT count(*) FROM notes WHERE owner_id = :key",
            "opportunities": "SELECT count(*) FROM opportunities WHERE owner_id = :key",
            "users": "SELECT count(*) FROM users WHERE parent_id = :key",
        },
    )
    world.run("DELETE FROM users WHERE id = :user_id", user_id=user_id)
    return {"deleted": user_id}


if __name__ == "__main__":
    env.serve()
