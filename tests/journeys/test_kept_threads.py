"""Conversations that are kept over HTTP."""

import threading
import uuid
from concurrent.futures import ThreadPoolExecutor

import pytest
from starlette.testclient import TestClient
from tests.pace import PATIENCE

from loreweave.application import Application
from loreweave.contracts.ask import KeepTurnRequest, ThreadTurn
from loreweave.faces.http.app import create_app

ID = str(uuid.UUID(int=7))


@pytest.fixture
def client(application: Application) -> TestClient:
    return TestClient(create_app(application), base_url="http://127.0.0.1")


def turn(query: str, answer: str = "Because.") -> dict:
    source = {"kind": "node", "id": "skill:a", "title": "A", "url": "/docs/a", "tokens": 3, "reason": "r"}
    return {"query": query, "answer": answer, "mode": "answer", "model": "demo", "sources": [source], "unverified": []}


def keep(client: TestClient, number: int, query: str, thread: str = ID) -> dict:
    body = {"number": number, "graphId": "demo", "turn": turn(query)}
    answer = client.post(f"/api/chat/threads/{thread}", json=body)
    assert answer.status_code == 200, answer.text
    return answer.json()


@pytest.mark.holds("page.asking.threads")
def test_a_conversation_is_kept_turn_by_turn_and_read_again(client: TestClient) -> None:
    assert client.get("/api/chat/threads").json() == {"threads": []}
    keep(client, 0, "Why  is it so?")
    keep(client, 1, "And then?")
    kept = client.get(f"/api/chat/threads/{ID}").json()
    assert [asked["query"] for asked in kept["asked"]] == ["Why  is it so?", "And then?"]
    assert kept["asked"][0] == turn("Why  is it so?")
    assert (kept["title"], kept["graphId"], kept["turns"]) == ("Why is it so?", "demo", 2)
    [line] = client.get("/api/chat/threads").json()["threads"]
    assert line == {name: kept[name] for name in ("id", "title", "graphId", "turns", "updatedAt")}


@pytest.mark.holds("page.asking.threads")
def test_asking_once_more_replaces_a_turn_and_what_followed(client: TestClient) -> None:
    for number, query in enumerate(("one", "two", "three")):
        keep(client, number, query)
    keep(client, 1, "two again")
    kept = keep(client, 1, "two again")
    assert [asked["query"] for asked in kept["asked"]] == ["one", "two again"]
    assert kept["title"] == "one"


@pytest.mark.holds("page.asking.threads")
def test_a_turn_that_two_windows_keep_at_once_is_kept_once(application: Application) -> None:
    together = threading.Barrier(2)

    def keep_at_once(number: int, query: str) -> int:
        together.wait(PATIENCE)
        request = KeepTurnRequest(thread_id=ID, number=number, turn=ThreadTurn(**turn(query)))
        return application.threads.keep(request).turns

    with ThreadPoolExecutor(2) as windows:
        for number in range(20):
            kept = [windows.submit(keep_at_once, number, query) for query in ("one", "two")]
            assert [each.result(PATIENCE) for each in kept] == [number + 1, number + 1]
    assert len(application.threads.read(ID).asked) == 20


@pytest.mark.holds("page.asking.threads")
def test_what_is_wrong_is_named_and_changes_nothing(client: TestClient) -> None:
    keep(client, 0, "one")
    gap = client.post(f"/api/chat/threads/{ID}", json={"number": 2, "turn": turn("three")})
    assert (gap.status_code, gap.json()["field"]) == (409, "number")
    for path, body, field in (
        ("not-an-id", {"number": 0, "turn": turn("x")}, "thread_id"),
        (ID, {"number": -1, "turn": turn("x")}, "number"),
        (ID, {"number": 0, "turn": turn("")}, "turn.query"),
        (ID, {"number": 0, "turn": turn("x", "y" * 200_001)}, "turn.answer"),
    ):
        refused = client.post(f"/api/chat/threads/{path}", json=body)
        assert (refused.status_code, refused.json()["field"]) == (400, field)
    assert [asked["query"] for asked in client.get(f"/api/chat/threads/{ID}").json()["asked"]] == ["one"]


@pytest.mark.holds("page.asking.threads")
def test_a_deleted_conversation_is_gone_and_only_it(client: TestClient) -> None:
    other = str(uuid.UUID(int=8))
    keep(client, 0, "one")
    keep(client, 0, "two", other)
    assert client.delete(f"/api/chat/threads/{ID}").json() == {"deleted": True}
    for answer in (client.get(f"/api/chat/threads/{ID}"), client.delete(f"/api/chat/threads/{ID}")):
        assert (answer.status_code, answer.json()["code"]) == (404, "not_found")
    assert [line["title"] for line in client.get("/api/chat/threads").json()["threads"]] == ["two"]
