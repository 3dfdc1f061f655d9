"""The graph toolset, called through the official client in one process."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import anyio
import pytest
from mcp import Client
from mcp.shared.exceptions import MCPError

from loreweave.application import Application
from loreweave.errors import InvalidInput
from loreweave.faces.mcp.server import create_server
from loreweave.faces.mcp.toolsets import NOBODY, open_toolsets

NAMES = ["scan", "traverse", "context", "read_node", "validate", "stats", "list_graphs", "ingest_folder"]
Ask = Callable[[Client], Any]


@pytest.fixture
def talk(sqlite_application: Application) -> Callable[[Ask], Any]:
    """Runs a conversation with a server over this application."""

    def run(ask: Ask, **options: Any) -> Any:
        async def conversation() -> Any:
            names = options.pop("names", ("graph",))
            server = create_server(open_toolsets(sqlite_application, names, **options), structured=True)
            async with Client(server) as client:
                return await ask(client)

        return anyio.run(conversation)

    return run


@pytest.fixture
def sample(sqlite_application: Application, vault: Path) -> str:
    return sqlite_application.graphs.ingest_folder(vault, name="sample").graphId


def protocol_error(talk: Callable[[Ask], Any], ask: Ask) -> str:
    """What the server says when it refuses a message as such."""

    async def guarded(client: Client) -> str:
        with pytest.raises(MCPError) as refused:
            await ask(client)
        return refused.value.error.message

    return talk(guarded)


@pytest.mark.holds("house.mcp.graph-tools", "house.mcp.output-schemas", "house.mcp.annotations")
def test_the_toolset_has_eight_tools_with_schemas_and_honest_annotations(talk) -> None:
    tools = {tool.name: tool for tool in talk(lambda client: client.list_tools()).tools}
    assert list(tools) == NAMES
    for tool in tools.values():
        assert tool.description
        assert tool.input_schema["type"] == "object"
        assert tool.input_schema["additionalProperties"] is False
        assert tool.output_schema is not None
        assert tool.output_schema["type"] == "object"
        assert tool.annotations is not None
        assert tool.annotations.read_only_hint is (tool.name != "ingest_folder")
        assert tool.annotations.destructive_hint is (tool.name == "ingest_folder")
        assert tool.annotations.idempotent_hint is True
        assert tool.annotations.open_world_hint is False


@pytest.mark.holds("house.mcp.argument-names")
def test_arguments_have_the_contracts_names(talk) -> None:
    tools = {tool.name: tool.input_schema for tool in talk(lambda client: client.list_tools()).tools}
    named = {name: (set(schema["properties"]), set(schema.get("required", ()))) for name, schema in tools.items()}
    walk = {"graphId", "startNode", "query", "maxDepth", "maxNodes", "tokenBudget", "direction"}
    assert named == {
        "scan": ({"graphId", "query", "domain", "limit"}, set()),
        "traverse": (walk, set()),
        "context": ({"graphId", "query", "tokenBudget", "maxNodes"}, {"query"}),
        "read_node": ({"graphId", "id", "level", "section", "query"}, {"id"}),
        "validate": ({"graphId"}, set()),
        "stats": ({"graphId"}, set()),
        "list_graphs": (set(), set()),
        "ingest_folder": ({"path", "name", "subdirectory"}, {"path"}),
    }


def test_a_result_is_the_answer_as_text_and_as_structure(talk, sample: str, sqlite_application: Application) -> None:
    from loreweave.contracts.skill_graph import ContextRequest
    from loreweave.contracts.wire import to_json

    arguments = {"graphId": sample, "query": "the five senses", "maxNodes": 1}
    result = talk(lambda client: client.call_tool("context", arguments))
    expected = to_json(sqlite_application.retrieval.context(ContextRequest(**arguments)))
    assert not result.is_error
    assert result.content[0].text.encode() + b"\n" == expected
    nodes = result.structured_content["contextPack"]["nodes"]
    named = [node for node in nodes if node["level"] == 1]
    assert named, "the pack of one note names others"
    assert all("content" in node and node["content"] is None for node in named)


@pytest.mark.parametrize("level", range(5))
def test_every_level_keeps_to_the_declared_schema(talk, sample: str, level: int) -> None:
    """The client checks structured results against the tool's own schema."""
    arguments = {"graphId": sample, "id": "reframing", "level": level}
    result = talk(lambda client: client.call_tool("read_node", arguments))
    assert result.structured_content["level"] == level


@pytest.mark.holds("house.mcp.failures-are-results", "house.mcp.unknown-arguments")
@pytest.mark.parametrize(
    ("tool", "arguments", "field", "sentence"),
    [
        ("read_node", {"graphId": "a"}, "id", "id is required"),
        ("scan", {"graph": "a", "graphId": "b"}, "graph", "graph and graphId name different graphs"),
        ("scan", {"colour": 1}, "colour", "Unknown field colour; known: graphId, query, domain, limit"),
        ("read_node", {"node": "b"}, "node", "Unknown field node; known: graphId, id, level, section, query"),
        ("scan", {"graphId": "a", "limit": "5"}, "limit", "limit must be a whole number"),
        ("scan", {"graphId": "a", "limit": True}, "limit", "limit must be a whole number"),
        ("scan", {"graphId": "a", "limit": 0}, "limit", "limit must be from 1 to 100"),
        ("list_graphs", {"x": 1}, "x", "Unknown field x"),
        ("context", {"graphId": "a", "query": " "}, "query", "query must not be blank"),
    ],
)
def test_a_refusal_is_a_result_a_model_can_read(talk, tool: str, arguments: dict, field: str, sentence: str) -> None:
    result = talk(lambda client: client.call_tool(tool, arguments))
    assert result.is_error
    assert result.structured_content == {"error": sentence, "code": "invalid_input", "field": field}
    assert [block.text for block in result.content] == [sentence]


@pytest.mark.holds("house.mcp.failures-are-results")
def test_what_does_not_exist_is_a_result_too(talk, sample: str, tmp_path: Path) -> None:
    async def ask(client: Client) -> list[Any]:
        return [
            await client.call_tool("stats", {"graphId": "none"}),
            await client.call_tool("read_node", {"graphId": sample, "id": "none"}),
            await client.call_tool("ingest_folder", {"path": str(tmp_path / "none")}),
        ]

    for result in talk(ask):
        assert result.is_error
        assert result.structured_content["code"] == "not_found"


def test_an_unknown_tool_is_a_protocol_error(talk) -> None:
    assert "Unknown tool" in protocol_error(talk, lambda client: client.call_tool("frobnicate", {}))


def test_ingest_folder_makes_a_graph(talk, vault: Path) -> None:
    async def ask(client: Client) -> Any:
        made = await client.call_tool("ingest_folder", {"path": str(vault), "name": "From MCP"})
        return made.structured_content, (await client.call_tool("list_graphs", {})).structured_content

    made, listed = talk(ask)
    assert made["graphId"] == "from-mcp"
    assert [graph["graphId"] for graph in listed["graphs"]] == ["from-mcp"]


@pytest.mark.holds("graph.sources.folder.mcp-loopback-only")
def test_ingest_folder_is_forbidden_where_folders_are_not_open(talk, vault: Path) -> None:
    result = talk(lambda client: client.call_tool("ingest_folder", {"path": str(vault)}), folders=False)
    assert result.is_error
    assert result.structured_content["code"] == "forbidden"


@pytest.mark.holds("house.commands.mcp-toolsets")
def test_an_unknown_toolset_is_refused(sqlite_application: Application) -> None:
    with pytest.raises(InvalidInput, match="There is no toolset 'magic'"):
        open_toolsets(sqlite_application, ["graph", "magic"])


@pytest.mark.holds("house.mcp.skills-as-resources", "memory.skills.resources-and-prompts")
def test_bundled_skills_are_resources_and_prompts(talk) -> None:
    async def ask(client: Client) -> Any:
        resources = (await client.list_resources()).resources
        prompts = (await client.list_prompts()).prompts
        texts = [(await client.read_resource(resource.uri)).contents[0].text for resource in resources]
        prompted = [(await client.get_prompt(prompt.name)).messages[0].content.text for prompt in prompts]
        return resources, prompts, texts, prompted

    resources, prompts, texts, prompted = talk(ask)
    names = ["curation", "dream-consolidation", "explore-graph", "memory-inject", "topic-explorer"]
    assert [prompt.name for prompt in prompts] == names
    assert [resource.uri for resource in resources] == [f"skill://{name}/SKILL.md" for name in names]
    assert texts == prompted
    assert all(text.startswith(f"---\nname: {name}\n") for name, text in zip(names, texts, strict=True))
    assert all(not prompt.description.startswith('"') for prompt in prompts)


@pytest.mark.parametrize("uri", ["skill://none/SKILL.md", "file:///etc/passwd", "skill://curation/../demo"])
def test_no_other_resource_can_be_read(talk, uri: str) -> None:
    assert protocol_error(talk, lambda client: client.read_resource(uri)) == "Resource not found"


@pytest.mark.holds("house.mcp.markdown")
def test_a_model_is_told_what_came_of_an_ingest(sqlite_application: Application, tmp_path: Path) -> None:
    folder = tmp_path / "site"
    folder.mkdir()
    (folder / "a.md").write_text("# A\n\nSee [b](/docs/b/), [again](/docs/b) and [[nobody]].", encoding="utf-8")
    (folder / "b.md").write_text("# B\n\nBack to [a](/docs/a/).", encoding="utf-8")
    (tool,) = [tool for tool in open_toolsets(sqlite_application, ["graph"]) if tool.name == "ingest_folder"]
    text = tool.run({"path": str(folder), "name": "site"}, NOBODY, structured=False).content[0].text
    assert text.startswith("graph `site` revision 1\n2 notes, 2 links, score ")
    assert "Links from the site's root are read below /docs/" in text
    assert "To repair: brokenLinks 1, missingDescriptions 2" in text
