"""Which words in bold name a thing that is defined, and which are steps, praise or a word of caution."""

import re

_FILLER = (
    "this that these those it they he she we you i there here what which who whom whose when where why how one ones"
    " some any all both each everything something nothing anything note notes warning tip hint important caution danger"
    " info attention example examples usage see update updated new todo fixme result results answer question problem"
    " solution goal reason bonus optional required default defaults yes no step first second third finally next then"
    " also however pros cons before after summary tldr tl;dr context input output good bad do don't not"
)
_PRAISE = (
    " fast faster easy easier simple simpler short small large big quick quickly robust intuitive flexible powerful"
    " secure safe reliable scalable lightweight modern free friendly extensible portable stable clean familiar great"
    " better best standards-based production-ready battle-tested"
)
_COMPARISONS = frozenset(("fewer", "more", "less", "better", "easier", "faster", "simpler"))
_FILLER_PHRASES = frozenset(
    ("spoiler alert", "technical details", "source code", "read more", "learn more", "good to know", "pro tip")
)
_NO_TERMS = frozenset(_FILLER.split())
_NO_NAMES = frozenset(_PRAISE.split())
_OPENING = (
    "this that these those it there here step why how what if when by on in at for from under with without during"
)
_OPENERS = frozenset(_OPENING.split())
# What is done, never what something is called, whatever follows.
_DEEDS = (
    "click choose convert validate declare verify ensure install configure enable disable create add remove delete"
    " enter navigate visit avoid keep let try don't do define"
)
# Deeds that are also parts of names (`set theory`, `pull request`): a step only with one of the words below.
_MAYBE_DEEDS = (
    "press select open run set type copy paste save download upload check use start stop restart build deploy test"
    " write read edit update upgrade import export clone push pull commit connect log sign find get call send return"
    " wait repeat put move change replace review publish go make release record rename restore wrap"
)
_STEP_WORDS = (
    "the a an your its their this these that it them all any each every to on in into for with from up out of by sure"
)
_ALWAYS = frozenset(_DEEDS.split())
_SOMETIMES = frozenset(_MAYBE_DEEDS.split())
_OF_STEPS = frozenset(_STEP_WORDS.split())
_NUMBERED = re.compile(
    r"(?:step|phase|part|stage|option|example|case|task|exercise|chapter|day|week|scenario|rule|method|approach"
    r"|question|problem|solution|figure|table|appendix|round)s?\s++(?:\d++|[ivx]++|[a-z])(?:\b|\Z)"
)
# What a table of flags says in place of a definition.
_FLAGGED = (
    "optional required deprecated default defaults to is are by none null true false yes no string integer number"
    " boolean list of or and the not set visible available alpha beta stable ga n/a"
)
_FLAG_WORDS = frozenset(_FLAGGED.split())
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
    """Whether case-folded words tell what to do."""
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
