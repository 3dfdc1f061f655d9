"""Every failure has one shape, whoever noticed it."""

import pytest
from starlette.testclient import TestClient

API = "/api/skillgraph"


def check_shape(response, status: int, code: str) -> dict:
    assert response.status_code == status, response.text
    assert response.headers["content-type"] == "application/json"
    shape = response.json()
    assert shape["code"] == code
    assert isinstance(shape["error"], str)
    assert "\n" not in shape["error"]
    assert "Traceback" not in response.text
    assert "detail" not in shape
    return shape


@pytest.mark.holds("house.errors.one-shape", "house.errors.no-framework-shape")
@pytest.mark.parametrize(
    ("method", "path", "status", "code"),
    [
        ("GET", "/api/nowhere", 404, "not_found"),
        ("GET", "/nowhere", 404, "not_found"),
        ("GET", "/api", 404, "not_found"),
        ("GET", "/docs/page", 404, "not_found"),
        ("GET", f"{API}/scan/", 404, "not_found"),
        ("GET", f"{API}/stats?graphId=none", 404, "not_found"),
        ("GET", f"{API}/stats", 400, "invalid_input"),
        ("GET", f"{API}/stats?graphId=%00", 400, "invalid_input"),
        ("DELETE", f"{API}/graphs/none", 404, "not_found"),
        ("POST", f"{API}/scan", 400, "invalid_input"),
        ("POST", f"{API}/ingest", 400, "invalid_input"),
        ("POST", "/mcp", 415, "unsupported_media_type"),
    ],
)
def test_a_refusal_has_the_one_shape(client: TestClient, method: str, path: str, status: int, code: str) -> None:
    check_shape(client.request(method, path), status, code)


@pytest.mark.holds("house.errors.method-not-allowed")
@pytest.mark.parametrize(
    ("method", "path", "allowed"),
    [
        ("GET", f"{API}/scan", "POST"),
        ("PUT", f"{API}/stats", "GET, HEAD"),
        ("GET", f"{API}/graphs/some", "DELETE"),
        ("POST", "/api/health", "GET, HEAD"),
        ("HEAD", f"{API}/scan", "POST"),
        ("DELETE", "/", "GET, HEAD"),
        ("PUT", "/mcp", "GET, POST, DELETE"),
    ],
)
def test_a_wrong_method_is_told_the_right_ones(client: TestClient, method: str, path: str, allowed: str) -> None:
    response = client.request(method, path)
    if method == "HEAD":
        assert (response.status_code, response.headers["allow"]) == (405, allowed)
        return
    shape = check_shape(response, 405, "method_not_allowed")
    assert response.headers["allow"] == allowed
    assert shape["allow"] == allowed.split(", ")


@pytest.mark.parametrize("path", ["/api/health", f"{API}/stats?graphId=sample", "/api/ask", "/api/ask/overview/"])
def test_what_can_be_read_can_be_asked_for_without_its_body(client: TestClient, graph: str, path: str) -> None:
    whole, head = client.get(path), client.head(path)
    assert (head.status_code, head.content) == (200, b"")
    kept = ("content-type", "content-length", "cache-control", "etag")
    assert [head.headers.get(name) for name in kept] == [whole.headers.get(name) for name in kept]


@pytest.mark.holds("house.errors.unsupported-media")
@pytest.mark.parametrize("kind", ["text/plain", "application/x-www-form-urlencoded", "application/jsonp"])
def test_another_content_type_is_not_read(client: TestClient, kind: str) -> None:
    for path in (f"{API}/scan", f"{API}/ingest"):
        check_shape(client.post(path, content=b"{}", headers={"Content-Type": kind}), 415, "unsupported_media_type")


@pytest.mark.holds("house.errors.untyped-json")
def test_a_body_without_a_content_type_is_read_as_json(client: TestClient, graph: str) -> None:
    assert client.post(f"{API}/scan", content=f'{{"graphId": "{graph}"}}').status_code == 200
    for path in (f"{API}/scan", f"{API}/ingest"):
        for body in (b"", b"{", b"[]", b"graphId=x"):
            check_shape(client.post(path, content=body), 400, "invalid_input")


def test_a_fault_of_ours_says_nothing_of_its_reason(client: TestClient, graph: str, caplog) -> None:
    """A row is spoilt under the server: a real failure, no invented one."""
    application = client.app_state["application"]
    with application.store.write() as connection:
        connection.execute("UPDATE note_texts SET source = ?", (b"the cellar key",))
    response = client.get(f"{API}/node", params={"graphId": graph, "id": "index", "level": 4})
    shape = check_shape(response, 500, "internal_error")
    assert set(shape) == {"error", "code"}
    assert "unpack_text" in caplog.text
    assert "cellar" not in response.text + caplog.text


@pytest.mark.holds("house.storage.damage-is-told")
def test_a_damaged_database_says_so_and_what_to_do(client: TestClient, graph: str) -> None:
    with client.app_state["application"].store.write() as connection:
        connection.execute("DROP TABLE note_texts")
    response = client.get(f"{API}/node", params={"graphId": graph, "id": "index", "level": 4})
    shape = check_shape(response, 503, "damaged")
    assert shape["error"].startswith("The database is damaged: ")
    assert "lore restore" in shape["error"]


@pytest.mark.holds("house.http.nosniff", "house.http.no-store")
def test_every_answer_says_nosniff_and_what_is_no_read_is_not_stored(client: TestClient, graph: str) -> None:
    answers = [
        client.get("/api/health"),
        client.get("/api/nowhere"),
        client.get(f"{API}/scan"),
        client.post(f"{API}/scan", json={"graphId": graph}),
        client.post(f"{API}/scan", content=b"{"),
        client.post("/mcp"),
        client.get("/api/health", headers={"Host": "evil.example"}),
    ]
    for answer in answers:
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert answer.headers["cache-control"] == "no-store"
    read = client.get(f"{API}/stats", params={"graphId": graph})
    assert read.headers["x-content-type-options"] == "nosniff"


@pytest.mark.holds("house.errors.unavailable")
def test_a_database_that_is_away_is_503(client: TestClient) -> None:
    application = client.app_state["application"]
    application.store.close()
    for file in application.settings.data_dir.glob("lore.db*"):
        file.unlink()
    (application.settings.data_dir / "lore.db").mkdir()
    for answer in (client.get(f"{API}/graphs"), client.get("/api/health")):
        check_shape(answer, 503, "unavailable")
    assert client.get("/api/health").json()["status"] == "degraded"
