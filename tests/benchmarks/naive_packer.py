"""The packer that needs no design: whole sections by BM25, in order of score, until the budget is full."""

import math
import re
from collections import Counter
from pathlib import Path

import numpy

from loreweave.language.terms import stem, terms, words
from loreweave.language.tokens import count_tokens

SATURATION, LENGTH_SHARE = 1.2, 0.75
_HEADING = re.compile(r"#{1,6}\s")
_FENCE = re.compile(r"\s*(`{3,}|~{3,})")


class NaivePacker:
    """Every section below a folder, as it stands in its file, from its heading to the next of any level."""

    def __init__(self, folder: Path) -> None:
        files = sorted(folder.rglob("*.md"))
        self._sections = [part for file in files for part in _sections(file.read_text(encoding="utf-8"))]
        self._tokens = [count_tokens(section) for section in self._sections]
        counts = [Counter(map(stem, words(section))) for section in self._sections]
        length = numpy.array([count.total() for count in counts], dtype=float)
        self._norm = SATURATION * (1 - LENGTH_SHARE + LENGTH_SHARE * length / length.mean())
        places: dict[str, list[int]] = {}
        for place, count in enumerate(counts):
            for term in count:
                places.setdefault(term, []).append(place)
        self._found = {
            term: (numpy.array(of), numpy.array([counts[place][term] for place in of])) for term, of in places.items()
        }

    def pack(self, question: str, budget: int) -> str:
        chosen: list[str] = []
        for place in self._ranked(question):
            if self._tokens[place] <= budget:
                chosen.append(self._sections[place])
                budget -= self._tokens[place]
        return "\n\n".join(chosen)

    def _ranked(self, question: str) -> list[int]:
        """What holds a term of the question, best first; of equal ones the first that was read."""
        score = numpy.zeros(len(self._sections))
        for term in sorted(set(terms(question)) & self._found.keys()):
            places, often = self._found[term]
            rarity = math.log(1 + (len(score) - len(places) + 0.5) / (len(places) + 0.5))
            score[places] += rarity * often * (SATURATION + 1) / (often + self._norm[places])
        order = numpy.argsort(-score, kind="stable")
        return order[score[order] > 0].tolist()


def _sections(source: str) -> list[str]:
    parts: list[list[str]] = [[]]
    fence = ""
    for line in source.split("\n"):
        mark = _FENCE.match(line)
        if mark and not fence:
            fence = mark[1]
        elif mark and mark[1].startswith(fence):
            fence = ""
        elif _HEADING.match(line) and not fence:
            parts.append([])
        parts[-1].append(line)
    return [text for text in ("\n".join(part).strip() for part in parts) if text]
