"""Views and indexes made by hand from notes that were really read: for what ranks and walks without a store."""

from collections.abc import Sequence
from datetime import date
from pathlib import PurePosixPath

import numpy
from tests.knowledge.documents.read_notes import read_note

from loreweave.contracts.skill_graph import PageSettings
from loreweave.entities.graph_rows import EDGE_TYPES
from loreweave.entities.note import ParsedNote
from loreweave.index.build_index import build_index, page_sections
from loreweave.knowledge.documents.page_record import record_page
from loreweave.knowledge.graph.graph_view import Edges, GraphView, ViewNode
from loreweave.knowledge.graph.stored_notes import render_sections
from loreweave.knowledge.packs.graph_facts import facts_of
from loreweave.knowledge.packs.index_library import PassageIndex
from loreweave.knowledge.packs.note_terms import NoteTerms
from loreweave.language.tokens import count_tokens

Edge = tuple[str, str, str]  # source stem, target stem, type


def make_note(path: str, body: str = "", **header: str) -> ParsedNote:
    """A note as its file would be read; header values are YAML."""
    lines = [f"{key}: {value}" for key, value in header.items()]
    head = "\n".join(["---", *lines, "---", ""]) if lines else ""
    return read_note(path, (head + body).encode())


def make_view(
    notes: Sequence[ParsedNote],
    *,
    extra_edges: Sequence[Edge] = (),
) -> GraphView:
    """Notes are numbered as given and linked by the stems of their files."""
    stems = {PurePosixPath(note.path).stem: number for number, note in enumerate(notes)}
    return GraphView(
        graph_id="hand-made",
        kind="skill",
        revision=1,
        nodes=[_node(number, note) for number, note in enumerate(notes)],
        edges=_edges(notes, stems, extra_edges),
    )


def make_terms(view: GraphView, notes: Sequence[ParsedNote]) -> NoteTerms:
    """The words of the notes of a view, found by words alone."""
    sections = []
    for note in notes:
        sections += page_sections(note.path, record_page(note.path, note.source, PageSettings()), note.sentences)
    index = PassageIndex(build_index(sections, None), sorted(note.path for note in notes), [], [], [])
    return NoteTerms(facts_of(view), index)


def _node(number: int, note: ParsedNote) -> ViewNode:
    return ViewNode(
        key=number + 1,
        id="skill:" + PurePosixPath(note.path).stem,
        path=note.path,
        name=note.name,
        type=note.type,
        domain=note.domain or "general",
        updated=None if note.updated is None else date.fromisoformat(note.updated).toordinal(),
        tokens_sections=count_tokens(render_sections(note.sections)),
        tokens_full=count_tokens(note.body),
    )


def _edges(notes: Sequence[ParsedNote], stems: dict[str, int], extra: Sequence[Edge]) -> Edges:
    found: dict[tuple[int, int, int], set[int]] = {}
    for source, note in enumerate(notes):
        kind = EDGE_TYPES.index("CLUSTERS" if note.type == "moc" else "REFERENCES")
        for mention in note.links:
            target = stems.get(mention.target)
            if target is not None and target != source:
                found.setdefault((source, target, kind), set()).update(mention.sentences)
    for one, other, name in extra:
        found[stems[one], stems[other], EDGE_TYPES.index(name)] = set()
    keys = sorted(found)
    said = [sorted(found[key]) for key in keys]
    columns = [numpy.array(part, dtype=numpy.int64) for part in zip(*keys, strict=True)] or [numpy.zeros(0, int)] * 3
    source, target, types = columns
    return Edges(
        source=source,
        target=target,
        type=types.astype(numpy.uint8),
        count=numpy.ones(len(keys), dtype=numpy.int64),
        sentence_counts=numpy.array([len(numbers) for numbers in said], dtype=numpy.int64),
        sentences=numpy.array([number for numbers in said for number in numbers], dtype=numpy.int64),
    )
