"""T, the relevance of every note to a question by words alone, and which of its words a note holds where.

T is the sum of idf · f / (f + 1.2), divided by the sum of idf, over the known terms; f weighs the fields. Weights are
multiples of one half: the tables here hold 2f, so that the quotient is 2f / (2f + 2.4).
"""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from math import log
from typing import Literal

import numpy

from loreweave.index.index_arrays import CODES, Rows, starts_of, word_print
from loreweave.index.vocabulary import Vocabulary
from loreweave.index.weigh_entries import FIELDS as ROW_FIELDS
from loreweave.index.weigh_entries import NOTE_FIELDS
from loreweave.knowledge.graph.graph_view import Array
from loreweave.knowledge.packs.graph_facts import GraphFacts
from loreweave.knowledge.packs.index_library import PassageIndex
from loreweave.knowledge.packs.read_query import asked_words, terms_of
from loreweave.language.edits import within_one_edit
from loreweave.language.stop_words import STOP_WORDS

FIELDS = ("name", "alias", "tag", "description", "heading", "body")
_SCANNED = FIELDS[:4]
# A field of the index: what a note calls it, and 2f.
_WORTH = {"name": ("name", 6), "alias": ("alias", 6), "tag": ("tag", 4), "summary": ("description", 4)}
_WORTH |= {"heading": ("heading", 3), "deeper": ("heading", 3), "text": ("body", 1)}
_CODED = (*ROW_FIELDS, *NOTE_FIELDS)
_BITS = numpy.array([1 << FIELDS.index(_WORTH[name][0]) if name in _WORTH else 0 for name in _CODED], dtype=numpy.uint8)
_NAMED = [tuple(name for place, name in enumerate(FIELDS) if bits >> place & 1) for bits in range(1 << len(FIELDS))]
DOUBLE_SATURATION = 2.4
QUALIFYING_TEXT = 0.15
PREFIX_LETTERS = 4
EDIT_LETTERS = 5
MOST_EXPANSIONS = 32  # unknown terms beyond these stay unknown: a pasted page must not search for every typo
MOST_NEAR_WORDS = 3
_KEPT_BYTES = 32 * 1024 * 1024  # of what notes hold of terms that were asked before


@dataclass(frozen=True, slots=True)
class AskedTerm:
    """A term the graph knows, or near ones that stand for an unknown one and count as one."""

    term: str
    words: tuple[str, ...]  # as asked, unstemmed
    keys: tuple[int, ...]  # of the index
    known: bool


@dataclass(frozen=True, slots=True)
class AskedTerms:
    """A question as a graph understands it; terms in the order of their texts, so that sums have one order."""

    text: str
    terms: tuple[AskedTerm, ...] = ()
    all_terms: frozenset[str] = frozenset()  # every word of it as a term, known or not, stop words too

    @property
    def blank(self) -> bool:
        return not self.text.strip()


@dataclass(frozen=True, slots=True)
class Match:
    """A word of the question that a note holds, and where."""

    word: str
    fields: tuple[str, ...]
    near: tuple[str, ...] = ()  # the words it holds instead, where no note holds the asked one


class NoteTerms:
    """The index of a graph seen note by note."""

    def __init__(self, facts: GraphFacts, index: PassageIndex) -> None:
        arrays = index.arrays
        self.index = index
        self._vocabulary = Vocabulary(arrays)
        numbers = {path: page for page, path in enumerate(index.paths)}
        # A node: its page; one behind the last where it has none.
        self._pages = numpy.array(
            [numbers.get(node.path, len(numbers)) for node in facts.view.nodes], dtype=numpy.int64
        )
        self.nodes = numpy.full(len(numbers) + 1, -1, dtype=numpy.int64)  # a page: its node, -1 where it is none
        self.nodes[self._pages] = numpy.arange(facts.count)
        self.nodes[-1] = -1
        self._worth = _worth(index)
        self._scanned = numpy.isin([_WORTH.get(name, ("",))[0] for name in _CODED], _SCANNED)
        self._kept: dict[tuple[str, tuple[int, ...]], Array] = {}
        self._edges = facts.view.edges

    def rows_of(self, node: int) -> Array:
        """The passages of a node, as the index numbers them."""
        return numpy.arange(*self.index.arrays.first_rows[[self._pages[node], self._pages[node] + 1]].tolist())

    def read(self, text: str) -> AskedTerms:
        asked: dict[str, list[str]] = {}
        found = asked_words(text)
        for key, word in [pair for pair in found if pair[1] not in STOP_WORDS] or found:
            same = asked.setdefault(key, [])
            if word not in same:
                same.append(word)
        terms: list[AskedTerm] = []
        unknown = 0
        for key, same in asked.items():
            number = self._vocabulary.number(key)
            keys = [number] if number >= 0 else []
            if not keys:
                unknown += 1
                keys = sorted(set(self._near(same))) if unknown <= MOST_EXPANSIONS else []
            if keys:
                terms.append(AskedTerm(key, tuple(same), tuple(keys), number >= 0))
        terms.sort(key=lambda term: term.term)
        return AskedTerms(text, tuple(terms), terms_of(text))

    def _near(self, asked: Iterable[str]) -> Iterable[int]:
        """Keys of the words that begin with an asked word, or else lie one edit from it."""
        for word in asked:
            near = self._vocabulary.beginning(word) if len(word) >= PREFIX_LETTERS else []
            if not near and len(word) >= EDIT_LETTERS:
                near = [key for key, edits in self._vocabulary.corrections(word) if edits == 1]
            yield from near

    def relevance(self, asked: AskedTerms, *, scan: bool = False) -> Array:
        """T of every node over all fields, or over those that a scan looks at."""
        count = len(self._pages)
        sums, total = numpy.zeros(count), 0.0
        for term in asked.terms:
            doubled = self._held("scanned" if scan else "all", term.keys)
            holding = int(numpy.count_nonzero(doubled))
            if holding:  # known to the graph, perhaps not in these fields
                rarity = log(1 + (count - holding + 0.5) / (holding + 0.5))
                total += rarity
                sums += rarity * doubled / (doubled + DOUBLE_SATURATION)
        return sums / total if total else sums

    def _held(self, what: Literal["all", "scanned", "fields"], keys: tuple[int, ...]) -> Array:
        found = self._kept.get((what, keys))
        if found is None:
            found = self._find_fields(keys) if what == "fields" else self._double(keys, scan=what == "scanned")
            if len(self._kept) * 8 * len(found) >= _KEPT_BYTES:
                self._kept.clear()
            self._kept[what, keys] = found
        return found

    def _double(self, keys: tuple[int, ...], scan: bool) -> Array:
        """2f of every node; keys that count as one are added up."""
        found = numpy.zeros(len(self.nodes))
        for pages, codes, worth in map(self._entries, keys):
            if scan:
                worth *= self._scanned[codes]
            found += numpy.bincount(pages, weights=worth, minlength=len(found))
        return found[self._pages]

    def _find_fields(self, keys: tuple[int, ...]) -> Array:
        """Of every page the fields in which it holds one of these keys, as bits."""
        found = numpy.zeros(len(self.nodes), dtype=numpy.uint8)
        for pages, codes, worth in map(self._entries, keys):
            told = numpy.flatnonzero(worth)
            numpy.bitwise_or.at(found, pages[told], _BITS[codes[told]])
        return found

    def _entries(self, key: int) -> tuple[Array, Array, Array]:
        """(page, field, 2f) of everything that mentions a key."""
        arrays = self.index.arrays
        first, last = arrays.key_starts[key : key + 2].tolist()
        rows, counts = arrays.entry_rows[first:last], arrays.entry_counts[first:last]
        codes = counts % CODES // 2
        return arrays.pages[rows], codes, self._worth[codes, rows] * (counts // CODES)

    def matches(self, asked: AskedTerms, node: int) -> list[Match]:
        """The asked words a node holds, in the order of their terms."""
        page, found = int(self._pages[node]), []
        for term in asked.terms:
            held = int(self._held("fields", term.keys)[page])
            if held:
                near = () if term.known else self._held_words(term, page)
                found.append(Match(term.words[0], _NAMED[held], near))
        return found

    def _held_words(self, term: AskedTerm, page: int) -> tuple[str, ...]:
        """Words of a page that stand for an unknown one: near ones first, then others of the same stem."""
        arrays = self.index.arrays
        first, last = arrays.first_rows[page : page + 2].tolist()
        words = numpy.unique(arrays.row_words[arrays.row_word_starts[first] : arrays.row_word_starts[last]])
        held = [arrays.words[word] for word in words[numpy.isin(arrays.word_keys[words], term.keys)].tolist()]

        def is_near(word: str) -> bool:
            return any(word.startswith(asked) or within_one_edit(asked, word) for asked in term.words)

        return tuple(sorted(held, key=lambda word: (not is_near(word), word))[:MOST_NEAR_WORDS])

    @cached_property
    def _sentences(self) -> tuple[Rows, Rows]:
        """The link sentences of each edge, numbered through all notes, and the words of each sentence."""
        arrays, edges = self.index.arrays, self._edges
        ends = numpy.flatnonzero(arrays.link_words == 0) + 1
        firsts = numpy.searchsorted(ends, arrays.link_word_starts[arrays.first_rows], side="right")
        numbers = edges.sentences + numpy.repeat(firsts[self._pages[edges.source]], edges.sentence_counts)
        return Rows(numbers, edges.sentence_starts), Rows(arrays.link_words, starts_of(numpy.diff(ends, prepend=0)))

    def told(self, asked: AskedTerms, edges: Array) -> Array:
        """Of each of these edges, how many terms of the question its best sentence holds."""
        of_edges, words_of = self._sentences
        written, linking = of_edges.of(edges)
        marked = numpy.zeros(len(words_of.starts), dtype=bool)
        marked[written] = True  # sorting them takes longer
        sentences, place = numpy.flatnonzero(marked), (numpy.cumsum(marked) - 1)[written]
        words, owners = words_of.of(sentences)
        counts = numpy.zeros(len(sentences), dtype=numpy.int64)
        for term in asked.terms:
            held = numpy.zeros(len(sentences), dtype=bool)
            for key in term.keys:
                held[owners[words == word_print(self.index.arrays.keys[key])]] = True
            counts += held
        told = numpy.zeros(len(edges), dtype=numpy.int64)
        numpy.maximum.at(told, linking, counts[place])
        return told


def terms_in(facts: GraphFacts, index: PassageIndex) -> NoteTerms:
    """Those of the index that was asked last are at hand."""
    found = facts.terms
    if found is None or found.index is not index:
        found = facts.terms = NoteTerms(facts, index)
    return found


def _worth(index: PassageIndex) -> Array:
    """Field × row: 2f of one mention. What stands over several rows counts with the first of them."""
    arrays = index.arrays
    worth = numpy.zeros((len(_CODED), len(arrays.sections)), dtype=numpy.uint8)
    for number, name in enumerate(_CODED):
        worth[number] = _WORTH.get(name, ("", 0))[1]
    heads_page = numpy.diff(arrays.pages, prepend=-1) != 0
    heads_section = numpy.diff(arrays.sections, prepend=-1) != 0
    worth[_CODED.index("summary"), ~heads_page] = 0
    worth[_CODED.index("heading"), ~heads_section | arrays.opening] = 0
    return worth
