"""The retrieval room's one door: scan, search, traverse, context and single nodes.

What only one kind of question needs is imported when it is first asked: a scan does not load the shapes of the other
answers.
"""

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from loreweave.contracts.skill_graph import (
    ContextRequest,
    DrawnContextRequest,
    DrawnTraverseRequest,
    NodeRequest,
    ScanAnswer,
    ScanRequest,
    SearchAnswer,
    SearchHit,
    SearchRequest,
    TraverseRequest,
)
from loreweave.errors import InvalidInput
from loreweave.knowledge.graph.graph_library import GraphLibrary, PinnedGraph

if TYPE_CHECKING:
    from loreweave.contracts.context_packs import ContextAnswer, NodeAnswer, TraverseAnswer
    from loreweave.knowledge.packs.index_library import IndexLibrary, PassageIndex


class RetrievalService:
    """Reads graphs. Their index is opened by the first question."""

    def __init__(self, library: GraphLibrary, open_indexes: "Callable[[], IndexLibrary]") -> None:
        self._library = library
        self._open_indexes = open_indexes

    def scan(self, request: ScanRequest) -> ScanAnswer:
        """Names, aliases, tags and descriptions only; level 1."""
        from loreweave.knowledge.packs.find_nodes import list_nodes, scan_nodes
        from loreweave.knowledge.packs.graph_facts import facts_of
        from loreweave.knowledge.packs.note_terms import terms_in

        with self._library.pin(request.graphId) as pinned:
            facts = facts_of(pinned.view)
            if request.query.strip():
                terms = terms_in(facts, self._index(pinned))
                nodes, total = scan_nodes(facts, terms, request.query, request.domain, request.limit)
            else:
                nodes, total = list_nodes(facts, request.domain, request.limit)
            notes = pinned.level_one(nodes)
            view, found = pinned.view, [notes[node] for node in nodes]
            return ScanAnswer(graphId=view.graph_id, revision=view.revision, results=found, total=total)

    def search(self, request: SearchRequest) -> SearchAnswer:
        """All fields, bodies too; level 1 with a score and the fields that matched."""
        from loreweave.knowledge.packs.find_nodes import ask, search_nodes

        with self._library.pin(request.graphId) as pinned:
            question = ask(pinned.view, request.query, self._index(pinned))
            hits, total = search_nodes(question, request.domain, request.type, request.limit)
            notes = pinned.level_one([hit.node for hit in hits])
            return SearchAnswer(
                graphId=pinned.view.graph_id,
                revision=pinned.view.revision,
                results=[SearchHit(**dict(notes[hit.node]), score=hit.score, matched=hit.matched) for hit in hits],
                total=total,
                method="hybrid" if question.is_hybrid else "lexical",
            )

    def traverse(self, request: TraverseRequest) -> "TraverseAnswer":
        """A walk from a note along its links, the best of it loaded within the budget."""
        from loreweave.contracts.context_packs import EntryPoint, PathNode, TraverseAnswer
        from loreweave.knowledge.packs.assemble import assemble_walk, telemetry
        from loreweave.knowledge.packs.find_nodes import ask, choose_entry
        from loreweave.knowledge.packs.note_pages import read_pages
        from loreweave.knowledge.packs.packed_answers import loaded_nodes, unloaded_nodes, visited_nodes

        with self._library.pin(request.graphId) as pinned:
            given = None if request.startNode is None else pinned.resolve(request.startNode)
            question = ask(pinned.view, request.query, self._index(pinned))
            start = choose_entry(question) if given is None else given
            asked = request.maxDepth, request.direction, request.maxNodes, request.tokenBudget
            assembly = assemble_walk(question, start, *asked, partial(read_pages, pinned))
            entry = pinned.level_one([start])[start]
            return TraverseAnswer(
                graphId=pinned.view.graph_id,
                revision=pinned.view.revision,
                entryPoint=EntryPoint(id=entry.id, name=entry.name, type=entry.type, description=entry.description),
                path=loaded_nodes(pinned, assembly, PathNode),
                unloaded=unloaded_nodes(assembly),
                telemetry=telemetry(assembly),
                matched=question.matched,
                visited=visited_nodes(assembly) if _is_drawn(request) else None,
            )

    def context(self, request: ContextRequest) -> "ContextAnswer":
        """The pack for a question: the best notes around the entry and by text, within the budget."""
        from loreweave.contracts.context_packs import ContextAnswer, ContextPack, PackedNode
        from loreweave.knowledge.packs.assemble import assemble_context, telemetry
        from loreweave.knowledge.packs.find_nodes import ask, choose_entry
        from loreweave.knowledge.packs.note_pages import read_pages
        from loreweave.knowledge.packs.packed_answers import loaded_nodes, named_nodes, visited_nodes

        with self._library.pin(request.graphId) as pinned:
            question = ask(pinned.view, request.query, self._index(pinned))
            entry = choose_entry(question)
            asked = request.maxNodes, request.tokenBudget
            assembly = assemble_context(question, entry, *asked, partial(read_pages, pinned))
            pack = ContextPack(
                entryPoint=pinned.view.nodes[entry].id,
                nodes=[*loaded_nodes(pinned, assembly, PackedNode), *named_nodes(pinned, assembly)],
                totalTokens=assembly.pack.tokens,
                tokenBudget=request.tokenBudget,
            )
            return ContextAnswer(
                graphId=pinned.view.graph_id,
                revision=pinned.view.revision,
                contextPack=pack,
                telemetry=telemetry(assembly),
                matched=question.matched,
                visited=visited_nodes(assembly) if _is_drawn(request) else None,
            )

    def read_node(self, request: NodeRequest) -> "NodeAnswer":
        """One node at the level asked for, one section of it, or what it says about a question."""
        from loreweave.knowledge.packs.disclosure import disclose, disclose_section

        asked = (request.query or "").strip()
        if asked and request.section is not None:
            raise InvalidInput("A section is read whole: leave out the section or the query.", field="query")
        with self._library.pin(request.graphId) as pinned:
            node = pinned.resolve(request.id)
            if asked:
                from loreweave.knowledge.packs.packed_answers import disclose_passages

                return disclose_passages(pinned, node, asked, self._index(pinned))
            if request.section is not None:
                return disclose_section(pinned, node, request.section)
            return disclose(pinned, node, request.level)

    def _index(self, pinned: PinnedGraph) -> "PassageIndex":
        return self._open_indexes().open(pinned.connection, pinned.row)


def _is_drawn(request: TraverseRequest | ContextRequest) -> bool:
    return isinstance(request, DrawnTraverseRequest | DrawnContextRequest) and request.visited
