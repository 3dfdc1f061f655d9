"""Comparing a digest with the documents it speaks of."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from loreweave.contracts.ask import DigestProblem
from loreweave.entities.digest import Digest, DigestSection
from loreweave.knowledge.asking.digest.digest_file import node_value
from loreweave.knowledge.asking.digest.link_map import LinkedPage, LinkMap

_DERIVED = ("title", "heading", "group", "url", "sources", "mode")  # what a node says of its document


def verify_digest(
    written: Mapping[str, Any],
    present: Digest,
    raw_text: Callable[[DigestSection], str],
    anchors_of: Callable[[str], set[str] | None],
) -> list[DigestProblem]:
    """`written` is the parsed digest file, `present` the digest of the documents as they are.

    `anchors_of` gives the ids in the built page of a slug; None where there is no such page.
    """
    nodes = {node["id"]: node for node in _nodes(written)}
    problems = list(_compare(nodes, present))
    if not problems and written.get("contentHash") != present.content_hash:
        problems.append(DigestProblem(kind="stale", id="", message="The content hash is not that of the documents."))
    sections = {section.id: section for section in present.sections}
    pages: dict[str, set[str] | None] = {}
    for identity in sorted(nodes.keys() & sections.keys()):
        section = sections[identity]
        problems += _facts(nodes[identity], raw_text(section))
        if section.slug not in pages:
            pages[section.slug] = anchors_of(section.slug)
        problems += _anchor(section, pages[section.slug])
    return problems


def _nodes(written: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    found = written.get("nodes")
    for node in found if isinstance(found, list) else ():
        if isinstance(node, dict) and isinstance(node.get("id"), str):
            yield node


def _compare(nodes: Mapping[str, dict[str, Any]], present: Digest) -> Iterator[DigestProblem]:
    found = {section.id: section for section in present.sections}
    for identity in sorted(found.keys() | nodes.keys()):
        if identity not in nodes:
            yield DigestProblem(
                kind="missing", id=identity, message="The section is in the documents and not in the digest."
            )
        elif identity not in found:
            yield DigestProblem(
                kind="orphan", id=identity, message="The section is in the digest and no longer in the documents."
            )
        elif nodes[identity].get("hash") != found[identity].hash:
            yield DigestProblem(
                kind="stale", id=identity, message="The section has changed since the digest was built."
            )
        else:
            yield from _derived(nodes[identity], node_value(found[identity]))


def _derived(node: Mapping[str, Any], derived: Mapping[str, Any]) -> Iterator[DigestProblem]:
    wrong = [name for name in _DERIVED if node.get(name) != derived[name]]
    if wrong:
        yield DigestProblem(
            kind="stale", id=derived["id"], message=f"The digest says otherwise than the documents: {', '.join(wrong)}."
        )


def _facts(node: Mapping[str, Any], text: str) -> Iterator[DigestProblem]:
    facts = node.get("facts")
    for fact in facts if isinstance(facts, list) else ():
        literal = fact.get("literal") if isinstance(fact, dict) else None
        if not isinstance(literal, str) or literal not in text:
            yield DigestProblem(
                kind="fact", id=node["id"], message=f"The literal {str(literal)[:80]!r} is not in the section."
            )


def _anchor(section: DigestSection, anchors: set[str] | None) -> Iterator[DigestProblem]:
    if anchors is None:
        yield DigestProblem(kind="anchor", id=section.id, message=f"The page {section.slug} is not in the built site.")
    elif section.anchor is not None and section.anchor not in anchors:
        yield DigestProblem(kind="anchor", id=section.id, message=f"The built page has no id {section.anchor!r}.")


def broken_links(pages: Iterable[LinkedPage], link_map: LinkMap) -> Iterator[DigestProblem]:
    """Links to documents that are not there, or to anchors that their page does not have."""
    for page in pages:
        for link in page.links:
            found = link_map.find(page.path, link.target, link.wikilink)
            place = page.sections[link.section].id if 0 <= link.section < len(page.sections) else page.slug
            if found is None:
                if link_map.is_local(link.target, link.wikilink):
                    yield DigestProblem(kind="link", id=place, message=f"{link.target[:200]} leads to no document.")
            elif found[1] is not None and not found[0].knows(found[1]):
                yield DigestProblem(
                    kind="link", id=place, message=f"{link.target[:200]}: that page has no such anchor."
                )
