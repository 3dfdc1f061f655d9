"""A Markdown file of an import."""

from dataclasses import dataclass

from loreweave.contracts.memory_requests import StoreRequest


@dataclass(frozen=True, slots=True)
class MemoryFile:
    """`request` holds what the file says, as an edit where it names an id; `model_fields_set` tells what it names."""

    path: str
    request: StoreRequest
    created_at: int | None
    version: int | None  # none where the file does not tell it

    @property
    def node_id(self) -> str | None:
        return self.request.node_id
