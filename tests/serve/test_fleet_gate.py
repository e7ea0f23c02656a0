"""Who may do what at a fleet, and what everybody else is told."""

from __future__ import annotations

import io
import json
import logging
import socket
from collections.abc import Iterator
from pathlib import Path

import httpx2
import pytest

pytest.importorskip("fastapi", reason="serving over HTTP needs the serve extra")

from envfactory_gym.environment import Package
from envfactory_gym.serve.client import FleetClient, FleetError
from envfactory_gym.serve.fleet import Settings
from envfactory_gym.serve.fleet.app import Fleet
from envfactory_gym.serve.fleet.gate import Gate
from envfactory_gym.serve.fleet.logs import configure
from envfactory_gym.serve.fleet.running import listen
from envfactory_gym.serve.fleet.workers import run_workers
from envfactory_gym.serve.session import ServeError
from tests.serve.fleet import EXTEND, PACKAGE, TASK, TOKEN, body, headers, raw_call, served
from tests.support import copy_of_lending


@pytest.fixture(scope="module")
def both() -> Iterator[tuple[Fleet, FleetClient]]:
    with served() as found:
        yield found


@pytest.fixture(scope="module")
def url(both: tuple[Fleet, FleetClient]) -> str:
    return both[0].base_url


MASTER = {"Authorization": f"Bearer {TOKEN}"}


def told(answer: httpx2.Response) -> tuple[int, str]:
    return answer.status_code, answer.json()["error"]["code"]


def test_the_control_plane_opens_to_the_master_token_alone(both: tuple[Fleet, FleetClient], url: str) -> None:
    episode = both[1].create("lending", task=TASK)
    for path in ("/v1/environments", "/v1/episodes", f"/v1/episodes/{episode.id}/digest", "/v1/nothing", "/metrics"):
        assert told(httpx2.get(url + path)) == (401, "unauthorized")
        assert told(httpx2.get(url + path, headers={"Authorization": "Bearer wrong-token"})) == (401, "unauthorized")
        assert told(httpx2.get(url + path, headers={"Authorization": f"Basic {TOKEN}"})) == (401, "unauthorized")
        assert told(httpx2.get(url + path, headers=episode.headers)) == (403, "forbidden")
    answer = httpx2.post(f"{url}/v1/episodes/{episode.id}/score", headers=episode.headers)
    assert told(answer) == (403, "forbidden")
    assert not episode.status().over
    assert httpx2.get(f"{url}/v1/environments").headers["www-authenticate"] == "Bearer"


def test_an_episode_opens_to_its_own_token(both: tuple[Fleet, FleetClient], url: str) -> None:
    one, other = both[1].create("lending"), both[1].create("lending")
    assert raw_call(one, *EXTEND).status_code == 200
    for wrong in ("", "Bearer", "Bearer x", f"Bearer {other.token}", f"Bearer {one.token}x", f"bearer {TOKEN[:-1]}"):
        assert told(raw_call(one, *EXTEND, Authorization=wrong)) == (401, "unauthorized")
    assert raw_call(one, *EXTEND, Authorization=f"Bearer {TOKEN}").status_code == 200
    assert other.diff() == []
    # Which episodes there are is told to nobody who could not play them.
    missing = f"{url}/e/{'0' * 32}/lending/mcp"
    sent = {"json": body(*EXTEND), "timeout": 10}
    assert told(httpx2.post(missing, headers={**headers("extend_loan"), **one.headers}, **sent)) == (
        401,
        "unauthorized",
    )
    one.delete()
    assert told(raw_call(one, *EXTEND)) == (404, "unknown_episode")


def test_addresses_that_are_none_and_methods_that_are_not_taken(both: tuple[Fleet, FleetClient], url: str) -> None:
    episode = both[1].create("lending")
    for path in ("/", "/nothing", "/lendin/mcp", "/lending", "/lending/mcp/more", "/v1/nothing", "/e", "/e/x"):
        assert httpx2.get(url + path, headers=MASTER).status_code == 404, path
    wrong = episode.url.replace("/lending/", "/airline/")
    assert told(httpx2.post(wrong, headers=episode.headers, json={})) == (404, "unknown_environment")
    for method in ("GET", "DELETE", "PUT", "OPTIONS"):
        answer = httpx2.request(method, episode.url, headers=episode.headers)
        assert (told(answer), answer.headers["allow"]) == ((405, "method_not_allowed"), "POST")
    assert told(httpx2.put(f"{url}/v1/episodes", headers=MASTER)) == (405, "method_not_allowed")
    assert httpx2.post(f"{url}/healthz").status_code == 405


def test_hosts_and_origins_are_looked_at_everywhere(both: tuple[Fleet, FleetClient], url: str) -> None:
    episode = both[1].create("lending")
    for path in ("/v1/environments", "/docs", "/lending/mcp"):
        assert told(httpx2.get(url + path, headers={**MASTER, "Host": "evil.example"})) == (421, "wrong_host")
        assert told(httpx2.get(url + path, headers={**MASTER, "Origin": "http://evil.example"})) == (
            403,
            "wrong_origin",
        )
    assert told(raw_call(episode, *EXTEND, Host="127.0.0.1.evil.example")) == (421, "wrong_host")
    for origin in ("http://evil.example", "null", "http://localhost.evil.example", "http://evil.example#localhost"):
        assert told(raw_call(episode, *EXTEND, Origin=origin)) == (403, "wrong_origin")
    assert episode.diff() == []
    assert raw_call(episode, *EXTEND, Origin="http://localhost:6274", Host="localhost:1").status_code == 200


def test_bodies_have_a_limit(both: tuple[Fleet, FleetClient], url: str) -> None:
    episode = both[1].create("lending")
    large = {"loan_id": "x" * (1 << 20)}
    assert told(raw_call(episode, "extend_loan", large)) == (413, "too_large")
    assert told(httpx2.post(f"{url}/v1/episodes", headers=MASTER, content=b" " * 2_000_000)) == (413, "too_large")

    def dripping() -> Iterator[bytes]:
        for _ in range(40):
            yield b" " * 50_000

    answer = httpx2.post(f"{url}/v1/episodes", headers=MASTER, content=dripping(), timeout=20)
    assert told(answer) == (413, "too_large")
    for declared in (b"999999999999999999999", b"-1", b"x"):
        with socket.create_connection(url.removeprefix("http://").split(":")) as raw:  # type: ignore[arg-type]
            raw.sendall(b"POST /v1/episodes HTTP/1.1\r\nHost: localhost\r\nContent-Length: " + declared + b"\r\n\r\n")
            assert raw.recv(100).split(b" ")[1] in (b"400", b"401", b"413")


def test_probes_and_pages_need_no_token_and_tell_nothing(url: str) -> None:
    assert httpx2.get(f"{url}/healthz", headers={"Host": "10.0.0.7"}).json() == {"ok": True}
    assert httpx2.get(f"{url}/readyz").json() == {"ok": True}
    assert "swagger" in httpx2.get(f"{url}/docs").text
    document = httpx2.get(f"{url}/openapi.json").json()
    assert document["security"] == [{"master": []}]
    assert set(document["paths"]) >= {"/v1/episodes", "/v1/episodes/{id}/score"}
    assert TOKEN not in json.dumps(document)


def test_metrics_count_calls(both: tuple[Fleet, FleetClient], url: str) -> None:
    episode = both[1].create("lending")
    episode.call(*EXTEND)
    text = httpx2.get(f"{url}/metrics", headers=MASTER).text
    assert 'envfactory_call_seconds_count{environment="lending",result="ok"}' in text
    assert "envfactory_episodes_live" in text
    assert TOKEN not in text
    assert episode.id not in text


def test_without_a_token_a_fleet_stays_on_this_machine() -> None:
    for host in ("0.0.0.0", "::", "192.168.1.7", "example.com"):
        with pytest.raises(ServeError, match="without a token anybody"):
            Settings(host=host)
        Settings(host=host, token=TOKEN)
    for host in ("127.0.0.1", "127.8.9.1", "::1", "localhost"):
        Settings(host=host)
    with pytest.raises(ServeError, match="can be guessed"):
        Settings(token="short")
    assert TOKEN not in repr(Settings(token=TOKEN))


@pytest.mark.parametrize("token", ["eight chars", "line-end-behind\n", "t\xf6ken-that-is-long", "\u200btoken-token"])
def test_a_token_that_no_header_can_carry_is_refused(token: str) -> None:
    with pytest.raises(ServeError, match="goes in a header"):
        Settings(token=token)


@pytest.mark.parametrize("url", ["nonsense", "ftp://there", "https://", "https://a b", "//there"])
def test_a_public_address_that_is_none_is_refused(url: str) -> None:
    with pytest.raises(ServeError, match="begins with http"):
        Settings(public_url=url)


@pytest.mark.parametrize(
    ("url", "reason"),
    [("https://there", "put {worker} into"), ("https://{worker}.there/{port}", "nothing else in braces")],
)
def test_a_public_address_that_does_not_tell_workers_apart_is_refused(url: str, reason: str) -> None:
    with pytest.raises(ServeError, match=reason):
        run_workers(["lending"], Settings(port=0, public_url=url), 2)


def test_workers_have_no_ports_beyond_the_last() -> None:
    with pytest.raises(ServeError, match="65535 is the last"):
        run_workers(["lending"], Settings(port=65_534), 2)


def test_a_host_that_is_none_is_not_mistaken_for_a_port() -> None:
    with pytest.raises(ServeError, match="give this machine's name or number"):
        listen("256.1.1.1", 0)


def test_without_a_token_nobody_is_asked() -> None:
    with served(token=None) as (fleet, client):
        episode = client.create("lending")
        assert episode.token is None
        assert raw_call(episode, *EXTEND).status_code == 200
        answer = httpx2.get(f"{fleet.base_url}/v1/environments", headers={"Host": "evil.example"})
        assert answer.status_code == 421


def test_tokens_of_episodes_are_the_same_after_a_restart_and_differ_by_master() -> None:
    one, same, other = Gate(Settings(token=TOKEN)), Gate(Settings(token=TOKEN)), Gate(Settings(token="another-master"))
    token = one.token_of("ab12")
    assert token is not None
    assert token == same.token_of("ab12") != other.token_of("ab12")
    assert one.opened_by(token.encode()) == "ab12"
    assert other.opened_by(token.encode()) is None
    assert not one.may_play(token.encode(), "ab13")


@pytest.fixture
def json_log() -> Iterator[io.StringIO]:
    """What a fleet writes, as JSON lines."""
    names = ("envfactory", "uvicorn", "mcp")
    before = {name: (log.handlers[:], log.level, log.propagate) for name in names if (log := logging.getLogger(name))}
    stream = io.StringIO()
    configure("json", "debug", stream)
    yield stream
    for name, (handlers, level, propagate) in before.items():
        log = logging.getLogger(name)
        log.handlers[:], log.propagate = handlers, propagate
        log.setLevel(level)


def test_secrets_are_never_logged(json_log: io.StringIO) -> None:
    with served() as (fleet, client):
        episode = client.create("lending", task=TASK)
        episode.call(*EXTEND)
        raw_call(episode, *EXTEND, Authorization="Bearer wrong-secret")
        httpx2.get(f"{fleet.base_url}/v1/environments", headers={"Authorization": "Bearer wrong-secret"})
        episode.delete()
    lines = json_log.getvalue().splitlines()
    events = [json.loads(line)["event"] for line in lines]
    assert (events[0], events[-1]) == ("episode created", "episode deleted")
    for secret in (TOKEN, episode.token, episode.id, "wrong-secret", "QF7KD"):
        assert secret is not None
        assert secret not in "\n".join(lines)


def test_code_that_nobody_verified_is_not_imported(tmp_path: Path) -> None:
    folder = copy_of_lending(
        tmp_path,
        ("server.py", "env = Environment", "raise SystemExit\nenv = Environment"),
        ("environment.yaml", "name: lending", "name: foreign"),
    )
    with served(environments={"lending": lambda: PACKAGE, "foreign": lambda: Package(folder)}) as (fleet, client):
        assert len(client.environments()) == 2
        for attempt in (lambda: client.create("foreign"), lambda: client.environment("foreign")):
            with pytest.raises(FleetError, match="envfactory verify") as refused:
                attempt()
            assert (refused.value.status, refused.value.code) == (409, "not_verified")
        answer = httpx2.post(f"{fleet.base_url}/foreign/mcp", headers=MASTER, json={})
        assert told(answer) == (409, "not_verified")
        assert client.create("lending").diff() == []


def test_everything_about_limits_is_said(tmp_path: Path) -> None:
    with served(max_episodes=2, max_calls=2) as (_, client):
        one = client.create("lending")
        client.create("lending")
        with pytest.raises(FleetError, match="no more are allowed") as refused:
            client.create("lending")
        assert (refused.value.status, refused.value.code) == (429, "too_many_episodes")
        with pytest.raises(FleetError, match="no more are allowed"):
            one.fork()
        assert [one.call("search_items").refused for _ in range(3)] == [False, False, True]
        assert "2 calls" in one.call("search_items").text
        one.delete()
        client.create("lending")
