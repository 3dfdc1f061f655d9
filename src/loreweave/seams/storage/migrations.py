"""The tables, as an append-only list: a step that has been released never changes, new ones are added below.

Words in braces are spelled by the dialect.
"""

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
    (
        "memory",
        (
            # Times are microseconds since 1970, so that deadlines compare as numbers. `revision` is the store's counter
            # at the row's last change: whoever keeps an index reads what is newer than it knows.
            """CREATE TABLE memories (
                 memory_key {serial}, node_id TEXT NOT NULL UNIQUE, scope TEXT NOT NULL, name TEXT NOT NULL,
                 content TEXT NOT NULL, text_hash TEXT NOT NULL, importance {real} NOT NULL, tags TEXT NOT NULL,
                 source TEXT, valid_from {bigint}, valid_until {bigint}, version INTEGER NOT NULL,
                 created_at {bigint} NOT NULL, updated_at {bigint} NOT NULL, last_accessed_at {bigint},
                 access_count {bigint} NOT NULL, state TEXT NOT NULL, deleted_at {bigint}, recoverable_until {bigint},
                 merged_into TEXT, derived_from TEXT NOT NULL, inherits INTEGER NOT NULL,
                 revision {bigint} NOT NULL)""",
            "CREATE INDEX memories_by_text ON memories (scope, text_hash)",
            "CREATE INDEX memories_by_revision ON memories (revision)",
            # The inbox and the sweep read these two indexes alone.
            "CREATE INDEX memories_by_deadline ON memories (recoverable_until, node_id, state, scope, importance) "
            "WHERE recoverable_until IS NOT NULL",
            "CREATE INDEX memories_by_merge ON memories (merged_into) WHERE merged_into IS NOT NULL",
            "CREATE INDEX memories_faint ON memories ((coalesce(last_accessed_at, created_at)), node_id, scope) "
            "WHERE state = 'live' AND importance < 0.2",
            # One row. `unclean`: the last erasure whose traces in the files are not wiped yet.
            "CREATE TABLE memory_counter (revision {bigint} NOT NULL, unclean {bigint} NOT NULL)",
            "INSERT INTO memory_counter (revision, unclean) VALUES (0, 0)",
            # Between original ids, never rewritten while a merge can be undone. `settled`: taken over from merged
            # memories, not given to this one.
            """CREATE TABLE memory_relations (
                 source_id TEXT NOT NULL, target_id TEXT NOT NULL, type TEXT NOT NULL, weight {real} NOT NULL,
                 settled INTEGER NOT NULL, PRIMARY KEY (source_id, target_id, type)) {clustered}""",
            "CREATE INDEX memory_relations_by_target ON memory_relations (target_id)",
            "CREATE INDEX memory_relations_by_type ON memory_relations (type) "
            "WHERE type IN ('contradicts', 'supersedes')",
            # `state`: open, undone or ended. What was merged stands in `memories`, unchanged; `fingerprint` and
            # `importance` are those of the merged memory as the merge made it.
            """CREATE TABLE memory_merges (
                 reversal_hash TEXT PRIMARY KEY, merged_id TEXT NOT NULL, source_ids TEXT NOT NULL, target_name TEXT,
                 rationale TEXT, strategy TEXT NOT NULL, merged_at {bigint} NOT NULL,
                 reversible_until {bigint} NOT NULL, fingerprint TEXT NOT NULL, importance {real} NOT NULL,
                 state TEXT NOT NULL)""",
            "CREATE INDEX memory_merges_by_result ON memory_merges (merged_id)",
            "CREATE INDEX memory_merges_open ON memory_merges (reversible_until) WHERE state = 'open'",
            """CREATE TABLE memory_history (
                 history_key {serial}, node_id TEXT NOT NULL, at {bigint} NOT NULL, action TEXT NOT NULL,
                 actor TEXT NOT NULL, version INTEGER NOT NULL, detail TEXT NOT NULL)""",
            "CREATE INDEX memory_history_by_memory ON memory_history (node_id, history_key)",
            "CREATE INDEX memory_history_edits ON memory_history (at) WHERE action = 'edited'",
            """CREATE TABLE memory_requests (
                 request_id TEXT PRIMARY KEY, tool TEXT NOT NULL, arguments_hash TEXT NOT NULL, answer TEXT NOT NULL,
                 at {bigint} NOT NULL)""",
            "CREATE INDEX memory_requests_by_time ON memory_requests (at)",
            # Texts that hardly differ, whatever the states of their memories; first_id < second_id.
            """CREATE TABLE memory_pairs (
                 first_id TEXT NOT NULL, second_id TEXT NOT NULL, similarity {real} NOT NULL,
                 PRIMARY KEY (first_id, second_id)) {clustered}""",
            "CREATE INDEX memory_pairs_by_second ON memory_pairs (second_id)",
            "CREATE INDEX memory_pairs_by_similarity ON memory_pairs (similarity DESC, first_id, second_id)",
            """CREATE TABLE memory_dismissals (
                 task_id TEXT PRIMARY KEY, first_id TEXT NOT NULL, second_id TEXT, reason TEXT,
                 at {bigint} NOT NULL)""",
            "CREATE INDEX memory_dismissals_by_first ON memory_dismissals (first_id)",
            "CREATE INDEX memory_dismissals_by_second ON memory_dismissals (second_id)",
            # What is left of an erased memory beside its last line of history; `ended_at` where its window ran out.
            # An id may be erased more than once: an import brings it back.
            """CREATE TABLE memory_erasures (
                 memory_key {bigint} PRIMARY KEY, node_id TEXT NOT NULL, ended_at {bigint},
                 revision {bigint} NOT NULL)""",
            "CREATE INDEX memory_erasures_by_memory ON memory_erasures (node_id, memory_key)",
            "CREATE INDEX memory_erasures_by_revision ON memory_erasures (revision)",
            # What an index is made of, one row a memory and many memories a segment; both can be made anew.
            """CREATE TABLE memory_readings (
                 memory_key {bigint} PRIMARY KEY, reader TEXT NOT NULL, words {blob} NOT NULL,
                 vectors {blob} NOT NULL)""",
            """CREATE TABLE memory_segments (
                 bucket {bigint} PRIMARY KEY, reader TEXT NOT NULL, revision {bigint} NOT NULL,
                 content {blob} NOT NULL)""",
        ),
    ),
    (
        "sessions",
        (
            # `given`: what the session was started with; `saved`: what its events come to; `runner`: who alone may
            # add to it for the work itself, renewed whenever somebody takes it over.
            """CREATE TABLE sessions (
                 session_id TEXT PRIMARY KEY, kind TEXT NOT NULL, state TEXT NOT NULL, outcome TEXT,
                 goal TEXT NOT NULL, created_at {bigint} NOT NULL, last_seq {bigint} NOT NULL, runner TEXT,
                 given TEXT NOT NULL, saved TEXT NOT NULL)""",
            "CREATE INDEX sessions_by_time ON sessions (created_at, session_id)",
            "CREATE INDEX sessions_unfinished ON sessions (created_at) WHERE state <> 'done'",
            # `event_key`: set where the work itself recorded it, so that a replay records nothing twice.
            """CREATE TABLE session_events (
                 session_id TEXT NOT NULL, seq {bigint} NOT NULL, event_key TEXT, frame TEXT NOT NULL,
                 PRIMARY KEY (session_id, seq)) {clustered}""",
            "CREATE UNIQUE INDEX session_events_by_key ON session_events (session_id, event_key) "
            "WHERE event_key IS NOT NULL",
            # `place`: the step or task that asks; `status`: open, answered, late or over.
            """CREATE TABLE session_questions (
                 session_id TEXT NOT NULL, question_id TEXT NOT NULL, kind TEXT NOT NULL, place TEXT NOT NULL,
                 headers TEXT NOT NULL, asked_seq {bigint} NOT NULL, deadline {bigint}, status TEXT NOT NULL,
                 answer TEXT, PRIMARY KEY (session_id, question_id))""",
            "CREATE INDEX session_questions_by_place ON session_questions (session_id, place, asked_seq)",
            "CREATE TABLE session_executors (executor_id TEXT PRIMARY KEY, beats {bigint} NOT NULL)",
        ),
    ),
    (
        "memory clock",
        # When the time was last looked at, and since when a clock that jumped ahead is not believed.
        (
            "ALTER TABLE memory_counter ADD COLUMN seen_at {bigint}",
            "ALTER TABLE memory_counter ADD COLUMN doubted_since {bigint}",
        ),
    ),
    (
        # What is found lies in files of the data folder, made anew from the notes.
        "passages",
        ("DROP TABLE vectors", "DROP TABLE section_indexes"),
    ),
    (
        # Scans, reasons and links are found by the same files.
        "one index",
        ("DROP TABLE segments", "ALTER TABLE graphs DROP COLUMN next_segment_key"),
    ),
    (
        # Memories are found by the same index as notes: words are read from their texts, vectors alone are kept.
        "memory passages",
        (
            "DROP TABLE memory_readings",
            "DELETE FROM memory_segments",
            """CREATE TABLE memory_vectors (
                 memory_key {bigint} PRIMARY KEY, reader TEXT NOT NULL, vectors {blob} NOT NULL)""",
        ),
    ),
    (
        # Which build works in a folder; the row goes with the build's end.
        "build folders",
        ("CREATE TABLE session_folders (folder TEXT PRIMARY KEY, session_id TEXT NOT NULL)",),
    ),
    (
        "knowledge of builds",
        (
            # What a build reads from: the graph as it was when the build began, and what else was known then. While
            # the build is not over, the revision is kept, whatever is ingested meanwhile.
            """CREATE TABLE session_knowledge (
                 session_id TEXT PRIMARY KEY, graph_id TEXT NOT NULL, revision INTEGER NOT NULL,
                 content_hash TEXT NOT NULL, digest TEXT NOT NULL, memory_revision {bigint} NOT NULL)""",
            "CREATE INDEX session_knowledge_by_graph ON session_knowledge (graph_id)",
            # What agents looked at; `read_key` is the same whenever the same look is repeated.
            """CREATE TABLE session_reads (
                 session_id TEXT NOT NULL, read_key TEXT NOT NULL, at {bigint} NOT NULL, task_id TEXT NOT NULL,
                 attempt INTEGER NOT NULL, tool TEXT NOT NULL, asked TEXT NOT NULL, found TEXT NOT NULL,
                 PRIMARY KEY (session_id, read_key)) {clustered}""",
        ),
    ),
    (
        # Every question reads the row of its graph: what was found out at ingest is large and stands apart.
        "graph reports",
        (
            "CREATE TABLE graph_reports (graph_key {bigint} PRIMARY KEY, report TEXT NOT NULL)",
            "INSERT INTO graph_reports (graph_key, report) SELECT graph_key, report FROM graphs WHERE revision > 0",
            "ALTER TABLE graphs DROP COLUMN report",
            "ALTER TABLE graphs ADD COLUMN counted TEXT NOT NULL DEFAULT ''",
        ),
    ),
    (
        "threads",
        (
            """CREATE TABLE chat_threads (
                 thread_id TEXT PRIMARY KEY, graph_id TEXT, title TEXT NOT NULL, updated_at TEXT NOT NULL,
                 turns INTEGER NOT NULL)""",
            "CREATE INDEX chat_threads_by_time ON chat_threads (updated_at)",
            """CREATE TABLE chat_turns (
                 thread_id TEXT NOT NULL, number INTEGER NOT NULL, turn TEXT NOT NULL,
                 PRIMARY KEY (thread_id, number)) {clustered}""",
        ),
    ),
    (
        # What is kept of a graph for whoever looks at it: where it was read, and where its notes stand on the map.
        "graph places",
        (
            "CREATE TABLE graph_sources (graph_key {bigint} PRIMARY KEY, source TEXT NOT NULL)",
            "CREATE TABLE graph_places (graph_key {bigint} PRIMARY KEY, places TEXT NOT NULL)",
        ),
    ),
    (
        "history of graphs",
        (
            # What each revision changed, and the texts that it left behind; without kept_bytes its files are forgotten.
            """CREATE TABLE graph_revisions (
                 graph_key {bigint} NOT NULL, revision INTEGER NOT NULL, made_at TEXT NOT NULL, added INTEGER NOT NULL,
                 changed INTEGER NOT NULL, removed INTEGER NOT NULL, unchanged INTEGER NOT NULL, kept_bytes {bigint},
                 PRIMARY KEY (graph_key, revision))""",
            """CREATE TABLE revision_files (
                 graph_key {bigint} NOT NULL, revision INTEGER NOT NULL, note_key {bigint} NOT NULL, path TEXT NOT NULL,
                 change TEXT NOT NULL, node_id TEXT, name TEXT, source {blob},
                 PRIMARY KEY (graph_key, revision, note_key))""",
            "CREATE TABLE graph_names (graph_key {bigint} PRIMARY KEY, name TEXT NOT NULL)",
        ),
    ),
    ("watched folders", ("CREATE TABLE graph_watches (graph_key {bigint} PRIMARY KEY, watch TEXT NOT NULL)",)),
]
