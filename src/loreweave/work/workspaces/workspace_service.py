"""The workspaces of people, and the scratch folders of runs, all behind one wall: the workspace root."""

import hashlib
import re
from pathlib import Path
from typing import Any

from loreweave.contracts.workspace import LoadedWorkspace, SavedWorkspace, WorkspaceSaveRequest
from loreweave.errors import InvalidInput, NotFound, TooLarge
from loreweave.seams.host.confined_folder import ConfinedFolder
from loreweave.work.workspaces import design_file
from loreweave.work.workspaces.workspace_path import FIELD, OWN_FOLDER, workspace_parts

_DESIGN: dict[str, tuple[str, str, type]] = {  # in the answer: (in the request, its file, its kind)
    "workspace": ("workspace_json", "workspace.json", dict),
    "skills": ("skills", "skills.json", list),
    "rules": ("rules", "rules.json", list),
    "portals": ("portals", "portals.json", list),
}
_PLAIN_NAME = re.compile("[A-Za-z0-9_-]{1,100}")


class WorkspaceService:
    """Every path is walked anew from the root, so that a link put in the way is met, not followed."""

    def __init__(self, root: Path) -> None:
        self._root = root

    def folder_for(self, path: str) -> ConfinedFolder:
        """The folder a path names, there or not; its first use meets links and files in its way."""
        return ConfinedFolder(self._root, workspace_parts(self._root, path), field=FIELD)

    def save(self, request: WorkspaceSaveRequest) -> SavedWorkspace:
        """Writes those given; nothing is written unless all of them can be."""
        folder = self.folder_for(request.workspace_path)
        files = {}
        for field, file, _ in _DESIGN.values():
            value = getattr(request, field)
            if value is not None:
                files[file] = design_file.to_bytes(field, value)
        self._root.mkdir(parents=True, exist_ok=True)
        folder.make_folder()
        for file in files:
            folder.kind_of(file)  # a link is refused before anything is written
        for file, data in files.items():
            folder.write_bytes(file, data)
        return SavedWorkspace()

    def load(self, path: str) -> LoadedWorkspace:
        folder = self.folder_for(path)
        folder.refuse_absent()
        return LoadedWorkspace(**{name: _read(folder, file, kind) for name, (_, file, kind) in _DESIGN.items()})

    def open_scratch(self, session_id: str, key: str = "") -> ConfinedFolder:
        """A private folder of one step of a session. One that was interrupted finds in it what it had."""
        folder = self._scratches().below(f"{_name(session_id)}/{_digest(key)}")
        self._root.mkdir(parents=True, exist_ok=True)
        folder.make_folder(0o700)
        return folder

    def remove_scratch(self, session_id: str, key: str | None = None) -> None:
        """Of one step, or, without a key, of the whole session."""
        self._scratches().remove(_name(session_id) if key is None else f"{_name(session_id)}/{_digest(key)}")

    def _scratches(self) -> ConfinedFolder:
        return ConfinedFolder(self._root, (OWN_FOLDER, "scratch"))


def _read(folder: ConfinedFolder, file: str, kind: type) -> Any:
    try:
        data = folder.read_bytes(file, design_file.LARGEST)
    except NotFound:
        return kind()
    except TooLarge as trouble:
        raise design_file.unreadable(file, f"is larger than {design_file.LARGEST} bytes") from trouble
    except InvalidInput as trouble:
        raise design_file.unreadable(file, "cannot be read") from trouble
    return design_file.from_bytes(file, data, kind)


def _name(session_id: str) -> str:
    return session_id if _PLAIN_NAME.fullmatch(session_id) else _digest(session_id)


def _digest(key: str) -> str:
    return hashlib.sha256(key.encode(errors="surrogatepass")).hexdigest()[:24]
