"""Memory over HTTP: the tools by name, one error shape, and the whole memory as a ZIP."""

import io
import json
import logging
import sqlite3
import zipfile
from contextlib import closing
from typing import Any

import pytest
from starlette.testclient import TestClient

UNKNOWN = "550e8400-e29b-41d4-a716-446655440000"
JSON = {"Content-Type": "application/json"}


def call(client: TestClient, tool: str, **arguments: Any) -> Any:
    answer = client.post(f"/api/memory/{tool}", json=arguments)
    assert answer.status_code == 200, answer.text
    return answer.json()


def refused(client: TestClient, tool: str, body: bytes | dict[str, Any], status: int) -> dict[str, Any]:
    content = body if isinstance(body, bytes) else json.dumps(body).encode()
    answer = client.post(f"/api/memory/{tool}", content=content, headers=JSON)
    assert answer.status_code == status, answer.text
    shape = answer.json()
    assert {"error", "code"} <= set(shape)
    return shape


@pytest.mark.holds("memory.http.tools")
def test_every_tool_answers_at_its_name(client: TestClient) -> None:
    node = call(client, "store_memory", content="Deploy on Tuesdays.")["node_id"]
    other = call(client, "store_memory", content="Deploy on Thursdays.", tags=["deployment"])["node_id"]
    assert call(client, "search_memories", query="tuesdays")["results"][0]["node_id"] == node
    assert call(client, "get_memory", node_id=node)["history"][0]["actor"] == "http"
    assert call(client, "boost_importance", node_id=node, delta=-1)["new_importance"] == 0.0
    merged = call(client, "merge_concepts", source_ids=[node, other], target_name="Days", rationale="One subject")
    assert call(client, "undo_merge", reversal_hash=merged["reversal_hash"])["merged_state"] == "deleted"
    assert call(client, "forget_concept", node_id=node)["soft_deleted"] is True
    assert node in [item["node_id"] for item in call(client, "list_deleted")["items"]]
    assert call(client, "restore_concept", node_id=node)["restored"] is True
    assert refused(client, "dismiss_task", {"task_id": "none"}, 404)["error"] == "Unknown task_id"


@pytest.mark.holds("memory.http.empty-body")
@pytest.mark.parametrize("headers", [{}, JSON, {"Content-Type": "text/plain"}])
def test_an_empty_body_means_no_arguments(client: TestClient, headers: dict[str, str]) -> None:
    answer = client.post("/api/memory/get_memetic_status", content=b"", headers=headers)
    assert answer.status_code == 200
    assert answer.json()["counts"] == {"live": 0, "deleted": 0, "merged": 0, "reversible_merges": 0}
    assert answer.json() == client.post("/api/memory/get_memetic_status", json={}).json()
    assert answer.headers["cache-control"] == "no-store"


@pytest.mark.holds("memory.http.numbers")
@pytest.mark.parametrize("number", [b"NaN", b"Infinity", b"-Infinity", b"1e400", b"-1e400", b"9" * 5000 + b".0"])
def test_what_is_no_number_of_json_gets_the_sentence(client: TestClient, number: bytes) -> None:
    body = b'{"node_id": "x", "delta": ' + number + b"}"
    shape = refused(client, "boost_importance", body, 400)
    assert shape == {"error": "delta must be a finite number", "code": "invalid_argument", "field": "delta"}


def test_digits_without_end_are_refused_in_their_fields_name(client: TestClient) -> None:
    body = b'{"node_id": "x", "delta": ' + b"9" * 500_000 + b"}"
    assert refused(client, "boost_importance", body, 400)["field"] == "delta"


@pytest.mark.holds("memory.http.errors")
@pytest.mark.parametrize(
    ("body", "field"),
    [
        (b"{", "body"),
        (b"[]", "body"),
        (b"null", "body"),
        (b"\xff\xfe", "body"),
        (b"[" * 100_000, "body"),
        (b'{"query": "a", "query": "b"}', "query"),
        (b'{"query": "\\ud800"}', "query"),
        (b'{"query": "a", "colour": 1}', "colour"),
        (b'{"query": "a", "limit": true}', "limit"),
    ],
)
def test_a_body_that_cannot_be_read_is_400_and_names_its_field(client: TestClient, body: bytes, field: str) -> None:
    shape = refused(client, "search_memories", body, 400)
    assert (shape["code"], shape["field"]) == ("invalid_argument", field)


@pytest.mark.holds("memory.http.errors")
def test_each_kind_of_failure_has_its_status_and_code(client: TestClient) -> None:
    node = call(client, "store_memory", content="Here today.")["node_id"]
    assert refused(client, "get_memory", {"node_id": UNKNOWN}, 404)["code"] == "not_found"
    assert refused(client, "restore_concept", {"node_id": node}, 409)["code"] == "conflict"
    call(client, "forget_concept", node_id=node)
    gone = refused(client, "forget_concept", {"node_id": node}, 409)
    assert (gone["error"], gone["code"]) == ("Memory already deleted", "already_deleted")
    assert {"node_id", "state", "deleted_at", "recoverable_until", "merged_into"} <= set(gone)


def test_a_body_of_another_type_is_415_and_a_large_one_413(client: TestClient) -> None:
    plain = client.post("/api/memory/search_memories", content=b"{}", headers={"Content-Type": "text/plain"})
    assert (plain.status_code, plain.json()["code"]) == (415, "unsupported_media_type")
    large = client.post("/api/memory/store_memory", content=b" " * (1024 * 1024 + 1), headers=JSON)
    assert (large.status_code, large.json()["code"]) == (413, "too_large")


def test_arguments_in_the_address_are_refused(client: TestClient) -> None:
    answer = client.post("/api/memory/get_memetic_status?limit=1", json={})
    assert answer.status_code == 400
    assert answer.json()["error"] == "Unknown argument 'limit'"


def test_other_methods_and_names_are_refused_in_the_one_shape(client: TestClient) -> None:
    assert client.get("/api/memory/store_memory").status_code == 405
    assert client.post("/api/memory/no_such_tool", json={}).status_code == 404


@pytest.mark.holds("memory.http.transfer")
def test_memories_go_out_and_come_in_as_a_zip(make_client, tmp_path) -> None:
    client = make_client()
    call(client, "store_memory", content="Kept exactly.\r\n---\n", name="Kept", tags=["a"])
    call(client, "store_memory", content="Elsewhere.", scope="team/other")
    exported = client.get("/api/memory/export")
    assert exported.status_code == 200
    assert exported.headers["content-type"] == "application/zip"
    assert len(zipfile.ZipFile(io.BytesIO(exported.content)).namelist()) == 2
    assert client.get("/api/memory/export").content == exported.content
    one = client.get("/api/memory/export?scope=default")
    assert len(zipfile.ZipFile(io.BytesIO(one.content)).namelist()) == 1
    fresh = make_client(data_dir=tmp_path / "another")
    zipped = {"Content-Type": "application/zip"}
    trial = fresh.post("/api/memory/import?dry_run=true", content=exported.content, headers=zipped).json()
    assert (trial["created"], trial["skipped"]) == (2, [])
    assert call(fresh, "get_memetic_status")["counts"]["live"] == 0
    taken = fresh.post("/api/memory/import", content=exported.content, headers=zipped).json()
    assert taken == {"created": 2, "updated": 0, "unchanged": 0, "skipped": []}
    assert fresh.post("/api/memory/import", content=exported.content, headers=zipped).json()["unchanged"] == 2
    assert fresh.get("/api/memory/export").content == exported.content


@pytest.mark.holds("memory.http.transfer")
def test_what_is_no_zip_or_too_large_is_refused(make_client) -> None:
    client = make_client(max_zip_bytes=1000)
    zipped = {"Content-Type": "application/zip"}
    assert client.post("/api/memory/import", content=b"no zip", headers=zipped).status_code == 400
    assert client.post("/api/memory/import", content=b"x" * 1001, headers=zipped).status_code == 413
    assert client.post("/api/memory/import", content=b"x", headers=JSON).status_code == 415
    assert client.post("/api/memory/import?dry_run=1", content=b"x", headers=zipped).json()["field"] == "dry_run"
    assert client.post("/api/memory/import?dyr_run=true", content=b"x", headers=zipped).json()["field"] == "dyr_run"
    assert client.get("/api/memory/export?scope=a%20b").json()["field"] == "scope"
    assert call(client, "get_memetic_status")["counts"]["live"] == 0


@pytest.mark.holds("memory.tools.never-logged")
def test_an_unforeseen_trouble_never_logs_what_a_memory_says(
    client: TestClient, caplog: pytest.LogCaptureFixture
) -> None:
    settings = client.app_state["application"].settings
    with closing(sqlite3.connect(settings.data_dir / "lore.db")) as database:
        refuse = "SELECT RAISE(ABORT, 'will not keep: the secret of the fountain')"
        database.execute(f"CREATE TRIGGER stubborn BEFORE INSERT ON memories BEGIN {refuse}; END")
    with caplog.at_level(logging.DEBUG):
        answer = client.post("/api/memory/store_memory", json={"content": "the secret of the fountain"})
    assert answer.status_code in (500, 503)
    assert answer.json()["code"] in ("internal_error", "storage", "damaged")
    assert "fountain" not in caplog.text + answer.text
