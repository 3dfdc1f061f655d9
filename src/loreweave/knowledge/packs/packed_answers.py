"""An assembly as the wire shows it: loaded nodes with their texts, the others by name."""

from typing import Any, TypeVar

from loreweave.contracts.context_packs import NamedNode, PassagesOfNode, PathNode, UnloadedNode
from loreweave.knowledge.graph.graph_library import PinnedGraph
from loreweave.knowledge.packs.assemble import Assembly
from loreweave.knowledge.packs.disclosure import contents, level_one_fields
from loreweave.knowledge.packs.find_nodes import find_passages
from loreweave.knowledge.packs.graph_facts import facts_of
from loreweave.knowledge.packs.index_library import PassageIndex
from loreweave.knowledge.packs.note_pages import read_pages
from loreweave.knowledge.packs.note_terms import QUALIFYING_TEXT, Match, terms_in
from loreweave.knowledge.packs.pack_passages import Miss, pack_passages

MOST_WORDS = 4
LONGEST_NAME = 80


def reason_for(assembly: Assembly, node: int) -> str:
    """What speaks for a visited node, then what was loaded of it or why nothing was."""
    parts = [*_for_it(assembly, node), _outcome(assembly, node)]
    sentence = "; ".join(part for part in parts if part)
    return sentence[:1].upper() + sentence[1:]


def _for_it(assembly: Assembly, node: int) -> list[str]:
    question, evidence = assembly.question, assembly.evidence
    parts = ["entry point"] if node == assembly.entry else []
    found = question.terms.matches(question.query, node)
    if found:
        parts.append(_matched(found))
    if question.relevance[node] - question.lexical[node] >= QUALIFYING_TEXT:
        parts.append("close in meaning to the query")
    if evidence.told[node]:
        link = _link(assembly, int(evidence.told_by[node]), evidence.tells[node])
        known = f"{evidence.known} query {'word' if evidence.known == 1 else 'words'}"
        parts.append(f"{link} in a sentence with {evidence.told[node]} of {known}")
    elif evidence.parent[node] >= 0:
        parts.append(_link(assembly, int(evidence.parent[node]), evidence.holds_on[node]))
    if question.query.blank:
        degree = question.facts.degrees[node]
        parts.append("1 link" if degree == 1 else f"{degree} links")
    return parts


def _matched(found: list[Match]) -> str:
    """Words grouped by the fields in which they stand, as many as can be read at a glance."""
    groups: dict[tuple[str, ...], list[str]] = {}
    for match in found[:MOST_WORDS]:
        groups.setdefault(match.fields, []).append(_quoted(match))
    text = ", ".join(f"{_list(words)} in {_list(list(fields))}" for fields, words in groups.items())
    more = len(found) - MOST_WORDS
    return f"matches {text}" + (f" and {more} more" if more > 0 else "")


def _quoted(match: Match) -> str:
    return _list([f'"{word}"' for word in match.near]) + f' (for "{match.word}")' if match.near else f'"{match.word}"'


def _outcome(assembly: Assembly, node: int) -> str:
    loaded = assembly.pack.loaded.get(node)
    if loaded is not None:
        if loaded.level == 4:
            return ""
        if loaded.page is not None and loaded.page.is_whole and not loaded.lacking:
            return "all of it but its comments"
        part = "sections only" if loaded.page is None else f"{len(loaded.page.taken)} of its passages"
        return f"{part}, the full text needs {_tokens(loaded.lacking)} more than were left"
    full = assembly.question.facts.view.nodes[node].tokens_full
    if not full:
        return "has no text"
    if not assembly.question.matched:
        return "nothing known matches the question"
    missed = assembly.pack.missed.get(node)
    if missed is not None and missed.why is Miss.NO_ROOM:
        parts = "its sections need" if assembly.question.found is None else "its best passage needs"
        needs = "its text needs" if missed.needed == full else parts
        return f"does not fit, {needs} {_tokens(missed.needed)} and {missed.left:,} were left"
    if not assembly.qualifying[node]:
        return "too little of the query in it"
    better = len(assembly.pack.loaded)
    if not better:
        return "no notes were asked for"
    return f"{better} better {'note was' if better == 1 else 'notes were'} loaded"


def _tokens(count: int) -> str:
    return "1 token" if count == 1 else f"{count:,} tokens"


def _link(assembly: Assembly, other: int, leads_there: bool) -> str:
    name = assembly.question.facts.view.nodes[other].name
    shown = name if len(name) <= LONGEST_NAME else name[: LONGEST_NAME - 1] + "…"
    return f"links to {shown}" if leads_there else f"linked from {shown}"


def _list(items: list[str]) -> str:
    return items[0] if len(items) == 1 else f"{', '.join(items[:-1])} and {items[-1]}"


MOST_UNLOADED = 50
NAMED_IN_A_PACK = 8

LoadedNode = TypeVar("LoadedNode", bound=PathNode)


def loaded_nodes(pinned: PinnedGraph, assembly: Assembly, shape: type[LoadedNode]) -> list[LoadedNode]:
    loaded = assembly.pack.loaded
    texts = contents(pinned, {node: found.level for node, found in loaded.items() if found.page is None})
    texts |= {node: found.page.content() for node, found in loaded.items() if found.page is not None}
    return [
        shape(
            **_said(assembly, node),
            level=found.level,
            content=texts[node],
            tokens=found.tokens,
            depth=int(assembly.depth[node]),
            sections=found.page.sections() if found.page else None,
        )
        for node, found in loaded.items()
    ]


def _said(assembly: Assembly, node: int) -> dict[str, Any]:
    """What is told of a visited node, loaded or not."""
    found = assembly.question.facts.view.nodes[node]
    score, reason = int(assembly.scores[node]), reason_for(assembly, node)
    return {"id": found.id, "name": found.name, "score": score, "reason": reason}


def unloaded_nodes(assembly: Assembly) -> list[UnloadedNode]:
    """The best of the rest of a walk."""
    return [UnloadedNode(**_said(assembly, node)) for node in assembly.others(MOST_UNLOADED)]


def named_nodes(pinned: PinnedGraph, assembly: Assembly) -> list[NamedNode]:
    """The next best of a pack, at level 1."""
    others = assembly.others(NAMED_IN_A_PACK)
    notes = pinned.level_one(others)
    return [NamedNode(**_said(assembly, node), description=notes[node].description) for node in others]


def visited_nodes(assembly: Assembly) -> list[str]:
    """Everything that was looked at, loaded or not, best first."""
    nodes = assembly.question.facts.view.nodes
    return [nodes[node].id for node in assembly.order.tolist()]


PASSAGES_TOKENS = 1500  # of one note for a question; a best passage that is longer comes whole


def disclose_passages(pinned: PinnedGraph, node: int, query: str, index: PassageIndex) -> PassagesOfNode:
    """The best passages of a note for a question, best first until some tokens are full; all of a short note."""
    facts = facts_of(pinned.view)
    found = find_passages(terms_in(facts, index), facts.count, query, node)
    pages = read_pages(pinned, [node])
    ranked = found.of_one() if found else []
    budget = max([PASSAGES_TOKENS, *(pages[node].cost_of(place) for _, place, _ in ranked[:1])])
    loaded = pack_passages(pinned.view.nodes, ranked, lambda _: pages, 1, budget).loaded.get(node)
    whole = loaded is not None and loaded.level == 4
    content = pinned.bodies([node])[node] if whole else pages[node].content() if loaded else ""
    return PassagesOfNode(
        **level_one_fields(pinned, node),
        level=4 if whole else 3,
        content=content,
        tokens=loaded.tokens if loaded else 0,
        matched=loaded is not None,
        sections=pages[node].sections(),
    )
