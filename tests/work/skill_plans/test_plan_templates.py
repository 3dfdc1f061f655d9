"""Templates are filled in once, from what a skill and its callers know."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.pace import within
from tests.work.skill_plans.plan_desk import Desk, Json, error_of, output, plan, put, story

from loreweave.work.skill_plans.plan_faults import PlanFailure
from loreweave.work.skill_plans.plan_run import SkillContext, as_entry, fill

keys = st.text("ab1_.-", min_size=1, max_size=3)
values = st.text("ab{} .", max_size=12)
literals = st.text("xy ,.}", max_size=5)  # without an opening brace nothing in between becomes a key


@given(st.lists(st.tuples(literals, keys)), literals, st.dictionaries(keys, values))
@pytest.mark.holds("session.plan.templates.once")
def test_a_template_is_its_pieces_put_together(pieces: list[tuple[str, str]], end: str, known: dict[str, str]) -> None:
    template = "".join(f"{before}{{{{{key}}}}}" for before, key in pieces) + end
    expected = "".join(before + known.get(key, "") for before, key in pieces) + end
    assert fill(template, SkillContext(entries=dict(known)).text) == expected


@pytest.mark.holds("session.plan.templates.once")
def test_what_comes_in_is_never_filled_in_again() -> None:
    context = SkillContext(entries={"a": "{{b}}", "b": "no", "open": "{{", "close": "}}"})
    assert fill("{{a}}", context.text) == "{{b}}"
    assert fill("{{open}}b{{close}}", context.text) == "{{b}}"
    assert fill("{{{{a}}}}", context.text) == "{{{{b}}}}"
    assert fill("{{{b}}}", context.text) == "{no}"


@pytest.mark.holds("session.plan.templates.keys")
@pytest.mark.parametrize("key", ["a", "Z9", "with-dash", "with.dot", "with_line", "größe", "数"])
def test_a_key_is_made_of_letters_digits_and_three_signs(key: str) -> None:
    assert fill(f"<{{{{{key}}}}}>", SkillContext(entries={key: "v"}).text) == "<v>"


@pytest.mark.holds("session.plan.templates.keys")
@pytest.mark.parametrize("text", ["{{ a }}", "{{a b}}", "{{}}", "{a}", "{{a}", "{{a|b}}", "{{a\n}}", "${a}", "%(a)s"])
def test_anything_else_in_braces_is_left_as_it_is(text: str) -> None:
    assert fill(text, SkillContext(entries={"a": "v", "a b": "v", "": "v", " a ": "v"}).text) == text


@pytest.mark.holds("session.plan.templates.unknown")
@pytest.mark.parametrize("key", ["nobody", "__class__", "entries", "parent", "0", "a.b"])
def test_an_unknown_key_gives_nothing(key: str) -> None:
    assert fill(f"<{{{{{key}}}}}>", SkillContext(entries={"a": "v"}).text) == "<>"


@pytest.mark.holds("session.plan.templates.lists")
def test_a_list_is_joined_by_commas() -> None:
    context = SkillContext(entries={"three": ["a", "b", "c"], "one": ["x"], "none": []})
    assert fill("{{three}}/{{one}}/{{none}}", context.text) == "a, b, c/x/"


@given(st.lists(st.dictionaries(keys, values), min_size=1, max_size=4), keys)
@pytest.mark.holds("session.plan.context.chain")
def test_a_key_is_looked_for_from_the_innermost_skill_outwards(levels: list[dict[str, str]], key: str) -> None:
    context = None
    for entries in levels:
        context = SkillContext(context, dict(entries))
    assert context is not None
    found = [entries[key] for entries in reversed(levels) if key in entries]
    assert context.text(key) == (found[0] if found else "")


@pytest.mark.holds("session.plan.ask.values")
@pytest.mark.parametrize(
    ("answer", "entry"),
    [
        ("red", "red"),
        (["red", "blue"], ["red", "blue"]),
        (3, "3"),
        (True, "true"),
        (None, ""),
        ({"a": "ä"}, '{"a": "ä"}'),
        ([1, None, "x"], ["1", "", "x"]),
        ([], []),
        ("a\0b\ud800", "a\ufffdb\ufffd"),
        ("\U0001f600", "\U0001f600"),
    ],
)
def test_an_answer_is_kept_as_text_or_a_list_of_texts(answer: object, entry: object) -> None:
    assert as_entry(answer) == entry


@pytest.mark.holds("session.plan.templates.bounded")
def test_a_text_may_reach_its_greatest_length_and_not_exceed_it() -> None:
    context = SkillContext(entries={"half": "x" * 50_000})
    assert len(fill("{{half}}{{half}}", context.text)) == 100_000
    for template in ("{{half}}.{{half}}", ".{{half}}{{half}}", "{{half}}{{half}}."):
        with pytest.raises(PlanFailure, match="beyond 100,000 characters"):
            fill(template, context.text)


@pytest.mark.holds("session.plan.templates.bounded")
def test_templates_that_double_one_another_end_the_run_before_they_eat_the_memory() -> None:
    steps: list[Json] = [put("start", "a", "x" * 5_000)]
    steps += [put(f"s{number}", "a", "{{a}}" * 1_000) for number in range(10)]
    log = within(0.5, lambda: Desk().run(plan(*steps, output("o", "{{a}}"))))
    assert "100,000 characters" in error_of(log)
    assert story(log)[-2:] == ["s0 failed", "!session-1 failed"]


@pytest.mark.holds("session.plan.templates.bounded")
def test_nothing_more_is_looked_up_for_a_text_that_is_too_long_already() -> None:
    asked: list[str] = []

    def find(key: str) -> str:
        asked.append(key)
        return "x" * 50_000

    with pytest.raises(PlanFailure):
        fill("{{a}}" * 1_000, find)
    assert len(asked) == 3


@pytest.mark.holds("session.plan.templates.linear")
@pytest.mark.parametrize("text", ["{" * 400_000, "{{a" * 130_000, "{{" + "a" * 400_000, "{{a}" * 100_000])
def test_a_long_text_with_many_braces_is_filled_in_at_once(text: str) -> None:
    with pytest.raises(PlanFailure):
        within(0.5, lambda: fill(text, SkillContext().text))
