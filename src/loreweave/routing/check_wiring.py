"""Check-up of the wires: unregistered ids, skills that nobody reaches, edges that contradict or lead round."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from loreweave.contracts.route_values import GraphProblem
from loreweave.routing.declaring.declarations import Declarations, DeclaredRoute, Place
from loreweave.routing.graph_problems import quoted
from loreweave.routing.route_tables import RouteTables


def check_wiring(declared: Declarations, tables: RouteTables) -> Iterator[GraphProblem]:
    yield from _unknown_skills(declared, tables)
    if tables.tree is not None:
        leaves = tables.leaf_set
        yield from (_unreachable(name, "make it a leaf of the tree") for name in tables.positions if name not in leaves)
        return
    if not tables.entry_ids:
        missing = "the graph has no entry: declare at least one of its skills as one"
        if not tables.positions:
            missing = "the graph has no skills, and so no entry: in a folder each has a SKILL.md of its own"
        yield GraphProblem("error", "no-entry", missing)
    live = [route for route in declared.routes if _is_live(route, tables)]
    reached = reached_from(tables.entry_ids, ((route.from_, route.to) for route in live))
    for name in tables.positions:
        if name not in reached:
            yield _unreachable(name, "declare it as an entry or route to it")
    yield from _model_edges_only(tables, live, reached)
    yield from _ambiguous_routes(tables)
    for route in live:
        if route.from_ == route.to:
            text = f"{quoted(route.from_)} routes to itself: leave the edge out, staying needs none"
            yield _about_edge("self-loop", text, route)
    yield from _ends(tables, live, reached)


def reached_from(starts: Iterable[str], edges: Iterable[tuple[str, str]]) -> set[str]:
    """All that can be got to from the starts."""
    leads: dict[str, list[str]] = {}
    for from_, to in edges:
        leads.setdefault(from_, []).append(to)
    reached = set(starts)
    waiting = list(reached)
    while waiting:
        for name in leads.get(waiting.pop(), ()):
            if name not in reached:
                reached.add(name)
                waiting.append(name)
    return reached


def _is_live(route: DeclaredRoute, tables: RouteTables) -> bool:
    return route.from_ in tables.positions and route.to in tables.positions


def _unknown_skills(declared: Declarations, tables: RouteTables) -> Iterator[GraphProblem]:
    known = tables.positions
    ends: Iterable[tuple[str | None, str, Place | None]]
    if tables.tree is not None:
        diamonds = {diamond.id for diamond in tables.tree.diamonds}
        ends = ((edge.from_, edge.to, None) for edge in tables.tree.edges if edge.to not in diamonds)
    else:
        entries = ((None, entry.to, entry.place) for entry in declared.entries)
        routes = ((route.from_, route.to, route.place) for route in declared.routes)
        ends = (*entries, *routes)
    for from_, to, place in ends:
        for name in dict.fromkeys((from_, to) if tables.tree is None else (to,)):
            if name is not None and name not in known:
                yield _unknown(name, from_, to, place)
    for name in dict.fromkeys(declared.mentioned):
        if name not in known:
            yield _unknown(name, None, None, None)


def _unknown(name: str, from_: str | None, to: str | None, place: Place | None) -> GraphProblem:
    text = f"{quoted(name)} is named but no skill has that id: register it or correct the id"
    file, line = (place.file, place.line) if place else (None, None)
    return GraphProblem("error", "unknown-skill", text, name, from_, to, file, line)


def _unreachable(name: str, remedy: str) -> GraphProblem:
    text = f"nothing leads to {quoted(name)}: {remedy}"
    return GraphProblem("warning", "unreachable-skill", text, skill=name)


def _model_edges_only(tables: RouteTables, live: list[DeclaredRoute], reached: set[str]) -> Iterator[GraphProblem]:
    first_bare: dict[str, str] = {}
    conditioned: set[str] = set()
    for route in live:
        if route.from_ in reached:
            if route.conditioned:
                conditioned.add(route.to)
            else:
                first_bare.setdefault(route.to, route.from_)
    for name in tables.positions:
        if name in first_bare and name not in conditioned and name not in tables.entry_set:
            text = f"only the model can get to {quoted(name)}: give an edge to it a condition if it must be reached"
            yield GraphProblem("warning", "model-edge-only", text, skill=name, from_=first_bare[name])


def _ambiguous_routes(tables: RouteTables) -> Iterator[GraphProblem]:
    for name in tables.positions:
        priorities = [route.declared.priority for route in tables.out.get(name, ())]
        if len(set(priorities)) < len(priorities):
            text = (
                f"conditioned edges out of {quoted(name)} share a priority, so the one declared first wins: "
                "give them different priorities"
            )
            yield GraphProblem("warning", "ambiguous-routes", text, from_=name)


def _ends(tables: RouteTables, live: list[DeclaredRoute], reached: set[str]) -> Iterator[GraphProblem]:
    for route in live:
        if route.conditioned and route.from_ in tables.ends:
            text = f"{quoted(route.from_)} is an end, yet leads on to {quoted(route.to)}: drop the edge or the end"
            yield _about_edge("end-has-routes", text, route)
    if not tables.ends:
        return
    finishing = reached_from(tables.ends, ((route.to, route.from_) for route in live))
    for name in tables.positions:
        if name in reached and name not in finishing:
            text = f"no edges lead from {quoted(name)} to an end: add one, or make it an end"
            yield GraphProblem("warning", "no-path-to-end", text, skill=name)


def _about_edge(code: str, text: str, route: DeclaredRoute) -> GraphProblem:
    file, line = (route.place.file, route.place.line) if route.place else (None, None)
    return GraphProblem("warning", code, text, None, route.from_, route.to, file, line)


def find_cycles(tables: RouteTables) -> Iterator[GraphProblem]:
    """One note a group, in the order of registration; a skill that only routes to itself is no group."""
    groups = [sorted(group, key=tables.positions.__getitem__) for group in _strong_groups(tables)]
    for group in sorted(groups, key=lambda group: tables.positions[group[0]]):
        text = f"conditioned edges lead round among {', '.join(map(quoted, group))}: set limits if that may go on"
        yield GraphProblem("note", "cycle", text, skill=group[0])


def _strong_groups(tables: RouteTables) -> Iterator[list[str]]:
    """Tarjan's strongly connected components of two or more, without recursion."""
    leads = {name: [route.declared.to for route in routes] for name, routes in tables.out.items()}
    index: dict[str, int] = {}
    lowest: dict[str, int] = {}
    open_names: list[str] = []
    is_open: set[str] = set()
    for start in leads:
        if start in index:
            continue
        walk = [(start, iter(leads[start]))]
        index[start] = lowest[start] = len(index)
        open_names.append(start)
        is_open.add(start)
        while walk:
            name, targets = walk[-1]
            target = next(targets, None)
            if target is None:
                walk.pop()
                if walk:
                    above = walk[-1][0]
                    lowest[above] = min(lowest[above], lowest[name])
                if lowest[name] == index[name]:
                    group = _close(name, open_names, is_open)
                    if len(group) > 1:
                        yield group
            elif target not in index:
                index[target] = lowest[target] = len(index)
                open_names.append(target)
                is_open.add(target)
                walk.append((target, iter(leads.get(target, ()))))
            elif target in is_open:
                lowest[name] = min(lowest[name], index[target])


def _close(root: str, open_names: list[str], is_open: set[str]) -> list[str]:
    group = []
    while True:
        name = open_names.pop()
        is_open.discard(name)
        group.append(name)
        if name == root:
            return group
