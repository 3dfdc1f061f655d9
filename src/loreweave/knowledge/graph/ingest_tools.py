"""What an ingest works with, chosen by the application."""

from collections.abc import Callable
from dataclasses import dataclass

from loreweave.knowledge.graph.graph_library import GraphLibrary
from loreweave.knowledge.graph.held_files import HeldFiles
from loreweave.knowledge.graph.note_readers import NoteReaders
from loreweave.seams.storage.store import Store

Progress = Callable[[str, int, int], None]  # phase, done, total


@dataclass(frozen=True, slots=True)
class IngestTools:
    store: Store
    files: HeldFiles
    library: GraphLibrary  # holds compiled views from one ingest to the next
    readers: NoteReaders
    now: Callable[[], str]
    fail_at: Callable[[str], None]  # kills the process at a named point, in tests of crashes
    progress: Progress
