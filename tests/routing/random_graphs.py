"""Random graphs and questions to them, for laws that hold for every graph."""

from typing import Any

from hypothesis import strategies as st
from tests.routing.support_desk import skill

from loreweave import RouteContext, SkillGraph, ToolResult, decide, keywords, skill_graph

NAMES = ("a", "b", "c", "d", "a b", "a_b", 'q"|#', "d0")
TOOLS = ("t", "u", "read_skill")
names = st.sampled_from(NAMES)
unknown = st.sampled_from((*NAMES, "gone", "lost"))


def yes(_: object) -> bool:
    return True


def has_data(result: ToolResult, ctx: RouteContext) -> bool:
    return bool(result.data) and ctx.iteration > 0


def throws(_: object) -> bool:
    raise ValueError("no")


conditions = st.sampled_from(
    (
        {},
        {"when": yes},
        {"when": has_data},
        {"when": throws},
        {"on_tool_return": "t"},
        {"on_tool_return": "read_skill"},
        {"on_tool_return": "u", "where": "x == 1"},
        {"on_status": "denied"},
    )
)
entries = st.fixed_dictionaries(
    {"to": unknown, "when": st.sampled_from((None, keywords("hi"), throws)), "always": st.booleans()}
)
routes = st.fixed_dictionaries(
    {
        "from": unknown,
        "to": unknown,
        "condition": conditions,
        "priority": st.integers(-1, 2),
        "label": st.sampled_from((None, "go", 'a "b" | #1\nc', "größer > 1")),
        "carry": st.sampled_from(((), ("x",))),
    }
)
specs = st.fixed_dictionaries(
    {
        "skills": st.lists(names, unique=True, max_size=6),
        "ends": st.sets(names, max_size=2),
        "entries": st.lists(entries, max_size=4),
        "routes": st.lists(routes, max_size=8),
        "by_read": st.booleans(),
        "max_hops": st.sampled_from((None, 0, 2)),
        "max_visits": st.sampled_from((None, 1, 2)),
    }
)
results = st.builds(
    ToolResult, st.sampled_from(TOOLS), st.sampled_from(("", '{"x": 1}', "{}")), st.sampled_from((None, "denied"))
)
questions = st.builds(
    RouteContext,
    user_message=st.sampled_from(("", "oh hi")),
    current_skill_id=st.none() | unknown,
    tool_results=st.none() | st.lists(results, max_size=3).map(tuple),
    last_tool_result=st.none() | results,
    pending_pick=st.none() | unknown,
    pinned_leaf=st.none() | unknown,
    entry_menu=st.booleans(),
    path=st.lists(unknown, max_size=3).map(tuple),
)
leaves = unknown
trees = st.recursive(
    leaves,
    lambda inner: st.builds(
        decide, st.sampled_from((yes, keywords("hi"), throws)), inner, inner, st.sampled_from(("q?", "decide"))
    ),
    max_leaves=8,
)


def declare(spec: dict[str, Any], builder: Any = None) -> Any:
    builder = builder or skill_graph()
    for name in spec["skills"]:
        builder.skill(skill(name, end=name in spec["ends"]))
    for entry in spec["entries"]:
        builder.entry(entry["to"], entry["when"], always=entry["always"])
    for route in spec["routes"]:
        more = {key: route[key] for key in ("priority", "label", "carry")}
        builder.route(route["from"], route["to"], **route["condition"], **more)
    if spec["by_read"]:
        builder.entry_by_read()
    return builder.limits(spec["max_hops"], spec["max_visits"])


def build(spec: dict[str, Any]) -> SkillGraph:
    return declare(spec).build("off")


def build_tree(names: list[str], root: Any) -> SkillGraph:
    builder = skill_graph()
    for name in names:
        builder.skill(skill(name))
    return builder.tree(root).build("off")


flat_graphs = specs.map(build)
tree_graphs = st.builds(build_tree, st.lists(names, unique=True, max_size=6), trees)
graphs = flat_graphs | tree_graphs
