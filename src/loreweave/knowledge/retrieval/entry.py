"""Where a walk begins when nobody says where."""

import numpy

from loreweave.knowledge.retrieval.array_facts import Array, ArrayFacts
from loreweave.knowledge.retrieval.view_facts import ViewFacts


def choose_entry(facts: ViewFacts, arrays: ArrayFacts, relevance: Array) -> int:
    """The best moc, else the note named index, readme or home, else the best T, else the greatest degree."""
    if facts.mocs:
        mocs = numpy.array(facts.mocs, dtype=numpy.int64)
        return _best(arrays, mocs, _moc_worth(arrays, relevance, mocs))
    if facts.home is not None:
        return facts.home
    return _best(arrays, numpy.arange(arrays.count), relevance)


def _moc_worth(arrays: ArrayFacts, relevance: Array, mocs: Array) -> Array:
    """Its own T plus half the best T among the notes it links to."""
    sources, targets, _ = arrays.outgoing.of(mocs)
    best = numpy.zeros(arrays.count)
    numpy.maximum.at(best, sources, relevance[targets])
    return relevance[mocs] + best[mocs] / 2


def _best(arrays: ArrayFacts, nodes: Array, worth: Array) -> int:
    """The greatest worth; ties by degree, then id."""
    equal = nodes[worth == worth.max()]
    return int(equal[numpy.lexsort((arrays.rank[equal], -arrays.degrees[equal]))[0]])
