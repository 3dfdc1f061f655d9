"""Trees of decisions, laid out flat: they may be as deep as the caller likes, so nothing here recurses."""

from __future__ import annotations

from collections.abc import Container, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from loreweave.contracts.route_values import PredicateError, RouteContext, SkillEdge
from loreweave.routing.declaring.conditions import Predicate, PredicateFailed, ask_predicate, check_predicate
from loreweave.routing.declaring.skill import Skill
from loreweave.routing.graph_problems import NotASkill, SkillGraphError

MOST_DIAMONDS = 1_000_000  # a decision used in two places is laid out twice, and so on: 2, 4, 8, …


@dataclass(frozen=True, slots=True, eq=False)
class TreeDecision:
    """A question of a tree and where its answers lead. Trees may be deep: nothing here descends."""

    predicate: Predicate = field(repr=False)
    when_true: Skill | str | TreeDecision = field(repr=False)
    when_false: Skill | str | TreeDecision = field(repr=False)
    label: str = "decide"


def decide(
    predicate: Predicate,
    when_true: Skill | str | TreeDecision,
    when_false: Skill | str | TreeDecision,
    label: str = "decide",
) -> TreeDecision:
    """Asks the predicate; the branches are skills, ids or further decisions."""
    check_predicate(predicate, f'the decision "{label}"')
    return TreeDecision(predicate, when_true, when_false, "decide" if label is None else str(label))


@dataclass(frozen=True, slots=True)
class Diamond:
    """A question; `yes` and `no` are numbers of diamonds or ids of skills. `parent` and `branch` lead back."""

    id: str
    label: str
    predicate: Predicate
    parent: int
    branch: str
    yes: int | str = ""
    no: int | str = ""


@dataclass(frozen=True, slots=True)
class FlatTree:
    """A tree in drawing order: pre-order, the true branch first."""

    diamonds: tuple[Diamond, ...]
    root: int | str
    edges: tuple[SkillEdge, ...]
    order: tuple[int | str, ...]  # diamonds by number and skills by id, as first met
    above: dict[str, tuple[int, str]]  # of each leaf: the diamond and the branch that first lead there


def walk_leaves(root: object) -> Iterator[Skill | str]:
    """The leaves, true branch first. What is neither a skill, an id nor a decision is refused."""
    waiting = [root]
    met = 0
    while waiting:
        node = waiting.pop()
        if isinstance(node, TreeDecision):
            met += 1
            if met > MOST_DIAMONDS:
                raise SkillGraphError(f"a tree may have {MOST_DIAMONDS:,} decisions; this one has more")
            waiting += (node.when_false, node.when_true)
        elif isinstance(node, Skill) or (isinstance(node, str) and node.strip()):
            yield node
        else:
            raise NotASkill(f"a branch of a tree is a skill, an id or decide(...), not {node!r:.100}")


def flatten_tree(root: TreeDecision | Skill | str, taken: Container[str]) -> FlatTree:
    """`taken` are the ids that no diamond may have."""
    plans: list[list[Any]] = []  # Diamond's fields, the branches filled in as they are met
    edges: list[SkillEdge] = []
    order: dict[int | str, None] = {}
    above: dict[str, tuple[int, str]] = {}
    number = 0
    waiting: list[tuple[TreeDecision | Skill | str, int, str]] = [(root, -1, "")]
    while waiting:
        node, parent, branch = waiting.pop()
        if isinstance(node, TreeDecision):
            while f"d{number}" in taken:
                number += 1
            reference: int | str = len(plans)
            name = f"d{number}"
            number += 1
            plans.append([name, node.label, node.predicate, parent, branch, "", ""])
            waiting += ((node.when_false, len(plans) - 1, "no"), (node.when_true, len(plans) - 1, "yes"))
        else:
            reference = name = node.id if isinstance(node, Skill) else node
            above.setdefault(name, (parent, branch))
        if parent < 0:
            edges.append(SkillEdge(None, name, "entry"))
        else:
            edges.append(SkillEdge(plans[parent][0], name, "predicate", branch))
            plans[parent][5 if branch == "yes" else 6] = reference
        order.setdefault(reference)
    first: int | str = 0 if plans else next(iter(above))
    return FlatTree(tuple(Diamond(*plan) for plan in plans), first, tuple(edges), tuple(order), above)


def find_leaf(tree: FlatTree, ctx: RouteContext) -> tuple[str | None, tuple[PredicateError, ...]]:
    """Asks each question on the way once; one that throws leaves no leaf."""
    at = tree.root
    while not isinstance(at, str):
        diamond = tree.diamonds[at]
        try:
            at = diamond.yes if ask_predicate(diamond.predicate, ctx) else diamond.no
        except PredicateFailed as failed:
            return None, (PredicateError(diamond.id, None, failed.error),)
    return at, ()


class DecisionPath(Sequence[dict[str, str]]):
    """The questions from the root to a leaf and the branches taken; laid out when looked at.

    Kept as a place in the tree, since the paths of a deep tree together are far larger than the tree.
    """

    __slots__ = ("_branch", "_parent", "_tree")

    def __init__(self, tree: FlatTree, leaf: str) -> None:
        self._tree = tree
        self._parent, self._branch = tree.above[leaf]

    def _steps(self) -> list[dict[str, str]]:
        found: list[dict[str, str]] = []
        parent, branch = self._parent, self._branch
        while parent >= 0:
            diamond = self._tree.diamonds[parent]
            found.append({"label": diamond.label, "branch": branch})
            parent, branch = diamond.parent, diamond.branch
        return found[::-1]

    def __len__(self) -> int:
        return len(self._steps())

    def __getitem__(self, index: Any) -> Any:
        return self._steps()[index]

    def __iter__(self) -> Iterator[dict[str, str]]:
        return iter(self._steps())

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sequence) and not isinstance(other, str) and self._steps() == list(other)

    def __hash__(self) -> int:
        return hash((self._parent, self._branch))

    def __repr__(self) -> str:
        return f"<path below {self._tree.diamonds[self._parent].id}>" if self._parent >= 0 else "<path of the root>"
