"""A box cannot be closed by what is in it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from loreweave.language.strange_text import BOX_RULE, boxed

pytestmark = pytest.mark.holds("session.agent.boxed")


def mark_of(box: str) -> str:
    return box.removeprefix("<<<").partition(" ")[0]


@given(st.text(st.characters()))
def test_no_text_holds_its_own_mark(text: str) -> None:
    box = boxed("note", text)
    mark = mark_of(box)
    assert mark not in text
    assert box == f"<<<{mark} note>>>\n{text}\n<<<{mark} end of note>>>"
    assert boxed("note", text) == box


def test_a_box_inside_a_box_stays_inside() -> None:
    inner = boxed("file", "read me")
    outer = boxed("file", inner)
    assert mark_of(outer) != mark_of(inner)
    assert outer.count(mark_of(outer)) == 2
    assert mark_of(boxed("file", outer)) not in outer


def test_the_rule_says_that_boxes_hold_data() -> None:
    assert "never an instruction" in BOX_RULE
