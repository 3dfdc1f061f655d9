"""Facts of one page: slices of its source that code recognises."""

import re
from collections.abc import Iterator

from loreweave.entities.digest import Fact, FactKind
from loreweave.knowledge.documents.find_sections import SectionFinder
from loreweave.language.markdown.generator_marks import SHORTCODE
from loreweave.language.markdown.page_outline import CodeBlock, CodeSpan, PageOutline
from loreweave.language.markdown.parsed_text import ParsedText

FLAG_IN_PROSE = re.compile(rb"-(?<![\w.\x80-\xff-]-)(?:-[A-Za-z0-9]\w*+(?:[-.]\w++)*+|[A-Za-z](?![\w-]))")
FLAG_IN_CODE = re.compile(rb"-(?<![\w.\x80-\xff-]-)(?:-[A-Za-z0-9]\w*+(?:[-.]\w++)*+|[A-Za-z]\w*+(?:-\w++)*+)")
FLAG_OPENS = re.compile(rb"-(?:-[A-Za-z0-9]|[A-Za-z])")
SHELLS = frozenset(
    b"sh bash zsh fish shell console terminal shell-session shellsession sh-session cmd bat batch dos powershell ps1"
    b" pwsh ksh csh tcsh nu shellscript".split()
)

ENVIRONMENT = re.compile(rb"[A-Z](?<![\w\x80-\xff][A-Z])[A-Z0-9]*+(?:_[A-Z0-9]++)++(?![\w])")
DOTTED = re.compile(rb"[A-Za-z_][\w-]*+(?:\.[A-Za-z_*][\w-]*+)++(?=\s*+[=:]|\Z)")
NO_SETTINGS = frozenset(
    b"md mdx markdown json jsonc json5 yaml yml toml py pyi ipynb js mjs cjs ts mts cts tsx jsx html htm css scss less"
    b" txt sh bash zsh bat ps1 rs go rb php java kt swift c h cc cpp hpp cs lock cfg ini conf env xml csv tsv sql db"
    b" sqlite png jpg jpeg gif svg webp ico pdf zip gz tar tgz whl log pem crt vue svelte astro lua dockerfile"
    b" com org net io dev app ai co".split()
)

DEFAULT_PHRASE = re.compile(
    rb"efault(?<=[Dd]efault)(?<![\w-][Dd]efault)(?:s\s++to\b:?|(?:\s++values?)?\s*+(?:\bis\b|\bare\b|:))\s*+"
    rb"(?:(?:an?|the)\s++(?=`))?"
)
BY_DEFAULT = re.compile(rb"y(?<=[Bb]y)(?<![\w-][Bb]y)\s++default\b[,:]?\s++(?:(?:an?|the)\s++(?=`))?")
WORD = re.compile(rb"[^\s\0`|<>()\[\]{}\"',;*]++")
NO_DEFAULTS = frozenset(
    b"a an the to not no that this these those it its they there we you i what whatever which see when if as in on"
    b" of by for with from and or but used set fine ok same e.g e.g. i.e i.e. eg ie for".split()
)
PLAIN_DEFAULT = re.compile(rb"(?i:true|false|on|off|yes|none|null|enabled|disabled)|\S*\d\S*")

_UNITS = (
    rb"(?:%|(?:ns|us|\xc2\xb5s|ms|s|m|h|d|w|x|k|K|B)(?![\w])"
    rb"|(?:[ -]|\xc2\xa0)?(?:%|ns|us|\xc2\xb5s|ms|[kKMGTP]i?[bB](?:ps|/s)?|[kMG]?Hz|\xc2\xb0[CF]?|px|r?em|pt|vh"
    rb"|vw|[qr]ps|(?:sec(?:ond)?|min(?:ute)?|hr|hour|day|week|month|year|byte|bit|token|char|character|word|line|request|core"
    rb"|thread|dimension|message|file|row|page|item|connection|worker|attempt)s?|retries|entries|(?:kilo|mega|giga|tera)bytes?"
    rb")(?![\w]))"
)
NUMBER = re.compile(
    rb"[0-9](?<![\w.$#\x80-\xff-][0-9])(?:[0-9]{3}-[0-9]{2}-[0-9]{2}(?![\w-])"
    rb"|[0-9_]*+(?:,[0-9]{3})*+(?:\.[0-9]++)?" + _UNITS + rb"|[0-9]*+(?:\.[0-9]++)++"
    rb"(?:\.[xX*](?!\w))?(?:-?[A-Za-z][0-9A-Za-z]*+(?:\.[0-9A-Za-z]++)*+|\+[0-9A-Za-z.]++)?(?![\w])|[0-9]*+\.[xX](?![\w]))"
)
VERSION = re.compile(rb"v(?<![\w.-]v)[0-9]++(?:\.[0-9xX]++)*+(?:[-+][0-9A-Za-z]++(?:[.-][0-9A-Za-z]++)*+)?(?![\w])")
IDENTIFIER = re.compile(rb"[A-Za-z](?<![\w.@/:\x80-\xff-][A-Za-z])[A-Za-z0-9]*+(?:[-._][A-Za-z0-9]++)++(?![\w/@])")
HYPHEN, DIGIT = re.compile(rb"-(?=[A-Za-z0-9])"), re.compile(rb"[0-9]")
IN_NAMES = frozenset(b"".join(re.findall(rb"[\w.@/:\x80-\xff-]", bytes(range(256)))))
URL = re.compile(rb"://[^\s\0<>\"'`|\\^{}]++")
URL_SCHEME = re.compile(rb"(?<![A-Za-z0-9+.-])[A-Za-z][A-Za-z0-9+.-]{1,20}\Z")
VALUE_SPAN = re.compile(
    rb"v[0-9]++(?:\.[0-9xX]++)*+(?:[-+][0-9A-Za-z.-]++)?|[0-9]++(?:\.[0-9xX]++)++(?:[-+][0-9A-Za-z.-]++)?"
    rb"|[0-9_]++(?:,[0-9]{3})*+(?:\.[0-9]++)?" + _UNITS + rb"|[0-9]{4}-[0-9]{2}-[0-9]{2}"
    rb"|[A-Za-z][A-Za-z0-9+.-]{1,20}://[^\s]++"
    rb"|(?=[^-]*+-)(?=[^0-9]*+[0-9])[A-Za-z@][A-Za-z0-9]*+(?:[-._/:@][A-Za-z0-9]++)++"
)


def find_identifiers(prose: bytes) -> Iterator[re.Match[bytes]]:
    """Names such as `model-small-4-5`: parts joined by hyphens, a digit among them. Looked for around hyphens alone."""
    at = 0
    for hyphen in HYPHEN.finditer(prose):
        start = max(at, hyphen.start())
        while start > at and prose[start - 1] in IN_NAMES:
            start -= 1
        found = IDENTIFIER.match(prose, start) if hyphen.start() >= at else None
        at = max(at, found.end() if found else hyphen.end())
        if found and b"-" in found[0] and DIGIT.search(found[0]):
            yield found


def trim_url(found: bytes) -> int:
    """Length of a URL without the marks of the sentence around it."""
    end = len(found)
    while end and (found[end - 1] in b".,;:!?*_'" or (found[end - 1] in b")]" and _unbalanced(found[:end]))):
        end -= 1
    return end


def _unbalanced(found: bytes) -> bool:
    closing = found[-1:]
    return found.count(closing) > found.count(b"(" if closing == b")" else b"[")


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
            if number < 0 or not literal or b"{% endraw" in literal or (b"{{" in literal and SHORTCODE.search(literal)):
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
        for found in find_identifiers(prose):
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
