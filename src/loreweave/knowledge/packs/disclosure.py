"""A node at the level asked for. Each level is a type of its own and reads only what it shows."""

from collections.abc import Callable

from loreweave.contracts.context_packs import (
    LinkedNode,
    NodeAnswer,
    NodeAnswer0,
    NodeAnswer1,
    NodeAnswer2,
    NodeAnswer3,
    NodeAnswer4,
    NodeSection,
    SectionOfNode,
)
from loreweave.knowledge.graph.graph_library import PinnedGraph, not_found
from loreweave.knowledge.graph.note_pack import render_sections
from loreweave.knowledge.graph.view_values import Adjacency
from loreweave.language.tokens import count_tokens

DEEPEST_HEADING = 6


def disclose(pinned: PinnedGraph, node: int, level: int) -> NodeAnswer:
    return _LEVELS[level](pinned, node)


def disclose_section(pinned: PinnedGraph, node: int, wanted: str) -> SectionOfNode:
    """The section under an anchor, or a heading as it is written, with the sections below it."""
    from loreweave.knowledge.documents.page_record import record_page
    from loreweave.knowledge.graph.read_documents import page_settings

    source = "\n" + pinned.bodies([node])[node]  # a body has no header, whatever its first lines look like
    scheme = page_settings(pinned.row).slug_scheme
    path = pinned.view.nodes[node].path
    page = record_page(path, source, scheme, DEEPEST_HEADING)
    headings = {(part.heading or "").casefold(): number for number, part in enumerate(page.sections)}
    anchors = dict(page.anchors)
    number = anchors.get(wanted.removeprefix("#"), headings.get(wanted.casefold()))
    if number is None:
        message = f"The note {pinned.view.nodes[node].id} has no section {wanted[:200]!r}."
        raise not_found(message, wanted[:200], anchors, section=wanted[:200])
    found, end = page.sections[number], page.sections[number].end
    for part in page.sections[number + 1 :]:
        if part.level <= found.level:
            break
        end = part.end
    text = source.encode()[found.start : end].decode().strip("\n")
    return SectionOfNode(
        **_fields_one(pinned, node),
        section=found.anchor,
        heading=found.heading,
        content=text,
        tokens=count_tokens(text),
    )


def contents(pinned: PinnedGraph, levels: dict[int, int]) -> dict[int, str]:
    """The content of nodes at level 3 or 4."""
    full = [node for node, level in levels.items() if level == 4]
    outlined = [node for node, level in levels.items() if level == 3]
    found = pinned.bodies(full) if full else {}
    if outlined:
        found |= {node: render_sections(sections) for node, sections in pinned.sections(outlined).items()}
    return found


def _level_zero(pinned: PinnedGraph, node: int) -> NodeAnswer0:
    found = pinned.view.nodes[node]
    return NodeAnswer0(
        graphId=pinned.view.graph_id,
        revision=pinned.view.revision,
        id=found.id,
        name=found.name,
        type=found.type,
        domain=found.domain,
    )


def _level_three(pinned: PinnedGraph, node: int) -> NodeAnswer3:
    sections = pinned.sections([node])[node]
    return NodeAnswer3(
        **_fields_two(pinned, node),
        content=render_sections(sections),
        sections=[NodeSection(level=part.level, heading=part.heading, text=part.text) for part in sections],
        tokens=pinned.view.nodes[node].tokens_sections,
    )


def _level_four(pinned: PinnedGraph, node: int) -> NodeAnswer4:
    return NodeAnswer4(
        **_fields_two(pinned, node),
        content=pinned.bodies([node])[node],
        tokens=pinned.view.nodes[node].tokens_full,
    )


_LEVELS: tuple[Callable[[PinnedGraph, int], NodeAnswer], ...] = (
    _level_zero,
    lambda pinned, node: NodeAnswer1(**_fields_one(pinned, node)),
    lambda pinned, node: NodeAnswer2(**_fields_two(pinned, node)),
    _level_three,
    _level_four,
)


def _fields_one(pinned: PinnedGraph, node: int) -> dict:
    return {
        "graphId": pinned.view.graph_id,
        "revision": pinned.view.revision,
        **pinned.level_one([node])[node].model_dump(),
    }


def _fields_two(pinned: PinnedGraph, node: int) -> dict:
    view = pinned.view
    return {
        **_fields_one(pinned, node),
        "links": _linked(pinned, view.outgoing, node),
        "backlinks": _linked(pinned, view.incoming, node),
    }


def _linked(pinned: PinnedGraph, side: Adjacency, node: int) -> list[LinkedNode]:
    """The notes at the other ends, each with the first sentence of its link, in path order."""
    start, end = side.start[node], side.start[node + 1]
    edges = side.edge[start:end]
    contexts = pinned.contexts(edges)
    notes = pinned.level_one(set(side.node[start:end]))
    return [
        LinkedNode(
            id=notes[other].id,
            name=notes[other].name,
            type=notes[other].type,
            context=next(iter(contexts[edge]), ""),
            description=notes[other].description,
        )
        for other, edge in zip(side.node[start:end], edges, strict=True)
    ]
