"""Opening and closing an engine, what it keeps in its database, and what it costs the process."""

import asyncio
import gc
import json
import os
import sqlite3
import subprocess
import sys
import threading
import time
import tomllib
from importlib.metadata import version
from pathlib import Path
from typing import Any

import psycopg
import pytest
from tests.examples import DEEP
from tests.pace import PATIENCE
from tests.seams.engine.conftest import Opening
from tests.seams.engine.work_notes import Notes, ended
from tests.waits import eventually

from loreweave.end_tasks import break_off_tasks
from loreweave.errors import Conflict, InvalidInput, Unavailable
from loreweave.seams.engine.dbos_names import RANGE
from loreweave.seams.engine.durable_engine import POLL_SECONDS, THREADS
from loreweave.seams.engine.engine import Durable, Engine, Json
from loreweave.seams.engine.engine_database import open_database
from loreweave.seams.engine.open_engine import open_engine

OWN_THREADS = 12  # the loop, and what DBOS needs whatever the number of sessions


@pytest.mark.holds("session.engine.older-sqlite")
def test_the_time_that_dbos_asks_newer_databases_for_is_told_by_every_one(tmp_path: Path) -> None:
    """From Python 3.12 on its tables ask so for when a row came, and SQLite before 3.42 would answer nothing."""
    database = open_database(tmp_path, "")
    with database.begin() as connection:
        connection.exec_driver_sql("CREATE TABLE rows (at INTEGER NOT NULL DEFAULT (unixepoch('subsec') * 1000))")
        connection.exec_driver_sql("INSERT INTO rows DEFAULT VALUES")
        (at,) = connection.exec_driver_sql("SELECT at FROM rows").one()
    database.dispose()
    assert abs(at / 1000 - time.time()) < 60


async def nothing(session_id: str, durable: Durable) -> None:
    pass


def rows(tmp_path: Path, database_url: str, sql: str) -> list[Any]:
    """What the engine's own tables hold, read or changed past the engine."""
    if database_url:
        with psycopg.connect(database_url, options="-c search_path=dbos") as connection:
            found = connection.execute(sql)  # type: ignore[arg-type]
            return found.fetchall() if found.description else []
    raw = sqlite3.connect(tmp_path / "data" / "engine.db", isolation_level=None)
    try:
        return raw.execute(sql).fetchall()
    finally:
        raw.close()


@pytest.mark.holds("session.engine.one-a-process")
def test_a_second_engine_in_one_process_is_refused_and_the_first_is_none_the_worse(
    opening: Opening, notes: Notes
) -> None:
    async def work(session_id: str, durable: Durable) -> None:
        notes.add("runs")

    engine = opening(work)
    with pytest.raises(Conflict, match=r"^This process has an open engine already\.$"):
        opening(nothing)
    engine.start("a")
    notes.wait_for("runs")


@pytest.mark.holds("session.engine.leaks-nothing")
def test_opened_and_closed_many_times_it_leaves_nothing_behind(opening: Opening, notes: Notes) -> None:
    async def work(session_id: str, durable: Durable) -> None:
        await durable.step("one", notes.step(session_id))
        await asyncio.Event().wait()

    def left() -> tuple[int, int]:
        gc.collect()
        return threading.active_count(), len(os.listdir("/proc/self/fd"))

    opening(nothing).close()
    before = left()
    for number in range(20 if DEEP else 5):
        engine = opening(work)
        engine.start(f"s{number}")
        notes.wait_for(f"s{number}")
        engine.close()
    assert left() == before


@pytest.mark.lengthy(1)
@pytest.mark.holds("session.engine.one-loop")
def test_many_works_at_once_need_no_thread_each(opening: Opening) -> None:
    begun: set[str] = set()
    threads: set[str] = set()

    async def work(session_id: str, durable: Durable) -> None:
        async def step() -> Json:
            threads.add(threading.current_thread().name)

        for number in range(3):
            await durable.step(str(number), step)
        begun.add(session_id)
        await asyncio.Event().wait()

    before = threading.active_count()
    engine = opening(work)
    everyone = {f"s{number}" for number in range(200 if DEEP else 30)}
    for session_id in everyone:
        engine.start(session_id)
    eventually(lambda: begun == everyone, "all to begin")
    assert threads == {"loreweave-engine"}
    assert threading.active_count() - before <= THREADS + OWN_THREADS
    engine.close()
    begun.clear()
    opening(work)
    eventually(lambda: begun == everyone, "all to begin")
    assert threads == {"loreweave-engine"}
    assert threading.active_count() - before <= THREADS + OWN_THREADS


@pytest.mark.holds("session.engine.forget")
def test_what_is_forgotten_never_was_and_what_runs_is_not_forgotten(
    opening: Opening, notes: Notes, tmp_path: Path, database_url: str
) -> None:
    is_free = threading.Event()

    async def work(session_id: str, durable: Durable) -> None:
        await durable.step("one", notes.step("one"))
        await asyncio.to_thread(is_free.wait)
        notes.add("end")

    engine = opening(work)
    engine.start("a")
    notes.wait_for("one")
    with pytest.raises(Conflict, match=r"^The session is still running\.$"):
        engine.forget("a")
    is_free.set()
    notes.wait_for("end")
    ended(engine, "a")
    engine.forget("a")
    engine.forget("never started")
    assert not engine.known("a")
    for table in ("workflow_status", "workflow_input", "workflow_output"):
        assert rows(tmp_path, database_url, f"SELECT * FROM {table}") == []
    engine.start("a")
    eventually(lambda: notes.lines == ["one", "end", "one", "end"], "two ends")


@pytest.mark.holds("session.engine.forget")
def test_work_that_has_said_its_last_word_is_forgotten_when_it_has_ended(opening: Opening, notes: Notes) -> None:
    async def work(session_id: str, durable: Durable) -> None:
        notes.add("last word")
        await asyncio.sleep(0.2)  # its end is not recorded yet

    engine = opening(work)
    engine.start("a")
    notes.wait_for("last word")
    engine.forget("a")
    engine.start("a")
    eventually(lambda: notes.lines == ["last word"] * 2, "the same to be done again")


@pytest.mark.holds("session.engine.never-given-up")
def test_however_often_its_process_died_work_is_not_given_up(
    opening: Opening, notes: Notes, tmp_path: Path, database_url: str
) -> None:
    async def work(session_id: str, durable: Durable) -> None:
        await durable.step("one", notes.forever("under way") if not notes.lines else notes.step("again"))

    engine = opening(work)
    engine.start("a")
    notes.wait_for("under way")
    engine.close()
    assert rows(tmp_path, database_url, "UPDATE workflow_status SET recovery_attempts = 100000 RETURNING status")
    opening(work)
    notes.wait_for("again")


@pytest.mark.holds("session.engine.own-work")
def test_a_process_that_takes_no_work_runs_what_it_starts_and_leaves_the_rest(opening: Opening, notes: Notes) -> None:
    async def held(session_id: str, durable: Durable) -> None:
        await durable.step("one", notes.forever("one under way"))

    async def work(session_id: str, durable: Durable) -> None:
        await asyncio.sleep(6 * POLL_SECONDS)  # as long as a server takes to look for work a few times
        notes.add(f"{session_id} ends")

    engine = opening(held)
    engine.start("left")
    notes.wait_for("one under way")
    engine.close()
    alone = opening(work, takes_work=False)
    alone.start("own")
    notes.wait_for("own ends")
    ended(alone, "own")
    alone.close()
    assert notes.lines == ["one under way", "own ends"]
    opening(work)
    notes.wait_for("left ends")


@pytest.mark.holds("session.engine.take-over")
def test_nobody_takes_over_from_himself(opening: Opening, notes: Notes) -> None:
    async def work(session_id: str, durable: Durable) -> None:
        await durable.step("one", notes.forever("under way"))

    engine = opening(work)
    engine.start("a")
    notes.wait_for("under way")
    assert engine.take_over(engine.executor_id) == 0
    assert engine.take_over("nobody") == 0
    assert engine.unfinished(engine.executor_id) == ["a"]


@pytest.mark.holds("session.engine.json", "session.engine.shape", "session.engine.place")
def test_its_database_holds_json_under_a_version_of_our_own(
    opening: Opening, notes: Notes, tmp_path: Path, database_url: str
) -> None:
    async def broken() -> Json:
        raise RuntimeError("never written down")

    async def work(session_id: str, durable: Durable) -> None:
        await durable.step("value", notes.step("value", {"a": [1]}))
        await asyncio.wait([asyncio.create_task(durable.step("error", broken))])
        await durable.step("wait", notes.forever("waits"))

    engine = opening(work)
    engine.start("a")
    notes.wait_for("waits")
    recorded = rows(tmp_path, database_url, "SELECT output, error FROM operation_outputs ORDER BY function_id")
    assert [json.loads(output) for output, _ in recorded] == [
        {"value": {"a": [1]}},
        {
            "error": {
                "kinds": ["LoreError"],
                "message": "A step failed unexpectedly: RuntimeError.",
                "code": "failed",
                "facts": {},
            }
        },
    ]
    assert [error for _, error in recorded] == [None, None]
    (inputs,) = rows(tmp_path, database_url, "SELECT inputs FROM workflow_input")[0]
    assert json.loads(inputs) == {"args": ["a"], "kwargs": {}}
    found = rows(tmp_path, database_url, "SELECT application_version, executor_id FROM workflow_status")
    assert found == [("sessions-1", engine.executor_id)]


@pytest.mark.holds("session.engine.tidy")
def test_the_steps_of_work_that_ended_are_not_kept(
    opening: Opening, notes: Notes, tmp_path: Path, database_url: str
) -> None:
    async def work(session_id: str, durable: Durable) -> None:
        await durable.step("one", notes.step("one"))
        await durable.step("two", notes.forever("waits") if session_id == "b" else notes.step("two"))

    def kept() -> list[Any]:
        return rows(tmp_path, database_url, "SELECT workflow_uuid, function_name FROM operation_outputs")

    engine = opening(work)
    engine.start("b")
    notes.wait_for("waits")
    engine.start("a")
    eventually(lambda: engine.known("a") and engine.unfinished(engine.executor_id) == ["b"], "b alone to be left")
    eventually(lambda: kept() == [("b", "one")], "the steps of a to be deleted")
    engine.start("a")
    assert engine.known("a")


@pytest.mark.holds("session.engine.one-loop")
def test_other_things_may_run_on_the_loop_of_the_work(opening: Opening) -> None:
    async def where() -> str:
        return threading.current_thread().name

    async def start_again() -> None:
        engine.start("a")

    engine: Engine = opening(nothing)
    assert engine.run_on_loop(where()).result() == "loreweave-engine"
    with pytest.raises(RuntimeError, match="wait for itself"):
        engine.run_on_loop(start_again()).result()
    engine.close()
    with pytest.raises(Unavailable, match=r"^The engine is closed\.$"):
        engine.run_on_loop(where())
    for ask in (engine.start, engine.known, engine.unfinished, engine.forget, engine.take_over):
        with pytest.raises(Unavailable, match=r"^The engine is closed\.$"):
            ask("a")


@pytest.mark.holds("session.engine.close-breaks-off")
def test_a_program_that_is_begun_while_work_is_broken_off_holds_nothing_up_and_leaves_nothing_open() -> None:
    async def close(rounds: int) -> int:
        pipe = asyncio.subprocess.PIPE
        beginning = asyncio.create_task(asyncio.create_subprocess_exec("cat", stdin=pipe, stdout=pipe))
        for _ in range(rounds):
            await asyncio.sleep(0)
        left = await break_off_tasks(PATIENCE)
        if not beginning.cancelled():
            beginning.result().kill()
            await beginning.result().communicate()
        return left

    for rounds in range(8):  # of the loop, in which its pipes are connected one after the other
        assert asyncio.run(close(rounds)) == 0
        gc.collect()  # what is forgotten open is told here, as a warning, which is an error


@pytest.mark.holds("session.engine.close-breaks-off")
@pytest.mark.parametrize("fails", [False, True])
def test_what_the_work_shared_is_let_go_of_on_the_loop_after_the_last_work(
    opening: Opening, notes: Notes, fails: bool, caplog: pytest.LogCaptureFixture
) -> None:
    async def work(session_id: str, durable: Durable) -> None:
        try:
            await durable.step("one", notes.forever("one under way"))
        finally:
            notes.add("work broken off")

    async def let_go() -> None:
        await asyncio.to_thread(notes.add, f"let go of on {threading.current_thread().name}")
        if fails:
            raise ValueError("by the way")

    engine = opening(work, let_go=let_go)
    engine.start("a")
    notes.wait_for("one under way")
    engine.close()
    assert notes.lines == ["one under way", "work broken off", "let go of on loreweave-engine"]
    assert ("failed to end with the engine: ValueError at let_go" in caplog.text) == fails


@pytest.mark.holds("session.engine.refusal")
def test_a_database_that_refuses_is_told_to_the_work_and_to_callers(
    opening: Opening, notes: Notes, tmp_path: Path, database_url: str
) -> None:
    def rename(old: str, new: str) -> None:
        rows(tmp_path, database_url, f"ALTER TABLE {old} RENAME TO {new}")

    async def step() -> Json:
        notes.add("step")
        await asyncio.to_thread(rename, "operation_outputs", "elsewhere")

    async def work(session_id: str, durable: Durable) -> None:
        try:
            await durable.step("one", step)
        except Unavailable as refusal:
            notes.add(refusal.message)

    engine = opening(work)
    engine.start("a")
    notes.wait_for("The engine's database refused.")
    ended(engine, "a")
    rename("workflow_status", "nowhere")
    for ask in (engine.start, engine.known, engine.unfinished, engine.forget, engine.take_over):
        with pytest.raises(Unavailable, match=r"^The engine's database refused\.$"):
            ask("b")
    rename("nowhere", "workflow_status")


@pytest.mark.holds("session.engine.no-secrets")
@pytest.mark.parametrize("address", ["postgresql://u:{}@127.0.0.1:1/none", "postgres://u:{}@/none?host=/nowhere"])
def test_a_database_that_is_away_is_told_without_its_address(
    tmp_path: Path, address: str, unguessable: str, caplog: pytest.LogCaptureFixture, capfd: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(Unavailable) as refusal:
        open_engine(tmp_path, address.format(unguessable), nothing)
    assert refusal.value.message == "The engine's database cannot be opened."
    assert refusal.value.__cause__ is None
    assert unguessable not in caplog.text
    assert capfd.readouterr() == ("", "")
    open_engine(tmp_path, "", nothing).close()  # and nothing stays behind of the failed one


@pytest.mark.holds("session.engine.place")
def test_an_unknown_kind_of_database_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InvalidInput):
        open_engine(tmp_path, "mysql://somewhere/none", nothing)
    (tmp_path / "engine.db").mkdir()
    with pytest.raises(Unavailable):
        open_engine(tmp_path, "", nothing)


@pytest.mark.holds("session.engine.late-import")
def test_the_door_alone_imports_nothing_heavy() -> None:
    code = "import sys, loreweave.seams.engine.open_engine; print({'dbos', 'sqlalchemy', 'asyncio'} & set(sys.modules))"
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert found.stdout == "set()\n"


@pytest.mark.holds("session.engine.known-dbos")
@pytest.mark.parametrize("name", ["_sys_db.SystemDatabase.reenqueue_for_recovery", "_core.execute_dequeued_workflow"])
def test_a_dbos_without_the_names_that_are_needed_is_refused_by_its_version(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.delattr(f"dbos.{name}")
    with pytest.raises(Unavailable) as refused:
        open_engine(tmp_path, "", nothing)
    wanted = f"Sessions cannot run with dbos {version('dbos')}: it has no dbos.{name}. Install {RANGE}"
    assert refused.value.message == wanted
    project = tomllib.loads((Path(__file__).parents[3] / "pyproject.toml").read_text())["project"]
    assert RANGE in project["dependencies"]
