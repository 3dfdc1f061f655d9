"""Contract 000: one node at the level asked for, with its links, its sections or its full text."""

from typing import Annotated, Literal

from pydantic import Field

from loreweave.contracts.disclosed_nodes import Level0Node, Level1Node
from loreweave.contracts.skill_graph import GraphAnswer
from loreweave.contracts.wire import WireValue


class LinkedNode(WireValue):
    id: str
    name: str
    type: str
    context: str
    description: str


class Level2Node(Level1Node):
    links: list[LinkedNode]
    backlinks: list[LinkedNode]


class NodeSection(WireValue):
    level: int
    heading: str | None
    text: str


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


NodeAnswer = Annotated[
    NodeAnswer0 | NodeAnswer1 | NodeAnswer2 | NodeAnswer3 | NodeAnswer4, Field(discriminator="level")
]
