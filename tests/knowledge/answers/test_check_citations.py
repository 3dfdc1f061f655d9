"""The citation check: what is foreign goes, what is right stays to the character, however the text was cut."""

import itertools
import time

import pytest
from hypothesis import given
from hypothesis import settings as effort
from hypothesis import strategies as some
from tests.examples import examples
from tests.pace import within

from loreweave.knowledge.answers.check_citations import CitationChecker

URLS = ("/docs/guide#install", "https://docs.example/api", "/docs/café")
TEXTS = ("Run `npm  install` with `--depth <n\\|all>`.\n\n```sh\nexport LORE=1\nlore serve\n```\n", "arr[0] and a*b")


def check(text: str, cuts: tuple[int, ...] = ()) -> tuple[str, list[str]]:
    checker = CitationChecker(URLS, TEXTS)
    edges = [0, *cuts, len(text)]
    out = [checker.feed(text[start:end]) for start, end in itertools.pairwise(edges)]
    return "".join([*out, checker.finish()]), checker.unverified


RIGHT = [
    "Plain text, *emphasis*, a < b, c > d, x & y, [brackets] and f(x) [ ] - [x] done.",
    'See [the guide](/docs/guide#install), [API](<https://docs.example/api> "title") or <https://docs.example/api>.',
    "Bare https://docs.example/api, and (https://docs.example/api). Also [café](/docs/caf%C3%A9).",
    "Use `npm install`, ``npm install`` and `--depth <n|all>`; `arr[0]`.",
    "```sh\nexport LORE=1\n  lore serve\n```\n\nThen:\n\n- item\n\n  ```\n  lore serve\n  ```\n"
    "\n> ~~~\n> lore serve\n> ~~~\n",
    'Before:\n\n    export LORE=1\n\nAfter [the guide][g] and [g].\n\n[g]: /docs/guide#install "t"\n',
    "# Heading\n\n1. one\n2. two\n\n| a | b |\n|---|---|\n| `lore serve` | 2 |\n\n---\n",
    "> ```\n> lore serve\n\n> ```\n> lore serve\n\nAfter.\n\n> ```\n\n",
    "An open [bracket, an open `tick, a trailing \\",
]


@pytest.mark.holds("ask.citations.untouched")
@pytest.mark.parametrize("text", RIGHT)
def test_an_answer_that_needs_no_correction_arrives_character_for_character(text: str) -> None:
    assert check(text) == (text, [])
    assert check(text, tuple(range(1, len(text)))) == (text, [])


CORRECTED = [
    pytest.param("[a](http://evil) b", "a b", [], marks=pytest.mark.holds("ask.citations.foreign-link")),
    pytest.param('[a](/docs/other "t")', "a", [], marks=pytest.mark.holds("ask.citations.foreign-link")),
    pytest.param("[a](/docs/guide)", "a", [], marks=pytest.mark.holds("ask.citations.foreign-link")),
    pytest.param("[a [b](/x) c](/y)", "a b c", [], marks=pytest.mark.holds("ask.citations.foreign-link")),
    pytest.param("[a](javascript:alert(1))", "a", [], marks=pytest.mark.holds("ask.citations.foreign-link")),
    pytest.param(
        "[a][r] b\n\n[r]: http://evil\nc", "a b\n\nc", [], marks=pytest.mark.holds("ask.citations.definition")
    ),
    pytest.param("[r]: /evil\n\n[a][r] [r][] [r]", "\na r r", [], marks=pytest.mark.holds("ask.citations.definition")),
    pytest.param("[r]:\n  </evil>\n", "", [], marks=pytest.mark.holds("ask.citations.definition")),
    pytest.param(
        "![alt](x.png) ![b](/docs/guide#install)", "alt b", [], marks=pytest.mark.holds("ask.citations.image")
    ),
    pytest.param(
        "[![alt](x.png)](/docs/guide#install)",
        "[alt](/docs/guide#install)",
        [],
        marks=pytest.mark.holds("ask.citations.image"),
    ),
    pytest.param("a <b>bold</b> <br/><!-- no --> c", "a bold  c", [], marks=pytest.mark.holds("ask.citations.html")),
    pytest.param('<a href="http://evil">x</a>', "x", [], marks=pytest.mark.holds("ask.citations.html")),
    pytest.param("<script>alert(1)</script>", "alert(1)", [], marks=pytest.mark.holds("ask.citations.html")),
    pytest.param("see <http://evil> ok", "see  ok", [], marks=pytest.mark.holds("ask.citations.bare-url")),
    pytest.param("see http://evil/x?y=1, ok", "see , ok", [], marks=pytest.mark.holds("ask.citations.bare-url")),
    pytest.param("see www.evil.example ok", "see  ok", [], marks=pytest.mark.holds("ask.citations.bare-url")),
    pytest.param("[http://evil](http://evil)!", "!", [], marks=pytest.mark.holds("ask.citations.bare-url")),
    pytest.param(
        "Use `--made-up` now", "Use --made-up now", ["--made-up"], marks=pytest.mark.holds("ask.citations.code")
    ),
    pytest.param("`[x](http://evil)`", "x", ["[x](http://evil)"], marks=pytest.mark.holds("ask.citations.code")),
    pytest.param(
        "`no` `no` `npm install`", "no no `npm install`", ["no"], marks=pytest.mark.holds("ask.citations.code")
    ),
    pytest.param(
        "```sh\nlore serve\nrm -rf /\n```\n",
        "```sh\nlore serve\nrm -rf /\n```\n",
        ["rm -rf /"],
        marks=pytest.mark.holds("ask.citations.fence"),
    ),
    pytest.param("~~~\nnew", "~~~\nnew", ["new"], marks=pytest.mark.holds("ask.citations.fence")),
]


@pytest.mark.parametrize(("text", "expected", "unverified"), CORRECTED)
def test_what_no_source_supports_is_corrected(text: str, expected: str, unverified: list[str]) -> None:
    assert check(text) == (expected, unverified)
    assert check(text, tuple(range(1, len(text)))) == (expected, unverified)


NAMES = "Run lore ask build --no-cache with search.limit=1.2.3, /etc/passwd or LORE_ASK_LOG. Call f(x->y); 用lore吧。"


@pytest.mark.holds("ask.citations.whole-names")
@pytest.mark.parametrize(
    ("code", "stands"),
    [
        *((code, True) for code in ("lore ask", "--no-cache", "ask build --no-cache", "search.limit", "1.2.3", "x->y")),
        *((code, True) for code in ("/etc", "passwd", "f(x", "lore", "用lore", "=1.2.3,", "LORE_ASK_LOG.")),
        *((code, False) for code in ("--no", "-no-cache", "--no-c", "cache", "no-cache", "--", "search", "limit")),
        *((code, False) for code in ("1.2", "2.3", "LORE_ASK", "ASK_LOG", "lore as", "ore ask", "/etc/pass", "passw")),
    ],
)
def test_code_stands_in_a_source_only_as_whole_names(code: str, stands: bool) -> None:
    checker = CitationChecker((), [NAMES])
    answer = f"Use `{code}` now."
    assert checker.feed(answer) + checker.finish() == (answer if stands else f"Use {code} now.")
    assert checker.unverified == ([] if stands else [code])


@pytest.mark.holds("ask.citations.whole-names")
def test_a_line_of_a_block_is_listed_where_only_a_part_of_its_names_stands_in_a_source() -> None:
    checker = CitationChecker((), [NAMES])
    checker.feed("```sh\nlore ask build --no-c\nlore ask build\n```\n")
    checker.finish()
    assert checker.unverified == ["lore ask build --no-c"]


@pytest.mark.holds("ask.citations.html")
@pytest.mark.parametrize(
    "text",
    [
        "~~~|b\n-|-\n<b>",
        "\n-\n  ```\n<b>",
        "x\n-\n1.\n   ```\n<b>",
        "|\n- <b>\n  ```\n```\n<b>",
        "- [a]:`\n\n  ```\n<b>",
        "a|b\n-|-\n1.\n   ```\n<b>",
        "- |b\n-|-\n  ```\n```\n<b>",
        ">     <b>|b\n-|-\n",
    ],
)
def test_no_reader_of_tables_finds_a_tag_where_others_read_code(text: str) -> None:
    from markdown_it import MarkdownIt

    out, _ = check(text)
    for grammar in (MarkdownIt("commonmark"), MarkdownIt("commonmark").enable("table")):
        for token in grammar.parse(out):
            kinds = [token.type, *(child.type for child in token.children or [])]
            assert not {"html_block", "html_inline"}.intersection(kinds)


@pytest.mark.holds("ask.citations.foreign-link")
@pytest.mark.parametrize(
    "text",
    [
        "[[a]](bad)(/evil)",
        "`[x`](/evil)",
        "[x]`(/evil)`",
        "<<b>a href=/evil>x",
        "<a <b>href=/evil>x",
        "![](x)[a]: /evil\n\n[a]",
        "- ```\n[x](/evil)",
        "<b>- a\n  ```\n[x](/evil)\n",
        "[" * 3000 + "a" * 5000 + "](/evil)",
        "[a](" + "x" * 5000 + ")",
    ],
)
def test_a_correction_never_makes_a_new_link(text: str) -> None:
    """The checked text is checked again as a renderer would read it: nothing is left to correct."""
    from markdown_it import MarkdownIt

    out, _ = check(text)
    for token in MarkdownIt("commonmark").parse(out):
        assert token.type != "html_block"
        for child in token.children or []:
            assert child.type not in ("link_open", "image", "html_inline")


FRAGMENTS = [
    *("[", "]", "(", ")", "![", "](/evil)", "](/docs/café)", "[a]: /evil", "[a]: /docs/café", "[a][b]", "\n", "\n\n"),
    *("`", "``", "```", "~~~", "`arr[0]`", "`x`", "<", "<b>", ">", "<!--", "-->", '<a href="', '"', "https://evil.x"),
    *(
        "https://docs.example/api",
        "<https://evil.x>",
        "- ",
        "1. ",
        "> ",
        "  ",
        "    ",
        "# ",
        "text",
        "\\",
        "!",
        "é",
        ":",
    ),
]
answers = some.lists(some.sampled_from(FRAGMENTS), max_size=14).map("".join)


@pytest.mark.holds("ask.citations.any-chunking")
@given(answers, some.lists(some.integers(0, 80), max_size=5))
@effort(max_examples=examples(400))
def test_how_the_text_was_cut_makes_no_difference(text: str, places: list[int]) -> None:
    cuts = tuple(sorted(place for place in places if place <= len(text)))
    assert check(text, cuts) == check(text)


@pytest.mark.holds("ask.citations.foreign-link", "ask.citations.html", "ask.citations.image")
@given(answers)
@effort(max_examples=examples(400))
def test_no_renderer_finds_a_foreign_link_in_a_checked_answer(text: str) -> None:
    from markdown_it import MarkdownIt

    out, _ = check(text)
    for token in MarkdownIt("commonmark").parse(out):
        assert token.type != "html_block"
        for child in token.children or []:
            assert child.type not in ("image", "html_inline")
            assert child.type != "link_open" or child.attrs["href"] in (*URLS, "/docs/caf%C3%A9")


@pytest.mark.holds("ask.citations.plain-text-flows")
def test_plain_text_flows_and_what_may_mean_something_waits_for_the_end_of_its_block() -> None:
    checker = CitationChecker(URLS, TEXTS)
    assert checker.feed("Plain wo") == "Plain wo"
    assert checker.feed("rds, see [the ") == "rds, see "
    assert checker.feed("guide](/docs/gu") == ""
    assert checker.feed("ide#install) and `npm") == ""
    assert checker.feed(" install`.\n\nThe") == "[the guide](/docs/guide#install) and `npm install`.\n\nThe"
    assert checker.feed(" end.\n- Run `lore") == " end.\n- Run "
    assert checker.feed(" serve`\n- an") == "`lore serve`\n- an"
    assert checker.feed("d go\n```sh\nlore") == "d go\n```sh\n"
    assert checker.feed(" serve\nexport") == "lore serve\n"


@pytest.mark.holds("ask.citations.plain-text-flows")
def test_plain_prose_leaves_at_once_letter_by_letter() -> None:
    checker = CitationChecker(URLS, TEXTS)
    for letter in "1. Yes, that is so: a*b = 3% of it - and more\n   of it; done. ":
        assert checker.feed(letter) == letter


@pytest.mark.holds("ask.citations.bounded")
@pytest.mark.parametrize(
    "opener", ["[", "[a](", "[a][b]", "`", "<a b='", "<!--", "[a]: ", "https://x", "```\n", "- [", "| ["]
)
def test_nothing_is_held_for_longer_than_several_thousand_characters(opener: str) -> None:
    checker = CitationChecker(URLS, TEXTS)
    said = len(checker.feed(opener))
    for _ in range(200):
        said += len(checker.feed("word" * 25 + " "))
    assert said > 20_000 - 9_000


@pytest.mark.holds("ask.citations.bounded", "ask.citations.any-chunking")
@pytest.mark.parametrize("block", ["a [", "a `", "word ", "- word ", "> <a ", "```\n[", "x\n", "- x\n", "[a][b]\n\n"])
def test_a_block_too_long_to_be_held_is_ended_at_the_same_place_however_it_was_cut(block: str) -> None:
    text = block + "word " * 1_700 + "and [x](/evil), `npm install`\n" + block + "[y](/evil)\n\nEnd [z](/evil)."
    whole = check(text)
    assert [check(text, tuple(range(size, len(text), size))) for size in (9, 5_000)] == [whole] * 2
    assert "End z." in whole[0]
    assert "](/evil)" not in whole[0] or block.startswith("```")


@pytest.mark.holds("ask.citations.any-chunking")
@pytest.mark.parametrize("text", ["x <a ", "x ](a b", "x [a](a b", "x <!-", "x [a](b"])
def test_a_long_answer_is_read_no_other_way_than_a_short_one(text: str) -> None:
    """What is known at once to be no link or tag is left alone, however much text follows in the same piece."""
    answer = text + "< y " * 2_000
    assert check(answer) == check(answer, tuple(range(7, len(answer), 7)))


OPENERS = [
    *("[", "![", "`", "` `` ", "<a ", '<a b="', "<!--", "](", "[a](", "[a][", "> ", "\n[a]: ", "www.a ", "a\n", "#\n"),
    *("[a](b)", "`x` ", "<b>", "+ ", "- ```\n", "- a\n\n  - b\n\n", "    x\n\n", "[[a]](b)", "<div ", "<![CDATA["),
    *("[^1]: ", "&lt;", "\u200b", "\u202e", "|a|\n|-|\n", "<http://a> "),
]


@pytest.mark.lengthy(5)
@pytest.mark.holds("ask.citations.fast")
@pytest.mark.parametrize("opener", OPENERS)
def test_no_opener_costs_more_than_a_few_microseconds(opener: str) -> None:
    text = opener * (20_000 // len(opener))
    within(0.1, lambda: check(text))


@pytest.mark.lengthy(5)
@pytest.mark.holds("ask.citations.linear")
@pytest.mark.parametrize("opener", OPENERS)
def test_twice_the_openers_take_about_twice_the_time(opener: str) -> None:
    def cost(size: int) -> float:
        text = opener * (size // len(opener))
        started = time.process_time()
        check(text)
        return time.process_time() - started

    ratios = []
    for _ in range(4):
        ratios.append(cost(72_000) / max(cost(18_000), 1e-4))
        if ratios[-1] < 8:
            return
    raise AssertionError(f"four times the text took {ratios} times as long")
