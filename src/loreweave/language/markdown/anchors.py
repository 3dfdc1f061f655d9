"""Anchors of headings, as three families of site generators make them."""

import re
import unicodedata
from bisect import bisect_right
from collections.abc import Iterable
from functools import cache
from pathlib import Path

from loreweave.language.markdown.page_outline import OutlineHeading

GITHUB, ASTRO, MKDOCS = SLUG_SCHEMES = ("github", "astro", "mkdocs")

_NOT_MKDOCS = re.compile(r"[^\w\s-]", re.ASCII)
_MKDOCS_BLANKS = re.compile(r"[-\s]+", re.ASCII)
_COUNTED = re.compile(r"(.*)_([0-9]{1,18})", re.DOTALL)


class Slugger:
    """Gives every heading of one page its anchor, in order of appearance; none is given twice.

    Ids that a page writes itself are reserved from the start: they win over an equal heading above them.
    """

    def __init__(self, scheme: str, reserved: Iterable[str] = ()) -> None:
        if scheme not in SLUG_SCHEMES:
            raise ValueError(f"slug scheme must be one of {', '.join(SLUG_SCHEMES)}: {scheme!r}")
        self._scheme = scheme
        self._unclaimed = set(reserved)
        self._given: set[str] = set()
        self._counts = dict.fromkeys(self._unclaimed, 0)
        self._next: dict[str, str] = {}

    def slug(self, heading: str, explicit: str | None = None) -> str:
        """The anchor of the next heading; an explicit id wins, unless another heading wrote the same."""
        if explicit is not None:
            if explicit not in self._given and (explicit in self._unclaimed or explicit not in self._counts):
                self._unclaimed.discard(explicit)
                self._counts.setdefault(explicit, 0)
                self._given.add(explicit)
                return explicit
            candidate = explicit
        else:
            candidate = mkdocs_slug(heading) if self._scheme == MKDOCS else github_slug(heading)
        anchor = self._free_underscored(candidate) if self._scheme == MKDOCS else self._free_hyphened(candidate)
        self._given.add(anchor)
        return anchor

    def _free_hyphened(self, original: str) -> str:
        while True:
            anchor = original
            while anchor in self._counts:
                self._counts[original] += 1
                anchor = f"{original}-{self._counts[original]}"
            self._counts[anchor] = 0
            if self._scheme == ASTRO and anchor.endswith("-"):
                # `a` and `a-` meet after the cut: the later one then keeps its hyphen.
                cut = anchor[:-1]
                anchor = anchor if cut in self._given or cut in self._unclaimed else cut
            if anchor not in self._given:
                return anchor

    def _free_underscored(self, anchor: str) -> str:
        trail = []
        while not anchor or anchor in self._counts:
            trail.append(anchor)
            anchor = self._next.get(anchor) or _count_up(anchor)
        for passed in trail:
            self._next[passed] = anchor  # many equal headings must not count from one again
        self._counts[anchor] = 0
        return anchor


def give_anchors(headings: list[OutlineHeading], scheme: str) -> list[str]:
    """The anchor of every heading of a page."""
    slugger = Slugger(scheme, (heading.explicit for heading in headings if heading.explicit is not None))
    return [slugger.slug(heading.slug_text, heading.explicit) for heading in headings]


def github_slug(heading: str) -> str:
    """Lower-case, without marks and symbols, blanks as hyphens; may be empty."""
    if heading.isascii():
        return heading.translate(_ascii_table())
    return _with_final_sigmas(heading).translate(_characters())


def mkdocs_slug(heading: str) -> str:
    """What is left in ASCII, words joined by one hyphen; may be empty."""
    plain = unicodedata.normalize("NFKD", heading).encode("ascii", "ignore").decode()
    return _MKDOCS_BLANKS.sub("-", _NOT_MKDOCS.sub("", plain).strip().lower())


def _count_up(anchor: str) -> str:
    counted = _COUNTED.fullmatch(anchor)
    return f"{counted[1]}_{int(counted[2]) + 1}" if counted else f"{anchor}_1"


class _Characters(dict[int, int | str | None]):
    """What becomes of a character, looked up once: None deletes it."""

    def __init__(self, deleted: list[tuple[int, int]], lowered: dict[int, int]) -> None:
        super().__init__(lowered)
        self[0x20] = "-"
        self[0x130] = "i\u0307"
        self._starts = [first for first, _ in deleted]
        self._ends = [last for _, last in deleted]

    def __missing__(self, code: int) -> int | None:
        index = bisect_right(self._starts, code) - 1
        kept = None if index >= 0 and code <= self._ends[index] else code
        self[code] = kept
        return kept


@cache
def _characters() -> _Characters:
    """The committed table of Unicode 13; the running Python knows thousands of characters more."""
    deleted: list[tuple[int, int]] = []
    lowered: dict[int, int] = {}
    table = (Path(__file__).parent / "slug_characters.txt").read_text(encoding="utf-8")
    for line in table.splitlines():
        kind, *runs = line.split()
        bounds = [(int(first, 16), int(last, 16)) for first, _, last in (run.partition("-") for run in runs)]
        if kind == "deleted":
            deleted = bounds
        else:
            lowered.update((code, code + int(kind)) for first, last in bounds for code in range(first, last + 1))
    return _Characters(deleted, lowered)


@cache
def _ascii_table() -> dict[int, int | str | None]:
    characters = _characters()
    return {code: characters[code] for code in range(128)}


def _with_final_sigmas(heading: str) -> str:
    """A capital sigma is written otherwise at the end of a word; only its neighbours tell."""
    if "Σ" not in heading:
        return heading
    lowered = heading.replace("İ", "I").lower()  # the one character that becomes two
    return "".join(low if high == "Σ" else high for high, low in zip(heading, lowered, strict=True))
