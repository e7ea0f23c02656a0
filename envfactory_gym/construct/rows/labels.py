"""What rows are called: names that suit the kind of thing, told by the last words of its table.

A desk is "Walnut desk", a ticket "Renew the licence", a queue "orders-export": people name technical
things in lower case with dashes, everything else in words.
"""

from __future__ import annotations

import re

from ..naming import words
from . import lexicon
from .dice import Dice

_GOODS = (
    ("Ash", "Bamboo", "Brass", "Ceramic", "Copper", "Cork", "Cotton", "Denim", "Felt", "Glass", "Leather", "Linen",
     "Maple", "Marble", "Oak", "Pine", "Porcelain", "Rattan", "Steel", "Stoneware", "Velvet", "Walnut", "Wool"),
    ("apron", "bench", "blanket", "bookcase", "bowl", "cabinet", "chair", "coat rack", "cushion", "desk", "jug",
     "kettle", "lamp", "mirror", "mug set", "notebook", "plate", "rug", "shelf", "stool", "table", "tray", "vase"),
)  # fmt: skip
_CHORES = (
    ("Check", "Document", "Extend", "Fix", "Merge", "Migrate", "Order", "Plan", "Prepare", "Rename", "Renew", "Repair",
     "Replace", "Restore", "Review", "Test", "Translate", "Update"),
    ("the billing export", "the booking form", "the contact list", "the delivery note", "the floor plan",
     "the invoice layout", "the login page", "the mailing list", "the meter readings", "the month-end report",
     "the office licence", "the payment terms", "the price list", "the product photos", "the rental contract",
     "the search index", "the shift plan", "the supplier file", "the warranty terms", "the weekly backup"),
)  # fmt: skip
_EVENTS = (
    ("Annual", "Autumn", "Closing", "Evening", "External", "First", "Follow-up", "Internal", "Joint", "Midsummer",
     "Monthly", "Morning", "Open", "Quarterly", "Regional", "Second", "Spring", "Weekly", "Winter"),
    lexicon.SUBJECTS,
)  # fmt: skip
_SITES = (
    ("Abbey", "Bridge", "Canal", "Castle", "Central", "Dockside", "Eastgate", "Garden", "Harbour", "Hillside",
     "Lakeside", "Market", "Meadow", "Mill", "Northgate", "Orchard", "Riverside", "Station", "Tower", "Westgate"),
    ("annex", "arcade", "centre", "corner", "depot", "hall", "house", "lodge", "pavilion", "point", "quarter", "row",
     "square", "terrace", "wharf", "yard"),
)  # fmt: skip
_TEAMS = (
    ("Business", "Central", "Customer", "Data", "Event", "Export", "Facility", "Field", "Finance", "Inbound", "Key",
     "Legal", "Logistics", "Night", "Northern", "Partner", "Product", "Quality", "Regional", "Southern", "Weekend"),
    ("accounts", "analysts", "buyers", "care", "crew", "desk", "engineers", "office", "operations", "planners",
     "sales", "services", "support", "trainers", "volunteers"),
)  # fmt: skip
_ROLES = (
    ("Accounting", "Archive", "Billing", "Catalogue", "Content", "Delivery", "Event", "Fleet", "Office", "Order",
     "Partner", "Payroll", "Project", "Report", "Sales", "Shift", "Site", "Stock", "Support", "Training"),
    ("administrator", "approver", "assistant", "auditor", "coordinator", "editor", "lead", "manager", "operator",
     "planner", "reviewer", "specialist", "viewer"),
)  # fmt: skip
_TITLES = (
    ("Annual", "Beginner's", "Brief", "Combined", "Complete", "Concise", "Draft", "Extended", "Field", "Illustrated",
     "Interim", "Local", "New", "Practical", "Revised", "Second", "Short", "Technical", "Updated", "Visitor's"),
    ("atlas", "budget", "catalogue", "chronicle", "guide", "handbook", "inventory", "letter", "manual", "minutes",
     "newsletter", "notes", "overview", "plan", "price list", "programme", "report", "review", "summary", "survey"),
)  # fmt: skip
_CAMPAIGNS = (
    ("Autumn", "Back-to-school", "Black Friday", "Early bird", "Easter", "Harvest", "Holiday", "Launch", "Loyalty",
     "Midsummer", "New Year", "Open day", "Referral", "Reopening", "Spring", "Summer", "Welcome", "Winter"),
    ("bundle", "clearance", "deal", "drive", "giveaway", "newsletter", "offer", "preview", "promotion", "sale",
     "special", "weekend"),
)  # fmt: skip
_CLASSES = (
    ("Alpine", "Basic", "Bulk", "Classic", "Comfort", "Economy", "Express", "Extra", "Family", "First", "Local",
     "Premium", "Reduced", "Regular", "Seasonal", "Select", "Small", "Special", "Standard", "Student", "Weekend"),
    ("accessories", "bookings", "consumables", "furniture", "goods", "imports", "materials", "parts", "purchases",
     "rentals", "repairs", "sales", "services", "supplies", "tickets", "tools", "travel"),
)  # fmt: skip
_TECHNICAL: tuple[tuple[str, ...], tuple[str, ...]] = (
    ("audit", "billing", "booking", "catalog", "checkout", "crm", "delivery", "events", "fraud", "images", "invoices",
     "ledger", "logs", "mail", "metrics", "mobile", "orders", "partners", "payments", "portal", "pricing", "reports",
     "returns", "search", "sessions", "shipping", "signup", "stock", "support", "web"),
    ("archive", "backup", "batch", "cache", "canary", "core", "daily", "demo", "dev", "edge", "eu", "export", "feed",
     "import", "internal", "main", "mirror", "nightly", "prod", "public", "replica", "shared", "staging", "sync",
     "test", "us"),
)  # fmt: skip

_KINDS: tuple[tuple[str, tuple[tuple[str, ...], tuple[str, ...]]], ...] = (
    (r"product|item|good|article|part|sku|variant|material|equipment|asset|inventory|bill_?line|line_item", _GOODS),
    (r"task|issue|ticket|case|todo|card|incident|bug|request|milestone|job_posting|suggestion|activity_item", _CHORES),
    (r"event|meeting|appointment|activity|note|opportunity|deal|visit|session|interview|call|order|quote|booking|topic",
     _EVENTS),
    (r"location|store|site|branch|warehouse|venue|office|shop|facility|room|place|building|station|presence|spot",
     _SITES),
    (r"team|group|department|division|segment|audience|community|circle|club|squad|unit", _TEAMS),
    (r"role|permission|privilege|position", _ROLES),
    (r"document|file|folder|page|post|blog|report|form|survey|book|letter|attachment|drive|media|album|collection|"
     r"calendar|list|playlist|library|board|project|plan|story|chapter|lesson|course|quiz|message|thread|draft",
     _TITLES),
    (r"campaign|promotion|discount|coupon|voucher|offer|ad$|ads$|advert", _CAMPAIGNS),
    (r"category|categories|type|class|kind|tax|rate|account|ledger|modifier|tag|label|stage|status|tender|method|fee",
     _CLASSES),
    (r"pipeline|workflow|dag|function|schedule|trigger|rule|flow|script|process|build|deploy|experiment|model|dataset|"
     r"table|view|database|schema|bucket|queue|stream|index|cluster|instance|server|host|node|network|subnet|"
     r"volume|repo|app|service|endpoint|gateway|api|environment|stage|namespace|workspace|stack|template|image|"
     r"container|policy|key|secret|token|certificate|connection|connector|integration|hook|config|parameter|variable|property|attribute|setting|"
     r"pool|channel|domain|record|listener|target|artifact|version|package|registry|monitor|alert|dashboard|crawler|"
     r"job|run|recipe|provider|resource|device|profile|fleet|feature|launch|filter|detector|proxy|agent|mesh|route|"
     r"plugin|extension|backup|vault|zone|access|identity|user_?pool|distribution|firewall|space|lake", _TECHNICAL),
)  # fmt: skip


def named_thing(one: str, dice: Dice, *, technical: bool = False) -> str:
    """A name for a thing.

    Args:
        one: Name of one row of its table, such as `order_line`.
        dice: Chooses.
        technical: Whether things of this environment are named by machines rather than by people.
    """
    pool = _pool(one)
    if technical or pool is _TECHNICAL:
        first, second = _TECHNICAL
        return f"{dice.pick(first)}-{dice.pick(second)}"
    if pool is None:
        noun = words(one).split()[-1]
        return f"{dice.pick(lexicon.COMPANY_FIRST)} {noun if noun.isupper() else noun.lower()}"
    first, second = pool
    return f"{dice.pick(first)} {dice.pick(second)}"


def _pool(one: str) -> tuple[tuple[str, ...], tuple[str, ...]] | None:
    """The names that suit: by the last word, by any other word, by how a word that is written in one ends."""
    words_ = one.split("_")
    for word in [words_[-1], *words_[:-1]]:
        for pattern, pool in _KINDS:
            if re.fullmatch(f"(?:{pattern})(?:e?s)?", word):
                return pool
    ending = words_[-1]
    return next((pool for pattern, pool in _KINDS if re.search(f"(?:{pattern})(?:e?s)?$", ending)), None)


def blended(one: str, other: str) -> str | None:
    """A new name in the manner of two others: the first word of one, the rest of the other; None for single words."""
    for mark in (" ", "-"):
        if mark in one and mark in other:
            return one.partition(mark)[0] + mark + other.partition(mark)[2]
    return None
