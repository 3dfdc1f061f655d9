"""What all wire values share: exact types, no unknown fields, never changed."""

from pydantic import BaseModel, ConfigDict


class WireValue(BaseModel):
    """A value that crosses the wire. Models are built when first used: a command pays only for its own."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True, defer_build=True)


class ErrorShape(BaseModel):
    """The one shape of every error: a sentence, a code, and facts beside them."""

    model_config = ConfigDict(extra="allow", frozen=True, defer_build=True)

    error: str
    code: str


def absent_when_none(value: object) -> bool:
    """For `Field(exclude_if=…)`: an additive field that is left out rather than sent as null."""
    return value is None


def to_json(value: BaseModel) -> bytes:
    """The one serialisation of an answer: every face sends or prints these bytes, one line."""
    return value.model_dump_json().encode() + b"\n"
