"""T, the lexical relevance of every node to a query, and which of its words a node holds where."""

from dataclasses import dataclass
from math import log

from loreweave.knowledge.graph.segment_reader import FIELDS
from loreweave.knowledge.retrieval.query_terms import Query, QueryTerm
from loreweave.knowledge.retrieval.view_facts import ViewFacts

SATURATION = 1.2


def text_relevance(facts: ViewFacts, query: Query, *, scan_fields_only: bool = False) -> list[float]:
    """T of each node, 0 to 1: the sum of idf · f / (f + 1.2), divided by the sum of idf over known terms."""
    count = len(facts.view.nodes)
    sums = [0.0] * count
    total = 0.0
    for term in query.terms:
        nodes, weights = _postings(facts, term, scan_fields_only)
        if not nodes:
            continue  # known, but not in these fields
        idf = log(1 + (count - len(nodes) + 0.5) / (len(nodes) + 0.5))
        total += idf
        gain = {weight: idf * weight / (weight + 2 * SATURATION) for weight in set(weights)}
        for node, weight in zip(nodes, weights, strict=True):
            sums[node] += gain[weight]
    if not total:
        return sums
    return [found / total if found else 0.0 for found in sums]


def _postings(facts: ViewFacts, term: QueryTerm, scan_fields_only: bool) -> tuple[list[int], list[int]]:
    """Nodes holding a term and their 2f; several terms that count as one are summed by node."""
    nodes: list[int] = []
    weights: list[int] = []
    view = facts.view
    for place, numbers in enumerate(term.numbers):
        segment = view.segments[place]
        for number in numbers:
            if scan_fields_only:
                start, end = segment.scan_range(number)
                documents, found = segment.scan_documents, segment.scan_weights
            else:
                start, end = segment.posting_range(number)
                documents, found = segment.posting_documents, segment.posting_weights
            nodes += map(view.documents[place].__getitem__, documents[start:end].tolist())
            weights += found[start:end].tolist()
    if -1 in nodes:
        weights = [weight for node, weight in zip(nodes, weights, strict=True) if node >= 0]
        nodes = [node for node in nodes if node >= 0]
    if any(len(numbers) > 1 for numbers in term.numbers):
        sums: dict[int, int] = {}
        for node, weight in zip(nodes, weights, strict=True):
            sums[node] = sums.get(node, 0) + weight
        nodes, weights = list(sums), list(sums.values())
    return nodes, weights


@dataclass(frozen=True, slots=True)
class Match:
    """A word of the query that a node holds, and where."""

    word: str
    fields: tuple[str, ...]


def matches(facts: ViewFacts, query: Query, node: int, mask: int = 0xFF) -> list[Match]:
    """The asked words a node holds in the fields of the mask, in the order of their terms."""
    place = facts.places[node]
    if place is None:
        return []
    segment = facts.view.segments[place[0]]
    found = []
    for term in query.terms:
        fields = 0
        for number in term.numbers[place[0]]:
            fields |= segment.fields_of(number, place[1])
        fields &= mask
        if fields:
            names = tuple(name for bit, name in enumerate(FIELDS) if fields >> bit & 1)
            found.append(Match(term.words[0], names))
    return found
