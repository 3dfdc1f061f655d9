"""Live memories as Markdown files, in a folder or a ZIP archive. Equal stores give equal bytes."""

import io
import os
import secrets
import zipfile
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

from loreweave.contracts.memory import ExportAnswer
from loreweave.errors import InvalidInput
from loreweave.memory.change import MemoryTools
from loreweave.memory.markdown.file_places import FilePlaces
from loreweave.memory.markdown.outgoing_relations import outgoing_relations
from loreweave.memory.markdown.source_file import shown_path
from loreweave.memory.markdown.write_memory_file import write_memory_file
from loreweave.seams.storage import memory_shelf

_AT_ONCE = 400
_MODE = 0o100644
_UNIX = 3
_EARLIEST = (1980, 1, 1, 0, 0, 0)  # an archive knows no earlier time


def export_folder(tools: MemoryTools, folder: Path, scope: str | None) -> ExportAnswer:
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
    return ExportAnswer(exported=exported)


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
