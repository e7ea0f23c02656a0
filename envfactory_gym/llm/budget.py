"""What may be spent and what was: counted before a call is made, so that no call goes beyond it unseen."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from .errors import BudgetSpent
from .usage import Usage


@dataclass(frozen=True)
class Budget:
    """Limits; None for none. Calls that overlap are all let in before the first of them is paid.

    Attributes:
        calls: Completions, at most. Kept exactly.
        tokens: Tokens read and written. Calls in flight when the limit is reached still finish.
        cost: Money, in the currency of the prices. Likewise.
    """

    calls: int | None = None
    tokens: int | None = None
    cost: float | None = None


@dataclass
class Spent:
    """What was spent, replayed completions left out.

    Attributes:
        calls: Completions that were paid for.
        replayed: Completions from a cassette.
        usage: Tokens of those that were paid for.
        cost: What they cost, where prices are known.
        retried: Requests that had to be sent again, by kind of failure.
    """

    calls: int = 0
    replayed: int = 0
    usage: Usage = field(default_factory=Usage)
    cost: float = 0.0
    retried: Counter[str] = field(default_factory=Counter)
    _begun: int = field(default=0, repr=False)

    def begin(self, budget: Budget) -> None:
        """Let a call begin.

        Raises:
            BudgetSpent: It may not.
        """
        limits = (
            ("calls", budget.calls, self._begun),
            ("tokens", budget.tokens, self.usage.total),
            ("cost", budget.cost, self.cost),
        )
        for name, limit, spent in limits:
            if limit is not None and spent >= limit:
                raise BudgetSpent(f"the budget of {limit:,} {name} is spent; raise it to go on")
        self._begun += 1

    def forgo(self) -> None:
        """A call that had begun came to nothing."""
        self._begun -= 1

    def pay(self, usage: Usage, cost: float | None) -> None:
        """A call was answered."""
        self.calls += 1
        self.usage = self.usage.plus(usage)
        self.cost += cost or 0.0
