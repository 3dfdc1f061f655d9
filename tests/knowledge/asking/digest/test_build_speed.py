"""A fifth of the promised 25,000 sections in a fifth of the promised time, in one process."""

from collections.abc import Callable
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from tests.pace import within

from loreweave.contracts.ask import BuildReport
from loreweave.knowledge.asking.digest.run_build import BuildOptions
from loreweave.knowledge.asking.digest_service import DigestService

PAGES, SECTIONS = 250, 20
WORDS = (
    *("alpha", "beta", "gamma", "delta", "widget", "server", "client", "token"),
    *("cache", "index", "value", "option", "field", "graph", "store", "build", "page"),
)


def _page(number: int) -> str:
    parts = [f"# Page {number}\n\nAbout page {number}.\n"]
    for section in range(SECTIONS - 1):
        words = " ".join(WORDS[(number * 7 + section * 3 + place * 5) % len(WORDS)] for place in range(60))
        parts.append(
            f"## Part {section} of {WORDS[section % len(WORDS)]}\n\n{words}. Use `--flag-{section}` or "
            f"`NAME_{number}`, see [next](page{(number + 1) % PAGES}.md#part-{section}).\n\n"
            f"```sh\nrun --part {section}\n```\n"
        )
    return "\n".join(parts)


@pytest.fixture
def build(docs: Any, tmp_path: Path) -> Callable[[], BuildReport]:
    folder = docs({f"group{number % 9}/page{number}.md": _page(number) for number in range(PAGES)})
    edits = count()

    def run() -> BuildReport:
        service = DigestService(_nothing, _nothing, lambda name: None, cache=tmp_path / "cache")
        docs({"group0/page0.md": _page(0) + f"\nEdit {next(edits)}.\n"})
        return service.build_folder(folder, BuildOptions(), lambda sentence: None)

    return run


def _nothing() -> Any:
    raise AssertionError("a folder needs no store")


@pytest.mark.holds("ask.digest.speed")
def test_many_sections_are_built_in_time_and_one_edit_costs_little(
    build: Callable[[], BuildReport], tmp_path: Path
) -> None:
    def fresh() -> BuildReport:
        for file in (tmp_path / "cache").glob("*"):
            file.unlink()
        return build()

    assert within(12.0, fresh).sections == PAGES * SECTIONS
    assert within(2.4, build).status == "updated"
