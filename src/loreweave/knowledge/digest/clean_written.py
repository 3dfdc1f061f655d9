"""Texts that somebody wrote, without links and HTML: they lead nowhere but to what we address ourselves."""

import re

_CODE = re.compile(r"(`[^`\n]+`)")
_LINK = re.compile(r"!?\[([^\[\]]*)\](?:\([^()\n]*(?:\([^()\n]*\)[^()\n]*)*\)|\[[^\[\]]*\])")
_ADDRESS = re.compile(r"<?\b[A-Za-z][A-Za-z0-9+.-]{0,30}://[^\s<>]+>?")
_TAG = re.compile(r"</?[A-Za-z!?][^<>]*>")
_OPENED = re.compile(r"<(?=[A-Za-z/!?])")
_PASSES = 8  # what was removed may have held apart what then reads as another link
_BARE = str.maketrans({"[": " ", "]": " ", "<": " ", ">": " "})


def clean_text(text: str) -> str:
    """Cleaning twice changes nothing more: a text read back from a digest stays as it is."""
    whole = text.encode("utf-8", "replace").decode()  # half a surrogate pair could not be stored
    parts = _CODE.split(whole)
    parts[::2] = [_cleaned(part) for part in parts[::2]]  # every other one is a code span, which is neither
    return "".join(parts).strip()


def _cleaned(text: str) -> str:
    for _ in range(_PASSES):
        cleaned = _without_links(text)
        if cleaned == text:
            return cleaned.replace("](", "] (")
        text = cleaned
    return text.translate(_BARE).replace("://", ": //")  # nested beyond reason


def _without_links(text: str) -> str:
    plain = _ADDRESS.sub("", _LINK.sub(r"\1", _without_comments(text)))
    return _OPENED.sub("", _TAG.sub("", plain))


def _without_comments(text: str) -> str:
    kept = []
    here = 0
    while (start := text.find("<!--", here)) >= 0 and (end := text.find("-->", start + 4)) >= 0:
        kept.append(text[here:start])
        here = end + 3
    return "".join(kept) + text[here:]
