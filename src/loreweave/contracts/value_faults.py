"""What is wrong with a value from outside, field by field, in words: for requests that name the place of a fault."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from pydantic import BaseModel, ValidationError

from loreweave.errors import InvalidInput

SHOWN = 20  # faults of a refusal, or warnings: nobody reads more, and a hostile request could have thousands


class Fault(NamedTuple):
    path: str
    message: str


def faults_of(model: type[BaseModel], value: Any, path: str) -> list[Fault]:
    try:
        model.model_validate(value)
    except ValidationError as trouble:
        found = trouble.errors(include_url=False, include_input=False)
        return [Fault(".".join(filter(None, (path, *map(str, one["loc"])))), _sentence(one)) for one in found]
    return []


def refusal_of(faults: Sequence[Fault]) -> InvalidInput:
    """The first fault is the sentence; `fields` has them all."""
    first = faults[0]
    fields = [{"path": path, "message": message} for path, message in faults[:SHOWN]]
    return InvalidInput(f"{first.path} {first.message}", field=first.path, fields=fields)


def _sentence(fault: Mapping[str, Any]) -> str:
    facts = fault.get("ctx") or {}
    match fault["type"]:
        case "missing":
            return "is required"
        case "string_type":
            return "must be text"
        case "string_unicode":
            return "must not contain half of a surrogate pair"
        case "string_too_short":
            return "must not be empty"
        case "string_too_long":
            return f"must have at most {facts['max_length']} characters"
        case "too_long":
            return f"must hold at most {facts['max_length']} entries"
        case "literal_error":
            return f"must be {facts['expected'].replace(chr(39), '')}"
        case "bool_type":
            return "must be true or false"
        case "int_type":
            return "must be a whole number"
        case "greater_than_equal":
            return f"must be at least {facts['ge']}"
        case "less_than_equal":
            return f"must be at most {facts['le']}"
        case "list_type":
            return "must be a list"
        case "dict_type" | "model_type":
            return "must be an object"
        case "value_error":
            return str(facts["error"])
    return f"is wrong: {fault['msg']}"
