"""Both programs behave alike: version, help, wrong usage, refusals and faults of ours."""

import pytest

from loreweave import __version__
from loreweave.errors import InvalidInput, NotFound
from loreweave.faces.cli import ask, lore
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
