"""What DBOS has to say goes to our log, warnings only, and never to the console."""

from __future__ import annotations

import logging

LOG = logging.getLogger("loreweave.engine")

# Breaking work off is how the engine closes, and a failed opening is raised: neither is news.
_NO_NEWS = ("Asyncio task cancelled", "DBOS failed to launch")


class _Forwarder(logging.Handler):
    def emit(self, record: logging.LogRecord) -> None:
        message = record.getMessage()
        if record.levelno >= logging.WARNING and not message.startswith(_NO_NEWS):
            LOG.warning("%s", message)  # without its traceback, which may quote what is recorded


def take_over_log() -> None:
    """Before DBOS starts: it adds a console to a logger without a handler."""
    theirs = logging.getLogger("dbos")
    theirs.propagate = False
    if not any(isinstance(handler, _Forwarder) for handler in theirs.handlers):
        theirs.handlers[:] = [_Forwarder()]
