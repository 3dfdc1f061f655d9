"""A node at the level asked for. Each level is a type of its own and reads only what it shows."""

from loreweave.contracts.context_packs import (
    LinkedNode,
    NodeAnswer,
    NodeAnswer0,
    NodeAnswer1,
    NodeAnswer2,
    NodeAnswer3,
    NodeAnswer4,
    SectionOfNode,
)
from loreweave.knowledge.graph.graph_library import PinnedGraph, not_found
from loreweave.knowledge.graph.graph_view import Side
from loreweave.knowledge.graph.stored_notes import render_sections
from loreweave.language.tokens import count_tokens

DEEPEST_HEADING = 6


def disclose(pinned: PinnedGraph, node: int, level: int) -> NodeAnswer:
    view, found = pinned.view, pinned.view.nodes[node]
    if level == 0:
        return NodeAnswer0(
            graphId=view.graph_id,
            revision=view.revision,
            **{name: getattr(found, name) for name in ("id", "name", "type", "domain")},
        )
    if level == 1:
        return NodeAnswer1(**level_one_fields(pinned, node))
    fields = _fields_two(pinned, node)
    if level == 2:
        return NodeAnswer2(**fields)
    if level == 4:
        return NodeAnswer4(**fields, content=pinned.bodies([node])[node], tokens=found.tokens_full)
    parts = pinned.sections([node])[node]
    return NodeAnswer3(**fields, content=render_sections(parts), sections=list(parts), tokens=found.tokens_sections)


def disclose_section(pinned: PinnedGraph, node: int, wanted: str) -> SectionOfNode:
    """The section under an anchor, or a heading as it is written, with the sections below it."""
    from loreweave.knowledge.documents.page_record import record_page
    from loreweave.knowledge.graph.stored_notes import page_settings

    source = "\n" + pinned.bodies([node])[node]  # a body has no header, whatever its first lines look like
    settings = page_settings(pinned.row).model_copy(update={"headingDepth": DEEPEST_HEADING})
    path = pinned.view.nodes[node].path
    page = record_page(path, source, settings)
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
        **level_one_fields(pinned, node),
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


def level_one_fields(pinned: PinnedGraph, node: int) -> dict:
    return {
        "graphId": pinned.view.graph_id,
        "revision": pinned.view.revision,
        **pinned.level_one([node])[node].model_dump(),
    }


def _fields_two(pinned: PinnedGraph, node: int) -> dict:
    view = pinned.view
    return {
        **level_one_fields(pinned, node),
        "links": _linked(pinned, view.outgoing, node),
        "backlinks": _linked(pinned, view.incoming, node),
    }


def _linked(pinned: PinnedGraph, side: Side, node: int) -> list[LinkedNode]:
    """The notes at the other ends, each with the first sentence of its link, in path order."""
    mine = slice(side.start[node], side.start[node + 1])
    edges, others = side.edge[mine].tolist(), side.node[mine].tolist()
    contexts = pinned.contexts(edges)
    notes = pinned.level_one(set(others))
    said = {node: note.model_dump(include={"id", "name", "type", "description"}) for node, note in notes.items()}
    firsts = (next(iter(contexts[edge]), "") for edge in edges)
    return [LinkedNode(**said[other], context=first) for other, first in zip(others, firsts, strict=True)]
