"""Bearings for a reader without a key: the map of all sections, a paragraph on the corpus, questions to begin with."""

import re
from collections import Counter
from collections.abc import Callable, Sequence

from loreweave.entities.digest import DigestSection, SectionEdge

NO_GROUP = "Docs"
MOST_SUGGESTIONS = 5
_TRIED_SUGGESTIONS = 60
_NAMED = 5
_BLANKS = re.compile(r"\s+")
_GENERIC = {
    *("about", "abstract", "conclusion", "contents", "examples", "faq", "further", "introduction", "links", "misc"),
    *("notes", "other", "overview", "recap", "references", "resources", "summary", "tip", "tips", "warning"),
}


def overview(sections: Sequence[DigestSection]) -> str:
    """Every id exactly once, by group."""
    groups: dict[str, list[DigestSection]] = {}
    for section in sections:
        groups.setdefault(section.group or NO_GROUP, []).append(section)
    blocks = []
    for group in sorted(groups):
        lines = [f"- {label(section)} — `{section.id}`" for section in sorted(groups[group], key=lambda part: part.id)]
        blocks.append("\n".join([f"## {_one_line(group)}", "", *lines]))
    return "\n\n".join(blocks) + "\n" if blocks else ""


def label(section: DigestSection) -> str:
    return _one_line(section.heading or section.title)


def most_linked(sections: Sequence[DigestSection], edges: Sequence[SectionEdge]) -> list[str]:
    """Titles of the pages that others link to most."""
    page_of = {section.id: section for section in sections}
    counted: Counter[str] = Counter()
    for edge in edges:
        if edge.kind == "link" and page_of[edge.source].slug != page_of[edge.target].slug:
            counted[page_of[edge.target].slug] += 1
    titles = {section.slug: section.title for section in reversed(sections)}
    ordered = sorted(counted, key=lambda slug: (-counted[slug], slug))
    return [titles[slug] for slug in ordered[:_NAMED]]


def context(sections: Sequence[DigestSection], edges: Sequence[SectionEdge]) -> str:
    """A short paragraph: what this is, its groups, its most linked pages."""
    if not sections:
        return ""
    pages = {section.slug: section for section in reversed(sections)}
    root = pages.get("index")
    parts = []
    if root:
        parts.append(f"{_one_line(root.title).rstrip('.')}." + (f" {root.summary}" if root.summary else ""))
    parts.append(f"The documentation has {_counted(len(pages), 'page')} in {_counted(len(sections), 'section')}.")
    groups = Counter(page.group for page in pages.values() if page.group)
    if groups:
        named = ", ".join(f"{_one_line(group)} ({groups[group]})" for group in sorted(groups))
        parts.append(f"Groups: {named}.")
    linked = most_linked(sections, edges)
    if linked:
        parts.append(f"Most linked pages: {', '.join(map(_one_line, linked))}.")
    return " ".join(parts)


def _counted(number: int, thing: str) -> str:
    return f"{number} {thing}" if number == 1 else f"{number} {thing}s"


def suggestions(
    sections: Sequence[DigestSection], edges: Sequence[SectionEdge], finds: Callable[[str, str], bool]
) -> list[str]:
    """Questions from headings of different pages, the most linked first; offered only where `finds(question, id)`."""
    linked = Counter(edge.target for edge in edges if edge.kind == "link")
    ranked = sorted(
        (section for section in sections if _asks_well(section)),
        key=lambda section: (-linked[section.id], section.level, section.id),
    )
    chosen: dict[str, str] = {}  # page → question
    for section in ranked[:_TRIED_SUGGESTIONS]:
        question = _question(label(section))
        if section.slug not in chosen and question not in chosen.values() and finds(question, section.id):
            chosen[section.slug] = question
            if len(chosen) == MOST_SUGGESTIONS:
                break
    return list(chosen.values())


def _asks_well(section: DigestSection) -> bool:
    words = label(section).split()
    return bool(section.text) and 1 <= len(words) <= 8 and words[0].strip(".:").casefold() not in _GENERIC


def _question(heading: str) -> str:
    if heading.endswith("?"):
        return heading
    words = heading.rstrip(".:!").split()
    first = words[0].casefold()
    if first == "how" and len(words) > 2 and words[1].casefold() == "to":
        return f"How do I {' '.join(words[2:])}?"
    if first in ("what", "why", "when", "where", "how", "who", "which"):
        return " ".join(words) + "?"
    if first.endswith("ing") and len(words) > 1:
        return f"How does {first} {' '.join(words[1:])} work?"
    return f"What should I know about {' '.join(words)}?"


def _one_line(text: str) -> str:
    return _BLANKS.sub(" ", text).strip()
