"""`lore memory`: contract 001 on the command line. Every command prints what its tool answers."""

import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from loreweave.errors import InvalidInput, LoreError
from loreweave.faces.cli.command_parts import Data, Json, given, opened, say, write

if TYPE_CHECKING:
    from pydantic import BaseModel

ACTOR = "cli"
NUMBER = re.compile(r"[+-]?([0-9]+(\.[0-9]*)?|\.[0-9]+)([eE][+-]?[0-9]+)?", re.ASCII)
memory = typer.Typer(help="Store, find and curate memories.", no_args_is_help=True, rich_markup_mode=None)

Id = Annotated[str, typer.Argument(metavar="ID", help="The memory.")]
Scope = Annotated[str | None, typer.Option("--scope", metavar="S", help="The namespace (default); * searches all.")]


def add_to(app: typer.Typer) -> None:
    app.add_typer(memory, name="memory")


@memory.command()
def add(
    text: Annotated[str, typer.Argument(metavar="TEXT|-", help="What to remember; - reads it from stdin.")],
    name: Annotated[str | None, typer.Option("--name", metavar="N", help="By default its first line.")] = None,
    tag: Annotated[list[str] | None, typer.Option("--tag", metavar="T", help="May be given again.")] = None,
    importance: Annotated[str | None, typer.Option("--importance", metavar="X", help="0 to 1 (0.5).")] = None,
    scope: Scope = None,
    request_id: Annotated[str | None, typer.Option("--request-id", metavar="R", help="Makes a retry safe.")] = None,
    data: Data = None,
    json: Json = False,
) -> None:
    """Store a memory."""
    with _told(json):
        content = _standard_input() if text == "-" else text
        values = given(content=content, name=name, tags=tag or None, scope=scope, request_id=request_id)
        _show("store_memory", {**values, **given(importance=_number(importance))}, data, json)


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
    with _told(json):
        _show("search_memories", given(query=query, limit=limit, scope=scope, as_of=as_of), data, json)


@memory.command()
def status(
    refresh: Annotated[bool, typer.Option("--refresh", help="Look for duplicates anew.")] = False,
    data: Data = None,
    json: Json = False,
) -> None:
    """Show counts, topics and curation tasks."""
    with _told(json):
        _show("get_memetic_status", given(refresh=refresh or None), data, json)


@memory.command()
def forget(
    id: Id,
    hard: Annotated[bool, typer.Option("--hard", help="Erase it for good.")] = False,
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask before erasing.")] = False,
    reason: Annotated[str | None, typer.Option("--reason", metavar="R", help="Why; kept in its history.")] = None,
    data: Data = None,
    json: Json = False,
) -> None:
    """Put a memory into the trash, or erase it."""
    if hard and not yes:
        _ask_first(id)
    with _told(json):
        _show("forget_concept", given(node_id=id, soft_delete=False if hard else None, reason=reason), data, json)


@memory.command()
def restore(id: Id, data: Data = None, json: Json = False) -> None:
    """Bring a forgotten memory back."""
    with _told(json):
        _show("restore_concept", {"node_id": id}, data, json)


# A negative number looks like an option.
@memory.command(context_settings={"ignore_unknown_options": True})
def boost(
    id: Id,
    delta: Annotated[str, typer.Argument(metavar="DELTA", help="-1.0 to 1.0.")],
    data: Data = None,
    json: Json = False,
) -> None:
    """Change the importance of a memory."""
    with _told(json):
        _show("boost_importance", {"node_id": id, "delta": _number(delta)}, data, json)


@memory.command()
def merge(
    ids: Annotated[list[str], typer.Argument(metavar="ID ID...", help="2 to 10 memories.")],
    name: Annotated[str, typer.Option("--name", metavar="N", help="What the merged memory is called.")],
    rationale: Annotated[str, typer.Option("--rationale", metavar="R", help="Why.")],
    strategy: Annotated[
        str | None, typer.Option("--strategy", metavar="S", help="union, intersection or weighted_average (union).")
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Merge although they conflict.")] = False,
    preview: Annotated[bool, typer.Option("--preview", help="Show what would be; change nothing.")] = False,
    data: Data = None,
    json: Json = False,
) -> None:
    """Merge memories into one."""
    values = given(merge_strategy=strategy, force_merge=force or None, preview=preview or None)
    with _told(json):
        _show("merge_concepts", {"source_ids": ids, "target_name": name, "rationale": rationale, **values}, data, json)


@memory.command()
def undo(
    hash: Annotated[str, typer.Argument(metavar="HASH", help="The reversal_hash of the merge.")],
    preview: Annotated[bool, typer.Option("--preview", help="Show what would be; change nothing.")] = False,
    on_conflict: Annotated[
        str | None,
        typer.Option("--on-conflict", metavar="C", help="fail, keep_merged or discard_merged (fail)."),
    ] = None,
    allow_partial: Annotated[bool, typer.Option("--allow-partial", help="Although a source was erased.")] = False,
    data: Data = None,
    json: Json = False,
) -> None:
    """Undo a merge."""
    values = given(preview=preview or None, on_conflict=on_conflict, allow_partial=allow_partial or None)
    with _told(json):
        _show("undo_merge", {"reversal_hash": hash, **values}, data, json)


@memory.command()
def trash(
    sweep: Annotated[bool, typer.Option("--sweep", help="Erase what can no longer come back.")] = False,
    data: Data = None,
    json: Json = False,
) -> None:
    """List what can still come back."""
    with _told(json):
        if not sweep:
            _show("list_deleted", {}, data, json)
            return
        with opened(data) as application:
            _print(application.memory.sweep(asked=True), json)


@memory.command("export")
def export_to(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="Where the markdown is written.")],
    scope: Scope = None,
    data: Data = None,
    json: Json = False,
) -> None:
    """Write every live memory as markdown."""
    with _told(json), opened(data) as application:
        _check_scope(scope)
        _print(application.memory.export_folder(folder, None if scope == "*" else scope), json)


@memory.command("import")
def import_from(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="A folder of markdown.")],
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Say what would happen; change nothing.")] = False,
    data: Data = None,
    json: Json = False,
) -> None:
    """Take a folder of markdown in as memories."""
    with _told(json), opened(data, "made") as application:
        answer = application.memory.import_folder(folder, dry_run, ACTOR)
        _print(answer, json)
    if answer.skipped:
        for skipped in answer.skipped:
            say(f"{skipped.file}: {skipped.error}")
        raise typer.Exit(1)


def _show(tool: str, arguments: dict[str, Any], data: Path | None, as_json: bool) -> None:
    from loreweave.operations.memory_operations import call_memory

    with opened(data, "made" if tool == "store_memory" else "read") as application:
        _print(call_memory(application, tool, arguments, ACTOR), as_json)


def _print(answer: "BaseModel", as_json: bool) -> None:
    if as_json or not sys.stdout.isatty():
        from loreweave.contracts.wire import to_json

        write(to_json(answer))
    else:
        from loreweave.faces.cli.terminal.memory_views import show_memory

        show_memory(answer)


@contextmanager
def _told(as_json: bool) -> Iterator[None]:
    """A failure is its sentence on stderr, also where an argument was wrong; wrong settings remain wrong usage."""
    try:
        yield
    except LoreError as refusal:
        if isinstance(refusal, InvalidInput) and refusal.code != "invalid_argument":
            raise
        import json

        line = json.dumps(refusal.shape(), ensure_ascii=False) if as_json else refusal.message
        sys.stderr.buffer.write(line.encode("utf-8", "replace") + b"\n")
        sys.stderr.flush()
        raise typer.Exit(1) from None


def _standard_input() -> str:
    """Exactly what was sent: no line ending is touched."""
    try:
        return sys.stdin.buffer.read().decode()
    except UnicodeDecodeError:
        raise InvalidInput("content must be UTF-8 text", code="invalid_argument", field="content") from None


def _number(text: str | None) -> Any:
    """The number that is meant, or the text itself, which is then refused as no number."""
    return float(text) if text is not None and NUMBER.fullmatch(text) else text


def _check_scope(scope: str | None) -> None:
    if scope is not None:
        from loreweave.contracts.memory_arguments import read_memory_request

        read_memory_request("get_memetic_status", {"scope": scope})


def _ask_first(id: str) -> None:
    if not sys.stdin.isatty():
        raise typer.BadParameter("--hard erases for good: say --yes to mean it")
    if not typer.confirm(f"Erase {id} for good? It cannot be brought back", err=True):
        raise typer.Abort
