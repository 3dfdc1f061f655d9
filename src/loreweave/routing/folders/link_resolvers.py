"""What a link of a body leads to: in a folder of skills, or in a vault of notes."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Literal, Protocol

from loreweave.language.markdown.note_names import Named, names_of
from loreweave.language.markdown.note_slugs import is_skill_file
from loreweave.language.markdown.resolve_link import Candidate, resolve
from loreweave.language.slug import slug
from loreweave.routing.folders.body_links import BodyLink

_OTHER_FILE = re.compile(r"\.(?!md$)[A-Za-z][A-Za-z0-9]{0,9}$", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class LinkTarget:
    """A skill by id, a resource by path; `nothing` is a dead link, `other` none of our business."""

    kind: Literal["skill", "resource", "nothing", "other"]
    name: str = ""


NOTHING = LinkTarget("nothing")
OTHER = LinkTarget("other")


class LinkResolver(Protocol):
    def target_of(self, path: str, link: BodyLink) -> LinkTarget:
        """What a link in the file at this path leads to."""
        ...


class FolderLinks:
    """Names of skills, and paths from the linking file or from the root."""

    def __init__(self, skills: Mapping[str, str], paths: Iterable[str]) -> None:
        """`skills`: the path of each id; `paths`: of every file there is."""
        self._skills = skills
        self._by_path = {path: name for name, path in skills.items()}
        self._by_folder = {path.rpartition("/")[0]: name for name, path in skills.items()}
        self._paths = frozenset(paths)

    def target_of(self, path: str, link: BodyLink) -> LinkTarget:
        if link.is_wiki:
            for name in (link.target, slug(link.target)):
                if name in self._skills:
                    return LinkTarget("skill", name)
        folder = path.rpartition("/")[0]
        for base in ("",) if link.target.startswith("/") else (folder, ""):
            found = self._at(base, link.target, is_wiki=link.is_wiki)
            if found is not None:
                return found
        is_note = link.target.lower().endswith(".md") or (link.is_wiki and not _OTHER_FILE.search(link.target))
        return NOTHING if is_note else OTHER

    def _at(self, base: str, target: str, *, is_wiki: bool) -> LinkTarget | None:
        place = join_path(base, target)
        if place is None:
            return None
        for path in (place, f"{place}.md") if is_wiki else (place,):
            if path in self._by_path:
                return LinkTarget("skill", self._by_path[path])
            if path in self._paths and path.lower().endswith(".md"):
                # The file of a skill that was skipped leads nowhere.
                return NOTHING if is_skill_file(path) and not self._is_inside(path) else LinkTarget("resource", path)
        if place and place in self._by_folder:
            return LinkTarget("skill", self._by_folder[place])
        return None

    def _is_inside(self, path: str) -> bool:
        """Whether the file lies below the folder of a skill, so that it is a file of that skill."""
        parts = path.split("/")[:-1]
        return any("/".join(parts[:length]) in self._by_folder for length in range(1, len(parts)))


class VaultLinks:
    """As links between notes are resolved everywhere else in the product."""

    def __init__(self, notes: Iterable[tuple[str, Named]]) -> None:
        self._ids: list[str] = []
        self._names: dict[str, list[Candidate]] = {}
        for number, (name, note) in enumerate(notes):
            self._ids.append(name)
            for key, name_class in names_of(note):
                self._names.setdefault(key, []).append(Candidate(number, name_class, note.path))

    def target_of(self, path: str, link: BodyLink) -> LinkTarget:
        found = resolve(link.target, path, self._names)
        if found is not None:
            return LinkTarget("skill", self._ids[found.note_key])
        if link.is_wiki:
            return OTHER if _OTHER_FILE.search(link.target) else NOTHING
        return NOTHING if link.target.lower().endswith(".md") else OTHER


def join_path(base: str, target: str) -> str | None:
    """The path below the root; None where it would lead outside."""
    parts = base.split("/") if base and not target.startswith("/") else []
    for part in target.replace("\\", "/").split("/"):
        if part == "..":
            if not parts:
                return None
            parts.pop()
        elif part not in ("", "."):
            parts.append(part)
    return "/".join(parts)
