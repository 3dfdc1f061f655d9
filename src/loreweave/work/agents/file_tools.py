"""Reading, writing and searching files of a workspace for an agent."""

from __future__ import annotations

from loreweave.errors import Forbidden, InvalidInput
from loreweave.language.boxed_text import boxed
from loreweave.seams.host.confined_folder import ConfinedFolder
from loreweave.work.agents.path_places import place_path
from loreweave.work.agents.tool_requests import FileCall

READ_BYTES = 65_536  # shown of a file, of a list, of what was found
_FILE_BYTES = 1024 * 1024


def use_file(folder: ConfinedFolder, request: FileCall) -> str:
    # The real path, free of links: the folder itself follows none, should one be put there now.
    placed = place_path(folder.path, request.path)
    if placed.place != "inside":
        raise Forbidden("The path lies outside the workspace")
    path = placed.relative
    if request.name == "read_file":
        return _read(folder, path)
    if request.name == "list_files":
        return _listed(folder.list_files(path))
    if request.name == "search_files":
        found = folder.search(request.texts["pattern"])
        return _listed([f"{line.path}:{line.line}: {line.text}" for line in found])
    if request.name == "write_file":
        folder.write_text(path, request.texts["content"])
        return "The file is written."
    return _edit(folder, path, request.texts["old"], request.texts["new"])


def _read(folder: ConfinedFolder, path: str) -> str:
    data = folder.read_bytes(path, _FILE_BYTES)
    if b"\0" in data:
        raise InvalidInput("This is not a text file", field="path")
    text = data[:READ_BYTES].decode("utf-8", "replace")
    rest = len(data) - READ_BYTES
    return boxed("file", text) + (f"\n{rest} more bytes are not shown." if rest > 0 else "")


def _edit(folder: ConfinedFolder, path: str, old: str, new: str) -> str:
    text = folder.read_text(path, _FILE_BYTES)
    times = text.count(old) if old else 0
    if times == 0 and new and new in text:
        return "The file holds the new text already."  # also when the same edit is done again after a crash
    if times != 1:
        raise InvalidInput(f"The old text occurs {times} times in the file, not once", field="old")
    folder.write_text(path, text.replace(old, new))
    return "The file is changed."


def _listed(lines: list[str]) -> str:
    if not lines:
        return "Nothing was found."
    text = "\n".join(lines)
    shown = text[:READ_BYTES]
    return boxed("list", shown) + ("\nThe list goes on." if len(shown) < len(text) else "")
