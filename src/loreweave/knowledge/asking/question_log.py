"""What was asked and not answered, and whether answers helped: kept in the store, for whoever writes next."""

import logging
import re
from collections.abc import Callable

from loreweave.contracts.ask import FeedbackRequest, Gap, GapList, GapReason
from loreweave.errors import NotFound
from loreweave.seams.storage import ask_shelf
from loreweave.seams.storage.store import Store

log = logging.getLogger("loreweave.asking")

MOST_GAPS = 100
_BLANKS = re.compile(r"[\s\0]+")  # NUL is no text to one of the databases


class QuestionLog:
    """`keeps` is the setting's: off keeps nothing new. A log that cannot be written never fails a question."""

    def __init__(self, store: Store, now: Callable[[], str], *, keeps: bool) -> None:
        self._store = store
        self._now = now
        self._keeps = keeps

    def note_answer(self, answer_id: str, graph_id: str, query: str) -> None:
        if self._keeps:
            self._note(ask_shelf.keep_answer, answer_id, graph_id, _shown(query), self._now())

    def note_gap(self, graph_id: str, query: str, reason: GapReason) -> None:
        if self._keeps and graph_id:
            shown = _shown(query)
            self._note(ask_shelf.count_gap, graph_id, shown.casefold(), reason, shown, self._now())

    def rate(self, request: FeedbackRequest) -> None:
        with self._store.write() as connection:
            rated = ask_shelf.rate_answer(connection, request.answerId, request.helpful, request.comment)
        if rated is None:
            raise NotFound(f"There is no answer {request.answerId[:200]!r}.", answerId=request.answerId[:200])
        if not request.helpful:
            self.note_gap(*rated, "unhelpful")

    def gaps(self, graph_id: str) -> GapList:
        with self._store.read() as connection:
            found = ask_shelf.gaps(connection, graph_id, MOST_GAPS) if graph_id else []
        rows = ({"query": row[0], "reason": row[1], "count": row[2], "lastAsked": row[3]} for row in found)
        return GapList(gaps=[Gap(**row) for row in rows])

    def _note(self, keep: Callable[..., None], *values: str) -> None:
        try:
            with self._store.write() as connection:
                keep(connection, *values)
        except Exception as trouble:
            log.warning("a question could not be noted: %s", type(trouble).__name__)


def _shown(query: str) -> str:
    return _BLANKS.sub(" ", query).strip()
