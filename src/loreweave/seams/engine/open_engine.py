"""Opens the engine over the database that the settings name."""

from __future__ import annotations

from pathlib import Path

from loreweave.seams.engine.engine import Engine, LetGo, Work


def open_engine(
    data_dir: Path, database_url: str, work: Work, *, takes_work: bool = True, let_go: LetGo | None = None
) -> Engine:
    """With `takes_work` off, a process runs what it starts itself and nothing that others left.

    On SQLite the engine keeps a file of its own in the data folder; on PostgreSQL a schema of its own beside the
    store. One engine a process at a time. `let_go` runs on the loop, after the last work.
    """
    from loreweave.seams.engine.dbos_names import refuse_unknown_dbos

    refuse_unknown_dbos()
    from loreweave.seams.engine.durable_engine import DurableEngine  # a second of imports

    return DurableEngine(data_dir, database_url, work, takes_work=takes_work, let_go=let_go)
