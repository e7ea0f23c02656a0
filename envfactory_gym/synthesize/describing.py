"""Which words a request uses for a row: a referring expression of the wanted implicitness, with all a look-up needs.

`referring` composes what is true of one item of a list alone; where the list itself was narrowed by
something that only the user can say (a route, a day, another row), the words get it as well: "the
cheapest flight" becomes "the cheapest flight from Oslo to Rome on 21 May".
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from random import Random
from typing import Any

from ..environment import Language
from .grounding.draft import Draft
from .grounding.landscape import Landscape
from .grounding.relations import Fit
from .reference import Reference
from .referring import Relation, references

_PREPOSITIONS = {
    "origin": "from", "source": "from", "from": "from", "destination": "to", "to": "to", "date": "on", "day": "on",
}  # fmt: skip


class Describer:
    """Chooses referring expressions in one environment.

    Args:
        landscape: The environment.
        random: Draws.
        implicitness: How far from a key the words should be, from 0 (code) to 3 (superlative, ordinal, relation).
    """

    def __init__(self, landscape: Landscape, random: Random, implicitness: float) -> None:
        self._landscape, self._random, self._implicitness = landscape, random, implicitness
        self._language = landscape.package.language

    def __call__(
        self,
        items: Sequence[Mapping[str, Any]],
        place: int,
        fit: Fit | None,
        target: str,
        draft: Draft,
        details: Mapping[str, str],
    ) -> Reference | None:
        """A referring expression for one of some items; None where there is none."""
        if fit is None:
            return None
        relation = Relation(name=fit.relation, key=fit.key, column=target, fields=fit.fields, within=fit.scope)
        found = references(
            items, place, relation=relation, language=self._language, schema=self._landscape.package.schema,
            now=draft.world.now, random=self._random, details=details,
        )  # fmt: skip
        # A list may be one page of many: what is the cheapest here must be the cheapest of all.
        meant = [(items[place].get(key),) for key, column in fit.fields.items() if column == fit.key]

        def unlike(one: Reference) -> tuple[float, int, str]:
            return abs(one.implicit - self._implicitness), len(one.words), one.words

        best = next((one for one in sorted(found, key=unlike) if draft.world.query(one.sql) == meant), None)
        if best is None:
            return None
        return replace(best, words=with_details(self._language, target, fit, best.words, details))


def with_details(language: Language, target: str, fit: Fit, words: str, details: Mapping[str, str]) -> str:
    """A noun phrase with what a look-up has to be told besides, in the words of the row's noun."""
    nouns = [language.nouns[name] for name in (fit.relation, target.partition(".")[0]) if name in language.nouns]
    for column, said in details.items():
        if said in words:
            continue
        templates = [way for noun in nouns for way in noun.says.get(column, ()) if way.startswith("~ ")]
        if templates:
            words += templates[0].removeprefix("~").replace("{value}", said)
        elif column.endswith("_id") or said.split(" ", 1)[0] in ("the", "my", "a", "an"):
            words += f" of {said}"  # another row, by its description or its name
        else:
            words += f" {_PREPOSITIONS.get(column.partition('_')[0], 'with ' + column.replace('_', ' '))} {said}"
    return words
