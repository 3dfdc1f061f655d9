from contextlib import suppress

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.examples import examples
from tests.pace import within

from loreweave.language.headers.header_tree import UnreadableHeader, read_plain_header
from loreweave.language.headers.read_header import NO_HEADER, read_header, read_yaml_header


def fields(inner: str) -> dict[str, object]:
    return dict(read_header(f"---\n{inner}\n---\nbody").fields)


@pytest.mark.holds("graph.header.first-line", "graph.header.closing", "graph.header.never-in-body")
@pytest.mark.parametrize(
    "source",
    [
        "---\na: b\n---\nbody",
        "---  \na: b\n---\t\nbody",
        "---\na: b\n...\nbody",
        "---\na: b\n...\nbody\n---\n",
        "---\na: &x b\n---\nbody",
        "---\na: b: c\n---\nbody",
    ],
)
def test_the_body_starts_behind_the_closing_line(source: str) -> None:
    assert source[read_header(source).end :].startswith("body")


@pytest.mark.holds("graph.header.unclosed-is-body", "graph.header.empty-or-mapping", "graph.header.first-line")
@pytest.mark.parametrize(
    "source",
    [
        "",
        "---",
        "---\n",
        "---\na: b\n",
        "---js\na: b\n---\n",
        " ---\na: b\n---\n",
        "\n---\na: b\n---\n",
        "----\na: b\n----\n",
        "---\na: b\n ---\n",
        "---\nJust a text that opens with a rule.\n---\nMore.",
        "---\n- a\n- list\n---\n",
        "---\n*emphasis* opens the text\n---\n",
        "---\n" + "prose without a key\n" * 5000 + "---\n",
        "---\n`code` and: more\nand more prose\nand more\n---\n",
    ],
)
def test_what_is_no_header_is_body(source: str) -> None:
    assert read_header(source) == NO_HEADER


@pytest.mark.holds("graph.header.empty-or-mapping")
@pytest.mark.parametrize("inner", ["", "\n", "   ", "# only a comment", "{}"])
def test_an_empty_header_is_a_header(inner: str) -> None:
    header = read_header(f"---\n{inner}\n---\nbody")
    assert header.fields == {}
    assert header.end > 0
    assert header.troubles == ()


@pytest.mark.holds("graph.header.scalars-are-text", "graph.header.tags-ignored", "graph.header.nothing-executed")
@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("2024-01-01", "2024-01-01"),
        ("yes", "yes"),
        (".nan", ".nan"),
        ("12:30:45", "12:30:45"),
        ("017", "017"),
        ("1e309", "1e309"),
        ("!!int 5", "5"),
        ("!!python/object/apply:os.system ['x']", ["x"]),
        ('"quoted: text # not a comment"', "quoted: text # not a comment"),
        ("'it''s'", "it's"),
        ('"a\\0b"', "a\ufffdb"),
        ("plain # comment", "plain"),
        ("plain#no-comment", "plain#no-comment"),
        (">-\n  folded\n  text", "folded text"),
        ("[[b]]", [["b"]]),
        ("~", None),
        ("null", None),
        ('"null"', "null"),
        ("", None),
    ],
)
def test_every_scalar_is_its_source_text(written: str, read: object) -> None:
    assert fields(f"a: {written}") == {"a": read}


@pytest.mark.holds("graph.header.keys-ignore-case")
def test_keys_ignore_case_and_the_last_of_two_counts() -> None:
    header = read_header("---\nName: a\nNAME: b\n---\n")
    assert header.fields == {"name": "b"}
    assert header.lines == {"name": 3}
    assert len(header.troubles) == 1


@pytest.mark.holds("graph.header.aliases-refused", "graph.header.size-and-depth", "graph.header.no-recovery-of-refused")
@pytest.mark.parametrize(
    "inner",
    [
        "a: &x 1\nb: 2",
        "a: &x [*x]",
        "&root a: b",
        "a: " + "[" * 21 + "]" * 21,
        "a: " + "[" * 3000,
        "a: " + "x" * 70_000,
        "key: value\n" * 7000,
    ],
)
def test_a_refused_header_gives_a_warning_and_no_fields(inner: str) -> None:
    header = read_header(f"---\n{inner}\n---\nbody")
    assert header.fields == {}
    assert len(header.troubles) == 1
    assert header.end > len(inner)


@pytest.mark.holds("graph.header.size-and-depth")
def test_a_header_at_the_limits_is_read() -> None:
    assert "a" in fields("a: " + "[" * 19 + "]" * 19)
    assert fields("a: " + "x" * (64 * 1024 - 4))["a"]


@pytest.mark.holds("graph.header.simple-lines", "graph.header.warning")
@pytest.mark.parametrize(
    ("inner", "expected"),
    [
        ("description: A thing: b", {"description": "A thing: b"}),
        ("name: @home", {"name": "@home"}),
        ("name: %percent", {"name": "%percent"}),
        ("name: `code`", {"name": "`code`"}),
        (
            "a: b: c\ntags:\n  - x\n  - 'y'\nlist: [p, \"q\"]",
            {"a": "b: c", "tags": ["x", "y"], "list": ["p", "q"]},
        ),
        ("a: b: c\nlong: one\n  two", {"a": "b: c", "long": "one two"}),
        ("a: b: c\ntext: |\n  one\n  two\nnone: ~", {"a": "b: c", "text": "one\ntwo", "none": None}),
        ("extends: [[a]], [[b]]", {"extends": "[[a]], [[b]]"}),
        ("a: 1\n--- x\nb: 2", {"a": "1", "b": "2"}),
        ("a:\tb\n\tc: d: e\nf: g: h", {"a": "b c: d: e", "f": "g: h"}),
        ('a: b: c\ntype: "moc" # hub', {"a": "b: c", "type": "moc"}),
        ("a: b: c\ntype: moc # hub\nx: 'it''s'", {"a": "b: c", "type": "moc", "x": "it's"}),
        ("a: b: c\ntags:\n- x # note\n# comment\n- y", {"a": "b: c", "tags": ["x", "y"]}),
        ("tags:\n- b: c: d\n- 'x' # note", {"tags": ["b: c: d", "x"]}),
        ("a: b: c\n\"name\": A\n'type': B: d", {"a": "b: c", "name": "A", "type": "B: d"}),
        ("a: b: c\nname: {a: b}", {"a": "b: c", "name": {"a": "b"}}),
        ("a: b: c\ntext: |\n  one\n\n  # two\nlast: x", {"a": "b: c", "text": "one\n\n# two", "last": "x"}),
        (" name: A\n description: B: c", {"name": "A", "description": "B: c"}),
        ("\n  name: A\n  tags:\n    - x: y: z\n", {"name": "A", "tags": ["x: y: z"]}),
        ("\tname: q", {"name": "q"}),
    ],
)
def test_lines_are_saved_from_a_header_that_is_no_yaml(inner: str, expected: dict[str, object]) -> None:
    header = read_header(f"---\n{inner}\n---\nbody")
    assert header.fields == expected
    assert len(header.troubles) == 1


@pytest.mark.lengthy(4)
@pytest.mark.holds("graph.header.yaml-bombs")
@pytest.mark.parametrize(
    "inner",
    [
        "a: " + "[" * 60_000,
        "[" * 60_000,
        "{" * 60_000,
        "- " * 30_000,
        "? " * 30_000,
        "a: " + "{a: " * 15_000,
        "a: [" + "[]," * 20_000 + "]",
        "a: &a [x]\n" + "".join(f"b{i}: &b{i} [*a, *a]\n" for i in range(500)),
        "a: '" + "\n" * 60_000,
        "a:" * 30_000,
        "a: @\n" * 13_000,
        "a:\n" + "- @\n" * 16_000,
        '"a": b: \'c\n' * 4_000,
    ],
)
def test_bombs_cost_little_and_raise_nothing(inner: str) -> None:
    read_header("---\na: @\n---\n")  # the parser's own import is not part of the measure
    within(2, lambda: read_header(f"---\n{inner}\n---\nbody"))


KEYS = st.sampled_from(["name", "tags", "a-b", "x_y", "Type", "null", "é", "k1", "a b", "-k", "?k", "#k", "'k'"])
SCALARS = st.one_of(
    st.sampled_from(
        [
            "",
            "~",
            "null",
            "a: b",
            "a:b",
            "a #c",
            "a#c",
            "#c",
            "- x",
            "-x",
            "[a, b]",
            "[a,]",
            "[ ]",
            "[[w x]]",
            "[a: b]",
            '"q"',
            '"q" # c',
            '"q"x',
            "'q'",
            "'q''s'",
            '"a\\nb"',
            "{a: b}",
            "{}",
            "&x a",
            "*x",
            "!t a",
            "|",
            ">",
            "%a",
            "@a",
            "http://x.y/z#f",
            "12:30",
            "a - b",
            "a, b",
            "x:",
            ":x",
            "a\tb",
            '["[[a]]", b]',
            "[a-b, c/d]",
            "yes",
            "a  b  ",
        ]
    ),
    st.text(st.sampled_from("ab :#-,[]{}\"'&*!|>%@`?~.\\é—\u2028\u00a0\t"), max_size=12),
)
LINES = st.one_of(
    st.builds("{}:{}{}".format, KEYS, st.sampled_from([" ", "  ", ""]), SCALARS),
    st.builds("{}-{}{}".format, st.sampled_from(["", "  ", "    "]), st.sampled_from([" ", "  ", ""]), SCALARS),
    st.sampled_from(["", "  ", "# comment", "  # comment", "...x", "%YAML 1.1", "--- a"]),
    st.builds("  {}".format, SCALARS),
)


@pytest.mark.holds("graph.header.fast-path-agrees")
@settings(max_examples=examples(1500), deadline=None)
@given(st.lists(LINES, max_size=6).map("\n".join))
def test_the_fast_path_agrees_with_the_parser(inner: str) -> None:
    plain = read_plain_header(inner)
    if plain:
        pairs, doubled = read_yaml_header(inner)
        last = {key: (key, value, line) for key, value, line in plain}
        assert (list(last.values()), len(plain) - len(last)) == (pairs, len(doubled))


@pytest.mark.holds("graph.header.never-fails-ingest")
@settings(max_examples=examples(300), deadline=None)
@given(st.one_of(st.text(), st.lists(LINES, max_size=6).map("\n".join)))
def test_no_header_ever_raises(inner: str) -> None:
    assert read_header(f"---\n{inner}\n---\n") == read_header(f"---\n{inner}\n---\n")
    with suppress(UnreadableHeader):
        read_yaml_header(inner)


@pytest.mark.holds("graph.header.toml")
def test_a_header_between_plus_signs_says_what_a_header_of_yaml_says() -> None:
    source = (
        '+++\r\ntitle = "A # page"\r\nweight = 10\r\ndraft = true\r\nratio = 1.50\r\ndate = 2024-01-02T03:04:05Z\r\n'
        'aliases = ["/old/"]\r\n"Tags" = [\r\n  "a",\r\n  "b",\r\n]\r\n[menu.main]\r\nname = "N"\r\n+++\r\nbody'
    )
    header = read_header(source)
    assert source[header.end :].strip() == "body"
    assert header.fields == {
        "title": "A # page",
        "weight": "10",
        "draft": "true",
        "ratio": "1.50",
        "date": "2024-01-02 03:04:05+00:00",
        "aliases": ["/old/"],
        "tags": ["a", "b"],
        "menu": {"main": {"name": "N"}},
    }
    assert (header.lines["title"], header.lines["tags"], header.lines["menu"]) == (2, 8, 12)
    assert header.troubles == ()
    assert read_header('+++\ntitle = "A"\n[taxonomies]\ntags = ["x"]\n+++\n').fields["tags"] == ["x"]
    assert read_header('+++\ntitle = "A\\u0000"\n+++\n').fields["title"] == "A\ufffd"


@pytest.mark.holds("graph.header.toml")
@pytest.mark.parametrize(
    "source",
    ["+++", "+++\n", '+++\na = "b"\n', "++++\na = 1\n++++\n", "+++\nJust a text.\n+++\nMore.", "+++\na = 1\n---\nbody"],
)
def test_what_is_no_header_of_toml_is_body(source: str) -> None:
    assert read_header(source) == NO_HEADER


@pytest.mark.holds("graph.header.toml", "graph.header.warning")
def test_one_line_that_is_no_toml_spoils_no_other_one() -> None:
    header = read_header('+++\ntitle = A page: here\ntags = ["a", "b"]\nweight = 3\n+++\nbody')
    assert header.fields == {"title": "A page: here", "tags": ["a", "b"], "weight": "3"}
    assert len(header.troubles) == 1


@pytest.mark.lengthy(4)
@pytest.mark.holds("graph.header.toml", "graph.header.yaml-bombs", "graph.header.size-and-depth")
@pytest.mark.parametrize(
    ("inner", "refused"),
    [
        ("a = " + "[" * 60_000, True),
        ("a = " + "[" * 21 + "]" * 21, True),
        ("a = " + "{a = " * 15_000, True),
        ("a" + ".a" * 30_000 + " = 1", True),
        ("[" + "a." * 30_000 + "a]", True),
        ('"="' + '."="' * 14_000 + " = 1", True),
        ("'='" + ' . "\\"="' * 8_000 + " = 1", True),
        ("a = 1\n" * 9_000, False),
        ("[[a]]\n" * 10_000, False),
        ("a = " + "9" * 60_000, False),
        ("a = '''" + "\n" * 60_000, False),
        ("a = 1\n" + "x" * 70_000, True),
    ],
)
def test_a_hostile_header_of_toml_costs_little_and_raises_nothing(inner: str, refused: bool) -> None:
    header = within(2, lambda: read_header(f"+++\n{inner}\n+++\nbody"))
    assert (header.end > len(inner) and not header.fields and len(header.troubles) == 1) is refused
