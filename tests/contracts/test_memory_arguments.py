"""Strict arguments of memory: each refusal is a fixed sentence, and nothing unclear gets through."""

import json
import unicodedata
from typing import Any

import hypothesis
import pytest
from hypothesis import strategies as given
from tests.examples import examples
from tests.pace import within

from loreweave.contracts.memory_arguments import read_memory_request
from loreweave.contracts.memory_requests import MEMORY_REQUESTS
from loreweave.errors import InvalidInput

ID = "550e8400-e29b-41d4-a716-446655440000"
OTHER = "550e8400-e29b-41d4-a716-446655440001"
IDS = [f"550e8400-e29b-41d4-a716-4466554400{number:02x}" for number in range(12)]
INFINITY, NOT_A_NUMBER = float("inf"), float("nan")


def refused(tool: str, **arguments: Any) -> str:
    """The sentence with which these arguments are refused; its shape is always the same."""
    with pytest.raises(InvalidInput) as caught:
        read_memory_request(tool, arguments)
    shape = caught.value.shape()
    assert shape["code"] == "invalid_argument"
    assert shape["field"]
    return shape["error"]


def merging(**arguments: Any) -> dict[str, Any]:
    return {"source_ids": [ID, OTHER], "target_name": "Both", "rationale": "They say the same", **arguments}


@pytest.mark.holds("memory.arguments.unknown")
def test_an_unknown_argument_is_refused_by_name_before_anything_else() -> None:
    assert refused("forget_concept", node_id="nonsense", soft_delte=False) == "Unknown argument 'soft_delte'"
    assert refused("get_memetic_status", **{"a\n" * 99: 1}).startswith("Unknown argument 'a\N{REPLACEMENT CHARACTER}a")
    relation = {"target_id": "nonsense", "wieght": 1}
    sentence = refused("store_memory", content="", relations=[{"target_id": ID}, relation])
    assert sentence == "Unknown argument 'wieght' in relations[1]"


@pytest.mark.holds("memory.arguments.exact-types", "memory.arguments.never-a-hard-delete-by-accident")
@pytest.mark.parametrize("value", [None, 0, 1, "", "false", "off", "False", "no", 0.0, [], [False], {}, NOT_A_NUMBER])
def test_nothing_but_true_and_false_is_a_boolean(value: Any) -> None:
    assert refused("forget_concept", node_id=ID, soft_delete=value) == "soft_delete must be true or false"
    assert refused("undo_merge", reversal_hash="sha256:" + "0" * 64, preview=value) == "preview must be true or false"


@pytest.mark.holds("memory.arguments.never-a-hard-delete-by-accident", "memory.arguments.garbage")
@hypothesis.given(
    given.dictionaries(
        given.sampled_from(["node_id", "soft_delete", "reason", "request_id", "Soft_Delete", "soft_delete "]),
        given.just(ID) | given.none() | given.booleans() | given.integers() | given.text() | given.floats(),
    )
)
def test_only_a_plain_false_ever_becomes_a_hard_delete(arguments: dict[str, Any]) -> None:
    try:
        request = read_memory_request("forget_concept", arguments)
    except InvalidInput:
        return
    assert request.soft_delete is (arguments.get("soft_delete", True) is not False)
    assert set(arguments) <= set(MEMORY_REQUESTS["forget_concept"].model_fields)


JSON = given.recursive(
    given.none()
    | given.booleans()
    | given.integers()
    | given.sampled_from([10**400, -(10**400), ID, "*", "sha256:" + "a" * 64, "2026-01-01T00:00:00Z", "\ud800", "\0"])
    | given.floats()
    | given.text(),
    lambda inner: given.lists(inner, max_size=4) | given.dictionaries(given.text(max_size=8), inner, max_size=4),
    max_leaves=8,
)
FIELDS = sorted({name for model in MEMORY_REQUESTS.values() for name in model.model_fields})


@pytest.mark.holds("memory.arguments.garbage")
@hypothesis.settings(max_examples=examples(400))
@hypothesis.given(
    tool=given.sampled_from(sorted(MEMORY_REQUESTS)),
    arguments=given.dictionaries(given.sampled_from(FIELDS) | given.text(max_size=8), JSON),
)
def test_garbage_gives_a_request_or_a_refusal_that_names_a_field(tool: str, arguments: dict[str, Any]) -> None:
    try:
        outcome = read_memory_request(tool, arguments).model_dump()
    except InvalidInput as refusal:
        outcome = refusal.shape()
        assert set(outcome) == {"error", "code", "field"}
    json.dumps(outcome, ensure_ascii=False, allow_nan=False).encode()


@pytest.mark.holds("memory.arguments.garbage")
@hypothesis.settings(max_examples=examples(400))
@hypothesis.given(tool=given.sampled_from(sorted(MEMORY_REQUESTS)), data=given.data())
def test_one_wrong_value_in_a_sound_call_is_refused_in_its_own_name(tool: str, data: given.DataObject) -> None:
    name = data.draw(given.sampled_from(sorted(MEMORY_REQUESTS[tool].model_fields)))
    wrong = data.draw(given.sampled_from([None, {}, {"a": 1}, NOT_A_NUMBER, INFINITY, object]))
    if wrong is None and tool == "store_memory" and name in ("source", "valid_from", "valid_until"):
        return  # an edit takes these away
    with pytest.raises(InvalidInput) as caught:
        read_memory_request(tool, {**SOUND[tool], name: wrong})
    assert caught.value.facts["field"] == name
    assert name in caught.value.message


SOUND: dict[str, dict[str, Any]] = {
    "store_memory": {"content": "text", "node_id": ID, "expected_version": 1},
    "search_memories": {"query": "words"},
    "get_memory": {"node_id": ID},
    "get_memetic_status": {},
    "forget_concept": {"node_id": ID},
    "boost_importance": {"node_id": ID, "delta": 0.1},
    "merge_concepts": merging(),
    "restore_concept": {"node_id": ID},
    "undo_merge": {"reversal_hash": "sha256:" + "0" * 64},
    "list_deleted": {},
    "dismiss_task": {"task_id": "one"},
    "list_memories": {},
    "show_memories": {"node_ids": [ID]},
    "list_changes": {},
    "reopen_task": {"task_id": "one"},
}


@pytest.mark.parametrize("tool", MEMORY_REQUESTS)
def test_a_sound_call_is_read_with_its_defaults(tool: str) -> None:
    request = read_memory_request(tool, SOUND[tool])
    assert request.model_fields_set == set(SOUND[tool])


@pytest.mark.holds("memory.arguments.uuid")
@pytest.mark.parametrize("written", [ID, ID.upper(), "{" + ID + "}", "urn:uuid:" + ID.upper()])
def test_a_uuid_in_any_of_its_forms_is_answered_canonical(written: str) -> None:
    assert read_memory_request("get_memory", {"node_id": written}).node_id == ID
    assert read_memory_request("merge_concepts", merging(source_ids=[OTHER, written])).source_ids == [OTHER, ID]


@pytest.mark.holds("memory.arguments.uuid", "memory.arguments.sentences")
@pytest.mark.parametrize(
    "written",
    [
        *(
            "",
            ID.replace("-", ""),
            "not-a-uuid",
            ID + " ",
            " " + ID,
            ID + "\n",
            ID[:-1],
            ID + "0",
            "{" + ID,
            ID + "}",
            "(" + ID + ")",
        ),
        *("550e8400e29b-41d4-a716-446655440000", "550e-8400e29b41d4a716446655440000", "g" + ID[1:]),
        *("urn:uuid:{" + ID + "}", "uuid:" + ID, "urn:" + ID, ID.replace("5", "\N{FULLWIDTH DIGIT FIVE}")),
    ],
)
def test_what_is_no_uuid_is_refused_with_its_value(written: str) -> None:
    shown = written.replace("\n", "\N{REPLACEMENT CHARACTER}")
    assert refused("get_memory", node_id=written).startswith(f"Invalid UUID format for node_id '{shown}': ")
    beginning = f"Invalid UUID format for source_ids[1] '{shown}': "
    assert refused("merge_concepts", source_ids=[ID, written]).startswith(beginning)


@pytest.mark.holds("memory.arguments.exact-types", "memory.arguments.sentences")
@pytest.mark.parametrize(
    "delta", [None, "0.5", "", True, False, [], {}, NOT_A_NUMBER, INFINITY, -INFINITY, float("1e400")]
)
def test_a_delta_that_is_no_finite_number_is_refused_before_the_id_is_looked_at(delta: Any) -> None:
    assert refused("boost_importance", node_id="nonsense", delta=delta) == "delta must be a finite number"


@pytest.mark.holds("memory.arguments.boost-order")
@pytest.mark.parametrize("delta", [1.0000001, -1.5, 2, -(10**400), 10**400, 1e308])
def test_a_delta_out_of_range_is_refused_before_the_id_is_looked_at(delta: float) -> None:
    assert refused("boost_importance", node_id="nonsense", delta=delta) == "delta must be between -1.0 and 1.0"
    assert refused("boost_importance", node_id="nonsense", delta=1).startswith("Invalid UUID format for node_id")


def test_zero_minus_zero_and_whole_deltas_are_legal() -> None:
    for delta in (0, 0.0, -0.0, 1, -1):
        read = read_memory_request("boost_importance", {"node_id": ID, "delta": delta}).delta
        assert (read, str(read)) == (delta, str(float(delta) + 0.0))


@pytest.mark.holds("memory.arguments.merge-order", "memory.arguments.sentences")
def test_a_merge_says_what_is_wrong_in_the_fixed_order() -> None:
    wrong = {"source_ids": [ID, "x"], "target_name": "", "rationale": " "}
    assert refused("merge_concepts", **wrong).startswith("Invalid UUID format for source_ids[1] 'x'")
    assert refused("merge_concepts", **{**wrong, "source_ids": [ID], "force_merge": 1}).startswith("force_merge must")
    for few in ([], [ID]):
        assert refused("merge_concepts", **{**wrong, "source_ids": few}) == "Need at least 2 concepts to merge"
    assert refused("merge_concepts").startswith("Need at least 2 concepts to merge")
    assert refused("merge_concepts", **{**wrong, "source_ids": [ID] * 11}) == "Maximum 10 concepts per merge"
    wrong["source_ids"] = [ID, "{" + ID.upper() + "}"]
    assert refused("merge_concepts", **wrong) == "target_name is required"
    wrong["target_name"] = "n" * 257
    assert refused("merge_concepts", **wrong) == "target_name must be at most 256 characters"
    wrong["target_name"] = "n" * 256
    assert refused("merge_concepts", **wrong) == "rationale is required"
    wrong["rationale"] = "r" * 1025
    assert refused("merge_concepts", **wrong) == "rationale must be at most 1024 characters"
    wrong["rationale"] = "r" * 1024
    assert refused("merge_concepts", **wrong) == f"Duplicate source_id: {ID}"


@pytest.mark.holds("memory.arguments.sentences")
def test_blank_texts_count_as_missing() -> None:
    for blank in ("", " ", "\n\t\N{NO-BREAK SPACE}"):
        assert refused("merge_concepts", **merging(rationale=blank)) == "rationale is required"
        assert refused("store_memory", content=blank) == "content is required"
        assert refused("search_memories", query=blank) == "query is required"
    for blank in ("", "   "):
        assert refused("merge_concepts", **merging(target_name=blank)) == "target_name is required"
    assert refused("store_memory") == "content is required"
    assert refused("search_memories") == "query is required"
    assert refused("boost_importance", node_id=ID) == "delta is required"


@pytest.mark.holds("memory.arguments.sentences")
@pytest.mark.parametrize("strategy", ["keep_newest", "", "Union", None, 5, ["union"]])
def test_an_unknown_strategy_is_told_the_known_ones(strategy: Any) -> None:
    sentence = "merge_strategy must be one of union, intersection, weighted_average"
    assert refused("merge_concepts", **merging(merge_strategy=strategy)) == sentence


@pytest.mark.holds("memory.arguments.record-rules")
def test_lengths_are_counted_in_code_points_and_are_inclusive() -> None:
    astral = "\N{GRINNING FACE}"
    for field, most in (("content", 65_536), ("name", 256), ("source", 1_024), ("request_id", 128)):
        sound = {"content": "text", field: astral * most}
        assert getattr(read_memory_request("store_memory", sound), field) == astral * most
        too_long = {"content": "text", field: astral * (most + 1)}
        assert refused("store_memory", **too_long) == f"{field} must be at most {most} characters"
    assert refused("forget_concept", node_id=ID, reason="r" * 1025) == "reason must be at most 1024 characters"
    assert refused("restore_concept", node_id=ID, request_id="") == "request_id must not be empty"
    assert refused("store_memory", content="x", expected_version=0) == "expected_version must be at least 1"


@pytest.mark.holds("memory.arguments.record-rules")
def test_content_is_kept_exactly_and_names_are_composed() -> None:
    text = "  e\N{COMBINING ACUTE ACCENT}\r\n---\n"
    request = read_memory_request("store_memory", {"content": text, "name": "e\N{COMBINING ACUTE ACCENT}"})
    assert request.content == text
    assert request.name == "\N{LATIN SMALL LETTER E WITH ACUTE}"
    for control in ("a\nb", "a\x1bb", "a\x7f", "\x85"):
        assert refused("store_memory", content="a", name=control) == "name must not contain control characters"
    assert refused("store_memory", content="a", name="  ") == "name must not be blank"


@pytest.mark.holds("memory.arguments.record-rules")
@pytest.mark.parametrize("field", ["content", "name", "source", "request_id"])
def test_no_text_holds_nul_or_half_a_surrogate_pair(field: str) -> None:
    for hostile in ("a\0b", "a\ud800", "\udfff"):
        assert refused("store_memory", **{"content": "text", field: hostile}).startswith(f"{field} must not contain ")


@pytest.mark.holds("memory.arguments.record-rules")
def test_tags_are_a_trimmed_composed_sorted_set() -> None:
    given_tags = ["b", " a ", "a", "e\N{COMBINING ACUTE ACCENT}", "\N{LATIN SMALL LETTER E WITH ACUTE}"]
    assert read_memory_request("store_memory", {"content": "x", "tags": given_tags}).tags == ["a", "b", "é"]
    most = [f"tag {number}" for number in range(32)]
    assert len(read_memory_request("search_memories", {"query": "x", "tags": most}).tags) == 32
    assert refused("store_memory", content="x", tags=[*most, "one more"]) == "tags must hold at most 32 entries"
    assert refused("store_memory", content="x", tags=["ok", "t" * 65]) == "tags[1] must be at most 64 characters"
    assert refused("store_memory", content="x", tags=["ok", " "]) == "tags[1] must not be blank"
    assert refused("store_memory", content="x", tags=["ok", 5]) == "tags[1] must be text"
    assert refused("store_memory", content="x", tags="ok") == "tags must be a list"


@pytest.mark.holds("memory.arguments.record-rules")
def test_importance_is_rounded_and_weights_are_above_zero() -> None:
    assert read_memory_request("store_memory", {"content": "x", "importance": 0.12345649}).importance == 0.123456
    assert read_memory_request("store_memory", {"content": "x", "importance": 1}).importance == 1.0
    assert str(read_memory_request("store_memory", {"content": "x", "importance": -0.0}).importance) == "0.0"
    assert refused("store_memory", content="x", importance=1.1) == "importance must be between 0.0 and 1.0"
    assert refused("store_memory", content="x", importance="1") == "importance must be a finite number"
    for weight in (0, -0.0, 1e-400):
        sentence = refused("store_memory", content="x", relations=[{"target_id": ID, "weight": weight}])
        assert sentence == "relations[0].weight must be above 0"
    assert refused("store_memory", content="x", relations=[{}]) == "relations[0].target_id is required"
    assert refused("store_memory", content="x", relations=[ID]) == "relations[0] must be an object"
    sentence = refused("store_memory", content="x", relations=[{"target_id": ID, "type": "likes"}])
    assert sentence.startswith("relations[0].type must be one of relates_to, depends_on, part_of")


@pytest.mark.holds("memory.arguments.record-rules")
@pytest.mark.parametrize("scope", ["", "a b", "a" * 129, "a\n", "ä", 5, None, "*"])
def test_a_scope_of_other_characters_is_refused(scope: Any) -> None:
    assert refused("store_memory", content="x", scope=scope).startswith("scope must be ")


def test_a_search_takes_a_star_for_all_scopes() -> None:
    for tool in ("search_memories", "get_memetic_status", "list_deleted"):
        assert read_memory_request(tool, {**SOUND[tool], "scope": "*"}).scope == "*"
    assert read_memory_request("store_memory", {"content": "x", "scope": "Az0._:/-"}).scope == "Az0._:/-"


@pytest.mark.holds("memory.arguments.record-rules")
@pytest.mark.parametrize(
    ("written", "canonical"),
    [
        ("2026-01-31T12:00:00Z", "2026-01-31T12:00:00Z"),
        ("2026-01-31t12:00:00z", "2026-01-31T12:00:00Z"),
        ("2026-01-31T12:00:00+02:00", "2026-01-31T10:00:00Z"),
        ("2026-01-31T23:30:00-00:30", "2026-02-01T00:00:00Z"),
        ("2026-01-31T12:00:00.5Z", "2026-01-31T12:00:00.500000Z"),
        ("2026-01-31T12:00:00.123456789Z", "2026-01-31T12:00:00.123456Z"),
        ("0001-01-01T00:00:00Z", "0001-01-01T00:00:00Z"),
    ],
)
def test_a_time_is_answered_in_utc(written: str, canonical: str) -> None:
    assert read_memory_request("search_memories", {"query": "x", "as_of": written}).as_of == canonical


@pytest.mark.holds("memory.arguments.record-rules")
@pytest.mark.parametrize(
    "written",
    [
        *("2026-01-31", "2026-01-31T12:00:00", "2026-01-31 12:00:00Z", "2026-01-31T12:00Z", "2026-02-30T00:00:00Z"),
        *("0001-01-01T00:00:00+01:00", "9999-12-31T23:59:59-01:00", "2026-01-31T12:00:00+0200", "2026-W05", "now", ""),
        *("2026-01-31T25:00:00Z", "2026-01-31T12:00:00+25:00", 1769860800, None, "2026-01-31T12:00:00Z\n", "٢٠٢٦"),
    ],
)
def test_a_time_without_zone_or_out_of_the_calendar_is_refused(written: Any) -> None:
    assert refused("search_memories", query="x", as_of=written).startswith("as_of must be a time in RFC 3339")


@pytest.mark.holds("memory.arguments.record-rules")
def test_what_is_valid_begins_before_it_ends() -> None:
    early, late = "2026-01-31T12:00:00Z", "2026-01-31T12:00:00.5Z"
    assert read_memory_request("store_memory", {"content": "x", "valid_from": early, "valid_until": late})
    for starts, ends in ((late, early), (early, early), (early, "2026-01-31T13:00:00+01:00")):
        sentence = refused("store_memory", content="x", valid_from=starts, valid_until=ends)
        assert sentence == "valid_until must be after valid_from"


@pytest.mark.holds("memory.arguments.edit")
def test_an_edit_needs_id_and_version_but_no_content() -> None:
    request = read_memory_request(
        "store_memory", {"node_id": ID, "expected_version": 3, "source": None, "valid_until": None}
    )
    assert request.model_fields_set == {"node_id", "expected_version", "source", "valid_until"}
    assert refused("store_memory", node_id=ID).startswith("expected_version is required")
    assert refused("store_memory", expected_version=1, content="x").startswith("node_id is required")
    assert refused("store_memory", node_id=ID, expected_version=1, content=None) == "content must be text"
    assert refused("store_memory", node_id=ID, expected_version=1, content=" ") == "content is required"
    for version in (0, -1, 1.5, "1", True, None, 10**30):
        assert refused("store_memory", node_id=ID, expected_version=version).startswith("expected_version must be ")


@pytest.mark.holds("memory.arguments.exact-types")
def test_null_is_not_absent() -> None:
    for tool, sound in SOUND.items():
        edits = {"source", "valid_from", "valid_until"} if tool == "store_memory" else set()
        for name in set(MEMORY_REQUESTS[tool].model_fields) - edits:
            assert name in refused(tool, **{**sound, name: None})
    for name in ("source", "valid_from", "valid_until"):
        assert refused("store_memory", content="x", **{name: None}).startswith(f"{name} must be ")


@pytest.mark.holds("memory.arguments.exact-types")
@pytest.mark.parametrize("limit", ["5", True, 5.5, None, [], NOT_A_NUMBER, INFINITY, 0, 101, -1, 10**400])
def test_a_limit_is_a_whole_number_in_its_range(limit: Any) -> None:
    assert refused("search_memories", query="x", limit=limit).startswith("limit must be ")


def test_hostile_texts_are_refused_quickly() -> None:
    marks = "a" + "\N{COMBINING ACUTE ACCENT}\N{COMBINING DOT BELOW}" * 500_000
    assert unicodedata.combining(marks[1])
    for field in ("content", "name", "scope", "source", "valid_from", "node_id", "request_id"):
        within(0.5, lambda field=field: refused("store_memory", **{"content": "x", field: marks}))
    within(0.5, lambda: refused("store_memory", content="x", tags=[marks]))
    within(1.0, lambda: refused("merge_concepts", **merging(source_ids=["{" * 60] * 100_000)))
