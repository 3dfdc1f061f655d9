"""The tables, as an append-only list: a step that has been released never changes, new ones are added below.

Words in braces are spelled by the dialect.
"""

from loreweave.errors import Conflict
from loreweave.seams.storage.store import Connection, Dialect

MIGRATIONS: list[tuple[str, tuple[str, ...]]] = [
    (
        "graphs",
        (
            # revision 0: nothing to see (deleted, or never finished). highest_revision is never taken back, so that
            # a graph deleted and ingested again never reuses a cache key.
            """CREATE TABLE graphs (
                 graph_key {serial}, graph_id TEXT NOT NULL UNIQUE, kind TEXT NOT NULL,
                 revision INTEGER NOT NULL, highest_revision INTEGER NOT NULL, next_note_key {bigint} NOT NULL,
                 next_segment_key {bigint} NOT NULL, unfinished INTEGER NOT NULL,
                 ingest_number {bigint} NOT NULL, ingested_at TEXT, node_count INTEGER NOT NULL,
                 edge_count INTEGER NOT NULL, score INTEGER NOT NULL, content_hash TEXT NOT NULL,
                 report TEXT NOT NULL)""",
            # A row holds from first_revision until last_revision; NULL is open.
            """CREATE TABLE notes (
                 graph_key {bigint} NOT NULL, note_key {bigint} NOT NULL, first_revision INTEGER NOT NULL,
                 last_revision INTEGER, version INTEGER NOT NULL, kind TEXT NOT NULL, path TEXT NOT NULL,
                 content_hash TEXT NOT NULL, size {bigint} NOT NULL, mtime_ns {bigint}, node_id TEXT,
                 name TEXT, type TEXT, has_type INTEGER, domain TEXT, description TEXT, tags TEXT,
                 updated INTEGER, tokens_sections INTEGER, tokens_full INTEGER,
                 warnings TEXT,
                 PRIMARY KEY (graph_key, note_key, first_revision))""",
            """CREATE TABLE note_texts (
                 graph_key {bigint} NOT NULL, note_key {bigint} NOT NULL, version INTEGER NOT NULL,
                 body_start INTEGER NOT NULL, body_end INTEGER NOT NULL, source {blob} NOT NULL,
                 sections {blob} NOT NULL, mentions {blob} NOT NULL,
                 PRIMARY KEY (graph_key, note_key, version))""",
            """CREATE TABLE note_names (
                 graph_key {bigint} NOT NULL, name_key TEXT NOT NULL, note_key {bigint} NOT NULL,
                 version INTEGER NOT NULL, class INTEGER NOT NULL,
                 PRIMARY KEY (graph_key, name_key, note_key, version)) {clustered}""",
            """CREATE TABLE link_names (
                 graph_key {bigint} NOT NULL, name_key TEXT NOT NULL, note_key {bigint} NOT NULL,
                 version INTEGER NOT NULL, PRIMARY KEY (graph_key, name_key, note_key, version)) {clustered}""",
            """CREATE TABLE note_edges (
                 graph_key {bigint} NOT NULL, note_key {bigint} NOT NULL, first_revision INTEGER NOT NULL,
                 last_revision INTEGER, broken TEXT, warnings TEXT, targets {blob} NOT NULL, types {blob} NOT NULL,
                 counts {blob} NOT NULL, sentence_counts {blob} NOT NULL, sentences {blob} NOT NULL,
                 PRIMARY KEY (graph_key, note_key, first_revision))""",
            """CREATE TABLE segments (
                 graph_key {bigint} NOT NULL, segment_key {bigint} NOT NULL, first_revision INTEGER NOT NULL,
                 last_revision INTEGER, note_keys {blob} NOT NULL, versions {blob} NOT NULL, postings {blob} NOT NULL,
                 PRIMARY KEY (graph_key, segment_key))""",
            """CREATE TABLE vectors (
                 graph_key {bigint} NOT NULL, segment_key {bigint} NOT NULL, embedder TEXT NOT NULL,
                 starts {blob} NOT NULL, vectors {blob} NOT NULL, PRIMARY KEY (graph_key, segment_key))""",
        ),
    ),
    (
        "access",
        (
            """CREATE TABLE tokens (
                 id TEXT PRIMARY KEY, user_name TEXT NOT NULL, secret_hash TEXT NOT NULL, created_at TEXT NOT NULL,
                 revoked_at TEXT)""",
            # Milliseconds since 1970, so that the sliding hour is exact.
            "CREATE TABLE ingest_attempts (user_name TEXT NOT NULL, at {bigint} NOT NULL)",
            "CREATE INDEX ingest_attempts_by_user ON ingest_attempts (user_name, at)",
        ),
    ),
    (
        "asking",
        (
            # How the pages of the present revision are addressed, as JSON.
            "ALTER TABLE graphs ADD COLUMN pages TEXT NOT NULL DEFAULT '{{}}'",
            # What was read out of one text; `reader` names the reader and the settings it was made with.
            """CREATE TABLE page_readings (
                 graph_key {bigint} NOT NULL, note_key {bigint} NOT NULL, version INTEGER NOT NULL,
                 reader TEXT NOT NULL, reading {blob} NOT NULL, PRIMARY KEY (graph_key, note_key, version))""",
            # What somebody wrote about the sections of a graph; `committed` is the hash of the digest file beside it.
            """CREATE TABLE digest_builds (
                 graph_key {bigint} PRIMARY KEY, number {bigint} NOT NULL, committed TEXT NOT NULL,
                 distilled {blob} NOT NULL)""",
            """CREATE TABLE section_indexes (
                 graph_key {bigint} PRIMARY KEY, identity TEXT NOT NULL, content {blob} NOT NULL)""",
            """CREATE TABLE ask_answers (
                 answer_id TEXT PRIMARY KEY, graph_id TEXT NOT NULL, query TEXT NOT NULL, asked_at TEXT NOT NULL,
                 helpful INTEGER, comment TEXT)""",
            "CREATE INDEX ask_answers_by_time ON ask_answers (asked_at)",
            """CREATE TABLE ask_gaps (
                 graph_id TEXT NOT NULL, query_key TEXT NOT NULL, reason TEXT NOT NULL, query TEXT NOT NULL,
                 count {bigint} NOT NULL, last_asked TEXT NOT NULL,
                 PRIMARY KEY (graph_id, query_key, reason))""",
        ),
    ),
    (
        # Closed rows are few and are looked for after every ingest.
        "closed rows",
        tuple(
            f"CREATE INDEX {table}_closed ON {table} (graph_key, last_revision) WHERE last_revision IS NOT NULL"
            for table in ("notes", "note_edges", "segments")
        ),
    ),
]


def migrate(dialect: Dialect) -> None:
    """Takes the missing steps; several processes opening a new store at once take each step once."""
    if _steps_taken(dialect) == len(MIGRATIONS):
        return
    with dialect.lock("migrations"), dialect.begin_write() as connection:
        connection.execute("CREATE TABLE IF NOT EXISTS schema_steps (number INTEGER PRIMARY KEY, name TEXT NOT NULL)")
        taken = len(connection.rows("SELECT number FROM schema_steps"))
        _refuse_newer(taken)
        for number, (name, statements) in enumerate(MIGRATIONS[taken:], start=taken + 1):
            for statement in statements:
                connection.execute(statement.format(**dialect.types))
            connection.execute("INSERT INTO schema_steps (number, name) VALUES (?, ?)", (number, name))


def _steps_taken(dialect: Dialect) -> int:
    with dialect.begin_read() as connection:
        if not _has_steps_table(connection, dialect.name):
            return 0
        taken = connection.rows("SELECT count(*) FROM schema_steps")[0][0]
    _refuse_newer(taken)
    return taken


def _has_steps_table(connection: Connection, database: str) -> bool:
    if database == "sqlite":
        return bool(connection.rows("SELECT 1 FROM sqlite_master WHERE name = 'schema_steps'"))
    return connection.rows("SELECT to_regclass('schema_steps')")[0][0] is not None


def _refuse_newer(taken: int) -> None:
    if taken > len(MIGRATIONS):
        raise Conflict("This data folder was written by a newer version of Loreweave; update to read it.")
