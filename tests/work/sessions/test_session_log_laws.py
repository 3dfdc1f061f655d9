"""What a log is, whatever is written to it."""

import json
import re
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from tests.examples import examples
from tests.work.sessions.log_desk import Desk, output
from tests.work.sessions.random_events import is_last, stories

from loreweave.contracts.session_events import CoverageUpdate, SkillCompleted, SkillStarted, TokenUsage
from loreweave.errors import NotFound
from loreweave.work.sessions.session_log import NotTheRunner
from loreweave.work.sessions.session_runner import stopped

in_one_store = settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=examples(60))


@in_one_store
@given(story=stories())
@pytest.mark.holds("session.log.fold", "session.log.numbered")
def test_a_session_is_what_its_events_come_to(desk: Desk, story: list[list[Any]]) -> None:
    session_id = desk.begun()
    for number, group in enumerate(story):
        desk.record(session_id, str(number), *group)
    assert desk.saved(session_id) == desk.folded(session_id)
    told = desk.events(session_id)
    assert [event["seq"] for event in told] == list(range(1, 2 + sum(map(len, story))))
    assert [event["type"] for event in told[1:]] == [event.type for group in story for event in group]
    assert desk.service.get(session_id).last_seq == len(told)
    assert (desk.saved(session_id).state == "done") == is_last(story[-1][-1])


@in_one_store
@given(story=stories())
@pytest.mark.holds("session.log.key-once")
def test_whoever_records_everything_again_adds_nothing(desk: Desk, story: list[list[Any]]) -> None:
    session_id = desk.begun()
    replayed = story[:-1] if is_last(story[-1][-1]) else story
    for number, group in enumerate(replayed):
        desk.record(session_id, str(number), *group)
    before = desk.frames(session_id), desk.saved(session_id)
    for number, group in enumerate(replayed):
        desk.record(session_id, str(number), *group)
    assert (desk.frames(session_id), desk.saved(session_id)) == before


@pytest.mark.holds("session.log.first-event", "session.log.numbered")
def test_a_log_begins_with_its_creation(desk: Desk) -> None:
    session_id = desk.log.create("build", "goal", {}, 10).result()
    (event,) = desk.events(session_id)
    ts = event.pop("ts")
    assert event == {"type": "session_started", "session_id": session_id, "kind": "build", "seq": 1}
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z", ts)


@pytest.mark.holds("session.log.all-or-nothing")
def test_of_events_that_belong_together_all_are_recorded_or_none(desk: Desk) -> None:
    session_id = desk.begun()
    unwritable = CoverageUpdate(percentage=1.0, details={"what": object()})
    with pytest.raises(TypeError):
        desk.record(session_id, "k", output("before"), unwritable, output("after"))
    assert desk.told(session_id) == ["session_started"]
    desk.record(session_id, "k", output("again"))
    assert [event["seq"] for event in desk.events(session_id)] == [1, 2]
    assert desk.saved(session_id) == desk.folded(session_id)


@pytest.mark.holds("session.log.nothing-after-the-end")
def test_nothing_follows_the_end(desk: Desk) -> None:
    session_id = desk.begun()
    desk.record(session_id, "a", SkillStarted(skill_id="s", skill_name="S", frame=1))
    desk.record(session_id, "b", SkillCompleted(skill_id="s", result="r", frame=1))
    ended = desk.frames(session_id)
    with pytest.raises(NotTheRunner):
        desk.record(session_id, "c", output("late"))
    with pytest.raises(NotTheRunner):
        desk.ask(session_id)
    assert desk.log.end(session_id, stopped).result() is False
    assert desk.log.take(session_id, "another").result() is False
    assert desk.frames(session_id) == ended
    assert desk.service.get(session_id).last_seq == len(ended)
    assert desk.saved(session_id).outcome == "success"


@pytest.mark.holds("session.log.half-characters")
def test_half_of_a_character_is_told_as_a_question_mark(desk: Desk) -> None:
    session_id = desk.begun()
    desk.record(session_id, "a", SkillStarted(skill_id="s", skill_name="S", frame=1), output("cut \ud83d here"))
    desk.record(session_id, "b", SkillCompleted(skill_id="s", result="\ud83d\0", frame=1))
    assert desk.told(session_id)[2] == "cut ? here"
    skill = desk.saved(session_id).skill
    assert skill is not None
    assert skill.result == "?\0"


@pytest.mark.holds("session.log.tokens-add-up")
def test_tokens_are_the_sum_of_what_was_told(desk: Desk) -> None:
    session_id = desk.begun()
    for number in range(5):
        usage = TokenUsage(agent_name="Ada", input_tokens=10, output_tokens=number, cost_usd=0.25)
        desk.record(session_id, str(number), usage)
        desk.record(session_id, str(number), usage)
    tokens = desk.saved(session_id).tokens
    assert tokens is not None
    assert json.loads(tokens.model_dump_json()) == {
        "input_tokens": 50,
        "output_tokens": 10,
        "total_tokens": 60,
        "max_budget": 1000,
        "cost_usd": 1.25,
    }


@pytest.mark.holds("session.log.unknown")
def test_nobody_writes_to_a_session_that_is_not_there(desk: Desk) -> None:
    with pytest.raises(NotFound):
        desk.record("nobody", "k", output("x"))
    with pytest.raises(NotFound):
        desk.log.end("nobody", stopped).result()
    assert desk.log.take("nobody", "runner").result() is False
