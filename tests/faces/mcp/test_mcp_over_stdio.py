"""`lore mcp`: the official client over stdin and stdout, and what a broken client may send."""

import json
import sys
from pathlib import Path
from typing import Any

import anyio
import pytest
from mcp import Client
from mcp.client.stdio import StdioServerParameters, stdio_client
from tests import forked
from tests.pace import PATIENCE

LORE = [sys.executable, "-m", "loreweave.faces.cli.lore"]


def message(method: str, number: int | None = None, **params: Any) -> bytes:
    shape: dict[str, Any] = {"jsonrpc": "2.0", "method": method, "params": params}
    if number is not None:
        shape["id"] = number
    return json.dumps(shape).encode() + b"\n"


HELLO = message(
    "initialize",
    1,
    protocolVersion="2025-06-18",
    capabilities={},
    clientInfo={"name": "test", "version": "1"},
) + message("notifications/initialized")


def speak(data: Path, *lines: bytes) -> list[dict[str, Any]]:
    """Everything the server says to these lines until its stdin ends; all of it must be protocol."""
    done = forked.run(
        [*LORE, "mcp", "--structured", "--data", str(data)],
        input=b"".join(lines),
        capture_output=True,
        timeout=PATIENCE,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return [json.loads(line) for line in done.stdout.splitlines()]


@pytest.mark.holds("house.mcp.both-transports", "house.commands.mcp-stdio-clean")
def test_the_official_client_reads_a_graph_over_stdio(tmp_path: Path, vault: Path) -> None:
    async def conversation() -> Any:
        python, *words = forked.standing_in([*LORE, "mcp", "--structured", "--data", str(tmp_path / "data")])
        async with Client(stdio_client(StdioServerParameters(command=python, args=words))) as client:
            await client.call_tool("ingest_folder", {"path": str(vault), "name": "sample"})
            found = await client.call_tool("scan", {"graphId": "sample", "query": "reframing"})
            refused = await client.call_tool("scan", {"graphId": "sample", "nonsense": 1})
            return found.structured_content, refused

    found, refused = anyio.run(conversation)
    assert [node["id"] for node in found["results"]] == ["skill:reframing"]
    assert refused.is_error
    assert refused.structured_content["field"] == "nonsense"


@pytest.mark.holds("house.commands.mcp-stdio-clean")
def test_garbage_never_ends_the_process(tmp_path: Path) -> None:
    garbage = [
        b"\n", b"not json\n", b"\xff\xfe\x00\n", b"[]\n", b"null\n", b"{}\n", b'{"jsonrpc":"1.0","id":1}\n',
        b"[" * 50_000 + b"\n", b'{"jsonrpc":"2.0","id":9,"method":"\\ud800"}\n', b"x" * 200_000 + b"\n",
        message("no/such/method", 7), message("notifications/nonsense"),
    ]  # fmt: skip
    answers = speak(tmp_path / "data", HELLO, *garbage, message("ping", 8))
    assert {"jsonrpc": "2.0", "id": 8, "result": {}} in answers
    assert all(answer["jsonrpc"] == "2.0" for answer in answers)
    (unknown,) = [answer for answer in answers if answer.get("id") == 7]
    assert unknown["error"]["code"] == -32601


@pytest.mark.holds("house.mcp.failures-are-results")
@pytest.mark.parametrize("arguments", ["text", [], 5, True])
def test_arguments_that_are_no_object_are_a_failed_result(tmp_path: Path, arguments: Any) -> None:
    answers = speak(tmp_path / "data", HELLO, message("tools/call", 2, name="scan", arguments=arguments))
    (answer,) = [answer for answer in answers if answer.get("id") == 2]
    assert answer["result"]["isError"] is True
    assert answer["result"]["structuredContent"]["field"] == "arguments"


def test_absent_arguments_are_an_empty_object(tmp_path: Path) -> None:
    answers = speak(tmp_path / "data", HELLO, message("tools/call", 2, name="list_graphs"))
    (answer,) = [answer for answer in answers if answer.get("id") == 2]
    assert answer["result"]["structuredContent"] == {"graphs": []}


@pytest.mark.holds("house.commands.mcp-toolsets", "house.cli.exit-codes")
def test_an_unknown_toolset_is_wrong_usage(tmp_path: Path) -> None:
    command = [*LORE, "mcp", "--data", str(tmp_path), "--toolsets", "graph,magic"]
    done = forked.run(command, input=b"", capture_output=True, timeout=PATIENCE, check=False)
    assert (done.returncode, done.stdout) == (2, b"")
    assert b"There is no toolset 'magic'" in done.stderr


@pytest.mark.lengthy(6)
@pytest.mark.holds("house.mcp.every-message-is-answered")
@pytest.mark.parametrize(
    ("line", "number", "code"),
    [
        (b"not json", None, -32700),
        (b"[" * 5_000, None, -32700),
        (b'{"jsonrpc":"2.0","id":9,"method":"ping","params":{"a":"\\ud800"}}', 9, -32700),
        (b'{"jsonrpc":"2.0","id":9,"method":"\\ud800"}', 9, -32700),
        (b'{"jsonrpc":"2.0","id":"\\ud800","method":"ping"}', None, -32700),
        (b'{"jsonrpc":"2.0","id":9,"method":"tools/call","params":{"name":"\\ud800","arguments":{}}}', 9, -32700),
        (b'{"jsonrpc":"2.0","id":"nine","method":"ping","params":[1]}', "nine", -32600),
        (b'{"jsonrpc":"1.0","id":9,"method":"ping"}', 9, -32600),
        (b'{"id":9,"result":{}}', None, -32600),
        (b"{}", None, -32600),
        (b"[]", None, -32600),
        (b"5", None, -32600),
    ],
)
def test_a_line_that_is_no_message_is_answered(tmp_path: Path, line: bytes, number: Any, code: int) -> None:
    answers = speak(tmp_path / "data", HELLO, line + b"\n", b"\n", message("ping", 2))
    (refused,) = [answer for answer in answers if "error" in answer]
    assert refused["id"] == number
    assert refused["error"]["code"] == code
    assert "\n" not in refused["error"]["message"]
    assert {"jsonrpc": "2.0", "id": 2, "result": {}} in answers


@pytest.mark.holds("house.mcp.every-message-is-answered", "house.mcp.failures-are-results")
def test_arguments_that_cannot_be_read_are_a_failed_result(tmp_path: Path) -> None:
    arguments = {"graphId": "a", "query": "\ud800"}
    answers = speak(tmp_path / "data", HELLO, message("tools/call", 2, name="scan", arguments=arguments))
    (answer,) = [answer for answer in answers if answer.get("id") == 2]
    assert answer["result"]["isError"] is True
    shape = answer["result"]["structuredContent"]
    assert (shape["code"], shape["field"]) == ("invalid_input", "arguments")
    assert answer["result"]["content"][0]["text"] == shape["error"]


@pytest.mark.holds("house.mcp.every-message-is-answered")
@pytest.mark.parametrize("name", [["scan"], {"a": 1}, 5, None])
def test_a_tools_name_that_is_no_text_is_a_protocol_error(tmp_path: Path, name: Any) -> None:
    call = message("tools/call", 2, name=name, arguments={})
    command = [*LORE, "mcp", "--data", str(tmp_path / "data")]
    done = forked.run(command, input=HELLO + call, capture_output=True, timeout=PATIENCE, check=True)
    (answer,) = [json.loads(line) for line in done.stdout.splitlines() if json.loads(line).get("id") == 2]
    assert answer["error"] == {"code": -32602, "message": "name must be the name of a tool"}
    assert b"Traceback" not in done.stderr


@pytest.mark.holds("memory.tools.numbers-on-the-wire")
@pytest.mark.parametrize("number", [b"NaN", b"Infinity", b"-Infinity", b"1e400", b"9" * 5000])
def test_a_literal_that_is_no_number_is_never_met_with_silence(tmp_path: Path, number: bytes) -> None:
    call = message("tools/call", 2, name="boost_importance", arguments={"node_id": "x", "delta": "HERE"})
    answers = speak(tmp_path / "data", HELLO, call.replace(b'"HERE"', number), message("ping", 3))
    (answer,) = [answer for answer in answers if answer.get("id") == 2]
    assert answer["result"]["isError"] is True
    assert answer["result"]["structuredContent"]["error"] == "delta must be a finite number"
    assert {"jsonrpc": "2.0", "id": 3, "result": {}} in answers


@pytest.mark.holds("memory.tools.numbers-on-the-wire")
def test_half_a_surrogate_pair_is_refused_in_its_fields_name(tmp_path: Path) -> None:
    call = message("tools/call", 2, name="store_memory", arguments={"content": "text", "name": "\ud800"})
    (answer,) = [answer for answer in speak(tmp_path / "data", HELLO, call) if answer.get("id") == 2]
    shape = answer["result"]["structuredContent"]
    assert (shape["code"], shape["field"]) == ("invalid_argument", "name")


@pytest.mark.holds("memory.tools.hostile-lines")
def test_lines_of_ten_mebibytes_and_bytes_that_are_no_text_never_end_the_process(tmp_path: Path) -> None:
    long = b"x" * (10 * 1024 * 1024) + b"\n"
    large = message("tools/call", 2, name="store_memory", arguments={"content": "y" * (10 * 1024 * 1024)})
    answers = speak(tmp_path / "data", HELLO, long, b"\xff\xfe\xfd\n", large, message("ping", 3))
    assert {"jsonrpc": "2.0", "id": 3, "result": {}} in answers
    (refused,) = [answer for answer in answers if answer.get("id") == 2]
    assert refused["result"]["structuredContent"]["error"] == "content must be at most 65536 characters"
    assert sum("error" in answer for answer in answers) == 2


@pytest.mark.holds("memory.tools.status-needs-nothing")
def test_status_works_without_arguments_on_an_empty_store(tmp_path: Path) -> None:
    plain = message("tools/call", 2, name="get_memetic_status")
    empty = message("tools/call", 3, name="get_memetic_status", arguments={})
    answers = {answer.get("id"): answer for answer in speak(tmp_path / "data", HELLO, plain, empty)}
    assert answers[2]["result"] == answers[3]["result"]
    assert answers[2]["result"]["structuredContent"]["suggested_action"] == "ready"


@pytest.mark.holds("memory.arguments.never-a-hard-delete-by-accident")
def test_an_argument_given_twice_is_refused_whatever_it_says(tmp_path: Path) -> None:
    identity = "550e8400-e29b-41d4-a716-446655440000"
    call = message("tools/call", 2, name="forget_concept", arguments={"node_id": identity, "soft_delete": True})
    twice = call.replace(b'"soft_delete": true', b'"soft_delete": true, "soft_delete": false')
    twice = twice.replace(b"tools/call", rb"tools\/call")
    answers = speak(tmp_path / "data", HELLO, twice, message("ping", 3))
    (answer,) = [answer for answer in answers if answer.get("id") == 2]
    assert answer["result"]["isError"] is True
    shape = answer["result"]["structuredContent"]
    assert "soft_delete is given twice" in shape["error"]
    assert shape["code"] == "invalid_argument"
    assert {"jsonrpc": "2.0", "id": 3, "result": {}} in answers


@pytest.mark.holds("memory.tools.failures")
def test_memory_says_in_its_own_code_that_arguments_are_no_object(tmp_path: Path) -> None:
    answers = speak(tmp_path / "data", HELLO, message("tools/call", 2, name="store_memory", arguments=["text"]))
    (answer,) = [answer for answer in answers if answer.get("id") == 2]
    assert answer["result"]["structuredContent"]["code"] == "invalid_argument"
