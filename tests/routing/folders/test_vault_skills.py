"""A vault without any SKILL.md routes as it is."""

import pytest

from loreweave import RouteContext
from loreweave.routing.folders.load_skill_graph import compile_skill_files

VAULT = {
    "index.md": "---\ntype: MOC\ndescription: The map\n---\n# Index\n\nSee [[Deep Work]] or [r](notes/rest.md).\n",
    "Deep Work.md": "---\naliases: [focus]\n---\n# On depth\n\nRest first: [[rest]]. See [[focus]], [[gone]].\n",
    "notes/rest.md": "---\ntitle: Resting\ndescription: How to rest\n---\nBack to [[focus]].\n",
    "other/rest.md": "---\nname: [broken\n---\nStill a note.\n",
    "worse.md": "---\nname: &x *y\n---\nText.",
    "empty.md": "",
    "image.png": "not markdown",
    ".obsidian/plugin.md": "ignored",
}


@pytest.mark.holds("routing.folders.vault")
def test_every_note_is_a_skill_and_maps_are_the_entries() -> None:
    graph = compile_skill_files(VAULT)
    assert [(skill.id, skill.description) for skill in graph.skills] == [
        ("deep-work", "On depth"),
        ("empty", "Empty"),
        ("index", "The map"),
        ("worse", "Worse"),
        ("rest", "How to rest"),
        ("other-rest", "[broken"),
    ]
    assert graph.skill("worse").body == "Text."
    assert [(edge.from_, edge.to, edge.kind) for edge in graph.edges] == [
        (None, "index", "entry"),
        ("deep-work", "rest", "model"),
        ("index", "deep-work", "model"),
        ("index", "rest", "model"),
        ("rest", "deep-work", "model"),
    ]
    assert graph.next_skill(RouteContext()) == "index"
    assert graph.skill("index").trigger.kind == "rule"
    assert graph.reachable_skills("index") == ("deep-work", "rest")
    dangling = [problem for problem in graph.checkup().problems if problem.code == "dangling-link"]
    assert [(one.skill, one.file, one.line) for one in dangling] == [("deep-work", "Deep Work.md", 6)]


@pytest.mark.holds("routing.folders.vault", "routing.folders.no-entry")
def test_a_vault_without_maps_is_read_by_the_model() -> None:
    graph = compile_skill_files({"a.md": "# A\n[[b]]", "b.md": "# B"})
    assert graph.entry_by == "read"
    assert graph.reachable_skills() == ("a", "b")
    assert graph.checkup().ok


@pytest.mark.holds("routing.folders.vault")
def test_one_skill_file_anywhere_makes_a_folder_of_skills() -> None:
    files = {**VAULT, "x/SKILL.md": "---\nname: x\ndescription: X\n---\n[[Deep Work]]"}
    graph = compile_skill_files(files)
    assert [skill.id for skill in graph.skills] == ["x"]
    assert graph.skill("x").resources == ("Deep Work.md",)
