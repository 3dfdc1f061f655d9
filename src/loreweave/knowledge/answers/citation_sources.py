"""What an answer may cite: addresses, and text to hold code against."""

from __future__ import annotations

import re
from collections.abc import Iterable
from urllib.parse import quote

_BLANKS = re.compile(r"\s+")
# A name as code writes it: `--no-cache`, `search.limit`, `1.2.3`. Characters of scripts without blanks stand alone.
_LETTER = r"[^\W\u1100-\u11ff\u3005-\u30ff\u3400-\u9fff\uac00-\ud7ff\uf900-\ufaff\U00020000-\U0003ffff]"
_TOKEN = re.compile(rf"(?:-++|(?={_LETTER}))(?:{_LETTER}++(?:(?:\.|-++){_LETTER}++)*+)?+")
ASCII = "".join(map(chr, range(33, 127)))  # what is already plain stays, also `%`


class CitationSources:
    """Knows every allowed address and every source's text."""

    def __init__(self, urls: Iterable[str], texts: Iterable[str]) -> None:
        self._urls = {_comparable(url) for url in urls}
        written = list(texts)
        # A table writes `a\|b` for what its reader sees as `a|b`.
        written += [text.replace("\\|", "|") for text in written if "\\|" in text]
        self._texts = [_in_tokens(text) for text in written]

    def has_url(self, url: str) -> bool:
        """Whether an address is one of the sources'; raw and percent-encoded are the same."""
        return _comparable(url) in self._urls

    def has_code(self, code: str) -> bool:
        """Whether the code stands in a source as whole words, byte for byte but for runs of blanks."""
        wanted = {_in_tokens(code), _in_tokens(code.replace("\\|", "|"))} if "\\|" in code else {_in_tokens(code)}
        return any(each in text for each in wanted for text in self._texts)


def _comparable(url: str) -> str:
    if url.isascii() and url.isprintable() and " " not in url:
        return url
    return quote(url.encode("utf-8", "replace"), safe=ASCII)


def _in_tokens(text: str) -> str:
    """The text with a mark at both ends of every name: part of a name (`--dep` of `--depth`) is not found in it."""
    collapsed = _BLANKS.sub(" ", text).strip().replace("\0", "\ufffd")
    return _TOKEN.sub("\0\\g<0>\0", collapsed)
