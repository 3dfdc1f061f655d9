"""A question put to a graph: the passages it finds, the nodes they speak for, and where a walk begins."""

from dataclasses import dataclass

import numpy

from loreweave.entities.digest import PASSAGE_TOKENS
from loreweave.errors import NotFound
from loreweave.knowledge.graph.graph_view import Array, GraphView
from loreweave.knowledge.packs.graph_facts import GraphFacts, facts_of, score_nodes
from loreweave.knowledge.packs.index_library import PassageIndex
from loreweave.knowledge.packs.note_terms import FIELDS, QUALIFYING_TEXT, AskedTerms, NoteTerms, terms_in
from loreweave.knowledge.packs.rank_passages import RankedRows

MOST_TRIED = 2000  # passages looked at for one pack


@dataclass(frozen=True, slots=True)
class Found:
    """Rows of the index that a question finds."""

    index: PassageIndex
    ranking: RankedRows
    nodes: Array  # int64, a row that was found: its node
    count: int  # nodes of the view

    def relevance(self, lexical: Array) -> Array:
        """Of every node: what its passages say for it, where the best has as much as the best by words."""
        share = numpy.zeros(self.count)
        numpy.maximum.at(share, self.nodes, self.ranking.pages[self.index.arrays.pages[self.ranking.rows]])
        return share * max(self.index.ranker.weights.least_cover, float(lexical.max(initial=0.0)))

    def best_of_nodes(self) -> Array:
        """Of every node the score of its best section among the results of a search; 0 where nothing was found."""
        best = numpy.zeros(self.count)
        numpy.maximum.at(best, self.nodes, self._searched())
        return best

    def first(self) -> int:
        """The node that a search has first."""
        return int(self.nodes[numpy.argmax(self._searched())])

    def _searched(self) -> Array:
        """The scores of a search."""
        return self.index.ranker.lifted(self.ranking, self.index.ranker.weights.page_lift)

    def of_one(self) -> list[tuple[int, int, int]]:
        """The same as `in_order`, of the one note whose passages these are."""
        return self.in_order(numpy.ones(self.count, dtype=bool), numpy.zeros(self.count), self.nodes[:0])

    def in_order(self, qualifying: Array, link: Array, candidates: Array) -> list[tuple[int, int, int]]:
        """(node, place among its passages, tokens), best first; last openings of notes that only links speak for."""
        ranker, weights = self.index.ranker, self.index.ranker.weights
        kept = qualifying[self.nodes]
        rows, nodes = self.ranking.rows[kept], self.nodes[kept]
        sizes = self.index.arrays.sizes[rows]
        lifted = ranker.lifted(self.ranking, weights.pack_page_lift)[kept] + weights.link_lift * link[nodes]
        lifted *= numpy.maximum(1.0, sizes / PASSAGE_TOKENS) ** -weights.long_discount
        if len(rows):  # packs and searches agree on what they have first
            lifted[numpy.argmax(self._searched()[kept])] = numpy.inf
        if len(rows) > MOST_TRIED:
            best = lifted >= numpy.partition(lifted, -MOST_TRIED)[-MOST_TRIED]
            rows, nodes, lifted, sizes = rows[best], nodes[best], lifted[best], sizes[best]
        order = numpy.lexsort((rows, -lifted))[:MOST_TRIED]
        places = rows - self.index.arrays.first_rows[self.index.arrays.pages[rows]]
        found = list(zip(nodes[order].tolist(), places[order].tolist(), sizes[order].tolist(), strict=True))
        known = numpy.zeros(self.count, dtype=bool)
        known[self.nodes] = True
        return found + [(node, 0, 0) for node in candidates[~known[candidates]].tolist()]


def find_passages(terms: NoteTerms, count: int, text: str, node: int | None = None) -> Found | None:
    """Of all notes or of one; None where the question holds no word that the graph knows."""
    index = terms.index
    among = None if node is None else terms.rows_of(node)
    ranking = index.ranker.rank(text, index.ranker.read(text), among)
    if ranking is None or not len(ranking.rows):
        return None
    nodes = terms.nodes[index.arrays.pages[ranking.rows]]
    kept = nodes >= 0
    if not kept.all():  # documents that are no notes
        ranking, nodes = ranking.where(kept), nodes[kept]
    return Found(index, ranking, nodes, count) if len(nodes) else None


@dataclass(frozen=True, slots=True)
class Question:
    """A query put to a view, with the relevance of every node to it."""

    facts: GraphFacts
    terms: NoteTerms
    query: AskedTerms
    relevance: Array
    lexical: Array  # the same by words alone
    found: Found | None  # passages; None for a blank query, and where nothing known matches

    @property
    def is_hybrid(self) -> bool:
        """Whether meaning had a part in it."""
        return self.found is not None and self.found.ranking.by_meaning

    @property
    def matched(self) -> bool:
        return self.query.blank or self.found is not None


def ask(view: GraphView, text: str, index: PassageIndex) -> Question:
    if not view.nodes:
        raise NotFound(f"The graph {view.graph_id} has no notes.", graphId=view.graph_id)
    facts = facts_of(view)
    terms = terms_in(facts, index)
    query = terms.read(text)
    lexical = terms.relevance(query)
    found = None if query.blank else find_passages(terms, len(view.nodes), text)
    relevance = lexical if found is None else numpy.maximum(lexical, found.relevance(lexical))
    return Question(facts, terms, query, relevance, lexical, found)


def choose_entry(question: Question) -> int:
    """Where the best passage is; without one the most linked moc, else the note named index, readme or home, else
    the most linked note. Ties by id."""
    if question.found is not None:
        return question.found.first()
    facts = question.facts
    if not facts.mocs and facts.home is not None:
        return facts.home
    nodes = numpy.array(facts.mocs or range(facts.count), dtype=numpy.int64)
    return int(facts.in_order(nodes, facts.degrees)[0])


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
    scores = score_nodes(facts, asked.all_terms, relevance, numpy.zeros(facts.count))
    return facts.in_order(hits, scores)[:limit].tolist(), len(hits)


@dataclass(frozen=True, slots=True)
class NodeHit:
    node: int
    score: float
    matched: list[str]


def search_nodes(
    question: Question, domain: str | None, node_type: str | None, limit: int
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
    best = facts.in_order(nodes, best_sections)[:limit].tolist()  # two may differ in a place that is not shown
    return [NodeHit(node, int(scores[node]) / _TEN_THOUSAND, _matched(question, node)) for node in best], len(nodes)


def _matched(question: Question, node: int) -> list[str]:
    """Fields that hold a word of the query, in their usual order, and whether meaning speaks for it."""
    found = {name for match in question.terms.matches(question.query, node) for name in match.fields}
    fields = [name for name in FIELDS if name in found]
    if question.relevance[node] - question.lexical[node] >= QUALIFYING_TEXT or not fields:
        fields.append(MEANING)
    return fields
