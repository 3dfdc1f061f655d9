"""Memories for the benchmarks, made of words as unevenly common as those of a language, and put into a store."""

import random
import uuid
from collections.abc import Sequence
from itertools import accumulate

from loreweave.language.tokens import TABLES
from loreweave.memory.search.memory_index import MemoryIndex
from loreweave.memory.search.memory_index_library import MemoryIndexLibrary
from loreweave.memory.search.read_memory_text import read_texts
from loreweave.seams.embedding.embedder import Embedder
from loreweave.seams.storage.store import Store

_COLUMNS = (
    *("memory_key", "node_id", "scope", "name", "content", "text_hash", "importance", "tags", "version", "created_at"),
    *("updated_at", "access_count", "state", "derived_from", "inherits", "revision"),
)
_AT_ONCE = 2000


class Writer:
    """Makes up texts and queries; the same ones in every run."""

    def __init__(self, seed: int = 7) -> None:
        self._random = random.Random(seed)
        words = sorted(word for word in TABLES().words if word.isalpha() and word.islower() and len(word) > 2)
        self._random.shuffle(words)
        self._words = words[:20_000]
        self._weights = list(accumulate(1 / rank for rank in range(1, len(self._words) + 1)))

    def text(self) -> str:
        return self.words(self._random.randint(20, 80))

    def query(self) -> str:
        return self.words(self._random.randint(1, 5))

    def words(self, count: int) -> str:
        return " ".join(self._random.choices(self._words, cum_weights=self._weights, k=count))


def fill_store(store: Store, texts: Sequence[str], embedder: Embedder | None, scopes: Sequence[str] = ()) -> None:
    """Puts memories into an empty store, with vectors, without segments; `scopes` one a text, or all in one."""
    chance = random.Random(1)
    with store.write() as connection:
        connection.execute("UPDATE memory_counter SET revision = 1")
        for start in range(0, len(texts), _AT_ONCE):
            some = texts[start : start + _AT_ONCE]
            rows = [
                (key, str(uuid.UUID(int=chance.getrandbits(128), version=4)), scopes[key - 1] if scopes else "default",
                 text[:80], text, "", 0.5, "[]", 1, key, key, 0, "live", "[]", 0, 1)
                for key, text in enumerate(some, start=start + 1)
            ]  # fmt: skip
            connection.insert_many("memories", _COLUMNS, rows)
            readings = read_texts([(text[:80], [], text) for text in some], embedder)
            connection.insert_many(
                "memory_vectors",
                ("memory_key", "reader", "vectors"),
                [(start + at, one.reader, one.vectors) for at, one in enumerate(readings, start=1)],
            )


def open_index(store: Store, embedder: Embedder | None) -> tuple[MemoryIndexLibrary, MemoryIndex]:
    library = MemoryIndexLibrary(store, lambda: embedder)
    with store.read() as connection:
        return library, library.current(connection)
