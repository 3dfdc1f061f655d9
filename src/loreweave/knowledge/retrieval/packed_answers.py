"""An assembly as the wire shows it: loaded nodes with their texts, the others by name."""

from typing import TypeVar

from loreweave.contracts.context_packs import NamedNode, PathNode, UnloadedNode
from loreweave.knowledge.graph.graph_library import PinnedGraph
from loreweave.knowledge.retrieval.assemble import Assembly
from loreweave.knowledge.retrieval.disclosure import contents
from loreweave.knowledge.retrieval.reasons import reason_for

MOST_UNLOADED = 50
NAMED_IN_A_PACK = 8

LoadedNode = TypeVar("LoadedNode", bound=PathNode)


def loaded_nodes(pinned: PinnedGraph, assembly: Assembly, shape: type[LoadedNode]) -> list[LoadedNode]:
    loaded = assembly.pack.loaded
    texts = contents(pinned, {node: found.level for node, found in loaded.items()})
    return [
        shape(
            id=pinned.view.nodes[node].id,
            name=pinned.view.nodes[node].name,
            level=found.level,
            content=texts[node],
            tokens=found.tokens,
            depth=int(assembly.depth[node]),
            score=int(assembly.scores[node]),
            reason=reason_for(assembly, node),
        )
        for node, found in loaded.items()
    ]


def unloaded_nodes(assembly: Assembly) -> list[UnloadedNode]:
    """The best of the rest of a walk."""
    nodes = assembly.question.facts.view.nodes
    return [
        UnloadedNode(
            id=nodes[node].id,
            name=nodes[node].name,
            score=int(assembly.scores[node]),
            reason=reason_for(assembly, node),
        )
        for node in assembly.others(MOST_UNLOADED)
    ]


def named_nodes(pinned: PinnedGraph, assembly: Assembly) -> list[NamedNode]:
    """The next best of a pack, at level 1."""
    others = assembly.others(NAMED_IN_A_PACK)
    notes = pinned.level_one(others)
    return [
        NamedNode(
            id=notes[node].id,
            name=notes[node].name,
            description=notes[node].description,
            score=int(assembly.scores[node]),
            reason=reason_for(assembly, node),
        )
        for node in others
    ]


def visited_nodes(assembly: Assembly) -> list[str]:
    """Everything that was looked at, loaded or not, best first."""
    nodes = assembly.question.facts.view.nodes
    return [nodes[node].id for node in assembly.order.tolist()]
