"""Routing over HTTP: every question with its source, every refusal in the one shape."""

from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient
from tests.faces.routed_desk import DESK, desk_folder

EDGE = {"from": "refunds", "to": "escalation", "kind": "on-tool-return", "label": "on issue_refund status=denied !10",
        "priority": 10, "reason": None}  # fmt: skip


def ask(client: TestClient, name: str, expected: int = 200, **body: Any) -> Any:
    answer = client.post(f"/api/route/{name}", json=body)
    assert answer.status_code == expected, answer.text
    return answer.json()


@pytest.fixture
def desk(client: TestClient, tmp_path: Path) -> str:
    folder = desk_folder(tmp_path / "desk")
    return client.app_state["application"].graphs.ingest_folder(folder, name="desk").graphId


@pytest.mark.holds("routing.wires.graph")
def test_the_graph_is_told_whole(client: TestClient) -> None:
    graph = ask(client, "graph", files=DESK)
    assert set(graph) == {"kind", "entryBy", "skills", "nodes", "edges", "mermaid", "checkup"}
    assert (graph["kind"], graph["entryBy"]) == ("flat", "order")
    assert graph["skills"][0] == {
        "id": "refunds",
        "description": "Give money back for an order",
        "tools": ["lookup_order", "issue_refund"],
        "trigger": "rule",
        "end": False,
        "resources": ["refunds/POLICY.md"],
    }
    assert graph["nodes"][0] == {"id": "refunds", "kind": "skill", "label": "refunds"}
    assert EDGE in graph["edges"]
    assert graph["edges"][0] == {
        "from": None, "to": "refunds", "kind": "entry", "label": None, "priority": 0, "reason": None,
    }  # fmt: skip
    assert graph["mermaid"].startswith("flowchart TD\n")
    assert graph["checkup"]["ok"] is True


@pytest.mark.holds("routing.wires.check")
def test_a_check_up_tells_problems_with_their_place(client: TestClient) -> None:
    broken = {**DESK, "glossary/SKILL.md": DESK["glossary/SKILL.md"].replace("Words.", "[[gone]] call_it()")}
    found = ask(client, "check", files=broken)
    assert set(found) == {"ok", "problems", "notes"}
    dangling = next(one for one in found["problems"] if one["code"] == "dangling-link")
    assert dangling == {
        "kind": "warning", "code": "dangling-link", "message": dangling["message"], "skill": "glossary",
        "from": None, "to": None, "file": "glossary/SKILL.md", "line": 6,
    }  # fmt: skip
    assert "unbound-predicate" in {one["code"] for one in found["notes"]}
    assert "body-unknown-tool" in {one["code"] for one in found["problems"]}
    known = ask(client, "check", files=broken, knownTools=["call_it"])
    assert "body-unknown-tool" not in {one["code"] for one in known["problems"]}
    ghost = {
        **DESK,
        "triage/SKILL.md": DESK["triage/SKILL.md"].replace("---\n\nAsk", "  skillgraph.routes: ghost\n---\n\nAsk"),
    }
    assert ask(client, "check", files=ghost)["ok"] is False


@pytest.mark.holds("routing.wires.next")
def test_the_next_skill_is_told_with_its_reasons(client: TestClient, desk: str) -> None:
    assert ask(client, "next", graphId=desk)["nextSkill"] == "triage"
    denied = {"toolName": "issue_refund", "result": '{"order_id": 7}', "status": "denied", "callId": "c1"}
    answer = ask(client, "next", graphId=desk, context={"currentSkillId": "refunds", "toolResults": [denied]})
    assert answer == {
        "nextSkill": "escalation",
        "move": {
            "from": "refunds", "to": "escalation", "by": "route", "edge": EDGE, "leaf": None, "conflict": None,
            "droppedCursor": None, "rejectedPick": None, "supersededPick": None, "predicateErrors": [],
            "limit": None, "payload": {"order_id": 7}, "ended": True,
        },
        "active": ["escalation"],
        "reachable": ["refunds", "triage"],
        "tools": [],
    }  # fmt: skip
    started = ask(client, "next", graphId=desk, context={"userMessage": "a refund", "iteration": 3})
    assert (started["nextSkill"], started["tools"]) == ("refunds", ["lookup_order", "issue_refund"])
    last = {"toolName": "x", "result": {"any": ["thing"]}}
    angry = {"currentSkillId": "refunds", "lastToolResult": last, "answers": {"angry": True}, "state": {"a": [1]}}
    assert ask(client, "next", graphId=desk, context=angry)["nextSkill"] == "escalation"
    picked = {"currentSkillId": "triage", "pendingPick": "glossary", "path": ["triage"], "history": [
        {"role": "user", "content": "hi"}]}  # fmt: skip
    assert ask(client, "next", graphId=desk, context=picked)["move"]["by"] == "model-pick"


@pytest.mark.holds("routing.wires.next")
@pytest.mark.parametrize("depth", [50, 300, 900, 5_000])
def test_what_a_hop_carries_may_be_nested_only_so_deep(client: TestClient, desk: str, depth: int) -> None:
    result = '{"order_id": ' + "[" * depth + "]" * depth + "}"
    denied = {"toolName": "issue_refund", "result": result, "status": "denied"}
    context = {"currentSkillId": "refunds", "lastToolResult": denied}
    answer = client.post("/api/route/next", json={"graphId": desk, "context": context})
    if depth in (300, 900):
        assert (answer.status_code, answer.json()["field"]) == (400, "context")
    else:
        assert answer.json()["nextSkill"] == "escalation"
        assert bool(answer.json()["move"]["payload"]) is (depth == 50)  # at some depth it is no JSON any more


@pytest.mark.holds("routes.wires")
def test_a_graph_is_outlined_its_rules_told_and_a_walk_taken(client: TestClient, desk: str) -> None:
    outline = ask(client, "outline", graphId=desk)
    assert outline == ask(client, "outline", files=DESK)
    assert outline == {
        "kind": "flat", "entryBy": "order", "skills": 4, "entries": 2, "ends": 1, "rules": 2, "links": 2,
        "errors": 0, "warnings": outline["warnings"],
    }  # fmt: skip
    rules = ask(client, "rules", graphId=desk)
    assert len(rules["rules"]) == len(ask(client, "graph", graphId=desk)["edges"])
    assert rules["files"]["refunds"] == "refunds/SKILL.md"
    denied = {"toolName": "issue_refund", "result": '{"order_id": 7}', "status": "denied"}
    steps = [{"message": "a refund"}, {"toolResults": [denied], "expect": {"skill": "escalation"}}]
    walked = ask(client, "walk", graphId=desk, steps=steps)["steps"]
    assert [step["move"]["to"] for step in walked] == ["refunds", "escalation"]
    assert walked[1]["holds"] is True
    assert walked[1]["considered"][0]["verdict"] == "won"
    deep = {**denied, "result": '{"order_id": ' + "[" * 300 + "]" * 300 + "}"}
    assert ask(client, "walk", 400, graphId=desk, steps=[steps[0], {"toolResults": [deep]}])["field"] == "steps"
    assert ask(client, "walk", 400, graphId=desk, steps=[{}] * 201)["code"] == "invalid_input"
    assert ask(client, "walk", 400, graphId=desk, steps=[{"mesage": "x"}])["code"] == "invalid_input"


@pytest.mark.holds("routing.wires.reachable", "routing.wires.mermaid")
def test_reachable_and_drawn(client: TestClient, desk: str) -> None:
    assert ask(client, "reachable", graphId=desk) == {"currentSkillId": None, "reachable": ["refunds", "triage"]}
    assert ask(client, "reachable", graphId=desk, currentSkillId="triage") == {
        "currentSkillId": "triage",
        "reachable": ["glossary", "refunds"],
    }
    plain = ask(client, "mermaid", graphId=desk)["mermaid"]
    assert ask(client, "mermaid", graphId=desk, current="triage")["mermaid"].startswith(plain + "\n")


@pytest.mark.holds("routing.wires.score")
def test_entries_are_scored_as_declared_or_as_asked(client: TestClient, desk: str) -> None:
    context = {"userMessage": "what do I need for an order refund"}
    refused = ask(client, "score", 409, graphId=desk, context=context)
    assert refused["code"] == "no_scorer"
    assert "`by`, keyword or relevance" in refused["error"]
    asked = ask(client, "score", graphId=desk, context=context, by="keyword")
    assert set(asked) == {"scorer", "chosen", "ranked", "margin", "tie", "abstained"}
    assert [one["id"] for one in asked["ranked"]] == ["refunds", "triage"]
    declared = {**DESK, "skillgraph.md": "---\nentry_by: keyword\npolicy:\n  floor: 0.99\n---\n"}
    assert ask(client, "score", files=declared, context=context)["abstained"] == "floor"
    assert ask(client, "graph", files=declared)["entryBy"] == "keyword"
    away = ask(client, "score", 503, graphId=desk, context=context, by="relevance")
    assert away["code"] == "unavailable"


@pytest.mark.holds("routing.wires.score")
def test_entries_are_scored_by_meaning(make_client: Any) -> None:
    client = make_client(embedder="static")
    answer = ask(
        client, "score", files=DESK, context={"userMessage": "refund: money back for my order"}, by="relevance"
    )
    assert (answer["scorer"], answer["chosen"]) == ("embedding", "refunds")


@pytest.mark.holds("routing.wires.read")
def test_a_skill_is_read_only_where_it_can_be_reached(client: TestClient, desk: str) -> None:
    assert ask(client, "read", graphId=desk, id="refunds") == {
        "id": "refunds",
        "description": "Give money back for an order",
        "body": "Look the order up. See [the policy](POLICY.md) and [[glossary]].",
        "tools": ["lookup_order", "issue_refund"],
        "resources": ["refunds/POLICY.md"],
    }
    assert ask(client, "read", graphId=desk, id="glossary", currentSkillId="triage")["body"] == "Words."
    refused = ask(client, "read", 409, graphId=desk, id="escalation")
    assert (refused["code"], refused["allowed"]) == ("not_reachable", ["refunds", "triage"])
    assert ask(client, "read", 409, graphId=desk, id="refunds", currentSkillId="refunds")["code"] == "not_reachable"
    assert ask(client, "read", 404, graphId=desk, id="ghost")["code"] == "not_found"
    assert ask(client, "read", 404, graphId=desk, id="refnds")["nearest"] == ["refunds"]


@pytest.mark.holds("routing.wires.read-path")
def test_a_file_is_read_if_it_belongs_to_the_skill(client: TestClient, desk: str) -> None:
    for path, content in (("refunds/POLICY.md", "Thirty days.\n"), ("refunds/notes/old.md", "Nobody links here.\n")):
        answer = ask(client, "read", graphId=desk, id="refunds", path=path)
        assert answer == {"id": "refunds", "path": path, "content": content}
    own = ask(client, "read", graphId=desk, id="refunds", currentSkillId="refunds", path="refunds/POLICY.md")
    assert own["content"] == "Thirty days.\n"
    for path in ("glossary/SKILL.md", "refunds", "refunds/../glossary/SKILL.md", "/etc/passwd", "../x"):
        assert ask(client, "read", 404, graphId=desk, id="refunds", path=path)["code"] == "not_found"
    assert (
        ask(client, "read", 409, graphId=desk, id="escalation", path="escalation/SKILL.md")["code"] == "not_reachable"
    )


@pytest.mark.holds("routing.wires.read-path")
def test_any_file_that_came_along_can_be_read_as_the_skills_own(client: TestClient) -> None:
    files = {
        "SKILL.md": "---\nname: top\ndescription: Top\n---\nX",
        "run.py": "print()",
        "a/SKILL.md": "---\nname: a\ndescription: A\n---\nX",
        "a/b.txt": "b",
    }
    assert ask(client, "read", files=files, id="top", path="run.py")["content"] == "print()"
    assert ask(client, "read", files=files, id="a", path="a/b.txt")["content"] == "b"
    assert ask(client, "read", 404, files=files, id="top", path="a/b.txt")["code"] == "not_found"


@pytest.mark.holds("routing.wires.source")
@pytest.mark.parametrize("name", ["graph", "check", "next", "reachable", "mermaid", "score"])
def test_a_question_names_one_source(client: TestClient, desk: str, name: str) -> None:
    assert ask(client, name, 400)["code"] == "invalid_input"
    assert ask(client, name, 400, graphId=desk, files=DESK)["code"] == "invalid_input"
    assert ask(client, name, 404, graphId="nobody", context={})["code"] == "not_found" if name == "next" else True
    graphs = client.get("/api/skillgraph/graphs").json()["graphs"]
    assert [one["graphId"] for one in graphs] == ["desk"]


@pytest.mark.holds("routing.wires.source")
def test_an_edited_graph_is_asked_as_it_is_now(client: TestClient, desk: str, tmp_path: Path) -> None:
    assert ask(client, "next", graphId=desk)["nextSkill"] == "triage"
    text = DESK["triage/SKILL.md"].replace('"default"', '"keywords: help"')
    (tmp_path / "desk" / "triage" / "SKILL.md").write_text(text, encoding="utf-8")
    client.app_state["application"].graphs.ingest_folder(tmp_path / "desk", name="desk")
    assert ask(client, "next", graphId=desk)["nextSkill"] is None


@pytest.mark.holds("routing.wires.unknown-fields")
@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({"grafId": "x"}, "grafId"),
        ({"context": {"userMesage": "x"}}, "context.userMesage"),
        ({"context": {"lastToolResult": {"toolName": "x", "reslt": 1}}}, "context.lastToolResult.reslt"),
        ({"context": {"currentSkillId": ""}}, "context.currentSkillId"),
        ({"context": {"iteration": "1"}}, "context.iteration"),
        ({"context": 3}, "context must be an object"),
        ({"context": {"path": "abc"}}, "context.path must be a list"),
        ({"context": {"history": {}}}, "context.history must be a list"),
        ({"context": {"lastToolResult": []}}, "context.lastToolResult must be an object"),
        ({"context": {"lastToolResult": {"toolName": "x", "status": "great"}}}, "context.lastToolResult.status"),
    ],
)
def test_what_is_unknown_or_wrong_is_refused_by_name(client: TestClient, body: dict[str, Any], field: str) -> None:
    refused = ask(client, "next", 400, **{"files": DESK, **body})
    assert refused["field"] == field.partition(" ")[0]
    assert field in refused["error"]


@pytest.mark.holds("routing.wires.bad-files")
def test_a_bad_file_is_named_with_its_line(client: TestClient) -> None:
    text = DESK["refunds/SKILL.md"].replace("status=denied", "status=great")
    refused = ask(client, "graph", 400, files={**DESK, "refunds/SKILL.md": text})
    assert (refused["code"], refused["file"], refused["line"]) == ("invalid_skill_file", "refunds/SKILL.md", 9)
    for path in ("../x/SKILL.md", "/x/SKILL.md", "c:\\x\\SKILL.md", "a\nb/SKILL.md", ""):
        assert ask(client, "graph", 400, files={path: "x"})["field"] == "files"


@pytest.mark.holds("routing.wires.limits")
def test_files_are_held_to_the_limits_of_an_ingest(make_client: Any) -> None:
    client = make_client(max_files=3, max_markdown_bytes=100, max_zip_bytes=2_000)
    three = {f"{name}.md": "x" * 33 for name in "abc"}
    assert ask(client, "check", files={**three, "d.txt": "x" * 200})["ok"] is True
    over = [
        ({**three, "d.md": ""}, "files", 3),
        ({"a.md": "x" * 101}, "markdown_bytes", 100),
        ({"a.md": "ü" * 51}, "markdown_bytes", 100),
        ({"a.txt": "x" * 3_000}, "body_bytes", 2_000),
    ]
    for files, what, limit in over:
        refused = ask(client, "check", 413, files=files)
        assert (refused["code"], refused["what"], refused["limit"]) == ("too_large", what, limit)


@pytest.mark.holds("routing.wires.limits")
def test_a_question_may_be_as_large_as_an_upload(client: TestClient) -> None:
    files = {**DESK, "refunds/BIG.md": "x" * 2_000_000}
    assert ask(client, "check", files=files)["ok"] is True


@pytest.mark.holds("routing.folders.patterns-refused")
@pytest.mark.parametrize("name", ["graph", "check", "next", "reachable", "mermaid", "score"])
def test_a_pattern_that_asks_for_gigabytes_is_refused_by_every_question(client: TestClient, name: str) -> None:
    text = DESK["refunds/SKILL.md"].replace("on issue_refund", "on /" + "(" * 90 + "a" + "|b)+" * 90 + "/")
    refused = ask(client, name, 400, files={**DESK, "refunds/SKILL.md": text})
    assert (refused["code"], refused["file"], refused["line"]) == ("invalid_skill_file", "refunds/SKILL.md", 9)
    assert "nested at most 10 deep" in refused["error"]
