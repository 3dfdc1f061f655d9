"""Scan and search through the real store."""

from collections.abc import Callable

import pytest

from loreweave.contracts.skill_graph import ScanRequest, SearchRequest
from loreweave.errors import NotFound

LEVEL_ONE = {"id", "name", "type", "domain", "description", "tags", "inDegree", "outDegree", "path"}


def scan(vault, query: str = "", **options) -> list[str]:
    answer = vault.service.scan(ScanRequest(graphId=vault.graph, query=query, **options))
    return [found.id.removeprefix("skill:") for found in answer.results]


def search(vault, query: str, **options) -> list[str]:
    answer = vault.service.search(SearchRequest(graphId=vault.graph, query=query, **options))
    return [found.id.removeprefix("skill:") for found in answer.results]


@pytest.mark.holds("graph.scan.answer-shape", "graph.scan.never-content", "graph.levels.one-has-no-content")
def test_a_scan_answers_level_one_and_nothing_of_the_text(therapy) -> None:
    answer = therapy.service.scan(ScanRequest(graphId=therapy.graph, query="catastrophizing"))
    assert answer.model_dump() == {
        "graphId": "therapy",
        "revision": 1,
        "total": 1,
        "level": 1,
        "results": [
            {
                "id": "skill:distortions",
                "name": "Cognitive Distortions",
                "type": "framework",
                "domain": "Therapy",
                "description": "Errors in automatic thoughts.",
                "tags": ["thoughts", "catastrophizing"],
                "inDegree": 1,
                "outDegree": 1,
                "path": "distortions.md",
            }
        ],
    }


@pytest.mark.holds("graph.scan.fields", "graph.scan.one-lexical-hit")
def test_a_word_of_the_body_alone_is_no_hit_for_a_scan(therapy) -> None:
    assert scan(therapy, "xylophone") == []
    assert search(therapy, "xylophone") == ["lonely"]


@pytest.mark.holds("graph.scan.fields")
@pytest.mark.parametrize(
    ("query", "found"), [("cognitive", "distortions"), ("empathy", "validation"), ("nights", "lonely")]
)
def test_a_scan_reads_names_aliases_and_descriptions(therapy, query: str, found: str) -> None:
    assert scan(therapy, query) == [found]


@pytest.mark.holds("graph.scan.empty-query")
@pytest.mark.parametrize("query", ["", "  "])
def test_an_empty_query_lists_all_by_degree_then_id(therapy, query: str) -> None:
    assert scan(therapy, query) == [
        "index",
        *("breathing", "distortions", "grounding", "reframing"),
        "validation",
        "lonely",
    ]


@pytest.mark.holds("graph.scan.total-before-limit", "graph.scan.limit")
def test_the_limit_cuts_results_and_not_the_total(therapy) -> None:
    for query, total in (("", 7), ("thought breath", 3)):
        answer = therapy.service.scan(ScanRequest(graphId=therapy.graph, query=query, limit=1))
        assert (len(answer.results), answer.total) == (1, total)


@pytest.mark.holds("graph.scan.domain-filter")
@pytest.mark.parametrize("domain", ["therapy", "THERAPY", " Therapy "])
def test_the_domain_filter_ignores_case(therapy, domain: str) -> None:
    assert set(scan(therapy, domain=domain)) == {
        "index",
        "distortions",
        "grounding",
        "reframing",
        "validation",
    }
    assert scan(therapy, "breath", domain=domain) == []
    assert scan(therapy, "breath", domain="body") == ["breathing"]
    assert scan(therapy, domain="nowhere") == []


@pytest.mark.holds("graph.scan.order")
def test_equal_scores_are_ordered_by_id(make_vault: Callable) -> None:
    vault = make_vault({f"{name}.md": "---\ndescription: calm\n---\nx" for name in ("c", "a", "b")})
    assert scan(vault, "calm") == ["a", "b", "c"]


def test_a_query_of_marks_alone_finds_nothing(therapy) -> None:
    assert scan(therapy, "?!") == []


@pytest.mark.holds("graph.search.answer-shape", "graph.search.never-body", "graph.search.method")
def test_a_search_answers_level_one_with_score_and_matched_fields(therapy) -> None:
    answer = therapy.service.search(SearchRequest(graphId=therapy.graph, query="catastrophizing worst"))
    first = answer.results[0].model_dump()
    assert set(first) == LEVEL_ONE | {"score", "matched"}
    assert first["matched"] == ["tag", "body"]
    assert "worst" not in answer.model_dump_json()
    assert 0 < first["score"] <= 1
    assert (answer.method, answer.total) == ("lexical", 1)


@pytest.mark.holds("graph.search.all-fields", "graph.search.scores")
def test_the_first_of_a_search_has_the_share_of_the_words_and_the_others_less(therapy) -> None:
    for query in ("xylophone", "worst", "thoughts"):
        answer = therapy.service.search(SearchRequest(graphId=therapy.graph, query=query))
        scores = [found.score for found in answer.results]
        assert 0.35 <= scores[0] <= 1
        assert scores == sorted(scores, reverse=True)


@pytest.mark.holds("graph.search.scores")
def test_nothing_is_found_where_nothing_matches(therapy) -> None:
    assert search(therapy, "zebra") == []
    assert search(therapy, "") == []


@pytest.mark.holds("graph.search.filters")
def test_a_search_filters_by_domain_and_type(therapy) -> None:
    assert set(search(therapy, "thoughts")) == {"distortions", "index", "reframing"}
    assert search(therapy, "thoughts", type="Technique") == ["reframing"]
    assert search(therapy, "thoughts", domain="body") == []


@pytest.mark.holds("graph.search.filters")
@pytest.mark.parametrize("blank", ["", "  "])
def test_a_blank_domain_or_type_filters_nothing(therapy, blank: str) -> None:
    assert set(search(therapy, "thoughts", type=blank)) == {"distortions", "index", "reframing"}
    assert set(search(therapy, "thoughts", domain=blank)) == {"distortions", "index", "reframing"}


def test_an_unknown_graph_is_not_found(therapy) -> None:
    with pytest.raises(NotFound):
        therapy.service.scan(ScanRequest(graphId="nowhere"))
