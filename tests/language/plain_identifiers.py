"""Identifiers read the plain way, one rule after the other: what the quick reading must agree with."""

import re
import unicodedata
from functools import cache
from itertools import pairwise

from loreweave.language.identifiers import LONGEST_WHOLE, WHOLE, Mention, Token
from loreweave.language.slug import compatible, fold
from loreweave.language.terms import MAX_WORD, stem

_LONGEST_READ = 4096  # characters of a chunk that may still be an identifier

_CJK = (
    "\u1100-\u11ff\u2e80-\u2fdf\u3005-\u3007\u3021-\u3029\u3031-\u312f\u3131-\u318e\u31a0-\u31bf\u31f0-\u31ff"
    "\u3400-\u4dbf\u4e00-\u9fff\ua960-\ua97f\uac00-\ud7ff\uf900-\ufaff\U0001b000-\U0001b16f\U00020000-\U0003ffff"
)
_CJK_RUN = re.compile(f"[{_CJK}]+")
_PATTERN = r"""
    (?P<tag></?[A-Za-z][\w.:-]*+/?>?)
  | (?P<sharp>(?<!\w)[A-Za-z]{1,2}(?:\+\+\d*|\#)(?![\w#+]))
  | (?P<lead>(?<![A-Za-z0-9_\])}-])(?:--?(?=[A-Za-z])|[@$.](?=[A-Za-z_])|(?<!/)(?:\.{1,2}|~)?/(?=\w)))?
    (?P<body>\w++(?:(?:[-.:/']{1,3})\w++)*+)
"""
_ASCII_TOKEN = re.compile(_PATTERN, re.VERBOSE | re.ASCII)
_JOINERS = (re.compile(r"[:/]+"), re.compile(r"\.+"), re.compile(r"-+"), re.compile(r"_+"))
_HUMPS = re.compile(r"[A-Z]+(?=[A-Z][a-z])[0-9]*|[A-Z]?[a-z]+[0-9]*|[A-Z]+[0-9]*|[0-9]+")
_HUMP_INSIDE = re.compile(r"[a-z0-9][A-Z]|[A-Z]{2}[a-z]{2}")
_BARE_WORD = re.compile(r"[^\W_]+")
_DIGIT = re.compile(r"\d")
_PLAIN_SIGNS = re.compile(r"[^\W_]+(?:[-/'][^\W_]+)*")


def read_plainly(chunk: str) -> list[Token]:
    """The tokens of a run without blanks; positions count the characters of its compatible form."""
    text = compatible(chunk)
    if len(text) > _LONGEST_READ and not _CJK_RUN.search(text):
        return _read_endless(text)
    if text.isascii():
        return [_read_match(match) for match in _ASCII_TOKEN.finditer(text)]
    found: list[Token] = []
    place = 0
    for run in (*_CJK_RUN.finditer(text), None):
        end = run.start() if run else len(text)
        found.extend(_read_match(match) for match in _token_pattern().finditer(text, place, end))
        if run:
            found.append(_read_cjk(run[0], run.start()))
            place = run.end()
    return found


def _read_endless(text: str) -> list[Token]:
    """Minified code, data and the like: each of its words once, where it first stands."""
    seen: dict[str, int] = {}
    for match in _BARE_WORD.finditer(text):
        seen.setdefault(match[0][:MAX_WORD], match.start())
    found = []
    for word, start in seen.items():
        mentions: list[Mention] = []
        _add_word(word, start, mentions)
        found.append(Token((), _has_digit(word), tuple(mentions)))
    return found


def _read_cjk(run: str, start: int) -> Token:
    """Pairs of neighbours and single characters; a single one is the whole where it stands alone."""
    folded = fold(run)
    if len(folded) != len(run):
        folded = run
    singles = [Mention(one, None, start + at, start + at + 1) for at, one in enumerate(folded)]
    pairs = [Mention(one + other, None, start + at, start + at + 2) for at, (one, other) in enumerate(pairwise(folded))]
    return Token((), False, tuple(pairs + singles))


def _read_match(match: re.Match[str]) -> Token:
    start, end = match.span()
    text = match[0]
    if match["tag"]:
        name = text.strip("</>")
        inner = _read_body(name, start + text.index(name))
        return _identifier(f"{WHOLE}<{fold(name)}>", (), f"{WHOLE}<{name}>", start, end, inner.mentions)
    if match["sharp"]:
        return _identifier(WHOLE + fold(text), (), "", start, end, ())
    body = _read_body(match["body"], match.start("body"))
    if not match["lead"] or len(text) > LONGEST_WHOLE:
        return body
    bare = body.wholes or (WHOLE + fold(match["body"]),)
    return _identifier(WHOLE + fold(text), bare, WHOLE + text, start, end, body.mentions)


def _identifier(key: str, bare: tuple[str, ...], exact: str, start: int, end: int, inner: tuple[Mention, ...]) -> Token:
    exact = "" if exact == key else exact
    own = [Mention(one, None, start, end) for one in (key, exact) if one]
    parts = [mention._replace(part=True) for mention in inner]
    return Token((key, *bare), True, (*own, *parts), exact)


def _read_body(text: str, start: int) -> Token:
    mentions: list[Mention] = []
    _read_parts(text, start, 0, mentions)
    if not mentions or mentions[0].word is not None:
        return Token((), _has_digit(text), tuple(mentions))
    whole = mentions[0].key
    plain = _PLAIN_SIGNS.fullmatch(text) and not _HUMP_INSIDE.search(text) and text.count("/") < 2
    if plain and not _has_digit(text):
        return Token((whole,), False, tuple(mentions))
    length = len(text)
    marked = [mention._replace(part=mention.end - mention.start < length) for mention in mentions]
    exact = WHOLE + text
    return Token((whole,), True, tuple(marked), exact if exact != whole and length <= LONGEST_WHOLE else "")


def _read_parts(text: str, start: int, level: int, mentions: list[Mention]) -> None:
    """The whole, then its parts: cut at the loosest joiner that is in it, each part again at tighter ones."""
    if text.isascii() and text.isalnum() and text[1:].islower():  # most of what there is
        _add_word(text, start, mentions)
        return
    while level < len(_JOINERS):
        joiners = list(_JOINERS[level].finditer(text))
        level += 1
        if joiners:
            _add_whole(text, start, mentions)
            place = 0
            for joiner in (*joiners, None):
                cut = joiner.start() if joiner else len(text)
                if cut > place:
                    _read_parts(text[place:cut], start + place, level, mentions)
                place = joiner.end() if joiner else cut
            return
    humps = _humps(text) if _HUMP_INSIDE.search(text) and text.isascii() else []
    if len(humps) > 1:
        _add_whole(text, start, mentions)
        for first, last in humps:
            _add_word(text[first:last], start + first, mentions)
    _add_word(text, start, mentions)


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


def _add_whole(text: str, start: int, mentions: list[Mention]) -> None:
    if len(text) > LONGEST_WHOLE:
        return
    folded = fold(text)
    mentions.append(Mention(WHOLE + folded, None, start, start + len(text)))
    if folded != text:
        mentions.append(Mention(WHOLE + text, None, start, start + len(text)))


def _add_word(text: str, start: int, mentions: list[Mention]) -> None:
    word = fold(text)[:MAX_WORD].strip("'")
    if word:
        mentions.append(Mention(stem(word), word, start, start + len(text)))


def _has_digit(text: str) -> bool:
    return _DIGIT.search(text) is not None


@cache
def _token_pattern() -> re.Pattern[str]:
    """The pattern for every script: combining marks belong to words, scripts without blanks are read elsewhere."""
    marks = "".join(chr(code) for code in range(0x300, 0xABFF) if unicodedata.category(chr(code))[0] == "M")
    word = f"[\\w{marks}]"
    return re.compile(_PATTERN.replace(r"[\w.:-]", f"[\\w{marks}.:-]").replace(r"\w++", f"{word}++"), re.VERBOSE)
