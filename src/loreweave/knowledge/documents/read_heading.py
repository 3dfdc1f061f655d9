"""The words of one heading, and the id that its author wrote behind them."""

import re

from loreweave.knowledge.documents.page_outline import OutlineHeading

_EXPLICIT = re.compile(rb"\{:?[ \t]*+#([^\s{}]++)(?:[ \t][^{}\n]*+)?\}[ \t]*+")


def read_heading(data: bytes, pieces: list[tuple[str, int, int]], level: int, start: int, end: int) -> OutlineHeading:
    """Pieces are the heading's inline texts with their places; `top` and `block` are still open."""
    explicit: str | None = None
    mark = _find_mark(data, pieces, start) if pieces else -1
    if mark >= 0:
        found = _EXPLICIT.match(data, mark)
        explicit = found[1].decode("utf-8") if found else None
        pieces = _without_tail(pieces, mark)
    slug_text = "".join(text for text, _, _ in pieces)
    if explicit is not None:
        slug_text = slug_text.rstrip()
    return OutlineHeading(level, False, " ".join(slug_text.split()), slug_text, explicit, mark, start, end, -1)


def _find_mark(data: bytes, pieces: list[tuple[str, int, int]], start: int) -> int:
    """Where a written id begins; in a code span or behind a backslash it is none."""
    last = pieces[-1][2]
    mark = data.rfind(b"{", start, last)
    if mark <= start or data[mark - 1 : mark] == b"\\" or not _EXPLICIT.fullmatch(data, mark, last):
        return -1
    in_code = data.startswith(b"`", pieces[-1][1]) and pieces[-1][1] < mark
    return -1 if in_code else mark


def _without_tail(pieces: list[tuple[str, int, int]], mark: int) -> list[tuple[str, int, int]]:
    kept = []
    for text, start, end in pieces:
        if start < mark:
            kept.append((text if end <= mark else text[: text.rfind("{")], start, end))
    return kept
