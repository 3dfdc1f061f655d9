"""Reading well: one reading, one index, packs that hold the answer."""

from tests.requirements.requirement import Requirement

SENTENCES: dict[str, Requirement] = {
    # index
    "retrieval.index.passage": Requirement(
        "What is found is a passage: neighbouring blocks of one section, about 200 tokens, never across a heading, "
        "never half a fence or table.",
        "sheet retrieval, one index",
    ),
}
