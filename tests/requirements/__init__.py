"""Every binding sentence of the contracts and of the house, under a stable id, one file a part.

A test that holds a sentence names its id with ``@pytest.mark.holds("id")``. What is not held,
or only in part, says so in ``gap``. tests/architecture/test_requirements_manifest.py compares both sides.
"""

from tests.requirements import (
    asking_sentences,
    chat_sentences,
    house_sentences,
    memory_sentences,
    one_product_sentences,
    outside_sentences,
    page_asking_sentences,
    page_library_sentences,
    page_memories_sentences,
    page_routes_sentences,
    page_shell_sentences,
    page_studio_sentences,
    retrieval_sentences,
    routing_sentences,
    sessions_sentences,
    skill_graph_sentences,
)
from tests.requirements.requirement import Requirement

REQUIREMENTS: dict[str, Requirement] = {
    **skill_graph_sentences.SENTENCES,
    **asking_sentences.SENTENCES,
    **retrieval_sentences.SENTENCES,
    **memory_sentences.SENTENCES,
    **routing_sentences.SENTENCES,
    **sessions_sentences.SENTENCES,
    **chat_sentences.SENTENCES,
    **house_sentences.SENTENCES,
    **outside_sentences.SENTENCES,
    **one_product_sentences.SENTENCES,
    **page_shell_sentences.SENTENCES,
    **page_library_sentences.SENTENCES,
    **page_asking_sentences.SENTENCES,
    **page_memories_sentences.SENTENCES,
    **page_routes_sentences.SENTENCES,
    **page_studio_sentences.SENTENCES,
}
