"""POS API: 36 tools over modifier groups, modifiers, tenders, locations, merchants, orders, payments.

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
Number = Annotated[float, Field(ge=-1e12, le=1e12, allow_inf_nan=False)]
"""A number."""
Cursor = Annotated[str, Field(pattern=r"^[0-9]{1,6}$")]
"""Where the next page starts, as a list returned it."""
SelectionType = Literal["single", "multiple"]
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
LocationStatus = Literal["active", "inactive", "other"]
OrderPaymentStatus = Literal["open", "paid", "refunded", "credited", "partially_paid", "partially_refunded", "unknown"]
OrderStatus = Literal["open", "draft", "delivered", "delayed", "voided", "completed", "hidden"]
ExternalDetailsType = Literal[
    "check",
    "bank_transfer",
    "other_gift_card",
    "crypto",
    "square_cash",
    "social",
    "external",
    "emoney",
    "card",
    "stored_balance",
    "food_voucher",
    "other",
]
Source = Literal["card", "bank_account", "wallet", "bnpl", "cash", "external", "other"]
PaymentStatus = Literal["approved", "pending", "completed", "canceled", "failed", "other"]
WalletStatus = Literal["authorized", "captured", "voided", "failed", "other"]
ModifierGroupId = Annotated[str, Ref("modifier_groups.id"), Field(max_length=200)]
ModifierId = Annotated[str, Ref("modifiers.id"), Field(max_length=200)]
TenderId = Annotated[str, Ref("tenders.id"), Field(max_length=200)]
LocationId = Annotated[str, Ref("locations.id"), Field(max_length=200)]
MerchantId = Annotated[str, Ref("merchants.id"), Field(max_length=200)]
OrderId = Annotated[str, Ref("orders.id"), Field(max_length=200)]
PaymentId = Annotated[str, Ref("payments.id"), Field(max_length=200)]
ModifierClearable = Literal["currency", "available"]
TenderClearable = Literal["active", "editable", "hidden", "key"]
LocationClearable = Literal["currency", "status", "business_name"]
MerchantClearable = Literal["main_location_id", "currency", "status", "language"]
OrderClearable = Literal[
    "currency",
    "closed_date",
    "order_date",
    "total_amount",
    "total_discount",
    "total_refund",
    "total_service_charge",
    "total_tax",
    "total_tip",
    "version",
]

# ---------------------------------------------------------------- what the tools return


class Address(TypedDict):
    city: NotRequired[Line]
    contact_name: NotRequired[Line]
    country: NotRequired[Line]
    county: NotRequired[Line]
    email: NotRequired[Line]
    fax: NotRequired[Line]
    latitude: NotRequired[Line]
    line1: NotRequired[Line]


class ServiceCharge(TypedDict):
    active: NotRequired[bool]
    amount: NotRequired[Number]
    currency: NotRequired[Line]
    name: NotRequired[Line]
    percentage: NotRequired[Number]
    type: NotRequired[Literal["auto_gratuity", "custom"]]


class PosBankAccount(TypedDict):
    account_ownership_type: NotRequired[Line]
    bank_name: NotRequired[Line]
    country: NotRequired[Line]
    fingerprint: NotRequired[Line]
    statement_description: NotRequired[Line]
    transfer_type: NotRequired[Line]


class ProcessingFee(TypedDict):
    amount: NotRequired[Number]
    effective_at: NotRequired[Moment]
    processing_type: NotRequired[Literal["initial", "adjustment"]]


class ModifierGroup(TypedDict):
    """A modifier group."""

    id: ModifierGroupId
    name: str
    selection_type: SelectionType | None
    alternate_name: str | None
    maximum_allowed: int | None
    minimum_required: int | None
    present_at_all_locations: bool | None
    created_at: str | None
    updated_at: str | None


class ModifierGroups(TypedDict):
    modifier_groups: list[ModifierGroup]
    total: int
    next_cursor: Cursor | None


class Modifier(TypedDict):
    """A modifier."""

    id: ModifierId
    name: str
    modifier_group_id: ModifierGroupId
    currency: Currency | None
    alternate_name: str | None
    available: bool | None
    price_amount: float | None
    created_at: str | None
    updated_at: str | None


class Modifiers(TypedDict):
    modifiers: list[Modifier]
    total: int
    next_cursor: Cursor | None


class Tender(TypedDict):
    """A tender."""

    id: TenderId
    label: str
    active: bool | None
    allows_tipping: bool | None
    editable: bool | None
    hidden: bool | None
    key: str | None
    opens_cash_drawer: bool | None
    created_at: str | None
    updated_at: str | None


class Tenders(TypedDict):
    tenders: list[Tender]
    total: int
    next_cursor: Cursor | None


class Location(TypedDict):
    """A location."""

    id: LocationId
    name: str
    merchant_id: MerchantId | None
    currency: Currency | None
    status: LocationStatus | None
    business_name: str | None
    address: Address | None
    created_at: str | None
    updated_at: str | None


class Locations(TypedDict):
    locations: list[Location]
    total: int
    next_cursor: Cursor | None


class Merchant(TypedDict):
    """A merchant."""

    id: MerchantId
    name: str
    main_location_id: LocationId | None
    currency: Currency | None
    status: LocationStatus | None
    language: str | None
    address: Address | None
    service_charges: list[ServiceCharge] | None
    created_at: str | None
    updated_at: str | None


class Merchants(TypedDict):
    merchants: list[Merchant]
    total: int
    next_cursor: Cursor | None


class Order(TypedDict):
    """An order."""

    id: OrderId
    title: str | None
    location_id: LocationId
    merchant_id: MerchantId
    currency: Currency | None
    payment_status: OrderPaymentStatus | None
    status: OrderStatus | None
    closed_date: str | None
    order_date: str | None
    order_number: str | None
    refunded: bool | None
    seat: str | None
    table: str | None
    total_amount: int | None
    total_discount: int | None
    total_refund: int | None
    total_service_charge: int | None
    total_tax: int | None
    total_tip: int | None
    version: str | None
    voided: bool | None
    note: str | None
    created_at: str | None
    updated_at: str | None


class Orders(TypedDict):
    orders: list[Order]
    total: int
    next_cursor: Cursor | None


class Payment(TypedDict):
    """A payment."""

    id: PaymentId
    amount: float
    currency: Currency
    order_id: OrderId
    tender_id: TenderId
    location_id: LocationId | None
    merchant_id: MerchantId | None
    external_details_type: ExternalDetailsType | None
    source: Source | None
    status: PaymentStatus | None
    wallet_status: WalletStatus | None
    app_fee: float | None
    approved: float | None
    change_back_cash_amount: float | None
    external_details_source: str | None
    external_details_source_fee_amount: float | None
    refunded: float | None
    tax: float | None
    tip: float | None
    total: float | None
    bank_account: PosBankAccount | None
    processing_fees: list[ProcessingFee] | None
    service_charges: list[ServiceCharge] | None
    created_at: str | None
    updated_at: str | None


class Payments(TypedDict):
    payments: list[Payment]
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


def refuse_while_used(world: World, key: str | int, field: str, rule: str, queries: dict[str, str]) -> None:
    """Refuse a deletion while other rows refer to the row; each query counts those of one table."""
    for table, query in queries.items():
        count = world.value(query, key=key)
        if count:
            message = f"{key} cannot be deleted: it is still referred to ({count} of {table})."
            raise ToolError("conflict", message, field=field, reason=rule)


# ---------------------------------------------------------------- modifier groups


def read_modifier_group(world: World, modifier_group_id: str, field: str = "modifier_group_id") -> ModifierGroup:
    """The modifier group with that modifier_group_id; refused where there is none."""
    row = world.one("SELECT * FROM modifier_groups WHERE id = ?", modifier_group_id)
    if row is None:
        raise ToolError("not_found", f"There is no modifier group {modifier_group_id}.", field=field)
    return as_modifier_group(row)


def as_modifier_group(row: dict[str, Any]) -> ModifierGroup:
    """A stored modifier group as tools return it."""
    converted = {"present_at_all_locations": flag(row["present_at_all_locations"])}
    return cast(ModifierGroup, row | converted)


# Plays GET /pos/modifier-groups
@env.tool(candidates="SELECT DISTINCT selection_type FROM modifier_groups WHERE selection_type IS NOT NULL")
def list_modifier_groups(
    world: World,
    selection_type: SelectionType | None = None,
    limit: Annotated[int, Field(ge=1, le=100)] = 20,
    cursor: Cursor | None = None,
) -> ModifierGroups:
    """List modifier groups, one page at a time; what is not given does not narrow the list.

    Args:
        selection_type: Only modifier groups with this selection type.
        limit: Most rows to return.
        cursor: The `next_cursor` of the page before.
    """
    start = int(cursor or 0)
    rows = world.all(
        "SELECT * FROM modifier_groups WHERE (:selection_type IS NULL OR selection_type = :selection_type) ORDER BY id",
        selection_type=selection_type,
    )
    return {
        "modifier_groups": [as_modifier_group(row) for row in rows[start : start + limit]],
        "total": len(rows),
        "next_cursor": str(start + limit) if start + limit < len(rows) else None,
    }


# Plays GET /pos/modifier-groups/{id}
@env.tool(
    candidates="SELECT id AS modifier_group_id FROM modifier_groups",
    refused={"not_found": "SELECT 'NOSUCH' AS modifier_group_id"},
)
def get_modifier_group(world: World, modifier_group_id: ModifierGroupId) -> ModifierGroup:
    """Return one modifier group.

    Args:
        modifier_group_id: Identifier of the modifier group.
    """
    return read_modifier_group(world, modifier_group_id)


# Plays POST /pos/modifier-groups
@env.tool(writes=["modifier_groups"], candidates="SELECT name FROM modifier_groups")
def create_modifier_group(
    world: World,
    name: Line,
    selection_type: SelectionType | None = None,
    alternate_name: Line | None = None,
    maximum_allowed: Whole | None = None,
    minimum_required: Whole | None = None,
    present_at_all_locations: bool | None = None,
) -> ModifierGroup:
    """Create a modifier group.

    Args:
        name: Name.
        selection_type: Indicates whether multiple options from the modifier group can be applied to a single or
            multiple modifiers.
        alternate_name: Alternate name.
        maximum_allowed: Maximum allowed.
        minimum_required: Minimum required.
        present_at_all_locations: Present at all locations.
    """
    modifier_group_id = world.new_code("modifier_groups.id")
    world.run(
        """
        INSERT INTO modifier_groups (id, name, selection_type, alternate_name, maximum_allowed,
            minimum_required, present_at_all_locations, created_at, updated_at)
        VALUES (:id, :name, :selection_type, :alternate_name, :maximum_allowed, :minimum_required,
            :present_at_all_locations, :created_at, :updated_at)
        """,
        id=modifier_group_id,
        name=name,
        selection_type=selection_type,
        alternate_name=alternate_name,
        maximum_allowed=maximum_allowed,
        minimum_required=minimum_required,
        present_at_all_locations=present_at_all_locations,
        created_at=world.now,
        updated_at=world.now,
    )
    return read_modifier_group(world, modifier_group_id)


# Plays PATCH /pos/modifier-groups/{id}
@env.tool(
    writes=["modifier_groups"],
    destructive=True,
    idempotent=True,
    candidates="SELECT id AS modifier_group_id, name FROM modifier_groups",
)
def update_modifier_group(
    world: World,
    modifier_group_id: ModifierGroupId,
    name: Line | None = None,
    selection_type: SelectionType | None = None,
    alternate_name: Line | None = None,
    maximum_allowed: Whole | None = None,
    minimum_required: Whole | None = None,
    present_at_all_locations: bool | None = None,
) -> ModifierGroup:
    """Change the given fields of a modifier group; the others keep their values.

    Args:
        modifier_group_id: Identifier of the modifier group.
        name: Name.
        selection_type: Indicates whether multiple options from the modifier group can be applied to a single or
            multiple modifiers.
        alternate_name: Alternate name.
        maximum_allowed: Maximum allowed.
        minimum_required: Minimum required.
        present_at_all_locations: Present at all locations.
    """
    read_modifier_group(world, modifier_group_id)
    world.run(
        """
        UPDATE modifier_groups
        SET name = coalesce(:name, name),
            selection_type = coalesce(:selection_type, selection_type),
            alternate_name = coalesce(:alternate_name, alternate_name),
            maximum_allowed = coalesce(:maximum_allowed, maximum_allowed),
            minimum_required = coalesce(:minimum_required, minimum_required),
            present_at_all_locations = coalesce(:present_at_all_locations, present_at_all_locations),
            updated_at = :now
        WHERE id = :modifier_group_id
        """,
        name=name,
        selection_type=selection_type,
        alternate_name=alternate_name,
        maximum_allowed=maximum_allowed,
        minimum_required=minimum_required,
        present_at_all_locations=present_at_all_locations,
        now=world.now,
        modifier_group_id=modifier_group_id,
    )
    return read_modifier_group(world, modifier_group_id)


# Plays DELETE /pos/modifier-groups/{id}
@env.tool(
    writes=["modifier_groups"],
    destructive=True,
    confirm=["modifier_group_id"],
    candidates="""
    SELECT id AS modifier_group_id
    FROM modifier_groups
    WHERE NOT EXISTS (SELECT 1 FROM modifiers WHERE modifier_group_id = modifier_groups.id)
    """,
    refused={
        "not_found": "SELECT 'NOSUCH' AS modifier_group_id",
        "keep-used-modifier-groups": """
        SELECT id AS modifier_group_id
        FROM modifier_groups
        WHERE EXISTS (SELECT 1 FROM modifiers WHERE modifier_group_id = modifier_groups.id)
        """,
    },
)
def delete_modifier_group(world: World, modifier_group_id: ModifierGroupId) -> Deleted:
    """Delete a modifier group; refused while modifiers refer to it.

    Args:
        modifier_group_id: Identifier of the modifier group.
    """
    read_modifier_group(world, modifier_group_id)
    refuse_while_used(
        world,
        modifier_group_id,
        "modifier_group_id",
        "keep-used-modifier-groups",
        {
            "modifiers": "SELECT count(*) FROM modifiers WHERE modifier_group_id = :key",
        },
    )
    world.run("DELETE FROM modifier_groups WHERE id = :modifier_group_id", modifier_group_id=modifier_group_id)
    return {"deleted": modifier_group_id}


# ---------------------------------------------------------------- modifiers


def read_modifier(world: World, modifier_id: str, field: str = "modifier_id") -> Modifier:
    """The modifier with that modifier_id; refused where there is none."""
    row = world.one("SELECT * FROM modifiers WHERE id = ?", modifier_id)
    if row is None:
        raise ToolError("not_found", f"There is no modifier {modifier_id}.", field=field)
    return as_modifier(row)


def as_modifier(row: dict[str, Any]) -> Modifier:
    """A stored modifier as tools return it."""
    converted = {"available": flag(row["available"])}
    return cast(Modifier, row | converted)


# Plays GET /pos/modifiers
@env.tool(candidates="SELECT DISTINCT modifier_group_id FROM modifiers WHERE modifier_group_id IS NOT NULL")
def list_modifiers(
    world: World,
    modifier_group_id: ModifierGroupId | None = None,
    currency: Currency | None = None,
    limit: Annotated[int, Field(ge=1, le=100)] = 20,
    cursor: Cursor | None = None,
) -> Modifiers:
    """List modifiers, one page at a time; what is not given does not narrow the list.

    Args:
        modifier_group_id: Only modifiers with this modifier group ID.
        currency: Only modifiers with this currency.
        limit: Most rows to return.
        cursor: The `next_cursor` of the page before.
    """
    start = int(cursor or 0)
    rows = world.all(
        """
        SELECT * FROM modifiers
        WHERE (:modifier_group_id IS NULL OR modifier_group_id = :modifier_group_id)
          AND (:currency IS NULL OR currency = :currency)
        ORDER BY id
        """,
        modifier_group_id=modifier_group_id,
        currency=currency,
    )
    return {
        "modifiers": [as_modifier(row) for row in rows[start : start + limit]],
        "total": len(rows),
        "next_cursor": str(start + limit) if start + limit < len(rows) else None,
    }


# Plays GET /pos/modifiers/{id}
@env.tool(candidates="SELECT id AS modifier_id FROM modifiers", refused={"not_found": "SELECT 'NOSUCH' AS modifier_id"})
def get_modifier(world: World, modifier_id: ModifierId) -> Modifier:
    """Return one modifier.

    Args:
        modifier_id: Identifier of the modifier.
    """
    return read_modifier(world, modifier_id)


# Plays POST /pos/modifiers
@env.tool(writes=["modifiers"], candidates="SELECT name, modifier_group_id FROM modifiers")
def create_modifier(
    world: World,
    name: Line,
    modifier_group_id: ModifierGroupId,
    currency: Currency | None = None,
    alternate_name: Line | None = None,
    available: bool | None = None,
    price_amount: Number | None = None,
) -> Modifier:
    """Create a modifier.

    Args:
        name: Name.
        modifier_group_id: Modifier group ID.
        currency: Indicates the associated currency for an amount of money.
        alternate_name: Alternate name.
        available: Available.
        price_amount: Price amount.
    """
    read_modifier_group(world, modifier_group_id)
    modifier_id = world.new_code("modifiers.id")
    world.run(
        """
        INSERT INTO modifiers (id, name, modifier_group_id, currency, alternate_name, available,
            price_amount, created_at, updated_at)
        VALUES (:id, :name, :modifier_group_id, :currency, :alternate_name, :available, :price_amount,
            :created_at, :updated_at)
        """,
        id=modifier_id,
        name=name,
        modifier_group_id=modifier_group_id,
        currency=currency,
        alternate_name=alternate_name,
        available=available,
        price_amount=price_amount,
        created_at=world.now,
        updated_at=world.now,
    )
    return read_modifier(world, modifier_id)


# Plays PATCH /pos/modifiers/{id}
@env.tool(
    writes=["modifiers"],
    destructive=True,
    idempotent=True,
    candidates="SELECT id AS modifier_id, name FROM modifiers",
)
def update_modifier(
    world: World,
    modifier_id: ModifierId,
    name: Line | None = None,
    modifier_group_id: ModifierGroupId | None = None,
    currency: Currency | None = None,
    alternate_name: Line | None = None,
    available: bool | None = None,
    price_amount: Number | None = None,
    clear: ModifierClearable | None = None,
) -> Modifier:
    """Change the given fields of a modifier; the others keep their values.

    Args:
        modifier_id: Identifier of the modifier.
        name: Name.
        modifier_group_id: Modifier group ID.
        currency: Indicates the associated currency for an amount of money.
        alternate_name: Alternate name.
        available: Available.
        price_amount: Price amount.
        clear: A field to empty.
    """
    read_modifier(world, modifier_id)
    if modifier_group_id is not None:
        read_modifier_group(world, modifier_group_id)
    world.run(
        """
        UPDATE modifiers
        SET name = coalesce(:name, name),
            modifier_group_id = coalesce(:modifier_group_id, modifier_group_id),
            currency = coalesce(:currency, currency),
            alternate_name = coalesce(:alternate_name, alternate_name),
            available = coalesce(:available, available),
            price_amount = coalesce(:price_amount, price_amount),
            updated_at = :now
        WHERE id = :modifier_id
        """,
        name=name,
        modifier_group_id=modifier_group_id,
        currency=currency,
        alternate_name=alternate_name,
        available=available,
        price_amount=price_amount,
        now=world.now,
        modifier_id=modifier_id,
    )
    if clear is not None:
        world.run(f'UPDATE modifiers SET "{clear}" = NULL WHERE id = :modifier_id', modifier_id=modifier_id)
    return read_modifier(world, modifier_id)


# Plays DELETE /pos/modifiers/{id}
@env.tool(
    writes=["modifiers"],
    destructive=True,
    confirm=["modifier_id"],
    candidates="SELECT id AS modifier_id FROM modifiers",
    refused={"not_found": "SELECT 'NOSUCH' AS modifier_id"},
)
def delete_modifier(world: World, modifier_id: ModifierId) -> Deleted:
    """Delete a modifier.

    Args:
        modifier_id: Identifier of the modifier.
    """
    read_modifier(world, modifier_id)
    world.run("DELETE FROM modifiers WHERE id = :modifier_id", modifier_id=modifier_id)
    return {"deleted": modifier_id}


# ---------------------------------------------------------------- tenders


def read_tender(world: World, tender_id: str, field: str = "tender_id") -> Tender:
    """The tender with that tender_id; refused where there is none."""
    row = world.one("SELECT * FROM tenders WHERE id = ?", tender_id)
    if row is None:
        raise ToolError("not_found", f"There is no tender {tender_id}.", field=field)
    return as_tender(row)


def as_tender(row: dict[str, Any]) -> Tender:
    """A stored tender as tools return it."""
    converted = {
        "active": flag(row["active"]),
        "allows_tipping": flag(row["allows_tipping"]),
        "editable": flag(row["editable"]),
        "hidden": flag(row["hidden"]),
        "opens_cash_drawer": flag(row["opens_cash_drawer"]),
    }
    return cast(Tender, row | converted)


# Plays GET /pos/tenders
@env.tool(candidates='SELECT 5 AS "limit"')
def list_tenders(
    world: World,
    limit: Annotated[int, Field(ge=1, le=100)] = 20,
    cursor: Cursor | None = None,
) -> Tenders:
    """List tenders, one page at a time; what is not given does not narrow the list.

    Args:
        limit: Most rows to return.
        cursor: The `next_cursor` of the page before.
    """
    start = int(cursor or 0)
    rows = world.all("SELECT * FROM tenders ORDER BY id")
    return {
        "tenders": [as_tender(row) for row in rows[start : start + limit]],
        "total": len(rows),
        "next_cursor": str(start + limit) if start + limit < len(rows) else None,
    }


# Plays GET /pos/tenders/{id}
@env.tool(candidates="SELECT id AS tender_id FROM tenders", refused={"not_found": "SELECT 'NOSUCH' AS tender_id"})
def get_tender(world: World, tender_id: TenderId) -> Tender:
    """Return one tender.

    Args:
        tender_id: Identifier of the tender.
    """
    return read_tender(world, tender_id)


# Plays POST /pos/tenders
@env.tool(writes=["tenders"], candidates="SELECT label FROM tenders")
def create_tender(
    world: World,
    label: Line,
    active: bool | None = None,
    allows_tipping: bool = True,
    editable: bool | None = None,
    hidden: bool | None = None,
    key: Line | None = None,
    opens_cash_drawer: bool = True,
) -> Tender:
    """Create a tender.

    Args:
        label: Label of the tender.
        active: Is active.
        allows_tipping: Allow tipping on payment from tender.
        editable: Hidden.
        hidden: Hidden.
        key: Key of the tender.
        opens_cash_drawer: If this tender opens the cash drawer.
    """
    tender_id = world.new_code("tenders.id")
    world.run(
        """
        INSERT INTO tenders (id, label, active, allows_tipping, editable, hidden, key, opens_cash_drawer,
            created_at, updated_at)
        VALUES (:id, :label, :active, :allows_tipping, :editable, :hidden, :key, :opens_cash_drawer,
            :created_at, :updated_at)
        """,
        id=tender_id,
        label=label,
        active=active,
        allows_tipping=allows_tipping,
        editable=editable,
        hidden=hidden,
        key=key,
        opens_cash_drawer=opens_cash_drawer,
        created_at=world.now,
        updated_at=world.now,
    )
    return read_tender(world, tender_id)


# Plays PATCH /pos/tenders/{id}
@env.tool(
    writes=["tenders"],
    destructive=True,
    idempotent=True,
    candidates="SELECT id AS tender_id, label FROM tenders",
)
def update_tender(
    world: World,
    tender_id: TenderId,
    label: Line | None = None,
    active: bool | None = None,
    allows_tipping: bool | None = None,
    editable: bool | None = None,
    hidden: bool | None = None,
    key: Line | None = None,
    opens_cash_drawer: bool | None = None,
    clear: TenderClearable | None = None,
) -> Tender:
    """Change the given fields of a tender; the others keep their values.

    Args:
        tender_id: Identifier of the tender.
        label: Label of the tender.
        active: Is active.
        allows_tipping: Allow tipping on payment from tender.
        editable: Hidden.
        hidden: Hidden.
        key: Key of the tender.
        opens_cash_drawer: If this tender opens the cash drawer.
        clear: A field to empty.
    """
    read_tender(world, tender_id)
    world.run(
        """
        UPDATE tenders
        SET label = coalesce(:label, label),
            active = coalesce(:active, active),
            allows_tipping = coalesce(:allows_tipping, allows_tipping),
            editable = coalesce(:editable, editable),
            hidden = coalesce(:hidden, hidden),
            key = coalesce(:key, key),
            opens_cash_drawer = coalesce(:opens_cash_drawer, opens_cash_drawer),
            updated_at = :now
        WHERE id = :tender_id
        """,
        label=label,
        active=active,
        allows_tipping=allows_tipping,
        editable=editable,
        hidden=hidden,
        key=key,
        opens_cash_drawer=opens_cash_drawer,
        now=world.now,
        tender_id=tender_id,
    )
    if clear is not None:
        world.run(f'UPDATE tenders SET "{clear}" = NULL WHERE id = :tender_id', tender_id=tender_id)
    return read_tender(world, tender_id)


# Plays DELETE /pos/tenders/{id}
@env.tool(
    writes=["tenders"],
    destructive=True,
    confirm=["tender_id"],
    candidates="""
    SELECT id AS tender_id
    FROM tenders
    WHERE NOT EXISTS (SELECT 1 FROM payments WHERE tender_id = tenders.id)
    """,
    refused={
        "not_found": "SELECT 'NOSUCH' AS tender_id",
        "keep-used-tenders": """
        SELECT id AS tender_id
        FROM tenders
        WHERE EXISTS (SELECT 1 FROM payments WHERE tender_id = tenders.id)
        """,
    },
)
def delete_tender(world: World, tender_id: TenderId) -> Deleted:
    """Delete a tender; refused while payments refer to it.

    Args:
        tender_id: Identifier of the tender.
    """
    read_tender(world, tender_id)
    refuse_while_used(
        world,
        tender_id,
        "tender_id",
        "keep-used-tenders",
        {
            "payments": "SELECT count(*) FROM payments WHERE tender_id = :key",
        },
    )
    world.run("DELETE FROM tenders WHERE id = :tender_id", tender_id=tender_id)
    return {"deleted": tender_id}


# ---------------------------------------------------------------- locations


def read_location(world: World, location_id: str, field: str = "location_id") -> Location:
    """The location with that location_id; refused where there is none."""
    row = world.one("SELECT * FROM locations WHERE id = ?", location_id)
    if row is None:
        raise ToolError("not_found", f"There is no location {location_id}.", field=field)
    return as_location(row)


def as_location(row: dict[str, Any]) -> Location:
    """A stored location as tools return it."""
    converted = {"address": parsed(row["address"])}
    return cast(Location, row | converted)


# Plays GET /pos/locations
@env.tool(candidates="SELECT DISTINCT merchant_id FROM locations WHERE merchant_id IS NOT NULL")
def list_locations(
    world: World,
    merchant_id: MerchantId | None = None,
    currency: Currency | None = None,
    status: LocationStatus | None = None,
    limit: Annotated[int, Field(ge=1, le=60)] = 20,
    cursor: Cursor | None = None,
) -> Locations:
    """List locations, one page at a time; what is not given does not narrow the list.

    Args:
        merchant_id: Only locations with this merchant ID.
        currency: Only locations with this currency.
        status: Only locations with this status.
        limit: Most rows to return.
        cursor: The `next_cursor` of the page before.
    """
    start = int(cursor or 0)
    rows = world.all(
        """
        SELECT * FROM locations
        WHERE (:merchant_id IS NULL OR merchant_id = :merchant_id)
          AND (:currency IS NULL OR currency = :currency)
          AND (:status IS NULL OR status = :status)
        ORDER BY id
        """,
        merchant_id=merchant_id,
        currency=currency,
        status=status,
    )
    return {
        "locations": [as_location(row) for row in rows[start : start + limit]],
        "total": len(rows),
        "next_cursor": str(start + limit) if start + limit < len(rows) else None,
    }


# Plays GET /pos/locations/{id}
@env.tool(candidates="SELECT id AS location_id FROM locations", refused={"not_found": "SELECT 'NOSUCH' AS location_id"})
def get_location(world: World, location_id: LocationId) -> Location:
    """Return one location.

    Args:
        location_id: Identifier of the location.
    """
    return read_location(world, location_id)


# Plays POST /pos/locations
@env.tool(writes=["locations"], candidates="SELECT name FROM locations")
def create_location(
    world: World,
    name: Line,
    merchant_id: MerchantId | None = None,
    currency: Currency | None = None,
    status: LocationStatus | None = None,
    business_name: Line | None = None,
    address: Address | None = None,
) -> Location:
    """Create a location.

    Args:
        name: The name of the location.
        merchant_id: Identifier of the location's merchant.
        currency: Indicates the associated currency for an amount of money.
        status: Status of this location.
        business_name: The business name of the location.
        address: Address of the location.
    """
    if merchant_id is not None:
        read_merchant(world, merchant_id)
    location_id = world.new_code("locations.id")
    world.run(
        """
        INSERT INTO locations (id, name, merchant_id, currency, status, business_name, address, created_at,
            updated_at)
        VALUES (:id, :name, :merchant_id, :currency, :status, :business_name, :address, :created_at,
            :updated_at)
        """,
        id=location_id,
        name=name,
        merchant_id=merchant_id,
        currency=currency,
        status=status,
        business_name=business_name,
        address=packed(address),
        created_at=world.now,
        updated_at=world.now,
    )
    return read_location(world, location_id)


# Plays PATCH /pos/locations/{id}
@env.tool(
    writes=["locations"],
    destructive=True,
    idempotent=True,
    candidates="SELECT id AS location_id, name FROM locations",
)
def update_location(
    world: World,
    location_id: LocationId,
    name: Line | None = None,
    merchant_id: MerchantId | None = None,
    currency: Currency | None = None,
    status: LocationStatus | None = None,
    business_name: Line | None = None,
    address: Address | None = None,
    clear: LocationClearable | None = None,
) -> Location:
    """Change the given fields of a location; the others keep their values.

    Args:
        location_id: Identifier of the location.
        name: The name of the location.
        merchant_id: Identifier of the location's merchant.
        currency: Indicates the associated currency for an amount of money.
        status: Status of this location.
        business_name: The business name of the location.
        address: Address of the location.
        clear: A field to empty.
    """
    read_location(world, location_id)
    if merchant_id is not None:
        read_merchant(world, merchant_id)
    world.run(
        """
        UPDATE locations
        SET name = coalesce(:name, name),
            merchant_id = coalesce(:merchant_id, merchant_id),
            currency = coalesce(:currency, currency),
            status = coalesce(:status, status),
            business_name = coalesce(:business_name, business_name),
            address = coalesce(:address, address),
            updated_at = :now
        WHERE id = :location_id
        """,
        name=name,
        merchant_id=merchant_id,
        currency=currency,
        status=status,
        business_name=business_name,
        address=packed(address),
        now=world.now,
        location_id=location_id,
    )
    if clear is not None:
        world.run(f'UPDATE locations SET "{clear}" = NULL WHERE id = :location_id', location_id=location_id)
    return read_location(world, location_id)


# Plays DELETE /pos/locations/{id}
@env.tool(
    writes=["locations"],
    destructive=True,
    confirm=["location_id"],
    candidates="""
    SELECT id AS location_id
    FROM locations
    WHERE NOT EXISTS (SELECT 1 FROM merchants WHERE main_location_id = locations.id)
      AND NOT EXISTS (SELECT 1 FROM orders WHERE location_id = locations.id)
      AND NOT EXISTS (SELECT 1 FROM payments WHERE location_id = locations.id)
    """,
    refused={
        "not_found": "SELECT 'NOSUCH' AS location_id",
        "keep-used-locations": """
        SELECT id AS location_id
        FROM locations
        WHERE EXISTS (SELECT 1 FROM merchants WHERE main_location_id = locations.id)
        """,
    },
)
def delete_location(world: World, location_id: LocationId) -> Deleted:
    """Delete a location; refused while merchants, orders or payments refer to it.

    Args:
        location_id: Identifier of the location.
    """
    read_location(world, location_id)
    refuse_while_used(
        world,
        location_id,
        "location_id",
        "keep-used-locations",
        {
            "merchants": "SELECT count(*) FROM merchants WHERE main_location_id = :key",
            "orders": "SELECT count(*) FROM orders WHERE location_id = :key",
            "payments": "SELECT count(*) FROM payments WHERE location_id = :key",
        },
    )
    world.run("DELETE FROM locations WHERE id = :location_id", location_id=location_id)
    return {"deleted": location_id}


# ---------------------------------------------------------------- merchants


def read_merchant(world: World, merchant_id: str, field: str = "merchant_id") -> Merchant:
    """The merchant with that merchant_id; refused where there is none."""
    row = world.one("SELECT * FROM merchants WHERE id = ?", merchant_id)
    if row is None:
        raise ToolError("not_found", f"There is no merchant {merchant_id}.", field=field)
    return as_merchant(row)


def as_merchant(row: dict[str, Any]) -> Merchant:
    """A stored merchant as tools return it."""
    converted = {"address": parsed(row["address"]), "service_charges": parsed(row["service_charges"])}
    return cast(Merchant, row | converted)


# Plays GET /pos/merchants
@env.tool(candidates="SELECT DISTINCT main_location_id FROM merchants WHERE main_location_id IS NOT NULL")
def list_merchants(
    world: World,
    main_location_id: LocationId | None = None,
    currency: Currency | None = None,
    status: LocationStatus | None = None,
    limit: Annotated[int, Field(ge=1, le=40)] = 20,
    cursor: Cursor | None = None,
) -> Merchants:
    """List merchants, one page at a time; what is not given does not narrow the list.

    Args:
        main_location_id: Only merchants with this main location ID.
        currency: Only merchants with this currency.
        status: Only merchants with this status.
        limit: Most rows to return.
        cursor: The `next_cursor` of the page before.
    """
    start = int(cursor or 0)
    rows = world.all(
        """
        SELECT * FROM merchants
        WHERE (:main_location_id IS NULL OR main_location_id = :main_location_id)
          AND (:currency IS NULL OR currency = :currency)
          AND (:status IS NULL OR status = :status)
        ORDER BY id
        """,
        main_location_id=main_location_id,
        currency=currency,
        status=status,
    )
    return {
        "merchants": [as_merchant(row) for row in rows[start : start + limit]],
        "total": len(rows),
        "next_cursor": str(start + limit) if start + limit < len(rows) else None,
    }


# Plays GET /pos/merchants/{id}
@env.tool(candidates="SELECT id AS merchant_id FROM merchants", refused={"not_found": "SELECT 'NOSUCH' AS merchant_id"})
def get_merchant(world: World, merchant_id: MerchantId) -> Merchant:
    """Return one merchant.

    Args:
        merchant_id: Identifier of the merchant.
    """
    return read_merchant(world, merchant_id)


# Plays POST /pos/merchants
@env.tool(writes=["merchants"], candidates="SELECT name FROM merchants")
def create_merchant(
    world: World,
    name: Line,
    main_location_id: LocationId | None = None,
    currency: Currency | None = None,
    status: LocationStatus | None = None,
    language: Line | None = None,
    address: Address | None = None,
    service_charges: list[ServiceCharge] | None = None,
) -> Merchant:
    """Create a merchant.

    Args:
        name: The name of the merchant.
        main_location_id: The main location ID of the merchant.
        currency: Indicates the associated currency for an amount of money.
        status: Status of this merchant.
        language: language code according to ISO 639-1.
        address: Address of the merchant.
        service_charges: Service charges of the merchant.
    """
    if main_location_id is not None:
        read_location(world, main_location_id, "main_location_id")
    merchant_id = world.new_code("merchants.id")
    world.run(
        """
        INSERT INTO merchants (id, name, main_location_id, currency, status, language, address,
            service_charges, created_at, updated_at)
        VALUES (:id, :name, :main_location_id, :currency, :status, :language, :address, :service_charges,
            :created_at, :updated_at)
        """,
        id=merchant_id,
        name=name,
        main_location_id=main_location_id,
        currency=currency,
        status=status,
        language=language,
        address=packed(address),
        service_charges=packed(service_charges),
        created_at=world.now,
        updated_at=world.now,
    )
    return read_merchant(world, merchant_id)


# Plays PATCH /pos/merchants/{id}
@env.tool(
    writes=["merchants"],
    destructive=True,
    idempotent=True,
    candidates="SELECT id AS merchant_id, name FROM merchants",
)
def update_merchant(
    world: World,
    merchant_id: MerchantId,
    name: Line | None = None,
    main_location_id: LocationId | None = None,
    currency: Currency | None = None,
    status: LocationStatus | None = None,
    language: Line | None = None,
    address: Address | None = None,
    service_charges: list[ServiceCharge] | None = None,
    clear: MerchantClearable | None = None,
) -> Merchant:
    """Change the given fields of a merchant; the others keep their values.

    Args:
        merchant_id: Identifier of the merchant.
        name: The name of the merchant.
        main_location_id: The main location ID of the merchant.
        currency: Indicates the associated currency for an amount of money.
        status: Status of this merchant.
        language: language code according to ISO 639-1.
        address: Address of the merchant.
        service_charges: Service charges of the merchant.
        clear: A field to empty.
    """
    read_merchant(world, merchant_id)
    if main_location_id is not None:
        read_location(world, main_location_id, "main_location_id")
    world.run(
        """
        UPDATE merchants
        SET name = coalesce(:name, name),
            main_location_id = coalesce(:main_location_id, main_location_id),
            currency = coalesce(:currency, currency),
            status = coalesce(:status, status),
            language = coalesce(:language, language),
            address = coalesce(:address, address),
            service_charges = coalesce(:service_charges, service_charges),
            updated_at = :now
        WHERE id = :merchant_id
        """,
        name=name,
        main_location_id=main_location_id,
        currency=currency,
        status=status,
        language=language,
        address=packed(address),
        service_charges=packed(service_charges),
        now=world.now,
        merchant_id=merchant_id,
    )
    if clear is not None:
        world.run(f'UPDATE merchants SET "{clear}" = NULL WHERE id = :merchant_id', merchant_id=merchant_id)
    return read_merchant(world, merchant_id)


# Plays DELETE /pos/merchants/{id}
@env.tool(
    writes=["merchants"],
    destructive=True,
    confirm=["merchant_id"],
    candidates="""
    SELECT id AS merchant_id
    FROM merchants
    WHERE NOT EXISTS (SELECT 1 FROM locations WHERE merchant_id = merchants.id)
      AND NOT EXISTS (SELECT 1 FROM orders WHERE merchant_id = merchants.id)
      AND NOT EXISTS (SELECT 1 FROM payments WHERE merchant_id = merchants.id)
    """,
    refused={
        "not_found": "SELECT 'NOSUCH' AS merchant_id",
        "keep-used-merchants": """
        SELECT id AS merchant_id
        FROM merchants
        WHERE EXISTS (SELECT 1 FROM locations WHERE merchant_id = merchants.id)
        """,
    },
)
def delete_merchant(world: World, merchant_id: MerchantId) -> Deleted:
    """Delete a merchant; refused while locations, orders or payments refer to it.

    Args:
        merchant_id: Identifier of the merchant.
    """
    read_merchant(world, merchant_id)
    refuse_while_used(
        world,
        merchant_id,
        "merchant_id",
        "keep-used-merchants",
        {
            "locations": "SELECT count(*) FROM locations WHERE merchant_id = :key",
            "orders": "SELECT count(*) FROM orders WHERE merchant_id = :key",
            "payments": "SELECT count(*) FROM payments WHERE merchant_id = :key",
        },
    )
    world.run("DELETE FROM merchants WHERE id = :merchant_id", merchant_id=merchant_id)
    return {"deleted": merchant_id}


# ---------------------------------------------------------------- orders


def read_order(world: World, order_id: str, field: str = "order_id") -> Order:
    """The order with that order_id; refused where there is none."""
    row = world.one("SELECT * FROM orders WHERE id = ?", order_id)
    if row is None:
        raise ToolError("not_found", f"There is no order {order_id}.", field=field)
    return as_order(row)


def as_order(row: dict[str, Any]) -> Order:
    """A stored order as tools return it."""
    converted = {"refunded": flag(row["refunded"]), "voided": flag(row["voided"])}
    return cast(Order, row | converted)


# Plays GET /pos/orders
@env.tool(candidates="SELECT DISTINCT location_id FROM orders WHERE location_id IS NOT NULL")
def list_orders(
    world: World,
    location_id: LocationId | None = None,
    merchant_id: MerchantId | None = None,
    currency: Currency | None = None,
    payment_status: OrderPaymentStatus | None = None,
    status: OrderStatus | None = None,
    limit: Annotated[int, Field(ge=1, le=40)] = 20,
    cursor: Cursor | None = None,
) -> Orders:
    """List orders, one page at a time; what is not given does not narrow the list.

    Args:
        location_id: Only orders with this location ID.
        merchant_id: Only orders with this merchant ID.
        currency: Only orders with this currency.
        payment_status: Only orders with this payment status.
        status: Only orders with this status.
        limit: Most rows to return.
        cursor: The `next_cursor` of the page before.
    """
    start = int(cursor or 0)
    rows = world.all(
        """
        SELECT * FROM orders
        WHERE (:location_id IS NULL OR location_id = :location_id)
          AND (:merchant_id IS NULL OR merchant_id = :merchant_id)
          AND (:currency IS NULL OR currency = :currency)
          AND (:payment_status IS NULL OR payment_status = :payment_status)
          AND (:status IS NULL OR status = :status)
        ORDER BY id
        """,
        location_id=location_id,
        merchant_id=merchant_id,
        currency=currency,
        payment_status=payment_status,
        status=status,
    )
    return {
        "orders": [as_order(row) for row in rows[start : start + limit]],
        "total": len(rows),
        "next_cursor": str(start + limit) if start + limit < len(rows) else None,
    }


# Plays GET /pos/orders/{id}
@env.tool(candidates="SELECT id AS order_id FROM orders", refused={"not_found": "SELECT 'NOSUCH' AS order_id"})
def get_order(world: World, order_id: OrderId) -> Order:
    """Return one order.

    Args:
        order_id: Identifier of the order.
    """
    return read_order(world, order_id)


# Plays POST /pos/orders
@env.tool(writes=["orders"], candidates="SELECT location_id, merchant_id FROM orders")
def create_order(
    world: World,
    location_id: LocationId,
    merchant_id: MerchantId,
    title: Line | None = None,
    currency: Currency | None = None,
    payment_status: OrderPaymentStatus | None = None,
    status: OrderStatus | None = None,
    closed_date: Day | None = None,
    order_date: Day | None = None,
    order_number: Line | None = None,
    refunded: bool | None = None,
    seat: Line | None = None,
    table: Line | None = None,
    total_amount: Whole | None = None,
    total_discount: Whole | None = None,
    total_refund: Whole | None = None,
    total_service_charge: Whole | None = None,
    total_tax: Whole | None = None,
    total_tip: Whole | None = None,
    version: Line | None = None,
    voided: bool | None = None,
    note: Prose | None = None,
) -> Order:
    """Create an order.

    Args:
        location_id: Identifier of the order's location.
        merchant_id: Identifier of the order's merchant.
        title: Title.
        currency: Indicates the associated currency for an amount of money.
        payment_status: Is this order paid or not?
        status: Order status.
        closed_date: Closed date of the order.
        order_date: Order date of the order.
        order_number: Order number of the order.
        refunded: Whether the order is refunded.
        seat: Seat of the order.
        table: Table of the order.
        total_amount: Total amount (in cents).
        total_discount: Total discount (in cents).
        total_refund: Total refund (in cents).
        total_service_charge: Total service charge (in cents).
        total_tax: Total tax (in cents).
        total_tip: Total tax (in cents).
        version: Version.
        voided: Whether the order is voided.
        note: A note with information about this order, may be printed on the order receipt and displayed in apps.
    """
    read_location(world, location_id)
    read_merchant(world, merchant_id)
    order_id = world.new_code("orders.id")
    world.run(
        """
        INSERT INTO orders (id, title, location_id, merchant_id, currency, payment_status, status,
            closed_date, order_date, order_number, refunded, seat, "table", total_amount, total_discount,
            total_refund, total_service_charge, total_tax, total_tip, version, voided, note, created_at,
            updated_at)
        VALUES (:id, :title, :location_id, :merchant_id, :currency, :payment_status, :status, :closed_date,
            :order_date, :order_number, :refunded, :seat, :table, :total_amount, :total_discount,
            :total_refund, :total_service_charge, :total_tax, :total_tip, :version, :voided, :note,
            :created_at, :updated_at)
        """,
        id=order_id,
        title=title,
        location_id=location_id,
        merchant_id=merchant_id,
        currency=currency,
        payment_status=payment_status,
        status=status,
        closed_date=closed_date,
        order_date=order_date,
        order_number=order_number,
        refunded=refunded,
        seat=seat,
        table=table,
        total_amount=total_amount,
        total_discount=total_discount,
        total_refund=total_refund,
        total_service_charge=total_service_charge,
        total_tax=total_tax,
        total_tip=total_tip,
        version=version,
        voided=voided,
        note=note,
        created_at=world.now,
        updated_at=world.now,
    )
    return read_order(world, order_id)


# Plays PATCH /pos/orders/{id}
@env.tool(
    writes=["orders"],
    destructive=True,
    idempotent=True,
    candidates="SELECT id AS order_id, title FROM orders WHERE title IS NOT NULL",
)
def update_order(
    world: World,
    order_id: OrderId,
    title: Line | None = None,
    location_id: LocationId | None = None,
    merchant_id: MerchantId | None = None,
    currency: Currency | None = None,
    payment_status: OrderPaymentStatus | None = None,
    status: OrderStatus | None = None,
    closed_date: Day | None = None,
    order_date: Day | None = None,
    order_number: Line | None = None,
    refunded: bool | None = None,
    seat: Line | None = None,
    table: Line | None = None,
    total_amount: Whole | None = None,
    total_discount: Whole | None = None,
    total_refund: Whole | None = None,
    total_service_charge: Whole | None = None,
    total_tax: Whole | None = None,
    total_tip: Whole | None = None,
    version: Line | None = None,
    voided: bool | None = None,
    note: Prose | None = None,
    clear: OrderClearable | None = None,
) -> Order:
    """Change the given fields of an order; the others keep their values.

    Args:
        order_id: Identifier of the order.
        title: Title.
        location_id: Identifier of the order's location.
        merchant_id: Identifier of the order's merchant.
        currency: Indicates the associated currency for an amount of money.
        payment_status: Is this order paid or not?
        status: Order status.
        closed_date: Closed date of the order.
        order_date: Order date of the order.
        order_number: Order number of the order.
        refunded: Whether the order is refunded.
        seat: Seat of the order.
        table: Table of the order.
        total_amount: Total amount (in cents).
        total_discount: Total discount (in cents).
        total_refund: Total refund (in cents).
        total_service_charge: Total service charge (in cents).
        total_tax: Total tax (in cents).
        total_tip: Total tax (in cents).
        version: Version.
        voided: Whether the order is voided.
        note: A note with information about this order, may be printed on the order receipt and displayed in apps.
        clear: A field to empty.
    """
    read_order(world, order_id)
    if location_id is not None:
        read_location(world, location_id)
    if merchant_id is not None:
        read_merchant(world, merchant_id)
    world.run(
        """
        UPDATE orders
        SET title = coalesce(:title, title),
            location_id = coalesce(:location_id, location_id),
            merchant_id = coalesce(:merchant_id, merchant_id),
            currency = coalesce(:currency, currency),
            payment_status = coalesce(:payment_status, payment_status),
            status = coalesce(:status, status),
            closed_date = coalesce(:closed_date, closed_date),
            order_date = coalesce(:order_date, order_date),
            order_number = coalesce(:order_number, order_number),
            refunded = coalesce(:refunded, refunded),
            seat = coalesce(:seat, seat),
            "table" = coalesce(:table, "table"),
            total_amount = coalesce(:total_amount, total_amount),
            total_discount = coalesce(:total_discount, total_discount),
            total_refund = coalesce(:total_refund, total_refund),
            total_service_charge = coalesce(:total_service_charge, total_service_charge),
            total_tax = coalesce(:total_tax, total_tax),
            total_tip = coalesce(:total_tip, total_tip),
            version = coalesce(:version, version),
            voided = coalesce(:voided, voided),
            note = coalesce(:note, note),
            updated_at = :now
        WHERE id = :order_id
        """,
        title=title,
        location_id=location_id,
        merchant_id=merchant_id,
        currency=currency,
        payment_status=payment_status,
        status=status,
        closed_date=closed_date,
        order_date=order_date,
        order_number=order_number,
        refunded=refunded,
        seat=seat,
        table=table,
        total_amount=total_amount,
        total_discount=total_discount,
        total_refund=total_refund,
        total_service_charge=total_service_charge,
        total_tax=total_tax,
        total_tip=total_tip,
        version=version,
        voided=voided,
        note=note,
        now=world.now,
        order_id=order_id,
    )
    if clear is not None:
        world.run(f'UPDATE orders SET "{clear}" = NULL WHERE id = :order_id', order_id=order_id)
    return read_order(world, order_id)


# Plays DELETE /pos/orders/{id}
@env.tool(
    writes=["orders"],
    destructive=True,
    confirm=["order_id"],
    candidates="SELECT id AS order_id FROM orders WHERE NOT EXISTS (SELECT 1 FROM payments WHERE order_id = orders.id)",
    refused={
        "not_found": "SELECT 'NOSUCH' AS order_id",
        "keep-used-orders": """
        SELECT id AS order_id
        FROM orders
        WHERE EXISTS (SELECT 1 FROM payments WHERE order_id = orders.id)
        """,
    },
)
def delete_order(world: World, order_id: OrderId) -> Deleted:
    """Delete an order; refused while payments refer to it.

    Args:
        order_id: Identifier of the order.
    """
    read_order(world, order_id)
    refuse_while_used(
        world,
        order_id,
        "order_id",
        "keep-used-orders",
        {
            "payments": "SELECT count(*) FROM payments WHERE order_id = :key",
        },
    )
    world.run("DELETE FROM orders WHERE id = :order_id", order_id=order_id)
    return {"deleted": order_id}


# Plays POST /pos/orders/{id}/pay
@env.tool(
    writes=["orders"],
    destructive=True,
    candidates="""
    SELECT id AS order_id
    FROM orders WHERE payment_status IS NULL OR payment_status NOT IN ('paid', 'refunded')
    """,
    refused={
        "not_found": "SELECT 'NOSUCH' AS order_id",
        "already_paid": "SELECT id AS order_id FROM orders WHERE payment_status = 'paid'",
    },
)
def pay_order(world: World, order_id: OrderId) -> Order:
    """Pay an order.

    Args:
        order_id: Identifier of the order.
    """
    stored = read_order(world, order_id)
    if stored["payment_status"] == "paid":
        raise ToolError("conflict", f"Order {order_id} is already paid.", field="order_id", reason="already_paid")
    if stored["payment_status"] == "refunded":
        state = stored["payment_status"]
        raise ToolError(
            "conflict",
            f"Order {order_id} is {state}, which is final.",
            field="order_id",
            reason="final-pay-order",
        )
    world.run(
        "UPDATE orders SET payment_status = 'paid', updated_at = :now WHERE id = :order_id",
        now=world.now,
        order_id=order_id,
    )
    return read_order(world, order_id)


# ---------------------------------------------------------------- payments


def read_payment(world: World, payment_id: str, field: str = "payment_id") -> Payment:
    """The payment with that payment_id; refused where there is none."""
    row = world.one("SELECT * FROM payments WHERE id = ?", payment_id)
    if row is None:
        raise ToolError("not_found", f"There is no payment {payment_id}.", field=field)
    return as_payment(row)


def as_payment(row: dict[str, Any]) -> Payment:
    """A stored payment as tools return it."""
    converted = {
        "bank_account": parsed(row["bank_account"]),
        "processing_fees": parsed(row["processing_fees"]),
        "service_charges": parsed(row["service_charges"]),
    }
    return cast(Payment, row | converted)


# Plays GET /pos/payments
@env.tool(candidates="SELECT DISTINCT currency FROM payments WHERE currency IS NOT NULL")
def list_payments(
    world: World,
    currency: Currency | None = None,
    order_id: OrderId | None = None,
    tender_id: TenderId | None = None,
    location_id: LocationId | None = None,
    merchant_id: MerchantId | None = None,
    external_details_type: ExternalDetailsType | None = None,
    source: Source | None = None,
    status: PaymentStatus | None = None,
    limit: Annotated[int, Field(ge=1, le=20)] = 20,
    cursor: Cursor | None = None,
) -> Payments:
    """List payments, one page at a time; what is not given does not narrow the list.

    Args:
        currency: Only payments with this currency.
        order_id: Only payments with this order ID.
        tender_id: Only payments with this tender ID.
        location_id: Only payments with this location ID.
        merchant_id: Only payments with this merchant ID.
        external_details_type: Only payments with this external details type.
        source: Only payments with this source.
        status: Only payments with this status.
        limit: Most rows to return.
        cursor: The `next_cursor` of the page before.
    """
    start = int(cursor or 0)
    rows = world.all(
        """
        SELECT * FROM payments
        WHERE (:currency IS NULL OR currency = :currency)
          AND (:order_id IS NULL OR order_id = :order_id)
          AND (:tender_id IS NULL OR tender_id = :tender_id)
          AND (:location_id IS NULL OR location_id = :location_id)
          AND (:merchant_id IS NULL OR merchant_id = :merchant_id)
          AND (:external_details_type IS NULL OR external_details_type = :external_details_type)
          AND (:source IS NULL OR source = :source)
          AND (:status IS NULL OR status = :status)
        ORDER BY id
        """,
        currency=currency,
        order_id=order_id,
        tender_id=tender_id,
        location_id=location_id,
        merchant_id=merchant_id,
        external_details_type=external_details_type,
        source=source,
        status=status,
    )
    return {
        "payments": [as_payment(row) for row in rows[start : start + limit]],
        "total": len(rows),
        "next_cursor": str(start + limit) if start + limit < len(rows) else None,
    }


# Plays GET /pos/payments/{id}
@env.tool(candidates="SELECT id AS payment_id FROM payments", refused={"not_found": "SELECT 'NOSUCH' AS payment_id"})
def get_payment(world: World, payment_id: PaymentId) -> Payment:
    """Return one payment.

    Args:
        payment_id: Identifier of the payment.
    """
    return read_payment(world, payment_id)


# Plays POST /pos/payments
@env.tool(writes=["payments"], candidates="SELECT amount, currency, order_id, tender_id FROM payments")
def create_payment(
    world: World,
    amount: Number,
    currency: Currency,
    order_id: OrderId,
    tender_id: TenderId,
    location_id: LocationId | None = None,
    merchant_id: MerchantId | None = None,
    external_details_type: ExternalDetailsType | None = None,
    source: Source | None = None,
    status: PaymentStatus | None = None,
    wallet_status: WalletStatus | None = None,
    app_fee: Number | None = None,
    approved: Number | None = None,
    change_back_cash_amount: Number | None = None,
    external_details_source: Line | None = None,
    external_details_source_fee_amount: Number | None = None,
    refunded: Number | None = None,
    tax: Number | None = None,
    tip: Number | None = None,
    total: Number | None = None,
    bank_account: PosBankAccount | None = None,
    processing_fees: list[ProcessingFee] | None = None,
    service_charges: list[ServiceCharge] | None = None,
) -> Payment:
    """Create a payment.

    Args:
        amount: Amount (in cents).
        currency: Indicates the associated currency for an amount of money.
        order_id: Identifier of the payment's order.
        tender_id: Identifier of the payment's tender.
        location_id: Identifier of the payment's location.
        merchant_id: Identifier of the payment's merchant.
        external_details_type: The type of external payment the seller received.
        source: Source of this payment.
        status: Status of this payment.
        wallet_status: The status of the wallet payment.
        app_fee: The amount the developer is taking as a fee for facilitating the payment on behalf of the seller.
        approved: The initial amount of money approved for this payment.
        change_back_cash_amount: Change back cash amount (in cents).
        external_details_source: A description of the external payment source.
        external_details_source_fee_amount: The fees paid to the source.
        refunded: The initial amount of money approved for this payment.
        tax: Tax amount (in cents).
        tip: Tip amount (in cents).
        total: Total amount (in cents).
        bank_account: Card details for this payment.
        processing_fees: Processing fees of the payment.
        service_charges: Optional service charges or gratuity tip applied to the order.
    """
    read_order(world, order_id)
    read_tender(world, tender_id)
    if location_id is not None:
        read_location(world, location_id)
    if merchant_id is not None:
        read_merchant(world, merchant_id)
    payment_id = world.new_code("payments.id")
    world.run(
        """
        INSERT INTO payments (id, amount, currency, order_id, tender_id, location_id, merchant_id,
            external_details_type, source, status, wallet_status, app_fee, approved,
            change_back_cash_amount, external_details_source, external_details_source_fee_amount, refunded,
            tax, tip, total, bank_account, processing_fees, service_charges, created_at, updated_at)
        VALUES (:id, :amount, :currency, :order_id, :tender_id, :location_id, :merchant_id,
            :external_details_type, :source, :status, :wallet_status, :app_fee, :approved,
            :change_back_cash_amount, :external_details_source, :external_details_source_fee_amount,
            :refunded, :tax, :tip, :total, :bank_account, :processing_fees, :service_charges, :created_at,
            :updated_at)
        """,
        id=payment_id,
        amount=amount,
        currency=currency,
        order_id=order_id,
        tender_id=tender_id,
        location_id=location_id,
        merchant_id=merchant_id,
        external_details_type=external_details_type,
        source=source,
        status=status,
        wallet_status=wallet_status,
        app_fee=app_fee,
        approved=approved,
        change_back_cash_amount=change_back_cash_amount,
        external_details_source=external_details_source,
        external_details_source_fee_amount=external_details_source_fee_amount,
        refunded=refunded,
        tax=tax,
        tip=tip,
        total=total,
        bank_account=packed(bank_account),
        processing_fees=packed(processing_fees),
        service_charges=packed(service_charges),
        created_at=world.now,
        updated_at=world.now,
    )
    return read_payment(world, payment_id)


# Plays PATCH /pos/payments/{id}
@env.tool(
    writes=["payments"],
    destructive=True,
    idempotent=True,
    candidates="SELECT id AS payment_id, currency FROM payments",
)
def update_payment(
    world: World,
    payment_id: PaymentId,
    amount: Number | None = None,
    currency: Currency | None = None,
    order_id: OrderId | None = None,
    tender_id: TenderId | None = None,
    location_id: LocationId | None = None,
    merchant_id: MerchantId | None = None,
    external_details_type: ExternalDetailsType | None = None,
    source: Source | None = None,
    status: PaymentStatus | None = None,
    wallet_status: WalletStatus | None = None,
    app_fee: Number | None = None,
    approved: Number | None = None,
    change_back_cash_amount: Number | None = None,
    external_details_source: Line | None = None,
    external_details_source_fee_amount: Number | None = None,
    refunded: Number | None = None,
    tax: Number | None = None,
    tip: Number | None = None,
    total: Number | None = None,
    bank_account: PosBankAccount | None = None,
    processing_fees: list[ProcessingFee] | None = None,
    service_charges: list[ServiceCharge] | None = None,
) -> Payment:
    """Change the given fields of a payment; the others keep their values.

    Args:
        payment_id: Identifier of the payment.
        amount: Amount (in cents).
        currency: Indicates the associated currency for an amount of money.
        order_id: Identifier of the payment's order.
        tender_id: Identifier of the payment's tender.
        location_id: Identifier of the payment's location.
        merchant_id: Identifier of the payment's merchant.
        external_details_type: The type of external payment the seller received.
        source: Source of this payment.
        status: Status of this payment.
        wallet_status: The status of the wallet payment.
        app_fee: The amount the developer is taking as a fee for facilitating the payment on behalf of the seller.
        approved: The initial amount of money approved for this payment.
        change_back_cash_amount: Change back cash amount (in cents).
        external_details_source: A description of the external payment source.
        external_details_source_fee_amount: The fees paid to the source.
        refunded: The initial amount of money approved for this payment.
        tax: Tax amount (in cents).
        tip: Tip amount (in cents).
        total: Total amount (in cents).
        bank_account: Card details for this payment.
        processing_fees: Processing fees of the payment.
        service_charges: Optional service charges or gratuity tip applied to the order.
    """
    read_payment(world, payment_id)
    if order_id is not None:
        read_order(world, order_id)
    if tender_id is not None:
        read_tender(world, tender_id)
    if location_id is not None:
        read_location(world, location_id)
    if merchant_id is not None:
        read_merchant(world, merchant_id)
    world.run(
        """
        UPDATE payments
        SET amount = coalesce(:amount, amount),
            currency = coalesce(:currency, currency),
            order_id = coalesce(:order_id, order_id),
            tender_id = coalesce(:tender_id, tender_id),
            location_id = coalesce(:location_id, location_id),
            merchant_id = coalesce(:merchant_id, merchant_id),
            external_details_type = coalesce(:external_details_type, external_details_type),
            source = coalesce(:source, source),
            status = coalesce(:status, status),
            wallet_status = coalesce(:wallet_status, wallet_status),
            app_fee = coalesce(:app_fee, app_fee),
            approved = coalesce(:approved, approved),
            change_back_cash_amount = coalesce(:change_back_cash_amount, change_back_cash_amount),
            external_details_source = coalesce(:external_details_source, external_details_source),
            external_details_source_fee_amount =
                coalesce(:external_details_source_fee_amount, external_details_source_fee_amount),
            refunded = coalesce(:refunded, refunded),
            tax = coalesce(:tax, tax),
            tip = coalesce(:tip, tip),
            total = coalesce(:total, total),
            bank_account = coalesce(:bank_account, bank_account),
            processing_fees = coalesce(:processing_fees, processing_fees),
            service_charges = coalesce(:service_charges, service_charges),
            updated_at = :now
        WHERE id = :payment_id
        """,
        amount=amount,
        currency=currency,
        order_id=order_id,
        tender_id=tender_id,
        location_id=location_id,
        merchant_id=merchant_id,
        external_details_type=external_details_type,
        source=source,
        status=status,
        wallet_status=wallet_status,
        app_fee=app_fee,
        approved=approved,
        change_back_cash_amount=change_back_cash_amount,
        external_details_source=external_details_source,
        external_details_source_fee_amount=external_details_source_fee_amount,
        refunded=refunded,
        tax=tax,
        tip=tip,
        total=total,
        bank_account=packed(bank_account),
        processing_fees=packed(processing_fees),
        service_charges=packed(service_charges),
        now=world.now,
        payment_id=payment_id,
    )
    return read_payment(world, payment_id)


# Plays DELETE /pos/payments/{id}
@env.tool(
    writes=["payments"],
    destructive=True,
    confirm=["payment_id"],
    candidates="SELECT id AS payment_id FROM payments",
    refused={"not_found": "SELECT 'NOSUCH' AS payment_id"},
)
def delete_payment(world: World, payment_id: PaymentId) -> Deleted:
    """Delete a payment.

    Args:
        payment_id: Identifier of the payment.
    """
    read_payment(world, payment_id)
    world.run("DELETE FROM payments WHERE id = :payment_id", payment_id=payment_id)
    return {"deleted": payment_id}


if __name__ == "__main__":
    env.serve()
