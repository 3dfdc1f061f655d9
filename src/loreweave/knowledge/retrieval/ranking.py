"""Order among nodes: rounded score from high to low, then id."""

from collections.abc import Iterable

from loreweave.knowledge.retrieval.evidence import Evidence
from loreweave.knowledge.retrieval.query_terms import Query
from loreweave.knowledge.retrieval.scoring import (
    DOMAIN_POINTS,
    LINK_POINTS,
    MILLION,
    TEXT_POINTS,
    whole_points,
)
from loreweave.knowledge.retrieval.view_facts import ViewFacts
from loreweave.language.terms import stem, words

_TEXT, _LINK = TEXT_POINTS * MILLION, LINK_POINTS * MILLION
_MOST = 1 << 20  # above every score
_RANK_BITS = 40
_RANK_MASK = (1 << _RANK_BITS) - 1


def score_nodes(
    facts: ViewFacts, query: Query, nodes: Iterable[int], relevance: list[float], evidence: Evidence
) -> dict[int, int]:
    """The rounded score of each node."""
    standing, shares, parents = facts.standing, evidence.shares, evidence.parents
    named = nodes_of_named_domains(facts, query)
    scores: dict[int, int] = {}
    for node in nodes:
        points = standing[node]
        text = relevance[node]
        if text:
            points += int(_TEXT * text + 0.5)
        parent = parents.get(node)
        link = relevance[parent] / 2 if parent is not None else 0.0
        if node in shares and shares[node][0] > link:
            link = shares[node][0]
        if link:
            points += int(_LINK * link + 0.5)
        if node in named:
            points += DOMAIN_POINTS * MILLION
        scores[node] = whole_points(points)
    return scores


def in_order(facts: ViewFacts, scores: dict[int, int]) -> list[int]:
    """Nodes by score from high to low, then id; one integer a node makes sorting quick."""
    rank, by_rank = facts.rank, facts.by_rank
    keys = [(_MOST - score) << _RANK_BITS | rank[node] for node, score in scores.items()]
    keys.sort()
    return [by_rank[key & _RANK_MASK] for key in keys]


def nodes_of_named_domains(facts: ViewFacts, query: Query) -> frozenset[int]:
    """Nodes whose domain's every word is asked for."""
    found: list[int] = []
    for domain, nodes in facts.domains.items():
        named = {stem(word) for word in words(domain)}
        if named and named <= query.all_terms:
            found += nodes
    return frozenset(found)
