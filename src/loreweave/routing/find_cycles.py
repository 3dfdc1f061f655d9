"""Groups of skills that conditioned edges lead round in."""

from __future__ import annotations

from collections.abc import Iterator

from loreweave.routing.checkup_values import GraphProblem
from loreweave.routing.quote_name import quote_name as quoted
from loreweave.routing.route_tables import RouteTables


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
