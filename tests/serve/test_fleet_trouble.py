"""What the machine under a fleet may do to it: disks that fill up, files that go, servers that share a folder."""

from __future__ import annotations

import asyncio
import contextlib
import errno
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("fastapi", reason="serving over HTTP needs the serve extra")

from envfactory_gym import Package
from envfactory_gym.serve.client import AsyncFleetClient, FleetClient, FleetError, RemoteEpisode
from envfactory_gym.serve.fleet import Settings, journal, keeping, running, workers
from envfactory_gym.serve.session import ServeError
from tests.serve.fleet import EXTEND, TASK, TOKEN, make, raw_call, served
from tests.serve.test_fleet_lasting import SLOW
from tests.support import copy_of_lending

REFUSED = ("extend_loan", {"loan_id": "nobody"})


class Disk:
    """The system's functions, of which `write` fails or stops halfway while `full` says so."""

    full: str | None = None

    def __getattr__(self, name: str) -> Any:
        return getattr(os, name)

    def write(self, handle: int, data: bytes) -> int:
        """Write, as far as there is room."""
        if self.full == "nothing":
            raise OSError(errno.ENOSPC, "No space left on device")
        return os.write(handle, data[: len(data) // 2] if self.full == "half" else data)


@pytest.fixture
def disk(monkeypatch: pytest.MonkeyPatch) -> Iterator[Disk]:
    found = Disk()
    monkeypatch.setattr(journal, "os", found)
    yield found
    found.full = None


@pytest.fixture
def slow(tmp_path: Path) -> Package:
    return Package.load(copy_of_lending(tmp_path, SLOW), trusted=True)


def there_again(client: FleetClient, episode: RemoteEpisode) -> RemoteEpisode:
    """The same episode, at the address where a fleet was started again."""
    old = episode.url.partition("/e/")[0]
    urls = {name: url.replace(old, client._url) for name, url in episode.urls.items()}
    return RemoteEpisode(
        client, episode.info.model_copy(update={"url": episode.url.replace(old, client._url), "urls": urls})
    )


@pytest.mark.parametrize("task", [None, TASK])
def test_what_follows_a_line_that_was_cut_off_is_kept(tmp_path: Path, task: str | None) -> None:
    with served(hibernate=tmp_path) as (_, client):
        episode = client.create("lending", task=task)
        episode.call(*REFUSED)
    (file,) = tmp_path.glob("*.jsonl")
    for torn in (b'{"op":"call","tool":"ext', b"{", b'{"op":"mark","name":"s1"}'):
        file.write_bytes(file.read_bytes() + torn)
        with served(hibernate=tmp_path) as (_, client):
            again = there_again(client, episode)
            again.call(*EXTEND)
            digest, snapshots = again.digest(), again.status().snapshots
        with served(hibernate=tmp_path) as (_, client):
            again = there_again(client, episode)
            assert (again.digest(), again.status().snapshots) == (digest, snapshots) == (digest, [])


@pytest.mark.parametrize("fast", [True, False])
@pytest.mark.parametrize("full", ["nothing", "half"])
@pytest.mark.parametrize("task", [None, TASK])
def test_a_call_that_cannot_be_written_down_never_happened(
    tmp_path: Path, disk: Disk, task: str | None, full: str, fast: bool
) -> None:
    with served(hibernate=tmp_path, fast=fast) as (fleet, client):
        for _ in range(2):  # in a thread, and on the loop
            episode = client.create("lending", task=task)
            episode.call(*REFUSED)
            digest, calls = episode.digest(), episode.status().calls
            disk.full = full
            answer = raw_call(episode, *EXTEND)
            assert answer.status_code == 200
            assert "No space left on device" in answer.json()["error"]["message"]
            assert str(tmp_path) not in answer.text
            with pytest.raises(FleetError, match="No space left") as caught:
                episode.snapshot()
            assert caught.value.status == 503
            disk.full = None
            assert (episode.digest(), episode.status().calls) == (digest, calls)
            assert not episode.call(*EXTEND).refused
            play = fleet.store.find(episode.id)
            digest = episode.digest()
            play.sleep()
            assert episode.digest() == digest


def test_a_journal_that_is_gone_costs_its_own_episode_only(tmp_path: Path) -> None:
    with served(hibernate=tmp_path) as (fleet, client):
        lost, kept = client.create("lending"), client.create("lending")
        fleet.store.find(lost.id).sleep()
        (tmp_path / f"{lost.id}.jsonl").unlink()
        assert {status.id: status.state for status in client.episodes()} == {lost.id: "broken", kept.id: "live"}
        error = raw_call(lost, *EXTEND).json()["error"]
        assert "No such file" in error["message"]
        assert str(tmp_path) not in error["message"]
        assert not kept.call(*EXTEND).refused
        lost.delete()
        assert [status.id for status in client.episodes()] == [kept.id]


def test_what_the_system_refuses_for_a_moment_breaks_nothing(tmp_path: Path) -> None:
    with served(hibernate=tmp_path) as (fleet, client):
        episode = client.create("lending")
        episode.call(*EXTEND)
        digest = episode.digest()
        fleet.store.find(episode.id).sleep()
        file, aside = tmp_path / f"{episode.id}.jsonl", tmp_path / "aside"
        file.rename(aside)
        with pytest.raises(FleetError, match="cannot be read"):
            episode.digest()
        aside.rename(file)
        assert episode.digest() == digest


def test_a_file_that_cannot_be_removed_is_said_and_its_episode_is_at_an_end(tmp_path: Path) -> None:
    with served(hibernate=tmp_path) as (_, client):
        episode = client.create("lending")
        file = tmp_path / f"{episode.id}.jsonl"
        file.unlink()
        (file / "in the way").mkdir(parents=True)
        with pytest.raises(FleetError, match="cannot be removed") as caught:
            episode.delete()
        assert caught.value.status == 503
        assert client.episodes() == []


def test_a_folder_belongs_to_one_server_at_a_time(tmp_path: Path) -> None:
    first = make(hibernate=tmp_path)
    with pytest.raises(ServeError, match="another server keeps its episodes here"):
        make(hibernate=tmp_path)
    make(hibernate=tmp_path / "other").store.close()
    first.store.close()
    make(hibernate=tmp_path).store.close()


def test_a_folder_that_cannot_be_used_is_said_at_the_start(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_text("")
    for unusable in (tmp_path / "file", tmp_path / "file" / "below"):
        with pytest.raises(ServeError, match="episodes cannot be kept here"):
            make(hibernate=unusable)
    monkeypatch.setattr(keeping.os, "access", lambda *_: False)  # as for a user who may not write there
    with pytest.raises(ServeError, match="it cannot be written to"):
        make(hibernate=tmp_path)


async def test_whoever_waits_for_an_episode_that_is_deleted_is_told_and_writes_nothing(
    tmp_path: Path, slow: Package
) -> None:
    folder = tmp_path / "journals"
    with served(environments={"lending": lambda: slow}, hibernate=folder) as (served_, client):
        store = served_.store
        async with AsyncFleetClient(client._url, token=TOKEN, timeout=60) as fleet:
            episode = await fleet.create("lending", task=TASK)
            await episode.snapshot()
            working = asyncio.create_task(episode.call("stocktake", {"rounds": 60}))
            while not store.find(episode.id).is_busy:
                await asyncio.sleep(0.005)
            waiting = [
                asyncio.create_task(wanted)
                for wanted in (
                    episode.call(*EXTEND), episode.user("Well?"), episode.reset(), episode.snapshot(),
                    episode.restore("s1"), episode.fork(), episode.digest(), episode.diff(), episode.record(),
                    episode.score(),
                )
            ]  # fmt: skip
            await asyncio.sleep(0.1)
            deleting = asyncio.create_task(episode.delete())
            for task in waiting:
                with pytest.raises(FleetError, match="deleted") as caught:
                    await task
                assert caught.value.status in (400, 404)  # an error of the protocol, or of the control plane
            with contextlib.suppress(FleetError):  # it had begun; on a busy machine it runs out of time
                await working
            await deleting
            assert await fleet.episodes() == []
    assert list(folder.iterdir()) == []


def test_episodes_that_another_number_of_workers_kept_are_told_of(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(keeping.logger, "propagate", True)
    for worker in (0, 2):
        with served(hibernate=tmp_path, worker=worker) as (_, client):
            client.create("lending")
    assert keeping.left_out(tmp_path, 3) == []
    assert keeping.left_out(tmp_path, 2) == [str(tmp_path / "worker2")]
    make(hibernate=tmp_path).store.close()
    assert [record.folder for record in caplog.records if "sleep on" in record.message] == [
        str(tmp_path / "worker0"), str(tmp_path / "worker2"),
    ]  # fmt: skip
    with served(hibernate=tmp_path) as (_, client):
        client.create("lending")
    assert keeping.left_out(tmp_path, 3) == [str(tmp_path)]


def test_a_worker_that_dies_again_and_again_ends_the_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    for process_wide in ("tune", "configure"):
        monkeypatch.setattr(running, process_wide, lambda *_: None)
    monkeypatch.setattr(workers, "TOO_OFTEN", 1)
    monkeypatch.setattr(workers.Worker, "start", lambda worker: setattr(worker, "_process", Dead()))
    with pytest.raises(ServeError, match="has died 1 times within a minute"):
        workers.run_workers(["lending"], Settings(port=0), 2)


class Dead:
    """A process that has ended at once."""

    exitcode = -9

    def is_alive(self) -> bool:
        """Never."""
        return False

    def join(self, seconds: float) -> None:
        """It has ended."""
