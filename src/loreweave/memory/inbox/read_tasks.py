"""The inbox: the first tasks in their order (priority, type, strength, id), and how many there are.

Types follow one another by priority and then by name; merges of the same words, which are of a higher priority than
other merges, are also the most alike, so that the order within each type is that of its strength.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain

from loreweave.clock import DAY
from loreweave.contracts.memory import CurationTask, DismissAnswer
from loreweave.contracts.memory_requests import DismissRequest
from loreweave.entities.memory import CONTRADICTS, LIVE, Dismissal, Memory, Pair
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
from loreweave.seams.storage import memory_inbox_shelf, memory_relation_shelf, memory_shelf, memory_task_shelf
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
class _Chosen:
    """Which tasks are shown."""

    contradictions: Sequence[Contradiction]
    expiring: Sequence[str]
    pairs: Sequence[Pair]
    stale: Sequence[str]

    def node_ids(self) -> list[str]:
        both = [(each.first_id, each.second_id) for each in self.contradictions]
        both += [(pair.first_id, pair.second_id) for pair in self.pairs]
        return [*self.expiring, *self.stale, *chain.from_iterable(both)]


def read_tasks(connection: Connection, now: int, scope: str | None, limit: int) -> tuple[list[CurationTask], int]:
    dismissed = memory_inbox_shelf.dismissed_ids(connection, CONTRADICTION)
    contradictions = [each for each in find_contradictions(connection, scope) if each.task_id not in dismissed]
    total = (
        len(contradictions)
        + memory_inbox_shelf.count_expiring(connection, now, now + LEFT, scope)
        + memory_inbox_shelf.count_live_pairs(connection, scope)
        + memory_inbox_shelf.count_stale(connection, now - UNREAD, scope)
    )
    return _shown(connection, _choose(connection, now, scope, limit, contradictions)), total


def _choose(
    connection: Connection, now: int, scope: str | None, limit: int, contradictions: Sequence[Contradiction]
) -> _Chosen:
    first = contradictions[:limit]
    left = limit - len(first)
    expiring = memory_inbox_shelf.expiring_ids(connection, now, now + LEFT, scope, left)
    left -= len(expiring)
    pairs = memory_inbox_shelf.live_pairs(connection, scope, left)
    left -= len(pairs)
    return _Chosen(first, expiring, pairs, memory_inbox_shelf.stale_ids(connection, now - UNREAD, scope, left))


def _shown(connection: Connection, chosen: _Chosen) -> list[CurationTask]:
    memories = memory_shelf.find_memories(connection, chosen.node_ids())
    tasks = [contradiction_task(memories[each.first_id], memories[each.second_id]) for each in chosen.contradictions]
    tasks += [expiring_task(memories[node_id]) for node_id in chosen.expiring]
    tasks += _merge_tasks(connection, chosen.pairs, memories)
    return tasks + [stale_task(memories[node_id]) for node_id in chosen.stale]


def _merge_tasks(connection: Connection, pairs: Sequence[Pair], memories: dict[str, Memory]) -> list[CurationTask]:
    ids = {node_id for pair in pairs for node_id in (pair.first_id, pair.second_id)}
    related = {
        end for row in memory_relation_shelf.relations_of(connection, ids) for end in (row.source_id, row.target_id)
    }
    graph = RelationGraph(connection)
    graph.know(memories.values())
    tasks = []
    for pair in pairs:
        both = [memories[pair.first_id], memories[pair.second_id]]
        may_conflict = any(
            memory.node_id in related or memory.inherits or memory.valid_until is not None for memory in both
        )
        conflicts = find_conflicts(graph, both) if may_conflict else []
        tasks.append(merge_task(both[0], both[1], pair.similarity, conflicts))
    return tasks


_OF_TWO = (POTENTIAL_MERGE, CONTRADICTION)


def dismiss_task(change: Change, request: DismissRequest) -> DismissAnswer:
    """Once more is fine."""
    if not memory_task_shelf.is_dismissed(change.connection, request.task_id):
        task_type, node_ids = _parted(request.task_id)
        if not _is_task(change, task_type, node_ids):
            raise _unknown()
        first, second = node_ids if len(node_ids) > 1 else (node_ids[0], None)
        dismissal = Dismissal(request.task_id, first, second, request.reason, change.now)
        memory_task_shelf.put_dismissals(change.connection, [dismissal])
        change.has_changed = True
    return DismissAnswer(task_id=request.task_id, dismissed=True)


def _parted(task_id: str) -> tuple[str, list[str]]:
    task_type, _, rest = task_id.partition(":")
    node_ids = rest.split("+")
    if task_type not in (*_OF_TWO, STALE, EXPIRING) or len(node_ids) != (2 if task_type in _OF_TWO else 1):
        raise _unknown()
    return task_type, node_ids


def _is_task(change: Change, task_type: str, node_ids: list[str]) -> bool:
    connection, now = change.connection, change.now
    if task_type == POTENTIAL_MERGE:
        return memory_inbox_shelf.is_live_pair(connection, *node_ids)
    if task_type == CONTRADICTION:
        found = ([each.first_id, each.second_id] for each in find_contradictions(connection, None))
        return node_ids in found
    if task_type == STALE:
        return memory_inbox_shelf.is_stale(connection, now - UNREAD, node_ids[0])
    return memory_inbox_shelf.is_expiring(connection, now, now + LEFT, node_ids[0])


def _unknown() -> NotFound:
    return NotFound("Unknown task_id", field="task_id")
