"""Bearings for a reader without a key: the map of all sections, a paragraph on the corpus, questions to begin with;
and the same for machines, as llms.txt.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence

from loreweave.entities.digest import Digest, DigestSection, SectionEdge
from loreweave.knowledge.digest.digest_file import MOST_SUGGESTIONS
from loreweave.knowledge.digest.link_pages import LinkedPage
from loreweave.knowledge.digest.section_searcher import page_url
from loreweave.knowledge.documents.page_record import excerpt
from loreweave.language.term_words import is_deed

NO_GROUP = "Docs"
_TRIED_SUGGESTIONS = 60
_NAMED = 5
_NAMED_GROUPS = 12
_OPENING_PAGES = ("index", "readme")  # where a corpus says what it is
_GENERIC = {
    *("about", "abstract", "conclusion", "contents", "examples", "faq", "further", "introduction", "links", "misc"),
    *("above", "after", "before", "behind", "below", "between", "inside", "outside", "under"),
    *("notes", "other", "overview", "recap", "references", "resources", "summary", "tip", "tips", "warning"),
}
# An identifier, or two headings in one.
_NOT_PEOPLES = re.compile(r"[a-z][A-Z]|[_/=<>{}|\[\]:]|\w\.\w|\s[-–—]\s|^[a-z0-9]+(?:-[a-z0-9]+)+$")
_VERBS = {"is", "are", "was", "were", "can", "cannot", "should", "must", "may", "means", "needs", "has", "have", "does"}
_PREPOSITIONS = {"at", "by", "for", "from", "in", "of", "on", "over", "to", "with", "without"}


def overview(lines: Iterable[tuple[str | None, str]]) -> str:
    """(group, line) of every section, by id: every id exactly once, by group."""
    groups: dict[str, list[str]] = {}
    for group, line in lines:
        groups.setdefault(group or NO_GROUP, []).append(line)
    blocks = ["\n".join([f"## {_one_line(group)}", "", *groups[group]]) for group in sorted(groups)]
    return "\n\n".join(blocks) + "\n" if blocks else ""


def overview_line(section: DigestSection) -> str:
    return f"- {label(section)} — `{section.id}`"


def label(section: DigestSection) -> str:
    return _one_line(section.heading or section.title)


def context(pages: Sequence[LinkedPage], edges: Iterable[SectionEdge]) -> str:
    """A short paragraph: what this is, its groups, its most linked pages."""
    firsts = {page.slug: page.sections[0] for page in pages if page.sections}
    if not firsts:
        return ""
    named = {slug.casefold(): firsts[slug] for slug in sorted(firsts, reverse=True)}
    root = next((named[slug] for slug in _OPENING_PAGES if slug in named), None)
    parts = []
    if root:
        parts.append(f"{_one_line(root.title).rstrip('.')}." + (f" {root.summary}" if root.summary else ""))
    count = sum(len(page.sections) for page in pages)
    parts.append(f"The documentation has {_counted(len(firsts), 'page')} in {_counted(count, 'section')}.")
    groups = Counter(first.group for first in firsts.values() if first.group)
    if groups:
        parts.append(f"Groups: {_named_groups(groups)}.")
    most = most_linked(edges, _NAMED)
    if most:
        parts.append(f"Most linked pages: {', '.join(_one_line(firsts[slug].title) for slug in most)}.")
    return " ".join(parts)


def most_linked(edges: Iterable[SectionEdge], count: int) -> list[str]:
    """Slugs of pages by the number of links from others."""
    ends = ((_page(edge.source), _page(edge.target)) for edge in edges if edge.kind == "link")
    counted = Counter(target for source, target in ends if source != target)
    return sorted(counted, key=lambda slug: (-counted[slug], slug))[:count]


def _named_groups(groups: Counter[str]) -> str:
    """The largest, by name."""
    largest = sorted(groups, key=lambda group: (-groups[group], group))[:_NAMED_GROUPS]
    listed = ", ".join(f"{_one_line(group)} ({groups[group]})" for group in sorted(largest))
    rest = len(groups) - len(largest)
    return f"{listed} and {rest} more" if rest else listed


def _counted(number: int, thing: str) -> str:
    return f"{number} {thing}" if number == 1 else f"{number} {thing}s"


def suggestions(
    sections: Sequence[DigestSection], edges: Sequence[SectionEdge], finds: Callable[[str, str], bool]
) -> list[str]:
    """Questions from headings, those of pages that most others link to first, of as many pages as there are.

    Offered only where `finds(question, id)`; after some tries the few that were found must do.
    """
    between = [edge for edge in edges if edge.kind == "link" and _page(edge.source) != _page(edge.target)]
    linked = Counter(edge.target for edge in between)
    pages = Counter(page for _, page in {(_page(edge.source), _page(edge.target)) for edge in between})
    ranked = sorted(
        (section for section in sections if _asks_well(section)),
        key=lambda section: (-pages[_page(section.id)], -linked[section.id], section.level, section.id),
    )
    firsts = {section.slug: section for section in reversed(ranked)}  # the best one of each page
    ordered = [section for section in ranked if firsts[section.slug] is section]
    ordered += [section for section in ranked if firsts[section.slug] is not section]
    chosen: dict[str, None] = {}
    for section in ordered[:_TRIED_SUGGESTIONS]:
        question = _question(label(section))
        if question not in chosen and finds(question, section.id):
            chosen[question] = None
            if len(chosen) == MOST_SUGGESTIONS:
                break
    return list(chosen)


def _page(section: str) -> str:
    return section.partition("#")[0]


def _asks_well(section: DigestSection) -> bool:
    """Whether the words of a heading are those of people, rather than an identifier, a list or a catch-all."""
    text = label(section).rstrip(".:!")
    words = text.split()
    no_beginnings = _GENERIC | _PREPOSITIONS
    is_telling = 1 <= len(words) <= 8 and any(map(str.isalnum, text)) and words[0].casefold() not in no_beginnings
    return is_telling and not _NOT_PEOPLES.search(text) and bool(section.text)


def _question(heading: str) -> str:
    """As somebody would ask it."""
    if heading.endswith("?"):
        return heading
    words = heading.rstrip(".:!").split()
    folded = [word.casefold() for word in words]
    first, rest = folded[0], " ".join(words[1:])
    if first == "how" and folded[1:2] == ["to"] and len(words) > 2:
        return f"How do I {' '.join(words[2:])}?"
    if first in ("what", "why", "when", "where", "how", "who", "which"):
        return " ".join(words) + "?"
    if len(words) > 3 and (words[0].islower() or not _VERBS.isdisjoint(folded[1:])):
        return f"What does it mean that {' '.join(words)}?"
    if rest and is_deed(folded):
        return f"How do I {first} {rest}?"
    if rest and first.endswith("ing"):
        return f"How does {first} {rest} work?"
    if first in ("a", "an", "the"):
        words[0] = first
    head = next((folded[place - 1] for place, word in enumerate(folded) if place and word in _PREPOSITIONS), folded[-1])
    is_many = "and" in folded or (head.endswith("s") and not head.endswith(("ss", "us", "is")))
    return f"What {'are' if is_many else 'is'} {' '.join(words)}?"


_MARKED = re.compile(r"([\\\[\]])")
NAMELESS = "Documentation"


def llms_text(digest: Digest, address: Callable[[str, str], str]) -> str:
    """A heading, what this is, and every page by group.

    `address(path, slug)` is where a page's source can be had, fit for a link.
    """
    pages = list(_pages(digest))
    blocks = [f"# {_title(digest)}"]
    if digest.context:
        blocks.append(f"> {excerpt(digest.context, 10_000)}")
    groups: dict[str, list[str]] = {}
    for path, slug, first in pages:
        label = _MARKED.sub(r"\\\1", _one_line(first.title if first else slug))
        said = f": {_one_line(first.summary)}" if first and first.summary else ""
        group = (first.group if first else None) or NO_GROUP
        groups.setdefault(group, []).append(f"- [{label}]({address(path, slug)}){said}")
    blocks += ["\n".join([f"## {_one_line(group)}", "", *groups[group]]) for group in sorted(groups)]
    return "\n\n".join(blocks) + "\n"


def llms_full_text(digest: Digest, text_of: Callable[[str], str]) -> str:
    """Every source in full, each below its title and address."""
    blocks = [f"# {_title(digest)}"]
    for path, slug, first in _pages(digest):
        url = page_url(digest.settings.basePath, slug)
        blocks.append(
            f"---\n\nPage: {_one_line(first.title if first else slug)}\nSource: {url}\n\n{text_of(path).strip()}"
        )
    return "\n\n".join(blocks) + "\n"


def _title(digest: Digest) -> str:
    root = next((part.title for part in digest.sections if part.slug.casefold() in ("index", "readme")), None)
    return _one_line(root or NAMELESS)


def _pages(digest: Digest) -> Iterator[tuple[str, str, DigestSection | None]]:
    """(path, slug, first section) of every document, by slug."""
    firsts = {section.path: section for section in reversed(digest.sections)}
    for path, slug in sorted(digest.slugs.items(), key=lambda item: item[1]):
        yield path, slug, firsts.get(path)


def _one_line(text: str) -> str:
    return " ".join(text.split())
