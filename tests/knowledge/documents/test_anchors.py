import json
from pathlib import Path

import pytest
from tests.pace import within

from loreweave.contracts.skill_graph import PageSettings
from loreweave.knowledge.documents.page_record import record_page
from loreweave.language.markdown.anchors import Slugger, github_slug, mkdocs_slug

CASES = json.loads((Path(__file__).parent / "github_slugger_cases.json").read_text(encoding="utf-8"))["cases"]


def slugs(scheme: str, *headings: str) -> list[str]:
    slugger = Slugger(scheme)
    return [slugger.slug(heading) for heading in headings]


def anchors(text: str, scheme: str = "github") -> list[str | None]:
    page = record_page("page.md", text, PageSettings(slugScheme=scheme, headingDepth=6))
    return [section.anchor for section in page.sections if section.heading]


@pytest.mark.holds("ask.anchors.github")
def test_every_case_of_the_reference_slugger_agrees() -> None:
    slugger = Slugger("github")
    assert [slugger.slug(heading) for heading, _ in CASES] == [expected for _, expected in CASES]
    assert len(CASES) == 78


@pytest.mark.holds("ask.anchors.github")
def test_duplicates_count_on_the_original_slug() -> None:
    assert slugs("github", "Foo", "Foo", "Foo 1", "foo-1", "FOO") == ["foo", "foo-1", "foo-1-1", "foo-1-2", "foo-2"]


@pytest.mark.holds("ask.anchors.github")
@pytest.mark.parametrize(
    ("heading", "slug"),
    [
        ("A  b - c", "a--b---c"),
        ("What's new?", "whats-new"),
        ("ΟΔΟΣ ΣΟΦΙΑΣ!", "οδος-σοφιας"),
        ("ΑΣ!Α", "αςα"),
        ("İstanbul", "i̇stanbul"),
        ("Ⓐ 🄰 ①", "ⓐ-🄰-"),
        ("你好 world", "你好-world"),
        ("???", ""),
    ],
)
def test_marks_go_and_letters_of_every_script_stay(heading: str, slug: str) -> None:
    assert github_slug(heading) == slug


@pytest.mark.holds("ask.anchors.committed-table")
@pytest.mark.parametrize("code", [0x0870, 0x1DF00, 0x31350, 0x1E030, 0x2C2F, 0xA7C0, 0xA7CB, 0xA7DC, 0x1C89, 0x105C0])
def test_characters_younger_than_unicode_13_are_deleted_whatever_python_knows(code: int) -> None:
    assert github_slug(f"a{chr(code)}b") == "ab"


@pytest.mark.holds("ask.anchors.astro")
def test_astro_cuts_one_trailing_hyphen_of_the_finished_slug() -> None:
    assert slugs("astro", "Foo !", "Foo !", "Bar - !", "Foo") == ["foo", "foo--1", "bar--", "foo-1"]
    assert slugs("astro", "a", "a !", "a !!") == ["a", "a-", "a--1"]


@pytest.mark.holds("ask.anchors.mkdocs")
def test_mkdocs_keeps_ascii_and_one_hyphen() -> None:
    assert mkdocs_slug("  Café -- au  lait_2! ") == "cafe-au-lait_2"
    assert slugs("mkdocs", "Foo", "foo", "Foo", "foo_1", "日本") == ["foo", "foo_1", "foo_2", "foo_3", "_1"]


@pytest.mark.holds("ask.anchors.explicit")
@pytest.mark.parametrize("scheme", ["github", "astro", "mkdocs"])
@pytest.mark.parametrize("written", ["{#my_Id}", "{: #my_Id}", "{ #my_Id .class }", "{#my_Id} ##"])
def test_a_written_id_wins_and_is_cut_from_the_heading(scheme: str, written: str) -> None:
    page = record_page("page.md", f"## *Some* words {written}\n", PageSettings(slugScheme=scheme, headingDepth=3))
    assert [(section.anchor, section.heading) for section in page.sections] == [("my_Id", "Some words")]


@pytest.mark.holds("ask.anchors.explicit")
def test_a_written_id_counts_as_taken_also_for_headings_above_it() -> None:
    assert anchors("## A {#b}\n## B\n") == ["b", "b-1"]
    assert anchors("## B\n## A {#b}\n") == ["b-1", "b"]
    assert anchors("## A {#b}\n## C {#b}\n") == ["b", "b-1"]


@pytest.mark.holds("ask.anchors.explicit")
def test_braces_elsewhere_are_text() -> None:
    page = record_page("page.md", "## Use {name} {x}\n## `{#code}`\n## \\{#escaped}\n", PageSettings())
    assert [section.heading for section in page.sections] == ["Use {name} {x}", "{#code}", "{#escaped}"]


def test_an_unknown_scheme_is_refused() -> None:
    with pytest.raises(ValueError, match="slug scheme"):
        Slugger("gitlab")


@pytest.mark.lengthy(3)
@pytest.mark.holds("ask.documents.linear")
@pytest.mark.parametrize("scheme", ["github", "astro", "mkdocs"])
@pytest.mark.parametrize("step", [0, 1])
def test_thousands_of_equal_or_counted_headings_stay_cheap(scheme: str, step: int) -> None:
    headings = [f"a_{number * step}" for number in range(20_000)] * 2
    assert len(set(within(1, lambda: slugs(scheme, *headings)))) == 40_000
