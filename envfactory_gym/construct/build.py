"""The pipeline: a source in, a package folder out, written in one step or not at all."""

from __future__ import annotations

import hashlib
import json
import re
import shutil
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

from .behaviours import make_behaviours
from .coverage import GENERATOR, Coverage
from .emit.schema import emit_invariants, emit_schema
from .emit.server import emit_server
from .emit.trial import stored, trial
from .emit.words import emit_language, emit_manifest, emit_policy, to_yaml
from .model import Model, Row
from .naming import snake
from .portions import fit, split
from .problem import BuildError
from .reading import model_of, read
from .rows.data import Data, make_data
from .rows.paging import fit_pages
from .tasks.writer import make_tasks

NOT_STATED = "not stated"
"""The licence of a source that says nothing about it."""

Progress = Callable[[str], None]
"""Called with the name of each stage as it begins."""


def build(
    source: str | Path,
    out: str | Path,
    *,
    name: str | None = None,
    only: Sequence[str] = (),
    licence: str | None = None,
    seed: int = 0,
    force: bool = False,
    progress: Progress | None = None,
) -> Coverage:
    """Compile a source into one environment package, without a model.

    The same source, name and seed give the same bytes on every Python. A source of more tools than
    one environment may have gives its most telling part; `build_parts` gives all of it.

    Args:
        source: An OpenAPI 3, Swagger 2 or Google discovery document (JSON or YAML), an SQL script, or a SQLite file.
        out: The folder to make; its name is the environment's unless `name` is given.
        name: Lower case, letters, digits and `_`, at most 20 long.
        only: Tags, paths, operations (`GET /pets`, or an operationId) or tables to which the environment is limited.
        licence: Under which the source came, where it does not say so itself.
        seed: Chooses among equally plausible data and tasks.
        force: Replace a folder that no build made.
        progress: Told each stage: `read`, `model`, `data`, `write`.

    Returns:
        The account of what was modelled and what was left out, also written as `coverage.json`.

    Raises:
        BuildError: The source cannot become an environment, or `out` may not be written.
    """
    tell = progress or (lambda stage: None)
    folder = Path(out).resolve()
    _may_write(folder, force)
    tell("read")
    document = read(source)
    tell("model")
    model = _licensed(fit(model_of(document, _name(name or folder.name), only)), licence)
    return _make(model, Path(source).name, folder, seed, tell)


def build_parts(
    source: str | Path,
    out: str | Path,
    *,
    name: str | None = None,
    only: Sequence[str] = (),
    seed: int = 0,
    force: bool = False,
    progress: Progress | None = None,
) -> dict[str, Coverage]:
    """Compile a large source into as many packages as it takes, each of one family of resources.

    Args:
        source: As for `build`.
        out: A folder that will hold a folder for each package.
        name: How the packages' names begin; the folder's if left out.
        only: As for `build`.
        seed: As for `build`.
        force: As for `build`.
        progress: Told each stage, with the package's name: `data shop_orders`.

    Returns:
        Folder's name → the account of that package.

    Raises:
        BuildError: The source cannot become an environment, or a folder may not be written.
    """
    tell = progress or (lambda stage: None)
    folder = Path(out).resolve()
    tell("read")
    document = read(source)
    tell("model")
    parts = split(model_of(document, _name(name or folder.name), only))
    for part in parts:
        _may_write(folder / part.name, force)
    made: dict[str, Coverage] = {}
    for part in parts:

        def told(stage: str, name: str = part.name) -> None:
            tell(f"{stage} {name}")

        made[part.name] = _make(part, Path(source).name, folder / part.name, seed, told)
    return made


def _licensed(model: Model, licence: str | None) -> Model:
    """The model with a licence for the sources that state none."""
    if licence is None:
        return model
    stated = [
        one if one.get("licence", NOT_STATED) != NOT_STATED else {**one, "licence": licence} for one in model.sources
    ]
    return replace(model, sources=tuple(stated))


def _make(model: Model, source: str, folder: Path, seed: int, tell: Progress) -> Coverage:
    """From the model to the written package."""
    tell("data")
    data = make_data(model, seed)
    model = fit_pages(model, data)
    behaviours = make_behaviours(model, data)
    tasks = make_tasks(model, data, seed)
    coverage = Coverage.of(
        model,
        source,
        rows=sum(len(rows) for rows in data.values()),
        behaviours=len(behaviours),
        tasks=len(tasks),
    )
    tell("write")
    schema = emit_schema(model)
    with trial(model, schema, data) as world:
        server = emit_server(model, world)
    files = {
        "environment.yaml": emit_manifest(model),
        "schema.sql": schema,
        "invariants.sql": emit_invariants(model),
        "server.py": server,
        "policy.md": emit_policy(model),
        "language.yaml": emit_language(model),
        "behaviours.yaml": to_yaml(behaviours),
        "tasks.jsonl": "".join(json.dumps(task, ensure_ascii=False) + "\n" for task in tasks),
        **_data_files(model, data),
    }
    # tasks.jsonl is left out: `verify --write` adds certificates to it.
    digests = {name: _digest(text.encode()) for name, text in files.items() if name != "tasks.jsonl"}
    account = {**coverage.payload(), "files": digests}
    files["coverage.json"] = json.dumps(account, ensure_ascii=False, indent=2) + "\n"
    _write(folder, files)
    return coverage


def _name(text: str) -> str:
    name = snake(text)[:20].rstrip("_")
    if not re.fullmatch(r"[a-z][a-z0-9_]{0,19}", name):
        raise BuildError(
            f"{text!r} cannot name an environment", remedy="give a name of lower-case letters, digits and _"
        )
    return name


def _may_write(folder: Path, force: bool) -> None:
    if not folder.exists() or force:
        return
    if not folder.is_dir():
        raise BuildError("there is a file of that name", file=folder, remedy="choose another folder with --out")
    if not any(folder.iterdir()):
        return
    remedy = "choose another folder, or pass --force to replace it"
    try:
        account = json.loads((folder / "coverage.json").read_text(encoding="utf-8"))
        made = account["generator"] == GENERATOR and dict(account["files"])
    except (OSError, ValueError, KeyError, TypeError):
        made = {}
    if not made:
        raise BuildError("this folder holds files that no build made", file=folder, remedy=remedy)
    for name, digest in made.items():
        path = folder / name
        if path.is_file() and _digest(path.read_bytes()) != digest:
            raise BuildError("this file was changed after it was built", file=path, remedy=remedy)


def _digest(content: bytes) -> str:
    return hashlib.blake2b(content, digest_size=16).hexdigest()


def _data_files(model: Model, data: Data) -> dict[str, str]:
    def line(row: Row) -> str:
        return json.dumps({name: stored(value) for name, value in row.items()}, ensure_ascii=False) + "\n"

    return {f"data/{one.table}.jsonl": "".join(line(row) for row in data[one.table]) for one in model.resources}


def _write(folder: Path, files: dict[str, str]) -> None:
    """Write beside the target, then swap: a reader sees the old folder or the new one."""
    folder.parent.mkdir(parents=True, exist_ok=True)
    temporary = Path(tempfile.mkdtemp(prefix=f".{folder.name}-", dir=folder.parent))
    try:
        for name, content in files.items():
            path = temporary / name
            path.parent.mkdir(exist_ok=True)
            path.write_text(content, encoding="utf-8", newline="\n")
        temporary.chmod(0o755)
        if folder.exists():
            old = Path(tempfile.mkdtemp(prefix=f".{folder.name}-old-", dir=folder.parent))
            folder.replace(old / folder.name)
            try:
                temporary.replace(folder)
            except OSError:
                (old / folder.name).replace(folder)
                raise
            finally:
                shutil.rmtree(old)
        else:
            temporary.replace(folder)
    finally:
        shutil.rmtree(temporary, ignore_errors=True)
