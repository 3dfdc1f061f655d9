"""The digest as one JSON file to commit: equal sources, equal bytes; and what is taken from such a file."""

from collections.abc import Mapping
from typing import Any

from loreweave.contracts.wire import committed_json
from loreweave.entities.digest import Digest, DigestSection, Distilled, GlossaryTerm
from loreweave.knowledge.digest.orientation import MOST_SUGGESTIONS
from loreweave.knowledge.digest.written_texts import clean_text
from loreweave.knowledge.documents.source_paths import DIGEST_VERSION


def digest_value(digest: Digest) -> dict[str, Any]:
    """Everything of a digest as plain JSON values."""
    settings = digest.settings
    return {
        "version": DIGEST_VERSION,
        "contentHash": digest.content_hash,
        "settings": {
            "basePath": settings.base_path,
            "slugScheme": settings.slug_scheme,
            "headingDepth": settings.heading_depth,
        },
        "context": digest.context,
        "overview": digest.overview,
        "glossary": [_entry_value(entry) for entry in digest.glossary],
        "suggestions": list(digest.suggestions),
        "written": sorted(digest.written),
        "nodes": [node_value(section) for section in digest.sections],
        "edges": [{"from": edge.source, "to": edge.target, "kind": edge.kind} for edge in digest.edges],
    }


def _entry_value(entry: GlossaryTerm) -> dict[str, Any]:
    value = {"term": entry.term, "aliases": list(entry.aliases), "definition": entry.definition}
    return value if entry.given else {**value, "derived": True}


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
    if not isinstance(value, list):
        return None
    return tuple(entry for entry in map(_entry, value) if entry)


def _entry(value: Any) -> GlossaryTerm | None:
    if not isinstance(value, dict) or value.get("derived") is True:
        return None
    term, definition, aliases = value.get("term"), value.get("definition"), value.get("aliases", [])
    if not isinstance(term, str) or not term.strip() or not isinstance(definition, str):
        return None
    named = [clean_text(alias) for alias in aliases if isinstance(alias, str)] if isinstance(aliases, list) else []
    others = tuple(dict.fromkeys(filter(None, named)))
    plain = clean_text(term)
    return GlossaryTerm(plain, others, clean_text(definition), given=True) if plain else None


def suggestions_of(value: Any) -> tuple[str, ...] | None:
    if not isinstance(value, list):
        return None
    texts = (clean_text(text) for text in value if isinstance(text, str))
    return tuple(dict.fromkeys(filter(None, texts)))[:MOST_SUGGESTIONS]
