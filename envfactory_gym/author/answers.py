"""From what a model says to files: read leniently, judged strictly.

Files come as fenced blocks that carry a name (behind the language, in the line before, or as a first comment), or as
one JSON object of names and texts; edits as blocks of old and new text. Words around them do not matter. What is handed
in must be files that were asked for, whole, and of the stated form; everything else is sent back with the reason.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fnmatch import fnmatch
from typing import Any, TypeVar

import yaml
from pydantic import BaseModel, ValidationError

from ..llm import Exchange

Model = TypeVar("Model", bound=BaseModel)
Files = dict[str, str]
"""Name in the package → text."""

LARGEST = 400_000
"""Characters of one file."""


class AnswerError(Exception):
    """An answer that cannot be used.

    Args:
        kind: `truncated`, `refused`, `empty` or `unusable`.
        problem: What is wrong, in words that its author can act upon.
    """

    def __init__(self, kind: str, problem: str) -> None:
        super().__init__(problem)
        self.kind, self.problem = kind, problem


@dataclass(frozen=True)
class Block:
    """A fenced block: its info string, the line before it, its text, and whether it was closed."""

    info: str
    before: str
    text: str
    closed: bool


def text_of(exchange: Exchange) -> str:
    """The words of an answer, without thinking aloud.

    Raises:
        AnswerError: It was cut off, refused, or has no words.
    """
    text = re.sub(r"(?s)^\s*<think(?:ing)?>.*?</think(?:ing)?>", "", exchange.text)
    refusal = exchange.message.get("refusal")
    if refusal or exchange.finish_reason == "content_filter":
        raise AnswerError("refused", f"the model refuses: {str(refusal or 'stopped by a content filter')[:300]}")
    if exchange.finish_reason == "length":
        raise AnswerError(
            "truncated",
            "the answer was cut off at the limit of tokens; answer again, shorter: only the files, no prose",
        )
    if not text.strip():
        raise AnswerError("empty", "the answer is empty")
    if "```" not in text and "{" not in text and _REFUSAL.search(text[:400]):
        raise AnswerError("refused", f"the model refuses: {' '.join(text.split())[:300]}")
    return text


_REFUSAL = re.compile(
    r"\bI(?:'m| am)? (?:sorry|unable|not able|can(?:no|')t|won't|will not)\b|\bas an AI\b"
    r"|\bcannot (?:help|assist|comply)\b",
    re.IGNORECASE,
)


def blocks(text: str) -> list[Block]:
    """The fenced blocks of a text; a fence is closed by one at least as long."""
    found: list[Block] = []
    before, fence, info = "", "", ""
    lines: list[str] = []
    for line in text.split("\n"):
        mark = re.match(r"^ {0,3}(`{3,}|~{3,})(.*)$", line)
        if fence:
            if mark and mark[1].startswith(fence) and not mark[2].strip():
                found.append(Block(info, before, "\n".join(lines) + "\n", closed=True))
                before, fence = "", ""
            else:
                lines.append(line)
        elif mark:
            fence, info, lines = mark[1], mark[2].strip(), []
        elif line.strip():
            before = line
    if fence:
        found.append(Block(info, before, "\n".join(lines), closed=False))
    return found


def files_of(text: str, wanted: tuple[str, ...], current: Mapping[str, str] | None = None) -> Files:
    """The files that an answer hands in.

    Args:
        text: The answer.
        wanted: Patterns of names that may be handed in, such as `data/*.jsonl`.
        current: The files as they are, which edits change.

    Raises:
        AnswerError: There are none, one is not asked for, cut off or too large, or an edit does not fit.
    """
    found: Files = {}
    known = dict(current or {})
    for block in blocks(text):
        name = _name(block, wanted)
        if name is None:
            continue
        if not block.closed:
            raise AnswerError(
                "truncated", f"{name} is not finished: its block is never closed; hand it in again, whole"
            )
        if _is_edit(block):
            base = found.get(name, known.get(name))
            if base is None:
                raise AnswerError("unusable", f"{name} is edited, but there is no such file yet; hand it in whole")
            found[name] = edited(name, base, block.text)
        else:
            found[name] = block.text
    if not found:
        found = _from_json(text) or _only(text, wanted)
    for name, content in found.items():
        if not any(fnmatch(name, pattern) for pattern in wanted) or ".." in name:
            raise AnswerError("unusable", f"{name} was not asked for; hand in {' or '.join(wanted)}")
        if len(content) > LARGEST:
            raise AnswerError("unusable", f"{name} has more than {LARGEST:,} characters")
        if "\x00" in content:
            raise AnswerError("unusable", f"{name} holds a NUL character")
    if not found:
        raise AnswerError(
            "unusable", f"there is no file in the answer; hand in {' or '.join(wanted)}, each in a fenced block that "
            "begins with ``` and its name"
        )  # fmt: skip
    return found


def _only(text: str, wanted: tuple[str, ...]) -> Files:
    """The one block of an answer, where one file was asked for: no name is needed."""
    found = blocks(text)
    if len(found) != 1 or len(wanted) != 1 or "*" in wanted[0]:
        return {}
    if not found[0].closed:
        raise AnswerError(
            "truncated", f"{wanted[0]} is not finished: its block is never closed; hand it in again, whole"
        )
    return {wanted[0]: found[0].text}


def _from_json(text: str) -> Files:
    try:
        told = data_of(text)
    except AnswerError:
        return {}
    told = told.get("files", told) if isinstance(told, dict) else {}
    if isinstance(told, list):
        told = {str(one.get("name") or one.get("path")): one.get("content") for one in told if isinstance(one, dict)}
    return (
        {str(name): content for name, content in told.items() if isinstance(content, str)}
        if isinstance(told, dict)
        else {}
    )


_NAME = re.compile(r"[A-Za-z0-9_][\w./-]*\.(?:py|sql|md|ya?ml|jsonl|json)\b")


def _name(block: Block, wanted: tuple[str, ...]) -> str | None:
    """The file that a block holds: what its info string, the line before it, or its first comment names."""
    first = block.text.split("\n", 1)[0]
    for place in (block.info, block.before, first if re.match(r"^\s*(#|--|//)", first) else ""):
        for name in _NAME.findall(place):
            if any(fnmatch(name, pattern) for pattern in wanted):
                return str(name)
            if place == block.info:
                return str(name)
    return None


# ---------------------------------------------------------------- edits

_HUNK = re.compile(r"^<{5,} ?.*\n(?P<old>(?:.*\n)*?)={5,}\n(?P<new>(?:.*\n)*?)>{5,}.*$", re.MULTILINE)


def _is_edit(block: Block) -> bool:
    return block.text.lstrip().startswith("<<<<<") and bool(_HUNK.search(block.text))


def edited(name: str, text: str, edits: str) -> str:
    """A text with every edit made; the old text of each has to stand in it exactly once.

    Raises:
        AnswerError: It does not.
    """
    for hunk in _HUNK.finditer(edits):
        old, new = hunk["old"], hunk["new"]
        count = text.count(old) if old.strip() else 0
        if count != 1:
            shown = old.strip().split("\n")[0][:120]
            raise AnswerError(
                "unusable",
                f"an edit of {name} does not fit: its old text stands there {count} times, not once: {shown!r}",
            )
        text = text.replace(old, new)
    return text


# ---------------------------------------------------------------- data


def data_of(text: str) -> Any:
    """The JSON or YAML of an answer: of a fenced block, or of the outermost braces.

    Raises:
        AnswerError: There is none.
    """
    candidates = [block for block in blocks(text) if block.info.split(" ")[0].lower() in ("json", "yaml", "yml", "")]
    for block in candidates:
        if not block.closed:
            raise AnswerError("truncated", "the block of data is never closed; hand it in again, whole")
    texts = [block.text for block in candidates]
    if (start := text.find("{")) >= 0 and (end := text.rfind("}")) > start:
        texts.append(text[start : end + 1])
    problem = "there is none"
    for one in texts:
        for read in _READERS:
            try:
                told = read(one)
            except (ValueError, yaml.YAMLError, RecursionError) as error:
                problem = " ".join(str(error).split())[:300]
                continue
            if isinstance(told, (dict, list)):
                return told
    raise AnswerError("unusable", f"the answer needs one block of JSON or YAML: {problem}")


_READERS: tuple[Callable[[str], Any], ...] = (json.loads, yaml.safe_load)


def model_of(text: str, kind: type[Model]) -> Model:
    """The data of an answer as a model.

    Raises:
        AnswerError: It is not of that form; the message says where.
    """
    told = data_of(text)
    try:
        return kind.model_validate(told)
    except ValidationError as error:
        lines = [
            f"{'.'.join(map(str, one['loc'])) or 'it'}: {one['msg']}" for one in error.errors(include_url=False)[:8]
        ]
        raise AnswerError("unusable", "the data is not as asked for:\n" + "\n".join(lines)) from None
