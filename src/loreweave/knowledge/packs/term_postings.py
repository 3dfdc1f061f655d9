"""What the segments of a view hold of a term, gathered once and kept for the words asked lately.

Importing this module imports numpy.
"""

import threading
from collections import OrderedDict
from collections.abc import Callable

import numpy

from loreweave.knowledge.graph.graph_view import GraphView
from loreweave.knowledge.graph.segment_reader import GraphSegment
from loreweave.knowledge.packs.query_terms import QueryTerm

Array = numpy.ndarray

KEPT_BYTES = 48 * 1024 * 1024  # of postings, for each view


class KeptPostings:
    """Those of one view; the ones not asked for longest go first."""

    def __init__(self, documents: list[Array], first_sentences: list[int], count: int) -> None:
        self._documents = documents
        self._first_sentences = first_sentences
        self._count = count
        self._kept: OrderedDict[tuple, tuple[Array, ...]] = OrderedDict()
        self._size = 0
        self._changing = threading.Lock()

    def of_all_fields(self, view: GraphView, term: QueryTerm) -> tuple[Array, Array]:
        """The nodes that hold a term, each once, and their 2f."""
        nodes, weights = self._of("all", term, lambda: self._summed(view, term, _all_fields))
        return nodes, weights

    def of_scan_fields(self, view: GraphView, term: QueryTerm) -> tuple[Array, Array]:
        """The same of the fields that a scan looks at."""
        nodes, weights = self._of("scan", term, lambda: self._summed(view, term, _scan_fields))
        return nodes, weights

    def sentences(self, view: GraphView, term: QueryTerm) -> Array:
        """The link sentences that hold a term, each once, numbered through the view."""
        return self._of("sentences", term, lambda: (self._sentences(view, term),))[0]

    def _of(self, part: str, term: QueryTerm, gather: Callable[[], tuple[Array, ...]]) -> tuple[Array, ...]:
        key = (part, term.term, term.near)
        with self._changing:
            if key in self._kept:
                self._kept.move_to_end(key)
                return self._kept[key]
        found = gather()
        with self._changing:
            if key not in self._kept:
                self._kept[key] = found
                self._size += _size(found)
            while self._size > KEPT_BYTES and len(self._kept) > 1:
                self._size -= _size(self._kept.popitem(last=False)[1])
        return found

    def _summed(
        self, view: GraphView, term: QueryTerm, cut: Callable[[GraphSegment, int], tuple[memoryview, memoryview]]
    ) -> tuple[Array, Array]:
        """Terms that count as one are added up."""
        node_parts, weight_parts = [numpy.empty(0, numpy.int64)], [numpy.empty(0, numpy.int64)]
        for segment, places, documents in zip(view.segments, term.numbers, self._documents, strict=True):
            for number in places:
                holding, doubled = cut(segment, number)
                node_parts.append(documents[numpy.asarray(holding)])
                weight_parts.append(numpy.asarray(doubled))
        nodes: Array = numpy.concatenate(node_parts)
        weights: Array = numpy.concatenate(weight_parts)
        live = nodes >= 0
        if not live.all():
            nodes, weights = nodes[live], weights[live]
        if _counts_several(term):
            sums = numpy.bincount(nodes, weights=weights, minlength=self._count)
            nodes = numpy.flatnonzero(sums)
            weights = sums[nodes]
        return nodes.astype(numpy.int32), weights.astype(numpy.int32)

    def _sentences(self, view: GraphView, term: QueryTerm) -> Array:
        parts = [numpy.empty(0, numpy.int64)]
        for segment, places, first in zip(view.segments, term.numbers, self._first_sentences[:-1], strict=True):
            for number in places:
                start, end = segment.sentence_range(number)
                if start < end:
                    parts.append(numpy.asarray(segment.sentences[start:end]) + numpy.int64(first))
        found = numpy.concatenate(parts)
        if _counts_several(term):  # near words that count as one term count once a sentence
            found = numpy.unique(found)
        return found.astype(numpy.int32) if self._first_sentences[-1] < 2**31 else found


def _counts_several(term: QueryTerm) -> bool:
    return any(len(places) > 1 for places in term.numbers)


def _size(parts: tuple[Array, ...]) -> int:
    return sum(part.nbytes for part in parts)


def _all_fields(segment: GraphSegment, number: int) -> tuple[memoryview, memoryview]:
    start, end = segment.posting_range(number)
    return segment.posting_documents[start:end], segment.posting_weights[start:end]


def _scan_fields(segment: GraphSegment, number: int) -> tuple[memoryview, memoryview]:
    start, end = segment.scan_range(number)
    return segment.scan_documents[start:end], segment.scan_weights[start:end]
