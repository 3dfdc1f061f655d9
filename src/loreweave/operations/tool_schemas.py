"""Schemas of what tools take and answer, as short as can be: a model pays for every word of a list of tools."""

from functools import cache
from typing import Any

from pydantic import BaseModel, TypeAdapter

from loreweave.operations.operation import Operation

NULL = {"type": "null"}
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
    "boost_importance": {"node_id": "UUID of the memory to boost", "delta": "Importance change value (-1.0 to 1.0)"},
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


# Their schemas are a contract's own words.
CONTRACTED = ("forget_concept", "boost_importance", "merge_concepts")
# What a refusal tells whoever meets it, and what says nothing.
LEFT_OUT = ("minLength", "maxLength", "maxItems", "minimum", "maximum", "pattern", "additionalProperties")


def input_schema(operation: Operation, request: type[BaseModel], structured: bool) -> dict[str, Any]:
    """What a tool takes; `request` is how it reads it."""
    told = operation.tool.told if operation.tool else None
    if told is not None:
        return _whole_shape(told) if structured else _shape_in_words(told)
    if operation.plain:
        schema = memory_input_schema(request)
        return schema if structured or operation.name in CONTRACTED else _leanest(schema)
    schema = plain_schema(request.model_json_schema())
    for name, field in request.model_fields.items():
        if field.exclude:  # understood, but not told
            del schema["properties"][name]
    return schema if structured else _leanest(schema)


def _leanest(schema: dict[str, Any]) -> dict[str, Any]:
    return {**_lean(schema), "additionalProperties": False}


def _lean(schema: Any, depth: int = 0) -> Any:
    """Objects within objects are told in words."""
    if not isinstance(schema, dict):
        return schema
    if depth > 1 and "properties" in schema:
        return {"type": "object", "description": _in_words(schema)}
    kept = {name: value for name, value in schema.items() if name not in LEFT_OUT}
    if kept.get("default") in ("", None, [], {}) or kept.get("default") is False:
        kept.pop("default", None)
    if "properties" in kept:
        kept["properties"] = {name: _lean(field, depth + 1) for name, field in kept["properties"].items()}
    return {**kept, "items": _lean(kept["items"], depth)} if "items" in kept else kept


def _shape_in_words(request: type[BaseModel]) -> dict[str, Any]:
    """Steps hold steps of six shapes: a model reads them in a line each."""
    schema = _whole_shape(request)
    shapes = schema.pop("$defs")
    steps = "; ".join(_in_words(shape) for shape in shapes.values() if "type" in shape["properties"])
    plan, skill = _in_words(shapes["SkillPlan"]), _in_words(shapes["SkillSpec"])
    schema["properties"] |= {
        "plan": {"type": "object", "description": f"{plan}, a step being one of {steps}"},
        "allSkills": {"type": "array", "items": {"type": "object"}, "description": skill},
        "fromGraph": {"type": "object", "description": "{graphId, nodeId}: its skills"},
        "request_id": {"type": "string", "description": "sent again, no second run"},
    }
    return schema


def _in_words(shape: dict[str, Any]) -> str:
    """`{type: output, id, template}`"""
    told = []
    for name, field in shape["properties"].items():
        values = field.get("enum") or [field["const"]] if {"enum", "const"} & field.keys() else []
        told.append(f"{name}: {'|'.join(values)}" if values else name)
    return f"{{{', '.join(told)}}}"


def output_schema(operation: Operation) -> dict[str, Any]:
    schema = TypeAdapter(operation.answer).json_schema(mode="serialization")
    if operation.plain or (operation.tool and operation.tool.plain_answer):
        schema = plain_schema(schema)
    return {"type": "object", **schema}


def plain_schema(schema: dict[str, Any]) -> dict[str, Any]:
    """Without titles, references and docstrings; what may be left out is never null."""
    return _plain(schema, schema.get("$defs", {}))


def _plain(schema: dict[str, Any], definitions: dict[str, Any]) -> dict[str, Any]:
    if "$ref" in schema:
        target = definitions[schema["$ref"].rpartition("/")[2]]
        return _plain({**target, **{key: value for key, value in schema.items() if key != "$ref"}}, definitions)
    if "anyOf" in schema:
        return _choice(schema, definitions)
    made: dict[str, Any] = {}
    for key, value in schema.items():
        if key in ("title", "$defs") or (key == "description" and "properties" in schema):
            continue
        if key == "properties":
            made[key] = {name: _plain(inner, definitions) for name, inner in value.items()}
        else:
            made[key] = _plain(value, definitions) if isinstance(value, dict) else value
    return made


def _choice(schema: dict[str, Any], definitions: dict[str, Any]) -> dict[str, Any]:
    """Nothing or a value: a field that is left out when there is nothing, else null or the value."""
    kinds = [_plain(kind, definitions) for kind in schema["anyOf"] if kind != NULL]
    described = {key: schema[key] for key in ("description",) if key in schema}
    if len(kinds) > 1 or len(kinds) == len(schema["anyOf"]):
        return {"anyOf": [_plain(kind, definitions) for kind in schema["anyOf"]], **described}
    if "default" in schema and schema["default"] is None:
        return {**kinds[0], **described}
    if isinstance(kinds[0].get("type"), str) and kinds[0]["type"] != "object" and "enum" not in kinds[0]:
        return {**kinds[0], "type": [kinds[0]["type"], "null"], **described}
    return {"anyOf": [kinds[0], NULL], **described}


def _whole_shape(request: type[BaseModel]) -> dict[str, Any]:
    """All of it, though its own reader checks it; steps hold steps, so it keeps its references."""
    schema: dict[str, Any] = _untitled(request.model_json_schema())
    for shape in schema["$defs"].values():
        if "type" in shape["properties"]:
            shape["required"] = ["type", *shape["required"]]
    return {**schema, "additionalProperties": False}


def _untitled(schema: Any) -> Any:
    if isinstance(schema, list):
        return [_untitled(part) for part in schema]
    if not isinstance(schema, dict):
        return schema
    left_out = ("title", "description", "discriminator")
    return {name: _untitled(part) for name, part in schema.items() if name not in left_out}


@cache
def memory_input_schema(request: type[BaseModel]) -> dict[str, Any]:
    """The contract's words and bounds, ours beside them."""
    schema = plain_schema(request.model_json_schema())
    tool, properties = getattr(request, "tool", ""), schema["properties"]
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
