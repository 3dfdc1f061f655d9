"""One spelling for many: compatible forms, case and accents folded away."""

import re
import unicodedata

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
