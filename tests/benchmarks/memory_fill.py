"""Many memories at once, written as the product would write them, but without asking each for its neighbours."""

import itertools
import json
import random
import uuid
from collections.abc import Callable

from loreweave.application import Application
from loreweave.memory.memory_record import text_hash
from loreweave.memory.search.read_memory_text import read_texts

WORDS = 20_000
AT_ONCE = 2_000
START = 1_767_225_600_000_000  # the first day of 2026
_COLUMNS = [
    *("node_id", "scope", "name", "content", "text_hash", "importance", "tags", "source", "valid_from", "valid_until"),
    *("version", "created_at", "updated_at", "last_accessed_at", "access_count", "state", "deleted_at"),
    *("recoverable_until", "merged_into", "derived_from", "inherits", "revision"),
]


def text_maker(seed: int) -> Callable[[int | None], str]:
    """Texts of 20 to 80 words, or of so many, the common ones as common as in a language."""
    chance = random.Random(0)
    words = ["".join(chance.choice("bcdfghklmnprstvz") + chance.choice("aeiou") for _ in range(chance.randint(2, 4)))
             for _ in range(WORDS)]  # fmt: skip
    weights = list(itertools.accumulate(1 / (rank + 10) for rank in range(WORDS)))
    chance = random.Random(seed)

    def make(length: int | None = None) -> str:
        count = chance.randint(20, 80) if length is None else length
        return " ".join(chance.choices(words, cum_weights=weights, k=count))

    return make


def fill_memories(application: Application, count: int, seed: int = 1) -> None:
    make, chance = text_maker(seed), random.Random(seed)
    embedder = application.embedder
    for start in range(0, count, AT_ONCE):
        texts = [make(None) for _ in range(min(AT_ONCE, count - start))]
        readings = read_texts([(text[:80], (), text) for text in texts], embedder)
        with application.store.write_alone("memory") as connection:
            revision = connection.rows("SELECT revision FROM memory_counter")[0][0] + 1
            rows = [_row(text, chance, START + start + number, revision) for number, text in enumerate(texts)]
            connection.insert_many("memories", _COLUMNS, rows)
            keys = connection.rows(
                "SELECT memory_key FROM memories WHERE revision = ? ORDER BY memory_key", (revision,)
            )
            stored = [(key, reading.reader, reading.vectors) for (key,), reading in zip(keys, readings, strict=True)]
            connection.insert_many("memory_vectors", ["memory_key", "reader", "vectors"], stored)
            connection.execute("UPDATE memory_counter SET revision = ?", (revision,))


def _row(text: str, chance: random.Random, at: int, revision: int) -> tuple[object, ...]:
    node_id = str(uuid.UUID(int=chance.getrandbits(128), version=4))
    tags = json.dumps([f"topic-{chance.randint(1, 50)}"])
    return (
        node_id, "default", text[:80], text, text_hash(text), round(chance.random(), 6), tags, None, None, None, 1, at,
        at, None, 0, "live", None, None, None, "[]", 0, revision,
    )  # fmt: skip
