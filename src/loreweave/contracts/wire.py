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
