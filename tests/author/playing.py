"""An author that a script plays: it hands in a good environment, after the mistakes that it is told to make."""

from __future__ import annotations

import json
import tempfile
import threading
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from envfactory_gym.author import Sources, read_sources
from envfactory_gym.author.briefing import write_skeleton
from envfactory_gym.author.looking import rows_of
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

ROOMS_RULES = """# A house with rooms

A room is booked for as many guests as it has seats, and no more.

A booking is cancelled at the latest two days before its day.
"""

Message = dict[str, Any]
Answer = str | Message
Texts = Mapping[str, str]
Mistake = Answer | Callable[[Heard], Answer]


@cache
def toolshed() -> Texts:
    """The tool library: ten tools, four tables."""
    names = [name for files in STAGE_FILES.values() for name in files]
    return {name: (SHED / name).read_text(encoding="utf-8") for name in names}


@cache
def rooms() -> Texts:
    """The example of every brief, rooms that are booked, as an author would hand it in: five tools, three tables."""
    with tempfile.TemporaryDirectory() as folder:
        write_skeleton(Path(folder), "rooms", Sources(()))
        texts = {path.relative_to(folder).as_posix(): path.read_text() for path in Path(folder).rglob("*.*")}
    texts["make_data.py"] = f"ROWS = {rows_of(texts)!r}\n\n\ndef rows(random, base):\n    return ROWS\n"
    texts["proposal.json"] = json.dumps(
        {
            "title": "A house with rooms",
            "domain": "services",
            "summary": "People book rooms for a day, and cancel.",
            "users": "People with an account, who write to the desk.",
            "clock": "2026-05-14T09:00:00Z",
            "tables": [{"name": name, "row": "a row"} for name in ("people", "rooms", "bookings")],
            "tools": [
                {"name": "find_person", "does": "Finds a person by number or address."},
                {"name": "list_free_rooms", "does": "Lists rooms that are free on a day."},
                {"name": "list_bookings", "does": "Lists a person's bookings."},
                {"name": "book_room", "does": "Books a room for a day.", "changes": True},
                {"name": "cancel_booking", "does": "Cancels a booking in time.", "changes": True},
            ],
            "rules": [
                {
                    "id": "seats",
                    "text": "A room takes as many guests as it has seats.",
                    "source": "S1",
                    "enforced_by": ["book_room"],
                },
                {
                    "id": "cancel-notice",
                    "text": "Bookings are cancelled two days before, at the latest.",
                    "source": "at the latest two days before its day",
                    "enforced_by": ["cancel_booking"],
                },
                {"id": "confirm", "text": "State what will happen and wait for a yes.", "source": ""},
            ],
        }
    )
    return texts


def sources_of(folder: Path, texts: Texts) -> Sources:
    """The document that an environment is made from."""
    if texts is toolshed():
        return read_sources([SHED / "rules.md"])
    path = folder / "rooms.md"
    path.write_text(ROOMS_RULES)
    return read_sources([path])


def fenced(name: str, text: str) -> str:
    """A file as a model hands it in."""
    return f"```{LANGUAGES[name.rpartition('.')[2]]} {name}\n{text.rstrip()}\n```"


def edit(name: str, old: str, new: str) -> str:
    """An edit of a file as a model hands it in."""
    return f"```{name}\n<<<<<<< old\n{old}\n=======\n{new}\n>>>>>>> new\n```"


@dataclass
class Author:
    """Answers as a good author does, after the mistakes of a stage have been made.

    Attributes:
        texts: What it hands in.
        mistakes: Stage (`tools`; `revise` for any revision) → what it answers first, one after another; a pair of
            texts is the good answer with the first replaced by the second.
        asked: How often each step was asked for, by tag.
        prompts: The last prompt of each step, without the environment's name.
    """

    texts: Texts
    mistakes: Mapping[str, Sequence[Mistake | tuple[str, str]]] = field(default_factory=dict)
    asked: Counter[str] = field(default_factory=Counter)
    prompts: dict[str, str] = field(default_factory=dict)
    made: Counter[str] = field(default_factory=Counter)
    lock: Any = field(default_factory=threading.Lock)

    def __call__(self, heard: Heard) -> Message:
        """Answer a request; its session says whose it is, and which step."""
        with self.lock:
            name, stage = heard.session.split("/")[:2]
            self.asked[heard.session] += 1
            self.prompts[heard.session.partition("/")[2]] = heard.request["messages"][-1]["content"]
            kind = "revise" if stage.startswith("revise") else stage
            number = self.made[f"{name}/{kind}"]
            self.made[f"{name}/{kind}"] += 1
        planned = self.mistakes.get(kind, ())
        if number < len(planned):
            mistake = planned[number]
            if isinstance(mistake, tuple):
                answer: Answer = self.handed(kind, *mistake)
            else:
                answer = mistake(heard) if callable(mistake) else mistake
        elif kind == "revise":
            answer = self.revised(heard)
        else:
            answer = self.handed(kind)
        return {"content": answer} if isinstance(answer, str) else answer

    def handed(self, stage: str, old: str = "", new: str = "") -> str:
        """What the good author hands in at a stage, with one text in it replaced."""
        files = [fenced(name, self.texts[name]) for name in STAGE_FILES[stage]]
        whole = "Here it is.\n\n" + "\n\n".join(files)
        assert old in whole, f"{old!r} stands nowhere in {stage}"
        return whole.replace(old, new) if old else whole

    def revised(self, heard: Heard) -> Answer:
        """Mend: hand in the good file that the reviser may hand in."""
        prompt = heard.request["messages"][1]["content"]
        if "Hand in `behaviours.yaml`" in prompt:
            return fenced("behaviours.yaml", self.texts["behaviours.yaml"])
        if "Hand in edits of `language.yaml`" in prompt:
            return fenced("language.yaml", self.texts["language.yaml"])
        return fenced("server.py", self.texts["server.py"])
