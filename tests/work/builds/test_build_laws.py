"""Whatever is planned, fails or is answered: the events of a build keep their order."""

import asyncio
import json
import random
import threading
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from tests.examples import DEEP
from tests.model_server import Asked, Turn, say
from tests.work.builds.build_desk import BuildDesk, Json, planned, task, writes_own_file
from tests.work.sessions.log_desk import Desk, on_a_loop, read_frame

from loreweave.contracts.project_spec import ProjectSpec, SpecProject
from loreweave.contracts.session_events import Agent, PlanReady, Task, TaskCompleted, TaskStarted
from loreweave.settings import Settings
from loreweave.work.builds.build import Build
from loreweave.work.builds.task_rules import revised
from loreweave.work.sessions.apply_event import apply_event, first_view

PARALLEL = 3
NAMES = "abcdefgh"


def story_of(seed: int) -> dict[str, Any]:
    """A plan, how each task ends, how long its agent takes, and what is said at the gates.

    Threads of the application draw random numbers too, so these come from a source of their own.
    """
    chance = random.Random(seed)
    count = chance.randint(1, 6)

    def some(most: int) -> set[str]:
        return set(chance.sample(NAMES[:count], min(count, chance.randint(0, most))))

    return {
        "tasks": [(NAMES[n], chance.sample(NAMES[:n], chance.randint(0, n))) for n in range(count)],
        "fails": some(2),
        "slow": some(2),
        "silent": some(2),
        "gates": chance.randint(0, 2),
        "answers": [chance.random() < 0.6 for _ in range(12)],
    }


def play(desk: BuildDesk, story: dict[str, Any]) -> tuple[str, list[Json]]:
    desk.plan = planned(*(task(name, *after) for name, after in story["tasks"]))
    desk.model.script(*[desk._turn] * 2_000)

    def agent(asked: Asked) -> Turn:
        name = asked.headers["x-lore-task"]
        if name in story["slow"]:
            threading.Event().wait(0.03)
        if name in story["fails"]:
            return Turn(status=400)
        return say(f"done: {name}") if name in story["silent"] else writes_own_file(asked)

    desk.otherwise = agent
    session_id = desk.start({"workflow": {"human_gates": [f"Gate {number}?" for number in range(story["gates"])]}})
    answers = iter(story["answers"])
    seen = 0
    while True:
        log = desk.log(session_id, "human_gate", seen + 1)
        gates = [event for event in log if event["type"] == "human_gate"]
        if len(gates) <= seen:
            return session_id, log
        gate = gates[seen]
        seen += 1
        desk.application.sessions.answer_gate(session_id, next(answers, True), "said", gate["gate_id"], None)


@pytest.mark.lengthy(2)
@pytest.mark.holds("build.order.events", "build.order.fold", "build.schedule.parallel")
@pytest.mark.timeout(600)
@pytest.mark.parametrize("seed", range(100 if DEEP else 4))
def test_the_events_of_a_build_keep_their_order(desk: BuildDesk, seed: int) -> None:
    story = story_of(seed)
    session_id, log = play(desk, story)
    types = [event["type"] for event in log]
    assert [event["seq"] for event in log] == list(range(1, len(log) + 1))
    order = ["session_started", "planning_started", "plan_ready", "workspace_created"]
    assert [types.index(kind) for kind in order] == sorted(types.index(kind) for kind in order)
    assert types.index("workspace_created") < types.index("task_started")
    check_tasks(log)
    check_gates(log)
    check_agents(log)
    check_end(log, story)
    check_fold(desk, session_id, log)


def check_tasks(log: list[Json]) -> None:
    known: dict[str, Json] = {}
    started: set[str] = set()
    ended: dict[str, str] = {}
    for event in log:
        if event["type"] == "plan_ready":
            assert set(known) <= {each["id"] for each in event["tasks"]}
            known = {each["id"]: each for each in event["tasks"]}
        name = event.get("task_id")
        if name is not None:
            assert name in known, f"{name} was never told of"
        if event["type"] == "task_started":
            assert name not in started
            assert all(ended.get(before) == "task_completed" for before in known[name]["dependencies"])
            started.add(name)
            assert len(started - set(ended)) <= PARALLEL
        elif event["type"] in ("task_completed", "task_failed"):
            assert name not in ended
            ended[name] = event["type"]
            if event["type"] == "task_completed":
                assert name in started
        elif event["type"] in ("agent_output", "commit_created"):
            assert name in started
            assert name not in ended
    assert set(ended) == set(known), "every task comes to an end"
    for name in (name for name, end in ended.items() if end == "task_completed"):
        check_story(log, name, known[name]["agent_name"])


def check_story(log: list[Json], name: str, agent: str) -> None:
    """What it said, what that cost, what came of it, what it says to the others, the end."""
    own = [place for place, event in enumerate(log) if event.get("task_id") == name]
    said = max((place for place in own if log[place]["type"] == "agent_output"), default=own[0])
    kinds = [log[place]["type"] for place in own]
    end = own[kinds.index("task_completed")]
    committed = own[kinds.index("commit_created")] if "commit_created" in kinds else end - 1
    paid = [place for place, event in enumerate(log) if event["type"] == "token_usage" and event["agent_name"] == agent]
    assert any(said < place < committed for place in paid)
    assert log[end - 1]["type"] == "agent_message"
    assert committed in (end - 2, end - 1)


def check_gates(log: list[Json]) -> None:
    """While one is open nothing is launched."""
    open_gates: set[str] = set()
    for event in log:
        if event["type"] == "human_gate":
            open_gates.add(event["gate_id"])
        elif event["type"] == "gate_answered":
            open_gates.remove(event["gate_id"])
        elif event["type"] == "task_started":
            assert not open_gates
    assert not open_gates


def check_agents(log: list[Json]) -> None:
    """Statuses come in pairs, each from the one before."""
    status: dict[str, str] = {}
    for event, following in pairwise(log):
        if event["type"] == "agent_status":
            name, new = event["agent"]["name"], event["agent"]["status"]
            told = {"agent_name": name, "old_status": status.get(name, "idle"), "new_status": new}
            assert {key: following.get(key) for key in told} == told
            assert status.get(name, "idle") != new
            status[name] = new
    assert set(status.values()) <= {"done", "error"}


def check_end(log: list[Json], story: dict[str, Any]) -> None:
    ends = [event for event in log if event["type"] == "session_complete" or event.get("recoverable") is False]
    assert ends == [log[-1]]
    done = [event for event in log if event["type"] == "task_completed"]
    assert (log[-1]["outcome"] == "failed") == (not done)
    if not story["fails"] and all(story["answers"]):
        assert log[-1]["outcome"] == "success"
    kinds = [event["type"] for event in log]
    for before, after in (("task_completed", "deploy_started"), ("deploy_started", "deploy_checklist")):
        if after in kinds:
            assert kinds.index(after) > max(place for place, kind in enumerate(kinds) if kind == before)


def check_fold(desk: BuildDesk, session_id: str, log: list[Json]) -> None:
    saved = desk.application.sessions.get(session_id)
    view = first_view(session_id, "build", 500_000, saved.created_at)
    for event in log:
        told, ts = read_frame(json.dumps(event))
        view = apply_event(view, told, ts)
    assert view.model_dump(exclude={"url"}) == saved.model_dump(exclude={"url", "spec", "last_seq"})


@pytest.mark.holds("build.order.events")
def test_the_folder_is_where_it_was_said_to_be(desk: BuildDesk) -> None:
    session_id, log = play(
        desk, {"tasks": [("a", [])], "fails": (), "slow": (), "silent": (), "gates": 0, "answers": []}
    )
    (created,) = [event for event in log if event["type"] == "workspace_created"]
    assert Path(created["nugget_dir"], "a.txt").read_text() == "a\n"
    assert desk.application.sessions.get(session_id).nugget_dir == created["nugget_dir"]


@pytest.mark.holds("build.order.fold")
def test_a_plan_changed_while_a_task_ends_tells_of_its_end(tmp_path: Path) -> None:
    desk = Desk(Settings(data_dir=tmp_path / "data"))
    session_id = desk.begun(kind="build")

    async def work() -> None:
        build = Build(await desk.run_of(session_id), ProjectSpec(project=SpecProject(goal="A thing")), None, None, None)
        tasks = [Task(**task(name), status="pending", retry_count=0) for name in ("a", "b")]
        builder = Agent(name="Builder", role="builder", persona="", status="idle")
        await build.tell("plan", PlanReady(tasks=tasks, agents=[builder], explanation=""))
        await build.tell("b", TaskStarted(task_id="b", agent_name="Builder"))
        async with build.telling:  # both wait for their turn, in this order
            ended = asyncio.create_task(build.tell("end", TaskCompleted(task_id="b", summary="done")))
            await asyncio.sleep(0)
            changed = asyncio.create_task(build.tell_plan("changed", lambda known: revised(known, "a", "more")))
            await asyncio.sleep(0)
        await asyncio.gather(ended, changed)
        assert [(each.id, each.status) for each in build.tasks] == [
            ("a", "pending"),
            ("b", "done"),
            ("a-r1", "pending"),
        ]
        assert [agent.status for agent in build.view.agents] == ["idle"]

    try:
        on_a_loop(work())
    finally:
        desk.close()
