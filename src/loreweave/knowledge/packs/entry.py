"""Where a walk begins when nobody says where."""

import numpy

from loreweave.knowledge.packs.assemble import Question


def choose_entry(question: Question) -> int:
    """Where the best passage is; without one the most linked moc, else the note named index, readme or home, else
    the most linked note. Ties by id."""
    if question.found is not None:
        return question.found.first()
    facts, arrays = question.facts, question.arrays
    if not facts.mocs and facts.home is not None:
        return facts.home
    nodes = numpy.array(facts.mocs or range(arrays.count), dtype=numpy.int64)
    return int(nodes[numpy.lexsort((arrays.rank[nodes], -arrays.degrees[nodes]))[0]])
