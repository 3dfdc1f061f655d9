"""T, the lexical relevance of every node to a query, and which of its words a node holds where.

T is the sum of idf · f / (f + 1.2), divided by the sum of idf, over the known terms; f weighs the fields. The
index holds 2f, so the quotient here is 2f / (2f + 2.4). Sums run in the order of the terms, so that equal
questions have equal answers however notes are spread over segments.
"""

from dataclasses import dataclass
from math import log
from typing import TYPE_CHECKING

from loreweave.knowledge.graph.segment_reader import FIELDS, GraphSegment
from loreweave.knowledge.packs.query_terms import Query, QueryTerm
from loreweave.knowledge.packs.view_facts import ViewFacts

if TYPE_CHECKING:
    from collections.abc import Sequence

    from loreweave.knowledge.packs.array_facts import Array, ArrayFacts

DOUBLE_SATURATION = 2.4
MOST_NEAR_WORDS = 3


def rarity(count: int, holding: int) -> float:
    """The idf of a term that so many of the nodes hold."""
    return log(1 + (count - holding + 0.5) / (holding + 0.5))


def scan_relevance(facts: ViewFacts, query: Query) -> dict[int, float]:
    """T over name, aliases, tags and description, of the nodes that hold a term there. Without numpy."""
    count = len(facts.view.nodes)
    sums = [0.0] * count
    total = 0.0
    for term in query.terms:
        nodes, weights = _scan_postings(facts, term.numbers)
        if not nodes:
            continue  # known to the graph, but not in these fields
        idf = rarity(count, len(nodes))
        total += idf
        gains = {weight: idf * weight / (weight + DOUBLE_SATURATION) for weight in set(weights)}
        for node, weight in zip(nodes, weights, strict=True):
            sums[node] += gains[weight]
    return {node: found / total for node, found in enumerate(sums) if found}


def _scan_postings(facts: ViewFacts, numbers: tuple[tuple[int, ...], ...]) -> tuple[list[int], list[int]]:
    """Nodes holding a term in the scan fields, each once, and their 2f there."""
    nodes: list[int] = []
    weights: list[int] = []
    for segment, places, documents in zip(facts.view.segments, numbers, facts.view.documents, strict=True):
        for number in places:
            start, end = segment.scan_range(number)
            nodes += map(documents.__getitem__, segment.scan_documents[start:end].tolist())
            weights += segment.scan_weights[start:end].tolist()
    if -1 in nodes or any(len(places) > 1 for places in numbers):
        sums: dict[int, int] = {}
        for node, weight in zip(nodes, weights, strict=True):
            sums[node] = sums.get(node, 0) + weight
        sums.pop(-1, None)  # texts of other revisions
        nodes, weights = list(sums), list(sums.values())
    return nodes, weights


def text_relevance(facts: ViewFacts, arrays: "ArrayFacts", query: Query) -> "Array":
    """T of every node over all fields."""
    return summed_relevance(arrays.count, [arrays.postings.of_all_fields(facts.view, term) for term in query.terms])


def summed_relevance(count: int, postings: "Sequence[tuple[Array, Array]]") -> "Array":
    """T of every node; `postings`: for each term the nodes that hold it and their 2f."""
    import numpy

    sums = numpy.zeros(count)
    total = 0.0
    for nodes, weights in postings:
        if not len(nodes):
            continue
        idf = rarity(count, len(nodes))
        total += idf
        doubled = weights.astype(numpy.float64)
        sums[nodes] += idf * doubled / (doubled + DOUBLE_SATURATION)
    return sums / total if total else sums


@dataclass(frozen=True, slots=True)
class Match:
    """A word of the query that a node holds, and where."""

    word: str
    fields: tuple[str, ...]
    near: tuple[str, ...] = ()  # the words it holds instead, where no note holds the asked one


def matches(facts: ViewFacts, query: Query, node: int) -> list[Match]:
    """The asked words a node holds, in the order of their terms."""
    place = facts.places[node]
    if place is None:
        return []
    segment = facts.view.segments[place[0]]
    found = []
    for term in query.terms:
        fields = 0
        for number in term.numbers[place[0]]:
            fields |= segment.fields_of(number, place[1])
        if fields:
            names = tuple(name for bit, name in enumerate(FIELDS) if fields >> bit & 1)
            near = _held_words(segment, term, place) if term.near else ()
            found.append(Match(term.words[0], names, near))
    return found


def _held_words(segment: GraphSegment, term: QueryTerm, place: tuple[int, int]) -> tuple[str, ...]:
    """Words of a document that stand for an unknown one: near ones first, then others of the same stem."""
    held: set[str] = set()
    for number in term.numbers[place[0]]:
        if segment.fields_of(number, place[1]):
            beginning = segment.terms[number].decode()
            beginning = beginning[: max(1, len(beginning) - 2)]  # a stem may change the last letters: dying, die
            for word in segment.words_from_prefix(beginning):
                if segment.word_terms[word] == number and place[1] in segment.documents_of_word(word):
                    held.add(segment.words[word].decode())
    near = set(term.near)
    return tuple(sorted(held, key=lambda word: (word not in near, word))[:MOST_NEAR_WORDS])
