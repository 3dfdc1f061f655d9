"""Sentences of plain text."""

import re
from bisect import bisect_right

_END = re.compile(r"[.!?…](?:(?<=[.!?…])[.!?…]*+[\"'”’»)\]]*+(?:\s++|\Z))|[。！？][。！？]*+[”’」』）]*+")
_LAST_WORD = re.compile(r"[\w.]+$")
_ABBREVIATIONS = (
    " e.g i.e eg ie etc vs cf ca al approx resp viz incl excl esp fig figs eq eqs chap vol nos pp eds no"
    " mr mrs ms dr prof st jr sr inc ltd dept misc sec ch ph.d bzw usw ggf vgl jan feb mar apr jun jul aug sep sept oct"
    " nov dec "
)
_INITIAL = re.compile(r"[^\W\d_](?:\.[^\W\d_])*+")


def sentence_end(text: str, start: int = 0) -> int:
    """Where the sentence that begins at `start` ends, its mark included; the text's end if it has none."""
    for found in _END.finditer(text, start):
        if found.end() >= len(text) or _is_end(text, found):
            return found.start() + len(found[0].rstrip())
    return len(text)


def sentence_ends(text: str) -> list[int]:
    """Where each sentence of a text ends."""
    ends = [sentence_end(text)]
    while ends[-1] < len(text):
        ends.append(sentence_end(text, ends[-1]))
    return ends


def sentence_around(text: str, ends: list[int], place: int) -> str:
    """The sentence that holds a place of the text."""
    number = min(bisect_right(ends, place), len(ends) - 1)
    return text[ends[number - 1] if number else 0 : ends[number]].strip()


def first_sentence(text: str) -> str:
    """The text up to its first sentence's end."""
    return text[: sentence_end(text)].strip()


def _is_end(text: str, found: re.Match[str]) -> bool:
    if text[found.start()] in "。！？":
        return True
    if text[found.end()].islower():
        return False
    if text[found.start()] != ".":
        return True
    word = _LAST_WORD.search(text[max(0, found.start() - 12) : found.start()])
    if word is None or word[0] == "I":
        return True
    return not _INITIAL.fullmatch(word[0]) and f" {word[0].casefold()} " not in _ABBREVIATIONS
