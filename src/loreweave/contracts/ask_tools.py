"""Arguments of the tools of asking. Each takes the graph to ask; without it, the one of the settings or the last."""

from typing import Annotated

from pydantic import Field

from loreweave.contracts.ask import Query, ResultLimit, Turn
from loreweave.contracts.skill_graph import Name, ShortText
from loreweave.contracts.wire import WireValue


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
