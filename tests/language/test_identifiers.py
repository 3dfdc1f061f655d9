"""Flags, dotted names, camelCase and tags, whole and in parts; and one spelling for many."""

import pytest
from tests.pace import PART, within

from loreweave.language.identifiers import phrase_key, read_chunk, words_key
from loreweave.language.slug import fold


def keys(chunk: str) -> set[str]:
    return {mention.key for token in read_chunk(chunk) for mention in token.mentions}


def words(chunk: str) -> list[str]:
    return [mention.word for token in read_chunk(chunk) for mention in token.mentions if mention.word is not None]


@pytest.mark.holds("ask.search.words")
@pytest.mark.parametrize(
    ("chunk", "whole", "parts"),
    [
        ("HEV_TOKEN_FILE", "=hev_token_file", ["hev", "token", "file"]),
        ("`maxRetries`,", "=maxretries", ["max", "retries", "maxretries"]),
        ("(--no-cache)", "=--no-cache", ["no", "cache"]),
        ("search.limit.", "=search.limit", ["search", "limit"]),
        ("C++,", "=c++", []),
        ("C#", "=c#", []),
        (".NET", "=.net", ["net"]),
        ("<table>", "=<table>", ["table"]),
        ("<Foo", "=<foo>", ["foo"]),
        ("HTTPException", "=httpexception", ["http", "exception", "httpexception"]),
        ("OAuth2PasswordBearer", "=oauth2passwordbearer", ["oauth2", "password", "bearer", "oauth2passwordbearer"]),
        ("fastapi.security.OAuth2", "=fastapi.security.oauth2", ["fastapi", "security", "oauth2"]),
        ("使用--no-cache", "=--no-cache", ["no", "cache"]),
    ],
)
def test_an_identifier_is_read_whole_and_in_parts(chunk, whole, parts) -> None:
    assert whole in keys(chunk)
    assert words(chunk) == parts


@pytest.mark.holds("ask.search.words")
@pytest.mark.parametrize("chunk", ["install,", "Install", "INSTALL", "(install)", "“install”"])
def test_a_plain_word_is_no_identifier(chunk) -> None:
    (token,) = read_chunk(chunk)
    assert not token.identifier
    assert words(chunk) == ["install"]


def test_an_identifier_with_its_case_has_a_key_of_its_own() -> None:
    assert {"=maxretries", "=maxRetries"} <= keys("maxRetries")
    assert read_chunk("-X")[0].exact == "=-X"


def test_a_phrase_has_a_key_only_where_it_is_more_than_an_identifier() -> None:
    assert phrase_key("--depth  <n|all>") == "=--depth <n|all>"
    assert phrase_key("--depth") == ""
    assert phrase_key("a " * 200) == ""


def test_a_heading_is_known_by_its_words() -> None:
    written, asked = (
        words_key(token for chunk in text.split() for token in read_chunk(chunk))
        for text in ("What is *CORS*?", "what is cors")
    )
    assert written == asked == "#what is cors"


@pytest.mark.parametrize(
    ("text", "folded"),
    [("Café", "cafe"), ("STRAẞE", "strasse"), ("ｆｕｌｌ", "full"), ("Łódź", "lodz"), ("が", "が"), ("한국", "한국"),
     ("İstanbul", "istanbul"), ("Ærø", "aero"), ("so\u00adft", "soft")],
)  # fmt: skip
def test_spellings_are_folded_into_one(text, folded) -> None:
    assert fold(text) == folded
    assert fold(folded) == folded


HOSTILE = [
    "a-",
    "<",
    "A",
    "aA",
    "-",
    "'",
    "a'",
    "/a",
    "e\u0301",
    "c+",
    "a:",
    "_",
    "a_",
    "<a",
    "--a",
    "a.b/",
    "é_",
    "C#",
]


@pytest.mark.lengthy(5)
@pytest.mark.parametrize("opener", HOSTILE)
def test_a_megabyte_without_a_blank_is_read_in_one_pass(opener) -> None:
    text = opener * (1_000_000 // PART // len(opener))
    within(1 / PART, lambda: read_chunk(text))
