"""The links of a body: the sentence around each, what it leads to, which edges they state. Code holds none."""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Mapping
from dataclasses import dataclass
from typing import Literal, Protocol

from loreweave.language.markdown.contexts import Sentences
from loreweave.language.markdown.note_names import Named, names_of, read_target
from loreweave.language.markdown.note_slugs import is_skill_file
from loreweave.language.markdown.outline_page import read_outline
from loreweave.language.markdown.resolve_link import group_names, resolve
from loreweave.language.slug import slug
from loreweave.language.strange_text import walked
from loreweave.routing.declaring.declarations import DeclaredRoute
from loreweave.routing.declaring.skill import Skill
from loreweave.routing.graph_problems import SkillGraphError, quoted

_OTHER_FILE = re.compile(r"\.(?!md$)[A-Za-z][A-Za-z0-9]{0,9}$", re.IGNORECASE)
MOST_PASSES = 5


@dataclass(frozen=True, slots=True)
class BodyLink:
    """`line` counts from 0 in the body; `reason` is None for a target that was mentioned before."""

    is_wiki: bool
    target: str
    line: int
    start: int
    reason: str | None


def find_body_links(body: str) -> list[BodyLink]:
    if "[" not in body and "href" not in body:
        return []
    prepared, outline = read_outline("SKILL.md", body, 0)
    data, source = prepared.parsed.data, prepared.parsed.source
    found: list[BodyLink] = []
    met: set[tuple[bool, str]] = set()
    line = start = counted = 0
    sentences: Sentences | None = None
    for link in sorted(outline.links, key=lambda link: link.start):
        target = read_target(link.target, "", wikilink=link.wikilink)[0]
        if not target:
            continue
        place = prepared.parsed.origin(link.start + data.startswith(b"!", link.start))
        reason = None
        if (link.wikilink, target) not in met:
            met.add((link.wikilink, target))
            if sentences is None or sentences.block is not link.block:
                sentences = Sentences(data, link.block)
            reason = sentences.around(link.start, link.end)
        passed = source[counted:place].decode("utf-8", "replace")
        line, start, counted = line + passed.count("\n"), start + len(passed), place
        found.append(BodyLink(link.wikilink, target, line, start, reason))
    return found


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
                is_dead = is_skill_file(path) and not is_inside(path.rpartition("/")[0], self._by_folder)
                return NOTHING if is_dead else LinkTarget("resource", path)
        if place and place in self._by_folder:
            return LinkTarget("skill", self._by_folder[place])
        return None


def is_inside(folder: str, folders: Container[str]) -> bool:
    """Whether a folder lies below one of skills, so that what is in it belongs to that skill."""
    parts = folder.split("/")
    return any("/".join(parts[:length]) in folders for length in range(1, len(parts)))


class VaultLinks:
    """As links between notes are resolved everywhere else in the product."""

    def __init__(self, notes: Iterable[tuple[str, Named]]) -> None:
        known = list(notes)
        self._ids = [name for name, _ in known]
        named = ((key, number, of, note.path) for number, (_, note) in enumerate(known) for key, of in names_of(note))
        self._names = group_names(named)

    def target_of(self, path: str, link: BodyLink) -> LinkTarget:
        found = resolve(link.target, path, self._names)
        if found is not None:
            return LinkTarget("skill", self._ids[found.note_key])
        if link.is_wiki:
            return OTHER if _OTHER_FILE.search(link.target) else NOTHING
        return NOTHING if link.target.lower().endswith(".md") else OTHER


def join_path(base: str, target: str) -> str | None:
    """The path below the root; None where it would lead outside."""
    written = target.replace("\\", "/")
    parts = walked(written if target.startswith("/") else f"{base}/{written}")
    return None if parts is None else "/".join(parts)


def restate_links(skill: Skill, routes: list[DeclaredRoute], links: FolderLinks) -> tuple[list[DeclaredRoute], str]:
    """The routes that need a line, and the body. A link that would state an edge that is none is escaped."""
    said = len(routes)
    while said and _is_linked(routes[said - 1]):
        said -= 1
    tail = [(route.to, route.reason) for route in routes[said:]]
    if _stated(skill.body, skill.id, routes[:said], links) == tail:
        return routes[:said], skill.body
    body = skill.body
    for _ in range(MOST_PASSES):
        wanted = {name for name, _ in _stated(body, skill.id, routes, links)}
        if not wanted:
            return routes, body
        body = _escape(body, skill.id, wanted, links)
    raise SkillGraphError(f"the body of {quoted(skill.id)} links to a skill that no edge leads to")


def _is_linked(route: DeclaredRoute) -> bool:
    """Whether it is all that a link can state."""
    plain = route.priority == 0 and route.label is None and not route.carry
    return plain and route.reason is not None and not route.conditioned


def _target(name: str, link: BodyLink, links: FolderLinks) -> str | None:
    target = links.target_of(f"{name}/SKILL.md", link)
    return target.name if target.kind == "skill" else None


def _stated(body: str, name: str, routes: list[DeclaredRoute], links: FolderLinks) -> list[tuple[str, str | None]]:
    """Target and reason of every edge that the links of the body state beside these routes."""
    known = {None, name, *(route.to for route in routes)}
    found: list[tuple[str, str | None]] = []
    for link in find_body_links(body):
        target = _target(name, link, links)
        if target is not None and target not in known:
            known.add(target)
            found.append((target, link.reason))
    return found


def _escape(body: str, name: str, wanted: set[str], links: FolderLinks) -> str:
    pieces: list[str] = []
    done = 0
    for start in sorted({link.start for link in find_body_links(body) if _target(name, link, links) in wanted}):
        pieces += (body[done:start], "\\")
        done = start
    return "".join([*pieces, body[done:]])
