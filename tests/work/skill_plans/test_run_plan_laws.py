"""Laws that hold for every plan, whatever its shape and wherever a process dies."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.examples import examples
from tests.work.skill_plans.plan_desk import SESSION, Desk, Died, Json, story
from tests.work.skill_plans.random_plans import answers, requests

from loreweave.work.skill_plans.read_plan import read_run
from loreweave.work.skill_plans.read_workspace import read_workspace

Answers = dict[str, Json | None]


class Failed(Exception):
    """Inside the plain reading below."""


class PlainReading:
    """The same rules told by recursion, in as few lines as they need: what a run must tell."""

    def __init__(self, request: Json, said: Answers) -> None:
        self.request = read_run(request)
        self.skills = {skill.id: skill for skill in self.request.allSkills}
        self.said = said

    def story(self) -> list[str]:
        plan = self.request.plan
        root = plan.skillId or SESSION
        lines: list[str] = []
        try:
            for line in self._frame(root, plan.steps, {}, [root]):
                lines.append(line)
        except Failed:
            open_steps = []
            for line in lines:
                name, _, state = line.rpartition(" ")
                if state == "started":
                    open_steps.append(name)
                elif state == "completed":
                    open_steps.pop()
            lines += [f"{name} failed" for name in reversed(open_steps)]
            lines.append(f"!{root} failed")
        return lines

    def _frame(self, name: str, steps: Any, known: Mapping[str, Any], stack: list[str]) -> Iterator[str]:
        """Yields the lines; the result is the last one's."""
        yield f"+{name}#{len(stack)}"
        scope = dict(known)
        yield from self._steps(steps, scope, stack)
        yield f"-{name}#{len(stack)}={scope.get(RESULT, '')}"

    def _steps(self, steps: Any, scope: dict[str, Any], stack: list[str]) -> Iterator[str]:
        for step in steps:
            yield f"{step.id} started"
            yield from getattr(self, f"_{step.type}")(step, scope, stack)
            yield f"{step.id} completed"

    def _text(self, template: str, scope: Mapping[str, Any]) -> str:
        pieces = template.split("{{")
        filled = pieces[0]
        for piece in pieces[1:]:
            key, _, rest = piece.partition("}}")
            value = scope.get(key, "")
            filled += (", ".join(value) if isinstance(value, list) else value) + rest
        return filled

    def _set_context(self, step: Any, scope: dict[str, Any], stack: list[str]) -> Iterator[str]:
        scope[step.key] = self._text(step.value, scope)
        yield from ()

    def _output(self, step: Any, scope: dict[str, Any], stack: list[str]) -> Iterator[str]:
        scope[RESULT] = self._text(step.template, scope)
        yield f"{step.id}: {scope[RESULT]}"

    def _ask_user(self, step: Any, scope: dict[str, Any], stack: list[str]) -> Iterator[str]:
        yield f"{step.id} ?"
        said = self.said.get(step.id)
        if said is None:
            raise Failed
        value = said["Colour"]
        scope[step.storeAs] = value if isinstance(value, str | list) else str(value)

    def _run_agent(self, step: Any, scope: dict[str, Any], stack: list[str]) -> Iterator[str]:
        scope[step.storeAs] = f"did {self._text(step.prompt, scope)}"
        yield f"{step.id}: {scope[step.storeAs]}"

    def _branch(self, step: Any, scope: dict[str, Any], stack: list[str]) -> Iterator[str]:
        known = scope.get(step.contextKey, "")
        if (known if isinstance(known, str) else ", ".join(known)) == step.matchValue:
            yield from self._steps(step.thenSteps, scope, stack)

    def _invoke_skill(self, step: Any, scope: dict[str, Any], stack: list[str]) -> Iterator[str]:
        skill = self.skills.get(step.skillId)
        if skill is None or step.skillId in stack or len(stack) == 10:
            raise Failed
        inner = [*stack, skill.id]
        known = {key: value for key, value in scope.items() if key != RESULT}
        if skill.category == "composite":
            last = ""
            for last in self._frame(skill.id, read_workspace(skill), known, inner):
                yield last
            scope[step.storeAs] = last.partition("=")[2]
            return
        yield f"+{skill.id}#{len(inner)}"
        prompt = self._text(skill.prompt, known) if skill.template else skill.prompt
        if not prompt.strip():
            raise Failed
        scope[step.storeAs] = f"did {prompt}"
        yield f"{step.id}: did {prompt}"
        yield f"-{skill.id}#{len(inner)}=did {prompt}"


RESULT = "the result"  # no plan has a key with a space here


@given(requests(), answers())
@settings(max_examples=examples(300))
@pytest.mark.holds("session.plan.frames", "session.plan.context.chain", "session.plan.failure", "session.plan.branch")
def test_a_run_tells_what_a_plain_reading_of_its_plan_says(request: Json, said: Answers) -> None:
    assert story(Desk(said).run(request)) == PlainReading(request, said).story()


def check_nesting(log: list[Json]) -> None:
    """Every end closes what was opened last; after a failure nothing but failures, then the root's error."""
    opened: list[tuple[str, str]] = []
    failing = False
    for event in log[:-1]:
        match event["type"]:
            case "skill_started":
                assert event["frame"] == 1 + sum(kind == "frame" for kind, _ in opened)
                opened.append(("frame", event["skill_id"]))
            case "skill_completed":
                assert event["frame"] == sum(kind == "frame" for kind, _ in opened)
                assert opened.pop() == ("frame", event["skill_id"])
            case "skill_step":
                frame = [name for kind, name in opened if kind == "frame"]
                if event["status"] == "started":
                    assert frame[-1] == event["skill_id"]
                    opened.append(("step", event["step_id"]))
                    continue
                while event["status"] == "failed" and opened[-1][0] == "frame":
                    opened.pop()
                assert opened.pop() == ("step", event["step_id"])
                failing = failing or event["status"] == "failed"
        assert not failing or event.get("status") == "failed"
    assert opened[1:] == []
    last, root = log[-1], log[0]
    assert last["skill_id"] == root["skill_id"]
    assert last["type"] == ("skill_error" if failing else "skill_completed")
    assert sum(event["type"] == "skill_error" or event.get("frame") == 1 for event in log) == 2


@given(requests(), answers())
@pytest.mark.holds("session.plan.frames", "session.plan.failure", "session.plan.one-end")
def test_frames_nest_and_a_run_has_one_end(request: Json, said: Answers) -> None:
    check_nesting(Desk(said).run(request))


@given(requests(), answers())
@pytest.mark.holds("session.plan.deterministic")
def test_equal_runs_tell_equal_events_under_equal_keys(request: Json, said: Answers) -> None:
    one, two = Desk(said), Desk(said)
    one.run(request)
    two.run(request)
    assert list(one.recorded.items()) == list(two.recorded.items())
    assert one.turns == two.turns


@given(requests(), answers(), st.data())
@settings(max_examples=examples(200))
@pytest.mark.holds("session.plan.replay")
def test_a_run_that_dies_anywhere_goes_on_as_if_it_never_had(request: Json, said: Answers, data: st.DataObject) -> None:
    whole = Desk(said)
    whole.run(request)
    desk = Desk(said)
    for _ in range(data.draw(st.integers(1, 3), label="deaths")):
        number = data.draw(st.integers(1, whole.calls), label="at call")
        desk = desk.restarted()
        if data.draw(st.booleans(), label="after it"):
            desk.dies_after = number
        else:
            desk.dies_before = number
        with pytest.raises(Died):
            desk.run(request)
    desk = desk.restarted()
    desk.run(request)
    assert list(desk.recorded.items()) == list(whole.recorded.items())
    assert desk.turns == whole.turns
