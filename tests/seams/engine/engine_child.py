"""The other end of `engine_process`: engines in processes of their own, on one data folder."""

import contextlib
import json
import os
import queue
import signal
import subprocess
import sys
import threading
from collections import Counter
from pathlib import Path
from typing import Any

from tests import forked
from tests.pace import PATIENCE

Told = dict[str, Any]


class EngineChild:
    """One process. What it says without being asked goes into a queue that all share."""

    def __init__(self, told: Told, news: "queue.Queue[Told]", environment: dict[str, str]) -> None:
        command = [sys.executable, "-W", "error", "-m", "tests.seams.engine.engine_process", json.dumps(told)]
        self.process = forked.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
            env={**os.environ, **environment},
        )  # fmt: skip
        self._answers: queue.Queue[Any] = queue.Queue()
        self._news = news
        self._reader = threading.Thread(target=self._read)
        self._reader.start()
        self.executor_id = self.answer()

    def ask(self, *words: str) -> Any:
        self.tell(*words)
        return self.answer()

    def tell(self, *words: str) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(json.dumps(words) + "\n")
        self.process.stdin.flush()

    def answer(self) -> Any:
        """Nothing where the process died."""
        return self._answers.get(timeout=PATIENCE)

    def die(self) -> None:
        self.process.kill()
        self.died()

    def died(self) -> None:
        """By its own hand, or by ours."""
        self.process.wait(PATIENCE)
        assert self.process.returncode == -signal.SIGKILL, self._heard()

    def close(self) -> str:
        """A clean end; answers what it said to its standard error."""
        self.ask("close")
        self.process.wait(PATIENCE)
        heard = self._heard()
        assert self.process.returncode == 0, heard
        return heard

    def end(self) -> None:
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait(PATIENCE)
        self._reader.join()
        for pipe in (self.process.stdin, self.process.stdout, self.process.stderr):
            assert pipe is not None
            with contextlib.suppress(BrokenPipeError):  # a line that the dead one did not read
                pipe.close()

    def _heard(self) -> str:
        assert self.process.stderr is not None
        return self.process.stderr.read()

    def _read(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            told = json.loads(line)
            if "answer" in told:
                self._answers.put(told["answer"])
            else:
                self._news.put(told)
        self._answers.put(None)


class Household:
    """The processes of one test, their data folder and the journal of what their steps did."""

    def __init__(self, folder: Path, database_url: str) -> None:
        self.data_dir = folder / "data"
        self.journal = folder / "journal"
        self.journal.touch()
        self._database_url = database_url
        self._news: queue.Queue[Told] = queue.Queue()
        self._children: list[EngineChild] = []

    def open(self, environment: dict[str, str] | None = None, **told: Any) -> EngineChild:
        given = {
            "data_dir": str(self.data_dir),
            "database_url": self._database_url,
            "journal": str(self.journal),
            **told,
        }
        self._children.append(EngineChild(given, self._news, environment or {}))
        return self._children[-1]

    def heard(self, *told: Told) -> None:
        """Waits until all of this was said, by whichever process, and nothing else before it."""
        found = [self._news.get(timeout=PATIENCE) for _ in told]
        assert sorted(found, key=json.dumps) == sorted(told, key=json.dumps), found

    def ran(self, session_id: str) -> dict[str, int]:
        """How often each step of a session ran."""
        lines = [line.split() for line in self.journal.read_text().splitlines()]
        return dict(Counter(what for session, what in lines if session == session_id))

    def end(self) -> None:
        for child in self._children:
            child.end()
