"""Markdown files taken in: rows first, then relations, so that the order of files is free.

Many files go into one transaction, and whatever a file asks for is looked at again in it: others write meanwhile.
A file that is refused has changed nothing, and the others go on.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager

from loreweave.contracts.memory import ImportAnswer, SkippedFile
from loreweave.entities.stored_memory import Memory
from loreweave.errors import LoreError
from loreweave.memory.change import WRITES, Change, MemoryTools, begin, finish
from loreweave.memory.changes.erase_memory import clean_files, erase_memory
from loreweave.memory.changes.relate_memories import checked_relations, refuse_circles
from loreweave.memory.changes.store_memory import apply_edit, end_series, pairs_of
from loreweave.memory.markdown.export_memories import outgoing_relations
from loreweave.memory.markdown.import_plan import ImportPlan, Step, decide_edit, plan_import
from loreweave.memory.markdown.read_memory_file import MemoryFile, SourceFile, read_memory_file, shown_path
from loreweave.memory.memory_record import find_live, is_over, text_hash
from loreweave.memory.search.memory_index import MemoryIndex
from loreweave.memory.search.memory_index_library import MemoryIndexLibrary
from loreweave.memory.search.read_memory_text import TextReading, read_texts
from loreweave.seams.storage import memory_inbox_shelf, memory_shelf, memory_ties_shelf

Text = tuple[str, tuple[str, ...], str]


class PlaceMany:
    """Stands in for `place_memory`: pairs of memories that are written together are found too."""

    def __init__(self, library: MemoryIndexLibrary, expected: Sequence[Memory]) -> None:
        self._library = library
        texts = [_text(memory) for memory in expected]
        self._readings = dict(zip(texts, read_texts(texts, library.embedder), strict=True))
        self._written: dict[int, tuple[Memory, TextReading]] = {}

    def read(self, name: str, tags: tuple[str, ...], content: str) -> TextReading:
        return self._readings.get((name, tags, content)) or self._library.read(name, tags, content)

    def __call__(self, change: Change, index: MemoryIndex, memory: Memory, reading: TextReading) -> None:
        self._written[memory.key] = memory, reading

    def add(self, memory: Memory) -> None:
        self._written[memory.key] = memory, self.read(*_text(memory))

    def finish(self, change: Change, index: MemoryIndex) -> None:
        """`index` is of the state before this change."""
        if not self._written:
            return
        connection, written = change.connection, list(self._written.values())
        index = self._library.beside(index, written)
        for memory, reading in written:
            self._library.keep(connection, memory.key, reading)
            memory_inbox_shelf.delete_pairs(connection, memory.node_id)
            end_series(change, index, memory, reading)
        pairs = {pair for memory, reading in written for pair in pairs_of(index, memory, reading)}
        memory_inbox_shelf.put_pairs(connection, sorted(pairs, key=lambda pair: (pair.first_id, pair.second_id)))


def _text(memory: Memory) -> Text:
    return memory.name, memory.tags, memory.content


AT_ONCE = 100  # files in one transaction


def import_memories(tools: MemoryTools, sources: Iterable[SourceFile], dry_run: bool, actor: str) -> ImportAnswer:
    unread: list[SkippedFile] = []
    files = list(_readable(sources, unread))
    with tools.store.read() as connection:
        plan = plan_import(connection, tools.now(), files)
    created, updated = len(plan.creates) + len(plan.news), len(plan.edits)
    if not dry_run:
        created, updated = _Import(tools, plan, actor).run()
        clean_files(tools)
    skipped = unread + [SkippedFile(file=shown_path(path), error=error) for path, error in plan.skipped.items()]
    skipped.sort(key=lambda each: (each.file, each.error))
    return ImportAnswer(created=created, updated=updated, unchanged=plan.unchanged, skipped=skipped)


def _readable(sources: Iterable[SourceFile], unread: list[SkippedFile]) -> Iterator[MemoryFile]:
    for source in sources:
        try:
            yield read_memory_file(source.path, source.read())
        except LoreError as trouble:
            unread.append(SkippedFile(file=shown_path(source.path), error=trouble.message))


class _Import:
    """Carries out a plan."""

    def __init__(self, tools: MemoryTools, plan: ImportPlan, actor: str) -> None:
        self._tools = tools
        self._plan = plan
        self._actor = actor
        self._created = 0
        self._updated = 0
        self._made: set[str] = set()  # ids of rows that wait for their relations

    def run(self) -> tuple[int, int]:
        """(created, updated); what is refused by now is skipped."""
        plan = self._plan
        self._in_batches(plan.creates, self._create)
        related = [step for step in plan.creates if step.relations is not None and step.memory.node_id in self._made]
        self._in_batches(sorted((*related, *plan.edits), key=lambda step: step.file.path), self._relate_or_edit)
        self._in_batches(plan.news, self._store_new)
        return self._created, self._updated

    def _in_batches(self, steps: Sequence[Step], work: Callable[[Change, PlaceMany, Sequence[Step]], None]) -> None:
        for start in range(0, len(steps), AT_ONCE):
            some = steps[start : start + AT_ONCE]
            placing = PlaceMany(self._tools.library, [step.memory for step in some])  # may ask a remote embedder
            with self._tools.store.write_alone(WRITES) as connection:
                change = begin(self._tools, connection, self._actor)
                index = self._tools.library.current(connection)  # before anything is written
                work(change, placing, some)
                placing.finish(change, index)
                finish(change)

    def _create(self, change: Change, placing: PlaceMany, steps: Sequence[Step]) -> None:
        present = memory_shelf.find_memories(change.connection, [step.memory.node_id for step in steps])
        for step in steps:
            known = present.get(step.memory.node_id)
            if known is not None and is_over(known, change.now):
                erase_memory(change, known, known.recoverable_until)  # unswept, it must not stand in the way
            elif known is not None:  # somebody else was quicker
                self._plan.edits.append(step)
                continue
            self._insert(change, placing, step.memory)
            self._made.add(step.memory.node_id)

    def _relate_or_edit(self, change: Change, placing: PlaceMany, steps: Sequence[Step]) -> None:
        present = memory_shelf.find_memories(change.connection, [step.memory.node_id for step in steps])
        outgoing = outgoing_relations(change.connection, list(present.values()))
        for step in steps:
            with self._skipping(step):
                memory = find_live(change.connection, step.memory.node_id, change.now)
                if memory.node_id in self._made:
                    self._relate(change, memory, step)
                    continue
                request = decide_edit(step.file, memory, outgoing.get(memory.node_id, []))
                if request is None:
                    self._plan.unchanged += 1
                    continue
                apply_edit(change, memory, request, placing.read, placing)
                self._updated += 1

    def _store_new(self, change: Change, placing: PlaceMany, steps: Sequence[Step]) -> None:
        for step in steps:
            with self._skipping(step):
                memory = step.memory
                if memory_shelf.find_text(change.connection, memory.scope, text_hash(memory.content)) is not None:
                    self._plan.unchanged += 1
                    continue
                relations = checked_relations(change, memory.node_id, memory.scope, step.relations or ())
                self._insert(change, placing, memory)
                memory_ties_shelf.put_relations(change.connection, relations)

    def _insert(self, change: Change, placing: PlaceMany, memory: Memory) -> None:
        written = change.insert(memory)
        change.note(written, "stored")
        placing.add(written)
        self._created += 1

    def _relate(self, change: Change, memory: Memory, step: Step) -> None:
        """What a memory is created with is no change of it."""
        relations = checked_relations(change, memory.node_id, memory.scope, step.relations or ())
        refuse_circles(change.connection, memory.node_id, relations)
        memory_ties_shelf.put_relations(change.connection, relations)
        change.has_changed = True

    @contextmanager
    def _skipping(self, step: Step) -> Iterator[None]:
        try:
            yield
        except LoreError as trouble:
            if trouble.code == "storage":
                raise
            self._plan.skip(step.file.path, trouble)
