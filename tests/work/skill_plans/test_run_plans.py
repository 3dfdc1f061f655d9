"""What a plan does step by step, and what it tells."""

from typing import Any

import pytest
from tests.work.skill_plans.plan_desk import (
    Desk,
    Json,
    agent,
    ask,
    block,
    branch,
    chained,
    composite,
    error_of,
    invoke,
    output,
    outputs,
    plan,
    put,
    simple,
    story,
    workspace,
)

from loreweave.work.skill_plans.plan_faults import PlanFailure
from loreweave.work.skill_plans.plan_run import SkillTurn


def result(log: list[Json]) -> str:
    assert log[-1]["type"] == "skill_completed", story(log)
    return str(log[-1]["result"])


# Events


@pytest.mark.holds("session.plan.events")
def test_a_run_tells_its_start_every_step_and_its_end() -> None:
    log = Desk().run(plan(put("p", "who", "world"), output("o", "Hello {{who}}"), skillId="hello"))
    assert log == [
        {"type": "skill_started", "skill_id": "hello", "skill_name": "Tested", "frame": 1},
        {"type": "skill_step", "skill_id": "hello", "step_id": "p", "step_type": "set_context", "status": "started"},
        {"type": "skill_step", "skill_id": "hello", "step_id": "p", "step_type": "set_context", "status": "completed"},
        {"type": "skill_step", "skill_id": "hello", "step_id": "o", "step_type": "output", "status": "started"},
        {"type": "skill_output", "skill_id": "hello", "step_id": "o", "content": "Hello world"},
        {"type": "skill_step", "skill_id": "hello", "step_id": "o", "step_type": "output", "status": "completed"},
        {"type": "skill_completed", "skill_id": "hello", "result": "Hello world", "frame": 1},
    ]


@pytest.mark.holds("session.plan.skill-id")
def test_without_an_id_the_session_gives_its_own() -> None:
    log = Desk().run(plan())
    assert story(log) == ["+session-1#1", "-session-1#1="]


@pytest.mark.holds("session.plan.few-writes")
def test_steps_that_need_nobody_are_written_together() -> None:
    desk = Desk()
    log = desk.run(plan(*(put(f"s{number}", "k", "v") for number in range(50))))
    assert len(log) == 102
    assert len(desk.recorded) <= 3


@pytest.mark.holds("session.plan.few-writes")
def test_all_that_happened_is_written_before_anyone_is_waited_for() -> None:
    seen: list[list[str]] = []
    desk = Desk()

    def text(prompt: str) -> str:
        seen.append(story(desk.log()))
        return "done"

    desk.texts = text
    desk.run(plan(put("p", "k", "v"), agent("a", "go")))
    assert seen == [["+session-1#1", "p started", "p completed", "a started"]]


# Asking


@pytest.mark.holds("session.plan.ask")
def test_a_question_is_put_with_its_options_and_the_answer_is_kept() -> None:
    desk = Desk({"ask": {"Colour": "blue"}})
    log = desk.run(plan(ask(), output("o", "{{colour}}!")))
    question = next(event for event in log if event["type"] == "skill_question")
    assert question == {
        "type": "skill_question",
        "skill_id": "session-1",
        "step_id": "ask",
        "question_id": "question 0/question",
        "questions": [
            {
                "question": "Which one?",
                "header": "Colour",
                "options": [{"label": "red", "description": ""}, {"label": "blue", "description": ""}],
                "multiSelect": False,
            }
        ],
    }
    assert story(log)[1:4] == ["ask started", "ask ?", "ask completed"]
    assert desk.asked == [("ask", ("Colour", "colour"))]
    assert result(log) == "blue!"


@pytest.mark.holds("session.plan.ask.header")
@pytest.mark.parametrize(
    ("answers", "kept"),
    [
        ({"Colour": "header", "colour": "key", "other": "x"}, "header"),
        ({"colour": "key", "other": "x"}, "key"),
        ({"anything": "only"}, "only"),
        ({"Colour": ["a", "b"]}, "a, b"),
        ({"Colour": 7}, "7"),
    ],
)
def test_an_answer_is_found_by_header_then_by_key_then_alone(answers: Json, kept: str) -> None:
    assert result(Desk({"ask": answers}).run(plan(ask(), output("o", "{{colour}}")))) == kept


@pytest.mark.holds("session.plan.ask.header")
def test_an_answer_that_names_nothing_asked_fails_the_run() -> None:
    log = Desk({"ask": {"one": "a", "two": "b"}}).run(plan(ask()))
    assert error_of(log) == "The answer to step 'ask' does not say which of its values is meant."


@pytest.mark.holds("session.plan.ask.timeout")
def test_a_question_that_nobody_answers_fails_the_run() -> None:
    log = Desk({"ask": None}).run(plan(ask(), output("o", "never")))
    assert story(log) == ["+session-1#1", "ask started", "ask ?", "ask failed", "!session-1 failed"]
    assert error_of(log) == "Nobody answered the question of step 'ask' in time."


@pytest.mark.holds("session.plan.templates.where")
def test_prompts_values_templates_questions_and_options_are_filled_in_and_nothing_else() -> None:
    wanted = {**ask("q", header="{{x}}", options=["{{x}} one"], store="{{x}}"), "question": "A {{x}}?"}
    desk = Desk({"q": {"{{x}}": "yes"}})
    log = desk.run(
        plan(
            put("p", "x", "cat"),
            put("raw", "{{x}}", "key"),
            branch("b", "{{x}}", "key", output("taken", "{{x}} was taken")),
            branch("c", "x", "{{x}}", output("not taken", "")),
            wanted,
            agent("a", "draw a {{x}}"),
            invoke("i", "s"),
            invoke("j", "plain"),
            skills=[simple("s", "sing of a {{x}}"), simple("plain", "{{x}}", template=False)],
        )
    )
    question = next(event for event in log if event["type"] == "skill_question")["questions"][0]
    assert question["question"] == "A cat?"
    assert question["header"] == "{{x}}"
    assert question["options"] == [{"label": "cat one", "description": ""}]
    assert outputs(log)[0] == "cat was taken"
    assert [turn.prompt for turn in desk.turns] == ["draw a cat", "sing of a cat", "{{x}}"]


# Branches and output


@pytest.mark.holds("session.plan.branch")
@pytest.mark.parametrize(
    ("value", "match", "taken"),
    [
        *[("red", "red", True), ("red", "Red", False), ("red", "red ", False), ("", "", True), (["red"], "red", True)],
        *[(["a", "b"], "a, b", True), ([], "", True), (["a", "b"], "a,b", False), (["a", "b"], "a", False)],
    ],
)
def test_a_branch_is_taken_on_exactly_its_value(value: Any, match: str, taken: bool) -> None:
    log = Desk({"ask": {"Colour": value}}).run(plan(ask(), branch("b", "colour", match, output("o", "in"))))
    assert outputs(log) == (["in"] if taken else [])
    assert [line for line in story(log) if line.startswith("b ")] == ["b started", "b completed"]


@pytest.mark.holds("session.plan.branch")
def test_a_key_that_is_missing_counts_as_empty() -> None:
    assert outputs(Desk().run(plan(branch("b", "nobody", "", output("o", "in"))))) == ["in"]
    assert outputs(Desk().run(plan(branch("b", "nobody", "x", output("o", "in"))))) == []


@pytest.mark.holds("session.plan.output")
def test_the_last_output_is_the_result_and_steps_after_it_run() -> None:
    log = Desk().run(
        plan(output("one", "1"), branch("b", "", "", output("two", "2")), put("p", "k", "3"), agent("a", "go"))
    )
    assert outputs(log) == ["1", "2", "did go"]
    assert result(log) == "2"


@pytest.mark.holds("session.plan.output")
def test_without_an_output_the_result_is_empty() -> None:
    assert result(Desk().run(plan(agent("a", "go")))) == ""


# Agents


@pytest.mark.holds("session.plan.agent")
def test_an_agent_tells_its_text_and_later_steps_can_use_it() -> None:
    desk = Desk()
    log = desk.run(plan(agent("a", "draw", "drawing"), output("o", "<{{drawing}}>"), skillId="art"))
    assert desk.turns == [SkillTurn("art", "Tested", "a", "draw")]
    assert story(log) == [
        *("+art#1", "a started", "a: did draw", "a completed", "o started", "o: <did draw>", "o completed"),
        "-art#1=<did draw>",
    ]


def unable(prompt: str) -> str:
    raise PlanFailure("The model is away.")


@pytest.mark.holds("session.plan.agent.failure")
def test_an_agent_that_fails_fails_the_run() -> None:
    log = Desk(texts=unable).run(plan(agent("a", "draw"), output("o", "never")))
    assert story(log) == ["+session-1#1", "a started", "a failed", "!session-1 failed"]
    assert error_of(log) == "The model is away."


@pytest.mark.holds("session.plan.storable")
def test_signs_that_no_event_could_carry_do_not_get_through() -> None:
    log = Desk({"ask": {"Colour": "a\ud800"}}, texts=lambda _: "b\0").run(plan(ask(), agent("g", "{{colour}}")))
    assert outputs(log) == ["b\ufffd"]


@pytest.mark.holds("session.plan.agent")
def test_no_agent_is_asked_for_nothing() -> None:
    desk = Desk()
    assert error_of(desk.run(plan(agent("a", " {{nobody}} ")))) == "The prompt of step 'a' is empty."
    assert desk.turns == []


# Skills that call skills


@pytest.mark.holds("session.plan.invoke.composite", "session.plan.frames")
def test_a_composite_runs_in_a_frame_of_its_own_and_gives_its_result() -> None:
    inner = composite("inner", put("i1", "mine", "{{outer}} inside"), output("i2", "{{mine}}"))
    log = Desk().run(plan(put("p", "outer", "seen"), invoke("call", "inner", "got"), output("o", "{{got}}|{{mine}}"),
                          skills=[inner], skillId="root"))  # fmt: skip
    assert story(log) == [
        *("+root#1", "p started", "p completed", "call started"),
        *("+inner#2", "i1 started", "i1 completed", "i2 started", "i2: seen inside", "i2 completed"),
        *("-inner#2=seen inside", "call completed"),
        *("o started", "o: seen inside|", "o completed", "-root#1=seen inside|"),
    ]


@pytest.mark.holds("session.plan.context.chain")
def test_a_called_skill_reads_its_callers_and_changes_only_itself() -> None:
    deep = composite("deep", output("d", "{{x}}{{y}}{{z}}"))
    middle = composite(
        "middle", put("m1", "y", "2"), put("m2", "x", "own"), invoke("m3", "deep", "r"), output("m4", "{{r}}")
    )
    steps = [put("p1", "x", "1"), put("p2", "z", "3"), invoke("p3", "middle", "r"), output("o", "{{r}}{{x}}{{y}}")]
    log = Desk().run(plan(*steps, skills=[deep, middle]))
    assert result(log) == "own231"


@pytest.mark.holds("session.plan.invoke.simple", "session.plan.frames")
def test_a_simple_skill_is_one_agents_work_in_a_frame_of_its_own() -> None:
    desk = Desk()
    log = desk.run(plan(put("p", "what", "cats"), invoke("call", "s", "got"), output("o", "{{got}}"),
                        skills=[simple("s", "about {{what}}")], skillId="root"))  # fmt: skip
    assert desk.turns == [SkillTurn("s", "Simple", "call", "about cats")]
    assert story(log)[3:8] == ["call started", "+s#2", "call: did about cats", "-s#2=did about cats", "call completed"]
    assert next(event for event in log if event["type"] == "skill_output")["skill_id"] == "s"
    assert result(log) == "did about cats"


@pytest.mark.holds("session.plan.invoke.unknown")
def test_a_skill_that_nobody_knows_fails_the_run() -> None:
    log = Desk().run(plan(invoke("call", "nobody"), output("o", "never")))
    assert story(log) == ["+session-1#1", "call started", "call failed", "!session-1 failed"]
    assert error_of(log) == "The skill 'nobody' is not among the skills of this run."


@pytest.mark.holds("session.plan.invoke.entered")
def test_what_is_never_entered_is_never_judged() -> None:
    broken = {**composite("broken"), "workspace": {"blocks": 3}}
    selfish = composite("selfish", invoke("again", "selfish"))
    calls = [invoke("x", "nobody"), invoke("y", "broken"), invoke("z", "selfish")]
    log = Desk().run(plan(branch("b", "", "never", *calls), output("o", "fine"), skills=[broken, selfish]))
    assert result(log) == "fine"


def ladder(rungs: int, last: Json) -> list[Json]:
    """s2 calls s3 calls s4, up to the skill numbered so."""
    calls = [composite(f"s{number}", invoke(f"c{number}", f"s{number + 1}")) for number in range(2, rungs)]
    return [*calls, {**last, "id": f"s{rungs}"}]


@pytest.mark.holds("session.plan.invoke.depth")
@pytest.mark.parametrize("last", [composite("", output("bottom", "reached")), simple("", "bottom")])
def test_ten_skills_run_inside_one_another_and_the_eleventh_fails(last: Json) -> None:
    call = invoke("call", "s2")
    log = Desk().run(plan(call, skills=ladder(10, last)))
    assert max(event.get("frame", 0) for event in log) == 10
    assert log[-1]["type"] == "skill_completed"
    desk = Desk()
    log = desk.run(plan(call, skills=ladder(11, last)))
    assert error_of(log) == "The skill 's11' would be more than 10 skills deep."
    assert max(event.get("frame", 0) for event in log) == 10
    assert desk.turns == []


@pytest.mark.holds("session.plan.invoke.cycle")
def test_a_skill_on_the_stack_fails_before_anything_of_it_runs() -> None:
    one = composite("one", put("o1", "k", "v"), invoke("o2", "two"))
    two = composite("two", invoke("t1", "one"))
    log = Desk().run(plan(invoke("call", "one"), skills=[one, two], skillId="root"))
    assert story(log) == [
        *("+root#1", "call started", "+one#2", "o1 started", "o1 completed", "o2 started", "+two#3", "t1 started"),
        *("t1 failed", "o2 failed", "call failed", "!root failed"),
    ]
    assert error_of(log) == "The skill 'one' would call itself: root → one → two → one."


@pytest.mark.holds("session.plan.invoke.cycle", "session.plan.skill-id")
def test_the_plan_itself_is_on_the_stack() -> None:
    for skill_id, more in (("root", {"skillId": "root"}), ("session-1", {})):
        log = Desk().run(plan(invoke("call", skill_id), skills=[simple(skill_id, "p")], **more))
        assert "would call itself" in error_of(log)
        assert [event["type"] for event in log].count("skill_started") == 1


@pytest.mark.holds("session.plan.invoke.twice")
def test_a_skill_may_be_used_twice_in_a_row() -> None:
    twice = composite("t", ask("q", store="a"), output("o", "{{a}}"))
    desk = Desk({"q": {"Colour": "red"}})
    log = desk.run(plan(invoke("one", "t", "x"), invoke("two", "t", "y"), output("o", "{{x}} {{y}}"), skills=[twice]))
    assert result(log) == "red red"
    assert [event["question_id"] for event in log if event["type"] == "skill_question"] == [
        "question 0/0/question",
        "question 1/0/question",
    ]


@pytest.mark.holds("session.plan.workspace.faults")
def test_of_a_flow_that_cannot_be_read_nothing_runs_and_its_block_is_named() -> None:
    first = block("skill_output", "fine", TEMPLATE="told")
    broken = {**composite("c"), "workspace": workspace(chained([first, block("skill_dance", "wrong-1")]))}
    log = Desk().run(plan(invoke("call", "c"), skills=[broken]))
    assert story(log) == ["+session-1#1", "call started", "call failed", "!session-1 failed"]
    assert "'wrong-1' (skill_dance)" in error_of(log)


@pytest.mark.holds("session.plan.workspace.faults")
def test_a_composite_without_a_flow_fails_the_run() -> None:
    bare = {"id": "c", "name": "Bare", "prompt": "never used", "category": "composite"}
    assert error_of(Desk().run(plan(invoke("call", "c"), skills=[bare]))) == (
        "The skill 'Bare' has no start block (skill_flow_start)."
    )


# Failure


@pytest.mark.holds("session.plan.failure")
def test_a_failure_fails_every_open_step_and_gives_one_error_of_the_root() -> None:
    inner = composite("inner", branch("ib", "", "", agent("ia", "go")), output("io", "never"))
    log = Desk(texts=unable).run(plan(branch("b", "", "", invoke("call", "inner")), skills=[inner], skillId="root"))
    assert story(log) == [
        *("+root#1", "b started", "call started", "+inner#2", "ib started", "ia started"),
        *("ia failed", "ib failed", "call failed", "b failed", "!root failed"),
    ]
    assert [event["skill_id"] for event in log[-5:]] == ["inner", "inner", "root", "root", "root"]
    assert log[-1] == {"type": "skill_error", "skill_id": "root", "message": "The model is away.", "outcome": "failed"}


@pytest.mark.holds("session.plan.bounded-run")
def test_skills_that_multiply_come_to_an_end() -> None:
    inner = composite("inner", *(put(f"i{number}", "k", "v") for number in range(50)))
    middle = composite("middle", *(invoke(f"m{number}", "inner") for number in range(50)))
    log = Desk().run(plan(*(invoke(f"o{number}", "middle") for number in range(50)), skills=[inner, middle]))
    assert error_of(log) == "The run was ended after 10,000 steps."
    assert sum(event.get("status") == "started" for event in log) == 10_000


@pytest.mark.holds("session.plan.bounded-run")
def test_what_a_run_may_write_comes_to_an_end() -> None:
    flow = composite("flow", *(output(f"o{number}", "{{big}}" * 20) for number in range(50)))
    log = Desk().run(plan(put("p", "big", "x" * 5_000), *(invoke(f"c{n}", "flow") for n in range(3)), skills=[flow]))
    assert error_of(log) == "The run was ended after its steps had written 10,000,000 characters."
    assert sum(map(len, outputs(log))) <= 10_000_000
