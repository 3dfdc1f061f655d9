"""Words as people who write software write them: flags, dotted names, camelCase, tags; whole and in parts.

A chunk is a run without blanks. Reading it gives its mentions: plain words, the identifiers it holds as wholes
(keys that begin with `=`), and their parts. Everything is linear in the length of the chunk.
"""

import re
import unicodedata
from collections.abc import Iterable
from functools import cache
from itertools import pairwise
from typing import NamedTuple

from loreweave.language.slug import compatible, fold
from loreweave.language.terms import CJK_RUN, MAX_WORD, stem

WHOLE = "="  # opens the key of an identifier as a whole, which is never stemmed
HEADED = "#"  # opens the key of a heading as a whole
LONGEST_WHOLE = 120
_LONGEST_READ = 4096  # characters of a chunk that may still be an identifier

_PATTERN = r"""
    (?P<tag></?[A-Za-z][\w.:-]*+/?>?)
  | (?P<sharp>(?<!\w)[A-Za-z]{1,2}(?:\+\+\d*|\#)(?![\w#+]))
  | (?P<lead>(?<![A-Za-z0-9_\])}-])(?:--?(?=[A-Za-z])|[@$.](?=[A-Za-z_])|(?<!/)(?:\.{1,2}|~)?/(?=\w)))?
    (?P<body>\w++(?:(?:[-.:/']{1,3})\w++)*+)
"""
_ASCII_TOKEN = re.compile(_PATTERN, re.VERBOSE | re.ASCII)
# Most of what there is: one word of ASCII that holds no name, with marks around it that mean nothing.
_PLAIN = re.compile(
    r"""[("'`*\[{|=,;:!?]{0,8}+([A-Z]?[a-z0-9]{1,60}+(?:'[a-z]{1,3}+)?|[A-Z]{1,60}+)(?:(?![+#])[!-/:-@\[-^`{-~]{1,8}+)?""",
    re.ASCII,
)
_JOINERS = (re.compile(r"[:/]+"), re.compile(r"\.+"), re.compile(r"-+"), re.compile(r"_+"))
_HUMPS = re.compile(r"[A-Z]+(?=[A-Z][a-z])[0-9]*|[A-Z]?[a-z]+[0-9]*|[A-Z]+[0-9]*|[0-9]+")
_HUMP_INSIDE = re.compile(r"[a-z0-9][A-Z]|[A-Z]{2}[a-z]{2}")
_BETWEEN_IDENTIFIERS = re.compile(r"[^\w.:/@$-]")
_MOST_REMEMBERED = 50_000
_SIMPLE: dict[str, tuple[str, str | None]] = {}  # key and word of parts that are one word: names share most of theirs
_BARE_WORD = re.compile(r"[^\W_]+")
_DIGIT = re.compile(r"\d")
_PLAIN_SIGNS = re.compile(r"[^\W_]+(?:[-/'][^\W_]+)*")


class Mention(NamedTuple):
    """A key, the word as written where it is one, and where it stands in the chunk."""

    key: str
    word: str | None
    start: int
    end: int
    part: bool = False  # of an identifier


_Found = tuple[str, str | None, int, int]  # a mention before it is known whether it is a part


class Token(NamedTuple):
    """One word or identifier of a chunk with all its mentions, the whole first."""

    wholes: tuple[str, ...]  # keys of the token itself, with and without its leading marks
    identifier: bool
    mentions: tuple[Mention, ...]
    exact: str = ""  # key of the identifier with its case, where that counts


def read_chunk(chunk: str) -> list[Token]:
    """The tokens of a run without blanks; positions count the characters of its compatible form."""
    plain = _PLAIN.fullmatch(chunk)
    if plain:
        mention = _plain_mention(plain)
        return [Token((), _has_digit(plain[1]), (mention,))]
    text = compatible(chunk)
    if len(text) > _LONGEST_READ and not CJK_RUN.search(text):
        return _read_endless(text)
    if text.isascii():
        return [_read_match(match) for match in _ASCII_TOKEN.finditer(text)]
    has_marks = any(unicodedata.category(one)[0] == "M" for one in text)
    found: list[Token] = []
    place = 0
    for run in (*CJK_RUN.finditer(text), None):
        end = run.start() if run else len(text)
        found.extend(_read_match(match) for match in _token_pattern(has_marks).finditer(text, place, end))
        if run:
            found.append(_read_cjk(run[0], run.start()))
            place = run.end()
    return found


def read_mentions(chunk: str) -> tuple[Mention, ...]:
    """What the tokens of a chunk mention."""
    plain = _PLAIN.fullmatch(chunk)
    if plain:
        return (_plain_mention(plain),)
    return tuple([mention for token in read_chunk(chunk) for mention in token.mentions])


def _plain_mention(plain: re.Match[str]) -> Mention:
    word = plain[1].lower()
    return Mention(stem(word), word, *plain.span(1))


def _read_endless(text: str) -> list[Token]:
    """Minified code, data and the like: each of its words once, where it first stands."""
    seen: dict[str, int] = {}
    for match in _BARE_WORD.finditer(text):
        seen.setdefault(match[0][:MAX_WORD], match.start())
    found = []
    for word, start in seen.items():
        mentions: list[_Found] = []
        _add_word(word, start, mentions)
        found.append(Token((), _has_digit(word), tuple([Mention(*mention) for mention in mentions])))
    return found


def phrase_key(text: str) -> str:
    """The key of a literal as it stands, where it is more than one identifier: those have keys of their own."""
    if len(text) > LONGEST_WHOLE:
        return ""
    phrase = " ".join(text.split())
    return WHOLE + fold(phrase) if _BETWEEN_IDENTIFIERS.search(phrase) else ""


def heading_key(mentions: Iterable[Mention]) -> str:
    """The key of a heading as a whole, out of what it mentions: all its words, without the marks between them."""
    words = [mention.word for mention in mentions if mention.word is not None]
    return HEADED + " ".join(words) if words else ""


def words_key(tokens: Iterable[Token]) -> str:
    """`heading_key` of tokens."""
    return heading_key(mention for token in tokens for mention in token.mentions)


def _read_cjk(run: str, start: int) -> Token:
    """Pairs of neighbours and single characters; a single one is the whole where it stands alone."""
    folded = fold(run)
    if len(folded) != len(run):
        folded = run
    singles = [Mention(one, None, start + at, start + at + 1) for at, one in enumerate(folded)]
    pairs = [Mention(one + other, None, start + at, start + at + 2) for at, (one, other) in enumerate(pairwise(folded))]
    return Token((), False, tuple(pairs + singles))


def _read_match(match: re.Match[str]) -> Token:
    kind, text, start = match.lastgroup, match[0], match.start()
    if kind == "tag":
        name = text.strip("</>")
        inner = _read_body(name, start + text.index(name), inside=True)
        return _identifier(f"{WHOLE}<{fold(name)}>", (), f"{WHOLE}<{name}>", match, inner.mentions)
    if kind == "sharp":
        return _identifier(WHOLE + fold(text), (), "", match, ())
    written, place = match["body"], match.start("body")
    if place == start or len(text) > LONGEST_WHOLE:
        return _read_body(written, place, inside=False)
    body = _read_body(written, place, inside=True)
    bare = body.wholes or (WHOLE + fold(written),)
    return _identifier(WHOLE + fold(text), bare, WHOLE + text, match, body.mentions)


def _identifier(key: str, bare: tuple[str, ...], exact: str, match: re.Match[str], inner: tuple[Mention, ...]) -> Token:
    start, end = match.span()
    exact = "" if exact == key else exact
    own = [Mention(one, None, start, end) for one in (key, exact) if one]
    return Token((key, *bare), True, (*own, *inner), exact)


def _read_body(text: str, start: int, inside: bool) -> Token:
    """`inside`: all of it is part of an identifier that is more than this body."""
    found: list[_Found] = []
    known = _SIMPLE.get(text)
    if known:
        found.append((*known, start, start + len(text)))
    else:
        _read_parts(text, start, 0, found)
    if not found or found[0][1] is not None:
        return Token((), _has_digit(text), tuple([Mention(*one, inside) for one in found]))
    whole = found[0][0]
    plain = _PLAIN_SIGNS.fullmatch(text) and not _HUMP_INSIDE.search(text) and text.count("/") < 2
    if plain and not _has_digit(text):
        return Token((whole,), False, tuple([Mention(*one, inside) for one in found]))
    length, exact = len(text), WHOLE + text
    mentions = [Mention(key, word, first, last, inside or last - first < length) for key, word, first, last in found]
    return Token((whole,), True, tuple(mentions), exact if exact != whole and length <= LONGEST_WHOLE else "")


def _read_parts(text: str, start: int, level: int, found: list[_Found]) -> None:
    """The whole, then its parts: cut at the loosest joiner that is in it, each part again at tighter ones."""
    if text.isalnum():  # then there is no joiner in it
        _read_part(text, start, found)
        return
    for tighter, joiner in enumerate(_JOINERS[level:], level + 1):
        cuts = [cut.span() for cut in joiner.finditer(text)]
        if cuts:
            _add_whole(text, start, found)
            place = 0
            for cut, behind in (*cuts, (len(text), len(text))):
                part = text[place:cut]
                known = _SIMPLE.get(part)
                if known:
                    found.append((*known, start + place, start + cut))
                elif part:
                    _read_parts(part, start + place, tighter, found)
                place = behind
            return
    _read_part(text, start, found)


def _read_part(text: str, start: int, found: list[_Found]) -> None:
    """What holds no joiner: a word, or several in camelCase."""
    humps = _humps(text) if _HUMP_INSIDE.search(text) and text.isascii() else []
    if len(humps) > 1:
        _add_whole(text, start, found)
        for first, last in humps:
            _add_word(text[first:last], start + first, found)
        _add_word(text, start, found)
        return
    before = len(found)
    _add_word(text, start, found)
    if len(found) > before and len(text) <= MAX_WORD:
        if len(_SIMPLE) >= _MOST_REMEMBERED:
            _SIMPLE.clear()
        _SIMPLE[text] = found[-1][:2]


def _humps(text: str) -> list[tuple[int, int]]:
    """Where the parts of camelCase stand; a lone letter belongs to the part behind it (OAuth, iPhone)."""
    found: list[tuple[int, int]] = []
    lone: int | None = None
    for hump in _HUMPS.finditer(text):
        first = hump.start() if lone is None else lone
        lone = first if hump.end() - hump.start() == 1 and hump.end() < len(text) and lone is None else None
        if lone is None:
            found.append((first, hump.end()))
    return found


def _add_whole(text: str, start: int, found: list[_Found]) -> None:
    if len(text) > LONGEST_WHOLE:
        return
    folded = fold(text)
    found.append((WHOLE + folded, None, start, start + len(text)))
    if folded != text:
        found.append((WHOLE + text, None, start, start + len(text)))


def _add_word(text: str, start: int, found: list[_Found]) -> None:
    word = fold(text)[:MAX_WORD].strip("'")
    if word:
        found.append((stem(word), word, start, start + len(text)))


def _has_digit(text: str) -> bool:
    return _DIGIT.search(text) is not None


@cache
def _token_pattern(has_marks: bool) -> re.Pattern[str]:
    """For every script: combining marks, slow to list, belong to words; scripts without blanks are read elsewhere."""
    codes = range(0x300, 0xABFF if has_marks else 0)
    marks = "".join(chr(code) for code in codes if unicodedata.category(chr(code))[0] == "M")
    pattern = _PATTERN.replace(r"[\w.:-]", f"[\\w{marks}.:-]").replace(r"\w++", f"[\\w{marks}]++")
    return re.compile(pattern, re.VERBOSE)
