"""A document's body as the parser gets it, and the way back to the bytes of its source."""

from bisect import bisect_right


class ParsedText:
    """What is parsed: the body, some stretches cut out. Positions count UTF-8 bytes."""

    __slots__ = ("_cut", "_origins", "_starts", "data", "source")

    def __init__(self, source: bytes, start: int, cuts: list[tuple[int, int]]) -> None:
        """Cuts are stretches of the source from `start` on, in order and apart from one another."""
        self.source = source
        self._starts: list[int] = []
        self._origins: list[int] = []
        self._cut = bool(cuts)
        pieces: list[bytes] = []
        at, length = start, 0
        for first, last in [*cuts, (len(source), len(source))]:
            if first > at or not self._starts:
                self._starts.append(length)
                self._origins.append(at)
                pieces.append(source[at:first])
                length += first - at
            at = max(at, last)
        self.data = b"".join(pieces)

    def origin(self, position: int) -> int:
        """Where a byte of the parsed text stands in the source."""
        if not self._cut:
            return position + self._origins[0]
        index = bisect_right(self._starts, position) - 1
        return self._origins[index] + position - self._starts[index]

    def stretch(self, start: int, end: int) -> tuple[int, int]:
        """The source from the first to the last of these bytes, with what was cut between them."""
        if end <= start:
            place = self.origin(start)
            return place, place
        return self.origin(start), self.origin(end - 1) + 1
