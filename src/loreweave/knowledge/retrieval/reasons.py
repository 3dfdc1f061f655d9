"""Why a note was loaded or not, in one sentence of facts. A reason quotes single words, never a note's sentences."""

from loreweave.knowledge.retrieval.assemble import QUALIFYING_TEXT, Assembly
from loreweave.knowledge.retrieval.budget import Miss
from loreweave.knowledge.retrieval.relevance import Match, matches

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
    found = matches(question.facts, question.query, node)
    if found:
        parts.append(_matched(found))
    if question.relevance[node] - question.lexical[node] >= QUALIFYING_TEXT:
        parts.append("close in meaning to the query")
    if evidence.told[node]:
        link = _link(assembly, node, int(evidence.told_by[node]))
        known = f"{evidence.known} query {'word' if evidence.known == 1 else 'words'}"
        parts.append(f"{link} in a sentence with {evidence.told[node]} of {known}")
    elif evidence.parent[node] >= 0:
        parts.append(_link(assembly, node, int(evidence.parent[node])))
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
    if not match.near:
        return f'"{match.word}"'
    return _list([f'"{word}"' for word in match.near]) + f' (for "{match.word}")'


def _outcome(assembly: Assembly, node: int) -> str:
    loaded = assembly.pack.loaded.get(node)
    if loaded is not None:
        if loaded.level == 4:
            return ""
        return f"sections only, the full text needs {_tokens(loaded.lacking)} more than were left"
    missed = assembly.pack.missed.get(node)
    if missed is not None:
        if missed.why is Miss.NO_TEXT:
            return "has no text"
        whole = missed.needed == assembly.question.facts.view.nodes[node].tokens_full
        needs = "its text needs" if whole else "its sections need"
        return f"does not fit, {needs} {_tokens(missed.needed)} and {missed.left} were left"
    if not assembly.qualifying[node]:
        return "too little of the query in it"
    better = len(assembly.pack.loaded)
    if not better:
        return "no notes were asked for"
    return f"{better} better {'note was' if better == 1 else 'notes were'} loaded"


def _tokens(count: int) -> str:
    return "1 token" if count == 1 else f"{count} tokens"


def _link(assembly: Assembly, node: int, other: int) -> str:
    view = assembly.question.facts.view
    targets = view.outgoing.node[view.outgoing.start[other] : view.outgoing.start[other + 1]]
    name = view.nodes[other].name
    shown = name if len(name) <= LONGEST_NAME else name[: LONGEST_NAME - 1] + "…"
    return f"linked from {shown}" if node in targets else f"links to {shown}"


def _list(items: list[str]) -> str:
    return items[0] if len(items) == 1 else f"{', '.join(items[:-1])} and {items[-1]}"
