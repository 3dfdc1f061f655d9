"""Facts of one page: slices of its source that code recognises."""

from collections.abc import Iterator

from loreweave.entities.page import Fact, FactKind
from loreweave.knowledge.asking.documents.fact_patterns import (
    BY_DEFAULT,
    DEFAULT_PHRASE,
    DOTTED,
    ENVIRONMENT,
    FLAG_IN_CODE,
    FLAG_IN_PROSE,
    FLAG_OPENS,
    IDENTIFIER,
    NO_DEFAULTS,
    NO_SETTINGS,
    NUMBER,
    PLAIN_DEFAULT,
    SHELLS,
    URL,
    URL_SCHEME,
    VALUE_SPAN,
    VERSION,
    WORD,
    is_identifier,
    trim_url,
)
from loreweave.knowledge.asking.documents.find_sections import SectionFinder
from loreweave.knowledge.asking.documents.page_outline import CodeBlock, CodeSpan, PageOutline
from loreweave.knowledge.asking.documents.parsed_text import ParsedText

KINDS: tuple[FactKind, ...] = ("flag", "key", "default", "value", "code")  # the first one earned counts
FLAG, KEY, DEFAULT, VALUE, CODE = range(5)

_DASHES = "-–— ".encode()  # an empty cell, as many write it

Candidate = tuple[int, int, int]  # kind, start and end in the parsed text


class FactFinder:
    """Looks for every kind of fact in one page."""

    def __init__(self, outline: PageOutline, parsed: ParsedText) -> None:
        self._outline = outline
        self._parsed = parsed
        self._data = parsed.data
        self._prose = bytes(outline.prose)
        self._spans = {span.outer: span for span in outline.code_spans}

    def find(self, sections: SectionFinder, count: int) -> list[tuple[Fact, ...]]:
        """The facts of each section in order of appearance, each literal once."""
        best: list[dict[bytes, Candidate]] = [{} for _ in range(count)]
        source = self._parsed.source
        for place, candidate in self._candidates():
            number = sections.number(place)
            kind, start, end = candidate
            literal = source[start:end]
            if number < 0 or not literal:
                continue
            known = best[number].get(literal)
            if known is None or kind < known[0]:
                best[number][literal] = candidate
        return [
            tuple(
                Fact(KINDS[kind], literal.decode("utf-8", "replace"), start, end)
                for literal, (kind, start, end) in sorted(facts.items(), key=lambda fact: fact[1][1:])
            )
            for facts in best
        ]

    def _candidates(self) -> Iterator[tuple[int, Candidate]]:
        """Place in the parsed text, and kind and stretch in the source."""
        for kind, start, end in self._inline():
            first, last = self._parsed.stretch(start, end)
            if last - first == end - start or kind == CODE:  # nothing was cut out of it
                yield start, (kind, first, last)
        for block in self._outline.code_blocks:
            yield block.start, (CODE, *self._body(block))

    def _inline(self) -> Iterator[Candidate]:
        yield from self._in_prose()
        yield from self._defaults()
        for span in self._outline.code_spans:
            yield from self._in_span(span)
        for block in self._outline.code_blocks:
            yield from self._in_block(block)
        for start, end in self._outline.urls:
            yield VALUE, start, end

    def _in_prose(self) -> Iterator[Candidate]:
        prose = self._prose
        for kind, pattern in ((FLAG, FLAG_IN_PROSE), (KEY, ENVIRONMENT), (VALUE, NUMBER), (VALUE, VERSION)):
            for found in pattern.finditer(prose):
                yield kind, found.start(), found.end()
        for found in IDENTIFIER.finditer(prose):
            if is_identifier(found[0]):
                yield VALUE, found.start(), found.end()
        for found in URL.finditer(prose):
            scheme = URL_SCHEME.search(prose, max(0, found.start() - 22), found.start())
            length = trim_url(found[0])
            if scheme and length > 3:
                yield VALUE, scheme.start(), found.start() + length

    def _defaults(self) -> Iterator[Candidate]:
        for start, end in self._outline.default_cells:
            span = self._spans.get(start)
            only_code = span is not None and span.end + span.start - start == end
            if not only_code and self._data[start:end].strip(_DASHES):
                yield DEFAULT, start, end
        for pattern in (DEFAULT_PHRASE, BY_DEFAULT):
            for found in pattern.finditer(self._prose):
                span = self._spans.get(found.end())
                word = None if span else WORD.match(self._prose, found.end())
                if span:
                    yield DEFAULT, span.start, span.end
                elif word and _is_default(word[0].rstrip(b".:!?"), plain=pattern is BY_DEFAULT):
                    yield DEFAULT, word.start(), word.start() + len(word[0].rstrip(b".:!?"))

    def _in_span(self, span: CodeSpan) -> Iterator[Candidate]:
        start, end, data = span.start, span.end, self._data
        yield CODE, start, end
        for found in ENVIRONMENT.finditer(data, start, end):
            yield KEY, found.start(), found.end()
        if FLAG_OPENS.match(data, start, end):
            yield FLAG, start, end
            return
        for found in FLAG_IN_CODE.finditer(data, start, end):
            yield FLAG, found.start(), found.end()
        dotted = DOTTED.match(data, start, end)
        if dotted and dotted[0].rpartition(b".")[2].lower() not in NO_SETTINGS:
            yield KEY, start, dotted.end()
        if span.role:
            yield KEY if span.role == "key" else DEFAULT, start, end
        if VALUE_SPAN.fullmatch(data, start, end):
            yield VALUE, start, end

    def _in_block(self, block: CodeBlock) -> Iterator[Candidate]:
        for found in ENVIRONMENT.finditer(self._data, block.start, block.end):
            yield KEY, found.start(), found.end()
        if block.language in SHELLS or (not block.language and self._data.startswith(b"$ ", block.start)):
            for found in FLAG_IN_CODE.finditer(self._data, block.start, block.end):
                yield FLAG, found.start(), found.end()

    def _body(self, block: CodeBlock) -> tuple[int, int]:
        """The body in the source, without its last line end.

        In a list, quote or component each line carries a prefix. One line is taken without it; several are taken as
        whole lines, so that all of them carry it alike.
        """
        source = self._parsed.source
        start, end = self._parsed.stretch(block.start, block.end)
        end -= source.endswith(b"\n", start, end)
        line = source.rfind(b"\n", 0, start) + 1
        if source.find(b"\n", start, end) >= 0 and not source[line:start].strip(b" \t>"):
            start = line
        return start, end


def _is_default(word: bytes, plain: bool) -> bool:
    """Whether a word says what the default is; after "by default" only what cannot be prose."""
    if not word or word.lower() in NO_DEFAULTS:
        return False
    return not plain or PLAIN_DEFAULT.fullmatch(word) is not None
