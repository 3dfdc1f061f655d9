"""Chunks of text and what they mention, remembered: texts repeat most of their chunks."""

from loreweave.language.identifiers import Mention, read_mentions

_REMEMBERED = 200_000
_LONGEST_REMEMBERED = 64


class ChunkMemory(dict[str, tuple[Mention, ...]]):
    """Chunk → mentions; filled as chunks turn up, started anew when full."""

    def __missing__(self, chunk: str) -> tuple[Mention, ...]:
        found = read_mentions(chunk)
        if len(chunk) <= _LONGEST_REMEMBERED:
            if len(self) >= _REMEMBERED:
                self.clear()
            self[chunk] = found
        return found


MENTIONS = ChunkMemory()
