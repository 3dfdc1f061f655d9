"""Writes the table of what a slug deletes and how it lower-cases, from Unicode 13.

The table must not follow the running Python, whose characters are newer: run this with Python 3.9 or 3.10.

python3.10 scripts/write_slug_characters.py
"""

import sys
import unicodedata
from itertools import groupby
from pathlib import Path

TABLE = Path(__file__).resolve().parents[1] / "src/loreweave/language/markdown/slug_characters.txt"
DELETED = {"No", "Pe", "Pf", "Pi", "Ps", "Po", "Pd", "Cc", "Cf", "Co", "Cn"}
KEPT = {
    0x20,
    0x2D,
    *range(0x24B6, 0x24EA),
    *range(0x1F130, 0x1F14A),
    *range(0x1F150, 0x1F16A),
    *range(0x1F170, 0x1F18A),
}


def is_deleted(code: int) -> bool:
    """Whether a slug drops the character."""
    category = unicodedata.category(chr(code))
    return code not in KEPT and (category in DELETED or category[0] in "SZ")


def ranges(codes: list) -> str:
    """Runs of neighbours as `first-last`, in hexadecimal."""
    runs = []
    for _, run in groupby(enumerate(codes), lambda pair: pair[1] - pair[0]):
        members = [code for _, code in run]
        runs.append(f"{members[0]:x}-{members[-1]:x}")
    return " ".join(runs)


def lowered() -> dict:
    """Distance to the lower-case character -> characters; the one that becomes two is not among them."""
    found: dict = {}
    for code in range(sys.maxunicode + 1):
        lower = chr(code).lower()
        if len(lower) == 1 and ord(lower) != code:
            found.setdefault(ord(lower) - code, []).append(code)
    return found


def main() -> None:
    """One line of deleted ranges, then one line of ranges for each distance."""
    if unicodedata.unidata_version != "13.0.0":
        raise SystemExit(f"needs the characters of Unicode 13, this Python has {unicodedata.unidata_version}")
    lines = ["deleted " + ranges([code for code in range(sys.maxunicode + 1) if is_deleted(code)])]
    lines += [f"{distance} {ranges(codes)}" for distance, codes in sorted(lowered().items())]
    TABLE.write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
