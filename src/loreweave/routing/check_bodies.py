"""Check-up of what the bodies say about tools."""

from __future__ import annotations

import re
from collections.abc import Iterator
from collections.abc import Set as AbstractSet

from loreweave.routing.checkup_values import GraphProblem
from loreweave.routing.declarations import Declarations
from loreweave.routing.quote_name import quote_name as quoted

_RUN = re.compile(r"\w[\w.:/-]*+")  # a tool may be called `crm.lookup` or `look-up`
_WORD = re.compile(r"\w++")
_CALLED = re.compile(r"(?<!\w)(\w++)\(")
_SNAKE = re.compile(r"[a-z][a-z0-9]*+(?:_[a-z0-9]++)++")
_ALWAYS_THERE = frozenset({"read_skill"})  # every agent on a graph has it


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
