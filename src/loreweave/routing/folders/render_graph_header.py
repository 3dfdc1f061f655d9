"""`skillgraph.md`, where a graph needs one."""

from __future__ import annotations

from typing import Any

from loreweave.routing.declarations import Declarations, EntryChoice
from loreweave.routing.folders.entry_line import write_condition
from loreweave.routing.folders.graph_header import GRAPH_FILE
from loreweave.routing.folders.header_nodes import MOST_DEPTH
from loreweave.routing.folders.header_text import quoted_text
from loreweave.routing.folders.state_conditions import StatedConditions
from loreweave.routing.quote_name import quote_name as quoted
from loreweave.routing.route_errors import SkillGraphError
from loreweave.routing.skill import Decision, Skill

MOST_QUESTIONS = 10_000  # a decision used in several places is written as often
_WAYS = {"keyword": "keyword", "embedding": "relevance"}


def render_graph_header(declared: Declarations, stated: StatedConditions) -> dict[str, str]:
    """The file by its path; nothing where every skill says all there is to say."""
    lines = _choice_lines(declared.choice)
    limits = {"max_hops": declared.limits.max_hops, "max_visits": declared.limits.max_visits}
    lines += _mapping("limits", limits)
    if declared.tree is not None:
        lines += _TreeLines(stated).lines(declared.tree)
    return {GRAPH_FILE: "\n".join(["---", *lines, "---", ""])} if lines else {}


def _choice_lines(choice: EntryChoice) -> list[str]:
    if choice.kind != "scorer":
        return ["entry_by: read"] if choice.kind == "read" else []
    way = _WAYS.get(choice.scorer.name)
    if way is None:
        raise SkillGraphError(f"no file can say the scorer {quoted(choice.scorer.name)}")
    policy = choice.policy
    values = {name: getattr(policy, name) for name in ("temperature", "floor", "min_margin")} if policy else {}
    return [f"entry_by: {way}", *_mapping("policy", values)]


def _mapping(key: str, values: dict[str, Any]) -> list[str]:
    lines = [f"  {name}: {value}" for name, value in values.items() if value is not None]
    return [f"{key}:", *lines] if lines else []


class _TreeLines:
    def __init__(self, stated: StatedConditions) -> None:
        self._stated = stated
        self._questions = 0

    def lines(self, root: Decision | Skill | str) -> list[str]:
        return self._branch("tree", root, "", 1)

    def _branch(self, key: str, node: Decision | Skill | str, indent: str, depth: int) -> list[str]:
        if not isinstance(node, Decision):
            return [f"{indent}{key}: {quoted_text(node.id if isinstance(node, Skill) else node)}"]
        self._questions += 1
        if depth >= MOST_DEPTH or self._questions > MOST_QUESTIONS:
            raise SkillGraphError(f"the tree is deeper than {MOST_DEPTH} questions, or larger than {MOST_QUESTIONS}")
        condition = self._stated.message_condition(node.predicate, f"the decision {quoted(node.label)}")
        inner = indent + "  "
        return [
            f"{indent}{key}:",
            f"{inner}if: {quoted_text(write_condition(condition))}",
            f"{inner}label: {quoted_text(node.label)}",
            *self._branch("then", node.when_true, inner, depth + 1),
            *self._branch("else", node.when_false, inner, depth + 1),
        ]
