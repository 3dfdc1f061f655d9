"""YAML headers as plain text values, read from parser events so that no tag or type can act."""

from typing import Any

from loreweave.knowledge.reading.header_values import (
    NULLS,
    HeaderRefused,
    NotAHeader,
    Pairs,
    Value,
    YamlFailed,
)

MAX_DEPTH = 20


def read_yaml_header(inner: str) -> Pairs:
    """Key, value and line (from 0) of each pair of the mapping, in order, duplicates included."""
    import yaml  # costs a cold start more than most headers are worth

    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    try:
        return _read_events(yaml, yaml.parse(inner, Loader=loader))
    except (NotAHeader, HeaderRefused, YamlFailed):
        raise
    except yaml.MarkedYAMLError as error:
        line = error.problem_mark.line if error.problem_mark else 0
        raise YamlFailed(str(error.problem or error.context or "unreadable"), line) from None
    except Exception as error:  # a header must never stop a reading, whatever the parser thinks of it
        raise YamlFailed(type(error).__name__, 0) from None


def _read_events(yaml: Any, events: Any) -> Pairs:
    next(events)  # start of the stream
    document = next(events)
    if isinstance(document, yaml.StreamEndEvent):
        return []
    root = next(events)
    if not isinstance(root, yaml.MappingStartEvent):
        if isinstance(root, yaml.ScalarEvent):
            next(events)  # fails when the text goes on in a way that is no YAML: then lines may be readable
            next(events)
        raise NotAHeader
    if root.anchor:
        raise HeaderRefused("anchors and aliases", root.start_mark.line)
    pairs = _read_pairs(yaml, events)
    next(events)  # end of the document
    if not isinstance(next(events), yaml.StreamEndEvent):
        raise YamlFailed("more than one document", 0)
    return pairs


def _read_pairs(yaml: Any, events: Any) -> Pairs:
    pairs: Pairs = []
    while not isinstance(event := next(events), yaml.MappingEndEvent):
        line = event.start_mark.line
        key = _read_key(yaml, event, events, 1)
        pairs.append((key, _read_value(yaml, next(events), events, 1), line))
    return pairs


def _read_value(yaml: Any, event: Any, events: Any, depth: int) -> Value:
    if isinstance(event, yaml.AliasEvent) or event.anchor:
        raise HeaderRefused("anchors and aliases", event.start_mark.line)
    if isinstance(event, yaml.ScalarEvent):
        if not event.style and event.value in NULLS:
            return None
        return event.value.replace("\0", "\ufffd")
    if depth >= MAX_DEPTH:
        raise HeaderRefused(f"nested deeper than {MAX_DEPTH}", event.start_mark.line)
    if isinstance(event, yaml.SequenceStartEvent):
        items: list[Value] = []
        while not isinstance(event := next(events), yaml.SequenceEndEvent):
            items.append(_read_value(yaml, event, events, depth + 1))
        return items
    fields: dict[str, Value] = {}
    while not isinstance(event := next(events), yaml.MappingEndEvent):
        key = _read_key(yaml, event, events, depth + 1)
        fields[key] = _read_value(yaml, next(events), events, depth + 1)
    return fields


def _read_key(yaml: Any, event: Any, events: Any, depth: int) -> str:
    """A key is its text, `null` included; a list or map as key names nothing we know."""
    key = _read_value(yaml, event, events, depth)
    if isinstance(key, str):
        return key
    return event.value if isinstance(event, yaml.ScalarEvent) else ""
