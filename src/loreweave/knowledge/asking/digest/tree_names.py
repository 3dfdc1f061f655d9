"""Names of files for ids and terms: safe on every file system, and never two things in one file."""

import hashlib
import re
import unicodedata
from collections.abc import Sequence

from loreweave.errors import InvalidInput

GLOSSARY, SOURCES, META, LLMS = "_glossary", "_source", "_meta.md", "llms.txt"
_LONGEST = 150  # bytes of a name before it is cut; file systems take 255, some fewer
_OBJECTED = re.compile('[\x00-\x1f\x7f-\x9f<>:"/\\\\|?*%#\ud800-\udfff]')
_DEVICES = re.compile(r"(?:con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³])(?:\..*)?\Z", re.IGNORECASE | re.DOTALL)


class TreeNames:
    """Deals out paths; one that would meet another on a file system that folds letters is spelled another way."""

    def __init__(self) -> None:
        self._taken: set[str] = set()

    def section(self, identity: str) -> str:
        """`guide#install` → guide/install.md."""
        page, _, anchor = identity.partition("#")
        folders = page.split("/")
        ways = [[*folders, anchor], [*folders[:-1], identity.rpartition("/")[2]]] if anchor else [folders]
        if "/" in anchor:
            ways = [[*folders, *anchor.split("/")]]
        return self._dealt([_apart(_safe_path(way)) for way in ways], ".md", identity)

    def term(self, term: str) -> str:
        return self._dealt([[GLOSSARY, _safe(term)]], ".md", term)

    def source(self, path: str) -> str:
        return self._dealt([[SOURCES, *_safe_path(path.split("/"))]], "", path)

    def _dealt(self, ways: list[list[str]], ending: str, meant: str) -> str:
        spelled = _shortened("".join(f"%{byte:02X}" for byte in meant.encode("utf-8", "surrogatepass")))
        for way in (*ways, [*ways[0][:-1], spelled]):
            path = "/".join(way) + ending
            folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKD", path).casefold())
            if folded not in self._taken:
                self._taken.add(folded)
                return path
        raise InvalidInput(f"No file can be named after {meant[:200]!r}.")


def _safe_path(parts: Sequence[str]) -> list[str]:
    return [*map(_safe_folder, parts[:-1]), _safe(parts[-1])]


def _apart(parts: list[str]) -> list[str]:
    """Not among the names that are ours."""
    return [_percent_first(parts[0]), *parts[1:]] if parts[0].startswith("_") else parts


def _safe(name: str) -> str:
    """What a file system would object to is written as %XX."""
    text = _OBJECTED.sub(_percent, name)
    if text.startswith((".", " ")) or _DEVICES.match(text):
        text = _percent_first(text)
    if text.endswith((".", " ")):
        text = text[:-1] + f"%{ord(text[-1]):02X}"
    return _shortened(text or "%")


def _safe_folder(name: str) -> str:
    """A folder never looks like one of our files."""
    text = _safe(name)
    stem, dot, ending = text.rpartition(".")
    return f"{stem}%2E{ending}" if dot and ending.casefold() in ("md", "mdx", "markdown", "txt") else text


def _shortened(text: str) -> str:
    if len(text.encode()) <= _LONGEST:
        return text
    cut = text.encode()[: _LONGEST - 30].decode("utf-8", "ignore")
    cut = cut[: cut.rindex("%")] if "%" in cut[-2:] else cut
    return f"{cut}%7E{hashlib.sha256(text.encode()).hexdigest()[:16]}"


def _percent(found: re.Match[str]) -> str:
    return "".join(f"%{byte:02X}" for byte in found[0].encode("utf-8", "surrogatepass"))


def _percent_first(text: str) -> str:
    return f"%{ord(text[0]):02X}{text[1:]}"
