"""The one door to asking: reads without a key, keyword search, feedback and gaps."""

import logging
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from loreweave.contracts.ask import (
    AskRequest,
    FeedbackAnswer,
    FeedbackRequest,
    Gap,
    GapList,
    GapReason,
    GlossaryEntry,
    GlossaryList,
    KeywordResponse,
    KnowledgeNode,
    OverviewAnswer,
    SectionList,
    SectionSummary,
    SuggestionsResponse,
)
from loreweave.entities.digest import DigestSection
from loreweave.errors import IndexUnavailable, NotFound
from loreweave.knowledge.digest.digest_file import find_term
from loreweave.knowledge.graph.graph_library import not_found
from loreweave.seams.storage import ask_shelf
from loreweave.seams.storage.store import Store

if TYPE_CHECKING:
    from loreweave.knowledge.digest.digest_library import DigestLibrary
    from loreweave.knowledge.digest.opened_digest import DigestFileLibrary, OpenDigest

log = logging.getLogger("loreweave.asking")

MOST_LINKED = 8
MOST_GAPS = 100
_BLANKS = re.compile(r"[\s\0]+")  # NUL is no text to one of the databases


@dataclass(frozen=True, eq=False, repr=False)
class QuestionLog:
    """What was asked and not answered, and whether answers helped: kept in the store, for whoever writes next.

    `keeps` is the setting's: off keeps nothing new. A log that cannot be written never fails a question.
    """

    store: Store
    now: Callable[[], str]
    keeps: bool

    def note_answer(self, answer_id: str, graph_id: str, query: str) -> None:
        if self.keeps:
            self._note(ask_shelf.keep_answer, answer_id, graph_id, _shown(query), self.now())

    def note_gap(self, graph_id: str, query: str, reason: GapReason) -> None:
        if self.keeps and graph_id:
            shown = _shown(query)
            self._note(ask_shelf.count_gap, graph_id, shown.casefold(), reason, shown, self.now())

    def rate(self, request: FeedbackRequest) -> None:
        with self.store.write() as connection:
            rated = ask_shelf.rate_answer(connection, request.answerId, request.helpful, request.comment)
        if rated is None:
            raise NotFound(f"There is no answer {request.answerId[:200]!r}.", answerId=request.answerId[:200])
        if not request.helpful:
            self.note_gap(*rated, "unhelpful")

    def gaps(self, graph_id: str) -> GapList:
        with self.store.read() as connection:
            found = ask_shelf.gaps(connection, graph_id, MOST_GAPS) if graph_id else []
        rows = ({"query": row[0], "reason": row[1], "count": row[2], "lastAsked": row[3]} for row in found)
        return GapList(gaps=[Gap(**row) for row in rows])

    def _note(self, keep: Callable[..., None], *values: str) -> None:
        try:
            with self.store.write() as connection:
                keep(connection, *values)
        except Exception as trouble:
            log.warning("a question could not be noted: %s", type(trouble).__name__)


@dataclass(frozen=True, eq=False, repr=False)
class AskService:
    """Every read takes the graph to ask; None is the one of the settings, or the one ingested last."""

    library: "DigestLibrary | DigestFileLibrary"
    model: str
    log: QuestionLog | None = None

    def suggestions(self, graph: str | None = None) -> SuggestionsResponse:
        return SuggestionsResponse(suggestions=list(self.library.open(graph).digest.suggestions), model=self.model)

    def glossary(self, graph: str | None = None) -> GlossaryList:
        return GlossaryList.model_validate(
            {"terms": self.library.open(graph).plain.glossary}, from_attributes=True, strict=False
        )

    def glossary_term(self, term: str, graph: str | None = None) -> GlossaryEntry:
        glossary = self.library.open(graph).plain.glossary
        found = find_term(glossary, term)
        if found is None:
            message = f"The glossary has no term {term[:200]!r}."
            raise not_found(message, term[:200], [entry.term for entry in glossary], term=term[:200])
        return GlossaryEntry.model_validate(found, from_attributes=True, strict=False)

    def sections(self, group: str | None = None, graph: str | None = None) -> SectionList:
        wanted = (group or "").strip().casefold()
        sections = self.library.open(graph).sections
        kept = [part for part in sections if not wanted or (part.group or "").strip().casefold() == wanted]
        return SectionList(sections=[SectionSummary.model_validate(part, from_attributes=True) for part in kept])

    def section(self, wanted: str, graph: str | None = None) -> KnowledgeNode:
        return _node(self.library.open(graph).section(wanted))

    def overview(self, graph: str | None = None) -> OverviewAnswer:
        digest = self.library.open(graph).plain
        return OverviewAnswer(overview=digest.overview, context=digest.context)

    def most_linked(self, graph: str | None = None) -> list[SectionSummary]:
        """Pages by the number of links from others, each shown by its first section."""
        from loreweave.knowledge.digest.orientation import most_linked

        digest = self.library.open(graph).plain
        firsts = {section.slug: section for section in reversed(digest.sections)}
        most = most_linked(digest.edges, MOST_LINKED)
        return [SectionSummary.model_validate(firsts[slug], from_attributes=True) for slug in most]

    def digest(self, graph: str | None = None) -> bytes:
        """The file to commit."""
        from loreweave.knowledge.digest.digest_file import digest_bytes

        return digest_bytes(self.library.open(graph).digest)

    def search(self, request: AskRequest, graph: str | None = None, warning: str | None = None) -> KeywordResponse:
        self._check_configured(graph)
        searcher = self.library.searcher(graph)
        if not request.query.strip():
            return KeywordResponse(results=[], query="", model=self.model, warning=warning)
        results = searcher.search(request.query, request.limit) if searcher else []
        if self.log and searcher and not results and not request.typing:
            self.log.note_gap(searcher.graph_id, request.query, "no_results")
        return KeywordResponse(results=results, query=request.query, model=self.model, warning=warning)

    def open_to_ask(self, graph: str | None) -> "OpenDigest":
        self._check_configured(graph)
        return self.library.open(graph)

    def asked_graph(self, graph: str | None) -> str:
        """The id of the graph that is asked; empty where there is none."""
        self._check_configured(graph)
        searcher = self.library.searcher(graph)
        return searcher.graph_id if searcher else ""

    def _check_configured(self, graph: str | None) -> None:
        if not graph and self.library.is_misconfigured():
            raise IndexUnavailable("The graph that LORE_ASK_GRAPH names has not been ingested.")

    def feedback(self, request: FeedbackRequest) -> FeedbackAnswer:
        if self.log is None:
            raise NotFound("No answers are kept here.")
        self.log.rate(request)
        return FeedbackAnswer(answerId=request.answerId, helpful=request.helpful)

    def gaps(self, graph: str | None = None) -> GapList:
        searcher = self.library.searcher(graph)
        return self.log.gaps(searcher.graph_id if searcher else "") if self.log else GapList(gaps=[])


def _node(section: DigestSection) -> KnowledgeNode:
    from loreweave.knowledge.digest.digest_file import node_value

    known = KnowledgeNode.model_fields
    return KnowledgeNode(**{name: value for name, value in node_value(section).items() if name in known})


def _shown(query: str) -> str:
    return _BLANKS.sub(" ", query).strip()
