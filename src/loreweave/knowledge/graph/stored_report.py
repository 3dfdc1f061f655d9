"""What was found out about a graph at ingest, read back.

A report is stored in parts, each a JSON text of its own, so that a reader parses only the part asked for.
"""

import json
from typing import Any

from loreweave.contracts.graph_reports import ValidateAnswer
from loreweave.entities.graph_rows import GraphRow
from loreweave.seams.storage import graph_shelf
from loreweave.seams.storage.store import Connection

INGESTED, CHECKED, COUNTED = "ingested", "checked", "counted"  # for ingest, validate and stats


def part_of(graph: GraphRow, part: str) -> str:
    return json.loads(graph.report)[part]


def validation_of(graph: GraphRow) -> ValidateAnswer:
    return ValidateAnswer.model_validate_json(part_of(graph, CHECKED))


def figures_of(connection: Connection, graph: GraphRow) -> dict[str, Any]:
    """What stats say; of a fused graph also what it was made of, and whether that has moved on."""
    figures = json.loads(part_of(graph, COUNTED))
    if graph.kind == "fused":
        current = {row.graph_id: row.revision for row in graph_shelf.visible_graphs(connection)}
        figures["stale"] = any(current.get(part["graphId"]) != part["revision"] for part in figures["sources"])
    return figures
