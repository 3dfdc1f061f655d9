import subprocess
import sys

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.examples import examples
from tests.knowledge.documents.read_notes import read_note
from tests.pace import PART, within

from loreweave.contracts.skill_graph import IngestWarning as Warning
from loreweave.contracts.skill_graph import NodeSection as Section
from loreweave.entities.note import ParsedNote


def note(header: str = "", body: str = "body", path: str = "note.md") -> ParsedNote:
    return read_note(path, f"---\n{header}\n---\n{body}".encode())


def test_a_whole_note_is_read() -> None:
    data = (
        b"---\nname: Cognitive Reframing\ntype: Technique\ndomain: Therapy\n"
        b"description: Look again.\ntags: [cbt, thoughts]\naliases: [reframing]\nupdated: 2024-05-06\n---\n"
        b"\n# Ignored\n\nUse [[b]].\n\n"
    )
    read = read_note("a/cognitive-reframing.md", data)
    assert (read.name, read.type, read.has_type, read.domain) == (
        "Cognitive Reframing",
        "technique",
        True,
        "Therapy",
    )
    assert (read.description, read.tags, read.aliases) == ("Look again.", ("cbt", "thoughts"), ("reframing",))
    assert (read.updated, read.headings) == ("2024-05-06", ("Ignored",))
    assert read.sections == (Section(1, "Ignored", "Use [[b]]."),)
    assert read.body == "# Ignored\n\nUse [[b]]."
    assert read.source == data.decode()
    assert read.warnings == ()


@pytest.mark.holds("graph.header.name-order")
@pytest.mark.parametrize(
    ("header", "body", "path", "name"),
    [
        ("name: N\ntitle: T", "# H", "file.md", "N"),
        ("name: ' '\ntitle: T", "# H", "file.md", "T"),
        ("x: y", "## Two\n\n# H *one*\n\n# Other", "file.md", "H one"),
        ("x: y", "Setext\n===", "file.md", "Setext"),
        ("x: y", "text", "a/my-first_note.md", "My First Note"),
        ("x: y", "text", "a/LLM attention.MD", "LLM attention"),
        ("x: y", "text", "tools/deep-search/SKILL.md", "Deep Search"),
        ("x: y", "text", "SKILL.md", "SKILL"),
        ("x: y", "text", "---.md", "---"),
        ("name: [a]\ntitle: {b: c}", "# H", "file.md", "H"),
        ("name: >-\n  two\n  lines", "", "file.md", "two lines"),
    ],
)
def test_the_name_is_the_first_that_is_given(header: str, body: str, path: str, name: str) -> None:
    assert note(header, body, path).name == name


@pytest.mark.holds("graph.header.type-default", "graph.header.unknown-type-kept")
def test_types_are_lower_case_and_unknown_ones_are_kept_with_a_warning() -> None:
    assert (note("x: y").type, note("x: y").has_type) == ("skill", False)
    assert (note("type: MOC").type, note("type: MOC").warnings) == ("moc", ())
    odd = note("x: y\ntype: Recipe")
    assert (odd.type, odd.has_type) == ("recipe", True)
    assert [(one.code, one.file, one.line) for one in odd.warnings] == [("unknown_type", "note.md", 3)]


@pytest.mark.holds("graph.header.text-field-list", "graph.header.blank-is-missing", "graph.header.domain")
@pytest.mark.parametrize("written", ["", "''", "'  '", "~", "null", "[a, b]", "{a: b}", "[[b]]"])
def test_missing_fields_are_none(written: str) -> None:
    read = note(f"domain: {written}\ndescription: {written}\ntype: {written}")
    assert (read.domain, read.description, read.type, read.has_type) == (None, None, "skill", False)
    shaped = written[:1] in ("[", "{")
    assert [one.code for one in read.warnings] == ["frontmatter"] * (3 if shaped else 0)


@pytest.mark.holds("graph.header.tags-field")
@pytest.mark.parametrize(
    ("written", "tags"),
    [
        ("[a, '#b', a]", ("a", "b")),
        ("\n- a\n- b c", ("a", "b c")),
        ("a, b c,", ("a", "b c")),
        ("'#a #b'", ("a", "b")),
        ("a b", ("a", "b")),
        ("solo", ("solo",)),
        ("{a: b}", ()),
        ("~", ()),
        ("[[a], ~, {b: c}]", ("a",)),
        ("[2024, yes]", ("2024", "yes")),
    ],
)
def test_tags_come_as_list_or_text(written: str, tags: tuple[str, ...]) -> None:
    assert note(f"tags: {written}").tags == tags


@pytest.mark.holds("graph.header.reference-fields")
def test_aliases_lose_their_brackets() -> None:
    assert note("aliases: ['[[b]]', c d, B.md, c d]").aliases == ("b", "c d", "B.md")
    assert note("aliases: one, two").aliases == ("one, two",)


@pytest.mark.holds("graph.header.recency")
@pytest.mark.parametrize(
    ("header", "day"),
    [
        ("updated: 2024-01-02", "2024-01-02"),
        ("date: 2020-01-01\nmodified: 2021-01-01", "2021-01-01"),
        ("updated: soon\ndate: 2020-01-01", "2020-01-01"),
        ("date: '2024-01-02T03:04:05Z'", "2024-01-02"),
        ("date: 2024-01-02 03:04:05", "2024-01-02"),
        ("date: 2024-02-30", None),
        ("date: 02.01.2024", None),
        ("date: 2024", None),
        ("date: [2024-01-02]", None),
        ("created: 2024-01-02", None),
    ],
)
def test_recency_is_an_iso_date(header: str, day: str | None) -> None:
    assert note(header).updated == day


@pytest.mark.holds("graph.header.warning", "graph.text.cp1252")
def test_warnings_name_file_and_line() -> None:
    read = read_note("x/a.md", b"---\nname: caf\xe9\ndescription: a: b\n---\n")
    assert [(one.code, one.file, one.line) for one in read.warnings] == [
        ("frontmatter", "x/a.md", 3),
        ("encoding", "x/a.md", None),
    ]
    assert isinstance(read.warnings[0], Warning)
    assert (read.name, read.description) == ("café", "a: b")


@pytest.mark.parametrize(
    ("source", "body"),
    [
        ("", ""),
        ("\n \n", ""),
        ("---\na: b\n---", ""),
        ("---\na: b\n---\n\n  \n\n  text \n\n", "  text"),
        ("\n\n    code\n", "    code"),
        ("---\nunclosed: header", "---\nunclosed: header"),
    ],
)
def test_the_body_is_what_follows_without_outer_blank_lines(source: str, body: str) -> None:
    read = read_note("a.md", source.encode())
    assert read.body == body
    assert (read.sections == ()) == (body == "")


@pytest.mark.holds("graph.header.never-fails-ingest")
@settings(max_examples=examples(500), deadline=None)
@given(
    st.one_of(
        st.binary(),
        st.text(st.sampled_from("ab:.#-=+`~<>!%[]()|\n\n \t*_\\\"'é1"), max_size=120).map(str.encode),
        st.text(st.sampled_from("ab: -[]{}\n'\"#&*"), max_size=60).map(
            lambda text: f"---\n{text}\n---\n[[a]]".encode()
        ),
    )
)
def test_no_bytes_whatever_stop_the_reading_and_equal_bytes_read_equal(data: bytes) -> None:
    first = read_note("a.md", data)
    assert first == read_note("a.md", data)
    assert 0 <= first.body_start <= first.body_end <= len(first.source)
    repr(first).encode("utf-8")
    for link in first.links:
        assert link.target
        assert link.count >= 1
        assert 1 <= link.line <= first.source.count("\n") + 1


HOSTILE = {
    "backticks": "`",
    "backtick runs": "` `` ``` ",
    "comments": "<!--",
    "closed comments": "<!-- -->",
    "comments across blocks": "<!--\n\n-->",
    "percents": "%%",
    "brackets": "[",
    "double brackets": "[[",
    "links never closed": "[[a",
    "closing brackets": "]",
    "destinations never closed": "[a](",
    "titles never closed": '[a](b "',
    "parentheses": "(",
    "tildes": "~~~",
    "fences": "~~~~\n~~~\n",
    "fences in lists": "- ```\n",
    "backslashes": "\\",
    "list markers": "+ ",
    "quote marks": ">",
    "pipes": "|",
    "definitions": "[a]:\n",
    "blanks": " ",
    "angle brackets": "<",
    "links": "[[a]] ",
    "sentences": "[[a]]. B ",
}


@pytest.mark.lengthy(5)
@pytest.mark.holds("graph.speed.hostile-openers")
@pytest.mark.parametrize("shape", HOSTILE)
def test_a_megabyte_of_openers_is_read_within_a_second(shape: str) -> None:
    unit = HOSTILE[shape]
    data = (unit * (1_000_000 // PART // len(unit))).encode()
    within(1 / PART, lambda: read_note("a.md", data))


@pytest.mark.holds("graph.speed.hostile-openers")
def test_links_behind_many_letters_of_several_bytes_stay_cheap() -> None:
    """Each link stands at a byte, and its sentence at a character: that was counted from the beginning for each."""
    text = "é" * 1_000_000 + " " + " ".join(f"[[n{number}]]. Ü" for number in range(3000))
    read = within(1.0, lambda: read_note("a.md", text.encode()))
    assert [link.target for link in read.links][:2] == ["n0", "n1"]
    assert read.sentences[1:3] == ("Ü [[n1]].", "Ü [[n2]].")


@pytest.mark.holds("graph.speed.hostile-openers")
def test_many_distinct_links_in_one_paragraph_stay_cheap() -> None:
    data = " ".join(f"[[n{number}]]" for number in range(50_000 // PART)).encode()
    read = within(2 / PART, lambda: read_note("a.md", data))
    assert len(read.links) == 50_000 // PART
    assert all(link.sentences for link in read.links)


def test_ordinary_notes_are_read_without_importing_a_yaml_parser() -> None:
    program = (
        "import sys\nfrom loreweave.knowledge.documents.read_document import read_document\n"
        "read_document('a.md', '---\\nname: A\\ntags: [a, b]\\n---\\n[[b]]')\nassert 'yaml' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", program], check=True)
