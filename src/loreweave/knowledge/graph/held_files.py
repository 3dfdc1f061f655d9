"""What the last ingest of this process knew of its files, so that the next one need not read it all again."""

from collections.abc import Iterable, Mapping

from loreweave.entities.graph_rows import GraphRow
from loreweave.entities.note_rows import KnownFile
from loreweave.knowledge.graph.compare_source import Difference, FileToRead
from loreweave.knowledge.graph.settle_ids import SettledIds
from loreweave.seams.storage import graph_shelf
from loreweave.seams.storage.store import Store

Files = Mapping[str, KnownFile]  # by path


class HeldFiles:
    """The files of one revision of one graph. What other processes write makes another revision, but for file times:
    one that is no longer right has a file hashed once more, nothing else."""

    def __init__(self) -> None:
        self._held: tuple[int, int, Files] | None = None

    def of(self, store: Store, graph: GraphRow) -> Files:
        """The files of the revision that readers see now."""
        held = self._held
        if held and graph.revision and held[:2] == (graph.key, graph.revision):
            return held[2]
        with store.read() as connection:
            return {file.path: file for file in graph_shelf.known_files(connection, graph)}

    def hold(self, graph: GraphRow, files: Files) -> None:
        self._held = (graph.key, graph.revision, files)


def restamped(files: Files, difference: Difference) -> Files:
    """The same files with the times at which they were seen last."""
    return {**files, **{file.path: file for file in difference.restamped}}


def changed(
    files: Files, difference: Difference, revision: int, ids: SettledIds, written: Iterable[tuple[int, FileToRead]]
) -> Files:
    """The files as the next revision has them. `written`: note keys and what was read."""
    found = dict(files)
    for node_id, file in ids.moved:
        found[file.path] = file._replace(node_id=node_id)
    for file in difference.removed:
        del found[file.path]
    for file in difference.restamped:
        found[file.path] = found[file.path]._replace(size=file.size, mtime_ns=file.mtime_ns)
    for key, read in written:
        path, kind, size, mtime_ns, _ = read.entry
        found[path] = KnownFile(key, revision, kind, path, read.content_hash, size, mtime_ns, ids.of_path.get(path))
    return found
