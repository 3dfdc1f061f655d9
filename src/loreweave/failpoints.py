"""The moments at which a test may ask the process to die, as a power cut would end it."""

FAILPOINTS = frozenset(
    {
        *("ingest.chunk", "ingest.read", "ingest.linked", "ingest.publishing", "ingest.published", "ingest.closed"),
        "ingest.index",
        *("fuse.copied", "delete.hidden"),
        *("merge.snapshot", "merge.insert", "merge.edges", "merge.sources", "merge.commit", "merge.answer"),
        *("undo.sources", "undo.commit", "undo.answer"),
        *("forget.mark", "forget.answer"),
        *("purge.rows", "purge.files", "purge.answer"),
        "restore.replaced",
        *("session.created", "session.answered", "session.stopped"),
        *("build.merged", "build.committed", "build.tested", "build.flashed", "build.deployed"),
    }
)
