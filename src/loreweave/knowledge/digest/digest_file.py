"""The digest as one JSON file to commit: equal sources, equal bytes; and what somebody writes about documents: taken
from such a file, cleaned of links and HTML, merged with what was found, kept in the store."""

import json
import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from loreweave.contracts.wire import committed_json
from loreweave.entities.digest import Digest, DigestSection, Distilled, GlossaryTerm
from loreweave.knowledge.documents.source_paths import DIGEST_VERSION

MOST_SUGGESTIONS = 5
_CODE = re.compile(r"(`[^`\n]+`)")
_LINK = re.compile(r"!?\[([^\[\]]*)\](?:\([^()\n]*(?:\([^()\n]*\)[^()\n]*)*\)|\[[^\[\]]*\])")
_ADDRESS = re.compile(r"<?\b[A-Za-z][A-Za-z0-9+.-]{0,30}://[^\s<>]+>?")
_TAG = re.compile(r"</?[A-Za-z!?][^<>]*>")
_OPENED = re.compile(r"<(?=[A-Za-z/!?])")
_PASSES = 8  # what was removed may have held apart what then reads as another link
_BARE = str.maketrans({"[": " ", "]": " ", "<": " ", ">": " "})


def clean_text(text: str) -> str:
    """Cleaning twice changes nothing more: a text read back from a digest stays as it is."""
    whole = text.encode("utf-8", "replace").decode()  # half a surrogate pair could not be stored
    parts = _CODE.split(whole)
    parts[::2] = [_cleaned(part) for part in parts[::2]]  # every other one is a code span, which is neither
    return "".join(parts).strip()


def _cleaned(text: str) -> str:
    for _ in range(_PASSES):
        plain = _ADDRESS.sub("", _LINK.sub(r"\1", _without_comments(text)))
        cleaned = _OPENED.sub("", _TAG.sub("", plain))
        if cleaned == text:
            return cleaned.replace("](", "] (")
        text = cleaned
    return text.translate(_BARE).replace("://", ": //")  # nested beyond reason


def _without_comments(text: str) -> str:
    kept = []
    here = 0
    while (start := text.find("<!--", here)) >= 0 and (end := text.find("-->", start + 4)) >= 0:
        kept.append(text[here:start])
        here = end + 3
    return "".join(kept) + text[here:]


def term_key(text: str) -> str:
    """Under which a term is the same term."""
    return unicodedata.normalize("NFC", text).strip().casefold()


def merge_glossary(given: Iterable[GlossaryTerm], found: Iterable[GlossaryTerm]) -> tuple[GlossaryTerm, ...]:
    """Sorted by term. Equal terms are one: first definition, all aliases. What was given replaces what was found,
    but for the section in which it was found."""
    first = _joined(given)
    second = _joined(found)
    kept = {**second, **first}
    for key in first.keys() & second.keys():
        if first[key].section is None:
            kept[key] = replace(first[key], section=second[key].section)
    return tuple(kept[key] for key in sorted(kept))


def _joined(entries: Iterable[GlossaryTerm]) -> dict[str, GlossaryTerm]:
    kept: dict[str, GlossaryTerm] = {}
    for entry in entries:
        key = term_key(entry.term)
        first = kept.setdefault(key, entry)
        if first is not entry:
            known = {term_key(alias) for alias in first.aliases}
            more = tuple(alias for alias in entry.aliases if term_key(alias) not in known)
            kept[key] = replace(first, aliases=(*first.aliases, *more)) if more else first
    return kept


def find_term(glossary: Sequence[GlossaryTerm], wanted: str) -> GlossaryTerm | None:
    """A term before any alias, then in the order of the list."""
    key = term_key(wanted)
    for entry in glossary:
        if term_key(entry.term) == key:
            return entry
    return next((entry for entry in glossary if any(term_key(alias) == key for alias in entry.aliases)), None)


def pack_distilled(distilled: Distilled, content_hash: str) -> bytes:
    """With the hash of the content it was built for: an equal build of equal content is no new one."""
    glossary = distilled.glossary
    return json.dumps(
        {
            "contentHash": content_hash,
            "context": distilled.context,
            "glossary": None if glossary is None else [[one.term, one.aliases, one.definition] for one in glossary],
            "suggestions": distilled.suggestions,
            "summaries": distilled.summaries,
        },
        ensure_ascii=False,
        sort_keys=True,
    ).encode()


def unpack_distilled(data: bytes) -> Distilled:
    found = json.loads(data)
    glossary, suggestions = found["glossary"], found["suggestions"]
    return Distilled(
        context=found["context"],
        glossary=None if glossary is None else tuple(_given(*entry) for entry in glossary),
        suggestions=None if suggestions is None else tuple(suggestions),
        summaries={section: (written_for, text) for section, (written_for, text) in found["summaries"].items()},
    )


def _given(term: str, aliases: Iterable[str], definition: str) -> GlossaryTerm:
    return GlossaryTerm(term, tuple(aliases), definition, given=True)


def join_distilled(first: Distilled, second: Distilled) -> Distilled:
    """The first wherever it says something; summaries of both, the first's before the second's."""
    return Distilled(
        context=second.context if first.context is None else first.context,
        glossary=second.glossary if first.glossary is None else first.glossary,
        suggestions=second.suggestions if first.suggestions is None else first.suggestions,
        summaries={**second.summaries, **first.summaries},
    )


def digest_value(digest: Digest) -> dict[str, Any]:
    """Everything of a digest as plain JSON values."""
    return {
        "version": DIGEST_VERSION,
        "contentHash": digest.content_hash,
        "settings": digest.settings.model_dump(),
        "context": digest.context,
        "overview": digest.overview,
        "glossary": [
            {"term": entry.term, "aliases": list(entry.aliases), "definition": entry.definition}
            | ({} if entry.given else {"derived": True})
            for entry in digest.glossary
        ],
        "suggestions": list(digest.suggestions),
        "written": sorted(digest.written),
        "nodes": [node_value(section) for section in digest.sections],
        "edges": [{"from": edge.source, "to": edge.target, "kind": edge.kind} for edge in digest.edges],
    }


def node_value(section: DigestSection) -> dict[str, Any]:
    facts = [
        {"kind": fact.kind, "literal": fact.literal, "chunkId": section.id, "start": fact.start, "end": fact.end}
        for fact in section.facts
    ]
    return {
        "id": section.id,
        "kind": "section",
        "title": section.title,
        "heading": section.heading,
        "group": section.group,
        "url": section.url,
        "summary": section.summary,
        "facts": facts,
        "sources": [{"chunkId": section.id, "url": section.url, "anchor": section.anchor}],
        "mode": section.mode,
        "terms": list(section.terms),
        "hash": section.hash,
        "distilled": section.distilled,
    }


def digest_bytes(digest: Digest) -> bytes:
    return committed_json(digest_value(digest))


def distilled_of(found: Mapping[str, Any]) -> Distilled:
    """What somebody wrote, out of a digest file; everything else in it is ours to derive again."""
    nodes = found.get("nodes")
    summaries = {}
    for node in nodes if isinstance(nodes, list) else ():
        if isinstance(node, dict) and node.get("distilled") is True:
            identity, written_for, summary = node.get("id"), node.get("hash"), node.get("summary")
            if isinstance(identity, str) and isinstance(written_for, str) and isinstance(summary, str):
                summaries[identity] = (written_for, clean_text(summary))
    marked = found.get("written")
    written = marked if isinstance(marked, list) else ["context", "suggestions"]
    context = found.get("context") if "context" in written else None
    return Distilled(
        context=clean_text(context) if isinstance(context, str) else None,
        glossary=glossary_of(found.get("glossary")),
        suggestions=suggestions_of(found.get("suggestions")) if "suggestions" in written else None,
        summaries=summaries,
    )


def glossary_of(value: Any) -> tuple[GlossaryTerm, ...] | None:
    return tuple(entry for entry in map(_entry, value) if entry) if isinstance(value, list) else None


def _entry(value: Any) -> GlossaryTerm | None:
    if not isinstance(value, dict) or value.get("derived") is True:
        return None
    term, definition, aliases = value.get("term"), value.get("definition"), value.get("aliases", [])
    if not isinstance(term, str) or not term.strip() or not isinstance(definition, str):
        return None
    named = [clean_text(alias) for alias in aliases if isinstance(alias, str)] if isinstance(aliases, list) else []
    others = dict.fromkeys(filter(None, named))
    plain = clean_text(term)
    return _given(plain, others, clean_text(definition)) if plain else None


def suggestions_of(value: Any) -> tuple[str, ...] | None:
    if not isinstance(value, list):
        return None
    texts = (clean_text(text) for text in value if isinstance(text, str))
    return tuple(dict.fromkeys(filter(None, texts)))[:MOST_SUGGESTIONS]
