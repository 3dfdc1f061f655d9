"""Who may call: loopback names, own origins, bearer tokens."""

import socket
import threading

import anyio
import pytest
from starlette.testclient import TestClient
from tests.pace import PATIENCE

from loreweave.access.access_policy import access_policy, host_name, is_loopback, is_own_origin
from loreweave.settings import Settings

READ = "/api/skillgraph/graphs"


@pytest.mark.holds("house.access.loopback-open")
@pytest.mark.parametrize(
    "host", ["localhost", "localhost:1", "127.0.0.1", "127.0.0.1:8000", "[::1]:8000", "LOCALHOST:80"]
)
def test_loopback_names_are_served(client: TestClient, host: str) -> None:
    assert client.get(READ, headers={"Host": host}).status_code == 200


@pytest.mark.holds("house.access.loopback-open", "house.access.unauthorised")
@pytest.mark.parametrize(
    "host",
    [
        "evil.example",
        "127.0.0.1.evil.example",
        "localhost.evil.example:8000",
        "",
        "192.168.1.5",
        "0.0.0.0",
        "[::2]",
    ],
)
@pytest.mark.parametrize("path", [READ, "/", "/mcp", "/api/health"])
def test_another_host_is_turned_away_everywhere(client: TestClient, host: str, path: str) -> None:
    answer = client.get(path, headers={"Host": host})
    assert answer.status_code == 403
    assert answer.json()["code"] == "forbidden"


@pytest.mark.holds("house.access.loopback-open", "house.http.cors-off")
@pytest.mark.parametrize(
    "origin",
    [
        "http://evil.example",
        "http://127.0.0.1:9999",
        "null",
        "http://localhost:8000.evil.example",
        "file://",
        "http://127.0.0.1:8000@evil.example",
        "nonsense",
        "http://[",
    ],
)
def test_a_page_of_another_origin_may_not_call(client: TestClient, origin: str) -> None:
    for answer in (
        client.get(READ, headers={"Origin": origin}),
        client.post("/mcp", json={}, headers={"Origin": origin}),
        client.options(READ, headers={"Origin": origin, "Access-Control-Request-Method": "GET"}),
    ):
        assert answer.status_code == 403
        assert "access-control-allow-origin" not in answer.headers


def test_our_own_page_may_call(client: TestClient) -> None:
    assert client.get(READ, headers={"Origin": "http://127.0.0.1:8000"}).status_code == 200
    local = {"Host": "localhost:8000", "Origin": "http://localhost:8000"}
    assert client.get(READ, headers=local).status_code == 200


@pytest.mark.holds("house.access.cors-origins")
def test_an_allowed_origin_may_call_from_another_site(make_client) -> None:
    client = make_client(cors_origins=("https://docs.example",))
    asked = {"Origin": "https://docs.example", "Access-Control-Request-Method": "POST"}
    preflight = client.options("/api/skillgraph/scan", headers=asked)
    assert preflight.status_code == 204
    assert preflight.headers["access-control-allow-origin"] == "https://docs.example"
    assert "POST" in preflight.headers["access-control-allow-methods"]
    answer = client.get(READ, headers={"Origin": "https://docs.example"})
    assert answer.headers["access-control-allow-origin"] == "https://docs.example"
    assert "Origin" in answer.headers["vary"]
    assert client.get(READ, headers={"Origin": "https://other.example"}).status_code == 403


@pytest.mark.holds("house.access.tokens-beyond-loopback", "house.access.unauthorised")
@pytest.mark.parametrize(
    "settings", [{"host": "0.0.0.0"}, {"host": "::"}, {"auth": "required"}, {"host": "192.168.1.5"}]
)
def test_a_token_is_demanded(make_client, settings: dict) -> None:
    client = make_client("http://lore.example:8000", allowed_hosts=("lore.example",), **settings)
    token = client.app_state["application"].access.create_token("mira")
    for path in (READ, "/mcp", "/api/openapi.json", "/api/nowhere"):
        missing = client.get(path)
        assert missing.status_code == 401
        assert missing.headers["www-authenticate"].startswith("Bearer")
        assert missing.json()["code"] == "unauthorized"
        assert client.get(path, headers={"Authorization": "Bearer lore_x_y"}).status_code == 401
        assert client.get(path, headers={"Authorization": f"Basic {token.secret}"}).status_code == 401
    assert client.get(READ, headers={"Authorization": f"Bearer {token.secret}"}).status_code == 200
    assert client.get(READ, headers={"Authorization": f"bearer  {token.secret}"}).status_code == 200
    client.app_state["application"].access.revoke(token.id)
    assert client.get(READ, headers={"Authorization": f"Bearer {token.secret}"}).status_code == 401


def test_readiness_and_the_page_need_no_token(make_client) -> None:
    client = make_client(auth="required")
    assert client.get("/api/health").status_code == 200
    assert client.get("/").status_code == 200


@pytest.mark.holds("house.access.modes")
def test_authentication_can_be_switched_off(make_client) -> None:
    client = make_client("http://lore.example", host="0.0.0.0", auth="off", allowed_hosts=("lore.example",))
    assert client.get(READ).status_code == 200
    assert client.get(READ, headers={"Origin": "http://evil.example"}).status_code == 403


@pytest.mark.holds("house.access.one-library")
def test_two_users_see_the_same_graphs(make_client, archive: bytes) -> None:
    client = make_client(auth="required")
    access = client.app_state["application"].access
    mira, noor = ({"Authorization": f"Bearer {access.create_token(u).secret}"} for u in ("mira", "noor"))
    form = {"data": {"sourceType": "zip"}, "files": {"file": ("n.zip", archive)}}
    assert client.post("/api/skillgraph/ingest", headers=mira, **form).status_code == 200
    assert [g["graphId"] for g in client.get(READ, headers=noor).json()["graphs"]] == ["n"]


@pytest.mark.parametrize(
    ("host", "expected"),
    [
        *((host, True) for host in ("127.0.0.1", "127.9.9.9", "::1", "[::1]", "localhost", "LocalHost")),
        *((host, False) for host in ("0.0.0.0", "::", "lore.example", "192.168.0.1", "")),
    ],
)
def test_what_counts_as_loopback(host: str, expected: bool) -> None:
    assert is_loopback(host) is expected


@pytest.mark.holds("house.access.modes")
@pytest.mark.parametrize(
    ("settings", "tokens", "open_on_loopback"),
    [
        ({"host": "127.0.0.1", "auth": "auto"}, False, True),
        ({"host": "127.0.0.1", "auth": "off"}, False, True),
        ({"host": "127.0.0.1", "auth": "auto", "allowed_hosts": ("lore.example",)}, False, False),  # behind a proxy
        ({"host": "127.0.0.1", "auth": "required"}, True, False),
        ({"host": "0.0.0.0", "auth": "auto"}, True, False),
        ({"host": "0.0.0.0", "auth": "off"}, False, False),
    ],
)
def test_the_policy_follows_address_and_mode(tmp_path, settings: dict, tokens: bool, open_on_loopback: bool) -> None:
    policy = access_policy(Settings(data_dir=tmp_path, **settings))
    assert (policy.tokens_required, policy.open_on_loopback) == (tokens, open_on_loopback)


@pytest.mark.holds("house.access.host-in-every-mode")
@pytest.mark.parametrize(
    "settings", [{}, {"auth": "required"}, {"host": "0.0.0.0"}, {"host": "0.0.0.0", "auth": "off"}, {"host": "::"}]
)
def test_a_name_that_somebody_pointed_here_is_turned_away_in_every_mode(make_client, settings: dict) -> None:
    client = make_client(**settings)
    token = client.app_state["application"].access.create_token("mira").secret
    for path in (READ, "/llms.txt", "/llms-full.txt", "/docs", "/api/health", "/", "/mcp"):
        for host in ("evil.example", "127.0.0.1.evil.example", "", "[::1]evil.example"):
            answer = client.get(path, headers={"Host": host, "Authorization": f"Bearer {token}"})
            assert (answer.status_code, answer.json()["field"]) == (403, "Host"), (path, host)


@pytest.mark.holds("house.access.host-in-every-mode")
def test_beyond_loopback_addresses_and_the_computers_own_names_are_served(make_client) -> None:
    client = make_client(host="0.0.0.0", auth="off", allowed_hosts=("lore.example",))
    own = socket.gethostname()
    for host in ("192.168.1.5:8000", "[fe80::1]:8000", "localhost", own, own.partition(".")[0] + ".local:80"):
        assert client.get(READ, headers={"Host": host}).status_code == 200, host
    assert client.get(READ, headers={"Host": "LORE.example:443"}).status_code == 200
    anywhere = make_client(host="0.0.0.0", auth="off", allowed_hosts=("*",))
    assert anywhere.get(READ, headers={"Host": "whatever.example"}).status_code == 200


def test_names_and_origins_are_compared_whole() -> None:
    assert host_name("[::1]:80") == "::1"
    assert host_name("LocalHost:80") == "localhost"
    assert host_name("::1") == "::1"
    for wrong in ("[::1]evil.example", "localhost:80@evil.example", "127.0.0.1:80:evil", "[::1", "", "a]b"):
        assert host_name(wrong) == ""
    assert is_own_origin("https://lore.example", "lore.example")
    assert is_own_origin("https://lore.example:443", "lore.example")
    assert not is_own_origin("https://lore.example", "lore.example:8000")
    assert not is_own_origin("https://lore.example.evil", "lore.example")


def test_whoever_has_a_token_is_let_in_while_every_tool_waits(make_client) -> None:
    client = make_client(auth="required")
    token = client.app_state["application"].access.create_token("mira").secret
    goes_on = threading.Event()
    waiting = [client.portal.start_task_soon(anyio.to_thread.run_sync, goes_on.wait) for _ in range(50)]
    try:
        assert client.get(READ, headers={"Authorization": f"Bearer {token}"}).status_code == 200
    finally:
        goes_on.set()
    assert all(tool.result(PATIENCE) for tool in waiting)
