"""A memory as a Markdown file: its front matter and its content, read as `store_memory` reads its arguments."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from loreweave.clock import parse_instant
from loreweave.contracts import argument_values as values
from loreweave.contracts.argument_values import refusal
from loreweave.contracts.memory_arguments import read_memory_request
from loreweave.contracts.memory_requests import CONTENT_LIMIT, StoreRequest
from loreweave.language.headers.header_tree import (
    CLOSING,
    MOST_BYTES,
    NULLS,
    OPENING,
    HeaderNode,
    ListNode,
    TextNode,
    UnreadableHeader,
    read_header_tree,
)
from loreweave.language.strange_text import shown

_LONGEST = 300


@dataclass(frozen=True, slots=True)
class SourceFile:
    """`read` answers the bytes, or says in one sentence why not."""

    path: str
    read: Callable[[], bytes]


def is_memory_name(name: str) -> bool:
    """Whether a path is that of a Markdown file in no hidden place."""
    parts = name.split("/")
    return name.lower().endswith(".md") and not any(part.startswith(".") or part == "__MACOSX" for part in parts)


def shown_path(path: str) -> str:
    return shown(path, _LONGEST)


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


_BARE = re.compile(r"[A-Za-z](?:[A-Za-z0-9 _./-]*[A-Za-z0-9_/-])?|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")
_WORDS = {"true", "false", "yes", "no", "on", "off", "y", "n", "null"}  # which some readers take for other than text
_ESCAPES = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t"}
_BOOLEANS = {"true": True, "True": True, "TRUE": True, "false": False, "False": False, "FALSE": False}
_WHOLE = re.compile(r"[-+]?[0-9]+")
_REAL = re.compile(r"[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?")
_NO_NUMBERS = {".inf": "inf", "+.inf": "inf", "-.inf": "-inf", ".nan": "nan"}
_MOST_DIGITS = 400  # more than any number has that is in bounds anywhere

Scalar = str | int | float | bool | None


def write_text(text: str | None) -> str:
    if text is None:
        return "null"
    if _BARE.fullmatch(text) and text.lower() not in _WORDS:
        return text
    return '"' + "".join(map(_escaped, text)) + '"'


def write_number(value: float) -> str:
    """So that it reads back as the same number; with a point, without which some readers take it for text."""
    mantissa, exponent, power = repr(value).partition("e")
    return f"{mantissa if '.' in mantissa else mantissa + '.0'}{exponent}{power}"


def read_bare(text: str) -> Scalar:
    """What a value without quotes stands for."""
    if text in NULLS:
        return None
    if text in _BOOLEANS:
        return _BOOLEANS[text]
    if _WHOLE.fullmatch(text):
        return int(text) if len(text) <= _MOST_DIGITS else float("inf")
    if _REAL.fullmatch(text):
        return float(text)
    return float(_NO_NUMBERS[text.lower()]) if text.lower() in _NO_NUMBERS else text


def _escaped(character: str) -> str:
    if character in _ESCAPES:
        return _ESCAPES[character]
    if character.isprintable():
        return character
    code = ord(character)
    return f"\\x{code:02X}" if code < 0x100 else f"\\u{code:04X}" if code < 0x10000 else f"\\U{code:08X}"


MOST_DEPTH = 4
FIELD = "front matter"
_FIRST_KEY = re.compile(r"(?:[ \t]*(?:#[^\n]*)?\n)*+[ \t]*[A-Za-z_][A-Za-z0-9_-]*[ \t]*:(?:\s|$)")


def read_front_matter(text: str) -> tuple[dict[str, Any], str]:
    """Its fields, and the text behind it. Without front matter there are no fields, and all is text."""
    opening = OPENING.match(text)
    closing = CLOSING.search(text, opening.end()) if opening else None
    if opening is None or closing is None:
        return {}, text
    inner = text[opening.end() : closing.start()]
    if len(inner.encode()) > MOST_BYTES:
        raise refusal(FIELD, f"The front matter is larger than {MOST_BYTES:,} bytes")
    try:
        tree = read_header_tree(inner, most_depth=MOST_DEPTH)
    except UnreadableHeader as trouble:
        if trouble.kind == "shape" or (trouble.kind == "syntax" and not _FIRST_KEY.match(inner)):
            return {}, text  # prose between two rules
        said = "is no valid YAML" if trouble.kind == "syntax" else f"cannot be read: {trouble.sentence}"
        raise refusal(FIELD, f"The front matter {said}, line {trouble.line + 2}") from None
    return {key: _value(node) for key, node in tree.fields.items()}, text[closing.end() + 1 :]


def _value(node: HeaderNode) -> Any:
    if isinstance(node, TextNode):
        return read_bare(node.text) if node.bare else node.text
    if isinstance(node, ListNode):
        return [_value(item) for item in node.items]
    return {key: _value(inner) for key, inner in node.fields.items()}


MOST_FILE_BYTES = MOST_BYTES + 4 * CONTENT_LIMIT + 1024
MOST_VERSIONS = 1_000_000_000
_GIVEN = ("name", "scope", "importance", "tags", "source", "valid_from", "valid_until", "relations")
_OWN = ("node_id", "created_at", "version")
_NULLABLE = ("source", "valid_from", "valid_until")


def read_memory_file(path: str, data: bytes) -> MemoryFile:
    if len(data) > MOST_FILE_BYTES:
        raise values.refusal("file", f"The file is larger than {MOST_FILE_BYTES:,} bytes")
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
