"""The manifest of binding sentences and the tests agree, in both directions."""

import ast
from collections import Counter, defaultdict
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from tests.requirements import REQUIREMENTS

TESTS = Path(__file__).resolve().parents[1]


def is_mark(node: ast.AST, name: str) -> bool:
    """`pytest.mark.NAME`, wherever it stands: decorator, pytestmark or marks=."""
    return (
        isinstance(node, ast.Attribute)
        and node.attr == name
        and isinstance(node.value, ast.Attribute)
        and node.value.attr == "mark"
    )


def is_lengthy(node: ast.stmt) -> bool:
    return isinstance(node, ast.FunctionDef) and any(is_mark(mark, "lengthy") for mark in node.decorator_list)


def marks_in(source: str, short: bool = False) -> Iterator[tuple[str, int]]:
    """Every (id, line) named by a mark; anything but a plain string is an id that cannot exist."""
    run = (node for node in ast.parse(source).body if not (short and is_lengthy(node)))
    for node in (below for statement in run for below in ast.walk(statement)):
        if not isinstance(node, ast.Call) or not is_mark(node.func, "holds"):
            continue
        for argument in node.args:
            literal = isinstance(argument, ast.Constant) and isinstance(argument.value, str)
            yield (argument.value if literal else f"<{ast.unparse(argument)}>"), argument.lineno


def python_files() -> list[Path]:
    strangers = {"__pycache__", "node_modules"}
    return sorted(path for path in TESTS.rglob("*.py") if not strangers.intersection(path.parts))


@cache
def marks_by_id(short: bool = False) -> dict[str, list[str]]:
    places: dict[str, list[str]] = defaultdict(list)
    for path in python_files():
        for identity, line in marks_in(path.read_text(encoding="utf-8"), short):
            places[identity].append(f"{path.relative_to(TESTS)}:{line}")
    return places


def test_every_sentence_has_a_test_at_every_change_or_says_why_not() -> None:
    held = marks_by_id(short=True)
    unheld = [name for name, entry in REQUIREMENTS.items() if name not in held and entry.gap is None]
    assert unheld == []


def test_a_lengthy_mark_stands_above_a_function_where_it_is_looked_for() -> None:
    """Elsewhere, or for no variant at all, it would leave a sentence without a test that nobody misses."""
    for path in python_files():
        tree = ast.parse(path.read_text(encoding="utf-8"))
        above = [mark for node in tree.body if isinstance(node, ast.FunctionDef) for mark in node.decorator_list]
        of_some = [mark.func for mark in above if isinstance(mark, ast.Call) and "(0)" not in ast.unparse(mark)]
        found = [node for node in ast.walk(tree) if is_mark(node, "lengthy")]
        assert [node for node in found if node not in above and node not in of_some] == [], path


def test_every_mark_names_a_sentence() -> None:
    strangers = {name: places for name, places in marks_by_id().items() if name not in REQUIREMENTS}
    assert strangers == {}


def test_every_gap_gives_a_reason() -> None:
    blank = [name for name, entry in REQUIREMENTS.items() if entry.gap is not None and not entry.gap.strip()]
    assert blank == []


def test_every_sentence_has_a_text_and_a_source() -> None:
    assert [name for name, entry in REQUIREMENTS.items() if not (entry.text and entry.source)] == []


def test_no_id_is_written_twice() -> None:
    """A dict literal, and one unpacked after another, forgets its first value silently."""
    keys = Counter(
        key.value
        for path in (TESTS / "requirements").glob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Dict)
        for key in node.keys
        if isinstance(key, ast.Constant)
    )
    assert [key for key, count in keys.items() if count > 1] == []


def test_no_two_test_files_share_a_name() -> None:
    names = Counter(path.name for path in python_files() if path.name != "conftest.py")
    assert [name for name, count in names.items() if count > 1] == []


def test_marks_are_found_wherever_pytest_accepts_them() -> None:
    source = (
        "pytestmark = pytest.mark.holds('a')\n"
        "@pytest.mark.holds('b', 'c')\n"
        "@pytest.mark.parametrize('x', [pytest.param(1, marks=pytest.mark.holds('d'))])\n"
        "def test_it(x): ...\n"
        "@pytest.mark.lengthy\n"
        "@pytest.mark.holds('e')\n"
        "def test_at_length(): ...\n"
    )
    assert sorted(name for name, _ in marks_in(source)) == ["a", "b", "c", "d", "e"]
    assert sorted(name for name, _ in marks_in(source, short=True)) == ["a", "b", "c", "d"]
