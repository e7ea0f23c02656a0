"""Memory of a process as Linux accounts for it, shared pages counted once."""

from __future__ import annotations

from pathlib import Path

Memory = dict[str, int]
"""`pss` and `anonymous`, in bytes."""


def read(pid: int | str = "self") -> Memory:
    """Memory of a process now.

    PSS divides a page by its users; resident size would count a shared template once per world.

    Raises:
        OSError: This is not Linux, or the process has ended.
    """
    found = _sizes(Path(f"/proc/{pid}/smaps_rollup").read_text(encoding="ascii").splitlines()[1:])
    return {"pss": found["Pss"], "anonymous": found["Anonymous"]}


def per(before: Memory, after: Memory, count: int) -> dict[str, float]:
    """Growth per thing, in bytes."""
    return {kind: (after[kind] - before[kind]) / count for kind in after}


def of_machine() -> tuple[int, int]:
    """Bytes that the machine has, and that can be had now without swapping."""
    found = _sizes(Path("/proc/meminfo").read_text(encoding="ascii").splitlines())
    return found["MemTotal"], found["MemAvailable"]


def _sizes(lines: list[str]) -> dict[str, int]:
    """Names and bytes of lines such as `Pss:   334 kB`; what the kernel calls kB is 1,024 bytes."""
    return {name: int(rest.split()[0]) * 1024 for name, _, rest in (line.partition(":") for line in lines)}
