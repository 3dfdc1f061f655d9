"""What one task is told of the notes and memories before it begins, and what its agent may look up while it works."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from loreweave.contracts.context_packs import ContextAnswer, PackedNode
from loreweave.contracts.memory_requests import MemorySearchRequest
from loreweave.contracts.route import RouteNextRequest, RouteReachableRequest, RouteReadRequest, RouteSkillText
from loreweave.contracts.route_values import RouteContext
from loreweave.contracts.session_events import ContextLoaded, ContextNode, Task
from loreweave.contracts.skill_graph import ContextRequest
from loreweave.entities.stored_session import KnowledgeRow
from loreweave.errors import InvalidInput, LoreError
from loreweave.language.strange_text import boxed
from loreweave.language.tokens import count_tokens
from loreweave.work.agents.agent_tools import Lookups
from loreweave.work.grounding.build_knowledge import KnowledgeHouse

PACK_TOKENS, PACK_SHARE = (
    6_000,
    15,
)  # the budget of a task's pack: at most so many, and so many hundredths of what is left
LEAST_TOKENS = 200  # a pack of less says nothing
SEARCH_TOKENS = 2_000
LONGEST_QUERY = 2_000  # characters
REMEMBERED, REMEMBERED_CHARACTERS = 5, 600
RECALLED = 6
OFFERED_SKILLS, LONGEST_ID = 30, 200
SKILL_CHARACTERS = 12_000
ACTOR = "agent"
NOTHING = "Nothing was found."
_FITS = 4


@dataclass(frozen=True)
class TaskKnowledge:
    """Blocking: each call reads the database. `attempt` 0 is what was read before the first."""

    house: KnowledgeHouse
    session_id: str
    task_id: str
    attempt: int = 0

    def brief(self, task: Task, tokens_left: int) -> dict[str, Any]:
        """What the task is told before it begins, as values that can be kept: texts by kind, and the event."""
        taken = self.house.taken(self.session_id)
        if taken is None:
            return {}
        query = _words(" ".join([task.name, task.description, *task.acceptance_criteria]))
        budget = _share(tokens_left)
        told: dict[str, Any] = {"texts": []}
        if budget >= LEAST_TOKENS and query:
            pack, nodes = self._pack(taken, query, budget, "context")
            loaded = [ContextNode(id=node.id, level=node.level, tokens=node.tokens) for node in nodes]
            tokens = sum(node.tokens for node in nodes)
            told["event"] = ContextLoaded(
                task_id=self.task_id, graph_id=taken.graph_id, nodes=loaded, tokens=tokens, budget=budget
            ).model_dump()
            told["texts"] += [["notes", pack]] if pack else []
        told["texts"] += [["remembered from earlier work", text] for text in self._remembered(query)]
        told["texts"] += self._entered(taken, query)
        return told

    def for_a_plan(self, wish: str, tokens_left: int) -> dict[str, Any]:
        """The notes that speak of what is wished for: looked at for no task, but for all of them."""
        taken = self.house.taken(self.session_id)
        query, budget = _words(wish), _share(tokens_left)
        if taken is None or not query or budget < LEAST_TOKENS:
            return {}
        notes, _ = self._pack(taken, query, budget, "context")
        return {"texts": [["notes", notes]]} if notes else {}

    def lookups(self) -> Lookups:
        taken = self.house.taken(self.session_id)
        offers_skills = taken is not None and bool(self._reachable(taken, None))
        return Lookups(
            read_skill=partial(self._read_skill, taken) if taken is not None and offers_skills else None,
            search_docs=self._search_docs,
            recall=self._recall,
        )

    # Notes

    def _search_docs(self, asked: str) -> str:
        query = _asked(asked)
        taken = self.house.taken(self.session_id)
        if taken is not None:
            return self._pack(taken, query, SEARCH_TOKENS, "search_docs")[0] or NOTHING
        graph_id = self.house.docs()
        if graph_id is None:
            return NOTHING
        answer = _fitted(SEARCH_TOKENS, lambda room: self._context(graph_id, query, room))
        return self._noted(answer, query, "search_docs")[0] or NOTHING

    def _pack(self, taken: KnowledgeRow, query: str, budget: int, tool: str) -> tuple[str, list[PackedNode]]:
        """The notes that speak of the question, whole with all that is said around them within the budget."""
        return self._noted(self._answer(taken, query, budget), query, tool)

    def _answer(self, taken: KnowledgeRow, query: str, budget: int) -> ContextAnswer:
        return self.house.read_graph(
            taken,
            lambda graph_id: _fitted(budget, lambda room: self._context(graph_id, query, room)),
            lambda found: found.revision,
        )

    def _context(self, graph_id: str, query: str, room: int) -> ContextAnswer:
        return self.house.open_retrieval().context(ContextRequest(graphId=graph_id, query=query, tokenBudget=room))

    def _noted(self, answer: ContextAnswer, query: str, tool: str) -> tuple[str, list[PackedNode]]:
        nodes = _opened(answer)
        found = [
            {
                "id": node.id,
                "level": node.level,
                "tokens": node.tokens,
                "reason": node.reason,
                "sections": [part.anchor for part in node.sections or () if part.anchor and part.shown != "none"],
            }
            for node in nodes
        ]
        self._note(tool, query, {"nodes": found, "revision": answer.revision})
        return _shown(nodes), nodes

    # Memories

    def _recall(self, asked: str) -> str:
        return "\n\n".join(self._memories("recall", _asked(asked), RECALLED)) or NOTHING

    def _remembered(self, query: str) -> list[str]:
        found = self._memories("recall", query, REMEMBERED, REMEMBERED_CHARACTERS) if query else []
        return ["\n\n".join(found)] if found else []

    def _memories(self, tool: str, query: str, most: int, longest: int | None = None) -> list[str]:
        hits = self.house.open_memory().search(MemorySearchRequest(query=query, limit=most), ACTOR).results
        if longest is not None:  # nobody asked for it, so only what surely belongs to it
            hits = [hit for hit in hits if not hit.weak]
        if hits:
            self._note(tool, query, {"memories": [{"id": hit.node_id, "name": hit.name} for hit in hits]})
        return [f"{hit.name} (memory {hit.node_id})\n{hit.content[:longest]}" for hit in hits]

    # Skills

    def _entered(self, taken: KnowledgeRow, query: str) -> list[list[str]]:
        """The skill that the graph itself enters at these words, and those that may be opened from there."""
        context = RouteContext(user_message=query)
        try:
            entered = self._routed(
                taken,
                lambda graph_id: self.house.open_routes().next(RouteNextRequest(graphId=graph_id, context=context)),
            ).nextSkill
            told = [[f"skill {entered}", self._opened_skill(taken, entered, ())]] if entered else []
            # Notes that declare no routes are all open: a list of them would say less than a search.
            is_told = entered or len(self._reachable(taken, None)) <= OFFERED_SKILLS
            menu = self._menu(taken, entered) if is_told else ""
        except LoreError:  # notes that are no graph of skills, or skills that contradict one another
            return []
        return [*told, *([["skills that read_skill opens from here", menu]] if menu else [])]

    def _read_skill(self, taken: KnowledgeRow, skill_id: str) -> str:
        """Behind the gate that every agent has: only what can be reached from where the task is."""
        wanted, way = _asked(skill_id)[:LONGEST_ID], self._way()
        if way and way[-1] == wanted:  # once more, or again after a crash: it is there already
            way.pop()
        text = self._opened_skill(taken, wanted, way)
        menu = self._menu(taken, wanted)
        return f"{text}\n\nFrom here read_skill opens:\n{menu}" if menu else text

    def _way(self) -> list[str]:
        """The skills that the task opened, through crashes and attempts; where it is, last."""
        reads = self.house.reads(self.session_id, self.task_id)
        opened = {read.found["place"]: str(read.found["skill"]) for read in reads if read.tool == "read_skill"}
        return [opened[place] for place in sorted(opened)]  # whatever the clock said

    def _opened_skill(self, taken: KnowledgeRow, skill_id: str, way: Sequence[str]) -> str:
        current = way[-1] if way else None

        def read(graph_id: str) -> Any:
            request = RouteReadRequest(graphId=graph_id, id=skill_id, currentSkillId=current)
            return self.house.open_routes().read(request)

        skill = self._routed(taken, read)
        assert isinstance(skill, RouteSkillText)
        self._note("read_skill", f"{current or ''} > {skill_id}", {"skill": skill.id, "place": len(way)}, len(way))
        return f"{skill.id}: {skill.description}\n\n{skill.body.strip()}"[:SKILL_CHARACTERS]

    def _menu(self, taken: KnowledgeRow, current: str | None) -> str:
        reachable = self._reachable(taken, current)
        more = [f"… and {len(reachable) - OFFERED_SKILLS} more"] if len(reachable) > OFFERED_SKILLS else []
        return "\n".join([*reachable[:OFFERED_SKILLS], *more])

    def _reachable(self, taken: KnowledgeRow, current: str | None) -> Sequence[str]:
        def read(graph_id: str) -> Sequence[str]:
            request = RouteReachableRequest(graphId=graph_id, currentSkillId=current)
            return self.house.open_routes().reachable(request).reachable

        try:
            return self._routed(taken, read)
        except LoreError:  # as above: then there is nothing to open
            return ()

    def _routed(self, taken: KnowledgeRow, read: Any) -> Any:
        def read_now(graph_id: str) -> tuple[Any, int]:
            before = self.house.open_routes().revision(graph_id)
            answer = read(graph_id)
            return answer, before if self.house.open_routes().revision(graph_id) == before else -1

        return self.house.read_graph(taken, read_now, lambda found: found[1])[0]

    def _note(self, tool: str, asked: str, found: dict[str, Any], number: int = 0) -> None:
        self.house.note(self.session_id, self.task_id, self.attempt, tool, asked, found, number)


def boxed_brief(brief: dict[str, Any]) -> list[str]:
    """The texts of a brief as a prompt shows them: material, not orders."""
    return [boxed(kind, text) for kind, text in brief.get("texts", ())]


def _share(tokens_left: int) -> int:
    return min(PACK_TOKENS, tokens_left * PACK_SHARE // 100)


def _opened(answer: ContextAnswer) -> list[PackedNode]:
    return [node for node in answer.contextPack.nodes if isinstance(node, PackedNode)] if answer.matched else []


def _shown(nodes: Sequence[PackedNode]) -> str:
    return "\n\n".join(f"# {node.name} (`{node.id}`)\n{node.content}" for node in nodes)


def _fitted(budget: int, ask: Any) -> ContextAnswer:
    """The pack, asked for so much smaller that it fits with the names around its notes."""
    room = budget
    for _ in range(_FITS):
        answer: ContextAnswer = ask(room)
        over = count_tokens(_shown(_opened(answer))) - budget
        if over <= 0:
            return answer
        room = max(0, room - over - 8)
    found: ContextAnswer = ask(budget // 2)
    return found


def _asked(query: str) -> str:
    """What a model wrote, as a question that can be asked."""
    if not (words := _words(query)):
        raise InvalidInput("query must not be empty", field="query")
    return words


def _words(text: str) -> str:
    return " ".join(text.encode("utf-8", "replace").decode().replace("\0", " ").split())[:LONGEST_QUERY]
