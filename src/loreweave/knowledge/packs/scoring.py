"""The points of a node, in integers of one millionth so that halves round the same way everywhere."""

from loreweave.knowledge.packs.query_terms import Query
from loreweave.knowledge.packs.view_facts import MILLION, ViewFacts
from loreweave.language.terms import stem, words

TEXT_POINTS = 55
LINK_POINTS = 20
DOMAIN_POINTS = 5  # where the query names the node's domain


def score_hits(facts: ViewFacts, query: Query, relevance: dict[int, float]) -> dict[int, int]:
    """The rounded score of nodes found by their text alone: what each has anyway and what the query adds."""
    standing, named = facts.standing, named_domain_nodes(facts, query)
    text_unit, domain = TEXT_POINTS * MILLION, DOMAIN_POINTS * MILLION
    return {
        node: whole_points(standing[node] + int(text_unit * text + 0.5) + (domain if node in named else 0))
        for node, text in relevance.items()
    }


def whole_points(millionths: int) -> int:
    """Half-up to whole points."""
    return (2 * millionths + MILLION) // (2 * MILLION)


def named_domain_nodes(facts: ViewFacts, query: Query) -> frozenset[int]:
    """Nodes whose domain's every word is asked for."""
    found: list[int] = []
    for domain, nodes in facts.domains.items():
        named = {stem(word) for word in words(domain)}
        if named and named <= query.all_terms:
            found += nodes
    return frozenset(found)
