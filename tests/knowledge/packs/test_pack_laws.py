"""Laws of packs: what is found best is in them, they are full, and they say what they leave out."""

import tempfile
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.examples import examples

from loreweave.application import Application, open_application
from loreweave.contracts.context_packs import ContextAnswer
from loreweave.contracts.skill_graph import ContextRequest, PageSettings
from loreweave.knowledge.documents.page_record import outline_of, record_page
from loreweave.knowledge.packs.note_pages import LEFT_OUT, NotePage
from loreweave.knowledge.packs.pack_passages import pack_passages
from loreweave.language.tokens import count_tokens
from loreweave.settings import Settings

QUERY = "harbour fog"
WORDS = ["harbour", "fog", "boat", "net", "gull", "rope", "tide", "lamp", "keeper", "mast"]
PARAGRAPH = st.lists(st.sampled_from(WORDS), min_size=4, max_size=60).map(" ".join)
PART = st.tuples(st.sampled_from(["# One", "## Two", "### Three", "#### Four", ""]), PARAGRAPH)
NOTE = st.lists(PART, min_size=1, max_size=10).map(
    lambda parts: "\n\n".join(f"{head}\n\n{text}" for head, text in parts)
)
NOTES = st.lists(NOTE, min_size=1, max_size=5)
LAWS = settings(
    max_examples=examples(40),
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)


@pytest.fixture(scope="module")
def application() -> Iterator[Application]:
    with tempfile.TemporaryDirectory() as place:
        opened = open_application(Settings(data_dir=Path(place), embedder="none"))
        yield opened
        opened.close()


def pack(application: Application, notes: list[str], budget: int, most: int = 8) -> ContextAnswer:
    with tempfile.TemporaryDirectory() as place:
        for number, text in enumerate(notes):
            Path(place, f"n{number}.md").write_text(text, encoding="utf-8")
        graph = application.graphs.ingest_folder(Path(place), name="laws").graphId
    request = ContextRequest(graphId=graph, query=QUERY, tokenBudget=budget, maxNodes=most)
    return application.retrieval.context(request)


def loaded(answer: ContextAnswer) -> list:
    return [node for node in answer.contextPack.nodes if node.level >= 3]


def pages_of(notes: list[str]) -> dict[int, NotePage]:
    read = [outline_of(record_page("n.md", text, PageSettings())) for text in notes]
    return {number: NotePage(notes[number].encode(), *found) for number, found in enumerate(read)}


@pytest.mark.holds("retrieval.packs.best-passage", "graph.budget.hard-ceiling")
@given(NOTES, st.randoms(use_true_random=False), st.integers(20, 900), st.integers(1, 4))
@LAWS
def test_the_best_passage_is_in_every_pack_it_fits_into(notes: list[str], order: Any, budget: int, most: int) -> None:
    pages = pages_of(notes)
    ranked = [(node, place, one.tokens) for node, page in pages.items() for place, one in enumerate(page.passages)]
    order.shuffle(ranked)
    nodes = [SimpleNamespace(tokens_full=count_tokens(text)) for text in notes]
    node, place, _ = ranked[0]
    fits = pages_of(notes)[node].cost_of(place) <= budget
    made = pack_passages(nodes, ranked, lambda wanted: {number: pages[number] for number in wanted}, most, budget)
    assert (place in pages[node].taken) >= fits
    assert made.tokens == sum(found.tokens for found in made.loaded.values()) <= budget
    assert len(made.loaded) <= most


@pytest.mark.holds("graph.budget.hard-ceiling")
def test_a_budget_that_nothing_fits_into_reads_no_more_than_what_is_first() -> None:
    pages = pages_of(["# One\n\n" + "harbour fog " * 60] * 50)
    ranked = [(node, place, one.tokens) for node, page in pages.items() for place, one in enumerate(page.passages)]
    read: list[int] = []

    def read_pages(wanted: Iterable[int]) -> dict[int, NotePage]:
        found = list(wanted)
        read.extend(found)
        return {number: pages[number] for number in found}

    nodes = [SimpleNamespace(tokens_full=200)] * len(pages)
    assert pack_passages(nodes, ranked, read_pages, 8, 10).loaded == {}
    assert 0 < len(read) <= 8


@pytest.mark.holds("retrieval.packs.filled")
@given(NOTES, st.sampled_from([300, 800, 2000]))
@LAWS
def test_a_pack_is_full_while_there_is_qualifying_text(application: Application, notes: list[str], budget: int) -> None:
    answer = pack(application, notes, budget)
    if not answer.matched:
        return
    nodes = loaded(answer)
    assert sum(node.tokens for node in nodes) <= budget
    left_over = any(node.level == 3 for node in nodes) or len(nodes) < sum(
        "fog" in one or "harbour" in one for one in notes
    )
    if left_over:  # something that qualifies was left out: at most one passage with its headings would have fitted
        assert sum(node.tokens for node in nodes) >= min(0.85 * budget, budget - 200)


@pytest.mark.holds("retrieval.packs.level-three")
@given(NOTES, st.sampled_from([60, 150, 400]))
@LAWS
def test_what_is_shown_stands_in_order_and_says_what_is_left_out(
    application: Application, notes: list[str], budget: int
) -> None:
    for node in loaded(pack(application, notes, budget)):
        source = notes[int(node.id.removeprefix("skill:n"))]
        if node.level == 4:
            assert node.sections is None
            continue
        parts = node.content.split("\n\n")
        at = 0
        for part in parts:
            if part != LEFT_OUT:
                assert part in source[at:]
                at = source.index(part, at) + len(part)
        headings, passages = outline_of(record_page("n.md", source, PageSettings()))
        assert [section.heading for section in node.sections if section.heading] == [one.text for one in headings]
        assert (LEFT_OUT in parts) == any(section.shown != "full" for section in node.sections)
        assert sum(section.tokens for section in node.sections) == sum(passage.tokens for passage in passages)
        assert node.tokens == count_tokens(node.content)


@pytest.mark.holds("retrieval.packs.more-holds-more")
def test_a_larger_budget_holds_the_best_passages_of_a_smaller_one(application: Application) -> None:
    notes = [
        f"# Note {number}\n\n" + "\n\n".join(f"## Part {part}\n\n{'harbour fog ' * (9 - part)}" for part in range(8))
        for number in range(4)
    ]
    held: set[str] = set()
    for budget in (1500, 2500, 4000, 6000):
        now = {part for node in loaded(pack(application, notes, budget)) for part in node.content.split("\n\n")}
        assert held - {LEFT_OUT} <= now
        held = now


LONG = "# Long\n\n" + "\n\n".join(f"The harbour fog number {number}. " + "harbour fog " * 60 for number in range(30))


@pytest.mark.holds("retrieval.packs.half-for-one")
def test_one_long_note_does_not_keep_the_next_out(application: Application) -> None:
    short = "# Short\n\nOnce there was fog over the harbour and nobody came.\n"
    nodes = loaded(pack(application, [LONG, short], 1500))
    assert {node.id for node in nodes} == {"skill:n0", "skill:n1"}
    assert sum(node.tokens for node in nodes) > 1200


@pytest.mark.holds("graph.budget.passes-over")
def test_a_note_without_text_is_never_opened(application: Application) -> None:
    linking = f"{LONG}\n\nHarbour fog: see [[n1]].\n"
    assert [node.id for node in loaded(pack(application, [linking, "---\ntitle: Empty\n---\n"], 1500))] == ["skill:n0"]


@pytest.mark.holds("graph.score.order", "retrieval.ranking.agree")
def test_opened_notes_stand_in_the_order_of_their_scores_the_one_of_the_best_passage_first(
    application: Application,
) -> None:
    many = [f"# Quay {number}\n\nOne boat. See [[n0]].\n" for number in range(2, 12)]
    linked = "# Pier\n\nA harbour has a pier, and a lamp for the fog.\n\n## Lamps\n\nGulls sit on them.\n"
    best = "# Fog\n\n## Harbour fog\n\nHarbour fog comes in at night.\n"
    for notes in ([linked, best, *many], [linked, best, LONG, *many]):
        opened = loaded(pack(application, notes, 3000))
        assert opened[0].id == "skill:n1"
        keys = [(-node.score, node.id) for node in opened]
        assert keys == sorted(keys)


GENERATED = "## Options\n\n### fog\n\n" + "Whether the harbour is closed in fog, and for how long. " * 8


@pytest.mark.holds("retrieval.packs.no-repeats")
def test_what_generated_pages_repeat_takes_no_room_before_what_they_say_themselves(application: Application) -> None:
    own = [f"Command {number} rings a bell of its own for {'the harbour ' * 20}" for number in range(4)]
    notes = [f"# Command {number}\n\n{text}\n\n{GENERATED}\n" for number, text in enumerate(own)]
    small = "".join(node.content for node in loaded(pack(application, notes, 450)))
    assert small.count("Whether") == 8
    assert sum(text.strip() in small for text in own) == 4
    large = loaded(pack(application, notes, 4000))
    assert [node.level for node in large] == [4] * 4
    assert all(GENERATED.strip() in node.content for node in large)


@pytest.mark.holds("retrieval.ranking.exact-names")
@pytest.mark.parametrize(
    ("query", "first"),
    [("Tide Tables", "tables"), ("Ebb Book", "tables"), ("Spring tides", "tables"), ("moon", "moon")],
)
def test_a_query_that_is_a_name_an_alias_or_a_heading_has_that_note_first(
    make_vault: Callable, query: str, first: str
) -> None:
    vault = make_vault(
        {
            "tables.md": "---\nname: Tide Tables\naliases: [Ebb Book]\n---\nData.\n\n## Spring tides\n\nHigh ones.\n",
            "moon.md": "# Moon\n\nTide tables, tide tables: spring tides by the ebb book of the moon. Spring tides.\n",
            "more.md": "# More\n\nMoon moon moon. Tide tables and the ebb book. Spring tides spring tides.\n",
        }
    )
    answer = vault.service.context(ContextRequest(graphId=vault.graph, query=query))
    assert answer.contextPack.nodes[0].id == f"skill:{first}"
