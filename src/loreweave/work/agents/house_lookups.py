"""What the house knows, as an agent may look it up: documents and memories, read and never changed."""

from loreweave.contracts.ask import AskRequest
from loreweave.contracts.memory_requests import MemorySearchRequest
from loreweave.errors import InvalidInput
from loreweave.knowledge.answers.ask_service import AskService
from loreweave.memory.memory_service import MemoryService

FOUND = 6
LONGEST = 500  # characters of a question
ACTOR = "agent"
NOTHING = "Nothing was found."


def search_docs(asking: AskService, query: str) -> str:
    found = asking.search(AskRequest(query=_asked(query), limit=FOUND, typing=True)).results
    return "\n\n".join(f"{hit.heading or hit.title} ({hit.url})\n{hit.snippet}" for hit in found) or NOTHING


def recall(memory: MemoryService, query: str) -> str:
    found = memory.search(MemorySearchRequest(query=_asked(query), limit=FOUND), ACTOR).results
    return "\n\n".join(f"{hit.name}\n{hit.content}" for hit in found) or NOTHING


def _asked(query: str) -> str:
    """What a model wrote, as a question that can be asked."""
    words = query.encode("utf-8", "replace").decode().replace("\0", " ").split()
    if not words:
        raise InvalidInput("query must not be empty", field="query")
    return " ".join(words)[:LONGEST]
