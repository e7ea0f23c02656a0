"""Language models behind any OpenAI-compatible endpoint: one client, and a scripted server to try it on.

What lives here: requests and completions as plain data, retries, limits, cost, cassettes, and
`loopback`, a server that answers from a script and misbehaves on demand. What may not: tasks,
episodes, prompts. Whoever needs a model (rollouts, simulated users, authors of environments) goes
through this room, so that everything paid for is counted once and in one place.
"""

from .budget import Budget, Spent
from .cassette import Cassette, read_cassette
from .client import Client, api_key_from
from .errors import BudgetSpent, CassetteMiss, EndpointFailed, ModelError, RequestRefused
from .exchange import Exchange
from .retries import Retries
from .usage import Price, Usage, read_prices

__all__ = [
    "Budget",
    "BudgetSpent",
    "Cassette",
    "CassetteMiss",
    "Client",
    "EndpointFailed",
    "Exchange",
    "ModelError",
    "Price",
    "RequestRefused",
    "Retries",
    "Spent",
    "Usage",
    "api_key_from",
    "read_cassette",
    "read_prices",
]
