"""Whatever the files say: a graph that can be asked, or a refusal with its place, and nothing else."""

from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.examples import examples

from loreweave import (
    RouteContext,
    SkillFileError,
    SkillGraph,
    SkillGraphError,
    ToolResult,
    load_skill_graph,
    write_skill_folder,
)
from loreweave.routing.folders.load_skill_graph import compile_skill_files

ROUTES = [
    *("b: on x status=denied", "b: on /x y/i !3 carry=k # c", "a: when @yes", 'b: where k > 1 and z in [a, "b"]'),
    *('"q r": label="x"', "b", "# only this", "", 'top: on "x y" reason="why"', "a: !5", "b: on nothing status=luck"),
]
ENTRIES = [
    *("always", "default", 'keywords: a, "b, c"', "regex: (a|b)+", 'when @yes order=3 label="z"', "regex: ((a+)+)+$"),
    "sometimes",
]
BODIES = [
    "[[b]] first. ",
    "[[c|d]] ",
    "[x](../b/SKILL.md) ",
    "`[[b]]`",
    "```\n",
    "\n\n",
    "[[top]]",
    "\\[[b]]",
    "# [[a]]\n",
]
SHARDS = [
    *("---\n", "name: ", "description: b: c\n", "metadata:\n", "  skillgraph.entry: ", "tree:\n", "  if: '@yes'\n"),
    *("  then: a\n", "  else: b\n", "entry_by: keyword\n", "limits: {max_hops: 2}\n", "&a ", "*a ", "!!x ", "\t", "'"),
    *('"', "{", "[", "type: moc\n", ": ", "#", "|\n", "é\u2028\ufeff", "\\", "- ", "\n", "  "),
]
WILD = st.lists(st.sampled_from(SHARDS) | st.text(max_size=5), max_size=25).map("".join)


@st.composite
def skill_files(draw: st.DrawFn) -> str:
    """Mostly sound, and now and then not."""
    lines = ["---", f"name: {draw(st.sampled_from(['a', 'b', 'top', '7']))}", f"description: {draw(st.integers(0, 9))}"]
    lines.append("metadata:")
    for key, values in (("entry", ENTRIES), ("routes", ROUTES)):
        chosen = draw(st.lists(st.sampled_from(values), max_size=3))
        if chosen:
            lines += [f"  skillgraph.{key}: |", *(f"    {line}" for line in chosen)]
    lines += draw(
        st.lists(st.sampled_from(["  skillgraph.order: 5", "  skillgraph.end: true", "  x: y", "z: w"]), unique=True)
    )
    return "\n".join([*lines, "---", draw(WILD | st.lists(st.sampled_from(BODIES)).map("".join))])


PATHS = st.sampled_from(["a/SKILL.md", "b/SKILL.md", "SKILL.md", "skillgraph.md", "note.md", "a/b/SKILL.md"])
FOLDERS = st.dictionaries(PATHS, skill_files() | WILD, min_size=1)


def graph_or_refusal(files: dict[str, str]) -> SkillGraph | SkillFileError:
    try:
        return compile_skill_files(files, bind="open", check="off", root_name="top")
    except SkillFileError as refused:
        return refused


@pytest.mark.holds("routing.folders.hostile-yaml", "routing.folders.file-errors", "routing.folders.write-round-trip")
@settings(max_examples=examples(300))
@given(files=FOLDERS)
def test_any_files_are_a_graph_or_a_refusal(files: dict[str, str]) -> None:
    graph = graph_or_refusal(files)
    if isinstance(graph, SkillFileError):
        assert graph.line is not None
        assert 1 <= graph.line <= files[str(graph.path)].count("\n") + 2
        return
    graph.checkup()
    graph.to_mermaid()
    for skill in graph.skills:
        result = ToolResult("x y", '{"k": 2, "z": "a"}', "denied")
        there = RouteContext(current_skill_id=skill.id, last_tool_result=result, answers={"yes": True})
        assert graph.explain_next_skill(there).to == graph.next_skill(there)
    with TemporaryDirectory() as folder:
        try:
            write_skill_folder(graph, Path(folder) / "out")
        except SkillGraphError:
            return
        read = load_skill_graph(Path(folder) / "out", bind="open", check="off")
    assert read.nodes == graph.nodes
    assert sorted(read.edges, key=repr) == sorted(graph.edges, key=repr)
