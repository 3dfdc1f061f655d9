"""A skill: when to use it, what it says, which tools it owns."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from loreweave.contracts.route_values import EMPTY, ReadOnlyDict, RouteContext, TriggerKind
from loreweave.routing.graph_problems import SkillGraphError

EXAMPLES_KEY = "skillgraph.examples"


@dataclass(frozen=True, slots=True)
class Trigger:
    """When a skill of a graph is active; it asks the graph, so the two cannot disagree."""

    kind: TriggerKind
    _active: Callable[[RouteContext], bool] = field(compare=False, repr=False)

    def active(self, ctx: RouteContext) -> bool:
        return self._active(ctx)


@dataclass(frozen=True, slots=True)
class Skill:
    """What an agent may be in: when to use it, what it says, which tools it owns.

    A tool is a name, a function, or anything with a `name`. Utterances that belong to the skill may stand in
    `metadata["skillgraph.examples"]`, one a line.
    """

    id: str
    description: str
    body: str
    tools: tuple[Any, ...] = field(default=(), hash=False)
    end: bool = False
    resources: tuple[str, ...] = ()
    metadata: Mapping[str, Any] = field(default_factory=lambda: EMPTY, hash=False)
    trigger: Trigger | None = field(default=None, compare=False, repr=False)

    def __post_init__(self) -> None:
        for name in ("id", "description", "body"):
            value = getattr(self, name)
            if not isinstance(value, str) or not value.strip():
                raise SkillGraphError(f"a skill needs a {name} that is not blank")
        if isinstance(self.tools, str) or not isinstance(self.tools, Iterable):
            raise SkillGraphError(f'the tools of "{self.id}" must be a list of names, functions or tools')
        object.__setattr__(self, "tools", tuple(self.tools))
        for tool in self.tools:
            _tool_name(tool, self.id)
        if not isinstance(self.metadata, Mapping | None):
            raise SkillGraphError(f'the metadata of "{self.id}" must be a dict')
        object.__setattr__(self, "end", bool(self.end))
        object.__setattr__(self, "resources", tuple(self.resources))
        object.__setattr__(self, "metadata", frozen_copy(self.metadata or EMPTY))

    @property
    def tool_names(self) -> tuple[str, ...]:
        return tuple(_tool_name(tool, self.id) for tool in self.tools)

    @property
    def examples(self) -> tuple[str, ...]:
        """Utterances that belong to this skill, for scoring and fitting."""
        given = self.metadata.get(EXAMPLES_KEY, ())
        lines = given.splitlines() if isinstance(given, str) else given
        return tuple(line.strip() for line in lines if isinstance(line, str) and line.strip())


def define_skill(
    id: str,
    description: str,
    body: str,
    *,
    tools: Iterable[Any] = (),
    end: bool = False,
    metadata: Mapping[str, Any] | None = None,
) -> Skill:
    """A skill; `end` says that the work is done there."""
    return Skill(id, description, body, tools=tools, end=end, metadata=metadata or EMPTY)  # type: ignore[arg-type]


def frozen_copy(value: Any) -> Any:
    """A copy whose containers cannot change: dicts read-only, lists as tuples, sets frozen."""
    if isinstance(value, str | ReadOnlyDict):
        return value
    if isinstance(value, Mapping):
        return ReadOnlyDict({key: frozen_copy(item) for key, item in value.items()})
    if isinstance(value, list | tuple):
        copied = tuple(frozen_copy(item) for item in value)
        return copied if type(value) in (list, tuple) else value
    if isinstance(value, set | frozenset):
        return frozenset(value)
    return value


def _tool_name(tool: Any, owner: str) -> str:
    name = tool if isinstance(tool, str) else getattr(tool, "name", None) or getattr(tool, "__name__", None)
    if not isinstance(name, str) or not name.strip():
        raise SkillGraphError(f'a tool of "{owner}" has no name: give a name, a function or a tool')
    return name
