"""What takes too much, or does not end: each is stopped, the reason is said, and nothing of it is left."""

from __future__ import annotations

import gc
import os
import signal
import tempfile
import threading
import time
from pathlib import Path

import pytest

from envfactory_gym.sandbox import LAYERS, Limits, Sandbox, SandboxStopped
from envfactory_gym.sandbox.limits import MIB

TARGET = "envfactory_gym.sandbox.trial:serve"
QUICK = Limits(wall_seconds=3, cpu_seconds=1, memory=1024 * MIB, output=100_000, message=1_000_000, disk=4 * MIB)

ENDLESS = {
    "a loop": "while True: pass",
    "a loop that catches everything": "while True:\n    try:\n        while True: pass\n    except BaseException: pass",
    "a regular expression": "import re\nre.match(r'(a+)+$', 'a' * 60 + 'b')",
    "a huge power": "x = 9 ** 9 ** 9",
    "digits of a huge number": "import sys\nsys.set_int_max_str_digits(0)\nstr(1 << 40_000_000)",
    "SQL without end": (
        "import sqlite3\nsqlite3.connect(':memory:').execute("
        "'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n').fetchall()"
    ),
    "sleep": "import time\ntime.sleep(3600)",
    "sorting by a comparison that never ends": "sorted([1, 2], key=lambda x: [0 for _ in iter(int, 1)])",
    "a loop that ignores signals": (
        "import signal\nfor n in (signal.SIGTERM, signal.SIGXCPU, signal.SIGINT, signal.SIGHUP):\n"
        "    signal.signal(n, signal.SIG_IGN)\nwhile True: pass"
    ),
    "a lock that nobody opens": "import threading\nlock = threading.Lock()\nlock.acquire()\nlock.acquire()",
}

TOO_MUCH = {
    "memory": ("x = bytearray(4 << 30)", "MemoryError"),
    "memory bit by bit": ("x = []\nwhile True: x.append(bytearray(1 << 20))", "MemoryError"),
    "a long text": ("x = 'x' * (1 << 33)", "MemoryError"),
    "a large file": (
        "with open(work + '/large', 'wb') as file:\n    for _ in range(64): file.write(bytes(1 << 20))",
        "Error",
    ),
    "open files": ("import os\nkept = [os.dup(1) for _ in range(5000)]", "OSError"),
    "recursion": ("def f(): return f()\nf()", "RecursionError"),
    "threads": (
        "import threading\nfor _ in range(5000): threading.Thread(target=threading.Event().wait).start()",
        "Error",
    ),
}


def stopped(package: Path, code: str, limits: Limits = QUICK, layers: list[str] | None = None) -> str:
    """Why a sandbox was stopped that runs this code."""
    with Sandbox(TARGET, package, limits=limits, layers=layers) as sandbox:
        work = str(sandbox.copy.parent / "work")
        with pytest.raises(SandboxStopped) as end:
            sandbox.request({"code": code, "given": {"work": work}}, 20)
            sandbox.receive(20)
        return end.value.reason


@pytest.mark.parametrize("name", ENDLESS)
def test_what_does_not_end_is_ended_by_wall_time_or_cpu_time(package: Path, name: str) -> None:
    started = time.monotonic()
    reason = stopped(package, ENDLESS[name])
    assert "wall time" in reason or "CPU time" in reason or "memory ran out" in reason
    assert time.monotonic() - started < 20


@pytest.mark.parametrize("name", TOO_MUCH)
def test_what_takes_too_much_gets_an_error_or_is_ended(package: Path, name: str) -> None:
    code, error = TOO_MUCH[name]
    layers = [layer for layer in LAYERS if layer != "audit"]  # the limits are tried, not who may open files
    limits = QUICK.model_copy(update={"wall_seconds": 20, "cpu_seconds": 15, "memory": 640 * MIB})
    with Sandbox(TARGET, package, limits=limits, layers=layers) as sandbox:
        work = str(sandbox.copy.parent / "work")
        try:
            answer = sandbox.request({"code": code, "given": {"work": work}}, 30)
        except SandboxStopped as end:
            assert end.reason
        else:
            assert error in answer["raised"]


def test_a_flood_of_output_is_cut_off(package: Path) -> None:
    assert "bytes of output" in stopped(package, "while True: print('x' * 1000)")


def test_an_endless_answer_is_cut_off(package: Path) -> None:
    code = "import os\nwhile True:\n    for n in range(3, 200):\n        try: os.write(n, b'x' * 4096)\n        except OSError: pass"
    reason = stopped(package, code)
    assert "an answer of more than" in reason


@pytest.mark.parametrize("junk", ["junk", "[1]", "[" * 50_000])
def test_junk_on_inherited_descriptors_is_no_answer(package: Path, junk: str) -> None:
    code = f"import os\nfor n in range(3, 200):\n    try: os.write(n, {junk.encode()!r} + b'\\n')\n    except OSError: pass"
    assert stopped(package, code) == "it answered something that is no JSON object"


def test_a_fork_bomb_is_refused_by_the_kernel_and_without_that_ended_by_the_supervisor(package: Path) -> None:
    bomb = "import os\nwhile True: os.fork()"
    with Sandbox(TARGET, package, layers=["seccomp", "supervisor", "limits"]) as sandbox:
        if "seccomp" not in sandbox.protection.active:
            pytest.skip("; ".join(sandbox.protection.missing))
        assert "PermissionError" in sandbox.request({"code": bomb, "given": {}}, 20)["raised"]
    slow = "import os, time\nwhile True:\n    os.fork()\n    time.sleep(0.02)"
    assert "processes besides the first" in stopped(package, slow, layers=["supervisor", "limits"])


def _alive(word: str) -> list[int]:
    """Processes whose environment or arguments hold a word."""
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        try:
            text = (process / "cmdline").read_bytes() + (process / "environ").read_bytes()
        except OSError:
            continue
        if word.encode() in text and int(process.name) != os.getpid():
            found.append(int(process.name))
    return found


@pytest.mark.parametrize("layers", [None, ["supervisor"]], ids=["all layers", "supervisor alone"])
def test_nothing_is_left_of_processes_that_hid(package: Path, layers: list[str] | None) -> None:
    code = (
        "import os, time, signal\nfor _ in range(3):\n    if os.fork() == 0:\n        os.setsid()\n"
        "        if os.fork() == 0:\n            signal.signal(15, signal.SIG_IGN)\n            time.sleep(600)\n"
        "        os._exit(0)"
    )
    sandbox = Sandbox(TARGET, package, limits=QUICK.model_copy(update={"processes": 20}), layers=layers)
    folder = sandbox.copy.parent
    sandbox.request({"code": code, "given": {}}, 20)
    assert _alive(folder.name)
    sandbox.close()
    assert _alive(folder.name) == []
    assert not folder.exists()


def test_exit_handlers_threads_and_late_objects_do_nothing_after_the_end(package: Path, tmp_path: Path) -> None:
    target = tmp_path / "late"
    code = (
        "import atexit, threading, time\n"
        f"def late():\n    time.sleep(1)\n    open({str(target)!r}, 'w').close()\n"
        "atexit.register(late)\nthreading.Thread(target=late).start()\n"
        "class Late:\n    def __del__(self): late()\nkept = Late()\nkept.me = kept\ngot = 'set'"
    )
    with Sandbox(TARGET, package, layers=["supervisor"]) as sandbox:
        assert sandbox.request({"code": code, "given": {}}, 20) == {"got": "'set'"}
    time.sleep(1.5)
    assert not target.exists()


def test_an_exit_in_the_middle_is_an_end_and_no_answer(package: Path) -> None:
    assert "exited with code 7" in stopped(package, "import os\nos._exit(7)")
    assert "exited with code" in stopped(package, "raise SystemExit(3)")
    assert "by the signal" in stopped(package, "import os\nos.abort()")


def test_a_sandbox_that_nobody_closes_goes_with_its_object(package: Path) -> None:
    sandbox = Sandbox(TARGET, package)
    folder, process = sandbox.copy.parent, sandbox._process
    del sandbox
    gc.collect()
    assert process.returncode is not None
    assert not folder.exists()


def test_when_the_caller_is_killed_everything_inside_goes_too(package: Path, tmp_path: Path) -> None:
    program = (
        "import os, sys\nfrom envfactory_gym.sandbox import Sandbox\n"
        f"s = Sandbox({TARGET!r}, {str(package)!r})\nprint(s.copy.parent.name, flush=True)\n"
        "s.send({'code': 'while True: pass', 'given': {}})\nsys.stdin.read()"
    )
    import subprocess
    import sys

    root = str(Path(__file__).resolve().parents[2])
    caller = subprocess.Popen(
        [sys.executable, "-c", program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
        env={**os.environ, "PYTHONPATH": root, "TMPDIR": str(tmp_path)},
    )  # fmt: skip
    assert caller.stdout is not None
    assert caller.stdin is not None
    name = caller.stdout.readline().strip()
    assert _alive(name)
    caller.kill()
    caller.wait()
    caller.stdin.close()
    caller.stdout.close()
    deadline = time.monotonic() + 10
    while (_alive(name) or (tmp_path / name).exists()) and time.monotonic() < deadline:
        time.sleep(0.1)
    assert _alive(name) == []
    assert not (tmp_path / name).exists()


def test_no_variable_of_the_caller_is_seen_inside(package: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("API_KEY_OF_SOMEBODY", "the-key")
    monkeypatch.setenv("PYTHONSTARTUP", "/nowhere")
    with Sandbox(TARGET, package) as sandbox:
        answer = sandbox.request({"code": "import os\ngot = sorted(os.environ.items())", "given": {}}, 20)
    assert "the-key" not in str(answer)
    assert "PYTHONSTARTUP" not in str(answer)


def test_no_open_file_of_the_caller_is_passed_on(package: Path, tmp_path: Path) -> None:
    (tmp_path / "open.txt").write_text("held open", encoding="utf-8")
    handle = os.open(tmp_path / "open.txt", os.O_RDONLY)
    os.set_inheritable(handle, True)
    code = (
        "import os\ngot = []\nfor n in range(0, 200):\n    try: got.append(os.fstat(n).st_size)\n"
        "    except OSError: pass\ngot = 9 in got or None"
    )
    try:
        with Sandbox(TARGET, package) as sandbox:
            assert sandbox.request({"code": code, "given": {}}, 20) == {"got": "None"}
    finally:
        os.close(handle)


def test_changing_the_library_inside_changes_nothing_outside(package: Path) -> None:
    import json

    code = "import json\njson.dumps = json.loads = lambda *a, **k: 'changed'"
    with Sandbox(TARGET, package) as sandbox, pytest.raises(SandboxStopped):
        sandbox.request({"code": code, "given": {}}, 5)
        sandbox.request({"code": "got = 1", "given": {}}, 5)
    assert json.loads(json.dumps({"a": 1})) == {"a": 1}


def test_sandboxes_of_several_threads_do_not_meet(package: Path) -> None:
    found: list[str] = []

    def one(number: int) -> None:
        with Sandbox(TARGET, package) as sandbox:
            found.append(sandbox.request({"code": f"got = {number}", "given": {}}, 30)["got"])

    threads = [threading.Thread(target=one, args=(number,)) for number in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(found) == ["0", "1", "2"]


def test_nothing_is_left_in_the_temporary_folder(
    package: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "t").mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "t"))
    with Sandbox(TARGET, package) as sandbox:
        sandbox.request({"code": "got = 1", "given": {}}, 30)
        assert list((tmp_path / "t").iterdir())
    assert list((tmp_path / "t").iterdir()) == []


def test_ctrl_c_ends_a_verification_and_leaves_nothing(tmp_path: Path) -> None:
    import subprocess
    import sys

    from envfactory_gym.environment import load_package

    root, temporary = str(Path(__file__).resolve().parents[2]), tmp_path / "t"
    temporary.mkdir()
    command = [sys.executable, "-m", "envfactory_gym.cli", "verify", str(load_package("dns").path), "--sandbox"]
    caller = subprocess.Popen(
        command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        env={**os.environ, "PYTHONPATH": root, "TMPDIR": str(temporary)}, start_new_session=True,
    )  # fmt: skip
    deadline = time.monotonic() + 60
    while not (names := [path.name for path in temporary.iterdir()]) or not _alive(names[0]):
        assert time.monotonic() < deadline
        time.sleep(0.05)
    time.sleep(1)
    caller.send_signal(signal.SIGINT)
    assert caller.wait(30) != 0
    assert _alive(names[0]) == []
    assert list(temporary.iterdir()) == []
