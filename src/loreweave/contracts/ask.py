"""Contract 002, ask: requests and answers of search, reads and feedback. Names and case are the contract's."""

from typing import Annotated, ClassVar, Literal

from pydantic import AfterValidator, Field, StringConstraints

from loreweave.contracts.skill_graph import Name, ShortText
from loreweave.contracts.wire import WireValue, absent_when_none, storable_text
from loreweave.language.strange_text import is_unicode

FactKind = Literal["flag", "code", "value", "default", "key"]
NodeMode = Literal["agent-primary", "source-primary"]
ProblemKind = Literal["stale", "missing", "orphan", "fact", "anchor", "link"]
GapReason = Literal["no_results", "not_covered", "unhelpful"]


def _encodable(text: str) -> str:
    """Half a surrogate pair is no text: it could be neither stored nor sent back."""
    if not is_unicode(text):
        raise ValueError("must not hold lone surrogates")
    return text


Query = Annotated[str, StringConstraints(max_length=2_000), AfterValidator(_encodable)]
ResultLimit = Annotated[int, Field(ge=1, le=50)]


class Turn(WireValue):
    """An earlier question and what was answered."""

    query: Query
    answer: Annotated[str, StringConstraints(max_length=20_000), AfterValidator(_encodable)]


class AskRequest(WireValue, extra="ignore"):  # the contract leaves room for fields of others
    query: Query
    mode: Literal["keyword", "agentic"] = "keyword"
    limit: ResultLimit = 6
    history: list[Turn] = Field(default_factory=list, max_length=50)  # the last six count
    typing: bool = False  # not a whole question yet: that nothing is found is not remembered as a gap


class KeywordResult(WireValue):
    title: str
    heading: str | None = Field(default=None, exclude_if=absent_when_none)
    url: str
    group: str | None = Field(default=None, exclude_if=absent_when_none)
    snippet: str
    id: str
    score: float
    highlights: list[tuple[int, int]]


class KeywordResponse(WireValue):
    results: list[KeywordResult]
    query: str
    model: str
    mode: Literal["keyword"] = "keyword"
    warning: str | None = Field(default=None, exclude_if=absent_when_none)


class SuggestionsResponse(WireValue):
    suggestions: list[str]
    model: str


class GlossaryEntry(WireValue):
    term: str
    aliases: list[str]
    definition: str


class GlossaryList(WireValue):
    terms: list[GlossaryEntry]


class SectionSummary(WireValue):
    id: str
    title: str
    heading: str | None
    group: str | None
    url: str


class SectionList(WireValue):
    sections: list[SectionSummary]


class SectionFact(WireValue):
    """literal = source[start:end], counted in UTF-8 bytes."""

    kind: FactKind
    literal: str
    chunkId: str
    start: int
    end: int


class SourceRef(WireValue):
    chunkId: str
    url: str
    anchor: str | None


class KnowledgeNode(WireValue):
    id: str
    kind: Literal["section"] = "section"
    title: str
    heading: str | None
    group: str | None
    url: str
    summary: str
    facts: list[SectionFact]
    sources: list[SourceRef]
    mode: NodeMode
    terms: list[str]


class OverviewAnswer(WireValue):
    overview: str
    context: str


class FeedbackRequest(WireValue):
    answerId: Name
    helpful: bool
    comment: Annotated[str, StringConstraints(max_length=2_000), AfterValidator(_encodable)] | None = None


class FeedbackAnswer(WireValue):
    answerId: str
    helpful: bool


class Gap(WireValue):
    """A question that the documents did not answer."""

    query: str
    reason: GapReason
    count: int
    lastAsked: str


class GapList(WireValue):
    gaps: list[Gap]


class BuildReport(WireValue):
    """What a build did; `distilled` counts the sections sent to a model in this run."""

    status: Literal["built", "updated", "skipped"]
    path: str
    sections: int
    distilled: int
    contentHash: str


class DigestProblem(WireValue):
    kind: ProblemKind
    id: str
    message: str


class VerifyReport(WireValue):
    """`ok` unless there is a problem of another kind than `link`."""

    ok: bool
    problems: list[DigestProblem]


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


class AskedGraph(WireValue):
    graph: Name | None = None


class TermRequest(AskedGraph):
    term: Name


class SectionsRequest(AskedGraph):
    group: ShortText | None = None


class SectionRequest(AskedGraph):
    id: Name


class SectionSearchRequest(AskedGraph):
    query: Query
    limit: ResultLimit = 6


class AnswerRequest(AskedGraph):
    query: Query
    history: Annotated[list[Turn], Field(max_length=50)] | None = None


ReadKind = Literal["node", "section", "memory", "skill"]
Said = Annotated[str, StringConstraints(max_length=20_000), AfterValidator(_encodable), AfterValidator(storable_text)]


class ChatMessage(WireValue):
    role: Literal["user", "assistant"]
    content: Said


class ChatRequest(WireValue):
    """A conversation, the question last: it is sent anew each time, and nothing of it is kept."""

    messages: Annotated[list[ChatMessage], Field(min_length=1, max_length=100)]
    graphId: Name | None = None
    tokenBudget: Annotated[int, Field(ge=4_000, le=200_000)] = 12_000  # of any one request to the model


class ReadSource(WireValue):
    """What was read for an answer, and may be cited by its address."""

    kind: ReadKind
    id: str
    title: str
    url: str
    tokens: int
    reason: str


class ReadEvent(WireValue):
    event: ClassVar[str] = "read"
    sources: list[ReadSource]


class TextEvent(WireValue):
    event: ClassVar[str] = "text"
    text: str


class Citation(WireValue):
    kind: ReadKind
    id: str
    url: str


class ChatUsage(WireValue):
    """What the provider counted over all requests; `tokensRead` is ours, of what the answer was made of."""

    requests: int
    inputTokens: int
    outputTokens: int
    costUsd: float
    tokensRead: int
    tokenBudget: int


class ChatDoneEvent(WireValue):
    """`mode`: whether a model wrote the text, or it is the passages that one would have read; `warning` says why."""

    event: ClassVar[str] = "done"
    mode: Literal["answer", "passages"]
    model: str
    citations: list[Citation]
    unverified: list[str]
    usage: ChatUsage
    warning: str | None = Field(default=None, exclude_if=absent_when_none)
    truncated: Literal[True] | None = Field(default=None, exclude_if=absent_when_none)


ChatEvent = ReadEvent | TextEvent | ChatDoneEvent | ErrorEvent


# Conversations that are kept, so that an answer has an address.

ThreadId = Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$")]


class ThreadTurn(WireValue):
    """A question and how it was answered; `sources` are what was read for it."""

    query: Annotated[Said, Field(min_length=1)]
    answer: Annotated[
        str, StringConstraints(max_length=200_000), AfterValidator(_encodable), AfterValidator(storable_text)
    ]
    mode: Literal["answer", "passages", "stopped", "failed"]
    model: ShortText
    sources: Annotated[list[ReadSource], Field(max_length=400)]
    unverified: Annotated[list[ShortText], Field(max_length=200)]


class KeepTurnRequest(WireValue):
    """`number` counts from 0: the next one is added, one that is there is replaced, and what followed it goes."""

    thread_id: ThreadId
    number: Annotated[int, Field(ge=0, lt=100)]
    graphId: Name | None = None
    turn: ThreadTurn


class ThreadRequest(WireValue):
    thread_id: ThreadId


class ThreadLine(WireValue):
    id: str
    title: str
    graphId: str | None
    turns: int
    updatedAt: str


class ThreadList(WireValue):
    threads: list[ThreadLine]


class Thread(ThreadLine):
    asked: list[ThreadTurn]


class DeletedThread(WireValue):
    deleted: Literal[True] = True
