import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from loreweave.language.slug import fallback_slug, legacy_slug, slug


@pytest.mark.holds("graph.slug.rule", "graph.slug.unicode-stays")
@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Cognitive Reframing.md", "cognitive-reframing"),
        ("NOTES.MD", "notes"),
        ("a.md.md", "a-md"),
        ("  spaced  out  ", "spaced-out"),
        ("snake_case & more", "snake-case-more"),
        ("--trimmed--", "trimmed"),
        ("v1.2", "v1-2"),
        ("Straße", "strasse"),
        ("Éclair", "éclair"),
        ("ﬁne", "fine"),
        ("Ｆｕｌｌ．ＭＤ", "full"),
        ("日本語 ノート", "日本語-ノート"),
        ("हिन्दी", "हिन्दी"),
        ("заметка №5", "заметка-no5"),
        ("👍", ""),
        (".md", ""),
        ("", ""),
    ],
)
def test_a_slug_keeps_letters_marks_and_digits_of_every_script(text: str, expected: str) -> None:
    assert slug(text) == expected


@pytest.mark.holds("graph.slug.rule")
@given(st.text())
def test_a_slug_is_its_own_slug(text: str) -> None:
    made = slug(text)
    assert slug(made) == made
    assert not made.startswith("-")
    assert not made.endswith("-")
    assert "--" not in made


@pytest.mark.holds("graph.slug.empty")
def test_a_path_without_letters_gets_a_name_from_its_hash() -> None:
    assert re.fullmatch(r"n-[0-9a-f]{8}", fallback_slug("👍.md"))
    assert fallback_slug("👍.md") != fallback_slug("👎.md")


@pytest.mark.holds("graph.slug.old-rule-alias")
@pytest.mark.parametrize(
    ("text", "expected"),
    [("Don't Panic.md", "dont-panic"), ("foo_bar", "foobar"), ("Über", "ber"), ("C++ notes", "c-notes")],
)
def test_the_old_rule_deletes_what_it_does_not_know(text: str, expected: str) -> None:
    assert legacy_slug(text) == expected
