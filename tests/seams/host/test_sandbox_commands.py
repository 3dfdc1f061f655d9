"""What a command is given and what is told of it, the same in every sandbox."""

import json
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.pace import PATIENCE
from tests.seams.host.command_runs import python, run

from loreweave.errors import InvalidInput, Unavailable
from loreweave.seams.host.open_sandbox import open_sandbox
from loreweave.seams.host.sandbox import SEEN_AS, Sandbox
from loreweave.seams.host.supervise import Output

LISTED = "import json, os, sys; print(json.dumps(dict(os.environ)))"


@pytest.mark.holds("session.host.result")
def test_output_and_errors_come_together_with_the_exit_code(sandbox: Sandbox, tmp_path: Path) -> None:
    code = "import sys\nprint('one', flush=True)\nprint('two', file=sys.stderr, flush=True)\nprint('ü')\nsys.exit(3)"
    result = python(sandbox, tmp_path, code)
    assert (result.exit_code, result.output, result.timed_out, result.over_limit) == (3, "one\ntwo\nü\n", False, "")


@pytest.mark.holds("session.host.result")
def test_a_signal_is_told_as_shells_do(sandbox: Sandbox, tmp_path: Path) -> None:
    result = python(sandbox, tmp_path, "import os, signal; os.kill(os.getpid(), signal.SIGSEGV)")
    assert result.exit_code == 128 + 11


@pytest.mark.holds("session.host.result")
def test_a_program_that_is_not_there_is_an_ordinary_failure(sandbox: Sandbox, tmp_path: Path) -> None:
    result = run(sandbox, tmp_path, "/usr/bin/no-such-program")
    assert result.exit_code not in (0, None)
    assert "No such file" in result.output


@pytest.mark.holds("session.host.result")
def test_a_command_reads_nothing_from_us(sandbox: Sandbox, tmp_path: Path) -> None:
    assert python(sandbox, tmp_path, "import sys; print(repr(sys.stdin.read()))").output == "''\n"


@pytest.mark.holds("session.host.clean-environment")
def test_the_environment_is_clean(sandbox: Sandbox, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("LORE_DATABASE_URL", "ANTHROPIC_API_KEY", "OPENAI_API_KEY", "PYTHONPATH", "SOME_TOKEN"):
        monkeypatch.setenv(name, "zyxsecret")
    result = python(sandbox, tmp_path, LISTED, environment={"OWN": "mine"})
    seen = json.loads(result.output)
    assert set(seen) - {"PWD", "TMPDIR"} == {"PATH", "HOME", "LANG", "OWN"}
    assert seen.get("TMPDIR", seen["HOME"]) == seen["HOME"]
    assert seen["OWN"] == "mine"
    assert "zyxsecret" not in result.output


@pytest.mark.holds("session.host.clean-environment")
def test_nobody_elses_environment_is_readable(walls: Sandbox, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ANTHROPIC_API_KEY", "zyxsecret")
    code = (
        "import glob\nfor f in glob.glob('/proc/[0-9]*/environ'):\n  try: print(open(f).read())\n  except OSError: pass"
    )
    result = python(walls, tmp_path, code)
    assert "HOME=" in result.output
    assert "zyxsecret" not in result.output


@pytest.mark.holds("session.host.clean-environment")
def test_home_is_scratch(sandbox: Sandbox, tmp_path: Path) -> None:
    code = "import os; p = os.path.expanduser('~/x'); print(os.path.exists(p)); open(p, 'w'); print(os.environ['HOME'])"
    first = python(sandbox, tmp_path, code).output.split()
    assert first[0] == "False"
    assert python(sandbox, tmp_path, code, environment={"HOME": first[1]}).output.split()[0] == "False"
    assert not Path(first[1]).exists()


@pytest.mark.holds("session.host.no-shell")
def test_arguments_arrive_as_they_are(sandbox: Sandbox, tmp_path: Path) -> None:
    arguments = ["; touch made", "$(touch made)", "`touch made`", "a\nb", "\x1b[31m", "--", "*", "", "ü\u202e", "'\""]
    result = python(sandbox, tmp_path, "import json, sys; print(json.dumps(sys.argv[1:]))", *arguments, "last")
    assert json.loads(result.output) == [*arguments, "last"]
    assert list(tmp_path.iterdir()) == []


@pytest.mark.holds("session.host.no-shell")
@pytest.mark.parametrize(
    "argv", [(), ("",), ("ls",), ("./ls",), ("/bin/echo", "a\0b"), ("/bin/echo", "\ud800"), ("/bin/echo", "x" * 10**6)]
)
def test_what_no_system_takes_is_refused(sandbox: Sandbox, tmp_path: Path, argv: tuple[str, ...]) -> None:
    with pytest.raises(InvalidInput):
        run(sandbox, tmp_path, *argv)


@pytest.mark.holds("session.host.result")
@pytest.mark.parametrize("folder", ["absent", "file"])
def test_a_folder_that_is_not_there_is_told_without_its_place(sandbox: Sandbox, tmp_path: Path, folder: str) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(Unavailable) as refused:
        python(sandbox, tmp_path / folder, "")
    assert str(tmp_path) not in refused.value.message


@pytest.mark.holds("session.host.no-shell")
@pytest.mark.parametrize("environment", [{"A\0": "x"}, {"A": "\0"}, {"": "x"}, {"A=B": "x"}])
def test_a_hostile_variable_is_refused(sandbox: Sandbox, tmp_path: Path, environment: dict[str, str]) -> None:
    with pytest.raises(InvalidInput):
        python(sandbox, tmp_path, "", environment=environment)


@pytest.mark.holds("session.host.result")
def test_the_folder_has_one_name_for_whoever_reads(sandbox: Sandbox, tmp_path: Path) -> None:
    assert python(sandbox, tmp_path, "import os; print(os.getcwd())").output == f"{SEEN_AS}\n"


@pytest.mark.lengthy(1)
@pytest.mark.holds("session.host.kept-output")
def test_endless_output_costs_no_memory_and_says_what_is_missing(sandbox: Sandbox, tmp_path: Path) -> None:
    code = "print('begin')\nfor n in range(10**6): print('line', n)\nprint('end')"
    result = python(sandbox, tmp_path, code, seconds=PATIENCE)
    assert result.exit_code == 0
    assert len(result.output.encode()) <= 65_536
    assert result.output.startswith("begin\nline 0\n")
    assert result.output.endswith("line 999999\nend\n")
    assert "bytes left out]" in result.output


@pytest.mark.holds("session.host.kept-output", "session.host.time")
def test_output_without_end_stops_with_its_time(sandbox: Sandbox, tmp_path: Path) -> None:
    result = run(sandbox, tmp_path, "/usr/bin/yes", seconds=1, kept_bytes=1000)
    assert result.timed_out
    assert len(result.output) <= 1000


@pytest.mark.holds("session.host.kept-output")
@given(st.lists(st.binary(max_size=300), max_size=30), st.integers(1, 400))
def test_what_is_kept_never_exceeds_its_limit(chunks: list[bytes], kept: int) -> None:
    output = Output(kept)
    for chunk in chunks:
        output.add(chunk)
    text = output.text()
    assert len(text.encode()) <= kept
    assert "\0" not in text
    whole = b"".join(chunks)
    if len(whole) <= kept and whole.isascii():
        assert text == whole.decode().replace("\0", "?")


@pytest.mark.holds("session.host.choice")
def test_off_means_limits_and_required_means_walls(walls: Sandbox) -> None:
    assert open_sandbox("off").kind == "limits"
    assert open_sandbox("auto").kind == open_sandbox("required").kind == "bubblewrap"


@pytest.mark.holds("session.host.result")
def test_the_interpreter_is_the_products_own(sandbox: Sandbox, tmp_path: Path) -> None:
    assert python(sandbox, tmp_path, "import sys; print(sys.prefix)").output.strip() == sys.prefix
