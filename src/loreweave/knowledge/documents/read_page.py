"""One document's source → what it says by itself."""

import re
from bisect import bisect_right
from collections.abc import Iterator

from loreweave.entities.digest import GlossaryFinding, PageLink, PageReading, PageSection
from loreweave.knowledge.documents.find_facts import FactFinder
from loreweave.knowledge.documents.find_sections import SectionFinder
from loreweave.knowledge.documents.outline_page import OutlineWalker
from loreweave.knowledge.documents.page_outline import OutlineBlock, OutlineHeading, PageOutline
from loreweave.knowledge.documents.prepare_source import prepare_source
from loreweave.knowledge.documents.term_words import (
    is_definition_after_copula,
    is_filler,
    names_a_thing,
    says_what_it_is,
)
from loreweave.knowledge.reading.frontmatter import Header

_END = re.compile(r"[.!?…](?:(?<=[.!?…])[.!?…]*+[\"'”’»)\]]*+(?:\s++|\Z))|[。！？][。！？]*+[”’」』）]*+")
_LAST_WORD = re.compile(r"[\w.]+$")
_ABBREVIATIONS = (
    " e.g i.e eg ie etc vs cf ca al approx resp viz incl excl esp fig figs eq eqs chap vol nos pp eds no"
    " mr mrs ms dr prof st jr sr inc ltd dept misc sec ch ph.d bzw usw ggf vgl jan feb mar apr jun jul aug sep sept oct"
    " nov dec "
)
_INITIAL = re.compile(r"[^\W\d_](?:\.[^\W\d_])*+")


def sentence_end(text: str, start: int = 0) -> int:
    """Where the sentence that begins at `start` ends, its mark included; the text's end if it has none."""
    for found in _END.finditer(text, start):
        if found.end() >= len(text) or _is_end(text, found):
            return found.start() + len(found[0].rstrip())
    return len(text)


def sentence_ends(text: str) -> list[int]:
    """Where each sentence of a text ends."""
    ends = [sentence_end(text)]
    while ends[-1] < len(text):
        ends.append(sentence_end(text, ends[-1]))
    return ends


def sentence_around(text: str, ends: list[int], place: int) -> str:
    """The sentence that holds a place of the text."""
    number = min(bisect_right(ends, place), len(ends) - 1)
    return text[ends[number - 1] if number else 0 : ends[number]].strip()


def first_sentence(text: str) -> str:
    """The text up to its first sentence's end."""
    return text[: sentence_end(text)].strip()


def _is_end(text: str, found: re.Match[str]) -> bool:
    if text[found.start()] in "。！？":
        return True
    if text[found.end()].islower():
        return False
    if text[found.start()] != ".":
        return True
    word = _LAST_WORD.search(text[max(0, found.start() - 12) : found.start()])
    if word is None or word[0] == "I":
        return True
    return not _INITIAL.fullmatch(word[0]) and f" {word[0].casefold()} " not in _ABBREVIATIONS


MAX_TERM = 80  # characters; what is longer is a sentence, not a name

_INITIALS = re.compile(r"\(([A-Z][A-Za-z0-9]{1,9})\)")
_WORD_PART = re.compile(r"[A-Z]?[^\W\d_A-Z]+|[A-Z]+(?![^\W\d_A-Z])|\d+", re.UNICODE)
_SEPARATOR = re.compile(r"\s*+(:|[—–]|-(?=\s)|(?:is|are)\b)\s*+")
_COPULA = re.compile(r"\s++(?:is|are)\s++(?:an?|the)\s", re.IGNORECASE)
_ARTICLE = re.compile(r"(?:an?|the)\s++", re.IGNORECASE)
_ALIASES = re.compile(r"(.+?)\s*\(([^()]+)\)")
_SMALL = frozenset(("a", "an", "and", "by", "for", "in", "of", "on", "or", "the", "to", "with"))


class TermFinder:
    """Looks for defined terms in one page."""

    def __init__(self, outline: PageOutline, sections: SectionFinder, is_glossary: bool) -> None:
        self._blocks = outline.blocks
        self._headings = {heading.block: heading for heading in outline.headings}
        self._first = outline.headings[0].block if outline.headings else -1
        self._sections = sections
        self._is_glossary = is_glossary

    def find(self) -> tuple[GlossaryFinding, ...]:
        """In order of appearance; equal terms are not merged here."""
        found = []
        for number, block in enumerate(self._blocks):
            for term, definition in self._in_block(number, block):
                finding = self._finding(term, definition, self._sections.number(block.start))
                if finding:
                    found.append(finding)
        return tuple(found)

    def _in_block(self, number: int, block: OutlineBlock) -> Iterator[tuple[str, str]]:
        """Terms as written, aliases in brackets behind them, with their definitions."""
        if block.kind == "heading":
            yield from self._under_heading(number, self._headings.get(number))
        elif block.kind == "definition":
            before = self._blocks[number - 1] if number else None
            if before and before.kind == "term":
                yield before.text, first_sentence(block.text)
        if block.kind in ("text", "definition", "html"):
            if block.bold:
                yield from _after_bold(block)
            if "(" in block.text:
                yield from _by_initials(block.text)

    def _under_heading(self, number: int, heading: OutlineHeading | None) -> Iterator[tuple[str, str]]:
        body = self._blocks[number + 1] if number + 1 < len(self._blocks) else None
        if heading is None or body is None or body.kind not in ("text", "definition"):
            return
        sentence = first_sentence(body.text)
        listed = self._is_glossary and not (number == self._first and heading.level == 1)
        if listed or _defines(heading.text, sentence):
            yield heading.text, sentence

    def _finding(self, written: str, definition: str, section: int) -> GlossaryFinding | None:
        term, aliases = split_aliases(written)
        if section < 0 or not definition or len(term) > MAX_TERM or not any(map(str.isalpha, term)):
            return None
        if is_filler(term):
            return None
        return GlossaryFinding(term, aliases, definition, section)


def split_aliases(written: str) -> tuple[str, tuple[str, ...]]:
    """`Term (Other, OT)` → the term and its aliases."""
    written = " ".join(written.split()).strip(" :*_")
    parts = _ALIASES.fullmatch(written) if len(written) < 2 * MAX_TERM else None
    if parts is None:
        return written, ()
    aliases = (alias.strip() for alias in re.split(r"[,;/]", parts[2]))
    term = parts[1].strip()
    return term, tuple(dict.fromkeys(alias for alias in aliases if alias and alias.casefold() != term.casefold()))


def _after_bold(block: OutlineBlock) -> Iterator[tuple[str, str]]:
    """`**Term**: text`, `**Term:** text`, `**Term** is …`."""
    term, rest = block.bold, block.text[len(block.bold) :]
    bracket = re.match(r"\s*(\([^()]{1,60}\))", rest)
    if bracket:
        term, rest = f"{term} {bracket[1]}", rest[bracket.end() :]
    separator = _SEPARATOR.match(rest)
    if not names_a_thing(term):
        return
    if not term.endswith(":") and separator and separator[1] in ("is", "are"):
        if is_definition_after_copula(rest[separator.end() :]):
            yield term, first_sentence(block.text)
    elif term.endswith(":") or separator:
        definition = first_sentence(rest[separator.end() :] if separator and not term.endswith(":") else rest)
        if says_what_it_is(definition):
            yield term, definition


def _by_initials(text: str) -> Iterator[tuple[str, str]]:
    """`Write Ahead Log (WAL)`: as many words before the bracket as it takes for the initials to agree."""
    ends: list[int] = []
    for found in _INITIALS.finditer(text):
        phrase = _agreeing_phrase(text[max(0, found.start() - 120) : found.start()].rstrip(), found[1])
        if phrase:
            ends = ends or sentence_ends(text)
            yield f"{phrase} ({found[1]})", sentence_around(text, ends, found.start())


def _agreeing_phrase(before: str, initials: str) -> str | None:
    wanted = initials.casefold()
    wanted = wanted[:-1] if len(wanted) > 2 and initials.endswith("s") else wanted
    words = before.split(" ")
    letters = ""
    for count in range(1, min(len(words), 2 * len(wanted) + 2) + 1):
        word = words[-count]
        if count > 1 and word[-1:] in ".,;:!?":
            return None  # another phrase
        parts = [part[0].casefold() for part in _WORD_PART.findall(word.replace("'", ""))]
        if not parts:
            return None
        if word.casefold() in _SMALL and wanted[: len(wanted) - len(letters)][-1:] != parts[0]:
            continue
        letters = "".join(parts) + letters
        if letters == wanted:
            return " ".join(words[-count:]).lstrip("(\"'“")
        if not wanted.endswith(letters):
            return None
    return None


def _defines(heading: str, sentence: str) -> bool:
    """Whether the sentence begins "Heading is a …", an article before it allowed."""
    name = split_aliases(heading)[0].casefold()
    said = sentence.casefold()
    article = _ARTICLE.match(said)
    for start in (0, article.end() if article else 0):
        if name and said.startswith(name, start) and _COPULA.match(said, start + len(name)):
            return True
    return False


def read_page(path: str, source: str, *, slug_scheme: str, heading_depth: int) -> PageReading:
    """Sections, facts, links and terms of a document; its ending says whether it is MDX. Reads any text."""
    header, parsed, text = prepare_source(path, source)
    outline = OutlineWalker(parsed).walk(text)
    description = _field(header, "description")
    finder = SectionFinder(outline, parsed, slug_scheme, heading_depth, description is not None)
    plans = finder.sections()
    facts = FactFinder(outline, parsed).find(finder, len(plans))
    sections = tuple(
        PageSection(
            plan.anchor,
            plan.heading.text if plan.heading else None,
            plan.heading.level if plan.heading else 0,
            plan.start,
            plan.end,
            plan.text,
            facts[number],
        )
        for number, plan in enumerate(plans)
    )
    title = _field(header, "title") or next((found.text for found in outline.headings if found.level == 1), None)
    terms = TermFinder(outline, finder, _is_glossary(path, title)).find()
    links = _links(outline, finder)
    return PageReading(title, _field(header, "group"), description, sections, links, terms, finder.anchors())


def _is_glossary(path: str, title: str | None) -> bool:
    """Whether the page is called so, by its file, its folder's index or its title."""
    *folders, name = path.casefold().split("/")
    name = name.rpartition(".")[0] or name
    called = folders[-1] if name == "index" and folders else name
    return "glossary" in (called, (title or "").casefold())


def _field(header: Header, key: str) -> str | None:
    value = header.fields.get(key)
    return (" ".join(value.split()) or None) if isinstance(value, str) else None


def _links(outline: PageOutline, finder: SectionFinder) -> tuple[PageLink, ...]:
    placed = ((finder.number(link.start), link) for link in outline.links)
    return tuple(PageLink(number, link.target, link.wikilink) for number, link in placed if number >= 0)
