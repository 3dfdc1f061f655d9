"""What a view of a graph is made of: nodes and edges as values, edges also grouped by their ends."""

from array import array
from dataclasses import dataclass

from loreweave.contracts.skill_graph import EdgeType

EDGE_TYPES: tuple[EdgeType, ...] = ("REFERENCES", "CLUSTERS", "EXTENDS", "CONTRADICTS", "CROSS_DOMAIN")


@dataclass(frozen=True, slots=True)
class ViewNode:
    """What ranking and walking need of a node."""

    key: int  # the note's key in the store
    version: int  # revision at which this text of the note came in: with `key` it names a document of a segment
    id: str
    path: str
    name: str
    type: str
    domain: str  # as first written; "general" where the note has none
    updated: int | None  # day number of the note's own date
    tokens_sections: int
    tokens_full: int
    written_domain: str | None = None  # as this very note writes it


@dataclass(frozen=True, slots=True)
class Adjacency:
    """Edges grouped by node: edges of node n are at positions start[n]:start[n+1]."""

    start: array  # "q", N+1
    node: array  # "q", the node at the other end
    edge: array  # "q", the number of the edge in GraphView.edges


@dataclass(frozen=True, slots=True)
class Edges:
    """Every edge of the graph, ordered by (source, target, type)."""

    source: array  # "q", node numbers
    target: array  # "q"
    type: array  # "B", index into EDGE_TYPES
    count: array  # "q", how often the link is written
    sentence_start: array  # "q", E+1: the sentences of edge e are sentences[sentence_start[e]:sentence_start[e+1]]
    sentences: array  # "q", numbers of sentences local to the source note (ParsedNote.sentences)
