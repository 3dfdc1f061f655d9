"""The check-up of a declared graph: everything it found, in a fixed order."""

from __future__ import annotations

from collections.abc import Set as AbstractSet

from loreweave.routing.check_bodies import check_bodies
from loreweave.routing.check_entries import check_entries
from loreweave.routing.check_wiring import check_wiring
from loreweave.routing.checkup_values import NOTE_CODES, PROBLEM_CODES, GraphCheckup
from loreweave.routing.declarations import Declarations
from loreweave.routing.find_cycles import find_cycles
from loreweave.routing.route_tables import RouteTables

_ORDER = {code: place for place, code in enumerate((*PROBLEM_CODES, *NOTE_CODES))}


def check_up(declared: Declarations, tables: RouteTables, known_tools: AbstractSet[str]) -> GraphCheckup:
    """Pure and linear in the size of the graph."""
    found = [
        *check_wiring(declared, tables),
        *check_entries(declared, tables),
        *check_bodies(declared, known_tools),
        *find_cycles(tables),
        *declared.findings,
    ]
    found.sort(key=lambda problem: _ORDER.get(problem.code, len(_ORDER)))  # stable: within a code as found
    return GraphCheckup(
        ok=not any(problem.kind == "error" for problem in found),
        problems=tuple(problem for problem in found if problem.kind != "note"),
        notes=tuple(problem for problem in found if problem.kind == "note"),
    )
