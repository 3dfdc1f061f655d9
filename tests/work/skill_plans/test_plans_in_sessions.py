"""Plans run as sessions tell exactly what they tell when they are run alone."""

import asyncio
import json
from concurrent.futures import ThreadPoolExecutor

import pytest
from tests.pace import PATIENCE
from tests.work.skill_plans.plan_desk import (
    Desk,
    Json,
    around,
    branch,
    chained,
    composite,
    invoke,
    output,
    plan,
    put,
    row,
    story,
    workspace,
)

from loreweave.application import Application
from loreweave.errors import Conflict


def told(application: Application, session_id: str) -> list[Json]:
    """The whole log, once the session is over."""

    async def follow() -> list[Json]:
        events = []
        async for frames in application.sessions.follow(session_id, until_end=True):
            events += [json.loads(frame) for frame in frames]
        return events

    return asyncio.run(asyncio.wait_for(follow(), PATIENCE))


def long_flow() -> Json:
    """Fifty blocks below one another, in the last of them fifty more, and again."""
    inner: Json | None = None
    for number in range(3):
        inner = chained([*row(49, f"r{number}-"), around(f"b{number}", inner)])
    return {**composite("long"), "workspace": workspace(inner)}


@pytest.mark.holds("session.plan.events", "session.plan.workspace.limits")
def test_a_plan_run_as_a_session_tells_what_it_tells_alone(application: Application) -> None:
    inner = composite("inner", put("i1", "mine", "{{outer}} inside"), output("i2", "{{mine}}"))
    steps = [put("p", "outer", "ü{{x}}"), branch("b", "outer", "ü", invoke("c", "inner", "r")), output("o", "{{r}}")]
    many = [put(f"s{number}", "k", "{{outer}}") for number in range(40)]
    request = plan(
        *steps, *many, invoke("l", "long"), invoke("again", "root"), skills=[inner, long_flow()], skillId="root"
    )
    session_id = application.skills.run(request).session_id
    log = told(application, session_id)
    assert [event["seq"] for event in log] == list(range(1, len(log) + 1))
    assert story(log[1:]) == story(Desk().run(request))
    assert log[-1]["message"] == "The skill 'root' would call itself: root → root."
    assert application.sessions.get(session_id).outcome == "failed"


@pytest.mark.holds("session.plan.unknown-keys")
def test_unknown_keys_of_a_step_are_named_in_the_warnings_of_its_session(application: Application) -> None:
    session_id = application.skills.run(plan({**output("o", "t"), "colour": "red"})).session_id
    warned = ["plan.steps.0.colour means nothing here and was left out"]
    assert told(application, session_id)[0]["warnings"] == warned
    assert application.sessions.get(session_id).warnings == warned
    silent = application.skills.run(plan(output("o", "t"))).session_id
    assert "warnings" not in told(application, silent)[0]
    assert application.sessions.get(silent).warnings == []


@pytest.mark.holds("session.plan.request-id")
def test_a_run_that_is_sent_again_with_its_request_id_is_the_run_there_is(application: Application) -> None:
    request = {**plan(output("o", "once")), "request_id": "mine \u00fc"}
    with ThreadPoolExecutor(8) as threads:
        answers = list(threads.map(application.skills.run, [request] * 8))
    session_id = answers[0].session_id
    assert answers == answers[:1] * 8
    log = told(application, session_id)
    assert [event["type"] for event in log].count("skill_output") == 1
    assert application.skills.run({**request, "allSkills": None}).session_id == session_id
    assert told(application, session_id) == log
    assert application.skills.run(plan(output("o", "once"))).session_id != session_id
    assert application.skills.run({**request, "request_id": "other"}).session_id != session_id
    assert len(application.sessions.list()) == 3


@pytest.mark.holds("session.plan.request-id")
def test_a_request_id_means_one_run_alone(application: Application) -> None:
    request = {**plan(output("o", "once")), "request_id": "mine"}
    session_id = application.skills.run(request).session_id
    with pytest.raises(Conflict, match="request_id") as refused:
        application.skills.run({**plan(output("o", "twice")), "request_id": "mine"})
    assert refused.value.facts == {"request_id": "mine"}
    assert [event["content"] for event in told(application, session_id) if event["type"] == "skill_output"] == ["once"]
    assert [each.id for each in application.sessions.list()] == [session_id]
    application.sessions.delete(session_id)
    again = application.skills.run({**plan(output("o", "twice")), "request_id": "mine"}).session_id
    assert told(application, again)[-1]["result"] == "twice"
