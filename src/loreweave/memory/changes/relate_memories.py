"""The relations of a memory: as a caller gives them, as a merged memory takes them over, and those that are lost."""

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType

from loreweave.contracts.memory_requests import RelationGiven
from loreweave.entities.stored_memory import SUPERSEDES, Memory, Relation
from loreweave.errors import Conflict, InvalidInput
from loreweave.memory.change import Change
from loreweave.memory.memory_record import find_live
from loreweave.memory.merging.relation_graph import RelationGraph
from loreweave.seams.storage import memory_ties_shelf
from loreweave.seams.storage.store import Connection


def checked_relations(change: Change, node_id: str, scope: str, given: Sequence[RelationGiven]) -> list[Relation]:
    """The relations given, once every end of them is known to be live and near."""
    return relations_given(lambda target_id: find_live(change.connection, target_id, change.now), node_id, scope, given)


def relations_given(
    find: Callable[[str], Memory], node_id: str, scope: str, given: Sequence[RelationGiven]
) -> list[Relation]:
    """`find` answers a live memory, or refuses."""
    relations: dict[tuple[str, str], Relation] = {}
    for place, each in enumerate(given):
        field = f"relations[{place}]"
        if each.target_id == node_id:
            raise _refused(f"{field} relates a memory to itself", field)
        if (each.target_id, each.type) in relations:
            raise _refused(f"{field} repeats an earlier relation", field)
        target = find(each.target_id)
        if target.scope != scope:
            raise _refused(f"{field} names a memory of another scope", field)
        relations[each.target_id, each.type] = Relation(node_id, each.target_id, each.type, each.weight)
    return list(relations.values())


def refuse_circles(
    connection: Connection,
    node_id: str,
    relations: Sequence[Relation],
    planned: Mapping[str, Sequence[str]] = MappingProxyType({}),
) -> None:
    """Nothing may supersede itself by way of others, asleep or not; `planned`: what some ids will supersede."""
    graph = RelationGraph(connection)
    seen: set[str] = set()
    ahead = [relation.target_id for relation in relations if relation.type == SUPERSEDES]
    while ahead:
        reached = ahead.pop()
        if reached in seen:
            continue
        seen.add(reached)
        if reached == node_id:
            raise Conflict("supersedes would form a circle", field="relations")
        if reached in planned:
            ahead += planned[reached]
            continue
        memory = graph.resolve(reached)
        for member in graph.members(memory) if memory is not None else ():
            ahead += memory_ties_shelf.superseded_by(connection, member.node_id)
        if memory is not None:
            ahead.append(memory.node_id)


def replace_outgoing(change: Change, memory: Memory, relations: Sequence[Relation]) -> None:
    written = memory_ties_shelf.relations_of(change.connection, [memory.node_id])
    outgoing = [row for row in written if row.source_id == memory.node_id]
    memory_ties_shelf.delete_relations(change.connection, outgoing)
    memory_ties_shelf.put_relations(change.connection, relations)


def _refused(sentence: str, field: str) -> InvalidInput:
    return InvalidInput(sentence, code="invalid_argument", field=field)


def settle_relations(change: Change, memory: Memory) -> Memory:
    """From now on its relations are its own. Other ends stay as given, so that their merges can be undone."""
    if not memory.inherits:
        return memory
    own = memory.node_id
    graph = RelationGraph(change.connection)
    members = {member.node_id for member in graph.members(memory)}
    rows = memory_ties_shelf.relations_of(change.connection, members)
    given = {(row.source_id, row.target_id, row.type) for row in rows if own in (row.source_id, row.target_id)}
    settled = [
        relation
        for type in sorted({row.type for row in rows})
        for relation in _folded(graph, memory, members, [row for row in rows if row.type == type])
        if (relation.source_id, relation.target_id, relation.type) not in given
    ]
    memory_ties_shelf.put_relations(change.connection, settled)
    return change.touch(memory, inherits=False)


def _folded(graph: RelationGraph, memory: Memory, members: set[str], rows: list[Relation]) -> list[Relation]:
    """Its relations of one type with everything outside, each with the original other end."""
    outgoing = {(row.source_id, row.target_id): row.weight for row in rows if row.target_id not in members}
    incoming = {(row.source_id, row.target_id): row.weight for row in rows if row.source_id not in members}
    type = rows[0].type
    return [
        Relation(*ends, type, weight, settled=True)
        for is_source, cells in ((True, outgoing), (False, incoming))
        for ends, weight in sorted(graph.folded_here(memory, type, cells, is_source=is_source).items())
        if memory.node_id in ends
    ]
