"""Fusing graphs: one graph of the nodes of several, none merged, equal names joined by CROSS_DOMAIN edges."""

import hashlib
import json
from array import array
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

from loreweave.contracts.graph_reports import Changes, IngestAnswer
from loreweave.entities.graph_rows import PREFIX, GraphRow
from loreweave.entities.note_rows import EdgeRow, NoteRow, TextRow
from loreweave.errors import InvalidInput
from loreweave.knowledge.graph.compile_view import compile_view
from loreweave.knowledge.graph.graph_library import IngestTools, require_graph
from loreweave.knowledge.graph.graph_report import make_report, stored_report
from loreweave.knowledge.graph.link_note import CROSS_DOMAIN
from loreweave.knowledge.graph.stored_notes import unpack_links
from loreweave.seams.storage import graph_shelf
from loreweave.seams.storage.revisions.knowledge_shelf import freeze_revision, sweep_frozen
from loreweave.seams.storage.store import Connection

BATCH = 500
JOINED_IN_FULL = 100  # nodes of one name up to which every two are joined; beyond, each with the first of each graph


@dataclass(frozen=True, slots=True)
class _Part:
    """One source and where its notes go."""

    graph: GraphRow
    first_key: int
    notes: tuple[NoteRow, ...]  # under their keys in the source
    new_keys: dict[int, int]

    def node_id(self, note: NoteRow) -> str:
        return f"{PREFIX}{self.graph.graph_id}/{(note.node_id or '').removeprefix(PREFIX)}"


def fuse_graphs(tools: IngestTools, graph_id: str, graph_ids: Sequence[str]) -> IngestAnswer:
    if len(set(graph_ids)) != len(graph_ids):
        raise InvalidInput("graphIds names a graph twice.", field="graphIds")
    if graph_id in graph_ids:
        raise InvalidInput("A fused graph cannot take the name of one of its sources.", field="name")
    with tools.store.read() as reading:  # before the lock, which leaves a file behind
        for source in sorted(graph_ids):
            require_graph(reading, source)
    with tools.store.lock(f"graph:{graph_id}"), tools.store.read() as reading:
        sources = [require_graph(reading, source) for source in sorted(graph_ids)]
        with tools.store.write() as connection:
            graph = graph_shelf.claim_graph(connection, graph_id, "fused")
        found = _content_hash(sources)
        if graph.revision and graph.kind == "fused" and graph.content_hash == found:
            with tools.store.write() as connection:
                graph_shelf.touch_graph(connection, graph.key, tools.now())
            count = graph.node_count
            return stored_report(graph, Changes(added=0, changed=0, removed=0, unchanged=count), ())
        return _write_revision(tools, reading, replace(graph, kind="fused", content_hash=found, pages="{}"), sources)


def _content_hash(sources: Sequence[GraphRow]) -> str:
    facts = [[source.graph_id, source.revision, source.content_hash] for source in sources]
    return hashlib.sha256(json.dumps(facts).encode()).hexdigest()


def _write_revision(
    tools: IngestTools, reading: Connection, graph: GraphRow, sources: Sequence[GraphRow]
) -> IngestAnswer:
    revision = graph.highest_revision + 1
    with tools.store.write() as connection:
        before = graph_shelf.known_files(connection, graph)
        graph_shelf.begin_writing(connection, graph.key)
        graph_shelf.close_everything(connection, graph)
    parts = _parts(reading, graph, sources)
    joins = _joins(parts)
    for part in parts:
        for start in range(0, len(part.notes), BATCH):
            _copy_notes(tools, reading, graph, revision, part, part.notes[start : start + BATCH], joins)
            tools.progress("fusing", start, len(part.notes))
    tools.fail_at("fuse.copied")
    named = [{"graphId": source.graph_id, "revision": source.revision} for source in sources]
    with tools.store.write() as connection:
        freeze_revision(connection, graph, graph.revision)
        changes = _changes({file.path: file.content_hash for file in before}, parts)
        view = compile_view(connection, graph, revision)
        graph, answer = make_report(connection, graph, view, changes, (), tools.now(), sources=named)
        last_key = parts[-1].first_key + len(parts[-1].notes)
        graph_shelf.publish(connection, graph, revision, last_key)
    with tools.store.write() as connection:
        graph_shelf.sweep_everything(connection, graph)
        sweep_frozen(connection, graph.graph_id)
    return answer


def _parts(reading: Connection, graph: GraphRow, sources: Sequence[GraphRow]) -> list[_Part]:
    parts, next_key = [], graph.next_note_key
    for source in sources:
        notes = tuple(graph_shelf.note_rows(reading, source.key, source.revision))
        new_keys = {note.note_key: next_key + place for place, note in enumerate(notes)}
        parts.append(_Part(source, next_key, notes, new_keys))
        next_key += len(notes)
    return parts


def _changes(before: dict[str, str], parts: Iterable[_Part]) -> Changes:
    after = {f"{part.graph.graph_id}/{note.path}": note.content_hash for part in parts for note in part.notes}
    same = sum(1 for path, digest in after.items() if before.get(path) == digest)
    kept = len(before.keys() & after.keys())
    return Changes(added=len(after) - kept, changed=kept - same, removed=len(before) - kept, unchanged=same)


def _joins(parts: Iterable[_Part]) -> dict[int, list[int]]:
    """From new note key to new note keys: equal names in different graphs, smaller id to larger."""
    named: dict[str, list[tuple[str, int, int]]] = defaultdict(list)
    for place, part in enumerate(parts):
        for note in part.notes:
            named[(note.name or "").casefold()].append((part.node_id(note), place, part.new_keys[note.note_key]))
    joins: dict[int, list[int]] = defaultdict(list)
    for same in named.values():
        for (_, _, one), (_, _, other) in _pairs(sorted(same)):
            joins[one].append(other)
    return joins


def _pairs(same: list[tuple[str, int, int]]) -> Iterable[tuple[tuple, tuple]]:
    if len(same) <= JOINED_IN_FULL:
        return [(one, other) for one, other in combinations(same, 2) if one[1] != other[1]]
    firsts: dict[int, tuple[str, int, int]] = {}
    for node in same:
        firsts.setdefault(node[1], node)
    pairs = {(min(node, first), max(node, first)) for node in same for first in firsts.values() if node[1] != first[1]}
    return sorted(pairs)


def _copy_notes(
    tools: IngestTools, reading: Connection, graph: GraphRow, revision: int, part: _Part, notes: Sequence[NoteRow],
    joins: dict[int, list[int]],
) -> None:  # fmt: skip
    keys = [note.note_key for note in notes]
    source = part.graph
    columns = "body_start body_end source sections mentions"
    texts = graph_shelf.texts(reading, source.key, source.revision, keys, columns)
    edges = {row[0]: row for row in graph_shelf.edges_of_notes(reading, source.key, source.revision, keys)}
    rows = [
        note._replace(
            note_key=part.new_keys[note.note_key], version=revision, node_id=part.node_id(note),
            path=f"{source.graph_id}/{note.path}", mtime_ns=None,
        )
        for note in notes
    ]  # fmt: skip
    names = [
        (name, part.new_keys[key], revision, of)
        for key, *_, mentions in texts
        for name, of in unpack_links(mentions).names
    ]
    with tools.store.write() as connection:
        graph_shelf.add_notes(connection, graph.key, revision, rows)
        copies = [TextRow(part.new_keys[key], revision, *packed) for key, *packed in texts]
        graph_shelf.add_texts(connection, graph.key, copies)
        graph_shelf.add_names(connection, graph.key, names, ())
        linked = [_edge_row(part, key, edges.get(key), joins) for key in keys]
        graph_shelf.add_edges(connection, graph.key, revision, linked)


def _edge_row(part: _Part, key: int, stored: tuple | None, joins: dict[int, list[int]]) -> EdgeRow:
    new_key = part.new_keys[key]
    row = EdgeRow(new_key)
    if stored:
        _, targets, types, counts, sentence_counts, sentences, broken, warnings = stored
        row = EdgeRow(
            new_key,
            array("q", [part.new_keys[target] for target in array("q", targets)]),
            array("B", types),
            array("q", counts),
            array("B", sentence_counts),
            array("q", sentences),
            broken,
            warnings,
        )
    for other in joins.get(new_key, ()):
        row.targets.append(other)
        row.types.append(CROSS_DOMAIN)
        row.counts.append(1)
        row.sentence_counts.append(0)
    return row
