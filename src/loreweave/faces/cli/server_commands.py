"""Commands that keep running, the server on a port, MCP on stdio and a board, and the tokens that let people in.

A secret is shown once, when it is made.
"""

import json as json_format
from contextlib import nullcontext
from typing import TYPE_CHECKING, Annotated, Any

import typer

from loreweave.errors import Forbidden, LoreError
from loreweave.faces.cli.command_parts import Data, Json, Library, opened, say, wants_json, write
from loreweave.faces.cli.program import FAILED

if TYPE_CHECKING:
    from collections.abc import Callable

    from pydantic import BaseModel

    from loreweave.application import Application

SERVED = "forkserver"  # servers have threads, and a process with threads must not fork
ALL_TOOLS = "graph,memory,ask,route,build"
READING_TOOLS = {"ask", "route"}


LOOK_SECONDS = 0.1  # between two looks at what a board said

hardware = typer.Typer(help="Find, flash and simulate boards.", no_args_is_help=True, rich_markup_mode=None)
tokens = typer.Typer(help="Create, list and revoke access tokens.", no_args_is_help=True, rich_markup_mode=None)


Build = Annotated[str, typer.Argument(metavar="ID", help="A finished build, or a unique beginning of its id.")]


def add_to(app: typer.Typer) -> None:
    app.command()(serve)
    app.command()(mcp)
    app.add_typer(hardware, name="hardware")
    app.add_typer(tokens, name="token")


def serve(
    host: Annotated[
        str | None, typer.Option("--host", metavar="HOST", help="Address to listen on (127.0.0.1).")
    ] = None,
    port: Annotated[
        int | None, typer.Option("--port", metavar="PORT", help="Port to listen on (8000); 0 picks one.")
    ] = None,
    data: Data = None,
    demo: Annotated[bool, typer.Option("--demo", help="The demo graph, and the demo model if none is set.")] = False,
) -> None:
    """Serve HTTP, MCP and the page on one port."""
    from loreweave.access.access_policy import access_policy
    from loreweave.application import upkeep
    from loreweave.faces.http.serving import bound_socket, serve_on

    with (
        opened(data, "made", start_method=SERVED, host=host, port=port, demo=demo) as application,
        bound_socket(application.settings.host, application.settings.port) as listening,
    ):
        _demand_token(application)
        if demo:
            known = {graph.graphId for graph in application.graphs.graphs().graphs}
            if "demo" not in known or application.graph_library.latest() == "demo":  # whoever has a newer one asks that
                application.graphs.ingest_demo()
        from loreweave.faces.one_port import one_port_app

        app = one_port_app(application)
        is_open = access_policy(application.settings).open_on_loopback
        with upkeep(application), application.watches if is_open else nullcontext():
            application.workshop.open_soon()  # what a crash broke off goes on, and what dead servers left
            if application.workspaces.listened_ports():
                application.hardware.listen_on()  # to boards that a server before this one listened to
            application.key_check.state()  # asked for now, known by the time somebody looks
            serve_on(app, listening, lambda address: say(f"Loreweave listens on {address}"))


def mcp(
    data: Data = None,
    toolsets: Annotated[
        str, typer.Option("--toolsets", metavar="NAMES", help=f"Which tools to offer ({ALL_TOOLS}).")
    ] = ALL_TOOLS,
    structured: Annotated[
        bool, typer.Option("--structured", help="Answer JSON as structured content, for programs.")
    ] = False,
) -> None:
    """Speak MCP on stdin and stdout, to models unless told otherwise."""
    from loreweave.application import upkeep
    from loreweave.faces.mcp.resources import SectionResources
    from loreweave.faces.mcp.server import create_server
    from loreweave.faces.mcp.toolsets import open_toolsets
    from loreweave.faces.mcp.transports import serve_stdio

    names = [name.strip() for name in toolsets.split(",")]
    library: Library = "read" if READING_TOOLS.issuperset(names) else "made"
    with opened(data, library, start_method=SERVED) as application:
        tools = open_toolsets(application, names)
        sections = SectionResources(application) if "ask" in names else None
        if "build" in names and application.sessions.is_any_running():
            application.workshop.open_soon()  # what a crash broke off goes on; else the first plan opens it
        with upkeep(application) if "memory" in names else nullcontext():
            serve_stdio(create_server(tools, sections, structured=structured), tools)


def _demand_token(application: "Application") -> None:
    """A server that asks for tokens while none exists would let nobody in."""
    from loreweave.access.access_policy import access_policy

    if access_policy(application.settings).tokens_required and not application.access.living():
        raise Forbidden("This address asks for access tokens and there is none yet: make one with `lore token create`")


@tokens.command("create")
def create(
    user: Annotated[str, typer.Argument(help="Whose token it is; ingest limits count per user.")] = "owner",
    data: Data = None,
    json: Json = False,
) -> None:
    """Create a token and show its secret, once."""
    with opened(data, "made") as application:
        token = application.access.create_token(user)
    _print({"id": token.id, "user": token.user, "token": token.secret}, json)
    say("Keep this token: it is not shown again. Send it as `Authorization: Bearer …`.")


@tokens.command("list")
def list_tokens(data: Data = None, json: Json = False) -> None:
    """List tokens, without their secrets."""
    with opened(data) as application:
        found = application.access.tokens()
    _print({"tokens": [_shown(token) for token in found]}, json)


@tokens.command("revoke")
def revoke(id: Annotated[str, typer.Argument(help="The token's id.")], data: Data = None, json: Json = False) -> None:
    """Revoke a token."""
    with opened(data) as application:
        _print(_shown(application.access.revoke(id)), json)


def _shown(token: Any) -> dict[str, Any]:
    return {"id": token.id, "user": token.user, "createdAt": token.created_at, "revokedAt": token.revoked_at}


def _print(value: dict[str, Any], as_json: bool) -> None:
    if wants_json(as_json):
        write(json_format.dumps(value, ensure_ascii=False, indent=2).encode() + b"\n")
        return
    from loreweave.faces.cli.terminal.terminal_views import show_tokens

    show_tokens(value.get("tokens", [value]))


@hardware.command()
def detect(data: Data = None, json: Json = False) -> None:
    """Say whether a board is connected; no port is opened."""
    with opened(data, "unused", takes_work=False) as application:
        found = application.hardware.detect()
    where = f"{found.board_type or 'A board'} at {found.port}" if found.detected else "No board is connected"
    _print_board(found, json, f"{where}.")
    if not found.detected:
        raise typer.Exit(FAILED)


@hardware.command()
def flash(
    id: Build,
    monitor: Annotated[
        bool, typer.Option("--monitor", help="Print what the board says then, until Ctrl-C or for ten minutes.")
    ] = False,
    data: Data = None,
    json: Json = False,
) -> None:
    """Write what a build made to the board; it starts at once."""
    with opened(data, takes_work=False) as application:
        whole = application.sessions.whole_id(id)
        before = application.sessions.get(whole).last_seq
        answer = application.hardware.flash(whole)
        _print_board(answer, json, answer.message)
        if answer.success and monitor:
            _attend(application, whole, before, json, application.hardware.is_listening)
    if not answer.success:
        raise typer.Exit(FAILED)


@hardware.command()
def simulate(id: Build, data: Data = None, json: Json = False) -> None:
    """Run what a build made over a simulated board; a line of stdin such as `12 1` sets a pin."""
    with opened(data, takes_work=False) as application:
        whole = application.sessions.whole_id(id)
        before = application.sessions.get(whole).last_seq
        application.hardware.simulate(whole, {})
        _attend(application, whole, before, json, application.hardware.is_simulating)


@hardware.command()
def firmware(data: Data = None, json: Json = False) -> None:
    """Write the firmware that LORE_FIRMWARE names to the board; all that it held is gone then."""
    with opened(data, "unused", takes_work=False) as application:
        answer = application.hardware.install_firmware()
    _print_board(answer, json, answer.message)
    if not answer.success:
        raise typer.Exit(FAILED)


def _print_board(answer: "BaseModel", as_json: bool, sentence: str) -> None:
    if wants_json(as_json):
        from loreweave.contracts.wire import to_json

        write(to_json(answer))
    else:
        write(f"{sentence}\n".encode())


def _attend(
    application: "Application", session_id: str, since: int, as_json: bool, is_on: "Callable[[str], bool]"
) -> None:
    """Prints what is told of a board, one event a line, until that is over or somebody has enough."""
    import asyncio

    try:
        asyncio.run(_follow(application, session_id, since, wants_json(as_json), is_on))
    except KeyboardInterrupt:
        application.hardware.stop(session_id)


async def _follow(
    application: "Application", session_id: str, since: int, as_json: bool, is_on: "Callable[[str], bool]"
) -> None:
    import asyncio

    from loreweave.faces.cli.terminal.session_views import event_line

    inputs = asyncio.ensure_future(_take_inputs(application, session_id, is_on))
    try:
        while True:
            was_on = await asyncio.to_thread(is_on, session_id)
            for event in (await asyncio.to_thread(application.sessions.events, session_id, since)).events:
                since, frame = event["seq"], json_format.dumps(event, ensure_ascii=False)
                write(f"{frame if as_json else event_line(frame)}\n".encode("utf-8", "replace"))
            if not was_on:
                return
            await asyncio.sleep(LOOK_SECONDS)
    finally:
        inputs.cancel()


async def _take_inputs(application: "Application", session_id: str, is_on: "Callable[[str], bool]") -> None:
    """Lines of stdin are for a simulated board alone."""
    from loreweave.faces.cli.terminal.stdin_lines import StdinLines

    lines = StdinLines()
    while is_on == application.hardware.is_simulating and (line := await lines.next()) is not None:
        pin, _, value = line.strip().partition(" ")
        try:
            application.hardware.set_input(session_id, pin, float(value))
        except (ValueError, LoreError):
            say("Say a pin and its value, such as: 12 1")
