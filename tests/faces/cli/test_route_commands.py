"""`lore route` over a folder, and over a graph as ingested."""

import io
import json
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console
from tests.faces.cli.terminal import on_terminal
from tests.faces.routed_desk import DESK, desk_folder

from loreweave.contracts.route import RouteNextAnswer
from loreweave.contracts.route_values import Limit, Move, PredicateError
from loreweave.faces.cli.terminal.terminal_views import moved


@pytest.fixture
def folder(tmp_path: Path) -> str:
    return str(desk_folder(tmp_path / "desk"))


@pytest.mark.holds("routing.wires.cli")
def test_a_folder_is_checked_and_an_error_is_exit_one(lore: Any, folder: str) -> None:
    sound = lore("route", "check", folder)
    assert (sound.code, sound.json["ok"]) == (0, True)
    text = DESK["triage/SKILL.md"].replace("---\n\nAsk", "  skillgraph.routes: ghost\n---\n\nAsk")
    (Path(folder) / "triage" / "SKILL.md").write_text(text, encoding="utf-8")
    broken = lore("route", "check", folder)
    assert (broken.code, broken.json["problems"][0]["code"]) == (1, "unknown-skill")
    (Path(folder) / "triage" / "SKILL.md").write_text("---\nname: [\n---\n", encoding="utf-8")
    unreadable = lore("route", "check", folder, "--json")
    assert (unreadable.code, unreadable.out) == (1, b"")
    refused = json.loads(unreadable.err)
    assert (refused["code"], refused["file"]) == ("invalid_skill_file", "triage/SKILL.md")


@pytest.mark.holds("routing.wires.checkup-is-short")
def test_a_finding_that_is_told_of_every_skill_hides_no_other(tmp_path: Path) -> None:
    for number in range(40):
        links = f"[[note {number + 1}]] [[note 0]] [[nowhere]]" if number == 7 else f"[[note {number + 1}]]"
        kind = "moc" if number == 0 else "claim"
        text = f"---\nname: note {number}\ntype: {kind}\ndescription: About {number}.\n---\n\n{links}\n"
        (tmp_path / f"note {number}.md").write_text(text, encoding="utf-8")
    with on_terminal("loreweave.faces.cli.lore", "route", "check", str(tmp_path)) as terminal:
        assert terminal.finish() == 0, terminal.seen
    lines = terminal.seen.splitlines()
    assert len(lines) < 30
    (rare,) = [at for at, line in enumerate(lines) if "dangling-link: 2" in line]
    (usual,) = [at for at, line in enumerate(lines) if "model-edge-only: 39" in line]
    assert rare < usual
    assert "… and 34 more: --json lists them" in terminal.seen
    assert "(note 7.md:7)" in terminal.seen
    assert lines[-1] == "The graph is sound."


@pytest.mark.holds("routes.replay")
def test_a_saved_walk_is_replayed_and_a_step_that_leads_elsewhere_is_exit_one(
    lore: Any, folder: str, tmp_path: Path
) -> None:
    denied = {"toolName": "issue_refund", "status": "denied", "result": "{}"}
    steps = [{"message": "a refund", "expect": {"skill": "refunds", "by": "entry"}},
             {"toolResults": [denied], "expect": {"skill": "escalation"}}]  # fmt: skip
    test = tmp_path / "denied.json"
    test.write_text(json.dumps({"name": "denied", "graph": "desk", "steps": steps}), encoding="utf-8-sig")
    replayed = lore("route", "replay", str(test), folder)
    assert (replayed.code, [step["holds"] for step in replayed.json["steps"]]) == (0, [True, True])
    test.write_text(json.dumps({"steps": [*steps, {"expect": {"skill": "triage"}}]}), encoding="utf-8")
    elsewhere = lore("route", "replay", str(test), folder)
    assert (elsewhere.code, elsewhere.json["steps"][2]["holds"]) == (1, False)
    with on_terminal("loreweave.faces.cli.lore", "route", "replay", str(test), folder) as terminal:
        assert terminal.finish() == 1, terminal.seen
    assert 'NOT 3. Stays in "escalation"' in terminal.seen
    test.write_text("[", encoding="utf-8")
    assert lore("route", "replay", str(test), folder).code == 2


@pytest.mark.holds("routing.wires.cli")
def test_the_next_skill_is_asked_with_options_or_a_context(lore: Any, folder: str, tmp_path: Path) -> None:
    assert lore("route", "next", folder, "--message", "a refund").json["nextSkill"] == "refunds"
    denied = ("--current", "refunds", "--tool", "issue_refund", "--result", '{"order_id": 7}', "--status", "denied")
    by_options = lore("route", "next", folder, *denied)
    assert by_options.json["move"]["payload"] == {"order_id": 7}
    result = {"toolName": "issue_refund", "result": '{"order_id": 7}', "status": "denied"}
    context = tmp_path / "context.json"
    context.write_text(json.dumps({"currentSkillId": "refunds", "lastToolResult": result}), encoding="utf-8")
    assert lore("route", "next", folder, "--context", str(context)).out == by_options.out
    angry = lore("route", "next", folder, "--current", "refunds", "--tool", "x", "--answer", "angry")
    assert angry.json["nextSkill"] == "escalation"
    assert lore("route", "next", folder, "--current", "triage", "--pick", "glossary").json["move"]["by"] == "model-pick"


@pytest.mark.holds("routing.wires.cli")
def test_reachable_scores_and_the_bare_diagram(lore: Any, folder: str) -> None:
    assert lore("route", "reachable", folder, "--current", "triage").json["reachable"] == ["glossary", "refunds"]
    drawn = lore("route", "mermaid", folder).out.decode()
    assert drawn.startswith("flowchart TD\n  __start__")
    assert lore("route", "mermaid", folder, "--json").json == {"mermaid": drawn.removesuffix("\n")}
    scored = lore("route", "score", folder, "--message", "a refund for my order", "--by", "keyword").json
    assert scored["chosen"] == "refunds"
    unscored = lore("route", "score", folder, "--message", "x")
    assert (unscored.code, "say which with `--by`, keyword or relevance" in unscored.err) == (1, True)


@pytest.mark.holds("routing.wires.cli")
@pytest.mark.parametrize(
    "arguments",
    [
        ["check"],
        ["check", "FOLDER", "--graph", "x"],
        ["next", "FOLDER", "--status", "denied"],
        ["next", "FOLDER", "--tool", "x", "--status", "great"],
        ["next", "FOLDER", "--context", "/nowhere.json"],
        ["next", "FOLDER", "--context", "-", "--pick", "x"],
        ["score", "FOLDER", "--by", "luck"],
        ["fly", "FOLDER"],
    ],
)
def test_wrong_usage_is_exit_two(lore: Any, folder: str, arguments: list[str]) -> None:
    done = lore("route", *(folder if one == "FOLDER" else one for one in arguments))
    assert (done.code, done.out) == (2, b"")
    assert done.err


@pytest.mark.holds("routing.wires.cli")
def test_a_graph_as_ingested_is_asked_by_its_id(lore: Any, folder: str) -> None:
    assert lore("ingest", folder, "--name", "desk").code == 0
    for question in (["check"], ["next", "--message", "refund"], ["reachable"], ["mermaid"]):
        name, *options = question
        assert lore("route", name, "--graph", "desk", *options).out == lore("route", name, folder, *options).out
    missing = lore("route", "check", "--graph", "nobody", "--json")
    assert (missing.code, json.loads(missing.err)["code"]) == (1, "not_found")


@pytest.mark.holds("routing.wires.cli")
@pytest.mark.parametrize(
    ("arguments", "shown"),
    [
        (["check"], "The graph is sound."),
        (["next", "--message", "a refund"], "lookup_order"),
        (["next", "--pick", "nothere"], "the pick nothere: it cannot be reached from outside"),
        (["next", "--pick", "triage", "--message", "refund"], "the pick triage: the graph decided otherwise"),
        (["next", "--current", "ghost"], "there is no skill ghost to go on from"),
        (["reachable"], "refunds\ntriage"),
        (["mermaid"], "flowchart TD"),
        (["score", "--by", "keyword", "--message", "an order refund"], "chosen by keyword: refunds"),
    ],
)
def test_a_person_on_a_terminal_reads_what_routing_says(folder: str, arguments: list[str], shown: str) -> None:
    name, *options = arguments
    with on_terminal("loreweave.faces.cli.lore", "route", name, folder, *options) as terminal:
        assert terminal.finish() == 0
    assert shown in terminal.seen
    assert '"ok"' not in terminal.seen


@pytest.mark.holds("outside.export.valid", "outside.export.round-trip")
def test_skills_are_exported_from_a_folder_or_a_graph_and_checked_there(lore: Any, folder: str, tmp_path: Path) -> None:
    (Path(folder) / "triage" / "SKILL.md").write_text(
        DESK["triage/SKILL.md"].replace("name: triage", "name: Triage Desk"), encoding="utf-8"
    )
    out = tmp_path / "for-agents"
    done = lore("skill", "export", folder, str(out))
    assert (done.code, done.json["written"], done.json["renamed"]) == (0, True, {"Triage Desk": "triage-desk"})
    assert sorted(path.name for path in out.iterdir()) == ["escalation", "glossary", "refunds", "triage-desk"]
    assert (out / "refunds" / "POLICY.md").read_text(encoding="utf-8") == DESK["refunds/POLICY.md"]
    assert (lore("route", "check", str(out)).code, lore("route", "check", folder).code) == (0, 0)
    assert lore("ingest", folder, "--name", "desk").code == 0
    other = tmp_path / "of-the-graph"
    assert lore("skill", "export", "desk", str(other)).json["renamed"] == done.json["renamed"]
    for file in sorted(out.rglob("*.md")):
        assert (other / file.relative_to(out)).read_bytes() == file.read_bytes()
    refused = lore("skill", "export", "desc", str(tmp_path / "new"), "--json")
    assert (refused.code, json.loads(refused.err)["code"]) == (1, "not_found")


def test_a_person_reads_what_an_export_changed(folder: str, tmp_path: Path) -> None:
    long = DESK["triage/SKILL.md"].replace("name: triage", "name: Triage Desk").replace("Find out", "Find out " * 200)
    (Path(folder) / "triage" / "SKILL.md").write_text(long, encoding="utf-8")
    (Path(folder) / "README.md").write_text("Of no skill.", encoding="utf-8")
    with on_terminal("loreweave.faces.cli.lore", "skill", "export", folder, str(tmp_path / "out")) as terminal:
        assert terminal.finish() == 0
    for said in ("holds 4 skills", "Triage Desk is called triage-desk", "was too long", "README.md for one"):
        assert said in terminal.seen


@pytest.mark.holds("routing.wires.cli")
def test_a_person_reads_what_kept_a_move_from_being_made() -> None:
    failed = (PredicateError("triage", "refunds", "ValueError: x"), PredicateError("diamond", None, "KeyError: y"))
    move = Move(from_="triage", to="triage", by="limit", limit=Limit("max_hops", "refunds"), predicate_errors=failed)
    answer = RouteNextAnswer(nextSkill="triage", move=move, active=["triage"], reachable=[], tools=[])
    console = Console(file=io.StringIO(), width=100)
    with console.capture() as shown:
        console.print(moved(answer))
    for told in ("max_hops does not let it go to refunds", "triage to refunds: ValueError: x", "diamond: KeyError: y"):
        assert told in shown.get()
