import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from loreweave.language.markdown.decode_text import decode_text


@pytest.mark.holds("graph.text.utf8", "graph.text.utf16", "graph.text.line-ends", "graph.text.nul")
@pytest.mark.parametrize(
    ("data", "text"),
    [
        ("häßlich".encode(), "häßlich"),
        (b"\xef\xbb\xbfabc", "abc"),
        ("né".encode("utf-16-le").join([b"\xff\xfe", b""]), "né"),
        ("né".encode("utf-16-be").join([b"\xfe\xff", b""]), "né"),
        (b"a\r\nb\rc\n", "a\nb\nc\n"),
        (b"a\x00b", "a\ufffdb"),
        (b"", ""),
    ],
)
def test_ordinary_encodings_are_read_without_complaint(data: bytes, text: str) -> None:
    assert decode_text(data) == (text, None)


@pytest.mark.holds("graph.text.cp1252")
def test_other_bytes_are_read_as_windows_text_with_a_complaint() -> None:
    text, oddity = decode_text(b"caf\xe9 \x93x\x94 \x80\x81")
    assert text == "café “x” €\ufffd"
    assert oddity is not None


@pytest.mark.holds("graph.text.binary")
def test_what_is_no_text_is_not_read_and_a_stray_nul_is_no_reason() -> None:
    picture = random.Random(7).randbytes(200_000)
    text, oddity = decode_text(picture)
    assert text == ""
    assert oddity is not None
    assert "not read" in oddity
    text, oddity = decode_text(b"caf\xe9, and many more words than one would count\x00 in a line of text")
    assert text.startswith("caf\u00e9, and")
    assert "\ufffd" in text


@pytest.mark.holds("graph.text.utf16")
@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be"])
def test_utf16_without_its_mark_is_read_and_said(encoding: str) -> None:
    written = "# Caf\u00e9\r\nThe zeppelin \u2013 at noon\n"
    assert decode_text(written.encode(encoding)) == (written.replace("\r", ""), "UTF-16 without a byte order mark")
    assert decode_text(b"a\0b and words") == ("a\ufffdb and words", None)


@pytest.mark.holds("graph.text.utf16")
def test_damaged_utf16_is_read_as_far_as_possible() -> None:
    text, oddity = decode_text(b"\xff\xfea\x00\x00\xd8b")
    assert text.startswith("a")
    assert oddity is not None


@pytest.mark.holds("graph.text.utf8")
@given(st.binary())
def test_whatever_the_bytes_the_text_can_be_stored(data: bytes) -> None:
    text, _ = decode_text(data)
    text.encode("utf-8")
    assert "\r" not in text
    assert "\0" not in text
