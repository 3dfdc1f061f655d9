"""Laws that hold for any graph and any question, through the real store and against a foreign tokenizer."""

import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from rs_bpe.bpe import openai
from tests.examples import examples

from loreweave.application import Application, open_application
from loreweave.contracts.context_packs import Telemetry
from loreweave.contracts.skill_graph import ContextRequest, ScanRequest, TraverseRequest
from loreweave.language.terms import words
from loreweave.settings import Settings

TOKENIZER = openai.o200k_base()
NAMES = [f"n{number}" for number in range(6)]
TEXT = st.lists(
    st.one_of(
        st.sampled_from(["calm", "breathing", "grief", "anchor", "the", "x86_64", "東京の猫", "naïve", "🙂", "=> {};"]),
        st.sampled_from([f"[[{name}]]" for name in NAMES]),
        st.sampled_from(["\n\n", "\n\n## Heading\n\n", ". ", "\n\n- item "]),
    ),
    max_size=25,
).map(" ".join)
QUERIES = st.sampled_from(["", "calm", "calm breath", "anchr grief", "東京", "zebra", "the", "calm calm n1 heading"])


@st.composite
def vaults(draw: st.DrawFn) -> dict[str, str]:
    files = {}
    for name in NAMES[: draw(st.integers(1, 6))]:
        kind = draw(st.sampled_from(["moc", "skill", "framework"]))
        description = draw(st.sampled_from(["", "calm words", "grief"]))
        files[f"{name}.md"] = f"---\ntype: {kind}\ndescription: {description}\n---\n{draw(TEXT)}"
    return files


@pytest.fixture(scope="module")
def application() -> Iterator[Application]:
    with tempfile.TemporaryDirectory() as place:
        opened = open_application(Settings(data_dir=Path(place), embedder="none"))
        yield opened
        opened.close()


def ingest(application: Application, files: dict[str, str]) -> str:
    with tempfile.TemporaryDirectory() as place:
        for path, text in files.items():
            Path(place, path).write_text(text, encoding="utf-8")
        return application.graphs.ingest_folder(Path(place), name="laws").graphId


def check_account(found: Telemetry, loaded: list, node_count: int, budget: int) -> None:
    assert found.nodesVisited == found.nodesLoaded + found.nodesSkipped == sum(found.nodesAtLevel.values())
    assert found.nodesLoaded == len(loaded) == found.nodesAtLevel["3"] + found.nodesAtLevel["4"]
    assert all(node.level >= 3 and node.content for node in loaded)
    assert found.tokensUsed == sum(node.tokens for node in loaded) <= found.tokenBudget == budget
    assert sum(TOKENIZER.count(node.content) for node in loaded) <= budget
    assert found.coveragePercent == (2000 * len(loaded) + node_count) // (2 * node_count) / 10
    assert all(node.tokens >= TOKENIZER.count(node.content) for node in loaded)


def check_order(loaded: list) -> None:
    keys = [(-node.score, node.id) for node in loaded]
    assert keys == sorted(keys)
    assert all(0 <= node.score <= 100 for node in loaded)


LAWS = settings(
    max_examples=examples(40),
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)


@pytest.mark.holds(
    "graph.budget.hard-ceiling",
    "graph.budget.independent-tokenizer",
    "graph.budget.unloaded",
    "graph.telemetry.visited",
    "graph.telemetry.loaded",
    "graph.telemetry.tokens-used",
    "graph.telemetry.coverage",
    "graph.telemetry.depth",
    "graph.telemetry.levels",
    "graph.score.order",
)
@given(
    vaults(),
    QUERIES,
    st.sampled_from([0, 1, 5, 40, 200, 6000]),
    st.integers(0, 7),
    st.integers(0, 4),
    st.sampled_from(["out", "in", "both"]),
)
@LAWS
def test_walks_keep_their_account(
    application: Application,
    files: dict[str, str],
    query: str,
    budget: int,
    most: int,
    depth: int,
    direction: str,
) -> None:
    graph = ingest(application, files)
    request = TraverseRequest(
        graphId=graph, query=query, tokenBudget=budget, maxNodes=most, maxDepth=depth, direction=direction
    )
    answer = application.retrieval.traverse(request)
    check_account(answer.telemetry, answer.path, len(files), budget)
    assert len(answer.path) <= most
    assert answer.telemetry.maxDepthReached <= depth
    assert len(answer.unloaded) == min(50, answer.telemetry.nodesSkipped)
    assert [node.score for node in answer.unloaded] == sorted((n.score for n in answer.unloaded), reverse=True)
    check_order(answer.path)
    assert application.retrieval.traverse(request) == answer


@pytest.mark.holds(
    "graph.budget.hard-ceiling",
    "graph.budget.context-tail",
    "graph.levels.one-has-no-content",
    "graph.tokens.content-only",
)
@given(vaults(), QUERIES.filter(str.strip), st.sampled_from([0, 3, 30, 150, 6000]), st.integers(0, 7))
@LAWS
def test_packs_keep_their_account(
    application: Application, files: dict[str, str], query: str, budget: int, most: int
) -> None:
    graph = ingest(application, files)
    request = ContextRequest(graphId=graph, query=query, tokenBudget=budget, maxNodes=most)
    answer = application.retrieval.context(request)
    loaded = [node for node in answer.contextPack.nodes if node.level >= 3]
    named = answer.contextPack.nodes[len(loaded) :]
    check_account(answer.telemetry, loaded, len(files), budget)
    assert answer.contextPack.totalTokens == answer.telemetry.tokensUsed
    assert all(node.level == 1 and node.content is None and node.tokens == 0 for node in named)
    assert len(named) == min(8, answer.telemetry.nodesSkipped)
    check_order(loaded)
    assert answer.telemetry.maxDepthReached <= 2


@pytest.mark.holds("graph.scan.one-lexical-hit", "graph.scan.never-content", "graph.scan.total-before-limit")
@given(vaults(), st.sampled_from(["calm", "grief", "n1", "東京", "zebra"]), st.integers(1, 4))
@LAWS
def test_a_scan_finds_the_notes_whose_head_holds_the_word(
    application: Application, files: dict[str, str], query: str, limit: int
) -> None:
    graph = ingest(application, files)
    every = application.retrieval.scan(ScanRequest(graphId=graph)).results
    hits = {node.id for node in every if query in words(f"{node.name} {' '.join(node.tags)} {node.description}")}
    answer = application.retrieval.scan(ScanRequest(graphId=graph, query=query, limit=limit))
    assert answer.total == len(hits)
    assert {node.id for node in answer.results} <= hits
    assert len(answer.results) == min(limit, len(hits))
