"""Reads a log from any place on, and goes on reading as it grows. A reader holds nothing but a number."""

import asyncio
import re
from collections.abc import AsyncIterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial

from loreweave.errors import NotFound
from loreweave.seams.storage.session_shelf import page_after
from loreweave.seams.storage.store import Store
from loreweave.work.sessions.session_bell import SessionBell

MOST = 64  # so much is held for a watcher that does not read
READERS = 4
_ID = re.compile(r"[0-9a-f-]{36}")


class LogReader:
    """Reads logs for everybody who follows one; a slow follower keeps nobody waiting."""

    def __init__(self, store: Store, bell: SessionBell) -> None:
        self._store = store
        self._bell = bell
        self._threads = ThreadPoolExecutor(READERS, thread_name_prefix="loreweave-log")
        self._closed = False

    def page(self, session_id: str, after: int, limit: int = MOST) -> tuple[list[tuple[int, str]], int, bool]:
        """Frames after a number, the number of the last one there is, and whether the session is over."""
        refuse_strange(session_id)
        with self._store.glance() as connection:
            page = page_after(connection, session_id, after, limit)
        if page is None:
            raise NotFound(f"There is no session {session_id!r}", session_id=session_id)
        frames, last_seq, state = page
        return frames, last_seq, state == "done"

    async def follow(self, session_id: str, after: int, *, until_end: bool = False) -> AsyncIterator[list[str]]:
        """Frames as they come, several at a time where there are several; it ends only when told so by `until_end`,
        when the session is deleted, or with the reader."""
        loop = asyncio.get_running_loop()
        with self._bell.attend(session_id) as attention:
            while not self._closed:
                try:
                    read = partial(self.page, session_id, after)
                    frames, _, is_over = await loop.run_in_executor(self._threads, read)
                except NotFound:
                    return
                if frames:
                    after = frames[-1][0]
                    yield [frame for _, frame in frames]
                    continue
                if (is_over and until_end) or not await attention.wait_past(after):
                    return

    def close(self) -> None:
        self._closed = True
        self._threads.shutdown(wait=False, cancel_futures=True)


def refuse_strange(session_id: str) -> None:
    """What no session was ever called, before a database that may not be able to read it is asked."""
    if not _ID.fullmatch(session_id):
        named = "".join(letter if letter.isprintable() else "?" for letter in session_id[:80])
        raise NotFound(f"There is no session {named!r}", session_id=named)
