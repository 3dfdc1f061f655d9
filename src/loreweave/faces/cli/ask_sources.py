"""Where `ask` reads from: a server, a digest file, or the data folder. All answer the bytes that HTTP answers."""

import json
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import quote, urlsplit

from loreweave.errors import InvalidInput, LoreError, NotFound, Unavailable
from loreweave.faces.cli.command_parts import given, opened

if TYPE_CHECKING:
    from loreweave.knowledge.answers.ask_service import AskService

SECONDS = 30.0
SILENCE_SECONDS = 120.0  # in an answer that comes piece by piece

Event = tuple[str, dict[str, Any]]


class LocalReader:
    """The service, in this process; each answers the body of the HTTP route of its name."""

    def __init__(self, service: "AskService", graph: str | None) -> None:
        self._service = service
        self._graph = graph

    def glossary(self) -> bytes:
        return _bytes(self._service.glossary(self._graph))

    def term(self, term: str) -> bytes:
        return _bytes(self._service.glossary_term(term, self._graph))

    def sections(self, group: str | None) -> bytes:
        return _bytes(self._service.sections(group, self._graph))

    def section(self, section: str) -> bytes:
        return _bytes(self._service.section(section, self._graph))

    def overview(self) -> bytes:
        return _bytes(self._service.overview(self._graph))

    def search(self, query: str, limit: int | None) -> bytes:
        from loreweave.contracts.ask import AskRequest
        from loreweave.faces.request_values import read_request

        return _bytes(self._service.search(read_request(AskRequest, given(query=query, limit=limit)), self._graph))


class EndpointReader:
    """A server that speaks contract 002, ours or another."""

    def __init__(self, endpoint: str, graph: str | None) -> None:
        self._address = endpoint_address(endpoint)
        self._query = {"graph": graph} if graph else {}

    def glossary(self) -> bytes:
        return self._get("/glossary")

    def term(self, term: str) -> bytes:
        return self._get("/glossary/" + quote(term, safe=""))

    def sections(self, group: str | None) -> bytes:
        return self._get("/sections", **given(group=group))

    def section(self, section: str) -> bytes:
        return self._get("/sections/" + quote(section, safe=""))

    def overview(self) -> bytes:
        return self._get("/overview")

    def search(self, query: str, limit: int | None) -> bytes:
        return self._send("POST", "", json=given(query=query, mode="keyword", limit=limit))

    def _get(self, path: str, **query: str) -> bytes:
        return self._send("GET", path, params={**self._query, **query})

    def _send(self, method: str, path: str, **arguments: Any) -> bytes:
        import httpx

        arguments.setdefault("params", self._query)
        try:
            answer = httpx.request(method, self._address + path, timeout=SECONDS, **arguments)
        except (httpx.HTTPError, httpx.InvalidURL) as trouble:
            raise Unavailable(f"{self._address} cannot be reached: {trouble}") from None
        if answer.status_code != 200:
            raise refusal_of(answer.status_code, answer.content)
        return answer.content


def endpoint_address(endpoint: str) -> str:
    """The address of /api/ask, from itself or from the origin."""
    parts = urlsplit(endpoint)
    if parts.scheme not in ("http", "https") or not parts.netloc:
        raise InvalidInput(f"{endpoint!r} is no http address", field="endpoint")
    address = endpoint.rstrip("/")
    return address if parts.path.strip("/") else address + "/api/ask"


def refusal_of(status: int, body: bytes) -> LoreError:
    """What the server says, with what it takes for meant."""
    try:
        shape = json.loads(body)
        sentence, nearest = str(shape["error"]), [str(one) for one in shape.get("nearest", ())]
    except (ValueError, KeyError, TypeError, AttributeError):
        sentence, nearest = f"The server answered {status}.", []
    return (NotFound if status == 404 else Unavailable)(sentence, **given(nearest=nearest or None))


@contextmanager
def reading(
    endpoint: str | None, digest: Path | None, graph: str | None, data: Path | None
) -> Iterator[LocalReader | EndpointReader]:
    if endpoint:
        yield EndpointReader(endpoint, graph)
        return
    from loreweave.application import asking_file

    with opened(data, "unused" if digest else "read") as application:
        service = asking_file(application, content_of(digest)) if digest else application.asking
        yield LocalReader(service, None if digest else graph)


def content_of(digest: Path) -> bytes:
    try:
        return digest.read_bytes()
    except OSError as trouble:
        raise NotFound(f"{digest} cannot be read: {trouble.strerror}") from None


def _bytes(answer: Any) -> bytes:
    from loreweave.contracts.wire import to_json

    return to_json(answer)


async def answer_here(query: str, graph: str | None, data: Path | None) -> AsyncIterator[Event]:
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


async def answer_from_server(query: str, endpoint: str, graph: str | None) -> AsyncIterator[Event]:
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
