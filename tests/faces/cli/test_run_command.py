"""`lore run`: what it prints, how its questions are answered, how it ends."""

import json
import signal
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.faces.cli.running_plan import ASKING, OUT, WAY, run_plan, running_plan, write_plan
from tests.faces.cli.terminal import CTRL_C, on_terminal
from tests.model_server import ModelServer, call, say
from tests.pace import PATIENCE
from tests.waits import line_with

from loreweave.application import Application
from loreweave.errors import InvalidInput
from loreweave.faces.cli.terminal.question_prompts import read_choice

SILENT = {"skillName": "Silent", "steps": [{**OUT, "template": "done"}]}
MODULE = "loreweave.faces.cli.lore"


def asked(name: str) -> dict[str, Any]:
    return {**WAY, "id": name, "header": name, "storeAs": name}


def question(*labels: str, several: bool = False) -> dict[str, Any]:
    options = [{"label": label, "description": ""} for label in labels]
    return {"question": "?", "header": "H", "options": options, "multiSelect": several}


@pytest.mark.holds("session.cli.run-shape", "session.cli.exit-codes")
def test_a_plan_without_questions_prints_one_line_and_needs_no_input(tmp_path: Path) -> None:
    done = run_plan(tmp_path, SILENT)
    assert (done.returncode, done.stderr, done.stdout.count("\n")) == (0, "", 1)
    shape = json.loads(done.stdout)
    assert list(shape) == ["session_id", "outcome", "result"]
    assert (shape["outcome"], shape["result"]) == ("success", "done")


@pytest.mark.holds("session.cli.run-shape")
def test_a_plan_may_come_with_the_skills_it_invokes(tmp_path: Path) -> None:
    output = {"id": "b", "type": "skill_output", "fields": {"TEMPLATE": "from {{place}}"}}
    start = {"id": "a", "type": "skill_flow_start", "next": {"block": output}}
    skill = {"id": "inner", "name": "Inner", "prompt": "", "category": "composite"}
    skill["workspace"] = {"blocks": {"blocks": [start]}}
    steps = [
        {"id": "s", "type": "set_context", "key": "place", "value": "inside"},
        {"id": "i", "type": "invoke_skill", "skillId": "inner", "storeAs": "got"},
        {**OUT, "template": "{{got}}"},
    ]
    done = run_plan(tmp_path, {"plan": {"skillName": "Outer", "steps": steps}, "allSkills": [skill]})
    assert json.loads(done.stdout)["result"] == "from inside", done.stderr


@pytest.mark.holds("session.cli.exit-codes")
def test_every_fault_of_a_plan_is_told_with_its_place(tmp_path: Path) -> None:
    done = run_plan(
        tmp_path, {"skillName": "Faulty", "steps": [{"id": "a", "type": "nope"}, {"id": "b", "type": "output"}]}
    )
    first, second = done.stderr.splitlines()
    assert (done.returncode, first.startswith("error: plan.steps.0.type must be one of ask_user, ")) == (2, True)
    assert second == "  plan.steps.1.template is required"


@pytest.mark.holds("session.cli.questions")
def test_lines_answer_questions_by_number_label_or_text(tmp_path: Path) -> None:
    names = ["one", "two", "three", "four"]
    template = " ".join(f"{{{{{name}}}}}" for name in names)
    plan = {"skillName": "Many", "steps": [*map(asked, names), {**OUT, "template": template}]}
    done = run_plan(tmp_path, plan, "2\nleft\nRIGHT\nover the top")
    assert json.loads(done.stdout)["result"] == "right left right over the top"
    first = "Which way? [one]\n  1) left\n  2) right\n"
    assert done.stderr == "".join(first.replace("one", name) for name in names)


@pytest.mark.holds("session.cli.questions")
def test_an_empty_line_is_no_choice_but_may_be_a_text(tmp_path: Path) -> None:
    plan = {
        "skillName": "Ways",
        "steps": [WAY, {**asked("free"), "options": []}, {**OUT, "template": "{{way}}{{free}}."}],
    }
    done = run_plan(tmp_path, plan, "\n1\n\n")
    assert json.loads(done.stdout)["result"] == "left."
    assert "Answer with a number" in done.stderr


@pytest.mark.holds("session.cli.questions")
@pytest.mark.parametrize(
    ("line", "answer"),
    [("1, right", ["left", "right"]), ("RIGHT", ["right"]), ("2,other", ["right", "other"])],
)
def test_several_may_be_chosen_where_several_are_asked_for(line: str, answer: list[str]) -> None:
    assert read_choice(question("left", "right", several=True), line) == answer


@pytest.mark.holds("session.cli.questions")
@pytest.mark.parametrize("several", [False, True])
@pytest.mark.parametrize("line", ["3", "0", "007", "99999999999", " "])
def test_a_number_that_is_no_option_is_asked_again(line: str, several: bool) -> None:
    with pytest.raises(InvalidInput, match=r"There is no option|Answer with"):
        read_choice(question("left", "right", several=several), line)


@pytest.mark.holds("session.cli.questions")
def test_a_slip_of_a_number_is_no_answer(tmp_path: Path) -> None:
    done = run_plan(tmp_path, ASKING, "7\n2\n")
    assert json.loads(done.stdout)["result"] == "went right"
    assert "There is no option 7: answer with a number from 1 to 2" in done.stderr


@pytest.mark.holds("session.cli.questions", "session.plan.unknown-keys")
def test_keys_that_nobody_knows_are_told_before_the_run(tmp_path: Path) -> None:
    done = run_plan(tmp_path, {"skillName": "Ways", "steps": [{**WAY, "colour": 1}, OUT]}, "1\n")
    assert done.stderr.splitlines()[0] == "plan.steps.0.colour means nothing here and was left out."


@pytest.mark.holds("session.cli.questions")
@given(labels=st.lists(st.text(min_size=1), min_size=1, max_size=20), data=st.data())
def test_the_number_of_an_option_always_means_that_option(labels: list[str], data: st.DataObject) -> None:
    number = data.draw(st.integers(1, len(labels)))
    assert read_choice(question(*labels), f" {number} ") == labels[number - 1]


@pytest.mark.holds("session.cli.questions")
@given(line=st.text())
def test_what_is_no_option_is_a_text(line: str) -> None:
    assert read_choice(question(), line) == line.strip()


@pytest.mark.holds("session.cli.end-of-input", "session.cli.exit-codes")
def test_the_end_of_input_stops_a_session_that_asks(tmp_path: Path) -> None:
    done = run_plan(tmp_path, ASKING)
    shape = json.loads(done.stdout)
    assert (done.returncode, shape["outcome"], shape["result"]) == (1, "stopped", None)
    assert f"Session {shape['session_id']} was stopped." in done.stderr


@pytest.mark.holds("session.cli.exit-codes")
def test_a_run_that_fails_says_why(tmp_path: Path) -> None:
    invoke = {"id": "i", "type": "invoke_skill", "skillId": "ghost", "storeAs": "x"}
    done = run_plan(tmp_path, {"skillName": "Lost", "steps": [invoke]})
    shape = json.loads(done.stdout)
    assert (done.returncode, shape["outcome"], shape["result"]) == (1, "failed", None)
    assert "ghost" in done.stderr


@pytest.mark.holds("session.cli.exit-codes")
@pytest.mark.parametrize(
    ("value", "named"),
    [
        ("{", "holds no JSON"),
        ("[" * 100_000, "holds no JSON"),
        ("[]", "must hold an object"),
        ('{"skillName": "a", "skillName": "b", "steps": []}', "skillName is given twice"),
        ("{}", "plan."),
        ({"plan": None}, "plan is required"),
        ({"skillName": "X", "steps": [{**WAY, "options": "left"}]}, "plan.steps.0.options"),
        ({"plan": ASKING, "allSkills": [1]}, "allSkills.0"),
    ],
)
def test_what_is_no_plan_is_wrong_usage_and_leaves_nothing(lore: Any, tmp_path: Path, value: Any, named: str) -> None:
    done = lore("run", write_plan(tmp_path, value))
    assert (done.code, done.out) == (2, b"")
    assert named in done.err
    assert not (tmp_path / "data").exists() or lore("sessions").json == []


@pytest.mark.holds("session.cli.exit-codes")
@pytest.mark.parametrize(
    ("place", "named"), [("ghost.json", "No such file"), ("-", "standard input"), (".", "directory")]
)
def test_a_plan_that_cannot_be_read_is_wrong_usage(lore: Any, place: str, named: str) -> None:
    done = lore("run", place)
    assert (done.code, done.out, done.err.count("\n")) == (2, b"", 1)
    assert named in done.err
    shape = json.loads(lore("run", place, "--json").err)
    assert (shape["code"], shape["field"]) == ("invalid_input", "plan")


@pytest.mark.holds("session.cli.exit-codes")
def test_a_file_that_never_ends_is_refused(lore: Any) -> None:
    done = lore("run", "/dev/zero", "--json")
    assert (done.code, json.loads(done.err)["code"]) == (1, "too_large")


@pytest.mark.holds("session.cli.interrupt")
def test_ctrl_c_stops_the_session_and_says_its_id(sqlite_application: Application, tmp_path: Path) -> None:
    with running_plan(tmp_path) as process:
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=PATIENCE)
    shape = json.loads(out)
    assert (process.returncode, shape["outcome"]) == (130, "stopped")
    assert "Stopping …" in err
    assert f"lore sessions resume {shape['session_id']} goes on with it." in err
    assert f"Session {shape['session_id']} was stopped.\n" in err
    assert sqlite_application.sessions.get(shape["session_id"]).outcome == "stopped"


@pytest.mark.holds("session.cli.interrupt")
def test_ctrl_c_at_a_build_says_how_to_go_on_from_what_it_made(tmp_path: Path) -> None:
    spec = {"project": {"goal": "A game"}, "workflow": {"human_gates": ["Is it good?"]}}
    with running_plan(tmp_path, spec, "build", "Is it good?\n", LORE_MODEL="demo") as process:
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=PATIENCE)
    shape = json.loads(out)
    assert (process.returncode, shape["outcome"]) == (130, "stopped")
    assert f'was stopped. To go on from there: lore build --continue {shape["session_id"]} "what is next"' in err


@pytest.mark.holds("session.cli.answered-elsewhere", "session.cli.own-process")
def test_an_answer_from_elsewhere_takes_the_question_away(application: Application, tmp_path: Path) -> None:
    with running_plan(tmp_path, LORE_DATABASE_URL=application.settings.database_url) as process:
        (session,) = application.sessions.list()
        application.skills.answer(session.id, {"step_id": "ask", "answers": {"Way": "right"}})
        assert process.wait(timeout=PATIENCE) == 0
        out, err = process.communicate(timeout=PATIENCE)
    assert json.loads(out) == {"session_id": session.id, "outcome": "success", "result": "went right"}
    assert "answered elsewhere" in err


@pytest.mark.holds("session.cli.answered-elsewhere")
def test_after_a_question_that_went_away_a_line_answers_the_next(
    sqlite_application: Application, tmp_path: Path
) -> None:
    plan = {"skillName": "Two", "steps": [WAY, asked("next"), {**OUT, "template": "{{way}} {{next}}"}]}
    with running_plan(tmp_path, plan) as process:
        (session,) = sqlite_application.sessions.list()
        sqlite_application.skills.answer(session.id, {"step_id": "ask", "answers": {"Way": "left"}})
        line_with("[next]", process, process.stderr)
        out, _ = process.communicate("2\n", timeout=PATIENCE)
    assert json.loads(out)["result"] == "left right"


@pytest.mark.holds("session.cli.questions")
def test_a_question_that_nobody_answers_in_time_goes_away_and_fails_the_run(tmp_path: Path) -> None:
    with running_plan(tmp_path, LORE_ASK_USER_TIMEOUT_S="0.5") as process:
        assert process.wait(timeout=PATIENCE) == 1
        out, err = process.communicate(timeout=PATIENCE)
    assert json.loads(out)["outcome"] == "failed"
    assert "Nobody answered in time." in err


@pytest.mark.holds("session.cli.exit-codes")
def test_a_wish_in_words_is_answered_with_the_spec_it_would_be(lore: Any) -> None:
    told = lore("build", 'a game with a "star"')
    assert told.code == 2
    spec = json.loads(told.err.partition("whole spec: ")[2])
    assert spec == {"project": {"goal": 'a game with a "star"'}}
    assert "cannot be read" in lore("build", "no such file.json").err


@pytest.mark.holds("session.agent.no-model")
@pytest.mark.parametrize(
    ("model", "told"),
    [("none", "No model is set"), ("claude", "LORE_MODEL must be none, demo"), ("openai:gpt", "OPENAI_API_KEY")],
)
def test_a_model_that_cannot_be_asked_is_told_as_a_fault_of_its_setting(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, model: str, told: str
) -> None:
    monkeypatch.setenv("LORE_MODEL", model)
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    agent = {"id": "cook", "type": "run_agent", "prompt": "Cook.", "storeAs": "dish"}
    done = run_plan(tmp_path, {"skillName": "Pizza", "steps": [agent]})
    assert (done.returncode, json.loads(done.stdout)["outcome"]) == (1, "failed")
    assert told in done.stderr
    assert "fault of the program" not in done.stderr


@pytest.mark.holds("session.cli.questions")
def test_an_agent_asks_several_things_at_once_and_some_with_several_answers(
    model_server: ModelServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    toppings = {**question("ham", "egg", several=True), "question": "On top?", "header": "Top"}
    size = {**question("small", "large"), "question": "How large?", "header": "Size"}
    model_server.script(call(("ask_user", {"questions": [size, toppings]})), say("A pizza."))
    monkeypatch.setenv("ANTHROPIC_API_KEY", "sk-scripted")
    monkeypatch.setenv("ANTHROPIC_BASE_URL", model_server.base_url)
    agent = {"id": "cook", "type": "run_agent", "prompt": "Cook.", "storeAs": "dish"}
    done = run_plan(tmp_path, {"skillName": "Pizza", "steps": [agent, {**OUT, "template": "{{dish}}"}]}, "2\n1,egg\n")
    assert json.loads(done.stdout)["result"] == "A pizza.", done.stderr
    assert done.stderr.splitlines()[:4] == ["How large? [Size]", "  1) small", "  2) large", "On top? [Top]"]
    answered = model_server.asked[1].text
    assert "large" in answered
    assert "ham" in answered
    assert "egg" in answered


@pytest.mark.holds("session.cli.own-process")
def test_a_run_that_is_stopped_elsewhere_ends(sqlite_application: Application, tmp_path: Path) -> None:
    with running_plan(tmp_path) as process:
        (session,) = sqlite_application.sessions.list()
        assert session.state == "executing"
        sqlite_application.sessions.stop(session.id)
        assert process.wait(timeout=PATIENCE) == 1
        out, _ = process.communicate(timeout=PATIENCE)
    assert json.loads(out)["outcome"] == "stopped"


@pytest.mark.holds("session.cli.progress", "session.cli.run-shape")
def test_on_a_terminal_a_person_sees_steps_questions_and_the_result(tmp_path: Path) -> None:
    plan = write_plan(tmp_path, ASKING)
    with on_terminal(MODULE, "run", plan, LORE_DATA_DIR=str(tmp_path / "data")) as terminal:
        terminal.read_until("> ")
        terminal.press(b"1\n")
        assert terminal.finish() == 0
    assert "· ask (ask_user)\nWhich way? [Way]\n  1) left\n  2) right\n> " in terminal.seen
    assert "went left" in terminal.seen
    assert "success" in terminal.seen


@pytest.mark.holds("session.cli.interrupt")
def test_ctrl_c_on_a_terminal_and_the_end_of_input_there_stop_it(tmp_path: Path) -> None:
    plan = write_plan(tmp_path, ASKING)
    for keys, code in ((CTRL_C, 130), (b"\x04", 1)):
        with on_terminal(MODULE, "run", plan, "--json", LORE_DATA_DIR=str(tmp_path / "data")) as terminal:
            terminal.read_until("> ")
            terminal.press(keys)
            assert terminal.finish() == code
        assert '"outcome": "stopped"' in terminal.seen


@pytest.mark.holds("session.cli.questions")
def test_texts_of_a_plan_cannot_move_the_cursor(tmp_path: Path) -> None:
    hostile = {**WAY, "question": "Which\x1b[2J way?\r\n", "options": ["\x1b]0;owned\x07left"]}
    done = run_plan(tmp_path, {"skillName": "Hostile", "steps": [hostile]}, "1\n")
    assert done.returncode == 0
    assert not {letter for letter in done.stderr if not letter.isprintable()} - {"\n"}
