"""The words of one heading, and the id that its author wrote behind them."""

import re

from loreweave.knowledge.asking.documents.page_outline import OutlineHeading

_EXPLICIT = re.compile(rb"\{:?[ \t]*+#([^\s{}]++)(?:[ \t][^{}\n]*+)?\}[ \t]*+")


def read_heading(data: bytes, pieces: list[tuple[str, int, int]], level: int, start: int, end: int) -> OutlineHeading:
    """Pieces are the heading's inline texts with their places; `top` and `block` are still open."""
    explicit: str | None = None
    if pieces:
        last = pieces[-1][2]
        mark = data.rfind(b"{", start, last)
        found = _EXPLICIT.fullmatch(data, mark, last) if mark >= 0 and data[mark - 1 : mark] != b"\\" else None
        # An id inside of a code span is code.
        if found and not any(first < mark < last and data.startswith(b"`", first) for _, first, last in pieces):
            explicit = found[1].decode("utf-8")
            pieces = _without_tail(pieces, mark)
    slug_text = "".join(text for text, _, _ in pieces)
    if explicit is not None:
        slug_text = slug_text.rstrip()
    return OutlineHeading(level, False, " ".join(slug_text.split()), slug_text, explicit, start, end, -1)


def _without_tail(pieces: list[tuple[str, int, int]], mark: int) -> list[tuple[str, int, int]]:
    kept = []
    for text, start, end in pieces:
        if start < mark:
            kept.append((text if end <= mark else text[: text.rfind("{")], start, end))
    return kept
