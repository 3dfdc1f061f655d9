"""What was found out about a graph at ingest, read back.

A report is stored in parts, each a JSON text of its own, so that a reader parses only the part asked for.
"""

import json
from collections.abc import Iterable
from typing import Any

from loreweave.contracts.graph_reports import ChangedFile, Changes, ChangesAnswer, ValidateAnswer
from loreweave.contracts.skill_graph import IngestWarning
from loreweave.entities.graph_rows import GraphRow
from loreweave.language.markdown.note_slugs import path_order
from loreweave.seams.storage import graph_shelf
from loreweave.seams.storage.revisions.history_shelf import TurnedFile, count_files, turned_over
from loreweave.seams.storage.store import Connection

READER = 9  # raised when equal files would give other notes or links than before
INGESTED, CHECKED = "ingested", "checked"  # for ingest and validate


def part_of(graph: GraphRow, part: str) -> str:
    return json.loads(graph.report)[part]


def validation_of(graph: GraphRow) -> ValidateAnswer:
    """With what reading warned of, as ingest told it."""
    read, checked = json.loads(part_of(graph, INGESTED)), ValidateAnswer.model_validate_json(part_of(graph, CHECKED))
    warnings = [IngestWarning(**kept) for kept in read["warnings"]]
    return checked.model_copy(update={"warnings": warnings, "warningCount": read["warningCount"]})


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
    """What the revision that readers see changed against the one before it."""
    turned = turned_over(connection, graph.key, graph.revision)
    changed = [file for file, _ in turned.changed]
    files = count_files(connection, graph.key, graph.revision)
    counts = {"added": len(turned.added), "changed": len(changed), "removed": len(turned.removed)}
    return ChangesAnswer(
        graphId=graph.graph_id,
        revision=graph.revision,
        changes=Changes(**counts, unchanged=files - len(turned.added) - len(changed)),
        added=shown(turned.added),
        changed=shown(changed),
        removed=shown(turned.removed),
    )


def shown(files: Iterable[TurnedFile]) -> list[ChangedFile]:
    first = sorted(files, key=lambda file: path_order(file.path))[:SHOWN_FILES]
    return [ChangedFile(path=file.path, id=file.node_id, name=file.name or file.path) for file in first]
