"""Large answers travel packed to whoever takes gzip."""

import gzip
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from loreweave.faces.http.sent_answers import takes_gzip

API = "/api/skillgraph"


def raw_get(client: TestClient, path: str, **headers: str) -> tuple[dict[str, str], bytes, int]:
    """Headers and bytes as they were sent, nothing unpacked."""
    with client.stream("GET", path, headers=headers) as answer:
        return dict(answer.headers), b"".join(answer.iter_raw()), answer.status_code


@pytest.fixture
def export(client: TestClient, vault: Path) -> str:
    for number in range(60):
        (vault / f"note-{number}.md").write_text(f"# Note {number}\n\nSee [[grounding]].\n", encoding="utf-8")
    graph = client.app_state["application"].graphs.ingest_folder(vault, name="large").graphId
    return f"{API}/export?graphId={graph}"


@pytest.mark.holds("house.http.compressed", "house.http.etag")
def test_a_large_answer_is_packed_and_still_answers_304(client: TestClient, export: str) -> None:
    plain_headers, plain, _ = raw_get(client, export, **{"Accept-Encoding": "identity"})
    headers, packed, _ = raw_get(client, export, **{"Accept-Encoding": "gzip"})
    assert "content-encoding" not in plain_headers
    assert headers["content-encoding"] == "gzip"
    assert gzip.decompress(packed) == plain
    assert len(packed) * 4 < len(plain)
    assert (int(headers["content-length"]), int(plain_headers["content-length"])) == (len(packed), len(plain))
    assert "Accept-Encoding" in headers["vary"]
    assert "Accept-Encoding" in plain_headers["vary"]
    assert headers["etag"] == "W/" + plain_headers["etag"]
    for tag in (headers["etag"], plain_headers["etag"]):
        known, body, status = raw_get(client, export, **{"Accept-Encoding": "gzip", "If-None-Match": tag})
        assert (status, body) == (304, b"")
        assert "Accept-Encoding" in known["vary"]


@pytest.mark.holds("house.http.compressed")
def test_a_small_answer_is_sent_as_it_is(client: TestClient) -> None:
    headers, body, _ = raw_get(client, f"{API}/graphs", **{"Accept-Encoding": "gzip"})
    assert "content-encoding" not in headers
    assert body == b'{"graphs":[]}\n'


@pytest.mark.holds("house.http.compressed", "house.access.cors-origins")
def test_a_packed_answer_names_the_origin_too(make_client) -> None:
    client = make_client(cors_origins=("https://a.example",))
    headers, _, _ = raw_get(client, "/api/openapi.json", **{"Accept-Encoding": "gzip"})
    assert headers["content-encoding"] == "gzip"
    assert {part.strip() for part in headers["vary"].split(",")} == {"Accept-Encoding", "Origin"}


@pytest.mark.holds("house.http.compressed")
def test_mcp_is_never_packed(client: TestClient) -> None:
    body = {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {
        "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}}}  # fmt: skip
    headers = {"Accept": "application/json, text/event-stream", "Accept-Encoding": "gzip"}
    hello = client.post("/mcp", json=body, headers=headers)
    session = {**headers, "Mcp-Session-Id": hello.headers["mcp-session-id"]}
    listed = client.post("/mcp", json={"jsonrpc": "2.0", "id": 2, "method": "tools/list"}, headers=session)
    assert len(listed.content) > 4096
    assert "content-encoding" not in listed.headers


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("gzip", True),
        ("br, GZIP;q=0.5", True),
        ("*", True),
        ("gzip;q=0", False),
        ("gzip; q=0.000, *", False),
        ("*;q=0", False),
        ("br", False),
        ("", False),
    ],
)
def test_gzip_is_sent_only_to_whoever_takes_it(line: str, expected: bool) -> None:
    assert takes_gzip([line]) is expected
