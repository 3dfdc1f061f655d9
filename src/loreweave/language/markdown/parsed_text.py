"""A document's body as the parser gets it, and the way back to the bytes of its source."""

from bisect import bisect_right

Change = tuple[int, int, bytes]  # from, to, and what stands there instead


class ParsedText:
    """What is parsed: the body, some stretches cut out or said otherwise. Positions count UTF-8 bytes."""

    __slots__ = ("_lengths", "_origins", "_starts", "data", "source")

    def __init__(self, source: bytes, start: int, changes: list[Change]) -> None:
        """Changes are stretches of the source from `start` on, in order; what begins inside another goes with it."""
        self.source = source
        self._starts: list[int] = []
        self._origins: list[int] = []
        self._lengths: list[int] = []  # in the source
        pieces: list[bytes] = []
        at = start
        for first, last, instead in changes:
            if first < at:  # inside of what is left out already
                at = max(at, last)
                continue
            self._add(pieces, source[at:first], at, first - at)
            self._add(pieces, instead, first, last - first)
            at = last
        self._add(pieces, source[at:], at, len(source) - at)
        if not pieces:
            self._starts, self._origins, self._lengths = [0], [at], [0]
        self.data = b"".join(pieces)

    def _add(self, pieces: list[bytes], piece: bytes, origin: int, length: int) -> None:
        if piece:
            self._starts.append(self._starts[-1] + len(pieces[-1]) if pieces else 0)
            self._origins.append(origin)
            self._lengths.append(length)
            pieces.append(piece)

    def origin(self, position: int) -> int:
        """Where a byte of the parsed text stands in the source."""
        index = bisect_right(self._starts, position) - 1
        beyond, most = position - self._starts[index], self._lengths[index] - 1
        if beyond > most and index + 1 < len(self._starts):  # what stands for other text may be longer than it
            beyond = max(0, most)
        return self._origins[index] + beyond

    def parsed_place(self, origin: int) -> int:
        """Where a byte of the source, or what follows it, stands in the parsed text."""
        index = max(0, bisect_right(self._origins, origin) - 1)
        return self._starts[index] + max(0, origin - self._origins[index])

    def stretch(self, start: int, end: int) -> tuple[int, int]:
        """The source from the first to the last of these bytes, with what was left out between them."""
        if end <= start:
            place = self.origin(start)
            return place, place
        index = bisect_right(self._starts, end - 1) - 1
        following = self._starts[index + 1] if index + 1 < len(self._starts) else len(self.data)
        if end == following:  # all of what stands for other text, which may be longer
            return self.origin(start), self._origins[index] + self._lengths[index]
        return self.origin(start), self.origin(end - 1) + 1
