"""Hears what other servers announce through PostgreSQL."""

import threading
from collections.abc import Callable

import psycopg

from loreweave.errors import Unavailable
from loreweave.seams.storage.store import Heard

PATIENCE_SECONDS = 0.2  # how long closing may wait for the thread to look up
AGAIN_SECONDS = 1.0


class PostgresEar:
    """One connection that listens, made again when it breaks; what was missed meanwhile is told as a change."""

    def __init__(self, connect: Callable[[], psycopg.Connection], channel: str, heard: Heard) -> None:
        self._connect = connect
        self._channel = channel
        self._heard = heard
        self._closing = threading.Event()
        self._thread = threading.Thread(target=self._run, name="loreweave-ear", daemon=True)
        self._thread.start()

    def close(self) -> None:
        self._closing.set()
        self._thread.join()

    def _run(self) -> None:
        while not self._closing.is_set():
            try:
                with self._connect() as connection:
                    connection.execute(f"LISTEN {self._channel}")
                    self._heard(None)
                    self._hear(connection)
            except (psycopg.Error, Unavailable):
                self._closing.wait(AGAIN_SECONDS)

    def _hear(self, connection: psycopg.Connection) -> None:
        while not self._closing.is_set():
            for notice in connection.notifies(timeout=PATIENCE_SECONDS):
                self._heard(notice.payload)
