"""Words to the numbers of their tokens: each different word once."""

from __future__ import annotations

import string
from collections.abc import Sequence

import numpy

from loreweave.language.number_words import words_by_line
from loreweave.seams.embedding.wordpiece import longest_matches, split_parts

_REMEMBERED_WORDS = 200_000  # then the memory starts anew; it only saves time
_LONGEST_REMEMBERED = 64

_LOWERED = bytes.maketrans(
    (string.ascii_uppercase + string.punctuation).encode(),
    (string.ascii_lowercase + " " * len(string.punctuation)).encode(),
)
_CONTROLS = bytes(code for code in range(32) if chr(code) not in "\t\n\r")


class TokenReader:
    """Reads words in lower case, with blanks for ASCII marks: these carry no weight, so nothing is lost, and
    "Memory," and "memory." are one word to remember."""

    def __init__(self, vocabulary: bytes, silent: numpy.ndarray) -> None:
        self._memory = _WordMemory(vocabulary.decode("utf-8").split("\n"), silent)

    def read(self, words: Sequence[str]) -> tuple[numpy.ndarray, numpy.ndarray]:
        """The tokens of all words that carry weight, in order, and how many each word has."""
        together = "\n".join(words).encode("utf-8", "surrogatepass").translate(_LOWERED, _CONTROLS)
        heard = list(map(self._memory.__getitem__, together.split()))
        tokens = numpy.frombuffer(b"".join(heard), dtype=numpy.uint16)
        sizes = numpy.fromiter(map(len, heard), dtype=numpy.intp, count=len(heard)) // 2
        before = numpy.concatenate(([0], numpy.cumsum(sizes)))
        bounds = numpy.concatenate(([0], numpy.cumsum(words_by_line(together)[: len(words)])))
        return tokens, numpy.diff(before[bounds])


class _WordMemory(dict[bytes, bytes]):
    """Lowered word → the ids of its tokens that carry weight, as native uint16 bytes."""

    def __init__(self, tokens: list[str], silent: numpy.ndarray) -> None:
        super().__init__()
        ids = numpy.arange(len(tokens), dtype=numpy.uint16).view("V2").tolist()  # V2: two bytes each
        for index in silent.nonzero()[0].tolist():
            ids[index] = b""
        self._tokens: dict[str, bytes] = dict(zip(tokens, ids, strict=True))
        self._parts: dict[str, bytes] = {}

    def __missing__(self, word: bytes) -> bytes:
        text = word.decode("utf-8", "surrogatepass")
        heard = b"".join(map(self._read, [text] if word.isalnum() else split_parts(text)))
        if len(word) <= _LONGEST_REMEMBERED:
            if len(self) >= _REMEMBERED_WORDS:
                self.clear()
                self._parts.clear()
            self[word] = heard
        return heard

    def _read(self, part: str) -> bytes:
        heard = self._tokens.get(part)
        if heard is None:
            heard = self._parts.get(part)
        if heard is None:
            heard = b"".join(map(self._tokens.__getitem__, longest_matches(part, self._tokens)))
            if len(part) <= _LONGEST_REMEMBERED:
                self._parts[part] = heard
        return heard
