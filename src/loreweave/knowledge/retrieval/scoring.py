"""The points of a node, in integers of one millionth so that halves round the same way everywhere."""

from loreweave.knowledge.retrieval.query_terms import Query
from loreweave.knowledge.retrieval.standing import MILLION
from loreweave.knowledge.retrieval.view_facts import ViewFacts
from loreweave.language.terms import stem, words

TEXT_POINTS = 55
LINK_POINTS = 20
DOMAIN_POINTS = 5  # where the query names the node's domain


def points(standing: int, text: float, link: float, names_domain: bool) -> int:
    """The rounded score of a node: what it has anyway, and what the query adds."""
    found = standing + int(TEXT_POINTS * MILLION * text + 0.5) + int(LINK_POINTS * MILLION * link + 0.5)
    if names_domain:
        found += DOMAIN_POINTS * MILLION
    return whole_points(found)


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
