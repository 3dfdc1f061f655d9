"""Cuts a text into pieces of about 60 words: one vector for a long text says too little."""

from __future__ import annotations

from loreweave.seams.embedding.wordpiece import split_words

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
