"""Work that must end in time, by the clock of the house."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from datetime import timedelta
from typing import TypeVar

from loreweave.clock import Clock, wait_at_most

Found = TypeVar("Found")


class OutOfTime(Exception):
    """The work was cancelled because its time was over."""


async def finish_within(seconds: float, clock: Clock, work: Callable[[], Awaitable[Found]]) -> Found:
    """The work is over when this returns, whatever happened."""
    deadline = clock.now() + timedelta(seconds=seconds)
    if seconds <= 0:
        raise OutOfTime
    task = asyncio.ensure_future(work())
    try:
        while not task.done():
            left = (deadline - clock.now()).total_seconds()
            if left <= 0:
                raise OutOfTime
            await asyncio.wait({task}, timeout=wait_at_most(clock, left))
        return task.result()
    finally:
        if not task.done():
            task.cancel()
            await asyncio.wait({task})
