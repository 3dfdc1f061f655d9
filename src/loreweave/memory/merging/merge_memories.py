"""Several memories become one, in one transaction; nothing of the old ones is lost while it can be undone."""

import hashlib
import json
import secrets
import uuid
from collections.abc import Sequence
from dataclasses import asdict
from itertools import combinations

from loreweave.clock import format_instant
from loreweave.contracts.memory import MergeAnswer, MergedMemory
from loreweave.contracts.memory_requests import MergeRequest
from loreweave.entities.stored_memory import CONTRADICTS, LIVE, MERGED, OPEN, SUPERSEDES, Memory, MergeRow
from loreweave.errors import Conflict
from loreweave.language.terms import terms
from loreweave.memory.change import Change
from loreweave.memory.changes.store_memory import place_memory
from loreweave.memory.memory_record import as_told, find_live, fingerprint, show_relations
from loreweave.memory.merging.merge_texts import merge_texts, statement_origins
from loreweave.memory.merging.relation_graph import RelationGraph
from loreweave.seams.storage import memory_ties_shelf
from loreweave.seams.storage.store import Connection

LOW_SIMILARITY = 0.1


def find_conflicts(graph: RelationGraph, sources: Sequence[Memory]) -> list[str]:
    """Contradiction and succession among the sources, succession from outside, times that never meet."""
    ids = {memory.node_id for memory in sources}
    found = set()
    for memory in sources:
        for relation in graph.standing(memory):
            if relation.other.state != LIVE:
                continue
            other = relation.other.node_id
            one, two = (memory.node_id, other) if relation.is_outgoing else (other, memory.node_id)
            if other in ids and relation.type in (CONTRADICTS, SUPERSEDES):
                found.add(f"{one} {relation.type} {two}")
            elif relation.type == SUPERSEDES and not relation.is_outgoing:
                found.add(f"{two} is superseded by {one}")
    return sorted(found) + _apart_in_time(sources)


def low_similarity(sources: Sequence[Memory]) -> list[str]:
    """Merging what has nothing in common is allowed, and most often a mistake."""
    read = {memory.node_id: set(terms(memory.content)) for memory in sources}
    pairs = [(_shared(read[one], read[two]), one, two) for one, two in combinations(sorted(read), 2)]
    least, one, two = min(pairs)
    return [f"Low similarity ({least:.2f}) between {one} and {two}"] if least < LOW_SIMILARITY else []


def _shared(one: set[str], two: set[str]) -> float:
    return round(len(one & two) / max(1, min(len(one), len(two))), 2)


def _apart_in_time(sources: Sequence[Memory]) -> list[str]:
    ends = [memory.valid_until for memory in sources if memory.valid_until is not None]
    latest_start = max(memory.starts for memory in sources)
    if not ends or latest_start < min(ends):
        return []
    return [f"validity does not overlap: one ends at {format_instant(min(ends))}, "
            f"another starts at {format_instant(latest_start)}"]  # fmt: skip


PREVIEWED_ID = str(uuid.UUID(int=0))  # of a memory that is only shown


def merge_memories(change: Change, request: MergeRequest) -> MergeAnswer:
    """A preview writes just the same: whoever asked for it takes the transaction back."""
    sources = [find_live(change.connection, node_id, change.now) for node_id in request.source_ids]
    if len({memory.scope for memory in sources}) > 1:
        raise Conflict("Sources are in different scopes", scopes=sorted({memory.scope for memory in sources}))
    sources.sort(key=lambda memory: memory.node_id)
    conflicts = find_conflicts(RelationGraph(change.connection), sources)
    if conflicts and not (request.force_merge or request.preview):
        reasons = "; ".join(conflicts)
        raise Conflict(f"Sources conflict: {reasons}. Set force_merge=true to override", conflicts=conflicts)
    warnings = low_similarity(sources)
    if request.force_merge:
        warnings = conflicts + warnings
    merged, merge = _write(change, request, sources)
    answer = MergeAnswer(
        merged_id=merged.node_id,
        reversal_hash=merge.reversal_hash,
        sources_merged=len(sources),
        strategy_used=request.merge_strategy,
        reversible_until=format_instant(merge.reversible_until),
        merged=shown_merge(change.connection, merged),
        warnings=warnings,
    )
    if not request.preview:
        return answer
    unmade = {"merged_id": None, "reversal_hash": None, "reversible_until": None}
    told = {"preview": True, "conflicts": conflicts, "statements": statement_origins(merged.content, sources)}
    return answer.model_copy(update={**unmade, **told})


def shown_merge(connection: Connection, merged: Memory) -> MergedMemory:
    relations = RelationGraph(connection).live_relations(merged)
    return as_told(MergedMemory, merged, relations=show_relations(relations))


def _write(change: Change, request: MergeRequest, sources: Sequence[Memory]) -> tuple[Memory, MergeRow]:
    fail_at = (lambda point: None) if request.preview else change.tools.fail_at
    index = change.tools.library.current(change.connection)
    merged = _merged_memory(change, request, sources)
    merge = _merge_row(change, request, sources, merged)
    memory_ties_shelf.insert_merge(change.connection, merge)
    fail_at("merge.snapshot")
    merged = change.insert(merged)
    fail_at("merge.insert")
    reading = change.tools.library.read(merged.name, merged.tags, merged.content)
    place_memory(change, index, merged, reading)
    fail_at("merge.edges")  # relations are read through the sources: there is nothing to write
    detail = {"rationale": request.rationale, "strategy": request.merge_strategy}
    for place, source in enumerate(sources):
        gone = change.update(
            source,
            state=MERGED,
            deleted_at=change.now,
            recoverable_until=merge.reversible_until,
            merged_into=merged.node_id,
        )
        change.note(gone, "merged_into", merged_id=merged.node_id, **detail)
        if place == 0:
            fail_at("merge.sources")
    change.note(merged, "merged_from", source_ids=list(merge.source_ids), **detail)
    return merged, merge


def _merged_memory(change: Change, request: MergeRequest, sources: Sequence[Memory]) -> Memory:
    text = merge_texts(request.merge_strategy, sources)
    ends = [memory.valid_until for memory in sources]
    accesses = [memory.last_accessed_at for memory in sources if memory.last_accessed_at is not None]
    return Memory(
        key=0,
        node_id=PREVIEWED_ID if request.preview else str(uuid.uuid4()),
        scope=sources[0].scope,
        name=request.target_name,
        content=text.content,
        importance=text.importance,
        tags=text.tags,
        source=text.source,
        valid_from=min(memory.starts for memory in sources),
        valid_until=None if None in ends else max(end for end in ends if end is not None),
        version=1,
        created_at=change.now,
        updated_at=change.now,
        last_accessed_at=max(accesses, default=None),
        access_count=sum(memory.access_count for memory in sources),
        state=LIVE,
        derived_from=tuple(memory.node_id for memory in sources),
        inherits=True,
    )


def _merge_row(change: Change, request: MergeRequest, sources: Sequence[Memory], merged: Memory) -> MergeRow:
    snapshot = json.dumps([asdict(memory) for memory in sources])
    told = "\n".join((snapshot, merged.node_id, secrets.token_hex(32)))
    return MergeRow(
        reversal_hash="sha256:" + hashlib.sha256(told.encode()).hexdigest(),
        merged_id=merged.node_id,
        source_ids=tuple(memory.node_id for memory in sources),
        target_name=request.target_name,
        rationale=request.rationale,
        strategy=request.merge_strategy,
        merged_at=change.now,
        reversible_until=change.now + change.tools.recovery,
        fingerprint=fingerprint(merged),
        importance=merged.importance,
        state=OPEN,
    )
