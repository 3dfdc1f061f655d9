"""The guide from Python: its examples run in order, and print what their comments say."""

import re
from pathlib import Path

import pytest

import loreweave

GUIDE = Path(__file__).resolve().parents[2] / "docs" / "guides" / "python.md"
NOTES = {
    "watering.md": "# Watering\n\nWhen to water: in the morning. See [[compost]] and [[soil]].\n",
    "compost.md": "# Compost\n\nCompost feeds the [[soil]].\n",
    "soil.md": "# Soil\n\nDark and loose.\n",
}


@pytest.mark.holds("house.python.door")
def test_the_examples_of_the_guide_print_what_they_say(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "notes").mkdir()
    for name, text in NOTES.items():
        (tmp_path / "notes" / name).write_text(text, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    examples = re.findall(r"^```python\n(.*?)^```$", GUIDE.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
    names: dict[str, object] = {}
    for example in examples:
        exec(compile(example, str(GUIDE), "exec"), names)
    said = [line.rpartition("  # ")[2] for example in examples for line in example.splitlines() if "  # " in line]
    assert len(examples) == 6
    assert capsys.readouterr().out.splitlines() == said


@pytest.mark.holds("house.python.door")
def test_a_room_offers_its_operations_and_nothing_else(tmp_path: Path) -> None:
    with loreweave.open(tmp_path / "data", embedder="none") as lore:
        assert {"scan", "context", "ingest_folder"} <= set(dir(lore.graph))
        assert lore.graph.stats.__doc__ == "Figures of a graph"
        assert not hasattr(lore.graph, "store_memory")
        assert not (tmp_path / "data").exists()  # what is not asked opens nothing
