"""Boards over HTTP: shapes, and what is refused."""

import pytest
from starlette.testclient import TestClient

UNKNOWN = "00000000-0000-4000-8000-000000000000"


@pytest.mark.holds("board.detect")
def test_nothing_is_detected_where_nothing_is(client: TestClient) -> None:
    answer = client.get("/api/hardware/detect")
    assert (answer.status_code, answer.json()) == (200, {"detected": False})


@pytest.mark.holds("board.flash.refusals")
@pytest.mark.parametrize("path", ["flash/{}", "simulate/{}", "simulate/{}/input"])
def test_unknown_sessions_are_not_found_and_unfinished_ones_refused(client: TestClient, path: str) -> None:
    body = {"pin": "1", "value": 1} if path.endswith("input") else None
    answer = client.post(f"/api/hardware/{path.format(UNKNOWN)}", json=body)
    assert (answer.status_code, answer.json()["code"]) == (404, "not_found")
    session_id = client.post("/api/sessions").json()["session_id"]
    answer = client.post(f"/api/hardware/{path.format(session_id)}", json=body)
    assert (answer.status_code, answer.json()["code"]) == (409, "conflict")


@pytest.mark.holds("board.simulator")
@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({"value": 1}, "pin"),
        ({"pin": "1"}, "value"),
        ({"pin": "../x", "value": 1}, "pin"),
        ({"pin": "1", "value": 1e9}, "value"),
        ({"pin": "1", "value": "x"}, "value"),
    ],
)
def test_an_input_that_cannot_be_set_names_its_field(client: TestClient, body: dict[str, object], field: str) -> None:
    session_id = client.post("/api/sessions").json()["session_id"]
    answer = client.post(f"/api/hardware/simulate/{session_id}/input", json=body)
    assert (answer.status_code, answer.json()["field"]) == (400, field)
