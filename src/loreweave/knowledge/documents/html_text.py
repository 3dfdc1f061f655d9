"""Text between the tags of raw HTML."""

import re
from collections.abc import Iterator

_TAG = re.compile(rb"</?([A-Za-z][A-Za-z0-9-]*+)(?:[^<>\"']*+(?:\"[^\"]*+\"|'[^']*+'))*+[^<>\"']*+>")
_HIDDEN = (b"script", b"style", b"template")


def find_html_text(data: bytes, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Stretches of data[start:end] that a reader would see: no tags, comments, scripts or styles."""
    at = text = start
    while (mark := data.find(b"<", at, end)) >= 0:
        if data.startswith(b"<!--", mark):
            close = data.find(b"-->", mark + 4, end)
            after = close + 3 if close >= 0 else end
        else:
            after = _tag_end(data, mark, end)
        if after == mark:
            at = mark + 1
            continue
        if mark > text:
            yield text, mark
        at = text = after
    if end > text:
        yield text, end


def _tag_end(data: bytes, mark: int, end: int) -> int:
    """Behind the tag, or behind the whole element where it is hidden; the mark itself if it opens none."""
    tag = _TAG.match(data, mark, end)
    if tag is None:
        return mark
    name = tag[1].lower()
    if name not in _HIDDEN or tag[0].startswith(b"</"):
        return tag.end()
    close = data.find(b"</" + name, tag.end(), end)
    if close < 0:
        return end
    closed = data.find(b">", close, end)
    return closed + 1 if closed >= 0 else end
