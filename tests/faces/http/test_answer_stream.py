"""Answers over HTTP from a real server: the order of events, faults, and clients that go away."""

import json
import socket
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import httpx
import pytest
from tests.faces.asked_documents import write_documents
from tests.faces.served import served
from tests.laid_tables import lay_tables
from tests.model_server import ModelServer, call, open_section, running_model_server, say, search
from tests.pace import PATIENCE
from tests.waits import eventually

from loreweave.application import open_application
from loreweave.settings import Settings

KEY = "sk-test-not-to-be-shown"
ASK = {"query": "how do I make a backup", "mode": "agentic"}


@pytest.fixture
def model(monkeypatch: pytest.MonkeyPatch) -> Iterator[ModelServer]:
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    with running_model_server() as server:
        yield server


@pytest.fixture
def address(tmp_path: Path, model: ModelServer) -> Iterator[str]:
    data = tmp_path / "data"
    application = open_application(Settings(data_dir=lay_tables(data), embedder="none"))
    application.graphs.ingest_folder(write_documents(tmp_path / "docs"), name="docs")
    application.close()
    environment = {
        "ANTHROPIC_API_KEY": KEY,
        "ANTHROPIC_BASE_URL": model.base_url,
        "LORE_EMBEDDER": "none",
        "LORE_ASK_CONCURRENCY": "1",
    }
    with served(data, **environment) as address:
        yield address


def events_of(text: str) -> list[tuple[str, Any]]:
    blocks = [block for block in text.split("\n\n") if block and not block.startswith(":")]
    pairs = [block.split("\n", 1) for block in blocks]
    return [(event.removeprefix("event: "), json.loads(data.removeprefix("data: "))) for event, data in pairs]


def post(address: str, body: Any = ASK) -> httpx.Response:
    return httpx.post(f"{address}/api/ask", json=body, timeout=PATIENCE)


@pytest.mark.holds("ask.answers.order", "ask.http.sse", "ask.feedback.kept")
def test_an_answer_streams_in_order_and_can_be_rated(address: str, model: ModelServer) -> None:
    model.script(
        call(search("backup"), open_section("guide/storage#backups")),
        say("enough"),
        say("Set `TOOL_BACKUP_DIR`, see [Backups](/docs/guide/storage#backups) ", "or [x](http://evil.test)."),
    )
    response = post(address)
    assert response.headers["content-type"].startswith("text/event-stream")
    events = events_of(response.text)
    kinds = [kind for kind, _ in events]
    assert kinds[0] == "search"
    assert kinds.index("sources") < kinds.index("token")
    assert kinds[-1] == "done"
    assert kinds.count("sources") == kinds.count("done") == 1
    text = "".join(data["text"] for kind, data in events if kind == "token")
    assert text == "Set `TOOL_BACKUP_DIR`, see [Backups](/docs/guide/storage#backups) or x."
    source = next(data for kind, data in events if kind == "sources")["sources"][0]
    assert source["url"] == "/docs/guide/storage#backups"
    assert source["terms"]
    answer_id = events[-1][1]["answerId"]
    rating = {"answerId": answer_id, "helpful": False}
    assert httpx.post(f"{address}/api/ask/feedback", json=rating).status_code == 200
    unknown = httpx.post(f"{address}/api/ask/feedback", json={**rating, "answerId": "nobody"})
    assert (unknown.status_code, unknown.json()["code"]) == (404, "not_found")
    gaps = httpx.get(f"{address}/api/ask/gaps").json()["gaps"]
    assert [(gap["query"], gap["reason"]) for gap in gaps] == [(ASK["query"], "unhelpful")]


@pytest.mark.holds("ask.answers.fall-back")
def test_a_refused_key_falls_back_to_keyword_results(address: str, model: ModelServer) -> None:
    model.script(say(status=401))
    response = post(address)
    assert response.headers["content-type"] == "application/json"
    assert response.json()["mode"] == "keyword"
    assert response.json()["results"]
    assert "key" in response.json()["warning"]
    assert KEY not in response.text


@pytest.mark.holds("ask.answers.faults", "ask.answers.never-done-after-fault")
@pytest.mark.parametrize("fault", ["error frame", "end without stop", "reset"])
def test_a_fault_in_the_stream_is_an_error_and_never_done(
    address: str,
    model: ModelServer,
    fault: Any,
) -> None:
    model.script(call(open_section("guide/storage#backups")), say("enough"), say("Set the", fault=fault))
    events = events_of(post(address).text)
    assert [kind for kind, _ in events][-1] == "error"
    assert "done" not in [kind for kind, _ in events]
    assert set(events[-1][1]) == {"error", "code"}
    said = "".join(data["text"] for kind, data in events if kind == "token")
    assert said == "Set the" or (fault == "reset" and not said)  # a reset may overtake what was sent before it


@pytest.mark.holds("ask.answers.client-gone", "ask.answers.concurrency")
def test_a_client_that_leaves_ends_the_model_call_and_frees_its_place(
    address: str,
    model: ModelServer,
) -> None:
    model.script(call(open_section("guide/storage#backups")), say("enough"), say("Set", fault="stall"), say(status=401))
    asking = Asking(address)
    asking.read_until(b"event: token")
    busy = post(address)
    assert (busy.status_code, "retry-after" in busy.headers) == (429, True)
    asking.leave()
    assert model.asked[-1].gone.wait(PATIENCE)
    eventually(lambda: post(address).status_code != 429, "the server to notice that the client left")


class Asking:
    """A client that has asked and may leave at any moment."""

    def __init__(self, address: str) -> None:
        parts = urlsplit(address)
        body = json.dumps(ASK).encode()
        head = f"POST /api/ask HTTP/1.1\r\nHost: {parts.netloc}\r\nContent-Type: application/json\r\n"
        self._connection = socket.create_connection((parts.hostname, parts.port), timeout=PATIENCE)
        self._connection.sendall(head.encode() + f"Content-Length: {len(body)}\r\n\r\n".encode() + body)

    def read_until(self, text: bytes) -> None:
        received = b""
        while text not in received:
            received += self._connection.recv(4096)

    def leave(self) -> float:
        self._connection.close()
        return time.monotonic()


@pytest.mark.holds("ask.answers.client-gone", "ask.answers.client-gone-soon")
@pytest.mark.parametrize("moment", ["before the first byte", "in the middle"])
def test_the_model_call_ends_once_the_client_has_left(address: str, model: ModelServer, moment: str) -> None:
    if moment == "in the middle":
        model.script(call(open_section("guide/storage#backups")), say("enough"), say("Set", fault="stall"))
    else:
        model.script(say(fault="stall"))
    asking = Asking(address)
    if moment == "in the middle":
        asking.read_until(b"event: token")
    else:
        assert model.arrived.acquire(timeout=PATIENCE)
    left = asking.leave()
    assert model.asked[-1].gone.wait(PATIENCE)
    assert len(model.asked) == (3 if moment == "in the middle" else 1)
    # An answer that nobody awaits begins after three seconds in any case.
    assert moment == "in the middle" or time.monotonic() - left < 2.9


@pytest.mark.holds("ask.answers.client-gone-soon", "ask.answers.concurrency")
def test_a_client_that_leaves_before_the_first_byte_frees_its_place(address: str, model: ModelServer) -> None:
    model.script(say(fault="stall"), say(status=401))
    asking = Asking(address)
    assert model.arrived.acquire(timeout=PATIENCE)
    assert post(address).status_code == 429
    asking.leave()
    eventually(lambda: post(address).status_code != 429, "the server to notice that the client left")
    assert len(model.asked) == 2


@pytest.mark.holds("ask.http.decoded-once")
def test_an_address_is_decoded_once(address: str) -> None:
    sections = f"{address}/api/ask/sections"
    assert httpx.get(f"{sections}/guide%2Fcli%23flags").json() == httpx.get(f"{sections}/guide/cli%23flags").json()
    assert httpx.get(f"{sections}/guide%252Fcli").status_code == 404
