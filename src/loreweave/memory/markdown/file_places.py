"""Where the file of a memory stands: <scope>/<slug of its name>-<first 8 of its id>.md, always below the folder."""

import re

from loreweave.entities.memory import Memory
from loreweave.language.slug import slug

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
