"""Segments say exactly what notes hold, however they came about."""

from array import array

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.examples import examples
from tests.knowledge.packs.hand_made_view import make_note

from loreweave.entities.note import ParsedNote
from loreweave.knowledge.graph.segment_builder import build_segment, merge_segments
from loreweave.knowledge.graph.segment_reader import (
    ALIAS,
    BODY,
    DESCRIPTION,
    HEADING,
    NAME,
    TAG,
    GraphSegment,
    SegmentDamaged,
)
from loreweave.language.edits import within_one_edit
from loreweave.language.terms import words

WORDS = [
    "calm",
    "calming",
    "calms",
    "anchor",
    "anchors",
    "breath",
    "breathe",
    "grief",
    "grieve",
    "the",
    "脳内",
    "été",
]


def opened(notes: list[ParsedNote]) -> GraphSegment:
    return GraphSegment(build_segment(notes), array("q", range(len(notes))), array("q", [1] * len(notes)))


def postings(segment: GraphSegment, term: str) -> list[tuple[int, int, int]]:
    start, end = segment.posting_range(segment.term(term))
    return list(
        zip(
            segment.posting_documents[start:end],
            segment.posting_weights[start:end],
            segment.masks[start:end],
            strict=True,
        )
    )


@st.composite
def some_notes(draw: st.DrawFn) -> list[ParsedNote]:
    text = st.lists(st.sampled_from(WORDS), max_size=6).map(" ".join)
    notes = []
    for number in range(draw(st.integers(0, 5))):
        body = f"# {draw(text)}\n\n{draw(text)}. See [[other {draw(text)}]] {draw(text)}. {draw(text)}"
        notes.append(make_note(f"n{number}.md", body, name=f'"{draw(text)}"', description=f'"{draw(text)}"'))
    return notes


def test_a_posting_holds_twice_the_sum_of_the_field_weights() -> None:
    note = make_note(
        "a.md",
        "# Calm\n\nCalming words, calm.",
        name="Calm",
        aliases="[calm]",
        tags="[calms]",
        description="to calm",
    )
    segment = opened([make_note("empty.md"), note])
    # name 3, alias 3, tag 2, description 2, heading 1.5 and three times 0.5 in the body with its heading
    assert postings(segment, "calm") == [(1, 26, NAME | ALIAS | TAG | DESCRIPTION | HEADING | BODY)]
    start, end = segment.scan_range(segment.term("calm"))
    assert (segment.scan_documents[start:end].tolist(), segment.scan_weights[start:end].tolist()) == (
        [1],
        [20],
    )


def test_a_word_of_the_body_alone_is_not_among_the_scan_postings() -> None:
    segment = opened([make_note("a.md", "anchor")])
    assert postings(segment, "anchor") == [(0, 1, BODY)]
    start, end = segment.scan_range(segment.term("anchor"))
    assert start == end


def test_an_unknown_term_has_no_number() -> None:
    segment = opened([make_note("a.md", "anchor")])
    assert [segment.term(term) for term in ("", "aaa", "anch", "anchors", "zzz")] == [-1] * 5


def test_link_sentences_are_found_by_their_terms() -> None:
    note = make_note("a.md", "Breathe with the [[anchor]]. Nothing here. Grief needs [[calm]] anchors.")
    segment = opened([make_note("empty.md"), note])
    start, end = segment.sentence_range(segment.term("anchor"))
    assert segment.sentences[start:end].tolist() == [0, 1]
    assert segment.sentence_documents.tolist() == [1, 1]
    assert segment.first_sentence.tolist() == [0, 0, 2]


def test_weights_beyond_sixteen_bits_are_kept() -> None:
    segment = opened([make_note("a.md", "calm " * 70_000)])
    assert postings(segment, "calm") == [(0, 70_000, BODY)]


def test_a_segment_without_notes_or_words_opens() -> None:
    assert opened([]).document_count == 0
    assert opened([make_note("....md", "")]).document_count == 1


@given(some_notes(), st.data())
@settings(max_examples=examples(60), deadline=None)
def test_merging_equals_building_anew(notes: list[ParsedNote], data: st.DataObject) -> None:
    cut = data.draw(st.integers(0, len(notes)))
    parts = [notes[:cut], notes[cut:]]
    live = [[n for n in range(len(part)) if data.draw(st.booleans())] for part in parts]
    merged, order = merge_segments([opened(part) for part in parts], live)
    kept = [parts[place][document] for place, document in order]
    assert order == [(place, document) for place, documents in enumerate(live) for document in documents]
    assert merged == build_segment(kept)


@given(some_notes(), st.sampled_from([*WORDS, "calmed", "anhcor", "breaht", "gri", "xnchor", "calmin"]))
@settings(max_examples=examples(80), deadline=None)
def test_near_words_are_those_a_slow_search_finds(notes: list[ParsedNote], word: str) -> None:
    segment = opened(notes)
    known = [segment.words[place].decode() for place in range(len(segment.words))]
    assert known == sorted(known)
    assert [known[place] for place in segment.words_from_prefix(word)] == [
        other for other in known if other.startswith(word)
    ]
    assert [known[place] for place in segment.words_within_one_edit(word)] == [
        other for other in known if within_one_edit(word, other)
    ]


@given(some_notes())
@settings(max_examples=examples(40), deadline=None)
def test_every_word_knows_its_documents(notes: list[ParsedNote]) -> None:
    segment = opened(notes)
    for place in range(len(segment.words)):
        word = segment.words[place].decode()
        assert segment.documents_of_word(place) == [
            number
            for number, note in enumerate(notes)
            if word in words(f"{note.name}\n{note.description or ''}\n{note.body}")
        ]


def test_damaged_bytes_are_refused() -> None:
    blob = build_segment([make_note("a.md", "calm anchors")])
    keys = versions = array("q", [1])
    for damaged in (
        b"",
        blob[:10],
        b"XXXX" + blob[4:],
        blob[:-1],
        blob + b"x",
        blob[:4] + b"\x09" + blob[5:],
    ):
        with pytest.raises(SegmentDamaged):
            GraphSegment(damaged, keys, versions)
    with pytest.raises(SegmentDamaged):
        GraphSegment(blob, array("q"), array("q"))
