"""Near texts, and the tasks they make."""

from typing import Any

from tests.memory.curator import Curator

LONG = "The team meets every Monday morning in the small room beside the kitchen to plan the work of the week"
NEAR = LONG.replace("small", "little")


def tasks(curator: Curator, **arguments: Any) -> list[dict[str, Any]]:
    return curator.call("get_memetic_status", **arguments)["curation_tasks"]
