"""Who is alive: every process that runs sessions counts up in its own row."""

from loreweave.seams.storage.store import Connection


def beat(connection: Connection, executor_id: str) -> None:
    connection.execute(
        "INSERT INTO session_executors (executor_id, beats) VALUES (?, 1) "
        "ON CONFLICT (executor_id) DO UPDATE SET beats = session_executors.beats + 1",
        (executor_id,),
    )


def all_beats(connection: Connection) -> dict[str, int]:
    return dict(connection.rows("SELECT executor_id, beats FROM session_executors"))


def delete_executor(connection: Connection, executor_id: str) -> None:
    connection.execute("DELETE FROM session_executors WHERE executor_id = ?", (executor_id,))
