"""What is wrong in a file is refused with its line; everything else is read as it was meant."""

from contextlib import suppress

import pytest
from tests.pace import within
from tests.routing.folders.skill_texts import routes, skill_text

from loreweave import RouteContext, SkillFileError
from loreweave.routing.folders.load_skill_graph import compile_skill_files


def load(text: str, path: str = "a/SKILL.md", **more: str):
    return compile_skill_files({path: text, **more}, bind="open", check="off")


WRONG = {
    "an unclosed header": ("---\nname: a\n", 1, "not closed"),
    "a header that is a list": ("---\n- a\n---\n", 2, "mapping"),
    "an open list": ("---\nname: [a\ndescription: d\n---\n", 2, "cannot be read"),
    "an open quotation": ('---\nname: "a\ndescription: d\n---\n', 2, "cannot be read"),
    "a colon in another value": ("---\nname: a: b\ndescription: d\n---\n", 2, "cannot be read"),
    "an alias": ("---\nname: &x a\ndescription: *x\n---\n", 2, "anchors"),
    "a tag": ("---\nname: !!python/object:os.system a\n---\n", 2, "tags"),
    "a key twice": ("---\nname: a\ndescription: b\nname: c\n---\n", 4, "twice"),
    "two documents": ("---\nname: a\ndescription: d\n--- x\n---\n", 2, "more than one"),
    "bad indentation": ("---\nname: a\ndescription: d\nmetadata:\n  a: b\n c: d\n---\n", 6, "cannot be read"),
    "metadata that is text": ("---\nname: a\ndescription: d\nmetadata: x\n---\n", 4, "mapping"),
    "a name that is a list": ("---\nname: [a]\ndescription: d\n---\n", 2, "must be text"),
    "an unknown key": (skill_text("a", "x: y", "skillgraph.entri: always"), 6, "skillgraph.entri"),
    "nested keys": (skill_text("a", "skillgraph:", "  entry: always"), 5, "written whole"),
    "a nested value": (skill_text("a", "skillgraph.entry:", "  - always"), 5, "not a list"),
    "an order of letters": (skill_text("a", "skillgraph.order: first"), 5, "whole number"),
    "a huge order": (skill_text("a", f"skillgraph.order: {'9' * 5000}"), 5, "whole number"),
    "an end of letters": (skill_text("a", "skillgraph.end: maybe"), 5, "true or false"),
    "an unknown entry": (skill_text("a", "skillgraph.entry: sometimes"), 5, "sometimes"),
    "a blank entry": (skill_text("a", 'skillgraph.entry: ""'), 5, "entry"),
    "an entry without phrases": (skill_text("a", "skillgraph.entry: 'keywords:'"), 5, "keyword"),
    "a bad pattern": (skill_text("a", "skillgraph.entry: 'regex: ('"), 5, "cannot be read"),
    "an unknown status": (skill_text("a", routes("b", "b: on x status=great")), 7, "great"),
    "a bad where": (skill_text("a", routes("b: on x where amount >")), 6, "where"),
    "a bad tool pattern": (skill_text("a", routes("b: on /(/")), 6, "cannot be read"),
    "an open pattern": (skill_text("a", routes("b: on /x")), 6, "not closed"),
    "when beside on": (skill_text("a", routes("b: on x when @y")), 6, "when"),
    "an unknown word": (skill_text("a", routes("b: onto x")), 6, "onto"),
    "no colon": (skill_text("a", routes("b on x")), 6, "colon|written"),
    "an open quote": (skill_text("a", routes('b: label="x')), 6, "not closed"),
    "two labels": (skill_text("a", routes("b: label=x label=y")), 6, "two"),
    "a predicate without a name": (skill_text("a", routes("b: when y")), 6, "@"),
}


@pytest.mark.holds("routing.folders.file-errors")
@pytest.mark.parametrize("case", WRONG)
def test_what_cannot_be_read_is_refused_with_its_line(case: str) -> None:
    text, line, words = WRONG[case]
    with pytest.raises(SkillFileError, match=words) as refused:
        load(text)
    assert (refused.value.path, refused.value.line) == ("a/SKILL.md", line)
    assert str(refused.value).startswith(f"a/SKILL.md:{line}: ")


@pytest.mark.holds("routing.folders.lenient")
def test_a_header_is_read_as_it_was_meant() -> None:
    text = (
        "\ufeff---\r\nname: 42\r\ndescription: Use it: when asked, e.g.: now\r\n  and then: always\r\n"
        "license: MIT\r\nallowed-tools: Read\r\nmetadata:\r\n  version: 1.0\r\n  skillgraph.order: 7\r\n"
        "  skillgraph.end: true\r\n  tags: [x, y]\r\n---\r\n\r\nText.\r\n"
    )
    skill = load(text, "42/SKILL.md").skill("42")
    assert skill.description == "Use it: when asked, e.g.: now and then: always"
    assert (skill.body, skill.end) == ("Text.", True)
    kept = {key: skill.metadata[key] for key in ("version", "license", "allowed-tools", "tags")}
    assert kept == {"version": "1.0", "license": "MIT", "allowed-tools": "Read", "tags": ("x", "y")}
    assert skill.metadata.get("skillgraph.order") is None


@pytest.mark.holds("routing.folders.lenient")
@pytest.mark.parametrize(
    "description", ["`code` first: x", "@somebody: x", "it's: fine", "% a: b", "ends with:", "a: b: c"]
)
def test_a_description_needs_no_quotes(description: str) -> None:
    assert load(skill_text("a", description=description)).skill("a").description == description


@pytest.mark.holds("routing.folders.lenient")
def test_a_name_may_be_missing_and_then_is_the_folders() -> None:
    graph = compile_skill_files(
        {"SKILL.md": "---\ndescription: d\n---\nx", "x/b/SKILL.md": "---\ndescription: e\n---\nx"}, root_name="top"
    )
    assert sorted(skill.id for skill in graph.skills) == ["b", "top"]
    assert [problem.code for problem in graph.checkup().problems] == []


@pytest.mark.holds("routing.folders.lenient")
def test_a_body_may_be_missing() -> None:
    assert load("---\nname: a\ndescription: d\n---\n").skill("a").body == "d"


@pytest.mark.holds("routing.folders.hostile-yaml")
@pytest.mark.parametrize(
    "inner",
    [
        "a: " + "x" * 70_000,
        "a: " + "[" * 30_000,
        "a: &b [x, x]\nc: [*b, *b]\nd: &e [*b]",
        "\n".join("  " * depth + "a:" for depth in range(200)),
        "? " * 20_000,
        "{" * 20_000,
        "a: " + '"' * 30_001,
        "- " * 20_000,
        "a: 'b\n" * 10_000,
        "%YAML 9.9",
    ],
)
def test_a_hostile_header_is_refused_soon(inner: str) -> None:
    def refused() -> SkillFileError:
        with pytest.raises(SkillFileError) as caught:
            load(f"---\n{inner}\n---\n")
        return caught.value

    assert within(2.0, refused).line is not None


@pytest.mark.lengthy(3)
@pytest.mark.holds("routing.folders.linear")
@pytest.mark.parametrize(
    "line",
    ['"' * 500_001, "a: " + " " * 500_000 + "x", "a: " + "label=" * 80_000, "a: on /" + "\\/" * 250_000,
     "a: on /" + "/x" * 250_000, "a: where " + "x " * 250_000, 'a: carry="' + '",' * 250_000, "a:" * 250_000],
)  # fmt: skip
def test_a_route_line_is_read_in_one_pass(line: str) -> None:
    from loreweave.routing.folders.route_line import read_route_line

    def read() -> None:
        with suppress(ValueError):  # whatever it says: how long it takes is the question
            read_route_line(line)

    within(1.0, read)


@pytest.mark.holds("routing.folders.linear")
@pytest.mark.parametrize(
    "line",
    ["always " + " " * 7_900, 'keywords: "' + '",' * 3_900, "x" + ' label="a' * 800, "keywords: " + " ," * 3_900],
)
def test_an_entry_line_is_read_in_one_pass(line: str) -> None:
    from loreweave.routing.folders.entry_line import read_entry_line

    def read() -> None:
        for _ in range(20):
            with pytest.raises(ValueError):
                read_entry_line(line + ' label="')

    within(1.0, read)


@pytest.mark.lengthy(3)
@pytest.mark.holds("routing.folders.linear")
@pytest.mark.parametrize("opener", ["[[", "[", "[a](", "`", "![", "<!--", "[[a|", "\\["])
def test_a_body_of_openers_is_read_in_one_pass(opener: str) -> None:
    body = opener * (1_000_000 // len(opener))
    graph = within(3.0, lambda: load(skill_text("a", body=body)))
    assert graph.next_skill(RouteContext(pending_pick="a")) == "a"


@pytest.mark.holds("routing.folders.linear")
def test_a_paragraph_of_links_is_read_in_one_pass() -> None:
    """Its sentences are found once for all of them: 87,000 links took hours."""
    body = " ".join(f"To [[n{number}]]." for number in range(4_000))
    graph = within(2.0, lambda: load(skill_text("a", body=body)))
    assert graph.next_skill(RouteContext(pending_pick="a")) == "a"
