"""Fused graphs, and graphs in forms other programs read."""

import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest

from loreweave.application import Application
from loreweave.contracts.skill_graph import (
    ContextRequest,
    ExportRequest,
    FuseRequest,
    GraphRequest,
    NodeRequest,
    ScanRequest,
    TraverseRequest,
)
from loreweave.errors import InvalidInput, NotFound

GARDEN = {
    "soil.md": "---\ndescription: What roots need.\n---\nSee [[Compost]].",
    "compost.md": "# Compost\nWarm and dark.",
}
KITCHEN = {"compost.md": "# COMPOST\nPeelings for [[bin]].", "bin.md": "# Bin\nBy the door. [[lost]]"}


def _lay(folder: Path, notes: dict[str, str]) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in notes.items():
        (folder / name).write_text(text, encoding="utf-8")
    return folder


@pytest.fixture
def fused(application: Application, tmp_path: Path) -> Application:
    application.graphs.ingest_folder(_lay(tmp_path / "garden", GARDEN))
    application.graphs.ingest_folder(_lay(tmp_path / "kitchen", KITCHEN))
    return application


@pytest.mark.holds("graph.fuse.answer", "graph.fuse.ids", "graph.fuse.never-merged", "graph.fuse.cross-domain")
def test_fusing_keeps_every_node_and_joins_equal_names(fused: Application) -> None:
    answer = fused.graphs.fuse(FuseRequest(name="Both", graphIds=["kitchen", "garden"]))
    assert (answer.graphId, answer.kind, answer.revision, answer.metrics.nodeCount) == ("both", "fused", 1, 4)
    assert [link.source for link in answer.validation.brokenLinks] == ["kitchen/bin.md"]
    exported = fused.graphs.export(ExportRequest(graphId="both"))
    assert [node.id for node in exported.nodes] == [
        "skill:garden/compost", "skill:garden/soil", "skill:kitchen/bin", "skill:kitchen/compost",
    ]  # fmt: skip
    assert [(edge.source, edge.target, edge.type) for edge in exported.edges] == [
        ("skill:garden/compost", "skill:kitchen/compost", "CROSS_DOMAIN"),
        ("skill:garden/soil", "skill:garden/compost", "REFERENCES"),
        ("skill:kitchen/compost", "skill:kitchen/bin", "REFERENCES"),
    ]


@pytest.mark.holds("graph.fuse.cross-domain")
def test_a_fused_graph_is_searched_read_and_walked_like_any_other(fused: Application) -> None:
    fused.graphs.fuse(FuseRequest(name="both", graphIds=["garden", "kitchen"]))
    assert [hit.id for hit in fused.retrieval.scan(ScanRequest(graphId="both", query="bin")).results] == [
        "skill:kitchen/bin"
    ]
    node = fused.retrieval.read_node(NodeRequest(graphId="both", id="kitchen/compost", level=4))
    assert node.content == "# COMPOST\nPeelings for [[bin]]."
    walk = fused.retrieval.traverse(TraverseRequest(graphId="both", startNode="skill:kitchen/compost", maxDepth=1))
    assert {found.id for found in walk.path} == {
        "skill:kitchen/compost",
        "skill:kitchen/bin",
        "skill:garden/compost",
    }
    pack = fused.retrieval.context(ContextRequest(graphId="both", query="warm and dark compost")).contextPack
    assert "skill:garden/compost" in [found.id for found in pack.nodes]


@pytest.mark.holds("graph.fuse.sources-and-stale")
def test_stats_tell_what_was_fused_and_whether_it_has_moved_on(fused: Application, tmp_path: Path) -> None:
    fused.graphs.fuse(FuseRequest(name="both", graphIds=["garden", "kitchen"]))
    stats = fused.graphs.stats(GraphRequest(graphId="both"))
    assert [(source.graphId, source.revision) for source in stats.sources] == [("garden", 1), ("kitchen", 1)]
    assert stats.stale is False
    assert fused.graphs.fuse(FuseRequest(name="both", graphIds=["garden", "kitchen"])).unchanged
    fused.graphs.ingest_folder(_lay(tmp_path / "garden", {"new.md": "# New"}), name="garden")
    assert fused.graphs.stats(GraphRequest(graphId="both")).stale is True
    again = fused.graphs.fuse(FuseRequest(name="both", graphIds=["garden", "kitchen"]))
    assert (again.revision, again.changes.model_dump()) == (
        2,
        {"added": 1, "changed": 0, "removed": 0, "unchanged": 4},
    )
    assert fused.graphs.stats(GraphRequest(graphId="garden")).sources is None


@pytest.mark.holds("graph.fuse.answer")
def test_what_cannot_be_fused_is_refused(fused: Application) -> None:
    with pytest.raises(NotFound):
        fused.graphs.fuse(FuseRequest(name="both", graphIds=["garden", "attic"]))
    with pytest.raises(InvalidInput):
        fused.graphs.fuse(FuseRequest(name="both", graphIds=["garden", "garden"]))
    with pytest.raises(InvalidInput):
        fused.graphs.fuse(FuseRequest(name="Garden", graphIds=["garden", "kitchen"]))
    assert [graph.graphId for graph in fused.graphs.graphs().graphs] == ["garden", "kitchen"]


HOSTILE = {
    "a.md": '---\nname: "x\\"]; <b>&]]>\\u0007 end"\n'
    'description: "<script>alert(1)</script> & \\"quotes\\""\n---\n[[b]]',
    "b.md": "# B\n```mermaid\n```\n",
}


@pytest.mark.holds("graph.export.graphml")
def test_graphml_is_well_formed_whatever_the_names(sqlite_application: Application, tmp_path: Path) -> None:
    sqlite_application.graphs.ingest_folder(_lay(tmp_path / "g", HOSTILE))
    text = sqlite_application.graphs.export(ExportRequest(graphId="g", format="graphml"))
    space = {"g": "http://graphml.graphdrawing.org/xmlns"}
    root = ElementTree.fromstring(text)
    assert [node.get("id") for node in root.findall(".//g:node", space)] == ["skill:a", "skill:b"]
    data = {part.get("key"): part.text for part in root.find(".//g:node", space)}
    assert data["description"] == '<script>alert(1)</script> & "quotes"'
    assert [(edge.get("source"), edge.get("target")) for edge in root.findall(".//g:edge", space)] == [
        ("skill:a", "skill:b")
    ]


@pytest.mark.holds("graph.export.mermaid")
def test_mermaid_names_cannot_be_read_as_markup(sqlite_application: Application, tmp_path: Path) -> None:
    sqlite_application.graphs.ingest_folder(_lay(tmp_path / "g", HOSTILE))
    lines = sqlite_application.graphs.export(ExportRequest(graphId="g", format="mermaid")).splitlines()
    assert lines[0] == "flowchart LR"
    assert lines[2:] == ['  n1["B"]', "  n0 -->|REFERENCES| n1"]
    assert not set('"<>]') & set(lines[1].strip()[len('n0["') : -len('"]')])


@pytest.mark.holds("graph.export.dot")
def test_dot_strings_are_escaped(sqlite_application: Application, tmp_path: Path) -> None:
    sqlite_application.graphs.ingest_folder(_lay(tmp_path / "g", {"a.md": '---\nname: say "hi" \\ bye\n---\n'}))
    text = sqlite_application.graphs.export(ExportRequest(graphId="g", format="dot"))
    assert '"skill:a" [label="say \\"hi\\" \\\\ bye", type="skill"];' in text
