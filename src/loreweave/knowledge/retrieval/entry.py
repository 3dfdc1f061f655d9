"""Where a walk begins when nobody says where."""

from loreweave.knowledge.retrieval.view_facts import ViewFacts


def choose_entry(facts: ViewFacts, relevance: list[float]) -> int:
    """The best moc, else the note named index, readme or home, else the best T, else the greatest degree."""
    if facts.mocs:
        return _best(facts, [(_moc_worth(facts, relevance, moc), moc) for moc in facts.mocs])
    if facts.home is not None:
        return facts.home
    return _best(facts, [(worth, node) for node, worth in enumerate(relevance)])


def _moc_worth(facts: ViewFacts, relevance: list[float], moc: int) -> float:
    """Its own T plus half the best T among the notes it links to."""
    outgoing = facts.view.outgoing
    targets = outgoing.node[outgoing.start[moc] : outgoing.start[moc + 1]]
    return relevance[moc] + max((relevance[target] for target in targets), default=0.0) / 2


def _best(facts: ViewFacts, worths: list[tuple[float, int]]) -> int:
    """The greatest worth; ties by degree, then id."""
    greatest = max(worth for worth, _ in worths)
    equal = [node for worth, node in worths if worth == greatest]
    return min(equal, key=lambda node: (-facts.degrees[node], facts.rank[node]))
