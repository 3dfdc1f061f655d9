"""What one turn of a conversation may read: notes, documents, memories and skills. It reads, and never changes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from loreweave.contracts.ask import ReadKind, ReadSource
from loreweave.contracts.context_packs import PackedNode, SectionOfNode
from loreweave.contracts.memory_requests import MemorySearchRequest
from loreweave.contracts.route import RouteFileText, RouteNextRequest, RouteReadRequest
from loreweave.contracts.route_values import RouteContext
from loreweave.contracts.skill_graph import ContextRequest, NodeRequest
from loreweave.errors import InvalidInput, LoreError, NotFound
from loreweave.knowledge.answers.answer_prompts import AnswerSection, AskedQuestion, Box, boxed_source, listed
from loreweave.knowledge.answers.answer_service import AskedSections
from loreweave.knowledge.answers.ask_service import AskService
from loreweave.knowledge.answers.gather_sections import HITS, text_argument
from loreweave.knowledge.digest.opened_digest import OpenDigest
from loreweave.knowledge.digest.page_service import PageService
from loreweave.knowledge.digest.section_searcher import page_url, section_address
from loreweave.knowledge.packs.retrieval_service import RetrievalService
from loreweave.language.tokens import count_tokens
from loreweave.memory.memory_service import MemoryService
from loreweave.routing.route_service import RouteService
from loreweave.seams.models.language_model import OfferedTool, ToolCall

ACTOR = "chat"
QUERY_CHARACTERS = 1_000
PARTS_CITED = 12  # sections of one note
RECALLED = 4  # memories
SMALLEST = 80  # tokens of a source that is worth being shown
_CUT = "\n…"
_CHARACTERS_A_TOKEN = 12  # no text has more, so no more is looked at


@dataclass(frozen=True)
class ReadingRooms:
    """Where a conversation reads."""

    asking: AskService
    pages: PageService
    retrieval: RetrievalService
    routes: RouteService
    open_memory: Callable[[], MemoryService]


@dataclass(frozen=True, slots=True)
class Reading:
    """One thing that was read. `parts`: addresses of those of its sections that are in the text."""

    kind: ReadKind
    source: AnswerSection
    reason: str
    parts: tuple[str, ...] = ()

    @property
    def told(self) -> ReadSource:
        source = self.source
        title = f"{source.title} › {source.heading}" if source.heading else source.title
        return ReadSource(
            kind=self.kind,
            id=source.id,
            title=title,
            url=source.url,
            tokens=count_tokens(source.text),
            reason=self.reason,
        )


def _tool(name: str, does: str, needed: Mapping[str, str], **more: str) -> OfferedTool:
    properties = {field: {"type": "string", "description": what} for field, what in {**needed, **more}.items()}
    schema = {"type": "object", "properties": properties, "required": list(needed), "additionalProperties": False}
    return OfferedTool(name, does, schema)


_WORDS = {"query": "A few telling words."}
TOOLS = (
    _tool("context", "Gives the passages of the notes that say most about a question.", {"query": "The question."}),
    _tool("read_node", "Gives one note, or one section of it.", {"id": "A note's id."}, section="A section's anchor."),
    _tool("search_sections", "Searches the documents by words. Gives sections with ids and first lines.", _WORDS),
    _tool("open_section", "Gives the whole text of one section.", {"id": "A section's id, as found by searching."}),
    _tool("recall", "Searches what was remembered.", _WORDS),
    _tool("next_skill", "Says which skill applies to a wish, and which may be read.", {"message": "The wish."}),
    _tool("read_skill", "Gives the text of a skill that may be read now.", {"id": "A skill's id."}),
)


@dataclass
class ChatReader:
    """The doors of one graph in one turn. What a tool answers fits the room it is given, boxed as data."""

    rooms: ReadingRooms
    opened: OpenDigest
    question: AskedQuestion
    box: Box
    found: list[AnswerSection] = field(default_factory=list)  # by the last search
    skill: str | None = None  # where the conversation has been routed to

    def begin(self, room: int) -> list[Reading]:
        """The passages of the question, alone and in what it follows, and what is remembered about it."""
        texts = [self.question.in_context, self.question.text] if self.question.turns else [self.question.text]
        memories = self._fitting(self._recalled(texts[-1], room // 5), room // 5)
        room -= sum(map(self._cost, memories))
        packs = [reading for text in texts for reading in self._pack(text, room // len(texts))]
        # A passage that is too long for any pack is found by a search, and cut.
        return [*(self._fitting(packs, room) or self.best_hits(room)), *memories]

    def best_hits(self, room: int) -> list[Reading]:
        """Where no note was read: what was found last, or is found by the question."""
        hits = self.found or AskedSections(self.opened, self.rooms.pages).search(_query(self.question.text), HITS)
        return self._fitting([Reading("section", hit, "Found by words of the question") for hit in hits], room)

    def use(self, call: ToolCall, room: int) -> tuple[str, list[Reading]]:
        """What the model is told, and what it has read by that; `LoreError` where the call makes no sense."""
        tool = _USES.get(call.name)
        if tool is None:
            raise NotFound(f"There is no such tool; there are {', '.join(_USES)}")
        answered = tool(self, call, room)
        if isinstance(answered, str):
            return self.box.around("found", cut_to(answered, room - SMALLEST)), []
        readings = self._fitting(answered, room)
        if not readings:
            raise NotFound("Nothing was found")
        return "\n\n".join(boxed_source(self.box, reading.source, True) for reading in readings), readings

    def _context(self, call: ToolCall, room: int) -> list[Reading]:
        return self._pack(_given(call, "query"), room)

    def _read_node(self, call: ToolCall, room: int) -> list[Reading]:
        identity, section = _given(call, "id"), _query(text_argument(call, "section") or "") or None
        read = self.rooms.retrieval.read_node
        node: Any = read(NodeRequest(graphId=self._graph(), id=identity, section=section, level=4))
        if isinstance(node, SectionOfNode):
            named = section_address(node.id, node.section)
            url = section_address(self._address(node)[0], node.section)
            return [
                Reading("section", AnswerSection(named, url, node.name, node.heading, None, (), node.content), "Opened")
            ]
        if node.tokens > room:
            node = read(NodeRequest(graphId=self._graph(), id=identity, query=_query(self.question.text)))
        url, anchors = self._address(node)
        return [Reading("node", _note(node, url), "Opened", _shown(anchors, url, getattr(node, "sections", None)))]

    def _search_sections(self, call: ToolCall, room: int) -> str:
        self.found = AskedSections(self.opened, self.rooms.pages).search(_given(call, "query"), HITS)
        if not self.found:
            raise NotFound("Nothing was found")
        return listed(self.found)

    def _open_section(self, call: ToolCall, room: int) -> list[Reading]:
        section = AskedSections(self.opened, self.rooms.pages).open(_given(call, "id"))
        if section is None:
            raise NotFound("No section has this id; use ids of search results")
        return [Reading("section", section, "Opened")]

    def _recall(self, call: ToolCall, room: int) -> list[Reading]:
        return self._recalled(_given(call, "query"), room)

    def _next_skill(self, call: ToolCall, room: int) -> str:
        context = RouteContext(user_message=_given(call, "message"))
        answer = self.rooms.routes.next(RouteNextRequest(graphId=self._graph(), context=context))
        self.skill = answer.nextSkill
        return f"skill: {answer.nextSkill or 'none'}\nmay be read: {', '.join(answer.reachable) or 'none'}"

    def _read_skill(self, call: ToolCall, room: int) -> list[Reading]:
        wanted = _given(call, "id")
        here = None if wanted == self.skill else self.skill  # the skill that applies was entered from outside
        skill = self.rooms.routes.read(RouteReadRequest(graphId=self._graph(), id=wanted, currentSkillId=here))
        assert not isinstance(skill, RouteFileText)  # none was asked for
        source = AnswerSection(skill.id, self._skill_address(skill.id), skill.id, None, None, (), skill.body)
        return [Reading("skill", source, f"May be read from {here or 'the entry'}")]

    def _skill_address(self, identity: str) -> str:
        """Of the page of the note that it is, where one goes by its name."""
        try:
            note = self.rooms.retrieval.read_node(NodeRequest(graphId=self._graph(), id=identity))
        except LoreError:
            return f"skill:{identity}"
        return self._address(note)[0]

    def _pack(self, query: str, room: int) -> list[Reading]:
        if not self.opened.graph_id or room < SMALLEST or not query.strip():
            return []
        request = ContextRequest(graphId=self.opened.graph_id, query=_query(query), tokenBudget=room)
        answer = self.rooms.retrieval.context(request)
        loaded = [node for node in answer.contextPack.nodes if isinstance(node, PackedNode)] if answer.matched else []
        return [self._packed(node) for node in loaded]

    def _packed(self, node: PackedNode) -> Reading:
        known: Any = self.rooms.retrieval.read_node(NodeRequest(graphId=self._graph(), id=node.id, level=1))
        url, anchors = self._address(known)
        return Reading("node", _note(node, url), node.reason, _shown(anchors, url, node.sections))

    def _recalled(self, query: str, room: int) -> list[Reading]:
        if room < SMALLEST or not query.strip():
            return []
        request = MemorySearchRequest(query=_query(query), limit=RECALLED, scope="*", max_tokens=room)
        found = [hit for hit in self.rooms.open_memory().search(request, ACTOR).results if not hit.weak]
        return [
            Reading(
                "memory",
                AnswerSection(hit.node_id, f"memory:{hit.node_id}", hit.name, None, None, (), hit.content),
                f"Remembered, of relevance {hit.relevance:.2f}",
            )
            for hit in found
        ]

    def _graph(self) -> str:
        if not self.opened.graph_id:
            raise NotFound("No notes have been ingested")
        return self.opened.graph_id

    def _address(self, node: Any) -> tuple[str, tuple[str, ...]]:
        """Of the page of a note, and the anchors of its sections; without a page it goes by its id."""
        slug = self.opened.plain.slugs.get(node.path)
        if slug is None:
            return f"node:{node.id}", ()
        anchors = tuple(part.anchor for part in self.opened.pages[slug].sections if part.anchor is not None)
        return page_url(self.opened.plain.settings.basePath, slug), anchors

    def _fitting(self, readings: Iterable[Reading], room: int) -> list[Reading]:
        """In their order, each once, as long as there is room; the first that is too long is cut."""
        chosen: dict[str, Reading] = {}
        for reading in readings:
            if reading.source.url in chosen:
                continue
            left = room - self._cost(replace(reading, source=replace(reading.source, text="")))
            text = cut_to(reading.source.text, left)
            if not text or (text is not reading.source.text and left < SMALLEST):
                break
            chosen[reading.source.url] = replace(reading, source=replace(reading.source, text=text))
            room = left - count_tokens(text)
        return list(chosen.values())

    def _cost(self, reading: Reading) -> int:
        """With its box, the line behind it, and its addresses once more in the list of what may be cited."""
        shown = boxed_source(self.box, reading.source, True)
        return count_tokens(shown) + count_tokens("\n".join(("", reading.source.url, *reading.parts))) + len("\n\n")


_USES: dict[str, Callable[[ChatReader, ToolCall, int], str | list[Reading]]] = {
    "context": ChatReader._context,
    "read_node": ChatReader._read_node,
    "search_sections": ChatReader._search_sections,
    "open_section": ChatReader._open_section,
    "recall": ChatReader._recall,
    "next_skill": ChatReader._next_skill,
    "read_skill": ChatReader._read_skill,
}


def _given(call: ToolCall, name: str) -> str:
    value = _query(text_argument(call, name) or "")
    if not value:
        raise InvalidInput(f"{call.name} needs {name}", field=name)
    return value


def _query(text: str) -> str:
    return " ".join(text.replace("\0", " ").split())[:QUERY_CHARACTERS]


def _note(node: Any, url: str) -> AnswerSection:
    return AnswerSection(node.id, url, node.name, None, None, (), node.content)


def _shown(anchors: tuple[str, ...], url: str, sections: Any) -> tuple[str, ...]:
    """Addresses of the sections that are there in whole or in part; of a whole note, of all."""
    if sections is not None:
        seen = {part.anchor for part in sections if part.shown != "none"}
        anchors = tuple(anchor for anchor in anchors if anchor in seen)
    return tuple(section_address(url, anchor) for anchor in anchors[:PARTS_CITED])


def cut_to(text: str, tokens: int) -> str:
    """As much from its beginning as costs at most so many tokens; whole lines where that is most of it."""
    kept = text[: max(0, tokens) * _CHARACTERS_A_TOKEN]
    if len(kept) == len(text) and count_tokens(text) <= tokens:
        return text
    low, high = 0, len(kept)
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if count_tokens(kept[:middle] + _CUT) <= tokens else (low, middle - 1)
    line = kept.rfind("\n", low // 2, low)
    return kept[: line if line > 0 else low].rstrip() + _CUT if low else ""
