"""What a link asks for: the target and the headings behind it."""

import re

_SEPARATOR = re.compile(r"\\?\|")
_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:|//")
_ESCAPED = re.compile(r"\\([!-/:-@\[-`{-~])")


def split_wikilink(raw: str) -> tuple[str, tuple[str, ...]]:
    """Target and headings of what stands between `[[` and `]]`; an empty target is no link."""
    if "|" in raw:
        raw = _SEPARATOR.split(raw, 1)[0]
    if "#" not in raw:
        return raw.strip(), ()
    target, *anchors = raw.split("#")
    return target.strip(), _headings(anchors)


def split_destination(raw: str) -> tuple[str, tuple[str, ...]]:
    """Target and headings of a markdown link's destination; empty for URLs and links within the page."""
    if _SCHEME.match(raw):
        return "", ()
    if "\\" in raw:
        raw = _ESCAPED.sub(r"\1", raw)
    path, _, anchor = raw.partition("#")
    path = path.partition("?")[0]
    if "%" in raw:
        path, anchor = _decode(path), _decode(anchor)
    return path.strip(), _headings([anchor])


def _headings(anchors: list[str]) -> tuple[str, ...]:
    trimmed = (anchor.strip() for anchor in anchors)
    return tuple(dict.fromkeys(anchor for anchor in trimmed if anchor and anchor[0] != "^"))


def _decode(text: str) -> str:
    from urllib.parse import unquote

    decoded = unquote(text, errors="replace")
    return " ".join(decoded.replace("\0", "\ufffd").splitlines())
