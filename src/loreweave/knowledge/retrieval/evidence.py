"""What links say for the notes they lead to: the query in their sentences, the notes they come from."""

from array import array
from collections.abc import Collection, Container, Iterable, Iterator
from dataclasses import dataclass, field

from loreweave.knowledge.graph.segment_reader import IndexSegment
from loreweave.knowledge.retrieval.query_terms import Query
from loreweave.knowledge.retrieval.view_facts import ViewFacts
from loreweave.knowledge.retrieval.walk import Links, Walk


@dataclass(frozen=True, slots=True)
class Evidence:
    """For each node the best share of the query in a sentence that links it, and the notes it hangs on."""

    shares: dict[int, tuple[float, int]] = field(default_factory=dict)  # share, the note at the other end
    parents: dict[int, int] = field(default_factory=dict)  # the most relevant note it hangs on

    def share(self, node: int) -> float:
        found = self.shares.get(node)
        return found[0] if found else 0.0

    def offer(self, node: int, share: float, other: int, rank: list[int]) -> None:
        """Keeps the greater share; of equal ones the note first by id."""
        known = self.shares.get(node)
        if known is None or share > known[0] or (share == known[0] and rank[other] < rank[known[1]]):
            self.shares[node] = (share, other)


class TellingLinks:
    """The links whose sentence holds a known term of the query."""

    def __init__(self, facts: ViewFacts, query: Query) -> None:
        self._facts = facts
        self._known = len(query.terms)
        self._segments = [
            _count_terms(segment, query, place) for place, segment in enumerate(facts.view.segments)
        ]

    def of(self, sources: Container[int]) -> Iterator[tuple[int, int, float]]:
        """Telling links of these sources: source, target, share of the known terms in the best sentence."""
        view = self._facts.view
        starts, sentences, outgoing = view.edges.sentence_start, view.edges.sentences, view.outgoing
        for place, (counts, telling) in enumerate(self._segments):
            numbers, first_sentence = view.documents[place], view.segments[place].first_sentence
            for document in telling:
                source = numbers[document]
                if source < 0 or source not in sources:
                    continue
                base = first_sentence[document]
                for edge in range(outgoing.start[source], outgoing.start[source + 1]):
                    best = 0
                    for number in sentences[starts[edge] : starts[edge + 1]]:
                        count = counts[base + number]
                        if count > best:
                            best = count
                    if best:
                        yield source, outgoing.node[edge], best / self._known


def walked_evidence(facts: ViewFacts, telling: TellingLinks, walk: Walk) -> Evidence:
    """Every link that was walked from a note to one a step deeper speaks for the deeper one."""
    evidence = Evidence(parents=walk.parents)
    depths, rank = walk.depths, facts.rank
    out, back = walk.direction != "in", walk.direction != "out"
    for source, target, share in telling.of(depths):
        if target in depths:
            step = depths[target] - depths[source]
            if step == 1 and out:
                evidence.offer(target, share, source, rank)
            elif step == -1 and back:
                evidence.offer(source, share, target, rank)
    return evidence


def add_found_by_text(
    facts: ViewFacts,
    telling: TellingLinks,
    evidence: Evidence,
    found: Collection[int],
    visited: Container[int],
    relevance: list[float],
) -> None:
    """For notes found by their text and off the walk, every link between them and a visited note speaks."""
    rank = facts.rank
    links = Links(facts, "both")
    sources = set(found)
    for node in found:
        ends = [end for end in links.ends(node) if end in visited and end != node]
        if ends:
            evidence.parents[node] = min(ends, key=lambda end: (-relevance[end], rank[end]))
            sources.update(ends)
    found = set(found)
    for source, target, share in telling.of(sources):
        if target in found:
            evidence.offer(target, share, source, rank)
        if source in found and target in visited:
            evidence.offer(source, share, target, rank)


def _count_terms(segment: IndexSegment, query: Query, place: int) -> tuple[array, set[int]]:
    """How many terms of the query each link sentence holds, and the documents with such a sentence."""
    counts = array("H", bytes(2 * len(segment.sentence_documents)))
    documents: set[int] = set()
    for term in query.terms:
        ranges = [segment.sentence_range(number) for number in term.numbers[place]]
        if len(ranges) == 1:
            found: Iterable[int] = segment.sentences[ranges[0][0] : ranges[0][1]].tolist()
        else:
            found = {number for start, end in ranges for number in segment.sentences[start:end]}
        for number in found:
            counts[number] += 1
        documents.update(map(segment.sentence_documents.__getitem__, found))
    return counts, documents
