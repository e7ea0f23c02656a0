"""Pages that a client can read: a list returns no more rows at once than fit into one tool result."""

from __future__ import annotations

import json
from dataclasses import replace

from ..model import Model, Resource
from .data import Data

ROOM = 28_000
"""Characters of rows on one page; tool results may have 40,000, and rows grow when they are changed."""


def fit_pages(model: Model, data: Data) -> Model:
    """The model with page sizes that its rows allow; sizes that already fit stay as documented."""
    return replace(model, resources=tuple(_fitted(resource, data) for resource in model.resources))


def _round(number: int) -> int:
    """The number with one digit that is not zero, as people choose limits: 137 → 100, 88 → 80, 25 → 20."""
    step = int("1" + "0" * (len(str(number)) - 1))
    return number // step * step


def _fitted(resource: Resource, data: Data) -> Resource:
    listing = resource.listing
    shown = [{one.name: row[one.name] for one in resource.shown} for row in data[resource.table]]
    widest = max((len(json.dumps(row, ensure_ascii=False)) for row in shown), default=1)
    most = max(2, min(listing.max_limit, _round(ROOM // widest)))
    if most == listing.max_limit:
        return resource
    return resource.with_(listing=replace(listing, max_limit=most, default_limit=min(listing.default_limit, most)))
