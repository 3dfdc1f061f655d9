"""What is wrong with a value of a plan, field by field, without looking into what is nested in it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from pydantic import BaseModel, ValidationError

from loreweave.contracts.skill_plan import MOST_STEPS, STEP_TYPES


class Fault(NamedTuple):
    path: str
    message: str


def shallow_faults(model: type[BaseModel], value: Any, path: str) -> list[Fault]:
    """The faults of one object. Lists of steps must have been taken out: the model would descend into them."""
    try:
        model.model_validate(value)
    except ValidationError as trouble:
        found = trouble.errors(include_url=False, include_input=False)
        return [Fault(".".join([path, *map(str, one["loc"])]), _sentence(one)) for one in found]
    return []


def step_faults(step: Any, path: str) -> list[Fault]:
    """The faults of one step; the steps inside a branch are only counted."""
    if not isinstance(step, dict):
        return [Fault(path, "must be an object")]
    kind = step.get("type")
    model = STEP_TYPES.get(kind) if isinstance(kind, str) else None
    if model is None:
        return [Fault(f"{path}.type", f"must be one of {', '.join(STEP_TYPES)}")]
    inner = step.get("thenSteps")
    if kind != "branch" or not isinstance(inner, list):
        return shallow_faults(model, step, path)
    return [*shallow_faults(model, {**step, "thenSteps": []}, path), *count_faults(inner, f"{path}.thenSteps")]


def count_faults(steps: list[Any], path: str) -> list[Fault]:
    return [Fault(path, f"must hold at most {MOST_STEPS} steps")] if len(steps) > MOST_STEPS else []


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
        case "list_type":
            return "must be a list"
        case "dict_type" | "model_type":
            return "must be an object"
        case "value_error":
            return str(facts["error"])
    return f"is wrong: {fault['msg']}"
