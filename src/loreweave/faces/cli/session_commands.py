"""`lore sessions`: what runs and what ran, in whatever process."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from loreweave.faces.cli.command_parts import Data, Json, opened, write

if TYPE_CHECKING:
    from collections.abc import Callable

    from pydantic import BaseModel

    from loreweave.application import Application

sessions = typer.Typer(help="List, watch, stop and delete sessions.", rich_markup_mode=None)

Identity = Annotated[str, typer.Argument(metavar="ID", help="The session's id.")]


def add_to(app: typer.Typer) -> None:
    app.add_typer(sessions, name="sessions")


@sessions.callback(invoke_without_command=True)
def list_sessions(context: typer.Context, data: Data = None, json: Json = False) -> None:
    """List sessions, the newest first; or do one of the things below to one of them."""
    if context.invoked_subcommand is not None:
        if data is not None or json:
            raise typer.BadParameter(f"give options after `{context.invoked_subcommand}`")
        return
    with opened(data, takes_work=False) as application:
        found = application.sessions.list()
    if _wants_json(json):
        from pydantic import TypeAdapter

        from loreweave.contracts.session import SessionSummary

        write(TypeAdapter(list[SessionSummary]).dump_json(found) + b"\n")
    else:
        from loreweave.faces.cli.terminal.session_views import show_sessions

        show_sessions(found)


@sessions.command()
def show(id: Identity, data: Data = None, json: Json = False) -> None:
    """Show one session."""
    _ask(data, json, lambda application: application.sessions.get(id))


@sessions.command()
def stop(id: Identity, data: Data = None, json: Json = False) -> None:
    """Stop a session, wherever it runs; one that is over stays as it ended."""
    _ask(data, json, lambda application: application.sessions.stop(id))


@sessions.command()
def delete(id: Identity, data: Data = None, json: Json = False) -> None:
    """Delete a session and its log; a running one must be stopped first."""
    _ask(data, json, lambda application: application.sessions.delete(id))


@sessions.command()
def watch(
    id: Identity,
    since: Annotated[int, typer.Option("--since", metavar="N", min=0, help="Only events after this number.")] = 0,
    data: Data = None,
    json: Json = False,
) -> None:
    """Print the events of a session, one a line, until its end."""
    import asyncio

    with opened(data, takes_work=False) as application:
        application.sessions.get(id)
        asyncio.run(_follow(application, id, since, _wants_json(json)))


async def _follow(application: "Application", session_id: str, since: int, as_json: bool) -> None:
    from loreweave.faces.cli.terminal.session_views import event_line

    async for frames in application.sessions.follow(session_id, since, until_end=True):
        lines = frames if as_json else map(event_line, frames)
        write("".join(f"{line}\n" for line in lines).encode("utf-8", "replace"))


def _ask(data: Path | None, as_json: bool, ask: "Callable[[Application], Any]") -> None:
    with opened(data, takes_work=False) as application:
        _print(ask(application), as_json)


def _print(answer: "BaseModel", as_json: bool) -> None:
    if _wants_json(as_json):
        from loreweave.contracts.wire import to_json

        write(to_json(answer))
    else:
        from loreweave.faces.cli.terminal.session_views import show_answer

        show_answer(answer)


def _wants_json(asked: bool) -> bool:
    return asked or not sys.stdout.isatty()
