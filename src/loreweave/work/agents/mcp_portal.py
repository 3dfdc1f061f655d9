"""A stranger's program whose tools agents may use: it runs in the sandbox and speaks MCP over two pipes.

What it says of its tools is data like any other, and so is what they answer: bounded, boxed, and never an instruction.
"""

from __future__ import annotations

import asyncio
import json
import logging
import os
import re
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from typing import Any

from loreweave.end_tasks import unhurried
from loreweave.errors import TooLarge, Unavailable
from loreweave.language.strange_text import boxed
from loreweave.seams.host.sandbox import BESIDE_AS, Command, CommandResult, Sandbox
from loreweave.seams.models.language_model import OfferedTool
from loreweave.work.agents.agent_voice import storable

_LOG = logging.getLogger("loreweave.agents")
OPEN_SECONDS = 30.0
CALL_SECONDS = 60.0
LIFE_SECONDS = 6 * 3600.0
OPENINGS = 3  # of one portal in one build
MOST_TOOLS = 32  # of one portal
LONGEST_LINE = 1024 * 1024  # bytes of one message
LINES_A_SECOND = 500
_CHUNK = 65_536
ARGUMENT_BYTES = 65_536
SHOWN = 65_536  # characters of an answer
_DESCRIPTION = 2_000
_DEPTH, _PROPERTIES, _CHOICES = 4, 50, 50
_NAME = re.compile(r"[^A-Za-z0-9_-]+")
_TYPES = ("string", "number", "integer", "boolean", "array", "object", "null")
# Runs inside: takes its two pipes for input and output, and becomes the program.
_STARTER = """
import os, sys
for place, (name, mode) in enumerate((("in", os.O_RDONLY), ("out", os.O_WRONLY))):
    pipe = os.open(os.path.join(sys.argv[1], name), mode)
    os.dup2(pipe, place)
    os.close(pipe)
os.execv(sys.argv[2], sys.argv[2:])
"""


@dataclass(frozen=True, slots=True)
class PortalTool:
    """`offered` is how agents see it; `name` is the portal's own word for it."""

    offered: OfferedTool
    name: str
    portal: McpPortal


@dataclass
class McpPortal:
    """One program. It is opened, by whoever first needs it, and closed with its build; between, it may die."""

    title: str
    prefix: str  # of the names of its tools
    argv: Sequence[str]
    environment: Mapping[str, str]
    folder: Path
    sandbox: Sandbox
    openings: int = 0
    tools: list[PortalTool] = field(default_factory=list)
    _client: Any = None
    _life: asyncio.Task[None] | None = None

    @property
    def is_open(self) -> bool:
        return self._client is not None

    async def open(self) -> None:
        """`Unavailable` says why it could not be."""
        self.openings += 1
        if not self.argv:
            raise Unavailable("its program is not installed")
        if self.sandbox.kind != "bubblewrap":
            raise Unavailable("without a sandbox its program would reach this computer's own network")
        ready: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._life = asyncio.create_task(self._live(ready))
        try:
            async with asyncio.timeout(OPEN_SECONDS):
                await asyncio.shield(ready)
        except TimeoutError:
            await self.close()
            raise Unavailable(f"it did not answer within {OPEN_SECONDS:g} seconds") from None

    async def close(self) -> None:
        if self._life is not None:
            self._life.cancel()
            await unhurried(asyncio.wait({self._life}))

    async def call(self, name: str, arguments: Mapping[str, Any]) -> str:
        if len(json.dumps(arguments)) > ARGUMENT_BYTES:
            raise TooLarge("The arguments are too long", what="arguments")
        if self._client is None:
            raise Unavailable(f"The portal {self.title!r} has ended")
        try:
            answer = await self._client.call_tool(name, dict(arguments), read_timeout_seconds=CALL_SECONDS)
        except Exception as trouble:
            _LOG.warning("a tool of a portal failed: %s", type(trouble).__name__)
            raise Unavailable(f"The portal {self.title!r} did not answer") from None
        text = storable(_answer_text(answer))[:SHOWN]
        if answer.is_error:
            raise Unavailable(f"The tool failed\n{boxed('portal', text)}")
        return boxed("portal", text)

    async def _live(self, ready: asyncio.Future[None]) -> None:
        """From its start to its end, in one task: who has opened a client must close it."""
        said = ""
        try:
            client_of = (await asyncio.to_thread(import_module, "mcp")).Client
            with tempfile.TemporaryDirectory(prefix="lore-portal-") as place:
                async with _lines_of(self, Path(place)) as (lines, running), client_of(lines) as client:
                    self.tools = _tools(self, (await client.list_tools()).tools)
                    self._client = client
                    ready.set_result(None)
                    await asyncio.wait({running})
        except Exception as trouble:
            said = f"it does not speak MCP ({type(trouble).__name__})"
        finally:
            self._client = None
            if not ready.done():
                ready.set_exception(Unavailable(said or "it ended"))
                ready.exception()  # whoever waited may have left


@asynccontextmanager
async def _lines_of(portal: McpPortal, place: Path) -> AsyncIterator[tuple[Any, asyncio.Task[CommandResult]]]:
    """The program, running, and the transport by which a client speaks to it."""
    for name in ("in", "out"):
        os.mkfifo(place / name, 0o600)
    spoken = os.open(place / "in", os.O_RDWR | os.O_NONBLOCK | os.O_CLOEXEC)  # waits for nobody to open it
    command = Command(
        argv=(sys.executable, "-I", "-S", "-c", _STARTER, BESIDE_AS, *portal.argv),
        folder=portal.folder,
        network=True,
        seconds=LIFE_SECONDS,
        environment=dict(portal.environment),
        beside=place,
    )
    running = asyncio.ensure_future(portal.sandbox.run(command))
    try:
        yield _transport(place / "out", spoken, running), running
    finally:
        running.cancel()
        try:
            await unhurried(asyncio.wait({running}))  # however often somebody is in a hurry: no process is left
        finally:
            os.close(spoken)
            if running.done() and not running.cancelled():
                running.exception()


@asynccontextmanager
async def _transport(out: Path, spoken: int, running: asyncio.Task[CommandResult]) -> AsyncIterator[tuple[Any, Any]]:
    import anyio

    to_client, from_portal = anyio.create_memory_object_stream[Any](0)
    to_portal, from_client = anyio.create_memory_object_stream[Any](0)
    heard = os.open(out, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    works = [asyncio.create_task(_listen(heard, to_client, running)), asyncio.create_task(_speak(from_client, spoken))]
    try:
        yield from_portal, to_portal
    finally:
        for work in works:
            work.cancel()
        try:
            await unhurried(asyncio.wait(works))
        finally:
            os.close(heard)
            for stream in (to_client, from_portal, to_portal, from_client):
                stream.close()


async def _listen(heard: int, to_client: Any, running: asyncio.Task[CommandResult]) -> None:
    """No faster than so many messages a second: a program that floods us waits at its pipe. The end of the program is
    the end of the line, also where it never opened its pipe."""
    from mcp.shared.message import SessionMessage
    from mcp_types import jsonrpc_message_adapter

    rest, began, count = b"", time.monotonic(), 0
    async with to_client:
        while len(rest) <= LONGEST_LINE:
            await _until_ready(heard, running, is_writing=False)
            with suppress(BlockingIOError):
                if not (data := os.read(heard, _CHUNK)):
                    return
                *lines, rest = (rest + data).split(b"\n")
                for line in lines:
                    with suppress(ValueError):  # what is no message is nobody's
                        await to_client.send(SessionMessage(jsonrpc_message_adapter.validate_json(line, by_name=False)))
                count += len(lines)
            if count >= LINES_A_SECOND:
                await asyncio.sleep(max(0.0, began + count / LINES_A_SECOND - time.monotonic()))
                began, count = time.monotonic(), 0


async def _speak(from_client: Any, spoken: int) -> None:
    async with from_client:
        async for sent in from_client:
            data = sent.message.model_dump_json(by_alias=True, exclude_unset=True).encode() + b"\n"
            while data:
                try:
                    data = data[os.write(spoken, data) :]
                except BlockingIOError:
                    await _until_ready(spoken, None, is_writing=True)


async def _until_ready(pipe: int, running: asyncio.Task[CommandResult] | None, *, is_writing: bool) -> None:
    """Or until the program has ended."""
    loop, ready = asyncio.get_running_loop(), asyncio.Event()
    (loop.add_writer if is_writing else loop.add_reader)(pipe, ready.set)

    def ended(_: Any) -> None:
        ready.set()

    if running is not None:
        running.add_done_callback(ended)
    try:
        await ready.wait()
    finally:
        (loop.remove_writer if is_writing else loop.remove_reader)(pipe)
        if running is not None:
            running.remove_done_callback(ended)


def _tools(portal: McpPortal, listed: Sequence[Any]) -> list[PortalTool]:
    found: dict[str, PortalTool] = {}
    for tool in listed[:MOST_TOOLS]:
        name = f"{portal.prefix}__{_NAME.sub('_', tool.name)}"[:64]
        schema = tool.input_schema if isinstance(tool.input_schema, dict) else {}
        said = "\n".join([tool.description or "", *_hints(schema)])[:_DESCRIPTION]
        description = f"A tool of a program outside. Its maker says of it:\n{boxed('description', storable(said))}"
        offered = OfferedTool(name, description, {**_shape(schema, 0), "type": "object"})
        found.setdefault(name, PortalTool(offered, tool.name, portal))
    return list(found.values())


def _hints(schema: Mapping[str, Any]) -> list[str]:
    """What is said of the arguments."""
    given = schema.get("properties")
    known = list(given.items())[:_PROPERTIES] if isinstance(given, dict) else []
    described = {name: each.get("description") for name, each in known if isinstance(each, dict)}
    return [f"{name}: {said}" for name, said in described.items() if said]


def _shape(schema: Any, depth: int) -> dict[str, Any]:
    """Of a stranger's schema what every provider takes and nobody can be talked to by: types, choices, names."""
    if not isinstance(schema, dict) or depth > _DEPTH:
        return {}
    shape: dict[str, Any] = {}
    if schema.get("type") in _TYPES:
        shape["type"] = schema["type"]
    choices = schema.get("enum")
    if isinstance(choices, list) and choices:
        shape["enum"] = [each for each in choices if isinstance(each, str | int | float)][:_CHOICES]
    if shape.get("type") == "array":
        shape["items"] = _shape(schema.get("items"), depth + 1)
    properties = schema.get("properties")
    if isinstance(properties, dict):
        kept = [name for name in properties if re.fullmatch(r"[A-Za-z0-9_.-]{1,64}", name)][:_PROPERTIES]
        shape["properties"] = {name: _shape(properties[name], depth + 1) for name in kept}
        required = schema.get("required")
        shape["required"] = [name for name in required if name in kept] if isinstance(required, list) else []
    return shape


def _answer_text(answer: Any) -> str:
    """The texts of an answer; of pictures and the like that they were there."""
    parts = [getattr(part, "text", None) or f"[{getattr(part, 'type', 'something')}]" for part in answer.content]
    if not parts and answer.structured_content is not None:
        parts = [json.dumps(answer.structured_content, ensure_ascii=False)]
    return "\n".join(parts)
