"""The model searches and opens sections, at most four times; what it did is kept."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass, field

from loreweave.knowledge.answers.answer_prompts import (
    GATHER_SYSTEM,
    TOOLS,
    AnswerSection,
    AskedQuestion,
    Box,
    SectionLibrary,
    distinct_by_rank,
    gather_prompt,
    listed,
    opened,
    search_question,
)
from loreweave.seams.models.language_model import (
    Message,
    ModelCall,
    ModelReply,
    ModelSaid,
    ToolCall,
    ToolSaid,
    UserSaid,
)

ROUNDS = 4
HITS = 6
OPENED_SOURCES = 12
CALLS_A_REPLY = 16
_QUERY_CHARACTERS = 2_000
_GATHER_TOKENS = 1_024


@dataclass
class Gathering:
    """What has been found so far. `begin` first, then `queries` walks the rounds."""

    question: AskedQuestion
    sections: SectionLibrary
    box: Box
    timeout_seconds: float
    of_question: list[AnswerSection] = field(default_factory=list)
    of_queries: list[list[AnswerSection]] = field(default_factory=list)
    opened: dict[str, AnswerSection] = field(default_factory=dict)
    messages: list[Message] = field(default_factory=list)

    async def begin(self) -> ModelCall:
        """Prepares retrieval and gives the first request."""
        self.of_question = await asyncio.to_thread(search_question, self.sections, self.question, HITS)
        self.messages.append(UserSaid(gather_prompt(self.question, self.box, self.of_question)))
        return self._next_call()

    async def queries(
        self, first: Awaitable[ModelReply], ask: Callable[[ModelCall], Awaitable[ModelReply]]
    ) -> AsyncIterator[str]:
        """Yields each sub-query when it is issued, until the model asks for nothing more."""
        for turn in range(ROUNDS):
            reply = await (first if turn == 0 else ask(self._next_call()))
            if not reply.calls:
                return
            self.messages.append(ModelSaid(reply.text, reply.calls))
            for place, call in enumerate(reply.calls):
                query = text_argument(call, "query") if call.name == "search_sections" else None
                if query and place < CALLS_A_REPLY:
                    yield query
                self.messages.append(await self._answer_call(call, place))

    @property
    def sources(self) -> list[AnswerSection]:
        """Every opened section in order; where none was opened, the best hits."""
        if self.opened:
            return list(self.opened.values())[:OPENED_SOURCES]
        hits = [*distinct_by_rank(self.of_queries), *self.of_question]
        return list({hit.id: hit for hit in reversed(hits)}.values())[::-1][:HITS]

    def _next_call(self) -> ModelCall:
        found = self.of_queries[-1] if self.of_queries else []
        brief = {"question": self.question.text, "search": self.question.in_context, "found": [hit.id for hit in found]}
        return ModelCall(
            purpose="ask",
            system=GATHER_SYSTEM,
            messages=tuple(self.messages),
            tools=TOOLS,
            max_tokens=_GATHER_TOKENS,
            timeout_seconds=self.timeout_seconds,
            brief=brief,
        )

    async def _answer_call(self, call: ToolCall, place: int) -> ToolSaid:
        """A call that makes no sense is answered with an error that the model can act on."""
        if place >= CALLS_A_REPLY:
            return ToolSaid(call, "Too many calls at once.", failed=True)
        if call.name == "search_sections":
            return await self._search(call)
        if call.name == "open_section":
            return await self._open(call)
        return ToolSaid(call, "There is no such tool; use search_sections or open_section.", failed=True)

    async def _search(self, call: ToolCall) -> ToolSaid:
        query = text_argument(call, "query")
        if query is None:
            return ToolSaid(call, "search_sections needs a query.", failed=True)
        hits = list(await asyncio.to_thread(self.sections.search, query, HITS))
        self.of_queries.append(hits)
        return ToolSaid(call, self.box.around("search results", listed(hits)) if hits else "Nothing was found.")

    async def _open(self, call: ToolCall) -> ToolSaid:
        identity = text_argument(call, "id")
        section = await asyncio.to_thread(self.sections.open, identity) if identity else None
        if section is None:
            return ToolSaid(call, "No section has this id; use ids of search results.", failed=True)
        self.opened.setdefault(section.id, section)
        return ToolSaid(call, self.box.around("section", opened(section)))


def text_argument(call: ToolCall, name: str) -> str | None:
    value = (call.arguments or {}).get(name)
    if not isinstance(value, str) or not value.strip():
        return None
    # What a model writes may hold half a surrogate pair, which could not be sent on.
    return value.strip()[:_QUERY_CHARACTERS].encode("utf-8", "replace").decode("utf-8")
