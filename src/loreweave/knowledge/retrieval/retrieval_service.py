"""The retrieval room's one door: scan, search, traverse, context and single nodes."""

from collections.abc import Callable
from typing import TYPE_CHECKING, TypeVar

from loreweave.contracts.disclosed_nodes import (
    ContextAnswer,
    ContextPack,
    EntryPoint,
    NamedNode,
    PackedNode,
    PathNode,
    ScanAnswer,
    SearchAnswer,
    SearchHit,
    TraverseAnswer,
    UnloadedNode,
)
from loreweave.contracts.skill_graph import (
    ContextRequest,
    NodeRequest,
    ScanRequest,
    SearchRequest,
    TraverseRequest,
)
from loreweave.errors import NotFound
from loreweave.knowledge.graph.graph_library import GraphLibrary, PinnedGraph
from loreweave.knowledge.retrieval.assemble import (
    Assembly,
    Question,
    assemble_context,
    assemble_walk,
    telemetry,
)
from loreweave.knowledge.retrieval.disclosure import AnyNodeAnswer, contents, disclose
from loreweave.knowledge.retrieval.entry import choose_entry
from loreweave.knowledge.retrieval.find_nodes import scan_nodes, search_nodes
from loreweave.knowledge.retrieval.query_terms import read_query
from loreweave.knowledge.retrieval.reasons import reason_for
from loreweave.knowledge.retrieval.relevance import text_relevance
from loreweave.knowledge.retrieval.semantic import raise_by_meaning
from loreweave.knowledge.retrieval.view_facts import facts_of

if TYPE_CHECKING:
    from loreweave.seams.embedding.embedder import Embedder

MOST_UNLOADED = 50
NAMED_IN_A_PACK = 8

LoadedNode = TypeVar("LoadedNode", bound=PathNode)


class RetrievalService:
    """Reads graphs. The embedder is opened by the first question that can use it, never by a scan."""

    def __init__(self, library: GraphLibrary, open_embedder: Callable[[], "Embedder | None"]) -> None:
        self._library = library
        self._open_embedder = open_embedder

    def scan(self, request: ScanRequest) -> ScanAnswer:
        """Names, aliases, tags and descriptions only; level 1."""
        with self._library.pin(request.graphId) as pinned:
            nodes, total = scan_nodes(facts_of(pinned.view), request.query, request.domain, request.limit)
            notes = pinned.level_one(nodes)
            return ScanAnswer(
                graphId=pinned.view.graph_id,
                revision=pinned.view.revision,
                results=[notes[node] for node in nodes],
                total=total,
            )

    def search(self, request: SearchRequest) -> SearchAnswer:
        """All fields, bodies too; level 1 with a score and the fields that matched."""
        embedder = self._embedder_for(request.query)
        with self._library.pin(request.graphId, _identity(embedder)) as pinned:
            question, is_hybrid = _ask(pinned, request.query, embedder)
            hits, total = search_nodes(question, request.domain, request.type, request.limit)
            notes = pinned.level_one([hit.node for hit in hits])
            return SearchAnswer(
                graphId=pinned.view.graph_id,
                revision=pinned.view.revision,
                results=[
                    SearchHit(**notes[hit.node].model_dump(), score=hit.score, matched=hit.matched)
                    for hit in hits
                ],
                total=total,
                method="hybrid" if is_hybrid else "lexical",
            )

    def traverse(self, request: TraverseRequest) -> TraverseAnswer:
        """A walk from a note along its links, the best of it loaded within the budget."""
        embedder = self._embedder_for(request.query)
        with self._library.pin(request.graphId, _identity(embedder)) as pinned:
            given = None if request.startNode is None else pinned.resolve(request.startNode)
            question, _ = _ask(pinned, request.query, embedder)
            start = _entry(question) if given is None else given
            assembly = assemble_walk(
                question, start, request.maxDepth, request.direction, request.maxNodes, request.tokenBudget
            )
            entry = pinned.level_one([start])[start]
            return TraverseAnswer(
                graphId=pinned.view.graph_id,
                revision=pinned.view.revision,
                entryPoint=EntryPoint(
                    id=entry.id, name=entry.name, type=entry.type, description=entry.description
                ),
                path=_loaded(pinned, assembly, PathNode),
                unloaded=_unloaded(assembly),
                telemetry=telemetry(assembly),
            )

    def context(self, request: ContextRequest) -> ContextAnswer:
        """The pack for a question: the best notes around the entry and by text, within the budget."""
        embedder = self._embedder_for(request.query)
        with self._library.pin(request.graphId, _identity(embedder)) as pinned:
            question, _ = _ask(pinned, request.query, embedder)
            entry = _entry(question)
            assembly = assemble_context(question, entry, request.maxNodes, request.tokenBudget)
            pack = ContextPack(
                entryPoint=pinned.view.nodes[entry].id,
                nodes=[*_loaded(pinned, assembly, PackedNode), *_named(pinned, assembly)],
                totalTokens=assembly.pack.tokens,
                tokenBudget=request.tokenBudget,
            )
            return ContextAnswer(
                graphId=pinned.view.graph_id,
                revision=pinned.view.revision,
                contextPack=pack,
                telemetry=telemetry(assembly),
            )

    def read_node(self, request: NodeRequest) -> AnyNodeAnswer:
        """One node at the level asked for."""
        with self._library.pin(request.graphId) as pinned:
            return disclose(pinned, pinned.resolve(request.id), request.level)

    def _embedder_for(self, query: str) -> "Embedder | None":
        return self._open_embedder() if query.strip() else None


def _identity(embedder: "Embedder | None") -> str | None:
    return None if embedder is None else embedder.identity


def _ask(pinned: PinnedGraph, text: str, embedder: "Embedder | None") -> tuple[Question, bool]:
    """The question, and whether meaning had a part in it."""
    facts = facts_of(pinned.view)
    query = read_query(facts, text)
    lexical = text_relevance(facts, query)
    raised = raise_by_meaning(facts, embedder, text, lexical)
    return Question(facts, query, lexical if raised is None else raised, lexical), raised is not None


def _entry(question: Question) -> int:
    view = question.facts.view
    if not view.nodes:
        raise NotFound(f"The graph {view.graph_id} has no notes.", graphId=view.graph_id)
    return choose_entry(question.facts, question.relevance)


def _loaded(pinned: PinnedGraph, assembly: Assembly, shape: type[LoadedNode]) -> list[LoadedNode]:
    loaded = assembly.pack.loaded
    texts = contents(pinned, {node: found.level for node, found in loaded.items()})
    return [
        shape(
            id=pinned.view.nodes[node].id,
            name=pinned.view.nodes[node].name,
            level=found.level,
            content=texts[node],
            tokens=found.tokens,
            depth=assembly.depths[node],
            score=assembly.scores[node],
            reason=reason_for(assembly, node),
        )
        for node, found in loaded.items()
    ]


def _unloaded(assembly: Assembly) -> list[UnloadedNode]:
    nodes = assembly.question.facts.view.nodes
    return [
        UnloadedNode(
            id=nodes[node].id,
            name=nodes[node].name,
            score=assembly.scores[node],
            reason=reason_for(assembly, node),
        )
        for node in assembly.others(MOST_UNLOADED)
    ]


def _named(pinned: PinnedGraph, assembly: Assembly) -> list[NamedNode]:
    others = assembly.others(NAMED_IN_A_PACK)
    notes = pinned.level_one(others)
    return [
        NamedNode(
            id=notes[node].id,
            name=notes[node].name,
            description=notes[node].description,
            score=assembly.scores[node],
            reason=reason_for(assembly, node),
        )
        for node in others
    ]
