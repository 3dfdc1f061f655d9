"""Inline code: which run of backticks closes which."""

import re
from bisect import bisect_left

_RUNS = re.compile(r"`++")


class CodeSpans:
    """Backtick runs of one block, by length, so that a run without partner is known without a search."""

    def __init__(self, text: str, start: int, end: int) -> None:
        self._starts: dict[int, list[int]] = {}
        for run in _RUNS.finditer(text, start, end):
            self._starts.setdefault(run.end() - run.start(), []).append(run.start())

    def end_of(self, start: int, end: int) -> int:
        """Where the code opened by the run from start to end is over; `end` itself when nothing closes it."""
        length = end - start
        starts = self._starts.get(length, ())
        following = bisect_left(starts, end)
        return starts[following] + length if following < len(starts) else end
