"""Words and terms of a text: what an index stores and what a query asks for.

Words are NFKC, casefolded runs of letters, marks and digits with inner apostrophes; scripts written without
blanks give bigrams. A term is the English Snowball stem of a word. The index keeps the terms of every word;
only a query drops its stop words, so that a query of nothing but stop words still finds them.
"""

import re
import threading
import unicodedata
from itertools import pairwise
from typing import Any

from loreweave.language.stop_words import STOP_WORDS

MAX_WORD = 64  # characters: longer runs are keys and base64, told apart well enough by their beginning
_MEMO_LIMIT = 200_000

_ASCII = bytes(range(128))
# Han, kana, hangul, bopomofo: written without blanks, or with endings grown onto the word.
CJK_RUN = re.compile(
    "([\u1100-\u11ff\u2e80-\u2fdf\u3005-\u3007\u3021-\u3029\u3031-\u312f\u3131-\u318e\u31a0-\u31bf\u31f0-\u31ff"
    "\u3400-\u4dbf\u4e00-\u9fff\ua960-\ua97f\uac00-\ud7ff\uf900-\ufaff\U0001b000-\U0001b16f\U00020000-\U0003ffff]+)"
)


def _ascii_character(code: int) -> str:
    character = chr(code)
    return character.lower() if character.isalnum() or character == "'" else " "


_ASCII_TABLE = {code: _ascii_character(code) for code in range(128)}
_SEPARATES: dict[str, bool] = {}  # memo: whether a character beyond ASCII only parts words
_stems: dict[str, str] = {}
_local = threading.local()


class _WordTable(dict):
    """What each character of a normalised text becomes; filled as characters turn up."""

    def __missing__(self, code: int) -> str:
        kept = chr(code)
        if 0xFE00 <= code <= 0xFE0F or 0xE0100 <= code <= 0xE01EF:
            kept = ""  # a variation selector picks a drawing, not a letter
        elif kept != "'" and unicodedata.category(kept)[0] not in "LMN":
            kept = " "
        self[code] = kept
        return kept


_WORD_TABLE = _WordTable(_ASCII_TABLE)


def words(text: str) -> list[str]:
    """The unstemmed words of a text, in order."""
    return [word if len(word) <= MAX_WORD else word[:MAX_WORD] for word in _split(text)]


def terms(text: str) -> list[str]:
    """The terms a text asks for: stems in order, without stop words unless nothing else remains."""
    found = words(text)
    return [stem(word) for word in [word for word in found if word not in STOP_WORDS] or found]


def stem(word: str) -> str:
    """The term of a word."""
    known = _stems.get(word)
    if known is None:
        known = _stemmer().stemWord(word) or word
        if len(_stems) >= _MEMO_LIMIT:
            _stems.clear()
        _stems[word] = known
    return known


def _split(text: str) -> list[str]:
    """Words of any length."""
    plain = _as_ascii(text)
    if plain is None:
        return _split_any(text)
    return _trim_apostrophes(plain.translate(_ASCII_TABLE)).split()


def _as_ascii(text: str) -> str | None:
    """The text with marks beyond ASCII replaced; None where a letter or digit beyond ASCII is in it."""
    if text.isascii():
        return text
    beyond = text.encode("utf-8", "replace").translate(None, _ASCII).decode("utf-8")
    if not all(map(_separates, set(beyond))):
        return None
    return text.replace("\u2019", "'").encode("ascii", "replace").decode("ascii")


def _separates(character: str) -> bool:
    known = _SEPARATES.get(character)
    if known is None:
        plain = unicodedata.normalize("NFKC", character)
        known = character == "\u2019" or not any(unicodedata.category(part)[0] in "LMN" for part in plain)
        _SEPARATES[character] = known
    return known


def _split_any(text: str) -> list[str]:
    text = unicodedata.normalize("NFKC", text.replace("\u2019", "'")).casefold()
    text = unicodedata.normalize("NFKC", text)  # casefolding may take composed letters apart
    found: list[str] = []
    for word in _trim_apostrophes(text.translate(_WORD_TABLE)).split():
        if word.isascii() or not CJK_RUN.search(word):
            found.append(word)
        else:
            found.extend(_bigrams(word))
    return found


def _bigrams(word: str) -> list[str]:
    """Pairs of neighbours for each run of a bigram script, the lone character where it stands alone."""
    found: list[str] = []
    for place, run in enumerate(CJK_RUN.split(word)):
        if place % 2 == 0:
            found.extend(filter(None, [run.strip("'")]))
        elif len(run) == 1:
            found.append(run)
        else:
            found.extend(map("".join, pairwise(run)))
    return found


def _trim_apostrophes(text: str) -> str:
    """Leaves an apostrophe only between two characters of a word; every separator is a blank already."""
    if "'" not in text:
        return text
    return f" {text} ".replace("''", "  ").replace(" '", "  ").replace("' ", "  ")


def _stemmer() -> Any:
    """A stemmer holds state, so each thread has its own; our memo replaces its cache."""
    stemmer = getattr(_local, "stemmer", None)
    if stemmer is None:
        import Stemmer

        stemmer = _local.stemmer = Stemmer.Stemmer("english", 0)
    return stemmer
