"""Where sentences end, and the sentence around a link: what its author said when linking."""

import re
from bisect import bisect_right
from collections.abc import Iterator

from loreweave.language.markdown.page_outline import OutlineBlock

MAX_CONTEXT = 300

_REACH = MAX_CONTEXT + 20  # characters of source looked at on either side, so that long paragraphs stay cheap
# Each pattern starts with one set of characters: the regex engine then jumps from one to the next.
_BREAK = re.compile(
    r"[\[.!?…。！？](?:(?<=\[)\[[^\[\]\n]{1,512}+\]\]"  # a link is skipped whole: nothing ends inside
    r"|(?<=[.!?…])[.!?…]*+[\"'”’»)\]*_]*+\s++(?=\S)"
    r"|(?<=[。！？])[。！？]*+[”’」』）]*+)"
)
_LAST_WORD = re.compile(r"[\w.]+$")
_QUOTE_PREFIX = re.compile(r"\n[ \t]*+(?:>[ \t]?)++")
_ABBREVIATIONS = (
    " e.g i.e eg ie etc vs cf ca al approx resp viz incl excl esp fig figs eq eqs chap vol nos pp eds"
    " mr mrs ms dr prof st mt jr sr inc ltd dept misc sec ch ph.d bzw usw ggf vgl p.ex ibid"
    " jan feb mar apr jun jul aug sep sept oct nov dec "
)
_INITIALS = re.compile(r"[^\W\d_](?:\.[^\W\d_])*+")  # "J. Smith", "the U.S. Army", "z.B. Hunde"


class Sentences:
    """Sentence breaks of one block, found once for all its links. Places are bytes of the parsed text."""

    def __init__(self, data: bytes, block: OutlineBlock) -> None:
        self._data = data
        self.block = block
        self._known = block.first, 0  # a byte, and the character there
        self._text = data[block.first : block.last].decode("utf-8", "replace")
        self._breaks: list[int] | None = None

    def around(self, start: int, end: int) -> str:
        """The sentence that holds what stands there, at most 300 characters of it."""
        byte, start = start, self._place(start)
        self._known, end = (byte, start), self._place(end)
        breaks = self._find_breaks()
        index = bisect_right(breaks, start)
        first = breaks[index - 1] if index else 0
        index = bisect_right(breaks, max(start, end - 1))
        last = breaks[index] if index < len(breaks) else len(self._text)
        low, high = max(first, start - _REACH), min(last, end + _REACH)
        if high < last:  # what is looked at ends with a word
            high = max(end, self._text.rfind(" ", end, high))
        before, after = self._clean(low, start), self._clean(end, high)
        link = " ".join(self._text[start:end].split())
        if low > first or high < last or len(before) + len(link) + len(after) > MAX_CONTEXT:
            before, link, after = _fit(before, link, after)
        return (before + link + after).strip("| " if self.block.kind == "row" else " ")

    def _place(self, position: int) -> int:
        """The character at a byte of the parsed text, counted on from the link before: there may be very many."""
        if len(self._text) == self.block.last - self.block.first:
            return position - self.block.first
        byte, place = self._known if self._known[0] <= position else (self.block.first, 0)
        return place + len(self._data[byte:position].decode("utf-8", "replace"))

    def _find_breaks(self) -> list[int]:
        if self._breaks is None:
            text = self._text
            self._breaks = []
            if self.block.kind in ("text", "term", "definition") or len(text) > MAX_CONTEXT:
                self._breaks = list(sentence_starts(text))
        return self._breaks

    def _clean(self, start: int, end: int) -> str:
        """Whitespace collapsed to single blanks, one kept at either end if there was any."""
        piece = self._text[start:end]
        if self.block.quoted:
            piece = _QUOTE_PREFIX.sub("\n", piece)
        words = " ".join(piece.split())
        if not words:
            return " " if piece else ""
        return (" " if piece[0].isspace() else "") + words + (" " if piece[-1].isspace() else "")


def sentence_starts(text: str) -> Iterator[int]:
    """Where each sentence but the first begins."""
    for found in _BREAK.finditer(text):
        if found.end() < len(text) and _is_break(text, found):
            yield found.end()


def first_sentence(text: str) -> str:
    return text[: next(sentence_starts(text), len(text))].strip()


def _is_break(text: str, found: re.Match[str]) -> bool:
    mark = text[found.start()]
    if mark == "[":
        return False
    if mark in "。！？":
        return True
    if text[found.end()].islower():
        return False
    if mark != "." or text[found.start() + 1] == ".":
        return True
    word = _LAST_WORD.search(text[max(0, found.start() - 12) : found.start()])
    if word is None:
        return True
    folded = word[0].casefold()
    if folded == "no":  # a number's sign, or an answer
        return not (text[found.end()].isdigit() or text[found.end()] in "#[")
    if _INITIALS.fullmatch(word[0]):
        return word[0] == "I"  # rather the speaker than an initial
    return f" {folded} " not in _ABBREVIATIONS


def _fit(before: str, link: str, after: str) -> tuple[str, str, str]:
    """Cut at words on both sides, never inside another link."""
    if not link.startswith(("[[", "![[")):
        link = link[:MAX_CONTEXT]
    room = max(0, MAX_CONTEXT - len(link))
    share_before = min(len(before), max(room // 2, room - len(after)))
    share_after = min(len(after), room - share_before)
    return _tail(before, share_before), link, _head(after, share_after)


def _tail(text: str, length: int) -> str:
    if length >= len(text):
        return text
    kept = text[len(text) - length :]
    if text[len(text) - length - 1] != " ":
        kept = kept.partition(" ")[2] if " " in kept else ""
    closing, opening = kept.find("]]"), kept.find("[[")
    return kept[closing + 2 :] if closing >= 0 and (opening < 0 or closing < opening) else kept


def _head(text: str, length: int) -> str:
    if length >= len(text):
        return text
    kept = text[:length]
    if text[length] != " ":
        kept = kept.rpartition(" ")[0]
    opening = kept.rfind("[[")
    return kept[:opening] if opening >= 0 and kept.find("]]", opening) < 0 else kept
