"""One section of a note, read by itself."""

from pathlib import Path

import pytest

from loreweave.application import Application
from loreweave.contracts.context_packs import SectionOfNode
from loreweave.contracts.skill_graph import NodeRequest
from loreweave.errors import NotFound
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
