import pytest
from tests.knowledge.documents.read_notes import read_note

from loreweave.entities.note import LinkMention


def links(text: str) -> tuple[LinkMention, ...]:
    return read_note("note.md", text.encode()).links


def targets(text: str) -> list[str]:
    return [link.target for link in links(text)]


@pytest.mark.holds("graph.links.wikilink-form", "graph.links.anchor-cut", "graph.links.embed-is-link")
@pytest.mark.parametrize(
    ("text", "target", "anchors"),
    [
        ("[[a]]", "a", ()),
        ("[[ a b ]]", "a b", ()),
        ("[[a|shown]]", "a", ()),
        ("[[a#h]]", "a", ("h",)),
        ("[[a#h1#h2|x]]", "a", ("h1", "h2")),
        ("[[a#^block]]", "a", ()),
        ("[[folder/a.md#h]]", "folder/a.md", ("h",)),
        ("![[a]]", "a", ()),
        ("![[a#h|300]]", "a", ("h",)),
        ("[[[a]]]", "a", ()),
        ("[[x [[a]] y]]", "a", ()),
        ("[[a]](b)", "a", ()),
        ("[[" + "a" * 512 + "]]", "a" * 512, ()),
        ("# A heading with [[a]]", "a", ()),
        ("> quoted [[a]]", "a", ()),
        ("<div>[[a]]</div>", "a", ()),
        ("$[[a]]", "a", ()),
        ("**[[a]]**", "a", ()),
        ("`` ` `` [[a]]", "a", ()),
        ("\\\\[[a]]", "a", ()),
        ("\\![[a]]", "a", ()),
    ],
)
def test_a_wikilink_names_a_target(text: str, target: str, anchors: tuple[str, ...]) -> None:
    (link,) = links(text)
    assert (link.kind, link.target, link.anchors) == ("wiki", target, anchors)


@pytest.mark.holds("graph.links.empty-is-nothing", "graph.links.wikilink-form", "graph.links.escaped")
@pytest.mark.parametrize(
    "text",
    [
        "[[]]",
        "[[ ]]",
        "[[|a]]",
        "[[ |a]]",
        "[[#h]]",
        "[[#^b]]",
        "[[a",
        "a]]",
        "[[a]",
        "[a]]",
        "[[a\nb]]",
        "[[" + "a" * 513 + "]]",
        "\\[[a]]",
        "[\\[a]]",
    ],
)
def test_what_is_no_wikilink_is_nothing(text: str) -> None:
    assert links(text) == ()


@pytest.mark.holds("graph.links.code-has-none", "graph.links.inline-code", "graph.links.unclosed-fence")
@pytest.mark.parametrize(
    "text",
    [
        "```\n[[a]]\n```",
        "```js\n[[a]]\n```",
        "~~~\n[[a]]\n~~~",
        "````\n```\n[[a]]\n````",
        "~~~\n```\n[[a]]\n~~~",
        "```\n[[a]]",
        "text\n```\n[[a]]",
        "   ```\n[[a]]\n   ```",
        "> ```\n> [[a]]\n> ```",
        "- ```\n  [[a]]\n  ```",
        "1. item\n\n   ```\n   [[a]]\n   ```",
        "    [[a]]",
        "text\n\n    [[a]]",
        "\t[[a]]",
        "# heading\n    [[a]]",
        "`[[a]]`",
        "``[[a]]``",
        "``` [[a]] ```",
        "text `` ` [[a]] ` `` text",
        "`one\n[[a]] two`",
        "`[[a`]]",
        "[[a `]] b`",
    ],
)
def test_code_holds_no_links(text: str) -> None:
    assert targets(text) == []


@pytest.mark.holds("graph.links.indented-in-list", "graph.links.code-has-none")
@pytest.mark.parametrize(
    "text",
    [
        "- item\n\n    [[a]]",
        "- item\n    - [[a]]",
        "1. item\n\n        [[a]]",
        "- item\n\n  text\n\n        [[a]]",
        "text\n    [[a]]",
        "```\ncode\n```\n[[a]]",
        "> ```\n> code\n\n[[a]]",
        "- ```\n  code\n\n[[a]]",
        "`` ` [[a]]",
        "\\`[[a]]\\`",
        "`code` [[a]] `code`",
        "`x\\`[[a]]` `",
        "a ` b\n\n[[a]] ` c",
        "``` not ` a fence\n[[a]]",
    ],
)
def test_what_only_looks_like_code_holds_links(text: str) -> None:
    assert targets(text) == ["a"]


@pytest.mark.holds("graph.links.comments-have-none")
@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("<!-- [[a]] -->", []),
        ("x <!-- [[a]] --> [[b]]", ["b"]),
        ("<!--\n[[a]]\n\n[[b]]\n--> [[c]]", ["c"]),
        ("x <!-- [[a]]\n\n[[b]] --> [[c]]", ["c"]),
        ("<!-- ``` -->\n[[a]]", ["a"]),
        ("<!--\n```\n-->\n[[a]] <!-- [[b]] -->", ["a"]),
        ("`<!--` [[a]] -->", ["a"]),
        ("```\n<!--\n```\n[[a]] -->", ["a"]),
        ("\\<!-- [[a]] -->", ["a"]),
        ("<!-- never closed [[a]]", ["a"]),
        ("%%[[a]]%% [[b]]", ["b"]),
        ("%%\n[[a]]\n\n[[b]]\n%%\n[[c]]", ["c"]),
        ("100%% sure [[a]]", ["a"]),
        ("`%%` [[a]] `%%`", ["a"]),
        ("<!-- x --> [[a]]", ["a"]),
        ("<!-- a long comment --> text\n\n<!-- b -->    [[c]]", ["c"]),
        ("<!--> [[a]]", ["a"]),
    ],
)
def test_comments_hold_no_links(text: str, expected: list[str]) -> None:
    assert targets(text) == expected


@pytest.mark.holds("graph.links.table-separator")
def test_in_tables_an_escaped_pipe_separates_the_alias() -> None:
    (link,) = links("| x | y |\n|---|---|\n| [[a#h\\|shown]] | z |\n")
    assert (link.target, link.anchors) == ("a", ("h",))


@pytest.mark.holds("graph.links.markdown-links", "graph.links.urls-and-images-ignored")
@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("[t](a.md)", ["a.md"]),
        ("[t](./a.md)", ["./a.md"]),
        ("[t](../x/a.md#h)", ["../x/a.md"]),
        ("[t](my%20note.md)", ["my note.md"]),
        ("[t](<my note.md>)", ["my note.md"]),
        ('[t](a.md "title")', ["a.md"]),
        ("[t](a.md 'ti)tle')", ["a.md"]),
        ("[t](a_(b).md)", ["a_(b).md"]),
        ("[t](a\\_b.md)", ["a_b.md"]),
        ("[a [b] c](d.md)", ["d.md"]),
        ("[`]` x](a.md)", ["a.md"]),
        ("[![alt](i.png)](a.md)", ["a.md"]),
        ("[a [b](c.md) d](e.md)", ["c.md"]),
        ("[t](%zz%00.md)", ["%zz\ufffd.md"]),
        ("[t][r]\n\n[r]: a.md", ["a.md"]),
        ("[r]: a.md 'title'\n\n[t][R] and [r][] and [r]", ["a.md"]),
        ("[r]: <a b.md>\n\n[r]", ["a b.md"]),
        ("- [r]: b.md\n\n[r]", ["b.md"]),
        ("1. [r]: b.md\n   text\n\n[t][r]", ["b.md"]),
        ("[t](https://x.org/a.md)", []),
        ("[t](//x.org/a.md)", []),
        ("[t](mailto:a@b.c)", []),
        ("[t](#heading)", []),
        ("[t]()", []),
        ("![t](a.png)", []),
        ("![t][r]\n\n[r]: a.md", []),
        ("[t](a b.md)", ["a b.md"]),
        ("[t](a b)", []),
        ("[t] (a.md)", []),
        ("\\[t](a.md)", []),
        ("[t\\](a.md)", []),
        ("`[t](a.md)`", []),
        ("[^1]\n\n[^1]: note.md", []),
        ("[r]: a.md", []),
    ],
)
def test_markdown_links_name_relative_files(text: str, expected: list[str]) -> None:
    found = links(text)
    assert [link.target for link in found] == expected
    assert all(link.kind == "markdown" for link in found)


@pytest.mark.holds("graph.links.markdown-links")
def test_a_markdown_link_keeps_its_heading() -> None:
    assert [link.anchors for link in links("[t](a.md#my%20part) [u](a.md#two) [v](a.md#^b)")] == [("my part", "two")]


@pytest.mark.holds("graph.links.header-only-relations", "graph.links.header-context", "graph.header.reference-fields")
@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ("[[b]]", ["b"]),
        ('"[[b]]"', ["b"]),
        ("b", ["b"]),
        ("B.md", ["B.md"]),
        ("[a, b]", ["a", "b"]),
        ("\n  - a\n  - '[[b|x]]'\n  - [[c]]", ["a", "b", "c"]),
        ('"[[a]] and [[b#h]]"', ["a", "b"]),
        ("[[a]], [[b]]", ["a", "b"]),
        ("[[one, two]]", ["one, two"]),
        ("[[[a]], [[b]]]", ["a", "b"]),
        ("{a: b}", []),
        ("~", []),
        ("[~, '']", []),
    ],
)
def test_the_header_states_two_relations(written: str, expected: list[str]) -> None:
    note = read_note("note.md", f"---\ntopics: '[[t]]'\nextends: {written}\n---\nbody".encode())
    assert [(link.kind, link.target) for link in note.links] == [("extends", target) for target in expected]
    assert all(link.line == 3 and link.sentences == (0,) for link in note.links)
    assert note.sentences == (("frontmatter: extends",) if expected else ())


def test_equal_targets_are_one_mention_with_all_their_sentences() -> None:
    note = read_note("n.md", b"---\ncontradicts: a\n---\n\nOne [[a#x|y]].\nTwo [[ a ]] and [[a#z]].\n\n[t](a)\n")
    assert note.links == (
        LinkMention("contradicts", "a", "a", (), 2, 1, (0,)),
        LinkMention("wiki", "a", "a#x|y", ("x", "z"), 5, 3, (1, 2)),
        LinkMention("markdown", "a", "a", (), 8, 1, (3,)),
    )
    assert note.sentences == (
        "frontmatter: contradicts",
        "One [[a#x|y]].",
        "Two [[ a ]] and [[a#z]].",
        "[t](a)",
    )


def test_lines_are_counted_in_the_file() -> None:
    text = "---\na: b\n---\n\n<!--\n\n-->\n[[a]]\n```\n\n```\n\n- [[b]]\n\n> x\n> [[c]]\n"
    assert [(link.target, link.line) for link in links(text)] == [("a", 8), ("b", 13), ("c", 16)]
