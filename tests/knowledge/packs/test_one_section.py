"""One section of a note, read by itself, and what a note says about a question."""

from pathlib import Path

import pytest

from loreweave.application import Application
from loreweave.contracts.context_packs import PassagesOfNode, SectionOfNode
from loreweave.contracts.skill_graph import NodeRequest
from loreweave.errors import InvalidInput, NotFound
from loreweave.knowledge.packs.packed_answers import PASSAGES_TOKENS
from loreweave.language.tokens import count_tokens

NOTE = """---
name: Kettle
---
# Kettle

Boils water.

## Use

Fill it.

### With tea

Wait three minutes.

#### Green

Wait one.

## Care {#keep-it-well}

```sh
# not a heading
descale --yes
```

## Use

Again, later.
"""


@pytest.fixture
def kettle(sqlite_application: Application, tmp_path: Path) -> Application:
    folder = tmp_path / "notes"
    folder.mkdir()
    (folder / "kettle.md").write_text(NOTE, encoding="utf-8")
    sqlite_application.graphs.ingest_folder(folder, name="kitchen")
    return sqlite_application


def section(kettle: Application, wanted: str) -> SectionOfNode:
    answer = kettle.retrieval.read_node(NodeRequest(graphId="kitchen", id="kettle", section=wanted))
    assert isinstance(answer, SectionOfNode)
    return answer


@pytest.mark.holds("graph.levels.one-section")
@pytest.mark.parametrize(
    ("wanted", "anchor", "heading", "content"),
    [
        ("use", "use", "Use", NOTE[NOTE.index("## Use") : NOTE.index("## Care")].strip()),
        ("with-tea", "with-tea", "With tea", NOTE[NOTE.index("### With") : NOTE.index("## Care")].strip()),
        ("green", "green", "Green", "#### Green\n\nWait one."),
        ("use-1", "use-1", "Use", "## Use\n\nAgain, later."),
        ("#keep-it-well", "keep-it-well", "Care", NOTE[NOTE.index("## Care") : NOTE.rindex("## Use")].strip()),
        ("With Tea", "with-tea", "With tea", NOTE[NOTE.index("### With") : NOTE.index("## Care")].strip()),
        ("kettle", None, None, NOTE[NOTE.index("# Kettle") :].strip()),
    ],
)
def test_a_section_is_its_heading_and_all_below_it(
    kettle: Application, wanted: str, anchor: str | None, heading: str | None, content: str
) -> None:
    found = section(kettle, wanted)
    assert (found.section, found.heading, found.content) == (anchor, heading, content)
    assert (found.id, found.path, found.tokens) == ("skill:kettle", "kettle.md", count_tokens(content))


@pytest.mark.holds("graph.levels.one-section")
def test_a_section_that_is_not_there_is_told_with_those_that_are_like_it(kettle: Application) -> None:
    with pytest.raises(NotFound) as refused:
        section(kettle, "with-te")
    assert (refused.value.facts["section"], refused.value.facts["nearest"][0]) == ("with-te", "with-tea")


def passages(kettle: Application, query: str, note: str = "kettle") -> PassagesOfNode:
    answer = kettle.retrieval.read_node(NodeRequest(graphId="kitchen", id=note, query=query))
    assert isinstance(answer, PassagesOfNode)
    return answer


@pytest.mark.holds("retrieval.node.query")
def test_a_node_read_with_a_query_shows_the_passages_that_answer_it(kettle: Application, tmp_path: Path) -> None:
    filler = "\n\n".join(f"## Part {number}\n\n{'Iron and copper and steam. ' * 60}" for number in range(12))
    text = f"# Urn\n\n{filler}\n\n## Lime\n\nVinegar takes the scale off.\n"
    (tmp_path / "notes" / "urn.md").write_text(text, encoding="utf-8")
    others = "Vinegar, vinegar and more vinegar for the scale."
    for number in range(3):
        (tmp_path / "notes" / f"vinegar{number}.md").write_text(others, encoding="utf-8")
    kettle.graphs.ingest_folder(tmp_path / "notes", name="kitchen")
    found = passages(kettle, "what takes scale off?", "urn")
    assert (found.id, found.level, found.matched) == ("skill:urn", 3, True)
    assert "## Lime\n\nVinegar takes the scale off." in found.content
    assert found.content.startswith("# Urn")
    assert count_tokens(found.content) == found.tokens <= PASSAGES_TOKENS
    assert {part.heading: part.shown for part in found.sections}["Lime"] == "full"
    assert "none" in {part.shown for part in found.sections}


@pytest.mark.holds("retrieval.node.query")
def test_a_short_note_is_shown_whole_to_a_query_and_nothing_of_it_where_nothing_matches(kettle: Application) -> None:
    whole = passages(kettle, "three minutes")
    assert whole.level == 4
    assert whole.content == kettle.retrieval.read_node(NodeRequest(graphId="kitchen", id="kettle", level=4)).content
    nothing = passages(kettle, "qzxwv")
    assert (nothing.matched, nothing.content, nothing.tokens) == (False, "", 0)
    assert {part.shown for part in nothing.sections} == {"none"}


@pytest.mark.holds("retrieval.node.query")
def test_a_blank_query_is_no_query_and_a_section_takes_none(kettle: Application) -> None:
    openings = kettle.retrieval.read_node(NodeRequest(graphId="kitchen", id="kettle", level=3))
    assert kettle.retrieval.read_node(NodeRequest(graphId="kitchen", id="kettle", level=3, query="  ")) == openings
    with pytest.raises(InvalidInput) as refused:
        kettle.retrieval.read_node(NodeRequest(graphId="kitchen", id="kettle", section="use", query="tea"))
    assert refused.value.facts["field"] == "query"
