"""What a query asks of a view: its known terms, and for unknown ones the words that come near."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial

from loreweave.knowledge.graph.segment_reader import GraphSegment
from loreweave.knowledge.packs.view_facts import ViewFacts
from loreweave.language.terms import asked_words, stem, words

KEPT_TERMS = 1000
PREFIX_LETTERS = 4
EDIT_LETTERS = 5
MOST_EXPANSIONS = 32  # unknown terms beyond these stay unknown: a pasted page must not search for every typo


@dataclass(frozen=True, slots=True)
class QueryTerm:
    """A term the view knows, or a group of near terms that stands for an unknown one and counts as one."""

    term: str
    words: tuple[str, ...]  # as asked, unstemmed
    numbers: tuple[tuple[int, ...], ...]  # for each segment the numbers of the terms there
    near: tuple[str, ...] = ()  # the words of the view that stand for an unknown one


@dataclass(frozen=True, slots=True)
class Query:
    """A query as a view understands it; terms in the order of their texts, so that sums have one order."""

    text: str
    terms: tuple[QueryTerm, ...]
    all_terms: frozenset[str]  # every word of the query as a term, known or not, stop words too

    @property
    def blank(self) -> bool:
        return not self.text.strip()


def read_query(facts: ViewFacts, text: str) -> Query:
    asked: dict[str, list[str]] = {}
    for word in asked_words(text):
        same = asked.setdefault(stem(word), [])
        if word not in same:
            same.append(word)
    known: list[QueryTerm] = []
    unknown = 0
    for term, same in asked.items():
        numbers = _known_numbers(facts, term)
        near: dict[str, str] = {}
        if not _is_live(facts, numbers):
            unknown += 1
            near = _near_words(facts, same) if unknown <= MOST_EXPANSIONS else {}
            numbers = _numbers(facts, sorted(set(near.values())))
        if any(numbers):
            known.append(QueryTerm(term, tuple(same), numbers, tuple(sorted(near))))
    known.sort(key=lambda found: found.term)
    # A domain may be named by a stop word, as IT is.
    return Query(text, tuple(known), frozenset(map(stem, words(text))))


def _known_numbers(facts: ViewFacts, term: str) -> tuple[tuple[int, ...], ...]:
    """Looked up once for each of the terms asked lately."""
    found = facts.numbers.get(term)
    if found is None:
        if len(facts.numbers) >= KEPT_TERMS:
            facts.numbers.clear()
        found = facts.numbers[term] = _numbers(facts, [term])
    return found


def _numbers(facts: ViewFacts, terms: Iterable[str]) -> tuple[tuple[int, ...], ...]:
    terms = list(terms)
    return tuple(
        tuple(number for term in terms if (number := segment.term(term)) >= 0) for segment in facts.view.segments
    )


def _is_live(facts: ViewFacts, numbers: tuple[tuple[int, ...], ...]) -> bool:
    """Whether some document of this revision holds one of the terms."""
    for place, segment in enumerate(facts.view.segments):
        for number in numbers[place]:
            start, end = segment.posting_range(number)
            if _any_live(facts, place, segment.posting_documents[start:end]):
                return True
    return False


def _any_live(facts: ViewFacts, place: int, documents: Sequence[int]) -> bool:
    if facts.whole_segments[place]:
        return len(documents) > 0
    nodes = facts.view.documents[place]
    return any(nodes[document] >= 0 for document in documents)


def _near_words(facts: ViewFacts, asked: list[str]) -> dict[str, str]:
    """The words that begin with an asked word, or else lie one edit from it, each with its term."""
    found: dict[str, str] = {}
    for word in asked:
        near: dict[str, str] = {}
        if len(word) >= PREFIX_LETTERS:
            near = _live_words(facts, partial(GraphSegment.words_from_prefix, prefix=word))
        if not near and len(word) >= EDIT_LETTERS:
            near = _live_words(facts, partial(GraphSegment.words_within_one_edit, word=word))
        found |= near
    return found


def _live_words(facts: ViewFacts, choose: Callable[[GraphSegment], list[int]]) -> dict[str, str]:
    """The chosen words with their terms, as far as a document of this revision holds the very word."""
    return {
        segment.words[word].decode(): segment.terms[segment.word_terms[word]].decode()
        for place, segment in enumerate(facts.view.segments)
        for word in choose(segment)
        if _any_live(facts, place, segment.documents_of_word(word))
    }
