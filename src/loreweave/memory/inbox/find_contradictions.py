"""Live memories that contradict each other, also where one of them speaks for what was merged into it."""

from dataclasses import dataclass

from loreweave.entities.memory import CONTRADICTS, LIVE
from loreweave.memory.merging.relation_graph import RelationGraph
from loreweave.memory.task_ids import CONTRADICTION, task_id
from loreweave.seams.storage import memory_inbox_shelf
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
