"""Single values of strict arguments: exactly the right kind, or one sentence that names the field.

Nothing is coerced: only true and false are booleans, no boolean or text is a number, null is not "absent".
"""

import math
import re
import unicodedata
from collections.abc import Collection, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, NamedTuple

from pydantic import BaseModel, ValidationError

from loreweave.errors import InvalidInput
from loreweave.language.strange_text import is_unicode, shown

INVALID_ARGUMENT = "invalid_argument"
SHOWN_VALUE = 80  # characters of a stranger's value that are repeated to him
GREATEST_WHOLE = 2**53 - 1
MOST_COMPOSED = 4  # code points that can become one when text is composed
_UUID = re.compile("[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}")
_URN = "urn:uuid:"
_INSTANT = re.compile(
    r"[0-9]{4}-[0-9]{2}-[0-9]{2}[Tt][0-9]{2}:[0-9]{2}:[0-9]{2}(\.[0-9]+)?([Zz]|[+-][0-2][0-9]:[0-5][0-9])"
)


def refusal(field: str, sentence: str) -> InvalidInput:
    return InvalidInput(sentence, code=INVALID_ARGUMENT, field=field)


def refuse_unknown(given: Mapping[str, Any], known: Collection[str], place: str = "") -> None:
    for name in given:
        if name not in known:
            unknown = shown(str(name))
            where = f" in {place}" if place else ""
            raise refusal(f"{place}.{unknown}" if place else unknown, f"Unknown argument '{unknown}'{where}")


def plain_text(field: str, value: Any) -> str:
    if not isinstance(value, str):
        raise refusal(field, f"{field} must be text")
    return value


def bounded_text(field: str, value: Any, most: int) -> str:
    """Length before everything else: the other looks then have little to look at."""
    text = plain_text(field, value)
    if len(text) > most:
        raise refusal(field, f"{field} must be at most {most} characters")
    if "\0" in text:
        raise refusal(field, f"{field} must not contain the character NUL")
    if not is_unicode(text):
        raise refusal(field, f"{field} must not contain half of a surrogate pair")
    return text


def needed_text(field: str, value: Any, most: int) -> str:
    """Text that is not blank; what is blank counts as missing."""
    text = bounded_text(field, value, most)
    if not text.strip():
        raise missing(field)
    return text


def filled_text(field: str, value: Any, most: int) -> str:
    text = bounded_text(field, value, most)
    if not text:
        raise refusal(field, f"{field} must not be empty")
    return text


def composed_text(field: str, value: Any, most: int) -> str:
    """In NFC, counted as it will be kept."""
    text = plain_text(field, value)
    if len(text) <= most * MOST_COMPOSED:  # composing is slow where one letter has very many marks
        text = unicodedata.normalize("NFC", text)
    return bounded_text(field, text, most)


def name_text(field: str, value: Any, most: int) -> str:
    name = composed_text(field, value, most)
    if any(unicodedata.category(character) == "Cc" for character in name):
        raise refusal(field, f"{field} must not contain control characters")
    return name


def missing(field: str) -> InvalidInput:
    return refusal(field, f"{field} is required")


def boolean(field: str, value: Any) -> bool:
    if value is True or value is False:
        return value
    raise refusal(field, f"{field} must be true or false")


def number(field: str, value: Any, low: float, high: float) -> float:
    """Between both bounds; minus zero is zero."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not _is_finite(value):
        raise refusal(field, f"{field} must be a finite number")
    if not low <= value <= high:
        raise refusal(field, f"{field} must be between {low:.1f} and {high:.1f}")
    return float(value) + 0.0


def _is_finite(value: int | float) -> bool:
    return isinstance(value, int) or math.isfinite(value)


def whole_number(field: str, value: Any, low: int, high: int = GREATEST_WHOLE) -> int:
    if isinstance(value, bool) or not isinstance(value, int | float) or not _is_finite(value) or value != int(value):
        raise refusal(field, f"{field} must be a whole number")
    if not low <= value <= high:
        bounds = f"between {low:,} and {high:,}" if high < GREATEST_WHOLE else f"at least {low:,}"
        raise refusal(field, f"{field} must be {bounds}")
    return int(value)


def choice(field: str, value: Any, choices: Collection[str]) -> str:
    if not isinstance(value, str) or value not in choices:
        raise refusal(field, f"{field} must be one of {', '.join(choices)}")
    return value


def matching_text(field: str, value: Any, pattern: "re.Pattern[str]", sentence: str) -> str:
    if not isinstance(value, str) or not pattern.fullmatch(value):
        raise refusal(field, sentence)
    return value


def entries(field: str, value: Any) -> list[Any]:
    if not isinstance(value, list):
        raise refusal(field, f"{field} must be a list")
    return value


def node_id(field: str, value: Any) -> str:
    """The canonical form of a UUID: 8-4-4-4-12 digits, bare, in braces or after `urn:uuid:`."""
    if not isinstance(value, str):
        raise refusal(field, f"Invalid UUID format for {field} '{_kind(value)}': it must be text")
    canonical = _canonical(value.lower() if len(value) <= SHOWN_VALUE and value.isascii() else "")
    if canonical is None:
        sentence = f"Invalid UUID format for {field} '{shown(value)}': expected 8-4-4-4-12 hexadecimal digits"
        raise refusal(field, sentence)
    return canonical


def _canonical(text: str) -> str | None:
    if text.startswith("{") and text.endswith("}"):
        text = text[1:-1]
    elif text.startswith(_URN):
        text = text.removeprefix(_URN)
    return text if _UUID.fullmatch(text) else None


def _kind(value: Any) -> str:
    kinds = {bool: "true or false", int: "a number", float: "a number", list: "a list", dict: "an object"}
    return "null" if value is None else kinds.get(type(value), "a value")


def instant(field: str, value: Any) -> str:
    """RFC 3339 with a zone, answered in UTC to the microsecond."""
    found = isinstance(value, str) and _INSTANT.fullmatch(value)
    try:
        if not found:
            raise ValueError
        time = datetime.fromisoformat(value.upper()).astimezone(UTC)
    except (ValueError, OverflowError):
        sentence = f"{field} must be a time in RFC 3339 with a zone, such as 2026-01-31T12:00:00Z"
        raise refusal(field, sentence) from None
    return time.replace(tzinfo=None).isoformat() + "Z"


# Several faults at once, each by its place

SHOWN_FAULTS = 20  # of a refusal, or warnings: nobody reads more, and a hostile request could have thousands


class Fault(NamedTuple):
    path: str
    message: str


def faults_of(model: type[BaseModel], value: Any, path: str) -> list[Fault]:
    try:
        model.model_validate(value)
    except ValidationError as trouble:
        found = trouble.errors(include_url=False, include_input=False)
        return [Fault(".".join(filter(None, (path, *map(str, one["loc"])))), sentence_of(one)) for one in found]
    return []


def refusal_of(faults: Sequence[Fault]) -> InvalidInput:
    """The first fault is the sentence; `fields` has them all."""
    first = faults[0]
    fields = [{"path": path, "message": message} for path, message in faults[:SHOWN_FAULTS]]
    return InvalidInput(f"{first.path} {first.message}", field=first.path, fields=fields)


def sentence_of(fault: Mapping[str, Any]) -> str:
    """What is wrong with a value, of which pydantic tells the kind and the facts."""
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
            return f"must have at most {facts['max_length']:,} characters"
        case "too_long":
            return f"must hold at most {facts['max_length']:,} entries"
        case "literal_error":
            return f"must be {facts['expected'].replace(chr(39), '')}"
        case "bool_type":
            return "must be true or false"
        case "int_type":
            return "must be a whole number"
        case "greater_than_equal":
            return f"must be at least {facts['ge']}"
        case "less_than_equal":
            return f"must be at most {facts['le']:,}"
        case "list_type":
            return "must be a list"
        case "dict_type" | "model_type":
            return "must be an object"
        case "value_error":  # a check of the contract's own says its sentence itself
            return str(facts["error"])
    return f"is wrong: {fault['msg']}"
