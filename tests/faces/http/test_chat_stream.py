"""Conversations over HTTP from a real server: the order of events, refusals, and clients that go away."""

import json
import socket
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import httpx
import pytest
from tests.faces.asked_documents import write_documents
from tests.faces.served import served
from tests.laid_tables import lay_tables
from tests.model_server import ModelServer, call, open_section, say
from tests.pace import PATIENCE
from tests.waits import eventually

from loreweave.application import open_application
from loreweave.settings import Settings

QUESTION = {"role": "user", "content": "how do I make a backup"}
CHAT = {"messages": [QUESTION]}


@pytest.fixture
def address(tmp_path: Path, model_server: ModelServer) -> Iterator[str]:
    data = tmp_path / "data"
    application = open_application(Settings(data_dir=lay_tables(data), embedder="none"))
    application.graphs.ingest_folder(write_documents(tmp_path / "docs"), name="docs")
    application.close()
    environment = {
        "ANTHROPIC_API_KEY": "sk-test-not-to-be-shown",
        "ANTHROPIC_BASE_URL": model_server.base_url,
        "LORE_EMBEDDER": "none",
        "LORE_ASK_CONCURRENCY": "1",
    }
    with served(data, **environment) as address:
        yield address


def post(address: str, body: Any = CHAT, path: str = "/api/chat") -> httpx.Response:
    return httpx.post(f"{address}{path}", json=body, timeout=PATIENCE)


def events_of(text: str) -> list[tuple[str, Any]]:
    blocks = [block for block in text.split("\n\n") if block and not block.startswith(":")]
    pairs = [block.split("\n", 1) for block in blocks]
    return [(event.removeprefix("event: "), json.loads(data.removeprefix("data: "))) for event, data in pairs]


@pytest.mark.holds("chat.streams", "chat.cites.what-was-read", "chat.refusals")
def test_a_turn_streams_in_order_and_bad_input_is_refused_by_its_field(address: str, model_server: ModelServer) -> None:
    model_server.script(
        call(open_section("guide/storage#backups")),
        say("ready"),
        say("Set `TOOL_BACKUP_DIR`, see [Backups](/docs/guide/storage#backups) ", "or [x](http://evil.test)."),
    )
    response = post(address, {**CHAT, "graphId": "docs", "tokenBudget": 6_000})
    assert response.headers["content-type"].startswith("text/event-stream")
    assert response.headers["cache-control"] == "no-store"
    events = events_of(response.text)
    kinds = [kind for kind, _ in events]
    assert (kinds[0], kinds[-1], kinds.count("done")) == ("read", "done", 1)
    assert kinds.index("text") > max(place for place, kind in enumerate(kinds) if kind == "read")
    text = "".join(data["text"] for kind, data in events if kind == "text")
    assert text == "Set `TOOL_BACKUP_DIR`, see [Backups](/docs/guide/storage#backups) or x."
    assert [citation["url"] for citation in events[-1][1]["citations"]] == ["/docs/guide/storage#backups"]
    asked = len(model_server.asked)
    for body, status, field, sentence in REFUSED:
        refused = post(address, body)
        assert (refused.status_code, refused.json().get("field")) == (status, field), refused.text
        assert sentence in refused.json()["error"]
    assert post(address, path="/api/chat?graph=docs").status_code == 400
    assert httpx.post(f"{address}/api/chat", content=b"{}", headers={"Content-Type": "text/plain"}).status_code == 415
    assert httpx.get(f"{address}/api/chat").headers["allow"] == "POST"
    assert len(model_server.asked) == asked


def _said(**changed: Any) -> dict[str, Any]:
    return {"messages": [{**QUESTION, **changed}]}


REFUSED = [
    ({}, 400, "messages", "messages is required"),
    ({"messages": []}, 400, "messages", "must hold from 1 to 100 entries"),
    ({"messages": [QUESTION] * 101}, 400, "messages", "must hold from 1 to 100 entries"),
    ({"messages": "hello"}, 400, "messages", "must be a list"),
    (_said(role="system"), 400, "messages.0.role", "must be user or assistant"),
    (_said(role="assistant"), 400, "messages.0.role", "must be user"),
    (_said(content=" \n"), 400, "messages.0.content", "must not be blank"),
    (_said(content="x" * 20_001), 400, "messages.0.content", "at most 20,000 characters"),
    (_said(content="a\0b"), 400, "messages.0.content", "NUL"),
    (_said(content=3), 400, "messages.0.content", "must be text"),
    (_said(tool="x"), 400, "messages.0.tool", "Unknown field"),
    ({**CHAT, "tokenBudget": 3_999}, 400, "tokenBudget", "must be from 4,000 to 200,000"),
    ({**CHAT, "tokenBudget": "many"}, 400, "tokenBudget", "must be a whole number"),
    ({**CHAT, "mode": "x"}, 400, "mode", "Unknown field mode; known: messages, graphId, tokenBudget"),
    ({**CHAT, "graphId": "nowhere"}, 404, None, "nowhere"),
]


class Asking:
    """A client that has asked and may leave at any moment."""

    def __init__(self, address: str) -> None:
        parts = urlsplit(address)
        body = json.dumps(CHAT).encode()
        head = f"POST /api/chat HTTP/1.1\r\nHost: {parts.netloc}\r\nContent-Type: application/json\r\n"
        self._connection = socket.create_connection((parts.hostname, parts.port), timeout=PATIENCE)
        self._connection.sendall(head.encode() + f"Content-Length: {len(body)}\r\n\r\n".encode() + body)

    def read_until(self, text: bytes) -> None:
        received = b""
        while text not in received:
            received += self._connection.recv(4096)

    def leave(self) -> None:
        self._connection.close()


@pytest.mark.holds("chat.client-gone", "chat.places")
@pytest.mark.parametrize("moment", ["while it reads", "while it writes"])
def test_a_client_that_leaves_ends_the_model_call_and_frees_its_place(
    address: str, model_server: ModelServer, moment: str
) -> None:
    if moment == "while it writes":
        model_server.script(call(open_section("guide/storage#backups")), say("ready"), say("Set", fault="stall"))
    else:
        model_server.script(say(fault="stall"))
    asking = Asking(address)
    asking.read_until(b"event: text" if moment == "while it writes" else b"event: read")
    eventually(lambda: len(model_server.asked) == (3 if moment == "while it writes" else 1), "the model to be asked")
    for path, body in (("/api/chat", CHAT), ("/api/ask", {"query": "backup", "mode": "agentic"})):
        busy = post(address, body, path)
        assert (busy.status_code, busy.json()["code"], "retry-after" in busy.headers) == (429, "rate_limited", True)
    asking.leave()
    assert model_server.asked[-1].gone.wait(PATIENCE)
    model_server.script(*[say(status=401)] * 1_000)
    eventually(lambda: post(address).status_code == 200, "the server to notice that the client left")
