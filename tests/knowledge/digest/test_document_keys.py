"""Where the text of one document is, without a look at all the others."""

from pathlib import Path

from loreweave.application import Application
from loreweave.knowledge.digest.digest_library import DigestLibrary
from loreweave.seams.storage import ask_shelf


def test_one_document_is_found_by_its_path_in_its_revision(application: Application, tmp_path: Path) -> None:
    folder = tmp_path / "docs"
    folder.mkdir()
    for name in ("a.md", "b.md", "c.mdx"):
        (folder / name).write_text(f"# {name}\n\nText.\n", encoding="utf-8")
    application.graphs.ingest_folder(folder, name="g")
    library = DigestLibrary(application.store, application.indexes)
    before = library.open("g").row
    (folder / "b.md").unlink()
    application.graphs.ingest_folder(folder, name="g")
    now = library.open("g").row
    assert before is not None
    assert now is not None
    with application.store.read() as connection:
        keys = ask_shelf.document_keys(connection, now)
        assert {path: ask_shelf.document_key(connection, now, path) for path in keys} == keys
        assert ask_shelf.document_key(connection, now, "b.md") is None
        assert ask_shelf.document_key(connection, now, "nowhere.md") is None
