"""Memories put into a store by plain SQL, as whoever stores them would, and the index over them."""

import json
import uuid
from dataclasses import dataclass, field
from typing import Any

from loreweave.entities.stored_memory import IndexedMemory
from loreweave.memory.search.memory_block import make_block
from loreweave.memory.search.memory_index import Filter, MemoryIndex, new_part
from loreweave.memory.search.memory_index_library import MemoryIndexLibrary
from loreweave.memory.search.memory_ranking import Ranking, rank_memories
from loreweave.memory.search.memory_twins import find_near, find_twins
from loreweave.memory.search.read_memory_text import read_text
from loreweave.seams.embedding.embedder import Embedder
from loreweave.seams.embedding.open_embedder import open_embedder
from loreweave.seams.storage.store import Connection, Store

LATER = 10**15


def node_id(number: int) -> str:
    return str(uuid.UUID(int=(number << 80) | (4 << 76) | (8 << 60) | number, version=4))


@dataclass
class Shelf:
    """One process at a store of memories."""

    store: Store
    embedder: str = "none"
    library: MemoryIndexLibrary = field(init=False)

    def __post_init__(self) -> None:
        self.library = MemoryIndexLibrary(self.store, self.open_embedder)

    def open_embedder(self) -> Embedder | None:
        return open_embedder(self.embedder)

    def reopened(self) -> "Shelf":
        return Shelf(self.store, self.embedder)

    def index(self) -> MemoryIndex:
        with self.store.read() as connection:
            return self.library.current(connection)

    def add(self, *contents: str, **fields: Any) -> list[str]:
        """Stores memories in one change; answers their ids."""
        with self.store.write_alone("memory") as connection:
            revision = next_revision(connection)
            return [self._insert(connection, revision, content, fields) for content in contents]

    def _insert(self, connection: Connection, revision: int, content: str, fields: dict[str, Any]) -> str:
        number = connection.rows("SELECT count(*) FROM memories")[0][0]
        number += connection.rows("SELECT count(*) FROM memory_erasures")[0][0] + 1
        row = {
            "node_id": node_id(number), "scope": "default", "name": content[:80], "content": content, "text_hash": "",
            "importance": 0.5, "tags": (), "source": None, "valid_from": None, "valid_until": None, "version": 1,
            "created_at": number, "updated_at": number, "last_accessed_at": None, "access_count": 0, "state": "live",
            "deleted_at": None, "recoverable_until": None, "merged_into": None, "derived_from": "[]", "inherits": 0,
            "revision": revision, **fields,
        }  # fmt: skip
        reading = self.library.read(row["name"], row["tags"], content)
        row["tags"] = json.dumps(row["tags"])
        marks = ",".join("?" * len(row))
        sql = f"INSERT INTO memories ({','.join(row)}) VALUES ({marks}) RETURNING memory_key"
        key = connection.rows(sql, list(row.values()))[0][0]
        self.library.keep(connection, key, reading)
        return str(row["node_id"])

    def change(self, node_id: str, **fields: Any) -> None:
        """Changes columns; with a new content also its reading."""
        with self.store.write_alone("memory") as connection:
            columns = {**fields, "revision": next_revision(connection)}
            named = ", ".join(f"{name} = ?" for name in columns)
            sql = f"UPDATE memories SET {named} WHERE node_id = ? RETURNING memory_key, name, tags, content"
            key, name, tags, content = connection.rows(sql, [*columns.values(), node_id])[0]
            if "content" in fields or "tags" in fields:
                self.library.keep(connection, key, self.library.read(name, json.loads(tags), content))

    def erase(self, node_id: str) -> None:
        with self.store.write_alone("memory") as connection:
            revision = next_revision(connection)
            key = connection.rows("DELETE FROM memories WHERE node_id = ? RETURNING memory_key", (node_id,))[0][0]
            connection.execute(
                "INSERT INTO memory_erasures (memory_key, node_id, ended_at, revision) VALUES (?, ?, NULL, ?)",
                (key, node_id, revision),
            )
            self.library.drop(connection, key)

    def keys(self) -> dict[str, int]:
        with self.store.read() as connection:
            return dict(connection.rows("SELECT node_id, memory_key FROM memories"))

    def rank(self, query: str, **wanted: Any) -> Ranking:
        return ranking_of(self.index(), query, **wanted)

    def found(self, query: str, **wanted: Any) -> list[str]:
        """Ids of the hits, best first."""
        ids = {key: node_id for node_id, key in self.keys().items()}
        return [ids[hit.key] for hit in self.rank(query, **wanted)]

    def near(self, content: str, scope: str = "default", limit: int = 10) -> list[tuple[str, float]]:
        return find_near(self.index(), self.library.read(content[:80], (), content), scope, limit)

    def twins(self, content: str, scope: str = "default", exclude_key: int | None = None) -> list[tuple[str, float]]:
        return find_twins(self.index(), self.library.read(content[:80], (), content), scope, exclude_key)


def ranking_of(
    index: MemoryIndex, query: str, scope: str | None = "default", as_of: int = LATER, **wanted: Any
) -> Ranking:
    least = wanted.pop("min_relevance", 0.0)
    return rank_memories(index, query, Filter(scope, as_of=as_of, **wanted), least)


def next_revision(connection: Connection) -> int:
    return int(connection.rows("UPDATE memory_counter SET revision = revision + 1 RETURNING revision")[0][0])


def indexed(number: int, content: str, embedder: Embedder | None = None, **columns: Any) -> IndexedMemory:
    """A memory as an index reads it, without a store."""
    reading = read_text(content[:80], columns.get("tags", ()), content, embedder)
    values = {
        "node_id": node_id(number), "scope": "default", "name": content[:80], "importance": 0.5, "tags": (),
        "valid_from": None, "valid_until": None, "created_at": number, "state": "live", "deleted_at": None, **columns,
    }  # fmt: skip
    return IndexedMemory(key=number, content=content, reader=reading.reader, vectors=reading.vectors, **values)


def index_of(memories: list[IndexedMemory], embedder: Embedder | None = None, parts: int = 1) -> MemoryIndex:
    """An index over memories in so many parts."""
    cut = [memories[start::parts] for start in range(parts)]
    identity = embedder.identity if embedder else ""
    return MemoryIndex([new_part(make_block(some, identity)) for some in cut if some], embedder)
