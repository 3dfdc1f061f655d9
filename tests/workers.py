"""Tests in several processes, forked when all of them have been collected: what they import is loaded once.

A worker takes whole files from one queue, those that take long first, and tells the first process what became of it.
"""

import gc
import io
import json
import os
import select
import signal
import socket
import sys
import tempfile
import threading
import traceback
from collections.abc import Iterator
from itertools import groupby
from pathlib import Path
from typing import IO, Any

import pytest
from tests import forked
from tests.fork_server import load_all

# Files by the time they take, those that wait for processes between those that work.
LONGEST = (
    *("studio_page", "build_crashes", "page_everywhere", "session_crashes", "builds_page", "board_crashes"),
    *("memory_page", "sessions_page", "known_boards", "library_keeping", "open_engine", "explorer_page"),
    *("two_session_servers", "ask_overlay", "turn_crashes", "routing_agents_guide", "build_tools"),
    *("explorer_notes", "mcp_conformance", "benchmarks_run", "asked_answers", "crashes", "spoken_answers"),
    *("explorer_library", "answer_question", "sandbox_ends", "docs_pages", "house_rules", "sandbox_amounts"),
    *("drawn_graphs", "routed_agents", "session_scale", "session_commands", "several_at_once", "check_citations"),
    *("hostile_archives", "read_note", "search_quality", "session_patience", "engine_crashes", "durable_work"),
    *("provider_model", "wheel", "two_commands", "incremental_ingest"),
)
PLACE_BYTES = 4
READ_BYTES = 1 << 16
END_SECONDS = 30.0
MOST_LINES = 6  # of what a failed test expected


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--workers", type=int, default=0, help="how many processes run the tests; 0 is this one alone")


def pytest_configure(config: pytest.Config) -> None:
    """The process that forks programs loads what it needs while tests are collected."""
    if config.getoption("workers"):
        gc.disable()  # what is collected stays: to look for what does not would take half of the time
        if forked.CAN_FORK:
            forked.start_fork_server()


def pytest_terminal_summary(terminalreporter: Any) -> None:
    """What failed, in few lines: `make test` ends with them, since many see no more of a run than its end."""
    if path := os.environ.get("HOUSE_FAILURES"):
        failed = [report for kind in ("failed", "error") for report in terminalreporter.stats.get(kind, ())]
        Path(path).write_text("\n".join(map(_in_few_lines, failed)), "utf-8")


def _in_few_lines(report: pytest.TestReport) -> str:
    said = report.longreprtext.splitlines() or [""]
    expected = [line for line in said if line.startswith("E ")][:MOST_LINES]
    return "\n".join([report.nodeid, *expected, said[-1], ""])


@pytest.hookimpl(tryfirst=True)
def pytest_runtestloop(session: pytest.Session) -> bool | None:
    config = session.config
    if not config.getoption("workers") or config.option.collectonly or session.testsfailed:
        return None
    files = _files(session.items)
    config._tmp_path_factory.getbasetemp()  # type: ignore[attr-defined]  # one folder for all of them
    if forked.CAN_FORK:
        load_all()
    gc.collect()
    gc.freeze()
    gc.enable()
    assert threading.active_count() == 1, f"a process with threads must not fork: {threading.enumerate()}"
    queue, filling = os.pipe()
    os.write(filling, b"".join(place.to_bytes(PLACE_BYTES, "big") for place in range(len(files))))
    os.close(filling)
    workers = [_begin(session, files, queue) for _ in range(config.getoption("workers"))]
    os.close(queue)
    try:
        _listen(session, workers)
    finally:
        for worker in workers:
            worker.end()
    return True


def _files(items: list[pytest.Item]) -> list[list[pytest.Item]]:
    places = {name: place for place, name in enumerate(LONGEST)}
    files = [list(tests) for _, tests in groupby(items, key=_taken_together)]

    def place(tests: list[pytest.Item]) -> tuple[int, bool]:
        path = tests[0].path
        return places.get(path.stem.removeprefix("test_"), len(places)), path.parent.name not in ("web", "journeys")

    return sorted(files, key=place)


def _taken_together(item: pytest.Item) -> Path:
    """A file, or a folder all of whose files read every source first."""
    return item.path.parent if item.path.parent.name == "architecture" else item.path


class Worker:
    """What the first process knows of another."""

    def __init__(self, process_id: int, line: socket.socket) -> None:
        self.process_id = process_id
        self.line = line
        self.testing = ""
        self._rest = b""

    def told(self) -> list[bytes] | None:
        """The lines that have come; nothing more when it has ended."""
        if not (came := self.line.recv(READ_BYTES)):
            return None
        *lines, self._rest = (self._rest + came).split(b"\n")
        return lines

    def end(self) -> None:
        """One that has not ended, since the run is cut short, ends when nobody listens to it."""
        if self.line.fileno() >= 0:
            self.line.close()
            os.kill(self.process_id, signal.SIGINT)
            alarm = threading.Timer(END_SECONDS, os.kill, (self.process_id, signal.SIGKILL))
            alarm.start()
            os.waitpid(self.process_id, 0)
            alarm.cancel()


def _begin(session: pytest.Session, files: list[list[pytest.Item]], queue: int) -> Worker:
    ours, theirs = socket.socketpair()
    if process_id := os.fork():
        theirs.close()
        return Worker(process_id, ours)
    ours.close()
    _work(session, files, queue, theirs)
    raise AssertionError("a worker goes no further")


def _work(session: pytest.Session, files: list[list[pytest.Item]], queue: int, line: socket.socket) -> None:
    """In a worker: all tests of a file, then the next file; what was set up for several is taken down at the end."""
    config, status = session.config, 1
    try:
        _keep_to_itself(config)
        config.pluginmanager.register(_Telling(config, line.makefile("w", encoding="utf-8")))
        tests = _taken(files, queue)
        test = next(tests, None)
        while test is not None:
            following = next(tests, None)
            config.hook.pytest_runtest_protocol(item=test, nextitem=following)
            test = following
        status = 0
    except (KeyboardInterrupt, BrokenPipeError):
        pass  # nobody listens any more
    except BaseException:
        traceback.print_exc(file=sys.__stderr__)
    finally:
        try:
            session._setupstate.teardown_exact(None)
        finally:
            os._exit(status)


def _keep_to_itself(config: pytest.Config) -> None:
    """What a test prints goes to files of this worker, below the streams that others may have taken hold of."""
    reporter: Any = config.pluginmanager.getplugin("terminalreporter")
    reporter._tw._file = io.StringIO()
    capturing: Any = config.pluginmanager.getplugin("capturemanager")
    if config.getoption("capture") == "fd":
        for stream in (capturing._global_capturing.out, capturing._global_capturing.err):
            with tempfile.TemporaryFile() as own:
                os.dup2(own.fileno(), stream.tmpfile.fileno())


def _taken(files: list[list[pytest.Item]], queue: int) -> Iterator[pytest.Item]:
    while place := os.read(queue, PLACE_BYTES):
        yield from files[int.from_bytes(place, "big")]


class _Telling:
    def __init__(self, config: pytest.Config, line: IO[str]) -> None:
        self._config = config
        self._line = line

    def _tell(self, kind: str, said: Any) -> None:
        self._line.write(json.dumps([kind, said], default=str) + "\n")
        self._line.flush()

    def pytest_runtest_logstart(self, nodeid: str, location: Any) -> None:
        self._tell("begun", [nodeid, location])

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        self._tell("report", self._config.hook.pytest_report_to_serializable(config=self._config, report=report))

    def pytest_runtest_logfinish(self, nodeid: str, location: Any) -> None:
        self._tell("done", [nodeid, location])


def _listen(session: pytest.Session, workers: list[Worker]) -> None:
    listening = {worker.line: worker for worker in workers}
    while listening:
        for line in select.select(list(listening), [], [])[0]:
            worker = listening[line]
            if (told := worker.told()) is None:
                del listening[line]
                _note_end(session, worker)
            for said in told or ():
                _pass_on(session, worker, *json.loads(said))
        if session.shouldfail:
            raise session.Failed(session.shouldfail)
        if session.shouldstop:
            raise session.Interrupted(session.shouldstop)


def _pass_on(session: pytest.Session, worker: Worker, kind: str, said: Any) -> None:
    """Told here as if the test had run here."""
    hook = session.config.hook
    if kind == "report":
        report = hook.pytest_report_from_serializable(config=session.config, data=said)
        hook.pytest_runtest_logreport(report=report)
        return
    nodeid, location = said
    worker.testing = nodeid if kind == "begun" else ""
    tell = hook.pytest_runtest_logstart if kind == "begun" else hook.pytest_runtest_logfinish
    tell(nodeid=nodeid, location=tuple(location))


def _note_end(session: pytest.Session, worker: Worker) -> None:
    worker.line.close()
    _, status = os.waitpid(worker.process_id, 0)
    if ended := os.waitstatus_to_exitcode(status):
        nodeid = worker.testing or "between two tests"
        said = f"the process that ran it ended with {ended}"
        lost = pytest.TestReport(nodeid, (nodeid, None, nodeid), {}, "failed", said, "call")
        session.config.hook.pytest_runtest_logreport(report=lost)
