"""What the generated document says of the addresses of memory: the very schemas of its tools."""

from typing import Any

from loreweave.contracts.memory import ImportAnswer
from loreweave.contracts.memory_requests import SCOPE_PATTERN
from loreweave.faces.http.described_routes import described_as
from loreweave.faces.memory_calls import MEMORY_CALLS
from loreweave.faces.memory_schemas import memory_input_schema
from loreweave.faces.plain_schemas import output_schema

BINARY = {"type": "string", "format": "binary"}
SUMMARIES = {
    "store_memory": "Store a memory, or edit one",
    "search_memories": "Find memories by words and meaning",
    "get_memory": "One memory with its relations and history",
    "get_memetic_status": "Counts, topics and curation tasks",
    "forget_concept": "Put a memory into the trash, or erase it",
    "boost_importance": "Change the importance of a memory",
    "merge_concepts": "Merge 2 to 10 memories into one",
    "restore_concept": "Bring a forgotten memory back",
    "undo_merge": "Bring the sources of a merge back",
    "list_deleted": "What can still come back",
    "dismiss_task": "Keep a curation task away",
}


def described_tool(tool: str) -> dict[str, Any]:
    schema = memory_input_schema(tool)
    content = {"application/json": {"schema": schema}}
    body = {"required": bool(schema.get("required")), "content": content}
    return described_as(tool, SUMMARIES[tool], output_schema(MEMORY_CALLS[tool].answer), requestBody=body)


def described_export() -> dict[str, Any]:
    scope = {"name": "scope", "in": "query", "required": False, "schema": {"type": "string", "pattern": SCOPE_PATTERN}}
    route = described_as("export_memories", "Every live memory as markdown in a ZIP", {}, parameters=[scope])
    route["openapi_extra"]["responses"]["200"]["content"] = {"application/zip": {"schema": BINARY}}
    return route


def described_import() -> dict[str, Any]:
    trial = {"name": "dry_run", "in": "query", "required": False, "schema": {"type": "boolean", "default": False}}
    body = {"required": True, "content": {"application/zip": {"schema": BINARY}}}
    answer = output_schema(ImportAnswer)
    return described_as(
        "import_memories", "Take markdown in a ZIP in as memories", answer, parameters=[trial], requestBody=body
    )
