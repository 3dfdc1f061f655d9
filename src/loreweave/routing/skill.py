"""A skill, and the question of a tree that leads to one."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from loreweave.routing.predicates import Predicate, check_predicate
from loreweave.routing.read_only_dict import EMPTY, frozen_copy
from loreweave.routing.route_errors import SkillGraphError
from loreweave.routing.route_values import RouteContext

EXAMPLES_KEY = "skillgraph.examples"


@dataclass(frozen=True, slots=True)
class Trigger:
    """When a skill of a graph is active; it asks the graph, so the two cannot disagree."""

    kind: Literal["always", "rule", "llm-activated"]
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


def _tool_name(tool: Any, owner: str) -> str:
    name = tool if isinstance(tool, str) else getattr(tool, "name", None) or getattr(tool, "__name__", None)
    if not isinstance(name, str) or not name.strip():
        raise SkillGraphError(f'a tool of "{owner}" has no name: give a name, a function or a tool')
    return name


@dataclass(frozen=True, slots=True, eq=False)
class Decision:
    """A question of a tree and where its answers lead. Trees may be deep: nothing here descends."""

    predicate: Predicate = field(repr=False)
    when_true: Skill | str | Decision = field(repr=False)
    when_false: Skill | str | Decision = field(repr=False)
    label: str = "decide"


def decide(
    predicate: Predicate,
    when_true: Skill | str | Decision,
    when_false: Skill | str | Decision,
    label: str = "decide",
) -> Decision:
    """Asks the predicate; the branches are skills, ids or further decisions."""
    check_predicate(predicate, f'the decision "{label}"')
    return Decision(predicate, when_true, when_false, "decide" if label is None else str(label))
