"""`skillgraph.md` at the root: what belongs to no single skill stands in its header."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any

from loreweave.contracts.route_values import GraphProblem
from loreweave.language.headers.header_tree import HeaderNode, MapNode, TextNode
from loreweave.routing.declaring.declarations import HopLimits
from loreweave.routing.entry_values import EntryPolicy
from loreweave.routing.folders.entry_line import Condition, read_question
from loreweave.routing.folders.file_header import FileHeader, read_file_header
from loreweave.routing.graph_problems import SkillGraphError, quoted, skill_file_error

GRAPH_FILE = "skillgraph.md"
MOST_BYTES = 1024 * 1024
KEYS = ("entry_by", "policy", "limits", "tree")
WAYS = ("read", "keyword", "relevance")
_NUMBER = re.compile(r"[+-]?(?:[0-9]{1,15}(?:\.[0-9]{0,20})?|\.[0-9]{1,20})(?:[eE][+-]?[0-9]{1,3})?")
_WHOLE = re.compile(r"[0-9]{1,9}")


@dataclass(frozen=True, slots=True)
class TreeNode:
    """A question of the tree; `then` and `otherwise` are ids or further questions."""

    condition: Condition
    label: str | None
    then: TreeNode | str
    otherwise: TreeNode | str
    line: int


@dataclass(frozen=True, slots=True)
class GraphHeader:
    """How entries are chosen, how far a turn may go, or the tree."""

    entry_by: str | None = None
    entry_line: int | None = None
    policy: EntryPolicy | None = None
    limits: HopLimits = field(default_factory=HopLimits)
    tree: TreeNode | str | None = None
    findings: tuple[GraphProblem, ...] = ()


def read_graph_header(text: str) -> GraphHeader:
    """What cannot be read is a SkillFileError with its line."""
    header = read_file_header(GRAPH_FILE, text, MOST_BYTES)
    entry_by = header.text("entry_by")
    if entry_by is not None and entry_by not in WAYS:
        raise _wrong(f"entry_by must be {', '.join(WAYS)}, not {entry_by[:80]!r}", header.line("entry_by"))
    policy = _read_policy(header)
    if policy is not None and entry_by not in ("keyword", "relevance"):
        raise _wrong("a policy needs entry_by: keyword or relevance", header.line("policy"))
    tree = header.node("tree")
    if tree is not None and entry_by is not None:
        raise _wrong("a tree routes by its questions alone: leave out entry_by", header.line("entry_by"))
    notes = (
        GraphProblem("note", "vendor-key-ignored", f"{quoted(key)} is not read here", file=GRAPH_FILE, line=line)
        for key, line in header.root.key_lines.items()
        if key not in KEYS
    )
    return GraphHeader(
        entry_by=entry_by,
        entry_line=header.line("entry_by"),
        policy=policy,
        limits=_read_limits(header),
        tree=None if tree is None else _read_branch(tree),
        findings=tuple(notes),
    )


def _wrong(sentence: str, line: int | None) -> SkillGraphError:
    return skill_file_error(sentence, GRAPH_FILE, line)


def _read_policy(header: FileHeader) -> EntryPolicy | None:
    values = {}
    for key, node in _fields(header, "policy", ("temperature", "floor", "min_margin")):
        if node.is_blank:
            continue
        if not _NUMBER.fullmatch(node.text.strip()):
            raise _wrong(f"{key} must be a number, not {node.text[:80]!r}", node.line)
        values[key] = float(node.text)
    if not values:
        return None
    try:
        return EntryPolicy(**values)
    except SkillGraphError as trouble:
        raise _wrong(str(trouble), header.line("policy")) from None


def _read_limits(header: FileHeader) -> HopLimits:
    values = {}
    for key, node in _fields(header, "limits", ("max_hops", "max_visits")):
        if node.is_blank:
            continue
        if not _WHOLE.fullmatch(node.text.strip()):
            raise _wrong(f"{key} must be a whole number, not {node.text[:80]!r}", node.line)
        values[key] = int(node.text)
    try:
        return HopLimits(**values)
    except SkillGraphError as trouble:
        raise _wrong(str(trouble), header.line("limits")) from None


def _fields(header: FileHeader, key: str, known: tuple[str, ...]) -> list[tuple[str, TextNode]]:
    node = header.node(key)
    if node is None or (isinstance(node, TextNode) and node.is_blank):
        return []
    if not isinstance(node, MapNode):
        raise _wrong(f"{key} is a mapping with {' and '.join(known)}", header.line(key))
    found = []
    for name, value in node.fields.items():
        if name not in known or not isinstance(value, TextNode):
            raise _wrong(f"{key} takes {', '.join(known)}, not {name[:80]!r}", node.key_lines[name])
        found.append((name, value))
    return found


def _read_branch(node: HeaderNode) -> TreeNode | str:
    """As deep as a header may be nested, which is not deep."""
    if isinstance(node, TextNode) and not node.is_blank:
        return node.text.strip()
    if not isinstance(node, MapNode):
        raise _wrong("a branch of the tree is the name of a skill, or a mapping with if, then and else", node.line)
    for key in node.fields:
        if key not in ("if", "label", "then", "else"):
            raise _wrong(f"a question has if, label, then and else, not {key[:80]!r}", node.key_lines[key])
    for key in ("if", "then", "else"):
        if key not in node.fields:
            raise _wrong(f"a question of the tree lacks {key}", node.line)
    label = node.fields.get("label")
    if label is not None and not isinstance(label, TextNode):
        raise _wrong("a label must be text", node.key_lines["label"])
    return TreeNode(
        condition=_read_condition(node.fields["if"]),
        label=None if label is None or label.is_blank else label.text,
        then=_read_branch(node.fields["then"]),
        otherwise=_read_branch(node.fields["else"]),
        line=node.key_lines["if"],
    )


def _read_condition(node: Any) -> Condition:
    try:
        condition = read_question(node.text) if isinstance(node, TextNode) else None
    except SkillGraphError as trouble:
        raise _wrong(str(trouble), node.line) from None
    if condition is None:
        raise _wrong('a question is "@name", "keywords: …" or "regex: …"', node.line)
    return condition
