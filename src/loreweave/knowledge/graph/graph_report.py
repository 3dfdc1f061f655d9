"""What is said of a revision: figures, quality, warnings. Computed once, at ingest, and stored with the graph."""

import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import asdict, replace
from typing import Any

from loreweave.contracts.graph_reports import (
    BrokenLink,
    Changes,
    IngestAnswer,
    IngestValidation,
    Metrics,
    ValidateAnswer,
)
from loreweave.contracts.skill_graph import IngestWarning
from loreweave.entities.graph_rows import GraphRow
from loreweave.knowledge.graph.grade import Measures, as_issues, deduct, measure, score, summary
from loreweave.knowledge.graph.graph_view import GraphView
from loreweave.knowledge.graph.link_note import DEAD_SITE_LINK, SITE_LINK
from loreweave.knowledge.graph.stored_notes import unpack_warnings
from loreweave.knowledge.graph.stored_report import CHECKED, INGESTED, READER, part_of
from loreweave.language.edits import suggest_again
from loreweave.language.markdown.note_slugs import path_order
from loreweave.seams.storage import graph_shelf
from loreweave.seams.storage.store import Connection

SHOWN_WARNINGS = 200


def make_report(
    connection: Connection, graph: GraphRow, view: GraphView, changes: Changes, warnings: Sequence[IngestWarning],
    now: str, *, new_ids: Set[str] | None = None, site_root: str | None = None, **facts: Any,
) -> tuple[GraphRow, IngestAnswer]:  # fmt: skip
    """Measures and grades the revision to come; answers the graph's row with the new figures beside the answer.

    `new_ids`: those that the present revision does not have, where that is known."""
    revision, measures = view.revision, measure(view)
    stats, bonuses, count = measures.stats, measures.bonuses, len(view.nodes)
    links = graph_shelf.link_findings_of_revision(connection, graph.key, revision)
    suggestions = {} if new_ids is None else _stored_suggestions(graph)
    broken = _broken(links, view, suggestions, new_ids or frozenset())
    findings = _findings(connection, graph, view, measures, broken)
    deductions = deduct(findings, count)
    total = score(deductions, bonuses)
    inside = _sorted(_with_site_links(_content_warnings(connection, graph, view, links), site_root))
    checked = ValidateAnswer(
        graphId=graph.graph_id, revision=revision, score=total, issues=as_issues(findings), deductions=deductions,
        bonuses=bonuses, summary=summary(findings, deductions, total, count),
    )  # fmt: skip
    ingested = {
        "metrics": {name: stats[name] for name in Metrics.model_fields},
        "validation": findings.model_dump() | {"score": total},
        "warnings": [asdict(warning) for warning in inside[:SHOWN_WARNINGS]],
        "warningCount": len(inside),
        "siteRoot": site_root,
        "reader": READER,
    }
    report = {INGESTED: json.dumps(ingested, ensure_ascii=False), CHECKED: checked.model_dump_json()}
    graph = replace(
        graph,
        revision=revision,
        node_count=count,
        edge_count=stats["edgeCount"],
        score=total,
        report=json.dumps(report, ensure_ascii=False),
        counted=json.dumps({**stats, **facts}, ensure_ascii=False),
        ingested_at=now,
    )
    return graph, _answer(graph, ingested, changes, warnings, unchanged=False)


def stored_report(graph: GraphRow, changes: Changes, warnings: Sequence[IngestWarning]) -> IngestAnswer:
    """The answer to an ingest that changed nothing."""
    return _answer(graph, json.loads(part_of(graph, INGESTED)), changes, warnings, unchanged=True)


def _with_site_links(warnings: Sequence[IngestWarning], site_root: str | None) -> list[IngestWarning]:
    """What single notes say of their links from a site's root, in one sentence for each beginning."""
    kept = [warning for warning in warnings if warning.code not in (SITE_LINK, DEAD_SITE_LINK)]
    found: Counter[str] = Counter()
    dead: Counter[str] = Counter()
    for warning in warnings:
        if warning.code in (SITE_LINK, DEAD_SITE_LINK):
            counted = found if warning.code == SITE_LINK else dead
            counted[warning.message] += warning.line or 0
    for start, count in dead.items():
        links = "1 link starts" if count == 1 else f"{count:,} links start"
        if others := sum(number for each, number in found.items() if each.startswith(start)):
            message = f"{links} with {start} and lead{'s' if count == 1 else ''} to no note; {others:,} others do"
        else:
            message = f"{links} with {start} and none resolves" + ("" if site_root else "; pass basePath")
        kept.append(IngestWarning("site_links", "", message))
    return kept


def _stored_suggestions(graph: GraphRow) -> dict[str, str | None]:
    if not graph.revision:
        return {}
    broken = json.loads(part_of(graph, INGESTED))["validation"]["brokenLinks"]
    return {link["target"]: link["suggestion"] for link in broken}


def _answer(
    graph: GraphRow, report: dict[str, Any], changes: Changes, warnings: Sequence[IngestWarning], *, unchanged: bool
) -> IngestAnswer:
    inside = (IngestWarning(**kept) for kept in report["warnings"])
    return IngestAnswer(
        graphId=graph.graph_id, revision=graph.revision, kind=graph.kind, metrics=report["metrics"],
        validation=report["validation"], contentHash=graph.content_hash, unchanged=unchanged, changes=changes,
        warnings=_sorted([*inside, *warnings])[:SHOWN_WARNINGS], warningCount=report["warningCount"] + len(warnings),
        siteRoot=report.get("siteRoot"),
    )  # fmt: skip


def _findings(
    connection: Connection, graph: GraphRow, view: GraphView, measures: Measures, broken: list[BrokenLink]
) -> IngestValidation:
    """Before it has a score; paths and pairs in path order."""
    faults = graph_shelf.faults_of_revision(connection, graph.key, view.revision)
    lacking = sorted(faults, key=lambda row: path_order(row[0]))
    path = [node.path for node in view.nodes]
    return IngestValidation(
        score=0,
        brokenLinks=broken,
        missingDescriptions=[row[0] for row in lacking if row[1]],
        missingTypes=[row[0] for row in lacking if row[2]],
        missingDomains=[row[0] for row in lacking if row[3]],
        orphans=[path[node] for node in measures.orphans],
        circularOnly=[[path[one], path[other]] for one, other in measures.circular_pairs],
    )


def _broken(
    links: Sequence[tuple], view: GraphView, suggestions: Mapping[str, str | None], new_ids: Set[str]
) -> list[BrokenLink]:
    """`suggestions`: those of the present revision, which has not got the new ids."""
    found = [(_path(view, key), *entry) for key, broken, _ in links if broken for entry in json.loads(broken)]
    if not found:
        return []
    found.sort(key=lambda entry: (*path_order(entry[0]), entry[3] or 0, entry[1]))
    nearest = suggest_again({entry[1] for entry in found}, view.number_of_id, suggestions, new_ids)
    return [
        BrokenLink(source=path, target=target, context=context, raw=raw, line=line, suggestion=nearest[target])
        for path, target, raw, line, context in found
    ]


def _content_warnings(
    connection: Connection, graph: GraphRow, view: GraphView, links: Sequence[tuple]
) -> list[IngestWarning]:
    """Of reading and of linking."""
    found = []
    for path, packed in graph_shelf.reading_warnings(connection, graph.key, view.revision):
        found += unpack_warnings(packed, path)
    for key, _, packed in links:
        if packed:
            found += unpack_warnings(packed, _path(view, key))
    return found


def _path(view: GraphView, key: int) -> str:
    return view.nodes[view.number_of_key[key]].path


def _sorted(warnings: Iterable[IngestWarning]) -> list[IngestWarning]:
    return sorted(warnings, key=lambda one: (*path_order(one.file), one.line or 0, one.code, one.message))
