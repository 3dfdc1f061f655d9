"""Linking the notes that were read, and every other note whose links could now lead elsewhere."""

from collections.abc import Iterable, Sequence

from loreweave.entities.graph_rows import GraphRow
from loreweave.entities.note_rows import EdgeRow
from loreweave.knowledge.graph.ingest_tools import Progress
from loreweave.knowledge.graph.link_note import link_note
from loreweave.knowledge.graph.note_pack import NoteLinks, unpack_links
from loreweave.language.markdown.note_names import facts_of, read_reference
from loreweave.language.markdown.resolve_link import Candidate, Names
from loreweave.seams.storage import graph_shelf
from loreweave.seams.storage.store import Connection, Store

BATCH = 500  # notes linked in one transaction
ALL_NAMES_FROM = 2000  # notes to link from which reading every name once is cheaper than asking for some


def stored_facts(store: Store, graph: GraphRow, note_keys: Sequence[int]) -> set[tuple]:
    """The same facts of notes as the present revision has them."""
    facts: set[tuple] = set()
    with store.read() as connection:
        for key, mentions in graph_shelf.texts(connection, graph.key, graph.revision, note_keys, "mentions"):
            if mentions:
                links = unpack_links(mentions)
                facts |= facts_of(key, links.names, links.headings)
    return facts


def relink(
    store: Store, graph: GraphRow, revision: int, written: Sequence[int], before: set[tuple], after: set[tuple],
    progress: Progress,
) -> set[int]:  # fmt: skip
    """`before` and `after`: the facts of the notes that changed, as they were and as they are.

    Answers the keys of the notes whose edges are others now.
    """
    changed_names = sorted({fact[0] for fact in before ^ after})
    with store.read() as connection:
        touched = graph_shelf.notes_linking_to(connection, graph.key, revision, changed_names)
        keys = sorted(touched.union(written))
        names = _all_names(connection, graph.key, revision) if len(keys) >= ALL_NAMES_FROM else None
    relinked: set[int] = set()
    for start in range(0, len(keys), BATCH):
        batch = keys[start : start + BATCH]
        relinked |= _relink_batch(store, graph, revision, batch, names)
        progress("linking", start + len(batch), len(keys))
    return relinked


def _relink_batch(store: Store, graph: GraphRow, revision: int, batch: Sequence[int], names: Names | None) -> set[int]:
    with store.read() as connection:
        notes = graph_shelf.link_inputs(connection, graph.key, revision, batch)
        packs = {key: unpack_links(mentions) for key, _, _, mentions in notes}
        if names is None:
            names = _names_for(connection, graph.key, revision, packs.values())
        headings = _Headings(connection, graph.key, revision, packs)
        rows = [link_note(key, path, kind, packs[key], names, headings) for key, path, kind, _ in notes]
        if graph.revision:
            stored = graph_shelf.edges_of_notes(connection, graph.key, graph.revision, batch)
            before = {row[0]: row for row in stored}
            rows = [row for row in rows if _as_stored(row) != before.get(row.note_key)]
    with store.write() as connection:
        if graph.revision:
            graph_shelf.close_edges(connection, graph, [row.note_key for row in rows])
        graph_shelf.add_edges(connection, graph.key, revision, rows)
    return {row.note_key for row in rows}


def _as_stored(row: EdgeRow) -> tuple:
    columns = (row.targets, row.types, row.counts, row.sentence_counts, row.sentences)
    return (row.note_key, *(column.tobytes() for column in columns), row.broken, row.warnings)


class _Headings:
    """Headings of notes, read when first asked for."""

    def __init__(self, connection: Connection, graph_key: int, revision: int, packs: dict[int, NoteLinks]) -> None:
        self._connection = connection
        self._graph_key = graph_key
        self._revision = revision
        self._known = {key: pack.headings for key, pack in packs.items()}

    def __call__(self, note_key: int) -> Sequence[str]:
        if note_key not in self._known:
            found = graph_shelf.texts(self._connection, self._graph_key, self._revision, [note_key], "mentions")
            self._known[note_key] = unpack_links(found[0][1]).headings if found else ()
        return self._known[note_key]


def _names_for(connection: Connection, graph_key: int, revision: int, packs: Iterable[NoteLinks]) -> Names:
    keys = sorted({key for pack in packs for link in pack.links for key in read_reference(link.target).keys})
    return _grouped(graph_shelf.names_by_key(connection, graph_key, revision, keys))


def _all_names(connection: Connection, graph_key: int, revision: int) -> Names:
    return _grouped(graph_shelf.all_names(connection, graph_key, revision))


def _grouped(rows: Iterable[tuple]) -> Names:
    names: dict[str, list[Candidate]] = {}
    for name_key, note_key, name_class, path in rows:
        names.setdefault(name_key, []).append(Candidate(note_key, name_class, path))
    return names
