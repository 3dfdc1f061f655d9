"""One question, one answer: the first call decides whether there is a stream, then events follow in order."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Sequence
from contextlib import AsyncExitStack, aclosing
from dataclasses import dataclass
from threading import Semaphore
from typing import Any, Literal

from loreweave.contracts.ask import (
    AnswerEvent,
    AnswerSource,
    DoneEvent,
    ErrorEvent,
    SearchEvent,
    SourcesEvent,
    TokenEvent,
)
from loreweave.errors import RateLimited
from loreweave.knowledge.answers.answer_prompts import (
    ANSWER_SYSTEM,
    NOT_COVERED,
    AnswerSection,
    AskedQuestion,
    Box,
    SectionLibrary,
    answer_prompt,
)
from loreweave.knowledge.answers.check_citations import CitationChecker
from loreweave.knowledge.answers.gather_sections import Gathering
from loreweave.seams.models.language_model import LanguageModel, ModelCall, ModelFault, ModelLine, ModelReply, UserSaid

FALL_BACK_SECONDS = 3.0
_ANSWER_TOKENS = 2_048


class AnswerSlots:
    """How many answers may run at once. One more is refused rather than kept waiting."""

    def __init__(self, limit: int) -> None:
        self._free = Semaphore(limit)
        self.give_back = self._free.release

    def take(self) -> None:
        if not self._free.acquire(blocking=False):
            raise RateLimited("Too many answers are being written just now; try again soon.", retryAfter=5)


@dataclass(frozen=True, slots=True)
class AnswerDesk:
    """What all answers share."""

    model: LanguageModel
    slots: AnswerSlots
    timeout_seconds: float = 60.0

    async def start(
        self, question: AskedQuestion, sections: SectionLibrary, answer_id: str
    ) -> AsyncGenerator[AnswerEvent] | str:
        """Makes the first model call; nothing has been promised to anyone before it is known to stand. Events are read
        to the end, or closed; where it fails at once there are none, and a warning says why keywords stand in."""
        self.slots.take()
        async with AsyncExitStack() as stack:
            stack.callback(self.slots.give_back)
            gathering = Gathering(question, sections, Box(), self.timeout_seconds)
            first_call = await gathering.begin()
            line = await stack.enter_async_context(self.model.opened())
            first = asyncio.ensure_future(line.ask(first_call))
            stack.push_async_callback(_abandon, first)
            await asyncio.wait({first}, timeout=FALL_BACK_SECONDS)
            if first.done() and (trouble := first.exception()) is not None:
                if not isinstance(trouble, ModelFault):
                    raise trouble
                return f"{trouble.message} Keyword results are shown instead."
            events = _events(stack.pop_all(), line, first, gathering, self.model.name, answer_id)
            await anext(events)  # up to the point from which closing it lets everything go
            return events  # type: ignore[return-value]


async def _abandon(task: asyncio.Future[ModelReply]) -> None:
    """Cancelling closes the connection; whatever it still says is of no interest."""
    task.cancel()
    await asyncio.wait({task})
    if not task.cancelled():
        task.exception()


async def _events(
    stack: AsyncExitStack,
    line: ModelLine,
    first: asyncio.Future[ModelReply],
    gathering: Gathering,
    model: str,
    answer_id: str,
) -> AsyncGenerator[AnswerEvent | None]:
    async with stack:
        yield None
        fault: ModelFault | None = None
        try:
            async with aclosing(gathering.queries(first, line.ask)) as queries:  # type: ignore[type-var]
                async for query in queries:
                    yield SearchEvent(query=query)
        except ModelFault as trouble:
            fault = trouble
        sources = gathering.sources
        yield SourcesEvent(
            sources=[AnswerSource.model_validate(section, from_attributes=True, strict=False) for section in sources],
            model=model,
        )
        if fault is not None:
            yield ErrorEvent(error=fault.message, code=fault.code)
        elif not sources:
            yield TokenEvent(text=NOT_COVERED)
            yield DoneEvent(answerId=answer_id, unverified=[])
        else:
            call = _answer_call(gathering, sources)
            async with aclosing(_written(line, call, sources, answer_id)) as written:
                async for event in written:
                    yield event


async def _written(
    line: ModelLine, call: ModelCall, sources: list[AnswerSection], answer_id: str
) -> AsyncGenerator[AnswerEvent]:
    checker = CitationChecker({source.url for source in sources}, [source.text for source in sources])
    try:
        async with aclosing(checked_text(line, call, checker)) as written:
            async for said in written:
                if isinstance(said, str):
                    yield TokenEvent(text=said)
                else:
                    cut: Literal[True] | None = True if said.stop == "length" else None
                    yield DoneEvent(answerId=answer_id, unverified=checker.unverified, truncated=cut)
    except ModelFault as fault:
        yield ErrorEvent(error=fault.message, code=fault.code)


async def checked_text(line: ModelLine, call: ModelCall, checker: CitationChecker) -> AsyncGenerator[str | ModelReply]:
    """Checked text as it comes, and last the whole reply; a fault first lets go of what was held, then says so."""
    said = False
    reply: ModelReply | None = None
    fault: ModelFault | None = None
    try:
        async with line.stream(call) as stream, aclosing(stream.pieces()) as pieces:  # type: ignore[type-var]
            async for piece in pieces:
                if text := checker.feed(piece):
                    said = said or bool(text.strip())
                    yield text
            reply = stream.reply
            if reply.stop == "refused":
                raise ModelFault("model_declined")
    except ModelFault as trouble:
        fault = trouble
    if text := checker.finish():
        said = said or bool(text.strip())
        yield text
    if fault is not None or not said or reply is None:
        raise fault or ModelFault("model_empty")
    yield reply


def told_sources(question: AskedQuestion, sources: Sequence[AnswerSection], nothing: str) -> dict[str, Any]:
    """What an answer is made of, as data for the model that works offline; `nothing`: what it says without one."""
    told = [
        {"url": source.url, "title": source.title, "heading": source.heading, "text": source.text} for source in sources
    ]
    return {"question": question.in_context, "asked": question.text, "sources": told, "nothing": nothing}


def _answer_call(gathering: Gathering, sources: list[AnswerSection]) -> ModelCall:
    """One fresh request without tools: nothing of the gathering but its sources goes in."""
    question = gathering.question
    return ModelCall(
        purpose="ask",
        system=ANSWER_SYSTEM,
        messages=(UserSaid(answer_prompt(question, gathering.box, sources)),),
        max_tokens=_ANSWER_TOKENS,
        timeout_seconds=gathering.timeout_seconds,
        brief=told_sources(question, sources, NOT_COVERED),
    )
