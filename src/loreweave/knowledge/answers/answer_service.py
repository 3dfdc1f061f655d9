"""Answering a question from the documents: a stream of checked events, or keyword results and why."""

from __future__ import annotations

import asyncio
import uuid
from collections.abc import AsyncGenerator, AsyncIterator, Callable
from dataclasses import dataclass

from loreweave.contracts.ask import (
    AnswerEvent,
    AnswerReport,
    AnswerSource,
    AskRequest,
    DoneEvent,
    ErrorEvent,
    KeywordResponse,
    SourcesEvent,
    TokenEvent,
)
from loreweave.entities.digest import DigestSection
from loreweave.errors import NotFound, Unavailable
from loreweave.knowledge.answers.answer_prompts import NOT_COVERED, AnswerSection, AskedQuestion
from loreweave.knowledge.answers.answer_question import AnswerDesk, AnswerSlots
from loreweave.knowledge.answers.ask_service import AskService
from loreweave.knowledge.digest.opened_digest import OpenDigest
from loreweave.knowledge.digest.page_service import PageService
from loreweave.seams.models.language_model import LanguageModel, ModelFault

NO_MODEL = "No language model is set up, so keyword results are shown: LORE_MODEL chooses one."


class RunningAnswer:
    """Events of an answer under way. Close it, or read it to the end."""

    def __init__(self, started: AsyncGenerator[AnswerEvent], note: Callable[[DoneEvent, bool], None]) -> None:
        self._started = started
        self._note = note

    async def __aiter__(self) -> AsyncIterator[AnswerEvent]:
        said = ""  # as long as it may be the sentence
        async for event in self._started:
            if isinstance(event, TokenEvent) and NOT_COVERED.startswith(said):
                said += event.text
            if isinstance(event, DoneEvent):
                await asyncio.to_thread(self._note, event, said.strip() != NOT_COVERED)
            yield event

    async def aclose(self) -> None:
        await self._started.aclose()


@dataclass(frozen=True, eq=False, repr=False)
class AnswerService:
    asking: AskService
    pages: PageService
    open_model: Callable[[], LanguageModel | None]
    slots: AnswerSlots
    timeout_seconds: float

    async def answer(self, request: AskRequest, graph: str | None = None) -> RunningAnswer | KeywordResponse:
        """Decided within seconds; whatever fails later is an event of the stream."""
        opened = await asyncio.to_thread(self.asking.open_to_ask, graph)
        if not request.query.strip():
            return await self._keyword(request, graph, None)
        try:
            model = self.open_model()
        except ModelFault as fault:
            return await self._keyword(request, graph, f"{fault.message} Keyword results are shown instead.")
        if model is None:
            return await self._keyword(request, graph, NO_MODEL)
        desk = AnswerDesk(model, self.slots, self.timeout_seconds)
        answer_id = uuid.uuid4().hex
        question = AskedQuestion(request.query, tuple(request.history), opened.plain.overview, opened.plain.context)
        started = await desk.start(question, AskedSections(opened, self.pages), answer_id)
        if isinstance(started, str):
            return await self._keyword(request, graph, started)

        def note(done: DoneEvent, covered: bool) -> None:
            log = self.asking.log
            if log is None:
                return
            log.note_answer(done.answerId, opened.graph_id, request.query)
            if not covered:
                log.note_gap(opened.graph_id, request.query, "not_covered")

        return RunningAnswer(started, note)

    async def report(self, request: AskRequest, graph: str | None = None) -> AnswerReport | KeywordResponse:
        """The whole answer; one that failed raises, with what there was of it in the fact `partial`."""
        answer = await self.answer(request, graph)
        if isinstance(answer, KeywordResponse):
            return answer
        text: list[str] = []
        sources: list[AnswerSource] = []
        model = ""
        try:
            async for event in answer:
                match event:
                    case SourcesEvent():
                        sources, model = event.sources, event.model
                    case TokenEvent():
                        text.append(event.text)
                    case ErrorEvent():
                        raise Unavailable(event.error, code=event.code, partial="".join(text))
                    case DoneEvent():
                        return AnswerReport(
                            model=model,
                            answer="".join(text),
                            sources=sources,
                            unverified=event.unverified,
                            truncated=bool(event.truncated),
                            answerId=event.answerId,
                        )
        finally:
            await answer.aclose()
        raise Unavailable("The answer broke off before its end.", partial="".join(text))

    async def _keyword(self, request: AskRequest, graph: str | None, warning: str | None) -> KeywordResponse:
        return await asyncio.to_thread(self.asking.search, request, graph, warning)


class AskedSections:
    """The documents as answering knows them."""

    def __init__(self, opened: OpenDigest, pages: PageService) -> None:
        self._opened = opened
        self._pages = pages

    def search(self, query: str, limit: int) -> list[AnswerSection]:
        found = self._opened.searcher.search(query, limit)
        return [self._section(self._opened.section(result.id)) for result in found]

    def open(self, section_id: str) -> AnswerSection | None:
        try:
            return self._section(self._opened.section(section_id))
        except NotFound:
            return None

    def _section(self, section: DigestSection) -> AnswerSection:
        known = (section.id, section.url, section.title, section.heading, section.group, section.terms)
        return AnswerSection(*known, self._pages.text_of(self._opened, section))
