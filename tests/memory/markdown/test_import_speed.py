"""An import takes at least 300 files a second, and a status does not read the memories."""

import random
from pathlib import Path
from uuid import UUID

import pytest
from tests.memory.markdown.markdown_folder import done, put
from tests.pace import within

from loreweave.application import Application
from loreweave.contracts.memory_arguments import read_memory_request

FILES = 600


def write_files(folder: Path, chance: random.Random) -> None:
    words = ["".join(chance.choices("abcdefghijklmnopqrstuvwxyz", k=chance.randint(3, 9))) for _ in range(3000)]
    weights = [1 / place for place in range(1, 3001)]
    ids = [str(UUID(int=chance.getrandbits(128), version=4)) for _ in range(FILES)]
    for place, node_id in enumerate(ids):
        text = " ".join(chance.choices(words, weights, k=chance.randint(20, 80)))
        header = f"node_id: {node_id}\nname: Note {place}\ntags: [a{place % 7}, b{place % 50}]\nversion: 1"
        relations = f"relations: [{{target_id: {chance.choice(ids[:10])}}}]" if place >= 10 else "relations: []"
        put(folder, f"{place}.md", f"---\n{header}\n{relations}\n---\n{text} {place}\n")


@pytest.mark.holds("memory.markdown.speed")
def test_an_import_takes_three_hundred_files_a_second(sqlite_application: Application, tmp_path: Path) -> None:
    """With the embedder that comes with the product; every try is of other files."""
    service = sqlite_application.memory
    folders = [tmp_path / f"files{place}" for place in range(5)]
    for folder in folders:
        write_files(folder, random.Random(folder.name))

    def take_in() -> None:
        folder = folders.pop()
        assert service.import_folder(folder, False, "test").model_dump(mode="json") == done(created=FILES)

    within(FILES / 300, take_in)


@pytest.mark.holds("memory.inbox.speed")
def test_a_status_over_some_hundred_memories_takes_a_few_milliseconds(
    sqlite_application: Application, tmp_path: Path
) -> None:
    service = sqlite_application.memory
    write_files(tmp_path / "files", random.Random(7))
    service.import_folder(tmp_path / "files", False, "test")
    request = read_memory_request("get_memetic_status", {})
    assert service.status(request, "test").counts.live == FILES
    within(0.01, lambda: service.status(request, "test"))
