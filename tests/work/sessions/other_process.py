"""The other process at a store, from this side."""

import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from tests import forked
from tests.pace import PATIENCE
from tests.waits import line_with

from loreweave.settings import Settings


class OtherProcess:
    def __init__(self, process: "subprocess.Popen[str]") -> None:
        self._process = process

    def begin(self, *calls: Any) -> None:
        """Calls made at once; their answers are asked for later."""
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps(calls) + "\n")
        self._process.stdin.flush()

    def answers(self) -> list[dict[str, Any]]:
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        assert line, self._process.stderr and self._process.stderr.read()
        return json.loads(line)

    def call(self, *calls: Any) -> list[dict[str, Any]]:
        self.begin(*calls)
        return self.answers()


@contextmanager
def other_process(settings: Settings) -> Iterator[OtherProcess]:
    given = {"data_dir": str(settings.data_dir), "database_url": settings.database_url}
    process = forked.Popen(
        [sys.executable, "-m", "tests.work.sessions.log_process", json.dumps(given)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    try:
        line_with("ready", process, process.stdout)
        yield OtherProcess(process)
    except BaseException:
        process.kill()
        process.communicate(timeout=PATIENCE)
        raise
    _, trouble = process.communicate(timeout=PATIENCE)
    assert process.returncode == 0, trouble
