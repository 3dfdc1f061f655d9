"""Search: finding nodes by all their fields, bodies too, and by meaning."""

from dataclasses import dataclass

import numpy

from loreweave.knowledge.graph.segment_reader import FIELDS
from loreweave.knowledge.packs.assemble import QUALIFYING_TEXT, Question
from loreweave.knowledge.packs.find_nodes import in_domain
from loreweave.knowledge.packs.rank_nodes import in_order
from loreweave.knowledge.packs.relevance import matches

MEANING = "meaning"
_TEN_THOUSAND = 10_000  # scores of a search have four decimal places


@dataclass(frozen=True, slots=True)
class NodeHit:
    node: int
    score: float
    matched: list[str]


def search_nodes(
    question: Question, domain: str | None, node_type: str | None, limit: int
) -> tuple[list[NodeHit], int]:
    """The best nodes by T; nearness in meaning alone must be enough to qualify for a pack."""
    facts, arrays, relevance = question.facts, question.arrays, question.relevance
    best_sections = question.found.best_of_nodes() if question.found else relevance
    nodes = numpy.flatnonzero((question.lexical > 0) | (relevance >= QUALIFYING_TEXT))
    if domain is not None:
        nodes = numpy.array(in_domain(facts, nodes.tolist(), domain), dtype=numpy.int64)
    wanted = (node_type or "").strip().casefold()
    if wanted:
        kept = [node for node in nodes.tolist() if facts.view.nodes[node].type.casefold() == wanted]
        nodes = numpy.array(kept, dtype=numpy.int64)
    # As the best section of each is found by whoever asks; the first has the share of the words that it holds.
    most = best_sections.max(initial=0.0) or 1.0
    worth = best_sections / most * min(1.0, float(relevance.max(initial=0.0)))
    scores = numpy.floor(_TEN_THOUSAND * worth + 0.5).astype(numpy.int64)
    best = in_order(arrays, nodes, scores)[:limit].tolist()
    return [NodeHit(node, int(scores[node]) / _TEN_THOUSAND, _matched(question, node)) for node in best], len(nodes)


def _matched(question: Question, node: int) -> list[str]:
    """Fields that hold a word of the query, in their usual order, and whether meaning speaks for it."""
    found = {name for match in matches(question.facts, question.query, node) for name in match.fields}
    fields = [name for name in FIELDS if name in found]
    if question.relevance[node] - question.lexical[node] >= QUALIFYING_TEXT or not fields:
        fields.append(MEANING)
    return fields
