"""Accounting API: 40 tools over credit notes, tax rates, customers, ledger accounts, bills, invoices, purchase orders,
suppliers.

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
CreditNoteStatus = Literal["draft", "authorised", "paid", "voided", "deleted"]
CreditNoteType = Literal["accounts_receivable_credit", "accounts_payable_credit"]
TaxRateStatus = Literal["active", "inactive", "archived"]
CustomerStatus = Literal["active", "inactive", "archived", "gdpr-erasure-request", "unknown"]
Classification = Literal[
    "asset",
    "equity",
    "expense",
    "liability",
    "revenue",
    "income",
    "other_income",
    "other_expense",
    "costs_of_sales",
]
LedgerAccountType = Literal[
    "accounts_receivable", "revenue", "sales", "other_income", "bank", "current_asset", "fixed_asset",
    "non_current_asset", "other_asset", "balancesheet", "equity", "expense", "other_expense", "costs_of_sales",
    "accounts_payable", "credit_card", "current_liability", "non_current_liability", "other_liability", "other",
]  # fmt: skip
BillStatus = Literal["draft", "submitted", "authorised", "partially_paid", "paid", "void", "credit", "deleted"]
InvoiceType = Literal["standard", "credit", "service", "product", "supplier", "other"]
PurchaseOrderStatus = Literal["draft", "open", "closed", "deleted", "billed", "other"]
CreditNoteId = Annotated[str, Ref("credit_notes.id"), Field(max_length=200)]
TaxRateId = Annotated[str, Ref("tax_rates.id"), Field(max_length=200)]
CustomerId = Annotated[str, Ref("customers.id"), Field(max_length=200)]
LedgerAccountId = Annotated[str, Ref("ledger_accounts.id"), Field(max_length=200)]
BillId = Annotated[str, Ref("bills.id"), Field(max_length=200)]
InvoiceId = Annotated[str, Ref("invoices.id"), Field(max_length=200)]
PurchaseOrderId = Annotated[str, Ref("purchase_orders.id"), Field(max_length=200)]
SupplierId = Annotated[str, Ref("suppliers.id"), Field(max_length=200)]
CreditNoteClearable = Literal[
    "currency",
    "account_code",
    "account_nominal_code",
    "balance",
    "currency_rate",
    "date_paid",
    "number",
    "reference",
    "remaining_credit",
    "sub_total",
    "tax_code",
    "tax_inclusive",
    "terms",
    "total_tax",
    "note",
    "customer",
]
TaxRateClearable = Literal[
    "original_tax_rate_id",
    "status",
    "code",
    "effective_tax_rate",
    "report_tax_type",
    "total_tax_rate",
    "type",
    "description",
    "components",
]
CustomerClearable = Literal[
    "title",
    "tax_rate_id",
    "currency",
    "status",
    "account_code",
    "account_nominal_code",
    "channel",
    "company_name",
    "first_name",
    "individual",
    "last_name",
    "middle_name",
    "payment_method",
    "project",
    "suffix",
    "tax_number",
    "tax_rate_rate",
    "notes",
]
LedgerAccountClearable = Literal[
    "tax_rate_id",
    "classification",
    "currency",
    "status",
    "active",
    "code",
    "current_balance",
    "fully_qualified_name",
    "header",
    "last_reconciliation_date",
    "level",
    "opening_balance",
    "sub_account",
    "sub_type",
    "tax_rate_rate",
    "tax_type",
    "description",
]
BillOrder = Literal["updated_at"]
BillClearable = Literal[
    "currency",
    "accounting_by_row",
    "balance",
    "bill_number",
    "channel",
    "currency_rate",
    "deposit",
    "discount_percentage",
    "language",
    "paid_date",
    "payment_method",
    "po_number",
    "reference",
    "sub_total",
    "tax_inclusive",
    "total",
    "total_tax",
    "notes",
]
InvoiceOrder = Literal["updated_at"]
InvoiceClearable = Literal[
    "currency",
    "type",
    "accounting_by_row",
    "balance",
    "channel",
    "currency_rate",
    "customer_memo",
    "deposit",
    "discount_amount",
    "discount_percentage",
    "due_date",
    "invoice_date",
    "language",
    "number",
    "payment_method",
    "sub_total",
    "tax_inclusive",
    "total",
    "total_tax",
]
PurchaseOrderClearable = Literal[
    "currency",
    "accounting_by_row",
    "channel",
    "currency_rate",
    "delivery_date",
    "discount_percentage",
    "expected_arrival_date",
    "issued_date",
    "ledger_account_code",
    "memo",
    "payment_method",
    "po_number",
    "reference",
    "sub_total",
    "tax_code",
    "tax_inclusive",
    "total",
    "total_tax",
]
SupplierClearable = Literal[
    "title",
    "tax_rate_id",
    "currency",
    "status",
    "account_code",
    "account_nominal_code",
    "channel",
    "company_name",
    "first_name",
    "individual",
    "last_name",
    "middle_name",
    "payment_method",
    "suffix",
    "tax_number",
    "tax_rate_rate",
    "notes",
]

# ---------------------------------------------------------------- what the tools return


class Allocation(TypedDict):
    amount: NotRequired[Number]
    type: NotRequired[Literal["invoice", "order", "expense", "credit_memo", "over_payment", "pre_payment"]]


class LinkedCustomer(TypedDict):
    display_name: NotRequired[Line]


class InvoiceLineItem(TypedDict):
    code: NotRequired[Line]
    department_id: NotRequired[Line]
    description: NotRequired[Line]
    discount_amount: NotRequired[Number]
    discount_percentage: NotRequired[Number]
    line_number: NotRequired[Whole]
    location_id: NotRequired[Line]
    quantity: NotRequired[Number]


class Component(TypedDict):
    compound: NotRequired[bool]
    name: NotRequired[Line]
    rate: NotRequired[Number]


class Email(TypedDict):
    email: Line
    type: NotRequired[Literal["primary", "secondary", "work", "personal", "billing", "other"]]


class PhoneNumber(TypedDict):
    area_code: NotRequired[Line]
    country_code: NotRequired[Line]
    extension: NotRequired[Line]
    number: Line
    type: NotRequired[Line]


class BankAccount(TypedDict):
    account_name: NotRequired[Line]
    account_number: NotRequired[Line]
    account_type: NotRequired[Literal["bank_account", "credit_card", "other"]]
    bank_code: NotRequired[Line]
    bank_name: NotRequired[Line]
    bic: NotRequired[Line]
    branch_identifier: NotRequired[Line]
    bsb_number: NotRequired[Line]


class Address(TypedDict):
    city: NotRequired[Line]
    contact_name: NotRequired[Line]
    country: NotRequired[Line]
    county: NotRequired[Line]
    email: NotRequired[Line]
    fax: NotRequired[Line]
    latitude: NotRequired[Line]
    line1: NotRequired[Line]


class SupplierBankAccount(TypedDict):
    account_name: NotRequired[Line]
    account_number: NotRequired[Line]
    account_type: NotRequired[Literal["bank_account", "credit_card", "other"]]
    bank_code: NotRequired[Line]
    bank_name: NotRequired[Line]
    bic: NotRequired[Line]
    branch_identifier: NotRequired[Line]
    bsb_number: NotRequired[Line]


class CreditNote(TypedDict):
    """A credit note."""

    id: CreditNoteId
    total_amount: float
    currency: Currency | None
    status: CreditNoteStatus | None
    type: CreditNoteType | None
    account_code: str | None
    account_nominal_code: str | None
    balance: float | None
    currency_rate: float | None
    date_issued: str | None
    date_paid: str | None
    number: str | None
    reference: str | None
    remaining_credit: float | None
    sub_total: float | None
    tax_code: str | None
    tax_inclusive: bool | None
    terms: str | None
    total_tax: float | None
    note: str | None
    allocations: list[Allocation] | None
    customer: LinkedCustomer | None
    line_items: list[InvoiceLineItem] | None
    created_at: str | None
    updated_at: str | None


class CreditNotes(TypedDict):
    credit_notes: list[CreditNote]
    total: int
    next_cursor: Cursor | None


class TaxRate(TypedDict):
    """A tax rate."""

    id: TaxRateId
    name: str
    original_tax_rate_id: TaxRateId | None
    status: TaxRateStatus | None
    code: str | None
    effective_tax_rate: float | None
    report_tax_type: str | None
    total_tax_rate: float | None
    type: str | None
    description: str | None
    components: list[Component] | None
    created_at: str | None
    updated_at: str | None


class TaxRates(TypedDict):
    tax_rates: list[TaxRate]
    total: int
    next_cursor: Cursor | None


class Customer(TypedDict):
    """A customer."""

    id: CustomerId
    display_name: str
    title: str | None
    parent_id: CustomerId | None
    tax_rate_id: TaxRateId | None
    currency: Currency | None
    status: CustomerStatus | None
    account_code: str | None
    account_nominal_code: str | None
    channel: str | None
    company_name: str | None
    first_name: str | None
    individual: bool | None
    last_name: str | None
    middle_name: str | None
    payment_method: str | None
    project: bool | None
    suffix: str | None
    tax_number: str | None
    tax_rate_rate: float | None
    notes: str | None
    emails: list[Email] | None
    phone_numbers: list[PhoneNumber] | None
    created_at: str | None
    updated_at: str | None


class Customers(TypedDict):
    customers: list[Customer]
    total: int
    next_cursor: Cursor | None


class LedgerAccount(TypedDict):
    """A ledger account."""

    id: LedgerAccountId
    name: str
    tax_rate_id: TaxRateId | None
    classification: Classification | None
    currency: Currency | None
    status: TaxRateStatus | None
    type: LedgerAccountType | None
    active: bool | None
    code: str | None
    current_balance: float | None
    fully_qualified_name: str | None
    header: bool | None
    last_reconciliation_date: str | None
    level: float | None
    opening_balance: float | None
    parent_account_name: str | None
    sub_account: bool | None
    sub_type: str | None
    tax_rate_rate: float | None
    tax_type: str | None
    description: str | None
    bank_account: BankAccount | None
    created_at: str | None
    updated_at: str | None


class LedgerAccounts(TypedDict):
    ledger_accounts: list[LedgerAccount]
    total: int
    next_cursor: Cursor | None


class Bill(TypedDict):
    """A bill."""

    id: BillId
    status: BillStatus
    ledger_account_id: LedgerAccountId | None
    currency: Currency | None
    accounting_by_row: bool | None
    balance: float | None
    bill_date: str | None
    bill_number: str | None
    channel: str | None
    currency_rate: float | None
    deposit: float | None
    discount_percentage: float | None
    due_date: str | None
    language: str | None
    paid_date: str | None
    payment_method: str | None
    po_number: str | None
    reference: str | None
    sub_total: float | None
    tax_inclusive: bool | None
    total: float | None
    total_tax: float | None
    notes: str | None
    created_at: str | None
    updated_at: str | None


class Bills(TypedDict):
    bills: list[Bill]
    total: int
    next_cursor: Cursor | None


class Invoice(TypedDict):
    """An invoice."""

    id: InvoiceId
    status: BillStatus
    ledger_account_id: LedgerAccountId | None
    currency: Currency | None
    type: InvoiceType | None
    accounting_by_row: bool | None
    balance: float | None
    channel: str | None
    currency_rate: float | None
    customer_memo: str | None
    deposit: float | None
    discount_amount: float | None
    discount_percentage: float | None
    due_date: str | None
    invoice_date: str | None
    invoice_sent: bool | None
    language: str | None
    number: str | None
    payment_method: str | None
    sub_total: float | None
    tax_inclusive: bool | None
    total: float | None
    total_tax: float | None
    created_at: str | None
    updated_at: str | None


class Invoices(TypedDict):
    invoices: list[Invoice]
    total: int
    next_cursor: Cursor | None


class PurchaseOrder(TypedDict):
    """A purchase order."""

    id: PurchaseOrderId
    status: PurchaseOrderStatus
    ledger_account_id: LedgerAccountId | None
    currency: Currency | None
    accounting_by_row: bool | None
    channel: str | None
    currency_rate: float | None
    delivery_date: str | None
    discount_percentage: float | None
    due_date: str | None
    expected_arrival_date: str | None
    issued_date: str | None
    ledger_account_code: str | None
    memo: str | None
    payment_method: str | None
    po_number: str | None
    reference: str | None
    sub_total: float | None
    tax_code: str | None
    tax_inclusive: bool | None
    total: float | None
    total_tax: float | None
    bank_account: BankAccount | None
    created_at: str | None
    updated_at: str | None


class PurchaseOrders(TypedDict):
    purchase_orders: list[PurchaseOrder]
    total: int
    next_cursor: Cursor | None


class Supplier(TypedDict):
    """A supplier."""

    id: SupplierId
    display_name: str
    title: str | None
    tax_rate_id: TaxRateId | None
    currency: Currency | None
    status: CustomerStatus | None
    account_code: str | None
    account_nominal_code: str | None
    channel: str | None
    company_name: str | None
    first_name: str | None
    individual: bool | None
    last_name: str | None
    middle_name: str | None
    payment_method: str | None
    suffix: str | None
    tax_number: str | None
    tax_rate_rate: float | None
    notes: str | None
    addresses: list[Address] | None
    bank_accounts: list[SupplierBankAccount] | None
    emails: list[Email] | None
    phone_numbers: list[PhoneNumber] | None
    created_at: str | None
    updated_at: str | None


class Suppliers(TypedDict):
    suppliers: list[Supplier]
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


# ---------------------------------------------------------------- credit notes


def read_credit_note(world: World, credit_note_id: str, field: str = "credit_note_id") -> CreditNote:
    """The credit note with that credit_note_id; refused where there is none."""
    row = world.one("SELECT * FROM credit_notes WHERE id = ?", credit_note_id)
    if row is None:
        raise ToolError("not_found", f"There is no credit note {credit_note_id}.", field=field)
    return as_credit_note(row)


def as_credit_note(row: dict[str, Any]) -> CreditNote:
    """A stored credit note as tools return it."""
    converted = {
        "tax_inclusive": flag(row["tax_inclusive"]),
        "allocations": parsed(row["allocations"]),
        "customer": parsed(row["customer"]),
        "line_items": parsed(row["line_items"]),
    }
    return cast(CreditNote, row | converted)


# Plays GET /accounting/credit-notes
@env.tool(candidates="SELECT DISTINCT currency FROM credit_notes WHERE currency IS NOT NULL")
def list_credit_notes(
    world: World,
    currency: Currency | None = None,
    status: CreditNoteStatus | None = None,
    type: CreditNoteType | None = None,
    limit: Annotated[int, Field(ge=1, le=20)] = 20,
    cursor: Cursor | None = None,
) -> CreditNotes:
    """List credit notes, one page at a time; what is not given does not narrow the list.

    Args:
        currency: Only credit notes with this currency.
        status: Only credit notes with this status.
        type: Only credit notes with this type.
        limit: Most rows to return.
        cursor: The `next_cursor` of the page before.
    """
    start = int(cursor or 0)
    rows = world.all(
        """
        SELECT * FROM credit_notes
        WHERE (:currency IS NULL OR currency = :currency)
          AND (:status IS NULL OR status = :status)
          AND (:type IS NULL OR type = :type)
        ORDER BY id
        """,
        currency=currency,
        status=status,
        type=type,
    )
    return {
        "credit_notes": [as_credit_note(row) for row in rows[start : start + limit]],
        "total": len(rows),
        "next_cursor": str(start + limit) if start + limit < len(rows) else None,
    }


# Plays GET /accounting/credit-notes/{id}
@env.tool(
    candidates="SELECT id AS credit_note_id FROM credit_notes",
    refused={"not_found": "SELECT 'NOSUCH' AS credit_note_id"},
)
def get_credit_note(world: World, credit_note_id: CreditNoteId) -> CreditNote:
    """Return one credit note.

    Args:
        credit_note_id: Identifier of the credit note.
    """
    return read_credit_note(world, credit_note_id)


# Plays POST /accounting/credit-notes
@env.tool(writes=["credit_notes"], candidates="SELECT total_amount FROM credit_notes")
def create_credit_note(
    world: World,
    total_amount: Number,
    currency: Currency | None = None,
    status: CreditNoteStatus | None = None,
    type: CreditNoteType | None = None,
    account_code: Line | None = None,
    account_nominal_code: Line | None = None,
    balance: Number | None = None,
    currency_rate: Number | None = None,
    date_issued: Moment | None = None,
    date_paid: Moment | None = None,
    number: Line | None = None,
    reference: Line | None = None,
    remaining_credit: Number | None = None,
    sub_total: Number | None = None,
    tax_code: Line | None = None,
    tax_inclusive: bool | None = None,
    terms: Line | None = None,
    total_tax: Number | None = None,
    note: Prose | None = None,
    allocations: list[Allocation] | None = None,
    customer: LinkedCustomer | None = None,
    line_items: list[InvoiceLineItem] | None = None,
) -> CreditNote:
    """Create a credit note.

    Args:
        total_amount: Amount of transaction.
        currency: Indicates the associated currency for an amount of money.
        status: Status of credit notes.
        type: Type of payment.
        account_code: The code assigned to the account.
        account_nominal_code: The nominal code of the account.
        balance: The balance reflecting any payments made against the transaction.
        currency_rate: Currency Exchange Rate at the time entity was recorded/generated.
        date_issued: Date credit note issued - YYYY:MM::DDThh:mm:ss.sTZD.
        date_paid: Date credit note paid - YYYY:MM::DDThh:mm:ss.sTZD.
        number: Credit note number.
        reference: Optional reference message ie: Debit remittance detail.
        remaining_credit: Indicates the total credit amount still available to apply towards the payment.
        sub_total: Sub-total amount, normally before tax.
        tax_code: Applicable tax id/code override if tax is not supplied on a line item basis.
        tax_inclusive: Amounts are including tax.
        terms: Optional terms to be associated with the credit note.
        total_tax: Total tax amount applied to this invoice.
        note: Optional note to be associated with the credit note.
        allocations: Allocations of the credit note.
        customer: The customer this entity is linked to.
        line_items: Line items of the credit note.
    """
    credit_note_id = world.new_code("credit_notes.id")
    world.run(
        """
        INSERT INTO credit_notes (id, total_amount, currency, status, type, account_code,
            account_nominal_code, balance, currency_rate, date_issued, date_paid, number, reference,
            remaining_credit, sub_total, tax_code, tax_inclusive, terms, total_tax, note, allocations,
            customer, line_items, created_at, updated_at)
        VALUES (:id, :total_amount, :currency, :status, :type, :account_code, :account_nominal_code,
            :balance, :currency_rate, :date_issued, :date_paid, :number, :reference, :remaining_credit,
            :sub_total, :tax_code, :tax_inclusive, :terms, :total_tax, :note, :allocations, :customer,
            :line_items, :created_at, :updated_at)
        """,
        id=credit_note_id,
        total_amount=total_amount,
        currency=currency,
        status=status,
        type=type,
        account_code=account_code,
        account_nominal_code=account_nominal_code,
        balance=balance,
        currency_rate=currency_rate,
        date_issued=date_issued,
        date_paid=date_paid,
        number=number,
        reference=reference,
        remaining_credit=remaining_credit,
        sub_total=sub_total,
        tax_code=tax_code,
        tax_inclusive=tax_inclusive,
        terms=terms,
        total_tax=total_tax,
        note=note,
        allocations=packed(allocations),
        customer=packed(customer),
        line_items=packed(line_items),
        created_at=world.now,
        updated_at=world.now,
    )
    return read_credit_note(world, credit_note_id)


# Plays PATCH /accounting/credit-notes/{id}
@env.tool(
    writes=["credit_notes"],
    destructive=True,
    idempotent=True,
    candidates="SELECT id AS credit_note_id, currency FROM credit_notes WHERE currency IS NOT NULL",
)
def update_credit_note(
    world: World,
    credit_note_id: CreditNoteId,
    total_amount: Number | None = None,
    currency: Currency | None = None,
    status: CreditNoteStatus | None = None,
    type: CreditNoteType | None = None,
    account_code: Line | None = None,
    account_nominal_code: Line | None = None,
    balance: Number | None = None,
    currency_rate: Number | None = None,
    date_issued: Moment | None = None,
    date_paid: Moment | None = None,
    number: Line | None = None,
    reference: Line | None = None,
    remaining_credit: Number | None = None,
    sub_total: Number | None = None,
    tax_code: Line | None = None,
    tax_inclusive: bool | None = None,
    terms: Line | None = None,
    total_tax: Number | None = None,
    note: Prose | None = None,
    allocations: list[Allocation] | None = None,
    customer: LinkedCustomer | None = None,
    line_items: list[InvoiceLineItem] | None = None,
    clear: CreditNoteClearable | None = None,
) -> CreditNote:
    """Change the given fields of a credit note; the others keep their values.

    Args:
        credit_note_id: Identifier of the credit note.
        total_amount: Amount of transaction.
        currency: Indicates the associated currency for an amount of money.
        status: Status of credit notes.
        type: Type of payment.
        account_code: The code assigned to the account.
        account_nominal_code: The nominal code of the account.
        balance: The balance reflecting any payments made against the transaction.
        currency_rate: Currency Exchange Rate at the time entity was recorded/generated.
        date_issued: Date credit note issued - YYYY:MM::DDThh:mm:ss.sTZD.
        date_paid: Date credit note paid - YYYY:MM::DDThh:mm:ss.sTZD.
        number: Credit note number.
        reference: Optional reference message ie: Debit remittance detail.
        remaining_credit: Indicates the total credit amount still available to apply towards the payment.
        sub_total: Sub-total amount, normally before tax.
        tax_code: Applicable tax id/code override if tax is not supplied on a line item basis.
        tax_inclusive: Amounts are including tax.
        terms: Optional terms to be associated with the credit note.
        total_tax: Total tax amount applied to this invoice.
        note: Optional note to be associated with the credit note.
        allocations: Allocations of the credit note.
        customer: The customer this entity is linked to.
        line_items: Line items of the credit note.
        clear: A field to empty.
    """
    read_credit_note(world, credit_note_id)
    world.run(
        """
        UPDATE credit_notes
        SET total_amount = coalesce(:total_amount, total_amount),
            currency = coalesce(:currency, currency),
            status = coalesce(:status, status),
            type = coalesce(:type, type),
            account_code = coalesce(:account_code, account_code),
            account_nominal_code = coalesce(:account_nominal_code, account_nominal_code),
            balance = coalesce(:balance, balance),
            currency_rate = coalesce(:currency_rate, currency_rate),
            date_issued = coalesce(:date_issued, date_issued),
            date_paid = coalesce(:date_paid, date_paid),
            number = coalesce(:number, number),
            reference = coalesce(:reference, reference),
            remaining_credit = coalesce(:remaining_credit, remaining_credit),
            sub_total = coalesce(:sub_total, sub_total),
            tax_code = coalesce(:tax_code, tax_code),
            tax_inclusive = coalesce(:tax_inclusive, tax_inclusive),
            terms = coalesce(:terms, terms),
            total_tax = coalesce(:total_tax, total_tax),
            note = coalesce(:note, note),
            allocations = coalesce(:allocations, allocations),
            customer = coalesce(:customer, customer),
            line_items = coalesce(:line_items, line_items),
            updated_at = :now
        WHERE id = :credit_note_id
        """,
        total_amount=total_amount,
        currency=currency,
        status=status,
        type=type,
        account_code=account_code,
        account_nominal_code=account_nominal_code,
        balance=balance,
        currency_rate=currency_rate,
        date_issued=date_issued,
        date_paid=date_paid,
        number=number,
        reference=reference,
        remaining_credit=remaining_credit,
        sub_total=sub_total,
        tax_code=tax_code,
        tax_inclusive=tax_inclusive,
        terms=terms,
        total_tax=total_tax,
        note=note,
        allocations=packed(allocations),
        customer=packed(customer),
        line_items=packed(line_items),
        now=world.now,
        credit_note_id=credit_note_id,
    )
    if clear is not None:
        world.run(f'UPDATE credit_notes SET "{clear}" = NULL WHERE id = :credit_note_id', credit_note_id=credit_note_id)
    return read_credit_note(world, credit_note_id)


# Plays DELETE /accounting/credit-notes/{id}
@env.tool(
    writes=["credit_notes"],
    destructive=True,
    confirm=["credit_note_id"],
    candidates="SELECT id AS credit_note_id FROM credit_notes",
    refused={"not_found": "SELECT 'NOSUCH' AS credit_note_id"},
)
def delete_credit_note(world: World, credit_note_id: CreditNoteId) -> Deleted:
    """Delete a credit note.

    Args:
        credit_note_id: Identifier of the credit note.
    """
    read_credit_note(world, credit_note_id)
    world.run("DELETE FROM credit_notes WHERE id = :credit_note_id", credit_note_id=credit_note_id)
    return {"deleted": credit_note_id}


# ---------------------------------------------------------------- tax rates


def read_tax_rate(world: World, tax_rate_id: str, field: str = "tax_rate_id") -> TaxRate:
    """The tax rate with that tax_rate_id; refused where there is none."""
    row = world.one("SELECT * FROM tax_rates WHERE id = ?", tax_rate_id)
    if row is None:
        raise ToolError("not_found", f"There is no tax rate {tax_rate_id}.", field=field)
    return as_tax_rate(row)


def as_tax_rate(row: dict[str, Any]) -> TaxRate:
    """A stored tax rate as tools return it."""
    converted = {"components": parsed(row["components"])}
    return cast(TaxRate, row | converted)


# Plays GET /accounting/tax-rates
@env.tool(candidates="SELECT DISTINCT original_tax_rate_id FROM tax_rates WHERE original_tax_rate_id IS NOT NULL")
def list_tax_rates(
    world: World,
    original_tax_rate_id: TaxRateId | None = None,
    status: TaxRateStatus | None = None,
    limit: Annotated[int, Field(ge=1, le=50)] = 20,
    cursor: Cursor | None = None,
) -> TaxRates:
    """List tax rates, one page at a time; what is not given does not narrow the list.

    Args:
        original_tax_rate_id: Only tax rates with this original tax rate ID.
        status: Only tax rates with this status.
        limit: Most rows to return.
        cursor: The `next_cursor` of the page before.
    """
    start = int(cursor or 0)
    rows = world.all(
        """
        SELECT * FROM tax_rates
        WHERE (:original_tax_rate_id IS NULL OR original_tax_rate_id = :original_tax_rate_id)
          AND (:status IS NULL OR status = :status)
        ORDER BY id
        """,
        original_tax_rate_id=original_tax_rate_id,
        status=status,
    )
    return {
        "tax_rates": [as_tax_rate(row) for row in rows[start : start + limit]],
        "total": len(rows),
        "next_cursor": str(start + limit) if start + limit < len(rows) else None,
    }


# Plays GET /accounting/tax-rates/{id}
@env.tool(candidates="SELECT id AS tax_rate_id FROM tax_rates", refused={"not_found": "SELECT 'NOSUCH' AS tax_rate_id"})
def get_tax_rate(world: World, tax_rate_id: TaxRateId) -> TaxRate:
    """Return one tax rate.

    Args:
        tax_rate_id: Identifier of the tax rate.
    """
    return read_tax_rate(world, tax_rate_id)


# Plays POST /accounting/tax-rates
@env.tool(writes=["tax_rates"], candidates="SELECT name FROM tax_rates")
def create_tax_rate(
    world: World,
    name: Line,
    original_tax_rate_id: TaxRateId | None = None,
    status: TaxRateStatus | None = None,
    code: Line | None = None,
    effective_tax_rate: Number | None = None,
    report_tax_type: Line | None = None,
    total_tax_rate: Number | None = None,
    type: Line | None = None,
    description: Prose | None = None,
    components: list[Component] | None = None,
) -> TaxRate:
    """Create a tax rate.

    Args:
        name: Name assigned to identify this tax rate.
        original_tax_rate_id: ID of the original tax rate from which the new tax rate is derived.
        status: Tax rate status.
        code: Tax code assigned to identify this tax rate.
        effective_tax_rate: Effective tax rate.
        report_tax_type: Report Tax type to aggregate tax collected or paid for reporting purposes.
        total_tax_rate: Not compounded sum of the components of a tax rate.
        type: Tax type used to indicate the source of tax collected or paid.
        description: Description of tax rate.
        components: Components of the tax rate.
    """
    if original_tax_rate_id is not None:
        read_tax_rate(world, original_tax_rate_id, "original_tax_rate_id")
    tax_rate_id = world.new_code("tax_rates.id")
    world.run(
        """
        INSERT INTO tax_rates (id, name, original_tax_rate_id, status, code, effective_tax_rate,
            report_tax_type, total_tax_rate, type, description, components, created_at, updated_at)
        VALUES (:id, :name, :original_tax_rate_id, :status, :code, :effective_tax_rate, :report_tax_type,
            :total_tax_rate, :type, :description, :components, :created_at, :updated_at)
        """,
        id=tax_rate_id,
        name=name,
        original_tax_rate_id=original_tax_rate_id,
        status=status,
        code=code,
        effective_tax_rate=effective_tax_rate,
        report_tax_type=report_tax_type,
        total_tax_rate=total_tax_rate,
        type=type,
        description=description,
        components=packed(components),
        created_at=world.now,
        updated_at=world.now,
    )
    return read_tax_rate(world, tax_rate_id)


# Plays PATCH /accounting/tax-rates/{id}
@env.tool(
    writes=["tax_rates"],
    destructive=True,
    idempotent=True,
    candidates="SELECT id AS tax_rate_id, name FROM tax_rates",
)
def update_tax_rate(
    world: World,
    tax_rate_id: TaxRateId,
    name: Line | None = None,
    original_tax_rate_id: TaxRateId | None = None,
    status: TaxRateStatus | None = None,
    code: Line | None = None,
    effective_tax_rate: Number | None = None,
    report_tax_type: Line | None = None,
    total_tax_rate: Number | None = None,
    type: Line | None = None,
    description: Prose | None = None,
    components: list[Component] | None = None,
    clear: TaxRateClearable | None = None,
) -> TaxRate:
    """Change the given fields of a tax rate; the others keep their values.

    Args:
        tax_rate_id: Identifier of the tax rate.
        name: Name assigned to identify this tax rate.
        original_tax_rate_id: ID of the original tax rate from which the new tax rate is derived.
        status: Tax rate status.
        code: Tax code assigned to identify this tax rate.
        effective_tax_rate: Effective tax rate.
        report_tax_type: Report Tax type to aggregate tax collected or paid for reporting purposes.
        total_tax_rate: Not compounded sum of the components of a tax rate.
        type: Tax type used to indicate the source of tax collected or paid.
        description: Description of tax rate.
        components: Components of the tax rate.
        clear: A field to empty.
    """
    read_tax_rate(world, tax_rate_id)
    if original_tax_rate_id is not None:
        read_tax_rate(world, original_tax_rate_id, "original_tax_rate_id")
    world.run(
        """
        UPDATE tax_rates
        SET name = coalesce(:name, name),
            original_tax_rate_id = coalesce(:original_tax_rate_id, original_tax_rate_id),
            status = coalesce(:status, status),
            code = coalesce(:code, code),
            effective_tax_rate = coalesce(:effective_tax_rate, effective_tax_rate),
            report_tax_type = coalesce(:report_tax_type, report_tax_type),
            total_tax_rate = coalesce(:total_tax_rate, total_tax_rate),
            type = coalesce(:type, type),
            description = coalesce(:description, description),
            components = coalesce(:components, components),
            updated_at = :now
        WHERE id = :tax_rate_id
        """,
        name=name,
        original_tax_rate_id=original_tax_rate_id,
        status=status,
        code=code,
        effective_tax_rate=effective_tax_rate,
        report_tax_type=report_tax_type,
        total_tax_rate=total_tax_rate,
        type=type,
        description=description,
        components=packed(components),
        now=world.now,
        tax_rate_id=tax_rate_id,
    )
    if clear is not None:
        world.run(f'UPDATE tax_rates SET "{clear}" = NULL WHERE id = :tax_rate_id', tax_rate_id=tax_rate_id)
    return read_tax_rate(world, tax_rate_id)


# Plays DELETE /accounting/tax-rates/{id}
@env.tool(
    writes=["tax_rates"],
    destructive=True,
    confirm=["tax_rate_id"],
    candidates="""
    SELECT id AS tax_rate_id
    FROM tax_rates
    WHERE NOT EXISTS (SELECT 1 FROM tax_rates AS other WHERE other.original_tax_rate_id = tax_rates.id)
      AND NOT EXISTS (SELECT 1 FROM customers WHERE tax_rate_id = tax_rates.id)
      AND NOT EXISTS (SELECT 1 FROM ledger_accounts WHERE tax_rate_id = tax_rates.id)
      AND NOT EXISTS (SELECT 1 FROM suppliers WHERE tax_rate_id = tax_rates.id)
    """,
    refused={
        "not_found": "SELECT 'NOSUCH' AS tax_rate_id",
        "keep-used-tax-rates": """
        SELECT id AS tax_rate_id
        FROM tax_rates
        WHERE EXISTS (SELECT 1 FROM tax_rates AS other WHERE other.original_tax_rate_id = tax_rates.id)
        """,
    },
)
def delete_tax_rate(world: World, tax_rate_id: TaxRateId) -> Deleted:
    """Delete a tax rate; refused while other tax rates, customers, ledger accounts or suppliers refer to it.

    Args:
        tax_rate_id: Identifier of the tax rate.
    """
    read_tax_rate(world, tax_rate_id)
    refuse_while_used(
        world,
        tax_rate_id,
        "tax_rate_id",
        "keep-used-tax-rates",
        {
            "tax rates": "SELECT count(*) FROM tax_rates WHERE original_tax_rate_id = :key",
            "customers": "SELECT count(*) FROM customers WHERE tax_rate_id = :key",
            "ledger accounts": "SELECT count(*) FROM ledger_accounts WHERE tax_rate_id = :key",
            "suppliers": "SELECT count(*) FROM suppliers WHERE tax_rate_id = :key",
        },
    )
    world.run("DELETE FROM tax_rates WHERE id = :tax_rate_id", tax_rate_id=tax_rate_id)
    return {"deleted": tax_rate_id}


# ---------------------------------------------------------------- customers


def read_customer(world: World, customer_id: str, field: str = "customer_id") -> Customer:
    """The customer with that customer_id; refused where there is none."""
    row = world.one("SELECT * FROM customers WHERE id = ?", customer_id)
    if row is None:
        raise ToolError("not_found", f"There is no customer {customer_id}.", field=field)
    return as_customer(row)


def as_customer(row: dict[str, Any]) -> Customer:
    """A stored customer as tools return it."""
    converted = {
        "individual": flag(row["individual"]),
        "project": flag(row["project"]),
        "emails": parsed(row["emails"]),
        "phone_numbers": parsed(row["phone_numbers"]),
    }
    return cast(Customer, row | converted)


# Plays GET /accounting/customers
@env.tool(candidates="SELECT DISTINCT company_name FROM customers WHERE company_name IS NOT NULL")
def list_customers(
    world: World,
    company_name: Line | None = None,
    display_name: Line | None = None,
    first_name: Line | None = None,
    last_name: Line | None = None,
    status: CustomerStatus | None = None,
    parent_id: CustomerId | None = None,
    tax_rate_id: TaxRateId | None = None,
    currency: Currency | None = None,
    limit: Annotated[int, Field(ge=1, le=20)] = 20,
    cursor: Cursor | None = None,
) -> Customers:
    """List customers, one page at a time; what is not given does not narrow the list.

    Args:
        company_name: Only customers with this company name.
        display_name: Only customers with this display name.
        first_name: Only customers with this first name.
        last_name: Only customers with this last name.
        status: Only customers with this status.
        parent_id: Only customers with this parent ID.
        tax_rate_id: Only customers with this tax rate ID.
        currency: Only customers with this currency.
        limit: Most rows to return.
        cursor: The `next_cursor` of the page before.
    """
    start = int(cursor or 0)
    rows = world.all(
        """
        SELECT * FROM customers
        WHERE (:company_name IS NULL OR company_name = :company_name COLLATE NOCASE)
          AND (:display_name IS NULL OR display_name = :display_name COLLATE NOCASE)
          AND (:first_name IS NULL OR first_name = :first_name COLLATE NOCASE)
          AND (:last_name IS NULL OR last_name = :last_name COLLATE NOCASE)
          AND (:status IS NULL OR status = :status)
          AND (:parent_id IS NULL OR parent_id = :parent_id)
          AND (:tax_rate_id IS NULL OR tax_rate_id = :tax_rate_id)
          AND (:currency IS NULL OR currency = :currency)
        ORDER BY id
        """,
        company_name=company_name,
        display_name=display_name,
        first_name=first_name,
        last_name=last_name,
        status=status,
        parent_id=parent_id,
        tax_rate_id=tax_rate_id,
        currency=currency,
    )
    return {
        "customers": [as_customer(row) for row in rows[start : start + limit]],
        "total": len(rows),
        "next_cursor": str(start + limit) if start + limit < len(rows) else None,
    }


# Plays GET /accounting/customers/{id}
@env.tool(candidates="SELECT id AS customer_id FROM customers", refused={"not_found": "SELECT 'NOSUCH' AS customer_id"})
def get_customer(world: World, customer_id: CustomerId) -> Customer:
    """Return one customer.

    Args:
        customer_id: Identifier of the customer.
    """
    return read_customer(world, customer_id)


# Plays POST /accounting/customers
@env.tool(writes=["customers"], candidates="SELECT display_name FROM customers")
def create_customer(
    world: World,
    display_name: Line,
    title: Line | None = None,
    parent_id: CustomerId | None = None,
    tax_rate_id: TaxRateId | None = None,
    currency: Currency | None = None,
    status: CustomerStatus | None = None,
    account_code: Line | None = None,
    account_nominal_code: Line | None = None,
    channel: Line | None = None,
    company_name: Line | None = None,
    first_name: Line | None = None,
    individual: bool | None = None,
    last_name: Line | None = None,
    middle_name: Line | None = None,
    payment_method: Line | None = None,
    project: bool | None = None,
    suffix: Line | None = None,
    tax_number: Line | None = None,
    tax_rate_rate: Number | None = None,
    notes: Prose | None = None,
    emails: list[Email] | None = None,
    phone_numbers: list[PhoneNumber] | None = None,
) -> Customer:
    """Create a customer.

    Args:
        display_name: Display name.
        title: The job title of the person.
        parent_id: The parent ID of the customer this entity is linked to.
        tax_rate_id: The ID of the object.
        currency: Indicates the associated currency for an amount of money.
        status: Customer status.
        account_code: The code assigned to the account.
        account_nominal_code: The nominal code of the account.
        channel: The channel through which the transaction is processed.
        company_name: The name of the company.
        first_name: The first name of the person.
        individual: Is this an individual or business customer.
        last_name: The last name of the person.
        middle_name: Middle name of the person.
        payment_method: Payment method used for the transaction, such as cash, credit card, bank transfer, or check.
        project: If true, indicates this is a Project.
        suffix: Suffix.
        tax_number: Tax number.
        tax_rate_rate: Rate of the tax rate.
        notes: Some notes about this customer.
        emails: Emails of the customer.
        phone_numbers: Phone numbers of the customer.
    """
    if parent_id is not None:
        read_customer(world, parent_id, "parent_id")
    if tax_rate_id is not None:
        read_tax_rate(world, tax_rate_id)
    customer_id = world.new_code("customers.id")
    world.run(
        """
        INSERT INTO customers (id, display_name, title, parent_id, tax_rate_id, currency, status,
            account_code, account_nominal_code, channel, company_name, first_name, individual, last_name,
            middle_name, payment_method, project, suffix, tax_number, tax_rate_rate, notes, emails,
            phone_numbers, created_at, updated_at)
        VALUES (:id, :display_name, :title, :parent_id, :tax_rate_id, :currency, :status, :account_code,
            :account_nominal_code, :channel, :company_name, :first_name, :individual, :last_name,
            :middle_name, :payment_method, :project, :suffix, :tax_number, :tax_rate_rate, :notes, :emails,
            :phone_numbers, :created_at, :updated_at)
        """,
        id=customer_id,
        display_name=display_name,
        title=title,
        parent_id=parent_id,
        tax_rate_id=tax_rate_id,
        currency=currency,
        status=status,
        account_code=account_code,
        account_nominal_code=account_nominal_code,
        channel=channel,
        company_name=company_name,
        first_name=first_name,
        individual=individual,
        last_name=last_name,
        middle_name=middle_name,
        payment_method=payment_method,
        project=project,
        suffix=suffix,
        tax_number=tax_number,
        tax_rate_rate=tax_rate_rate,
        notes=notes,
        emails=packed(emails),
        phone_numbers=packed(phone_numbers),
        created_at=world.now,
        updated_at=world.now,
    )
    return read_customer(world, customer_id)


# Plays PATCH /accounting/customers/{id}
@env.tool(
    writes=["customers"],
    destructive=True,
    idempotent=True,
    candidates="SELECT id AS customer_id, display_name FROM customers",
)
def update_customer(
    world: World,
    customer_id: CustomerId,
    display_name: Line | None = None,
    title: Line | None = None,
    parent_id: CustomerId | None = None,
    tax_rate_id: TaxRateId | None = None,
    currency: Currency | None = None,
    status: CustomerStatus | None = None,
    account_code: Line | None = None,
    account_nominal_code: Line | None = None,
    channel: Line | None = None,
    company_name: Line | None = None,
    first_name: Line | None = None,
    individual: bool | None = None,
    last_name: Line | None = None,
    middle_name: Line | None = None,
    payment_method: Line | None = None,
    project: bool | None = None,
    suffix: Line | None = None,
    tax_number: Line | None = None,
    tax_rate_rate: Number | None = None,
    notes: Prose | None = None,
    emails: list[Email] | None = None,
    phone_numbers: list[PhoneNumber] | None = None,
    clear: CustomerClearable | None = None,
) -> Customer:
    """Change the given fields of a customer; the others keep their values.

    Args:
        customer_id: Identifier of the customer.
        display_name: Display name.
        title: The job title of the person.
        parent_id: The parent ID of the customer this entity is linked to.
        tax_rate_id: The ID of the object.
        currency: Indicates the associated currency for an amount of money.
        status: Customer status.
        account_code: The code assigned to the account.
        account_nominal_code: The nominal code of the account.
        channel: The channel through which the transaction is processed.
        company_name: The name of the company.
        first_name: The first name of the person.
        individual: Is this an individual or business customer.
        last_name: The last name of the person.
        middle_name: Middle name of the person.
        payment_method: Payment method used for the transaction, such as cash, credit card, bank transfer, or check.
        project: If true, indicates this is a Project.
        suffix: Suffix.
        tax_number: Tax number.
        tax_rate_rate: Rate of the tax rate.
        notes: Some notes about this customer.
        emails: Emails of the customer.
        phone_numbers: Phone numbers of the customer.
        clear: A field to empty.
    """
    read_customer(world, customer_id)
    if parent_id is not None:
        read_customer(world, parent_id, "parent_id")
    if tax_rate_id is not None:
        read_tax_rate(world, tax_rate_id)
    world.run(
        """
        UPDATE customers
        SET display_name = coalesce(:display_name, display_name),
            title = coalesce(:title, title),
            parent_id = coalesce(:parent_id, parent_id),
            tax_rate_id = coalesce(:tax_rate_id, tax_rate_id),
            currency = coalesce(:currency, currency),
            status = coalesce(:status, status),
            account_code = coalesce(:account_code, account_code),
            account_nominal_code = coalesce(:account_nominal_code, account_nominal_code),
            channel = coalesce(:channel, channel),
            company_name = coalesce(:company_name, company_name),
            first_name = coalesce(:first_name, first_name),
            individual = coalesce(:individual, individual),
            last_name = coalesce(:last_name, last_name),
            middle_name = coalesce(:middle_name, middle_name),
            payment_method = coalesce(:payment_method, payment_method),
            project = coalesce(:project, project),
            suffix = coalesce(:suffix, suffix),
            tax_number = coalesce(:tax_number, tax_number),
            tax_rate_rate = coalesce(:tax_rate_rate, tax_rate_rate),
            notes = coalesce(:notes, notes),
            emails = coalesce(:emails, emails),
            phone_numbers = coalesce(:phone_numbers, phone_numbers),
            updated_at = :now
        WHERE id = :customer_id
        """,
        display_name=display_name,
        title=title,
        parent_id=parent_id,
        tax_rate_id=tax_rate_id,
        currency=currency,
        status=status,
        account_code=account_code,
        account_nominal_code=account_nominal_code,
        channel=channel,
        company_name=company_name,
        first_name=first_name,
        individual=individual,
        last_name=last_name,
        middle_name=middle_name,
        payment_method=payment_method,
        project=project,
        suffix=suffix,
        tax_number=tax_number,
        tax_rate_rate=tax_rate_rate,
        notes=notes,
        emails=packed(emails),
        phone_numbers=packed(phone_numbers),
        now=world.now,
        customer_id=customer_id,
    )
    if clear is not None:
        world.run(f'UPDATE customers SET "{clear}" = NULL WHERE id = :customer_id', customer_id=customer_id)
    return read_customer(world, customer_id)


# Plays DELETE /accounting/customers/{id}
@env.tool(
    writes=["customers"],
    destructive=True,
    confirm=["customer_id"],
    candidates="""
    SELECT id AS customer_id
    FROM customers
    WHERE NOT EXISTS (SELECT 1 FROM customers AS other WHERE other.parent_id = customers.id)
    """,
    refused={
        "not_found": "SELECT 'NOSUCH' AS customer_id",
        "keep-used-customers": """
        SELECT id AS customer_id
        FROM customers
        WHERE EXISTS (SELECT 1 FROM customers AS other WHERE other.parent_id = customers.id)
        """,
    },
)
def delete_customer(world: World, customer_id: CustomerId) -> Deleted:
    """Delete a customer; refused while other customers refer to it.

    Args:
        customer_id: Identifier of the customer.
    """
    read_customer(world, customer_id)
    refuse_while_used(
        world,
        customer_id,
        "customer_id",
        "keep-used-customers",
        {
            "customers": "SELECT count(*) FROM customers WHERE parent_id = :key",
        },
    )
    world.run("DELETE FROM customers WHERE id = :customer_id", customer_id=customer_id)
    return {"deleted": customer_id}


# ---------------------------------------------------------------- ledger accounts


def read_ledger_account(world: World, ledger_account_id: str, field: str = "ledger_account_id") -> LedgerAccount:
    """The ledger account with that ledger_account_id; refused where there is none."""
    row = world.one("SELECT * FROM ledger_accounts WHERE id = ?", ledger_account_id)
    if row is None:
        raise ToolError("not_found", f"There is no ledger account {ledger_account_id}.", field=field)
    return as_ledger_account(row)


def as_ledger_account(row: dict[str, Any]) -> LedgerAccount:
    """A stored ledger account as tools return it."""
    converted = {
        "active": flag(row["active"]),
        "header": flag(row["header"]),
        "sub_account": flag(row["sub_account"]),
        "bank_account": parsed(row["bank_account"]),
    }
    return cast(LedgerAccount, row | converted)


# Plays GET /accounting/ledger-accounts
@env.tool(candidates="SELECT DISTINCT tax_rate_id FROM ledger_accounts WHERE tax_rate_id IS NOT NULL")
def list_ledger_accounts(
    world: World,
    tax_rate_id: TaxRateId | None = None,
    classification: Classification | None = None,
    currency: Currency | None = None,
    status: TaxRateStatus | None = None,
    type: LedgerAccountType | None = None,
    limit: Annotated[int, Field(ge=1, le=30)] = 20,
    cursor: Cursor | None = None,
) -> LedgerAccounts:
    """List ledger accounts, one page at a time; what is not given does not narrow the list.

    Args:
        tax_rate_id: Only ledger accounts with this tax rate ID.
        classification: Only ledger accounts with this classification.
        currency: Only ledger accounts with this currency.
        status: Only ledger accounts with this status.
        type: Only ledger accounts with this type.
        limit: Most rows to return.
        cursor: The `next_cursor` of the page before.
    """
    start = int(cursor or 0)
    rows = world.all(
        """
        SELECT * FROM ledger_accounts
        WHERE (:tax_rate_id IS NULL OR tax_rate_id = :tax_rate_id)
          AND (:classification IS NULL OR classification = :classification)
          AND (:currency IS NULL OR currency = :currency)
          AND (:status IS NULL OR status = :status)
          AND (:type IS NULL OR type = :type)
        ORDER BY id
        """,
        tax_rate_id=tax_rate_id,
        classification=classification,
        currency=currency,
        status=status,
        type=type,
    )
    return {
        "ledger_accounts": [as_ledger_account(row) for row in rows[start : start + limit]],
        "total": len(rows),
        "next_cursor": str(start + limit) if start + limit < len(rows) else None,
    }


# Plays GET /accounting/ledger-accounts/{id}
@env.tool(
    candidates="SELECT id AS ledger_account_id FROM ledger_accounts",
    refused={"not_found": "SELECT 'NOSUCH' AS ledger_account_id"},
)
def get_ledger_account(world: World, ledger_account_id: LedgerAccountId) -> LedgerAccount:
    """Return one ledger account.

    Args:
        ledger_account_id: Identifier of the ledger account.
    """
    return read_ledger_account(world, ledger_account_id)


# Plays POST /accounting/ledger-accounts
@env.tool(writes=["ledger_accounts"], candidates="SELECT name FROM ledger_accounts")
def create_ledger_account(
    world: World,
    name: Line,
    tax_rate_id: TaxRateId | None = None,
    classification: Classification | None = None,
    currency: Currency | None = None,
    status: TaxRateStatus | None = None,
    type: LedgerAccountType | None = None,
    active: bool | None = None,
    code: Line | None = None,
    current_balance: Number | None = None,
    fully_qualified_name: Line | None = None,
    header: bool | None = None,
    last_reconciliation_date: Day | None = None,
    level: Number | None = None,
    opening_balance: Number | None = None,
    parent_account_name: Line | None = None,
    sub_account: bool | None = None,
    sub_type: Line | None = None,
    tax_rate_rate: Number | None = None,
    tax_type: Line | None = None,
    description: Prose | None = None,
    bank_account: BankAccount | None = None,
) -> LedgerAccount:
    """Create a ledger account.

    Args:
        name: The name of the account.
        tax_rate_id: The ID of the object.
        classification: The classification of account.
        currency: Indicates the associated currency for an amount of money.
        status: The status of the account.
        type: The type of account.
        active: Whether the account is active or not.
        code: The code assigned to the account.
        current_balance: The current balance of the account.
        fully_qualified_name: The fully qualified name of the account.
        header: Whether the account is a header or not.
        last_reconciliation_date: Reconciliation Date means the last calendar day of each Reconciliation Period.
        level: Level of the ledger account.
        opening_balance: The opening balance of the account.
        parent_account_name: The name of the parent account.
        sub_account: Whether the account is a sub account or not.
        sub_type: The sub type of account.
        tax_rate_rate: Rate of the tax rate.
        tax_type: The tax type of the account.
        description: The description of the account.
        bank_account: Bank account of the ledger account.
    """
    if tax_rate_id is not None:
        read_tax_rate(world, tax_rate_id)
    ledger_account_id = world.new_code("ledger_accounts.id")
    world.run(
        """
        INSERT INTO ledger_accounts (id, name, tax_rate_id, classification, currency, status, type, active,
            code, current_balance, fully_qualified_name, header, last_reconciliation_date, level,
            opening_balance, parent_account_name, sub_account, sub_type, tax_rate_rate, tax_type,
            description, bank_account, created_at, updated_at)
        VALUES (:id, :name, :tax_rate_id, :classification, :currency, :status, :type, :active, :code,
            :current_balance, :fully_qualified_name, :header, :last_reconciliation_date, :level,
            :opening_balance, :parent_account_name, :sub_account, :sub_type, :tax_rate_rate, :tax_type,
            :description, :bank_account, :created_at, :updated_at)
        """,
        id=ledger_account_id,
        name=name,
        tax_rate_id=tax_rate_id,
        classification=classification,
        currency=currency,
        status=status,
        type=type,
        active=active,
        code=code,
        current_balance=current_balance,
        fully_qualified_name=fully_qualified_name,
        header=header,
        last_reconciliation_date=last_reconciliation_date,
        level=level,
        opening_balance=opening_balance,
        parent_account_name=parent_account_name,
        sub_account=sub_account,
        sub_type=sub_type,
        tax_rate_rate=tax_rate_rate,
        tax_type=tax_type,
        description=description,
        bank_account=packed(bank_account),
        created_at=world.now,
        updated_at=world.now,
    )
    return read_ledger_account(world, ledger_account_id)


# Plays PATCH /accounting/ledger-accounts/{id}
@env.tool(
    writes=["ledger_accounts"],
    destructive=True,
    idempotent=True,
    candidates="SELECT id AS ledger_account_id, name FROM ledger_accounts",
)
def update_ledger_account(
    world: World,
    ledger_account_id: LedgerAccountId,
    name: Line | None = None,
    tax_rate_id: TaxRateId | None = None,
    classification: Classification | None = None,
    currency: Currency | None = None,
    status: TaxRateStatus | None = None,
    type: LedgerAccountType | None = None,
    active: bool | None = None,
    code: Line | None = None,
    current_balance: Number | None = None,
    fully_qualified_name: Line | None = None,
    header: bool | None = None,
    last_reconciliation_date: Day | None = None,
    level: Number | None = None,
    opening_balance: Number | None = None,
    parent_account_name: Line | None = None,
    sub_account: bool | None = None,
    sub_type: Line | None = None,
    tax_rate_rate: Number | None = None,
    tax_type: Line | None = None,
    description: Prose | None = None,
    bank_account: BankAccount | None = None,
    clear: LedgerAccountClearable | None = None,
) -> LedgerAccount:
    """Change the given fields of a ledger account; the others keep their values.

    Args:
        ledger_account_id: Identifier of the ledger account.
        name: The name of the account.
        tax_rate_id: The ID of the object.
        classification: The classification of account.
        currency: Indicates the associated currency for an amount of money.
        status: The status of the account.
        type: The type of account.
        active: Whether the account is active or not.
        code: The code assigned to the account.
        current_balance: The current balance of the account.
        fully_qualified_name: The fully qualified name of the account.
        header: Whether the account is a header or not.
        last_reconciliation_date: Reconciliation Date means the last calendar day of each Reconciliation Period.
        level: Level of the ledger account.
        opening_balance: The opening balance of the account.
        parent_account_name: The name of the parent account.
        sub_account: Whether the account is a sub account or not.
        sub_type: The sub type of account.
        tax_rate_rate: Rate of the tax rate.
        tax_type: The tax type of the account.
        description: The description of the account.
        bank_account: Bank account of the ledger account.
        clear: A field to empty.
    """
    read_ledger_account(world, ledger_account_id)
    if tax_rate_id is not None:
        read_tax_rate(world, tax_rate_id)
    world.run(
        """
        UPDATE ledger_accounts
        SET name = coalesce(:name, name),
            tax_rate_id = coalesce(:tax_rate_id, tax_rate_id),
            classification = coalesce(:classification, classification),
            currency = coalesce(:currency, currency),
            status = coalesce(:status, status),
            type = coalesce(:type, type),
            active = coalesce(:active, active),
            code = coalesce(:code, code),
            current_balance = coalesce(:current_balance, current_balance),
            fully_qualified_name = coalesce(:fully_qualified_name, fully_qualified_name),
            header = coalesce(:header, header),
            last_reconciliation_date = coalesce(:last_reconciliation_date, last_reconciliation_date),
            level = coalesce(:level, level),
            opening_balance = coalesce(:opening_balance, opening_balance),
            parent_account_name = coalesce(:parent_account_name, parent_account_name),
            sub_account = coalesce(:sub_account, sub_account),
            sub_type = coalesce(:sub_type, sub_type),
            tax_rate_rate = coalesce(:tax_rate_rate, tax_rate_rate),
            tax_type = coalesce(:tax_type, tax_type),
            description = coalesce(:description, description),
            bank_account = coalesce(:bank_account, bank_account),
            updated_at = :now
        WHERE id = :ledger_account_id
        """,
        name=name,
        tax_rate_id=tax_rate_id,
        classification=classification,
        currency=currency,
        status=status,
        type=type,
        active=active,
        code=code,
        current_balance=current_balance,
        fully_qualified_name=fully_qualified_name,
        header=header,
        last_reconciliation_date=last_reconciliation_date,
        level=level,
        opening_balance=opening_balance,
        parent_account_name=parent_account_name,
        sub_account=sub_account,
        sub_type=sub_type,
        tax_rate_rate=tax_rate_rate,
        tax_type=tax_type,
        description=description,
        bank_account=packed(bank_account),
        now=world.now,
        ledger_account_id=ledger_account_id,
    )
    if clear is not None:
        world.run(
            f'UPDATE ledger_accounts SET "{clear}" = NULL WHERE id = :ledger_account_id',
            ledger_account_id=ledger_account_id,
        )
    return read_ledger_account(world, ledger_account_id)


# Plays DELETE /accounting/ledger-accounts/{id}
@env.tool(
    writes=["ledger_accounts"],
    destructive=True,
    confirm=["ledger_account_id"],
    candidates="""
    SELECT id AS ledger_account_id
    FROM ledger_accounts
    WHERE NOT EXISTS (SELECT 1 FROM bills WHERE ledger_account_id = ledger_accounts.id)
      AND NOT EXISTS (SELECT 1 FROM invoices WHERE ledger_account_id = ledger_accounts.id)
      AND NOT EXISTS (SELECT 1 FROM purchase_orders WHERE ledger_account_id = ledger_accounts.id)
    """,
    refused={
        "not_found": "SELECT 'NOSUCH' AS ledger_account_id",
        "keep-used-ledger-accounts": """
        SELECT id AS ledger_account_id
        FROM ledger_accounts
        WHERE EXISTS (SELECT 1 FROM bills WHERE ledger_account_id = ledger_accounts.id)
        """,
    },
)
def delete_ledger_account(world: World, ledger_account_id: LedgerAccountId) -> Deleted:
    """Delete a ledger account; refused while bills, invoices or purchase orders refer to it.

    Args:
        ledger_account_id: Identifier of the ledger account.
    """
    read_ledger_account(world, ledger_account_id)
    refuse_while_used(
        world,
        ledger_account_id,
        "ledger_account_id",
        "keep-used-ledger-accounts",
        {
            "bills": "SELECT count(*) FROM bills WHERE ledger_account_id = :key",
            "invoices": "SELECT count(*) FROM invoices WHERE ledger_account_id = :key",
            "purchase orders": "SELECT count(*) FROM purchase_orders WHERE ledger_account_id = :key",
        },
    )
    world.run("DELETE FROM ledger_accounts WHERE id = :ledger_account_id", ledger_account_id=ledger_account_id)
    return {"deleted": ledger_account_id}


# ---------------------------------------------------------------- bills


def read_bill(world: World, bill_id: str, field: str = "bill_id") -> Bill:
    """The bill with that bill_id; refused where there is none."""
    row = world.one("SELECT * FROM bills WHERE id = ?", bill_id)
    if row is None:
        raise ToolError("not_found", f"There is no bill {bill_id}.", field=field)
    return as_bill(row)


def as_bill(row: dict[str, Any]) -> Bill:
    """A stored bill as tools return it."""
    converted = {"accounting_by_row": flag(row["accounting_by_row"]), "tax_inclusive": flag(row["tax_inclusive"])}
    return cast(Bill, row | converted)


# Plays GET /accounting/bills
@env.tool(candidates="SELECT DISTINCT status FROM bills WHERE status IS NOT NULL")
def list_bills(
    world: World,
    status: BillStatus | None = None,
    ledger_account_id: LedgerAccountId | None = None,
    currency: Currency | None = None,
    sort_by: BillOrder | None = None,
    descending: bool = False,
    limit: Annotated[int, Field(ge=1, le=40)] = 20,
    cursor: Cursor | None = None,
) -> Bills:
    """List bills, one page at a time; what is not given does not narrow the list.

    Args:
        status: Only bills with this status.
        ledger_account_id: Only bills with this ledger account ID.
        currency: Only bills with this currency.
        sort_by: Column to sort by; by ID if not given.
        descending: Whether the largest comes first.
        limit: Most rows to return.
        cursor: The `next_cursor` of the page before.
    """
    start = int(cursor or 0)
    rows = world.all(
        f"""
        SELECT * FROM bills
        WHERE (:status IS NULL OR status = :status)
          AND (:ledger_account_id IS NULL OR ledger_account_id = :ledger_account_id)
          AND (:currency IS NULL OR currency = :currency)
        ORDER BY {sort_by or "id"} {"DESC" if descending else "ASC"}, id
        """,
        status=status,
        ledger_account_id=ledger_account_id,
        currency=currency,
    )
    return {
        "bills": [as_bill(row) for row in rows[start : start + limit]],
        "total": len(rows),
        "next_cursor": str(start + limit) if start + limit < len(rows) else None,
    }


# Plays GET /accounting/bills/{id}
@env.tool(candidates="SELECT id AS bill_id FROM bills", refused={"not_found": "SELECT 'NOSUCH' AS bill_id"})
def get_bill(world: World, bill_id: BillId) -> Bill:
    """Return one bill.

    Args:
        bill_id: Identifier of the bill.
    """
    return read_bill(world, bill_id)


# Plays POST /accounting/bills
@env.tool(writes=["bills"], candidates="SELECT status FROM bills")
def create_bill(
    world: World,
    status: BillStatus,
    ledger_account_id: LedgerAccountId | None = None,
    currency: Currency | None = None,
    accounting_by_row: bool | None = None,
    balance: Number | None = None,
    bill_date: Day | None = None,
    bill_number: Line | None = None,
    channel: Line | None = None,
    currency_rate: Number | None = None,
    deposit: Number | None = None,
    discount_percentage: Number | None = None,
    due_date: Day | None = None,
    language: Line | None = None,
    paid_date: Day | None = None,
    payment_method: Line | None = None,
    po_number: Line | None = None,
    reference: Line | None = None,
    sub_total: Number | None = None,
    tax_inclusive: bool | None = None,
    total: Number | None = None,
    total_tax: Number | None = None,
    notes: Prose | None = None,
) -> Bill:
    """Create a bill.

    Args:
        status: Invoice status.
        ledger_account_id: The unique identifier for the account.
        currency: Indicates the associated currency for an amount of money.
        accounting_by_row: Indicates if accounting by row is used (true) or not (false).
        balance: Balance of bill due.
        bill_date: Date bill was issued - YYYY-MM-DD.
        bill_number: Reference to supplier bill number.
        channel: The channel through which the transaction is processed.
        currency_rate: Currency Exchange Rate at the time entity was recorded/generated.
        deposit: Amount of deposit made to this bill.
        discount_percentage: Discount percentage applied to this transaction.
        due_date: The due date is the date on which a payment is scheduled to be received - YYYY-MM-DD.
        language: language code according to ISO 639-1.
        paid_date: The paid date is the date on which a payment was sent to the supplier - YYYY-MM-DD.
        payment_method: Payment method used for the transaction, such as cash, credit card, bank transfer, or check.
        po_number: A PO Number uniquely identifies a purchase order and is generally defined by the buyer.
        reference: Optional bill reference.
        sub_total: Sub-total amount, normally before tax.
        tax_inclusive: Amounts are including tax.
        total: Total amount of bill, including tax.
        total_tax: Total tax amount applied to this bill.
        notes: Notes.
    """
    if ledger_account_id is not None:
        read_ledger_account(world, ledger_account_id)
    bill_id = world.new_code("bills.id")
    world.run(
        """
        INSERT INTO bills (id, status, ledger_account_id, currency, accounting_by_row, balance, bill_date,
            bill_number, channel, currency_rate, deposit, discount_percentage, due_date, language,
            paid_date, payment_method, po_number, reference, sub_total, tax_inclusive, total, total_tax,
            notes, created_at, updated_at)
        VALUES (:id, :status, :ledger_account_id, :currency, :accounting_by_row, :balance, :bill_date,
            :bill_number, :channel, :currency_rate, :deposit, :discount_percentage, :due_date, :language,
            :paid_date, :payment_method, :po_number, :reference, :sub_total, :tax_inclusive, :total,
            :total_tax, :notes, :created_at, :updated_at)
        """,
        id=bill_id,
        status=status,
        ledger_account_id=ledger_account_id,
        currency=currency,
        accounting_by_row=accounting_by_row,
        balance=balance,
        bill_date=bill_date,
        bill_number=bill_number,
        channel=channel,
        currency_rate=currency_rate,
        deposit=deposit,
        discount_percentage=discount_percentage,
        due_date=due_date,
        language=language,
        paid_date=paid_date,
        payment_method=payment_method,
        po_number=po_number,
        reference=reference,
        sub_total=sub_total,
        tax_inclusive=tax_inclusive,
        total=total,
        total_tax=total_tax,
        notes=notes,
        created_at=world.now,
        updated_at=world.now,
    )
    return read_bill(world, bill_id)


# Plays PATCH /accounting/bills/{id}
@env.tool(writes=["bills"], destructive=True, idempotent=True, candidates="SELECT id AS bill_id, status FROM bills")
def update_bill(
    world: World,
    bill_id: BillId,
    status: BillStatus | None = None,
    ledger_account_id: LedgerAccountId | None = None,
    currency: Currency | None = None,
    accounting_by_row: bool | None = None,
    balance: Number | None = None,
    bill_date: Day | None = None,
    bill_number: Line | None = None,
    channel: Line | None = None,
    currency_rate: Number | None = None,
    deposit: Number | None = None,
    discount_percentage: Number | None = None,
    due_date: Day | None = None,
    language: Line | None = None,
    paid_date: Day | None = None,
    payment_method: Line | None = None,
    po_number: Line | None = None,
    reference: Line | None = None,
    sub_total: Number | None = None,
    tax_inclusive: bool | None = None,
    total: Number | None = None,
    total_tax: Number | None = None,
    notes: Prose | None = None,
    clear: BillClearable | None = None,
) -> Bill:
    """Change the given fields of a bill; the others keep their values.

    Args:
        bill_id: Identifier of the bill.
        status: Invoice status.
        ledger_account_id: The unique identifier for the account.
        currency: Indicates the associated currency for an amount of money.
        accounting_by_row: Indicates if accounting by row is used (true) or not (false).
        balance: Balance of bill due.
        bill_date: Date bill was issued - YYYY-MM-DD.
        bill_number: Reference to supplier bill number.
        channel: The channel through which the transaction is processed.
        currency_rate: Currency Exchange Rate at the time entity was recorded/generated.
        deposit: Amount of deposit made to this bill.
        discount_percentage: Discount percentage applied to this transaction.
        due_date: The due date is the date on which a payment is scheduled to be received - YYYY-MM-DD.
        language: language code according to ISO 639-1.
        paid_date: The paid date is the date on which a payment was sent to the supplier - YYYY-MM-DD.
        payment_method: Payment method used for the transaction, such as cash, credit card, bank transfer, or check.
        po_number: A PO Number uniquely identifies a purchase order and is generally defined by the buyer.
        reference: Optional bill reference.
        sub_total: Sub-total amount, normally before tax.
        tax_inclusive: Amounts are including tax.
        total: Total amount of bill, including tax.
        total_tax: Total tax amount applied to this bill.
        notes: Notes.
        clear: A field to empty.
    """
    read_bill(world, bill_id)
    if ledger_account_id is not None:
        read_ledger_account(world, ledger_account_id)
    world.run(
        """
        UPDATE bills
        SET status = coalesce(:status, status),
            ledger_account_id = coalesce(:ledger_account_id, ledger_account_id),
            currency = coalesce(:currency, currency),
            accounting_by_row = coalesce(:accounting_by_row, accounting_by_row),
            balance = coalesce(:balance, balance),
            bill_date = coalesce(:bill_date, bill_date),
            bill_number = coalesce(:bill_number, bill_number),
            channel = coalesce(:channel, channel),
            currency_rate = coalesce(:currency_rate, currency_rate),
            deposit = coalesce(:deposit, deposit),
            discount_percentage = coalesce(:discount_percentage, discount_percentage),
            due_date = coalesce(:due_date, due_date),
            language = coalesce(:language, language),
            paid_date = coalesce(:paid_date, paid_date),
            payment_method = coalesce(:payment_method, payment_method),
            po_number = coalesce(:po_number, po_number),
            reference = coalesce(:reference, reference),
            sub_total = coalesce(:sub_total, sub_total),
            tax_inclusive = coalesce(:tax_inclusive, tax_inclusive),
            total = coalesce(:total, total),
            total_tax = coalesce(:total_tax, total_tax),
            notes = coalesce(:notes, notes),
            updated_at = :now
        WHERE id = :bill_id
        """,
        status=status,
        ledger_account_id=ledger_account_id,
        currency=currency,
        accounting_by_row=accounting_by_row,
        balance=balance,
        bill_date=bill_date,
        bill_number=bill_number,
        channel=channel,
        currency_rate=currency_rate,
        deposit=deposit,
        discount_percentage=discount_percentage,
        due_date=due_date,
        language=language,
        paid_date=paid_date,
        payment_method=payment_method,
        po_number=po_number,
        reference=reference,
        sub_total=sub_total,
        tax_inclusive=tax_inclusive,
        total=total,
        total_tax=total_tax,
        notes=notes,
        now=world.now,
        bill_id=bill_id,
    )
    if clear is not None:
        world.run(f'UPDATE bills SET "{clear}" = NULL WHERE id = :bill_id', bill_id=bill_id)
    return read_bill(world, bill_id)


# Plays DELETE /accounting/bills/{id}
@env.tool(
    writes=["bills"],
    destructive=True,
    confirm=["bill_id"],
    candidates="SELECT id AS bill_id FROM bills",
    refused={"not_found": "SELECT 'NOSUCH' AS bill_id"},
)
def delete_bill(world: World, bill_id: BillId) -> Deleted:
    """Delete a bill.

    Args:
        bill_id: Identifier of the bill.
    """
    read_bill(world, bill_id)
    world.run("DELETE FROM bills WHERE id = :bill_id", bill_id=bill_id)
    return {"deleted": bill_id}


# ---------------------------------------------------------------- invoices


def read_invoice(world: World, invoice_id: str, field: str = "invoice_id") -> Invoice:
    """The invoice with that invoice_id; refused where there is none."""
    row = world.one("SELECT * FROM invoices WHERE id = ?", invoice_id)
    if row is None:
        raise ToolError("not_found", f"There is no invoice {invoice_id}.", field=field)
    return as_invoice(row)


def as_invoice(row: dict[str, Any]) -> Invoice:
    """A stored invoice as tools return it."""
    converted = {
        "accounting_by_row": flag(row["accounting_by_row"]),
        "invoice_sent": flag(row["invoice_sent"]),
        "tax_inclusive": flag(row["tax_inclusive"]),
    }
    return cast(Invoice, row | converted)


# Plays GET /accounting/invoices
@env.tool(candidates="SELECT DISTINCT status FROM invoices WHERE status IS NOT NULL")
def list_invoices(
    world: World,
    status: BillStatus | None = None,
    ledger_account_id: LedgerAccountId | None = None,
    currency: Currency | None = None,
    type: InvoiceType | None = None,
    sort_by: InvoiceOrder | None = None,
    descending: bool = False,
    limit: Annotated[int, Field(ge=1, le=40)] = 20,
    cursor: Cursor | None = None,
) -> Invoices:
    """List invoices, one page at a time; what is not given does not narrow the list.

    Args:
        status: Only invoices with this status.
        ledger_account_id: Only invoices with this ledger account ID.
        currency: Only invoices with this currency.
        type: Only invoices with this type.
        sort_by: Column to sort by; by ID if not given.
        descending: Whether the largest comes first.
        limit: Most rows to return.
        cursor: The `next_cursor` of the page before.
    """
    start = int(cursor or 0)
    rows = world.all(
        f"""
        SELECT * FROM invoices
        WHERE (:status IS NULL OR status = :status)
          AND (:ledger_account_id IS NULL OR ledger_account_id = :ledger_account_id)
          AND (:currency IS NULL OR currency = :currency)
          AND (:type IS NULL OR type = :type)
        ORDER BY {sort_by or "id"} {"DESC" if descending else "ASC"}, id
        """,
        status=status,
        ledger_account_id=ledger_account_id,
        currency=currency,
        type=type,
    )
    return {
        "invoices": [as_invoice(row) for row in rows[start : start + limit]],
        "total": len(rows),
        "next_cursor": str(start + limit) if start + limit < len(rows) else None,
    }


# Plays GET /accounting/invoices/{id}
@env.tool(candidates="SELECT id AS invoice_id FROM invoices", refused={"not_found": "SELECT 'NOSUCH' AS invoice_id"})
def get_invoice(world: World, invoice_id: InvoiceId) -> Invoice:
    """Return one invoice.

    Args:
        invoice_id: Identifier of the invoice.
    """
    return read_invoice(world, invoice_id)


# Plays POST /accounting/invoices
@env.tool(writes=["invoices"], candidates="SELECT status FROM invoices")
def create_invoice(
    world: World,
    status: BillStatus,
    ledger_account_id: LedgerAccountId | None = None,
    currency: Currency | None = None,
    type: InvoiceType | None = None,
    accounting_by_row: bool | None = None,
    balance: Number | None = None,
    channel: Line | None = None,
    currency_rate: Number | None = None,
    customer_memo: Line | None = None,
    deposit: Number | None = None,
    discount_amount: Number | None = None,
    discount_percentage: Number | None = None,
    due_date: Day | None = None,
    invoice_date: Day | None = None,
    invoice_sent: bool | None = None,
    language: Line | None = None,
    number: Line | None = None,
    payment_method: Line | None = None,
    sub_total: Number | None = None,
    tax_inclusive: bool | None = None,
    total: Number | None = None,
    total_tax: Number | None = None,
) -> Invoice:
    """Create an invoice.

    Args:
        status: Invoice status.
        ledger_account_id: The unique identifier for the account.
        currency: Indicates the associated currency for an amount of money.
        type: Invoice type.
        accounting_by_row: Indicates if accounting by row is used (true) or not (false).
        balance: Balance of invoice due.
        channel: The channel through which the transaction is processed.
        currency_rate: Currency Exchange Rate at the time entity was recorded/generated.
        customer_memo: Customer memo.
        deposit: Amount of deposit made to this invoice.
        discount_amount: Discount amount applied to this invoice.
        discount_percentage: Discount percentage applied to this invoice.
        due_date: The invoice due date is the date on which a payment or invoice is scheduled to be received by the
            seller - YYYY-MM-DD.
        invoice_date: Date invoice was issued - YYYY-MM-DD.
        invoice_sent: Invoice sent to contact/customer.
        language: language code according to ISO 639-1.
        number: Invoice number.
        payment_method: Payment method used for the transaction, such as cash, credit card, bank transfer, or check.
        sub_total: Sub-total amount, normally before tax.
        tax_inclusive: Amounts are including tax.
        total: Total amount of invoice, including tax.
        total_tax: Total tax amount applied to this invoice.
    """
    if ledger_account_id is not None:
        read_ledger_account(world, ledger_account_id)
    invoice_id = world.new_code("invoices.id")
    world.run(
        """
        INSERT INTO invoices (id, status, ledger_account_id, currency, type, accounting_by_row, balance,
            channel, currency_rate, customer_memo, deposit, discount_amount, discount_percentage, due_date,
            invoice_date, invoice_sent, language, number, payment_method, sub_total, tax_inclusive, total,
            total_tax, created_at, updated_at)
        VALUES (:id, :status, :ledger_account_id, :currency, :type, :accounting_by_row, :balance, :channel,
            :currency_rate, :customer_memo, :deposit, :discount_amount, :discount_percentage, :due_date,
            :invoice_date, :invoice_sent, :language, :number, :payment_method, :sub_total, :tax_inclusive,
            :total, :total_tax, :created_at, :updated_at)
        """,
        id=invoice_id,
        status=status,
        ledger_account_id=ledger_account_id,
        currency=currency,
        type=type,
        accounting_by_row=accounting_by_row,
        balance=balance,
        channel=channel,
        currency_rate=currency_rate,
        customer_memo=customer_memo,
        deposit=deposit,
        discount_amount=discount_amount,
        discount_percentage=discount_percentage,
        due_date=due_date,
        invoice_date=invoice_date,
        invoice_sent=invoice_sent,
        language=language,
        number=number,
        payment_method=payment_method,
        sub_total=sub_total,
        tax_inclusive=tax_inclusive,
        total=total,
        total_tax=total_tax,
        created_at=world.now,
        updated_at=world.now,
    )
    return read_invoice(world, invoice_id)


# Plays PATCH /accounting/invoices/{id}
@env.tool(
    writes=["invoices"],
    destructive=True,
    idempotent=True,
    candidates="SELECT id AS invoice_id, status FROM invoices",
)
def update_invoice(
    world: World,
    invoice_id: InvoiceId,
    status: BillStatus | None = None,
    ledger_account_id: LedgerAccountId | None = None,
    currency: Currency | None = None,
    type: InvoiceType | None = None,
    accounting_by_row: bool | None = None,
    balance: Number | None = None,
    channel: Line | None = None,
    currency_rate: Number | None = None,
    customer_memo: Line | None = None,
    deposit: Number | None = None,
    discount_amount: Number | None = None,
    discount_percentage: Number | None = None,
    due_date: Day | None = None,
    invoice_date: Day | None = None,
    invoice_sent: bool | None = None,
    language: Line | None = None,
    number: Line | None = None,
    payment_method: Line | None = None,
    sub_total: Number | None = None,
    tax_inclusive: bool | None = None,
    total: Number | None = None,
    total_tax: Number | None = None,
    clear: InvoiceClearable | None = None,
) -> Invoice:
    """Change the given fields of an invoice; the others keep their values.

    Args:
        invoice_id: Identifier of the invoice.
        status: Invoice status.
        ledger_account_id: The unique identifier for the account.
        currency: Indicates the associated currency for an amount of money.
        type: Invoice type.
        accounting_by_row: Indicates if accounting by row is used (true) or not (false).
        balance: Balance of invoice due.
        channel: The channel through which the transaction is processed.
        currency_rate: Currency Exchange Rate at the time entity was recorded/generated.
        customer_memo: Customer memo.
        deposit: Amount of deposit made to this invoice.
        discount_amount: Discount amount applied to this invoice.
        discount_percentage: Discount percentage applied to this invoice.
        due_date: The invoice due date is the date on which a payment or invoice is scheduled to be received by the
            seller - YYYY-MM-DD.
        invoice_date: Date invoice was issued - YYYY-MM-DD.
        invoice_sent: Invoice sent to contact/customer.
        language: language code according to ISO 639-1.
        number: Invoice number.
        payment_method: Payment method used for the transaction, such as cash, credit card, bank transfer, or check.
        sub_total: Sub-total amount, normally before tax.
        tax_inclusive: Amounts are including tax.
        total: Total amount of invoice, including tax.
        total_tax: Total tax amount applied to this invoice.
        clear: A field to empty.
    """
    read_invoice(world, invoice_id)
    if ledger_account_id is not None:
        read_ledger_account(world, ledger_account_id)
    world.run(
        """
        UPDATE invoices
        SET status = coalesce(:status, status),
            ledger_account_id = coalesce(:ledger_account_id, ledger_account_id),
            currency = coalesce(:currency, currency),
            type = coalesce(:type, type),
            accounting_by_row = coalesce(:accounting_by_row, accounting_by_row),
            balance = coalesce(:balance, balance),
            channel = coalesce(:channel, channel),
            currency_rate = coalesce(:currency_rate, currency_rate),
            customer_memo = coalesce(:customer_memo, customer_memo),
            deposit = coalesce(:deposit, deposit),
            discount_amount = coalesce(:discount_amount, discount_amount),
            discount_percentage = coalesce(:discount_percentage, discount_percentage),
            due_date = coalesce(:due_date, due_date),
            invoice_date = coalesce(:invoice_date, invoice_date),
            invoice_sent = coalesce(:invoice_sent, invoice_sent),
            language = coalesce(:language, language),
            number = coalesce(:number, number),
            payment_method = coalesce(:payment_method, payment_method),
            sub_total = coalesce(:sub_total, sub_total),
            tax_inclusive = coalesce(:tax_inclusive, tax_inclusive),
            total = coalesce(:total, total),
            total_tax = coalesce(:total_tax, total_tax),
            updated_at = :now
        WHERE id = :invoice_id
        """,
        status=status,
        ledger_account_id=ledger_account_id,
        currency=currency,
        type=type,
        accounting_by_row=accounting_by_row,
        balance=balance,
        channel=channel,
        currency_rate=currency_rate,
        customer_memo=customer_memo,
        deposit=deposit,
        discount_amount=discount_amount,
        discount_percentage=discount_percentage,
        due_date=due_date,
        invoice_date=invoice_date,
        invoice_sent=invoice_sent,
        language=language,
        number=number,
        payment_method=payment_method,
        sub_total=sub_total,
        tax_inclusive=tax_inclusive,
        total=total,
        total_tax=total_tax,
        now=world.now,
        invoice_id=invoice_id,
    )
    if clear is not None:
        world.run(f'UPDATE invoices SET "{clear}" = NULL WHERE id = :invoice_id', invoice_id=invoice_id)
    return read_invoice(world, invoice_id)


# Plays DELETE /accounting/invoices/{id}
@env.tool(
    writes=["invoices"],
    destructive=True,
    confirm=["invoice_id"],
    candidates="SELECT id AS invoice_id FROM invoices",
    refused={"not_found": "SELECT 'NOSUCH' AS invoice_id"},
)
def delete_invoice(world: World, invoice_id: InvoiceId) -> Deleted:
    """Delete an invoice.

    Args:
        invoice_id: Identifier of the invoice.
    """
    read_invoice(world, invoice_id)
    world.run("DELETE FROM invoices WHERE id = :invoice_id", invoice_id=invoice_id)
    return {"deleted": invoice_id}


# ---------------------------------------------------------------- purchase orders


def read_purchase_order(world: World, purchase_order_id: str, field: str = "purchase_order_id") -> PurchaseOrder:
    """The purchase order with that purchase_order_id; refused where there is none."""
    row = world.one("SELECT * FROM purchase_orders WHERE id = ?", purchase_order_id)
    if row is None:
        raise ToolError("not_found", f"There is no purchase order {purchase_order_id}.", field=field)
    return as_purchase_order(row)


def as_purchase_order(row: dict[str, Any]) -> PurchaseOrder:
    """A stored purchase order as tools return it."""
    converted = {
        "accounting_by_row": flag(row["accounting_by_row"]),
        "tax_inclusive": flag(row["tax_inclusive"]),
        "bank_account": parsed(row["bank_account"]),
    }
    return cast(PurchaseOrder, row | converted)


# Plays GET /accounting/purchase-orders
@env.tool(candidates="SELECT DISTINCT status FROM purchase_orders WHERE status IS NOT NULL")
def list_purchase_orders(
    world: World,
    status: PurchaseOrderStatus | None = None,
    ledger_account_id: LedgerAccountId | None = None,
    currency: Currency | None = None,
    limit: Annotated[int, Field(ge=1, le=30)] = 20,
    cursor: Cursor | None = None,
) -> PurchaseOrders:
    """List purchase orders, one page at a time; what is not given does not narrow the list.

    Args:
        status: Only purchase orders with this status.
        ledger_account_id: Only purchase orders with this ledger account ID.
        currency: Only purchase orders with this currency.
        limit: Most rows to return.
        cursor: The `next_cursor` of the page before.
    """
    start = int(cursor or 0)
    rows = world.all(
        """
        SELECT * FROM purchase_orders
        WHERE (:status IS NULL OR status = :status)
          AND (:ledger_account_id IS NULL OR ledger_account_id = :ledger_account_id)
          AND (:currency IS NULL OR currency = :currency)
        ORDER BY id
        """,
        status=status,
        ledger_account_id=ledger_account_id,
        currency=currency,
    )
    return {
        "purchase_orders": [as_purchase_order(row) for row in rows[start : start + limit]],
        "total": len(rows),
        "next_cursor": str(start + limit) if start + limit < len(rows) else None,
    }


# Plays GET /accounting/purchase-orders/{id}
@env.tool(
    candidates="SELECT id AS purchase_order_id FROM purchase_orders",
    refused={"not_found": "SELECT 'NOSUCH' AS purchase_order_id"},
)
def get_purchase_order(world: World, purchase_order_id: PurchaseOrderId) -> PurchaseOrder:
    """Return one purchase order.

    Args:
        purchase_order_id: Identifier of the purchase order.
    """
    return read_purchase_order(world, purchase_order_id)


# Plays POST /accounting/purchase-orders
@env.tool(writes=["purchase_orders"], candidates="SELECT status FROM purchase_orders")
def create_purchase_order(
    world: World,
    status: PurchaseOrderStatus,
    ledger_account_id: LedgerAccountId | None = None,
    currency: Currency | None = None,
    accounting_by_row: bool | None = None,
    channel: Line | None = None,
    currency_rate: Number | None = None,
    delivery_date: Day | None = None,
    discount_percentage: Number | None = None,
    due_date: Day | None = None,
    expected_arrival_date: Day | None = None,
    issued_date: Day | None = None,
    ledger_account_code: Line | None = None,
    memo: Line | None = None,
    payment_method: Line | None = None,
    po_number: Line | None = None,
    reference: Line | None = None,
    sub_total: Number | None = None,
    tax_code: Line | None = None,
    tax_inclusive: bool | None = None,
    total: Number | None = None,
    total_tax: Number | None = None,
    bank_account: BankAccount | None = None,
) -> PurchaseOrder:
    """Create a purchase order.

    Args:
        status: Purchase order status.
        ledger_account_id: The unique identifier for the account.
        currency: Indicates the associated currency for an amount of money.
        accounting_by_row: Indicates if accounting by row is used (true) or not (false).
        channel: The channel through which the transaction is processed.
        currency_rate: Currency Exchange Rate at the time entity was recorded/generated.
        delivery_date: The date on which the purchase order is to be delivered - YYYY-MM-DD.
        discount_percentage: Discount percentage applied to this transaction.
        due_date: The due date is the date on which a payment is scheduled to be received - YYYY-MM-DD.
        expected_arrival_date: The date on which the order is expected to arrive - YYYY-MM-DD.
        issued_date: Date purchase order was issued - YYYY-MM-DD.
        ledger_account_code: The code assigned to the account.
        memo: Message for the supplier.
        payment_method: Payment method used for the transaction, such as cash, credit card, bank transfer, or check.
        po_number: A PO Number uniquely identifies a purchase order and is generally defined by the buyer.
        reference: Optional purchase order reference.
        sub_total: Sub-total amount, normally before tax.
        tax_code: Applicable tax id/code override if tax is not supplied on a line item basis.
        tax_inclusive: Amounts are including tax.
        total: Total amount of invoice, including tax.
        total_tax: Total tax amount applied to this invoice.
        bank_account: Bank account of the purchase order.
    """
    if ledger_account_id is not None:
        read_ledger_account(world, ledger_account_id)
    purchase_order_id = world.new_code("purchase_orders.id")
    world.run(
        """
        INSERT INTO purchase_orders (id, status, ledger_account_id, currency, accounting_by_row, channel,
            currency_rate, delivery_date, discount_percentage, due_date, expected_arrival_date, issued_date,
            ledger_account_code, memo, payment_method, po_number, reference, sub_total, tax_code,
            tax_inclusive, total, total_tax, bank_account, created_at, updated_at)
        VALUES (:id, :status, :ledger_account_id, :currency, :accounting_by_row, :channel, :currency_rate,
            :delivery_date, :discount_percentage, :due_date, :expected_arrival_date, :issued_date,
            :ledger_account_code, :memo, :payment_method, :po_number, :reference, :sub_total, :tax_code,
            :tax_inclusive, :total, :total_tax, :bank_account, :created_at, :updated_at)
        """,
        id=purchase_order_id,
        status=status,
        ledger_account_id=ledger_account_id,
        currency=currency,
        accounting_by_row=accounting_by_row,
        channel=channel,
        currency_rate=currency_rate,
        delivery_date=delivery_date,
        discount_percentage=discount_percentage,
        due_date=due_date,
        expected_arrival_date=expected_arrival_date,
        issued_date=issued_date,
        ledger_account_code=ledger_account_code,
        memo=memo,
        payment_method=payment_method,
        po_number=po_number,
        reference=reference,
        sub_total=sub_total,
        tax_code=tax_code,
        tax_inclusive=tax_inclusive,
        total=total,
        total_tax=total_tax,
        bank_account=packed(bank_account),
        created_at=world.now,
        updated_at=world.now,
    )
    return read_purchase_order(world, purchase_order_id)


# Plays PATCH /accounting/purchase-orders/{id}
@env.tool(
    writes=["purchase_orders"],
    destructive=True,
    idempotent=True,
    candidates="SELECT id AS purchase_order_id, status FROM purchase_orders",
)
def update_purchase_order(
    world: World,
    purchase_order_id: PurchaseOrderId,
    status: PurchaseOrderStatus | None = None,
    ledger_account_id: LedgerAccountId | None = None,
    currency: Currency | None = None,
    accounting_by_row: bool | None = None,
    channel: Line | None = None,
    currency_rate: Number | None = None,
    delivery_date: Day | None = None,
    discount_percentage: Number | None = None,
    due_date: Day | None = None,
    expected_arrival_date: Day | None = None,
    issued_date: Day | None = None,
    ledger_account_code: Line | None = None,
    memo: Line | None = None,
    payment_method: Line | None = None,
    po_number: Line | None = None,
    reference: Line | None = None,
    sub_total: Number | None = None,
    tax_code: Line | None = None,
    tax_inclusive: bool | None = None,
    total: Number | None = None,
    total_tax: Number | None = None,
    bank_account: BankAccount | None = None,
    clear: PurchaseOrderClearable | None = None,
) -> PurchaseOrder:
    """Change the given fields of a purchase order; the others keep their values.

    Args:
        purchase_order_id: Identifier of the purchase order.
        status: Purchase order status.
        ledger_account_id: The unique identifier for the account.
        currency: Indicates the associated currency for an amount of money.
        accounting_by_row: Indicates if accounting by row is used (true) or not (false).
        channel: The channel through which the transaction is processed.
        currency_rate: Currency Exchange Rate at the time entity was recorded/generated.
        delivery_date: The date on which the purchase order is to be delivered - YYYY-MM-DD.
        discount_percentage: Discount percentage applied to this transaction.
        due_date: The due date is the date on which a payment is scheduled to be received - YYYY-MM-DD.
        expected_arrival_date: The date on which the order is expected to arrive - YYYY-MM-DD.
        issued_date: Date purchase order was issued - YYYY-MM-DD.
        ledger_account_code: The code assigned to the account.
        memo: Message for the supplier.
        payment_method: Payment method used for the transaction, such as cash, credit card, bank transfer, or check.
        po_number: A PO Number uniquely identifies a purchase order and is generally defined by the buyer.
        reference: Optional purchase order reference.
        sub_total: Sub-total amount, normally before tax.
        tax_code: Applicable tax id/code override if tax is not supplied on a line item basis.
        tax_inclusive: Amounts are including tax.
        total: Total amount of invoice, including tax.
        total_tax: Total tax amount applied to this invoice.
        bank_account: Bank account of the purchase order.
        clear: A field to empty.
    """
    read_purchase_order(world, purchase_order_id)
    if ledger_account_id is not None:
        read_ledger_account(world, ledger_account_id)
    world.run(
        """
        UPDATE purchase_orders
        SET status = coalesce(:status, status),
            ledger_account_id = coalesce(:ledger_account_id, ledger_account_id),
            currency = coalesce(:currency, currency),
            accounting_by_row = coalesce(:accounting_by_row, accounting_by_row),
            channel = coalesce(:channel, channel),
            currency_rate = coalesce(:currency_rate, currency_rate),
            delivery_date = coalesce(:delivery_date, delivery_date),
            discount_percentage = coalesce(:discount_percentage, discount_percentage),
            due_date = coalesce(:due_date, due_date),
            expected_arrival_date = coalesce(:expected_arrival_date, expected_arrival_date),
            issued_date = coalesce(:issued_date, issued_date),
            ledger_account_code = coalesce(:ledger_account_code, ledger_account_code),
            memo = coalesce(:memo, memo),
            payment_method = coalesce(:payment_method, payment_method),
            po_number = coalesce(:po_number, po_number),
            reference = coalesce(:reference, reference),
            sub_total = coalesce(:sub_total, sub_total),
            tax_code = coalesce(:tax_code, tax_code),
            tax_inclusive = coalesce(:tax_inclusive, tax_inclusive),
            total = coalesce(:total, total),
            total_tax = coalesce(:total_tax, total_tax),
            bank_account = coalesce(:bank_account, bank_account),
            updated_at = :now
        WHERE id = :purchase_order_id
        """,
        status=status,
        ledger_account_id=ledger_account_id,
        currency=currency,
        accounting_by_row=accounting_by_row,
        channel=channel,
        currency_rate=currency_rate,
        delivery_date=delivery_date,
        discount_percentage=discount_percentage,
        due_date=due_date,
        expected_arrival_date=expected_arrival_date,
        issued_date=issued_date,
        ledger_account_code=ledger_account_code,
        memo=memo,
        payment_method=payment_method,
        po_number=po_number,
        reference=reference,
        sub_total=sub_total,
        tax_code=tax_code,
        tax_inclusive=tax_inclusive,
        total=total,
        total_tax=total_tax,
        bank_account=packed(bank_account),
        now=world.now,
        purchase_order_id=purchase_order_id,
    )
    if clear is not None:
        world.run(
            f'UPDATE purchase_orders SET "{clear}" = NULL WHERE id = :purchase_order_id',
            purchase_order_id=purchase_order_id,
        )
    return read_purchase_order(world, purchase_order_id)


# Plays DELETE /accounting/purchase-orders/{id}
@env.tool(
    writes=["purchase_orders"],
    destructive=True,
    confirm=["purchase_order_id"],
    candidates="SELECT id AS purchase_order_id FROM purchase_orders",
    refused={"not_found": "SELECT 'NOSUCH' AS purchase_order_id"},
)
def delete_purchase_order(world: World, purchase_order_id: PurchaseOrderId) -> Deleted:
    """Delete a purchase order.

    Args:
        purchase_order_id: Identifier of the purchase order.
    """
    read_purchase_order(world, purchase_order_id)
    world.run("DELETE FROM purchase_orders WHERE id = :purchase_order_id", purchase_order_id=purchase_order_id)
    return {"deleted": purchase_order_id}


# ---------------------------------------------------------------- suppliers


def read_supplier(world: World, supplier_id: str, field: str = "supplier_id") -> Supplier:
    """The supplier with that supplier_id; refused where there is none."""
    row = world.one("SELECT * FROM suppliers WHERE id = ?", supplier_id)
    if row is None:
        raise ToolError("not_found", f"There is no supplier {supplier_id}.", field=field)
    return as_supplier(row)


def as_supplier(row: dict[str, Any]) -> Supplier:
    """A stored supplier as tools return it."""
    converted = {
        "individual": flag(row["individual"]),
        "addresses": parsed(row["addresses"]),
        "bank_accounts": parsed(row["bank_accounts"]),
        "emails": parsed(row["emails"]),
        "phone_numbers": parsed(row["phone_numbers"]),
    }
    return cast(Supplier, row | converted)


# Plays GET /accounting/suppliers
@env.tool(candidates="SELECT DISTINCT company_name FROM suppliers WHERE company_name IS NOT NULL")
def list_suppliers(
    world: World,
    company_name: Line | None = None,
    display_name: Line | None = None,
    first_name: Line | None = None,
    last_name: Line | None = None,
    tax_rate_id: TaxRateId | None = None,
    currency: Currency | None = None,
    status: CustomerStatus | None = None,
    limit: Annotated[int, Field(ge=1, le=10)] = 10,
    cursor: Cursor | None = None,
) -> Suppliers:
    """List suppliers, one page at a time; what is not given does not narrow the list.

    Args:
        company_name: Only suppliers with this company name.
        display_name: Only suppliers with this display name.
        first_name: Only suppliers with this first name.
        last_name: Only suppliers with this last name.
        tax_rate_id: Only suppliers with this tax rate ID.
        currency: Only suppliers with this currency.
        status: Only suppliers with this status.
        limit: Most rows to return.
        cursor: The `next_cursor` of the page before.
    """
    start = int(cursor or 0)
    rows = world.all(
        """
        SELECT * FROM suppliers
        WHERE (:company_name IS NULL OR company_name = :company_name COLLATE NOCASE)
          AND (:display_name IS NULL OR display_name = :display_name COLLATE NOCASE)
          AND (:first_name IS NULL OR first_name = :first_name COLLATE NOCASE)
          AND (:last_name IS NULL OR last_name = :last_name COLLATE NOCASE)
          AND (:tax_rate_id IS NULL OR tax_rate_id = :tax_rate_id)
          AND (:currency IS NULL OR currency = :currency)
          AND (:status IS NULL OR status = :status)
        ORDER BY id
        """,
        company_name=company_name,
        display_name=display_name,
        first_name=first_name,
        last_name=last_name,
        tax_rate_id=tax_rate_id,
        currency=currency,
        status=status,
    )
    return {
        "suppliers": [as_supplier(row) for row in rows[start : start + limit]],
        "total": len(rows),
        "next_cursor": str(start + limit) if start + limit < len(rows) else None,
    }


# Plays GET /accounting/suppliers/{id}
@env.tool(candidates="SELECT id AS supplier_id FROM suppliers", refused={"not_found": "SELECT 'NOSUCH' AS supplier_id"})
def get_supplier(world: World, supplier_id: SupplierId) -> Supplier:
    """Return one supplier.

    Args:
        supplier_id: Identifier of the supplier.
    """
    return read_supplier(world, supplier_id)


# Plays POST /accounting/suppliers
@env.tool(writes=["suppliers"], candidates="SELECT display_name FROM suppliers")
def create_supplier(
    world: World,
    display_name: Line,
    title: Line | None = None,
    tax_rate_id: TaxRateId | None = None,
    currency: Currency | None = None,
    status: CustomerStatus | None = None,
    account_code: Line | None = None,
    account_nominal_code: Line | None = None,
    channel: Line | None = None,
    company_name: Line | None = None,
    first_name: Line | None = None,
    individual: bool | None = None,
    last_name: Line | None = None,
    middle_name: Line | None = None,
    payment_method: Line | None = None,
    suffix: Line | None = None,
    tax_number: Line | None = None,
    tax_rate_rate: Number | None = None,
    notes: Prose | None = None,
    addresses: list[Address] | None = None,
    bank_accounts: list[SupplierBankAccount] | None = None,
    emails: list[Email] | None = None,
    phone_numbers: list[PhoneNumber] | None = None,
) -> Supplier:
    """Create a supplier.

    Args:
        display_name: Display name.
        title: The job title of the person.
        tax_rate_id: The ID of the object.
        currency: Indicates the associated currency for an amount of money.
        status: Supplier status.
        account_code: The code assigned to the account.
        account_nominal_code: The nominal code of the account.
        channel: The channel through which the transaction is processed.
        company_name: The name of the company.
        first_name: The first name of the person.
        individual: Is this an individual or business supplier.
        last_name: The last name of the person.
        middle_name: Middle name of the person.
        payment_method: Payment method used for the transaction, such as cash, credit card, bank transfer, or check.
        suffix: Suffix.
        tax_number: Tax number.
        tax_rate_rate: Rate of the tax rate.
        notes: Some notes about this supplier.
        addresses: Addresses of the supplier.
        bank_accounts: Bank accounts of the supplier.
        emails: Emails of the supplier.
        phone_numbers: Phone numbers of the supplier.
    """
    if tax_rate_id is not None:
        read_tax_rate(world, tax_rate_id)
    supplier_id = world.new_code("suppliers.id")
    world.run(
        """
        INSERT INTO suppliers (id, display_name, title, tax_rate_id, currency, status, account_code,
            account_nominal_code, channel, company_name, first_name, individual, last_name, middle_name,
            payment_method, suffix, tax_number, tax_rate_rate, notes, addresses, bank_accounts, emails,
            phone_numbers, created_at, updated_at)
        VALUES (:id, :display_name, :title, :tax_rate_id, :currency, :status, :account_code,
            :account_nominal_code, :channel, :company_name, :first_name, :individual, :last_name,
            :middle_name, :payment_method, :suffix, :tax_number, :tax_rate_rate, :notes, :addresses,
            :bank_accounts, :emails, :phone_numbers, :created_at, :updated_at)
        """,
        id=supplier_id,
        display_name=display_name,
        title=title,
        tax_rate_id=tax_rate_id,
        currency=currency,
        status=status,
        account_code=account_code,
        account_nominal_code=account_nominal_code,
        channel=channel,
        company_name=company_name,
        first_name=first_name,
        individual=individual,
        last_name=last_name,
        middle_name=middle_name,
        payment_method=payment_method,
        suffix=suffix,
        tax_number=tax_number,
        tax_rate_rate=tax_rate_rate,
        notes=notes,
        addresses=packed(addresses),
        bank_accounts=packed(bank_accounts),
        emails=packed(emails),
        phone_numbers=packed(phone_numbers),
        created_at=world.now,
        updated_at=world.now,
    )
    return read_supplier(world, supplier_id)


# Plays PATCH /accounting/suppliers/{id}
@env.tool(
    writes=["suppliers"],
    destructive=True,
    idempotent=True,
    candidates="SELECT id AS supplier_id, display_name FROM suppliers",
)
def update_supplier(
    world: World,
    supplier_id: SupplierId,
    display_name: Line | None = None,
    title: Line | None = None,
    tax_rate_id: TaxRateId | None = None,
    currency: Currency | None = None,
    status: CustomerStatus | None = None,
    account_code: Line | None = None,
    account_nominal_code: Line | None = None,
    channel: Line | None = None,
    company_name: Line | None = None,
    first_name: Line | None = None,
    individual: bool | None = None,
    last_name: Line | None = None,
    middle_name: Line | None = None,
    payment_method: Line | None = None,
    suffix: Line | None = None,
    tax_number: Line | None = None,
    tax_rate_rate: Number | None = None,
    notes: Prose | None = None,
    addresses: list[Address] | None = None,
    bank_accounts: list[SupplierBankAccount] | None = None,
    emails: list[Email] | None = None,
    phone_numbers: list[PhoneNumber] | None = None,
    clear: SupplierClearable | None = None,
) -> Supplier:
    """Change the given fields of a supplier; the others keep their values.

    Args:
        supplier_id: Identifier of the supplier.
        display_name: Display name.
        title: The job title of the person.
        tax_rate_id: The ID of the object.
        currency: Indicates the associated currency for an amount of money.
        status: Supplier status.
        account_code: The code assigned to the account.
        account_nominal_code: The nominal code of the account.
        channel: The channel through which the transaction is processed.
        company_name: The name of the company.
        first_name: The first name of the person.
        individual: Is this an individual or business supplier.
        last_name: The last name of the person.
        middle_name: Middle name of the person.
        payment_method: Payment method used for the transaction, such as cash, credit card, bank transfer, or check.
        suffix: Suffix.
        tax_number: Tax number.
        tax_rate_rate: Rate of the tax rate.
        notes: Some notes about this supplier.
        addresses: Addresses of the supplier.
        bank_accounts: Bank accounts of the supplier.
        emails: Emails of the supplier.
        phone_numbers: Phone numbers of the supplier.
        clear: A field to empty.
    """
    read_supplier(world, supplier_id)
    if tax_rate_id is not None:
        read_tax_rate(world, tax_rate_id)
    world.run(
        """
        UPDATE suppliers
        SET display_name = coalesce(:display_name, display_name),
            title = coalesce(:title, title),
            tax_rate_id = coalesce(:tax_rate_id, tax_rate_id),
            currency = coalesce(:currency, currency),
            status = coalesce(:status, status),
            account_code = coalesce(:account_code, account_code),
            account_nominal_code = coalesce(:account_nominal_code, account_nominal_code),
            channel = coalesce(:channel, channel),
            company_name = coalesce(:company_name, company_name),
            first_name = coalesce(:first_name, first_name),
            individual = coalesce(:individual, individual),
            last_name = coalesce(:last_name, last_name),
            middle_name = coalesce(:middle_name, middle_name),
            payment_method = coalesce(:payment_method, payment_method),
            suffix = coalesce(:suffix, suffix),
            tax_number = coalesce(:tax_number, tax_number),
            tax_rate_rate = coalesce(:tax_rate_rate, tax_rate_rate),
            notes = coalesce(:notes, notes),
            addresses = coalesce(:addresses, addresses),
            bank_accounts = coalesce(:bank_accounts, bank_accounts),
            emails = coalesce(:emails, emails),
            phone_numbers = coalesce(:phone_numbers, phone_numbers),
            updated_at = :now
        WHERE id = :supplier_id
        """,
        display_name=display_name,
        title=title,
        tax_rate_id=tax_rate_id,
        currency=currency,
        status=status,
        account_code=account_code,
        account_nominal_code=account_nominal_code,
        channel=channel,
        company_name=company_name,
        first_name=first_name,
        individual=individual,
        last_name=last_name,
        middle_name=middle_name,
        payment_method=payment_method,
        suffix=suffix,
        tax_number=tax_number,
        tax_rate_rate=tax_rate_rate,
        notes=notes,
        addresses=packed(addresses),
        bank_accounts=packed(bank_accounts),
        emails=packed(emails),
        phone_numbers=packed(phone_numbers),
        now=world.now,
        supplier_id=supplier_id,
    )
    if clear is not None:
        world.run(f'UPDATE suppliers SET "{clear}" = NULL WHERE id = :supplier_id', supplier_id=supplier_id)
    return read_supplier(world, supplier_id)


# Plays DELETE /accounting/suppliers/{id}
@env.tool(
    writes=["suppliers"],
    destructive=True,
    confirm=["supplier_id"],
    candidates="SELECT id AS supplier_id FROM suppliers",
    refused={"not_found": "SELECT 'NOSUCH' AS supplier_id"},
)
def delete_supplier(world: World, supplier_id: SupplierId) -> Deleted:
    """Delete a supplier.

    Args:
        supplier_id: Identifier of the supplier.
    """
    read_supplier(world, supplier_id)
    world.run("DELETE FROM suppliers WHERE id = :supplier_id", supplier_id=supplier_id)
    return {"deleted": supplier_id}


if __name__ == "__main__":
    env.serve()
