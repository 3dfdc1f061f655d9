"""Sections and edges as they stand in a digest file: written straight out, since a file has tens of thousands."""

from json.encoder import encode_basestring as quoted

from loreweave.entities.digest import DigestSection, SectionEdge

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
