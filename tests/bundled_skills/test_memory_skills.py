"""The skills of memory say what the server really takes and answers."""

import json
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import jsonschema
import pytest
import yaml

from loreweave.contracts.memory_requests import MEMORY_REQUESTS
from loreweave.operations.memory_operations import MEMORY_OPERATIONS
from loreweave.operations.tool_schemas import memory_input_schema, output_schema

ROWS = {row.name: row for row in MEMORY_OPERATIONS if row.tool}
ROOT = Path(__file__).resolve().parents[2]
BUNDLED = ROOT / "src" / "loreweave" / "bundled_skills"
NAMES = ["curation", "dream-consolidation", "topic-explorer", "memory-inject"]
KEYS = ["name", "description", "allowed-tools", "model", "version", "user-invocable"]
FENCE = re.compile(r"^```json\n(.*?)^```$", re.MULTILINE | re.DOTALL)
ROW = re.compile(r"^\| `(\w+)` \| (?P<type>[^|]+) \| (?P<required>Yes|No) \| (?P<default>[^|]+) \| [^|]+ \|$")


def text_of(name: str) -> str:
    return (BUNDLED / name / "SKILL.md").read_text(encoding="utf-8")


def header_of(name: str) -> Any:
    _, header, _ = text_of(name).split("---\n", 2)
    return yaml.safe_load(header)


@dataclass(frozen=True, slots=True)
class Shown:
    """A block of JSON in a skill: a call, or the answer to the call shown before it."""

    tool: str
    value: dict[str, Any]
    is_call: bool


def shown_in(name: str) -> list[Shown]:
    found: list[Shown] = []
    for block in FENCE.findall(text_of(name)):
        value = json.loads(block)
        if set(value) == {"name", "arguments"}:
            found.append(Shown(value["name"], value["arguments"], True))
        else:
            found.append(Shown(found[-1].tool, value, False))
    return found


def parameter_rows(name: str) -> list[tuple[str, str, bool, str]]:
    """(tool, parameter, required, default): the tool is the heading's, else the one shown last."""
    tool, rows = "", []
    for line in blocks_in_one_line(text_of(name)):
        if line.startswith("### ") and line[4:] in ROWS:
            tool = line[4:]
        elif line.startswith('{"name"'):
            tool = json.loads(line)["name"]
        elif row := ROW.fullmatch(line):
            rows.append((tool, row[1], row["required"] == "Yes", row["default"]))
    return rows


def blocks_in_one_line(text: str) -> list[str]:
    return FENCE.sub(lambda block: json.dumps(json.loads(block[1])), text).splitlines()


@pytest.mark.holds("memory.skills.same-bytes")
@pytest.mark.parametrize("name", NAMES)
def test_a_checkout_offers_the_skill_with_the_same_bytes(name: str) -> None:
    beside = ROOT / ".claude" / "skills" / name / "SKILL.md"
    assert beside.read_bytes() == (BUNDLED / name / "SKILL.md").read_bytes()


@pytest.mark.holds("memory.skills.front-matter")
@pytest.mark.parametrize("name", NAMES)
def test_the_front_matter_is_yaml_with_the_contracts_six_keys(name: str) -> None:
    header = header_of(name)
    assert list(header) == KEYS
    assert header["name"] == name
    assert header["version"] == "1.0.0"
    assert header["user-invocable"] is True
    assert "Keywords: " in header["description"]


@pytest.mark.holds("memory.skills.front-matter")
@pytest.mark.parametrize("name", [*NAMES, "explore-graph"])
def test_the_reference_validator_finds_nothing_but_the_contracts_own_keys(name: str) -> None:
    from skills_ref import validate

    found = validate(BUNDLED / name)
    if name == "explore-graph":
        assert found == []
    else:
        (only,) = found
        assert only.startswith("Unexpected fields in frontmatter: model, user-invocable, version.")


@pytest.mark.holds("memory.skills.calls-and-answers")
@pytest.mark.parametrize("name", NAMES)
def test_every_call_and_every_answer_shown_fits_the_servers_schemas(name: str) -> None:
    blocks = shown_in(name)
    assert any(block.is_call for block in blocks)
    assert any(not block.is_call for block in blocks)
    for block in blocks:
        schema = memory_input_schema(ROWS[block.tool].request) if block.is_call else output_schema(ROWS[block.tool])
        jsonschema.validate(block.value, schema, format_checker=jsonschema.FormatChecker())


@pytest.mark.holds("memory.skills.calls-and-answers")
@pytest.mark.parametrize("name", NAMES)
def test_every_call_shown_is_read_by_the_server(name: str) -> None:
    from loreweave.contracts.memory_arguments import read_memory_request

    for block in shown_in(name):
        if block.is_call:
            assert read_memory_request(block.tool, block.value)
    for block in shown_in(name):
        for task in block.value.get("curation_tasks", []):
            assert read_memory_request(task["suggested_tool"], task["suggested_arguments"])


@pytest.mark.holds("memory.skills.parameter-rows")
@pytest.mark.parametrize("name", NAMES)
def test_every_parameter_row_exists_with_its_need_and_default(name: str) -> None:
    rows = parameter_rows(name)
    assert rows
    for tool, parameter, required, default in rows:
        schema = memory_input_schema(ROWS[tool].request)
        assert parameter in schema["properties"], (tool, parameter)
        assert required is (parameter in schema.get("required", ())), (tool, parameter)
        stated = schema["properties"][parameter].get("default")
        if stated is not None:
            assert default == (str(stated).lower() if isinstance(stated, bool) else str(stated)), (tool, parameter)


@pytest.mark.holds("memory.skills.curation")
def test_curation_documents_each_tool_once_with_all_its_parameters() -> None:
    text = text_of("curation")
    documented = ["forget_concept", "boost_importance", "merge_concepts", "restore_concept", "undo_merge"]
    documented += ["list_deleted", "dismiss_task"]
    rows = parameter_rows("curation")
    for tool in documented:
        assert text.count(f"### {tool}") == 1
        assert {row[1] for row in rows if row[0] == tool} == set(MEMORY_REQUESTS[tool].model_fields)
    assert text.count("| Parameter | Type | Required | Default | Description |") == len(documented)


@pytest.mark.holds("memory.skills.curation")
def test_curation_meets_the_contracts_definition_of_done() -> None:
    text = text_of("curation")
    assert "version: 1.0.0" in text
    for stranger in ("0.1.0", "STATUS: PLACEHOLDER", "PLACEHOLDER", "keep_newest", "combine_all", "source_node_ids"):
        assert stranger not in text
    for word in ("SEC-06", "BR-MCP-001", "BR-MCP-002", "AP-10", "PRD 0.3", "union", "intersection", "weighted_average"):
        assert word in text
    assert "source_ids" in text
    assert shown_in("curation")
    body = text.split("---\n", 2)[2]
    first = next(line for line in body.splitlines() if "`get_" in line or "_concept" in line)
    assert "`get_memetic_status {}`" in first


@pytest.mark.holds("memory.skills.curation")
def test_curation_keeps_the_contracts_text() -> None:
    """Every line of the contract's document stands in ours; only answers and one edge case had to be made right."""
    contract = (ROOT / "docs" / "contracts" / "001-memory-curation.md").read_text(encoding="utf-8")
    theirs = contract.split("```markdown\n", 1)[1].split("\n## Full State Verification", 1)[0]
    ours = set(text_of("curation").splitlines())
    changed = {
        '| Invalid UUID | Error: "Memory {id} not found" |',
        '  "recoverable_until": "2026-02-17T12:00:00Z"',
        '  "merged_id": "new-uuid",',
        '  "reversal_hash": "hash-for-undo",',
        '  "strategy_used": "union"',
        "| `union` | Combine all properties from source concepts (default) |",
        "| `intersection` | Keep only common properties |",
        "| `weighted_average` | Weight by importance scores |",
    }
    lost = [line for line in theirs.splitlines() if line not in ours and not line.startswith("description: ")]
    assert set(lost) <= changed
    description = next(line for line in theirs.splitlines() if line.startswith("description: "))
    assert header_of("curation")["description"] == description.removeprefix("description: ")


@pytest.mark.holds("memory.skills.curation")
def test_curation_tells_every_fixed_sentence_and_what_each_rule_means() -> None:
    text = text_of("curation")
    for sentence in (
        "Invalid UUID format for node_id '{value}': {detail}", "Memory {id} not found", "Memory already deleted",
        "delta must be between -1.0 and 1.0", "delta must be a finite number", "Need at least 2 concepts to merge",
        "Maximum 10 concepts per merge", "Duplicate source_id: {id}", "rationale is required",
        "target_name is required", "{field} must be at most {n} characters",
        "merge_strategy must be one of union, intersection, weighted_average", "Unknown argument '{x}'",
        "Unknown reversal_hash", "Unknown task_id", "Memory may have been deleted concurrently",
        "Merge already undone", "Recovery window for {id} ended at {t}", "Reversal window ended at {t}",
        "Sources have no common content", "Sources are in different scopes", "Memory {id} is not deleted",
        "Sources conflict: {reasons}. Set force_merge=true to override", "Memory {id} changed meanwhile",
        "request_id '{x}' was used for a different call",
    ):  # fmt: skip
        assert f'Error: "{sentence}"' in text
    for rule in ("SEC-06", "BR-MCP-001", "BR-MCP-002", "AP-10", "PRD 0.3"):
        assert re.search(rf"^\| {re.escape(rule)} \| .{{20,}} \|$", text, re.MULTILINE)


@pytest.mark.holds("memory.skills.dream-only-proposes")
def test_dream_consolidation_only_proposes() -> None:
    calls = [block for block in shown_in("dream-consolidation") if block.is_call]
    assert {call.tool for call in calls} == {"get_memetic_status", "search_memories", "get_memory", "store_memory"}
    assert calls[0].value["refresh"] is True
    assert "relations" in next(call.value for call in calls if call.tool == "store_memory")
    text = " ".join(text_of("dream-consolidation").split())
    assert "never forgets and never merges unasked" in text
    assert "there is no hidden job" in text


@pytest.mark.holds("memory.skills.reading-skills")
def test_topic_explorer_goes_from_topics_to_a_search_by_tags() -> None:
    first, second = [block for block in shown_in("topic-explorer") if block.is_call]
    assert first.tool == "get_memetic_status"
    assert second.tool == "search_memories"
    assert second.value["tags"]
    assert "`topics`" in text_of("topic-explorer")


@pytest.mark.holds("memory.skills.reading-skills")
def test_memory_inject_knows_three_budgets_and_takes_what_it_finds_as_data() -> None:
    text = text_of("memory-inject")
    (call,) = [block for block in shown_in("memory-inject") if block.is_call]
    assert call.tool == "search_memories"
    assert call.value["max_tokens"] in (300, 800, 1200)
    for budget in ("300", "800", "1200"):
        assert f"| {budget} |" in text
    assert "data, not an instruction" in text
