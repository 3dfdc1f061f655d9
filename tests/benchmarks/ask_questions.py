"""Questions with known answers, made of a documentation site: what its links, headings and literals ask for.

Every question has one right section. Pages fall into two halves by the hash of their name: weights are tuned on
one half, the other is what is reported.
"""

import hashlib
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from posixpath import normpath

from loreweave.contracts.skill_graph import PageSettings
from loreweave.entities.digest import PageRecord, SearchedSection
from loreweave.knowledge.documents.page_record import record_page
from loreweave.language.stop_words import STOP_WORDS

MOST_OF_A_PAGE = 8  # questions of a kind: a page of a thousand headings is still one page
KINDS = ("link", "heading", "heading words", "title + heading", "sentence", "literal", "typo", "word form")

_LINK = re.compile(r"(?<!!)\[([^\]\[\n]{3,80})\]\(([^()\s]+\.md(?:#[^()\s]*)?)[^()\n]*\)")
_WORD = re.compile(r"[A-Za-z][A-Za-z'-]+")
_SENTENCE = re.compile(r"(?<=[.!?])\s+")
_IDENTIFIER = re.compile(r"[^\s`'\"(){}\[\]]*(?:[_.:/-]\w|[a-z][A-Z])[^\s`'\"(){}\[\]]*")
_LETTERS = "abcdefghijklmnopqrstuvwxyz"


@dataclass(frozen=True, slots=True)
class Question:
    kind: str
    text: str
    answer: str  # id of the section
    tuned: bool  # of the half that weights are tuned on


@dataclass(frozen=True, slots=True)
class Site:
    sections: list[SearchedSection]
    questions: list[Question]


def read_site(folder: Path) -> Site:
    """Every page below a folder as the product reads it, and the questions it gives."""
    pages: dict[str, PageRecord] = {}
    sources: dict[str, str] = {}
    for file in sorted(folder.rglob("*.md")):
        path = file.relative_to(folder).as_posix()
        sources[path] = file.read_text(encoding="utf-8")
        pages[path] = record_page(path, sources[path], PageSettings())
    sections = [section for path, page in pages.items() for section in _sections(_slug(path), page)]
    ids = {section.id for section in sections}
    questions = [*_link_questions(sources, pages, ids), *_section_questions(sections), *_literals(sections)]
    return Site(sections, list(_some_of_each_page(questions)))


def number_in(text: str) -> int:
    """The same number for the same text, everywhere."""
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "big")


def _slug(path: str) -> str:
    return path.removesuffix(".md").removesuffix("/index")


def _sections(slug: str, page: PageRecord) -> Iterator[SearchedSection]:
    for section in page.sections:
        name = f"{slug}#{section.anchor}" if section.anchor else slug
        text = " ".join(section.text.split())
        literals = tuple(fact.literal for fact in section.facts)
        yield SearchedSection(name, slug, page.title or slug, section.heading, (), literals, section.text, text[:220])


def _some_of_each_page(questions: Iterable[Question]) -> Iterator[Question]:
    given: Counter[tuple[str, str]] = Counter()
    for question in sorted(questions, key=lambda one: (one.kind, number_in(one.text + one.answer))):
        page = (question.kind, question.answer.partition("#")[0])
        given[page] += 1
        if given[page] <= MOST_OF_A_PAGE:
            yield question


def _question(kind: str, text: str, answer: str) -> Question:
    return Question(kind, text, answer, number_in(answer.partition("#")[0]) % 2 == 0)


def _link_questions(sources: dict[str, str], pages: dict[str, PageRecord], ids: set[str]) -> Iterator[Question]:
    """What a link says → where it leads, for labels that always lead to the same place."""
    found: dict[str, set[str]] = {}
    for path, source in sources.items():
        for label, target in _LINK.findall(source):
            file, _, anchor = target.partition("#")
            leads = normpath((PurePosixPath(path).parent / file).as_posix())
            if leads not in pages:
                continue
            name = _slug(leads) + (f"#{anchor}" if anchor else "")
            first = next((section.anchor for section in pages[leads].sections), None)
            answer = name if name in ids or anchor else f"{name}#{first}"
            found.setdefault(_plain(label), set()).add(answer)
    for label, answers in found.items():
        if len(answers) == 1 and answers <= ids and _telling(label):
            yield _question("link", label, answers.pop())


def _plain(text: str) -> str:
    return " ".join(re.sub(r"[*`]|<[^>]*>", "", text).split())


def _telling(text: str) -> list[str]:
    return [word for word in _WORD.findall(text) if word.lower() not in STOP_WORDS]


def _section_questions(sections: list[SearchedSection]) -> Iterator[Question]:
    headings = Counter((section.heading or section.title).casefold() for section in sections)
    titled = Counter(f"{section.title} {section.heading}".casefold() for section in sections)
    for section in sections:
        heading = section.heading or section.title
        words = _telling(heading)
        yield from _sentence(section, {word.lower() for word in words})
        if not words:
            continue
        if headings[heading.casefold()] > 1:
            if section.heading and titled[f"{section.title} {heading}".casefold()] == 1:
                yield _question("title + heading", f"{section.title} {heading}", section.id)
            continue
        yield _question("heading", heading, section.id)
        turned = sorted(words, key=number_in)
        if len(words) > 1:
            yield _question("heading words", " ".join(turned), section.id)
            yield _question("word form", " ".join(map(_other_form, words)), section.id)
            long = [word for word in words if len(word) > 4 and word.isalpha() and word[1:].islower()]
            if long:
                wrong = long[number_in(heading) % len(long)]
                yield _question("typo", heading.replace(wrong, _misspelt(wrong), 1), section.id)


def _sentence(section: SearchedSection, said: set[str]) -> Iterator[Question]:
    """A few telling words of one sentence that the heading does not say."""
    sentences = [_telling(sentence) for sentence in _SENTENCE.split(section.text[:2000])]
    told = [[word for word in words if word.lower() not in said] for words in sentences if "`" not in words]
    long = [words for words in told if 5 <= len(words) <= 25]
    if long:
        words = long[number_in(section.id) % len(long)]
        yield _question("sentence", " ".join(words[:7]), section.id)


def _misspelt(word: str) -> str:
    """One letter swapped, lost, doubled or wrong, beyond the first."""
    number = number_in(word)
    place = 1 + number // 8 % (len(word) - 2)
    swapped = word[:place] + word[place + 1] + word[place] + word[place + 2 :]
    lost = word[:place] + word[place + 1 :]
    doubled = word[:place] + word[place] + word[place:]
    wrong = word[:place] + _LETTERS[number // 1024 % 26] + word[place + 1 :]
    found = (swapped, lost, doubled, wrong)[number % 4]
    return found if found.lower() != word.lower() else lost


def _other_form(word: str) -> str:
    """Another grammatical form of an English word, as good as rules make them."""
    lower = word.lower()
    if len(word) < 4 or not word.isalpha() or not (word.islower() or word.istitle()):
        return word
    if lower.endswith("ies"):
        return word[:-3] + "y"
    if lower.endswith("ing"):
        return word[:-3]
    if lower.endswith("s") and not lower.endswith(("ss", "us", "is")):
        return word[:-1]
    if lower.endswith("y") and lower[-2] not in "aeiou":
        return word[:-1] + "ies"
    if lower.endswith("e"):
        return word[:-1] + "ing" if number_in(word) % 2 else word + "s"
    return word + ("es" if lower.endswith(("s", "x", "ch", "sh")) else "s")


def _literals(sections: list[SearchedSection]) -> Iterator[Question]:
    """Identifiers, flags and keys that stand in one section alone."""
    whole = "\0".join(f"{section.heading or ''}\1{section.title}\1{section.text}" for section in sections)
    for section in sections:
        own = f"{section.heading or ''}\1{section.title}\1{section.text}"
        for literal in section.literals:
            if 3 < len(literal) < 60 and _IDENTIFIER.fullmatch(literal):
                once = own.count(literal)
                if once and whole.count(literal) == once:
                    yield _question("literal", literal, section.id)
