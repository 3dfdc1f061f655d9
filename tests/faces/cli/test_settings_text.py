"""One entry in a text of settings: put in, read back, taken out, and not a byte beside it changed."""

import json
import re
import tomllib
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from loreweave.faces.cli.clients.settings_text import BrokenSettings, Form, put_entry, read_entry, take_entry

ENTRY = {"command": "/opt/lore", "args": ["mcp", "--data", '/a "b"\\c é']}
OTHER = {"command": "/opt/lore", "args": ["mcp"]}

JSONS = [
    "{}",
    "{}\n",
    "{\n}\n",
    "{ }",
    '{"mcpServers": {}}',
    '{\n  "mcpServers": {}\n}\n',
    '{\n  "mcpServers": {\n  }\n}\n',
    '{"a":1,"mcpServers":{"x":{"command":"y"}}}',
    '{\n\t"numStartups": 1e3,\n\t"mcpServers": {\n\t\t"x": {\n\t\t\t"command": "y"\n\t\t}\n\t},\n\t"z": []\n}',
    '{\r\n    "mcpServers": {\r\n        "x": {"url": "http://h/mcp"}\r\n    }\r\n}\r\n',
    '\ufeff{\n  "other": "// no comment, {braces}"\n}\n',
    '// mine\n{\n  /* servers */ "mcpServers": {\n    // about x\n    "x": {"command": "y"} // beside x\n'
    "    // below\n  }\n}\n",
    '{\n  "mcpServers": {\n    "x": {"command": "y"}, // beside x\n  },\n}\n',
    '{\n  "mcpServers": {\n    "x": {"command": "y"},\n  },\n}\n',
    '{\n  "theme": "dark" // the last\n}\n',
    '{"mcpServers": {"x": {"n": NaN, "big": 123456789012345678901234567890}}}',
    "",
    "\n",
    "  \n\n",
]
TOMLS = [
    "",
    "\n",
    'model = "gpt"',
    '# mine\nmodel = "gpt" # beside\n\n[mcp_servers.x]\ncommand = "y"\n\n# about profiles\n[profiles.a]\nz = nan\n',
    '[mcp_servers.x]\r\ncommand = "y"\r\n',
    "[mcp_servers]\n",
    'mcp_servers.x.command = "y"\n',
    'notes = """\n[mcp_servers.loreweave]\ncommand = "not a table"\n"""\n',
    "[[list]]\na = 1\n\n\n",
]


@pytest.mark.holds("outside.connect.bytes")
@pytest.mark.parametrize(("form", "text"), [*(("json", text) for text in JSONS), *(("toml", text) for text in TOMLS)])
def test_what_was_put_in_is_taken_out_to_the_byte(form: Form, text: str) -> None:
    made = put_entry(form, text, "loreweave", ENTRY)
    assert read_entry(form, made, "loreweave") == ENTRY
    assert put_entry(form, made, "loreweave", ENTRY) == made
    assert take_entry(form, made, "loreweave") == text
    assert all(comment in made for comment in re.findall(r"(?:(?<!:)//|#|/\*)[^\n]*", text))
    changed = put_entry(form, made, "loreweave", OTHER)
    assert read_entry(form, changed, "loreweave") == OTHER
    assert take_entry(form, changed, "loreweave") == text


@pytest.mark.holds("outside.connect.bytes")
@pytest.mark.parametrize("form", ["json", "toml"])
def test_a_file_that_was_made_for_the_entry_goes_with_it(form: Form) -> None:
    assert take_entry(form, put_entry(form, None, "loreweave", ENTRY), "loreweave") is None


KEYS = st.text(st.characters(codec="utf-8"), max_size=6)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(st.characters(codec="utf-8"), max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=3),
    max_leaves=6,
)
SERVERS = st.dictionaries(KEYS.filter(lambda key: key != "loreweave"), VALUES, max_size=3)


@st.composite
def settings(draw: st.DrawFn) -> str:
    data: dict[str, Any] = draw(st.dictionaries(KEYS.filter(lambda key: key != "mcpServers"), VALUES, max_size=3))
    if draw(st.booleans()):
        data["mcpServers"] = draw(SERVERS)
    names = list(data)
    shuffled = {name: data[name] for name in draw(st.permutations(names))}
    indent = draw(st.sampled_from([None, 0, 2, 4, "\t"]))
    text = json.dumps(shuffled, indent=indent, ensure_ascii=draw(st.booleans()))
    return draw(st.sampled_from(["", "\n", "\ufeff"])) + text + draw(st.sampled_from(["", "\n", "\n\n"]))


@pytest.mark.holds("outside.connect.bytes")
@given(text=settings())
def test_any_object_has_the_entry_and_nothing_else_more(text: str) -> None:
    before = json.loads(text.lstrip("\ufeff"))
    made = put_entry("json", text, "loreweave", ENTRY)
    after = json.loads(made.lstrip("\ufeff"))
    assert after["mcpServers"].pop("loreweave") == ENTRY
    assert after == {**before, "mcpServers": before.get("mcpServers", {})}
    assert take_entry("json", made, "loreweave") == text


@pytest.mark.holds("outside.connect.bytes")
def test_an_entry_between_others_goes_alone() -> None:
    text = (
        '{\n  "mcpServers": {\n    "a": {},\n    // ours\n    "loreweave": {"command": "lore"},\n    "b": {}\n  }\n}\n'
    )
    left = take_entry("json", text, "loreweave")
    assert left == '{\n  "mcpServers": {\n    "a": {},\n    // ours\n    "b": {}\n  }\n}\n'
    first = '{"mcpServers": {"loreweave": {"command": "lore"}, "b": {}}}'
    assert take_entry("json", first, "loreweave") == '{"mcpServers": {"b": {}}}'


@pytest.mark.holds("outside.connect.bytes")
def test_a_table_goes_with_the_tables_below_it_and_leaves_the_comment_of_its_neighbour() -> None:
    text = (
        '[mcp_servers."loreweave"]\ncommand = "/opt/lore"\n# tools\nargs = ["mcp"]\n\n# about x\n[mcp_servers.x]\n'
        'command = "y"\n[mcp_servers.loreweave.tools.scan]\napproval_mode = "approve"\n[last]\n'
    )
    left = take_entry("toml", text, "loreweave")
    assert left == '\n# about x\n[mcp_servers.x]\ncommand = "y"\n[last]\n'
    changed = put_entry("toml", text, "loreweave", OTHER)
    assert tomllib.loads(changed)["mcp_servers"]["loreweave"] == OTHER
    assert "# about x\n[mcp_servers.x]" in changed


@pytest.mark.holds("outside.connect.broken")
@pytest.mark.parametrize(
    ("form", "text"),
    [
        ("json", "{"),
        ("json", "[]"),
        ("json", '{"mcpServers": []}'),
        ("json", '{"mcpServers": {}, "mcpServers": {}}'),
        ("json", '{"a": "unclosed}'),
        ("json", "[" * 100_000),
        ("toml", "a = "),
        ("toml", "mcp_servers = 5"),
        ("toml", "mcp_servers = { x = { command = 'y' } }"),
        ("toml", "[[mcp_servers]]\n"),
    ],
)
def test_what_cannot_be_read_or_extended_is_refused(form: Form, text: str) -> None:
    with pytest.raises(BrokenSettings):
        put_entry(form, text, "loreweave", ENTRY)


@pytest.mark.holds("outside.connect.broken")
@pytest.mark.parametrize(
    "text",
    [
        "mcp_servers.loreweave.command = 'lore'\nmcp_servers.loreweave.args = ['mcp']\n",
        "[mcp_servers]\nloreweave = { command = 'lore', args = ['mcp'] }\n",
    ],
)
def test_a_table_written_by_hand_in_another_way_is_left_to_hands(text: str) -> None:
    assert read_entry("toml", text, "loreweave") == {"command": "lore", "args": ["mcp"]}
    with pytest.raises(BrokenSettings, match="by hand"):
        take_entry("toml", text, "loreweave")
