"""`ask answer`: a streamed answer, from the model in this process or from a server."""

import asyncio
import json
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

from loreweave.errors import Unavailable
from loreweave.faces.cli.ask_sources import endpoint_address, refusal_of
from loreweave.faces.cli.opened import opened
from loreweave.faces.cli.printing import say, write

DONE, FAILED = 0, 1
SILENCE_SECONDS = 120.0

Event = tuple[str, dict[str, Any]]


def show_answer(query: str, endpoint: str | None, graph: str | None, data: Path | None, as_json: bool) -> int:
    """The exit code. Ctrl-C cancels what runs, which closes the connection to the model."""
    return asyncio.run(_show(query, endpoint, graph, data, as_json))


async def _show(query: str, endpoint: str | None, graph: str | None, data: Path | None, as_json: bool) -> int:
    events = _from_server(query, endpoint, graph) if endpoint else _from_here(query, graph, data)
    show = _lines() if as_json else _terminal()
    show.send(None)
    failed = False
    try:
        async for event, value in events:
            failed = failed or event == "error"
            if event == "keyword" and value.get("warning"):
                say(f"ask: {value['warning']}")
            show.send((event, value))
            if event == "error":
                say(f"ask: {value['error']}")
    finally:
        show.close()
    return FAILED if failed else DONE


def _lines() -> Any:
    """One event a line, as they come."""
    while True:
        event, value = yield
        line = json.dumps({"event": event, "data": value}, ensure_ascii=False, separators=(",", ":"))
        write(line.encode() + b"\n")


def _terminal() -> Any:
    from loreweave.faces.cli.ask_views import AnswerOnTerminal

    shown = AnswerOnTerminal()
    try:
        while True:
            event, value = yield
            shown.show(event, value)
    finally:
        shown.end()


async def _from_here(query: str, graph: str | None, data: Path | None) -> AsyncIterator[Event]:
    from loreweave.contracts.ask import AskRequest, KeywordResponse
    from loreweave.contracts.wire import to_json
    from loreweave.faces.request_values import read_request

    with opened(data) as application:
        request = read_request(AskRequest, {"query": query, "mode": "agentic"}, takes_nul=True)
        answer = await application.answers.answer(request, graph)
        if isinstance(answer, KeywordResponse):
            yield "keyword", json.loads(to_json(answer))
            return
        try:
            async for event in answer:
                yield event.event, json.loads(to_json(event))
        finally:
            await answer.aclose()


async def _from_server(query: str, endpoint: str, graph: str | None) -> AsyncIterator[Event]:
    import httpx

    address = endpoint_address(endpoint)
    body = {"query": query, "mode": "agentic"}
    ended = False
    try:
        async with (
            httpx.AsyncClient(timeout=SILENCE_SECONDS) as client,
            client.stream("POST", address, json=body, params={"graph": graph} if graph else {}) as response,
        ):
            if response.status_code != 200:
                raise refusal_of(response.status_code, await response.aread())
            if not response.headers.get("content-type", "").startswith("text/event-stream"):
                yield "keyword", json.loads(await response.aread())
                return
            event = ""
            async for line in response.aiter_lines():
                if line.startswith("event: "):
                    event = line.removeprefix("event: ")
                elif line.startswith("data: "):
                    ended = event in ("done", "error")
                    yield event, json.loads(line.removeprefix("data: "))
    except (httpx.HTTPError, httpx.InvalidURL) as trouble:
        raise Unavailable(f"{address} cannot be reached: {trouble}") from None
    if not ended:
        raise Unavailable("The answer broke off before its end.")
