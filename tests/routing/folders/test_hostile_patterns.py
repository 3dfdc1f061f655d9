"""Patterns of strangers: refused before anything compiles them, and cheap together however many there are."""

import random
import re
import subprocess
import sys
import warnings

import pytest
from tests.pace import within
from tests.routing.folders.skill_texts import routes, skill_text

from loreweave import RouteContext, SkillFileError
from loreweave.routing.folders.bounded_pattern import BoundedPattern
from loreweave.routing.folders.load_skill_graph import compile_skill_files
from loreweave.routing.graph_problems import BadCondition

NESTED = "(" * 11 + "a" + ")" * 11
HOSTILE = [
    "(" * 90 + "a" + "|b)+" * 90,
    "a{4294967294}",
    "(?:(?:a{101}){10}){10}",
    "(?:a|bc){9999}" * 33,
    NESTED,
    "(?x: # [\n)" + NESTED + "# ]",
    "(?#\\))" + NESTED,
    "[]" + "(]" + NESTED,
    "a" * 501,
]
# A child has its memory limited, so that a pattern which gets through takes down nothing but the child.
CHILD = """
import resource, sys
resource.setrlimit(resource.RLIMIT_AS, (384 * 1024 * 1024,) * 2)
sys.path.insert(0, {root!r})
from tests.routing.folders.test_hostile_patterns import search_with_many
search_with_many()
"""


def _place(pattern: str, where: str) -> tuple[dict[str, str], str, int]:
    """Files with a pattern in one of the places that take one, and where it stands."""
    quoted = "'" + pattern.replace("'", "''") + "'"
    if where == "entry":
        return {"a/SKILL.md": skill_text("a", f"skillgraph.entry: 'regex: {quoted[1:]}")}, "a/SKILL.md", 5
    if where == "route":
        return {"a/SKILL.md": skill_text("a", routes("# why", f"b: on /{pattern}/i"))}, "a/SKILL.md", 7
    tree = f"---\ntree:\n  if: 'regex: {quoted[1:]}\n  then: a\n  else: a\n---\n"
    return {"a/SKILL.md": skill_text("a"), "skillgraph.md": tree}, "skillgraph.md", 3


@pytest.mark.holds("routing.folders.patterns-refused")
@pytest.mark.parametrize("where", ["entry", "route", "tree"])
@pytest.mark.parametrize("pattern", [one for one in HOSTILE if "\n" not in one])
def test_a_pattern_that_asks_too_much_is_refused_with_its_place(pattern: str, where: str) -> None:
    files, path, line = _place(pattern, where)
    with pytest.raises(SkillFileError) as refused:
        compile_skill_files(files, bind="open", check="off")
    assert (refused.value.path, refused.value.line) == (path, line)


@pytest.mark.holds("routing.folders.patterns-refused")
@pytest.mark.parametrize("pattern", HOSTILE)
def test_nothing_compiles_what_is_refused(pattern: str, monkeypatch: pytest.MonkeyPatch) -> None:
    compiled: list[str] = []
    monkeypatch.setattr(re, "compile", lambda text, *_: compiled.append(text))
    with pytest.raises(BadCondition):
        BoundedPattern(pattern)
    assert compiled == []


@pytest.mark.holds("routing.folders.patterns-refused")
@pytest.mark.parametrize(
    "pattern",
    [
        "a" * 500,
        "(" * 10 + "a" + ")" * 10,
        "(a{100}){100}",
        "(?:ab){10000}",
        "a{5000,}b*c+",
        "[((((((((((((]{3}",
        r"\({9}",
    ],
)
def test_a_pattern_at_the_limits_is_taken(pattern: str) -> None:
    assert BoundedPattern(pattern).search("!") is None


@pytest.mark.holds("routing.folders.patterns-refused")
@pytest.mark.parametrize(
    ("pattern", "flags", "text"),
    [
        ("a{e<=1}", 0, "b"),
        ("a{e<=1}", 0, "a{e<=1}"),
        ("x{,2}y{}", 0, "xxy{}"),
        ("[[:alpha:]]", 0, ":]"),
        ("[[:alpha:]]", 0, "k"),
        (r"(a)\1 2 # [ ( \x", re.VERBOSE, "aa2"),
        ("(?x) a b # c\n {2} d", 0, "abbd"),
        ("a (?x: b # [ )\n ) c", 0, "a b c"),
        ("a (?x: b # [ )\n ) c", 0, "a b c".replace(" b", "b")),
        ("(?x: a (?-x: b) c)", 0, "a bc"),
        (r"(a)(?#one\))\1(?#two)3", 0, "aa3"),
        ("(?i)(?P<one>a)(?P=one)", 0, "Aa"),
        ("(?(1)a|b)", 0, "b"),
        (r"\N{LATIN SMALL LETTER A}{2}", 0, "aa"),
    ],
)
def test_a_pattern_means_what_the_standard_library_reads_in_it(pattern: str, flags: int, text: str) -> None:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            wanted = re.search(pattern, text, flags) is not None
    except re.error:
        with pytest.raises(BadCondition):
            BoundedPattern(pattern, flags)
        return
    assert (BoundedPattern(pattern, flags).search(text) is not None) == wanted


@pytest.mark.holds("routing.folders.patterns-refused")
def test_whatever_is_not_refused_compiles_in_little_memory(pytestconfig: pytest.Config) -> None:
    program = CHILD.format(root=str(pytestconfig.rootpath))
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=120, check=False)
    assert (ran.returncode, ran.stderr[-2_000:]) == (0, "")
    assert int(ran.stdout) > 25


def search_with_many() -> None:
    """In the child: prints how many of them were searched with."""
    chance = random.Random(7)
    tried = [*HOSTILE, *(_hostile(chance, chance.choice((3, 6, 10))) for _ in range(60))]
    searched = 0
    for text in tried:
        try:
            pattern = BoundedPattern(text, int(re.IGNORECASE | re.UNICODE))
        except BadCondition:
            continue
        searched += 1
        try:
            pattern.search("ab" * 500)
        except TimeoutError:
            continue
    print(searched)


def _hostile(chance: random.Random, depth: int) -> str:
    """Groups in groups, branched and repeated in every way."""
    if depth <= 0 or chance.random() < 0.3:
        return chance.choice(["a", r"\w", "[a-z]", "ab", "ß", "ﬃ", r"\b", "a+", "x?", "[^x]"])
    if chance.random() < 0.3:
        return _hostile(chance, depth - 1) + _hostile(chance, depth - 1)
    inner = _hostile(chance, depth - 1)
    if chance.random() < 0.6:
        inner += "|" + _hostile(chance, chance.randrange(depth))
    opening = chance.choice(["(", "(?:", "(?=", "(?!", "(?>", "(?i:"])
    return f"{opening}{inner}){chance.choice(['', '+', '+', '*', '?', '{2}', '{3,}', '{2,9}', '{100}', '{5000}'])}"


@pytest.mark.holds("routing.folders.patterns-together")
def test_all_patterns_of_a_question_share_half_a_second() -> None:
    files = {
        f"s{number}/SKILL.md": skill_text(f"s{number}", f"skillgraph.entry: 'regex: (a|a)*(b|a)+$|q{number}'")
        for number in range(40)
    }
    graph = compile_skill_files(files)
    move = within(0.8, lambda: graph.explain_next_skill(RouteContext(user_message="a" * 5_000 + "!")))
    assert move.to is None
    assert {error.error.partition(":")[0] for error in move.predicate_errors} == {"TimeoutError"}
    assert len(move.predicate_errors) == 40


@pytest.mark.holds("routing.folders.patterns-together")
def test_the_files_of_a_graph_hold_only_so_many_patterns() -> None:
    lines = [f"b: on /x{number}/" for number in range(1_001)]
    same = {"a/SKILL.md": skill_text("a", routes(*["b: on /x/"] * 1_001)), "b/SKILL.md": skill_text("b")}
    assert len(compile_skill_files(same).edges) == 1_001 + 2
    files = {"a/SKILL.md": skill_text("a", routes(*lines)), "b/SKILL.md": skill_text("b")}
    with pytest.raises(SkillFileError, match="at most 1,000 patterns") as refused:
        compile_skill_files(files)
    assert (refused.value.path, refused.value.line) == ("a/SKILL.md", 6 + 1_000)
