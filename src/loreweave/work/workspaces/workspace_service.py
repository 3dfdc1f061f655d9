"""The workspaces of people, and the scratch folders of runs, all behind one wall: the workspace root."""

import hashlib
import json
import math
import os
import re
from contextlib import suppress
from pathlib import Path
from typing import Any

from loreweave.clock import format_milliseconds
from loreweave.contracts.session import (
    LONGEST_PATH,
    DesignList,
    ListedDesign,
    LoadedWorkspace,
    SavedWorkspace,
    WorkspaceSaveRequest,
)
from loreweave.errors import Forbidden, InvalidInput, LoreError, NotFound, TooLarge
from loreweave.language.strange_text import is_unicode
from loreweave.private_folder import private_folder
from loreweave.seams.host.confined_folder import ConfinedFolder

_DESIGN: dict[str, tuple[str, str, type]] = {  # in the answer: (in the request, its file, its kind)
    "workspace": ("workspace_json", "workspace.json", dict),
    "skills": ("skills", "skills.json", list),
    "rules": ("rules", "rules.json", list),
    "portals": ("portals", "portals.json", list),
}
_PLAIN_NAME = re.compile("[A-Za-z0-9_-]{1,100}")
_FIELD = "workspace_path"
_ROOT_HINT = "LORE_WORKSPACE_ROOT names the folder that workspaces are in"
_OWN_FOLDER = ".lore"  # the product's own, in the root
LISTENED = ".heard"  # the ending of the note of a port that is listened to
_LONGEST_NAME = 255  # bytes
_DESIGNS = "designs"  # what the page saves, each in a folder of its own
_MOST_FOLDERS = 5_000
_LONGEST_SHOWN = 200
LARGEST = 1024 * 1024  # bytes
DEEPEST = 200  # a chain of blocks nests two levels a block
MOST_VALUES = 100_000


class WorkspaceService:
    """Every path is walked anew from the root, so that a link put in the way is met, not followed."""

    def __init__(self, root: Path) -> None:
        self._root = root

    def folder_for(self, path: str) -> ConfinedFolder:
        """The folder a path names, there or not; its first use meets links and files in its way."""
        return ConfinedFolder(self._root, _workspace_parts(self._root, path), field=_FIELD)

    def save(self, request: WorkspaceSaveRequest) -> SavedWorkspace:
        """Writes those given; nothing is written unless all of them can be."""
        folder = self.folder_for(request.workspace_path)
        files = {}
        for field, file, _ in _DESIGN.values():
            value = getattr(request, field)
            if value is not None:
                files[file] = _to_bytes(field, value)
        private_folder(self._root, "LORE_WORKSPACE_ROOT")
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

    def designs(self, limit: int) -> DesignList:
        """Saved last, first. What is no design, or lies behind a link, is left out."""
        shelf = ConfinedFolder(self._root, (_DESIGNS,), field=_FIELD)
        saved = []
        with suppress(NotFound):
            for name in shelf.list_folders()[:_MOST_FOLDERS]:
                with suppress(LoreError):
                    saved.append((-shelf.changed_at(f"{name}/workspace.json"), name))
        designs: list[ListedDesign] = []
        for changed, name in sorted(saved):
            if len(designs) == limit:
                break
            with suppress(LoreError, OverflowError):  # a clock may have been set to any time
                told = _told_of(self.load(f"{_DESIGNS}/{name}").workspace)
                if told is not None:
                    designs.append(ListedDesign(id=name, saved_at=format_milliseconds(-changed), **told))
        return DesignList(designs=designs, total=len(saved))

    def open_scratch(self, session_id: str, key: str = "") -> ConfinedFolder:
        """A private folder of one step of a session. One that was interrupted finds in it what it had."""
        folder = self._scratches().below(f"{_name(session_id)}/{_digest(key)}")
        private_folder(self._root, "LORE_WORKSPACE_ROOT")
        folder.make_folder(0o700)
        return folder

    def remove_scratch(self, session_id: str, key: str | None = None) -> None:
        """Of one step, or, without a key, of the whole session."""
        self._scratches().remove(_name(session_id) if key is None else f"{_name(session_id)}/{_digest(key)}")

    def make_root(self) -> None:
        private_folder(self._root, "LORE_WORKSPACE_ROOT")

    def build_home(self, session_id: str) -> Path:
        """Where a build keeps its trees and references, out of everybody's way."""
        return self._root / _OWN_FOLDER / "builds" / _name(session_id)

    def moved(self, session_id: str, path: str) -> str:
        """Where the folder of a build is, by the path in its log: a library that came from elsewhere has it, with what
        the build keeps, below this root."""
        parts = _names(path)
        with suppress(Forbidden):
            _inside(self._root, parts)
            return path
        if self.build_home(session_id).is_dir():
            places = (self._root.joinpath(*parts[start:]) for start in range(len(parts)))
            return str(next((place for place in places if place.is_dir()), path))
        return path

    def remove_build_trees(self, session_id: str) -> None:
        """What the build keeps after its end is its history alone."""
        ConfinedFolder(self._root, (_OWN_FOLDER, "builds", _name(session_id))).remove("trees")

    def remove_build_home(self, session_id: str) -> None:
        ConfinedFolder(self._root, (_OWN_FOLDER, "builds")).remove(_name(session_id))

    def board_home(self, session_id: str) -> ConfinedFolder:
        """What a build keeps of its board, gone with the session."""
        return ConfinedFolder(self._root, (_OWN_FOLDER, "builds", _name(session_id), "board"))

    def port_file(self, port: str) -> Path:
        """The file by which those who use a port know of one another: a name means another port on every computer."""
        private_folder(self._root, "LORE_WORKSPACE_ROOT")
        folder = ConfinedFolder(self._root, (_OWN_FOLDER, "ports"))
        folder.make_folder(0o700)
        return folder.path / _digest(f"{os.uname().nodename} {port}")

    def listened_ports(self) -> list[Path]:
        """The notes of ports that somebody listened to: for which session, and until when."""
        return sorted(ConfinedFolder(self._root, (_OWN_FOLDER, "ports")).path.glob(f"*{LISTENED}"))

    def _scratches(self) -> ConfinedFolder:
        return ConfinedFolder(self._root, (_OWN_FOLDER, "scratch"))


def _read(folder: ConfinedFolder, file: str, kind: type) -> Any:
    try:
        data = folder.read_bytes(file, LARGEST)
    except NotFound:
        return kind()
    except TooLarge as trouble:
        raise _unreadable(file, f"is larger than {LARGEST:,} bytes") from trouble
    except InvalidInput as trouble:
        raise _unreadable(file, "cannot be read") from trouble
    return _from_bytes(file, data, kind)


def _told_of(workspace: dict[str, Any]) -> dict[str, Any] | None:
    document = workspace.get("document")
    if not isinstance(document, dict):
        return None
    kind = "build" if workspace.get("kind") == "build" else "plan"
    part, key = ("project", "goal") if kind == "build" else ("plan", "skillName")
    named = document.get(part)
    name = named.get(key) if isinstance(named, dict) else None
    return {"kind": kind, "name": name.strip()[:_LONGEST_SHOWN] if isinstance(name, str) else ""}


def _name(session_id: str) -> str:
    return session_id if _PLAIN_NAME.fullmatch(session_id) else _digest(session_id)


def _digest(key: str) -> str:
    return hashlib.sha256(key.encode(errors="surrogatepass")).hexdigest()[:24]


def _workspace_parts(root: Path, path: str) -> tuple[str, ...]:
    """The names on the way from the root to the folder; at least one."""
    _refuse_malformed(path)
    parts = _names(path)
    if path.startswith("/"):
        parts = _inside(root, parts)
    if not parts:
        raise Forbidden(f"{_FIELD} must be strictly below the workspace root: {_ROOT_HINT}", field=_FIELD)
    if any(part.casefold() == _OWN_FOLDER for part in parts):
        raise Forbidden(f"{_FIELD} must not lead into {_OWN_FOLDER}", field=_FIELD)
    return parts


def _refuse_malformed(path: str) -> None:
    if not path.strip():
        raise _refusal("must not be empty")
    if len(path) > LONGEST_PATH:
        raise _refusal(f"must have at most {LONGEST_PATH} characters")
    if "\0" in path:
        raise _refusal("must not contain the character NUL")
    if path.startswith("~"):
        raise _refusal("must not begin with ~")
    if ".." in path.split("/"):
        raise _refusal("must not contain ..")
    if not is_unicode(path):
        raise _refusal("must be valid Unicode")
    if any(len(name.encode()) > _LONGEST_NAME for name in path.split("/")):
        raise _refusal(f"must not contain a name of over {_LONGEST_NAME} bytes")


def _inside(root: Path, parts: tuple[str, ...]) -> tuple[str, ...]:
    """What is left below the root, as it is configured or as it really is."""
    for place in (_names(str(root.absolute())), _names(os.path.realpath(root))):
        if parts[: len(place)] == place:
            return parts[len(place) :]
    raise Forbidden(f"{_FIELD} is outside the workspace root: {_ROOT_HINT}", field=_FIELD)


def _names(path: str) -> tuple[str, ...]:
    return tuple(name for name in path.split("/") if name not in ("", "."))


def _refusal(fault: str) -> InvalidInput:
    return InvalidInput(f"{_FIELD} {fault}", field=_FIELD)


def _to_bytes(field: str, value: Any) -> bytes:
    """The file's content; what could not be read again is refused, naming the field."""
    if fault := _find_fault(value):
        raise InvalidInput(f"{field} {fault}", field=field)
    data = json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":")).encode() + b"\n"
    if len(data) > LARGEST:
        raise TooLarge(f"{field} is larger than {LARGEST:,} bytes", what=field, limit=LARGEST)
    return data


def _from_bytes(file: str, data: bytes, kind: type[dict[str, Any]] | type[list[Any]]) -> Any:
    """The value of a file; what is no such value is refused, naming the file."""
    try:
        value = json.loads(data.decode("utf-8-sig"))
    except (ValueError, RecursionError):
        raise _unreadable(file, "is not valid JSON") from None
    entries = value if isinstance(value, list) else []
    if not isinstance(value, kind) or not all(isinstance(entry, dict) for entry in entries):
        raise _unreadable(file, "must hold an object" if kind is dict else "must hold a list of objects")
    if fault := _find_fault(value):
        raise _unreadable(file, fault)
    return value


def _unreadable(file: str, fault: str) -> InvalidInput:
    return InvalidInput(f"{file} {fault}", field="workspace_path", file=file)


def _find_fault(value: Any) -> str:
    """Why a value is no JSON that can be kept and sent; nothing where it is. Hostile nesting costs no stack."""
    waiting = [(value, 1)]
    seen = 0
    while waiting:
        entry, depth = waiting.pop()
        seen += 1
        if depth > DEEPEST:
            return f"is nested deeper than {DEEPEST} levels"
        if seen > MOST_VALUES:
            return f"holds more than {MOST_VALUES:,} values"
        if fault := _own_fault(entry):
            return fault
        if isinstance(entry, dict):
            waiting += [(part, depth + 1) for pair in entry.items() for part in pair]
        elif isinstance(entry, list):
            waiting += [(part, depth + 1) for part in entry]
    return ""


def _own_fault(entry: Any) -> str:
    if isinstance(entry, str):
        return "" if is_unicode(entry) else "holds text that is not valid Unicode"
    if isinstance(entry, float):
        return "" if math.isfinite(entry) else "holds a number that JSON does not know"
    return "" if entry is None or isinstance(entry, bool | int | dict | list) else "holds what JSON does not know"
