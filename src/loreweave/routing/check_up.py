"""The check-up of a declared graph: everything it found, in a fixed order."""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterator
from collections.abc import Set as AbstractSet

from loreweave.contracts.route_values import GraphCheckup, GraphProblem
from loreweave.routing.check_wiring import check_wiring, find_cycles
from loreweave.routing.declaring.declarations import Declarations, DeclaredEntry, DeclaredRoute
from loreweave.routing.graph_problems import quoted
from loreweave.routing.route_tables import RouteTables, standing_entries

# Problems come in this order; those of one code in the order of registration or declaration.
PROBLEM_CODES = (
    "unknown-skill",
    "no-entry",
    "unreachable-skill",
    "model-edge-only",
    "ambiguous-routes",
    "self-loop",
    "multi-entry-fanout",
    "shadowed-entry",
    "duplicate-declaration",
    "end-has-routes",
    "no-path-to-end",
    "body-foreign-tool",
    "body-unknown-tool",
    "name-mismatch",
    "skill-skipped",
    "dangling-link",
    "unordered-entries",
    "route-tool-not-owned",
    "body-too-long",
    "duplicate-description",
)
NOTE_CODES = ("cycle", "unbound-predicate", "vendor-key-ignored")
_ORDER = {code: place for place, code in enumerate((*PROBLEM_CODES, *NOTE_CODES))}
_RUN = re.compile(r"\w[\w.:/-]*+")  # a tool may be called `crm.lookup` or `look-up`
_WORD = re.compile(r"\w++")
_CALLED = re.compile(r"(?<!\w)(\w++)\(")
_SNAKE = re.compile(r"[a-z][a-z0-9]*+(?:_[a-z0-9]++)++")
_ALWAYS_THERE = frozenset({"read_skill"})  # every agent on a graph has it


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


def check_bodies(declared: Declarations, known_tools: AbstractSet[str]) -> Iterator[GraphProblem]:
    owned = {name for skill in declared.skills for name in skill.tool_names}
    foreign = owned - known_tools - _ALWAYS_THERE
    fine = owned | known_tools | _ALWAYS_THERE
    for skill in declared.skills:
        own = skill.tool_names
        for name in _named(skill.body, foreign) if foreign else ():
            if name in own:
                continue
            text = f"{quoted(skill.id)} speaks of {quoted(name)}, a tool of other skills: add the tool or route there"
            yield GraphProblem("warning", "body-foreign-tool", text, skill=skill.id)
    for skill in declared.skills:
        for name in dict.fromkeys(_CALLED.findall(skill.body)):
            if name not in fine and _SNAKE.fullmatch(name):
                text = f"{quoted(skill.id)} calls {quoted(name)}, which no skill owns: correct the name or add the tool"
                yield GraphProblem("warning", "body-unknown-tool", text, skill=skill.id)


def _named(body: str, tools: AbstractSet[str]) -> Iterator[str]:
    """Tools that the body has as words, as first met."""
    found: dict[str, None] = {}
    for run in _RUN.findall(body):
        whole = run.rstrip(".:/-")
        for word in (whole, *(() if whole.isidentifier() else _WORD.findall(whole))):
            if word in tools:
                found[word] = None
    yield from found
