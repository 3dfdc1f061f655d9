"""Terms that a page defines itself: in bold, under a heading, in a list of definitions, behind their initials."""

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator

from loreweave.entities.digest import GlossaryFinding
from loreweave.knowledge.documents.find_sections import SectionFinder
from loreweave.knowledge.documents.read_document import DocumentReading
from loreweave.language.markdown.contexts import first_sentence, sentence_starts
from loreweave.language.markdown.page_outline import OutlineBlock, OutlineHeading
from loreweave.language.term_words import (
    is_definition_after_copula,
    is_filler,
    is_flagged,
    is_worth_showing,
    names_a_thing,
    says_what_it_is,
)

MAX_TERM = 80  # characters; what is longer is a sentence, not a name

_INITIALS = re.compile(r"\(([A-Z][A-Za-z0-9]{1,9})\)")
_WORD_PART = re.compile(r"[A-Z]?[^\W\d_A-Z]+|[A-Z]+(?![^\W\d_A-Z])|\d+", re.UNICODE)
_SEPARATOR = re.compile(r"\s*+(:|[—–]|-(?=\s)|(?:is|are)\b)\s*+")
_COPULA = re.compile(r"\s++(?:is|are)\s++(?:an?|the)\s", re.IGNORECASE)
_ARTICLE = re.compile(r"(?:an?|the)\s++", re.IGNORECASE)
_ALIASES = re.compile(r"(.+?)\s*\(([^()]+)\)")
_WORD = re.compile(r"\w++")
_SMALL = frozenset(("a", "an", "and", "by", "for", "in", "of", "on", "or", "the", "to", "with"))


def find_terms(reading: DocumentReading, title: str | None, sections: SectionFinder) -> tuple[GlossaryFinding, ...]:
    """In order of appearance; equal terms are not merged here."""
    return _TermFinder(reading, title, sections).find()


class _TermFinder:
    """Looks for defined terms in one page."""

    def __init__(self, reading: DocumentReading, title: str | None, sections: SectionFinder) -> None:
        outline = reading.outline
        self._blocks = outline.blocks
        self._headings = {heading.block: heading for heading in outline.headings}
        self._first = outline.headings[0].block if outline.headings else -1
        self._sections = sections
        self._is_glossary = _is_glossary(reading.path, title)
        self._named = _entry_name(reading.path, title, reading.fields.names("aka"))  # what the whole page is about
        self._words: Counter[str] = Counter()

    def find(self) -> tuple[GlossaryFinding, ...]:
        found = []
        said = next((block for block in self._blocks if block.kind in ("text", "definition")), None)
        if self._named and said:
            found.append(self._finding(self._named, first_sentence(said.text), said))
        for number, block in enumerate(self._blocks):
            found += [self._finding(term, definition, block) for term, definition in self._in_block(number, block)]
        return tuple(finding for finding in found if finding)

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
                yield from ((self._with_used_aliases(term), said) for term, said in _after_bold(block))
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

    def _finding(self, written: str, definition: str, block: OutlineBlock) -> GlossaryFinding | None:
        term, aliases = _split_aliases(written)
        section = self._sections.number(block.start)
        if section < 0 or not definition or len(term) > MAX_TERM or not any(map(str.isalpha, term)):
            return None
        if is_filler(term) or not is_worth_showing(term, definition):
            return None
        return GlossaryFinding(term, aliases, definition, section)

    def _with_used_aliases(self, written: str) -> str:
        """What stands in brackets behind bold words is another name if it is used as one, or listed among names."""
        term, aliases = _split_aliases(written)
        if aliases and not self._words:
            self._words = Counter(word for block in self._blocks for word in _WORD.findall(block.text))
        listed = len(aliases) > 1 and all(alias[0].isupper() and alias.isalpha() for alias in aliases)
        used = [alias for alias in aliases if listed or _agreeing_phrase(term, alias) or self._words[alias] > 1]
        return f"{term} ({', '.join(used)})" if used else term


def _split_aliases(written: str) -> tuple[str, tuple[str, ...]]:
    """`Term (Other, OT)` → the term and its aliases."""
    written = " ".join(written.split()).strip(" :*_")
    parts = _ALIASES.fullmatch(written) if len(written) < 2 * MAX_TERM else None
    if parts is None:
        return written, ()
    aliases = (alias.strip() for alias in re.split(r"[,;/]", parts[2]))
    term = parts[1].strip()
    others = (alias for alias in aliases if alias and alias.casefold() != term.casefold() and not is_flagged(alias))
    return term, tuple(dict.fromkeys(others))


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
    starts: list[int] = []
    for found in _INITIALS.finditer(text):
        phrase = _agreeing_phrase(text[max(0, found.start() - 120) : found.start()].rstrip(), found[1])
        if phrase:
            starts = starts or [0, *sentence_starts(text), len(text)]
            after = bisect_right(starts, found.start())
            yield f"{phrase} ({found[1]})", text[starts[after - 1] : starts[after]].strip()


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
    name = _split_aliases(heading)[0].casefold()
    said = sentence.casefold()
    article = _ARTICLE.match(said)
    for start in (0, article.end() if article else 0):
        if name and said.startswith(name, start) and _COPULA.match(said, start + len(name)):
            return True
    return False


def _is_glossary(path: str, title: str | None) -> bool:
    """Whether the page is called so, by its file, its folder's index or its title."""
    *folders, name = path.casefold().split("/")
    name = name.rpartition(".")[0] or name
    called = folders[-1] if name in ("index", "_index") and folders else name
    return "glossary" in (called, (title or "").casefold())


def _entry_name(path: str, title: str | None, others: tuple[str, ...]) -> str | None:
    """The term that a page of a folder called `glossary` is about, other names in brackets behind it."""
    *folders, name = path.casefold().split("/")
    if "glossary" not in folders[-1:] or name.rpartition(".")[0] in ("index", "_index", "readme"):
        return None
    return f"{title} ({', '.join(others)})" if title and others and "(" not in title else title
