"""What a source is about, in one or two words: told by its title first, then by its tables and what it says itself."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable

from .model import Model
from .naming import words

_DOMAINS: dict[str, str] = {
    "sales": r"crm|sales|leads?|opportunit\w+|prospects?|deals?|customers? relationship|pipelines?",
    "finance": r"accounting|invoic\w+|ledgers?|bank\w*|payments?|billing|tax\w*|payroll|loans?|wallets?|journal|"
    r"credit|finance|financial|mandates?|payouts?|bookkeeping|expenses?",
    "commerce": r"ecommerce|commerce|e-commerce|shop\w*|stores?|carts?|checkout|merchants?|products?|orders?|"
    r"pos|catalogs?|retail|refunds?|coupons?|menus?|tenders",
    "communication": r"email|e-mail|mail\w*|sms|messag\w+|chat|calls?|voice|telephony|phone|inbox|newsletters?|"
    r"notifications?|conversations?|gmail|campaigns?|fax|meetings?",
    "calendar": r"calendars?|appointments?|bookings?|schedul\w+ (?:api|service)|availability|events?",
    "people": r"hris|hr|employees?|human resources|recruit\w*|applicants?|ats|time.?off|departments?|"
    r"jobs? (?:board|posting)s?|timesheets?|payrolls?|talent",
    "projects": r"projects?|issues?|tickets?|tasks?|tracking|kanban|boards?|milestones?|sprints?|todos?|"
    r"help.?desk|support desk",
    "content": r"blog\w*|posts?|cms|articles?|pages?|publish\w*|documents?|files?|drive|folders?|wiki|"
    r"dictionar\w+|translation|comments?|storage|languages?",
    "media": r"video|audio|music|photos?|images?|playlists?|stream\w*|channels?|broadcast|podcasts?|movies?|"
    r"media|albums?",
    "travel": r"travel|flights?|hotels?|airlines?|trips?|itinerar\w+|cars? rental|ride|airports?",
    "places": r"maps?|places?|geo\w*|locations?|tiles?|routes? planning|addresses|weather|transit",
    "health": r"health\w*|patients?|medical|clinic\w*|fhir|hospital|fitness|doctors?|nutrition|genom\w+",
    "education": r"courses?|classrooms?|students?|education|school|teachers?|learning|quiz\w*|lessons?",
    "devices": r"iot|devices?|sensors?|telemetry|fleet|things|firmware|smart home|rfid|spots?|"
    r"presences?|vehicles?|readers?|edge",
    "network": r"\w*dns|domains?|zones?|network\w*|vpc|firewalls?|load balanc\w+|cdn|proxy|mesh|gateways?|"
    r"ip address\w*|vpn|lattice|hosting",
    "security": r"security|identity|auth(?:entication|orization|n|z)?|oauth|iam|access|secrets?|keys?|certificates?|"
    r"vault|threats?|"
    r"compliance|audit\w*|passwords?|permissions?|encryption|risk",
    "data": r"data\w*|analytics|tables?|quer\w+|metrics?|machine learning|ml|ai|models?|pipelines?|etl|"
    r"warehouse|big.?query|elasticsearch|kafka|catalog|statistics|experiments?|dashboards?|observability|"
    r"monitor\w*|logs?",
    "cloud": r"cloud|airflow|dags?|compute|instances?|clusters?|containers?|kubernetes|serverless|lambda|deploy\w*|"
    r"infrastructure|vms?|backup|aws|amazon|azure|resources? manager|app engine|orchestrat\w+|workflows?",
    "developer tools": r"repositor\w+|git\w*|builds?|ci|registry|artifacts?|schemas?|webhooks?|code|releases?|"
    r"developers?|testing|sdk",
    "government": r"government|gov|public sector|elections?|parliament|legislation|statistics office|civic|"
    r"council",
    "games": r"games?|players?|leaderboards?|achievements?|matchmaking|gaming",
    "logistics": r"shipping|shipments?|logistics|warehous\w+|deliver\w+|freight|parcels?|inventory|carriers?|"
    r"suppl\w+|labels? printing",
    "property": r"real estate|propert\w+|buildings?|tenants?|leases?|rentals?|housing",
    "social": r"social|followers?|tweets?|friends?|feeds?|communities|profiles?|forums?",
    "marketing": r"marketing|advert\w*|ads?|campaigns?|audiences?|seo|segments?|affiliate|vouchers?|loyalty|"
    r"promotions?|surveys?",
}  # fmt: skip
"""Domain → words that speak for it; the order decides between equals."""

_GENERAL = "general"


def domain_of(model: Model) -> str:
    """The domain of a model."""
    return domain_of_text(model.title, [words(one.table) for one in model.resources], model.summary, model.domain)


def domain_of_text(title: str, tables: Iterable[str], summary: str, category: str = "") -> str:
    """The domain for which most speaks.

    Args:
        title: Of the source; a word in it counts most.
        tables: Names of its tables, in words.
        summary: What it says about itself.
        category: What a directory calls it, if any.
    """
    points: Counter[str] = Counter()
    for name, pattern in _DOMAINS.items():
        speaks = re.compile(rf"\b(?:{pattern})\b", re.I)
        points[name] += 6 * len(set(map(str.lower, speaks.findall(title))))
        points[name] += 2 * sum(bool(speaks.search(table)) for table in tables)
        points[name] += min(4, len(speaks.findall(summary)))
        points[name] += 2 * bool(speaks.search(category.replace("_", " ")) or category.replace("_", " ") == name)
    best, count = max(points.items(), key=lambda pair: pair[1])
    return best if count else _GENERAL
