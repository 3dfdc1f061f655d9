"""`lore memory`, what is kept: stored, read, listed, edited, searched, written as files and taken in.

Every command prints what its tool answers. An id may be shortened to a unique beginning of four characters or more.
"""

import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from loreweave.errors import FEWEST, AlreadyDeleted, InvalidInput, LoreError, perhaps_meant
from loreweave.faces.cli.command_parts import Data, Json, given, opened, say, wants_json, write
from loreweave.faces.cli.program import safe

if TYPE_CHECKING:
    from pydantic import BaseModel

    from loreweave.application import Application

ACTOR = "cli"
LISTED = 50
NUMBER = re.compile(r"[+-]?([0-9]+(\.[0-9]*)?|\.[0-9]+)([eE][+-]?[0-9]+)?", re.ASCII)
memory = typer.Typer(help="Store, find and curate memories.", no_args_is_help=True, rich_markup_mode=None)

Id = Annotated[str, typer.Argument(metavar="ID", help="The memory, or a unique beginning of its id.")]
Scope = Annotated[str | None, typer.Option("--scope", metavar="S", help="The namespace (default); * searches all.")]
Tags = Annotated[list[str] | None, typer.Option("--tag", metavar="T", help="May be given again.")]
NewName = Annotated[str | None, typer.Option("--name", metavar="N", help="By default its first line.")]
Importance = Annotated[str | None, typer.Option("--importance", metavar="X", help="0 to 1 (0.5).")]
RequestId = Annotated[str | None, typer.Option("--request-id", metavar="R", help="Makes a retry safe.")]


@memory.command()
def add(
    text: Annotated[str, typer.Argument(metavar="TEXT|-", help="What to remember; - reads it from stdin.")],
    name: NewName = None,
    tag: Tags = None,
    importance: Importance = None,
    scope: Scope = None,
    request_id: RequestId = None,
    data: Data = None,
    json: Json = False,
) -> None:
    """Store a memory."""
    with told(json):
        content = _standard_input() if text == "-" else text
    values = given(content=content, name=name, tags=tag or None, scope=scope, request_id=request_id)
    show_tool("store_memory", {**values, **given(importance=number(importance))}, data, json)


@memory.command()
def get(
    id: Id,
    deleted: Annotated[bool, typer.Option("--deleted", help="Also from the trash, or merged.")] = False,
    data: Data = None,
    json: Json = False,
) -> None:
    """Show one memory."""
    show_tool("get_memory", {"node_id": id, **given(include_deleted=deleted or None)}, data, json)


@memory.command("list")
def list_all(
    scope: Annotated[str | None, typer.Option("--scope", metavar="S", help="Of this namespace (all).")] = None,
    tag: Annotated[list[str] | None, typer.Option("--tag", metavar="T", help="With this tag; with all given.")] = None,
    limit: Annotated[int, typer.Option("--limit", metavar="N", min=1, help="At most this many.")] = LISTED,
    data: Data = None,
    json: Json = False,
) -> None:
    """List live memories, the newest first."""
    with told(json), opened(data) as application:
        _check_scope(scope)
        show_memories(application.memory.list(scope, tag or (), limit), json)


@memory.command()
def edit(
    id: Id,
    text: Annotated[str | None, typer.Argument(metavar="[TEXT|-]", help="The new text; - reads it from stdin.")] = None,
    name: Annotated[str | None, typer.Option("--name", metavar="N", help="What it is called.")] = None,
    tag: Annotated[list[str] | None, typer.Option("--tag", metavar="T", help="Replaces all; '': none.")] = None,
    importance: Importance = None,
    scope: Annotated[str | None, typer.Option("--scope", metavar="S", help="Into this namespace.")] = None,
    version: Annotated[int | None, typer.Option("--version", metavar="N", help="Refuse unless it is at this.")] = None,
    request_id: RequestId = None,
    data: Data = None,
    json: Json = False,
) -> None:
    """Change a memory: what is given replaces, the rest stays."""
    tags = None if tag is None else [each for each in tag if each]
    values = given(name=name, tags=tags, importance=number(importance), scope=scope)
    if text is None and not values:
        raise typer.BadParameter("say what changes: a text, --name, --tag, --importance or --scope")
    with told(json), opened(data) as application:
        values.update(given(content=_standard_input() if text == "-" else text, request_id=request_id))
        node_id = whole_ids(application, {"node_id": id})["node_id"]
        if version is None:
            version = call(application, "get_memory", {"node_id": node_id, "history": 0}).version
        show_memories(
            call(application, "store_memory", {"node_id": node_id, "expected_version": version, **values}), json
        )


@memory.command()
def history(id: Id, data: Data = None, json: Json = False) -> None:
    """Show what happened to a memory, the newest first."""
    with told(json), opened(data) as application:
        from loreweave.contracts.memory import MemoryHistory

        asked = whole_ids(application, {"node_id": id, "include_deleted": True, "history": 200})
        record = call(application, "get_memory", asked)
        show_memories(MemoryHistory(node_id=record.node_id, history=record.history), json)


@memory.command()
def search(
    query: Annotated[str, typer.Argument(help="Words to look for.")],
    limit: Annotated[int | None, typer.Option("--limit", metavar="N", help="At most this many, 1 to 100 (10).")] = None,
    scope: Scope = None,
    as_of: Annotated[str | None, typer.Option("--as-of", metavar="T", help="What was true then (RFC 3339).")] = None,
    data: Data = None,
    json: Json = False,
) -> None:
    """Find memories by words and meaning."""
    show_tool("search_memories", given(query=query, limit=limit, scope=scope, as_of=as_of), data, json)


@memory.command("export")
def export_to(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="Where the markdown is written.")],
    scope: Scope = None,
    data: Data = None,
    json: Json = False,
) -> None:
    """Write every live memory as markdown."""
    with told(json), opened(data) as application:
        _check_scope(scope)
        show_memories(application.memory.export_folder(folder, None if scope == "*" else scope), json)


@memory.command("import")
def import_from(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="A folder of markdown.")],
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Say what would happen; change nothing.")] = False,
    data: Data = None,
    json: Json = False,
) -> None:
    """Take a folder of markdown in as memories."""
    with told(json), opened(data, "made") as application:
        answer = application.memory.import_folder(folder, dry_run, ACTOR)
        show_memories(answer, json)
    if dry_run and not json and sys.stdout.isatty():
        say("That would happen; nothing was changed.")
    if answer.skipped:
        for skipped in answer.skipped:
            say(f"{skipped.file}: {skipped.error}")
        raise typer.Exit(1)


def whole_ids(application: "Application", arguments: dict[str, Any]) -> dict[str, Any]:
    """The arguments, with ids that were shortened written out."""
    complete = application.memory.whole_id
    whole = dict(arguments)
    for field in ("node_id", "reversal_hash", "task_id"):
        if field in whole:
            whole[field] = complete(field, whole[field])
    if "source_ids" in whole:
        whole["source_ids"] = [complete("node_id", each) for each in whole["source_ids"]]
    return whole


def call(application: "Application", tool: str, arguments: dict[str, Any]) -> Any:
    from loreweave.operations.memory_operations import call_memory

    return call_memory(application, tool, arguments, ACTOR)


def show_tool(tool: str, arguments: dict[str, Any], data: Path | None, as_json: bool) -> None:
    with told(as_json), opened(data, "made" if tool == "store_memory" else "read") as application:
        show_memories(call(application, tool, whole_ids(application, arguments)), as_json)


def show_memories(answer: "BaseModel", as_json: bool) -> None:
    if wants_json(as_json):
        from loreweave.contracts.wire import to_json

        write(to_json(answer))
    else:
        from loreweave.faces.cli.terminal.memory_views import show_memory

        show_memory(answer)


@contextmanager
def told(as_json: bool) -> Iterator[None]:
    """A failure is its sentence on stderr, also where an argument was wrong; wrong settings remain wrong usage."""
    try:
        yield
    except LoreError as refusal:
        if isinstance(refusal, InvalidInput) and refusal.code != "invalid_argument":
            raise
        import json

        line = json.dumps(refusal.shape(), ensure_ascii=False) if as_json else f"error: {_with_advice(refusal)}"
        sys.stderr.buffer.write(safe(line).encode() + b"\n")
        sys.stderr.flush()
        raise typer.Exit(1) from None


def _with_advice(refusal: LoreError) -> str:
    """The tool's sentence, and what a person can do here."""
    facts, said = refusal.facts, refusal.message
    if isinstance(refusal, AlreadyDeleted):
        if merged := facts["merged_into"]:
            return f"{said}: it went into {merged}"
        return f"{said}: until {facts['recoverable_until']} `lore memory restore {facts['node_id']}` brings it back"
    if said.startswith("Invalid UUID format"):
        return f"{said}; its first {FEWEST} characters are enough, fewer are not; `lore memory list` shows ids"
    if said.startswith("Unknown reversal_hash"):
        return f"{said}; its first {FEWEST} digits are enough; `lore memory trash` shows what can be undone"
    return perhaps_meant(said, facts)


def _standard_input() -> str:
    """Exactly what was sent: no line ending is touched."""
    try:
        return sys.stdin.buffer.read().decode()
    except UnicodeDecodeError:
        raise InvalidInput("content must be UTF-8 text", code="invalid_argument", field="content") from None


def number(text: str | None) -> Any:
    """The number that is meant, or the text itself, which is then refused as no number."""
    return float(text) if text is not None and NUMBER.fullmatch(text) else text


def _check_scope(scope: str | None) -> None:
    if scope is not None:
        from loreweave.contracts.memory_arguments import read_memory_request

        read_memory_request("get_memetic_status", {"scope": scope})
