"""Memories as they are stored. Times are microseconds since 1970."""

from dataclasses import dataclass

LIVE, DELETED, MERGED = "live", "deleted", "merged"
RELATES_TO, CONTRADICTS, SUPERSEDES = "relates_to", "contradicts", "supersedes"
PLACES = 6  # to which importance, weights and similarities are rounded
OPEN, UNDONE, ENDED = "open", "undone", "ended"


@dataclass(frozen=True, slots=True)
class Memory:
    """One memory, live or recoverable; an erased one has no record."""

    key: int
    node_id: str
    scope: str
    name: str
    content: str
    importance: float
    tags: tuple[str, ...]
    source: str | None
    valid_from: int | None
    valid_until: int | None
    version: int
    created_at: int
    updated_at: int
    last_accessed_at: int | None
    access_count: int
    state: str
    deleted_at: int | None = None
    recoverable_until: int | None = None
    merged_into: str | None = None
    derived_from: tuple[str, ...] = ()
    inherits: bool = False  # its relations are, for now, those of the memories merged into it
    revision: int = 0

    @property
    def starts(self) -> int:
        """Since when it is true in the world."""
        return self.created_at if self.valid_from is None else self.valid_from


@dataclass(frozen=True, slots=True)
class Relation:
    """`settled`: taken over from merged memories, not given to this one."""

    source_id: str
    target_id: str
    type: str
    weight: float
    settled: bool = False


@dataclass(frozen=True, slots=True)
class MergeRow:
    """A merge; while it is open it can be undone. Texts are gone once the merged memory is erased."""

    reversal_hash: str
    merged_id: str
    source_ids: tuple[str, ...]
    target_name: str | None
    rationale: str | None
    strategy: str
    merged_at: int
    reversible_until: int
    fingerprint: str
    importance: float
    state: str


@dataclass(frozen=True, slots=True)
class HistoryLine:
    node_id: str
    at: int
    action: str
    actor: str
    version: int
    detail: dict[str, object]


@dataclass(frozen=True, slots=True)
class Pair:
    """Two memories whose texts hardly differ; the ids are in order."""

    first_id: str
    second_id: str
    similarity: float


@dataclass(frozen=True, slots=True)
class Dismissal:
    """A task that somebody did not want; it stays away until a text of its memories changes."""

    task_id: str
    first_id: str
    second_id: str | None
    reason: str | None
    at: int


@dataclass(frozen=True, slots=True)
class IndexedMemory:
    """What search reads of a memory."""

    key: int
    node_id: str
    scope: str
    name: str
    content: str
    importance: float
    tags: tuple[str, ...]
    valid_from: int | None
    valid_until: int | None
    created_at: int
    state: str
    deleted_at: int | None
    reader: str | None  # who made the vectors, None where there are none
    vectors: bytes


@dataclass(frozen=True, slots=True)
class IndexSegment:
    """The index of many memories in one piece, as they were at a revision."""

    bucket: int
    revision: int
    content: bytes
