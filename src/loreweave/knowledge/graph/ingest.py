"""Bringing a graph to the state of a source: read what changed, relink what that touches, publish a new revision.

Every row is written for the revision to come. The last statement moves the graph's pointer; a process that dies before
it leaves rows that nobody sees and that the next ingest of the graph takes away.
"""

from collections.abc import Sequence
from dataclasses import replace

from loreweave.contracts.graph_reports import IngestAnswer
from loreweave.contracts.skill_graph import PageSettings
from loreweave.entities.graph_rows import GraphRow
from loreweave.entities.note import SourceListing, Warning
from loreweave.knowledge.graph.compact_segments import compact_segments
from loreweave.knowledge.graph.compare_source import Difference, compare_source, content_hash
from loreweave.knowledge.graph.graph_report import make_report, stored_report
from loreweave.knowledge.graph.held_files import Files, changed, restamped
from loreweave.knowledge.graph.ingest_tools import IngestTools
from loreweave.knowledge.graph.patch_view import next_view
from loreweave.knowledge.graph.relink import relink, stored_facts
from loreweave.knowledge.graph.settle_ids import SettledIds, settle_ids
from loreweave.knowledge.graph.write_notes import NoteWriter
from loreweave.seams.storage import graph_shelf


def ingest(tools: IngestTools, graph_id: str, listing: SourceListing, pages: PageSettings) -> IngestAnswer:
    """One at a time for each graph; whoever comes meanwhile waits, then sees what the one before left."""
    with tools.store.lock(f"graph:{graph_id}"):
        with tools.store.write() as connection:
            graph = graph_shelf.claim_graph(connection, graph_id, "skill")
        known = tools.files.of(tools.store, graph)
        difference = compare_source(listing, known if graph.kind == "skill" else {})
        if graph.kind != "skill":  # a fused graph of this name: nothing of it is a file of this source
            difference.removed = list(known.values())
        ids = settle_ids(graph, listing, known, difference)
        warnings = (*listing.warnings, *difference.warnings, *ids.warnings)
        found = content_hash(difference.hashes, pages)
        if graph.revision and found == graph.content_hash and graph.kind == "skill":
            tools.files.hold(graph, restamped(known, difference))
            return _leave(tools, graph, difference, warnings)
        graph = replace(graph, kind="skill", content_hash=found, pages=pages.model_dump_json())
        return _write_revision(tools, graph, known, difference, ids, warnings)


def _leave(tools: IngestTools, graph: GraphRow, difference: Difference, warnings: Sequence[Warning]) -> IngestAnswer:
    """Equal content: the same revision, only the time of the last ingest moves."""
    with tools.store.write() as connection:
        graph_shelf.update_file_times(connection, graph, difference.new_times)
        graph_shelf.touch_graph(connection, graph.key, tools.now())
    return stored_report(graph, difference.changes, warnings)


def _write_revision(
    tools: IngestTools, graph: GraphRow, known: Files, difference: Difference, ids: SettledIds,
    warnings: Sequence[Warning],
) -> IngestAnswer:  # fmt: skip
    revision = graph.highest_revision + 1
    dead = difference.dead
    dead_keys = {key for key, _ in dead}
    before = stored_facts(tools.store, graph, sorted(dead_keys))
    with tools.store.write() as connection:
        graph_shelf.begin_writing(connection, graph.key)
        graph_shelf.update_file_times(connection, graph, difference.new_times)
        graph_shelf.close_notes(connection, graph, sorted(dead_keys))
        removed = [file.note_key for file in difference.removed]
        graph_shelf.close_edges(connection, graph, removed)
        staying = [(node_id, file.note_key) for node_id, file in ids.moved if file.note_key not in dead_keys]
        graph_shelf.move_ids(connection, graph, revision, staying)
    tools.fail_at("ingest.closed")
    writer = NoteWriter(tools, graph, revision, ids.of_path)
    writer.write(difference.to_read)
    tools.fail_at("ingest.read")
    relinked = relink(tools.store, graph, revision, writer.note_keys, before, writer.facts, tools.progress)
    tools.fail_at("ingest.linked")
    tools.progress("measuring", 0, 1)
    with tools.store.write() as connection:
        touched = dead_keys.union(writer.note_keys, (key for _, key in staying))
        view = next_view(connection, graph, revision, tools.library.held(graph), touched, relinked.union(removed))
        next_segment_key = compact_segments(connection, graph, revision, writer.next_segment_key, view)
        graph, answer = make_report(
            connection, graph, view, difference.changes, warnings, tools.now(), new_ids=ids.new,
            id_warnings=ids.warnings,
        )  # fmt: skip
        graph_shelf.publish(connection, graph, revision, writer.next_note_key, next_segment_key)
        tools.fail_at("ingest.publishing")
    tools.fail_at("ingest.published")
    tools.library.hold(graph, view)
    if revision > 1:  # whoever ingests once does not need to remember
        tools.files.hold(graph, changed(known, difference, revision, ids, writer.written.items()))
    with tools.store.write() as connection:
        graph_shelf.sweep_notes(connection, graph, dead)
    tools.progress("measuring", 1, 1)
    return answer
