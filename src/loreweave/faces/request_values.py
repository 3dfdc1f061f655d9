"""From loose values to a checked request, with one sentence for what is wrong: the same for every face."""

import json
from collections.abc import Callable, Collection, Iterable, Mapping
from typing import Any, TypeVar

from pydantic import BaseModel, TypeAdapter, ValidationError

from loreweave.contracts.argument_values import sentence_of
from loreweave.errors import InvalidInput
from loreweave.language.strange_text import shown

Request = TypeVar("Request", bound=BaseModel)
Pairs = list[tuple[str, Any]]
FLOAT_DIGITS = 400  # more than any number has that a float can hold
MOST_DIGITS = 18  # what every database keeps; a larger number is as good as the largest of these


def read_request(
    model: type[Request], values: Mapping[str, Any], *, takes_nul: bool = False, placed: Collection[str] = ()
) -> Request:
    """The request made of these values; `InvalidInput` names the first field that is wrong.

    `placed`: fields that an address has given already, so that nobody is told to give them.
    """
    try:
        request = model.model_validate(dict(values))
    except ValidationError as trouble:
        raise _refusal(model, trouble, placed) from None
    if not takes_nul:
        _refuse_nul(values)
    return request


def without_nulls(model: type[BaseModel], values: Mapping[str, Any]) -> dict[str, Any]:
    """Whoever fills in every field of a tool sends null for what is left out; a yes or no is never taken for said."""
    absent = {
        name for name, field in model.model_fields.items() if not field.is_required() and field.annotation is not bool
    }
    return {name: value for name, value in values.items() if value is not None or name not in absent}


def read_texts(model: type[Request], pairs: Iterable[tuple[str, str]]) -> Request:
    """Like `read_request`, where values arrive as text (a query string, a form): digits become integers."""
    values: dict[str, Any] = {}
    for name, text in pairs:
        if name in values:
            raise InvalidInput(f"{shown(name)} is given twice", field=shown(name))
        values[name] = _from_text(model, name, text)
    return read_request(model, values)


def _from_text(model: type[BaseModel], name: str, text: str) -> Any:
    field = model.model_fields.get(name)
    digits = text.removeprefix("-")
    if field is None or field.annotation is not int or not (digits.isascii() and digits.isdigit()):
        return text
    number = int(digits) if len(digits) <= MOST_DIGITS else 10**MOST_DIGITS
    return number if digits == text else -number


def _refuse_nul(values: Mapping[str, Any]) -> None:
    """No name, query or path holds NUL, and one of the databases cannot even be asked for it."""
    for name, value in values.items():
        for text in value if isinstance(value, list) else [value]:
            if isinstance(text, str) and "\0" in text:
                raise InvalidInput(f"{name} must not contain the character NUL", field=name)


def _refusal(model: type[BaseModel], trouble: ValidationError, placed: Collection[str]) -> InvalidInput:
    faults = trouble.errors(include_url=False, include_input=False)
    unknown = [one for one in faults if one["type"] in ("extra_forbidden", "unexpected_keyword_argument")]
    fault = unknown[0] if unknown and faults[0]["type"] == "missing" else faults[0]  # mistyped, perhaps
    field = shown(".".join(str(part) for part in fault["loc"]))
    if fault in unknown:
        known = [name for name in _fields_beside(model, fault["loc"]) if name not in placed]
        return unknown_field(field, known)
    return InvalidInput(f"{field} {_sentence(fault, _bounds(model, fault['loc']))}", field=field)


def unknown_field(name: str, known: Iterable[str] = ()) -> InvalidInput:
    """Whoever mistyped a field is told which there are."""
    listed = ", ".join(known)
    return InvalidInput(f"Unknown field {name}" + (f"; known: {listed}" if listed else ""), field=name)


def _fields_beside(model: type[BaseModel], location: tuple[Any, ...]) -> list[str]:
    """The names that could stand where an unknown one does; those that are understood but not told are left out."""
    if len(location) == 1:
        return [name for name, field in model.model_fields.items() if not field.exclude]
    holder = model.model_fields.get(str(location[0]))
    if holder is None or len(location) > 2:
        return []
    shape: Any = holder.annotation
    return list(TypeAdapter(shape).json_schema().get("properties", ()))


def _sentence(fault: Mapping[str, Any], bounds: tuple[Any, Any]) -> str:
    low, high = bounds
    match fault["type"]:
        case "int_type" | "int_from_float" | "int_parsing_size":
            return "must be a whole number"
        case "greater_than_equal" | "less_than_equal":
            return f"must be from {low:,} to {high:,}" if high is not None else f"must be at least {low}"
        case "list_type" | "sequence_str" | "is_instance_of":  # of what is asked for by type, all are lists
            return "must be a list"
        case "dict_type" | "model_type" | "dataclass_type":
            return "must be an object"
        case "too_short" | "too_long":
            return f"must hold from {low} to {high} entries"
    return sentence_of(fault)


def _bounds(model: type[BaseModel], location: tuple[Any, ...]) -> tuple[Any, Any]:
    """The least and greatest value, or number of entries, that a field allows."""
    field = model.model_fields.get(str(location[0])) if location else None
    found: dict[str, Any] = {}
    for constraint in field.metadata if field else ():
        for name in ("ge", "le", "min_length", "max_length"):
            if getattr(constraint, name, None) is not None:
                found[name] = getattr(constraint, name)
    return found.get("ge", found.get("min_length")), found.get("le", found.get("max_length"))


def lenient_json(text: str | bytes, pairs: Callable[[Pairs], Any] | None = None) -> Any:
    """Takes NaN, infinity, endless digits (as infinity) and halves of surrogate pairs; `ValueError` for no JSON."""
    try:
        return json.loads(text, parse_int=_number, object_pairs_hook=pairs)
    except RecursionError:
        raise ValueError("it is nested too deeply") from None


def _number(digits: str) -> float:
    """Reading very many digits as one whole number would take very long."""
    return int(digits) if len(digits) <= FLOAT_DIGITS else float("-inf" if digits.startswith("-") else "inf")


def name_given_twice(pairs: Pairs) -> str | None:
    """The first name that an object holds twice: which of its values is meant, nobody can say."""
    if len(dict(pairs)) == len(pairs):
        return None
    seen: set[str] = set()
    for name, _ in pairs:
        if name in seen:
            return name
        seen.add(name)
    return None
