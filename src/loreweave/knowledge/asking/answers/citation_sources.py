"""What an answer may cite: addresses, and text to hold code against."""

from __future__ import annotations

import html
import re
from collections.abc import Iterable
from urllib.parse import quote

_BLANKS = re.compile(r"\s+")
_ESCAPED = re.compile(r"\\([!-/:-@\[-`{-~])")
_ASCII = "".join(map(chr, range(33, 127)))  # what is already plain stays, also `%`


class CitationSources:
    """Knows every allowed address and every source's text."""

    def __init__(self, urls: Iterable[str], texts: Iterable[str]) -> None:
        self._urls = {_comparable(url) for url in urls}
        collapsed = [_collapsed(text) for text in texts]
        # A table writes `a\|b` for what its reader sees as `a|b`.
        self._texts = [*collapsed, *(text.replace("\\|", "|") for text in collapsed if "\\|" in text)]

    def has_url(self, written: str) -> bool:
        """Whether an address as written in Markdown is one of the sources'; raw and percent-encoded are the same."""
        plain = html.unescape(_ESCAPED.sub(r"\1", written))
        return _comparable(plain) in self._urls or _comparable(written) in self._urls

    def has_code(self, code: str) -> bool:
        """Whether the code stands in a source, byte for byte but for runs of blanks."""
        wanted = _collapsed(code)
        return any(wanted in text for text in self._texts)


def _comparable(url: str) -> str:
    return quote(url.encode("utf-8", "replace"), safe=_ASCII)


def _collapsed(text: str) -> str:
    return _BLANKS.sub(" ", text).strip()
