"""Runs over random trees of decisions, told a second time, and snapshots anywhere in them."""

import asyncio
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.routing.support_desk import skill

from loreweave import RouteContext, RouteRun, SkillGraph, ToolResult, decide, skill_graph

LEAVES = ("a", "b", "c", "d")
WORDS = ("money", "parcel", "hello")

# A tree as data: a leaf's name, or (word, branch, branch). A word is looked for in the message and the last result.
trees = st.recursive(
    st.sampled_from(LEAVES), lambda inner: st.tuples(st.sampled_from((*WORDS, "raise")), inner, inner), max_leaves=8
)
messages = st.lists(st.sampled_from(WORDS), max_size=2).map(" ".join)
acts = st.one_of(
    st.tuples(st.just("start"), messages),
    st.tuples(st.just("read"), st.sampled_from((*LEAVES, "nobody"))),
    st.tuples(st.just("returned"), st.sampled_from(WORDS)),
    st.just(("step",)),
)


def heard(message: str, result: str | None) -> str:
    return f"{message} {result or ''}"


def build(tree: Any) -> SkillGraph:
    def asks(word: str) -> Any:
        def ask(ctx: RouteContext) -> bool:
            if word == "raise":
                raise ValueError(word)
            return word in heard(ctx.user_message, ctx.last_tool_result and ctx.last_tool_result.result)

        return ask

    def grow(node: Any) -> Any:
        if isinstance(node, str):
            return skill(node, tools=(f"tool_{node}",), end=node == "a")
        return decide(asks(node[0]), grow(node[1]), grow(node[2]), node[0])

    return skill_graph().tree(grow(tree)).build()


def leaves_of(node: Any) -> list[str]:
    if isinstance(node, str):
        return [node]
    return list(dict.fromkeys(leaves_of(node[1]) + leaves_of(node[2])))


def walk(node: Any, text: str) -> str | None:
    while not isinstance(node, str):
        if node[0] == "raise":
            return None
        node = node[1] if node[0] in text else node[2]
    return node


def perform(run: RouteRun, act: tuple[Any, ...]) -> object:
    if act[0] == "start":
        return asyncio.run(run.start(act[1]))
    if act[0] == "read":
        return run.read_skill(act[1])
    return run.tool_returned(ToolResult("tool", act[1])) if act[0] == "returned" else run.step()


def told(run: RouteRun) -> tuple[object, ...]:
    return run.cursor, run.active, run.tools, run.reachable, run.path, dict(run.state), run.iteration, run.done


@pytest.mark.holds("routing.run.reference", "routing.run.pin")
@given(tree=trees, script=st.lists(acts, max_size=15))
def test_a_run_over_a_tree_walks_it_each_time_unless_a_leaf_is_pinned(tree: Any, script: list[Any]) -> None:
    run = RouteRun(build(tree))
    message, pinned, result, iteration, leaf = "", None, None, 0, None
    for act in (("start", ""), *script):
        perform(run, act)
        if act[0] == "start":
            message, pinned, result, iteration = act[1], None, None, 0
        if act[0] == "read" and act[1] in leaves_of(tree):
            pinned = act[1]
        if act[0] == "returned":
            result = act[1]
        if act[0] in ("start", "step"):
            leaf = pinned or walk(tree, heard(message, result))
            result, iteration = None, iteration + 1
        active = (leaf,) if leaf else ()
        tools = tuple(f"tool_{name}" for name in active)
        assert told(run) == (None, active, tools, tuple(leaves_of(tree)), (), {}, iteration, leaf == "a")


@pytest.mark.holds("routing.run.snapshot")
@given(tree=trees, before=st.lists(acts, max_size=8), after=st.lists(acts, max_size=8))
def test_a_snapshot_of_a_run_over_a_tree_is_the_run_itself(tree: Any, before: list[Any], after: list[Any]) -> None:
    run = RouteRun(build(tree))
    for act in (("start", ""), *before):
        perform(run, act)
    again = RouteRun(build(tree), snapshot=json.loads(json.dumps(run.snapshot())))
    assert told(again) == told(run)
    for act in after:
        assert perform(again, act) == perform(run, act)
        assert (told(again), again.snapshot()) == (told(run), run.snapshot())
