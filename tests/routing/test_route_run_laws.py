"""Random walks against a plain second telling of the rules, and snapshots taken anywhere in them."""

import asyncio
import json
from dataclasses import dataclass, field
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.examples import examples
from tests.routing.support_desk import skill

from loreweave import RouteRun, SkillGraph, ToolResult, skill_graph

NAMES = ("a", "b", "c", "d", "e")
TOOLS = ("probe", "fix", "read_skill")
FIELDS = ("order", "amount")


@dataclass(frozen=True)
class Plan:
    """A flat graph as data. Routes are (from, to, tool or None, priority, carried fields)."""

    entries: tuple[tuple[str, bool], ...]
    routes: tuple[tuple[str, str, str | None, int, tuple[str, ...]], ...]
    ends: frozenset[str]
    by_read: bool
    max_hops: int | None
    max_visits: int | None

    def build(self) -> SkillGraph:
        builder = skill_graph()
        for name in NAMES:
            builder.skill(skill(name, tools=(f"tool_{name}",), end=name in self.ends))
        for name, always in self.entries:
            builder.entry(name, always=always)
        for start, to, tool, priority, carry in self.routes:
            builder.route(start, to, on_tool_return=tool, priority=priority, carry=carry)
        if self.by_read:
            builder.entry_by_read()
        return builder.limits(self.max_hops, self.max_visits).build()


@dataclass
class Walker:
    """The reference: lists and loops, none of the library's code."""

    plan: Plan
    keep: bool
    cursor: str | None = None
    path: list[str] = field(default_factory=list)
    state: dict[str, Any] = field(default_factory=dict)
    pick: str | None = None
    results: list[tuple[str, dict[str, Any]]] = field(default_factory=list)
    iteration: int = 0

    def reachable(self) -> list[str]:
        entries = [name for name, _ in self.plan.entries]
        targets = [to for start, to, *_ in self.plan.routes if start == self.cursor]
        return list(dict.fromkeys(name for name in targets + entries if name != self.cursor))

    def active(self) -> list[str]:
        standing = set() if self.plan.by_read else {name for name, always in self.plan.entries if always}
        return [name for name in NAMES if name in standing or name == self.cursor]

    def start(self) -> None:
        if not self.keep:
            self.cursor, self.state = None, {}
        self.path = [self.cursor] if self.cursor else []
        self.pick, self.results, self.iteration = None, [], 1
        self.move()

    def read(self, name: str) -> bool:
        if name in self.reachable():
            self.pick = name
            return True
        return False

    def step(self) -> None:
        self.iteration += 1
        self.move()

    def move(self) -> None:
        fired = self.fire() if self.cursor else None
        if self.cursor is None and not self.plan.by_read:
            self.enter(self.plan.entries[0][0], {}, limited=False)
        elif fired is not None:
            self.enter(fired[0], fired[1], limited=True)
        elif self.pick is not None:
            self.enter(self.pick, {}, limited=True)
        self.pick, self.results = None, []

    def fire(self) -> tuple[str, dict[str, Any]] | None:
        best: tuple[int, str, dict[str, Any]] | None = None
        for tool, data in self.results:
            mine = None
            for start, to, on, priority, carry in self.plan.routes:
                if start == self.cursor and on == tool and (mine is None or priority > mine[0]):
                    mine = (priority, to, {name: data[name] for name in carry if name in data})
            if mine is not None and (best is None or mine[0] > best[0]):
                best = mine
        return None if best is None else best[1:]

    def enter(self, to: str, payload: dict[str, Any], limited: bool) -> None:
        plan = self.plan
        too_far = plan.max_hops is not None and len(self.path) - 1 >= plan.max_hops
        too_often = plan.max_visits is not None and self.path.count(to) >= plan.max_visits
        if limited and (too_far or too_often):
            return
        self.cursor = to
        self.path.append(to)
        self.state.update(payload)

    def told(self) -> tuple[Any, ...]:
        cursor = self.cursor
        tools = [f"tool_{name}" for name in self.active()]
        done = cursor in self.plan.ends
        return cursor, self.active(), tools, self.reachable(), self.path, self.state, self.iteration, done


def told(run: RouteRun) -> tuple[Any, ...]:
    return (
        run.cursor,
        list(run.active),
        list(run.tools),
        list(run.reachable),
        list(run.path),
        dict(run.state),
        run.iteration,
        run.done,
    )


names = st.sampled_from(NAMES)
plans = st.builds(
    Plan,
    st.lists(st.tuples(names, st.booleans()), min_size=1, max_size=3, unique_by=lambda entry: entry[0]).map(tuple),
    st.lists(
        st.tuples(
            names,
            names,
            st.sampled_from((None, *TOOLS)),
            st.integers(-1, 2),
            st.lists(st.sampled_from(FIELDS), unique=True).map(tuple),
        ),
        max_size=12,
    ).map(tuple),
    st.frozensets(names, max_size=2),
    st.booleans(),
    st.none() | st.integers(0, 4),
    st.none() | st.integers(1, 3),
)
data = st.dictionaries(st.sampled_from(FIELDS), st.integers() | st.text(max_size=3) | st.none() | st.booleans())
acts = st.one_of(
    st.tuples(st.just("returned"), st.sampled_from(TOOLS), data),
    st.tuples(st.just("read"), names | st.just("unknown")),
    st.just(("step",)),
    st.just(("start",)),
)


def perform(run: RouteRun, act: tuple[Any, ...]) -> object:
    if act[0] == "returned":
        return run.tool_returned(ToolResult(act[1], json.dumps(act[2]), "success"))
    if act[0] == "read":
        return run.read_skill(act[1])
    return run.step() if act[0] == "step" else asyncio.run(run.start("hello"))


def rehearse(walker: Walker, act: tuple[Any, ...]) -> object:
    if act[0] == "returned":
        return walker.results.append((act[1], act[2]))
    if act[0] == "read":
        return walker.read(act[1])
    return walker.step() if act[0] == "step" else walker.start()


@pytest.mark.holds("routing.run.reference", "routing.run.gate", "routing.run.limits")
@settings(deadline=None, max_examples=examples(300))
@given(plan=plans, script=st.lists(acts, max_size=25), keep=st.booleans())
def test_a_run_does_what_the_rules_say_in_other_words(plan: Plan, script: list[Any], keep: bool) -> None:
    run = RouteRun(plan.build(), keep="conversation" if keep else "turn")
    walker = Walker(plan, keep)
    for act in (("start",), *script):
        answer, expected = perform(run, act), rehearse(walker, act)
        if act[0] == "read":
            assert answer.accepted == expected  # type: ignore[attr-defined]
        assert told(run) == walker.told()


@pytest.mark.holds("routing.run.snapshot")
@settings(deadline=None, max_examples=examples(200))
@given(plan=plans, before=st.lists(acts, max_size=12), after=st.lists(acts, max_size=12))
def test_a_snapshot_anywhere_is_the_run_itself(plan: Plan, before: list[Any], after: list[Any]) -> None:
    graph = plan.build()
    run = RouteRun(graph, keep="conversation")
    for act in (("start",), *before):
        perform(run, act)
    stored = json.loads(json.dumps(run.snapshot(), allow_nan=False))
    again = RouteRun(plan.build(), keep="conversation", snapshot=stored)
    assert again.snapshot() == stored
    assert told(again) == told(run)
    for act in after:
        assert perform(again, act) == perform(run, act)
        assert told(again) == told(run)
        assert again.snapshot() == run.snapshot()
