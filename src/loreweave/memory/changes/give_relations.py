"""The outgoing relations of a memory, as a caller gives them."""

from collections.abc import Sequence

from loreweave.contracts.memory_requests import RelationGiven
from loreweave.entities.memory import SUPERSEDES, Memory, Relation
from loreweave.errors import Conflict, InvalidInput
from loreweave.memory.change import Change
from loreweave.memory.merging.relation_graph import RelationGraph
from loreweave.memory.states import find_live
from loreweave.seams.storage import memory_relation_shelf


def checked_relations(change: Change, node_id: str, scope: str, given: Sequence[RelationGiven]) -> list[Relation]:
    """The relations given, once every end of them is known to be live and near."""
    relations: dict[tuple[str, str], Relation] = {}
    for place, each in enumerate(given):
        field = f"relations[{place}]"
        if each.target_id == node_id:
            raise _refused(f"{field} relates a memory to itself", field)
        if (each.target_id, each.type) in relations:
            raise _refused(f"{field} repeats an earlier relation", field)
        target = find_live(change.connection, each.target_id, change.now)
        if target.scope != scope:
            raise _refused(f"{field} names a memory of another scope", field)
        relations[each.target_id, each.type] = Relation(node_id, each.target_id, each.type, each.weight)
    return list(relations.values())


def refuse_circles(change: Change, node_id: str, relations: Sequence[Relation]) -> None:
    """Nothing may supersede itself by way of others, asleep or not."""
    graph = RelationGraph(change.connection)
    seen: set[str] = set()
    ahead = [relation.target_id for relation in relations if relation.type == SUPERSEDES]
    while ahead:
        reached = ahead.pop()
        if reached in seen:
            continue
        seen.add(reached)
        if reached == node_id:
            raise Conflict("supersedes would form a circle", field="relations")
        memory = graph.resolve(reached)
        for member in graph.members(memory) if memory is not None else ():
            ahead += memory_relation_shelf.superseded_by(change.connection, member.node_id)
        if memory is not None:
            ahead.append(memory.node_id)


def replace_outgoing(change: Change, memory: Memory, relations: Sequence[Relation]) -> None:
    written = memory_relation_shelf.relations_of(change.connection, [memory.node_id])
    outgoing = [row for row in written if row.source_id == memory.node_id]
    memory_relation_shelf.delete_relations(change.connection, outgoing)
    memory_relation_shelf.put_relations(change.connection, relations)


def _refused(sentence: str, field: str) -> InvalidInput:
    return InvalidInput(sentence, code="invalid_argument", field=field)
