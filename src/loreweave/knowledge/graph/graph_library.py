"""Reading graphs: a pin holds one revision still, whatever is ingested meanwhile; and what an ingest holds on to.

Texts and references are unpacked by modules that are imported when the first is asked for: a scan reads none.
"""

import json
import threading
from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from loreweave.contracts.skill_graph import Level1Node
from loreweave.entities.graph_rows import EDGE_TYPES, PREFIX, GraphRow
from loreweave.errors import MOST_NAMED, NotFound
from loreweave.seams.storage import ask_shelf, graph_shelf
from loreweave.seams.storage.store import Connection, Store

if TYPE_CHECKING:
    from loreweave.bulk_work import NoteReaders
    from loreweave.contracts.skill_graph import NodeSection
    from loreweave.knowledge.graph.graph_view import GraphView

KEPT_VIEWS = 8


class PinnedGraph:
    """One revision of one graph. Nodes and edges are named by their numbers in `view`."""

    def __init__(self, connection: Connection, graph: GraphRow, view: "GraphView") -> None:
        self.connection = connection
        self.row = graph
        self.view = view

    def resolve(self, reference: str) -> int:
        """The node meant by an id (with or without prefix), a path, an alias or a name."""
        from loreweave.language.markdown.note_names import read_reference
        from loreweave.language.markdown.resolve_link import group_names, resolve

        for node_id in (reference, PREFIX + reference):
            if node_id in self.view.number_of_id:
                return self.view.number_of_id[node_id]
        target = reference.removeprefix(PREFIX)
        keys = read_reference(target).keys
        rows = graph_shelf.names_by_key(self.connection, self.row.key, self.view.revision, keys)
        found = resolve(target, "", group_names(rows))
        if found is None:
            shown = reference[:200]
            message = f"The graph {self.view.graph_id} has no node {shown!r}."
            raise not_found(message, shown, self.view.number_of_id, node=shown)
        return self.view.number_of_key[found.note_key]

    def linked(self, node: int) -> list[int]:
        """The notes that a note links to, in the order in which it does."""
        from loreweave.knowledge.graph.stored_notes import unpack_links
        from loreweave.knowledge.graph.stored_report import stored_site_root
        from loreweave.language.markdown.note_names import read_reference
        from loreweave.language.markdown.resolve_link import group_names, resolve, site_roots

        [(_, packed)] = self._texts([node], "mentions")
        targets = [link.target for link in unpack_links(packed).links]
        keys = sorted({key for target in targets for key in read_reference(target).keys})
        names = group_names(graph_shelf.names_by_key(self.connection, self.row.key, self.view.revision, keys))
        found_root = stored_site_root(graph_shelf.with_report(self.connection, self.row))
        roots = site_roots(json.loads(self.row.pages).get("basePath", ""), found_root)
        found = [resolve(target, self.view.nodes[node].path, names, roots) for target in targets]
        numbers = dict.fromkeys(self.view.number_of_key[each.note_key] for each in found if each is not None)
        return [number for number in numbers if number != node]

    def level_one(self, nodes: Iterable[int]) -> dict[int, Level1Node]:
        numbers = {self.view.nodes[number].key: number for number in nodes}
        rows = graph_shelf.descriptions(self.connection, self.row.key, self.view.revision, list(numbers))
        return {numbers[key]: self._level_one(numbers[key], *said) for key, *said in rows}

    def sections(self, nodes: Iterable[int]) -> "dict[int, tuple[NodeSection, ...]]":
        from loreweave.knowledge.graph.stored_notes import unpack_sections

        return {number: unpack_sections(packed) for number, packed in self._texts(nodes, "sections")}

    def bodies(self, nodes: Iterable[int]) -> dict[int, str]:
        from loreweave.knowledge.graph.stored_notes import unpack_text

        rows = self._texts(nodes, "source body_start body_end")
        return {number: unpack_text(source)[start:end] for number, source, start, end in rows}

    def readings(self, nodes: Iterable[int], reader: str) -> list[tuple[int, str, bytes | None]]:
        """(node, source, what a reader made of it, if it is kept)."""
        from loreweave.knowledge.graph.stored_notes import unpack_text

        sources = dict(self._texts(nodes, "source"))
        keys = [self.view.nodes[number].key for number in sources]
        kept = ask_shelf.readings_of(self.connection, self.row, reader, keys)
        return [(number, unpack_text(text), kept.get(self.view.nodes[number].key)) for number, text in sources.items()]

    def contexts(self, edges: Iterable[int]) -> dict[int, tuple[str, ...]]:
        """The sentences in which links are written, by edge number."""
        from loreweave.knowledge.graph.stored_notes import unpack_links

        wanted = sorted(set(edges))
        sources = dict(zip(wanted, self.view.edges.source[wanted].tolist(), strict=True))
        rows = self._texts(sorted(set(sources.values())), "mentions")
        sentences = {number: unpack_links(packed).sentences for number, packed in rows}
        return {edge: self._context(edge, sentences[source]) for edge, source in sources.items()}

    def _context(self, edge: int, sentences: Sequence[str]) -> tuple[str, ...]:
        table = self.view.edges
        numbers = table.sentences[table.sentence_starts[edge] : table.sentence_starts[edge + 1]].tolist()
        kind = EDGE_TYPES[table.type[edge]]
        if not numbers and kind in ("EXTENDS", "CONTRADICTS"):
            return (f"frontmatter: {kind.lower()}",)
        return tuple(sentences[number] for number in numbers)

    def _texts(self, nodes: Iterable[int], columns: str) -> list[tuple]:
        numbers = {self.view.nodes[number].key: number for number in nodes}
        rows = graph_shelf.texts(self.connection, self.row.key, self.view.revision, list(numbers), columns)
        return [(numbers[row[0]], *row[1:]) for row in rows]

    def _level_one(self, number: int, description: str | None, tags: str) -> Level1Node:
        node = self.view.nodes[number]
        return Level1Node(
            **{name: getattr(node, name) for name in ("id", "name", "type", "domain", "path")},
            description=description or "",
            tags=json.loads(tags),
            inDegree=int(self.view.in_degrees[number]),
            outDegree=int(self.view.out_degrees[number]),
        )


class GraphLibrary:
    """Opens pins and keeps the compiled views of the revisions read last; never results."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._views: OrderedDict[tuple[int, int], GraphView] = OrderedDict()
        self._compiling = threading.Lock()

    def latest(self) -> str:
        """The id of the graph ingested last."""
        with self._store.read() as connection:
            found = graph_shelf.latest_graph(connection)
        if found is None:
            raise NotFound("There is no graph yet; `lore ingest FOLDER` makes one.")
        return found

    @contextmanager
    def pin(self, graph_id: str) -> Iterator[PinnedGraph]:
        """Holds the revision readers see now."""
        with self._store.read() as connection:
            graph = require_graph(connection, graph_id)
            yield PinnedGraph(connection, graph, self._view(connection, graph))

    def hold(self, graph: GraphRow, view: "GraphView") -> None:
        """Takes in the view of a revision that was just published."""
        with self._compiling:
            self._keep(graph.key, view)

    def _view(self, connection: Connection, graph: GraphRow) -> "GraphView":
        from loreweave.knowledge.graph.compile_view import compile_view  # here: figures of a graph need no view

        key = (graph.key, graph.revision)
        view = self._views.get(key)
        if view is None:
            with self._compiling:
                view = self._views.get(key) or compile_view(connection, graph, graph.revision)
                self._keep(graph.key, view)
        return view

    def _keep(self, graph_key: int, view: "GraphView") -> None:
        """The views kept last, one of a graph; whoever still reads an older one holds it."""
        for key in [key for key in self._views if key[0] == graph_key]:
            del self._views[key]
        self._views[graph_key, view.revision] = view
        while len(self._views) > KEPT_VIEWS:
            self._views.popitem(last=False)


Progress = Callable[[str, int, int], None]  # phase, done, total


@dataclass(frozen=True, slots=True)
class IngestTools:
    """What an ingest works with, chosen by the application."""

    store: Store
    library: GraphLibrary  # holds compiled views from one ingest to the next
    readers: "NoteReaders"
    now: Callable[[], str]
    fail_at: Callable[[str], None]  # kills the process at a named point, in tests of crashes
    progress: Progress = lambda phase, done, total: None


def require_graph(connection: Connection, graph_id: str) -> GraphRow:
    graph = graph_shelf.find_graph(connection, graph_id)
    if graph is None or not graph.revision:
        shown = graph_id[:200]
        others = [row.graph_id for row in graph_shelf.visible_graphs(connection)]
        raise not_found(f"There is no graph {shown!r}.", shown, others, graphId=shown)
    return graph


def not_found(message: str, wanted: str, ids: Iterable[str], **facts: str) -> NotFound:
    """Tells also of the ids that were perhaps meant, or of all there are where they are few."""
    from loreweave.language.edits import nearest_ids

    refusal, known = NotFound(message, **facts), list(ids)
    if nearest := nearest_ids(wanted, known):
        refusal.facts["nearest"] = nearest
    elif 0 < len(known) <= MOST_NAMED:
        refusal.facts["known"] = known
    return refusal
