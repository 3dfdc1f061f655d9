"""The one door to asking: reads without a key, keyword search, feedback and gaps."""

import re
from collections.abc import Callable

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
    KeywordResult,
    KnowledgeNode,
    OverviewAnswer,
    SectionList,
    SectionSummary,
    SuggestionsResponse,
)
from loreweave.contracts.wire import WireValue
from loreweave.entities.digest import DigestSection, GlossaryTerm
from loreweave.errors import IndexUnavailable, NotFound
from loreweave.knowledge.asking.digest.digest_file import digest_bytes, node_value
from loreweave.knowledge.asking.digest.merge_glossary import find_term
from loreweave.knowledge.asking.digest_library import DigestLibrary, OpenDigest
from loreweave.seams.storage import ask_shelf
from loreweave.seams.storage.store import Store

MOST_GAPS = 100
_BLANKS = re.compile(r"\s+")


class AskService:
    """Every read takes the graph to ask; None is the one of the settings, or the one ingested last."""

    def __init__(
        self, store: Store, library: DigestLibrary, model: str, now: Callable[[], str], keeps_log: bool
    ) -> None:
        self._store = store
        self._library = library
        self._model = model
        self._now = now
        self._keeps_log = keeps_log

    def suggestions(self, graph: str | None = None) -> SuggestionsResponse:
        return SuggestionsResponse(suggestions=list(self._library.open(graph).digest.suggestions), model=self._model)

    def glossary(self, graph: str | None = None) -> GlossaryList:
        return GlossaryList(terms=[_entry(entry) for entry in self._library.open(graph).plain.glossary])

    def glossary_term(self, term: str, graph: str | None = None) -> GlossaryEntry:
        found = find_term(self._library.open(graph).plain.glossary, term)
        if found is None:
            raise NotFound(f"The glossary has no term {term[:200]!r}.", term=term[:200])
        return _entry(found)

    def sections(self, group: str | None = None, graph: str | None = None) -> SectionList:
        wanted = (group or "").strip().casefold()
        sections = self._library.open(graph).sections
        kept = [part for part in sections if not wanted or (part.group or "").strip().casefold() == wanted]
        return SectionList(sections=[_summary(part) for part in kept])

    def section(self, wanted: str, graph: str | None = None) -> KnowledgeNode:
        return _node(self._library.open(graph).section(wanted))

    def overview(self, graph: str | None = None) -> OverviewAnswer:
        digest = self._library.open(graph).plain
        return OverviewAnswer(overview=digest.overview, context=digest.context)

    def digest(self, graph: str | None = None) -> bytes:
        """The file to commit."""
        return digest_bytes(self._library.open(graph).digest)

    def search(self, request: AskRequest, graph: str | None = None, warning: str | None = None) -> KeywordResponse:
        opened = self.open_to_ask(graph)
        if not request.query.strip():
            return KeywordResponse(results=[], query="", model=self._model, warning=warning)
        hits = opened.index.search(request.query, request.limit)
        if not hits and opened.graph_id and not request.typing:
            self.note_gap(opened.graph_id, request.query, "no_results")
        results = [_result(opened.sections[hit.section], hit.score, hit.snippet, hit.highlights) for hit in hits]
        return KeywordResponse(results=results, query=request.query, model=self._model, warning=warning)

    def open_to_ask(self, graph: str | None) -> OpenDigest:
        if not graph and self._library.is_misconfigured():
            raise IndexUnavailable("The graph that LORE_ASK_GRAPH names has not been ingested.")
        return self._library.open(graph)

    def feedback(self, request: FeedbackRequest) -> FeedbackAnswer:
        with self._store.write() as connection:
            rated = ask_shelf.rate_answer(connection, request.answerId, request.helpful, request.comment)
        if rated is None:
            raise NotFound(f"There is no answer {request.answerId[:200]!r}.", answerId=request.answerId[:200])
        graph_id, query = rated
        if not request.helpful:
            self.note_gap(graph_id, query, "unhelpful")
        return FeedbackAnswer(answerId=request.answerId, helpful=request.helpful)

    def gaps(self, graph: str | None = None) -> GapList:
        with self._store.read() as connection:
            wanted = self._library.choose(connection, graph)
            found = ask_shelf.gaps(connection, wanted, MOST_GAPS) if wanted else []
        return GapList(
            gaps=[
                Gap(query=query, reason=reason, count=count, lastAsked=asked) for query, reason, count, asked in found
            ]
        )

    def note_answer(self, answer_id: str, graph_id: str, query: str) -> None:
        if self._keeps_log:
            with self._store.write() as connection:
                ask_shelf.keep_answer(connection, answer_id, graph_id, query, self._now())

    def note_gap(self, graph_id: str, query: str, reason: GapReason) -> None:
        """A question that found nothing; a log that cannot be written never fails a search."""
        if self._keeps_log:
            shown = _BLANKS.sub(" ", query).strip()
            with self._store.write() as connection:
                ask_shelf.count_gap(connection, graph_id, shown.casefold(), reason, shown, self._now())


def _entry(entry: GlossaryTerm) -> GlossaryEntry:
    return GlossaryEntry(term=entry.term, aliases=list(entry.aliases), definition=entry.definition)


def _summary(section: DigestSection) -> SectionSummary:
    return SectionSummary(
        id=section.id, title=section.title, heading=section.heading, group=section.group, url=section.url
    )


def _node(section: DigestSection) -> KnowledgeNode:
    return _from_values(KnowledgeNode, node_value(section))


def _from_values(model: type[WireValue], values: dict) -> KnowledgeNode:
    return model(**{name: value for name, value in values.items() if name in model.model_fields})  # type: ignore[return-value]


def _result(
    section: DigestSection, score: float, snippet: str, highlights: tuple[tuple[int, int], ...]
) -> KeywordResult:
    return KeywordResult(
        title=section.title,
        heading=section.heading,
        url=section.url,
        group=section.group,
        snippet=snippet,
        id=section.id,
        score=score,
        highlights=list(highlights),
    )
