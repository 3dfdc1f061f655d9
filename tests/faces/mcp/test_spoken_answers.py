"""What a model is handed: one block of text within its budget, by a foreign tokenizer, and how to get the rest."""

import json
import re
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import anyio
import pytest
from mcp import Client
from mcp.client.stdio import StdioServerParameters, stdio_client
from mcp.client.streamable_http import streamable_http_client
from rs_bpe.bpe import openai
from tests import forked
from tests.faces.served import LORE

from loreweave.application import Application, open_application
from loreweave.faces.mcp.resources import SectionResources
from loreweave.faces.mcp.server import create_server
from loreweave.faces.mcp.toolsets import open_toolsets
from loreweave.settings import Settings

TOKENIZER = openai.o200k_base()
LIST_TOKENS, ANSWER_TOKENS = 5_500, 2_500
PAGES, PARTS = 120, 8
SECTIONS = PAGES * (PARTS + 1)
MORE = re.compile(r'(\d+) more: call again with cursor: "(\d+)"\.$')
SENTENCE = "the engine keeps a journal of every change so that a lost power line costs nothing at all"
Speak = Callable[..., str]


def page(number: int) -> str:
    """A page of eight sections that links to its neighbours and to the hub."""
    lines = ["---", f"title: Page {number}", "---", f"Page {number} of a handbook. See [the hub](../a/page-0.md)."]
    for part in range(PARTS):
        words = SENTENCE.split()
        text = " ".join(words[(number + part + place) % len(words)] for place in range(60))
        lines += ["", f"## Part {part} of {number}", "", f"Topic{number} holds marker{number}x{part}: {text}."]
    return "\n".join([*lines, "", f"Next is [page](../{'abc'[(number + 1) % 3]}/page-{number + 1}.md)."])


@pytest.fixture(scope="module")
def handbook() -> Iterator[Application]:
    """Larger than any answer may be."""
    with tempfile.TemporaryDirectory() as place:
        for number in range(PAGES):
            file = Path(place, "docs", "abc"[number % 3], f"page-{number}.md")
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(page(number), encoding="utf-8")
        opened = open_application(Settings(data_dir=Path(place, "data"), embedder="none"))
        opened.graphs.ingest_folder(Path(place, "docs"), name="handbook")
        yield opened
        opened.close()


def conversation(application: Application, ask: Callable[[Client], Any], structured: bool = False) -> Any:
    async def connected() -> Any:
        server = create_server(open_toolsets(application), SectionResources(application), structured=structured)
        async with Client(server) as client:
            return await ask(client)

    return anyio.run(connected)


@pytest.fixture
def speak(handbook: Application) -> Speak:
    def say(tool: str, **arguments: Any) -> str:
        answer = conversation(handbook, lambda client: client.call_tool(tool, arguments))
        assert not answer.is_error, answer.content
        assert answer.structured_content is None
        (block,) = answer.content
        return block.text

    return say


DEFAULTS: list[tuple[str, dict[str, Any]]] = [
    ("list_graphs", {}), ("scan", {}), ("scan", {"query": "page"}), ("context", {"query": "marker7x3 journal"}),
    ("context", {"query": "engine journal"}), ("traverse", {}), ("traverse", {"query": "engine"}), ("stats", {}),
    *(("read_node", {"id": "page-0", "level": level}) for level in range(5)), ("validate", {}), ("overview", {}),
    ("sections_list", {}), ("glossary_list", {}), ("search", {"query": "engine journal"}),
    ("answer", {"query": "engine"}), ("section_get", {"id": "a/page-0#part-1-of-0"}), ("next_skill", {}),
    ("reachable_skills", {}), ("route_checkup", {}), ("read_skill", {"id": "page-0"}),
    ("get_memetic_status", {}), ("search_memories", {"query": "x"}),
    ("list_deleted", {}),
]  # fmt: skip


@pytest.mark.holds("house.mcp.answers-fit")
@pytest.mark.parametrize(("tool", "arguments"), DEFAULTS)
def test_no_answer_is_long_unless_more_is_asked_for(speak: Speak, tool: str, arguments: dict[str, Any]) -> None:
    assert 0 < TOKENIZER.count(speak(tool, **arguments)) <= ANSWER_TOKENS


@pytest.mark.holds("house.mcp.packs-fit")
@pytest.mark.parametrize("tool", ["context", "traverse"])
@pytest.mark.parametrize("budget", [0, 3, 20, 60, 150, 700, 3_000, 8_000])
def test_a_pack_is_whole_within_its_budget(speak: Speak, tool: str, budget: int) -> None:
    text = speak(tool, query="engine journal topic7", tokenBudget=budget)
    assert TOKENIZER.count(text) <= budget
    if budget >= 3_000:
        assert text.startswith("graph `handbook` revision 1 · entry `")
        assert re.search(r"^\*\*Page \d+\*\* `skill:page-\d+` · level [34]$", text, re.MULTILINE)


@pytest.mark.holds("house.mcp.answers-fit")
@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("read_node", {"id": "page-0", "level": 4}), ("section_get", {"id": "a/page-0#part-1-of-0"}),
        ("search", {"query": "engine", "limit": 50}), ("overview", {}), ("answer", {"query": "engine"}),
        ("read_node", {"id": "page-0", "level": 2}), ("read_skill", {"id": "page-0"}), ("reachable_skills", {}),
    ],
)  # fmt: skip
def test_an_answer_keeps_to_the_tokens_it_is_given_and_says_that_there_is_more(
    speak: Speak, tool: str, arguments: dict[str, Any]
) -> None:
    text = speak(tool, maxTokens=100, **arguments)
    assert 0 < TOKENIZER.count(text) <= 100
    assert "more" in text or "leftOut" in text
    assert TOKENIZER.count(speak(tool, maxTokens=900, **arguments)) > TOKENIZER.count(text)


@pytest.mark.holds("house.mcp.markdown")
def test_a_pack_tells_ids_levels_headings_and_text(speak: Speak) -> None:
    text = speak("context", query="marker7x3 topic7", tokenBudget=3_000)
    assert "**Page 7** `skill:page-7` · level" in text
    assert "## Part 3 of 7" in text
    assert "marker7x3" in text


@pytest.mark.holds("retrieval.packs.nothing-matched", "retrieval.packs.level-three")
def test_a_pack_names_what_it_leaves_out_and_says_when_nothing_matched(speak: Speak) -> None:
    text = speak("context", query="marker7x3 topic7", tokenBudget=400, maxNodes=1)
    assert "[…]" in text
    assert re.search(r"Left out: `part-\d-of-7` \(\d+\)", text)
    for tool in ("context", "traverse"):
        assert "othing matched" in speak(tool, query="zzyzx")


@pytest.mark.holds("house.mcp.markdown")
def test_a_section_is_its_text(speak: Speak, handbook: Application) -> None:
    text = speak("section_get", id="b/page-7#part-3-of-7")
    assert handbook.pages.section_source("b/page-7#part-3-of-7").strip() in text
    assert text.startswith("**Page 7 › Part 3 of 7** `b/page-7#part-3-of-7`\ngraph `handbook`")


@pytest.mark.holds("house.mcp.markdown", "graph.levels.one-section")
def test_one_section_of_a_note_is_told_alone(speak: Speak) -> None:
    text = speak("read_node", id="page-7", section="part-3-of-7")
    assert text.startswith("**Page 7** `skill:page-7` section `part-3-of-7`\ngraph `handbook`")
    assert "marker7x3" in text
    assert "marker7x4" not in text


@pytest.mark.holds("house.mcp.markdown")
def test_what_is_found_is_told_with_ids_and_links(speak: Speak) -> None:
    found = speak("search", query="marker7x3")
    assert "**Page 7 › Part 3 of 7** `b/page-7#part-3-of-7`\n/docs/b/page-7#part-3-of-7\n" in found
    assert speak("search", query="qqqq") == "graph `handbook`\n\nNothing matched."
    assert "Nothing matched." in speak("scan", query="qqqq")


@pytest.mark.holds("house.mcp.lists-by-the-page")
@pytest.mark.parametrize(("tool", "limit", "total"), [("overview", 40, PAGES), ("sections_list", 400, SECTIONS)])
def test_a_list_can_be_read_to_its_end_by_the_page(speak: Speak, tool: str, limit: int, total: int) -> None:
    seen: list[str] = []
    cursor: dict[str, str] = {}
    while "more to read":
        text = speak(tool, limit=limit, **cursor)
        lines = [line for line in text.splitlines() if line.startswith("- ")]
        assert 0 < len(lines) <= limit
        seen += lines
        found = MORE.search(text)
        if found is None:
            break
        assert int(found[1]) == total - len(seen)
        cursor = {"cursor": found[2]}
    assert len(seen) == len(set(seen)) == total


@pytest.mark.holds("house.mcp.lists-by-the-page")
def test_bearings_begin_with_groups_counts_and_the_most_linked_pages(speak: Speak) -> None:
    head = speak("overview").split("\n- ", 1)[0].splitlines()
    assert head[0] == f"graph `handbook` · {PAGES} pages, {SECTIONS} sections"
    assert head[1] == "Groups, by pages: a (40), b (40), c (40)"
    assert head[2].startswith("Most linked: `a/page-0` Page 0, ")


def test_a_cursor_that_is_not_ours_is_refused(handbook: Application) -> None:
    refused = conversation(handbook, lambda client: client.call_tool("overview", {"cursor": "next"}))
    assert refused.is_error
    assert refused.structured_content["field"] == "cursor"


@pytest.mark.holds("house.mcp.graph-may-be-left-out")
def test_a_graph_may_be_left_out_and_has_two_names(handbook: Application) -> None:
    async def ask(client: Client) -> list[tuple[str, list[str]]]:
        answers = []
        for tool, arguments in DEFAULTS[1:-3]:
            named: list[dict[str, str]] = [{}, {"graph": "handbook"}, {"graphId": "handbook"}]
            said = [(await client.call_tool(tool, {**arguments, **graph})).content[0].text for graph in named]
            answers.append((tool, said))
        return answers

    for tool, (unnamed, *named) in conversation(handbook, ask):
        assert "handbook" in unnamed, tool
        assert named == [unnamed, unnamed], tool


@pytest.mark.holds("house.mcp.unknown-arguments")
@pytest.mark.parametrize(
    ("tool", "arguments", "sentence"),
    [
        ("overview", {"page": 2}, "Unknown field page; known: graphId, limit, cursor, maxTokens"),
        ("context", {"query": "x", "words": 2}, "Unknown field words; known: graphId, query, tokenBudget, maxNodes"),
        ("next_skill", {"context": {"mesage": ""}}, "Unknown field context.mesage; known: userMessage, iteration, "),
    ],
)
def test_an_unknown_field_is_told_with_the_known_ones(
    handbook: Application, tool: str, arguments: dict[str, Any], sentence: str
) -> None:
    refused = conversation(handbook, lambda client: client.call_tool(tool, arguments))
    assert refused.is_error
    sentences = [refused.content[0].text, refused.structured_content["error"]]
    assert all(said.startswith(sentence) for said in sentences)


@pytest.mark.holds("house.mcp.nearest-names")
@pytest.mark.parametrize(
    ("tool", "arguments", "sentence"),
    [
        ("scan", {"graphId": "xyz"}, "There is no graph 'xyz': there is handbook."),
        ("scan", {"graphId": "handbok"}, "There is no graph 'handbok'. Did you mean handbook?"),
        ("read_node", {"id": "pag-7"}, "The graph handbook has no node 'pag-7'. Did you mean skill:page-7"),
    ],
)
def test_an_unknown_name_is_told_with_those_that_may_be_meant(
    handbook: Application, tool: str, arguments: dict[str, Any], sentence: str
) -> None:
    refused = conversation(handbook, lambda client: client.call_tool(tool, arguments))
    assert refused.is_error
    assert refused.content[0].text.startswith(sentence)
    exact = conversation(handbook, lambda client: client.call_tool(tool, arguments), structured=True)
    assert exact.content[0].text == exact.structured_content["error"]
    assert sentence.startswith(exact.content[0].text.rstrip("."))


@pytest.mark.holds("house.mcp.unknown-arguments")
def test_memory_lists_its_fields_beside_its_own_sentence(handbook: Application) -> None:
    refused = conversation(handbook, lambda client: client.call_tool("get_memory", {"id": "x"}))
    assert refused.content[0].text == "Unknown argument 'id'; known: node_id, include_deleted, history"
    assert refused.structured_content["error"] == "Unknown argument 'id'"
    assert refused.structured_content["known"] == ["node_id", "include_deleted", "history"]


@pytest.mark.holds("house.mcp.records")
def test_records_are_compact_json(handbook: Application) -> None:
    async def ask(client: Client) -> list[Any]:
        return [
            await client.call_tool("store_memory", {"content": "Tokens live for an hour."}),
            await client.call_tool("get_memetic_status", {}),
            await client.call_tool("reachable_skills", {"maxTokens": 200}),
        ]

    answers = conversation(handbook, ask)
    records = [json.loads(answer.content[0].text) for answer in answers]
    for answer, record in zip(answers, records, strict=True):
        assert answer.structured_content is None
        assert answer.content[0].text == json.dumps(record, ensure_ascii=False, separators=(",", ":"))
    assert records[1]["counts"]["live"] == 1
    assert records[2]["graphId"] == "handbook"
    assert records[2]["leftOut"]["reachable"] + len(records[2]["reachable"]) == PAGES


def list_tokens(tools: list[Any]) -> int:
    return TOKENIZER.count(
        json.dumps([tool.model_dump(by_alias=True, mode="json", exclude_none=True) for tool in tools])
    )


async def look(client: Client) -> tuple[list[Any], Any]:
    return (await client.list_tools()).tools, await client.call_tool("list_graphs", {})


def check_spoken(tools: list[Any], graphs: Any) -> None:
    assert list_tokens(tools) < LIST_TOKENS
    assert [tool.name for tool in tools if tool.output_schema or tool.title or "title" in str(tool.input_schema)] == []
    assert (graphs.structured_content, graphs.content[0].text) == (None, "0 graphs")


def check_structured(tools: list[Any], graphs: Any) -> None:
    assert all(tool.output_schema["type"] == "object" for tool in tools)
    assert graphs.structured_content == {"graphs": []}
    assert json.loads(graphs.content[0].text) == {"graphs": []}


@pytest.mark.holds("house.mcp.two-ways", "house.mcp.short-list", "house.mcp.output-schemas")
def test_stdio_speaks_to_models_and_with_a_flag_to_programs(tmp_path: Path) -> None:
    async def connected(*options: str) -> Any:
        python, *words = forked.standing_in([*LORE, "mcp", "--data", str(tmp_path / "data"), *options])
        async with Client(stdio_client(StdioServerParameters(command=python, args=words))) as client:
            return await look(client)

    check_spoken(*anyio.run(connected))
    check_structured(*anyio.run(connected, "--structured"))


@pytest.mark.holds("house.mcp.two-ways", "house.mcp.short-list", "house.mcp.output-schemas")
def test_http_speaks_to_models_and_at_another_address_to_programs(tmp_path: Path, serve) -> None:
    async def connected(url: str) -> Any:
        async with Client(streamable_http_client(url)) as client:
            return await look(client)

    with serve(tmp_path / "data") as address:
        check_spoken(*anyio.run(connected, f"{address}/mcp"))
        check_structured(*anyio.run(connected, f"{address}/mcp?structured=1"))
