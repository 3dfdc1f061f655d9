"""The passages of a graph that a question finds, as its notes have them."""

from dataclasses import dataclass

import numpy

from loreweave.knowledge.documents.find_sections import PASSAGE_TOKENS
from loreweave.knowledge.packs.graph_facts import Array
from loreweave.knowledge.packs.note_terms import NoteTerms
from loreweave.knowledge.ranking.index_library import PassageIndex
from loreweave.knowledge.ranking.rank_passages import RankedRows

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

    def in_order(self, qualifying: Array, link: Array, candidates: list[int]) -> list[tuple[int, int, int]]:
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
        places = rows - self.index.first_rows[self.index.arrays.pages[rows]]
        found = list(zip(nodes[order].tolist(), places[order].tolist(), sizes[order].tolist(), strict=True))
        known = set(self.nodes.tolist())
        return found + [(node, 0, 0) for node in candidates if node not in known]


def find_passages(terms: NoteTerms, count: int, text: str) -> Found | None:
    """None where the question holds no word that the graph knows."""
    index = terms.index
    ranking = index.ranker.rank(text, index.ranker.read(text))
    if ranking is None or not len(ranking.rows):
        return None
    nodes = terms.nodes[index.arrays.pages[ranking.rows]]
    kept = nodes >= 0
    if not kept.all():  # documents that are no notes
        ranking, nodes = ranking.where(kept), nodes[kept]
    return Found(index, ranking, nodes, count) if len(nodes) else None
