"""Every path that an argument names is found and judged, however it is written."""

import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.pace import within

from loreweave.work.agents.named_paths import paths_of_argument, paths_of_command, place_path

ROOT = Path("/srv/somewhere/work")


def places(root: Path, *argv: str) -> set[str]:
    return {place_path(root, path).place for path in paths_of_command(argv)}


def is_inside(root: Path, *argv: str) -> bool:
    return places(root, *argv) <= {"inside"}


@pytest.mark.holds("session.permission.arguments")
@pytest.mark.parametrize(
    "argument",
    [
        *("/etc/passwd", "/", "//etc/passwd", "../x", "a/../../x", "..", "~", "~/x", "~root/x", "/workspace2/x"),
        *("/workspace/../etc", "--file=/etc/passwd", "--file=../x", "-o/tmp/x", "-rf/etc/passwd", "-rf../x", "-I.."),
        *("@/etc/passwd", "@../x", "file=@/etc/passwd", "if=/etc/passwd", "--data=@/etc/passwd", "-d@/etc/passwd"),
        *("file:///etc/passwd", "FILE:///etc/passwd", "file:/etc/passwd", "file://localhost/etc/passwd"),
        *("file:///%2e%2e/x", "--url=file:///etc/passwd", "host:/etc/passwd", "a:../b", "a,/etc/passwd", "a;/etc"),
        *(".git", ".git/config", "a/.git/hooks", ".lore", "a/.lore/b", ".GIT/config", "--dir=.git", "-f.git/config"),
        *("HEAD:.git/config", "http://x,/etc/passwd", "./.git/../.git", "/etc/my file", "--file=/etc/my file"),
        *("@/etc/my file", "a\0b", "\ud800", "-/etc/passwd", "-1/etc/passwd", "--x=y=/etc"),
    ],
)
def test_an_argument_that_leads_out_is_found(tmp_path: Path, argument: str) -> None:
    assert not is_inside(tmp_path, "cat", argument)


@pytest.mark.holds("session.permission.arguments")
@pytest.mark.parametrize(
    "argument",
    [
        *("a", "a/b.txt", "./a", "a/../b", ".", "", "-", "--", "-n", "-la", "--all", "--name=a/b", "-osub", "a..b"),
        *("HEAD~1", "HEAD..main", "main...x", "..main", "HEAD:src/a", "tests/a.py::test_b", "-k1,1", "+2", "*.py"),
        *(
            "/workspace",
            "/workspace/a",
            "http://example.org/a/b",
            "https://x:80/../y",
            "--url=http://x/y",
            "a=http://x",
        ),
        *(".gitignore", ".github/x", "a.git", "print(1 / 2)", "a: b", "x = {'a': /b/}", "%H %s", "é/ü", "a\\b"),
    ],
)
def test_an_ordinary_argument_is_inside(tmp_path: Path, argument: str) -> None:
    assert is_inside(tmp_path, "cat", argument)


@pytest.mark.holds("session.permission.arguments")
def test_code_and_patterns_are_no_paths() -> None:
    assert is_inside(ROOT, "python", "-c", "open('/etc/passwd')")
    assert is_inside(ROOT, "node", "-e", "/regex/.test(x)")
    assert is_inside(ROOT, "find", ".", "-not", "-path", "./.git/*")
    assert is_inside(ROOT, "grep", "-r", "--exclude-dir=.git", "x", ".")
    assert not is_inside(ROOT, "python", "-c", "x", "/etc/passwd")
    assert not is_inside(ROOT, "grep", "--exclude-from=/etc/passwd", "x")
    assert not is_inside(ROOT, "cat", "-c", "/etc/passwd")


@pytest.mark.holds("session.permission.for-good")
def test_a_link_is_followed_before_it_is_judged(tmp_path: Path) -> None:
    root, outside = tmp_path / "work", tmp_path / "outside"
    (root / "src").mkdir(parents=True)
    outside.mkdir()
    (root / "out").symlink_to(outside)
    (root / "src" / "up").symlink_to("../..")
    (root / "in").symlink_to("src")
    (root / "git").symlink_to(".git")
    (root / "loop").symlink_to("loop")
    found = {path: place_path(root, path) for path in ("out", "out/x", "src/up/x", "in/x", "git/x", "in/../x", "loop")}
    assert {path: placed.place for path, placed in found.items()} == {
        "out": "link",
        "out/x": "link",
        "src/up/x": "link",
        "in/x": "inside",
        "git/x": "guarded",
        "in/../x": "inside",
        "loop": "inside",
    }
    assert found["in/x"].relative == "src/x"
    for argument in ("out/x", "--file=out/x", "-fout/x", "-rfout/x", "a=@out/x", "x:out"):
        assert not is_inside(root, "cat", argument)


@pytest.mark.holds("session.permission.for-good")
def test_a_path_under_the_name_of_the_workspace_is_inside_where_commands_see_it_so(tmp_path: Path) -> None:
    assert place_path(tmp_path, "/workspace/a").place == "inside"
    assert place_path(tmp_path, "/workspace/a", seen_as=None).place == "outside"
    assert place_path(tmp_path, f"{tmp_path}/a").relative == "a"
    assert place_path(tmp_path, f"{tmp_path}x/a").place == "outside"


PARTS = st.sampled_from(["..", ".", "", "a", "b c", ".git", ".lore", "~", "workspace", "etc", "srv", "-", "@", "é"])
PATHS = st.builds(lambda start, parts: start + "/".join(parts), st.sampled_from(["", "/"]), st.lists(PARTS, max_size=8))


@pytest.mark.holds("session.permission.for-good")
@given(PATHS)
def test_no_path_outside_is_ever_inside(path: str) -> None:
    placed = place_path(ROOT, path, seen_as=None)
    real = os.path.normpath(os.path.join(ROOT, path))
    lies_in = real == str(ROOT) or real.startswith(f"{ROOT}/")
    if placed.place == "inside":
        assert lies_in
        assert not {".git", ".lore"} & set(Path(real).relative_to(ROOT).parts)
    assert placed.place in ("inside", "guarded") or not lies_in or ".." in path or path.startswith("~")


WRAPPINGS = st.sampled_from(["{}", "--x={}", "-x{}", "-abc{}", "@{}", "x=@{}", "x={}", "x:{}", "x,{}", "file://{}"])


@pytest.mark.holds("session.permission.arguments")
@given(WRAPPINGS, st.text("abc.é-_/ ", min_size=1, max_size=12))
def test_an_absolute_path_is_found_in_any_wrapping(wrapping: str, name: str) -> None:
    argument = wrapping.format(f"/etc/{name}")
    if " " in name and wrapping in ("x:{}", "x,{}"):
        return  # a sentence
    found = {place_path(ROOT, path).place for path in paths_of_argument(argument) if path}
    assert found - {"inside"}


@pytest.mark.lengthy(4)
@pytest.mark.holds("session.permission.arguments")
@pytest.mark.parametrize("unit", [",", "a,", "a.", "a/", "-a", "a:/", "../", "file:", "http://", "@=", "a b", "x=@y,"])
def test_no_argument_takes_long_to_judge(tmp_path: Path, unit: str) -> None:
    argument = unit * (100_000 // len(unit))
    for start in ("", "-", "--x="):
        within(5.0, lambda start=start: places(tmp_path, "cat", start + argument))
