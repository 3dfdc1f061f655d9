"""Both programs behave alike: version, help, wrong usage, refusals and faults of ours."""

import pytest

from loreweave import __version__
from loreweave.errors import InvalidInput, NotFound
from loreweave.faces.cli import ask_program as ask
from loreweave.faces.cli import lore
from loreweave.faces.cli.program import make_program, run_program

RUN = {"lore": lore.run, "ask": ask.run}


@pytest.mark.parametrize("name", RUN)
def test_a_program_says_its_version_and_helps_whoever_says_nothing(
    name: str, capfd: pytest.CaptureFixture[str]
) -> None:
    assert RUN[name](["--version"]) == 0
    assert capfd.readouterr().out == f"{__version__}\n"
    assert RUN[name]([]) == 2
    shown = capfd.readouterr()
    assert shown.out == ""
    assert f"Usage: {name} " in shown.err


@pytest.mark.holds("house.cli.exit-codes")
@pytest.mark.parametrize(("name", "begins"), [("lore", "error: No such command"), ("ask", "ask: No such command")])
def test_wrong_usage_is_one_line_and_exit_code_2(name: str, begins: str, capfd: pytest.CaptureFixture[str]) -> None:
    assert RUN[name](["nonsense"]) == 2
    shown = capfd.readouterr()
    assert (shown.out, shown.err.startswith(begins), shown.err.count("\n")) == ("", True, 1)


@pytest.mark.holds("house.cli.exit-codes")
@pytest.mark.parametrize(
    ("trouble", "code", "line"),
    [
        (NotFound("There is none."), 1, "told not_found: There is none.\n"),
        (InvalidInput("That is no number."), 2, "told invalid_input: That is no number.\n"),
        (RuntimeError("a fault"), 1, "told internal_error: Unexpected RuntimeError: a fault\n"),
        (KeyboardInterrupt(), 130, ""),
    ],
)
def test_whatever_goes_wrong_is_one_line_in_the_words_of_the_program(
    trouble: BaseException, code: int, line: str, capfd: pytest.CaptureFixture[str]
) -> None:
    app = make_program("sample", "A sample.")

    @app.command()
    def fail() -> None:
        raise trouble

    done = run_program(app, "sample", ["fail"], lambda shape: f"told {shape['code']}: {shape['error']}")
    assert (done, capfd.readouterr().err) == (code, line)


@pytest.mark.holds("house.cli.help-and-completion")
@pytest.mark.parametrize("words", ["lore", "lore token", "lore memory", "lore route", "lore sessions", "ask"])
def test_on_80_columns_no_line_of_help_is_cut(
    words: str, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    name, *group = words.split()
    assert RUN[name]([*group, "--help"]) == 0
    listed = capfd.readouterr().out.partition("Commands:")[2].splitlines()
    assert len(listed) > 2
    assert [line for line in listed if line.endswith("...")] == []


@pytest.mark.holds("house.cli.help-and-completion")
@pytest.mark.parametrize(
    "words", [["lore"], ["lore", "scan"], ["lore", "memory"], ["lore", "token", "create"], ["ask"], ["ask", "search"]]
)
def test_h_helps_everywhere(words: list[str], capfd: pytest.CaptureFixture[str]) -> None:
    assert RUN[words[0]]([*words[1:], "-h"]) == 0
    assert capfd.readouterr().out.startswith(f"Usage: {' '.join(words)} ")


@pytest.mark.holds("house.cli.help-and-completion")
@pytest.mark.parametrize(
    ("name", "typed", "offered"), [("lore", "lore tra", "traverse"), ("ask", "ask glo", "glossary")]
)
def test_a_shell_is_told_how_a_word_goes_on(
    name: str, typed: str, offered: str, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(f"_{name.upper()}_COMPLETE", "complete_bash")
    monkeypatch.setenv("COMP_WORDS", typed)
    monkeypatch.setenv("COMP_CWORD", "1")
    with pytest.raises(SystemExit) as ended:
        RUN[name]([])
    assert (ended.value.code, capfd.readouterr().out.split()) == (0, [offered])


@pytest.mark.holds("ask.cli.unknown-flag-is-a-word", "ask.cli.flags-anywhere")
@pytest.mark.parametrize(
    ("given", "meant"),
    [
        (["search", "--no-cache"], ["search", "--", "--no-cache"]),
        (["search", "--version", "-x", "--limit=2", "y"], ["search", "--limit=2", "--", "--version", "-x", "y"]),
        (["--limit", "2", "search", "a", "--json"], ["search", "--limit", "2", "--json", "--", "a"]),
        (["answer", "-hostname", "--out", "f"], ["answer", "--", "-hostname", "--out", "f"]),
        (["search", "--", "--limit", "2"], ["search", "--", "--limit", "2"]),
        (["search", "--limit is a word here"], ["search", "--", "--limit is a word here"]),
        (["glossary", "--no-cache"], ["glossary", "--no-cache", "--"]),
        (["--version"], ["--version"]),
    ],
)
def test_a_flag_that_search_does_not_know_is_a_word(given: list[str], meant: list[str]) -> None:
    assert ask.in_order(given) == meant
