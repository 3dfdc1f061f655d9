"""Bringing a graph to the state of a source: read what changed, relink what that touches, publish a new revision.

Every row is written for the revision to come. The last statement moves the graph's pointer; a process that dies before
it leaves rows that nobody sees and that the next ingest of the graph takes away.
"""

from collections.abc import Sequence
from dataclasses import replace

from loreweave.contracts.graph_reports import IngestAnswer
from loreweave.contracts.skill_graph import PageSettings
from loreweave.entities.graph_rows import GraphRow, KnownFile
from loreweave.entities.note import NOTE, SourceListing, Warning
from loreweave.errors import NoMarkdown
from loreweave.knowledge.graph.compact_segments import compact_segments
from loreweave.knowledge.graph.compare_source import Difference, compare_source, content_hash
from loreweave.knowledge.graph.graph_report import make_report, stored_report
from loreweave.knowledge.graph.ingest_tools import IngestTools
from loreweave.knowledge.graph.node_ids import deal_ids
from loreweave.knowledge.graph.relink import relink, stored_facts
from loreweave.knowledge.graph.write_notes import NoteWriter
from loreweave.seams.storage import graph_shelf


def ingest(tools: IngestTools, graph_id: str, listing: SourceListing, pages: PageSettings) -> IngestAnswer:
    """One at a time for each graph; whoever comes meanwhile waits, then sees what the one before left."""
    with tools.store.lock(f"graph:{graph_id}"):
        with tools.store.write() as connection:
            graph = graph_shelf.claim_graph(connection, graph_id, "skill")
        known = _known_files(tools, graph)
        difference = compare_source(listing, known if graph.kind == "skill" else {})
        if graph.kind != "skill":  # a fused graph of this name: nothing of it is a file of this source
            difference.removed = list(known.values())
        kinds = {entry.path: entry.kind for entry in listing.entries}
        notes = [path for path in difference.hashes if kinds[path] == NOTE]
        if not notes:
            raise NoMarkdown("None of the markdown files can be read.")
        ids, id_warnings = deal_ids(notes)
        warnings = (*listing.warnings, *difference.warnings, *id_warnings)
        found = content_hash(difference.hashes, pages)
        if graph.revision and found == graph.content_hash and graph.kind == "skill":
            return _leave(tools, graph, difference, warnings)
        moved = [(ids[path], file) for path, file in known.items() if path in ids and ids[path] != file.node_id]
        graph = replace(graph, kind="skill", content_hash=found, pages=pages.model_dump_json())
        return _write_revision(tools, graph, difference, ids, moved, warnings)


def _known_files(tools: IngestTools, graph: GraphRow) -> dict[str, KnownFile]:
    with tools.store.read() as connection:
        return {file.path: file for file in graph_shelf.known_files(connection, graph)}


def _leave(tools: IngestTools, graph: GraphRow, difference: Difference, warnings: Sequence[Warning]) -> IngestAnswer:
    """Equal content: the same revision, only the time of the last ingest moves."""
    with tools.store.write() as connection:
        graph_shelf.update_file_times(connection, graph, difference.new_times)
        graph_shelf.touch_graph(connection, graph.key, tools.now())
    return stored_report(graph, difference.changes, warnings)


def _write_revision(
    tools: IngestTools, graph: GraphRow, difference: Difference, ids: dict[str, str],
    moved: Sequence[tuple[str, KnownFile]], warnings: Sequence[Warning],
) -> IngestAnswer:  # fmt: skip
    revision = graph.highest_revision + 1
    dead = difference.dead
    dead_keys = {key for key, _ in dead}
    before = stored_facts(tools.store, graph, sorted(dead_keys))
    with tools.store.write() as connection:
        graph_shelf.begin_writing(connection, graph.key)
        graph_shelf.update_file_times(connection, graph, difference.new_times)
        graph_shelf.close_notes(connection, graph, sorted(dead_keys))
        graph_shelf.close_edges(connection, graph, [file.note_key for file in difference.removed])
        staying = [(node_id, file.note_key) for node_id, file in moved if file.note_key not in dead_keys]
        graph_shelf.move_ids(connection, graph, revision, staying)
    tools.fail_at("ingest.closed")
    writer = NoteWriter(tools, graph, revision, ids)
    writer.write(difference.to_read)
    tools.fail_at("ingest.read")
    relink(tools.store, graph, revision, writer.note_keys, before, writer.facts, tools.progress)
    tools.fail_at("ingest.linked")
    tools.progress("measuring", 0, 1)
    with tools.store.write() as connection:
        next_segment_key = compact_segments(connection, graph, revision, writer.next_segment_key)
        graph, answer = make_report(connection, graph, revision, difference.changes, warnings, tools.now())
        graph_shelf.publish(connection, graph, revision, writer.next_note_key, next_segment_key)
        tools.fail_at("ingest.publishing")
    tools.fail_at("ingest.published")
    with tools.store.write() as connection:
        graph_shelf.sweep_notes(connection, graph, dead)
    tools.progress("measuring", 1, 1)
    return answer
