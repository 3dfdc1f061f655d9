"""The sentence around a link: what its author said when linking."""

import re
from bisect import bisect_right

from loreweave.language.markdown.blocks import ITEM, PARAGRAPH, ROW, Block
from loreweave.language.markdown.mask_comments import FILLER

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
    """Sentence breaks of one block, found once for all its links."""

    def __init__(self, text: str, block: Block) -> None:
        self._text = text
        self._block = block
        self._breaks: list[int] | None = None

    def around(self, start: int, end: int) -> str:
        """The sentence that holds text[start:end], at most 300 characters of it."""
        block, breaks = self._block, self._find_breaks()
        index = bisect_right(breaks, start)
        first = breaks[index - 1] if index else block.start
        index = bisect_right(breaks, max(start, end - 1))
        last = breaks[index] if index < len(breaks) else block.end
        low, high = max(first, start - _REACH), min(last, end + _REACH)
        before, after = self._clean(low, start), self._clean(end, high)
        link = " ".join(self._text[start:end].split())
        if low > first or high < last or len(before) + len(link) + len(after) > MAX_CONTEXT:
            before, link, after = _fit(before, link, after)
        return (before + link + after).strip("| " if block.kind == ROW else " ")

    def _find_breaks(self) -> list[int]:
        if self._breaks is None:
            text, block = self._text, self._block
            self._breaks = []
            if block.kind in (PARAGRAPH, ITEM) or block.end - block.start > MAX_CONTEXT:
                for found in _BREAK.finditer(text, block.start, block.end):
                    if found.end() < block.end and _is_break(text, found, block.start):
                        self._breaks.append(found.end())
        return self._breaks

    def _clean(self, start: int, end: int) -> str:
        """Whitespace collapsed to single blanks, one kept at either end if there was any."""
        piece = self._text[start:end]
        if self._block.quoted:
            piece = _QUOTE_PREFIX.sub("\n", piece)
        if FILLER in piece:
            piece = piece.replace(FILLER, " ")
        words = " ".join(piece.split())
        if not words:
            return " " if piece else ""
        return (" " if piece[0].isspace() else "") + words + (" " if piece[-1].isspace() else "")


def _is_break(text: str, found: re.Match[str], block_start: int) -> bool:
    mark = text[found.start()]
    if mark == "[":
        return False
    if mark in "。！？":
        return True
    if text[found.end()].islower():
        return False
    if mark != "." or text[found.start() + 1] == ".":
        return True
    word = _LAST_WORD.search(text[max(block_start, found.start() - 12) : found.start()])
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
