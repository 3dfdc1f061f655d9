"""Contract 000: a node at the first levels of disclosure, and the lists of nodes that scan and search answer.

Each level is a type of its own, so that a field forbidden at a level cannot exist there. What the deeper levels and
the packs of texts look like stands in files of their own, for a scan needs none of it.
"""

from typing import Literal

from loreweave.contracts.skill_graph import GraphAnswer
from loreweave.contracts.wire import WireValue


class Level0Node(WireValue):
    id: str
    name: str
    type: str
    domain: str


class Level1Node(Level0Node):
    description: str
    tags: list[str]
    inDegree: int
    outDegree: int
    path: str


class ScanAnswer(GraphAnswer):
    results: list[Level1Node]
    total: int
    level: Literal[1] = 1


class SearchHit(Level1Node):
    score: float
    matched: list[str]


class SearchAnswer(GraphAnswer):
    results: list[SearchHit]
    total: int
    method: Literal["lexical", "hybrid"]
