"""The tools of memory by name: what each answers, and which of the service's doors it knocks at.

HTTP, MCP and the command line call through here, so that equal arguments give equal answers.
"""

import logging
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

from pydantic import BaseModel

from loreweave.contracts import memory as answers
from loreweave.contracts.memory_arguments import read_memory_request
from loreweave.contracts.memory_requests import MemoryRequest
from loreweave.errors import LoreError

if TYPE_CHECKING:
    from loreweave.application import Application

Answer = TypeVar("Answer")
log = logging.getLogger("loreweave.memory")


@dataclass(frozen=True, slots=True)
class MemoryCall:
    method: str
    answer: type[BaseModel]


MEMORY_CALLS = {
    "store_memory": MemoryCall("store", answers.StoreAnswer),
    "search_memories": MemoryCall("search", answers.SearchAnswer),
    "get_memory": MemoryCall("get", answers.MemoryRecord),
    "get_memetic_status": MemoryCall("status", answers.StatusAnswer),
    "forget_concept": MemoryCall("forget", answers.ForgetAnswer),
    "boost_importance": MemoryCall("boost", answers.BoostAnswer),
    "merge_concepts": MemoryCall("merge", answers.MergeAnswer),
    "restore_concept": MemoryCall("restore", answers.RestoreAnswer),
    "undo_merge": MemoryCall("undo", answers.UndoAnswer),
    "list_deleted": MemoryCall("list_deleted", answers.DeletedAnswer),
    "dismiss_task": MemoryCall("dismiss", answers.DismissAnswer),
}


def call_memory(application: "Application", tool: str, arguments: Mapping[str, Any], actor: str) -> BaseModel:
    """What the tool answers to these arguments; wrong ones are refused before the store is asked."""
    return answer_request(application, tool, read_memory_request(tool, arguments), actor)


def answer_request(application: "Application", tool: str, request: MemoryRequest, actor: str) -> BaseModel:
    return confidentially(getattr(application.memory, MEMORY_CALLS[tool].method), request, actor)


def confidentially(work: Callable[..., Answer], *arguments: Any) -> Answer:
    """A trouble nobody foresaw may quote the memory it was about: only its kind is logged."""
    try:
        return work(*arguments)
    except LoreError:
        raise
    except Exception as trouble:
        log.error("memory failed unexpectedly: %s", type(trouble).__name__)
        raise LoreError("Something went wrong inside the server", code="internal_error") from None
