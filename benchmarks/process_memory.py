"""Memory of a process as Linux accounts for it, shared pages counted once."""

from __future__ import annotations

from pathlib import Path

Memory = dict[str, int]
"""`pss` and `anonymous`, in kilobytes."""


def read(pid: int | str = "self") -> Memory:
    """Memory of a process now.

    PSS divides a page by its users; resident size would count a shared template once per world.

    Raises:
        OSError: This is not Linux, or the process has ended.
    """
    lines = Path(f"/proc/{pid}/smaps_rollup").read_text(encoding="ascii").splitlines()[1:]
    found = {name: int(rest.split()[0]) for name, _, rest in (line.partition(":") for line in lines)}
    return {"pss": found["Pss"], "anonymous": found["Anonymous"]}


def per(before: Memory, after: Memory, count: int) -> dict[str, float]:
    """Growth per thing, in kilobytes."""
    return {kind: (after[kind] - before[kind]) / count for kind in after}


def available() -> int:
    """Kilobytes that can be had without swapping."""
    for line in Path("/proc/meminfo").read_text(encoding="ascii").splitlines():
        if line.startswith("MemAvailable:"):
            return int(line.split()[1])
    raise OSError("/proc/meminfo does not say how much memory is available")
