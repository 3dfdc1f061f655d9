"""A model without a network: it plays its part by fixed rules, equal words for equal questions.

It reads the `brief` of a call. For `ask` it searches the question, opens the best hits and answers with sentences of
the sources; for `digest` it takes the first sentence of each section; for `skill` it looks at the files and answers in
the prompt's own words.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from typing import Any

from loreweave.seams.models.demo_build import SECONDS, build_reply
from loreweave.seams.models.language_model import Listener, ModelCall, ModelReply, ModelSaid, ToolCall

WORDS = 40
_CHARACTERS_A_TOKEN = 4


def skill_reply(call: ModelCall) -> ModelReply:
    prompt = str(call.brief.get("prompt", ""))
    tokens = len(call.system + prompt) // _CHARACTERS_A_TOKEN
    looked = any(isinstance(message, ModelSaid) for message in call.messages)
    if not looked and any(tool.name == "list_files" for tool in call.tools):
        return ModelReply("", (ToolCall("demo-1", "list_files", {"path": "."}),), "tools", None, tokens, 1)
    text = _text(prompt)
    return ModelReply(text, (), "stop", None, tokens, len(text) // _CHARACTERS_A_TOKEN)


def _text(prompt: str) -> str:
    words = re.findall(r"\S+", prompt)
    if not words:
        return "The demo model was asked for nothing."
    said = " ".join(words[:WORDS]) + ("…" if len(words) > WORDS else "")
    return f"The demo model was asked: {said}"


OPENED = 3
SENTENCES = 2
_BLOCKS = re.compile(r"\n\s*\n|\n(?=\s*(?:[-*+>#|]|\d+[.)]))")
_LINK = re.compile(r"!?\[\[(?:[^\]|\n]*\|)?([^\]\n]*)\]\]|\[([^\]\n]*)\]\([^)\n]*\)|[`*]")
_MARKUP = re.compile(r"[`*_\[\]<>#|]")


class DemoModel:
    """Deterministic and offline."""

    name = "demo"

    @asynccontextmanager
    async def opened(self) -> AsyncIterator[DemoLine]:
        yield DemoLine()


class DemoLine:
    async def ask(self, call: ModelCall, listener: Listener | None = None) -> ModelReply:
        if call.purpose in ("plan", "agent"):
            return await _played(build_reply(call), listener)
        if call.purpose == "skill":
            return skill_reply(call)
        if call.purpose == "ask" and call.tools:
            calls = _next_calls(call)
            return ModelReply("", calls, "tools" if calls else "stop")
        if call.schema is not None:
            return ModelReply("", (), "stop", structured=_distilled(call.brief.get("sections", ())))
        return ModelReply(_answer(call.brief), (), "stop")

    @asynccontextmanager
    async def stream(self, call: ModelCall) -> AsyncIterator[DemoStream]:
        yield DemoStream(await self.ask(call))


class DemoStream:
    def __init__(self, reply: ModelReply) -> None:
        self.reply = reply

    async def pieces(self) -> AsyncIterator[str]:
        for word in _words(self.reply.text):
            yield word


def _words(text: str) -> list[str]:
    return re.findall(r"\S+\s*|\s+", text)


async def _played(reply: ModelReply, listener: Listener | None) -> ModelReply:
    """As slowly as somebody who writes it."""
    words = (_words(reply.text) if listener is not None else []) or [""]
    for word in words:
        if listener is not None:
            listener.hear(word)
        await asyncio.sleep(SECONDS / len(words))
    return reply


def _next_calls(call: ModelCall) -> tuple[ToolCall, ...]:
    turn = sum(isinstance(message, ModelSaid) for message in call.messages)
    if turn == 0:
        return (ToolCall("demo-1", "search_sections", {"query": str(call.brief.get("search", ""))}),)
    if turn == 1:
        best = list(call.brief.get("found", ()))[:OPENED]
        return tuple(ToolCall(f"demo-{place + 2}", "open_section", {"id": id}) for place, id in enumerate(best))
    return ()


def _answer(brief: Mapping[str, Any]) -> str:
    words = set(re.findall(r"\w{3,}", str(brief.get("question", "")).casefold()))
    parts = []
    for source in list(brief.get("sources", ()))[:OPENED]:
        sentences = _best_sentences(source["text"], words)
        label = _MARKUP.sub("", source["heading"] or source["title"]) or "source"
        parts.append(f"{' '.join(sentences) or 'See'} [{label}](<{source['url']}>)")
    return "\n\n".join(parts)


def _sentences(text: str) -> list[str]:
    """Whole ones, of wrapped lines too, without their markup; what does not end as one only where none does."""
    plain = _LINK.sub(lambda found: found[1] or found[2] or "", text)
    blocks = (" ".join(block.split()) for block in _BLOCKS.split(plain))
    found = [each for block in blocks for each in re.split(r"(?<=[.!?])\s+", block) if len(each) > 20]
    return [each for each in found if each[-1] in ".!?"] or found


def _best_sentences(text: str, words: set[str]) -> list[str]:
    """The sentences that share most words with the question, in the order of the text; tables and code are left out."""
    found = [each for each in _sentences(text) if not _MARKUP.search(each) and "://" not in each]
    scored = [(len(words & set(re.findall(r"\w{3,}", sentence.casefold()))), sentence) for sentence in found]
    best = sorted(range(len(scored)), key=lambda place: (-scored[place][0], place))[:SENTENCES]
    return [scored[place][1] for place in sorted(best)]


def _distilled(sections: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    summaries = []
    for section in sections:
        sentences = _sentences(section["text"])
        summaries.append({"id": section["id"], "summary": sentences[0] if sentences else section["title"]})
    return {"context": "", "glossary": [], "summaries": summaries, "suggestions": []}
