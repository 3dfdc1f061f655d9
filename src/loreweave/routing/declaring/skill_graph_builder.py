"""Declaring a graph call by call."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any, Self

from loreweave.contracts.route_values import ReadOnlyDict
from loreweave.routing.built_graph import CheckMode, SkillGraph, build_graph
from loreweave.routing.declaring.conditions import Predicate
from loreweave.routing.declaring.decision_tree import TreeDecision, walk_leaves
from loreweave.routing.declaring.declarations import (
    Declarations,
    DeclaredEntry,
    DeclaredRoute,
    EntryChoice,
    HopLimits,
    declare_entry,
    declare_route,
)
from loreweave.routing.declaring.result_condition import SearchPattern
from loreweave.routing.declaring.skill import Skill
from loreweave.routing.entry_values import EntryPolicy, check_policy, check_scorer
from loreweave.routing.graph_problems import DuplicateSkill, ModeConflict, NotASkill

GRAPH_KEY = "skillGraph"  # of metadata: written by the graph, so never part of what a skill is


class SkillGraphBuilder:
    """Every method but `build` returns the builder. A graph once built does not change when the builder goes on."""

    def __init__(self) -> None:
        self._skills: dict[str, Skill] = {}
        self._order: list[Skill | _Tree] = []
        self._mentioned: list[str] = []
        self._entries: list[DeclaredEntry] = []
        self._routes: list[DeclaredRoute] = []
        self._trees: list[_Tree] = []
        self._choices: list[EntryChoice] = []
        self._limits = HopLimits()

    def skill(self, skill: Skill | str) -> Self:
        """Registers without wiring."""
        name = self._named(skill)
        if isinstance(skill, str):
            self._mentioned.append(name)
        return self

    def entry(
        self, skill: Skill | str, when: Predicate | None = None, *, label: str | None = None, always: bool = True
    ) -> Self:
        """A place to start; conditioned entries are asked in the order of their declaration."""
        declared = declare_entry(self._checked(skill), when, label, always)
        self._named(skill)
        self._entries.append(declared)
        return self

    def route(
        self,
        from_: Skill | str,
        to: Skill | str,
        *,
        when: Predicate | None = None,
        on_tool_return: str | SearchPattern | None = None,
        on_status: str | Iterable[str] | None = None,
        where: str | None = None,
        priority: int = 0,
        label: str | None = None,
        carry: str | Iterable[str] = (),
    ) -> Self:
        """An edge. Without a condition it never fires by itself: only the model takes it."""
        declared = declare_route(
            self._checked(from_),
            self._checked(to),
            when=when,
            on_tool_return=on_tool_return,
            on_status=on_status,
            where=where,
            priority=priority,
            label=label,
            carry=carry,
        )
        self._named(from_)
        self._named(to)
        self._routes.append(declared)
        return self

    def tree(self, root: TreeDecision | Skill | str) -> Self:
        """Routes by questions alone; its leaves are read when the graph is built."""
        planted = _Tree(root)
        self._trees.append(planted)
        self._order.append(planted)
        return self

    def entry_by(self, scorer: Any, policy: EntryPolicy | Mapping[str, Any] | None = None) -> Self:
        """A scorer chooses among the entries."""
        self._choices.append(EntryChoice("scorer", check_scorer(scorer), check_policy(policy)))
        return self

    def entry_by_relevance(self, embedder: Any, policy: EntryPolicy | Mapping[str, Any] | None = None) -> Self:
        """The entry whose description means most nearly what the message says."""
        from loreweave.routing.entry_scorers import embedding_scorer

        return self.entry_by(embedding_scorer(embedder), policy)

    def entry_by_read(self) -> Self:
        """The model chooses among the entries."""
        self._choices.append(EntryChoice("read"))
        return self

    def limits(self, max_hops: int | None = None, max_visits: int | None = None) -> Self:
        """How far one turn may go."""
        self._limits = HopLimits(max_hops, max_visits)
        return self

    def build(
        self, check: CheckMode = "throw", *, scope_tools: bool = True, known_tools: Iterable[str] = ()
    ) -> SkillGraph:
        """The graph as declared so far."""
        return build_graph(self._declared(), check, scope_tools=scope_tools, known_tools=known_tools)

    def _declared(self) -> Declarations:
        if len(self._trees) > 1:
            raise ModeConflict("a graph has one tree; this one was given two")
        if len(self._choices) > 1:
            raise ModeConflict("entries are chosen in one way: by a scorer, by relevance or by reading, not by two")
        if self._trees and (self._entries or self._routes or self._choices):
            raise ModeConflict("a tree routes by its questions alone: leave out entries, routes and ways to choose")
        return Declarations(
            skills=self._registered(),
            entries=tuple(self._entries),
            routes=tuple(self._routes),
            tree=self._trees[0].root if self._trees else None,
            choice=self._choices[0] if self._choices else EntryChoice(),
            limits=self._limits,
            mentioned=tuple(self._mentioned),
        )

    def _registered(self) -> tuple[Skill, ...]:
        """In the order of first mention, the leaves of a tree where the tree was given."""
        found: dict[str, Skill] = {}
        for item in self._order:
            for skill in (item,) if isinstance(item, Skill) else walk_leaves(item.root):
                if isinstance(skill, Skill):
                    _register(found, plain_skill(skill))
        return tuple(found.values())

    def _checked(self, skill: Skill | str) -> str:
        """The id, if the skill may be named here; nothing is registered yet."""
        if isinstance(skill, Skill):
            _refuse_other(self._skills, plain_skill(skill))
            return skill.id
        if isinstance(skill, str) and skill.strip():
            return skill
        raise NotASkill(f"a skill or an id was expected, not {skill!r:.100}; make skills with define_skill")

    def _named(self, skill: Skill | str) -> str:
        name = self._checked(skill)
        if isinstance(skill, Skill) and name not in self._skills:
            self._skills[name] = plain_skill(skill)
            self._order.append(self._skills[name])
        return name


class _Tree:
    """Keeps the place at which a tree was given among the skills."""

    __slots__ = ("root",)

    def __init__(self, root: TreeDecision | Skill | str) -> None:
        self.root = root


def plain_skill(skill: Skill) -> Skill:
    """As it was defined: without what another graph wrote on its copy."""
    if skill.trigger is None and GRAPH_KEY not in skill.metadata:
        return skill
    metadata = ReadOnlyDict({key: value for key, value in skill.metadata.items() if key != GRAPH_KEY})
    return replace(skill, metadata=metadata, trigger=None)


def _register(found: dict[str, Skill], skill: Skill) -> None:
    _refuse_other(found, skill)
    found.setdefault(skill.id, skill)


def _refuse_other(known: Mapping[str, Skill], skill: Skill) -> None:
    if known.get(skill.id, skill) != skill:
        raise DuplicateSkill(f'two different skills have the id "{skill.id}"; give one of them another id')
