"""The digest as one JSON file to commit: equal sources, equal bytes; and what is taken from such a file."""

from collections.abc import Mapping
from json.encoder import encode_basestring as quoted
from typing import Any

from loreweave.entities.digest import Digest, DigestSection, DigestSettings, Distilled, GlossaryTerm, SectionEdge
from loreweave.knowledge.digest.clean_written import clean_text
from loreweave.knowledge.digest.json_text import field_bytes, file_bytes, list_bytes
from loreweave.knowledge.digest.orientation import MOST_SUGGESTIONS
from loreweave.knowledge.documents.source_paths import DIGEST_VERSION

# An item of a list of the file, and what lies deeper in it.
_ITEM, _FIELD, _INNER, _INNER_FIELD = ("\n" + " " * depth for depth in (4, 6, 8, 10))


def render_node(section: DigestSection) -> str:
    """The JSON of node_value(section)."""
    identity, url = quoted(section.id), quoted(section.url)
    facts = [
        f'{{{_INNER_FIELD}"chunkId": {identity},{_INNER_FIELD}"end": {fact.end},{_INNER_FIELD}"kind": '
        f'{quoted(fact.kind)},{_INNER_FIELD}"literal": {quoted(fact.literal)},{_INNER_FIELD}"start": {fact.start}'
        f"{_INNER}}}"
        for fact in section.facts
    ]
    source = (
        f'{{{_INNER_FIELD}"anchor": {_nullable(section.anchor)},{_INNER_FIELD}"chunkId": {identity},'
        f'{_INNER_FIELD}"url": {url}{_INNER}}}'
    )
    return (
        f'{{{_FIELD}"distilled": {"true" if section.distilled else "false"},{_FIELD}"facts": {_list(facts)},'
        f'{_FIELD}"group": {_nullable(section.group)},{_FIELD}"hash": {quoted(section.hash)},'
        f'{_FIELD}"heading": {_nullable(section.heading)},{_FIELD}"id": {identity},{_FIELD}"kind": "section",'
        f'{_FIELD}"mode": {quoted(section.mode)},{_FIELD}"sources": {_list([source])},'
        f'{_FIELD}"summary": {quoted(section.summary)},{_FIELD}"terms": {_list(list(map(quoted, section.terms)))},'
        f'{_FIELD}"title": {quoted(section.title)},{_FIELD}"url": {url}{_ITEM}}}'
    )


def render_edge(edge: SectionEdge) -> str:
    return (
        f'{{{_FIELD}"from": {quoted(edge.source)},{_FIELD}"kind": {quoted(edge.kind)},'
        f'{_FIELD}"to": {quoted(edge.target)}{_ITEM}}}'
    )


def _list(items: list[str]) -> str:
    return f"[{_INNER}{f',{_INNER}'.join(items)}{_FIELD}]" if items else "[]"


def _nullable(text: str | None) -> str:
    return "null" if text is None else quoted(text)


def digest_value(digest: Digest) -> dict[str, Any]:
    """Everything of a digest as plain JSON values."""
    edges = [{"from": edge.source, "to": edge.target, "kind": edge.kind} for edge in digest.edges]
    return {**_head_value(digest), "nodes": [node_value(section) for section in digest.sections], "edges": edges}


def _head_value(digest: Digest) -> dict[str, Any]:
    """What a digest says beside its sections and edges."""
    return {
        "version": DIGEST_VERSION,
        "contentHash": digest.content_hash,
        "settings": settings_value(digest.settings),
        "context": digest.context,
        "overview": digest.overview,
        "glossary": [_entry_value(entry) for entry in digest.glossary],
        "suggestions": list(digest.suggestions),
        "written": sorted(digest.written),
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
    """The JSON of digest_value(digest)."""
    fields = {name: field_bytes(value) for name, value in _head_value(digest).items()}
    fields["nodes"] = list_bytes(map(render_node, digest.sections))
    fields["edges"] = list_bytes(map(render_edge, digest.edges))
    return file_bytes(fields)


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


def settings_value(settings: DigestSettings) -> dict[str, Any]:
    return {"basePath": settings.base_path, "slugScheme": settings.slug_scheme, "headingDepth": settings.heading_depth}
