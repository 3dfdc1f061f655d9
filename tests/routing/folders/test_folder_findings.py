"""What the check-up says of files: each finding where it stands, and none where all is well."""

from pathlib import Path

import pytest
from tests.routing.folders.skill_texts import routes, skill_text

from loreweave import SkillFileError, load_skill_graph
from loreweave.routing.folders.load_skill_graph import compile_skill_files


def findings(files: dict[str, str], code: str) -> list[tuple[str, str | None, str | None, int | None]]:
    checkup = compile_skill_files(files, bind="open", check="off", root_name="top").checkup()
    found = [one for one in (*checkup.problems, *checkup.notes) if one.code == code]
    return [(one.kind, one.skill, one.file, one.line) for one in found]


@pytest.mark.holds("routing.folders.findings")
def test_a_name_that_is_not_its_folders() -> None:
    files = {"a/SKILL.md": skill_text("b"), "c/SKILL.md": skill_text("c"), "SKILL.md": skill_text("top")}
    assert findings(files, "name-mismatch") == [("warning", "b", "a/SKILL.md", 2)]


@pytest.mark.holds("routing.folders.findings")
def test_a_root_shares_its_name_with_a_folder_alone(tmp_path: Path) -> None:
    (tmp_path / "SKILL.md").write_text(skill_text("other"), encoding="utf-8")
    on_disk = load_skill_graph(tmp_path).checkup().problems
    assert [(one.code, one.skill, one.file) for one in on_disk] == [("name-mismatch", "other", "SKILL.md")]
    assert findings({"SKILL.md": skill_text("other")}, "name-mismatch") == []
    with pytest.raises(SkillFileError, match="needs a name"):
        compile_skill_files({"SKILL.md": "---\ndescription: d\n---\n"})


@pytest.mark.holds("routing.folders.findings", "routing.folders.lenient")
def test_a_skill_without_description_is_skipped() -> None:
    files = {
        "a/SKILL.md": "# Just text",
        "b/SKILL.md": "---\nname: b\ndescription:\n---\n",
        "c/SKILL.md": skill_text("c"),
    }
    assert findings(files, "skill-skipped") == [("warning", "a", "a/SKILL.md", 1), ("warning", "b", "b/SKILL.md", 3)]
    assert [skill.id for skill in compile_skill_files(files).skills] == ["c"]


@pytest.mark.holds("routing.folders.findings")
def test_entries_without_a_condition_want_an_order() -> None:
    one = {"a/SKILL.md": skill_text("a", "skillgraph.entry: always")}
    assert findings(one, "unordered-entries") == []
    conditioned = {**one, "b/SKILL.md": skill_text("b", "skillgraph.entry: 'keywords: b'")}
    assert findings(conditioned, "unordered-entries") == []
    ordered = {**one, "b/SKILL.md": skill_text("b", "skillgraph.order: 1", "skillgraph.entry: default")}
    assert findings(ordered, "unordered-entries") == [("warning", "a", "a/SKILL.md", 5)]
    scored = {**ordered, "skillgraph.md": "---\nentry_by: keyword\n---\n"}
    assert findings(scored, "unordered-entries") == []


@pytest.mark.holds("routing.folders.findings")
def test_a_route_on_a_tool_that_the_file_does_not_list() -> None:
    lines = ("b: on own", "b: on other", "b: on read_skill", "b: on /o/")
    files = {"a/SKILL.md": skill_text("a", "skillgraph.tools: own more", routes(*lines)), "b/SKILL.md": skill_text("b")}
    assert findings(files, "route-tool-not-owned") == [("warning", "a", "a/SKILL.md", 8)]


@pytest.mark.holds("routing.folders.findings")
def test_a_body_of_over_500_lines() -> None:
    files = {
        "a/SKILL.md": skill_text("a", body="\n".join(["line"] * 501)),
        "b/SKILL.md": skill_text("b", body="\n".join(["line"] * 500)),
    }
    assert findings(files, "body-too-long") == [("warning", "a", "a/SKILL.md", 6)]


@pytest.mark.holds("routing.folders.findings")
def test_two_skills_with_one_description() -> None:
    files = {
        "a/SKILL.md": skill_text("a", description="Do  it"),
        "b/SKILL.md": skill_text("b", description="do it"),
        "c/SKILL.md": skill_text("c"),
    }
    assert findings(files, "duplicate-description") == [("warning", "b", "b/SKILL.md", 1)]


@pytest.mark.holds("routing.folders.findings")
def test_keys_that_are_not_read_are_noted() -> None:
    header = {"license": "MIT", "compatibility": "any", "allowed-tools": "Read", "model": "x", "hooks": "{a: [b]}"}
    files = {"a/SKILL.md": skill_text("a", **header), "skillgraph.md": "---\ntitle: Map\n---\n"}
    assert findings(files, "vendor-key-ignored") == [
        ("note", None, "skillgraph.md", 2),
        ("note", "a", "a/SKILL.md", 7),
        ("note", "a", "a/SKILL.md", 8),
    ]
    assert compile_skill_files(files).checkup().ok


@pytest.mark.holds("routing.folders.findings")
def test_findings_follow_the_order_of_the_check_up() -> None:
    files = {
        "x/SKILL.md": skill_text("a", "skillgraph.entry: always", routes("a: on t"), body="[[gone]]"),
        "b/SKILL.md": "---\nname: b\n---\n",
        "c/SKILL.md": skill_text("c", description="About a"),
    }
    codes = [one.code for one in compile_skill_files(files, check="off").checkup().problems]
    assert codes == [
        "unreachable-skill", "self-loop", "name-mismatch", "skill-skipped", "dangling-link", "route-tool-not-owned",
        "duplicate-description",
    ]  # fmt: skip
