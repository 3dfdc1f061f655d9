"""One graph, three faces: every operation gives the same JSON over HTTP, on the command line and over MCP."""

import io
import json
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import anyio
import pytest
from mcp import Client
from starlette.testclient import TestClient

from loreweave.application import Application, open_application
from loreweave.faces.cli.lore import run
from loreweave.faces.mcp.server import create_server
from loreweave.faces.mcp.toolsets import open_toolsets
from loreweave.faces.one_port import one_port_app
from loreweave.settings import Settings

DEMO = Path(__file__).resolve().parents[2] / "src" / "loreweave" / "bundled_skills" / "demo"
API = "/api/skillgraph"


@dataclass(frozen=True, slots=True)
class Operation:
    """One question, put in each face's own words."""

    name: str
    http: tuple[str, str, dict[str, Any]]
    cli: list[str]
    mcp: tuple[str, dict[str, Any]] | None = None
    values: dict[str, Any] = field(default_factory=dict)


def post(name: str, cli: list[str], *, tool: str | None = None, **values: Any) -> Operation:
    body = {"graphId": "demo", **values}
    return Operation(name, ("POST", name, body), cli, (tool, body) if tool else None)


def get(name: str, cli: list[str], *, tool: str | None = None, **values: Any) -> Operation:
    query = {"graphId": "demo", **values}
    return Operation(name, ("GET", name, query), cli, (tool, query) if tool else None)


SECTION = "the-usual-suspects"
QUESTION = "how to help somebody with catastrophizing"
OPERATIONS = [
    Operation("graphs", ("GET", "graphs", {}), ["graphs"], ("list_graphs", {})),
    post("scan", ["scan", "emotional regulation"], tool="scan", query="emotional regulation"),
    post("scan", ["scan"], tool="scan"),
    post("scan", ["scan", "thoughts", "--domain", "therapy", "--limit", "2"], tool="scan",
         query="thoughts", domain="therapy", limit=2),
    post("traverse", ["traverse"], tool="traverse"),
    post("traverse", ["traverse", "--query", QUESTION, "--max-depth", "2", "--max-nodes", "3",
                      "--budget", "700", "--direction", "both"],
         tool="traverse", query=QUESTION, maxDepth=2, maxNodes=3, tokenBudget=700, direction="both"),
    post("context", ["context", QUESTION], tool="context", query=QUESTION),
    post("context", ["context", QUESTION, "--budget", "150", "--max-nodes", "2"], tool="context",
         query=QUESTION, tokenBudget=150, maxNodes=2),
    post("context", ["context", "zzz nothing matches zzz", "--budget", "0"], tool="context",
         query="zzz nothing matches zzz", tokenBudget=0),
    post("validate", ["validate"], tool="validate"),
    post("search", ["search", "worry", "--limit", "3"], query="worry", limit=3),
    get("stats", ["stats"], tool="stats"),
    *(get("node", ["node", "cognitive-distortions", "--level", str(level)], tool="read_node",
          id="cognitive-distortions", level=level) for level in range(5)),
    get("node", ["node", "cognitive-distortions", "--section", SECTION], tool="read_node",
        id="cognitive-distortions", section=SECTION),
    get("node", ["node", "cognitive-distortions", "--query", QUESTION], tool="read_node",
        id="cognitive-distortions", query=QUESTION),
    get("export", ["export"]),
]  # fmt: skip
FAILURES = [
    post("scan", ["scan", "x", "--graph", "none"], tool="scan", graphId="none", query="x"),
    get("stats", ["stats", "--graph", "none"], tool="stats", graphId="none"),
    get("node", ["node", "no-such-note"], tool="read_node", id="no-such-note"),
    get(
        "node",
        ["node", "cognitive-distortions", "--section", "no-such-section"],
        tool="read_node",
        id="cognitive-distortions",
        section="no-such-section",
    ),
    post("context", ["context", "  "], tool="context", query="  "),
    post("scan", ["scan", "--limit", "0"], tool="scan", limit=0),
    post("traverse", ["traverse", "no-such-note"], tool="traverse", startNode="no-such-note"),
]


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Application]:
    application = open_application(Settings(data_dir=tmp_path_factory.mktemp("library")), start_method="forkserver")
    application.graphs.ingest_folder(DEMO, name="demo")
    yield application
    application.close()


@pytest.fixture(scope="module")
def http(library: Application) -> Iterator[TestClient]:
    with TestClient(one_port_app(library), base_url="http://127.0.0.1") as client:
        yield client


def over_http(client: TestClient, operation: Operation) -> bytes:
    method, path, values = operation.http
    if method == "POST":
        return client.post(f"{API}/{path}", json=values).content
    return client.get(f"{API}/{path}", params=values).content


def on_the_command_line(library: Application, capture: Any, *arguments: str) -> tuple[int, bytes, bytes]:
    capture.readouterr()
    code = run([*arguments, "--json", "--data", str(library.settings.data_dir)])
    return code, *capture.readouterr()


def over_mcp(library: Application, tool: str, arguments: dict[str, Any]) -> Any:
    async def conversation() -> Any:
        async with Client(create_server(open_toolsets(library), structured=True)) as client:
            return await client.call_tool(tool, arguments)

    return anyio.run(conversation)


@pytest.mark.holds("house.cli.same-json", "house.cli.prints-http-answer", "house.mcp.argument-names")
@pytest.mark.parametrize("operation", OPERATIONS, ids=lambda operation: " ".join(operation.cli))
def test_a_question_has_one_answer(
    library: Application, http: TestClient, capfdbinary: Any, operation: Operation
) -> None:
    answer = over_http(http, operation)
    assert "error" not in json.loads(answer), answer
    assert on_the_command_line(library, capfdbinary, *operation.cli)[:2] == (0, answer)
    if operation.mcp:
        result = over_mcp(library, *operation.mcp)
        assert result.structured_content == json.loads(answer)
        assert result.content[0].text.encode() + b"\n" == answer


@pytest.mark.holds("house.cli.same-json", "house.errors.one-shape")
@pytest.mark.parametrize("operation", FAILURES, ids=lambda operation: " ".join(operation.cli))
def test_a_refusal_is_the_same_refusal(
    library: Application, http: TestClient, capfdbinary: Any, operation: Operation
) -> None:
    shape = json.loads(over_http(http, operation))
    assert set(shape) >= {"error", "code"}
    code, out, err = on_the_command_line(library, capfdbinary, *operation.cli)
    assert code in (1, 2)
    assert out == b""
    assert json.loads(err) == shape
    assert operation.mcp is not None
    assert over_mcp(library, *operation.mcp).structured_content == shape


@pytest.mark.holds("house.cli.same-json", "graph.revisions.hash-same-across-sources")
def test_the_same_notes_give_the_same_graph_through_every_door(
    library: Application, http: TestClient, capfdbinary: Any
) -> None:
    code, out, _ = on_the_command_line(library, capfdbinary, "ingest", str(DEMO), "--name", "demo")
    by_command = json.loads(out)
    assert code == 0
    by_tool = over_mcp(library, "ingest_folder", {"path": str(DEMO), "name": "demo"}).structured_content
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for note in DEMO.rglob("*.md"):
            archive.write(note, note.relative_to(DEMO))
    form = {"files": {"file": ("demo.zip", buffer.getvalue())}, "data": {"sourceType": "zip", "name": "demo"}}
    uploaded = http.post(f"{API}/ingest", **form).json()
    assert by_command == by_tool == uploaded
    assert uploaded["unchanged"] is True


@pytest.mark.holds("house.http.graph-and-revision", "graph.ingest.only-ingested-at-is-clock")
@pytest.mark.parametrize("operation", OPERATIONS[1:], ids=lambda operation: " ".join(operation.cli))
def test_every_answer_names_its_graph_and_revision_and_no_time(http: TestClient, operation: Operation) -> None:
    answer = json.loads(over_http(http, operation))
    assert (answer["graphId"], answer["revision"]) == ("demo", 1)
    assert over_http(http, operation) == over_http(http, operation)
    assert not {"ingestedAt", "duration", "elapsed", "time", "timestamp"} & set(answer)
