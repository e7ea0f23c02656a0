"""The companies of the universe: those whose desks are environments, and those where people work and buy.

Every name is invented. A company that runs an environment is named by it, so that one purchase has one
counterparty everywhere: in the shop's own tables, on the bank statement and in the mailbox.
"""

from __future__ import annotations

from typing import NamedTuple

from generated_servers.universe.clock import Row
from generated_servers.universe.places import address


class Company(NamedTuple):
    """What is known of a company before it is drawn an address."""

    name: str
    industry: str
    city: str
    country: str
    environment: str | None = None


COMPANIES = (
    Company("Everfield Air", "airline", "Copenhagen", "Denmark", "airline"),
    Company("Lanternhouse Hotels", "hotels", "London", "United Kingdom", "hotel"),
    Company("Nordlight Home", "retail", "Copenhagen", "Denmark", "retail"),
    Company("Swapyard", "marketplace", "London", "United Kingdom", "marketplace"),
    Company("Harbourgate Bank", "banking", "London", "United Kingdom", "banking"),
    Company("Castor Invest", "brokerage", "New York", "United States", "brokerage"),
    Company("Tablewise", "restaurants", "London", "United Kingdom", "restaurants"),
    Company("Tellwave Mobile", "telecom", "Copenhagen", "Denmark", "telecom"),
    Company("Brightloom Software", "software", "Copenhagen", "Denmark", "code_hosting"),
    Company("Quillstone Software", "software", "New York", "United States"),
    Company("Marrow & Finch", "law", "London", "United Kingdom"),
    Company("Oakhurst Consulting", "consulting", "London", "United Kingdom"),
    Company("Kestrel Analytics", "consulting", "New York", "United States"),
    Company("Fjordline Logistics", "logistics", "Copenhagen", "Denmark"),
    Company("Aldermoor Hospital", "health", "London", "United Kingdom"),
    Company("Vesterport Clinic", "health", "Copenhagen", "Denmark"),
    Company("Hudson Lane School", "education", "New York", "United States"),
    Company("Nyhavn College", "education", "Copenhagen", "Denmark"),
    Company("Pelican Press", "publishing", "London", "United Kingdom"),
    Company("Rosewood Architects", "architecture", "New York", "United States"),
    Company("Terraform Gardens", "landscaping", "Lyon", "France"),
    Company("Helios Energy", "energy", "Athens", "Greece"),
    Company("Skagen Instruments", "engineering", "Gothenburg", "Sweden"),
    Company("Mirador Films", "media", "Barcelona", "Spain"),
    Company("Northgate Insurance", "insurance", "Chicago", "United States"),
    Company("Alba Pharma", "pharmaceuticals", "Geneva", "Switzerland"),
    Company("Lisboa Ceramics", "manufacturing", "Lisbon", "Portugal"),
    Company("Greenbox Grocers", "groceries", "London", "United Kingdom"),
    Company("Corner & Crate", "groceries", "New York", "United States"),
    Company("Hverdag Market", "groceries", "Copenhagen", "Denmark"),
    Company("Cityline Transit", "transport", "London", "United Kingdom"),
    Company("Metropass", "transport", "New York", "United States"),
    Company("Sundby Metro", "transport", "Copenhagen", "Denmark"),
    Company("Brightwater Utilities", "utilities", "London", "United Kingdom"),
    Company("Eastbank Power", "utilities", "New York", "United States"),
    Company("Amager Power", "utilities", "Copenhagen", "Denmark"),
    Company("Streamwell", "subscriptions", "New York", "United States"),
    Company("Pagecloud Books", "subscriptions", "London", "United Kingdom"),
    Company("Ironworks Gym", "fitness", "London", "United Kingdom"),
    Company("Bellweather Pharmacy", "pharmacy", "New York", "United States"),
)


def web_domain(name: str) -> str:
    """The domain of a company's mail: below a top level that is reserved for examples."""
    return "".join(letter for letter in name.lower() if letter.isalnum()) + ".example"


def companies() -> list[Row]:
    """Every company with its address, in the order above."""
    return [
        {
            "company_id": f"K{number:03d}",
            "name": company.name,
            "industry": company.industry,
            "environment": company.environment,
            "web_domain": web_domain(company.name),
            **address(company.city, company.country, company.name, "office"),
        }
        for number, company in enumerate(COMPANIES, start=1)
    ]
