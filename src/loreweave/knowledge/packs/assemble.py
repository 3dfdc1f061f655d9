"""From a question to a pack: who is visited, who qualifies, in which order, and what is loaded."""

from dataclasses import dataclass, replace

import numpy

from loreweave.contracts.context_packs import Telemetry
from loreweave.knowledge.graph.graph_view import Array, rounded
from loreweave.knowledge.packs.find_nodes import Question
from loreweave.knowledge.packs.graph_facts import Direction, GraphFacts, score_nodes
from loreweave.knowledge.packs.note_terms import QUALIFYING_TEXT, AskedTerms, NoteTerms
from loreweave.knowledge.packs.pack_passages import Pack, ReadPages, fill_budget, pack_passages


@dataclass(frozen=True, slots=True)
class Steps:
    """Links from a note to one it speaks for."""

    parent: Array
    child: Array
    edge: Array

    def where(self, kept: Array) -> "Steps":
        return Steps(self.parent[kept], self.child[kept], self.edge[kept])


def walk(facts: GraphFacts, start: int, max_depth: int, direction: Direction) -> Array:
    """For every node of the view its least depth, the start at 0, -1 where it is out of reach."""
    sides = facts.sides(direction)
    depth = numpy.full(facts.count, -1, dtype=numpy.int64)
    depth[start] = 0
    frontier = numpy.array([start], dtype=numpy.int64)
    for reached in range(1, max_depth + 1):
        for side in sides:
            ends = side.ends(frontier)
            depth[ends[depth[ends] < 0]] = reached
        frontier = numpy.flatnonzero(depth == reached)
        if not len(frontier):
            break
    return depth


def steps_among(facts: GraphFacts, visited: Array, direction: Direction) -> Steps:
    """Every link in a direction between two visited nodes, whatever their depths: one more link never says less."""
    nodes = numpy.flatnonzero(visited)
    parts = [side.of(nodes) for side in facts.sides(direction)] or [(nodes[:0],) * 3]
    steps = Steps(*map(numpy.concatenate, zip(*parts, strict=True)))
    kept = visited[steps.child] & (steps.child != steps.parent)
    return steps if kept.all() else steps.where(kept)


@dataclass(frozen=True, slots=True)
class Evidence:
    """For every node of the view what its links say, 0 and -1 where they say nothing."""

    told: Array  # how many known terms of the query the best sentence that links it holds
    told_by: Array  # the note at the other end of that link
    tells: Array  # whether that link is the node's own, and leads to the other
    parent: Array  # the most relevant note it hangs on
    holds_on: Array  # whether by a link of its own
    known: int  # terms of the query

    @property
    def share(self) -> Array:
        return self.told / max(1, self.known)

    def link(self, relevance: Array) -> Array:
        """The greater of the share of the query in the sentence and half the T of the parent."""
        from_parent = numpy.where(self.parent >= 0, relevance[self.parent] / 2, 0.0)
        return numpy.maximum(self.share, from_parent)


def gather_evidence(facts: GraphFacts, terms: NoteTerms, query: AskedTerms, steps: Steps, relevance: Array) -> Evidence:
    """The best of each node's steps; of equal ones the note first by id, and of its two links that to the node."""
    count, sources = facts.count, facts.view.edges.source
    parents = numpy.flatnonzero(numpy.bincount(steps.parent))
    order = parents[numpy.lexsort((facts.rank[parents], -relevance[parents]))]  # the best parent first
    place = numpy.empty(count, dtype=numpy.int64)
    place[order] = numpy.arange(len(order))
    best = numpy.full(count, 2 * len(order), dtype=numpy.int64)
    numpy.minimum.at(best, steps.child, 2 * place[steps.parent] + (sources[steps.edge] == steps.child))
    parent = numpy.concatenate((order, [-1]))[best // 2]

    held = terms.told(query, steps.edge)
    telling = numpy.flatnonzero(held)
    steps, held = steps.where(telling), held[telling]
    value = 2 * (held * count + (count - 1 - facts.rank[steps.parent])) + (
        facts.view.edges.source[steps.edge] != steps.child
    )
    most = numpy.full(count, -1, dtype=numpy.int64)
    numpy.maximum.at(most, steps.child, value)
    tells, most = most % 2 == 0, most // 2
    told_by = numpy.where(most >= 0, facts.by_rank[count - 1 - most % count], -1)
    told = numpy.where(most >= 0, most // count, 0)
    return Evidence(told, told_by, tells, parent, best % 2 == 1, len(query.terms))


QUALIFYING_SHARE = 0.3
BEST_BY_TEXT = 200
CONTEXT_DEPTH = 2
MOST_POINTS = 100


@dataclass(frozen=True, slots=True)
class Assembly:
    """Everything an answer tells of: visited nodes in order, and what became of them."""

    question: Question
    entry: int
    depth: Array  # of every node of the view, -1 where it was not visited
    evidence: Evidence
    scores: Array  # of every node of the view
    order: Array  # visited nodes by score, then id
    qualifying: Array  # of every node of the view, whether it may be loaded
    pack: Pack
    budget: int

    def others(self, most: int) -> list[int]:
        """The best of the visited nodes that were not loaded."""
        first = self.order[: most + len(self.pack.loaded)].tolist()
        return [node for node in first if node not in self.pack.loaded][:most]


def assemble_walk(
    question: Question, start: int, max_depth: int, direction: Direction, max_nodes: int, budget: int, read: ReadPages
) -> Assembly:
    depth = walk(question.facts, start, max_depth, direction)
    return _assemble(question, start, depth, direction, max_nodes, budget, read)


def assemble_context(question: Question, entry: int, max_nodes: int, budget: int, read: ReadPages) -> Assembly:
    """Around the entry, two links either way, and the best by text wherever they are."""
    depth = walk(question.facts, entry, CONTEXT_DEPTH, "both")
    found = _best_by_text(question.facts, question.relevance)
    # Found by text and not by walking, such a note is a beginning of its own: depth 0.
    depth[found[depth[found] < 0]] = 0
    return _assemble(question, entry, depth, "both", max_nodes, budget, read)


def _best_by_text(facts: GraphFacts, relevance: Array) -> Array:
    """The nodes of the greatest T above 0; ties at the end of the list by id."""
    nodes = numpy.flatnonzero(relevance)
    if len(nodes) > BEST_BY_TEXT:
        least = numpy.partition(relevance[nodes], -BEST_BY_TEXT)[-BEST_BY_TEXT]
        nodes = nodes[relevance[nodes] >= least]
    return facts.in_order(nodes, relevance)[:BEST_BY_TEXT]


def _assemble(
    question: Question, entry: int, depth: Array, direction: Direction, max_nodes: int, budget: int, read: ReadPages
) -> Assembly:
    facts, query, relevance = question.facts, question.query, question.relevance
    visited = depth >= 0
    evidence = gather_evidence(facts, question.terms, query, steps_among(facts, visited, direction), relevance)
    # Without a question what is near the start is what somebody who stands there looks for.
    link = numpy.where(visited, 1 / (1 + numpy.abs(depth)), 0.0) if query.blank else evidence.link(relevance)
    scores = score_nodes(facts, query.all_terms, relevance, link)
    order = facts.in_order(numpy.flatnonzero(visited), scores)
    if query.blank:
        qualifying = visited
    else:
        qualifying = visited & ((relevance >= QUALIFYING_TEXT) | (evidence.share >= QUALIFYING_SHARE))
    if not qualifying.any() and question.matched:
        qualifying[entry] = True
    candidates = order[qualifying[order]]
    if question.found is None:
        pack = fill_budget(facts.view.nodes, candidates.tolist(), max_nodes if question.matched else 0, budget)
    else:
        ranked = question.found.in_order(qualifying, link, candidates)
        pack = _by_score(facts, scores, pack_passages(facts.view.nodes, ranked, read, max_nodes, budget))
    return Assembly(question, entry, depth, evidence, scores, order, qualifying, pack, budget)


def _by_score(facts: GraphFacts, scores: Array, pack: Pack) -> Pack:
    """Opened notes by score, then id. The one of the best passage leads them: it is given no fewer points than any."""
    if not pack.loaded:
        return pack
    opened = numpy.array(list(pack.loaded))
    first, best = opened[0], facts.in_order(opened, scores)[0]
    if first != best:
        scores[first] = min(MOST_POINTS, scores[best] + (facts.rank[first] > facts.rank[best]))
    return replace(pack, loaded={node: pack.loaded[node] for node in facts.in_order(opened, scores).tolist()})


def telemetry(assembly: Assembly) -> Telemetry:
    visited, loaded = len(assembly.order), assembly.pack.loaded
    full = sum(1 for found in loaded.values() if found.level == 4)
    return Telemetry(
        nodesVisited=visited,
        nodesLoaded=len(loaded),
        nodesSkipped=visited - len(loaded),
        tokensUsed=assembly.pack.tokens,
        tokenBudget=assembly.budget,
        coveragePercent=rounded(100 * len(loaded), assembly.question.facts.count, 1),
        maxDepthReached=int(assembly.depth.max()),
        nodesAtLevel={"1": visited - len(loaded), "3": len(loaded) - full, "4": full},
    )
