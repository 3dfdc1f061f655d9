"""Contract 002: what an answer streams. Order: search*, sources, token*, then done or error; nothing after."""

from typing import ClassVar, Literal

from pydantic import Field

from loreweave.contracts.wire import WireValue, absent_when_none


class AnswerSource(WireValue):
    """A section that the answer may cite."""

    title: str
    heading: str | None = Field(default=None, exclude_if=absent_when_none)
    group: str | None = Field(default=None, exclude_if=absent_when_none)
    url: str
    terms: list[str]
    id: str


class SearchEvent(WireValue):
    """A sub-query, sent when it is issued."""

    event: ClassVar[str] = "search"
    query: str


class SourcesEvent(WireValue):
    event: ClassVar[str] = "sources"
    sources: list[AnswerSource]
    model: str
    mode: Literal["agentic"] = "agentic"


class TokenEvent(WireValue):
    event: ClassVar[str] = "token"
    text: str


class DoneEvent(WireValue):
    """Only after the provider's own stop and some text."""

    event: ClassVar[str] = "done"
    answerId: str
    unverified: list[str]
    truncated: Literal[True] | None = Field(default=None, exclude_if=absent_when_none)


class ErrorEvent(WireValue):
    event: ClassVar[str] = "error"
    error: str
    code: str


AnswerEvent = SearchEvent | SourcesEvent | TokenEvent | DoneEvent | ErrorEvent


class AnswerReport(WireValue):
    """A whole answer at once, for faces that do not stream."""

    mode: Literal["agentic"] = "agentic"
    model: str
    answer: str
    sources: list[AnswerSource]
    unverified: list[str]
    truncated: bool
    answerId: str
