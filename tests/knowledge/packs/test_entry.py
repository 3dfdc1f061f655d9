"""Where a walk begins."""

from collections.abc import Callable

import pytest

from loreweave.contracts.ask import AskRequest
from loreweave.contracts.skill_graph import ContextRequest, TraverseRequest


@pytest.fixture
def entry(make_vault: Callable) -> Callable[[dict[str, str], str], str]:
    def enter(files: dict[str, str], query: str) -> str:
        vault = make_vault(files, f"vault{abs(hash(tuple(files)))}")
        return str(vault.service.traverse(TraverseRequest(graphId=vault.graph, query=query)).entryPoint.id)

    return enter


MOC = "---\ntype: moc\n---\n"
MAPS = {
    "z.md": f"{MOC}[[x]] [[y]]",
    "b.md": f"{MOC}[[x]]",
    "a.md": f"{MOC}[[y]]",
    "x.md": "calm text",
    "y.md": "text",
}


@pytest.mark.holds("graph.entry.best-moc", "graph.entry.ties")
def test_without_a_question_the_most_linked_moc_is_the_entry_and_of_equals_the_first_by_id(entry: Callable) -> None:
    assert entry(MAPS, "") == "skill:z"
    assert entry({path: text for path, text in MAPS.items() if path != "z.md"}, "") == "skill:a"


@pytest.mark.holds("graph.entry.best-moc")
def test_where_nothing_known_matches_the_entry_is_that_of_no_question(entry: Callable) -> None:
    assert entry(MAPS, "zebra") == "skill:z"


@pytest.mark.holds("retrieval.packs.enters-at-best", "graph.entry.best-text")
def test_a_walk_enters_where_the_best_passage_is_not_at_an_index_of_everything(
    entry: Callable, make_vault: Callable
) -> None:
    assert entry(MAPS, "calm") == "skill:x"
    vault = make_vault(MAPS, "packed")
    answer = vault.service.context(ContextRequest(graphId=vault.graph, query="calm"))
    assert answer.contextPack.entryPoint == "skill:x"


@pytest.mark.holds("graph.entry.index-note")
def test_without_a_moc_the_shallowest_index_readme_or_home_is_the_entry(entry: Callable) -> None:
    notes = {"calm.md": "calm", "deep/down/index.md": "[[calm]]", "deep/README.md": "x"}
    assert entry(notes, "") == "skill:readme"
    assert entry({**notes, "start.md": "---\nname: Home\n---\nx"}, "") == "skill:start"


@pytest.mark.holds("graph.entry.best-text", "graph.entry.ties")
def test_without_these_the_most_linked_note_is_the_entry_and_then_the_first_by_id(entry: Callable) -> None:
    assert entry({"a.md": "calm", "b.md": "x", "c.md": "[[a]] [[b]]"}, "") == "skill:c"
    assert entry({"b.md": "calm", "a.md": "calm"}, "") == "skill:a"


@pytest.mark.holds("retrieval.ranking.agree")
def test_a_note_found_by_a_corrected_word_alone_is_as_low_in_a_pack_as_in_a_search(make_vault: Callable) -> None:
    notes = {
        "harbour.md": "# Harbour\n\nThe harbour, this harbour, every harbour.",
        "lamps.md": "# Lamps\n\nMany words about oil and wicks before one that gives a signal to boats out at sea.",
    }
    vault = make_vault(notes)
    pack = vault.service.context(ContextRequest(graphId=vault.graph, query="harbuor signal")).contextPack
    search = vault.application.asking.search(AskRequest(query="harbuor signal", typing=True), vault.graph)
    assert search.results[0].id == "lamps"
    assert [pack.entryPoint, pack.nodes[0].id] == ["skill:lamps", "skill:lamps"]
