"""The trees of a build on a computer without git: copies of its folder, brought back file by file, without history."""

import hashlib
import json
import shutil
from pathlib import Path

from loreweave.seams.host.build_repository import Committed, MergeConflict, TaskTree
from loreweave.seams.host.confined_folder import ConfinedFolder

_FILE = 512 * 1024 * 1024
_MOST = 20_000  # files


class PlainTrees:
    """Answers as a repository does; nothing it brings back is a commit."""

    trouble = ""

    def __init__(self, home: Path, folder: ConfinedFolder) -> None:
        self._home = home
        self._folder = folder

    def prepare(self, when: str) -> None:
        self._home.mkdir(parents=True, exist_ok=True, mode=0o700)

    def check_out(self, place: str) -> TaskTree:
        tree = self._home / "trees" / place
        shutil.rmtree(tree, ignore_errors=True)
        tree.mkdir(parents=True, mode=0o700)
        copy = ConfinedFolder(tree)
        known = {}
        for path in self._folder.list_files(limit=_MOST):
            data = self._folder.read_bytes(path, _FILE)
            copy.write_bytes(path, data)
            known[path] = _name(data)
        self._known(place).write_text(json.dumps(known))
        return TaskTree(tree, "")

    def remove_tree(self, place: str) -> None:
        shutil.rmtree(self._home / "trees" / place, ignore_errors=True)
        self._known(place).unlink(missing_ok=True)

    def commit(self, place: str, tree: TaskTree, message: str, author: str, when: str) -> Committed | None:
        """All or nothing, as far as conflicts go; done again after a crash it changes nothing more."""
        known, copy = json.loads(self._known(place).read_text()), ConfinedFolder(tree.folder)
        now = {path: copy.read_bytes(path, _FILE) for path in copy.list_files(limit=_MOST)}
        written = {path: data for path, data in now.items() if known.get(path) != _name(data)}
        removed = [path for path in known if path not in now]
        in_the_way = [path for path, data in written.items() if self._here(path) not in (known.get(path), _name(data))]
        in_the_way += [path for path in removed if self._here(path) not in (known[path], None)]
        if in_the_way:
            raise MergeConflict(sorted(in_the_way))
        for path, data in written.items():
            self._folder.write_bytes(path, data)
        for path in removed:
            self._folder.remove(path)
        return None

    def publish(self, made: Committed) -> list[str]:
        return []  # what was brought back is in the folder

    def difference(self, tree: TaskTree, place: str, most: int) -> str:
        """Which files an attempt changed."""
        known, copy = json.loads(self._known(place).read_text()), ConfinedFolder(tree.folder)
        paths = [
            path for path in copy.list_files(limit=_MOST) if known.get(path) != _name(copy.read_bytes(path, _FILE))
        ]
        return "\n".join(paths)[:most]

    def _here(self, path: str) -> str | None:
        return _name(self._folder.read_bytes(path, _FILE)) if self._folder.kind_of(path) == "file" else None

    def _known(self, place: str) -> Path:
        """What the tree began with."""
        return self._home / f"began-{place}.json"


def _name(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()
