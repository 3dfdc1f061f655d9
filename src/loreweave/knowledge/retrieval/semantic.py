"""Nearness in meaning: raises T by the best piece of each note, never lowers it."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from loreweave.errors import Unavailable
from loreweave.knowledge.retrieval.view_facts import ViewFacts

if TYPE_CHECKING:  # a command that ranks by words alone must not load numpy
    from loreweave.knowledge.retrieval.array_facts import Array
    from loreweave.seams.embedding.embedder import Embedder

MEANING_WEIGHT = 0.3  # of the lift; measured best on top of a lexical score
_COSINE_PLACES = 4  # kept of a cosine, so that the last bits of a matrix product decide nothing
_FLOAT_BYTES_KEPT = 192 * 1024 * 1024  # up to here pieces are kept as floats, which is quicker


@dataclass(frozen=True, slots=True)
class Pieces:
    """Every stored piece of a view's notes; the pieces of nodes[i] are rows[offsets[i]:offsets[i+1]]."""

    rows: Any  # pieces × dimensions, float32 or, where they are many, int8 as stored
    offsets: Any
    nodes: Any


def raise_by_meaning(facts: ViewFacts, embedder: "Embedder | None", text: str, relevance: "Array") -> "Array | None":
    """T raised towards 1 by how much nearer a note is than the graph's notes are on average; None where there is
    nothing to compare by meaning. Without the average every note of a graph on one subject would be near."""
    view = facts.view
    if embedder is None or not view.vectors or view.embedder != embedder.identity or not text.strip():
        return None
    import numpy

    from loreweave.seams.embedding.stored_vectors import best_cosines

    try:
        query = embedder.embed([text])[0]
        pieces = _pieces(facts, embedder.dimensions)
    except Unavailable:
        return None  # a remote embedder that is away costs the reordering, not the answer
    best = best_cosines(query, pieces.rows, pieces.offsets).astype(numpy.float64).round(_COSINE_PLACES)
    text_relevance = numpy.array(relevance, dtype=numpy.float64)
    cosines = numpy.zeros_like(text_relevance)
    cosines[pieces.nodes] = best.clip(0.0, 1.0)
    mean = cosines.mean()
    lift = (cosines - mean).clip(0.0) / max(1e-6, 1.0 - mean)
    return text_relevance + MEANING_WEIGHT * lift * (1.0 - text_relevance)


def _pieces(facts: ViewFacts, dimensions: int) -> Pieces:
    if facts.pieces is None:
        facts.pieces = _gather(facts, dimensions)
    return facts.pieces


def _gather(facts: ViewFacts, dimensions: int) -> Pieces:
    """Puts the rows of the revision's notes together, leaving out those of older texts."""
    import numpy

    from loreweave.seams.embedding.stored_vectors import as_rows

    view = facts.view
    number = {(node.key, node.version): place for place, node in enumerate(view.nodes)}
    parts, offsets, nodes = [], [0], []
    for block in view.vectors:
        rows = as_rows(block.vectors, dimensions)
        for place, document in enumerate(zip(block.keys, block.versions, strict=True)):
            if document in number:
                first, last = block.start[place], block.start[place + 1]
                parts.append(rows[first:last])
                offsets.append(offsets[-1] + last - first)
                nodes.append(number[document])
    rows = numpy.concatenate(parts) if parts else numpy.empty((0, dimensions), dtype=numpy.int8)
    if 4 * rows.size <= _FLOAT_BYTES_KEPT:
        rows = rows.astype(numpy.float32) / numpy.float32(127)
    return Pieces(rows, numpy.array(offsets, dtype=numpy.int64), numpy.array(nodes, dtype=numpy.int64))
