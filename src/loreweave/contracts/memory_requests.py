"""What the memory tools take. Bounds stand in the schemas; `memory_arguments` reads values and says what is wrong."""

from typing import Annotated, ClassVar, Literal

from pydantic import BaseModel, ConfigDict, Field

CONTENT_LIMIT, NAME_LIMIT, SOURCE_LIMIT, RATIONALE_LIMIT, REASON_LIMIT = 65_536, 256, 1_024, 1_024, 1_024
QUERY_LIMIT, TASK_LIMIT = 4_096, 512
MOST_TAGS, TAG_LIMIT, MOST_RELATIONS = 32, 64, 256
SCOPE_PATTERN = "^[A-Za-z0-9._:/-]{1,128}$"
DEFAULT_SCOPE = "default"
FEWEST_SOURCES, MOST_SOURCES, MOST_SHOWN = 2, 10, 100

RelationType = Literal["relates_to", "depends_on", "part_of", "supports", "contradicts", "supersedes"]
Strategy = Literal["union", "intersection", "weighted_average"]
OnConflict = Literal["fail", "keep_merged", "discard_merged"]
Sorting = Literal["newest", "changed", "important"]

Content = Annotated[str, Field(min_length=1, max_length=CONTENT_LIMIT)]
Name = Annotated[str, Field(min_length=1, max_length=NAME_LIMIT)]
Importance = Annotated[float, Field(ge=0.0, le=1.0)]
Tag = Annotated[str, Field(min_length=1, max_length=TAG_LIMIT)]
Tags = Annotated[list[Tag], Field(max_length=MOST_TAGS)]
Scope = Annotated[str, Field(pattern=SCOPE_PATTERN)]
SearchedScope = Annotated[str, Field(pattern=r"^([A-Za-z0-9._:/-]{1,128}|\*)$")]
Source = Annotated[str, Field(max_length=SOURCE_LIMIT)]
Instant = Annotated[str, Field(json_schema_extra={"format": "date-time"})]
NodeId = Annotated[str, Field(json_schema_extra={"format": "uuid"})]
RequestId = Annotated[str, Field(min_length=1, max_length=128)]
Query = Annotated[str, Field(min_length=1, max_length=QUERY_LIMIT)]
Reason = Annotated[str, Field(max_length=REASON_LIMIT)]
ReversalHash = Annotated[str, Field(pattern="^sha256:[0-9a-f]{64}$")]


class MemoryRequest(BaseModel):
    """Made by `memory_arguments.read_memory_request` alone, so that every refusal is one of the fixed sentences."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True, defer_build=True)
    tool: ClassVar[str]


class RelationGiven(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True, frozen=True, defer_build=True)

    target_id: NodeId
    type: RelationType = "relates_to"
    weight: Annotated[float, Field(gt=0.0, le=1.0)] = 1.0


class StoreRequest(MemoryRequest):
    """With `node_id` and `expected_version` an edit: what is given replaces, what is absent stays.

    `model_fields_set` tells what was given. A given `null` is refused, except for `source`, `valid_from` and
    `valid_until`, which an edit may take away.
    """

    tool = "store_memory"
    content: Content | None = None
    name: Name | None = None
    importance: Importance | None = None
    tags: Tags | None = None
    scope: Scope | None = None
    source: Source | None = None
    valid_from: Instant | None = None
    valid_until: Instant | None = None
    relations: Annotated[list[RelationGiven], Field(max_length=MOST_RELATIONS)] | None = None
    node_id: NodeId | None = None
    expected_version: Annotated[int, Field(ge=1)] | None = None
    request_id: RequestId | None = None


class MemorySearchRequest(MemoryRequest):
    tool = "search_memories"
    query: Query
    limit: Annotated[int, Field(ge=1, le=100)] = 10
    scope: SearchedScope = DEFAULT_SCOPE
    tags: Tags = []
    min_relevance: Annotated[float, Field(ge=0.0, le=1.0)] = 0.0
    as_of: Instant | None = None
    max_tokens: Annotated[int, Field(ge=1)] | None = None


class GetRequest(MemoryRequest):
    tool = "get_memory"
    node_id: NodeId
    include_deleted: bool = False
    history: Annotated[int, Field(ge=0, le=200)] = 20


class StatusRequest(MemoryRequest):
    tool = "get_memetic_status"
    scope: SearchedScope | None = None
    limit: Annotated[int, Field(ge=1, le=50)] = 10
    refresh: bool = False


class ForgetRequest(MemoryRequest):
    tool = "forget_concept"
    node_id: NodeId
    soft_delete: bool = True
    reason: Reason | None = None
    request_id: RequestId | None = None


class BoostRequest(MemoryRequest):
    tool = "boost_importance"
    node_id: NodeId
    delta: Annotated[float, Field(ge=-1.0, le=1.0)]
    request_id: RequestId | None = None


class MergeRequest(MemoryRequest):
    tool = "merge_concepts"
    source_ids: Annotated[list[NodeId], Field(min_length=FEWEST_SOURCES, max_length=MOST_SOURCES)]
    target_name: Name
    merge_strategy: Strategy = "union"
    rationale: Annotated[str, Field(min_length=1, max_length=RATIONALE_LIMIT)]
    force_merge: bool = False
    preview: bool = False
    request_id: RequestId | None = None


class RestoreRequest(MemoryRequest):
    tool = "restore_concept"
    node_id: NodeId
    request_id: RequestId | None = None


class UndoRequest(MemoryRequest):
    tool = "undo_merge"
    reversal_hash: ReversalHash
    preview: bool = False
    on_conflict: OnConflict = "fail"
    allow_partial: bool = False
    request_id: RequestId | None = None


class DeletedRequest(MemoryRequest):
    tool = "list_deleted"
    query: Query | None = None
    scope: SearchedScope | None = None
    limit: Annotated[int, Field(ge=1, le=200)] = 50


class DismissRequest(MemoryRequest):
    tool = "dismiss_task"
    task_id: Annotated[str, Field(min_length=1, max_length=TASK_LIMIT)]
    reason: Reason | None = None
    request_id: RequestId | None = None


class MemoryListRequest(MemoryRequest):
    tool = "list_memories"
    scope: SearchedScope | None = None
    tags: Tags = []
    sort: Sorting = "newest"
    limit: Annotated[int, Field(ge=1, le=200)] = 50
    offset: Annotated[int, Field(ge=0)] = 0


class ShowMemoriesRequest(MemoryRequest):
    """Reading them here counts as no access."""

    tool = "show_memories"
    node_ids: Annotated[list[NodeId], Field(max_length=MOST_SHOWN)]
    copies: bool = False


class MemoryChangesRequest(MemoryRequest):
    tool = "list_changes"
    before: Annotated[int, Field(ge=1)] | None = None
    limit: Annotated[int, Field(ge=1, le=200)] = 50


class ReopenRequest(MemoryRequest):
    tool = "reopen_task"
    task_id: Annotated[str, Field(min_length=1, max_length=TASK_LIMIT)]


class MemoryExportRequest(MemoryRequest):
    tool = "export_memories"
    scope: SearchedScope | None = None


class MemoryImportRequest(MemoryRequest):
    tool = "import_memories"
    dry_run: bool = False


MEMORY_REQUESTS: dict[str, type[MemoryRequest]] = {
    request.tool: request
    for request in (
        *(StoreRequest, MemorySearchRequest, GetRequest, StatusRequest, ForgetRequest, BoostRequest),
        *(MergeRequest, RestoreRequest, UndoRequest, DeletedRequest, DismissRequest),
        *(MemoryListRequest, ShowMemoriesRequest, MemoryChangesRequest, ReopenRequest),
    )
}
