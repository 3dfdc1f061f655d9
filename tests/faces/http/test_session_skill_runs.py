"""Plans over HTTP: run, watched, answered, stopped; and what is refused on the way."""

import json
import threading
from collections.abc import Iterator
from contextlib import closing
from typing import Any

import httpx
import pytest
from tests.faces.loopback import Loopback, numbers, on_loopback
from tests.pace import PATIENCE

from loreweave.application import open_application
from loreweave.settings import Settings

JSON = {"Content-Type": "application/json"}
MEBIBYTE = 1024 * 1024
UNKNOWN = "00000000-0000-4000-8000-000000000000"
ANSWERERS = 12


def ask(step_id: str, header: str = "Colour", store_as: str = "colour") -> dict[str, Any]:
    return {
        "type": "ask_user",
        "id": step_id,
        "question": "Which colour?",
        "header": header,
        "options": ["red", "blue"],
        "storeAs": store_as,
    }


PLAN = {
    "plan": {
        "skillId": "paint",
        "skillName": "Paint",
        "steps": [ask("first"), ask("second"), {"type": "output", "id": "end", "template": "{{colour}} paint"}],
    }
}


@pytest.fixture(scope="module")
def loopback(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Loopback]:
    settings = Settings(data_dir=tmp_path_factory.mktemp("data"), embedder="none")
    with closing(open_application(settings, start_method="forkserver")) as application, on_loopback(application) as it:
        yield it


@pytest.fixture(scope="module")
def client(loopback: Loopback) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=loopback.address, timeout=PATIENCE) as client:
        yield client


def run(client: httpx.Client, body: Any = PLAN) -> str:
    answer = client.post("/api/skills/run", json=body)
    assert answer.status_code == 200, answer.text
    assert set(answer.json()) == {"session_id"}
    return answer.json()["session_id"]


def answered(client: httpx.Client, session_id: str, step_id: str, **answers: Any) -> httpx.Response:
    return client.post(f"/api/skills/{session_id}/answer", json={"step_id": step_id, "answers": answers})


def until(loopback: Loopback, session_id: str, event: str, **facts: Any) -> list[dict]:
    """The events up to the first one of this type and these facts."""
    seen = []
    with loopback.watch(session_id, max_queue=None) as watcher:
        while True:
            seen.append(json.loads(watcher.recv(timeout=PATIENCE)))
            if seen[-1]["type"] == event and facts.items() <= seen[-1].items():
                return seen


@pytest.mark.holds("session.http.skill-run")
def test_a_plan_runs_as_a_session_that_asks_and_goes_on_when_answered(loopback: Loopback, client: httpx.Client) -> None:
    session_id = run(client)
    until(loopback, session_id, "skill_question", step_id="first")
    waiting = client.get(f"/api/sessions/{session_id}").json()
    assert (waiting["kind"], waiting["state"], waiting["skill"]["status"]) == ("skill", "executing", "running")
    [question] = waiting["questions"]
    assert (question["step_id"], question["questions"][0]["header"]) == ("first", "Colour")
    assert answered(client, session_id, "first", Colour="red").json() == {"status": "ok"}
    until(loopback, session_id, "skill_question", step_id="second")
    assert answered(client, session_id, "second", colour="blue").json() == {"status": "ok"}
    events = until(loopback, session_id, "skill_completed")
    assert numbers([json.dumps(event) for event in events]) == list(range(1, len(events) + 1))
    done = client.get(f"/api/sessions/{session_id}").json()
    assert (done["state"], done["outcome"], done["questions"]) == ("done", "success", [])
    assert done["skill"] == {"skill_id": "paint", "status": "completed", "result": "blue paint", "error": None}
    listed = client.get("/api/sessions").json()[0]
    assert (listed["id"], listed["kind"], listed["goal"], listed["outcome"]) == (
        session_id,
        "skill",
        "Paint",
        "success",
    )


@pytest.mark.holds("session.http.one-answer-wins")
def test_of_several_answers_at_once_exactly_one_wins_and_the_others_hear_which(
    loopback: Loopback, client: httpx.Client
) -> None:
    session_id = run(client)
    until(loopback, session_id, "skill_question", step_id="first")
    answers: dict[int, httpx.Response] = {}
    together = threading.Barrier(ANSWERERS)

    def answer(number: int) -> None:
        together.wait(PATIENCE)
        answers[number] = answered(client, session_id, "first", Colour=f"colour {number}")

    threads = [threading.Thread(target=answer, args=(number,)) for number in range(ANSWERERS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(PATIENCE)
    [winner] = [number for number, answer in answers.items() if answer.status_code == 200]
    for number in set(range(ANSWERERS)) - {winner}:
        assert answers[number].status_code == 409
        assert answers[number].json()["answer"] == {"Colour": f"colour {winner}"}
    until(loopback, session_id, "skill_question", step_id="second")
    answered(client, session_id, "second", Colour="blue")
    events = until(loopback, session_id, "skill_completed")
    assert [event["type"] for event in events].count("question_answered") == 2


@pytest.mark.holds("session.http.skill-answer")
def test_each_answer_that_cannot_be_taken_has_its_status(loopback: Loopback, client: httpx.Client) -> None:
    session_id = run(client)
    until(loopback, session_id, "skill_question", step_id="first")
    address = f"/api/skills/{session_id}/answer"
    for wrong in (
        {"step_id": "first"},
        {"step_id": "first", "answers": []},
        {"step_id": "first", "answers": "red"},
        {"step_id": "first", "answers": {}},
        {"step_id": "first", "answers": None},
        {"answers": {"Colour": "red"}},
        {"step_id": 7, "answers": {"Colour": "red"}},
    ):
        refused = client.post(address, json=wrong)
        assert (refused.status_code, refused.json()["code"]) == (400, "invalid_input"), wrong
        assert refused.json()["field"] in ("answers", "step_id")
    assert answered(client, session_id, "third", Colour="red").status_code == 404
    assert answered(client, session_id, "first\0", Colour="red").status_code == 404
    assert answered(client, UNKNOWN, "first", Colour="red").status_code == 404
    assert answered(client, "a" * 5_000, "first", Colour="red").status_code == 404
    assert answered(client, session_id, "second", Colour="red").status_code == 409  # not asked yet
    for build_door in ("gate", "question"):
        body = {"task_id": "first", "answers": {"Colour": "red"}} if build_door == "question" else {}
        assert client.post(f"/api/sessions/{session_id}/{build_door}", json=body).status_code == 409
    assert len(client.get(f"/api/sessions/{session_id}").json()["questions"]) == 1  # still open
    assert answered(client, session_id, "first", Colour="red").status_code == 200
    client.post(f"/api/sessions/{session_id}/stop")
    assert answered(client, session_id, "second", Colour="red").status_code == 409  # over


@pytest.mark.holds("session.http.stop", "session.http.delete")
def test_a_running_plan_cannot_be_deleted_until_it_is_stopped(loopback: Loopback, client: httpx.Client) -> None:
    session_id = run(client)
    until(loopback, session_id, "skill_question", step_id="first")
    refused = client.delete(f"/api/sessions/{session_id}")
    assert (refused.status_code, refused.json()["code"]) == (409, "conflict")
    assert client.post(f"/api/sessions/{session_id}/stop").json() == {"status": "stopped"}
    events = client.get(f"/api/sessions/{session_id}/events").json()["events"]
    assert events[-1]["type"] == "skill_error"
    assert "failed" not in {event.get("status") for event in events}
    stopped = client.get(f"/api/sessions/{session_id}").json()
    assert (stopped["state"], stopped["outcome"], stopped["questions"]) == ("done", "stopped", [])
    assert client.delete(f"/api/sessions/{session_id}").json() == {"status": "deleted"}
    assert client.get(f"/api/sessions/{session_id}").status_code == 404


@pytest.mark.holds("session.http.skill-run")
@pytest.mark.parametrize(
    ("body", "path"),
    [
        ({}, "plan"),
        ({"plan": []}, "plan"),
        ({"plan": {"steps": []}}, "plan.skillName"),
        ({"plan": {"skillName": "x", "steps": [{"type": "dance", "id": "a"}]}}, "plan.steps.0.type"),
        ({"plan": {"skillName": "x", "steps": [{**ask("a"), "question": "?" * 2_001}]}}, "plan.steps.0.question"),
        ({"plan": {"skillName": "x", "steps": []}, "allSkills": {}}, "allSkills"),
    ],
)
def test_a_plan_that_may_not_run_is_400_and_leaves_no_session(client: httpx.Client, body: Any, path: str) -> None:
    before = client.get("/api/sessions").json()
    refused = client.post("/api/skills/run", json=body)
    assert (refused.status_code, refused.json()["code"]) == (400, "invalid_input")
    assert path in [fault["path"] for fault in refused.json()["fields"]]
    assert client.get("/api/sessions").json() == before


@pytest.mark.holds("session.http.bodies", "session.http.methods")
def test_bodies_of_plans_and_answers_are_bounded_objects(client: httpx.Client) -> None:
    before = client.get("/api/sessions").json()
    session_id = before[0]["id"] if before else client.post("/api/sessions").json()["session_id"]
    for address in ("/api/skills/run", f"/api/skills/{session_id}/answer"):
        assert client.post(address, content=b'"' + b"x" * MEBIBYTE + b'"', headers=JSON).status_code == 413
        for body in (b"", b"[]", b"null", b"7", b"{", b"[" * 100_000, b'{"plan": ' * 50_000):
            refused = client.post(address, content=body, headers=JSON)
            assert (refused.status_code, refused.json()["code"]) == (400, "invalid_input")
        assert client.post(address, content=b"{}", headers={"Content-Type": "text/plain"}).status_code == 415
        assert client.get(address).headers["allow"] == "POST"


@pytest.mark.holds("session.http.large-plan")
def test_a_plan_of_half_a_mebibyte_runs_and_is_watched_whole(loopback: Loopback, client: httpx.Client) -> None:
    steps = [{"type": "output", "id": f"o{number}", "template": f"{number} ".ljust(5_000, "é")} for number in range(50)]
    session_id = run(client, {"plan": {"skillName": "Long", "steps": steps}})
    events = until(loopback, session_id, "skill_completed")
    said = [event["content"] for event in events if event["type"] == "skill_output"]
    assert said == [step["template"] for step in steps]
