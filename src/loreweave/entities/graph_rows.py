"""Rows of the graph shelf that readers meet; those of single notes, which only writers do, are in note_rows."""

from dataclasses import dataclass

from loreweave.contracts.skill_graph import EdgeType, GraphKind

# Rows of edges name their types by positions here.
EDGE_TYPES: tuple[EdgeType, ...] = ("REFERENCES", "CLUSTERS", "EXTENDS", "CONTRADICTS", "CROSS_DOMAIN")
PREFIX = "skill:"  # of every node id
CLEAN, WRITING, SWEEPING = 0, 1, 2  # what an ingest that was killed left behind


@dataclass(frozen=True, slots=True)
class GraphRow:
    """A graph and the revision its readers see; revision 0 is none."""

    key: int
    graph_id: str
    kind: GraphKind
    revision: int
    highest_revision: int
    next_note_key: int
    unfinished: int
    ingested_at: str | None
    node_count: int
    edge_count: int
    score: int
    content_hash: str
    counted: str  # what stats say, as JSON
    pages: str = "{}"  # how its pages are addressed, as JSON
    report: str = ""  # what was found out at ingest; large, and read for those alone who say so
