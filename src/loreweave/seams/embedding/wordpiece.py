"""WordPiece as the uncased BERT models read it: the tokens of the reference tokenizer, without its library.

A text is first cut at white space and around CJK characters (`split_words`); every word is then read on its
own (`read_word`), so that a caller may remember words it has seen. Special tokens written out in a text, such
as "[CLS]", are plain text here.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Container

UNKNOWN = "[UNK]"
LONGEST_WORD = 100  # characters; the reference gives up on longer ones
_LONGEST_TOKEN = 20  # no token of the vocabulary is longer

# The ranges of the reference, not "all of CJK": kana and hangul are written in runs and stay together.
CJK_RANGES = (
    "\u4e00-\u9fff\u3400-\u4dbf\U00020000-\U0002a6df\U0002a700-\U0002b73f"
    "\U0002b740-\U0002b81f\U0002b920-\U0002ceaf\uf900-\ufaff\U0002f800-\U0002fa1f"
)
_CJK_RUN = re.compile(f"[{CJK_RANGES}]+")
_CJK_LEAD_BYTES = bytes(range(0xE3, 0xF5))  # first bytes of the UTF-8 forms above, and of little else
# White space for str.split, but control characters (dropped, joining their neighbours) for the reference.
_JOINERS = "\x0b\x0c\x1c\x1d\x1e\x1f\x85"
_DROP_JOINERS = dict.fromkeys(map(ord, _JOINERS))


def split_words(text: str) -> list[str]:
    """The words of a text in order; a CJK character is a word."""
    for joiner in _JOINERS:
        if joiner in text:
            text = text.translate(_DROP_JOINERS)
            break
    if not text.isascii() and _may_hold_cjk(text):
        text = _CJK_RUN.sub(lambda run: f" {' '.join(run[0])} ", text)
    return text.split()


def read_word(word: str, vocabulary: Container[str]) -> list[str]:
    """The tokens of one word of `split_words`."""
    tokens: list[str] = []
    for part in split_parts(word):
        tokens.extend(longest_matches(part, vocabulary))
    return tokens


def _may_hold_cjk(text: str) -> bool:
    # A charset search over megabytes costs ten times this pass over bytes.
    encoded = text.encode("utf-8", "surrogatepass")
    return len(encoded.translate(None, _CJK_LEAD_BYTES)) != len(encoded)


def split_parts(word: str) -> list[str]:
    """A word in lower case, without accents and invisible characters, cut around its marks."""
    marked = unicodedata.normalize("NFD", word).translate(_READ_CHARACTER)
    # The reference lowers character by character: no special sigma at the end of a word.
    return marked.replace("Σ", "σ").lower().split()


class _CharacterReading(dict[int, str | None]):
    """What a character becomes: nothing, a part of its own, or itself; filled as characters are met."""

    def __missing__(self, code: int) -> str | None:
        character = chr(code)
        category = unicodedata.category(character)
        if category in ("Mn", "Cc", "Cf", "Co", "Cs") or character == "\ufffd":
            reading = None
        elif category[0] == "P" or (code < 128 and not character.isalnum()):
            reading = f" {character} "
        else:
            reading = character
        self[code] = reading
        return reading


_READ_CHARACTER = _CharacterReading()


def longest_matches(part: str, vocabulary: Container[str]) -> list[str]:
    """The greedy reading of one part: the longest known beginning, then the longest known continuation."""
    if part in vocabulary:
        return [part]
    if len(part) > LONGEST_WORD:
        return [UNKNOWN]
    tokens: list[str] = []
    rest = part
    mark = 0  # characters of `rest` that mark a continuation and are not of the part
    while len(rest) > mark:
        for end in range(min(len(rest), mark + _LONGEST_TOKEN), mark, -1):
            token = rest[:end]
            if token in vocabulary:
                tokens.append(token)
                rest = "##" + rest[end:]
                mark = 2
                break
        else:
            return [UNKNOWN]
    return tokens


WORDS_PER_PIECE = 60
MOST_PIECES = 64  # per text; beyond 64 × 60 words the pieces grow instead, so that nothing is left out


def piece_length(word_count: int) -> int:
    """Words per piece for a text of so many words."""
    return max(WORDS_PER_PIECE, -(-word_count // MOST_PIECES))


def pieces(text: str) -> list[str]:
    """The pieces of a text in order, words joined by a blank; the last may be short, empty text has none."""
    words = split_words(text)
    length = piece_length(len(words))
    return [" ".join(words[start : start + length]) for start in range(0, len(words), length)]
