"""What was found out about a graph at ingest, read back.

A report is stored in parts, each a JSON text of its own, so that a reader parses only the part asked for.
"""

import json
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from loreweave.contracts.graph_reports import ChangedFile, Changes, ChangesAnswer, ValidateAnswer
from loreweave.entities.graph_rows import GraphRow
from loreweave.language.markdown.note_slugs import path_order
from loreweave.seams.storage import graph_shelf
from loreweave.seams.storage.store import Connection

if TYPE_CHECKING:
    pass

READER = 4  # raised when equal files would give other notes or links than before
INGESTED, CHECKED = "ingested", "checked"  # for ingest and validate


def part_of(graph: GraphRow, part: str) -> str:
    return json.loads(graph.report)[part]


def validation_of(graph: GraphRow) -> ValidateAnswer:
    return ValidateAnswer.model_validate_json(part_of(graph, CHECKED))


def figures_of(connection: Connection, graph: GraphRow) -> dict[str, Any]:
    """What stats say; of a fused graph also what it was made of, and whether that has moved on."""
    # Graphs that were ingested before counts stood in their row have them among the parts of the report.
    figures = json.loads(graph.counted or part_of(graph_shelf.with_report(connection, graph), "counted"))
    if graph.kind == "fused":
        current = {row.graph_id: row.revision for row in graph_shelf.visible_graphs(connection)}
        figures["stale"] = any(current.get(part["graphId"]) != part["revision"] for part in figures["sources"])
    return figures


def stored_site_root(graph: GraphRow) -> str | None:
    found: str | None = json.loads(part_of(graph, INGESTED)).get("siteRoot")
    return found


def was_read_by_us(graph: GraphRow) -> bool:
    """Whether the present revision was read as files are read today."""
    return graph.kind == "fused" or json.loads(part_of(graph, INGESTED)).get("reader") == READER


SHOWN_FILES = 200  # of each list; the counts tell how many there are


def read_changes(connection: Connection, graph: GraphRow) -> ChangesAnswer:
    """What the revision that readers see changed against the one before it. A file is known by its path; a note that
    only changed its id has not changed."""
    begun: dict[str, tuple] = {}
    ended: dict[str, tuple] = {}
    for path, *facts, begins in graph_shelf.turned_over(connection, graph.key, graph.revision):
        (begun if begins else ended)[path] = tuple(facts)
    added = [path for path in begun if path not in ended]
    changed = [path for path in begun if path in ended and begun[path][-1] != ended[path][-1]]
    removed = [path for path in ended if path not in begun]
    files = graph_shelf.count_files(connection, graph.key, graph.revision)
    return ChangesAnswer(
        graphId=graph.graph_id,
        revision=graph.revision,
        changes=Changes(
            added=len(added), changed=len(changed), removed=len(removed), unchanged=files - len(added) - len(changed)
        ),
        added=_shown(added, begun),
        changed=_shown(changed, begun),
        removed=_shown(removed, ended),
    )


def _shown(paths: Iterable[str], facts: dict[str, tuple]) -> list[ChangedFile]:
    first = sorted(paths, key=path_order)[:SHOWN_FILES]
    return [ChangedFile(path=path, id=facts[path][0], name=facts[path][1] or path) for path in first]
