"""One edited page costs as one page, from the ingested edit to the answer that shows it."""

from pathlib import Path
from time import process_time

import pytest
from tests.pace import ATTEMPTS

from loreweave.application import Application
from loreweave.knowledge.asking.digest_library import DigestLibrary

PAGES, SECTIONS = 100, 20
WORDS = ("alpha", "beta", "gamma", "delta", "widget", "server", "client", "token", "cache", "index", "value", "field")


def _page(number: int) -> str:
    parts = [f"# Page {number}\n\nAbout page {number}.\n"]
    for section in range(SECTIONS - 1):
        words = " ".join(WORDS[(number * 7 + section * 3 + place * 5) % len(WORDS)] for place in range(60))
        link = f"[next](page{(number + 1) % PAGES}.md#part-{section})"
        parts.append(f"## Part {section}\n\n{words} w{number}x{section}. Use `--flag-{section}`, see {link}.\n")
    return "\n".join(parts)


@pytest.mark.holds("ask.digest.one-edit")
def test_one_edit_in_two_thousand_sections_is_digested_at_a_fraction_of_all(
    application: Application, tmp_path: Path
) -> None:
    folder = tmp_path / "docs"
    folder.mkdir()
    for number in range(PAGES):
        (folder / f"page{number}.md").write_text(_page(number), encoding="utf-8")
    application.graphs.ingest_folder(folder, name="g")
    library = DigestLibrary(application.store, lambda: application.embedder)

    def answered(query: str) -> tuple[str, float]:
        started = process_time()
        opened = library.open("g")
        found = opened.sections[opened.index.search(query)[0].section].id
        return found, process_time() - started

    found, whole = answered("w99x7")
    assert found == "page99#part-7"
    taken = []
    for number in range(ATTEMPTS):
        (folder / "page0.md").write_text(_page(0) + f"\n## New\n\nThis is zyx{number}yz.\n", encoding="utf-8")
        application.graphs.ingest_folder(folder, name="g")
        found, edit = answered(f"zyx{number}yz")
        assert found == "page0#new"
        taken.append(edit)
    assert min(taken) < 0.15 * whole
