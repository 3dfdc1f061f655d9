"""What all wire values share: exact types, no unknown fields, never changed."""

from typing import Any, ClassVar

from pydantic import BaseModel, ConfigDict, TypeAdapter


class WireValue(BaseModel):
    """A value that crosses the wire. Models are built when first used: a command pays only for its own."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True, defer_build=True)


class PlainValue:
    """A dataclass of which an ingest makes thousands: the same on the wire, and no model inside."""

    __slots__ = ()
    __pydantic_config__: ClassVar[ConfigDict] = ConfigDict(extra="forbid", strict=True)


class ErrorShape(BaseModel):
    """The one shape of every error: a sentence, a code, and facts beside them."""

    model_config = ConfigDict(extra="allow", frozen=True, defer_build=True)

    error: str
    code: str


def storable_text(text: str) -> str:
    """One of the databases could not keep it."""
    if "\0" in text:
        raise ValueError("must not contain the character NUL")
    return text


def absent_when_none(value: object) -> bool:
    """For `Field(exclude_if=…)`: an additive field that is left out rather than sent as null."""
    return value is None


def committed_json(value: Any) -> bytes:
    """JSON to commit, where a change is a line of a diff: sorted keys, two spaces, UTF-8, a final newline."""
    return TypeAdapter(Any).dump_json(_in_order(value), indent=2) + b"\n"


def _in_order(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _in_order(value[key]) for key in sorted(value)}
    return [_in_order(item) for item in value] if isinstance(value, list) else value


def to_json(value: BaseModel) -> bytes:
    """The one serialisation of an answer: every face sends or prints these bytes, one line."""
    return value.model_dump_json().encode() + b"\n"
