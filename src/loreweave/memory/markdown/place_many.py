"""The texts of many memories of one change, put where they are found again once all of them are written."""

from __future__ import annotations

from collections.abc import Sequence

from loreweave.entities.memory import Memory
from loreweave.memory.change import Change
from loreweave.memory.changes.place_memory import pairs_of
from loreweave.memory.search.memory_index import MemoryIndex
from loreweave.memory.search.memory_index_library import MemoryIndexLibrary
from loreweave.memory.search.read_memory_text import TextReading, read_texts
from loreweave.seams.storage import memory_task_shelf

Text = tuple[str, tuple[str, ...], str]


class PlaceMany:
    """Stands in for `place_memory`: pairs of memories that are written together are found too."""

    def __init__(self, library: MemoryIndexLibrary, expected: Sequence[Memory]) -> None:
        self._library = library
        texts = [_text(memory) for memory in expected]
        self._readings = dict(zip(texts, read_texts(texts, library.embedder), strict=True))
        self._written: dict[int, tuple[Memory, TextReading]] = {}

    def read(self, name: str, tags: tuple[str, ...], content: str) -> TextReading:
        return self._readings.get((name, tags, content)) or self._library.read(name, tags, content)

    def __call__(self, change: Change, index: MemoryIndex, memory: Memory, reading: TextReading) -> None:
        self._written[memory.key] = memory, reading

    def add(self, memory: Memory) -> None:
        self._written[memory.key] = memory, self.read(*_text(memory))

    def finish(self, change: Change, index: MemoryIndex) -> None:
        """`index` is of the state before this change."""
        if not self._written:
            return
        connection, written = change.connection, list(self._written.values())
        index = self._library.beside(index, written)
        for memory, reading in written:
            self._library.keep(connection, memory.key, reading)
            memory_task_shelf.delete_pairs(connection, memory.node_id)
        pairs = {pair for memory, reading in written for pair in pairs_of(index, memory, reading)}
        memory_task_shelf.put_pairs(connection, sorted(pairs, key=lambda pair: (pair.first_id, pair.second_id)))


def _text(memory: Memory) -> Text:
    return memory.name, memory.tags, memory.content
