"""The parts of serving that need no process: lines, and the file of a saved session."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from envfactory_gym import Package
from envfactory_gym.serve.pipes import TooLong, split_lines
from envfactory_gym.serve.session import ServeError, open_session
from envfactory_gym.serve.state import read_state, resume_session, write_state
from tests.support import copy_of_lending, edit_task, lending

TASK = "due-drill-then-extend"


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["jsonrpc", "id", "method", "params", "result", "error"]), inner, max_size=4)
    ),
    max_leaves=8,
)
"""JSON that is almost a message."""


def chunks(*parts: bytes) -> Callable[[], bytes]:
    waiting = iter(parts)
    return lambda: next(waiting, b"")


@given(st.lists(st.binary(min_size=1, max_size=30).map(lambda part: part.replace(b"z", b"\n")), max_size=12))
def test_lines_do_not_depend_on_how_the_bytes_arrive(parts: list[bytes]) -> None:
    limit = 20
    whole = b"".join(parts)
    expected = whole.split(b"\n")
    if expected[-1] == b"":
        expected.pop()
    found = list(split_lines(chunks(*parts), limit))
    assert found == [TooLong() if len(line) > limit else line for line in expected]


def test_a_line_beyond_the_limit_is_not_kept() -> None:
    def endless() -> Iterator[bytes]:
        for _ in range(1000):
            yield b"x" * 1000
        yield b"\nnext\n"

    source = endless()
    assert list(split_lines(lambda: next(source, b""), 5000)) == [TooLong(), b"next"]


@given(st.binary(max_size=60) | st.text(max_size=60).map(str.encode) | st.builds(json.dumps, JSON).map(str.encode))
def test_every_line_is_a_message_or_gets_an_answer(line: bytes) -> None:
    wire = pytest.importorskip("envfactory_gym.serve.wire", reason="serving needs the serve extra")
    try:
        wire.read_message(line)
    except wire.Unreadable as error:
        answer = json.loads(wire.as_line(error.answer))
        assert answer["error"]["code"] in (-32700, -32600)
        assert set(answer) == {"jsonrpc", "id", "error"}


def saved(package: Package, task: str | None, file: Path) -> None:
    """A session with one change, in a file."""
    session = open_session(package, task)
    session.call("extend_loan", {"loan_id": "QF7KD"})
    write_state(file, session.state())
    session.close()


@pytest.mark.parametrize("task", [None, TASK])
def test_a_saved_session_is_the_same_again(tmp_path: Path, task: str | None) -> None:
    package, file = lending(), tmp_path / "state.json"
    saved(package, task, file)
    session = resume_session(package, file, task)
    assert session.state() == read_state(file)
    assert session.call("extend_loan", {"loan_id": "QF7KD"}).refused
    assert [call.tool for call in session.finish().calls] == ["extend_loan", "extend_loan"]
    session.close()


def test_a_state_file_holds_no_gold(tmp_path: Path) -> None:
    file = tmp_path / "state.json"
    saved(lending(), TASK, file)
    content = json.loads(file.read_text())
    assert content["task"] == TASK
    assert {"goal", "gold", "turns", "expected"}.isdisjoint(json.dumps(content).replace('"', " ").split())


def test_a_state_of_something_else_is_refused_by_name(tmp_path: Path) -> None:
    package, file = lending(), tmp_path / "state.json"
    saved(package, TASK, file)
    with pytest.raises(ServeError, match=f"the state of the task {TASK}, not of a session without a task"):
        resume_session(package, file, None)
    with pytest.raises(ServeError, match=f"the state of the task {TASK}, not of the task return-sander"):
        resume_session(package, file, "return-sander")
    file.write_text(file.read_text().replace("EnvFactory/lending-v0", "EnvFactory/bakery-v0"))
    with pytest.raises(ServeError, match="the state of EnvFactory/bakery-v0, not of EnvFactory/lending-v0"):
        resume_session(package, file, TASK)


def test_a_state_that_no_longer_leads_there_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "state.json"
    changed = Package.load(
        copy_of_lending(tmp_path, ("server.py", "'+7 days'), extended", "'+8 days'), extended")), trusted=True
    )
    for task in (None, TASK):
        saved(lending(), task, file)
        with pytest.raises(ServeError, match="has changed since"):
            resume_session(changed, file, task)
    for task, digest in ((None, ["world", "digest"]), (TASK, ["digest"])):
        saved(lending(), task, file)
        content = json.loads(file.read_text())
        inner = content["world"] if task is None else content
        inner[digest[-1]] = "0" * 32
        file.write_text(json.dumps(content))
        with pytest.raises(ServeError, match="delete the file to begin anew"):
            resume_session(lending(), file, task)


def test_a_task_that_was_reworded_is_not_resumed(tmp_path: Path) -> None:
    file, folder = tmp_path / "state.json", copy_of_lending(tmp_path)
    saved(lending(), TASK, file)
    edit_task(folder, TASK, lambda task: task["user"].update(name="Somebody Else"))
    with pytest.raises(ServeError, match=f"the task {TASK} has changed"):
        resume_session(Package.load(folder, trusted=True), file, TASK)


@pytest.mark.parametrize("content", [b"", b"{]", b"[]", b'{"kind":"task"}', b'{"kind":"cake"}', b"\xff\xfe"])
def test_a_corrupt_state_is_one_sentence(tmp_path: Path, content: bytes) -> None:
    file = tmp_path / "state.json"
    file.write_bytes(content)
    with pytest.raises(ServeError) as refused:
        resume_session(lending(), file)
    assert str(refused.value).startswith(f"{file}: this is not a state that was saved here")
    assert "\n" not in str(refused.value)


def test_a_failed_save_leaves_the_old_state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "state.json"
    saved(lending(), None, file)
    before = file.read_bytes()

    def no_space(self: Path, target: Path) -> Path:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "replace", no_space)
    with pytest.raises(ServeError, match="cannot be saved: No space left on device"):
        saved(lending(), TASK, file)
    assert file.read_bytes() == before
    assert list(tmp_path.iterdir()) == [file]
