"""The drawing: line by line as promised."""

import re

import pytest
from tests.routing.mermaid_reader import read_mermaid
from tests.routing.support_desk import skill, skills

from loreweave import SkillEdge, decide, keywords, skill_graph


@pytest.mark.holds("routing.draw.lines", "routing.draw.order", "routing.draw.labels")
def test_a_flat_graph_is_drawn_line_by_line() -> None:
    a, b, m = skills("a b m")
    graph = (
        skill_graph()
        .route(a, b, on_tool_return="probe")
        .skill(skill("done", end=True))
        .route(a, m)
        .route(b, "done", when=len, label="all good")
        .entry(a, keywords("x"), label="asked")
        .entry(b)
        .route(m, a, label="see also")
        .build()
    )
    assert graph.to_mermaid() == (
        "flowchart TD\n"
        "  __start__([▶ start])\n"
        '  n_a["a"]\n'
        '  n_b["b"]\n'
        '  n_done(["done"])\n'
        '  n_m["m"]\n'
        "  __start__ -->|asked| n_a\n"
        "  __start__ --> n_b\n"
        "  n_a -->|on probe| n_b\n"
        "  n_a -.-> n_m\n"
        "  n_b -->|all good| n_done\n"
        "  n_m -.->|see also| n_a"
    )


@pytest.mark.holds("routing.draw.trees", "routing.draw.lines")
def test_a_tree_is_drawn_in_pre_order() -> None:
    graph = skill_graph().tree(decide(len, skill("a"), decide(len, skill("b", end=True), "a", "second"), "io?")).build()
    assert graph.to_mermaid() == (
        "flowchart TD\n"
        "  __start__([▶ start])\n"
        '  d0{"io?"}\n'
        '  n_a["a"]\n'
        '  d1{"second"}\n'
        '  n_b(["b"])\n'
        "  __start__ --> d0\n"
        "  d0 -->|yes| n_a\n"
        "  d0 -->|no| d1\n"
        "  d1 -->|yes| n_b\n"
        "  d1 -->|no| n_a"
    )


@pytest.mark.holds("routing.draw.names")
def test_names_that_would_be_alike_are_numbered() -> None:
    builder = skill_graph()
    for name in ("a b", "a-b", "a_b", "a_b_2", "ä", "ö", "a.b"):
        builder.entry(skill(name), keywords(name))
    lines = builder.build().to_mermaid().split("\n")[2:9]
    assert lines == [
        '  n_a_b["a b"]',
        '  n_a_b_2["a-b"]',
        '  n_a_b_3["a_b"]',
        '  n_a_b_2_2["a_b_2"]',
        '  n__["ä"]',
        '  n___2["ö"]',
        '  n_a_b_4["a.b"]',
    ]


@pytest.mark.holds("routing.draw.unknown")
def test_an_unknown_id_is_drawn_after_the_skills_and_is_no_node() -> None:
    graph = skill_graph().entry(skill("a")).route("a", "x").skill(skill("z")).build("off")
    lines = graph.to_mermaid().split("\n")
    assert lines[2:] == ['  n_a["a"]', '  n_z["z"]', '  n_x["x?"]', "  __start__ --> n_a", "  n_a -.-> n_x"]
    assert [node.id for node in graph.nodes] == ["a", "z"]


@pytest.mark.holds("routing.draw.labels")
@pytest.mark.parametrize(
    ("given", "label"),
    [
        ({"on_tool_return": "t"}, "on t"),
        ({"on_tool_return": re.compile("re.und")}, "on /re.und/"),
        ({"on_tool_return": re.compile("refund", re.I)}, "on /refund/i"),
        ({"on_tool_return": "t", "on_status": ["denied", "failure"]}, "on t status=denied,failure"),
        ({"on_status": "denied"}, "status=denied"),
        ({"where": "a.b  >  1"}, "where a.b  >  1"),
        (
            {"on_tool_return": "t", "on_status": "denied", "where": "x == 1", "priority": 10},
            "on t status=denied where x == 1 !10",
        ),
        ({"on_tool_return": "t", "priority": -2}, "on t !-2"),
        ({"on_tool_return": "t", "priority": 2, "label": "mine"}, "mine"),
        ({"when": len}, None),
        ({"when": len, "priority": 2}, None),
        ({"priority": 2}, None),
        ({"when": len, "label": "asked"}, "asked"),
    ],
)
def test_the_label_of_an_edge_is_the_given_one_or_its_data_condition(given: dict, label: str | None) -> None:
    graph = skill_graph().entry(skill("a")).route("a", skill("b"), **given).build()
    assert graph.edges[1].label == label
    assert graph.edges[0] == SkillEdge(None, "a", "entry", None, 0, None)


@pytest.mark.holds("routing.draw.escapes")
@pytest.mark.parametrize(
    ("label", "drawn"),
    [
        ("plain, a_b. c? d! e=f -g 9", "|plain, a_b. c? d! e=f -g 9|"),
        ("größer", "|größer|"),
        ("a > b", '|"a > b"|'),
        ('say "x"', '|"say #quot;x#quot;"|'),
        ("a|b", '|"a#124;b"|'),
        ("#35;", '|"#35;35;"|'),
        ("one\r\ntwo\nthree\u2028four", "|one two three four|"),
        ("(x)", '|"(x)"|'),
    ],
)
def test_marks_of_the_notation_are_escaped(label: str, drawn: str) -> None:
    graph = skill_graph().entry(skill("a"), label=label).build()
    assert graph.to_mermaid().split("\n")[-1] == f"  __start__ -->{drawn} n_a"
    (edge,) = read_mermaid(graph.to_mermaid()).edges
    assert edge[2] == re.sub("\r\n|[\n\u2028]", " ", label)


@pytest.mark.holds("routing.draw.escapes")
def test_texts_of_nodes_are_escaped() -> None:
    graph = skill_graph().tree(decide(len, skill('a"|#\nb'), skill("x"), 'q"#')).build()
    assert graph.to_mermaid().split("\n")[2:4] == ['  d0{"q#quot;#35;"}', '  n_a____b["a#quot;#124;#35; b"]']


@pytest.mark.holds("routing.draw.current")
def test_showing_where_the_graph_is_only_adds_lines() -> None:
    graph = skill_graph().entry(skill("a")).route("a", skill("b c")).build()
    plain = graph.to_mermaid()
    shown = graph.to_mermaid(current="b c")
    assert shown.startswith(plain + "\n")
    assert "  class n_b_c current" in shown.split("\n")
    assert graph.to_mermaid("nobody") == graph.to_mermaid(None) == plain
