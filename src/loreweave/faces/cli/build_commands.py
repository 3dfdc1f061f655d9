"""`lore build`: a spec built in this process, its gates and questions answered on the terminal."""

import json as json_format
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from loreweave.errors import InvalidInput
from loreweave.faces.cli.command_parts import Data, Json, say, write

if TYPE_CHECKING:
    from loreweave.application import Application
    from loreweave.contracts.session import SessionAnswer


def add_to(app: typer.Typer) -> None:
    app.command()(build)


def build(
    spec: Annotated[
        str, typer.Argument(metavar="SPEC.json", help="A spec; with --continue, the next wish in plain words.")
    ],
    watch: Annotated[
        bool, typer.Option("--watch", help="Print every event, one a line, instead of the result.")
    ] = False,
    workspace: Annotated[
        str | None, typer.Option("--workspace", metavar="FOLDER", help="A folder below the workspace root.")
    ] = None,
    continues: Annotated[
        str | None, typer.Option("--continue", metavar="SESSION", help="Take the work of this build further.")
    ] = None,
    data: Data = None,
    json: Json = False,
) -> None:
    """Build what a spec asks for; gates and questions come on stderr, lines of stdin answer them."""
    from loreweave.faces.cli.run_commands import run_here

    value = _start_of(spec, workspace, continues)

    def begin(application: "Application") -> "SessionAnswer":
        if continues is not None:
            value["continues"] = application.sessions.whole_id(continues)
        begun = application.sessions.get(application.builds.begin(value).session_id)
        for warning in begun.warnings:
            say(f"{warning}.")
        return begun.model_copy(update={"last_seq": 0, "questions": [], "gates": []})  # all of it is news

    run_here(
        begin, data, json, "made", printed=_print_nothing if watch else _print, each=_print_event if watch else None
    )


def _start_of(spec: str, workspace: str | None, continues: str | None) -> dict[str, Any]:
    """What is sent over the wire for it."""
    from loreweave.faces.cli.run_commands import read_json_file

    if continues is not None:
        if spec.endswith(".json") and Path(spec).is_file():
            raise InvalidInput("With --continue the wish is given in words", field="spec")
        value: dict[str, Any] = {"spec": {"project": {"goal": spec}}}
    else:
        given = read_json_file(spec, "spec")
        value = given if isinstance(given.get("spec"), dict) else {"spec": given}
    return {**value, "workspace_path": workspace} if workspace is not None else value


def _print_event(frame: str) -> None:
    write(f"{frame}\n".encode("utf-8", "replace"))


def _print_nothing(ended: "SessionAnswer", application: "Application", as_json: bool) -> None:
    """Everything was printed as it came."""


def _print(ended: "SessionAnswer", application: "Application", as_json: bool) -> None:
    if as_json or not sys.stdout.isatty():
        shape = {
            "session_id": ended.id,
            "outcome": ended.outcome,
            "summary": _summary(application, ended),
            "nugget_dir": ended.nugget_dir,
            "url": ended.url,
        }
        write(json_format.dumps(shape, ensure_ascii=False).encode("utf-8", "replace") + b"\n")
        return
    from loreweave.faces.cli.terminal.session_views import show_session

    show_session(ended)
    if ended.url and ended.outcome in ("success", "partial") and sys.stdin is not None and sys.stdin.isatty():
        say(f"The page is shown at {ended.url} until you press Enter.")
        sys.stdin.readline()


def _summary(application: "Application", ended: "SessionAnswer") -> str | None:
    last = application.sessions.events(ended.id, max(0, ended.last_seq - 1)).events
    told = last[-1] if last else {}
    summary: str | None = told.get("summary") or told.get("message")
    return summary
