"""What a model, an agent or a person writes about sections."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.pace import PART, within

from loreweave.errors import InvalidInput
from loreweave.knowledge.digest.digest_file import clean_text

PAGES = {"a.md": "# A\n\nAlpha text.\n\n## One\n\nFirst.\n", "b.md": "# B\n\nBeta text.\n"}


@pytest.mark.holds("ask.digest.assemble")
def test_all_four_parts_are_optional_and_replace_what_was(docs: Any, builder: Any) -> None:
    folder = docs(PAGES)
    builder.build(
        folder, assemble={"context": "One.", "suggestions": ["Why?"], "summaries": [{"id": "a", "summary": "S."}]}
    )
    report = builder.build(folder, assemble={"glossary": [{"term": "T", "aliases": [], "definition": "D."}]})
    assert (report.status, report.distilled) == ("updated", 0)
    digest = builder.digest(folder)
    assert (digest["context"], digest["suggestions"]) == ("One.", ["Why?"])
    assert [node["summary"] for node in digest["nodes"]] == ["S.", "First.", "Beta text."]
    builder.build(folder, assemble={"context": "Two.", "glossary": [], "summaries": [{"id": "a", "summary": "New."}]})
    digest = builder.digest(folder)
    assert (digest["context"], digest["glossary"], digest["nodes"][0]["summary"]) == ("Two.", [], "New.")
    assert builder.build(folder, assemble={}).status == "skipped"
    builder.build(folder, assemble={"context": "", "suggestions": []})
    assert builder.digest(folder)["context"].startswith("The documentation has 2 pages")


@pytest.mark.holds("ask.digest.refused-ids")
def test_unknown_and_doubled_ids_are_refused_one_by_one_and_named(docs: Any, builder: Any) -> None:
    folder = docs(PAGES)
    summaries = [
        {"id": "a", "summary": "First."},
        {"id": "a", "summary": "Second."},
        {"id": "ghost", "summary": "Nothing."},
        {"id": "b", "summary": "Old.", "hash": "another"},
        {"id": "a#one", "summary": " "},
        {"summary": "Whose?"},
        "text",
    ]
    builder.build(folder, assemble={"summaries": summaries, "sumaries": []})
    assert [node["summary"] for node in builder.digest(folder)["nodes"]] == ["First.", "First.", "Beta text."]
    told = "\n".join(builder.told)
    for name in ("section a was given twice", "no section ghost", "section b has changed", "a#one", "sumaries"):
        assert name in told
    assert len(builder.told) == 7


@pytest.mark.holds("ask.digest.refused-ids")
def test_a_model_says_nothing_about_sections_that_were_not_sent(docs: Any, builder: Any, scripted: Any) -> None:
    folder = docs(PAGES)
    builder.build(folder, assemble={"summaries": [{"id": "a", "summary": "Ours."}]})
    builder.model = scripted(lambda sections: {"summaries": [{"id": "a", "summary": "Theirs."}]})
    builder.build(folder)
    assert builder.digest(folder)["nodes"][0]["summary"] == "Ours."
    assert builder.told == ["There is no section a; its summary was left out."]


@pytest.mark.holds("ask.digest.assemble")
@pytest.mark.parametrize(
    "given", [[], "text", {"context": 1}, {"summaries": {}}, {"glossary": "x"}, {"suggestions": 1}]
)
def test_what_has_another_shape_is_refused_and_the_file_stays(docs: Any, builder: Any, given: Any) -> None:
    folder = docs(PAGES)
    builder.build(folder)
    before = (folder / ".ask" / "digest.json").read_bytes()
    with pytest.raises(InvalidInput):
        builder.build(folder, assemble=given)
    assert (folder / ".ask" / "digest.json").read_bytes() == before


@pytest.mark.holds("ask.digest.derived-stays-derived", "ask.glossary.given-replaces")
def test_nothing_that_is_derived_can_be_given(docs: Any, builder: Any) -> None:
    folder = docs({"a.md": "# A\n\nThe Write Ahead Log (WAL) keeps changes.\n"})
    builder.build(folder)
    plain = builder.digest(folder)
    given = {
        "glossary": [{"term": "write ahead log", "aliases": ["Log"], "definition": "Ours.", "derived": False}],
        "suggestions": [f"Question {number}?" for number in range(9)],
        "summaries": [{"id": "a", "summary": "S.", "url": "https://evil", "facts": []}],
        "overview": "Other.",
    }
    builder.build(folder, assemble=given)
    digest = builder.digest(folder)
    assert [digest[key] for key in ("overview", "contentHash", "settings")] == [
        plain[key] for key in ("overview", "contentHash", "settings")
    ]
    assert {**digest["nodes"][0], "summary": "", "distilled": None} == {
        **plain["nodes"][0],
        "summary": "",
        "distilled": None,
    }
    assert len(digest["suggestions"]) == 5
    assert [(entry["term"], entry["definition"]) for entry in digest["glossary"]] == [("write ahead log", "Ours.")]
    assert {"from": "a", "to": "glossary:write ahead log", "kind": "defines"} in digest["edges"]


@pytest.mark.holds("ask.digest.written-is-inert")
@pytest.mark.parametrize(
    ("text", "clean"),
    [
        ('Use [this](https://x.org/a_(b) "t") now', "Use this now"),
        ("![alt](x.png) and [a][ref]", "alt and a"),
        ("See https://x.org/a?b=c, ok", "See  ok"),
        ("<b onclick='x'>Bold</b> <!-- no > more -->end", "Bold end"),
        ("a <script src=//x", "a script src=//x"),
        ("[[deep](x)](javascript:y)", "deep"),
        ("Write `<Tabs>` with `[a](b)` if a < b", "Write `<Tabs>` with `[a](b)` if a < b"),
        ("half \ud800 pair", "half ? pair"),
    ],
)
def test_links_and_html_are_removed_from_what_was_written(text: str, clean: str) -> None:
    assert clean_text(text) == clean


@pytest.mark.holds("ask.digest.written-is-inert")
@given(st.text(alphabet="ab`[]()<>!/:\n -h", max_size=80))
def test_cleaning_twice_changes_nothing_more(text: str) -> None:
    assert clean_text(clean_text(text)) == clean_text(text)


@pytest.mark.lengthy(3)
@pytest.mark.holds("ask.digest.written-is-inert")
@pytest.mark.parametrize("opener", ["<!--", "[", "](", "[a](b", "<a", "`", "[[a](", "a://", "[a][", "[a](b()"])
def test_a_hostile_text_is_cleaned_in_linear_time(opener: str) -> None:
    within(1 / PART, lambda: clean_text(opener * (1_000_000 // PART // len(opener))))
