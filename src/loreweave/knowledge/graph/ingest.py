"""Bringing a graph to the state of a source: read what changed, relink what that touches, publish a new revision.

Every row is written for the revision to come. The last statement moves the graph's pointer; a process that dies before
it leaves rows that nobody sees and that the next ingest of the graph takes away.
"""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import cache

from loreweave.contracts.graph_reports import IngestAnswer
from loreweave.contracts.skill_graph import IngestWarning, PageSettings
from loreweave.entities.graph_rows import GraphRow
from loreweave.entities.note import SourceListing
from loreweave.entities.note_rows import KnownFile
from loreweave.knowledge.documents.source_paths import kind_by_name
from loreweave.knowledge.graph.compare_source import Difference, SettledIds, compare_source, content_hash, settle_ids
from loreweave.knowledge.graph.compile_view import compile_view
from loreweave.knowledge.graph.graph_library import IngestTools
from loreweave.knowledge.graph.graph_report import make_report, stored_report
from loreweave.knowledge.graph.link_note import letters_of, link_note
from loreweave.knowledge.graph.stored_notes import NoteLinks, unpack_links
from loreweave.knowledge.graph.stored_report import stored_site_root, was_read_by_us
from loreweave.knowledge.graph.write_notes import NoteWriter
from loreweave.language.markdown.note_names import ROOT, facts_of, read_reference
from loreweave.language.markdown.resolve_link import MOST_ROOTED, Names, find_site_root, group_names, site_roots
from loreweave.seams.storage import graph_shelf
from loreweave.seams.storage.revisions.knowledge_shelf import freeze_revision, sweep_frozen
from loreweave.seams.storage.store import Connection, Store

BATCH = 500  # notes linked in one transaction
ALL_NAMES_FROM = 2000  # notes to link from which reading every name once is cheaper than asking for some


def _stored_facts(store: Store, graph: GraphRow, note_keys: Sequence[int]) -> set[tuple]:
    """The same facts of notes as the present revision has them."""
    facts: set[tuple] = set()
    with store.read() as connection:
        for key, mentions in graph_shelf.texts(connection, graph.key, graph.revision, note_keys, "mentions"):
            if mentions:
                links = unpack_links(mentions)
                facts |= facts_of(key, links.names, links.headings)
    return facts


def _relink(
    tools: IngestTools, graph: GraphRow, writer: NoteWriter, revision: int, before: set[tuple], site_root: str | None,
    was_at: str,
) -> None:  # fmt: skip
    """`before`: the facts of the notes that changed, as they were; `was_at`: below which address notes were read."""
    store = tools.store
    changed_names = {fact[0] for fact in before ^ writer.facts}
    base_path = json.loads(graph.pages)["basePath"]
    if graph.revision and (was_at != base_path or site_root != stored_site_root(graph)):
        changed_names.add(ROOT)
    roots = site_roots(base_path, site_root)
    with store.read() as connection:
        touched = graph_shelf.notes_linking_to(connection, graph.key, revision, sorted(changed_names))
        keys = sorted(touched.union(writer.note_keys))
        every = graph_shelf.all_names(connection, graph.key, revision) if len(keys) >= ALL_NAMES_FROM else None
    names = None if every is None else group_names(every)
    for start in range(0, len(keys), BATCH):
        batch = keys[start : start + BATCH]
        _relink_batch(store, graph, revision, batch, names, roots)
        tools.progress("linking", start + len(batch), len(keys))


def _relink_batch(
    store: Store, graph: GraphRow, revision: int, batch: Sequence[int], names: Names | None, roots: Sequence[str]
) -> None:
    with store.read() as connection:
        notes = graph_shelf.link_inputs(connection, graph.key, revision, batch)
        packs = {key: unpack_links(mentions) for key, _, _, mentions in notes}
        if names is None:
            wanted = {key for pack in packs.values() for link in pack.links for key in read_reference(link.target).keys}
            names = group_names(graph_shelf.names_by_key(connection, graph.key, revision, sorted(wanted)))
        headings = _headings(connection, graph.key, revision, packs)
        rows = [link_note(key, path, kind, packs[key], names, roots, headings) for key, path, kind, _ in notes]
        if graph.revision:
            before = {row[0]: row for row in graph_shelf.edges_of_notes(connection, graph.key, graph.revision, batch)}
            rows = [row for row in rows if row.as_stored() != before.get(row.note_key)]
    with store.write() as connection:
        if graph.revision:
            graph_shelf.close_edges(connection, graph, [row.note_key for row in rows])
        graph_shelf.add_edges(connection, graph.key, revision, rows)


def _find_site_root(tools: IngestTools, graph: GraphRow, revision: int, paths: Mapping[int, str]) -> str | None:
    """Where the site begins whose addresses the notes link to; the same for equal notes, whatever was there before."""
    tools.progress("linking", 0, 1)
    with tools.store.read() as connection:
        rooted = graph_shelf.notes_linking_to(connection, graph.key, revision, [ROOT])
        keys = sorted((key for key in rooted if key in paths), key=paths.__getitem__)
        targets: list[str] = []
        for start in range(0, len(keys), BATCH):
            if len(targets) >= MOST_ROOTED:
                break
            batch = keys[start : start + BATCH]
            notes = {note[0]: note[-1] for note in graph_shelf.link_inputs(connection, graph.key, revision, batch)}
            for key in batch:
                links = unpack_links(notes[key]).links if key in notes else ()
                written = {link.target for link in links if link.kind in ("wiki", "markdown")}
                targets += sorted(target for target in written if target.startswith("/"))
    return find_site_root(paths.values(), targets[:MOST_ROOTED])


def _headings(
    connection: Connection, graph_key: int, revision: int, packs: dict[int, NoteLinks]
) -> Callable[[int], frozenset[str]]:
    """The letters of the headings of notes, read when first asked for."""

    @cache
    def letters(note_key: int) -> frozenset[str]:
        pack = packs.get(note_key)
        if pack is None:
            found = graph_shelf.texts(connection, graph_key, revision, [note_key], "mentions")
            pack = unpack_links(found[0][1]) if found else None
        return frozenset(map(letters_of, pack.headings if pack else ()))

    return letters


def ingest(tools: IngestTools, graph_id: str, listing: SourceListing, pages: PageSettings) -> IngestAnswer:
    """One at a time for each graph; whoever comes meanwhile waits, then sees what the one before left."""
    with tools.store.lock(f"graph:{graph_id}"):
        with tools.store.write() as connection:
            graph = graph_shelf.claim_graph(connection, graph_id, "skill")
        with tools.store.read() as connection:
            known = {file.path: file for file in graph_shelf.known_files(connection, graph)}
        if graph.revision and not _reads_alike(graph, pages):  # other links are seen in the same texts
            known = {path: file._replace(content_hash="", mtime_ns=None) for path, file in known.items()}
        difference = compare_source(listing, known if graph.kind == "skill" else {})
        if graph.kind != "skill":  # a fused graph of this name: nothing of it is a file of this source
            difference.removed = list(known.values())
        ids = settle_ids(listing, known, difference.hashes)
        warnings = (*listing.warnings, *difference.warnings, *ids.warnings)
        found = content_hash(difference.hashes, pages)
        if graph.revision and found == graph.content_hash and graph.kind == "skill" and was_read_by_us(graph):
            return _leave(tools, graph, difference, warnings)
        was_at = json.loads(graph.pages).get("basePath", "")
        graph = replace(graph, kind="skill", content_hash=found, pages=pages.model_dump_json())
        return _write_revision(tools, graph, known, difference, ids, warnings, was_at)


def _reads_alike(graph: GraphRow, pages: PageSettings) -> bool:
    """Whether the present revision was read as files are read today, links to the site's own address included."""
    bases = {json.loads(graph.pages).get("basePath", ""), pages.basePath}
    return was_read_by_us(graph) and (len(bases) == 1 or not any("://" in base for base in bases))


def _leave(
    tools: IngestTools, graph: GraphRow, difference: Difference, warnings: Sequence[IngestWarning]
) -> IngestAnswer:
    """Equal content: the same revision, only the time of the last ingest moves."""
    with tools.store.write() as connection:
        graph_shelf.update_file_times(connection, graph, difference.new_times)
        graph_shelf.touch_graph(connection, graph.key, tools.now())
    return stored_report(graph, difference.changes, warnings)


def _write_revision(
    tools: IngestTools, graph: GraphRow, known: Mapping[str, KnownFile], difference: Difference, ids: SettledIds,
    warnings: Sequence[IngestWarning], was_at: str,
) -> IngestAnswer:  # fmt: skip
    revision = graph.highest_revision + 1
    dead = difference.dead
    dead_keys = {key for key, _ in dead}
    before = _stored_facts(tools.store, graph, sorted(dead_keys))
    with tools.store.write() as connection:
        graph_shelf.begin_writing(connection, graph.key)
        graph_shelf.update_file_times(connection, graph, difference.new_times)
        graph_shelf.close_notes(connection, graph, sorted(dead_keys))
        graph_shelf.close_edges(connection, graph, [file.note_key for file in difference.removed])
        staying = [(node_id, file.note_key) for node_id, file in ids.moved if file.note_key not in dead_keys]
        graph_shelf.move_ids(connection, graph, revision, staying)
    tools.fail_at("ingest.closed")
    writer = NoteWriter(tools, graph, revision, ids.of_path)
    writer.write(difference.to_read)
    tools.fail_at("ingest.read")
    paths = {file.note_key: path for path, file in known.items() if file.note_key not in dead_keys}
    paths |= {key: file.entry.path for key, file in writer.written.items()}
    paths = {key: path for key, path in paths.items() if kind_by_name(path)}
    site_root = _find_site_root(tools, graph, revision, paths)
    _relink(tools, graph, writer, revision, before, site_root, was_at)
    tools.fail_at("ingest.linked")
    tools.progress("measuring", 0, 1)
    with tools.store.write() as connection:
        freeze_revision(connection, graph, graph.revision)
        view = compile_view(connection, graph, revision)
        graph, answer = make_report(
            connection, graph, view, difference.changes, warnings, tools.now(), new_ids=ids.new,
            site_root=site_root,
        )  # fmt: skip
        graph_shelf.publish(connection, graph, revision, writer.next_note_key)
        tools.fail_at("ingest.publishing")
    tools.fail_at("ingest.published")
    tools.library.hold(graph, view)
    with tools.store.write() as connection:
        graph_shelf.sweep_notes(connection, graph, dead)
        sweep_frozen(connection, graph.graph_id)
    tools.progress("measuring", 1, 1)
    return answer
