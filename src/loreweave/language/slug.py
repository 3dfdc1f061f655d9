"""One spelling for many ways of writing: forms, case and accents folded away; and names as they stand in ids."""

import hashlib
import re
import unicodedata

_OTHER_ASCII = re.compile(r"[^a-z0-9]+")
_BLANKS = re.compile(r"\s+")
_NOT_LEGACY = re.compile(r"[^a-z0-9-]+")
_KEPT = frozenset("LMN")  # letters, marks and digits of every script


def slug(text: str) -> str:
    """Casefold and hyphenate a name; may be empty, then `fallback_slug` of the path stands in."""
    if text.isascii():
        return _OTHER_ASCII.sub("-", _without_extension(text.lower())).strip("-")
    # Casefolding can take characters apart again, so the composed form is made twice.
    folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", text).casefold())
    kept = [
        character if unicodedata.category(character)[0] in _KEPT else " " for character in _without_extension(folded)
    ]
    return "-".join("".join(kept).split())


def _without_extension(folded: str) -> str:
    folded = folded.strip()
    return folded[: folded.rindex(".")] if folded.endswith((".md", ".mdx", ".markdown")) else folded


def fallback_slug(path: str) -> str:
    """A stable name for a path without a single letter or digit."""
    return "n-" + hashlib.sha256(path.encode("utf-8", "surrogatepass")).hexdigest()[:8]


def legacy_slug(text: str) -> str:
    """The rule of older tools: blanks are hyphens, everything else beyond a-z, 0-9 and `-` is deleted."""
    lowered = _BLANKS.sub("-", _without_extension(text.lower()))
    return _NOT_LEGACY.sub("", lowered).strip("-")


_ACCENTS = re.compile("[\u0300-\u036f]+")  # of Latin, Greek and Cyrillic; the marks of other scripts are letters
_UNSEEN = dict.fromkeys((0xAD, 0x200B, 0x200C, 0x200D, 0x2060, 0xFEFF, *range(0xFE00, 0xFE10)))
_STROKES = str.maketrans({"ø": "o", "ł": "l", "đ": "d", "ħ": "h", "ŧ": "t", "ı": "i", "æ": "ae", "œ": "oe"})


def compatible(text: str) -> str:
    """NFKC without invisible characters; case stays."""
    if text.isascii():
        return text
    return unicodedata.normalize("NFKC", text.translate(_UNSEEN)).replace("\u2019", "'")


def fold(text: str) -> str:
    """NFKC, case folded, accents folded: `Café` and `cafe` are one."""
    if text.isascii():
        return text.lower()
    parted = unicodedata.normalize("NFD", compatible(text).casefold())
    # Casefolding and dropped accents may leave parts that compose again.
    return unicodedata.normalize("NFKC", _ACCENTS.sub("", parted)).translate(_STROKES)
