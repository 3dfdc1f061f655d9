"""One graph of skills, three faces: the same answers and the same refusals."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import anyio
import pytest
from mcp import Client
from starlette.testclient import TestClient
from tests.faces.routed_desk import desk_folder

from loreweave.application import Application, open_application
from loreweave.faces.cli.lore import run
from loreweave.faces.mcp.server import create_server
from loreweave.faces.mcp.toolsets import open_toolsets
from loreweave.faces.one_port import one_port_app
from loreweave.settings import Settings

RESULT = {"toolName": "issue_refund", "result": "{}", "status": "denied"}
QUESTIONS: list[tuple[str, dict[str, Any], list[str] | None, str | None]] = [
    ("check", {}, ["check"], "route_checkup"),
    ("next", {}, ["next"], "next_skill"),
    ("next", {"context": {"userMessage": "a refund"}}, ["next", "--message", "a refund"], "next_skill"),
    (
        "next",
        {"context": {"currentSkillId": "refunds", "lastToolResult": RESULT, "answers": {"angry": True}}},
        ["next", "--current", "refunds", "--tool", "issue_refund", "--result", "{}", "--status", "denied",
         "--answer", "angry"],
        "next_skill",
    ),
    (
        "next",
        {"context": {"currentSkillId": "gone", "pendingPick": "escalation"}},
        ["next", "--current", "gone", "--pick", "escalation"],
        "next_skill",
    ),
    ("reachable", {}, ["reachable"], "reachable_skills"),
    ("reachable", {"currentSkillId": "triage"}, ["reachable", "--current", "triage"], "reachable_skills"),
    ("mermaid", {"current": "triage"}, ["mermaid", "--current", "triage"], None),
    ("score", {"by": "keyword", "context": {"userMessage": "x"}}, ["score", "--by", "keyword", "--message", "x"], None),
    ("read", {"id": "refunds"}, None, "read_skill"),
    ("read", {"id": "refunds", "path": "refunds/POLICY.md"}, None, "read_skill"),
]  # fmt: skip
REFUSALS: list[tuple[str, dict[str, Any], list[str] | None, str | None]] = [
    ("score", {"context": {"userMessage": "x"}}, ["score", "--message", "x"], None),
    ("read", {"id": "escalation"}, None, "read_skill"),
    ("read", {"id": "ghost"}, None, "read_skill"),
    ("reachable", {"graphId": "nobody"}, ["reachable", "--graph", "nobody"], "reachable_skills"),
    ("next", {"context": {"currentSkillId": ""}}, ["next", "--current", ""], "next_skill"),
]


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Application]:
    settings = Settings(data_dir=tmp_path_factory.mktemp("library"), embedder="none")
    application = open_application(settings, start_method="forkserver")
    application.graphs.ingest_folder(desk_folder(tmp_path_factory.mktemp("desk")), name="desk")
    yield application
    application.close()


@pytest.fixture(scope="module")
def http(desk: Application) -> Iterator[TestClient]:
    with TestClient(one_port_app(desk), base_url="http://127.0.0.1") as client:
        yield client


def over_mcp(desk: Application, tool: str, arguments: dict[str, Any]) -> Any:
    async def conversation() -> Any:
        async with Client(create_server(open_toolsets(desk, ("route",)), structured=True)) as client:
            return await client.call_tool(tool, arguments)

    return anyio.run(conversation).structured_content


def command(desk: Application, question: list[str]) -> list[str]:
    graph = [] if "--graph" in question else ["--graph", "desk"]
    return ["route", *question, *graph, "--json", "--data", str(desk.settings.data_dir)]


@pytest.mark.holds("routing.wires.same-everywhere")
@pytest.mark.parametrize(("name", "body", "cli", "tool"), QUESTIONS)
def test_a_question_about_skills_has_one_answer(
    desk: Application, http: TestClient, capfdbinary: Any, name: str, body: Any, cli: Any, tool: str | None
) -> None:
    answer = http.post(f"/api/route/{name}", json={"graphId": "desk", **body})
    assert answer.status_code == 200
    if cli is not None:
        capfdbinary.readouterr()
        assert run(command(desk, cli)) == 0
        assert capfdbinary.readouterr().out == answer.content
    if tool is not None:
        assert over_mcp(desk, tool, body) == answer.json()


@pytest.mark.holds("routing.wires.same-everywhere")
@pytest.mark.parametrize(("name", "body", "cli", "tool"), REFUSALS)
def test_a_refusal_about_skills_is_the_same_refusal(
    desk: Application, http: TestClient, capfdbinary: Any, name: str, body: Any, cli: Any, tool: str | None
) -> None:
    answer = http.post(f"/api/route/{name}", json={"graphId": "desk", **body})
    assert answer.status_code >= 400
    if cli is not None:
        capfdbinary.readouterr()
        assert run(command(desk, cli)) in (1, 2)
        assert json.loads(capfdbinary.readouterr().err) == answer.json()
    if tool is not None:
        assert over_mcp(desk, tool, body) == answer.json()


@pytest.mark.holds("routing.wires.same-everywhere")
def test_a_folder_and_its_files_and_its_graph_are_one(desk: Application, http: TestClient, tmp_path: Path) -> None:
    folder = desk_folder(tmp_path / "desk")
    files = {path.relative_to(folder).as_posix(): path.read_text(encoding="utf-8") for path in folder.rglob("*.md")}
    sent = http.post("/api/route/graph", json={"files": files}).content
    assert http.post("/api/route/graph", json={"graphId": "desk"}).content == sent
    assert desk.graphs.source_files("desk") == files


@pytest.mark.holds("routing.folders.vault")
def test_a_vault_routes_under_the_ids_of_its_graph(sqlite_application: Application, tmp_path: Path) -> None:
    notes = {
        "Index.md": "---\ntype: moc\n---\nSee [[A Note]], [[b/note]] and [[Übung]].",
        "a/A Note.md": "# A\n[[note]]",
        "a/note.md": "# One",
        "b/note.md": "# Two\n[one](../a/note.md)",
        "c/Übung.md": "# Three",
        "c/!!.md": "# Four",
    }
    for path, text in notes.items():
        place = tmp_path / "vault" / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text, encoding="utf-8")
    sqlite_application.graphs.ingest_folder(tmp_path / "vault", name="vault")
    with TestClient(one_port_app(sqlite_application), base_url="http://127.0.0.1") as client:
        exported = client.get("/api/skillgraph/export", params={"graphId": "vault"}).json()
        routed = client.post("/api/route/graph", json={"graphId": "vault"}).json()
    ids = {node["id"].removeprefix("skill:") for node in exported["nodes"]}
    assert {skill["id"] for skill in routed["skills"]} == ids
    links = {tuple(edge[end].removeprefix("skill:") for end in ("source", "target")) for edge in exported["edges"]}
    assert {(edge["from"], edge["to"]) for edge in routed["edges"] if edge["from"]} == links
