"""Plans run as sessions tell exactly what they tell when they are run alone."""

import asyncio
import json

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
