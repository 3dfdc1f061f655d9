"""What was found out about a graph at ingest, read back."""

import json
from typing import Any

from loreweave.contracts.graph_reports import ValidateAnswer
from loreweave.entities.graph_rows import GraphRow
from loreweave.seams.storage import graph_shelf
from loreweave.seams.storage.store import Connection


def validation_of(graph: GraphRow) -> ValidateAnswer:
    report = json.loads(graph.report)
    return ValidateAnswer(
        graphId=graph.graph_id,
        revision=graph.revision,
        score=graph.score,
        issues=report["issues"],
        bonuses=report["bonuses"],
        summary=report["summary"],
    )


def fused_sources(connection: Connection, graph: GraphRow) -> dict[str, Any]:
    """What the stats of a fused graph say beside the figures."""
    if graph.kind != "fused":
        return {}
    sources = json.loads(graph.report)["sources"]
    current = {row.graph_id: row.revision for row in graph_shelf.visible_graphs(connection)}
    stale = any(current.get(source["graphId"]) != source["revision"] for source in sources)
    return {"sources": sources, "stale": stale}
