"""From loose arguments to a request of memory; every refusal is one fixed sentence, and the first that applies.

What is refused never depends on a library's idea of a boolean or a number: nothing unclear becomes a hard delete.
"""

import re
from collections.abc import Callable, Mapping
from datetime import datetime
from functools import partial
from typing import Any, get_args

from pydantic import ValidationError

from loreweave.contracts import argument_values as values
from loreweave.contracts import memory_requests as asked
from loreweave.contracts.argument_values import refusal
from loreweave.errors import NotFound

Read = Callable[[str, Any], Any]
IMPORTANCE_PLACES = 6
_SCOPE = re.compile(asked.SCOPE_PATTERN.strip("^$"))
_SEARCHED_SCOPE = re.compile(asked.SCOPE_PATTERN.strip("^$") + r"|\*")
_HASH = re.compile("sha256:[0-9a-f]{64}")
_TAKEN_AWAY = ("source", "valid_from", "valid_until")  # an edit may set these to null


def read_memory_request(tool: str, given: Mapping[str, Any]) -> asked.MemoryRequest:
    """The request of this tool made of these arguments; `InvalidInput` says what is wrong and where."""
    model = asked.MEMORY_REQUESTS[tool]
    if not isinstance(given, Mapping):
        raise refusal("arguments", "arguments must be an object")
    values.refuse_unknown(given, model.model_fields)
    _refuse_unknown_in_relations(given.get("relations"))
    read = _READERS[tool](given)
    try:
        return model.model_validate(read)
    except ValidationError as trouble:  # a bound that only the schema knows: still our shape, never the library's
        field = ".".join(str(part) for part in trouble.errors(include_url=False, include_input=False)[0]["loc"])
        raise refusal(field, f"{field} cannot be read") from None


def _refuse_unknown_in_relations(relations: Any) -> None:
    for position, relation in enumerate(relations if isinstance(relations, list) else ()):
        if isinstance(relation, dict):
            values.refuse_unknown(relation, asked.RelationGiven.model_fields, f"relations[{position}]")


def _in_order(needed: tuple[str, ...], readers: Mapping[str, Read], given: Mapping[str, Any]) -> dict[str, Any]:
    """Each given argument, read in the order of its readers."""
    read = {}
    for name, reader in readers.items():
        if name in given:
            read[name] = reader(name, given[name])
        elif name in needed:
            raise values.missing(name)
    return read


def _importance(field: str, value: Any) -> float:
    return round(values.number(field, value, 0.0, 1.0), IMPORTANCE_PLACES)


def _weight(field: str, value: Any) -> float:
    weight = values.number(field, value, 0.0, 1.0)
    if weight == 0.0:
        raise refusal(field, f"{field} must be above 0")
    return weight


def _name(field: str, value: Any) -> str:
    name = values.name_text(field, value, asked.NAME_LIMIT)
    if not name.strip():
        raise refusal(field, f"{field} must not be blank")
    return name


def _tags(field: str, value: Any) -> list[str]:
    tags: set[str] = set()
    for position, entry in enumerate(values.entries(field, value)):
        place = f"{field}[{position}]"
        tag = values.composed_text(place, values.plain_text(place, entry).strip(), asked.TAG_LIMIT)
        if not tag:
            raise refusal(place, f"{place} must not be blank")
        tags.add(tag)
        if len(tags) > asked.MOST_TAGS:
            raise refusal(field, f"{field} must hold at most {asked.MOST_TAGS} entries")
    return sorted(tags)


def _relations(field: str, value: Any) -> list[dict[str, Any]]:
    given = values.entries(field, value)
    if len(given) > asked.MOST_RELATIONS:
        raise refusal(field, f"{field} must hold at most {asked.MOST_RELATIONS} entries")
    return [_relation(f"{field}[{position}]", entry) for position, entry in enumerate(given)]


def _relation(place: str, entry: Any) -> dict[str, Any]:
    if not isinstance(entry, dict):
        raise refusal(place, f"{place} must be an object")
    if "target_id" not in entry:
        raise values.missing(f"{place}.target_id")
    return {name: _RELATION[name](f"{place}.{name}", value) for name, value in entry.items()}


def _reversal_hash(field: str, value: Any) -> str:
    """Text that is no hash is the hash of no merge."""
    if not _HASH.fullmatch(values.plain_text(field, value)):
        raise NotFound("Unknown reversal_hash: it must be sha256: and 64 hexadecimal digits", field=field)
    return str(value)


_node_id = values.node_id
_request_id = partial(values.filled_text, most=128)
_reason = partial(values.bounded_text, most=asked.REASON_LIMIT)
_query = partial(values.needed_text, most=asked.QUERY_LIMIT)
_scope = partial(values.matching_text, pattern=_SCOPE, sentence="scope must be 1 to 128 of A-Z a-z 0-9 . _ : / -")
_any_scope = partial(
    values.matching_text, pattern=_SEARCHED_SCOPE, sentence="scope must be * or 1 to 128 of A-Z a-z 0-9 . _ : / -"
)
_RELATION: dict[str, Read] = {
    "target_id": _node_id,
    "type": partial(values.choice, choices=get_args(asked.RelationType)),
    "weight": _weight,
}
_STORE: dict[str, Read] = {
    "content": partial(values.needed_text, most=asked.CONTENT_LIMIT),
    "name": _name,
    "importance": _importance,
    "tags": _tags,
    "scope": _scope,
    "source": partial(values.bounded_text, most=asked.SOURCE_LIMIT),
    "valid_from": values.instant,
    "valid_until": values.instant,
    "relations": _relations,
    "node_id": _node_id,
    "expected_version": partial(values.whole_number, low=1),
    "request_id": _request_id,
}


def _read_store(given: Mapping[str, Any]) -> dict[str, Any]:
    edits = "node_id" in given
    taken_away = {name: None for name in _TAKEN_AWAY if edits and name in given and given[name] is None}
    rest = {name: value for name, value in given.items() if name not in taken_away}
    read = _in_order(() if edits or "expected_version" in given else ("content",), _STORE, rest)
    for name, other in (("expected_version", "node_id"), ("node_id", "expected_version")):
        if other in given and name not in given:
            raise refusal(name, f"{name} is required where {other} is given")
    starts, ends = read.get("valid_from"), read.get("valid_until")
    if starts and ends and datetime.fromisoformat(starts) >= datetime.fromisoformat(ends):
        raise refusal("valid_until", "valid_until must be after valid_from")
    return {**read, **taken_away}


def _node_ids(field: str, value: Any) -> list[str]:
    return [_node_id(f"{field}[{position}]", entry) for position, entry in enumerate(values.entries(field, value))]


def _shown_ids(field: str, value: Any) -> list[str]:
    if len(values.entries(field, value)) > asked.MOST_SHOWN:
        raise refusal(field, f"{field} must hold at most {asked.MOST_SHOWN} entries")
    return _node_ids(field, value)


_MERGE: dict[str, Read] = {
    "source_ids": _node_ids,
    "target_name": values.plain_text,
    "rationale": values.plain_text,
    "merge_strategy": partial(values.choice, choices=get_args(asked.Strategy)),
    "force_merge": values.boolean,
    "preview": values.boolean,
    "request_id": _request_id,
}


def _read_merge(given: Mapping[str, Any]) -> dict[str, Any]:
    """Kinds and ids first, then how many, then the texts, then what is named twice."""
    read = _in_order((), _MERGE, given)
    sources = read.get("source_ids", [])
    if len(sources) < asked.FEWEST_SOURCES:
        missing = "" if "source_ids" in read else ": source_ids is required"
        raise refusal("source_ids", f"Need at least {asked.FEWEST_SOURCES} concepts to merge{missing}")
    if len(sources) > asked.MOST_SOURCES:
        raise refusal("source_ids", f"Maximum {asked.MOST_SOURCES} concepts per merge")
    read["target_name"] = values.name_text("target_name", read.get("target_name", ""), asked.NAME_LIMIT)
    if not read["target_name"].strip():
        raise values.missing("target_name")
    read["rationale"] = values.needed_text("rationale", read.get("rationale", ""), asked.RATIONALE_LIMIT)
    for position, source in enumerate(sources):
        if source in sources[:position]:
            raise refusal(f"source_ids[{position}]", f"Duplicate source_id: {source}")
    return read


def _reading(needed: tuple[str, ...], **readers: Read) -> Callable[[Mapping[str, Any]], dict[str, Any]]:
    return partial(_in_order, needed, readers)


_READERS: dict[str, Callable[[Mapping[str, Any]], dict[str, Any]]] = {
    "store_memory": _read_store,
    "search_memories": _reading(
        ("query",),
        query=_query,
        limit=partial(values.whole_number, low=1, high=100),
        scope=_any_scope,
        tags=_tags,
        min_relevance=partial(values.number, low=0.0, high=1.0),
        as_of=values.instant,
        max_tokens=partial(values.whole_number, low=1),
    ),
    "get_memory": _reading(
        ("node_id",),
        node_id=_node_id,
        include_deleted=values.boolean,
        history=partial(values.whole_number, low=0, high=200),
    ),
    "get_memetic_status": _reading(
        (), scope=_any_scope, limit=partial(values.whole_number, low=1, high=50), refresh=values.boolean
    ),
    "forget_concept": _reading(
        ("node_id",), node_id=_node_id, soft_delete=values.boolean, reason=_reason, request_id=_request_id
    ),
    "boost_importance": _reading(
        ("delta", "node_id"), delta=partial(values.number, low=-1.0, high=1.0), node_id=_node_id, request_id=_request_id
    ),
    "merge_concepts": _read_merge,
    "restore_concept": _reading(("node_id",), node_id=_node_id, request_id=_request_id),
    "undo_merge": _reading(
        ("reversal_hash",),
        reversal_hash=_reversal_hash,
        preview=values.boolean,
        on_conflict=partial(values.choice, choices=get_args(asked.OnConflict)),
        allow_partial=values.boolean,
        request_id=_request_id,
    ),
    "list_deleted": _reading((), query=_query, scope=_any_scope, limit=partial(values.whole_number, low=1, high=200)),
    "dismiss_task": _reading(
        ("task_id",), task_id=partial(values.filled_text, most=asked.TASK_LIMIT), reason=_reason, request_id=_request_id
    ),
    "list_memories": _reading(
        (),
        scope=_any_scope,
        tags=_tags,
        sort=partial(values.choice, choices=get_args(asked.Sorting)),
        limit=partial(values.whole_number, low=1, high=200),
        offset=partial(values.whole_number, low=0),
    ),
    "show_memories": _reading(("node_ids",), node_ids=_shown_ids, copies=values.boolean),
    "list_changes": _reading(
        (), before=partial(values.whole_number, low=1), limit=partial(values.whole_number, low=1, high=200)
    ),
    "reopen_task": _reading(("task_id",), task_id=partial(values.filled_text, most=asked.TASK_LIMIT)),
}
