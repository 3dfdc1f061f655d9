"""The flat tables of a view as numpy arrays, for questions that look at many nodes and links at once.

Importing this module imports numpy: a scan never does.
"""

from dataclasses import dataclass
from typing import Literal

import numpy

from loreweave.knowledge.graph.view_values import EDGE_TYPES, Adjacency
from loreweave.knowledge.packs.term_postings import KeptPostings
from loreweave.knowledge.packs.view_facts import ViewFacts

Direction = Literal["out", "in", "both"]
Array = numpy.ndarray

_CROSS_DOMAIN = EDGE_TYPES.index("CROSS_DOMAIN")


@dataclass(frozen=True, slots=True)
class Side:
    """Links grouped by the node they are seen from: those of node n are at start[n]:start[n+1]."""

    start: Array
    node: Array
    edge: Array

    def of(self, nodes: Array) -> tuple[Array, Array, Array]:
        """Every link of these nodes: the node it is seen from, the node at the other end, the edge."""
        places = self._places(nodes)
        return numpy.repeat(nodes, self.start[nodes + 1] - self.start[nodes]), self.node[places], self.edge[places]

    def ends(self, nodes: Array) -> Array:
        """The nodes at the other ends of the links of these nodes."""
        return self.node[self._places(nodes)]

    def _places(self, nodes: Array) -> Array:
        first = self.start[nodes]
        lengths = self.start[nodes + 1] - first
        shift = numpy.repeat(first - numpy.concatenate(([0], numpy.cumsum(lengths)[:-1])), lengths)
        return numpy.arange(len(shift)) + shift


class ArrayFacts:
    """Made once a view."""

    def __init__(self, facts: ViewFacts) -> None:
        view = facts.view
        self.count = len(view.nodes)
        self.rank = numpy.array(facts.rank, dtype=numpy.int64)
        self.by_rank = numpy.array(facts.by_rank, dtype=numpy.int64)
        self.degrees = numpy.array(facts.degrees, dtype=numpy.int64)
        self.standing = numpy.array(facts.standing, dtype=numpy.int64)
        self.documents = [numpy.array(numbers, dtype=numpy.int64) for numbers in view.documents]
        self.outgoing, self.incoming = _side(view.outgoing), _side(view.incoming)
        crossing = numpy.array(view.edges.type, dtype=numpy.uint8) == _CROSS_DOMAIN
        self._crossing_out = _only(self.outgoing, crossing) if crossing.any() else None
        self._crossing_in = _only(self.incoming, crossing) if crossing.any() else None
        self._number_sentences(facts)
        self.postings = KeptPostings(self.documents, self.first_of_segment, self.count)

    def sides(self, direction: Direction) -> list[Side]:
        """The links that lead on in a direction. CROSS_DOMAIN edges lead both ways in every direction."""
        out = self.outgoing if direction != "in" else self._crossing_out
        back = self.incoming if direction != "out" else self._crossing_in
        return [side for side in (out, back) if side is not None]

    def _number_sentences(self, facts: ViewFacts) -> None:
        """Numbers the link sentences of all segments through, and finds those of each edge among them."""
        view = facts.view
        base = numpy.zeros(self.count, dtype=numpy.int64)  # number of the first sentence of each node
        self.first_of_segment = [0]
        for segment, nodes in zip(view.segments, self.documents, strict=True):
            first = numpy.array(segment.first_sentence, dtype=numpy.int64)[:-1] + self.first_of_segment[-1]
            live = nodes >= 0
            base[nodes[live]] = first[live]
            self.first_of_segment.append(self.first_of_segment[-1] + len(segment.sentence_documents))
        starts = numpy.array(view.edges.sentence_start, dtype=numpy.int64)
        self.sources = numpy.array(view.edges.source, dtype=numpy.int64)
        local = numpy.array(view.edges.sentences, dtype=numpy.int64)
        lengths = numpy.diff(starts)
        numbers = local + numpy.repeat(base[self.sources], lengths)
        # Nearly every edge has one sentence: that is at hand, and the few with several are looked at by themselves.
        # An edge without any has the number behind the last.
        self.first_sentences = numpy.full(len(lengths), self.first_of_segment[-1])
        self.first_sentences[lengths > 0] = numbers[starts[:-1][lengths > 0]]
        self.wordy = numpy.flatnonzero(lengths > 1)
        self.wordy_sentences = numbers[numpy.repeat(lengths > 1, lengths)]
        self.wordy_starts = numpy.cumsum(lengths[self.wordy]) - lengths[self.wordy]


def arrays_of(facts: ViewFacts) -> ArrayFacts:
    if facts.arrays is None:
        facts.arrays = ArrayFacts(facts)
    return facts.arrays


def _side(adjacency: Adjacency) -> Side:
    return Side(*(numpy.array(part, dtype=numpy.int64) for part in (adjacency.start, adjacency.node, adjacency.edge)))


def _only(side: Side, wanted: Array) -> Side:
    """The same side with the wanted edges alone."""
    kept = wanted[side.edge]
    start = numpy.concatenate(([0], numpy.cumsum(kept)))[side.start]
    return Side(start, side.node[kept], side.edge[kept])
