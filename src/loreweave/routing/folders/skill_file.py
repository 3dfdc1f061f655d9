"""What one file says about its skill, before anybody asks whether it is true."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from loreweave.routing.checkup_values import GraphProblem
from loreweave.routing.folders.entry_line import EntryLine
from loreweave.routing.folders.route_line import RouteLine

ROUTING_PREFIX = "skillgraph."
SPECIFIED_KEYS = ("name", "description", "license", "compatibility", "metadata", "allowed-tools")
# Keys of the header that a skill keeps among its metadata.
KEPT_KEYS = ("license", "compatibility", "allowed-tools")


@dataclass(frozen=True, slots=True)
class SkillFile:
    """Lines count from 1 in the file."""

    path: str
    id: str
    description: str
    body: str
    body_line: int
    name_line: int | None = None
    order: int | None = None
    entries: tuple[tuple[int, EntryLine], ...] = ()
    routes: tuple[tuple[int, RouteLine], ...] = ()
    tools: tuple[str, ...] = ()
    tools_line: int | None = None
    end: bool = False
    metadata: Mapping[str, Any] = field(default_factory=dict)
    findings: tuple[GraphProblem, ...] = ()

    @property
    def folder(self) -> str:
        """ "" for the root, else without a slash at its end."""
        return self.path.rpartition("/")[0]

    @property
    def rank(self) -> tuple[bool, int, str]:
        """Skills sort by (order, name), those without an order last."""
        return self.order is None, self.order or 0, self.id
