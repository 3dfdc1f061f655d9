"""The guide to folders of skills: its files load, its commands and examples answer what their comments say."""

import re
import shlex
from pathlib import Path
from typing import Any

import pytest

from loreweave.faces.cli.lore import run

GUIDE = (Path(__file__).resolve().parents[2] / "docs" / "guides" / "routing-folders.md").read_text(encoding="utf-8")
FILES = re.findall(r"^`(skills/[^`]+)`:\n\n```markdown\n(.*?)^```", GUIDE, re.MULTILINE | re.DOTALL)
GRAPH_FILE = re.search(r"^```markdown\n(---\nentry_by.*?)^```", GUIDE, re.MULTILINE | re.DOTALL)
SAVED = re.search(r"^```json\n(.*?)^```", GUIDE, re.MULTILINE | re.DOTALL)
COMMANDS = re.findall(r"^(lore route .*?) +# (.*)$", GUIDE, re.MULTILINE)


@pytest.fixture
def beside_the_skills(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder that holds what the guide shows."""
    assert len(FILES) == 3
    for path, text in FILES:
        (tmp_path / path).parent.mkdir(parents=True)
        (tmp_path / path).write_text(text, encoding="utf-8")
    assert SAVED is not None
    (tmp_path / "denied.json").write_text(SAVED[1], encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("LORE_DATA_DIR", str(tmp_path / "data"))
    return tmp_path


@pytest.mark.holds("routing.docs.guide")
@pytest.mark.parametrize(("command", "shown"), COMMANDS)
def test_a_command_of_the_guide_answers_what_its_comment_says(
    beside_the_skills: Path, capfdbinary: Any, command: str, shown: str
) -> None:
    assert run(shlex.split(command)[1:]) == 0
    assert shown in capfdbinary.readouterr().out.decode()


@pytest.mark.holds("routing.docs.guide")
def test_the_example_of_the_guide_answers_what_its_comments_say(beside_the_skills: Path) -> None:
    example = re.search(r"```python\n(.*?)```", GUIDE, re.DOTALL)
    assert example is not None
    found: dict[str, object] = {}
    exec(example[1], found)
    said = [line.split("  # ") for line in example[1].splitlines() if "  # " in line]
    assert len(said) == 3
    for expression, answer in said:
        assert eval(expression, found) == eval(answer)


@pytest.mark.holds("routing.docs.guide")
def test_the_graph_file_of_the_guide_is_read(beside_the_skills: Path) -> None:
    from loreweave import load_skill_graph

    assert GRAPH_FILE is not None
    (beside_the_skills / "skills" / "skillgraph.md").write_text(GRAPH_FILE[1], encoding="utf-8")
    graph = load_skill_graph("skills", bind="open")
    assert (graph.entry_by, graph.limits.max_hops, graph.policy.floor) == ("keyword", 8, 0.1)


def test_every_command_of_the_guide_is_tried() -> None:
    assert len(COMMANDS) == len(re.findall(r"^lore route ", GUIDE, re.MULTILINE)) == 8
