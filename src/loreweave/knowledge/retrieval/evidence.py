"""What links say for the notes they lead to: the query in their sentences, the notes they come from."""

from dataclasses import dataclass

import numpy

from loreweave.knowledge.retrieval.array_facts import Array, ArrayFacts
from loreweave.knowledge.retrieval.query_terms import Query
from loreweave.knowledge.retrieval.view_facts import ViewFacts
from loreweave.knowledge.retrieval.walk import Steps


@dataclass(frozen=True, slots=True)
class Evidence:
    """For every node of the view what its links say, 0 and -1 where they say nothing."""

    told: Array  # how many known terms of the query the best sentence that links it holds
    told_by: Array  # the note at the other end of that link
    parent: Array  # the most relevant note it hangs on
    known: int  # terms of the query

    @property
    def share(self) -> Array:
        return self.told / max(1, self.known)

    def link(self, relevance: Array) -> Array:
        """The greater of the share of the query in the sentence and half the T of the parent."""
        from_parent = numpy.where(self.parent >= 0, relevance[self.parent] / 2, 0.0)
        return numpy.maximum(self.share, from_parent)


def gather_evidence(facts: ViewFacts, arrays: ArrayFacts, query: Query, steps: Steps, relevance: Array) -> Evidence:
    """The best of each node's steps; of equal ones the note first by id."""
    count = arrays.count
    parents = numpy.unique(steps.parent)
    order = parents[numpy.lexsort((arrays.rank[parents], -relevance[parents]))]  # the best parent first
    place = numpy.empty(count, dtype=numpy.int64)
    place[order] = numpy.arange(len(order))
    best = numpy.full(count, len(order), dtype=numpy.int64)
    numpy.minimum.at(best, steps.child, place[steps.parent])
    parent = numpy.concatenate((order, [-1]))[best]

    steps, terms = _telling(facts, arrays, query, steps)
    value = terms * count + (count - 1 - arrays.rank[steps.parent])
    most = numpy.full(count, -1, dtype=numpy.int64)
    numpy.maximum.at(most, steps.child, value)
    told_by = numpy.where(most >= 0, arrays.by_rank[count - 1 - most % count], -1)
    return Evidence(numpy.where(most >= 0, most // count, 0), told_by, parent, len(query.terms))


def _telling(facts: ViewFacts, arrays: ArrayFacts, query: Query, steps: Steps) -> tuple[Steps, Array]:
    """The steps whose sentence holds a term of the query, and how many terms their best sentence holds."""
    if not query.terms:
        return steps.where(numpy.zeros(len(steps.edge), dtype=bool)), numpy.empty(0, dtype=numpy.int64)
    # Counted for every edge of the view, for a walk may take an edge both ways.
    counts = _count_terms(facts, arrays, query)
    told = counts[arrays.first_sentences]
    if len(arrays.wordy):
        told[arrays.wordy] = numpy.maximum.reduceat(counts[arrays.wordy_sentences], arrays.wordy_starts)
    terms = told[steps.edge]
    telling = numpy.flatnonzero(terms)
    return steps.where(telling), terms[telling].astype(numpy.int64)


def _count_terms(facts: ViewFacts, arrays: ArrayFacts, query: Query) -> Array:
    """For each link sentence of the view, how many terms of the query it holds; 0 for the one behind the last."""
    counts = numpy.zeros(arrays.first_of_segment[-1] + 1, dtype=numpy.int32)
    for term in query.terms:
        counts[arrays.postings.sentences(facts.view, term)] += 1
    return counts
