"""From a question to a pack: who is visited, who qualifies, in which order, and what is loaded."""

from dataclasses import dataclass
from heapq import nlargest

from loreweave.contracts.disclosed_nodes import Telemetry
from loreweave.knowledge.graph.half_up import rounded
from loreweave.knowledge.retrieval.budget import Pack, fill_budget
from loreweave.knowledge.retrieval.evidence import (
    Evidence,
    TellingLinks,
    add_found_by_text,
    walked_evidence,
)
from loreweave.knowledge.retrieval.query_terms import Query
from loreweave.knowledge.retrieval.ranking import in_order, score_nodes
from loreweave.knowledge.retrieval.view_facts import ViewFacts
from loreweave.knowledge.retrieval.walk import Direction, walk

QUALIFYING_TEXT = 0.15
QUALIFYING_SHARE = 0.3
BEST_BY_TEXT = 200
CONTEXT_DEPTH = 2


@dataclass(frozen=True, slots=True)
class Question:
    """A query put to a view, with the relevance of every node to it."""

    facts: ViewFacts
    query: Query
    relevance: list[float]
    lexical: list[float]  # the same before any raising by meaning


@dataclass(frozen=True, slots=True)
class Assembly:
    """Everything an answer tells of: visited nodes in order, and what became of them."""

    question: Question
    entry: int
    depths: dict[int, int]  # of every visited node
    evidence: Evidence
    scores: dict[int, int]
    order: list[int]  # visited nodes by score, then id
    qualifying: set[int]
    pack: Pack
    budget: int

    @property
    def loaded(self) -> list[int]:
        return list(self.pack.loaded)

    def others(self, most: int) -> list[int]:
        """The best of the visited nodes that were not loaded."""
        found: list[int] = []
        for node in self.order:
            if len(found) == most:
                break
            if node not in self.pack.loaded:
                found.append(node)
        return found


def assemble_walk(
    question: Question, start: int, max_depth: int, direction: Direction, max_nodes: int, budget: int
) -> Assembly:
    reached = walk(question.facts, start, max_depth, direction, question.relevance)
    evidence = walked_evidence(question.facts, TellingLinks(question.facts, question.query), reached)
    return _assemble(question, start, reached.depths, evidence, max_nodes, budget)


def assemble_context(question: Question, entry: int, max_nodes: int, budget: int) -> Assembly:
    """Around the entry, two links either way, and the best by text wherever they are."""
    facts, relevance = question.facts, question.relevance
    reached = walk(facts, entry, CONTEXT_DEPTH, "both", relevance)
    telling = TellingLinks(facts, question.query)
    evidence = walked_evidence(facts, telling, reached)
    found = [node for node in _best_by_text(facts, relevance) if node not in reached.depths]
    # Found by text and not by walking, such a note is a beginning of its own: depth 0.
    depths = reached.depths | dict.fromkeys(found, 0)
    if found:
        add_found_by_text(facts, telling, evidence, found, depths, relevance)
    return _assemble(question, entry, depths, evidence, max_nodes, budget)


def _best_by_text(facts: ViewFacts, relevance: list[float]) -> list[int]:
    """The nodes of the greatest T above 0; ties at the end of the list by id."""
    best = nlargest(BEST_BY_TEXT, filter(None, relevance))
    if not best:
        return []
    least = best[-1]
    found = [node for node, text in enumerate(relevance) if text >= least]
    return sorted(found, key=lambda node: (-relevance[node], facts.rank[node]))[:BEST_BY_TEXT]


def _assemble(
    question: Question, entry: int, depths: dict[int, int], evidence: Evidence, max_nodes: int, budget: int
) -> Assembly:
    facts, relevance = question.facts, question.relevance
    scores = score_nodes(facts, question.query, depths, relevance, evidence)
    order = in_order(facts, scores)
    if question.query.blank:
        qualifying = set(depths)
    else:
        qualifying = {node for node in depths if relevance[node] >= QUALIFYING_TEXT}
        qualifying.update(node for node, (share, _) in evidence.shares.items() if share >= QUALIFYING_SHARE)
    if not qualifying:
        qualifying = {entry}
    pack = fill_budget(facts.view.nodes, [node for node in order if node in qualifying], max_nodes, budget)
    return Assembly(question, entry, depths, evidence, scores, order, qualifying, pack, budget)


def telemetry(assembly: Assembly) -> Telemetry:
    visited, loaded = len(assembly.depths), assembly.pack.loaded
    full = sum(1 for found in loaded.values() if found.level == 4)
    return Telemetry(
        nodesVisited=visited,
        nodesLoaded=len(loaded),
        nodesSkipped=visited - len(loaded),
        tokensUsed=assembly.pack.tokens,
        tokenBudget=assembly.budget,
        coveragePercent=rounded(100 * len(loaded), len(assembly.question.facts.view.nodes), 1),
        maxDepthReached=max(assembly.depths.values()),
        nodesAtLevel={"1": visited - len(loaded), "3": len(loaded) - full, "4": full},
    )
