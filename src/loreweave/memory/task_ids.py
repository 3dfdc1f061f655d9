"""The id of a task: its type and its memories, so that the same task has the same id wherever it is met."""

POTENTIAL_MERGE, CONTRADICTION, STALE, EXPIRING = "potential_merge", "contradiction", "stale", "expiring_soon"


def task_id(task_type: str, *node_ids: str) -> str:
    return f"{task_type}:{'+'.join(sorted(node_ids))}"
