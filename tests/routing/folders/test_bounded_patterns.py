"""Patterns from files give up after 50 ms: no match, and the move says so."""

import threading
import time

import pytest
from tests.pace import within
from tests.routing.folders.skill_texts import routes, skill_text

from loreweave import RouteContext, ToolResult
from loreweave.routing.declaring.conditions import REQUEST_SECONDS, SearchAllowance
from loreweave.routing.folders.bounded_pattern import BoundedPattern
from loreweave.routing.folders.load_skill_graph import compile_skill_files
from loreweave.routing.graph_problems import BadCondition

ENDLESS = "(a|a)*(b|a)+$"
TEXT = "a" * 5_000 + "!"


@pytest.mark.holds("routing.folders.patterns-bounded")
def test_an_endless_pattern_is_no_match_and_an_error_and_others_are_still_asked() -> None:
    files = {
        "a/SKILL.md": skill_text(
            "a", f"skillgraph.entry: 'regex: {ENDLESS}'", routes(f"b: on /{ENDLESS}/", "c: on /!/")
        ),
        "b/SKILL.md": skill_text("b", "skillgraph.entry: 'keywords: a'"),
        "c/SKILL.md": skill_text("c", "skillgraph.entry: default"),
    }
    graph = compile_skill_files(files)
    move = within(1.0, lambda: graph.explain_next_skill(RouteContext(user_message=TEXT)))
    assert move.to == "c"
    assert [(error.from_, error.to, error.error.partition(":")[0]) for error in move.predicate_errors] == [
        (None, "a", "TimeoutError")
    ]
    there = RouteContext(current_skill_id="a", last_tool_result=ToolResult(TEXT))
    move = within(1.0, lambda: graph.explain_next_skill(there))
    assert move.to == "c"
    assert [(error.from_, error.to) for error in move.predicate_errors] == [("a", "b")]


@pytest.mark.holds("routing.folders.patterns-bounded")
@pytest.mark.parametrize(
    ("pattern", "text"),
    [("(a+)+$", TEXT), ("(x+x+)+y", "x" * 5_000), (r"(.*)*\1z", "ab" * 2_000), ("(?:a?){500}a{500}", "a" * 400)],
)
def test_no_search_takes_much_longer_than_it_may(pattern: str, text: str) -> None:
    def searched() -> None:
        try:
            BoundedPattern(pattern).search(text)
        except TimeoutError:
            return

    within(0.5, searched, clock=time.process_time)


@pytest.mark.holds("routing.folders.patterns-bounded")
def test_phrases_that_begin_alike_find_an_end_too() -> None:
    phrases = ", ".join("a " * length + "b" for length in range(1, 85))
    files = {"a/SKILL.md": skill_text("a", f"skillgraph.entry: 'keywords: {phrases}'")}
    graph = compile_skill_files(files)
    move = within(1.0, lambda: graph.explain_next_skill(RouteContext(user_message="a " * 500_000)))
    assert (move.to, len(move.predicate_errors) <= 1) == (None, True)
    assert graph.next_skill(RouteContext(user_message="so A  a\na b!")) == "a"
    assert graph.next_skill(RouteContext(user_message="a bb")) is None


@pytest.mark.holds("routing.folders.patterns-bounded")
def test_thousands_of_phrases_in_a_long_message_give_up() -> None:
    entries = [
        "keywords: " + ", ".join(f"{a}{b}{number % 10}" for a in "abcdefgh" for b in "stuvwxyz") for number in range(90)
    ]
    text = skill_text("a", "skillgraph.entry: |\n" + "\n".join("    " + entry for entry in entries))
    graph = compile_skill_files({"a/SKILL.md": text})
    asked = RouteContext(user_message="as bt cu dv ew fx gy hz " * 40_000)
    move = within(1.5, lambda: graph.explain_next_skill(asked))
    assert move.to is None
    assert {error.error.partition(":")[0] for error in move.predicate_errors} == {"TimeoutError"}


@pytest.mark.holds("routing.folders.patterns-bounded")
def test_ordinary_patterns_search_as_they_always_did() -> None:
    assert BoundedPattern("^b.?$", flags=8).search("a\nbc\n") is not None
    assert BoundedPattern("x").search("X") is None
    assert BoundedPattern("[[a]").search("[") is not None
    assert BoundedPattern("[a||b]").search("|") is not None
    for wrong in ("(", "", "a" * 501, "*"):
        with pytest.raises(BadCondition):
            BoundedPattern(wrong)


@pytest.mark.holds("routing.folders.patterns-together")
def test_waiting_for_a_processor_takes_nothing_of_what_patterns_may_cost() -> None:
    """Else a crowded computer would lead the same message elsewhere."""
    allowance = SearchAllowance()
    with allowance.one_search():
        threading.Event().wait(REQUEST_SECONDS * 1.2)
    with allowance.one_search() as seconds:
        assert seconds > 0
