"""Where a walk begins when nobody says where."""

import numpy

from loreweave.knowledge.packs.assemble import Question


def choose_entry(question: Question) -> int:
    """Where the best passage is; without one the most linked moc, else the note named index, readme or home, else
    the most linked note. Ties by id."""
    if question.found is not None:
        return question.found.first()
    facts = question.facts
    if not facts.mocs and facts.home is not None:
        return facts.home
    nodes = numpy.array(facts.mocs or range(facts.count), dtype=numpy.int64)
    return int(facts.in_order(nodes, facts.degrees)[0])
