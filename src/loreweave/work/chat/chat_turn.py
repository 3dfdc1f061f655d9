"""One turn of a conversation: what is sent to the model, round by round, never more at once than the budget."""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import AsyncGenerator, Sequence
from dataclasses import dataclass, field
from functools import cache

from loreweave.contracts.ask import ChatMessage, ChatUsage, Turn
from loreweave.errors import InvalidInput, LoreError, trace_of
from loreweave.knowledge.answers.answer_prompts import DATA_RULE, TURNS_THAT_COUNT, AskedQuestion, Box, sourced_prompt
from loreweave.knowledge.answers.answer_question import told_sources
from loreweave.knowledge.answers.gather_sections import CALLS_A_REPLY, ROUNDS
from loreweave.language.tokens import count_tokens
from loreweave.seams.models.language_model import (
    Message,
    ModelCall,
    ModelLine,
    ModelReply,
    ModelSaid,
    ToolCall,
    ToolSaid,
    UserSaid,
)
from loreweave.work.chat.chat_reader import SMALLEST, TOOLS, ChatReader, Reading, cut_to

READ_SYSTEM = (
    "You prepare an answer in a conversation about notes, documents, memories and skills. What was found first stands "
    "in boxes. Read what is still needed with the tools, one query for each part of the question; use ids exactly as "
    "they are given. Do not answer. When enough was read, or nothing fits, reply with the single word ready.\n"
    + DATA_RULE
)
CHAT_SYSTEM = (
    "You answer in a conversation about notes, documents, memories and skills, from the given sources alone, in "
    "Markdown, briefly and to the point, in the language of the question. Where the sources do not say it, say so. "
    "Cite with inline links such as [heading](URL), using only URLs of the list of allowed URLs, character for "
    "character; no other links, no images, no HTML. Put names, flags, values and commands in backticks only as they "
    "stand in a source.\n" + DATA_RULE
)
NOTHING_READ = "Nothing that is known here speaks of this."
SHARES = 3  # budgets that the requests of one turn may hold together; one of them is the answer's
READ_TOKENS, ANSWER_TOKENS = 1_024, 2_048
_LOG = logging.getLogger("loreweave.chat")
_SAID_CHARACTERS = 2_000  # of an earlier message
_REFUSAL = 150  # tokens that a call costs which reads nothing
_TOO_MUCH = "There is no room for more: reply with the single word ready."


def asked_question(messages: Sequence[ChatMessage], budget: int) -> AskedQuestion:
    """The last message, and of the earlier ones the latest turns, as many as a quarter of the budget holds."""
    *earlier, last = messages
    place = f"messages.{len(earlier)}"
    if last.role != "user":
        raise InvalidInput(f"{place}.role must be user: the last message is the question", field=f"{place}.role")
    if not last.content.strip():
        raise InvalidInput(f"{place}.content must not be blank", field=f"{place}.content")
    most = budget // 4
    if count_tokens(last.content) > most:
        message = f"{place}.content is too long for tokenBudget: a question may have a quarter of it, {most} tokens"
        raise InvalidInput(message, field=f"{place}.content")
    kept: list[Turn] = []
    for turn in reversed(_turns(earlier)[-TURNS_THAT_COUNT:]):
        most -= count_tokens(f"Question: {turn.query}\nAnswer: {turn.answer}\n\n")
        if most < 0:
            break
        kept.insert(0, turn)
    return AskedQuestion(last.content, tuple(kept))


def _turns(messages: Sequence[ChatMessage]) -> list[Turn]:
    """Questions with their answers; whoever spoke twice is heard twice."""
    turns: list[Turn] = []
    for message in messages:
        said = message.content[:_SAID_CHARACTERS]
        if message.role == "user":
            turns.append(Turn(query=said, answer=""))
        elif turns and not turns[-1].answer:
            turns[-1] = Turn(query=turns[-1].query, answer=said)
        else:
            turns.append(Turn(query="", answer=said))
    return turns


@dataclass
class ChatTurn:
    """`begin` first, then `rounds` reads on, then `answer_call` is what the answer is written from."""

    question: AskedQuestion
    reader: ChatReader
    box: Box
    budget: int
    timeout_seconds: float
    first: list[Reading] = field(default_factory=list)
    later: list[Reading] = field(default_factory=list)  # read by the model's own wish
    messages: list[Message] = field(default_factory=list)
    replies: list[ModelReply] = field(default_factory=list)
    sources: list[Reading] = field(default_factory=list)  # of the answer

    def begin(self) -> None:
        """Half of the room is read for the question itself; the model may fill the rest."""
        room = self.budget - _fixed() - count_tokens(self._prompt([]))
        self.first = self.reader.begin(room // 2)
        self.messages.append(UserSaid(self._prompt(self.first)))

    async def rounds(self, line: ModelLine) -> AsyncGenerator[list[Reading]]:
        """Yields what each call has read, until the model asks for nothing more, or nothing more has room."""
        spent = _fixed() + count_tokens(self._prompt(self.first))
        sent = 0
        for _ in range(ROUNDS):
            sent += spent
            if sent > (SHARES - 1) * self.budget:
                return
            reply = await line.ask(self._read_call())
            self.replies.append(reply)
            spent += sum(_cost(call) + _REFUSAL for call in reply.calls)
            if not reply.calls or spent > self.budget:
                return
            self.messages.append(ModelSaid("", reply.calls))
            for place, call in enumerate(reply.calls):
                said, readings = await self._answered(call, place, (self.budget - spent) // 2)
                self.messages.append(said)
                spent += max(0, count_tokens(said.text) - _REFUSAL)
                if readings:
                    self.later += readings
                    yield readings

    def answer_call(self) -> ModelCall:
        """One fresh request without tools, from what was read: by the model's own wish first."""
        self.choose()
        return ModelCall(
            purpose="ask",
            system=CHAT_SYSTEM,
            messages=(UserSaid(self._prompt(self.sources)),),
            max_tokens=ANSWER_TOKENS,
            timeout_seconds=self.timeout_seconds,
            brief=told_sources(self.question, [reading.source for reading in self.sources], NOTHING_READ),
        )

    def choose(self) -> None:
        """Each source once, as many as have room beside the conversation."""
        chosen = {reading.source.url: reading for reading in reversed([*self.later, *self.first])}
        self.sources = list(chosen.values())[::-1]
        while self.sources and _fixed() + count_tokens(self._prompt(self.sources)) > self.budget:
            self.sources.pop()

    async def find_any(self) -> list[Reading]:
        """Where nothing was read yet: the best hits of a search."""
        if self.first or self.later:
            return []
        room = self.budget - _fixed() - count_tokens(self._prompt([]))
        self.later = await asyncio.to_thread(self.reader.best_hits, room // 2)
        return self.later

    def usage(self) -> ChatUsage:
        return ChatUsage(
            requests=len(self.replies),
            inputTokens=sum(reply.input_tokens for reply in self.replies),
            outputTokens=sum(reply.output_tokens for reply in self.replies),
            costUsd=sum(reply.cost_usd for reply in self.replies),
            tokensRead=sum(reading.told.tokens for reading in self.sources),
            tokenBudget=self.budget,
        )

    def _prompt(self, readings: Sequence[Reading]) -> str:
        urls = dict.fromkeys(url for reading in readings for url in (reading.source.url, *reading.parts))
        sources = [reading.source for reading in readings]
        return sourced_prompt(self.question, self.box, sources, list(urls), with_ids=True)

    def _read_call(self) -> ModelCall:
        found = [section.id for section in self.reader.found]
        return ModelCall(
            purpose="ask",
            system=READ_SYSTEM,
            messages=tuple(self.messages),
            tools=TOOLS,
            max_tokens=READ_TOKENS,
            timeout_seconds=self.timeout_seconds,
            brief={"question": self.question.text, "search": self.question.in_context, "found": found},
        )

    async def _answered(self, call: ToolCall, place: int, room: int) -> tuple[ToolSaid, list[Reading]]:
        """A call that makes no sense is answered with a refusal that the model can act on."""
        if place >= CALLS_A_REPLY or room < 2 * SMALLEST:
            return ToolSaid(call, _TOO_MUCH, failed=True), []
        try:
            text, readings = await asyncio.to_thread(self.reader.use, call, room)
        except LoreError as refusal:
            # What it names may come from a note.
            return ToolSaid(call, self.box.around("refusal", cut_to(refusal.message, _REFUSAL // 3)), failed=True), []
        except Exception as trouble:
            _LOG.error("the tool %s failed unexpectedly\n%s", call.name, trace_of(trouble))
            return ToolSaid(call, "The tool failed.", failed=True), []
        return ToolSaid(call, text), readings


@cache
def _fixed() -> int:
    """Tokens of what every request says beside its messages."""
    tools = json.dumps([{"name": tool.name, "description": tool.description, **tool.parameters} for tool in TOOLS])
    return max(count_tokens(READ_SYSTEM) + count_tokens(tools), count_tokens(CHAT_SYSTEM))


def _cost(call: ToolCall) -> int:
    return count_tokens(call.name) + count_tokens(json.dumps(call.arguments or {}, ensure_ascii=False))
