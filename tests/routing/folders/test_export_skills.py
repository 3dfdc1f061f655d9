"""Skills for other clients: valid folders, names that fit, nothing lost, and the same graph when read back."""

import json
import os
from collections import defaultdict
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from skills_ref import read_properties, validate
from tests.routing.folders.skill_texts import folder_of, routes, skill_text

from loreweave.errors import Conflict, InvalidInput, InvalidSkillFile, NotFound, Unavailable
from loreweave.routing.built_graph import SkillGraph
from loreweave.routing.folders.export_skills import SkillExport
from loreweave.routing.folders.load_skill_graph import load_skill_graph
from loreweave.routing.folders.route_sources import SourceLimits
from loreweave.routing.folders.state_conditions import quoted_text
from loreweave.routing.route_service import RouteService

SKILLS = {
    "SKILL.md": skill_text("The Desk", "skillgraph.entry: default", body="Read [first](x/Refunds & Co/SKILL.md)."),
    "x/Refunds & Co/SKILL.md": skill_text(
        "Refunds & Co",
        'skillgraph.tools: "issue_refund"\n  ' + routes("escalation: on issue_refund status=denied !10", "ghost-town"),
        body="Then [[The Desk]] or [[escalation]]. See [rules](refs/rules.md), [all](../shared.md) and `[[nobody]]`.",
    ),
    "x/Refunds & Co/refs/rules.md": "Thirty days.\n",
    "x/shared.md": "For all.\n",
    "escalation/SKILL.md": skill_text("escalation", "skillgraph.end: 'true'", body="Call. " + "Long. " * 200_000),
}


def service(graphs: dict[str, dict[str, str]] | None = None) -> RouteService:
    held = graphs or {}

    def read(graph_id: str) -> dict[str, str]:
        if graph_id not in held:
            raise NotFound(f"There is no graph {graph_id}")
        return held[graph_id]

    return RouteService(read, lambda name: len(read(name)), SourceLimits(10_000, 10**9), lambda: None)


def edges_by_name(graph: SkillGraph, names: Any) -> dict[Any, list[Any]]:
    found = defaultdict(list)
    for edge in graph.edges:
        place = names.get(edge.from_, edge.from_)
        found[place].append((names.get(edge.to, edge.to), edge.kind, edge.label, edge.priority, edge.reason))
    return dict(found)


def accepted(source: SkillGraph, made: SkillExport, folder: Path) -> SkillGraph:
    """By the specification's own validator, and as the same graph under the new names."""
    read = load_skill_graph(folder, bind="open", check="off")
    for skill in read.skills:
        assert validate(folder / skill.id) == []
    assert edges_by_name(read, {}) == edges_by_name(source, made.renamed)
    renamed = [made.renamed.get(skill.id, skill.id) for skill in source.skills]
    assert [skill.id for skill in read.skills] == renamed
    assert (read.kind, read.entry_by, read.limits) == (source.kind, source.entry_by, source.limits)
    for one, other in zip(read.skills, source.skills, strict=True):
        assert (one.body, one.tool_names, one.end) == (other.body, other.tool_names, other.end)
        assert one.metadata.get("lore.description", one.description) == other.description
    return read


@pytest.mark.holds("outside.export.valid", "outside.export.names", "outside.export.round-trip")
def test_a_folder_of_skills_becomes_folders_that_the_validator_takes(tmp_path: Path) -> None:
    source = folder_of(tmp_path / "skills", SKILLS)
    script = source / "x/Refunds & Co/scripts/pay.sh"
    script.parent.mkdir()
    script.write_bytes(b"#!/bin/sh\n\xff")
    script.chmod(0o755)
    (source / "x/Refunds & Co/link").symlink_to("/etc/passwd")
    made, written = service().export(str(source), tmp_path / "out", overwrite=False)
    assert written
    assert made.renamed == {"The Desk": "the-desk", "Refunds & Co": "refunds-co"}
    accepted(load_skill_graph(source, bind="open", check="off"), made, tmp_path / "out")
    assert read_properties(tmp_path / "out" / "refunds-co").metadata["lore.name"] == "Refunds & Co"
    copied = tmp_path / "out/refunds-co/scripts/pay.sh"
    assert (copied.read_bytes(), copied.stat().st_mode & 0o777) == (script.read_bytes(), 0o755)
    assert (tmp_path / "out/refunds-co/refs/rules.md").read_text(encoding="utf-8") == "Thirty days.\n"
    assert (tmp_path / "out/shared.md").read_text(encoding="utf-8") == "For all.\n"  # where the link looks for it
    assert not os.path.lexists(tmp_path / "out/refunds-co/link")
    again = service().export(str(tmp_path / "out"), tmp_path / "twice", overwrite=False)[0]
    assert again.renamed == {}
    accepted(load_skill_graph(tmp_path / "out", bind="open", check="off"), again, tmp_path / "twice")


@pytest.mark.holds("outside.export.valid", "outside.export.nothing-lost")
def test_a_graph_of_notes_becomes_skills_with_all_that_their_headers_say(tmp_path: Path) -> None:
    notes = {
        "Map.md": (
            "---\ntype: moc\ntags: [a, b]\nname: The Map\nskillgraph.x: y\n---\n"
            "See [[Über uns]] and [it](deep/a%20b.md).\n"
        ),
        "deep/a b.md": f"---\ndescription: {'word ' * 400}\ncompatibility: {'c ' * 400}\n---\nBody of it.\n",
        "Über uns.md": "---\ntitle: &a x\n---\nBroken header: [[Map]].\n",
        "deep/A-B.md": "Another of that name. [[the map]]\n",
    }
    made, _ = service({"vault": notes}).export("vault", tmp_path / "out", overwrite=False)
    (tmp_path / "in").mkdir()
    read = accepted(
        load_skill_graph(folder_of(tmp_path / "in", notes), bind="open", check="off"), made, tmp_path / "out"
    )
    said = {skill.id: skill.metadata for skill in read.skills}
    assert (said["map"]["lore.name"], json.loads(said["map"]["tags"])) == ("The Map", ["a", "b"])
    assert json.loads(said["map"]["lore.header"]) == {"skillgraph.x": "y"}
    assert made.shortened == ("deep-a-b",)
    assert len(said["deep-a-b"]["lore.compatibility"]) > 500
    assert said["über-uns"]["lore.header"] == "---\ntitle: &a x\n---"


NAMES = st.text(st.characters(codec="utf-8", exclude_characters="\x00\r"), min_size=1, max_size=80).filter(
    lambda text: text.strip() and len(text.splitlines()) == 1
)
HOSTILE = st.sampled_from(
    ["../up", "a/../../b", "con", "A", "a", "a-", "a--b", "İ", "ﬁ", "²", "x" * 90, "𐐨" * 64, "..", "-", "💥"]
)


@pytest.mark.holds("outside.export.names", "outside.export.round-trip")
@given(names=st.lists(NAMES | HOSTILE, min_size=1, max_size=5, unique_by=lambda name: " ".join(name.split())))
def test_any_names_are_mapped_to_names_that_fit_and_stay_apart(names: list[str]) -> None:
    files = {
        f"{number}/SKILL.md": skill_text(
            quoted_text(name), *([] if number else [routes("a")]), body=f"Body {number}.", description="It"
        )
        for number, name in enumerate(names)
    }
    with TemporaryDirectory() as place:
        made, _ = service({"g": files}).export("g", Path(place) / "out", overwrite=False)
        source = load_skill_graph(folder_of(Path(place) / "in", files), bind="open", check="off")
        accepted(source, made, Path(place) / "out")
        assert [path.name for path in Path(place).iterdir() if path.name not in ("in", "out")] == []


@pytest.mark.holds("outside.export.nothing-overwritten")
def test_nothing_is_overwritten_unasked(tmp_path: Path) -> None:
    source, out = folder_of(tmp_path / "skills", SKILLS), tmp_path / "out"
    routing = service()
    assert routing.export(str(source), out, overwrite=False)[1] is True
    assert routing.export(str(source), out, overwrite=False)[1] is False  # it stands there already
    (out / "the-desk" / "SKILL.md").write_text("mine", encoding="utf-8")
    (out / "notes.txt").write_text("mine too", encoding="utf-8")
    with pytest.raises(Conflict, match="the-desk"):
        routing.export(str(source), out, overwrite=False)
    assert (out / "the-desk" / "SKILL.md").read_text(encoding="utf-8") == "mine"
    assert routing.export(str(source), out, overwrite=True)[1] is True
    assert (out / "notes.txt").read_text(encoding="utf-8") == "mine too"
    assert validate(out / "the-desk") == []
    folder_of(out, {"stranger/SKILL.md": skill_text("stranger")})
    with pytest.raises(InvalidSkillFile, match="stranger"):
        routing.export(str(source), out, overwrite=True)


@pytest.mark.holds("outside.export.nothing-overwritten")
def test_a_place_that_cannot_hold_skills_is_refused(tmp_path: Path) -> None:
    source = folder_of(tmp_path / "skills", SKILLS)
    routing = service()
    for inside in (source, source / "deep" / "out"):
        with pytest.raises(InvalidInput, match="inside the skills"):
            routing.export(str(source), inside, overwrite=True)
    (tmp_path / "file").write_text("", encoding="utf-8")
    with pytest.raises(Unavailable):
        routing.export(str(source), tmp_path / "file" / "out", overwrite=False)
    with pytest.raises(InvalidSkillFile, match="is no folder"):
        routing.export(str(source), tmp_path / "file", overwrite=True)
    (tmp_path / "out").mkdir()
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "out" / "refunds-co").symlink_to(tmp_path / "elsewhere")
    with pytest.raises((InvalidInput, InvalidSkillFile)):
        routing.export(str(source), tmp_path / "out", overwrite=True)
    assert list((tmp_path / "elsewhere").iterdir()) == []
    with pytest.raises(InvalidSkillFile, match="no skill to export"):
        routing.export(str(tmp_path / "elsewhere"), tmp_path / "new", overwrite=False)
    with pytest.raises(NotFound):
        routing.export("nobody", tmp_path / "new", overwrite=False)
    assert not (tmp_path / "new").exists()
