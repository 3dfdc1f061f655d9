"""Conditions: what they read, what they refuse, and how often they are asked."""

import re
from typing import Any

import pytest
from tests.pace import within
from tests.routing.support_desk import at, returned, skill, skills

from loreweave import BadCondition, PredicateError, RouteContext, ToolResult, keywords, pattern, skill_graph


def fires(result: ToolResult, **condition: Any) -> bool:
    graph = skill_graph().entry(skill("a")).route("a", skill("b"), **condition).build()
    return graph.explain_next_skill(at("a", result)).by == "route"


@pytest.mark.holds("routing.declare.entry-conditions")
@pytest.mark.parametrize(
    ("phrases", "message", "held"),
    [
        (("refund",), "a REFUND, please", True),
        (("refund",), "refunds", False),
        (("refund",), "prerefund", False),
        (("money back", "x"), "Money \n back!", True),
        (("money back",), "money-back", False),
        (("c++",), "I write C++.", True),
        (("größe",), "welche GRÖSSE? GRÖßE", True),
        (("возврат",), "Нужен ВОЗВРАТ", True),
        (("a.b",), "aXb", False),
    ],
)
def test_keywords_are_whole_words_of_any_case(phrases: tuple[str, ...], message: str, held: bool) -> None:
    graph = skill_graph().entry(skill("a"), keywords(*phrases)).build()
    assert (graph.next_skill(RouteContext(user_message=message)) == "a") is held


@pytest.mark.holds("routing.declare.entry-conditions")
def test_a_pattern_searches_whatever_the_case() -> None:
    graph = (
        skill_graph().entry(skill("a"), pattern(r"order\s+\d+")).entry(skill("b"), pattern(re.compile("x$"))).build()
    )
    assert graph.next_skill(RouteContext(user_message="My ORDER 12 is late")) == "a"
    assert graph.next_skill(RouteContext(user_message="ends in X")) == "b"
    assert graph.next_skill(RouteContext(user_message="x not")) is None


@pytest.mark.holds("routing.declare.entry-conditions")
def test_conditions_that_are_data_compare_by_value() -> None:
    assert keywords("a", "b") == keywords("a", "b") != keywords("b", "a")
    assert pattern("a") == pattern("a") != pattern("b")
    assert hash(keywords("a")) == hash(keywords("a"))


@pytest.mark.holds("routing.declare.bad-conditions")
@pytest.mark.parametrize(
    "make",
    [
        lambda: keywords(),
        lambda: keywords(" "),
        lambda: keywords(3),
        lambda: pattern(""),
        lambda: pattern("("),
        lambda: pattern(re.compile(b"a")),
        lambda: skill_graph().route("a", "b", when=len, on_tool_return="t"),
        lambda: skill_graph().route("a", "b", when=len, on_status="denied"),
        lambda: skill_graph().route("a", "b", when=len, where="x == 1"),
        lambda: skill_graph().route("a", "b", on_tool_return=" "),
        lambda: skill_graph().route("a", "b", on_tool_return=3),
        lambda: skill_graph().route("a", "b", on_tool_return=re.compile(b"x")),
        lambda: skill_graph().route("a", "b", on_status="denid"),
        lambda: skill_graph().route("a", "b", on_status=["denied", "no"]),
        lambda: skill_graph().route("a", "b", on_status=[]),
        lambda: skill_graph().route("a", "b", on_status=3),
    ],
)
def test_conditions_that_cannot_be_are_refused_by_the_declaring_call(make: Any) -> None:
    with pytest.raises(BadCondition):
        make()


@pytest.mark.holds("routing.declare.bad-conditions", "routing.declare.where")
@pytest.mark.parametrize(
    "where",
    [
        "", "  ", "x", "x ==", "== 5", "x = 5", "x == 5 and", "x == 5 or y == 6", "x == 5 y == 6", "x in 5", "x in [a",
        "x in [a,]", "x in [a b]", 'x == "open', "x == 'a'", "x == and", "x == [1", "x <> 5", "x.. == 5", ".x == 1",
        "x == New York", "x == 5 and and y == 6", "x ==" + "[" * 100_000, 5,
    ],
)  # fmt: skip
def test_a_where_clause_that_cannot_be_read_is_refused(where: Any) -> None:
    with pytest.raises(BadCondition):
        skill_graph().route("a", "b", where=where)


@pytest.mark.holds("routing.declare.where")
@pytest.mark.parametrize(
    ("where", "result", "held"),
    [
        ("amount > 100", '{"amount": 101}', True),
        ("amount > 100", '{"amount": 100}', False),
        ("amount >= 100", '{"amount": 100}', True),
        ("amount < 1e2", '{"amount": 99.5}', True),
        ("amount <= -3", '{"amount": -3}', True),
        ("amount>100", '{"amount": 101}', True),
        ("x == 5", '{"x": 5}', True),
        ("x == 5", '{"x": 5.0}', True),
        ("x == 5", '{"x": "5"}', False),
        ('x == "5"', '{"x": "5"}', True),
        ('x == "5"', '{"x": 5}', False),
        ("x == true", '{"x": true}', True),
        ("x == true", '{"x": 1}', False),
        ("x == 1", '{"x": true}', False),
        ("x == null", '{"x": null}', True),
        ("x == null", "{}", False),
        ("x == false", '{"x": null}', False),
        ("x == paid", '{"x": "paid"}', True),
        ('x == "two words"', '{"x": "two words"}', True),
        ("x == not-found", '{"x": "not-found"}', True),
        ("x == NaN", '{"x": "NaN"}', True),
        ('x == ["a", 1]', '{"x": ["a", 1.0]}', True),
        ("x == [true]", '{"x": [1]}', False),
        ('x == {"a": {"b": 1}}', '{"x": {"a": {"b": 1}}}', True),
        ('x == {"a": 1}', '{"x": {"b": 1}}', False),
        ("x != 5", '{"x": 6}', True),
        ("x != 5", '{"x": "5"}', True),
        ("x != 5", '{"x": 5}', False),
        ("x != 5", "{}", False),
        ("x != 5", "not json", False),
        ("x != 5", "[5]", False),
        ("a.b.c == 1", '{"a": {"b": {"c": 1}}}', True),
        ("a.b.c == 1", '{"a": {"b": 1}}', False),
        ("a.b == 1", '{"a.b": 1}', False),
        ("x in [a, b]", '{"x": "b"}', True),
        ("x in [a, b]", '{"x": "c"}', False),
        ('x in [1, "2", true, null]', '{"x": null}', True),
        ('x in [1, "2", true]', '{"x": 2}', False),
        ("x in []", '{"x": 2}', False),
        ("x in[a]", '{"x": "a"}', True),
        ('x > "a"', '{"x": "b"}', False),
        ("x > 1", '{"x": "2"}', False),
        ("x > 0", '{"x": true}', False),
        ("x < true", '{"x": 0}', False),
        ("x == 1 and y == 2", '{"x": 1, "y": 2}', True),
        ("x == 1 and y == 2", '{"x": 1, "y": 3}', False),
        ("und == and_more and in == 3", '{"und": "and_more", "in": 3}', True),
        ("größe == groß", '{"größe": "groß"}', True),
    ],
)  # fmt: skip
def test_a_where_clause_reads_the_json_object_of_the_result(where: str, result: str, held: bool) -> None:
    assert fires(returned("t", result), where=where) is held


@pytest.mark.holds("routing.values.tool-result-data")
def test_the_data_of_a_result_is_its_json_or_none() -> None:
    assert ToolResult("t", '{"a": [1]}').data == {"a": [1]}
    assert ToolResult("t", "7").data == 7
    for text in ("", "plain", "NaN", '{"a": Infinity}', "[" * 100_000, "{"):
        assert ToolResult("t", text).data is None
    result = ToolResult("t", '{"a": [1]}')
    result.data["a"].append(2)
    assert result.data == {"a": [1]}
    assert ToolResult("t", {"a": 1}).data == {"a": 1}


@pytest.mark.holds("routing.values.frozen")
def test_a_result_takes_its_arguments_by_position_or_by_name() -> None:
    given = ToolResult("t", "{}", "denied", "c1")
    assert given == ToolResult(tool_name="t", result="{}", status="denied", call_id="c1")
    assert (ToolResult("t").result, ToolResult("t").status, ToolResult("t").call_id) == ("", None, None)


@pytest.mark.holds("routing.declare.tool-return")
def test_a_tool_is_named_by_equality_or_searched_by_a_pattern() -> None:
    assert fires(returned("refund"), on_tool_return="refund")
    assert not fires(returned("issue_refund"), on_tool_return="refund")
    assert fires(returned("issue_refund"), on_tool_return=re.compile("refund"))
    assert not fires(returned("issue_REFUND"), on_tool_return=re.compile("refund"))
    assert fires(returned("issue_REFUND"), on_tool_return=re.compile("refund", re.IGNORECASE))


@pytest.mark.holds("routing.declare.tool-return")
@pytest.mark.parametrize("status", ["success", "failure", "denied", "invalid", "partial", "pending", "absent"])
def test_a_status_is_one_of_seven(status: str) -> None:
    assert fires(returned("t", "", status), on_status=status)
    assert fires(returned("t", "", status), on_status=["success", status])
    assert not fires(returned("t", "", None), on_status=status)
    assert not fires(returned("t", "", "other"), on_status=status)


@pytest.mark.holds("routing.declare.route-conditions")
def test_all_the_data_conditions_of_a_route_must_hold() -> None:
    asked: dict[str, Any] = {"on_tool_return": "t", "on_status": "denied", "where": "x == 1"}
    assert fires(returned("t", '{"x": 1}', "denied"), **asked)
    assert not fires(returned("u", '{"x": 1}', "denied"), **asked)
    assert not fires(returned("t", '{"x": 1}', "success"), **asked)
    assert not fires(returned("t", '{"x": 2}', "denied"), **asked)


@pytest.mark.holds("routing.declare.route-conditions")
def test_a_bare_edge_never_fires_by_itself() -> None:
    assert not fires(returned("t", "{}", "success"))


@pytest.mark.holds("routing.predicates.arguments")
def test_a_route_asks_with_the_result_and_with_the_context_where_that_is_required() -> None:
    seen: list[tuple[object, ...]] = []

    def one(result: ToolResult) -> bool:
        seen.append((result,))
        return False

    def one_and_perhaps(result: ToolResult, ctx: object = None) -> bool:
        seen.append((result, ctx))
        return False

    def both(result: ToolResult, ctx: RouteContext) -> bool:
        seen.append((result, ctx))
        return True

    a, b = skills("a b")
    builder = skill_graph().entry(a).route(a, b, when=one).route(a, b, when=one_and_perhaps).route(a, b, when=both)
    ctx = at("a", returned("t"))
    assert builder.build().next_skill(ctx) == "b"
    assert seen == [(returned("t"),), (returned("t"), None), (returned("t"), ctx)]


@pytest.mark.holds("routing.predicates.arguments")
def test_entries_ask_with_the_context() -> None:
    graph = skill_graph().entry(skill("a"), lambda ctx: ctx.state["vip"] and ctx.answers["ok"]).build()
    assert graph.next_skill(RouteContext(state={"vip": True}, answers={"ok": True})) == "a"
    assert graph.next_skill(RouteContext(state={"vip": False}, answers={"ok": True})) is None


@pytest.mark.holds("routing.predicates.bool")
@pytest.mark.parametrize(("answer", "held"), [(1, True), ("x", True), (0, False), (None, False), ([], False)])
def test_answers_are_taken_as_true_or_false(answer: object, held: bool) -> None:
    assert fires(returned("t"), when=lambda _: answer) is held
    graph = skill_graph().entry(skill("a"), lambda _: answer).build()
    assert (graph.next_skill(at()) == "a") is held


@pytest.mark.holds("routing.predicates.bool")
def test_an_awaitable_answer_raises() -> None:
    async def later() -> bool:
        return True

    a, b = skills("a b")
    graph = skill_graph().entry(a, lambda _: later()).route(a, b, when=lambda _: later()).build()
    with pytest.raises(TypeError, match="awaitable"):
        graph.next_skill(at())
    with pytest.raises(TypeError, match="awaitable"):
        graph.next_skill(at("a", returned("t")))


class Unfit:
    def __bool__(self) -> bool:
        raise RuntimeError


def _raise(*_: object) -> bool:
    raise ValueError("no luck")


@pytest.mark.holds("routing.predicates.errors")
def test_a_condition_that_raises_does_not_match_and_is_recorded() -> None:
    a, b, c = skills("a b c")
    graph = (
        skill_graph()
        .entry(a, _raise)
        .entry(b)
        .route(b, a, when=_raise)
        .route(b, a, when=lambda _: Unfit())
        .route(b, c, on_tool_return="t")
        .build()
    )
    start = graph.explain_next_skill(at())
    assert (start.to, start.predicate_errors) == ("b", (PredicateError(None, "a", "ValueError: no luck"),))
    move = graph.explain_next_skill(at("b", returned("t")))
    assert (move.to, move.by) == ("c", "route")
    assert move.predicate_errors == (
        PredicateError("b", "a", "ValueError: no luck"),
        PredicateError("b", "a", "RuntimeError"),
    )
    assert graph.explain_next_skill(at("b", returned("u"))).by == "stay"


@pytest.mark.holds("routing.predicates.errors")
def test_what_is_no_ordinary_exception_goes_through() -> None:
    def stop(_: object) -> bool:
        raise KeyboardInterrupt

    graph = skill_graph().entry(skill("a"), stop).build()
    with pytest.raises(KeyboardInterrupt):
        graph.next_skill(at())


@pytest.mark.holds("routing.predicates.once")
def test_a_condition_is_asked_at_most_once_for_each_result() -> None:
    asked: list[str] = []

    def when(result: ToolResult) -> bool:
        asked.append(result.call_id or "")
        return False

    a, b = skills("a b")
    graph = skill_graph().entry(a).route(a, b, when=when).build()
    calls = [returned("t", "", None, f"c{number}") for number in range(3)]
    for ask in (graph.next_skill, graph.explain_next_skill, graph.active_skills, graph.skill("b").trigger.active):
        asked.clear()
        ask(at("a", *calls, pending_pick="b"))  # type: ignore[operator]
        assert asked == ["c0", "c1", "c2"]


@pytest.mark.holds("routing.speed.patterns")
@pytest.mark.parametrize("hostile", ["a ", "[", "x==", "a.", '"', "and ", "x in [", " ", "1"])
def test_long_hostile_clauses_and_messages_are_read_in_linear_time(hostile: str) -> None:
    text = hostile * (1_000_000 // len(hostile))

    def read() -> None:
        for where in (text, f"x == {text}", f"x in [{text}"):
            with pytest.raises(BadCondition):
                skill_graph().route("a", "b", where=where or " ")

    if hostile not in ("a.", "1"):
        within(2.0, read)
    condition = keywords("a b", "and x", "1 1", "x ==")
    within(2.0, lambda: condition(RouteContext(user_message=text)))
