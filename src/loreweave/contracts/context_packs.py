"""Contract 000: what traverse and context answer, texts of several nodes within a token budget."""

from typing import Literal

from pydantic import Field

from loreweave.contracts.skill_graph import GraphAnswer, Level0Node, Level1Node, NodeSection
from loreweave.contracts.wire import WireValue, absent_when_none


class EntryPoint(WireValue):
    id: str
    name: str
    type: str
    description: str


class ShownSection(WireValue):
    """A heading of a note, and how much of what stands directly below it is in its content."""

    level: int
    heading: str | None
    anchor: str | None
    tokens: int
    shown: Literal["full", "part", "none"]


class PathNode(WireValue):
    """A loaded node of a walk."""

    id: str
    name: str
    level: Literal[3, 4]
    content: str
    tokens: int
    depth: int
    score: int
    reason: str
    sections: list[ShownSection] | None = Field(
        default=None, exclude_if=absent_when_none, description="at level 3: every heading, and how much is shown"
    )


class UnloadedNode(WireValue):
    id: str
    name: str
    score: int
    reason: str


class Telemetry(WireValue):
    nodesVisited: int
    nodesLoaded: int
    nodesSkipped: int
    tokensUsed: int
    tokenBudget: int
    coveragePercent: float
    maxDepthReached: int
    nodesAtLevel: dict[str, int] = Field(description='how many visited nodes at each level: {"1": 7, "3": 2, "4": 3}')


class WalkedAnswer(GraphAnswer):
    visited: list[str] | None = Field(
        default=None, exclude_if=absent_when_none, description="if asked for: ids of all visited notes, best first"
    )


class TraverseAnswer(WalkedAnswer):
    entryPoint: EntryPoint
    path: list[PathNode]
    unloaded: list[UnloadedNode]
    telemetry: Telemetry
    matched: bool = Field(default=True, description="false where nothing known matches the question")


class PackedNode(PathNode):
    """A loaded node of a pack; for the models that read it `level` tells how much of the note it is."""


class NamedNode(WireValue):
    """A node of a pack that is only named: level 1, no content."""

    id: str
    name: str
    level: Literal[1] = 1
    content: None = None
    tokens: Literal[0] = 0
    description: str
    score: int
    reason: str


class ContextPack(WireValue):
    entryPoint: str
    nodes: list[PackedNode | NamedNode]
    totalTokens: int
    tokenBudget: int


class ContextAnswer(WalkedAnswer):
    contextPack: ContextPack
    matched: bool = Field(default=True, description="false where nothing known matches the question")
    telemetry: Telemetry


class LinkedNode(WireValue):
    id: str
    name: str
    type: str
    context: str
    description: str


class Level2Node(Level1Node):
    links: list[LinkedNode]
    backlinks: list[LinkedNode]


class Level3Node(Level2Node):
    content: str
    sections: list[NodeSection]
    tokens: int


class Level4Node(Level2Node):
    content: str
    tokens: int


class NodeAnswer0(Level0Node, GraphAnswer):
    level: Literal[0] = 0


class NodeAnswer1(Level1Node, GraphAnswer):
    level: Literal[1] = 1


class NodeAnswer2(Level2Node, GraphAnswer):
    level: Literal[2] = 2


class NodeAnswer3(Level3Node, GraphAnswer):
    level: Literal[3] = 3


class NodeAnswer4(Level4Node, GraphAnswer):
    level: Literal[4] = 4


class SectionOfNode(Level1Node, GraphAnswer):
    """One section of a note by itself: its heading, and all that stands below it."""

    level: Literal[3] = 3
    section: str | None = Field(description="its anchor; none of the text above all headings")
    heading: str | None
    content: str
    tokens: int


class PassagesOfNode(Level1Node, GraphAnswer):
    """What a note says about a question: its best passages under their headings, or all of it where that is short."""

    level: Literal[3, 4]
    content: str
    tokens: int
    matched: bool = Field(description="whether the note says anything of what is asked")
    sections: list[ShownSection] = Field(description="every heading, and how much is shown")


class PageLine(WireValue):
    """A page in a list of pages."""

    slug: str
    title: str


class PageGroup(WireValue):
    """Pages that belong together."""

    name: str | None
    pages: list[PageLine] = Field(description="those around the page that is shown")
    count: int = Field(description="how many there are")


class HeadingLine(WireValue):
    level: int
    heading: str
    anchor: str


class PageAnswer(GraphAnswer):
    """A document laid out, and what stands around it."""

    slug: str
    path: str
    id: str | None = Field(description="of the note; other documents have none")
    title: str
    html: str = Field(description="clean: safe to show as it is")
    headings: list[HeadingLine]
    groups: list[PageGroup]
    before: PageLine | None
    after: PageLine | None


NodeAnswer = NodeAnswer0 | NodeAnswer1 | NodeAnswer2 | NodeAnswer3 | NodeAnswer4 | SectionOfNode | PassagesOfNode
