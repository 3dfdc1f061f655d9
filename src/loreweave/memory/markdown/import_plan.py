"""What an import will do, worked out before anything is written; a dry run does no more."""

import uuid
from collections import defaultdict, deque
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

from loreweave.contracts.memory_requests import DEFAULT_SCOPE, RelationGiven, StoreRequest
from loreweave.entities.stored_memory import LIVE, SUPERSEDES, Memory, Relation
from loreweave.errors import Conflict, InvalidInput, LoreError
from loreweave.memory.changes.relate_memories import refuse_circles, relations_given
from loreweave.memory.changes.store_memory import changed_fields, check_validity, new_memory, refuse_moved
from loreweave.memory.markdown.export_memories import outgoing_relations
from loreweave.memory.markdown.read_memory_file import MemoryFile
from loreweave.memory.memory_record import find_live, is_over, refuse_deleted, text_hash
from loreweave.seams.storage import memory_shelf
from loreweave.seams.storage.store import Connection


def decide_edit(file: MemoryFile, memory: Memory, outgoing: Sequence[Relation]) -> StoreRequest | None:
    """None where nothing differs; refused where the file is older than the memory.

    Relations are compared as an export writes them: those that sleep, or were merged, are no difference.
    """
    request = file.request
    if request.relations is not None and _are_same(request, outgoing):
        request = request.model_copy(update={"relations": None})
    if request.relations is None and not changed_fields(memory, request):
        return None
    if file.version is not None and file.version < memory.version:
        raise Conflict(
            f"Memory {memory.node_id} changed meanwhile: the file is of version {file.version}, "
            f"the memory of version {memory.version}",
            version=memory.version,
        )
    return request


def _are_same(request: StoreRequest, outgoing: Sequence[Relation]) -> bool:
    given = [(each.target_id, each.type, each.weight) for each in request.relations or ()]
    return sorted(given) == sorted((each.target_id, each.type, each.weight) for each in outgoing)


_AT_ONCE = 400


@dataclass(frozen=True, slots=True)
class Step:
    """A file, and its memory as it will be."""

    file: MemoryFile
    memory: Memory
    relations: Sequence[RelationGiven] | None  # to be given; none where they stay


@dataclass(slots=True)
class ImportPlan:
    creates: list[Step] = field(default_factory=list)  # with the id that the file names
    edits: list[Step] = field(default_factory=list)
    news: list[Step] = field(default_factory=list)  # no id is named
    unchanged: int = 0
    skipped: dict[str, str] = field(default_factory=dict)  # path: why

    def skip(self, path: str, trouble: LoreError) -> None:
        self.skipped.setdefault(path, trouble.message)


def plan_import(connection: Connection, now: int, files: Sequence[MemoryFile]) -> ImportPlan:
    """In the order of the paths."""
    plan = ImportPlan()
    named = _of_each_id(plan, files)
    for start in range(0, len(named), _AT_ONCE):
        _plan_named(plan, connection, now, named[start : start + _AT_ONCE])
    _plan_unnamed(plan, connection, now, [file for file in files if file.node_id is None])
    _refuse_relations(plan, connection, now)
    return plan


def _of_each_id(plan: ImportPlan, files: Iterable[MemoryFile]) -> list[MemoryFile]:
    """One file an id: the newest, and of equally new ones the first."""
    chosen: dict[str, MemoryFile] = {}
    for file in files:
        if file.node_id is None:
            continue
        other = chosen.setdefault(file.node_id, file)
        if other is file:
            continue
        newer, older = (file, other) if (file.version or 0) > (other.version or 0) else (other, file)
        chosen[file.node_id] = newer
        plan.skip(older.path, InvalidInput(f"The file {newer.path} names the same node_id", field="node_id"))
    return sorted(chosen.values(), key=lambda file: file.path)


def _plan_named(plan: ImportPlan, connection: Connection, now: int, files: Sequence[MemoryFile]) -> None:
    held = memory_shelf.find_memories(connection, [file.node_id for file in files if file.node_id])
    known = {node_id: memory for node_id, memory in held.items() if not is_over(memory, now)}
    outgoing = outgoing_relations(connection, [memory for memory in known.values() if memory.state == LIVE])
    for file in files:
        memory = known.get(file.node_id or "")
        try:
            if memory is None:
                plan.creates.append(_created(file, now))
                continue
            if memory.state != LIVE:
                refuse_deleted(memory)
            request = decide_edit(file, memory, outgoing[memory.node_id])
            if request is None:
                plan.unchanged += 1
                continue
            after = replace(memory, **changed_fields(memory, request))
            check_validity(after.valid_from, after.valid_until)
            if after.scope != memory.scope:
                refuse_moved(connection, memory)
            plan.edits.append(Step(file, after, request.relations))
        except LoreError as trouble:
            plan.skip(file.path, trouble)


def _created(file: MemoryFile, now: int) -> Step:
    request = file.request
    scope = request.scope or DEFAULT_SCOPE
    memory = new_memory(request, file.node_id or str(uuid.uuid4()), scope, now)
    if file.node_id is not None:
        created_at = now if file.created_at is None else file.created_at
        memory = replace(memory, created_at=created_at, version=file.version or 1)
    return Step(file, memory, request.relations or None)


def _plan_unnamed(plan: ImportPlan, connection: Connection, now: int, files: Sequence[MemoryFile]) -> None:
    changed = {step.memory.node_id for step in plan.edits}
    texts = {(step.memory.scope, text_hash(step.memory.content)) for step in (*plan.creates, *plan.edits)}
    for file in files:
        try:
            step = _created(file, now)
        except LoreError as trouble:
            plan.skip(file.path, trouble)
            continue
        text = step.memory.scope, text_hash(step.memory.content)
        known = memory_shelf.find_text(connection, *text)
        if text in texts or (known is not None and known.node_id not in changed):
            plan.unchanged += 1
        else:
            texts.add(text)
            plan.news.append(step)


def _refuse_relations(plan: ImportPlan, connection: Connection, now: int) -> None:
    """Skips each file whose relations do not hold, and then those that counted on its memory."""
    coming = {step.memory.node_id: step.memory for step in plan.creates}
    supersedes: dict[str, list[str]] = {}
    relying: dict[str, list[Step]] = defaultdict(list)
    waiting = deque(sorted((*plan.creates, *plan.edits, *plan.news), key=lambda step: step.file.path))
    for step in waiting:
        for each in step.relations or ():
            relying[each.target_id].append(step)

    def find(node_id: str) -> Memory:
        return coming.get(node_id) or find_live(connection, node_id, now)

    while waiting:
        step = waiting.popleft()
        own = step.memory.node_id
        if step.relations is None or step.file.path in plan.skipped:
            continue
        try:
            relations = relations_given(find, own, step.memory.scope, step.relations)
            refuse_circles(connection, own, relations, supersedes)
        except LoreError as trouble:
            plan.skip(step.file.path, trouble)
            supersedes.pop(own, None)
            if coming.pop(own, None) is not None:
                waiting.extend(relying[own])
        else:
            supersedes[own] = [relation.target_id for relation in relations if relation.type == SUPERSEDES]
    for steps in (plan.creates, plan.edits, plan.news):
        steps[:] = [step for step in steps if step.file.path not in plan.skipped]
