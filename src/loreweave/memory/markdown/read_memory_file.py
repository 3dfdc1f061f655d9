"""The bytes of a file to what it says; every refusal is one sentence, as when a memory is stored."""

from loreweave.clock import parse_instant
from loreweave.contracts import argument_values as values
from loreweave.contracts.memory_arguments import read_memory_request
from loreweave.contracts.memory_requests import CONTENT_LIMIT, StoreRequest
from loreweave.memory.markdown.memory_file import MemoryFile
from loreweave.memory.markdown.read_front_matter import MOST_BYTES, read_front_matter

MOST_FILE_BYTES = MOST_BYTES + 4 * CONTENT_LIMIT + 1024
MOST_VERSIONS = 1_000_000_000
_GIVEN = ("name", "scope", "importance", "tags", "source", "valid_from", "valid_until", "relations")
_OWN = ("node_id", "created_at", "version")
_NULLABLE = ("source", "valid_from", "valid_until")


def read_memory_file(path: str, data: bytes) -> MemoryFile:
    if len(data) > MOST_FILE_BYTES:
        raise values.refusal("file", f"The file is larger than {MOST_FILE_BYTES} bytes")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise values.refusal("file", "The file is no UTF-8 text") from None
    fields, content = read_front_matter(text)
    values.refuse_unknown(fields, (*_OWN, *_GIVEN))
    given = {name: fields[name] for name in _GIVEN if name in fields}
    version = values.whole_number("version", fields["version"], 1, MOST_VERSIONS) if "version" in fields else None
    created_at = parse_instant(values.instant("created_at", fields["created_at"])) if "created_at" in fields else None
    if "node_id" in fields:
        given |= {"node_id": fields["node_id"], "expected_version": version or 1}
    else:  # nothing is there that could be taken away
        given = {name: value for name, value in given.items() if value is not None or name not in _NULLABLE}
    request = read_memory_request("store_memory", {"content": _without_newline(text, content), **given})
    assert isinstance(request, StoreRequest)
    return MemoryFile(path, request, created_at, version)


def _without_newline(text: str, content: str) -> str:
    """One newline ends a file; what an editor has written whose newlines have two characters ends with those."""
    is_exported = text.startswith("---\n")
    return content.removesuffix("\r\n" if not is_exported and content.endswith("\r\n") else "\n")
