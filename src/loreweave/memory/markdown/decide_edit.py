"""What a file changes about the memory it names."""

from collections.abc import Sequence

from loreweave.contracts.memory_requests import StoreRequest
from loreweave.entities.memory import Memory, Relation
from loreweave.errors import Conflict
from loreweave.memory.changes.edit_memory import changed_fields
from loreweave.memory.markdown.memory_file import MemoryFile


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
