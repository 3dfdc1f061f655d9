"""The door of memory: one method a tool, for every face; and what a server does beside serving."""

from __future__ import annotations

import logging
import threading
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from loreweave.contracts import memory as answers
from loreweave.contracts import memory_requests as asked
from loreweave.entities.stored_memory import LIVE
from loreweave.errors import LoreError
from loreweave.memory.change import MemoryTools, run_change
from loreweave.memory.changes.erase_memory import clean_files, sweep_memories
from loreweave.memory.changes.forget_memory import boost_memory, forget_memory, restore_memory
from loreweave.memory.changes.store_memory import edit_memory, name_of, store_memory
from loreweave.memory.find_memories import Superseded, find_memories, list_memories, list_trash, whole_id
from loreweave.memory.inbox.list_changes import list_changes, show_memories
from loreweave.memory.inbox.read_tasks import dismiss_task, reopen_task
from loreweave.memory.inbox.show_status import refresh_pairs, show_status
from loreweave.memory.markdown.export_memories import export_folder, export_zip
from loreweave.memory.markdown.import_memories import import_memories
from loreweave.memory.markdown.list_memory_files import list_memory_folder, list_memory_zip
from loreweave.memory.memory_record import find_live, find_present, show_record
from loreweave.memory.merging.merge_memories import merge_memories, shown_merge
from loreweave.memory.merging.undo_merge import undo_merge
from loreweave.seams.storage import memory_shelf

if TYPE_CHECKING:
    from loreweave.memory.search.read_memory_text import TextReading


class MemoryService:
    def __init__(self, tools: MemoryTools) -> None:
        self._tools = tools
        self._change = partial(run_change, tools)
        self._superseded = Superseded()

    def store(self, request: asked.StoreRequest, actor: str) -> answers.StoreAnswer:
        """A new memory, or, with `node_id`, an edit."""
        if request.node_id is not None:
            return self._change(request, actor, answers.StoreAnswer, lambda c: edit_memory(c, request, self._read))
        reading = self._read(name_of(request), tuple(request.tags or ()), request.content or "")
        return self._change(request, actor, answers.StoreAnswer, lambda c: store_memory(c, request, reading))

    def search(self, request: asked.MemorySearchRequest, actor: str) -> answers.MemorySearchAnswer:
        return find_memories(self._tools, self._superseded, request)

    def get(self, request: asked.GetRequest, actor: str) -> answers.MemoryRecord:
        now = self._tools.now()
        find = find_present if request.include_deleted else find_live
        with self._tools.store.read() as connection:
            memory = find(connection, request.node_id, now)
            record = show_record(connection, memory, request.history)
        if memory.state == LIVE:
            self._tools.accesses.note([memory.node_id], now)
        return record

    def status(self, request: asked.StatusRequest, actor: str) -> answers.StatusAnswer:
        if request.refresh:
            refresh_pairs(self._tools, actor)
        return show_status(self._tools, request)

    def dismiss(self, request: asked.DismissRequest, actor: str) -> answers.DismissAnswer:
        return self._change(request, actor, answers.DismissAnswer, lambda c: dismiss_task(c, request))

    def forget(self, request: asked.ForgetRequest, actor: str) -> answers.ForgetAnswer:
        answer = self._change(request, actor, answers.ForgetAnswer, lambda c: forget_memory(c, request))
        if not request.soft_delete:
            self._tools.fail_at("purge.files")
            clean_files(self._tools)
            self._tools.fail_at("purge.answer")
        self._tools.fail_at("forget.answer")
        return answer

    def boost(self, request: asked.BoostRequest, actor: str) -> answers.BoostAnswer:
        return self._change(request, actor, answers.BoostAnswer, lambda c: boost_memory(c, request))

    def merge(self, request: asked.MergeRequest, actor: str) -> answers.MergeAnswer:
        if request.preview:
            return self._preview_merge(request, actor)
        answer = self._change(
            request, actor, answers.MergeAnswer, lambda c: merge_memories(c, request), before_commit="merge.commit"
        )
        self._tools.fail_at("merge.answer")
        return answer if answer.merged is not None else self._with_merged(answer)

    def restore(self, request: asked.RestoreRequest, actor: str) -> answers.RestoreAnswer:
        return self._change(request, actor, answers.RestoreAnswer, lambda c: restore_memory(c, request))

    def undo(self, request: asked.UndoRequest, actor: str) -> answers.UndoAnswer:
        answer = self._change(
            request, actor, answers.UndoAnswer, lambda c: undo_merge(c, request), before_commit="undo.commit"
        )
        self._tools.fail_at("undo.answer")
        return answer

    def list_deleted(self, request: asked.DeletedRequest, actor: str) -> answers.DeletedAnswer:
        return list_trash(self._tools, request)

    def list(self, scope: str | None, tags: Sequence[str], limit: int) -> answers.MemoryList:
        return list_memories(self._tools, scope, tags, limit)

    def list_page(self, request: asked.MemoryListRequest, actor: str) -> answers.MemoryList:
        return list_memories(self._tools, request.scope, request.tags, request.limit, request.sort, request.offset)

    def show(self, request: asked.ShowMemoriesRequest, actor: str) -> answers.ShownMemories:
        return show_memories(self._tools, request)

    def changes(self, request: asked.MemoryChangesRequest, actor: str) -> answers.MemoryChanges:
        return list_changes(self._tools, request)

    def reopen(self, request: asked.ReopenRequest, actor: str) -> answers.DismissAnswer:
        return self._change(request, actor, answers.DismissAnswer, lambda c: reopen_task(c, request))

    def whole_id(self, field: str, given: str) -> str:
        """The `node_id`, `reversal_hash` or `task_id` of which this is a unique beginning."""
        return whole_id(self._tools, field, given)

    def export_folder(self, path: Path, scope: str | None) -> answers.MemoryExportAnswer:
        return export_folder(self._tools, path, scope)

    def export_zip(self, scope: str | None) -> bytes:
        return export_zip(self._tools, scope)

    def import_folder(self, path: Path, dry_run: bool, actor: str) -> answers.ImportAnswer:
        return import_memories(self._tools, list_memory_folder(path), dry_run, actor)

    def import_zip(self, data: bytes, dry_run: bool, actor: str) -> answers.ImportAnswer:
        return import_memories(self._tools, list_memory_zip(data), dry_run, actor)

    def sweep(self, *, asked: bool = False) -> answers.SweepAnswer:
        """Erases what can no longer come back; unless a person asked for it, not while the clock is doubted."""
        return sweep_memories(self._tools, asked=asked)

    def tend(self) -> None:
        """Stores what makes the next opening quick; cheap when there is nothing to do."""
        self._tools.accesses.flush()
        self._tools.library.tend()

    def close(self) -> None:
        self.tend()

    def _read(self, name: str, tags: tuple[str, ...], content: str) -> TextReading:
        return self._tools.library.read(name, tags, content)

    def _preview_merge(self, request: asked.MergeRequest, actor: str) -> answers.MergeAnswer:
        """Merged for once, in a transaction that is taken back."""
        try:
            self._change(request, actor, answers.MergeAnswer, lambda c: _taken_back(merge_memories(c, request)))
        except _Previewed as previewed:
            return previewed.answer
        raise AssertionError("a preview is always taken back")

    def _with_merged(self, answer: answers.MergeAnswer) -> answers.MergeAnswer:
        """A remembered answer holds no text; what was merged is read where it stands, if it does."""
        with self._tools.store.read() as connection:
            merged = memory_shelf.find_memory(connection, answer.merged_id or "")
            if merged is None:
                return answer
            return answer.model_copy(update={"merged": shown_merge(connection, merged)})


class _Previewed(Exception):
    def __init__(self, answer: answers.MergeAnswer) -> None:
        super().__init__()
        self.answer = answer


def _taken_back(answer: answers.MergeAnswer) -> answers.MergeAnswer:
    raise _Previewed(answer)


log = logging.getLogger("loreweave.memory")
TEND_SECONDS, SWEEP_SECONDS = 60.0, 3600.0


class Upkeep:
    """A thread while it is entered. What it does can be cut off at any moment and is done again by the next."""

    def __init__(self, memory: MemoryService, tend: float = TEND_SECONDS, sweep: float = SWEEP_SECONDS) -> None:
        self._memory = memory
        self._tend, self._sweep = tend, sweep
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, name="memory-upkeep", daemon=True)

    def __enter__(self) -> Upkeep:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stop.set()
        self._thread.join()

    def _run(self) -> None:
        waited = 0.0
        while not self._stop.wait(self._tend):
            waited += self._tend
            try:
                if waited >= self._sweep:
                    waited = 0.0
                    self._memory.sweep()
                self._memory.tend()
            except LoreError as refusal:  # the database is away for a while: the next round tries again
                log.warning("the upkeep of memory was put off: %s", refusal.message)
            except Exception as trouble:  # its words may quote a memory
                log.error("the upkeep of memory failed: %s", type(trouble).__name__)
