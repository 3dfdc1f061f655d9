"""Ids depend on paths alone."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from loreweave.knowledge.graph.compare_source import deal_ids


@pytest.mark.holds("graph.id.base-name")
def test_an_id_is_the_slug_of_the_base_name() -> None:
    ids, warnings = deal_ids(["deep/er/Cognitive Reframing.md", "Ängste & Sorgen.md"])
    assert ids == {
        "deep/er/Cognitive Reframing.md": "skill:cognitive-reframing",
        "Ängste & Sorgen.md": "skill:ängste-sorgen",
    }
    assert warnings == []


@pytest.mark.holds("graph.id.skill-file")
def test_a_skill_file_goes_by_its_folder() -> None:
    ids, _ = deal_ids(["pdf-tools/SKILL.md", "SKILL.md"])
    assert ids == {"pdf-tools/SKILL.md": "skill:pdf-tools", "SKILL.md": "skill:skill"}


@pytest.mark.holds("graph.id.shallowest-keeps-short", "graph.id.collision", "graph.id.never-merged")
def test_the_shallowest_note_keeps_the_short_id_and_the_others_go_by_their_path() -> None:
    ids, warnings = deal_ids(["b/c/note.md", "b/note.md", "a/note.md"])
    assert ids == {"a/note.md": "skill:note", "b/note.md": "skill:b-note", "b/c/note.md": "skill:b-c-note"}
    assert [warning.code for warning in warnings] == ["duplicate_id", "duplicate_id"]


@pytest.mark.holds("graph.id.collision")
def test_short_ids_are_dealt_before_any_path_is_used() -> None:
    ids, _ = deal_ids(["a/x.md", "b/x.md", "b-x.md", "deep/down/b-x-2.md"])
    assert ids["b-x.md"] == "skill:b-x"
    assert ids["deep/down/b-x-2.md"] == "skill:b-x-2"
    assert ids["b/x.md"] == "skill:b-x-3"


@pytest.mark.holds("graph.slug.empty")
def test_a_name_without_letters_gets_a_stable_id() -> None:
    ids, _ = deal_ids(["!!!.md", "???.md"])
    assert len(set(ids.values())) == 2
    assert all(node_id.startswith("skill:n-") and len(node_id) == len("skill:n-") + 8 for node_id in ids.values())


@pytest.mark.holds("graph.id.never-merged")
@given(st.lists(st.text("aAbB/-.", min_size=1, max_size=6).map(lambda text: text + ".md"), unique=True, max_size=30))
def test_every_path_has_an_id_of_its_own_whatever_the_order(paths: list[str]) -> None:
    ids, _ = deal_ids(paths)
    assert len(set(ids.values())) == len(paths)
    assert deal_ids(reversed(paths))[0] == ids
