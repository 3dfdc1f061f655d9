"""Schemas of wire values, as short as they can be said: a model pays for every word of a list of tools."""

from typing import Any

from pydantic import BaseModel, TypeAdapter

NULL = {"type": "null"}


def input_schema(model: type[BaseModel]) -> dict[str, Any]:
    return plain_schema(model.model_json_schema())


def output_schema(answer: Any) -> dict[str, Any]:
    return {"type": "object", **plain_schema(TypeAdapter(answer).json_schema(mode="serialization"))}


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
