"""The one workflow that DBOS knows, registered once a process; whatever engine is open runs it."""

from __future__ import annotations

import threading
from typing import Protocol

from dbos import DBOS

from loreweave.errors import Conflict

NAME = "session"


class Runner(Protocol):
    async def run(self, session_id: str) -> None: ...


_lock = threading.Lock()
_runner: Runner | None = None


def claim(runner: Runner) -> None:
    """DBOS is one a process, and so is the engine."""
    global _runner
    with _lock:
        if _runner is not None:
            raise Conflict("This process has an open engine already.", part="engine")
        _runner = runner


def let_go() -> None:
    global _runner
    with _lock:
        _runner = None


@DBOS.workflow(name=NAME, max_recovery_attempts=None)  # however often its process dies, work is not given up
async def run_session(session_id: str) -> None:
    assert _runner is not None
    await _runner.run(session_id)
