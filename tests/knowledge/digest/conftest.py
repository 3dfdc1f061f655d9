"""Folders of documents, and the door to their digests without any store."""

import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from loreweave.contracts.ask import BuildReport
from loreweave.contracts.skill_graph import PageSettings
from loreweave.entities.digest import Digest, Distilled
from loreweave.knowledge.digest.assemble_digest import assemble
from loreweave.knowledge.digest.build_digest import BuildOptions
from loreweave.knowledge.digest.digest_service import DigestService
from loreweave.knowledge.documents.page_record import record_page

Lay = Callable[[Mapping[str, str | bytes]], Path]


def digest_of(
    pages: Mapping[str, str], distilled: Distilled | None = None, settings: PageSettings | None = None
) -> Digest:
    settings = settings or PageSettings()
    records = {path: record_page(path, text, settings) for path, text in pages.items()}
    return assemble(records, settings, distilled or Distilled()).digest


@pytest.fixture
def digest_made() -> Callable[..., Digest]:
    return digest_of


@pytest.fixture
def docs(tmp_path: Path) -> Lay:
    """Writes documents into one folder; None takes a file away."""

    def lay(files: Mapping[str, str | bytes | None]) -> Path:
        folder = tmp_path / "docs"
        folder.mkdir(exist_ok=True)
        for path, text in files.items():
            file = folder / path
            file.parent.mkdir(parents=True, exist_ok=True)
            if text is None:
                file.unlink()
            else:
                file.write_bytes(text if isinstance(text, bytes) else text.encode())
        return folder

    return lay


class ScriptedModel:
    """Stands where a model would: keeps what it was sent and answers by a function."""

    def __init__(self, answer: Callable[[Sequence[Mapping[str, Any]]], Any]) -> None:
        self.sent: list[list[str]] = []
        self.texts: list[str] = []
        self.answer = answer

    def __call__(self, sections: Sequence[Mapping[str, Any]]) -> Any:
        self.sent.append([section["id"] for section in sections])
        self.texts += [section["text"] for section in sections]
        return self.answer(sections)


def summarise(sections: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    return {
        "context": "Written context.",
        "glossary": [{"term": "Widget", "aliases": ["W"], "definition": "A thing."}],
        "suggestions": ["What is a widget?"],
        "summaries": [{"id": section["id"], "summary": f"About {section['id']}."} for section in sections],
    }


class Builder:
    """Builds folders with a model, or without."""

    def __init__(self) -> None:
        self.told: list[str] = []
        self.model: ScriptedModel | None = None
        self.service = DigestService(_no_store, _no_store, lambda name: self.model)

    def build(self, folder: Path, **options: Any) -> BuildReport:
        if "assemble" in options:
            options["assemble"] = json.dumps(options["assemble"]).encode()
        return self.service.build_folder(folder, BuildOptions(**options), self.told.append)

    def digest(self, folder: Path) -> dict[str, Any]:
        found: dict[str, Any] = json.loads((folder / ".ask" / "digest.json").read_bytes())
        return found


def _no_store() -> Any:
    raise AssertionError("a folder needs no store")


@pytest.fixture
def builder() -> Builder:
    return Builder()


@pytest.fixture
def scripted() -> Callable[..., ScriptedModel]:
    def make(answer: Callable[[Sequence[Mapping[str, Any]]], Any] = summarise) -> ScriptedModel:
        return ScriptedModel(answer)

    return make
