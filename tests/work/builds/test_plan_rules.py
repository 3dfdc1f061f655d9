"""What a plan must be, without a model."""

from typing import Any

import pytest
from tests.work.builds.build_desk import task

from loreweave.contracts.project_spec import ProjectSpec
from loreweave.seams.models.demo_build import build_reply
from loreweave.seams.models.language_model import ModelCall, UserSaid
from loreweave.work.builds.plan_rules import first_team, read_plan
from loreweave.work.builds.task_rules import gate_counts


def spec(**more: Any) -> ProjectSpec:
    return ProjectSpec.model_validate({"project": {"goal": "g"}, **more})


def plan(*tasks: dict[str, Any], agents: Any = None) -> dict[str, Any]:
    return {"tasks": list(tasks), "agents": agents or [], "plan_explanation": "so"}


@pytest.mark.holds("build.plan.team")
def test_the_specs_agents_come_first_and_win() -> None:
    read, faults = read_plan(plan(task("a")), spec())
    assert read is not None, faults
    assert [agent.role for agent in read.agents] == ["builder", "tester", "reviewer"]
    planners = [
        {"name": "Ada", "role": "tester", "persona": "other"},
        {"name": "Bob", "role": "builder", "persona": ""},
    ]
    given = spec(agents=[{"name": "Ada", "role": "builder", "persona": "hers"}])
    read, faults = read_plan(plan(task("a", agent="Ada"), agents=planners), given)
    assert read is not None, faults
    assert [(agent.name, agent.role, agent.persona) for agent in read.agents] == [
        ("Ada", "builder", "hers"),
        ("Bob", "builder", ""),
    ]


@pytest.mark.holds("build.plan.team")
def test_an_agent_without_a_name_is_called_like_nobody_else() -> None:
    read, faults = read_plan(plan(task("a")), spec(agents=[{"role": "builder"}, {"name": "Builder"}]))
    assert read is not None, faults
    assert [agent.name for agent in read.agents] == ["Builder 2", "Builder"]


@pytest.mark.holds("build.demo.any-spec")
@pytest.mark.parametrize(
    "more",
    [
        {},
        {"agents": [{"role": "tester"}]},
        {"agents": [{"role": "reviewer", "name": "Rae"}, {"role": "builder"}]},
        {"deployment": {"target": "esp32"}},
        {"deployment": None, "hardware": {"components": [{"type": "led"}]}},
    ],
)
def test_the_demo_plans_four_tasks_of_any_spec_two_of_them_side_by_side(more: dict[str, Any]) -> None:
    wished = spec(**more)
    given = {"project": {"goal": "g"}, **more}
    team = [agent.model_dump(include={"name", "role"}) for agent in first_team(wished)]
    call = ModelCall("plan", "", (UserSaid("g"),), brief={"spec": given, "team": team})
    read, faults = read_plan(build_reply(call).structured, wished)
    assert read is not None, faults
    assert len(read.tasks) == 4
    assert read.tasks[1].dependencies == read.tasks[2].dependencies == [read.tasks[0].id]
    made = " ".join(task.description for task in read.tasks)
    assert ("main.py" in made) == (more.get("deployment", {}) != {})


@pytest.mark.holds("build.plan.review")
def test_a_review_is_added_after_all_leaves_unless_a_reviewer_has_a_task() -> None:
    wished = spec(workflow={"review_enabled": True})
    read, _ = read_plan(plan(task("a"), task("b", "a"), task("c", "a")), wished)
    assert read is not None
    assert (read.tasks[-1].id, read.tasks[-1].dependencies) == ("review", ["b", "c"])
    read, _ = read_plan(plan(task("a", agent="Reviewer")), wished)
    assert read is not None
    assert [each.id for each in read.tasks] == ["a"]


@pytest.mark.holds("build.plan.rules")
@pytest.mark.parametrize(
    ("written", "fault"),
    [
        (None, "must be an object"),
        (plan(), "at least one task"),
        (plan(*(task(f"t{n}") for n in range(101))), "at most 100"),
        (plan(task("-a")), "tasks.0.id"),
        (plan(task("a" * 65)), "tasks.0.id"),
        (plan(task("a"), task("a")), "the id 'a'"),
        (plan(task("a", "x")), "'x', which is no task"),
        (plan(task("a", "a")), "depends on itself"),
        (plan(task("a", "b"), task("b", "a")), "in a circle"),
        (plan(task("a", agent="Nobody")), "tasks.0.agent_name"),
        (plan(task("a"), agents=[{"name": "X"}, {"name": "X"}]), "Two agents are named 'X'"),
    ],
)
def test_a_plan_that_cannot_be_used_is_told_why(written: Any, fault: str) -> None:
    read, faults = read_plan(written, spec())
    assert read is None
    assert any(fault in each for each in faults), faults


@pytest.mark.holds("build.gates.wished")
def test_gates_are_spread_over_the_plan() -> None:
    assert gate_counts(4, 1) == [2]
    assert gate_counts(9, 2) == [3, 6]
    assert gate_counts(1, 3) == [1, 1, 1]
