"""The pieces of a text as the static embedder reads them: lower case, ASCII marks blank.

Marks carry no weight there, so nothing is lost, and "Memory," and "memory." are one word to remember.
"""

from __future__ import annotations

import re
import string
from itertools import pairwise

from loreweave.seams.embedding.pieces import piece_length, pieces
from loreweave.seams.embedding.word_table import word_spans
from loreweave.seams.embedding.wordpiece import CJK_RANGES, split_words

_LOWERED = bytes.maketrans(
    (string.ascii_uppercase + string.punctuation).encode(),
    (string.ascii_lowercase + " " * len(string.punctuation)).encode(),
)
_ASCII = bytes(range(128))
_CONTROLS = bytes(code for code in range(32) if chr(code) not in "\t\n\r")
_CUT_OTHERWISE = re.compile(rf"[\s{CJK_RANGES}]")  # beyond ASCII: what ends a word and is no ASCII blank


def lowered_words(text: str) -> bytes:
    """All words of a text, lowered, in UTF-8."""
    encoded = _encoded(text)
    return _lowered(encoded if _is_plain(encoded) else _encoded(" ".join(split_words(text))))


def lowered_pieces(text: str) -> list[bytes]:
    """`pieces(text)`, each of them lowered; cut by byte positions where blanks alone tell the words apart."""
    encoded = _encoded(text)
    if not _is_plain(encoded):
        return [_lowered(_encoded(piece)) for piece in pieces(text)]
    starts, _ = word_spans(encoded)
    lowered = _lowered(encoded)
    cuts = [*starts[:: piece_length(len(starts))].tolist(), len(encoded)]
    return [lowered[start:end] for start, end in pairwise(cuts)]


def _encoded(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")


def _lowered(encoded: bytes) -> bytes:
    return encoded.translate(_LOWERED, _CONTROLS)


def _is_plain(encoded: bytes) -> bool:
    """Whether words end at blanks, tabs and line ends alone."""
    if len(encoded.translate(None, _CONTROLS)) != len(encoded):
        return False
    beyond = encoded.translate(None, _ASCII)
    return not beyond or not _CUT_OTHERWISE.search(beyond.decode("utf-8", "surrogatepass"))
