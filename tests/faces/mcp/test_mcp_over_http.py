"""/mcp on the server's own port, behind the same guard."""

from pathlib import Path
from typing import Any

import anyio
import httpx
import pytest
from mcp import Client
from mcp.client.streamable_http import streamable_http_client
from starlette.testclient import TestClient

URL = "/mcp?structured=1"
ACCEPT = {"Accept": "application/json, text/event-stream"}
HELLO = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {
        "protocolVersion": "2025-06-18",
        "capabilities": {},
        "clientInfo": {"name": "t", "version": "1"},
    },
}


def call(client: TestClient, name: str, arguments: dict[str, Any], **headers: str) -> dict[str, Any]:
    """One tool call over the raw protocol, with a session of its own."""
    hello = client.post(URL, json=HELLO, headers={**ACCEPT, **headers})
    assert hello.status_code == 200, hello.text
    session = {**ACCEPT, **headers, "Mcp-Session-Id": hello.headers["mcp-session-id"]}
    client.post(URL, json={"jsonrpc": "2.0", "method": "notifications/initialized"}, headers=session)
    asked = {
        "jsonrpc": "2.0",
        "id": 2,
        "method": "tools/call",
        "params": {"name": name, "arguments": arguments},
    }
    answer = client.post(URL, json=asked, headers=session)
    line = next(line for line in answer.text.splitlines() if line.startswith("data: {"))
    return httpx.Response(200, content=line.removeprefix("data: ")).json()["result"]


@pytest.mark.holds("house.mcp.both-transports", "house.commands.serve-one-port")
def test_the_official_client_reads_a_graph_over_http(tmp_path: Path, vault: Path, serve) -> None:
    async def conversation(address: str) -> Any:
        async with Client(streamable_http_client(f"{address}/mcp?structured=1")) as client:
            await client.call_tool("ingest_folder", {"path": str(vault), "name": "sample"})
            found = await client.call_tool("scan", {"graphId": "sample", "query": "reframing"})
            return found.structured_content

    with serve(tmp_path / "data") as address:
        found = anyio.run(conversation, address)
        over_http = httpx.post(f"{address}/api/skillgraph/scan", json={"graphId": "sample", "query": "reframing"})
        assert found == over_http.json()


@pytest.mark.holds("graph.sources.folder.mcp-loopback-only")
def test_folders_are_read_only_while_open_on_loopback(make_client, vault: Path) -> None:
    opened = make_client()
    assert call(opened, "ingest_folder", {"path": str(vault), "name": "sample"})["isError"] is False
    for settings in ({"auth": "required"}, {"host": "0.0.0.0"}, {"host": "0.0.0.0", "auth": "off"}):
        closed = make_client(**settings)
        token = closed.app_state["application"].access.create_token("mira").secret
        answer = call(closed, "ingest_folder", {"path": str(vault)}, Authorization=f"Bearer {token}")
        assert answer["isError"] is True
        assert answer["structuredContent"]["code"] == "forbidden"
        listed = call(closed, "list_graphs", {}, Authorization=f"Bearer {token}")
        assert [graph["graphId"] for graph in listed["structuredContent"]["graphs"]] == ["sample"]


@pytest.mark.holds("graph.rate.user")
def test_ingests_over_mcp_count_in_the_callers_hour(make_client, vault: Path) -> None:
    client = make_client(ingests_per_hour=1)
    assert call(client, "ingest_folder", {"path": str(vault)})["isError"] is False
    refused = call(client, "ingest_folder", {"path": str(vault)})
    assert refused["structuredContent"]["code"] == "rate_limited"


@pytest.mark.parametrize(
    ("content", "status"),
    [(b"{", 400), (b"[]", 400), (b"", 400), (b'{"jsonrpc":"2.0","id":1,"method":"tools/list"}', 400)],
)
def test_what_is_no_conversation_is_refused(client: TestClient, content: bytes, status: int) -> None:
    answer = client.post(URL, content=content, headers={**ACCEPT, "Content-Type": "application/json"})
    assert answer.status_code == status
    assert answer.headers["content-type"].startswith("application/json")


def test_a_message_above_four_megabytes_is_413(client: TestClient) -> None:
    body = b'{"a": "' + b"x" * (4 * 1024 * 1024) + b'"}'
    answer = client.post(URL, content=body, headers={**ACCEPT, "Content-Type": "application/json"})
    assert answer.status_code == 413
    assert answer.json()["code"] == "too_large"


@pytest.mark.holds("house.errors.one-shape")
def test_a_message_of_unknown_length_is_counted(client: TestClient) -> None:
    chunks = iter([b'{"a": "', b"x" * (4 * 1024 * 1024), b'"}'])
    answer = client.post(URL, content=chunks, headers={**ACCEPT, "Content-Type": "application/json"})
    assert answer.status_code == 413
    assert (answer.json()["code"], answer.json()["what"]) == ("too_large", "body_bytes")


@pytest.mark.holds("house.mcp.every-message-is-answered", "house.errors.no-framework-shape")
@pytest.mark.parametrize(
    ("content", "number", "code"),
    [
        (b"{", None, -32700),
        (b"", None, -32700),
        (b'{"jsonrpc":"2.0","id":9,"method":"ping","params":{"a":"\\ud800"}}', 9, -32700),
        (b"[]", None, -32600),
        (b"{}", None, -32600),
        (b'{"jsonrpc":"2.0","id":9,"method":"ping","params":[1]}', 9, -32600),
    ],
)
def test_what_is_no_message_is_answered_in_one_sentence(
    client: TestClient, content: bytes, number: int | None, code: int
) -> None:
    for version in ("2025-06-18", "2026-07-28"):
        headers = {**ACCEPT, "Content-Type": "application/json", "Mcp-Protocol-Version": version}
        answer = client.post(URL, content=content, headers=headers)
        assert answer.status_code == 400
        shape = answer.json()
        assert (shape["jsonrpc"], shape["id"], shape["error"]["code"]) == ("2.0", number, code)
        assert "\n" not in shape["error"]["message"]
        assert "pydantic" not in answer.text


@pytest.mark.holds("graph.rate.counts-sound-requests")
def test_a_home_that_nobody_has_is_not_found_and_not_counted(make_client, vault: Path) -> None:
    client = make_client(ingests_per_hour=1)
    refused = call(client, "ingest_folder", {"path": "~nobody-of-this-name/x"})["structuredContent"]
    assert (refused["code"], refused["field"]) == ("not_found", "path")
    assert call(client, "ingest_folder", {"path": str(vault)})["isError"] is False


@pytest.mark.holds("memory.tools.numbers-on-the-wire")
@pytest.mark.parametrize("number", [b"NaN", b"1e400", b"-Infinity"])
def test_a_literal_that_is_no_number_gets_the_sentence_over_http(client: TestClient, number: bytes) -> None:
    hello = client.post(URL, json=HELLO, headers=ACCEPT)
    session = {**ACCEPT, "Content-Type": "application/json", "Mcp-Session-Id": hello.headers["mcp-session-id"]}
    client.post(URL, json={"jsonrpc": "2.0", "method": "notifications/initialized"}, headers=session)
    body = (
        b'{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"boost_importance",'
        b'"arguments":{"node_id":"x","delta":' + number + b"}}}"
    )
    answer = client.post(URL, content=body, headers=session)
    assert answer.status_code == 200
    assert "delta must be a finite number" in answer.text


@pytest.mark.holds("memory.arguments.never-a-hard-delete-by-accident")
def test_an_argument_given_twice_is_refused_over_http(client: TestClient) -> None:
    body = (
        b'{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"forget_concept",'
        b'"arguments":{"node_id":"x","soft_delete":true,"soft_delete":false}}}'
    )
    answer = client.post(URL, content=body, headers={**ACCEPT, "Content-Type": "application/json"})
    assert answer.status_code == 400
    assert answer.json()["error"]["message"] == "soft_delete is given twice"
