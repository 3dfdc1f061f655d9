"""What the memory tools answer (contract 001). Fields of the contract keep their names; ours are added beside them."""

from typing import Any, Literal

from pydantic import Field

from loreweave.contracts.wire import WireValue, absent_when_none

State = Literal["live", "deleted", "merged"]


class Replayable(WireValue):
    """`replayed` is there, and true, where an earlier call with the same request_id gave this answer."""

    replayed: bool | None = Field(default=None, exclude_if=absent_when_none)


class SimilarMemory(WireValue):
    node_id: str
    similarity: float


class StoreAnswer(Replayable):
    node_id: str
    created: bool
    version: int
    duplicate_of: str | None
    similar: list[SimilarMemory]


class MemoryRelation(WireValue):
    source_id: str
    target_id: str
    type: str
    weight: float


class FoundMemory(WireValue):
    """`weak` is there, and true, where no word of the query was found and the meaning is near."""

    node_id: str
    name: str
    content: str
    tags: list[str]
    scope: str
    importance: float
    relevance: float
    score: float
    weak: bool | None = Field(default=None, exclude_if=absent_when_none)
    created_at: str
    version: int


class MemorySearchAnswer(WireValue):
    results: list[FoundMemory]
    count: int
    omitted: int


class ListedMemory(WireValue):
    node_id: str
    name: str
    preview: str
    tags: list[str]
    scope: str
    importance: float
    created_at: str
    updated_at: str
    version: int


class MemoryList(WireValue):
    items: list[ListedMemory]
    total: int


class HistoryEntry(WireValue):
    at: str
    action: str
    actor: str
    version: int
    detail: dict[str, Any]


class MemoryRecord(WireValue):
    node_id: str
    name: str
    content: str
    importance: float
    tags: list[str]
    scope: str
    source: str | None
    valid_from: str | None
    valid_until: str | None
    relations: list[MemoryRelation]
    version: int
    created_at: str
    updated_at: str
    last_accessed_at: str | None
    access_count: int
    state: State
    deleted_at: str | None
    recoverable_until: str | None
    merged_into: str | None
    derived_from: list[str]
    superseded_by: str | None
    history: list[HistoryEntry]


class MemoryHistory(WireValue):
    node_id: str
    history: list[HistoryEntry]


class ShownMemories(WireValue):
    """Those that are there, in the order asked for; `remaining_copies` where they were asked for."""

    items: list[MemoryRecord]
    remaining_copies: list[str] | None = Field(default=None, exclude_if=absent_when_none)


class WayBack(WireValue):
    """A call that takes a change back, to be passed on unchanged while there is time."""

    tool: str
    arguments: dict[str, Any]
    until: str


class MemoryChange(HistoryEntry):
    """One line of any memory's history. `name` is today's, and null where the memory is erased."""

    number: int
    node_id: str
    name: str | None
    undo: WayBack | None


class KeptTask(WireValue):
    """A task that somebody dismissed."""

    task_id: str
    node_ids: list[str]
    names: list[str]
    reason: str | None
    at: str


class MemoryChanges(WireValue):
    """`next` is what to ask for `before` to go on; `revision` counts every change, `now` is the server's time."""

    changes: list[MemoryChange]
    next: int | None
    kept: list[KeptTask]
    revision: int
    now: str


class MemoryCounts(WireValue):
    live: int
    deleted: int
    merged: int
    reversible_merges: int


class TaskEvidence(WireValue):
    """Previews have at most 160 characters, one for each target."""

    similarity: float | None
    previews: list[str]


class CurationTask(WireValue):
    task_id: str
    task_type: Literal["potential_merge", "contradiction", "stale", "expiring_soon"]
    target_nodes: list[str]
    scope: str
    reason: str
    suggested_tool: str
    suggested_arguments: dict[str, Any]
    priority: Literal["low", "medium", "high"]
    evidence: TaskEvidence


class Topic(WireValue):
    tag: str
    live: int
    mean_importance: float
    added_30d: int
    gone_30d: int
    churn: float


class StatusAnswer(WireValue):
    """`sweep_waits_until` where the clock jumped ahead and what has expired since is kept for a while."""

    counts: MemoryCounts
    next_purge_at: str | None
    sweep_waits_until: str | None = Field(default=None, exclude_if=absent_when_none)
    suggested_action: Literal["curate", "ready"]
    curation_tasks: list[CurationTask]
    total_tasks: int
    topics: list[Topic]


class ForgetAnswer(Replayable):
    """A hard delete has no `recoverable_until`."""

    forgotten_id: str
    soft_deleted: bool
    deleted_at: str
    recoverable_until: str | None = Field(default=None, exclude_if=absent_when_none)
    remaining_copies: list[str]


class BoostAnswer(Replayable):
    node_id: str
    old_importance: float
    delta: float
    new_importance: float
    clamped: bool


class MergedMemory(WireValue):
    """What a merge makes, or would make."""

    name: str
    content: str
    tags: list[str]
    importance: float
    relations: list[MemoryRelation]


class MergedStatement(WireValue):
    """`paragraph` numbers the lines between blank ones."""

    text: str
    paragraph: int
    source_ids: list[str]


class MergeAnswer(Replayable):
    """A preview has `preview`, `conflicts` and where each statement came from, and neither an id nor a hash."""

    merged_id: str | None = Field(default=None, exclude_if=absent_when_none)
    reversal_hash: str | None = Field(default=None, exclude_if=absent_when_none)
    sources_merged: int
    strategy_used: str
    reversible_until: str | None = Field(default=None, exclude_if=absent_when_none)
    preview: bool | None = Field(default=None, exclude_if=absent_when_none)
    merged: MergedMemory | None = None
    statements: list[MergedStatement] | None = Field(default=None, exclude_if=absent_when_none)
    conflicts: list[str] | None = Field(default=None, exclude_if=absent_when_none)
    warnings: list[str]


class RestoreAnswer(Replayable):
    node_id: str
    restored: bool
    relations_lost: list[MemoryRelation]


class UndoAnswer(Replayable):
    """A preview has `preview` and `conflicts`."""

    merged_id: str
    restored_ids: list[str]
    missing_ids: list[str]
    merged_state: Literal["live", "deleted", "erased"]
    partial: bool
    preview: bool | None = Field(default=None, exclude_if=absent_when_none)
    conflicts: list[str] | None = Field(default=None, exclude_if=absent_when_none)


class DeletedMemory(WireValue):
    node_id: str
    name: str
    preview: str
    deleted_at: str
    recoverable_until: str


class OpenMerge(WireValue):
    """The texts are null once the merged memory is erased."""

    reversal_hash: str
    merged_id: str
    source_ids: list[str]
    target_name: str | None
    rationale: str | None
    reversible_until: str


class DeletedAnswer(WireValue):
    items: list[DeletedMemory]
    merges: list[OpenMerge]


class DismissAnswer(Replayable):
    task_id: str
    dismissed: bool


class SweepAnswer(WireValue):
    purged: int
    node_ids: list[str]


class SkippedFile(WireValue):
    file: str
    error: str


class ImportAnswer(WireValue):
    created: int
    updated: int
    unchanged: int
    skipped: list[SkippedFile]


class MemoryExportAnswer(WireValue):
    """What an export into a folder wrote."""

    exported: int
