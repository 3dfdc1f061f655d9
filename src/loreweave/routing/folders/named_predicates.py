"""What `@name` in a file means: a function that was handed over, or an answer that comes with the question."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from loreweave.routing.predicates import Predicate
from loreweave.routing.route_errors import SkillGraphError
from loreweave.routing.route_values import RouteContext, ToolResult

BindMode = Literal["strict", "open"]


@dataclass(frozen=True, slots=True)
class AnsweredQuestion:
    """On an entry or in a tree: the answer of this name, false while nobody gave one."""

    name: str

    @property
    def __name__(self) -> str:
        return self.name

    def __call__(self, ctx: RouteContext) -> bool:
        return bool(ctx.answers.get(self.name))


@dataclass(frozen=True, slots=True)
class AnsweredRoute:
    """The same on a route, which is asked about a result."""

    name: str

    @property
    def __name__(self) -> str:
        return self.name

    def __call__(self, result: ToolResult, ctx: RouteContext) -> bool:
        return bool(ctx.answers.get(self.name))


class NamedPredicates:
    """A file selects, it never defines: every name must be known, or be open to answers."""

    def __init__(self, predicates: Mapping[str, Predicate], bind: BindMode) -> None:
        if bind not in ("strict", "open"):
            raise SkillGraphError(f"bind must be strict or open, not {bind!r}")
        self._predicates = predicates
        self._open = bind == "open"

    def is_bound(self, name: str) -> bool:
        return name in self._predicates

    def find(self, name: str, *, on_route: bool = False) -> Any:
        """The predicate; None where the name means nothing."""
        if name in self._predicates:
            return self._predicates[name]
        if not self._open:
            return None
        return AnsweredRoute(name) if on_route else AnsweredQuestion(name)
