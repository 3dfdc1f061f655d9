"""Sessions of MCP over HTTP: they end, they have an owner, and a revoked token takes what it opened with it."""

import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import anyio
import httpx
import httpx2
import pytest
from mcp import Client
from mcp.client.streamable_http import streamable_http_client
from tests.faces.loopback import Loopback, on_loopback
from tests.pace import PATIENCE
from websockets.exceptions import ConnectionClosed

from loreweave.application import open_application
from loreweave.faces.http import guard
from loreweave.faces.mcp import transports
from loreweave.settings import Settings

JSON = {"Accept": "application/json, text/event-stream", "Content-Type": "application/json"}
LISTED = {"jsonrpc": "2.0", "id": 2, "method": "tools/list"}


@pytest.fixture
def locked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Loopback]:
    """A server that asks for tokens and looks after them often."""
    monkeypatch.setattr(guard, "RECHECK_SECONDS", 0.05)
    settings = Settings(data_dir=tmp_path / "data", embedder="none", auth="required")
    with closing(open_application(settings, start_method="forkserver")) as application, on_loopback(application) as it:
        yield it


def greeting(name: str = "t") -> dict[str, Any]:
    client = {"name": name, "version": "1"}
    params = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": client}
    return {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": params}


def bearer(server: Loopback, user: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {server.application.access.create_token(user).secret}"}


def post(server: Loopback, message: dict[str, Any], **headers: str) -> httpx.Response:
    return httpx.post(f"{server.address}/mcp", json=message, headers={**JSON, **headers}, timeout=PATIENCE)


def session_of(server: Loopback, token: dict[str, str]) -> str:
    return post(server, greeting(), **token).headers["mcp-session-id"]


@pytest.mark.holds("house.mcp.sessions-have-owners")
def test_a_session_does_not_exist_for_another_token(locked: Loopback) -> None:
    mira, again, noor = bearer(locked, "mira"), bearer(locked, "mira"), bearer(locked, "noor")
    session = session_of(locked, mira)
    for other in (noor, again):  # another token of the same user is another token
        assert post(locked, LISTED, **other, **{"Mcp-Session-Id": session}).status_code == 404
        gone = httpx.delete(f"{locked.address}/mcp", headers={**other, "Mcp-Session-Id": session}, timeout=PATIENCE)
        assert gone.status_code == 404
    assert post(locked, LISTED, **mira, **{"Mcp-Session-Id": session}).status_code == 200


@pytest.mark.holds("house.mcp.sessions-end")
def test_a_session_in_which_nothing_is_asked_ends(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(transports.HttpSessions.__init__, "__defaults__", (0.2, 1000))
    settings = Settings(data_dir=tmp_path / "data", embedder="none")
    with closing(open_application(settings, start_method="forkserver")) as application, on_loopback(application) as it:
        session = session_of(it, {})
        deadline = time.monotonic() + PATIENCE
        while "still open":
            time.sleep(0.3)  # asking would keep it open
            if post(it, LISTED, **{"Mcp-Session-Id": session}).status_code == 404:
                break
            assert time.monotonic() < deadline, "the session never ended"


@pytest.mark.holds("house.mcp.sessions-end")
def test_there_are_only_so_many_sessions(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(transports.HttpSessions.__init__, "__defaults__", (60.0, 3))
    settings = Settings(data_dir=tmp_path / "data", embedder="none")
    with closing(open_application(settings, start_method="forkserver")) as application, on_loopback(application) as it:
        opened = [session_of(it, {}) for _ in range(3)]
        assert post(it, greeting()).status_code == 503
        assert post(it, LISTED, **{"Mcp-Session-Id": opened[0]}).status_code == 200
        httpx.delete(f"{it.address}/mcp", headers={"Mcp-Session-Id": opened[0]}, timeout=PATIENCE)
        assert post(it, greeting()).status_code == 200


@pytest.mark.holds("house.mcp.sessions-end")
def test_a_client_introduces_itself_briefly(locked: Loopback) -> None:
    token = bearer(locked, "mira")
    refused = post(locked, greeting("x" * 100_000), **token)
    assert (refused.status_code, refused.json()["id"]) == (400, 1)
    assert "16,384 bytes" in refused.json()["error"]["message"]
    assert post(locked, greeting("x" * 1000), **token).status_code == 200


@pytest.mark.holds("house.access.revoked-tokens-close")
def test_a_revoked_token_closes_what_it_watches(locked: Loopback) -> None:
    access = locked.application.access
    token, other = access.create_token("mira"), access.create_token("noor")
    session_id = locked.new_log()
    with (
        locked.watch(session_id, additional_headers={"Authorization": f"Bearer {token.secret}"}) as watcher,
        locked.watch(session_id, additional_headers={"Authorization": f"Bearer {other.secret}"}) as kept,
    ):
        assert watcher.recv(timeout=PATIENCE) == kept.recv(timeout=PATIENCE)
        access.revoke(token.id)
        with pytest.raises(ConnectionClosed) as closed:
            watcher.recv(timeout=PATIENCE)
        locked.say(session_id, 2, 1)
        assert '"seq":2' in str(kept.recv(timeout=PATIENCE)).replace(" ", "")
    assert closed.value.rcvd is not None
    assert (closed.value.rcvd.code, closed.value.rcvd.reason) == (1008, "The access token was revoked")


@pytest.mark.holds("house.access.revoked-tokens-close")
def test_a_revoked_token_closes_the_stream_of_an_mcp_session(locked: Loopback, caplog) -> None:
    token = locked.application.access.create_token("mira")
    bearing = {"Authorization": f"Bearer {token.secret}"}
    listening = {**bearing, "Accept": "text/event-stream", "Mcp-Session-Id": session_of(locked, bearing)}
    with httpx.stream("GET", f"{locked.address}/mcp", headers=listening, timeout=PATIENCE) as stream:
        assert stream.status_code == 200
        locked.application.access.revoke(token.id)
        assert "data:" not in "".join(stream.iter_text())  # ends, and said nothing
    assert post(locked, LISTED, **listening).status_code == 401
    assert [record.message for record in caplog.records if record.name.startswith("uvicorn")] == []


@pytest.mark.holds("house.access.revoked-tokens-close")
def test_the_official_client_is_let_in_by_its_token_and_out_by_its_revocation(locked: Loopback) -> None:
    token = locked.application.access.create_token("mira")

    async def conversation() -> str:
        headers = {"Authorization": f"Bearer {token.secret}"}
        async with httpx2.AsyncClient(headers=headers, timeout=PATIENCE) as http:
            transport = streamable_http_client(f"{locked.address}/mcp?structured=1", http_client=http)
            async with Client(transport) as client:
                assert (await client.call_tool("list_graphs", {})).structured_content == {"graphs": []}
                locked.application.access.revoke(token.id)
                with anyio.fail_after(PATIENCE), pytest.raises(Exception, match="error response") as refused:
                    await client.call_tool("list_graphs", {})
                return str(refused.value)

    assert anyio.run(conversation)
