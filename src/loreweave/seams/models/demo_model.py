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

from loreweave.language.identifiers import WHOLE, read_mentions
from loreweave.language.stop_words import QUESTION_WORDS
from loreweave.language.strange_text import link_label
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
    words = re.findall(r"\S+", prompt)
    said = " ".join(words[:WORDS]) + "…" * (len(words) > WORDS)
    text = f"The demo model was asked: {said}" if words else "The demo model was asked for nothing."
    return ModelReply(text, (), "stop", None, tokens, len(text) // _CHARACTERS_A_TOKEN)


OPENED, SENTENCES = 3, 2
_BLOCKS = re.compile(r"\n\s*\n|\n(?=\s*(?:[-+>#|]|\*\s|\d+[.)]))")
_TYPE = re.compile(r"^ *(?:[-+] )?(?:[\w.]+:? \{[^{}]*\} (?=[A-Z]))?|[{}]")  # `size: {number} How many`
_CODE = re.compile(r"(?ms)^[ \t>]*(`{3,}|~{3,}).*?(?:^[ \t>]*\1[^\n]*|\Z)")
_LINK = re.compile(r"!?\[\[(?:[^\]|\n]*\|)?([^\]\n]*)\]\]|\[([^\]\n]*)\]\([^)\n]*\)|[`*]")
_MARKUP = re.compile(r"[`*_\[\]<>#|]")


class DemoModel:
    """Deterministic and offline."""

    name = "demo"

    @asynccontextmanager
    async def opened(self) -> AsyncIterator[DemoModel]:
        yield self

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
    """Searches the question in what it follows and opens the best; then the same with a follow-up by itself."""
    turn = sum(isinstance(message, ModelSaid) for message in call.messages)
    queries = list(dict.fromkeys(str(call.brief.get(name, "")) for name in ("search", "question")))
    if turn >= 2 * len(queries):
        return ()
    if turn % 2 == 0:
        return (ToolCall(f"demo-{turn}", "search_sections", {"query": queries[turn // 2]}),)
    best = list(call.brief.get("found", ()))[:OPENED]
    return tuple(ToolCall(f"demo-{turn}-{place}", "open_section", {"id": id}) for place, id in enumerate(best))


def _answer(brief: Mapping[str, Any]) -> str:
    """Quotes that hold half of the words that say what is asked, of a follow-up its own, and half of the names."""
    asked, whole = str(brief.get("asked", "")), str(brief.get("question", ""))
    words = _telling(whole) or dict.fromkeys(_keys(whole), False)
    own = _telling(asked) or (words if _keys(asked) else {})
    names = {word for word, is_name in own.items() if is_name}
    parts = []
    for source in brief.get("sources", ()):
        quoted = " ".join(_best_sentences(source["text"], set(words)))
        said = _keys(f"{source['title']} {source['heading'] or ''} {quoted}")
        if own and all(2 * len(said & some) >= len(some) for some in (own.keys(), names)):
            label = link_label(source["heading"] or source["title"]) or "source"
            parts.append(f"{quoted or 'See'} [{label}](<{source['url']}>)")
    return "\n\n".join(parts[:OPENED]) or str(brief.get("nothing", ""))


def _keys(text: str) -> set[str]:
    return {mention.key for chunk in text.split() for mention in read_mentions(chunk)}


_OF_TALK = {"explain", "detail", "els", "give", "exampl", "say", "show", "tell", "thank", "summar"}  # not of its matter


def _telling(question: str) -> dict[str, bool]:
    """The words that say what is asked, and whether each is written as a name or a number."""
    return {
        mention.key: re.search(r"\d", chunk) is not None or (place > 0 and not chunk.islower())
        for place, chunk in enumerate(question.split())
        for mention in read_mentions(chunk)
        if mention.key[0] != WHOLE and mention.word not in QUESTION_WORDS and mention.key not in _OF_TALK
    }


def _sentences(text: str) -> list[str]:
    """Whole ones, of wrapped lines too, without their markup; what does not end as one only where none does."""
    plain = (_LINK.sub(lambda found: found[1] or found[2] or "", block) for block in _BLOCKS.split(_CODE.sub("", text)))
    blocks = (_TYPE.sub("", " ".join(block.split())) for block in plain)
    found = [each for block in blocks for each in re.split(r"(?<=[.!?])\s+", block) if each[20:] or each.count(" ") > 1]
    return [each for each in found if each[-1] in ".!?"] or found


def _best_sentences(text: str, words: set[str]) -> list[str]:
    """The sentences that share most words with the question, in the order of the text; tables and code are left out."""
    found = [each for each in _sentences(text) if not _MARKUP.search(each) and "://" not in each]
    shared = [len(words & _keys(sentence)) for sentence in found]
    best = sorted(range(len(found)), key=lambda place: (-shared[place], place))[:SENTENCES]
    return [found[place] for place in sorted(best)]


def _distilled(sections: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    summaries = [{"id": one["id"], "summary": [*_sentences(one["text"]), one["title"]][0]} for one in sections]
    return {"context": "", "glossary": [], "summaries": summaries, "suggestions": []}
