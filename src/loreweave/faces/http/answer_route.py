"""POST /api/ask: keyword results as JSON, or an answer as a stream of events; POST /api/chat: always a stream."""

import asyncio
from collections.abc import AsyncIterator, Coroutine
from typing import Any, Protocol, TypeVar

from starlette.requests import Request
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from loreweave.application import Application
from loreweave.contracts.ask import AnswerEvent, AskRequest, ChatEvent, ChatRequest, KeywordResponse
from loreweave.contracts.wire import to_json
from loreweave.faces.http.asked_values import bounded_body, graph_asked, json_object, only_asked, parse_object
from loreweave.faces.http.sent_answers import ServiceCalls, json_answer
from loreweave.faces.request_values import read_request


class StreamedAnswer(Protocol):
    """Events of an answer under way; closing it lets go of everything it holds."""

    def __aiter__(self) -> AsyncIterator[AnswerEvent] | AsyncIterator[ChatEvent]: ...

    async def aclose(self) -> None: ...


Begun = TypeVar("Begun")
MAX_BODY_BYTES = 64 * 1024
HEARTBEAT_SECONDS = 15.0
NOBODY_THERE = 499  # for the log of a proxy; the client is gone


class AnswerRoute:
    def __init__(self, application: Application, calls: ServiceCalls) -> None:
        self._application = application
        self._calls = calls

    async def endpoint(self, request: Request) -> Response:
        graph = graph_asked(request)
        # The contract knows no 415: whatever calls itself something else and is no JSON object is a bad body.
        values = parse_object(await bounded_body(request, MAX_BODY_BYTES))
        asked = read_request(AskRequest, values, takes_nul=True)
        if asked.mode == "keyword":
            return json_answer(await self._calls.read(self._application.asking.search, asked, graph))
        answer = await _unless_left(request.receive, self._application.answers.answer(asked, graph))
        if answer is None:
            return Response(status_code=NOBODY_THERE)
        return json_answer(answer) if isinstance(answer, KeywordResponse) else EventStream(answer)


class ChatRoute:
    def __init__(self, application: Application) -> None:
        self._application = application

    async def endpoint(self, request: Request) -> Response:
        only_asked(request)
        asked = read_request(ChatRequest, await json_object(request))
        turn = await _unless_left(request.receive, self._application.chat.stream(asked))
        return Response(status_code=NOBODY_THERE) if turn is None else EventStream(turn)


class EventStream(Response):
    """Server-sent events. A client that goes away ends the answer at once, and with it what it asks of a model."""

    media_type = "text/event-stream"

    def __init__(self, answer: StreamedAnswer) -> None:
        super().__init__(headers={"Cache-Control": "no-store", "X-Accel-Buffering": "no"})
        del self.headers["content-length"]
        self._answer = answer

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        sending = asyncio.ensure_future(self._send_all(send))
        leaving = asyncio.ensure_future(_left(receive))
        try:
            await asyncio.wait({sending, leaving}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in (sending, leaving):
                task.cancel()
            await asyncio.shield(asyncio.wait({sending, leaving}))
            await asyncio.shield(self._answer.aclose())
        if not sending.cancelled() and (trouble := sending.exception()) is not None:
            raise trouble

    async def _send_all(self, send: Send) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": self.raw_headers})
        async for chunk in _with_heartbeat(aiter(self._answer)):
            await send({"type": "http.response.body", "body": chunk, "more_body": True})
        await send({"type": "http.response.body", "body": b"", "more_body": False})


async def _with_heartbeat(events: AsyncIterator[Any]) -> AsyncIterator[bytes]:
    """A comment now and then keeps proxies from taking silence for the end."""
    following = asyncio.ensure_future(anext(events, None))
    try:
        while True:
            done, _ = await asyncio.wait({following}, timeout=HEARTBEAT_SECONDS)
            if not done:
                yield b": still here\n\n"
                continue
            event = following.result()
            if event is None:
                return
            yield b"event: " + event.event.encode() + b"\ndata: " + to_json(event) + b"\n"
            following = asyncio.ensure_future(anext(events, None))
    finally:
        following.cancel()
        await asyncio.wait({following})


async def _unless_left(receive: Receive, answering: Coroutine[Any, Any, Begun]) -> Begun | None:
    """What is answered; nothing, and nothing further asked of a model, where the client goes away before."""
    working = asyncio.ensure_future(answering)
    leaving = asyncio.ensure_future(_left(receive))
    try:
        await asyncio.wait({working, leaving}, return_when=asyncio.FIRST_COMPLETED)
        if working.done():
            return working.result()
    finally:
        for task in (working, leaving):
            task.cancel()
        await asyncio.shield(asyncio.wait({working, leaving}))
    begun = None if working.cancelled() or working.exception() else working.result()
    if (close := getattr(begun, "aclose", None)) is not None:
        await close()  # it began just when the client left
    return None


async def _left(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass
