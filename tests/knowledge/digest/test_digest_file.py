"""The digest as a file to commit."""

import hashlib
import json
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from loreweave.contracts.ask import KnowledgeNode
from loreweave.contracts.skill_graph import PageSettings
from loreweave.contracts.wire import committed_json
from loreweave.entities.digest import Digest, Distilled, GlossaryTerm
from loreweave.knowledge.digest.digest_file import digest_bytes, digest_value, distilled_of
from loreweave.knowledge.documents.page_record import excerpt
from loreweave.knowledge.graph.stored_notes import settings_of

PAGE = "---\ntitle: Guide\n---\n# Guide\n\nOpening words.\n\n## Install\n\nRun `acme --now`.\n"
ODD_PAGE = (
    '# "Odd" \\ page 🦊\n\n**Ünit** is a \x7f thing.\n\n## `<Foo />`\n\n```sh\nrun\t--x "y"\n```\n\n'
    "See [a](../a.md#install).\n\n## Empty\n"
)
_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
)


def _hashes(digest: Digest) -> dict[str, str]:
    return {section.id: section.hash for section in digest.sections}


@pytest.mark.holds("ask.digest.file-format")
@given(_VALUES)
def test_the_file_is_plain_json_with_sorted_keys_and_two_spaces(value: Any) -> None:
    assert committed_json(value) == (json.dumps(value, ensure_ascii=False, indent=2, sort_keys=True) + "\n").encode()


@pytest.mark.holds("ask.digest.file-format")
def test_an_odd_page_is_written_like_any_other(digest_made: Callable[..., Digest]) -> None:
    digest = digest_made({"a.md": PAGE, 'api/b "q".md': ODD_PAGE, "bare.md": "# Bare\n"})
    whole = json.dumps(digest_value(digest), ensure_ascii=False, indent=2, sort_keys=True) + "\n"
    assert digest_bytes(digest) == whole.encode()


@pytest.mark.holds("ask.digest.file-format", "ask.digest.node-fields")
def test_a_digest_has_its_fields_and_nodes_are_those_of_the_contract(digest_made: Callable[..., Digest]) -> None:
    found = json.loads(digest_bytes(digest_made({"guide.md": PAGE})))
    assert {
        "version",
        "contentHash",
        "settings",
        "context",
        "overview",
        "glossary",
        "suggestions",
        "nodes",
        "edges",
    } <= set(found)
    assert found["settings"] == {"basePath": "/docs/", "slugScheme": "github", "headingDepth": 3}
    page, install = found["nodes"]
    for node in (page, install):
        rest = {key: value for key, value in node.items() if key not in ("hash", "distilled")}
        assert KnowledgeNode.model_validate(rest).id == node["id"]
    assert (page["id"], page["heading"], page["sources"][0]["anchor"]) == ("guide", None, None)
    assert install["sources"] == [{"chunkId": "guide#install", "url": "/docs/guide#install", "anchor": "install"}]
    assert install["summary"] == "Run acme --now."
    assert install["distilled"] is False
    source = PAGE.encode()
    assert [source[fact["start"] : fact["end"]].decode() for fact in install["facts"]] == [
        fact["literal"] for fact in install["facts"]
    ]


@pytest.mark.holds("ask.digest.equal-bytes")
def test_the_order_in_which_documents_come_changes_no_byte(digest_made: Callable[..., Digest]) -> None:
    pages = {f"{name}.md": f"# {name}\n\n[[b]] text.\n\n## More\n\nText.\n" for name in "cab"}
    backwards = dict(reversed(pages.items()))
    assert digest_bytes(digest_made(pages)) == digest_bytes(digest_made(backwards))


@pytest.mark.holds("ask.digest.hashes")
@pytest.mark.parametrize(
    ("changed", "touched"),
    [
        (PAGE.replace("`acme --now`", "`acme --then`"), {"guide#install"}),
        (PAGE.replace("Run", "[Run](x.md)"), {"guide#install"}),
        (PAGE.replace("title: Guide", "title: Other"), {"guide", "guide#install"}),
        (PAGE.replace("title: Guide", "title: Guide\ngroup: api"), {"guide", "guide#install"}),
        (PAGE.replace("title: Guide", "title: Guide\ndescription: New."), {"guide"}),
        (PAGE.replace("\n", "\n", 1), set()),
    ],
)
def test_a_section_changes_its_hash_with_its_raw_text_title_and_group(
    digest_made: Callable[..., Digest], changed: str, touched: set[str]
) -> None:
    before, after = _hashes(digest_made({"guide.md": PAGE})), _hashes(digest_made({"guide.md": changed}))
    assert {section for section in before if before[section] != after[section]} == touched


@pytest.mark.holds("ask.digest.hashes")
def test_settings_count_for_every_hash_and_the_content_hash_is_over_all_of_them(
    digest_made: Callable[..., Digest],
) -> None:
    plain = digest_made({"guide.md": PAGE})
    moved = digest_made({"guide.md": PAGE}, settings=PageSettings(basePath="/help/"))
    assert not set(_hashes(plain).values()) & set(_hashes(moved).values())
    whole = hashlib.sha256()
    for section in sorted(plain.sections, key=lambda part: part.id.encode()):
        whole.update(f"{section.id}\0{section.hash}\n".encode())
    assert plain.content_hash == whole.hexdigest() != moved.content_hash


@pytest.mark.holds("ask.digest.mode")
@pytest.mark.parametrize(
    ("path", "header", "mode"),
    [
        ("api/cli.md", "", "source-primary"),
        ("my-api-notes.md", "", "source-primary"),
        ("docs/Reference.md", "", "source-primary"),
        ("rapid/capital.md", "", "agent-primary"),
        ("references.md", "", "agent-primary"),
        ("plain.md", "---\ngroup: HTTP API\n---\n", "source-primary"),
    ],
)
def test_reference_pages_are_read_from_the_source(
    digest_made: Callable[..., Digest], path: str, header: str, mode: str
) -> None:
    assert {section.mode for section in digest_made({path: header + "# P\n\nText.\n"}).sections} == {mode}


@pytest.mark.holds("ask.digest.summary-excerpt")
def test_an_excerpt_is_cut_at_a_word() -> None:
    assert excerpt("short  and\nplain ") == "short and plain"
    long = excerpt("word " * 100)
    assert len(long) <= 220
    assert long.endswith(" word…")
    assert excerpt("x" * 500) == "x" * 219 + "…"
    assert excerpt(" " * 10_000 + "late") == "late"
    assert excerpt("a" * 220) == "a" * 220


@pytest.mark.holds("ask.digest.summary-excerpt")
def test_the_description_opens_summary_and_text_of_the_page(digest_made: Callable[..., Digest]) -> None:
    page = digest_made({"a.md": "---\ndescription: What it is.\n---\n# A\n\nThe body.\n"}).sections[0]
    assert page.summary == "What it is. The body."
    assert page.text.startswith("What it is.")
    alone = digest_made({"a.md": "---\ndescription: What it is.\n---\n# A\n"}).sections
    assert [section.summary for section in alone] == ["What it is."]


@pytest.mark.holds("ask.digest.terms")
def test_a_section_has_at_most_forty_telling_words(digest_made: Callable[..., Digest]) -> None:
    text = " ".join(f"word{number}" for number in range(100))
    section = digest_made({"a.md": f"# A\n\n## Heading of it\n\nThe the the and {text} word7 word7.\n"}).sections[0]
    assert len(section.terms) == 40
    assert section.terms[:2] == ("heading", "word7")
    assert "the" not in section.terms


@pytest.mark.holds("ask.digest.travels")
def test_what_somebody_wrote_is_read_back_and_the_rest_is_derived_again(digest_made: Callable[..., Digest]) -> None:
    hashes = _hashes(digest_made({"guide.md": PAGE}))
    written = Distilled(
        "Context.",
        (GlossaryTerm("Term", ("T",), "Said.", given=True),),
        ("Why?",),
        {"guide": (hashes["guide"], "Summary.")},
    )
    digest = digest_made({"guide.md": PAGE}, written)
    assert distilled_of(digest_value(digest)) == written
    assert distilled_of(digest_value(digest_made({"guide.md": PAGE}))) == Distilled(glossary=())


@pytest.mark.holds("ask.digest.travels")
@pytest.mark.parametrize("value", [None, [], {"basePath": 3}, {"slugScheme": "x"}, {"headingDepth": 99}, {"other": 1}])
def test_settings_that_are_none_are_the_defaults(value: Any) -> None:
    assert settings_of(value) == PageSettings()
