"""Drawings of graphs in a real browser, rendered by the Mermaid package itself."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, note, settings
from hypothesis import strategies as st
from playwright.sync_api import Browser, Page
from tests.examples import examples
from tests.waits import until_installed

from loreweave import SkillGraph, decide, define_skill, skill_graph

MERMAID = Path(__file__).parent / "drawing/node_modules/@mermaid-js/tiny/dist/mermaid.tiny.js"
RENDER = """async ({drawing, number}) => {
    const {svg} = await mermaid.render(`drawing${number}`, drawing);
    document.body.innerHTML = svg;
    const texts = (selector) => [...document.querySelectorAll(selector)].map((found) => found.textContent.trim());
    return {
        nodes: texts('g.node'),
        links: document.querySelectorAll('path.flowchart-link').length,
        labels: texts('g.edgeLabel').filter((text) => text !== ''),
        labelled: [...document.querySelectorAll('g.edgeLabel span')].filter((one) => one.innerHTML).length,
        error: document.querySelector('.error-icon') !== null,
        struck: window.struck === true,
        active: document.body.querySelectorAll('script, iframe, [onerror], a[href^=javascript]').length,
    };
}"""

Render = Callable[[str], dict[str, Any]]

HOSTILE = (
    'say "hi"; #quot; #35; &amp;',
    "a|b||c",
    "#",
    "##;",
    "end",
    "graph TD; x --> y",
    "</div><img src=x onerror='window.struck = true'>",
    "before <script>window.struck = true</script>",
    "<b>bold</b>",
    "[x](javascript:window.struck=true)",
    "日本語 – Ω ✓ 👩‍👩‍👧 عربى",
    "line\nbreak\r\nand\u2028more",
    "`**marks**`",
    "%% not a comment",
    "{x}(y)[z]>w]",
    "--> ==> -.->",
    "'single' \\backslash\\ /slash/",
    "click me call f() href x",
    "x" * 1500,
    "word " * 300,
)
PLAIN_TEXT = st.text(st.sampled_from("abzABZ09 _.,?!=-#|\"';:/\\()[]{}@$%^*+~éßΩ日本✓"), min_size=1, max_size=24)
LABELS = st.sampled_from(HOSTILE) | PLAIN_TEXT
NAMES = LABELS.filter(lambda text: text.strip() != "")


@pytest.fixture(scope="module")
def render(browser: Browser) -> Iterator[Render]:
    """A page that holds Mermaid and nothing else, cut off from every network."""
    until_installed("drawing")
    assert MERMAID.exists(), "Mermaid is not installed: run `make test`."
    context = browser.new_context(offline=True)
    page: Page = context.new_page()
    page.set_default_timeout(600_000)
    page.add_script_tag(path=MERMAID)
    page.evaluate("mermaid.initialize({startOnLoad: false, securityLevel: 'strict'})")
    numbers = iter(range(1_000_000))
    yield lambda drawing: page.evaluate(RENDER, {"drawing": drawing, "number": next(numbers)})
    context.close()


@st.composite
def flat_graphs(draw: st.DrawFn) -> SkillGraph:
    names = draw(st.lists(NAMES, min_size=1, max_size=6, unique=True))
    anywhere = st.sampled_from([*names, "nobody registered me"])
    builder = skill_graph()
    for name in names:
        builder.skill(define_skill(name, "What it is", "What to do", end=draw(st.booleans())))
    for name in draw(st.lists(anywhere, min_size=1, max_size=3)):
        builder.entry(name, label=draw(st.none() | LABELS))
    circling = set()
    for start, to in draw(st.lists(st.tuples(anywhere, anywhere), max_size=8)):
        if start == to and start in circling:
            continue  # Mermaid lays all edges of a node to itself over one another
        circling.add(start if start == to else None)
        builder.route(
            start,
            to,
            on_tool_return=draw(st.none() | NAMES),
            priority=draw(st.integers(-2, 2)),
            label=draw(st.none() | LABELS),
        )
    return builder.build(check="off")


@st.composite
def tree_graphs(draw: st.DrawFn) -> SkillGraph:
    leaf = NAMES.map(lambda name: define_skill(name, "What it is", "What to do"))
    branches = st.recursive(leaf, lambda inner: st.builds(decide, st.just(bool), inner, inner, LABELS), max_leaves=8)
    return skill_graph().tree(draw(branches)).build(check="off")


def declared_count(graph: SkillGraph) -> int:
    """Skills, diamonds, ids that nobody registered, and the start."""
    named = {edge.to for edge in graph.edges} | {edge.from_ for edge in graph.edges if edge.from_}
    return len({node.id for node in graph.nodes} | named) + 1


@pytest.mark.holds("routing.drawing.browser")
def test_every_drawing_renders_with_as_many_nodes_and_edges_as_were_declared(render: Render) -> None:
    @settings(deadline=None, max_examples=examples(80), suppress_health_check=[HealthCheck.too_slow])
    @given(graph=flat_graphs() | tree_graphs(), marked=st.booleans())
    def check(graph: SkillGraph, marked: bool) -> None:
        drawing = graph.to_mermaid(current=graph.skills[0].id if marked else None)
        note(drawing)
        drawn = render(drawing)
        note(str(drawn))
        assert not drawn["error"]
        assert (len(drawn["nodes"]), drawn["links"]) == (declared_count(graph), len(graph.edges))
        assert drawn["labelled"] == sum(bool(edge.label) for edge in graph.edges)
        assert not drawn["struck"]
        assert drawn["active"] == 0

    check()


@pytest.mark.holds("routing.drawing.browser")
@pytest.mark.parametrize("label", ['say "hi" #1 | 2', "a#b;c", "日本語 ✓", "{x}(y)[z]", "--> x", "#quot;", "end"])
def test_a_label_reads_in_the_browser_as_it_was_given(render: Render, label: str) -> None:
    graph = skill_graph().entry(define_skill(label, "D", "B")).route(label, "other", label=label).build(check="off")
    drawn = render(graph.to_mermaid())
    assert sorted(drawn["nodes"]) == sorted(["▶ start", label, "other?"])
    assert drawn["labels"] == [label]
