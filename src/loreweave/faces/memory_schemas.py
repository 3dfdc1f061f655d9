"""What the tools of memory take, as every face describes it: the contract's words and bounds, ours beside them."""

from functools import cache
from typing import Any

from loreweave.contracts.memory_requests import MEMORY_REQUESTS
from loreweave.faces.plain_schemas import input_schema

# An edit takes these away with null.
NULLABLE = {"store_memory": ("source", "valid_from", "valid_until")}
# Generous bounds of our own that a caller hardly meets: the refusal tells them, every list of tools need not.
UNSAID = ("query", "reason", "task_id", "request_id", "relations")
DESCRIPTIONS: dict[str, dict[str, str]] = {
    "store_memory": {
        "content": "Required unless node_id is given",
        "relations": "An edit replaces all",
        "node_id": "Edits this memory",
        "request_id": "Makes a retry safe",
    },
    "search_memories": {"scope": "* for all", "tags": "All of them", "as_of": "What was true then"},
    "forget_concept": {
        "node_id": "UUID of the memory to forget",
        "soft_delete": "Use soft delete with 30-day recovery (default true per BR-MCP-001)",
    },
    "boost_importance": {
        "node_id": "UUID of the memory to boost",
        "delta": "Importance change value (-1.0 to 1.0)",
    },
    "merge_concepts": {
        "source_ids": "UUIDs of concepts to merge (2-10 required)",
        "target_name": "Name for the merged concept (1-256 chars)",
        "merge_strategy": "Strategy: union=combine all, intersection=common only, weighted_average=by importance",
        "rationale": "Rationale for merge (REQUIRED per PRD 0.3)",
        "force_merge": "Force merge even if priors conflict (use with caution)",
        "preview": "Change nothing",
    },
    "undo_merge": {"on_conflict": "If the merged memory changed", "allow_partial": "If a source was erased"},
}


@cache
def memory_input_schema(tool: str) -> dict[str, Any]:
    schema = input_schema(MEMORY_REQUESTS[tool])
    properties = schema["properties"]
    for name, field in properties.items():
        properties[name] = _shorter(name, field)
    for name in NULLABLE.get(tool, ()):
        properties[name] = {**properties[name], "type": [properties[name]["type"], "null"]}
    for name, description in DESCRIPTIONS.get(tool, {}).items():
        properties[name] = {**properties[name], "description": description}
    return schema


def _shorter(name: str, field: dict[str, Any]) -> dict[str, Any]:
    left_out = {"minLength", "maxLength", "maxItems"} if name in UNSAID else set()
    if name == "scope" and "*" in field["pattern"]:
        left_out.add("pattern")
    if field.get("default") == []:
        left_out.add("default")
    kept = {key: value for key, value in field.items() if key not in left_out}
    return {key: _whole(value) if name != "delta" else value for key, value in kept.items()}


def _whole(value: Any) -> Any:
    """`1` says the same as `1.0`."""
    if isinstance(value, dict):
        return {key: _whole(inner) for key, inner in value.items()}
    return int(value) if isinstance(value, float) and value.is_integer() else value
