"""Several threads and several processes on one store."""

import subprocess
import sys
import threading
from pathlib import Path

import pytest
from tests import forked
from tests.pace import PATIENCE

from loreweave.application import Application, open_application
from loreweave.contracts.skill_graph import ExportRequest, ScanRequest
from loreweave.settings import Settings

INGEST = """
import sys
from pathlib import Path
from loreweave.application import open_application
from loreweave.settings import load_settings
application = open_application(load_settings(embedder="none"))
for folder in sys.argv[1:]:
    print(application.graphs.ingest_folder(Path(folder), name="g").revision)
"""


def _vault(folder: Path, word: str, count: int = 30) -> Path:
    folder.mkdir()
    for number in range(count):
        (folder / f"n{number}.md").write_text(f"# {word} {number}\n[[n{(number + 1) % count}]]")
    return folder


def _start(settings: Settings, *folders: Path) -> subprocess.Popen:
    environment = {
        "LORE_DATA_DIR": str(settings.data_dir), "LORE_DATABASE_URL": settings.database_url, "PATH": "/usr/bin:/bin",
    }  # fmt: skip
    command = [sys.executable, "-c", INGEST, *map(str, folders)]
    return forked.Popen(command, env=environment, stdout=subprocess.PIPE, text=True)


def _words(application: Application) -> set[str]:
    answer = application.graphs.export(ExportRequest(graphId="g"))
    assert len(answer.edges) == 30
    return {node.name.split()[0] for node in answer.nodes}


@pytest.mark.holds(
    "graph.revisions.two-ingests-queue", "graph.revisions.readers-pinned", "graph.revisions.other-process-shows",
    "house.storage.second-process",
)  # fmt: skip
def test_two_processes_ingest_one_graph_while_a_third_reads_whole_revisions(settings: Settings, tmp_path: Path) -> None:
    cats, dogs = _vault(tmp_path / "cats", "Cats"), _vault(tmp_path / "dogs", "Dogs")
    application = open_application(settings)
    application.graphs.ingest_folder(cats, name="g")
    writers = [_start(settings, cats, dogs, cats, dogs), _start(settings, dogs, cats, dogs)]
    seen = set()
    while any(writer.poll() is None for writer in writers):
        words = _words(application)
        assert len(words) == 1  # one revision, never a mixture
        seen |= words
    outputs = [writer.communicate()[0].split() for writer in writers]
    assert [writer.returncode for writer in writers] == [0, 0]
    assert [len(lines) for lines in outputs] == [4, 3]
    assert application.graphs.revision("g") == max(int(line) for lines in outputs for line in lines)
    assert _words(application) <= {"Cats", "Dogs"}
    application.close()


@pytest.mark.holds("graph.revisions.two-ingests-queue")
def test_threads_of_one_server_ingest_one_graph_one_after_the_other(application: Application, tmp_path: Path) -> None:
    folders = [_vault(tmp_path / f"v{number}", f"W{number}", 5) for number in range(4)]
    answers, troubles = [], []

    def work(folder: Path) -> None:
        try:
            answers.append(application.graphs.ingest_folder(folder, name="g"))
        except Exception as trouble:
            troubles.append(trouble)

    threads = [threading.Thread(target=work, args=(folder,)) for folder in folders]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert troubles == []
    assert sorted(answer.revision for answer in answers) == [1, 2, 3, 4]
    assert application.retrieval.scan(ScanRequest(graphId="g")).total == 5


@pytest.mark.holds("house.storage.second-process")
def test_several_processes_open_a_new_store_at_once(settings: Settings, tmp_path: Path) -> None:
    folder = _vault(tmp_path / "v", "Word", 3)
    processes = [_start(settings, folder) for _ in range(4)]
    assert [process.wait(PATIENCE) for process in processes] == [0, 0, 0, 0]
    for process in processes:
        process.stdout.close()
