"""What the house knows, as an agent may look it up: documents and memories, read and never changed."""

from loreweave.contracts.ask import AskRequest
from loreweave.contracts.memory_requests import SearchRequest
from loreweave.knowledge.asking.ask_service import AskService
from loreweave.memory.memory_service import MemoryService

FOUND = 6
ACTOR = "agent"
NOTHING = "Nothing was found."


def search_docs(asking: AskService, query: str) -> str:
    found = asking.search(AskRequest(query=query[:500], limit=FOUND, typing=True)).results
    return "\n\n".join(f"{hit.heading or hit.title} ({hit.url})\n{hit.snippet}" for hit in found) or NOTHING


def recall(memory: MemoryService, query: str) -> str:
    found = memory.search(SearchRequest(query=query[:1_000], limit=FOUND), ACTOR).results
    return "\n\n".join(f"{hit.name}\n{hit.content}" for hit in found) or NOTHING
