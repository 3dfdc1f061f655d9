"""What the segments of a view hold of a term, gathered once and kept for the words asked lately.

Importing this module imports numpy.
"""

import threading
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass

import numpy

from loreweave.knowledge.graph.graph_view import GraphView
from loreweave.knowledge.graph.segment_reader import IndexSegment
from loreweave.knowledge.retrieval.query_terms import QueryTerm

Array = numpy.ndarray

KEPT_BYTES = 48 * 1024 * 1024  # of postings, for each view


@dataclass(frozen=True, slots=True)
class TermPostings:
    """Nodes holding a term, each once, with their 2f; and the link sentences holding it, numbered through the view."""

    nodes: Array
    weights: Array
    scan_nodes: Array  # in the fields a scan looks at
    scan_weights: Array
    sentences: Array

    @property
    def size(self) -> int:
        parts = (self.nodes, self.weights, self.scan_nodes, self.scan_weights, self.sentences)
        return sum(part.nbytes for part in parts)


class KeptPostings:
    """Those of one view; the ones not asked for longest go first."""

    def __init__(self, documents: list[Array], first_sentences: list[int], count: int) -> None:
        self._documents = documents
        self._first_sentences = first_sentences
        self._count = count
        self._kept: OrderedDict[tuple, TermPostings] = OrderedDict()
        self._size = 0
        self._changing = threading.Lock()

    def of(self, view: GraphView, term: QueryTerm) -> TermPostings:
        key = (term.term, term.near)
        with self._changing:
            found = self._kept.get(key)
            if found:
                self._kept.move_to_end(key)
                return found
        found = self._gathered(view, term.numbers)
        with self._changing:
            if key not in self._kept:
                self._kept[key] = found
                self._size += found.size
            while self._size > KEPT_BYTES and len(self._kept) > 1:
                self._size -= self._kept.popitem(last=False)[1].size
        return found

    def _gathered(self, view: GraphView, numbers: tuple[tuple[int, ...], ...]) -> TermPostings:
        several = any(len(places) > 1 for places in numbers)
        nodes, weights = self._summed(view, numbers, several, _all_fields)
        scan_nodes, scan_weights = self._summed(view, numbers, several, _scan_fields)
        return TermPostings(nodes, weights, scan_nodes, scan_weights, self._sentences(view, numbers, several))

    def _summed(
        self,
        view: GraphView,
        numbers: tuple[tuple[int, ...], ...],
        several: bool,
        cut: Callable[[IndexSegment, int], tuple[memoryview, memoryview]],
    ) -> tuple[Array, Array]:
        """Terms that count as one are added up."""
        node_parts, weight_parts = [numpy.empty(0, numpy.int64)], [numpy.empty(0, numpy.int64)]
        for segment, places, documents in zip(view.segments, numbers, self._documents, strict=True):
            for number in places:
                holding, doubled = cut(segment, number)
                node_parts.append(documents[numpy.asarray(holding)])
                weight_parts.append(numpy.asarray(doubled))
        nodes: Array = numpy.concatenate(node_parts)
        weights: Array = numpy.concatenate(weight_parts)
        live = nodes >= 0
        if not live.all():
            nodes, weights = nodes[live], weights[live]
        if several:
            sums = numpy.bincount(nodes, weights=weights, minlength=self._count)
            nodes = numpy.flatnonzero(sums)
            weights = sums[nodes]
        return nodes.astype(numpy.int32), weights.astype(numpy.int32)

    def _sentences(self, view: GraphView, numbers: tuple[tuple[int, ...], ...], several: bool) -> Array:
        parts = [numpy.empty(0, numpy.int64)]
        for segment, places, first in zip(view.segments, numbers, self._first_sentences[:-1], strict=True):
            for number in places:
                start, end = segment.sentence_range(number)
                if start < end:
                    parts.append(numpy.asarray(segment.sentences[start:end]) + numpy.int64(first))
        found = numpy.concatenate(parts)
        if several:  # near words that count as one term count once a sentence
            found = numpy.unique(found)
        return found.astype(numpy.int32) if self._first_sentences[-1] < 2**31 else found


def _all_fields(segment: IndexSegment, number: int) -> tuple[memoryview, memoryview]:
    start, end = segment.posting_range(number)
    return segment.posting_documents[start:end], segment.posting_weights[start:end]


def _scan_fields(segment: IndexSegment, number: int) -> tuple[memoryview, memoryview]:
    start, end = segment.scan_range(number)
    return segment.scan_documents[start:end], segment.scan_weights[start:end]
