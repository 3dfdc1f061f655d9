"""The description of the HTTP face, made of the rows of the table and the schemas of the wire values."""

from collections.abc import Iterable, Sequence
from types import UnionType
from typing import Any, Union, get_args, get_origin

from pydantic import BaseModel
from pydantic.json_schema import models_json_schema

from loreweave import __version__
from loreweave.contracts.wire import ErrorShape
from loreweave.operations.operation import Address, Operation
from loreweave.operations.tool_schemas import memory_input_schema, output_schema

REFERENCE = "#/components/schemas/{model}"
ERROR = {"$ref": REFERENCE.format(model=ErrorShape.__name__)}
TEXT = {"type": "string"}
FILE = {"type": "string", "format": "binary"}
Models = tuple[type[BaseModel], ...]


def openapi_document(operations: Sequence[Operation]) -> dict[str, Any]:
    paths: dict[str, dict[str, Any]] = {}
    for row in operations:
        if row.http is not None:
            path = row.http.path.replace(":path}", "}")
            paths.setdefault(path, {})[row.http.method.lower()] = _described(row, row.http)
    return {
        "openapi": "3.1.0",
        "info": {"title": "Loreweave", "version": __version__},
        "paths": paths,
        "components": {"schemas": _wire_schemas([row for row in operations if row.http is not None])},
    }


def _described(row: Operation, address: Address) -> dict[str, Any]:
    described: dict[str, Any] = {"tags": [address.tag], "summary": row.summary, "operationId": row.name}
    parameters = list(_parameters(row, address))
    if parameters:
        described["parameters"] = parameters
    body = _body(row, address)
    if body is not None:
        described["requestBody"] = body
    return {
        **described,
        "responses": {
            "200": {"description": "Done", "content": _answers(row, address)},
            "4XX": _failed("Refused: what is wrong, and where"),
            "5XX": _failed("The fault is the server's, or a part of it is away"),
        },
    }


def _failed(description: str) -> dict[str, Any]:
    return {"description": description, "content": {"application/json": {"schema": ERROR}}}


def _answers(row: Operation, address: Address) -> dict[str, Any]:
    kinds = {
        media_type: {"schema": FILE if media_type == "application/zip" else TEXT} for media_type in address.answers
    }
    if row.answer is None and row.answer_schema is None:
        return kinds
    return {"application/json": {"schema": row.answer_schema or _answer_schema(row)}, **kinds}


def _answer_schema(row: Operation) -> dict[str, Any]:
    if row.plain:
        return output_schema(row)
    references = [_reference(model) for model in _answer_models(row)]
    if get_origin(row.answer) is list:
        return {"type": "array", "items": references[0]}
    return references[0] if len(references) == 1 else {"oneOf": references}


def _answer_models(row: Operation) -> Models:
    """A union and a list are told by what they hold."""
    if row.answer is None or row.plain:
        return ()
    answer = get_args(row.answer)[0] if get_origin(row.answer) not in (list, None, Union, UnionType) else row.answer
    return get_args(answer) or (answer,)


def _named(address: Address) -> list[str]:
    return [part.strip("{}").partition(":")[0] for part in address.path.split("/") if part.startswith("{")]


def _parameters(row: Operation, address: Address) -> Iterable[dict[str, Any]]:
    named = _named(address)
    schema = _request_schema(row)
    fields, required = schema.get("properties", {}), schema.get("required", ())
    for name in named:
        told = TEXT if address.loose else fields.get(name, TEXT)
        yield {"name": name, "in": "path", "required": True, "schema": told}
    if address.method != "POST" or address.uploads:
        for name, told in fields.items():
            if name not in named:
                told = TEXT if address.loose else told
                yield {"name": name, "in": "query", "required": name in required, "schema": told}


def _request_schema(row: Operation) -> dict[str, Any]:
    if row.request is None:
        return {}
    return memory_input_schema(row.request) if row.plain else row.request.model_json_schema()


def _body(row: Operation, address: Address) -> dict[str, Any] | None:
    """Nothing where there is nothing to say beside what the address names."""
    if address.uploads:
        return {"required": True, "content": {address.uploads: {"schema": FILE}}}
    model = _body_model(row)
    if model is None:
        return None
    content = {"application/json": {"schema": memory_input_schema(model) if row.plain else _reference(model)}}
    if address.form is not None:
        content["multipart/form-data"] = {"schema": _form(address.form)}
    needed = any(field.is_required() for name, field in model.model_fields.items() if name not in _named(address))
    return {"required": needed or not address.optional, "content": content}


def _body_model(row: Operation) -> type[BaseModel] | None:
    if row.http is None or row.http.method != "POST" or row.http.uploads or row.request is None:
        return None
    return row.request if not row.http.optional or row.request.model_fields.keys() - _named(row.http) else None


def _form(fields: type[BaseModel]) -> dict[str, Any]:
    form = fields.model_json_schema()
    form["properties"]["file"] = {**FILE, "description": "the ZIP itself"}
    form["required"] = [*form["required"], "file"]
    return form


def _reference(model: type[BaseModel]) -> dict[str, Any]:
    return {"$ref": REFERENCE.format(model=model.__name__)}


def _wire_schemas(rows: Sequence[Operation]) -> dict[str, Any]:
    """The components that bodies and answers refer to; what the address names is no part of a body."""
    bodies = {model: _named(row.http) for row in rows if row.http and not row.plain and (model := _body_model(row))}
    answers: Models = (ErrorShape, *(model for row in rows for model in _answer_models(row)))
    asked: list[tuple[type[BaseModel], Any]] = [(model, "validation") for model in bodies]
    answered: list[tuple[type[BaseModel], Any]] = [(model, "serialization") for model in dict.fromkeys(answers)]
    _, schema = models_json_schema([*asked, *answered], ref_template=REFERENCE)
    told: dict[str, Any] = schema["$defs"]
    for model, named in bodies.items():
        _leave_out(told[model.__name__], named)
    return dict(sorted(told.items()))


def _leave_out(schema: dict[str, Any], named: Sequence[str]) -> None:
    for name in named:
        if schema["properties"].pop(name, None) is not None:
            schema["required"] = [field for field in schema["required"] if field != name]
    if not schema.get("required", True):
        del schema["required"]
