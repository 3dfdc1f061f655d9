"""The contract's own spec starts and finishes, and every event that the contract knows is made by some session."""

from typing import Any, get_args

import pytest
from tests.model_server import Asked, Turn, call, say
from tests.waits import eventually
from tests.work.builds.build_desk import BuildDesk, Json, OpenDesk, found, planned, task, wrote

from loreweave.contracts.session_events import SessionEvent

# Every key of the contract's ProjectSpec, with values that it names.
SPEC: Json = {
    "project": {"goal": "A lamp that listens", "description": "Light on a clap.", "type": "hardware"},
    "requirements": [
        {"type": "feature", "description": "It shines."},
        {"type": "constraint", "description": "One file."},
        {"type": "when_then", "description": "When clapped, then light."},
        {"type": "data", "description": "Claps are counted."},
    ],
    "style": {"visual": "fun_colorful", "personality": None},
    "agents": [
        {"name": "Bea", "role": "builder", "persona": "Careful."},
        {"name": "Tom", "role": "tester", "persona": "Curious."},
        {"name": "Rae", "role": "reviewer", "persona": "Kind."},
        {"name": "Cus", "role": "custom", "persona": "Odd."},
    ],
    "hardware": {"target": "esp32", "components": [{"type": "led", "pin": 2}]},
    "deployment": {"target": "both", "auto_flash": False},
    "workflow": {
        "review_enabled": True,
        "testing_enabled": True,
        "human_gates": ["Is it bright enough?"],
        "flow_hints": [
            {"type": "sequential", "descriptions": ["lamp", "page"]},
            {"type": "parallel", "descriptions": ["page", "tests"]},
        ],
        "iteration_conditions": ["until it shines"],
    },
    "skills": [
        {"id": "s1", "name": "Soldering", "prompt": "Be careful.", "category": "agent"},
        {"id": "s2", "name": "Blinking", "prompt": "On and off.", "category": "feature"},
        {"id": "s3", "name": "Colours", "prompt": "Warm ones.", "category": "style"},
    ],
    "rules": [
        {"id": "r1", "name": "Short", "prompt": "Keep it short.", "trigger": "always"},
        {"id": "r2", "name": "Tell", "prompt": "Say what you did.", "trigger": "on_task_complete"},
        {"id": "r3", "name": "Mend", "prompt": "Mend it.", "trigger": "on_test_fail"},
        {"id": "r4", "name": "Safe", "prompt": "No mains voltage.", "trigger": "before_deploy"},
    ],
}
MAIN = "from machine import Pin\n\nlamp = Pin(2, Pin.OUT)\nlamp.on()\nprint('shining')\n"
FILES = {
    "lamp": {"main.py": MAIN},
    "page": {"index.html": "<!doctype html><title>Lamp</title>"},
    "tests": {
        "tests/test_lamp.py": "from pathlib import Path\n\n\ndef test_lamp():\n    assert Path('main.py').exists()\n"
    },
}
PLAN = planned(task("lamp", agent="Bea"), task("page", "lamp", agent="Cus"), task("tests", "lamp", agent="Tom"))


def team(asked: Asked) -> Turn:
    name = asked.headers["x-lore-task"]
    if name == "deploy-check":
        return say("PASS: no mains voltage.")
    if name not in FILES or wrote(asked):
        return say(f"{name} is done.")
    return call(*(("write_file", {"path": path, "content": text}) for path, text in FILES[name].items()))


def contract_build(desk: BuildDesk) -> tuple[str, list[Json]]:
    desk.plan, desk.otherwise = PLAN, team
    session_id = desk.application.builds.begin({"spec": SPEC}).session_id
    desk.log(session_id, until="human_gate")
    desk.application.sessions.answer_gate(session_id, True, "brighter", None, None)
    return session_id, desk.log(session_id)


@pytest.mark.holds("build.contract.spec")
def test_the_spec_of_the_contract_starts_and_finishes(desk: BuildDesk) -> None:
    session_id, log = contract_build(desk)
    assert (log[-1]["type"], log[-1]["outcome"]) == ("session_complete", "success"), found(log, "error")
    view = desk.application.sessions.get(session_id)
    assert view.warnings == [], "the contract's own keys are all known"
    assert view.spec == SPEC
    assert [each.id for each in view.tasks] == ["lamp", "page", "tests", "review"]
    assert {agent.name: agent.status for agent in view.agents} == dict.fromkeys(("Bea", "Tom", "Rae", "Cus"), "done")
    assert [event["passed"] for event in found(log, "test_result")] == [True]
    assert found(log, "deploy_complete")[0]["url"].endswith(f"/{session_id}/")
    first = desk.requests(task_id="page")[0].text
    for said in ("Light on a clap.", "It shines.", "One file.", "fun_colorful", "Be careful.", "Keep it short."):
        assert said in first
    assert "brighter" in desk.requests(task_id="review")[0].text
    assert "Mend it." not in first


@pytest.mark.holds("build.events.made")
def test_every_event_of_the_contract_is_made_by_some_session(open_desk: OpenDesk) -> None:
    made: set[str] = set()
    with open_desk() as desk:
        session_id, log = contract_build(desk)
        made |= kinds(log)
        desk.application.hardware.simulate(session_id, {})
        eventually(lambda: kinds(events(desk, session_id)) >= {"serial_data", "board_state"}, "the simulator's events")
        made |= {"serial_data", "board_state"}
        made |= kinds(troubled_build(desk))
        made |= kinds(skill_run(desk, "left")) | kinds(skill_run(desk, None))
        asking = asking_build(desk)
    with open_desk() as desk:  # the task that asked goes on
        desk.otherwise = lambda asked: say("done")
        desk.application.workshop.open_soon()
        desk.application.sessions.answer_question(asking, "one", {"Colour": "red"}, None)
        made |= kinds(desk.log(asking))
    known = {kind.model_fields["type"].default for kind in get_args(get_args(SessionEvent)[0])}
    assert known - made == NOT_MADE


NOT_MADE = {"context_loaded"}  # it needs a graph, and is held where builds are given one


def kinds(log: list[Json]) -> set[str]:
    return {event["type"] for event in log}


def events(desk: BuildDesk, session_id: str) -> list[Json]:
    return desk.application.sessions.events(session_id, 0).events


def troubled_build(desk: BuildDesk) -> list[Json]:
    """A task fails for good, and the last one costs nearly all tokens."""
    desk.plan = planned(task("bad"), task("dear"))
    costs = {"input_tokens": 420_000, "output_tokens": 7}
    desk.otherwise = lambda asked: (
        Turn(status=400) if asked.headers["x-lore-task"] == "bad" else say("done", usage=costs)
    )
    session_id = desk.start()
    desk.log(session_id, until="human_gate")
    desk.application.sessions.answer_gate(session_id, True, "", None, None)
    log = desk.log(session_id)
    stopped = desk.start()
    desk.application.sessions.stop(stopped)
    return log + desk.log(stopped)


def asking_build(desk: BuildDesk) -> str:
    question = {"question": "Which?", "header": "Colour", "options": [{"label": "red"}]}
    desk.plan = planned(task("one"))
    desk.otherwise = lambda asked: call(("ask_user", {"questions": [question]}))
    session_id = desk.start()
    desk.log(session_id, until="user_question")
    return session_id


def skill_run(desk: BuildDesk, answer: str | None) -> list[Json]:
    ask = {"id": "a", "type": "ask_user", "question": "Way?", "header": "Way", "options": ["left"], "storeAs": "w"}
    out = {"id": "o", "type": "output", "template": "{{w}}"}
    plan: dict[str, Any] = {"skillId": "s", "skillName": "Ways", "steps": [ask, out]}
    session_id = desk.application.skills.run({"plan": plan}).session_id
    desk.log(session_id, until="skill_question")
    if answer is None:
        desk.application.sessions.stop(session_id)
    else:
        desk.application.skills.answer(session_id, {"step_id": "a", "answers": {"Way": answer}})
    return desk.log(session_id)
