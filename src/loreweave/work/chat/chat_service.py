"""The door of conversations: each turn is a stream of events, what was read, checked text, and how it ended."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import aclosing
from dataclasses import dataclass

from loreweave.contracts.ask import ChatDoneEvent, ChatEvent, ChatRequest, Citation, ErrorEvent, ReadEvent, TextEvent
from loreweave.knowledge.answers.answer_prompts import Box
from loreweave.knowledge.answers.answer_question import AnswerSlots, checked_text
from loreweave.knowledge.answers.check_citations import CitationChecker
from loreweave.knowledge.answers.read_block import PLAIN, CitationSources, block_events
from loreweave.language.strange_text import link_label
from loreweave.seams.models.language_model import LanguageModel, ModelFault, ModelLine, ModelReply
from loreweave.work.chat.chat_reader import ChatReader, Reading, ReadingRooms
from loreweave.work.chat.chat_turn import NOTHING_READ, ChatTurn, asked_question

INSTEAD = "The passages that it would read are shown instead."
NO_MODEL = "No language model is set up: LORE_MODEL chooses one."


@dataclass(frozen=True, eq=False, repr=False)
class ChatService:
    """Nothing of a conversation is kept: whoever goes on sends what was said."""

    rooms: ReadingRooms
    open_model: Callable[[], LanguageModel | None]
    slots: AnswerSlots
    timeout_seconds: float

    async def stream(self, request: ChatRequest) -> AsyncGenerator[ChatEvent]:
        """What is wrong with the request, or cannot be read, is refused at once; whatever fails later is an event.

        Close it (`aclose`) or read it to the end."""
        question = asked_question(request.messages, request.tokenBudget)
        self.slots.take()
        try:
            opened = await asyncio.to_thread(self.rooms.asking.open_to_ask, request.graphId)
            box = Box()
            reader = ChatReader(self.rooms, opened, question, box)
            turn = ChatTurn(question, reader, box, request.tokenBudget, self.timeout_seconds)
            await asyncio.to_thread(turn.begin)
        except BaseException:
            self.slots.give_back()
            raise
        events = self._events(turn)
        await anext(events)  # up to the point from which closing it lets everything go
        return events  # type: ignore[return-value]

    async def _events(self, turn: ChatTurn) -> AsyncGenerator[ChatEvent | None]:
        try:
            yield None
            if turn.first:
                yield _read(turn.first)
            try:
                model = self.open_model()
            except ModelFault as fault:
                told: AsyncGenerator[ChatEvent] = _passages(turn, "none", fault.message)
            else:
                told = _passages(turn, "none", NO_MODEL) if model is None else _answered(turn, model)
            async with aclosing(told):
                async for event in told:
                    yield event
        finally:
            self.slots.give_back()


async def _answered(turn: ChatTurn, model: LanguageModel) -> AsyncGenerator[ChatEvent]:
    async with model.opened() as line:
        try:
            async with aclosing(turn.rounds(line)) as rounds:
                async for readings in rounds:
                    yield _read(readings)
            found = await turn.find_any()
        except ModelFault as fault:
            if turn.replies:
                yield ErrorEvent(error=fault.message, code=fault.code)
                return
            async with aclosing(_passages(turn, model.name, fault.message)) as passages:
                async for event in passages:
                    yield event
            return
        if found:
            yield _read(found)
        async with aclosing(_written(turn, line, model.name)) as written:
            async for event in written:
                yield event


async def _written(turn: ChatTurn, line: ModelLine, model: str) -> AsyncGenerator[ChatEvent]:
    call = turn.answer_call()
    if not turn.sources:
        yield TextEvent(text=NOTHING_READ)
        yield ChatDoneEvent(mode="answer", model=model, citations=[], unverified=[], usage=turn.usage())
        return
    checker = _checker(turn.sources)
    whole: list[str] = []
    try:
        async with aclosing(checked_text(line, call, checker)) as written:
            async for said in written:
                if isinstance(said, str):
                    whole.append(said)
                    yield TextEvent(text=said)
                else:
                    yield _done(turn, model, said, "".join(whole), checker)
    except ModelFault as fault:
        yield ErrorEvent(error=fault.message, code=fault.code)


def _done(turn: ChatTurn, model: str, reply: ModelReply, text: str, checker: CitationChecker) -> ChatDoneEvent:
    turn.replies.append(reply)
    return ChatDoneEvent(
        mode="answer",
        model=model,
        citations=_cited(text, turn.sources),
        unverified=checker.unverified,
        usage=turn.usage(),
        truncated=True if reply.stop == "length" else None,
    )


async def _passages(turn: ChatTurn, model: str, trouble: str) -> AsyncGenerator[ChatEvent]:
    """What a model would have read, under links to it; what else the passages link to is left out, as in answers."""
    if found := await turn.find_any():
        yield _read(found)
    turn.choose()
    warning = f"{trouble} {INSTEAD if turn.sources else NOTHING_READ}"
    yield TextEvent(text=warning)
    checker = _checker(turn.sources)
    whole = ""
    for reading in sorted(turn.sources, key=lambda reading: reading.told.kind != "memory"):  # short, and one's own
        title = link_label(reading.told.title) or "untitled"
        whole += checker.feed(f"\n\n**[{title}](<{reading.source.url}>)**\n\n{reading.source.text.strip()}")
    whole += checker.finish()
    yield TextEvent(text=whole)
    yield ChatDoneEvent(
        mode="passages",
        model=model,
        citations=_cited(whole, turn.sources),
        unverified=[],
        usage=turn.usage(),
        warning=warning,
    )


def _read(readings: Sequence[Reading]) -> ReadEvent:
    return ReadEvent(sources=[reading.told for reading in readings])


def _checker(readings: Sequence[Reading]) -> CitationChecker:
    urls = {url for reading in readings for url in (reading.source.url, *reading.parts)}
    return CitationChecker(urls, [reading.source.text for reading in readings])


def _cited(text: str, readings: Sequence[Reading]) -> list[Citation]:
    """What the text links to, in its order, each once."""
    found: dict[str, Citation] = {}
    for kind, tag, value, _, _ in block_events(text, PLAIN):
        if kind != "Start" or tag != "Link":
            continue
        address = value[tag]["dest_url"]
        for reading in readings:
            for url in (reading.source.url, *reading.parts):
                if CitationSources([url], []).has_url(address):
                    found.setdefault(url, Citation(kind=reading.kind, id=reading.source.id, url=url))
    return list(found.values())
