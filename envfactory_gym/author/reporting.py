"""What comes out: the package, written whole or not at all, and an account that says plainly what was reached."""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from ..environment.registry import open_package
from ..verify import pin_tasks
from ..verify import write_report as write_verified
from . import looking
from .asking import told
from .briefing import render
from .looking import Executed
from .passages import Sources
from .revising import lines_of
from .run_folder import RunFolder
from .state import Draft, State

if TYPE_CHECKING:
    from .pipeline import Order


def write_package(order: Order, draft: Draft, executed: Executed) -> Draft:
    """Write a draft to the folder of its order; the draft as it was written, tasks pinned where all passed.

    The report says what a sandbox found. It makes nobody trust the code: `envfactory verify` does, on the user's word.
    """
    order.out.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=order.out.parent, prefix=f".{order.out.name}.") as place:
        folder = Path(place) / order.out.name
        looking.write_files(folder, draft.files)
        if executed.report is not None and executed.passed:
            pin_tasks(folder, executed.report)
            package = open_package(folder)
            write_verified(package, executed.report.model_copy(update={"package_hash": package.package_hash}))
        if order.out.exists():
            shutil.rmtree(order.out)
        folder.rename(order.out)
    return Draft(files=looking.read_files(order.out, without=("report.json",)), script=draft.script)


def write_report(folder: RunFolder, order: Order, state: State, executed: Executed, sources: Sources) -> None:
    """Write the account of an environment into the run's folder."""
    proposal = state.proposal
    text = render(
        "report.md.j2", order=order, state=state, executed=executed, tier=tier_of(executed),
        quoted=proposal.quoted(sources) if proposal is not None else {}, evidence=told(lines_of(executed)),
    )  # fmt: skip
    folder.write(order.name, "report.md", text)
    if state.draft.script:
        folder.write(order.name, "make_data.py", state.draft.script)


def tier_of(executed: Executed) -> str:
    """The tier that was reached; `did not pass` where anything failed."""
    if executed.report is None or not executed.passed:
        return "did not pass"
    return executed.report.tier
