"""Answers of routing for a person on a terminal. What skills say is shown as text: nothing in it works."""

from collections.abc import Callable
from typing import Any

from pydantic import BaseModel
from rich.console import Console, Group, RenderableType

from loreweave.contracts import route as answers
from loreweave.faces.cli.terminal_views import facts, plain, table


def show_route(answer: BaseModel) -> None:
    Console().print(VIEWS[type(answer)](answer))


def checkup(answer: answers.RouteCheckup) -> RenderableType:
    found = [*answer.problems, *answer.notes]
    verdict = plain("The graph is sound." if answer.ok else "The graph has errors.")
    if not found:
        return verdict
    rows = ((one.kind, one.code, one.message, _place(one)) for one in found)
    return Group(table(("kind", "code", "what", "where"), rows), verdict)


def _place(problem: answers.RouteProblem) -> str:
    if problem.file is None:
        return ""
    return problem.file if problem.line is None else f"{problem.file}:{problem.line}"


def moved(answer: answers.RouteNextAnswer) -> RenderableType:
    move = answer.move
    pairs: list[tuple[str, Any]] = [
        ("next", answer.nextSkill or "none"),
        ("by", move.by),
        ("from", move.from_ or "outside"),
        ("active", ", ".join(answer.active) or "none"),
        ("reachable", ", ".join(answer.reachable) or "none"),
        ("tools", ", ".join(answer.tools) or "none"),
    ]
    if move.leaf is not None:
        pairs.insert(1, ("leaf", move.leaf))
    pairs += [("failed", f"{one.from_ or 'entry'} to {one.to}: {one.error}") for one in move.predicateErrors]
    return facts(pairs, "Move")


def reachable(answer: answers.RouteReachableAnswer) -> RenderableType:
    return plain("\n".join(answer.reachable) or "Nothing can be reached.")


def scored(answer: answers.RouteScoring) -> RenderableType:
    rows = ((one.id, "" if one.score is None else f"{one.score:.3f}", f"{one.relevance:.3f}") for one in answer.ranked)
    chosen = answer.chosen or f"none ({answer.abstained or 'no candidates'})"
    return Group(table(("skill", "score", "share"), rows), plain(f"chosen by {answer.scorer}: {chosen}"))


VIEWS: dict[type[BaseModel], Callable[[Any], RenderableType]] = {
    answers.RouteCheckup: checkup,
    answers.RouteNextAnswer: moved,
    answers.RouteReachableAnswer: reachable,
    answers.RouteScoring: scored,
}
