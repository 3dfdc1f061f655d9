"""A SKILL.md as a skill: strict about routing, lenient about everything else."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from loreweave.contracts.route_values import GraphProblem
from loreweave.language.headers.header_tree import HeaderNode, ListNode, MapNode, TextNode
from loreweave.routing.folders.entry_line import EntryLine, read_entry_line
from loreweave.routing.folders.file_header import FileHeader, read_file_header
from loreweave.routing.folders.route_line import RouteLine, read_route_line
from loreweave.routing.graph_problems import SkillGraphError, quoted, skill_file_error

ROUTING_PREFIX = "skillgraph."
SPECIFIED_KEYS = ("name", "description", "license", "compatibility", "metadata", "allowed-tools")
# Keys of the header that a skill keeps among its metadata.
KEPT_KEYS = ("license", "compatibility", "allowed-tools")
MOST_BODY_LINES = 500
ROUTING_KEYS = tuple(ROUTING_PREFIX + name for name in ("entry", "order", "tools", "end", "examples", "routes"))
_ORDER = re.compile(r"[+-]?[0-9]{1,9}")
_SEPARATORS = re.compile(r"[\s,]+")


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


def read_skill_file(path: str, text: str, folder_name: str, *, alike: bool = True) -> SkillFile | GraphProblem:
    """The skill, or why it was skipped. What routing cannot read is a SkillFileError with its line.

    `alike`: whether its name should be the folder's; the root of what was sent along may be called anything.
    """
    header = read_file_header(path, text)
    routing, metadata = _read_metadata(header)
    name = " ".join((header.text("name") or folder_name).split())
    if not name:
        raise skill_file_error("a skill at the root needs a name", path, 1)
    description = header.text("description")
    if description is None:
        sentence = f"{quoted(name)} has no description, so nobody could tell when to use it: it was skipped; add one"
        return GraphProblem("warning", "skill-skipped", sentence, name, file=path, line=header.line("description") or 1)
    for key in KEPT_KEYS:
        if (value := header.text(key)) is not None:
            metadata.setdefault(key, value)
    examples = routing.get("skillgraph.examples")
    if examples is not None:
        metadata["skillgraph.examples"] = examples.text
    tools = routing.get("skillgraph.tools")
    return SkillFile(
        path=path,
        id=name,
        description=description,
        body=header.body or description,
        body_line=header.body_line,
        name_line=header.line("name"),
        order=_read_order(path, routing.get("skillgraph.order")),
        entries=_read_entries(path, routing.get("skillgraph.entry")),
        routes=_read_routes(path, routing.get("skillgraph.routes")),
        tools=tuple(dict.fromkeys(name for name in _SEPARATORS.split(tools.text) if name)) if tools else (),
        tools_line=tools.line if tools else None,
        end=_read_end(path, routing.get("skillgraph.end")),
        metadata=metadata,
        findings=tuple(_findings(header, name, folder_name if alike else name)),
    )


def _findings(header: FileHeader, name: str, folder_name: str) -> list[GraphProblem]:
    path, found = header.path, []
    if name != folder_name:
        sentence = f"{quoted(name)} stands in the folder {quoted(folder_name)}: give both the same name"
        found.append(GraphProblem("warning", "name-mismatch", sentence, name, file=path, line=header.line("name")))
    if header.body.count("\n") >= MOST_BODY_LINES:
        sentence = f"the body of {quoted(name)} has over {MOST_BODY_LINES} lines: move details into files it links to"
        found.append(GraphProblem("warning", "body-too-long", sentence, name, file=path, line=header.body_line))
    for key, line in header.root.key_lines.items():
        if key not in SPECIFIED_KEYS:
            sentence = f"the header of {quoted(name)} has {quoted(key)}, which is not read here"
            found.append(GraphProblem("note", "vendor-key-ignored", sentence, name, file=path, line=line))
    return found


def _read_metadata(header: FileHeader) -> tuple[dict[str, TextNode], dict[str, Any]]:
    """What routing reads, and the rest as it stands."""
    node = header.node("metadata")
    if node is None or (isinstance(node, TextNode) and node.is_blank):
        return {}, {}
    if not isinstance(node, MapNode):
        raise skill_file_error("metadata must be a mapping of keys to texts", header.path, header.line("metadata"))
    routing: dict[str, TextNode] = {}
    others: dict[str, Any] = {}
    for key, value in node.fields.items():
        line = node.key_lines[key]
        if key == ROUTING_PREFIX[:-1] or key.startswith(ROUTING_PREFIX):
            if key not in ROUTING_KEYS:
                hint = "" if key != ROUTING_PREFIX[:-1] else "; the keys are written whole, like skillgraph.entry"
                known = ", ".join(ROUTING_KEYS)
                raise skill_file_error(f"there is no {key[:80]!r}{hint}; known are {known}", header.path, line)
            if not isinstance(value, TextNode):
                raise skill_file_error(f"{key} must be text, not a list or a map", header.path, line)
            routing[key] = value
        else:
            others[key] = plain_value(value)
    return routing, others


def plain_value(node: HeaderNode) -> Any:
    if isinstance(node, TextNode):
        return node.text
    if isinstance(node, ListNode):
        return [plain_value(item) for item in node.items]
    return {key: plain_value(value) for key, value in node.fields.items()}


def _read_order(path: str, node: TextNode | None) -> int | None:
    if node is None:
        return None
    if not _ORDER.fullmatch(node.text.strip()):
        raise skill_file_error(f"skillgraph.order must be a whole number, not {node.text[:80]!r}", path, node.line)
    return int(node.text)


def _read_end(path: str, node: TextNode | None) -> bool:
    if node is None:
        return False
    said = node.text.strip().lower()
    if said not in ("true", "false"):
        raise skill_file_error(f"skillgraph.end must be true or false, not {said[:80]!r}", path, node.line)
    return said == "true"


def _read_entries(path: str, node: TextNode | None) -> tuple[tuple[int, EntryLine], ...]:
    if node is None:
        return ()
    found = []
    for line, text in node.lines():
        if text.strip() or node.is_blank:
            try:
                found.append((line, read_entry_line(text)))
            except SkillGraphError as trouble:
                raise skill_file_error(f"skillgraph.entry cannot be read: {trouble}", path, line) from None
    return tuple(found)


def _read_routes(path: str, node: TextNode | None) -> tuple[tuple[int, RouteLine], ...]:
    found = []
    for line, text in node.lines() if node else ():
        try:
            route = read_route_line(text)
        except SkillGraphError as trouble:
            raise skill_file_error(f"the route cannot be read: {trouble}", path, line) from None
        if route is not None:
            found.append((line, route))
    return tuple(found)
