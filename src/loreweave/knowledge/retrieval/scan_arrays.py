"""Scan of large graphs that are asked again and again: the sums of `find_nodes`, by numpy."""

import numpy

from loreweave.knowledge.retrieval.array_facts import ArrayFacts
from loreweave.knowledge.retrieval.query_terms import Query
from loreweave.knowledge.retrieval.ranking import score_nodes
from loreweave.knowledge.retrieval.relevance import summed_relevance
from loreweave.knowledge.retrieval.view_facts import ViewFacts


def scan_many(
    facts: ViewFacts, arrays: ArrayFacts, query: Query, domain: str | None, limit: int
) -> tuple[list[int], int]:
    """The best nodes with a hit in the scan's fields, and how many hits there are in all."""
    postings = [arrays.postings.of_scan_fields(facts.view, term) for term in query.terms]
    relevance = summed_relevance(arrays.count, postings)
    hits = numpy.flatnonzero(relevance)
    if domain is not None and domain.strip():
        hits = hits[numpy.isin(hits, facts.domains.get(domain.strip().casefold(), ()))]
    scores = score_nodes(facts, arrays, query, relevance, numpy.zeros(arrays.count))
    keys = arrays.rank[hits] - scores[hits] * arrays.count
    best = numpy.sort(keys)[:limit]
    return arrays.by_rank[best % arrays.count].tolist(), len(hits)
