"""Sessions over HTTP: shapes, pages of events, stopping, deleting, and what is refused."""

from typing import Any

import pytest
from starlette.testclient import TestClient

from loreweave.application import Application
from loreweave.contracts.session_events import AgentOutput, SessionComplete

API = "/api/sessions"
JSON = {"Content-Type": "application/json"}
MEBIBYTE = 1024 * 1024
UNKNOWN = "00000000-0000-4000-8000-000000000000"
RUNNER = "the test"
BELOW = {  # every address below one session, and the methods it knows
    "": ("GET", "DELETE"),
    "/events": ("GET",),
    "/tasks": ("GET",),
    "/git": ("GET",),
    "/commits/all": ("GET",),
    "/tests": ("GET",),
    "/stop": ("POST",),
    "/gate": ("POST",),
    "/question": ("POST",),
}
CALLS = [(method, path) for path, methods in BELOW.items() for method in methods]
FORMS = [
    "x",
    UNKNOWN,
    UNKNOWN.upper(),
    "a" * 10_000,
    "%00",
    "..",
    "%2e%2e",
    "%2e%2e%2fetc",
    "%ff%fe",
    "a b",
    "%F0%9F%A6%8A",
]


def create(client: TestClient) -> str:
    answer = client.post(API)
    assert answer.status_code == 200
    assert set(answer.json()) == {"session_id"}
    return answer.json()["session_id"]


def running(client: TestClient, *, events: int = 0) -> str:
    """A build under way whose log has so many outputs."""
    session_id = create(client)
    record(client, session_id, "outputs", *(output(number) for number in range(events)))
    return session_id


def output(number: int) -> AgentOutput:
    return AgentOutput(task_id="task", agent_name="Ada", content=str(number))


def record(client: TestClient, session_id: str, key: str, *events: Any) -> None:
    application: Application = client.app_state["application"]
    log = application.session_tools.log
    assert log.take(session_id, RUNNER).result()
    if events:
        log.record(session_id, key, events, RUNNER).result()


def answer_to(client: TestClient, method: str, path: str) -> Any:
    bodies = {"/question": {"task_id": "t", "answers": {}}}
    body = next((value for end, value in bodies.items() if path.endswith(end)), None)
    return client.request(method, path, json=body)


@pytest.mark.holds("session.http.shape", "session.http.create")
def test_a_new_session_has_every_field_lists_empty_and_the_rest_null(client: TestClient) -> None:
    session_id = create(client)
    found = client.get(f"{API}/{session_id}")
    assert found.headers["cache-control"] == "no-store"
    assert found.json() == {
        "id": session_id,
        "kind": "build",
        "state": "idle",
        "outcome": None,
        "error": None,
        "spec": None,
        "tasks": [],
        "agents": [],
        "explanation": None,
        "deployment_target": None,
        "nugget_dir": None,
        "url": None,
        "gates": [],
        "questions": [],
        "tokens": None,
        "skill": None,
        "warnings": [],
        "last_seq": 1,
        "created_at": found.json()["created_at"],
        "ended_at": None,
    }
    [started] = client.get(f"{API}/{session_id}/events").json()["events"]
    assert (started["type"], started["session_id"], started["seq"]) == ("session_started", session_id, 1)


@pytest.mark.holds("session.http.parts")
def test_the_parts_of_a_session_that_has_not_begun_are_empty(client: TestClient) -> None:
    session_id = create(client)
    assert client.get(f"{API}/{session_id}/tasks").json() == []
    assert client.get(f"{API}/{session_id}/git").json() == []
    assert client.get(f"{API}/{session_id}/tests").json() == {
        "tests": [],
        "passed": 0,
        "failed": 0,
        "total": 0,
        "coverage_pct": None,
        "coverage_details": None,
    }


@pytest.mark.holds("session.http.list")
def test_sessions_are_a_bare_list_the_newest_first(client: TestClient) -> None:
    assert client.get(API).json() == []
    made = [create(client) for _ in range(5)]
    listed = client.get(API).json()
    assert [each["id"] for each in listed] == made[::-1]
    newest = {"id": made[-1], "kind": "build", "state": "idle", "outcome": None, "waits": False, "goal": ""}
    assert listed[0] == {**newest, "created_at": listed[0]["created_at"]}


@pytest.mark.holds("session.http.events")
def test_pages_of_events_put_together_are_the_log(client: TestClient) -> None:
    session_id = running(client, events=2_499)
    address = f"{API}/{session_id}/events"
    first = client.get(address).json()
    assert (len(first["events"]), first["last_seq"]) == (1_000, 2_500)
    for limit in (1_000, 999, 7):
        seen: list[int] = []
        while not seen or seen[-1] < 2_500:
            page = client.get(address, params={"since": seen[-1] if seen else 0, "limit": limit}).json()
            assert len(page["events"]) == min(limit, 2_500 - len(seen))
            assert page["last_seq"] == 2_500
            seen += [event["seq"] for event in page["events"]]
        assert seen == list(range(1, 2_501))
    assert client.get(address, params={"since": 2_500}).json() == {"events": [], "last_seq": 2_500}
    assert client.get(address, params={"since": "9" * 400}).json() == {"events": [], "last_seq": 2_500}


@pytest.mark.holds("session.http.numbers")
@pytest.mark.parametrize("limit", ["0", "1001", "-1", "", "1.5", "ten", "9" * 40, "1&limit=2"])
def test_a_limit_that_is_no_number_from_1_to_1000_is_400(client: TestClient, limit: str) -> None:
    answer = client.get(f"{API}/{create(client)}/events?limit={limit}")
    assert (answer.status_code, answer.json()["field"]) == (400, "limit")


@pytest.mark.holds("session.http.stop")
def test_stopping_an_idle_session_ends_it_and_stopping_it_again_changes_nothing(client: TestClient) -> None:
    session_id = create(client)
    stopped = client.post(f"{API}/{session_id}/stop")
    assert (stopped.status_code, stopped.json()) == (200, {"status": "stopped"})
    after = client.get(f"{API}/{session_id}").json()
    assert (after["state"], after["outcome"], after["last_seq"]) == ("done", "stopped", 2)
    last = client.get(f"{API}/{session_id}/events").json()["events"][-1]
    assert (last["type"], last["recoverable"]) == ("error", False)
    assert client.post(f"{API}/{session_id}/stop", json={}).json() == {"status": "stopped"}
    assert client.get(f"{API}/{session_id}").json() == after


@pytest.mark.holds("session.http.stop")
def test_stopping_a_session_that_is_over_leaves_it_as_it_ended(client: TestClient) -> None:
    session_id = running(client)
    record(client, session_id, "end", SessionComplete(summary="All done", outcome="success"))
    before = client.get(f"{API}/{session_id}").json()
    assert client.post(f"{API}/{session_id}/stop").status_code == 200
    assert client.get(f"{API}/{session_id}").json() == before
    assert before["outcome"] == "success"


@pytest.mark.holds("session.http.delete")
def test_a_session_that_does_not_run_can_be_deleted_and_is_gone_everywhere(client: TestClient) -> None:
    idle, over, kept = create(client), create(client), create(client)
    client.post(f"{API}/{over}/stop")
    for session_id in (idle, over):
        assert client.delete(f"{API}/{session_id}").json() == {"status": "deleted"}
        for method, path in CALLS:
            assert answer_to(client, method, f"{API}/{session_id}{path}").status_code == 404
    assert [each["id"] for each in client.get(API).json()] == [kept]


@pytest.mark.holds("session.http.unknown")
@pytest.mark.parametrize(("method", "path"), CALLS)
def test_an_unknown_session_is_404_whatever_its_id_looks_like(client: TestClient, method: str, path: str) -> None:
    for form in FORMS:
        answer = answer_to(client, method, f"{API}/{form}{path}")
        assert answer.status_code in (404, 405), form
        assert len(answer.json()["error"]) < 300
        if answer.status_code == 405:  # the client itself resolved the dots, and asked another address
            assert form == ".."
        else:
            assert answer.json()["code"] == "not_found"


@pytest.mark.holds("session.http.unknown")
def test_an_unknown_session_is_told_before_its_body_is_read(client: TestClient) -> None:
    for path in ("/stop", "/gate", "/question"):
        assert client.post(f"{API}/{UNKNOWN}{path}", content=b"no json", headers=JSON).status_code == 404


@pytest.mark.holds("session.http.bodies")
@pytest.mark.parametrize("path", ["", "/stop", "/gate", "/question"])
def test_a_body_over_a_mebibyte_is_413_and_what_is_no_object_400(client: TestClient, path: str) -> None:
    session_id = create(client)
    address = f"{API}/{session_id}{path}" if path else API
    before = (client.get(API).json(), client.get(f"{API}/{session_id}").json())
    large = client.post(address, content=b'{"a": "' + b"x" * MEBIBYTE + b'"}', headers=JSON)
    assert (large.status_code, large.json()["code"], large.json()["limit"]) == (413, "too_large", MEBIBYTE)
    for body in (b"[]", b"null", b"1", b'"{}"', b"{", b"\xff", b"[" * 100_000, b'{"a": NaN}', b'{"a": 1, "a": 2}'):
        refused = client.post(address, content=body, headers=JSON)
        assert (refused.status_code, refused.json()["code"]) == (400, "invalid_input"), body[:20]
        assert "body" in refused.json()["error"] or refused.json()["field"] == "a"
    other = client.post(address, content=b"<a/>", headers={"Content-Type": "text/xml"})
    assert (other.status_code, other.json()["code"]) == (415, "unsupported_media_type")
    assert (client.get(API).json(), client.get(f"{API}/{session_id}").json()) == before


@pytest.mark.holds("session.http.methods")
@pytest.mark.parametrize("path", [API, *(f"{API}/{UNKNOWN}{path}" for path in BELOW)])
def test_another_method_is_405_and_told_which_are_known(client: TestClient, path: str) -> None:
    known = {"GET", "POST"} if path == API else set(BELOW[path.removeprefix(f"{API}/{UNKNOWN}")])
    for method in {"PUT", "PATCH", "POST", "GET", "DELETE"} - known:
        answer = client.request(method, path)
        assert (answer.status_code, answer.json()["code"]) == (405, "method_not_allowed")
        assert set(answer.headers["allow"].split(", ")) - {"HEAD"} == known


@pytest.mark.holds("session.http.query")
def test_what_nobody_reads_in_an_address_is_refused(client: TestClient) -> None:
    session_id = create(client)
    for method, path in [*CALLS, ("GET", "/events")]:
        answer = answer_to(client, method, f"{API}/{session_id}{path}?colour=red")
        assert (answer.status_code, answer.json()["field"]) == (400, "colour")
    for method in ("GET", "POST"):
        assert client.request(method, f"{API}?limit=1").json()["field"] == "limit"
    assert len(client.get(API).json()) == 1


@pytest.mark.holds("session.http.gate")
@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({"approved": "yes"}, "approved"),
        ({"approved": 1}, "approved"),
        ({"approved": None}, "approved"),
        ({"feedback": 1}, "feedback"),
        ({"feedback": "x" * 5_001}, "feedback"),
        ({"gate_id": 1}, "gate_id"),
        ({"task_id": []}, "task_id"),
        ({"aproved": False}, "aproved"),
    ],
)
def test_a_gate_takes_nothing_of_a_wrong_type(client: TestClient, body: dict, field: str) -> None:
    session_id = running(client)
    answer = client.post(f"{API}/{session_id}/gate", json=body)
    assert (answer.status_code, answer.json()["field"]) == (400, field)


@pytest.mark.holds("session.http.question")
@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({}, "task_id"),
        ({"answers": {}}, "task_id"),
        ({"task_id": 1, "answers": {}}, "task_id"),
        ({"task_id": "t"}, "answers"),
        ({"task_id": "t", "answers": ["a"]}, "answers"),
        ({"task_id": "t", "answers": "a"}, "answers"),
        ({"task_id": "t", "answers": {}, "question_id": 7}, "question_id"),
    ],
)
def test_a_question_takes_nothing_of_a_wrong_type(client: TestClient, body: dict, field: str) -> None:
    session_id = running(client)
    answer = client.post(f"{API}/{session_id}/question", json=body)
    assert (answer.status_code, answer.json()["field"]) == (400, field)


@pytest.mark.holds("session.http.gate", "session.http.question")
@pytest.mark.parametrize("over", [False, True])
def test_a_session_that_is_idle_or_over_takes_no_answer(client: TestClient, over: bool) -> None:
    session_id = create(client)
    if over:
        client.post(f"{API}/{session_id}/stop")
    before = client.get(f"{API}/{session_id}").json()
    for answer in (
        client.post(f"{API}/{session_id}/gate"),
        client.post(f"{API}/{session_id}/gate", json={"approved": True, "feedback": "nice\0"}),
        client.post(f"{API}/{session_id}/question", json={"task_id": "t", "answers": {"a": "b"}}),
        client.post(f"/api/skills/{session_id}/answer", json={"step_id": "s", "answers": {"a": "b"}}),
    ):
        assert (answer.status_code, answer.json()["code"]) == (409, "conflict")
    assert client.get(f"{API}/{session_id}").json() == before


@pytest.mark.holds("session.http.tokens")
def test_tokens_are_asked_for_here_too(make_client: Any) -> None:
    client = make_client(auth="required")
    session_id = client.app_state["application"].sessions.create().session_id
    for method, path in [("GET", API), ("POST", API), *((m, f"{API}/{session_id}{p}") for m, p in CALLS)]:
        assert answer_to(client, method, path).status_code == 401
    secret = client.app_state["application"].access.create_token("mira").secret
    known = {"Authorization": f"Bearer {secret}"}
    assert [each["id"] for each in client.get(API, headers=known).json()] == [session_id]


@pytest.mark.holds("session.http.templates")
def test_there_are_no_templates_yet(client: TestClient) -> None:
    assert client.get("/api/templates").json() == []
