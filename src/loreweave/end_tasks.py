"""How the tasks of a loop end when somebody is in a hurry: some are let finish, all others are broken off."""

import asyncio
from asyncio import base_subprocess
from typing import Any

_UNHURRIED = "unhurried"


async def unhurried(work: Any) -> None:
    """Awaits work to its end, and only then passes on a cancellation that came meanwhile."""
    task = asyncio.ensure_future(work)
    task.set_name(_UNHURRIED)
    is_cancelled = False
    while not task.done():
        try:
            await asyncio.shield(task)
        except asyncio.CancelledError:
            is_cancelled = True
    task.result()
    if is_cancelled:
        raise asyncio.CancelledError


async def break_off_tasks(seconds: float) -> int:
    """Cancels every other task of this loop and waits; answers how many did not end in time."""
    others = asyncio.all_tasks() - {asyncio.current_task()}
    for task in others:
        if task.get_name() != _UNHURRIED and not _begins_process(task):  # nobody else would end its processes
            task.cancel()
    return len((await asyncio.wait(others, timeout=seconds))[1]) if others else 0


def _begins_process(task: "asyncio.Task[Any]") -> bool:
    """One of asyncio's own: broken off, it leaves the pipes of a process open, and who waits for its end waiting."""
    code = getattr(task.get_coro(), "cr_code", None)
    return code is not None and code.co_filename == base_subprocess.__file__
