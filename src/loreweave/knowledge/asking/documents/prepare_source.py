"""From a document's source to the text that is parsed."""

import re

import pyromark

from loreweave.knowledge.asking.documents.mask_components import find_component_cuts
from loreweave.knowledge.asking.documents.parsed_text import ParsedText
from loreweave.knowledge.reading.frontmatter import Header, read_header

OPTIONS = (
    pyromark.Options.ENABLE_TABLES
    | pyromark.Options.ENABLE_DEFINITION_LIST
    | pyromark.Options.ENABLE_STRIKETHROUGH
    | pyromark.Options.ENABLE_TASKLISTS
    | pyromark.Options.ENABLE_FOOTNOTES
    | pyromark.Options.ENABLE_WIKILINKS
)
COLON = "\x1f"  # stands for a colon that must not open a definition

_SURROGATES = re.compile("[\ud800-\udfff]")
_LOOSE_COLONS = re.compile(rb"^[ \t>]*+(:++)(?![ \t\n])|^[ \t>]*+(::++)", re.MULTILINE)
_DIRECTIVE = re.compile(COLON + r"{3,}+[ ]?[\w-]*+")
_DEEP_NESTING = re.compile(rb"^(?:[ \t]*+(?:>|[-*+][ \t]|\d{1,9}[.)][ \t])){64}([>*+\-\d.) \t]++)", re.MULTILINE)


def prepare_source(path: str, source: str) -> tuple[Header, ParsedText, str]:
    """Header, the way back to the source, and the text to parse: byte for byte as long as the parsed text."""
    source = _SURROGATES.sub("\ufffd", source)
    header = read_header(source)
    data = source.encode("utf-8")
    start = len(source[: header.end].encode("utf-8")) if header.end else 0
    cuts: list[tuple[int, int]] = []
    if path.casefold().endswith(".mdx"):
        cuts = [(start + first, start + last) for first, last in find_component_cuts(data[start:])]
    parsed = ParsedText(data, start, cuts)
    return header, parsed, _tame(parsed.data).decode("utf-8")


def _tame(data: bytes) -> bytes:
    """Without what the parser takes for more than it is; every byte stays at its place."""
    if b"\n:" in data and COLON.encode() not in data:
        # `:::note` is a directive and `:smile:` a word: only a colon and a blank begin a definition.
        data = _LOOSE_COLONS.sub(lambda found: found[0].replace(b":", COLON.encode()), data)
    return _DEEP_NESTING.sub(lambda found: found[0][: -len(found[1])] + b" " * len(found[1]), data)


def restore(text: str) -> str:
    """Text of the parser as it was written."""
    return text.replace(COLON, ":") if COLON in text else text


def restore_prose(text: str) -> str:
    """The same without the marks of a directive."""
    return restore(_DIRECTIVE.sub("", text)) if COLON in text else text
