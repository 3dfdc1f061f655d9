"""Scan: finding nodes by what heads them.

Without numpy, for a command that runs once must start quickly; a large view that is asked again is worth its arrays.
"""

from collections.abc import Iterable
from heapq import nsmallest

from loreweave.knowledge.graph.graph_view import MANY_NODES
from loreweave.knowledge.packs.query_terms import read_query
from loreweave.knowledge.packs.relevance import scan_relevance
from loreweave.knowledge.packs.scoring import score_hits
from loreweave.knowledge.packs.view_facts import ViewFacts


def scan_nodes(facts: ViewFacts, text: str, domain: str | None, limit: int) -> tuple[list[int], int]:
    """The best nodes with a hit in name, aliases, tags or description, and how many hits there are in all."""
    if not text.strip():
        nodes = in_domain(facts, facts.by_degree, domain)
        return nodes[:limit], len(nodes)
    query = read_query(facts, text)
    facts.scans += 1
    if facts.scans > 1 and len(facts.view.nodes) >= MANY_NODES:
        from loreweave.knowledge.packs.array_facts import arrays_of
        from loreweave.knowledge.packs.rank_nodes import scan_many

        return scan_many(facts, arrays_of(facts), query, domain, limit)
    relevance = scan_relevance(facts, query)
    if domain is not None:
        relevance = {node: relevance[node] for node in in_domain(facts, relevance, domain)}
    rank, by_rank = facts.rank, facts.by_rank
    count = len(rank)
    # One integer a hit, so that sorting compares nothing else: the score from high to low, then the id.
    keys = [rank[node] - score * count for node, score in score_hits(facts, query, relevance).items()]
    return [by_rank[key % count] for key in nsmallest(limit, keys)], len(keys)


def in_domain(facts: ViewFacts, nodes: Iterable[int], domain: str | None) -> list[int]:
    """Those of the nodes that belong to a domain, letter case ignored."""
    if domain is None or not domain.strip():
        return list(nodes)
    wanted = set(facts.domains.get(domain.strip().casefold(), ()))
    return [node for node in nodes if node in wanted]
