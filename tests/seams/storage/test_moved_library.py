"""A project moves to another machine and another database, and back, and every table says what it said."""

import sqlite3
from collections.abc import Mapping, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from tests.faces.cli.running_plan import ASKING, run_plan
from tests.faces.routed_desk import desk_folder

from loreweave.application import Application, open_application
from loreweave.contracts.ask import AskRequest
from loreweave.contracts.memory_requests import ForgetRequest, GetRequest, MergeRequest, StoreRequest
from loreweave.contracts.route import RouteNextRequest
from loreweave.contracts.route_values import RouteContext
from loreweave.contracts.skill_graph import ScanRequest
from loreweave.knowledge.digest.build_digest import BuildOptions
from loreweave.knowledge.digest.digest_service import DigestService
from loreweave.settings import Settings

# Numbers by which running processes see that what they hold is out of date: a restore counts them on.
COUNTED_ON = {
    ("graphs", "revision"),
    ("graphs", "highest_revision"),
    ("memories", "revision"),
    ("memory_counter", "revision"),
}
NOT_MOVED = {"session_executors", "ingest_attempts", "memory_segments"}  # of a moment, or made anew
VALUES = {"BLOB": b"\x00\xff\x80", "REAL": 0.1 + 0.2, "INTEGER": 2**31 - 1, "TEXT": 'ümlaut 💥 "\\\n\u2028'}


def distilled(sections: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    return {
        "context": "Written by a model.",
        "glossary": [{"term": "Heron", "aliases": [], "definition": "A grey bird 🐦."}],
        "suggestions": ["What is a heron?"],
        "summaries": [{"id": section["id"], "summary": f"About {section['id']}."} for section in sections],
    }


def fill(application: Application, tmp_path: Path) -> str:
    """Graphs of notes and of skills, one deleted and one read twice; a digest, memories, a token, a session, files."""
    notes = tmp_path / "notes"
    notes.mkdir()
    for text in ("# One\n\nAbout herons. See [[two]].\n", "# One\n\nAbout grey herons 🐦. See [[two]] and [[no]].\n"):
        (notes / "one.md").write_text(text, encoding="utf-8")
        (notes / "two.md").write_text("\ufeff# Two\r\n\r\nMore.\r\n", encoding="utf-8")
        application.graphs.ingest_folder(notes, name="notes")
    application.graphs.ingest_folder(notes, name="gone")
    application.graphs.delete("gone")
    application.graphs.ingest_folder(desk_folder(tmp_path / "desk"), name="desk")
    store, library = application.store, application.digest_library
    DigestService(lambda: store, lambda: library, lambda _: distilled).build_graph("notes", BuildOptions(), print)
    application.asking.search(AskRequest(query="xylophone"), "notes")
    stored = [
        application.memory.store(StoreRequest(name=name, content=content, tags=["t"]), "ann").node_id
        for name, content in (("a", "Herons are grey."), ("b", "Herons fish."), ("c", "Forget this."))
    ]
    merged = application.memory.merge(
        MergeRequest(source_ids=stored[:2], target_name="herons", rationale="one thing", force_merge=True), "ann"
    )
    application.memory.forget(ForgetRequest(node_id=stored[2]), "ann")
    application.access.create_token("ann")
    application.access.revoke(application.access.create_token("bob").id)
    return merged.merged_id


def fill_the_rest(file: Path) -> None:
    """A row of awkward values in every table that nothing else filled: also in those that are yet to come."""
    with closing(sqlite3.connect(file)) as raw, raw:
        key = raw.execute("SELECT graph_key FROM graphs WHERE graph_id = 'notes'").fetchone()[0]
        for table, columns in columns_of(raw).items():
            if raw.execute(f"SELECT count(*) FROM {table}").fetchone()[0]:
                continue
            row = [key if name == "graph_key" else VALUES[kind.split("(")[0].upper()] for name, kind in columns.items()]
            raw.execute(f"INSERT INTO {table} VALUES ({', '.join('?' * len(row))})", row)


def columns_of(raw: sqlite3.Connection) -> dict[str, dict[str, str]]:
    found = raw.execute("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite%' ORDER BY name")
    return {
        name: {row[1]: row[2].replace("BIGINT", "INTEGER") for row in raw.execute(f"PRAGMA table_info({name})")}
        for (name,) in found.fetchall()
        if name not in NOT_MOVED
    }


def said(file: Path) -> dict[str, list[tuple[Any, ...]]]:
    """Every row of every table; graphs by their names, since their keys are dealt anew."""
    with closing(sqlite3.connect(file)) as raw:
        graphs = dict(raw.execute("SELECT graph_key, graph_id FROM graphs"))
        found = {}
        for table, columns in columns_of(raw).items():
            # Empty folders of the house, which a restore makes where it lays files out.
            sql = (
                " WHERE CAST(path AS TEXT) NOT LIKE '.lore%' OR content IS NOT NULL"
                if table == "workspace_files"
                else ""
            )
            rows = raw.execute(f"SELECT * FROM {table}{sql}")
            found[table] = sorted(
                (
                    tuple(_plain(table, name, value, graphs) for name, value in zip(columns, row, strict=True))
                    for row in rows
                ),
                key=repr,
            )
        return found


def _plain(table: str, column: str, value: Any, graphs: dict[int, str]) -> Any:
    if column == "graph_key":
        return graphs[value]
    return value > 0 if (table, column) in COUNTED_ON else value


@pytest.mark.holds("outside.move.identity", "outside.move.everything")
def test_there_and_back_again_every_table_says_the_same(tmp_path: Path, postgres_database: str) -> None:
    """From SQLite to PostgreSQL to SQLite; seconds, since every kind of thing is made and three libraries are."""
    first = open_application(Settings(data_dir=tmp_path / "first", embedder="static"))
    merged = fill(first, tmp_path)
    ran = run_plan(tmp_path, ASKING, "left\n", "--data", str(tmp_path / "first"))
    assert ran.returncode == 0, ran.stderr
    drawing = tmp_path / "first" / "workspaces" / "garden" / "plan.txt"
    drawing.parent.mkdir(parents=True)
    drawing.write_bytes(b"\x00rows of beans")
    first.close()
    fill_the_rest(tmp_path / "first" / "lore.db")
    before = ""
    for name, address in (("first", ""), ("second", postgres_database), ("third", "")):
        opened = open_application(
            Settings(data_dir=tmp_path / name, database_url=address, embedder="static"), takes_work=False
        )
        if before:
            counts = opened.library.restore(tmp_path / f"{before}.db", replace=False)
            assert counts == {"graphs": 2, "memories": 1, "sessions": 1, "workspaces": 1}
        opened.library.backup(tmp_path / f"{name}.db")
        _works(opened, merged)
        opened.close()
        before = name
        assert (tmp_path / name / "workspaces" / "garden" / "plan.txt").read_bytes() == b"\x00rows of beans"
    start = said(tmp_path / "first.db")
    assert [table for table, rows in start.items() if not rows] == []
    assert said(tmp_path / "second.db") == start
    assert said(tmp_path / "third.db") == start


def _works(application: Application, merged: str) -> None:
    """What was distilled, routed, remembered and run is there to be used."""
    assert application.library.faults() == []
    assert application.retrieval.scan(ScanRequest(graphId="notes", query="one")).total == 1
    opened = application.digest_library.open("notes")
    assert (opened.digest.context, opened.digest.glossary[0].definition) == ("Written by a model.", "A grey bird 🐦.")
    assert {section.summary for section in opened.sections} == {"About one.", "About two."}
    assert application.asking.search(AskRequest(query="grey herons"), "notes").results
    move = application.routes.next(RouteNextRequest(graphId="desk", context=RouteContext(user_message="a refund")))
    assert move.nextSkill == "refunds"
    assert application.memory.get(GetRequest(node_id=merged), "ann").name == "herons"
    (session,) = application.sessions.list()
    assert (session.kind, session.state) == ("skill", "done")
