"""What work may rely on: its steps, their values and errors, and how it ends."""

import asyncio
import logging
import threading
from pathlib import Path

import psycopg
import pytest
from tests.seams.engine.conftest import Opening
from tests.seams.engine.work_notes import Notes, ended

from loreweave.errors import Conflict, InvalidInput, LoreError, NotFound, RateLimited, Unavailable
from loreweave.seams.engine.engine import Durable, Engine, Json
from loreweave.seams.engine.open_engine import open_engine


@pytest.mark.holds("session.engine.start-once")
def test_a_second_start_does_nothing_while_it_runs_and_after_it_ended(opening: Opening, notes: Notes) -> None:
    go = asyncio.Event()

    async def work(session_id: str, durable: Durable) -> None:
        notes.add(f"{session_id} runs")
        await go.wait()
        notes.add(f"{session_id} ends")

    async def let_go() -> None:
        go.set()

    engine = opening(work)
    assert not engine.known("a")
    engine.start("a")
    engine.start("a")
    notes.wait_for("a runs")
    engine.run_on_loop(let_go()).result()
    notes.wait_for("a ends")
    ended(engine, "a")
    engine.start("a")
    engine.start("b")
    notes.wait_for("b ends")
    assert notes.lines == ["a runs", "a ends", "b runs", "b ends"]


@pytest.mark.holds("session.engine.values")
def test_a_value_is_the_same_on_the_first_run_and_on_every_other(opening: Opening, notes: Notes) -> None:
    value = {"tuple": (1, 2), 3: None, "text": "\x00 \ud800 é 🜁", "large": "x" * 100_000}
    seen: list[Json] = []

    async def work(session_id: str, durable: Durable) -> None:
        seen.append(await durable.step("value \x00 \ud800 é", notes.step("made", value)))
        await durable.step("wait", notes.forever("waits") if len(seen) == 1 else notes.step("waits no more"))
        notes.add("end")

    engine = opening(work)
    engine.start("a")
    notes.wait_for("waits")
    engine.close()
    opening(work)
    notes.wait_for("end")
    assert notes.lines == ["made", "waits", "waits no more", "end"]
    assert seen == [{"tuple": [1, 2], "3": None, "text": value["text"], "large": value["large"]}] * 2


@pytest.mark.holds("session.engine.close-breaks-off")
def test_a_close_in_the_midst_of_a_step_leaves_the_work_to_the_next_opening(opening: Opening, notes: Notes) -> None:
    async def before(session_id: str, durable: Durable) -> None:
        await durable.step("one", notes.step("one"))
        await durable.step("two", notes.forever("two under way"))

    async def after(session_id: str, durable: Durable) -> None:
        """Not the same code: a new version of the program has come."""
        for name in ("one", "two", "three"):
            await durable.step(name, notes.step(f"{name} again"))
        notes.add("end")

    engine = opening(before)
    engine.start("a")
    notes.wait_for("two under way")
    engine.close()
    engine.close()
    opening(after)
    notes.wait_for("end")
    assert notes.lines == ["one", "two under way", "two again", "three again", "end"]


@pytest.mark.lengthy(3)
@pytest.mark.holds("session.engine.close-breaks-off")
@pytest.mark.parametrize("way", ["swallows", "raises", "waits between steps"])
def test_whatever_work_makes_of_a_close_it_is_not_its_end(opening: Opening, notes: Notes, way: str) -> None:
    async def stubborn(session_id: str, durable: Durable) -> None:
        try:
            notes.add("runs")
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            if way == "raises":
                raise RuntimeError("in the midst of closing") from None
            if way == "waits between steps":
                raise

    async def plain(session_id: str, durable: Durable) -> None:
        notes.add("runs again")

    engine = opening(stubborn)
    engine.start("a")
    notes.wait_for("runs")
    engine.close()
    opening(plain)
    notes.wait_for("runs again")


class Overloaded(Unavailable):
    """A narrower error with a constructor of its own, as rooms above have them."""

    def __init__(self, seconds: int) -> None:
        super().__init__("Too much at once.", code="overloaded", seconds=seconds)


ERRORS = [
    InvalidInput("The field is empty.", field="name"),
    NotFound("No such node."),
    RateLimited("Too often.", code="slow_down", retryAfter=3, who={"user": [1, None]}),
    Overloaded(7),
]


@pytest.mark.holds("session.engine.errors")
def test_an_error_comes_back_as_what_it_was_on_every_run(opening: Opening, notes: Notes) -> None:
    seen: list[tuple[type, str, dict[str, object]]] = []

    async def work(session_id: str, durable: Durable) -> None:
        for number, error in enumerate(ERRORS):
            try:
                await durable.step(f"error/{number}", lambda error=error: failing(error))
            except LoreError as found:
                seen.append((type(found), str(found), found.shape()))
        is_first = len(seen) == len(ERRORS)
        await durable.step("wait", notes.forever("waits") if is_first else notes.step("waits no more"))
        notes.add("end")

    async def failing(error: Exception) -> Json:
        notes.add(type(error).__name__)
        raise error

    engine = opening(work)
    engine.start("a")
    notes.wait_for("waits")
    engine.close()
    opening(work)
    notes.wait_for("end")
    assert seen == 2 * [(type(error), str(error), error.shape()) for error in ERRORS]
    assert notes.lines == ["InvalidInput", "NotFound", "RateLimited", "Overloaded", "waits", "waits no more", "end"]


@pytest.mark.holds("session.engine.errors", "session.engine.no-secrets")
def test_any_other_exception_becomes_a_plain_error_that_repeats_nothing(
    opening: Opening, notes: Notes, caplog: pytest.LogCaptureFixture, unguessable: str
) -> None:
    seen: list[dict[str, object]] = []

    async def work(session_id: str, durable: Durable) -> None:
        try:
            await durable.step("break", broken)
        except LoreError as error:
            seen.append({**error.shape(), "class": type(error)})
        notes.add("end")

    async def broken() -> Json:
        raise KeyError(unguessable)

    opening(work).start("a")
    notes.wait_for("end")
    assert seen == [{"error": "A step failed unexpectedly: KeyError.", "code": "failed", "class": LoreError}]
    assert unguessable not in caplog.text
    assert "The step break failed with KeyError at broken" in caplog.text


@pytest.mark.holds("session.engine.cancelled-step")
def test_a_step_that_is_cancelled_records_nothing_and_the_work_may_go_on(opening: Opening, notes: Notes) -> None:
    async def work(session_id: str, durable: Durable) -> None:
        step = asyncio.create_task(durable.step("one", notes.forever("one under way")))
        while "one under way" not in notes.lines:
            await asyncio.sleep(0)
        step.cancel()
        await asyncio.wait([step])
        notes.add(f"cancelled: {step.cancelled()}")
        await durable.step("two", notes.forever("two under way"))

    async def again(session_id: str, durable: Durable) -> None:
        await durable.step("one", notes.step("one again"))
        await durable.step("two", notes.step("two again"))
        notes.add("end")

    engine = opening(work)
    engine.start("a")
    notes.wait_for("two under way")
    engine.close()
    opening(again)
    notes.wait_for("end")
    assert notes.lines[1:] == ["cancelled: True", "two under way", "one again", "two again", "end"]


@pytest.mark.lengthy(3)
@pytest.mark.holds("session.engine.ends")
@pytest.mark.parametrize("way", ["raises", "is cancelled", "lets a signal through"])
def test_work_that_does_not_return_has_ended_all_the_same(
    opening: Opening, notes: Notes, caplog: pytest.LogCaptureFixture, way: str, unguessable: str
) -> None:
    class Signal(BaseException):
        pass

    async def work(session_id: str, durable: Durable) -> None:
        notes.add(f"{session_id} runs")
        if session_id != "a":
            return
        if way == "raises":
            raise RuntimeError(unguessable)
        if way == "lets a signal through":
            raise Signal
        task = asyncio.current_task()
        assert task is not None
        task.cancel()
        await asyncio.Event().wait()

    engine = opening(work)
    engine.start("a")
    notes.wait_for("a runs")
    ended(engine, "a")
    engine.close()
    opening(work).start("b")
    notes.wait_for("b runs")
    assert notes.lines == ["a runs", "b runs"]
    warnings = [record.getMessage() for record in caplog.records if record.levelno >= logging.WARNING]
    failures = {"raises": "RuntimeError", "lets a signal through": "Signal"}
    assert [line.rpartition(":")[0] for line in warnings] == (
        [f"The work of a failed with {failures[way]} at work"] if way in failures else []
    )


@pytest.mark.holds("session.engine.order")
def test_steps_that_are_not_those_recorded_are_refused(opening: Opening, notes: Notes) -> None:
    async def before(session_id: str, durable: Durable) -> None:
        await durable.step("one", notes.step("one"))
        await durable.step("two", notes.forever("two under way"))

    async def after(session_id: str, durable: Durable) -> None:
        try:
            await durable.step("another", notes.step("another"))
        except Conflict as refusal:
            notes.add(refusal.message)

    engine = opening(before)
    engine.start("a")
    notes.wait_for("two under way")
    engine.close()
    opening(after)
    notes.wait_for("The work's steps are not those that were recorded.")
    assert "another" not in notes.lines


@pytest.mark.holds("session.engine.order")
def test_steps_called_side_by_side_keep_the_order_in_which_they_were_called(opening: Opening, notes: Notes) -> None:
    seen: list[list[Json]] = []

    async def work(session_id: str, durable: Durable) -> None:
        calls = [durable.step(f"side/{number}", notes.step(f"side {number}", number)) for number in range(5)]
        seen.append(await asyncio.gather(*calls))
        await durable.step("wait", notes.forever("waits") if len(seen) == 1 else notes.step("waits no more"))
        notes.add("end")

    engine = opening(work)
    engine.start("a")
    notes.wait_for("waits")
    engine.close()
    opening(work)
    notes.wait_for("end")
    assert seen == [[0, 1, 2, 3, 4]] * 2
    assert sorted(notes.lines) == sorted([f"side {number}" for number in range(5)] + ["waits", "waits no more", "end"])


@pytest.mark.holds("session.engine.start-once")
def test_work_may_start_other_work_from_a_thread_and_its_own_steps_stay_in_order(
    opening: Opening, notes: Notes
) -> None:
    engines: list[Engine] = []

    async def work(session_id: str, durable: Durable) -> None:
        if session_id == "a":
            await asyncio.to_thread(engines[-1].start, "b")
            await durable.step("one", notes.step("one"))
            is_first = len(engines) == 1
            await durable.step("two", notes.forever("two under way") if is_first else notes.step("two"))
        notes.add(f"{session_id} ends")

    engines.append(opening(work))
    engines[0].start("a")
    notes.wait_for("two under way")
    notes.wait_for("b ends")
    engines[0].close()
    engines.append(opening(work))
    notes.wait_for("a ends")
    assert sorted(notes.lines) == ["a ends", "b ends", "one", "two", "two under way"]
    ended(engines[1], "a")
    engines[1].forget("a")
    assert engines[1].known("b")  # it is no part of the one that started it


@pytest.mark.holds("session.engine.database-away")
def test_work_waits_for_a_database_that_drops_its_connections(
    tmp_path: Path, postgres_database: str, notes: Notes
) -> None:
    is_cut = threading.Event()

    async def work(session_id: str, durable: Durable) -> None:
        await durable.step("one", notes.step("one"))
        await asyncio.to_thread(is_cut.wait)
        await durable.step("two", notes.step("two"))
        notes.add("end")

    engine = open_engine(tmp_path, postgres_database, work)
    try:
        engine.start("a")
        notes.wait_for("one")
        with psycopg.connect(postgres_database) as connection:
            cut = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
            connection.execute(f"{cut} WHERE datname = current_database() AND pid <> pg_backend_pid()")
        is_cut.set()
        notes.wait_for("end")
        ended(engine, "a")
    finally:
        is_cut.set()
        engine.close()
    assert notes.lines == ["one", "two", "end"]
