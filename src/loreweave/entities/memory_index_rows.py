"""What an index over memories is read from."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class IndexedMemory:
    """The columns of a memory that search filters and orders by."""

    key: int
    node_id: str
    scope: str
    importance: float
    tags: tuple[str, ...]
    valid_from: int | None
    valid_until: int | None
    created_at: int
    state: str
    deleted_at: int | None
    reader: str | None  # of the reading, None where there is none
    words: bytes
    vectors: bytes


@dataclass(frozen=True, slots=True)
class IndexSegment:
    """Many readings in one piece, as they were at a revision."""

    bucket: int
    revision: int
    content: bytes
