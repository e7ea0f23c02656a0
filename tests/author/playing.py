"""An author that a script plays: it hands in the tool library, and makes the mistakes it is told to make first."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from envfactory_gym.llm.loopback import Heard

SHED = Path(__file__).parent / "toolshed"

STAGE_FILES: dict[str, tuple[str, ...]] = {
    "propose": ("proposal.json",),
    "state": ("schema.sql", "invariants.sql"),
    "tools": ("server.py",),
    "data": ("make_data.py",),
    "words": ("language.yaml",),
    "behaviours": ("behaviours.yaml",),
}
"""What each stage hands in."""

LANGUAGES = {"json": "json", "sql": "sql", "py": "python", "yaml": "yaml"}

Message = dict[str, Any]
Answer = str | Message
Mistake = Answer | Callable[[Heard], Answer]


def good(name: str) -> str:
    """The text of a file of the tool library."""
    return (SHED / name).read_text(encoding="utf-8")


def fenced(name: str, text: str) -> str:
    """A file as a model hands it in."""
    return f"```{LANGUAGES[name.rpartition('.')[2]]} {name}\n{text.rstrip()}\n```"


def handed(stage: str, **changed: Callable[[str], str]) -> str:
    """What the good author hands in at a stage, with files changed (`server_py=...`)."""
    texts = {name: good(name) for name in STAGE_FILES[stage]}
    for key, change in changed.items():
        name = key.replace("_py", ".py").replace("_sql", ".sql").replace("_yaml", ".yaml").replace("_json", ".json")
        texts[name] = change(texts[name])
        assert texts[name] != good(name), f"nothing was changed in {name}"
    return "Here it is.\n\n" + "\n\n".join(fenced(name, text) for name, text in texts.items())


def swap(old: str, new: str) -> Callable[[str], str]:
    """A change of one text into another, which has to stand there."""

    def change(text: str) -> str:
        assert old in text, f"{old!r} stands nowhere"
        return text.replace(old, new)

    return change


@dataclass
class Author:
    """Answers as the good author does, after the mistakes of a stage have been made.

    Attributes:
        mistakes: Stage (`tools`, `revise` for any revision) → what it answers first, one after another.
        asked: How often each step was asked for, by tag.
        prompts: The last prompt of each step.
    """

    mistakes: Mapping[str, Sequence[Mistake]] = field(default_factory=dict)
    asked: Counter[str] = field(default_factory=Counter)
    prompts: dict[str, str] = field(default_factory=dict)
    made: Counter[str] = field(default_factory=Counter)
    lock: Any = field(default_factory=threading.Lock)

    def __call__(self, heard: Heard) -> Message:
        """Answer a request; `session` says whose and which step it is."""
        with self.lock:
            name, stage = heard.session.split("/")[:2]
            step = heard.session.partition("/")[2]
            self.asked[heard.session] += 1
            self.prompts[step] = heard.request["messages"][-1]["content"]
            kind = "revise" if stage.startswith("revise") else stage
            mine = f"{name}:{kind}" if f"{name}:{kind}" in self.mistakes else kind
            planned = self.mistakes.get(mine, ())
            number = self.made[f"{name}/{kind}"]
            self.made[f"{name}/{kind}"] += 1
        if number < len(planned):
            mistake = planned[number]
            answer = mistake(heard) if callable(mistake) else mistake
        elif kind == "revise":
            answer = self.revised(heard)
        else:
            answer = handed(kind)
        return {"content": answer} if isinstance(answer, str) else answer

    def revised(self, heard: Heard) -> Answer:
        """Mend: hand in the good file that the reviser may hand in."""
        prompt = heard.request["messages"][1]["content"]
        if "Hand in `behaviours.yaml`" in prompt:
            return fenced("behaviours.yaml", good("behaviours.yaml"))
        if "Hand in edits of `language.yaml`" in prompt:
            return fenced("language.yaml", good("language.yaml"))
        return fenced("server.py", good("server.py"))

    @property
    def steps(self) -> list[str]:
        """Every step that was asked for, without the environment's name, in the order of asking."""
        return [tag.partition("/")[2] for tag in self.asked]
