import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.knowledge.documents.read_notes import read_note

from loreweave.entities.note import MAX_CONTEXTS


def context(text: str) -> str:
    return read_note("note.md", text.encode()).sentences[0]


@pytest.mark.holds("graph.links.context-sentence", "graph.links.context-not-cut")
@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("the [[a]] worksheet", "the [[a]] worksheet"),
        ("First. Use the [[a]] here. Last.", "Use the [[a]] here."),
        ("One\n  two\t[[a]]   three\nfour.", "One two [[a]] three four."),
        ("See tools, e.g. [[a]], or others. Next.", "See tools, e.g. [[a]], or others."),
        (
            "See Dr. Who and J. Smith vs. The [[a]] etc. Then. Next",
            "See Dr. Who and J. Smith vs. The [[a]] etc. Then.",
        ),
        ("Look at [[Mr. A. Is it. So]] now. Next.", "Look at [[Mr. A. Is it. So]] now."),
        ("Before. [[x. Y]] after [[a]]. End", "[[x. Y]] after [[a]]."),
        ("Really? Yes! [[a]] it is… Fine.", "[[a]] it is…"),
        ('He said "stop." Then [[a]] went.', "Then [[a]] went."),
        ("Version 1.2 of [[a]] works.", "Version 1.2 of [[a]] works."),
        *(
            (f"Before. The {short} 5 of [[a]] here. Next.", f"The {short} 5 of [[a]] here.")
            for short in ("No.", "Mt.", "Sec.", "Ch.", "Ph.D.", "U.S.", "U.K.", "Jan.", "Sept.", "Dec.", "N.A.T.O.")
        ),
        ("The U.S. Army uses [[a]]. Next.", "The U.S. Army uses [[a]]."),
        ("So do I. See [[a]]! Next.", "See [[a]]!"),
        ("Is it? No. See [[a]]. Next.", "See [[a]]."),
        ("最初。次は[[a]]です。最後。", "次は[[a]]です。"),
        ("Para one.\n\nUse [[a]]\n\nPara three.", "Use [[a]]"),
        ("- first\n- use [[a]]\n- third", "use [[a]]"),
        ("- [ ] do [[a]]\n  soon", "[ ] do [[a]] soon"),
        ("1. use [[a]]\n2. other", "use [[a]]"),
        ("## About [[a]]\nText", "About [[a]]"),
        ("About [[a]]\n===\nText", "About [[a]]"),
        ("| h | i |\n|---|---|\n| x. Y | [[a]] |\n| z | w |", "x. Y | [[a]]"),
        ("> quoted\n> text [[a]]\n> more", "quoted text [[a]] more"),
        ("text <!-- hidden --> [[a]]", "text [[a]]"),
        ("![[a]] embedded", "![[a]] embedded"),
        ("see [the text](a.md) now", "see [the text](a.md) now"),
    ],
)
def test_the_context_is_the_sentence_of_the_link(text: str, expected: str) -> None:
    assert context(text) == expected


@pytest.mark.holds("graph.links.context-length", "graph.links.context-not-cut")
def test_a_long_sentence_is_cut_round_the_link_at_words_and_links() -> None:
    text = "word [[other note]] " * 40 + "[[a]]" + " [[other note]] word" * 40
    found = next(one for one in read_note("n.md", text.encode()).sentences if "[[a]]" in one)
    assert 200 < len(found) <= 300
    assert found in text
    assert found.count("[[") == found.count("]]")
    assert abs(found.index("[[a]]") - len(found) / 2) < 30


@pytest.mark.holds("graph.links.context-length")
def test_room_left_on_one_side_is_used_by_the_other() -> None:
    found = context("[[a]] " + "word " * 200)
    assert 290 < len(found) <= 300


@pytest.mark.holds("graph.links.context-length", "graph.links.context-not-cut")
def test_a_link_longer_than_a_context_stays_whole() -> None:
    link = "[[" + "a" * 400 + "]]"
    assert context(f"before {link} after") == link


def test_so_many_sentences_are_kept_and_no_more() -> None:
    note = read_note("n.md", "".join(f"Number {i} names [[a]].\n\n" for i in range(50)).encode())
    (link,) = note.links
    assert link.count == 50
    assert len(link.sentences) == MAX_CONTEXTS


@pytest.mark.holds("graph.links.context-length", "graph.links.context-sentence")
@given(st.lists(st.sampled_from(["[[a]]", "[[b c|d]]", "word", ". ", "e.g. ", "\n", " ", "x" * 90, "[t](u.md)", "]]"])))
def test_a_context_holds_its_link_and_no_broken_one(parts: list[str]) -> None:
    note = read_note("n.md", "".join(parts).encode())
    for link in note.links:
        assert link.sentences
        for index in link.sentences:
            sentence = note.sentences[index]
            assert link.target.split(" ")[0] in sentence
            assert len(sentence) <= 300
            assert sentence == " ".join(sentence.split())
