"""Which words in bold name a thing that is defined, and which are steps, praise or a word of caution."""

import re
from pathlib import Path

# A list a line; a line that begins with blanks goes on with the one before.
_LISTS = (Path(__file__).parent / "words_in_bold.txt").read_text("utf-8").replace("\n ", "").splitlines()
_NO_TERMS, _NO_NAMES, _OPENERS, _ALWAYS, _SOMETIMES, _OF_STEPS, _FLAG_WORDS = (
    frozenset(line.partition(":")[2].split()) for line in _LISTS
)
_COMPARISONS = frozenset(("fewer", "more", "less", "better", "easier", "faster", "simpler"))
_FILLER_PHRASES = frozenset(
    ("spoiler alert", "technical details", "source code", "read more", "learn more", "good to know", "pro tip")
)
_NUMBERED = re.compile(
    r"(?:step|phase|part|stage|option|example|case|task|exercise|chapter|day|week|scenario|rule|method|approach"
    r"|question|problem|solution|figure|table|appendix|round)s?\s++(?:\d++|[ivx]++|[a-z])(?:\b|\Z)"
)
_NO_NAME = re.compile(r"[-/.<{$]|.*[=:{}]")
_LONGEST_NAME = 6  # words
_SAID = re.compile(r"[\"“'‘]|.*(?:[→⇒?]|\{\{)", re.DOTALL)  # a quotation, a question, a drawing
_SENTENCE = re.compile(r"[.!?](?:\s|\Z)")
_ADDRESS = re.compile(r"(?:https?://|www\.)\S++\Z")
_WORD = re.compile(r"[^\W\d_]++")
_NO_DEFINITION = re.compile(
    r"(?:not|already|also|still|now|currently|always|never|only|available|required|optional|deprecated|recommended"
    r"|supported|enabled|disabled|done|ready|here|there|going|being|fully|all)\b",
    re.IGNORECASE,
)


def is_filler(term: str) -> bool:
    """Whether the words can be no term, wherever they stand."""
    words = term.casefold().split()
    return (
        not words or words[0] in _OPENERS or (len(words) == 1 and words[0] in _NO_TERMS) or bool(_SENTENCE.search(term))
    )


def names_a_thing(term: str) -> bool:
    """Whether words in bold are a name, rather than a step (`Click the button`), a number or praise."""
    folded = term.casefold().strip(" :")
    words = folded.split()
    if not words or folded in _FILLER_PHRASES or _NUMBERED.match(folded):
        return False
    if len(words) == 1:
        return words[0] not in _NO_NAMES
    is_praise = words[0] in _COMPARISONS or (words[0] in _NO_NAMES and words[1] in ("to", "and"))
    return not is_deed(words) and not is_praise


def is_deed(words: list[str]) -> bool:
    """Whether case-folded words tell what to do. Some deeds are also parts of names (`set theory`, `pull request`)."""
    return words[0] in _ALWAYS or (words[0] in _SOMETIMES and not _OF_STEPS.isdisjoint(words[1:]))


def is_flagged(text: str) -> bool:
    """Whether a text says no more than a table of flags does."""
    return all(word.strip(".,;()`") in _FLAG_WORDS for word in text.casefold().split())


def is_worth_showing(term: str, definition: str) -> bool:
    """Whether a term and its definition tell a reader something: a flag is no term, and "Optional." defines nothing."""
    text = definition[:400]
    is_name = not _NO_NAME.match(term) and len(term.split()) <= _LONGEST_NAME
    return is_name and not is_flagged(text) and not _SAID.match(text)


def says_what_it_is(definition: str) -> bool:
    """Whether a text behind a separator can be a definition: some words, and no list or bare address to follow."""
    text = definition.strip()
    some_words = len(_WORD.findall(text[:200])) > 1 or not text.isascii()  # not every script has blanks
    return some_words and not text.endswith(":") and not _ADDRESS.match(text)


def is_definition_after_copula(predicate: str) -> bool:
    """Whether what follows `is` or `are` says what the thing is, rather than how it fares."""
    return bool(predicate.strip()) and not _NO_DEFINITION.match(predicate.strip())
