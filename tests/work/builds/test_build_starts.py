"""What a start refuses, in which order, and that a refused start leaves nothing behind."""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from tests.work.builds.build_desk import BuildDesk, OpenDesk, found, planned, task

from loreweave.errors import Conflict, Forbidden, InvalidInput, LoreError, NotFound, Unavailable

GOAL = {"project": {"goal": "A thing"}}


def refusal(desk: BuildDesk, session_id: str, value: Any) -> LoreError:
    with pytest.raises(LoreError) as raised:
        desk.application.builds.start(session_id, value)
    return raised.value


def paths(error: LoreError) -> list[str]:
    return [field["path"] for field in error.facts["fields"]]


@pytest.mark.holds("build.start.order")
@pytest.mark.parametrize(
    ("spec", "path"),
    [
        ({}, "project.goal"),
        ({"project": None, "agents": 1}, "project.goal"),
        ({"project": {}}, "project.goal"),
        ({"project": {"goal": ""}}, "project.goal"),
        ({"project": {"goal": "x" * 2001}}, "project.goal"),
        ({**GOAL, "agents": [{"name": "a", "role": "boss"}]}, "agents.0.role"),
        ({**GOAL, "agents": [{"name": "a"}, {"name": "a"}]}, "agents.1.name"),
        ({**GOAL, "deployment": {"target": "moon"}}, "deployment.target"),
        ({**GOAL, "rules": [{"trigger": "never"}]}, "rules.0.trigger"),
        ({**GOAL, "skills": [{"category": "magic"}]}, "skills.0.category"),
        ({**GOAL, "requirements": [{}] * 51}, "requirements"),
        ({**GOAL, "requirements": [{"description": "x" * 5001}]}, "requirements.0.description"),
        ({**GOAL, "workflow": {"testing_enabled": "yes"}}, "workflow.testing_enabled"),
        ({**GOAL, "portals": [{"mechanism": "cli", "cliConfig": {"command": "bash"}}]}, "portals.0.cliConfig.command"),
        (
            {**GOAL, "portals": [{"mechanism": "cli", "cliConfig": {"command": "node", "args": ["-e1"]}}]},
            "portals.0.cliConfig.args.0",
        ),
        (
            {**GOAL, "portals": [{"mechanism": "cli", "cliConfig": {"command": "git", "env": {"GIT_DIR": "x"}}}]},
            "portals.0.cliConfig.env.GIT_DIR",
        ),
        (
            {**GOAL, "portals": [{"mechanism": "serial", "serialConfig": {"port": "/dev/x"}}]},
            "portals.0.serialConfig.port",
        ),
    ],
)
def test_a_spec_is_refused_by_the_place_of_its_fault_and_a_corrected_start_works(
    desk: BuildDesk, spec: dict[str, Any], path: str
) -> None:
    session_id = desk.application.sessions.create().session_id
    error = refusal(desk, session_id, {"spec": spec})
    assert isinstance(error, InvalidInput)
    assert path in paths(error)
    view = desk.application.sessions.get(session_id)
    assert (view.state, view.last_seq, view.spec) == ("idle", 1, None)
    assert desk.application.builds.start(session_id, {"spec": GOAL}).status == "started"


@pytest.mark.holds("build.start.order")
def test_the_first_failure_answers(desk: BuildDesk) -> None:
    builds = desk.application.builds
    with pytest.raises(NotFound):
        builds.start("00000000-0000-0000-0000-000000000000", "nothing")
    session_id = desk.application.sessions.create().session_id
    assert refusal(desk, session_id, []).facts["field"] == "body"
    assert refusal(desk, session_id, {"workspace_path": "../x"}).facts["field"] == "spec"
    assert isinstance(refusal(desk, session_id, {"spec": GOAL, "workspace_path": "../x"}), InvalidInput)
    assert isinstance(refusal(desk, session_id, {"spec": GOAL, "workspace_path": "/etc"}), Forbidden)
    builds.start(session_id, {"spec": GOAL})
    assert isinstance(refusal(desk, session_id, {"spec": {}}), Conflict)


@pytest.mark.holds("build.start.no-model")
def test_without_a_model_a_build_is_refused_and_named_the_demo(open_desk: OpenDesk) -> None:
    with open_desk(model="none") as desk:
        with pytest.raises(Unavailable) as raised:
            desk.start()
        assert raised.value.code == "no_model"
        assert "LORE_MODEL=demo" in raised.value.message
        assert desk.application.sessions.list() == []


@pytest.mark.holds("build.start.no-model")
@pytest.mark.parametrize(
    ("model", "told"), [("claude", "LORE_MODEL must be none, demo, "), ("openai:gpt", "The model needs OPENAI_API_KEY")]
)
def test_a_model_that_cannot_be_opened_is_told_before_a_build_begins(
    open_desk: OpenDesk, model: str, told: str
) -> None:
    with open_desk(model=model) as desk:
        with pytest.raises(Unavailable) as raised:
            desk.start()
        assert raised.value.code == "no_model"
        assert raised.value.message.startswith(told)
        assert desk.application.sessions.list() == []


@pytest.mark.holds("build.start.one-wins")
def test_of_several_starts_one_wins(desk: BuildDesk) -> None:
    session_id = desk.application.sessions.create().session_id

    def start(_: int) -> str:
        try:
            return desk.application.builds.start(session_id, {"spec": GOAL}).status
        except Conflict:
            return "conflict"

    with ThreadPoolExecutor(6) as threads:
        assert sorted(threads.map(start, range(6))) == ["conflict"] * 5 + ["started"]


@pytest.mark.holds("build.start.one-wins", "build.start.order")
def test_a_folder_has_one_build_at_a_time(desk: BuildDesk) -> None:
    first = desk.start({"workflow": {"human_gates": ["Wait?"]}}, workspace_path="shared")
    desk.log(first, "human_gate")
    without_model = replace(desk.application.builds, open_model=lambda: None)
    for builds in (desk.application.builds, without_model):  # what stands first in the order of refusals answers
        with pytest.raises(Conflict) as raised:
            builds.begin({"spec": GOAL, "workspace_path": "./shared/"})
        assert raised.value.facts["field"] == "workspace_path"
    desk.application.sessions.stop(first)
    assert desk.log(desk.start(workspace_path="shared"))[-1]["outcome"] == "success"


@pytest.mark.holds("build.start.unknown-keys")
def test_unknown_keys_are_kept_and_named(desk: BuildDesk) -> None:
    desk.plan = planned(task("one", agent="A"))
    session_id = desk.start({**GOAL, "colour": "red", "agents": [{"name": "A", "hat": 1}]})
    view = desk.application.sessions.get(session_id)
    assert sorted(view.warnings) == ["agents.0.hat means nothing here", "colour means nothing here"]
    assert view.spec is not None
    assert view.spec["colour"] == "red"
    desk.application.sessions.stop(session_id)


@pytest.mark.holds("build.start.design")
def test_a_start_leaves_its_design_in_the_folder(desk: BuildDesk, tmp_path: Path) -> None:
    spec = {**GOAL, "rules": [{"name": "r", "prompt": "p"}], "skills": [{"name": "s"}]}
    log = desk.log(desk.start(spec, workspace_path="mine", workspace_json={"blocks": {}}))
    folder = Path(found(log, "workspace_created")[0]["nugget_dir"])
    assert {"project.json", "rules.json", "skills.json", "workspace.json"} <= {path.name for path in folder.iterdir()}


@pytest.mark.holds("session.cli.interrupt")
@pytest.mark.parametrize(("killed_in", "left"), [("engine", []), ("open_model", ["A thing"])])
def test_a_build_that_is_killed_while_it_begins_has_its_name(desk: BuildDesk, killed_in: str, left: list[str]) -> None:
    def killed() -> Any:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        replace(desk.application.builds, **{killed_in: killed}).begin({"spec": {"project": {"goal": "A thing"}}})
    assert [each.goal for each in desk.application.sessions.list()] == left
