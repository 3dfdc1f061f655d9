"""Finding nodes by words: scan in what heads a note, search in all of it."""

from collections.abc import Iterable
from dataclasses import dataclass
from heapq import nsmallest

from loreweave.knowledge.graph.segment_reader import FIELDS
from loreweave.knowledge.retrieval.assemble import QUALIFYING_TEXT, Question
from loreweave.knowledge.retrieval.evidence import Evidence
from loreweave.knowledge.retrieval.query_terms import read_query
from loreweave.knowledge.retrieval.ranking import in_order, score_nodes
from loreweave.knowledge.retrieval.relevance import matches, text_relevance
from loreweave.knowledge.retrieval.view_facts import ViewFacts

DEGREE_BONUS = 0.1  # for ten links or more, once something matched
FULL_DEGREE = 10
_TEN_THOUSAND = 10_000  # scores of a search have four decimal places
MEANING = "meaning"


def scan_nodes(facts: ViewFacts, text: str, domain: str | None, limit: int) -> tuple[list[int], int]:
    """The best nodes with a hit in name, aliases, tags or description, and how many hits there are in all."""
    if not text.strip():
        nodes = _in_domain(facts, range(len(facts.view.nodes)), domain)
        degrees, rank = facts.degrees, facts.rank
        return nsmallest(limit, nodes, key=lambda node: (-degrees[node], rank[node])), len(nodes)
    query = read_query(facts, text)
    relevance = text_relevance(facts, query, scan_fields_only=True)
    hits = _in_domain(facts, [node for node, found in enumerate(relevance) if found], domain)
    scores = score_nodes(facts, query, hits, relevance, Evidence())
    return in_order(facts, scores)[:limit], len(hits)


@dataclass(frozen=True, slots=True)
class Hit:
    node: int
    score: float
    matched: list[str]


def search_nodes(
    question: Question, domain: str | None, node_type: str | None, limit: int
) -> tuple[list[Hit], int]:
    """The best nodes by T over all fields; nearness in meaning alone must be enough to qualify for a pack."""
    facts, relevance, lexical = question.facts, question.relevance, question.lexical
    nodes = [
        node for node, text in enumerate(relevance) if text and (lexical[node] or text >= QUALIFYING_TEXT)
    ]
    nodes = _in_domain(facts, nodes, domain)
    if node_type is not None:
        wanted = node_type.strip().casefold()
        nodes = [node for node in nodes if facts.view.nodes[node].type.casefold() == wanted]
    scores = {node: _search_score(relevance[node], facts.degrees[node]) for node in nodes}
    best = in_order(facts, scores)[:limit]
    return [Hit(node, scores[node] / _TEN_THOUSAND, _matched(question, node)) for node in best], len(nodes)


def _search_score(text: float, degree: int) -> int:
    bonus = DEGREE_BONUS * min(FULL_DEGREE, degree) / FULL_DEGREE
    return int(_TEN_THOUSAND * min(1.0, text + bonus) + 0.5)


def _matched(question: Question, node: int) -> list[str]:
    """Fields that hold a word of the query, in their usual order, and whether meaning speaks for it."""
    found = {name for match in matches(question.facts, question.query, node) for name in match.fields}
    fields = [name for name in FIELDS if name in found]
    if question.relevance[node] - question.lexical[node] >= QUALIFYING_TEXT or not fields:
        fields.append(MEANING)
    return fields


def _in_domain(facts: ViewFacts, nodes: Iterable[int], domain: str | None) -> list[int]:
    if domain is None or not domain.strip():
        return list(nodes)
    wanted = set(facts.domains.get(domain.strip().casefold(), ()))
    return [node for node in nodes if node in wanted]
