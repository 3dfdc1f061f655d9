"""What a bundled skill tells a model to call exists on the server, with those arguments."""

import re
from pathlib import Path

import pytest

from loreweave.application import Application
from loreweave.faces.mcp.resources import bundled_skills
from loreweave.faces.mcp.toolsets import described, open_toolsets

CODE = re.compile(r"`([A-Za-z_]+)`")


@pytest.mark.holds("house.mcp.skill-files-name-real-tools")
@pytest.mark.parametrize("skill", bundled_skills(), ids=lambda skill: skill.name)
def test_every_tool_and_argument_named_in_a_skill_exists(skill, sqlite_application: Application) -> None:
    offered = [described(tool.operation, structured=True) for tool in open_toolsets(sqlite_application)]
    tools = {tool.name: set(tool.input_schema["properties"]) for tool in offered}
    spoken = {word for tool in offered for word in words_of([tool.input_schema, tool.output_schema])}
    assert set(CODE.findall(skill.text)) <= set(tools) | spoken
    sentences = re.split(r"(?<=[.;])\s", skill.text)
    for sentence in sentences:
        named = CODE.findall(sentence)
        callee = next((name for name in named if name in tools and f"call `{name}`" in sentence.lower()), None)
        if callee and " with " in sentence:
            arguments = [name for name in named if name not in tools]
            assert set(arguments) <= tools[callee], sentence


def words_of(schema: object) -> set[str]:
    """Names of fields, and values that can be chosen."""
    if isinstance(schema, list):
        return set().union(*map(words_of, schema)) if schema else set()
    if not isinstance(schema, dict):
        return set()
    own = {*schema.get("properties", {}), *schema.get("enum", ())}
    return own.union(*map(words_of, schema.values()))


def test_every_skill_has_a_description_of_its_use() -> None:
    assert bundled_skills()
    for skill in bundled_skills():
        assert "Use when" in skill.description or "Keywords: " in skill.description
        assert not Path(skill.name).is_absolute()
