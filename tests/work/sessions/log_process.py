"""A log in a process of its own, told what to do line by line: `python -m tests.work.sessions.log_process SETTINGS`.

Each line is a list of calls, made at once by as many threads; the answer is one line, a list in the same order.
"""

import json
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from tests.work.sessions.log_desk import Desk, Json, on_a_loop, output, settings_of, take_frames

from loreweave.errors import LoreError
from loreweave.work.sessions.session_log import NotTheRunner


class Hands:
    def __init__(self, desk: Desk) -> None:
        self._desk = desk

    def record(self, session_id: str, writer: str, count: int, runner: str) -> int:
        """So many groups of two events, each under a key of its own."""
        for number in range(count):
            told = f"{writer} {number}"
            self._desk.record(session_id, told, output(f"{told} a"), output(f"{told} b"), runner=runner)
        return count

    def answer(self, session_id: str, step_id: str, answer: str) -> Any:
        return self._desk.service.answer_step(session_id, step_id, {"Header": answer}).model_dump()

    def stop(self, session_id: str) -> Any:
        return self._desk.service.stop(session_id).model_dump()

    def take(self, session_id: str, runner: str) -> bool:
        return self._desk.log.take(session_id, runner).result()

    def follow(self, session_id: str, since: int, count: int) -> list[str]:
        async def frames() -> list[str]:
            return await take_frames(self._desk.reader.follow(session_id, since), count)

        return on_a_loop(frames())


def told(call: Callable[[], Any]) -> Json:
    try:
        return {"answer": call()}
    except LoreError as refusal:
        return {"refused": refusal.shape()}
    except NotTheRunner:
        return {"refused": {"code": "not_the_runner"}}


def main() -> None:
    desk = Desk(settings_of(json.loads(sys.argv[1])))
    hands = Hands(desk)
    print("ready", flush=True)
    with ThreadPoolExecutor(32) as threads:
        for line in sys.stdin:
            calls = json.loads(line)
            making = [lambda call=call: getattr(hands, call[0])(*call[1:]) for call in calls]
            print(json.dumps(list(threads.map(told, making))), flush=True)
    desk.close()


if __name__ == "__main__":
    main()
