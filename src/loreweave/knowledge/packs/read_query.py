"""A query to what it asks of the index: slots of alternatives, and the identifiers whose holders come first."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from loreweave.index.index_arrays import IndexArrays
from loreweave.index.vocabulary import Vocabulary
from loreweave.language.identifiers import WHOLE, Mention, Token, phrase_key, read_chunk, words_key
from loreweave.language.slug import compatible
from loreweave.language.stop_words import QUESTION_WORDS, STOP_WORDS

WHOLE_WEIGHT = 1.5  # an identifier as typed
PART_WEIGHT = 0.4  # its parts, beside the whole
BEGINNING_WEIGHT = 0.8  # a word that is still being typed
NUMBERED_WEIGHT = 0.8  # a name without the number that it is written with
LONGER_WEIGHT = 0.2  # a word that is complete but may go on
ONE_EDIT_WEIGHT, TWO_EDITS_WEIGHT = 0.7, 0.5
GLOSSARY_WEIGHT = 0.4
SHORTEST_BEGINNING = 2
SHORTEST_NAME = 3  # that may stand for itself and a number
MOST_TOKENS = 64  # of a query; what follows is hardly a question
MOST_CORRECTIONS = 8  # words corrected in one query
_MARKS = re.compile(r"[^\w\s.,:;!?'-]")  # what a phrase of plain words does not hold


Name = tuple[str, ...]  # keys


class GlossaryNames:
    """Finds the entries one of whose names a query holds in full."""

    def __init__(self, entries: list[list[str]]) -> None:
        self._entries: list[list[Name]] = []
        self._by_key: dict[str, list[tuple[int, Name]]] = {}
        for names in entries:
            read = list(dict.fromkeys(filter(None, map(_name_keys, names))))
            if len(read) < 2:
                continue
            for name in read:
                self._by_key.setdefault(name[0], []).append((len(self._entries), name))
            self._entries.append(read)

    def held_by(self, held: set[str]) -> Iterator[tuple[Name, list[Name]]]:
        """(the name that the query holds, the other names that it does not)."""
        done: set[int] = set()
        for key in sorted(held & self._by_key.keys()):
            for entry, name in self._by_key[key]:
                if entry not in done and held.issuperset(name):
                    done.add(entry)
                    yield name, [other for other in self._entries[entry] if not held.issuperset(other)]


def _name_keys(name: str) -> Name:
    tokens = [token for chunk in name.split() for token in read_chunk(chunk)]
    keys = [key for token in tokens for key in _token_keys(token)]
    telling = [key for key in keys if key not in STOP_WORDS]
    return tuple(sorted(set(telling or keys)))


def _token_keys(token: Token) -> list[str]:
    """The fewest keys that say the whole token."""
    words = [mention for mention in token.mentions if mention.word is not None]
    if not words:
        pairs = [mention.key for mention in token.mentions if mention.end - mention.start == 2]
        return list(token.wholes[:1]) or pairs or [mention.key for mention in token.mentions]
    if words[-1].end - words[-1].start == max(mention.end - mention.start for mention in token.mentions):
        return [words[-1].key]  # camelCase is one word too
    return [mention.key for mention in words]


@dataclass(frozen=True, slots=True)
class Slot:
    """One thing asked for: a section's best alternative counts."""

    alternatives: tuple[tuple[int, float], ...]  # (key, weight)
    asked: bool = True  # by the query itself, not by its glossary
    corrected: bool = False  # its word is unknown: the alternatives are near to it


@dataclass(slots=True)
class SectionQuery:
    """What a query asks for; nothing where all its words are unknown."""

    slots: list[Slot] = field(default_factory=list)
    first: list[int] = field(default_factory=list)  # keys whose holders come first
    headed: list[int] = field(default_factory=list)  # the key of headings that say just this
    passing: list[int] = field(default_factory=list)  # stop words that it holds beside others
    unknown: int = 0  # words that nothing here is near to
    alone: bool = False  # one identifier and nothing else


@dataclass(slots=True)
class _Reading:
    vocabulary: Vocabulary
    query: SectionQuery
    seen: set[int] = field(default_factory=set)
    corrected: int = 0

    def ask(self, alternatives: list[tuple[int, float]], *, asked: bool = True, corrected: bool = False) -> None:
        """Adds a slot unless its first alternative is asked for already."""
        if alternatives and alternatives[0][0] not in self.seen:
            self.seen.add(alternatives[0][0])
            self.query.slots.append(Slot(tuple(alternatives), asked, corrected))

    def ask_word(self, mention: Mention, *, weight: float, unfinished: bool, correct: bool) -> None:
        word, number = mention.word or mention.key, self.vocabulary.number(mention.key)
        found = [(number, weight)] if number >= 0 else []
        if unfinished and len(word) >= SHORTEST_BEGINNING:
            share = weight * (LONGER_WEIGHT if found else BEGINNING_WEIGHT)
            found += [(longer, share) for longer in self.vocabulary.beginning(word) if longer != number]
        if len(word) >= SHORTEST_NAME and word.isalpha():
            met = {key for key, _ in found}
            found += [(key, weight * NUMBERED_WEIGHT) for key in self.vocabulary.numbered(word) if key not in met]
        corrected = not found and correct and self.corrected < MOST_CORRECTIONS
        if corrected:
            self.corrected += 1
            for near, edits in self.vocabulary.corrections(word):
                found.append((near, weight * (ONE_EDIT_WEIGHT if edits == 1 else TWO_EDITS_WEIGHT)))
        self.query.unknown += not found
        self.ask(found, corrected=corrected)

    def ask_token(self, token: Token, unfinished: bool, stop_words: bool) -> None:
        if token.mentions and not token.wholes and token.mentions[0].word is None:
            self._ask_run(token)
            return
        whole_known = self._ask_whole(token, unfinished)
        parts = [mention for mention in token.mentions if mention.word is not None]
        for mention in parts:
            if mention.word in QUESTION_WORDS and not stop_words:
                self.query.passing += self.known(mention.key)
                continue
            self.ask_word(
                mention,
                weight=PART_WEIGHT if whole_known and token.identifier else 1.0,
                unfinished=unfinished and mention is parts[-1] and not whole_known,
                correct=not token.identifier,
            )

    def _ask_run(self, token: Token) -> None:
        """Of a script without blanks: pairs, and the single character where it stands alone."""
        pairs = [mention for mention in token.mentions if mention.end - mention.start == 2]
        for mention in pairs or token.mentions:
            number = self.vocabulary.number(mention.key)
            self.ask([(number, 1.0)] if number >= 0 else [])

    def _ask_whole(self, token: Token, unfinished: bool) -> bool:
        known = [number for number in map(self.vocabulary.number, token.wholes) if number >= 0]
        if known:
            self.ask([(known[0], WHOLE_WEIGHT if token.identifier else 1.0)])
            if token.identifier:
                self.query.first += [known[0], *self.known(token.exact)]
        elif unfinished and token.wholes:
            longer = self.vocabulary.beginning_whole(token.wholes[0])
            self.ask([(number, BEGINNING_WEIGHT) for number in longer])
        return bool(known)

    def known(self, key: str) -> list[int]:
        number = self.vocabulary.number(key) if key else -1
        return [number] if number >= 0 else []


def read_query(text: str, arrays: IndexArrays, vocabulary: Vocabulary, glossary: GlossaryNames) -> SectionQuery:
    """Stop words weigh nothing unless they are all there is."""
    tokens, unfinished = _tokens(text)
    words = [mention.word for token in tokens for mention in token.mentions]
    only_stop_words = all(word in QUESTION_WORDS for word in words if word is not None) and not any(
        token.identifier or None in {mention.word for mention in token.mentions} for token in tokens
    )
    reading = _Reading(vocabulary, SectionQuery())
    for phrase in reading.known(phrase_key(text)):
        reading.ask([(phrase, 1.0)])
        if _MARKS.search(text):
            reading.query.first.append(phrase)
    reading.query.headed = reading.known(words_key(tokens))
    for token in tokens:
        reading.ask_token(token, unfinished and token is tokens[-1], only_stop_words)
    _ask_other_names(reading, tokens, arrays, glossary)
    reading.query.alone = len(tokens) == 1 and tokens[0].identifier
    return reading.query


def _tokens(text: str) -> tuple[list[Token], bool]:
    """The tokens of a query, and whether the last one may still be being typed."""
    tokens: list[Token] = []
    unfinished = False
    for chunk in text.split()[:MOST_TOKENS]:
        found = read_chunk(chunk)
        ends = [mention.end for token in found for mention in token.mentions]
        unfinished = bool(ends) and max(ends) == len(compatible(chunk))
        tokens += found
    return tokens[:MOST_TOKENS], unfinished and not text[-1:].isspace()


def _ask_other_names(reading: _Reading, tokens: list[Token], arrays: IndexArrays, glossary: GlossaryNames) -> None:
    held = {mention.key for token in tokens for mention in token.mentions}
    number = reading.vocabulary.number
    for name, others in glossary.held_by(held):
        own = sum(float(arrays.rarity[one]) for one in map(number, name) if one >= 0)
        for other in others:
            numbers = [one for one in map(number, other) if one >= 0]
            total = sum(float(arrays.rarity[one]) for one in numbers)
            share = GLOSSARY_WEIGHT * min(1.0, own / total if own and total else 1.0)
            for one in numbers:
                reading.ask([(one, share)], asked=False)


def terms_of(text: str) -> frozenset[str]:
    return frozenset(key for key, _ in asked_words(text))


def asked_words(text: str) -> list[tuple[str, str]]:
    """(key, word as asked): of names their parts, of scripts without blanks pairs, the single one where it is alone."""
    found: list[tuple[str, str]] = []
    for chunk in text.split():
        for token in read_chunk(chunk):
            words = [mention for mention in token.mentions if mention.word is not None]
            plain = [mention for mention in token.mentions if not mention.key.startswith(WHOLE)]
            pairs = [mention for mention in plain if mention.end - mention.start == 2]
            found += [(mention.key, mention.word or mention.key) for mention in words or pairs or plain]
    return found
