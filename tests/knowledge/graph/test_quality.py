"""Figures and score, with the worked numbers of the contract."""

import numpy
import pytest
from hypothesis import given
from hypothesis import strategies as st

from loreweave.contracts.graph_reports import Bonuses, BrokenLink, IngestValidation
from loreweave.knowledge.graph.grade import as_issues, deduct, half_up, measure, rounded, score, summary
from loreweave.knowledge.graph.graph_view import Edges, GraphView, ViewNode


def _view(types: list[str], edges: list[tuple[int, int]], edge_type: int = 0) -> GraphView:
    nodes = [
        ViewNode(number, f"skill:n{number}", f"n{number:03}.md", f"N{number}", kind, "general", None, 1, 1)
        for number, kind in enumerate(types)
    ]
    ordered = sorted(edges)
    count = len(ordered)
    table = Edges(
        source=numpy.array([one for one, _ in ordered], dtype=numpy.int64),
        target=numpy.array([other for _, other in ordered], dtype=numpy.int64),
        type=numpy.full(count, edge_type, dtype=numpy.uint8),
        count=numpy.ones(count, dtype=numpy.int64),
        sentence_counts=numpy.zeros(count, dtype=numpy.int64),
        sentences=numpy.zeros(0, dtype=numpy.int64),
    )
    return GraphView("g", "skill", 1, nodes, table)


def _broken(count: int) -> tuple[BrokenLink, ...]:
    link = BrokenLink(source="a.md", target="b", context="[[b]]", raw="b", line=1, suggestion=None)
    return (link,) * count


def _findings(*kinds: tuple) -> IngestValidation:
    """In the order of the summary."""
    names = [name for name in IngestValidation.model_fields if name != "score"]
    return IngestValidation(score=0, **{name: list(found) for name, found in zip(names, kinds, strict=True)})


@pytest.mark.holds("graph.metrics.half-up", "graph.metrics.density", "graph.metrics.average-degree")
def test_the_worked_figures_of_the_contract_come_out() -> None:
    assert rounded(67, 24 * 23, 2) == 0.12
    assert rounded(2 * 67, 24, 1) == 5.6
    assert half_up(10 * 3, 4) == 8  # 7.5 goes up
    assert half_up(max(0, 10 * (24 - 2 * 1)), 24) == 9  # 9.17


@given(st.integers(0, 10**9), st.integers(1, 10**9))
@pytest.mark.holds("graph.metrics.half-up")
def test_halves_go_up_exactly(numerator: int, denominator: int) -> None:
    whole, rest = divmod(numerator, denominator)
    assert half_up(numerator, denominator) == whole + (2 * rest >= denominator)


@pytest.mark.holds("graph.quality.score", "graph.quality.penalties", "graph.quality.summary")
def test_two_broken_links_and_one_missing_description_make_92() -> None:
    findings = _findings(_broken(2), ("c.md",), (), (), (), ())
    bonuses = Bonuses(mocCoverage=8, linkDensityHealth=9)
    assert score(deduct(findings, 24), bonuses) == 92
    assert (
        summary(findings, deduct(findings, 24), 92, 24)
        == "2 broken links and 1 missing description. Fix these to reach 100."
    )


@pytest.mark.holds("graph.quality.score")
def test_penalties_cannot_go_below_zero_before_the_bonuses_are_added() -> None:
    assert (
        score(deduct(_findings(_broken(50), (), (), (), (), ()), 24), Bonuses(mocCoverage=3, linkDensityHealth=4)) == 7
    )
    assert score(deduct(_findings((), (), (), (), (), ()), 24), Bonuses(mocCoverage=10, linkDensityHealth=10)) == 100


@pytest.mark.holds("graph.quality.penalties", "graph.quality.validate-entries")
def test_every_kind_of_finding_has_its_penalty() -> None:
    findings = _findings(_broken(1), ("b",), ("c",), ("d",), ("e",), (["f", "g"],))
    assert score(deduct(findings, 24), Bonuses(mocCoverage=0, linkDensityHealth=0)) == 100 - 10 - 5 - 2 - 1 - 3 - 2
    issues = as_issues(findings).model_dump()
    assert {name: found[0]["penalty"] for name, found in issues.items()} == {
        "brokenLinks": -10,
        "missingDescriptions": -5,
        "missingTypes": -2,
        "missingDomains": -1,
        "orphans": -3,
        "circularOnly": -2,
    }
    assert issues["circularOnly"] == [{"files": ["f", "g"], "penalty": -2}]


@pytest.mark.holds("graph.quality.summary", "graph.quality.summary-at-100")
def test_the_summary_names_what_there_is_in_order_and_promises_nothing_at_100() -> None:
    findings = _findings((), ("b", "b2"), ("c",), (), ("e",), (["f", "g"],))
    assert summary(findings, deduct(findings, 24), 80, 24) == (
        "2 missing descriptions, 1 missing type, 1 orphan and 1 circular pair. Fix these to reach 100."
    )
    one, none = _findings((), (), (), ("d",), (), ()), _findings((), (), (), (), (), ())
    assert summary(one, deduct(one, 24), 100, 24) == "1 missing domain."
    assert summary(none, deduct(none, 24), 100, 24) == "Nothing to fix."


@pytest.mark.holds("graph.quality.by-size")
def test_in_a_large_graph_a_kind_costs_by_its_share_and_never_more_than_its_part() -> None:
    untyped = tuple(f"{number}.md" for number in range(100))
    findings = _findings((), (), untyped, untyped, (), ())
    deductions = deduct(findings, 100)
    assert (deductions.missingTypes, deductions.missingDomains) == (10, 5)
    assert score(deductions, Bonuses(mocCoverage=0, linkDensityHealth=0)) == 85
    everything = _findings(_broken(900), untyped, untyped, untyped, untyped, (["a", "b"],) * 90)
    assert dict(deduct(everything, 100)) == {
        "brokenLinks": 40,
        "missingDescriptions": 30,
        "missingTypes": 10,
        "missingDomains": 5,
        "orphans": 20,
        "circularOnly": 10,
    }
    # 1 × 10 × 24 / 96 = 2.5 goes up, and half of it is no more.
    assert deduct(_findings(_broken(1), (), (), (), (), ()), 96).brokenLinks == 3
    assert deduct(_findings(_broken(1), (), (), (), (), ()), 25).brokenLinks == 10
    assert deduct(_findings(_broken(7), (), (), (), (), ()), 24).brokenLinks == 70


@pytest.mark.holds("graph.quality.by-size")
def test_the_summary_of_a_large_graph_names_the_two_repairs_that_win_most() -> None:
    findings = _findings(_broken(12), ("a",) * 30, ("b",), (), ("c",) * 9, ())
    assert summary(findings, deduct(findings, 60), 40, 60) == (
        "12 broken links, 30 missing descriptions, 1 missing type and 9 orphans. Most is won by repairing broken links"
        " (up to 40 points) and missing descriptions (up to 30 points). Fix these to reach 100."
    )
    # Where bonuses made up for a part of it, no more is promised than is left to win.
    assert " (up to 35 points) and missing descriptions (up to 30 points)." in summary(
        findings, deduct(findings, 60), 65, 60
    )


@pytest.mark.holds("graph.metrics.clusters", "graph.metrics.orphans", "graph.metrics.greatest-degrees")
def test_clusters_are_components_of_two_or_more_and_orphans_have_no_edge() -> None:
    figures = measure(_view(["skill"] * 7, [(0, 1), (2, 1), (3, 4), (4, 5)]))
    assert figures.stats["clusterCount"] == 2
    assert figures.orphans == (6,)
    assert figures.stats["maxInDegree"] == {"nodeId": "skill:n1", "value": 2}
    assert figures.stats["maxOutDegree"] == {"nodeId": "skill:n0", "value": 1}


@pytest.mark.holds("graph.quality.moc-coverage", "graph.quality.link-density-health")
def test_bonuses_count_clusters_with_a_moc_and_notes_with_few_links() -> None:
    figures = measure(_view(["moc", "skill", "skill", "skill", "skill", "skill"], [(0, 1), (0, 2), (1, 2), (3, 4)]))
    assert figures.bonuses.mocCoverage == 5  # one cluster of two
    assert figures.bonuses.linkDensityHealth == 0  # three of six have at most one edge
    assert measure(_view(["skill"], [])).bonuses.mocCoverage == 0


@pytest.mark.holds("graph.quality.circular-only")
def test_a_pair_that_knows_only_itself_is_found_once() -> None:
    pairs = measure(_view(["skill"] * 6, [(0, 1), (1, 0), (2, 3), (3, 2), (3, 4), (5, 4)])).circular_pairs
    assert pairs == ((0, 1),)
    assert measure(_view(["skill"] * 2, [(0, 1)])).circular_pairs == ()


@given(st.integers(1, 12).flatmap(
    lambda count: st.tuples(st.just(count), st.sets(st.tuples(st.integers(0, count - 1), st.integers(0, count - 1))))
))  # fmt: skip
@pytest.mark.holds("graph.metrics.clusters")
def test_clusters_agree_with_a_search_from_every_node(graph: tuple[int, set[tuple[int, int]]]) -> None:
    count, edges = graph[0], [(one, other) for one, other in graph[1] if one != other]
    near = {node: {node} for node in range(count)}
    for _ in range(count):
        for one, other in edges:
            near[one] |= near[other]
            near[other] |= near[one]
    components = {frozenset(found) for found in near.values() if len(found) > 1}
    assert measure(_view(["skill"] * count, edges)).stats["clusterCount"] == len(components)
