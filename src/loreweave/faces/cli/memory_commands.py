"""`lore memory`, what is done about what is kept: tasks, the trash, importance, merges."""

import sys
from typing import TYPE_CHECKING, Annotated

import typer

from loreweave.errors import MOST_NAMED, NotFound
from loreweave.faces.cli.command_parts import Data, Json, given, opened
from loreweave.faces.cli.memory_record_commands import (
    Id,
    call,
    memory,
    number,
    show_memories,
    show_tool,
    told,
    whole_ids,
)

if TYPE_CHECKING:
    from loreweave.application import Application
    from loreweave.contracts.memory import MemoryRecord


def add_to(app: typer.Typer) -> None:
    app.add_typer(memory, name="memory")


@memory.command()
def status(
    refresh: Annotated[bool, typer.Option("--refresh", help="Look for duplicates anew.")] = False,
    data: Data = None,
    json: Json = False,
) -> None:
    """Show counts, topics and curation tasks."""
    show_tool("get_memetic_status", given(refresh=refresh or None), data, json)


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
    if hard and not yes and not sys.stdin.isatty():
        raise typer.BadParameter("--hard erases for good: say --yes to mean it")
    arguments = given(node_id=id, soft_delete=False if hard else None, reason=reason)
    with told(json), opened(data) as application:
        whole = whole_ids(application, arguments)
        if hard and yes and whole["node_id"] != id:
            raise typer.BadParameter(f"--hard --yes wants the whole id: {whole['node_id']}")
        if hard and not yes:
            _ask_first(call(application, "get_memory", {"node_id": whole["node_id"], "include_deleted": True}))
        show_memories(call(application, "forget_concept", whole), json)


@memory.command()
def dismiss(
    task: Annotated[str, typer.Argument(metavar="TASK", help="The task, or a unique beginning of its id.")],
    reason: Annotated[str | None, typer.Option("--reason", metavar="R", help="Why.")] = None,
    data: Data = None,
    json: Json = False,
) -> None:
    """Take a task off the list until one of its texts changes."""
    with told(json), opened(data) as application:
        arguments = whole_ids(application, given(task_id=task, reason=reason))
        try:
            answer = call(application, "dismiss_task", arguments)
        except NotFound as refusal:
            tasks = call(application, "get_memetic_status", {"limit": MOST_NAMED}).curation_tasks
            said = f"{refusal.message} '{task}'" + ("" if tasks else ": there are no tasks")
            raise NotFound(said, **refusal.facts, known=[each.task_id for each in tasks]) from None
        show_memories(answer, json)


@memory.command()
def restore(id: Id, data: Data = None, json: Json = False) -> None:
    """Bring a forgotten memory back."""
    show_tool("restore_concept", {"node_id": id}, data, json)


# A negative number looks like an option.
@memory.command(context_settings={"ignore_unknown_options": True})
def boost(
    id: Id,
    delta: Annotated[str, typer.Argument(metavar="DELTA", help="-1.0 to 1.0.")],
    data: Data = None,
    json: Json = False,
) -> None:
    """Change the importance of a memory."""
    show_tool("boost_importance", {"node_id": id, "delta": number(delta)}, data, json)


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
    arguments = {"source_ids": ids, "target_name": name, "rationale": rationale, **values}
    show_tool("merge_concepts", arguments, data, json)


@memory.command()
def undo(
    hash: Annotated[
        str | None, typer.Argument(metavar="[HASH]", help="The reversal_hash of the merge, or its beginning.")
    ] = None,
    last: Annotated[bool, typer.Option("--last", help="The merge that was made last.")] = False,
    preview: Annotated[bool, typer.Option("--preview", help="Show what would be; change nothing.")] = False,
    on_conflict: Annotated[
        str | None, typer.Option("--on-conflict", metavar="C", help="fail, keep_merged or discard_merged (fail).")
    ] = None,
    allow_partial: Annotated[bool, typer.Option("--allow-partial", help="Although a source was erased.")] = False,
    data: Data = None,
    json: Json = False,
) -> None:
    """Undo a merge."""
    values = given(preview=preview or None, on_conflict=on_conflict, allow_partial=allow_partial or None)
    if last == (hash is not None):
        raise typer.BadParameter("name a HASH, or say --last")
    with told(json), opened(data) as application:
        whole = whole_ids(application, {"reversal_hash": hash}) if hash else {"reversal_hash": _last_merge(application)}
        show_memories(call(application, "undo_merge", {**whole, **values}), json)


@memory.command()
def trash(
    sweep: Annotated[bool, typer.Option("--sweep", help="Erase what can no longer come back.")] = False,
    data: Data = None,
    json: Json = False,
) -> None:
    """List what can still come back."""
    if not sweep:
        show_tool("list_deleted", {}, data, json)
        return
    with told(json), opened(data) as application:
        show_memories(application.memory.sweep(asked=True), json)


def _last_merge(application: "Application") -> str:
    merges = call(application, "list_deleted", {"limit": 1}).merges
    if not merges:
        raise NotFound("There is no merge that can be undone")
    return str(merges[0].reversal_hash)


def _ask_first(record: "MemoryRecord") -> None:
    from loreweave.faces.cli.terminal.terminal_text import plain

    question = plain(f"Erase {record.node_id} ({record.name}) for good? It cannot be brought back")
    if not typer.confirm(str(question), err=True):
        raise typer.Abort
