"""Amounts of one row that depend on each other: totals are made of their parts, and what is due of what is not paid."""

from __future__ import annotations

import re

from ..model import Field, Resource, Row

_TOTAL = re.compile(r"^(grand_)?total(_amount|_price|_cost|_value)?$|^(amount|gross)_total$|^gross(_amount)?$")
_NET = re.compile(r"^sub_?total(_amount)?$|^net(_amount|_total)?$|^total_(net|before_tax|excl\w*)$")
_MORE = re.compile(
    r"^(total_)?(tax|vat|tip|shipping|service_charge|surcharge|fee|handling)(_amount|_total|_cost|_price)?s?$"
)
_LESS = re.compile(r"^(total_)?(discount|rebate)(_amount|_total)?s?$")
_QUANTITY = re.compile(r"^(quantity|qty|units)$")
_UNIT_PRICE = re.compile(r"^(unit_(price|cost|amount)|price_per_unit)$")
_LINE = re.compile(r"^(line_)?(total|amount)(_amount|_price)?$")
_PAID = re.compile(r"^(amount_|total_)?paid(_amount)?$")
_DUE = re.compile(r"^(balance|amount_due|balance_due|outstanding|total_due)$")


def add_up(resource: Resource, row: Row) -> None:
    """Make the amounts of a row agree, in place; what is missing counts as nothing, and stays missing."""
    fields = [one for one in resource.fields if one.kind in ("integer", "number") and one.role == "plain"]
    total, net = _one(fields, _TOTAL), _one(fields, _NET)
    quantity, price = _one(fields, _QUANTITY), _one(fields, _UNIT_PRICE)
    line = net or _one(fields, _LINE)
    if quantity and price and line and None not in (row[quantity.name], row[price.name], row[line.name]):
        _set(line, row, row[quantity.name] * row[price.name])
    if total and net and row[total.name] is not None and row[net.name] is not None:
        more = sum(row[one.name] or 0 for one in fields if _MORE.match(one.name))
        less = min(sum(row[one.name] or 0 for one in fields if _LESS.match(one.name)), row[net.name])
        _set(total, row, row[net.name] + more - less)
    paid, due = _one(fields, _PAID), _one(fields, _DUE)
    if total and due and row[total.name] is not None and row[due.name] is not None:
        if paid and row[paid.name] is not None:
            _set(paid, row, min(row[paid.name], row[total.name]))
        _set(due, row, row[total.name] - ((row[paid.name] or 0) if paid else 0))


def _one(fields: list[Field], pattern: re.Pattern[str]) -> Field | None:
    return next((one for one in fields if pattern.match(one.name)), None)


def _set(field: Field, row: Row, value: float) -> None:
    """Write an amount in the field's own kind, unless it would leave the field's bounds."""
    if (field.maximum is not None and value > field.maximum) or (field.minimum is not None and value < field.minimum):
        return
    row[field.name] = round(value) if field.kind == "integer" else round(float(value), 2)
