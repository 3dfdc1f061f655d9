"""Folders of skills as graphs: which files count, in which order, and what their metadata says."""

from pathlib import Path

import pytest
from tests.routing.folders.skill_texts import folder_of, routes, skill_text

from loreweave import RouteContext, SkillFileError, SkillGraphError, ToolResult, load_skill_graph
from loreweave.routing.folders.load_skill_graph import compile_skill_files

REFUNDS = """---
name: refunds
description: Give money back
metadata:
  skillgraph.entry: "keywords: refund, charge"
  skillgraph.order: "20"
  skillgraph.tools: "lookup_order issue_refund"
  skillgraph.end: "false"
  skillgraph.examples: |
    I want my money back
    You charged me twice
  skillgraph.routes: |
    escalation: on issue_refund status=denied where amount > 100 !10 carry=order_id label="too much"   # comment
    receipts: on /refund/i

    # a line of its own
    audit: when @needs_audit
    glossary
---
Look the order up, then decide.
"""
OTHERS = {f"{name}/SKILL.md": skill_text(name) for name in ("escalation", "receipts", "audit", "glossary")}
DESK = {"refunds/SKILL.md": REFUNDS, **OTHERS}


def ids(files: dict[str, str]) -> list[str]:
    return [skill.id for skill in compile_skill_files(files, check="off").skills]


@pytest.mark.holds("routing.folders.metadata", "routing.folders.route-lines")
def test_metadata_says_how_a_skill_is_entered_left_and_equipped() -> None:
    graph = compile_skill_files(DESK, predicates={"needs_audit": lambda result: result.result == "odd"})
    refunds = graph.skill("refunds")
    assert refunds.tool_names == ("lookup_order", "issue_refund")
    assert refunds.examples == ("I want my money back", "You charged me twice")
    assert [(edge.to, edge.kind, edge.label, edge.priority) for edge in graph.edges] == [
        ("refunds", "entry", None, 0),
        ("escalation", "on-tool-return", "too much", 10),
        ("receipts", "on-tool-return", "on /refund/i", 0),
        ("audit", "predicate", None, 0),
        ("glossary", "model", None, 0),
    ]
    denied = ToolResult("issue_refund", '{"amount": 500, "order_id": 7}', "denied")
    move = graph.explain_next_skill(RouteContext(current_skill_id="refunds", last_tool_result=denied))
    assert (move.to, move.payload) == ("escalation", {"order_id": 7})
    assert graph.next_skill(RouteContext(user_message="A REFUND, please")) == "refunds"
    assert graph.next_skill(RouteContext(user_message="refunding")) is None
    odd = ToolResult("look", "odd")
    assert graph.next_skill(RouteContext(current_skill_id="refunds", last_tool_result=odd)) == "audit"


@pytest.mark.holds("routing.folders.metadata")
@pytest.mark.parametrize(
    ("entry", "message", "starts", "stands"),
    [
        ("always", "", True, True),
        ("default", "", True, False),
        ("keywords: money back, 'x'", "my Money  Back!", True, False),
        ('keywords: "a, b"', "see a, b", True, False),
        ('keywords: "a, b"', "see a", False, False),
        ("regex: ^re.und$", "REFUND", True, False),
        ("regex: a: b", "a: b", True, False),
        ("when @yes", "", True, False),
        ("when @no", "", False, False),
    ],
)
def test_an_entry_stands_starts_or_asks(entry: str, message: str, starts: bool, stands: bool) -> None:
    named = {"yes": lambda ctx: True, "no": lambda ctx: False}
    text = skill_text("a", "skillgraph.entry: |", f"  {entry}")
    graph = compile_skill_files({"a/SKILL.md": text}, predicates=named)
    assert graph.next_skill(RouteContext(user_message=message)) == ("a" if starts else None)
    assert (graph.skill("a").trigger.kind == "always") is stands


@pytest.mark.holds("routing.folders.skill-is-folder")
def test_a_skill_is_a_folder_at_any_depth_and_not_inside_another() -> None:
    files = {
        "SKILL.md": skill_text("root"),
        "a/SKILL.md": skill_text("a"),
        "a/inner/SKILL.md": skill_text("inner"),
        "deep/down/b/SKILL.md": skill_text("b"),
        "c/skill.md": skill_text("c"),
        "c/README.md": "Only a note.",
        ".git/x/SKILL.md": skill_text("hidden"),
        "node_modules/y/SKILL.md": skill_text("packed"),
        "dist/z/SKILL.md": skill_text("built"),
        "d/build/SKILL.md": skill_text("made"),
        "__MACOSX/w/SKILL.md": skill_text("mac"),
    }
    assert ids(files) == ["a", "b", "c", "root"]


@pytest.mark.holds("routing.folders.skill-is-folder")
def test_a_folder_on_disk_is_read_without_following_links(tmp_path: Path) -> None:
    outside = folder_of(tmp_path / "outside", {"SKILL.md": skill_text("outside")})
    root = folder_of(tmp_path / "skills", DESK)
    (root / "linked").symlink_to(outside)
    (root / "secret.md").symlink_to(outside / "SKILL.md")
    (root / "bytes").mkdir()
    (root / "bytes" / "SKILL.md").write_bytes(b"\xef\xbb\xbf" + skill_text("bytes").replace("\n", "\r\n").encode())
    graph = load_skill_graph(root, bind="open", check="off")
    assert [skill.id for skill in graph.skills] == ["refunds", "audit", "bytes", "escalation", "glossary", "receipts"]
    assert graph.skill("bytes").body == "Do it."
    with pytest.raises(SkillFileError, match="no such folder"):
        load_skill_graph(tmp_path / "nothing")


@pytest.mark.holds("routing.folders.order")
def test_skills_and_entries_sort_by_order_then_name_and_the_unordered_come_last() -> None:
    orders = {"e": None, "d": "5", "c": "20", "b": None, "a": "20", "z": "-1"}
    files = {}
    for name, order in orders.items():
        lines = ["skillgraph.entry: default", *(f"skillgraph.order: {order}" for _ in [0] if order)]
        files[f"{name}/SKILL.md"] = skill_text(name, *lines)
    graph = compile_skill_files(files)
    assert [skill.id for skill in graph.skills] == ["z", "d", "a", "c", "b", "e"]
    assert [edge.to for edge in graph.edges] == ["z", "d", "a", "c", "b", "e"]


@pytest.mark.holds("routing.folders.binding")
def test_a_file_selects_from_what_was_handed_over() -> None:
    with pytest.raises(SkillFileError, match="@needs_audit is no predicate") as refused:
        compile_skill_files(DESK)
    assert (refused.value.path, refused.value.line) == ("refunds/SKILL.md", 17)

    def lookup_order() -> str:
        return ""

    with pytest.raises(SkillFileError, match='"issue_refund" is no tool') as refused:
        compile_skill_files(DESK, bind="open", tools=["lookup_order"])
    assert (refused.value.path, refused.value.line) == ("refunds/SKILL.md", 7)
    functions = {"lookup_order": lookup_order, "issue_refund": lookup_order}
    assert compile_skill_files(DESK, bind="open", tools=functions).skill("refunds").tools[0] is lookup_order


@pytest.mark.holds("routing.folders.binding-open")
def test_an_open_name_asks_the_answers_and_is_noted() -> None:
    files = {
        "a/SKILL.md": skill_text("a", "skillgraph.entry: when @vip", routes("b: when @angry", "b: when @angry !2")),
        "b/SKILL.md": skill_text("b"),
    }
    graph = compile_skill_files(files, bind="open")
    assert graph.next_skill(RouteContext(answers={"vip": 1})) == "a"
    assert graph.next_skill(RouteContext()) is None
    returned = ToolResult("anything")
    there = RouteContext(current_skill_id="a", last_tool_result=returned, answers={"angry": True})
    assert graph.next_skill(there) == "b"
    assert graph.next_skill(RouteContext(current_skill_id="a", last_tool_result=returned)) == "a"
    notes = [(note.kind, note.code, note.skill, note.file, note.line) for note in graph.checkup().notes]
    assert notes == [
        ("note", "unbound-predicate", "a", "a/SKILL.md", 5),
        ("note", "unbound-predicate", "a", "a/SKILL.md", 7),
    ]
    bound = compile_skill_files(files, bind="open", predicates={"vip": lambda ctx: True})
    assert bound.next_skill(RouteContext()) == "a"
    with pytest.raises(SkillGraphError, match="strict or open"):
        compile_skill_files(files, bind="loose")  # type: ignore[arg-type]


@pytest.mark.holds("routing.folders.one-name-two-files")
def test_one_name_in_two_files_is_refused_and_both_are_named() -> None:
    files = {"a/SKILL.md": skill_text("same"), "b/SKILL.md": skill_text("same")}
    with pytest.raises(SkillFileError, match=r"a/SKILL\.md") as refused:
        compile_skill_files(files)
    assert "b/SKILL.md" in str(refused.value)
    assert (refused.value.path, refused.value.line) == ("b/SKILL.md", 2)


@pytest.mark.holds("routing.folders.no-entry")
def test_without_any_entry_all_skills_are_entries_for_the_model_to_read() -> None:
    graph = compile_skill_files({f"{name}/SKILL.md": skill_text(name) for name in "cab"})
    assert graph.entry_by == "read"
    assert graph.reachable_skills() == ("a", "b", "c")
    assert graph.next_skill(RouteContext(user_message="a")) is None
    assert graph.next_skill(RouteContext(pending_pick="b")) == "b"


@pytest.mark.holds("routing.folders.unknown-route-place")
def test_a_route_to_nothing_is_an_unknown_skill_with_its_place() -> None:
    files = {"a/SKILL.md": skill_text("a", "skillgraph.entry: always", routes("# first", "nobody: on x"))}
    (problem,) = [one for one in compile_skill_files(files, check="off").checkup().problems if one.kind == "error"]
    assert (problem.code, problem.skill, problem.from_, problem.to) == ("unknown-skill", "nobody", "a", "nobody")
    assert (problem.file, problem.line) == ("a/SKILL.md", 8)
    with pytest.raises(SkillGraphError, match='"nobody"'):
        compile_skill_files(files)
