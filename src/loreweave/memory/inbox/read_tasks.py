"""The inbox: the first tasks in their order (priority, type, strength, id), and how many there are.

Types follow one another by priority and then by name; merges of the same words, which are of a higher priority than
other merges, are also the most alike, so that the order within each type is that of its strength.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain, combinations

from loreweave.clock import DAY
from loreweave.contracts.memory import CurationTask, DismissAnswer
from loreweave.contracts.memory_requests import MOST_SOURCES, DismissRequest, ReopenRequest
from loreweave.entities.stored_memory import CONTRADICTS, LIVE, Dismissal, Memory, Pair
from loreweave.errors import NotFound
from loreweave.memory.change import Change
from loreweave.memory.inbox.curation_tasks import (
    CONTRADICTION,
    EXPIRING,
    POTENTIAL_MERGE,
    STALE,
    contradiction_task,
    expiring_task,
    merge_task,
    stale_task,
    task_id,
)
from loreweave.memory.merging.merge_memories import find_conflicts
from loreweave.memory.merging.relation_graph import RelationGraph
from loreweave.seams.storage import memory_inbox_shelf, memory_shelf, memory_ties_shelf
from loreweave.seams.storage.store import Connection


@dataclass(frozen=True, slots=True)
class Contradiction:
    """The ids are in order."""

    first_id: str
    second_id: str
    weight: float

    @property
    def task_id(self) -> str:
        return task_id(CONTRADICTION, self.first_id, self.second_id)


def find_contradictions(connection: Connection, scope: str | None) -> list[Contradiction]:
    """The weightiest first, dismissed ones too."""
    weights: dict[tuple[str, str], float] = {}
    merged: list[tuple[str, str]] = []
    for source_id, target_id, weight, is_plain in memory_inbox_shelf.contradictions(connection, scope):
        if is_plain:
            _put(weights, source_id, target_id, weight)
        else:
            merged.append((source_id, target_id))
    _add_merged(connection, merged, weights)
    found = [Contradiction(first, second, weight) for (first, second), weight in weights.items()]
    return sorted(found, key=lambda each: (-each.weight, each.first_id, each.second_id))


def _add_merged(connection: Connection, rows: list[tuple[str, str]], weights: dict[tuple[str, str], float]) -> None:
    """What is written between other ids than those that live now is read as every relation is."""
    graph = RelationGraph(connection)
    seen = set()
    for source_id, target_id in sorted(rows):
        source, target = graph.resolve(source_id), graph.resolve(target_id)
        if source is None or target is None or source.state != LIVE or target.state != LIVE:
            continue
        if source.node_id in seen:
            continue
        seen.add(source.node_id)
        for standing in graph.standing(source):
            if standing.type == CONTRADICTS and standing.other.state == LIVE:
                _put(weights, source.node_id, standing.other.node_id, standing.weight)


def _put(weights: dict[tuple[str, str], float], one: str, two: str, weight: float) -> None:
    pair = (min(one, two), max(one, two))
    weights[pair] = max(weight, weights.get(pair, 0.0))


UNREAD = 90 * DAY  # after which a faint memory is stale
LEFT = 3 * DAY  # of the window of a weighty one


@dataclass(frozen=True, slots=True)
class _Twins:
    """Memories that one task names; `similarity` is that of the least alike pair among them and their twins."""

    node_ids: tuple[str, ...]
    similarity: float


@dataclass(frozen=True, slots=True)
class _Chosen:
    """Which tasks are shown."""

    contradictions: Sequence[Contradiction]
    expiring: Sequence[str]
    twins: Sequence[_Twins]
    stale: Sequence[str]

    def node_ids(self) -> list[str]:
        several = [(each.first_id, each.second_id) for each in self.contradictions]
        return [*self.expiring, *self.stale, *chain(*several, *(each.node_ids for each in self.twins))]


def read_tasks(connection: Connection, now: int, scope: str | None, limit: int) -> tuple[list[CurationTask], int]:
    dismissed = memory_inbox_shelf.dismissed_ids(connection, CONTRADICTION)
    contradictions = [each for each in find_contradictions(connection, scope) if each.task_id not in dismissed]
    twins = find_groups(memory_inbox_shelf.live_pairs(connection, scope))
    expiring = memory_inbox_shelf.count_expiring(connection, now, now + LEFT, scope)
    stale = memory_inbox_shelf.count_stale(connection, now - UNREAD, scope)
    before_twins, before_stale = len(contradictions) + expiring, len(contradictions) + expiring + len(twins)
    chosen = _Chosen(
        contradictions[:limit],
        memory_inbox_shelf.expiring_ids(connection, now, now + LEFT, scope, max(0, limit - len(contradictions))),
        twins[: max(0, limit - before_twins)],
        memory_inbox_shelf.stale_ids(connection, now - UNREAD, scope, max(0, limit - before_stale)),
    )
    return _shown(connection, chosen), before_stale + stale


def find_groups(pairs: Sequence[Pair]) -> list[_Twins]:
    """Twins of twins together, the most alike first; of more than a merge takes, so many at a time."""
    groups: dict[str, list[str]] = {}
    for pair in pairs:
        one = groups.setdefault(pair.first_id, [pair.first_id])
        two = groups.setdefault(pair.second_id, [pair.second_id])
        if one is not two:
            small, large = sorted((one, two), key=len)
            large += small
            groups.update(dict.fromkeys(small, large))
    least: dict[int, float] = {}
    for pair in pairs:
        group = id(groups[pair.first_id])
        least[group] = min(pair.similarity, least.get(group, pair.similarity))
    found = []
    for number, members in {id(members): members for members in groups.values()}.items():
        members = sorted(members)
        for start in range(0, len(members) - 1, MOST_SOURCES):
            found.append(_Twins(tuple(members[start : start + MOST_SOURCES]), least[number]))
    return sorted(found, key=lambda each: (-each.similarity, each.node_ids))


def _shown(connection: Connection, chosen: _Chosen) -> list[CurationTask]:
    memories = memory_shelf.find_memories(connection, chosen.node_ids())
    tasks = [contradiction_task(memories[each.first_id], memories[each.second_id]) for each in chosen.contradictions]
    tasks += [expiring_task(memories[node_id]) for node_id in chosen.expiring]
    tasks += _merge_tasks(connection, chosen.twins, memories)
    return tasks + [stale_task(memories[node_id]) for node_id in chosen.stale]


def _merge_tasks(connection: Connection, twins: Sequence[_Twins], memories: dict[str, Memory]) -> list[CurationTask]:
    ids = set(chain(*(each.node_ids for each in twins)))
    related = {end for row in memory_ties_shelf.relations_of(connection, ids) for end in (row.source_id, row.target_id)}
    graph = RelationGraph(connection)
    graph.know(memories.values())
    tasks = []
    for each in twins:
        sources = [memories[node_id] for node_id in each.node_ids]
        may_conflict = any(
            memory.node_id in related or memory.inherits or memory.valid_until is not None for memory in sources
        )
        conflicts = find_conflicts(graph, sources) if may_conflict else []
        tasks.append(merge_task(sources, each.similarity, conflicts))
    return tasks


def dismiss_task(change: Change, request: DismissRequest) -> DismissAnswer:
    """Once more is fine. Of twins every pair is dismissed: fewer of them are not asked about again."""
    task_type, node_ids, parts, named = _parts(request.task_id)
    if not named or not all(memory_inbox_shelf.is_dismissed(change.connection, name) for name in named):
        if not _is_task(change, task_type, node_ids):
            raise NotFound("Unknown task_id", field="task_id")
        dismissals = [
            Dismissal(name, part[0], part[1] if len(part) > 1 else None, request.reason, change.now)
            for name, part in zip(named, parts, strict=True)
        ]
        memory_inbox_shelf.put_dismissals(change.connection, dismissals)
        change.has_changed = True
    return DismissAnswer(task_id=request.task_id, dismissed=True)


def reopen_task(change: Change, request: ReopenRequest) -> DismissAnswer:
    """It is asked again, unless its memories have left that state."""
    *_, named = _parts(request.task_id)
    held = [name for name in named if memory_inbox_shelf.is_dismissed(change.connection, name)]
    if not held:
        raise NotFound("Unknown task_id", field="task_id")
    memory_inbox_shelf.withdraw_dismissals(change.connection, held)
    change.has_changed = True
    return DismissAnswer(task_id=request.task_id, dismissed=False)


def _parts(named: str) -> tuple[str, list[str], list[tuple[str, ...]], list[str]]:
    """The type and the memories of a task, and the ids under which it is dismissed with the memories of each."""
    task_type, _, rest = named.partition(":")
    node_ids = rest.split("+")
    parts: list[tuple[str, ...]] = [tuple(node_ids)]
    if task_type == POTENTIAL_MERGE:
        parts = list(combinations(node_ids, 2))
    return task_type, node_ids, parts, [task_id(task_type, *part) for part in parts]


def _is_task(change: Change, task_type: str, node_ids: list[str]) -> bool:
    connection, now = change.connection, change.now
    if task_type == POTENTIAL_MERGE:
        groups = find_groups(memory_inbox_shelf.live_pairs(connection, None))
        return tuple(node_ids) in (each.node_ids for each in groups)
    if task_type == CONTRADICTION:
        return node_ids in ([each.first_id, each.second_id] for each in find_contradictions(connection, None))
    if len(node_ids) > 1:
        return False
    if task_type == STALE:
        return memory_inbox_shelf.is_stale(connection, now - UNREAD, node_ids[0])
    return task_type == EXPIRING and memory_inbox_shelf.is_expiring(connection, now, now + LEFT, node_ids[0])
