"""Front matter read from the events of a YAML parser: no tag, alias or type of its own can act."""

import re
from typing import Any

from loreweave.contracts.argument_values import refusal
from loreweave.memory.markdown.yaml_values import read_bare

MOST_BYTES = 64 * 1024
MOST_DEPTH = 4
FIELD = "front matter"
_OPENING = re.compile(r"---[ \t]*\r?\n")
_CLOSING = re.compile(r"^---[ \t]*\r?$", re.MULTILINE)
_FIRST_KEY = re.compile(r"(?:[ \t]*(?:#[^\n]*)?\n)*+[ \t]*[A-Za-z_][A-Za-z0-9_-]*[ \t]*:(?:\s|$)")


class _NoFrontMatter(Exception):
    """What stands between the rules is something else."""


def read_front_matter(text: str) -> tuple[dict[str, Any], str]:
    """Its fields, and the text behind it. Without front matter there are no fields, and all is text."""
    opening = _OPENING.match(text)
    closing = _CLOSING.search(text, opening.end()) if opening else None
    if opening is None or closing is None:
        return {}, text
    inner = text[opening.end() : closing.start()]
    if len(inner.encode()) > MOST_BYTES:
        raise refusal(FIELD, f"The front matter is larger than {MOST_BYTES} bytes")
    try:
        fields = _read(inner)
    except _NoFrontMatter:
        return {}, text
    return fields, text[closing.end() + 1 :]


def _read(inner: str) -> dict[str, Any]:
    import yaml  # costs a cold start more than most commands are worth

    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    try:
        return _mapping(yaml, yaml.parse(inner, Loader=loader))
    except (yaml.YAMLError, StopIteration, ValueError) as trouble:
        if not _FIRST_KEY.match(inner):
            raise _NoFrontMatter from None  # prose between two rules
        mark = getattr(trouble, "problem_mark", None)
        where = f" in line {mark.line + 2}" if mark else ""
        raise refusal(FIELD, f"The front matter is no valid YAML{where}") from None


def _mapping(yaml: Any, events: Any) -> dict[str, Any]:
    next(events)  # start of the stream
    if isinstance(next(events), yaml.StreamEndEvent):
        return {}
    root = next(events)
    if not isinstance(root, yaml.MappingStartEvent):
        raise _NoFrontMatter
    fields = _value(yaml, root, events, 0)
    next(events)  # end of the document
    if not isinstance(next(events), yaml.StreamEndEvent):
        raise refusal(FIELD, "The front matter holds more than one document")
    assert isinstance(fields, dict)
    return fields


def _value(yaml: Any, event: Any, events: Any, depth: int) -> Any:
    if isinstance(event, yaml.AliasEvent) or event.anchor:
        raise refusal(FIELD, "Anchors and aliases are not read in front matter")
    if event.tag:
        raise refusal(FIELD, "Tags are not read in front matter")
    if isinstance(event, yaml.ScalarEvent):
        return event.value if event.style else read_bare(event.value)
    if depth >= MOST_DEPTH:
        raise refusal(FIELD, f"The front matter is nested deeper than {MOST_DEPTH}")
    if isinstance(event, yaml.SequenceStartEvent):
        entries = []
        while not isinstance(event := next(events), yaml.SequenceEndEvent):
            entries.append(_value(yaml, event, events, depth + 1))
        return entries
    fields: dict[str, Any] = {}
    while not isinstance(event := next(events), yaml.MappingEndEvent):
        if not isinstance(event, yaml.ScalarEvent):
            raise refusal(FIELD, "A key of the front matter is no text")
        _value(yaml, event, events, depth + 1)  # refuses an anchor or a tag on a key
        if event.value in fields:
            raise refusal(FIELD, f"{event.value[:80]} stands twice in the front matter")
        fields[event.value] = _value(yaml, next(events), events, depth + 1)
    return fields
