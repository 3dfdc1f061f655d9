"""The narrator: one line a task in a while, the last one before the end, and nobody waits for it."""

import asyncio
from collections.abc import Iterator
from datetime import datetime
from itertools import pairwise

import pytest
from tests.model_server import Asked, Turn, call
from tests.pace import PATIENCE
from tests.work.builds.build_desk import BuildDesk, Json, OpenDesk, found, planned, task, types

from loreweave.work.builds import narrator
from loreweave.work.builds.narrator import SECONDS

INTERVAL = 0.5


@pytest.fixture
def desk(open_desk: OpenDesk) -> Iterator[BuildDesk]:
    told = {"narrator_debounce_s": 0.05, "narrator_interval_s": INTERVAL}
    with open_desk(**told) as opened:
        yield opened


def lines(log: list[Json]) -> list[Json]:
    return found(log, "narrator_message")


@pytest.mark.holds("build.narrator")
def test_a_task_has_at_most_one_line_in_a_while_and_the_last_line_comes_before_the_end(desk: BuildDesk) -> None:
    desk.plan = planned(task("a"), task("b", "a"), task("c", "b"), task("d", "c"))
    log = desk.log(desk.start())
    told = lines(log)
    assert told
    by_task: dict[str | None, list[datetime]] = {}
    for line in told[:-1]:
        by_task.setdefault(line.get("related_task_id"), []).append(datetime.fromisoformat(line["ts"]))
    for times in by_task.values():
        assert all((late - early).total_seconds() >= INTERVAL - 0.01 for early, late in pairwise(times))
    assert types(log)[-1] == "session_complete"
    assert log.index(told[-1]) > log.index(found(log, "task_completed")[-1])
    assert all(len(line["text"]) <= 200 for line in told)
    spent = found(log, "token_usage", agent_name="narrator")
    assert spent
    total = desk.application.sessions.get(log[0]["session_id"]).tokens
    assert total is not None
    assert total.total_tokens == sum(e["input_tokens"] + e["output_tokens"] for e in found(log, "token_usage"))


@pytest.mark.holds("build.narrator.fallback")
def test_a_model_that_fails_or_says_nonsense_is_replaced_by_built_in_lines(open_desk: OpenDesk) -> None:
    def broken(asked: Asked) -> Turn:
        return (
            call(("final_result", {"text": "x" * 500, "mood": "angry"}))
            if asked.headers.get("x-lore-task")
            else Turn(status=500)
        )

    with open_desk() as desk:
        desk.narrator = broken
        log = desk.log(desk.start())
    first = lines(log)[0]
    assert (len(first["text"]), first["mood"]) == (200, "encouraging")
    assert lines(log)[-1]["mood"] == "celebrating"


@pytest.mark.holds("build.narrator")
def test_at_a_stop_nothing_more_is_said(desk: BuildDesk) -> None:
    desk.agents["one"] = lambda asked: Turn(fault="stall")
    session_id = desk.start()
    desk.log(session_id, "narrator_message")
    desk.application.sessions.stop(session_id)
    log = desk.log(session_id)
    assert types(log)[-1] == "error"
    assert len(lines(log)) == 1


@pytest.mark.holds("build.narrator")
def test_a_narrator_that_never_answers_delays_no_task(open_desk: OpenDesk) -> None:
    """Two tasks have four moments to tell: had they waited for each line, they would have taken four times as long."""
    with open_desk() as desk:
        desk.narrator = lambda asked: Turn(fault="stall")
        desk.plan = planned(task("a"), task("b", "a"))
        log = desk.log(desk.start())
    started = datetime.fromisoformat(found(log, "task_started")[0]["ts"])
    ended = datetime.fromisoformat(found(log, "task_completed")[-1]["ts"])
    assert (ended - started).total_seconds() < 3 * SECONDS
    assert log[-1]["outcome"] == "success"
    assert lines(log)[-1]["mood"] == "celebrating"


@pytest.mark.holds("build.teaching")
def test_each_concept_is_taught_once(desk: BuildDesk) -> None:
    desk.plan = planned(task("a"), task("b"))
    log = desk.log(desk.start({"rules": [{"name": "r", "prompt": "p"}], "skills": [{"name": "s", "prompt": "{{x}}"}]}))
    taught = [event["concept"] for event in found(log, "teaching_moment")]
    assert sorted(taught) == sorted(set(taught))
    assert {"plan", "commit", "rule", "skill", "context_variable"} <= set(taught)


@pytest.mark.holds("build.narrator")
def test_a_narrator_that_is_told_to_stop_just_as_it_hears_something_stops() -> None:
    async def stubborn() -> None:
        """Loses the first cancellation, as a wait does that ends at the same moment."""
        try:
            await asyncio.sleep(PATIENCE)
        except asyncio.CancelledError:
            await asyncio.sleep(PATIENCE)

    async def end() -> None:
        work = asyncio.create_task(stubborn())
        await asyncio.sleep(0)
        await asyncio.wait_for(narrator._ended(work), PATIENCE / 2)
        assert work.cancelled()

    asyncio.run(end())
