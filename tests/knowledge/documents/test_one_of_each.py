"""Whoever reads a source leaves out the same folders, and ends sentences at the same places."""

import io
import zipfile
from pathlib import Path

import pytest

from loreweave.knowledge.documents.archive import read_archive
from loreweave.knowledge.documents.folder import list_folder
from loreweave.knowledge.documents.read_document import read_document
from loreweave.knowledge.documents.read_note import note_of
from loreweave.knowledge.documents.source_paths import ReadingLimits
from loreweave.language.markdown.contexts import first_sentence
from loreweave.language.markdown.note_slugs import is_ignored
from loreweave.memory.merging.merge_texts import statements
from loreweave.routing.folders.load_skill_graph import read_markdown

FOLDERS = ("", "guide/", "node_modules/", "a/node_modules/b/", ".git/", "dist/", "a/build/", "builder/", "__MACOSX/")


@pytest.mark.holds("retrieval.reading.one-of-each")
def test_folders_archives_and_skills_leave_out_the_same(tmp_path: Path) -> None:
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w") as archive:
        for folder in FOLDERS:
            (tmp_path / folder).mkdir(parents=True, exist_ok=True)
            (tmp_path / folder / "note.md").write_text("Words.", encoding="utf-8")
            archive.writestr(f"{folder}note.md", "Words.")
    kept = [f"{folder}note.md" for folder in FOLDERS if not is_ignored(f"{folder}note.md")]
    limits = ReadingLimits(1 << 20, 100, 1 << 20)
    assert sorted(kept) == [entry.path for entry in list_folder(tmp_path).entries]
    assert sorted(kept) == [entry.path for entry in read_archive(data.getvalue(), limits).entries]
    assert sorted(kept) == list(read_markdown(tmp_path))
    assert kept == ["note.md", "guide/note.md", "builder/note.md"]


@pytest.mark.holds("retrieval.reading.one-of-each")
@pytest.mark.parametrize(
    "sentence",
    [
        "A widget, e.g. a small one by Dr. Who, is [[made]].",
        "Is it [[made]]?",
        "Version 1.2 of it (see fig. 3) was [[made]] in St. Ives.",
        "By the U.S. Army, viz. in Feb. of that year, it was [[made]].",
    ],
)
def test_links_definitions_and_memories_end_sentences_alike(sentence: str) -> None:
    text = f"{sentence} Then more."
    assert first_sentence(text) == sentence
    assert note_of(read_document("a.md", text)).sentences == (sentence,)
    assert [statement.text for statement in statements(text)] == [sentence, "Then more."]
