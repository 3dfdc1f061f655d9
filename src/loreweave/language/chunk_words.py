"""The index words of many chunks of text, read in one go."""

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

from loreweave.language.number_words import words_by_line
from loreweave.language.terms import MAX_WORD, words

_APOSTROPHES = ((b"''", b"  "), (b" '", b"  "), (b"' ", b"  "))


def _kept(code: int) -> int:
    character = chr(code)
    return ord(character.lower()) if code < 128 and (character.isalnum() or character in "'\n") else ord(" ")


_TABLE = bytes(map(_kept, range(256)))


def words_of_chunks(chunks: Sequence[str]) -> tuple[list[str], Any]:
    """`words` of all chunks, one after the other, and how many each has. A chunk holds no line end."""
    special = [place for place, chunk in enumerate(chunks) if len(chunk) > MAX_WORD or not chunk.isascii()]
    lines = list(chunks)
    for place in special:
        lines[place] = ""
    text = b" %b " % " \n ".join(lines).encode("ascii").translate(_TABLE)
    for written, blanks in _APOSTROPHES:  # one is left only between two characters of a word
        text = text.replace(written, blanks)
    sizes = words_by_line(text)[: len(chunks)]
    return _with_special(text.decode("ascii").split(), sizes, chunks, special), sizes


def _with_special(plain: list[str], sizes: Any, chunks: Sequence[str], special: list[int]) -> list[str]:
    """Puts in the words of the chunks that were left out, and their sizes."""
    if not special:
        return plain
    before = (sizes.cumsum() - sizes)[special].tolist()
    found = plain[: before[0]]
    for place, (start, end) in zip(special, pairwise([*before, len(plain)]), strict=True):
        inner = words(chunks[place])
        sizes[place] = len(inner)
        found += inner
        found += plain[start:end]
    return found
