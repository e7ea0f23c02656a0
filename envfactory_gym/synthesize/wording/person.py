"""Who writes: a person, drawn from the dozen ways of writing in `styles.yaml`."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from random import Random

from pydantic import BaseModel, ConfigDict

from ...environment.files import read_yaml_as


class Style(BaseModel):
    """A way of writing.

    Attributes:
        name: What it is called: `chatty`.
        persona: The person in a sentence.
        openers: First words of a conversation; `{name}` is the writer's name, `{first}` the given name. Empty
            strings mean none.
        again: First words of a later turn.
        frames: How something is asked for; `{do}` is an imperative: `could you {do}?`.
        wonder: How a question is put; `{ask}` is a question without its mark.
        links: What leads from one wish to the next.
        whys: How a reason is told; `{why}` is a clause.
        chatter: Sentences about nothing in particular.
        closers: Last words; `{name}` as above.
        tell: How likely chatter is.
        lower: Whether everything is typed in lower case.
        light: Whether the last full stop is left out.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    name: str
    persona: str
    openers: tuple[str, ...]
    again: tuple[str, ...]
    frames: tuple[str, ...]
    wonder: tuple[str, ...]
    links: tuple[str, ...]
    whys: tuple[str, ...]
    chatter: tuple[str, ...]
    closers: tuple[str, ...]
    tell: float = 0.2
    lower: bool = False
    light: bool = False


@dataclass(frozen=True)
class Person:
    """Somebody who writes in one style through a whole conversation.

    Attributes:
        style: The way of writing.
        name: Full name; empty where it does not matter.
    """

    style: Style
    name: str = ""

    @property
    def first(self) -> str:
        """The given name."""
        return self.name.split()[0] if self.name else ""

    @property
    def persona(self) -> str:
        """The person in a sentence, for `User.persona`."""
        return self.style.persona

    def named(self, words: str) -> str | None:
        """Words of the style with the writer's name in them; None where they need a name and there is none."""
        if "{" in words and not self.name:
            return None
        return words.replace("{name}", self.name).replace("{first}", self.first)


@lru_cache(maxsize=1)
def styles() -> tuple[Style, ...]:
    """The ways of writing; read once."""
    return tuple(read_yaml_as(Path(__file__).with_name("styles.yaml"), list[Style]))


def person(random: Random, name: str = "") -> Person:
    """Draw a person.

    Args:
        random: Draws.
        name: Full name, where the environment has one.
    """
    known = styles()
    return Person(known[int(random.random() * len(known))], name)
