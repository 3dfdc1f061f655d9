"""Finding nodes: a scan by what heads them, a search by all their fields and by meaning."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy

from loreweave.knowledge.packs.graph_facts import GraphFacts
from loreweave.knowledge.packs.note_terms import FIELDS, QUALIFYING_TEXT, NoteTerms, score_nodes

if TYPE_CHECKING:  # a scan does not pay for what packs are made by
    from loreweave.knowledge.packs.assemble import Question

MEANING = "meaning"
_TEN_THOUSAND = 10_000  # scores of a search have four decimal places


def list_nodes(facts: GraphFacts, domain: str | None, limit: int) -> tuple[list[int], int]:
    """From the most linked to the least, and how many there are in all."""
    nodes = facts.in_domain(facts.in_order(numpy.arange(facts.count), facts.degrees), domain)
    return nodes[:limit].tolist(), len(nodes)


def scan_nodes(facts: GraphFacts, terms: NoteTerms, text: str, domain: str | None, limit: int) -> tuple[list[int], int]:
    """The best nodes with a hit in name, aliases, tags or description, and how many hits there are in all."""
    asked = terms.read(text)
    relevance = terms.relevance(asked, scan=True)
    hits = facts.in_domain(numpy.flatnonzero(relevance), domain)
    scores = score_nodes(facts, asked, relevance, numpy.zeros(facts.count))
    return facts.in_order(hits, scores)[:limit].tolist(), len(hits)


@dataclass(frozen=True, slots=True)
class NodeHit:
    node: int
    score: float
    matched: list[str]


def search_nodes(
    question: "Question", domain: str | None, node_type: str | None, limit: int
) -> tuple[list[NodeHit], int]:
    """The best nodes by T; nearness in meaning alone must be enough to qualify for a pack."""
    facts, relevance = question.facts, question.relevance
    best_sections = question.found.best_of_nodes() if question.found else relevance
    nodes = facts.in_domain(numpy.flatnonzero((question.lexical > 0) | (relevance >= QUALIFYING_TEXT)), domain)
    wanted = (node_type or "").strip().casefold()
    if wanted:
        kept = [node for node in nodes.tolist() if facts.view.nodes[node].type.casefold() == wanted]
        nodes = numpy.array(kept, dtype=numpy.int64)
    # As the best section of each is found by whoever asks; the first has the share of the words that it holds.
    most = best_sections.max(initial=0.0) or 1.0
    worth = best_sections / most * min(1.0, float(relevance.max(initial=0.0)))
    scores = numpy.floor(_TEN_THOUSAND * worth + 0.5).astype(numpy.int64)
    best = facts.in_order(nodes, scores)[:limit].tolist()
    return [NodeHit(node, int(scores[node]) / _TEN_THOUSAND, _matched(question, node)) for node in best], len(nodes)


def _matched(question: "Question", node: int) -> list[str]:
    """Fields that hold a word of the query, in their usual order, and whether meaning speaks for it."""
    found = {name for match in question.terms.matches(question.query, node) for name in match.fields}
    fields = [name for name in FIELDS if name in found]
    if question.relevance[node] - question.lexical[node] >= QUALIFYING_TEXT or not fields:
        fields.append(MEANING)
    return fields
