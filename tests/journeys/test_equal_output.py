"""Equal input gives equal output: whatever the hash seed, on both databases."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from tests.pace import PATIENCE

DEMO = Path(__file__).resolve().parents[2] / "src/loreweave/bundled_skills/demo"

ASK = """
import sys
from pathlib import Path
from loreweave.application import open_application
from loreweave.contracts.wire import to_json
from loreweave.contracts.skill_graph import *
from loreweave.settings import load_settings
application = open_application(load_settings())
graphs, retrieval = application.graphs, application.retrieval
question = "how do I help a client who is catastrophizing?"
answers = [
    graphs.ingest_folder(Path(sys.argv[1])),
    graphs.export(ExportRequest(graphId="demo")),
    graphs.validate(GraphRequest(graphId="demo")),
    graphs.stats(GraphRequest(graphId="demo")),
    retrieval.scan(ScanRequest(graphId="demo", query="thoughts")),
    retrieval.search(SearchRequest(graphId="demo", query=question)),
    retrieval.traverse(TraverseRequest(graphId="demo", query=question, direction="both")),
    retrieval.context(ContextRequest(graphId="demo", query=question)),
    retrieval.read_node(NodeRequest(graphId="demo", id="cognitive-distortions", level=3)),
]
sys.stdout.buffer.write(b"".join(map(to_json, answers)))
application.close()
"""


def _answers(data: Path, seed: str, database_url: str = "") -> bytes:
    environment = {
        "PATH": os.environ["PATH"],
        "PYTHONHASHSEED": seed,
        "LORE_DATA_DIR": str(data),
        "LORE_DATABASE_URL": database_url,
    }
    done = subprocess.run(
        [sys.executable, "-c", ASK, str(DEMO)], env=environment, capture_output=True, timeout=PATIENCE
    )
    assert done.returncode == 0, done.stderr.decode()
    return done.stdout


@pytest.mark.holds("house.storage.equal-output", "house.storage.both-databases")
def test_every_answer_is_the_same_to_the_byte(tmp_path: Path, postgres_database: str) -> None:
    first = _answers(tmp_path / "one", "1")
    assert len(first.splitlines()) == 9
    assert _answers(tmp_path / "two", "2") == first
    assert _answers(tmp_path / "three", "3", postgres_database) == first
