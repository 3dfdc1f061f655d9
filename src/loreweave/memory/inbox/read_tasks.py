"""The inbox: the first tasks in their order (priority, type, strength, id), and how many there are.

Types follow one another by priority and then by name; merges of the same words, which are of a higher priority than
other merges, are also the most alike, so that the order within each type is that of its strength.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain

from loreweave.clock import DAY
from loreweave.contracts.memory import CurationTask
from loreweave.entities.memory import Memory, Pair
from loreweave.memory.inbox.curation_tasks import contradiction_task, expiring_task, merge_task, stale_task
from loreweave.memory.inbox.find_contradictions import Contradiction, find_contradictions
from loreweave.memory.merging.find_conflicts import find_conflicts
from loreweave.memory.merging.relation_graph import RelationGraph
from loreweave.memory.task_ids import CONTRADICTION
from loreweave.seams.storage import memory_inbox_shelf, memory_relation_shelf, memory_shelf
from loreweave.seams.storage.store import Connection

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
