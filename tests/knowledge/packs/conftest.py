"""A vault: notes written into a folder, ingested into a real store and read through the real service.

And a handful of sections, and how they are searched.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest
from tests.indexed_sections import indexed
from tests.laid_tables import lay_tables

from loreweave.application import Application, open_application
from loreweave.entities.digest import SearchedSection
from loreweave.knowledge.packs.retrieval_service import RetrievalService
from loreweave.seams.embedding.embedder import Embedder
from loreweave.settings import Settings


@dataclass(frozen=True)
class Vault:
    """An ingested graph and the service that reads it."""

    application: Application
    graph: str

    @property
    def service(self) -> RetrievalService:
        return self.application.retrieval


@pytest.fixture
def lexical_application(tmp_path: Path) -> Iterator[Application]:
    """Without an embedder: every number can be worked by hand."""
    opened = open_application(Settings(data_dir=lay_tables(tmp_path / "data"), embedder="none"))
    yield opened
    opened.close()


@pytest.fixture
def make_vault(lexical_application: Application, tmp_path: Path) -> Callable[..., Vault]:
    def make(files: Mapping[str, str], name: str = "vault") -> Vault:
        folder = tmp_path / name
        for path, text in files.items():
            (folder / path).parent.mkdir(parents=True, exist_ok=True)
            (folder / path).write_text(text, encoding="utf-8")
        return Vault(lexical_application, lexical_application.graphs.ingest_folder(folder, name=name).graphId)

    return make


def header(**fields: str) -> str:
    return "---\n" + "".join(f"{key}: {value}\n" for key, value in fields.items()) + "---\n"


def note(body: str, **fields: str) -> str:
    return header(**fields) + body


DISTORTIONS = """# Kinds

Catastrophizing expects the worst. It calls for [[reframing]] of the feared catastrophe.

More words follow here that only the full text holds.

# Use

Name the distortion, kindly.
"""

THERAPY = {
    "index.md": note(
        "# Index\n\nFor thoughts see [[distortions]]. To settle, use [[grounding]] and [[breathing]].\n",
        type="moc",
        domain="therapy",
        description="Where to begin.",
    ),
    "distortions.md": note(
        DISTORTIONS,
        name="Cognitive Distortions",
        type="framework",
        domain="Therapy",
        tags="[thoughts, catastrophizing]",
        description="Errors in automatic thoughts.",
    ),
    "reframing.md": note(
        "Ask what else could be true.\n\nA client may resist; see [[validation]].\n",
        name="Reframing",
        type="technique",
        domain="therapy",
        description="A second look at a thought.",
    ),
    "validation.md": note(
        "Begin with what is right in it.\n",
        name="Validation First",
        type="technique",
        domain="therapy",
        aliases="[empathy]",
        description="Say what makes sense.",
    ),
    "grounding.md": note(
        "Five things you can see. Then [[breathing]].\n",
        name="Grounding",
        type="technique",
        domain="therapy",
        description="Back to the senses.",
    ),
    "breathing.md": note(
        "Breathe out longer than in.\n",
        name="Breathing",
        type="technique",
        domain="body",
        description="Slow breath, long out.",
    ),
    "lonely.md": note(
        "Write in the morning. A xylophone is not needed.\n",
        name="Sleep Diary",
        domain="sleep",
        description="A record of nights.",
    ),
}


@pytest.fixture
def therapy(make_vault: Callable[..., Vault]) -> Vault:
    return make_vault(THERAPY, "therapy")


@pytest.fixture
def section() -> Callable[..., SearchedSection]:
    def make(
        id: str,
        text: str = "",
        *,
        heading: str | None = None,
        title: str = "Guide",
        terms: tuple[str, ...] = (),
        literals: tuple[str, ...] = (),
        summary: str = "",
    ) -> SearchedSection:
        page = id.partition("#")[0]
        return SearchedSection(id, page, title, heading, terms, literals, text, summary)

    return make


@pytest.fixture
def found() -> Callable[..., list[str]]:
    """The ids found for a query, best first."""

    def search(
        sections: Sequence[SearchedSection],
        query: str,
        *,
        glossary: Sequence[Sequence[str]] = (),
        embedder: Embedder | None = None,
        limit: int = 6,
    ) -> list[str]:
        index = indexed(sections, embedder, glossary)
        return [sections[hit.section].id for hit in index.search(query, limit)]

    return search
