"""Live memories as Markdown files, in a folder or a ZIP archive. Equal stores give equal bytes."""

import io
import os
import re
import secrets
import zipfile
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from pathlib import Path

from loreweave.clock import format_instant
from loreweave.contracts.memory import MemoryExportAnswer
from loreweave.entities.stored_memory import LIVE, Memory, Relation
from loreweave.errors import InvalidInput
from loreweave.language.slug import slug
from loreweave.memory.change import MemoryTools
from loreweave.memory.markdown.read_memory_file import shown_path, write_number, write_text
from loreweave.memory.memory_record import shown
from loreweave.memory.merging.relation_graph import RelationGraph
from loreweave.seams.storage import memory_shelf, memory_ties_shelf
from loreweave.seams.storage.store import Connection

LONGEST_SLUG = 160  # bytes; a file system takes names of 255
_SHORT_ID = 8
_DRIVE = re.compile(r"[A-Za-z]:")


class FilePlaces:
    """Gives each memory a place of its own. Memories come in the order of their scopes and ids."""

    def __init__(self) -> None:
        self._taken: set[str] = set()

    def place(self, memory: Memory) -> str:
        folder, name = scope_folder(memory.scope), _name(memory.name)
        for length in (_SHORT_ID, len(memory.node_id)):  # two memories may share a name and the beginning of an id
            path = f"{folder}/{name}-{memory.node_id[:length]}.md"
            if path.lower() not in self._taken:
                break
        self._taken.add(path.lower())
        return path


def scope_folder(scope: str) -> str:
    """A relative path that leads nowhere else. What could is written as %XX, a sign that no scope has."""
    return "/".join(_part(part, is_first=place == 0) for place, part in enumerate(scope.split("/")))


def _part(part: str, *, is_first: bool) -> str:
    if not part:
        return "%"
    if part.lower().endswith(".md"):  # else it could be the file of a memory
        part = f"{part[:-3]}%2E{part[-2:]}"
    if part.endswith("."):
        part = part[:-1] + "%2E"
    if part.startswith("."):
        part = "%2E" + part[1:]
    return part.replace(":", "%3A", 1) if is_first and _DRIVE.match(part) else part


def _name(name: str) -> str:
    made = slug(name)
    while len(made.encode()) > LONGEST_SLUG:
        made = made[: max(1, len(made) - max(1, (len(made.encode()) - LONGEST_SLUG) // 4))]
    return made.strip("-") or "memory"


def outgoing_relations(connection: Connection, memories: Sequence[Memory]) -> dict[str, list[Relation]]:
    """By node id. Where no merge is in between, what is written is what stands."""
    ids = {memory.node_id for memory in memories}
    rows = [row for row in memory_ties_shelf.relations_of(connection, ids) if row.source_id in ids]
    others = memory_shelf.find_memories(connection, (row.target_id for row in rows if row.target_id not in ids))
    known = {memory.node_id: memory for memory in memories} | others
    found: dict[str, list[Relation]] = {memory.node_id: [] for memory in memories}
    through_merges = {memory.node_id for memory in memories if memory.inherits}
    for row in rows:
        target = known.get(row.target_id)
        if target is None:
            continue
        if target.state == LIVE and not target.inherits:
            found[row.source_id].append(Relation(row.source_id, row.target_id, row.type, row.weight))
        else:
            through_merges.add(row.source_id)
    graph = RelationGraph(connection)
    graph.know(known.values())
    for node_id in sorted(through_merges):
        live = graph.live_relations(known[node_id])
        found[node_id] = [relation for relation in live if relation.source_id == node_id]
    return found


RULE = "---"


def write_memory_file(memory: Memory, relations: Iterable[Relation]) -> bytes:
    """`relations`: the outgoing ones."""
    lines = [
        RULE,
        f"node_id: {write_text(memory.node_id)}",
        f"name: {write_text(memory.name)}",
        f"scope: {write_text(memory.scope)}",
        f"importance: {write_number(memory.importance)}",
        *_list("tags", [f"- {write_text(tag)}" for tag in sorted(memory.tags)]),
        f"source: {write_text(memory.source)}",
        f"created_at: {write_text(format_instant(memory.created_at))}",
        f"version: {memory.version}",
        f"valid_from: {write_text(shown(memory.valid_from))}",
        f"valid_until: {write_text(shown(memory.valid_until))}",
        *_list("relations", _relations(relations)),
        RULE,
        "",
    ]
    return ("\n".join(lines) + memory.content + "\n").encode()


def _list(name: str, entries: list[str]) -> list[str]:
    return [f"{name}:", *(f"  {entry}" for entry in entries)] if entries else [f"{name}: []"]


def _relations(relations: Iterable[Relation]) -> list[str]:
    lines = []
    for each in sorted(relations, key=lambda relation: (relation.target_id, relation.type)):
        lines += [
            f"- target_id: {write_text(each.target_id)}",
            f"  type: {write_text(each.type)}",
            f"  weight: {write_number(each.weight)}",
        ]
    return lines


_AT_ONCE = 400
_MODE = 0o100644
_UNIX = 3
_EARLIEST = (1980, 1, 1, 0, 0, 0)  # an archive knows no earlier time


def export_folder(tools: MemoryTools, folder: Path, scope: str | None) -> MemoryExportAnswer:
    """Writes over files of the same name, and takes none away."""
    exported = 0
    made: set[str] = set()
    try:
        folder.mkdir(parents=True, exist_ok=True)
        root = os.path.realpath(folder)
        for path, data in _files(tools, scope):
            _write(root, path, data, made)
            exported += 1
    except (OSError, ValueError) as trouble:
        sentence = f"The folder {shown_path(str(folder))} cannot be written: {trouble}"
        raise InvalidInput(sentence, field="path") from trouble
    return MemoryExportAnswer(exported=exported)


def export_zip(tools: MemoryTools, scope: str | None) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for path, data in sorted(_files(tools, scope)):
            entry = zipfile.ZipInfo(path, _EARLIEST)
            entry.create_system, entry.external_attr = _UNIX, _MODE << 16
            entry.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(entry, data)
    return packed.getvalue()


def _files(tools: MemoryTools, scope: str | None) -> Iterator[tuple[str, bytes]]:
    places = FilePlaces()
    with tools.store.read() as connection:
        memories = memory_shelf.live_memories(connection, scope)
        while some := list(islice(memories, _AT_ONCE)):
            relations = outgoing_relations(connection, some)
            for memory in some:
                yield places.place(memory), write_memory_file(memory, relations[memory.node_id])


def _write(root: str, path: str, data: bytes, made: set[str]) -> None:
    """What is there already is replaced as a whole, never written through a link."""
    folder = os.path.dirname(os.path.join(root, path))
    if folder not in made:
        os.makedirs(folder, exist_ok=True)
        if os.path.realpath(folder) != folder:
            raise OSError(f"{shown_path(os.path.dirname(path))} leads elsewhere")
        made.add(folder)
    place = os.path.join(root, path)
    try:
        _write_new(place, data)
    except FileExistsError:
        unfinished = os.path.join(folder, f".lore-{secrets.token_hex(8)}")
        _write_new(unfinished, data)
        os.replace(unfinished, place)


def _write_new(place: str, data: bytes) -> None:
    with open(place, "xb", buffering=0) as stream:
        try:
            stream.write(data)
        except BaseException:
            os.unlink(place)
            raise
