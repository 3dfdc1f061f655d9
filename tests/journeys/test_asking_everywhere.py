"""One site of documents, three faces: asking gives the same JSON over HTTP, on the command line and over MCP."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote

import anyio
import pytest
from mcp import Client
from starlette.testclient import TestClient
from tests.faces.asked_documents import write_documents

from loreweave.application import Application, open_application
from loreweave.faces.cli.ask_program import run
from loreweave.faces.mcp.resources import SectionResources
from loreweave.faces.mcp.server import create_server
from loreweave.faces.mcp.toolsets import open_toolsets
from loreweave.faces.one_port import one_port_app
from loreweave.settings import Settings

FLAGS = "guide/cli#flags"


def sought(query: str) -> tuple[tuple[str, Any], list[str], tuple[str, dict[str, Any]]]:
    return ("POST", {"query": query}), ["search", "--", query], ("search", {"query": query})


QUESTIONS = [
    (("GET", "/glossary"), ["glossary"], ("glossary_list", {})),
    (("GET", "/glossary/wal"), ["glossary", "get", "wal"], ("glossary_get", {"term": "wal"})),
    (("GET", "/sections"), ["sections", "list"], ("sections_list", {})),
    (("GET", "/sections?group=API"), ["sections", "--group", "API"], ("sections_list", {"group": "API"})),
    (("GET", f"/sections/{quote(FLAGS, safe='')}"), ["section", "get", FLAGS], ("section_get", {"id": FLAGS})),
    (("GET", "/overview"), ["overview"], ("overview", {})),
    sought("--no-cache"),
    sought("how do I make a backup"),
    sought("C++"),
    sought("qqqq zzzz"),
]  # fmt: skip
REFUSALS = [
    (("GET", "/glossary/nothing"), ["glossary", "get", "nothing"], ("glossary_get", {"term": "nothing"})),
    (("GET", "/sections/nothing"), ["section", "get", "nothing"], ("section_get", {"id": "nothing"})),
    (("GET", "/overview?graph=none"), ["overview", "--graph", "none"], ("overview", {"graph": "none"})),
]


@pytest.fixture
def documents(settings: Settings, tmp_path: Path) -> Iterator[Application]:
    application = open_application(settings, start_method="forkserver")
    application.graphs.ingest_folder(write_documents(tmp_path / "docs"), name="docs")
    yield application
    application.close()


def over_http(application: Application, method: str, what: Any) -> bytes:
    with TestClient(one_port_app(application), base_url="http://127.0.0.1:8000") as client:
        answer = client.get(f"/api/ask{what}") if method == "GET" else client.post("/api/ask", json=what)
        return answer.content


def over_mcp(application: Application, tool: str, arguments: dict[str, Any]) -> Any:
    async def conversation() -> Any:
        server = create_server(open_toolsets(application, ("ask",)), SectionResources(application), structured=True)
        async with Client(server) as client:
            return await client.call_tool(tool, arguments)

    return anyio.run(conversation)


@pytest.fixture
def on_the_command_line(documents: Application, monkeypatch: pytest.MonkeyPatch, capfdbinary: Any) -> Any:
    monkeypatch.setenv("LORE_DATA_DIR", str(documents.settings.data_dir))
    monkeypatch.setenv("LORE_DATABASE_URL", documents.settings.database_url)
    monkeypatch.setenv("LORE_EMBEDDER", documents.settings.embedder)

    def ask(arguments: list[str]) -> tuple[int, bytes, bytes]:
        capfdbinary.readouterr()
        code = run(arguments)
        out, err = capfdbinary.readouterr()
        return code, out, err

    return ask


@pytest.mark.holds("ask.faces.same-answer", "ask.cli.http-body", "ask.mcp.http-body")
@pytest.mark.parametrize(("http", "cli", "mcp"), QUESTIONS)
def test_a_question_has_one_answer(
    documents: Application, on_the_command_line: Any, http: tuple, cli: list[str], mcp: tuple
) -> None:
    expected = over_http(documents, *http)
    assert on_the_command_line(cli) == (0, expected, b"")
    found = over_mcp(documents, *mcp)
    assert not found.is_error
    assert found.structured_content == json.loads(expected)


@pytest.mark.holds("ask.cli.failure", "ask.faces.same-answer")
@pytest.mark.parametrize(("http", "cli", "mcp"), REFUSALS)
def test_a_refusal_is_the_same_refusal(
    documents: Application, on_the_command_line: Any, http: tuple, cli: list[str], mcp: tuple
) -> None:
    shape = json.loads(over_http(documents, *http))
    code, out, said = on_the_command_line(cli)
    assert (code, out) == (1, b"")
    assert said.decode().startswith(f"ask: {shape['error'].rstrip('.')}")  # what there is instead may follow
    found = over_mcp(documents, *mcp)
    assert found.is_error
    assert found.structured_content == shape


@pytest.mark.holds("ask.cli.flags-anywhere", "ask.cli.unknown-flag-is-a-word")
def test_flags_stand_anywhere_and_words_are_joined(documents: Application, on_the_command_line: Any) -> None:
    expected = on_the_command_line(["search", "make a backup", "--limit", "2"])
    assert expected[0] == 0
    assert on_the_command_line(["--limit", "2", "search", "make", "a", "backup"]) == expected
    assert on_the_command_line(["search", "make", "--limit=2", "a", "backup"]) == expected
    for words in (["--", "--no-cache"], ["--no-cache"]):
        flag = on_the_command_line(["search", *words])
        assert json.loads(flag[1])["results"][0]["id"] == FLAGS


@pytest.mark.holds("ask.cli.digest-source")
def test_a_digest_file_can_be_read_without_a_store(
    documents: Application, tmp_path: Path, on_the_command_line: Any
) -> None:
    file = tmp_path / "digest.json"
    file.write_bytes(over_http(documents, "GET", "/digest"))
    for (_, what), cli, _ in QUESTIONS[:6]:
        code, out, err = on_the_command_line([*cli, "--digest", str(file)])
        assert (code, err) == (0, b"")
        assert out == over_http(documents, "GET", what)
    found = json.loads(on_the_command_line(["search", "--digest", str(file), "backups"])[1])
    assert found["results"][0]["id"] == "guide/storage#backups"


@pytest.mark.holds("ask.mcp.toolset", "ask.mcp.sections-are-resources")
def test_the_toolset_is_read_only_and_sections_are_resources(documents: Application) -> None:
    async def conversation() -> Any:
        server = create_server(open_toolsets(documents, ("ask",)), SectionResources(documents))
        async with Client(server) as client:
            tools = (await client.list_tools()).tools
            resources = (await client.list_resources()).resources
            section = next(resource for resource in resources if resource.name == FLAGS)
            text = (await client.read_resource(section.uri)).contents[0].text
            return tools, resources, text

    tools, resources, text = anyio.run(conversation)
    assert [tool.name for tool in tools] == [
        "glossary_list", "glossary_get", "sections_list", "section_get", "overview", "search", "answer",
    ]  # fmt: skip
    assert all(tool.annotations.read_only_hint for tool in tools)
    assert text.startswith("## Flags\n")
    assert len([resource for resource in resources if resource.uri.startswith("ask://")]) == 7


@pytest.mark.holds("ask.mcp.answer")
def test_an_answer_over_mcp_without_a_model_is_keyword_results(documents: Application) -> None:
    found = over_mcp(documents, "answer", {"query": "backups"})
    assert not found.is_error
    assert found.structured_content["mode"] == "keyword"
    assert found.structured_content["warning"]
