"""What a person sees on a terminal: text that cannot steer it, tables that fit, the command line's own words."""

import io
import json
import re
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.faces.cli.terminal import CTRL_C, on_terminal

from loreweave.faces.cli.program import UNSAFE

LONG = "a-note-whose-name-is-as-long-as-names-get-when-nobody-types-them"
EVIL = "\u202etxt.exe \u2066and\u2069 \x1b[31mred \x9b31m \x07"


class Screen(io.TextIOWrapper):
    def isatty(self) -> bool:
        return True


@pytest.fixture
def seen(lore, vault: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., str]:
    """What a command shows on a terminal of 80 columns, over notes of which two are a trial."""
    (vault / "evil.md").write_text(f'---\nname: "Evil \u202etxt"\ndescription: A \u202e b.\n---\n{EVIL}\n', "utf-8")
    (vault / f"{LONG}.md").write_text(
        f"---\ndescription: {'Many words about it. ' * 9}\ntype: technique\n---\n[[evil]] [[nowhere-{LONG}]]\n", "utf-8"
    )
    assert lore("ingest", str(vault), "--name", "sample").code == 0

    def show(*arguments: str) -> str:
        written = io.BytesIO()
        screen = Screen(written, encoding="utf-8", write_through=True)
        with monkeypatch.context() as patched:
            patched.setattr(sys, "stdout", screen)
            patched.setenv("COLUMNS", "80")
            patched.setenv("TERM", "dumb")
            done = lore(*arguments)
        assert done.code == 0, done.err
        return written.getvalue().decode()

    return show


@pytest.mark.holds("house.cli.safe-text")
@pytest.mark.parametrize(
    "arguments",
    [["node", "evil", "--level", "4"], ["scan", "evil"], ["context", "evil"], ["export", "--format", "dot"],
     ["scan", "evil", "--json"], ["export", "--format", "mermaid"]],
    ids=" ".join,
)  # fmt: skip
def test_a_note_can_neither_steer_the_terminal_nor_turn_its_text(seen, arguments: list[str]) -> None:
    shown = seen(*arguments)
    assert "evil" in shown.casefold()
    assert UNSAFE.search(shown) is None


@pytest.mark.holds("house.cli.safe-text")
def test_json_on_a_terminal_is_still_the_same_json(seen, lore) -> None:
    assert json.loads(seen("node", "evil", "--level", "4", "--json")) == lore("node", "evil", "--level", "4").json


@pytest.mark.holds("house.cli.safe-text")
def test_a_refusal_repeats_no_control_character(lore, sample: str) -> None:
    refused = lore("scan", "x", "--graph", EVIL)
    assert refused.code == 1
    assert UNSAFE.search(refused.err) is None


@pytest.mark.holds("house.cli.tables-fit")
@pytest.mark.parametrize(
    "arguments", [["scan"], ["graphs"], ["validate"], ["search", "words"], ["context", "words"], ["doctor"],
                  ["node", LONG, "--level", "2"], ["stats"], ["token", "create"]], ids=lambda each: each[0]
)  # fmt: skip
def test_a_table_fits_into_80_columns_and_breaks_no_id(seen, arguments: list[str]) -> None:
    shown = seen(*arguments)
    assert max(map(len, shown.splitlines())) <= 80
    if arguments[0] in ("scan", "search", "context"):
        assert f"skill:{LONG}" in shown


def test_a_note_that_lacks_several_things_is_named_once(lore, seen, tmp_path: Path) -> None:
    (tmp_path / "small").mkdir()
    (tmp_path / "small" / "plain.md").write_text("Only words.\n")
    lore("ingest", str(tmp_path / "small"))
    shown = seen("validate")
    assert shown.count("plain.md") == 1
    assert "no description" in shown
    assert "no type" in shown


@pytest.mark.holds("house.cli.own-words")
def test_figures_and_times_are_told_in_words(seen) -> None:
    assert re.search(r"most linked to +│? *skill:\S+ \(\d+\)", seen("stats"))
    assert re.search(r" 20\d\d-\d\d-\d\d \d\d:\d\d UTC", seen("graphs"))
    assert " 1 graph " in seen("doctor")


@pytest.mark.holds("house.commands.token")
def test_tokens_are_listed_for_a_person_and_a_secret_stands_whole_once(seen) -> None:
    assert "No token yet" in seen("token", "list")
    secret = re.search(r"^lore_\S{50,}$", seen("token", "create", "mira"), re.MULTILINE)
    assert secret is not None
    listed = seen("token", "list")
    assert ("mira" in listed, "{" in listed, secret[0] in listed) == (True, False, False)


@pytest.mark.holds("house.cli.own-words")
@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["context", "x", "--budget", "999999"], "--budget must be from 0 to 200,000"),
        (["traverse", "--max-nodes=-1"], "--max-nodes must be from 0 to 100"),
        (["traverse", "--max-depth", "99"], "--max-depth must be from 0 to 10"),
        (["context", " "], "query must not be blank"),
        (["node", "x", "--level", "9"], "--level must be from 0 to 4"),
        (["fuse", "both", "sample"], "GRAPH... must hold from 2 to 20 entries"),
        (["ingest", ".", "--heading-depth", "9"], "--heading-depth must be from 2 to 6"),
        (["stats", "--graph", ""], "--graph must not be empty"),
        (["ingest", ""], "Name a folder, a ZIP or a GitHub address; . is this folder"),
        (["serve", "--port", "70000"], "--port must be a whole number from 0 to 65535"),
    ],
)
def test_a_refusal_names_the_option_that_was_given(lore, sample: str, arguments: list[str], sentence: str) -> None:
    refused = lore(*arguments)
    assert (refused.code, refused.err) == (2, f"error: {sentence}\n")


@pytest.mark.holds("house.cli.own-words")
def test_a_refusal_names_the_setting_where_it_was_written(lore, sample: str, tmp_path: Path, monkeypatch) -> None:
    (tmp_path / "data" / "lore.toml").write_text('port = "x"\n', encoding="utf-8")
    assert lore("graphs").err == "error: port in lore.toml must be a whole number from 0 to 65535\n"
    (tmp_path / "data" / "lore.toml").write_text("prot = 1\n", encoding="utf-8")
    unknown = f"error: {tmp_path / 'data' / 'lore.toml'} holds an unknown setting 'prot'. Did you mean port?\n"
    assert lore("graphs").err == unknown
    (tmp_path / "data" / "lore.toml").unlink()
    monkeypatch.setenv("LORE_PORT", "x")
    assert lore("graphs").err == "error: LORE_PORT must be a whole number from 0 to 65535\n"


@pytest.mark.holds("house.cli.nearest-ids")
def test_an_unknown_id_brings_the_nearest_ones(lore, sample: str) -> None:
    assert lore("node", "refraiming").err.endswith(" has no node 'refraiming'. Did you mean skill:reframing?\n")
    assert lore("stats", "--graph", "simple").err == "error: There is no graph 'simple'. Did you mean sample?\n"
    assert lore("stats", "--graph", "zzz").err == "error: There is no graph 'zzz': there is sample.\n"
    assert json.loads(lore("node", "refraiming", "--json").err)["nearest"] == ["skill:reframing"]


@pytest.mark.holds("house.cli.watch-line")
def test_watch_tells_a_person_one_line_a_save(vault: Path, tmp_path: Path) -> None:
    environment = {"LORE_DATA_DIR": str(tmp_path / "data"), "LORE_EMBEDDER": "none"}
    with on_terminal("loreweave.faces.cli.lore", "watch", str(vault), "--name", "sample", **environment) as screen:
        screen.read_until("\n")
        assert screen.seen.startswith("sample revision 1: 3 added; 3 notes, score ")
        (vault / "new.md").write_text("# New\n", encoding="utf-8")
        screen.read_until("sample revision 2: 1 added; 4 notes, score ")
        screen.press(CTRL_C)
        assert screen.finish() == 0
    assert screen.seen.count("\n") <= 3


@pytest.mark.holds("one.why")
def test_what_a_build_rests_on_fits_a_screen_and_of_one_task_has_reasons(capsys) -> None:
    from loreweave.contracts.project_spec import ProvenanceAnswer, ReadNode, TakenLook, TaskProvenance
    from loreweave.faces.cli.terminal.session_views import show_why

    anchors = [f"{'a-heading-as-long-as-a-paragraph-' * 9}{number}" for number in range(7)]
    node = ReadNode(id="skill:debounce", level=3, tokens=1234, reason="Matches “button” in its body.", sections=anchors)
    look = TakenLook(attempt=0, tool="context", asked="the button", at="", nodes=[node])
    task = TaskProvenance(
        task_id="button", name="Make it", status="done", agent_name="b", attempts=1, commit=None, remembered_as=None,
        looks=[look],
    )  # fmt: skip
    found = ProvenanceAnswer(session_id="s", goal="A lamp", knowledge=None, plan=[], tasks=[task])
    show_why(found, reasons=False)
    shown = capsys.readouterr().out
    assert "skill:debounce, 1,234 tokens: #a-heading-as-long" in shown
    assert "and 5 more" in shown
    assert node.reason not in shown
    assert max(map(len, shown.splitlines())) < 140
    show_why(found, reasons=True)
    assert node.reason in capsys.readouterr().out
