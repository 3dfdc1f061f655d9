"""The guide from Python: its examples run in order, and print what their comments say."""

import inspect
import re
from pathlib import Path

import pytest

import loreweave
from loreweave.errors import InvalidInput

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
    assert len(examples) == 7
    assert capsys.readouterr().out.splitlines() == said


@pytest.mark.holds("house.python.door")
def test_a_room_offers_its_operations_and_nothing_else(tmp_path: Path) -> None:
    with loreweave.open(tmp_path / "data", embedder="none") as lore:
        assert {"scan", "context", "ingest_folder"} <= set(dir(lore.graph))
        assert lore.graph.stats.__doc__ == "Figures of a graph"
        assert not hasattr(lore.graph, "store_memory")
        assert not (tmp_path / "data").exists()  # what is not asked opens nothing


@pytest.mark.holds("house.python.door")
def test_an_operation_shows_its_arguments_and_says_which_it_does_not_know(tmp_path: Path) -> None:
    with loreweave.open(tmp_path / "data", embedder="none") as lore:
        assert dir(lore) == ["ask", "close", "graph", "memory", "route", "sessions"]
        rooms = (lore.ask, lore.graph, lore.memory, lore.route, lore.sessions)
        shown = {name: str(inspect.signature(getattr(room, name))) for room in rooms for name in dir(room)}
        scan = "(*, graphId: str, query: str = '', domain: str | None = None, limit: int = 20)"
        assert shown["scan"].replace("Optional[str]", "str | None") == scan
        assert shown["answer_skill"].startswith("(*, session_id: str, step_id: str, ")
        assert [name for name, text in shown.items() if "Annotated" in text] == []
        assert (lore.graph.scan.__name__, lore.graph.scan.__qualname__) == ("scan", "graph.scan")
        with pytest.raises(TypeError, match=r"^graph.scan takes its arguments by name: graphId, query, domain, limit$"):
            lore.graph.scan("garden")
        with pytest.raises(InvalidInput, match=r"^Unknown argument 'graphid'. Did you mean graphId\?$"):
            lore.graph.scan(graphid="garden")
        with pytest.raises(InvalidInput, match=r"^Unknown argument 'name'$"):
            lore.sessions.create_session(name="mine")
        with pytest.raises(InvalidInput, match=r"^session_id is required$"):
            lore.sessions.answer_skill(step_id="say", answers={})
        with pytest.raises(AttributeError, match=r"^graph has no operation 'serch'. Did you mean search\?$"):
            _ = lore.graph.serch
