"""Relations as they are shown."""

from collections.abc import Iterable

from loreweave.contracts.memory import MemoryRelation
from loreweave.entities.memory import Relation


def show_relations(relations: Iterable[Relation]) -> list[MemoryRelation]:
    return [
        MemoryRelation(source_id=each.source_id, target_id=each.target_id, type=each.type, weight=each.weight)
        for each in relations
    ]
