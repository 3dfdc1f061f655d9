"""The digest as one JSON file to commit: equal sources, equal bytes; and what is taken from such a file."""

import json
import re
from typing import Any

from loreweave.entities.digest import Digest, DigestSection, DigestSettings, Distilled, GlossaryTerm
from loreweave.errors import InvalidInput

VERSION = 1
MOST_SUGGESTIONS = 5
_LINK = re.compile(r"!?\[([^\[\]]*)\]\([^()\s]*\)")
_ADDRESS = re.compile(r"<?\bhttps?://[^\s<>]+>?")
_TAG = re.compile(r"</?[A-Za-z!][^<>]*>")


def digest_value(digest: Digest) -> dict[str, Any]:
    """Everything of a digest as plain JSON values."""
    settings = digest.settings
    return {
        "version": VERSION,
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
    return value if entry.section is None else {**value, "derived": True}


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
    return (json.dumps(digest_value(digest), ensure_ascii=False, indent=2, sort_keys=True) + "\n").encode()


def read_digest(data: bytes) -> dict[str, Any]:
    """The parsed file; refused where it is none of ours or of another version."""
    try:
        found = json.loads(data)
    except (ValueError, RecursionError):
        raise InvalidInput("The digest is no JSON.", field="digest") from None
    if not isinstance(found, dict) or found.get("version") != VERSION:
        raise InvalidInput(f"The digest is not of version {VERSION}; build it anew.", field="digest")
    return found


def distilled_of(found: dict[str, Any]) -> Distilled:
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
    return GlossaryTerm(clean_text(term), tuple(dict.fromkeys(filter(None, named))), clean_text(definition))


def suggestions_of(value: Any) -> tuple[str, ...] | None:
    if not isinstance(value, list):
        return None
    texts = (clean_text(text) for text in value if isinstance(text, str))
    return tuple(dict.fromkeys(filter(None, texts)))[:MOST_SUGGESTIONS]


def clean_text(text: str) -> str:
    """Without links and HTML: a text that somebody wrote may lead nowhere but to what we address ourselves."""
    plain = _ADDRESS.sub("", _LINK.sub(r"\1", text))
    return _TAG.sub("", plain).encode("utf-8", "replace").decode().strip()


def settings_of(value: Any) -> DigestSettings:
    found = value if isinstance(value, dict) else {}
    return DigestSettings(
        found.get("basePath", "/docs/"), found.get("slugScheme", "github"), found.get("headingDepth", 3)
    )
