"""Bodies are strict JSON: what is refused says which field, and why."""

import pytest
from starlette.testclient import TestClient

API = "/api/skillgraph"
JSON = {"Content-Type": "application/json"}


def refusal(client: TestClient, path: str, body: bytes) -> dict:
    response = client.post(f"{API}/{path}", content=body, headers=JSON)
    assert response.status_code == 400, response.text
    assert response.json()["code"] == "invalid_input"
    return response.json()


@pytest.mark.holds("house.http.body-is-object")
@pytest.mark.parametrize("body", [b"", b"[]", b"null", b'"text"', b"3", b"{", b"{}{}", b"\xff\xfe", b"{'a': 1}"])
def test_a_body_that_is_no_object_is_refused(client: TestClient, body: bytes) -> None:
    refusal(client, "scan", body)


@pytest.mark.holds("house.http.json-traps")
@pytest.mark.parametrize(
    "body",
    [
        b'{"graphId": NaN}',
        b'{"graphId": "a", "limit": Infinity}',
        b'{"graphId": "a", "limit": -Infinity}',
        b'{"graphId": "a", "limit": 1e309}',
        b'{"graphId": "\\ud800"}',
        b'{"graphId": "\xed\xa0\x80"}',
        b'{"graphId": "a", "graphId": "b"}',
        b'{"graphId": ' + b"[" * 100_000 + b"]" * 100_000 + b"}",
        b'{"a":' * 100_000,
        b'{"graphId": "a", "limit": ' + b"9" * 10_000 + b"}",
        b'{"graphId": "a\\u0000b"}',
        b"\xef\xbb\xbf{}",
    ],
)
def test_traps_of_json_are_refused(client: TestClient, body: bytes) -> None:
    refusal(client, "scan", body)


@pytest.mark.holds("house.http.strict-integers", "house.errors.names-field")
@pytest.mark.parametrize("value", ["true", '"5"', "1.5", "5.0", "1e309", "null", "[5]", "1e1"])
def test_numbers_are_integers_only(client: TestClient, value: str) -> None:
    body = f'{{"graphId": "a", "limit": {value}}}'.encode()
    shape = refusal(client, "scan", body)
    assert shape["field"] == "limit"
    assert shape["error"] == "limit must be a whole number"


@pytest.mark.holds("house.http.ranges", "house.errors.names-field")
@pytest.mark.parametrize(
    ("path", "field", "low", "high"),
    [
        ("scan", "limit", 1, 100),
        ("search", "limit", 1, 100),
        ("traverse", "maxDepth", 0, 10),
        ("traverse", "maxNodes", 0, 100),
        ("traverse", "tokenBudget", 0, 200_000),
        ("context", "maxNodes", 0, 100),
        ("context", "tokenBudget", 0, 200_000),
    ],
)
def test_a_number_outside_its_range_is_refused_and_the_ends_are_not(
    client: TestClient, graph: str, path: str, field: str, low: int, high: int
) -> None:
    for value in (low, high):
        answer = client.post(f"{API}/{path}", json={"graphId": graph, "query": "senses", field: value})
        assert answer.status_code == 200, answer.text
    for value in (low - 1, high + 1, 10**30):
        answer = client.post(f"{API}/{path}", json={"graphId": graph, "query": "senses", field: value})
        assert answer.status_code == 400
        assert answer.json()["field"] == field
        if value != 10**30:
            assert answer.json()["error"] == f"{field} must be from {low:,} to {high:,}"


@pytest.mark.holds("house.http.ranges")
def test_a_level_outside_its_range_is_refused(client: TestClient, graph: str) -> None:
    for level in ("5", "-1", "x", "1.0", "", "٣", "1" * 40):
        answer = client.get(f"{API}/node", params={"graphId": graph, "id": "index", "level": level})
        assert answer.status_code == 400, level
        assert answer.json()["field"] == "level"


@pytest.mark.holds("house.http.unknown-fields")
def test_an_unknown_field_is_refused_by_name(client: TestClient, graph: str) -> None:
    answers = [
        client.post(f"{API}/scan", json={"graphId": graph, "colour": "red"}),
        client.get(f"{API}/stats", params={"graphId": graph, "colour": "red"}),
        client.get(f"{API}/graphs", params={"colour": "red"}),
        client.post(f"{API}/scan?colour=red", json={"graphId": graph}),
        client.delete(f"{API}/graphs/{graph}?colour=red"),
    ]
    for answer in answers:
        assert answer.status_code == 400
        shape = answer.json()
        assert shape.pop("error").startswith("Unknown field colour")
        assert shape == {"code": "invalid_input", "field": "colour"}
    assert answers[0].json()["error"] == "Unknown field colour; known: graphId, query, domain, limit"
    assert client.get(f"{API}/stats", params={"graphId": graph}).status_code == 200


def test_a_query_parameter_given_twice_is_refused(client: TestClient, graph: str) -> None:
    assert client.get(f"{API}/stats?graphId={graph}&graphId={graph}").json()["field"] == "graphId"


@pytest.mark.holds("house.http.graph-id-required")
@pytest.mark.parametrize("path", ["scan", "traverse", "context", "validate", "search"])
def test_the_graph_must_be_named(client: TestClient, graph: str, path: str) -> None:
    shape = refusal(client, path, b'{"query": "x"}' if path != "validate" else b"{}")
    assert shape["field"] == "graphId"
    assert shape["error"] == "graphId is required"


@pytest.mark.holds("house.http.optional-queries")
def test_queries_are_optional_where_the_contract_says_so(client: TestClient, graph: str) -> None:
    for path in ("scan", "traverse"):
        assert client.post(f"{API}/{path}", json={"graphId": graph}).status_code == 200
        assert client.post(f"{API}/{path}", json={"graphId": graph, "query": ""}).status_code == 200
    for query in ("", " \n\t ", "\u3000", "\u001c"):
        answer = client.post(f"{API}/context", json={"graphId": graph, "query": query})
        assert answer.status_code == 400
        assert answer.json()["error"] == "query must not be blank"
        assert answer.json()["field"] == "query"


def test_a_body_above_a_megabyte_is_413(client: TestClient) -> None:
    body = b'{"graphId": "a", "query": "' + b"x" * (1024 * 1024) + b'"}'
    answer = client.post(f"{API}/scan", content=body, headers=JSON)
    assert answer.status_code == 413
    assert answer.json()["what"] == "body_bytes"
    chunks = iter([body[:600_000], body[600_000:]])  # without an announced length it is counted
    assert client.post(f"{API}/scan", content=chunks, headers=JSON).status_code == 413


def test_a_strange_field_name_is_shown_harmlessly(client: TestClient) -> None:
    shape = refusal(client, "scan", b'{"graphId": "a", "\\u001b[31m' + b"x" * 1000 + b'": 1}')
    assert len(shape["field"]) <= 81
    assert "\x1b" not in shape["field"]


@pytest.mark.holds("house.http.bad-input-changes-nothing")
def test_bad_input_changes_nothing(client: TestClient, graph: str) -> None:
    before = client.get(f"{API}/graphs").text
    client.post(f"{API}/fuse", json={"name": "sample", "graphIds": [graph]})
    client.post(f"{API}/fuse", json={"name": "sample", "graphIds": [graph, "none"]})
    client.post(f"{API}/ingest", json={"sourceType": "github", "source": "https://example.com/a/b", "name": graph})
    client.delete(f"{API}/graphs/{graph}?really=1")
    assert client.get(f"{API}/graphs").text == before


@pytest.mark.holds("house.http.json-traps", "house.errors.names-field")
@pytest.mark.parametrize("body", [b'{"graphId": "a", "graphId": "b"}', b'{"graphId": {"limit": 1, "limit": 1}}'])
def test_a_name_given_twice_is_named(client: TestClient, body: bytes) -> None:
    shape = refusal(client, "scan", body)
    assert shape["field"] in ("graphId", "limit")
    assert shape["error"] == f"{shape['field']} is given twice"


@pytest.mark.holds("house.http.broken-off-is-no-fault")
@pytest.mark.parametrize("path", ["/api/skillgraph/scan", "/api/skillgraph/ingest", "/mcp"])
def test_a_caller_who_hangs_up_is_no_fault_of_ours(client: TestClient, caplog, path: str) -> None:
    messages = iter([{"type": "http.request", "body": b'{"gra', "more_body": True}, {"type": "http.disconnect"}])
    headers = [(b"host", b"127.0.0.1:8000"), (b"content-type", b"application/json"), (b"content-length", b"50")]
    scope = {
        "type": "http", "method": "POST", "path": path, "raw_path": path.encode(), "query_string": b"",
        "headers": headers, "client": ("10.1.2.3", 1), "server": ("127.0.0.1", 8000), "scheme": "http",
        "http_version": "1.1", "root_path": "",
    }  # fmt: skip

    async def receive() -> dict:
        return next(messages)

    async def send(message: dict) -> None:
        assert message.get("status", 400) == 400

    client.portal.call(client.app, scope, receive, send)
    assert [record for record in caplog.records if record.levelname == "ERROR"] == []
