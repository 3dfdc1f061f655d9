"""An engine in a process of its own, told what to do line by line; see `engine_child`.

Run: python -m tests.seams.engine.engine_process '{"data_dir": …, "database_url": …, "journal": …}'

Its work is so many steps, each of which adds a line to the journal. `kill` names the step in which the process
kills itself, `hold` the one that goes no further until it is told to.
"""

import asyncio
import json
import os
import signal
import sys
import threading
from pathlib import Path
from typing import Any

import sqlalchemy

from loreweave.seams.engine.engine import Durable, Engine, Json, TakenOver
from loreweave.seams.engine.open_engine import open_engine


class Child:
    def __init__(self, told: dict[str, Any]) -> None:
        self._told = told
        self._go = asyncio.Event()
        self._journal = os.open(told["journal"], os.O_WRONLY | os.O_APPEND | os.O_CREAT)

    async def work(self, session_id: str, durable: Durable) -> None:
        try:
            for number in range(self._told.get("steps", 3)):
                await durable.step(f"step/{number}", lambda number=number: self._step(session_id, number))  # type: ignore[misc]
        except TakenOver:
            say({"taken": session_id})
            raise
        self._note(session_id, "end")
        say({"ended": session_id})

    async def _step(self, session_id: str, number: int) -> Json:
        self._note(session_id, number)
        if self._told.get("kill") == number:
            os.kill(os.getpid(), signal.SIGKILL)
        if self._told.get("hold") == number and not self._go.is_set():
            say({"holds": session_id})
            await self._go.wait()
        return number

    def _note(self, session_id: str, what: object) -> None:
        os.write(self._journal, f"{session_id} {what}\n".encode())

    async def let_go(self) -> None:
        self._go.set()


def say(told: dict[str, Any]) -> None:
    os.write(1, json.dumps(told).encode() + b"\n")


def obey(engine: Engine, child: Child) -> None:
    for line in sys.stdin:
        word, *given = json.loads(line)
        if word == "go":
            engine.run_on_loop(child.let_go()).result()
            say({"answer": None})
        elif word == "close":
            engine.close()
            say({"answer": None})
            return
        else:
            say({"answer": getattr(engine, word)(*given)})


def die_at_statement(thread: str, number: int) -> None:
    """Kills the process when threads of this name are about to say so many things to the database."""
    left = number

    def count(*_: Any) -> None:
        nonlocal left
        left -= threading.current_thread().name.startswith(thread)
        if left == 0:
            os.kill(os.getpid(), signal.SIGKILL)

    for event in ("before_cursor_execute", "commit"):
        sqlalchemy.event.listen(sqlalchemy.Engine, event, count)


def main() -> None:
    told = json.loads(sys.argv[1])
    child = Child(told)
    if "statement" in told:
        die_at_statement(*told["statement"])
    engine = open_engine(
        Path(told["data_dir"]), told["database_url"], child.work, takes_work=told.get("takes_work", True)
    )
    say({"answer": engine.executor_id})
    obey(engine, child)


if __name__ == "__main__":
    main()
