"""What the generated document says of the addresses of sessions."""

from typing import Any

from pydantic import BaseModel

from loreweave.faces.http.described_routes import REFERENCE, SUMMARIES, described, described_as

TEXT = {"type": "string"}
OBJECT = {"type": "object"}


def described_session(
    name: str, *answers: type[BaseModel], body: type[BaseModel] | None = None, **extra: Any
) -> dict[str, Any]:
    """An address below one session; its body, where it has one, may be left out where all of it has defaults."""
    if body is not None:
        needed = any(field.is_required() for field in body.model_fields.values())
        extra["requestBody"] = {"required": needed, "content": _json(body)}
    return described(name, *answers, parameters=[_path("session_id"), *extra.pop("parameters", ())], **extra)


def described_list(name: str, entry: type[BaseModel] | None, *parameters: dict[str, Any]) -> dict[str, Any]:
    """A bare list of these, or an empty one."""
    schema = {"type": "array", "items": _reference(entry)} if entry else {"type": "array", "maxItems": 0}
    return described_as(name, SUMMARIES[name], schema, **({"parameters": list(parameters)} if parameters else {}))


def described_events(name: str, answer: type[BaseModel], most: int) -> dict[str, Any]:
    since = {"type": "integer", "minimum": 0, "default": 0}
    limit = {"type": "integer", "minimum": 1, "maximum": most, "default": most}
    return described_session(name, answer, parameters=[_query("since", since), _query("limit", limit)])


def session_path() -> dict[str, Any]:
    return _path("session_id")


def _path(name: str) -> dict[str, Any]:
    return {"name": name, "in": "path", "required": True, "schema": TEXT}


def _query(name: str, schema: dict[str, Any]) -> dict[str, Any]:
    return {"name": name, "in": "query", "required": False, "schema": schema}


def _json(model: type[BaseModel]) -> dict[str, Any]:
    return {"application/json": {"schema": _reference(model)}}


def _reference(model: type[BaseModel]) -> dict[str, Any]:
    return {"$ref": REFERENCE.format(model=model.__name__)}
