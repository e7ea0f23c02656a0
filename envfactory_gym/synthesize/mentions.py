"""Pronouns that point at what was named last.

"That trip" is the trip that a reader met most recently. Where another one was named since, or several at once, a
row that was spoken of before is called by its name again, so that a careful reader never takes one for another.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import Any

from .wording.wish import Ask, Wish

_SEVERAL = object()
"""Stands for rows that no pronoun can tell apart."""


@dataclass
class Mentions:
    """What a conversation named last.

    Attributes:
        last: Table → key of the row that was named last.
        tables: Tables of which the last wish named rows.
    """

    last: dict[str, Any] = field(default_factory=dict)
    tables: frozenset[str] = frozenset()

    def told(self, wish: Wish) -> Wish:
        """The next wish, with pronouns only where they can be understood; what it names is remembered."""
        kept = tuple(name for name in wish.again if self.last.get(wish.rows[name]) == wish.named[name][0])
        anew = {name: wish.named[name][1] for name in wish.again if name not in kept}
        plain = all(self.tables == {wish.rows[name]} for name in kept)
        if wish.kind == "question":
            asks = tuple(self._asked(ask, anew) for ask in wish.asks)
            changed = replace(wish, again=kept, asks=asks, it=plain)
        else:
            changed = replace(wish, again=kept, words={**wish.words, **anew}, it=plain)
        self._remember(wish)
        if wish.otherwise is not None:
            changed = replace(changed, otherwise=self.told(wish.otherwise))
        return changed

    @staticmethod
    def _asked(ask: Ask, anew: dict[str, str]) -> Ask:
        if ask.about != "again" or not anew:
            return ask
        return replace(ask, row=next(iter(anew.values())), about="told")

    def _remember(self, wish: Wish) -> None:
        named: dict[str, set[Any]] = {}
        for name, (key, _) in wish.named.items():
            named.setdefault(wish.rows[name], set()).add(key)
        for table, keys in named.items():
            self.last[table] = next(iter(keys)) if len(keys) == 1 else _SEVERAL
        self._blur(wish.besides)
        self.tables = frozenset(named) | frozenset(wish.besides)

    def _blur(self, tables: Iterable[str]) -> None:
        for table in tables:
            self.last[table] = _SEVERAL
