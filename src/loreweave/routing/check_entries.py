"""Check-up of the entries, and of what was declared twice."""

from __future__ import annotations

from collections.abc import Hashable, Iterator

from loreweave.routing.checkup_values import GraphProblem
from loreweave.routing.declarations import Declarations, DeclaredEntry, DeclaredRoute
from loreweave.routing.quote_name import quote_name as quoted
from loreweave.routing.route_tables import RouteTables, standing_entries


def check_entries(declared: Declarations, tables: RouteTables) -> Iterator[GraphProblem]:
    standing = list(standing_entries(declared, tables.positions))
    if len(standing) > 1:
        text = (
            f"{len(standing)} entries are active all the time, {quoted(standing[0])} first: "
            "give all but one a condition or always=False"
        )
        yield GraphProblem("warning", "multi-entry-fanout", text, skill=standing[0])
    if declared.choice.automatic:
        yield from _shadowed(tables)
    yield from _duplicates((*declared.entries, *declared.routes))


def _shadowed(tables: RouteTables) -> Iterator[GraphProblem]:
    """The first entry without a condition always wins: what comes after it never starts."""
    winner: str | None = None
    for entry in tables.entries:
        name = entry.declared.to
        if winner is not None:
            text = (
                f"{quoted(name)} never starts, because {quoted(winner)} comes first and has no condition: "
                "declare it earlier"
            )
            place = entry.declared.place
            file, line = (place.file, place.line) if place else (None, None)
            yield GraphProblem("warning", "shadowed-entry", text, name, winner, None, file, line)
        elif entry.declared.when is None:
            winner = name


def _duplicates(declarations: tuple[DeclaredEntry | DeclaredRoute, ...]) -> Iterator[GraphProblem]:
    seen: set[Hashable] = set()
    for one in declarations:
        key = (one.from_, one.to, isinstance(one, DeclaredEntry), _hashable(one.condition_key))
        if key in seen:
            start = "as an entry" if one.from_ is None else f"from {quoted(one.from_)}"
            text = f"{quoted(one.to)} is declared twice {start} under the same condition: leave one out"
            file, line = (one.place.file, one.place.line) if one.place else (None, None)
            yield GraphProblem("warning", "duplicate-declaration", text, None, one.from_, one.to, file, line)
        seen.add(key)


def _hashable(key: object) -> Hashable:
    """A condition that cannot be hashed equals itself alone."""
    try:
        hash(key)
    except TypeError:
        return tuple(map(id, key)) if isinstance(key, tuple) else id(key)
    return key
