"""Order among many nodes: rounded score from high to low, then id."""

import numpy

from loreweave.knowledge.packs.array_facts import Array, ArrayFacts
from loreweave.knowledge.packs.query_terms import Query
from loreweave.knowledge.packs.relevance import summed_relevance
from loreweave.knowledge.packs.scoring import (
    DOMAIN_POINTS,
    LINK_POINTS,
    TEXT_POINTS,
    named_domain_nodes,
)
from loreweave.knowledge.packs.view_facts import MILLION, ViewFacts


def score_nodes(facts: ViewFacts, arrays: ArrayFacts, query: Query, relevance: Array, link: Array) -> Array:
    """The rounded score of every node of the view; the sums of `score_hits` and the links'."""
    points = arrays.standing + numpy.floor(TEXT_POINTS * MILLION * relevance + 0.5).astype(numpy.int64)
    points += numpy.floor(LINK_POINTS * MILLION * link + 0.5).astype(numpy.int64)
    points[list(named_domain_nodes(facts, query))] += DOMAIN_POINTS * MILLION
    return (2 * points + MILLION) // (2 * MILLION)


def in_order(arrays: ArrayFacts, nodes: Array, scores: Array) -> Array:
    """Nodes by their scores from high to low, then id; `scores` is of every node of the view."""
    return nodes[numpy.lexsort((arrays.rank[nodes], -scores[nodes]))]


def scan_many(
    facts: ViewFacts, arrays: ArrayFacts, query: Query, domain: str | None, limit: int
) -> tuple[list[int], int]:
    """The sums of `scan_nodes`, for large graphs that are asked again and again."""
    postings = [arrays.postings.of_scan_fields(facts.view, term) for term in query.terms]
    relevance = summed_relevance(arrays.count, postings)
    hits = numpy.flatnonzero(relevance)
    if domain is not None and domain.strip():
        hits = hits[numpy.isin(hits, facts.domains.get(domain.strip().casefold(), ()))]
    scores = score_nodes(facts, arrays, query, relevance, numpy.zeros(arrays.count))
    keys = arrays.rank[hits] - scores[hits] * arrays.count
    best = numpy.sort(keys)[:limit]
    return arrays.by_rank[best % arrays.count].tolist(), len(hits)
