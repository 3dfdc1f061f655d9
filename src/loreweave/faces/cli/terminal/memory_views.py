"""Memories for a person on a terminal. What they say is shown as text: nothing in it works."""

from collections.abc import Callable
from typing import Any

from pydantic import BaseModel
from rich.console import Console, Group, RenderableType
from rich.panel import Panel

from loreweave.contracts import memory as answers
from loreweave.faces.cli.terminal.terminal_text import facts, plain, short_time, table


def show_memory(answer: BaseModel) -> None:
    Console().print(VIEWS[type(answer)](answer))


def stored(answer: answers.StoreAnswer) -> RenderableType:
    told = "stored" if answer.created else "was known already" if answer.duplicate_of else "edited"
    parts = [plain(f"{answer.node_id} {told} (version {answer.version})")]
    for near in answer.similar:
        parts.append(plain(f"similar ({near.similarity:.2f}): `lore memory get {short_id(near.node_id)}` shows it"))
    return Group(*parts)


def found(answer: answers.MemorySearchAnswer) -> RenderableType:
    panels = [
        Panel(
            plain(memory.content),
            title=plain(f"{short_id(memory.node_id)} · {memory.name}"),
            subtitle=plain(
                f"importance {memory.importance} · {', '.join(memory.tags) or 'no tags'} · {memory.scope}"
                f"{' · near in meaning' if memory.weak else ''}"
            ),
            title_align="left",
            subtitle_align="left",
        )
        for memory in answer.results
    ]
    omitted = f"; {answer.omitted} left out" if answer.omitted else ""
    return Group(*panels, plain(f"{answer.count} found{omitted}"))


def record(answer: answers.MemoryRecord) -> RenderableType:
    shown: list[tuple[str, Any]] = [
        *(("id", answer.node_id), ("state", answer.state), ("scope", answer.scope)),
        *(("tags", ", ".join(answer.tags) or "-"), ("importance", answer.importance), ("version", answer.version)),
        *(("created", short_time(answer.created_at)), ("read", f"{answer.access_count} times")),
    ]
    told = {
        "source": answer.source,
        "true from": answer.valid_from and short_time(answer.valid_from),
        "true until": answer.valid_until and short_time(answer.valid_until),
        "superseded by": answer.superseded_by and short_id(answer.superseded_by),
        "merged into": answer.merged_into and short_id(answer.merged_into),
        "comes back until": answer.recoverable_until and short_time(answer.recoverable_until),
    }
    shown += [(name, value) for name, value in told.items() if value]
    relations = [
        plain(f"{short_id(each.source_id)} {each.type} {short_id(each.target_id)} ({each.weight:g})")
        for each in answer.relations
    ]
    text = Panel(plain(answer.content), title=plain(answer.name), title_align="left")
    return Group(text, facts(shown, "record"), *relations)


def listed(answer: answers.MemoryList) -> RenderableType:
    if not answer.items:
        return plain("No memory here: `lore memory add TEXT` stores one.")
    rows = ((short_id(each.node_id), each.name, ", ".join(each.tags), each.importance) for each in answer.items)
    more = [plain(f"{len(answer.items)} of {answer.total}")] if answer.total > len(answer.items) else []
    return Group(table(("id", "name", "tags", "importance"), rows), *more)


def past(answer: answers.MemoryHistory) -> RenderableType:
    rows = ((short_time(line.at), line.action, line.actor, line.version, _told(line)) for line in answer.history)
    return table(("at", "action", "by", "version", "detail"), rows, answer.node_id)


def _told(line: answers.HistoryEntry) -> str:
    """An edit keeps what it replaced."""
    was = " was" if line.action == "edited" else ""
    return "; ".join(f"{name}{was}: {value}" for name, value in line.detail.items())


def dismissed(answer: answers.DismissAnswer) -> RenderableType:
    return plain(f"{answer.task_id} stays away until a text changes")


def short_id(node_id: str) -> str:
    """As much as a person types; the commands take any unique beginning."""
    return node_id[:8]


def state_of(answer: answers.StatusAnswer) -> RenderableType:
    counts = ((name.replace("_", " "), count) for name, count in answer.counts.model_dump().items())
    inbox = "ready: nothing to curate" if answer.suggested_action == "ready" else f"{answer.total_tasks} to curate"
    parts: list[RenderableType] = [
        facts([*counts, ("inbox", inbox), ("next purge", short_time(answer.next_purge_at or "") or "-")], "memories")
    ]
    if answer.sweep_waits_until:
        parts.append(plain(f"The clock jumped: nothing is swept before {short_time(answer.sweep_waits_until)}"))
    if answer.curation_tasks:
        rows = [
            (
                f"{task.task_type}:{short_id(task.target_nodes[0])}",
                task.priority,
                task.reason,
                " ".join(map(short_id, task.target_nodes)),
            )
            for task in answer.curation_tasks
        ]
        title = f"{len(rows)} of {answer.total_tasks} tasks"
        parts.append(table(("task", "priority", "reason", "memories"), rows, title))
        parts.append(plain("`lore memory get ID` shows one; edit, forget or merge them, or `lore memory dismiss TASK`"))
    if answer.topics:
        topics = [
            (topic.tag, topic.live, f"{topic.mean_importance:.2f}", f"{topic.churn:.2f}") for topic in answer.topics
        ]
        parts.append(table(("topic", "live", "importance", "churn"), topics))
    return Group(*parts)


def forgotten(answer: answers.ForgetAnswer) -> RenderableType:
    if not answer.soft_deleted:
        copies = f"; its text is still in {', '.join(answer.remaining_copies)}" if answer.remaining_copies else ""
        return plain(f"{answer.forgotten_id} is erased{copies}")
    return plain(
        f"{answer.forgotten_id} is forgotten; it can be restored until {short_time(answer.recoverable_until or '')}"
    )


def boosted(answer: answers.BoostAnswer) -> RenderableType:
    clamped = " (clamped)" if answer.clamped else ""
    return plain(f"{answer.node_id}: {answer.old_importance} → {answer.new_importance}{clamped}")


def merged(answer: answers.MergeAnswer) -> RenderableType:
    head = "would be merged" if answer.preview else f"merged into {answer.merged_id}"
    parts: list[RenderableType] = [plain(f"{answer.sources_merged} memories {head} ({answer.strategy_used})")]
    if answer.merged:
        parts.append(Panel(plain(answer.merged.content), title=plain(answer.merged.name), title_align="left"))
    parts += [plain(f"conflict: {sentence}") for sentence in answer.conflicts or []]
    parts += [plain(f"warning: {sentence}") for sentence in answer.warnings]
    if answer.reversal_hash:
        parts.append(plain(f"Until {short_time(answer.reversible_until or '')} this brings them back:"))
        parts.append(plain(f"  lore memory undo {short_hash(answer.reversal_hash)}"))
    return Group(*parts)


def restored(answer: answers.RestoreAnswer) -> RenderableType:
    lost = f"; {len(answer.relations_lost)} relations are lost" if answer.relations_lost else ""
    return plain(f"{answer.node_id} is back{lost}")


def undone(answer: answers.UndoAnswer) -> RenderableType:
    verb = "would come back" if answer.preview else "are back"
    parts = [plain(f"{len(answer.restored_ids)} memories {verb}; the merged one is {answer.merged_state}")]
    parts += [plain(f"erased: {missing}") for missing in answer.missing_ids]
    return Group(*parts, *(plain(f"conflict: {sentence}") for sentence in answer.conflicts or []))


def trash(answer: answers.DeletedAnswer) -> RenderableType:
    """Each with the command that brings it back."""
    if not answer.items and not answer.merges:
        return plain("The trash is empty.")
    lines = []
    for item in answer.items:
        head = f"{item.name} (until {short_time(item.recoverable_until)})"
        lines += [head, f"  lore memory restore {short_id(item.node_id)}"]
    for merge in answer.merges:
        name = merge.target_name or merge.merged_id
        lines += [
            f"merge of {len(merge.source_ids)} into {name} (until {short_time(merge.reversible_until)})",
            f"  lore memory undo {short_hash(merge.reversal_hash)}",
        ]
    return Group(*map(plain, lines))


def short_hash(reversal_hash: str) -> str:
    return reversal_hash.removeprefix("sha256:")[:12]


def swept(answer: answers.SweepAnswer) -> RenderableType:
    return Group(plain(f"{answer.purged} erased"), *map(plain, answer.node_ids))


def taken_in(answer: answers.ImportAnswer) -> RenderableType:
    return plain(
        f"{answer.created} created, {answer.updated} updated, {answer.unchanged} unchanged, "
        f"{len(answer.skipped)} skipped"
    )


def written(answer: answers.MemoryExportAnswer) -> RenderableType:
    return plain(f"{answer.exported} written")


VIEWS: dict[type[BaseModel], Callable[[Any], RenderableType]] = {
    answers.StoreAnswer: stored,
    answers.MemorySearchAnswer: found,
    answers.MemoryRecord: record,
    answers.MemoryList: listed,
    answers.MemoryHistory: past,
    answers.DismissAnswer: dismissed,
    answers.StatusAnswer: state_of,
    answers.ForgetAnswer: forgotten,
    answers.BoostAnswer: boosted,
    answers.MergeAnswer: merged,
    answers.RestoreAnswer: restored,
    answers.UndoAnswer: undone,
    answers.DeletedAnswer: trash,
    answers.SweepAnswer: swept,
    answers.ImportAnswer: taken_in,
    answers.MemoryExportAnswer: written,
}
