"""The table of operations: one row is a route, its description and a tool; what is no row is not offered."""

from collections.abc import Callable
from typing import Annotated, Any

import anyio
import pytest
from mcp.client import Client
from pydantic import Field
from starlette.routing import Route
from starlette.testclient import TestClient

from loreweave.application import Application
from loreweave.contracts.wire import WireValue
from loreweave.errors import InvalidInput
from loreweave.faces.http.app import create_app
from loreweave.faces.mcp.server import create_server
from loreweave.faces.mcp.toolsets import TOOLSETS, Tool, open_toolsets, tool_request
from loreweave.operations.operation import READS, Address, AsTool, Caller, Operation
from loreweave.operations.table import OPERATIONS

# What no row could say: its own description, pages for people, and what stays open.
BESIDE = {"/api/openapi.json", "/docs", "/docs/{slug:path}", "/llms.txt", "/llms-full.txt", "/ws/session/{session_id}"}
BY_HAND = {"ingest", "ask", "chat", "import_memories"}  # bodies read and answers sent in parts


class GreetingRequest(WireValue):
    name: str
    times: Annotated[int, Field(ge=1, le=3)] = 1


class Greeting(WireValue):
    text: str


GREET = Operation(
    name="greet",
    summary="Say hello",
    request=GreetingRequest,
    answer=Greeting,
    call=lambda _, request, caller: Greeting(text=f"Hello {request.name}! " * request.times + f"({caller.client})"),
    http=Address(method="POST", path="/api/greetings/{name}", tag="greetings"),
    tool=AsTool(toolset="graph", title="Greet", description="Say hello to somebody."),
)
TABLE = (*OPERATIONS, GREET)


@pytest.fixture
def http(sqlite_application: Application) -> TestClient:
    return TestClient(create_app(sqlite_application, operations=TABLE), base_url="http://127.0.0.1:8000")


@pytest.fixture
def talk(sqlite_application: Application) -> Callable[[Callable[[Client], Any]], Any]:
    def run(ask: Callable[[Client], Any]) -> Any:
        async def connected() -> Any:
            async with Client(
                create_server(open_toolsets(sqlite_application, ["graph"], operations=TABLE), structured=True)
            ) as client:
                return await ask(client)

        return anyio.run(connected)

    return run


@pytest.mark.holds("house.operations.one-row")
def test_a_row_is_a_route(http: TestClient) -> None:
    assert http.post("/api/greetings/Ada", json={"times": 2}).json() == {"text": "Hello Ada! Hello Ada! (http)"}


@pytest.mark.holds("house.operations.one-row")
@pytest.mark.parametrize(
    ("values", "sentence"),
    [
        ({"times": 4}, "times must be from 1 to 3"),
        ({"times": "2"}, "times must be a whole number"),
        ({"tone": "warm"}, "Unknown field tone; known: times"),
        ({"name": "Bob"}, "Unknown field name"),
    ],
)
def test_a_rows_route_refuses_by_name(http: TestClient, values: dict[str, Any], sentence: str) -> None:
    refused = http.post("/api/greetings/Ada", json=values)
    assert (refused.status_code, refused.json()["error"]) == (400, sentence)


@pytest.mark.holds("house.operations.one-row")
def test_a_row_is_described(http: TestClient) -> None:
    document = http.get("/api/openapi.json").json()
    described = document["paths"]["/api/greetings/{name}"]["post"]
    assert (described["operationId"], described["summary"], described["tags"]) == ("greet", "Say hello", ["greetings"])
    assert [(given["name"], given["in"]) for given in described["parameters"]] == [("name", "path")]
    schemas = document["components"]["schemas"]
    assert described["requestBody"]["content"]["application/json"]["schema"]["$ref"].endswith("/GreetingRequest")
    assert list(schemas["GreetingRequest"]["properties"]) == ["times"]  # the address holds the name
    assert list(schemas["Greeting"]["properties"]) == ["text"]


@pytest.mark.holds("house.operations.one-row")
def test_a_row_is_a_tool(talk: Callable[[Callable[[Client], Any]], Any]) -> None:
    tools = {tool.name: tool for tool in talk(lambda client: client.list_tools()).tools}
    assert list(tools["greet"].input_schema["properties"]) == ["name", "times"]
    assert tools["greet"].output_schema["properties"]["text"]["type"] == "string"
    assert tools["greet"].annotations.read_only_hint is True
    greeted = talk(lambda client: client.call_tool("greet", {"name": "Ada"}))
    assert greeted.structured_content["text"].startswith("Hello Ada!")
    refused = talk(lambda client: client.call_tool("greet", {"name": "Ada", "tone": "warm"}))
    assert (refused.is_error, refused.structured_content["error"]) == (True, "Unknown field tone; known: name, times")


@pytest.mark.holds("house.operations.all-rows")
def test_every_route_comes_from_a_row(sqlite_application: Application) -> None:
    app = create_app(sqlite_application)
    offered = {
        (route.path, method) for route in app.routes if isinstance(route, Route) for method in route.methods - {"HEAD"}
    }
    rows = {(row.http.path, row.http.method) for row in OPERATIONS if row.http}
    slashed = {(f"{row.http.path}/", row.http.method) for row in OPERATIONS if row.http and row.http.slash}
    assert {place for place in offered if place[0] not in BESIDE} == rows | slashed


@pytest.mark.holds("house.operations.all-rows")
def test_every_tool_comes_from_a_row_and_every_toolset_has_one(sqlite_application: Application) -> None:
    offered = [tool.name for tool in open_toolsets(sqlite_application)]
    rows = [row for toolset in TOOLSETS for row in OPERATIONS if row.tool and row.tool.toolset == toolset]
    assert offered == [row.tool_name for row in rows]
    assert {row.tool.toolset for row in OPERATIONS if row.tool} == set(TOOLSETS)


@pytest.mark.holds("house.operations.all-rows")
def test_names_are_given_once() -> None:
    names = [row.name for row in OPERATIONS]
    tools = [row.tool_name for row in OPERATIONS if row.tool]
    assert (len(set(names)), len(set(tools))) == (len(names), len(tools))


@pytest.mark.holds("house.operations.all-rows")
def test_a_row_says_what_it_does_to_the_world() -> None:
    """A read is no POST that changes something; what is written by hand has no call, and nothing else has none."""
    assert {row.name for row in OPERATIONS if row.call is None} == BY_HAND
    for row in OPERATIONS:
        if row.http and row.http.method == "DELETE":
            assert row.hints.destructive, row.name
        if row.http and row.http.method == "GET":
            assert row.hints is READS, row.name


@pytest.mark.holds("house.mcp.null-is-left-out")
def test_null_counts_as_left_out_in_every_tool_but_for_yes_or_no(sqlite_application: Application) -> None:
    """Memory alone has sentences of its own; what is needed is never null."""
    given = {"spec": {}, "plan": {}}
    demo = next(row for row in OPERATIONS if row.name == "demo")
    demo.call(sqlite_application, demo.request(), Caller())
    seen = set()
    for row in OPERATIONS:
        if row.tool is None or row.read is not None:
            continue
        tool = Tool(sqlite_application, row, row.tool)
        for structured in (False, True):
            fields = tool_request(row, structured).model_fields
            needed = {name: given.get(name, "x") for name, told in fields.items() if told.is_required()}
            plain = tool.read_arguments(needed, structured)
            for name in fields.keys() - needed:
                seen.add(name)
                if fields[name].annotation is bool:
                    with pytest.raises(InvalidInput, match=f"^{name} "):
                        tool.read_arguments({**needed, name: None}, structured)
                else:
                    assert tool.read_arguments({**needed, name: None}, structured) == plain, (row.name, name)
    assert {"graphId", "limit", "maxTokens", "approved", "since"} <= seen
