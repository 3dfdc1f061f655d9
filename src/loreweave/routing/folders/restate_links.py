"""Links of a body and edges of a graph, brought together: what a link states again needs no line of its own."""

from __future__ import annotations

from loreweave.routing.declarations import DeclaredRoute
from loreweave.routing.folders.body_links import BodyLink, find_body_links
from loreweave.routing.folders.link_resolvers import FolderLinks
from loreweave.routing.quote_name import quote_name as quoted
from loreweave.routing.route_errors import SkillGraphError
from loreweave.routing.skill import Skill

MOST_PASSES = 5


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
