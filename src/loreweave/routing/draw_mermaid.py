"""The declared graph as it is drawn: what was declared, no more and no less."""

from __future__ import annotations

import re
from collections.abc import Iterable

from loreweave.contracts.route_values import SkillEdge, SkillNode
from loreweave.routing.declaring.declarations import Declarations
from loreweave.routing.route_tables import RouteTables

_START = "__start__"
_NOT_IN_NAMES = re.compile(r"[^A-Za-z0-9_]")
_LINE_BREAKS = re.compile("\r\n|[\n\r\x0b\x0c\x1c-\x1e\x85\u2028\u2029]")
_PLAIN_MARKS = frozenset(" _.,?!=-")


def draw_nodes(declared: Declarations, tables: RouteTables) -> tuple[SkillNode, ...]:
    """Skills in the order of registration; a tree in pre-order, then what is no leaf of it."""
    if tables.tree is None:
        return tuple(SkillNode(skill.id, "skill", skill.id) for skill in declared.skills)
    found = []
    for reference in tables.tree.order:
        if not isinstance(reference, str):
            diamond = tables.tree.diamonds[reference]
            found.append(SkillNode(diamond.id, "predicate", diamond.label))
        elif reference in tables.positions:
            found.append(SkillNode(reference, "skill", reference))
    rest = (skill.id for skill in declared.skills if skill.id not in tables.leaf_set)
    return (*found, *(SkillNode(name, "skill", name) for name in rest))


def unknown_ids(declared: Declarations, tables: RouteTables) -> tuple[str, ...]:
    """Ids that declarations name and nobody registered, as first named."""
    if tables.tree is not None:
        named = [name for name in tables.tree.order if isinstance(name, str)]
    else:
        named = [entry.to for entry in declared.entries]
        named += [name for route in declared.routes for name in (route.from_, route.to)]
    return tuple(dict.fromkeys(name for name in (*named, *declared.mentioned) if name not in tables.positions))


def draw_mermaid(
    declared: Declarations,
    tables: RouteTables,
    nodes: Iterable[SkillNode],
    edges: Iterable[SkillEdge],
    current: str | None = None,
) -> str:
    """A line a node, a line an edge; where the graph is only adds lines."""
    unknown = unknown_ids(declared, tables)
    names = _name_skills((*tables.positions, *unknown))
    lines = ["flowchart TD", f"  {_START}([▶ start])"]
    for node in nodes:
        if node.kind == "predicate":
            names[node.id] = node.id
            lines.append(f'  {node.id}{{"{_escape(node.label)}"}}')
        else:
            opening, closing = ("([", "])") if node.id in tables.ends else ("[", "]")
            lines.append(f'  {names[node.id]}{opening}"{_escape(node.label)}"{closing}')
    lines += [f'  {names[name]}["{_escape(name)}?"]' for name in unknown]
    for edge in edges:
        start = _START if edge.from_ is None else names[edge.from_]
        arrow = "-.->" if edge.kind == "model" else "-->"
        lines.append(f"  {start} {arrow}{_bars(edge.label)} {names[edge.to]}")
    if current is not None and current in tables.positions:
        lines += ["  classDef current stroke-width:4px", f"  class {names[current]} current"]
    return "\n".join(lines)


def _name_skills(ids: Iterable[str]) -> dict[str, str]:
    """A name that Mermaid can read for each id; no two alike."""
    names: dict[str, str] = {}
    taken: set[str] = set()
    used: dict[str, int] = {}
    for one in ids:
        base = name = "n_" + _NOT_IN_NAMES.sub("_", one)
        while name in taken:
            used[base] = used.get(base, 1) + 1
            name = f"{base}_{used[base]}"
        taken.add(name)
        names[one] = name
    return names


def _bars(label: str | None) -> str:
    if label is None:
        return ""
    plain = all(character.isalnum() or character in _PLAIN_MARKS for character in _LINE_BREAKS.sub(" ", label))
    return f"|{_escape(label)}|" if plain else f'|"{_escape(label)}"|'


def _escape(text: str) -> str:
    text = _LINE_BREAKS.sub(" ", text)
    return text.replace("#", "#35;").replace('"', "#quot;").replace("|", "#124;")
