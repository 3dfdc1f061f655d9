"""A cold read pays for nothing it does not use."""

import subprocess
import sys
from pathlib import Path

import pytest
from tests.pace import PATIENCE

HEAVY = [
    "numpy",
    "fastapi",
    "starlette",
    "uvicorn",
    "mcp",
    "httpx",
    "psycopg",
    "rich",
    "yaml",
    "watchfiles",
    "anyio",
]
OF_OTHER_COMMANDS = [
    "loreweave.contracts.context_packs",
    "loreweave.contracts.graph_reports",
    "loreweave.entities.note_rows",
    "loreweave.knowledge.graph.graph_service",
    "loreweave.language.markdown.resolve_link",
    "tomllib",
]
OF_DIGESTS = [  # what assembles them, and what reads documents
    "loreweave.knowledge.digest.assemble_digest",
    "loreweave.knowledge.digest.opened_digest",
    "loreweave.knowledge.documents.page_record",
    "loreweave.index.build_index",
    "pyromark",
]
PROGRAM = """
import sys
from loreweave.faces.cli.{program} import run
code = run(sys.argv[1:])
print(code, *[name for name in {heavy} if name in sys.modules], file=sys.stderr)
"""


def imported_by(data: Path, *arguments: str, heavy: list[str] = HEAVY, program: str = "lore") -> str:
    """The exit code, then those of the heavy modules that the command loaded."""
    command = [sys.executable, "-c", PROGRAM.format(heavy=heavy, program=program), *arguments]
    env = {"LORE_DATA_DIR": str(data), "LORE_EMBEDDER": "none"}
    done = subprocess.run(command, capture_output=True, text=True, env=env, timeout=PATIENCE, check=True)
    return done.stderr.strip()


@pytest.mark.holds("graph.speed.cold-scan")
@pytest.mark.parametrize(
    "arguments",
    [
        ["--help"],
        ["stats"],
        ["validate"],
        ["graphs"],
    ],
    ids=lambda arguments: arguments[0],
)
def test_a_cold_read_imports_nothing_heavy(lore, sample: str, tmp_path: Path, arguments: list[str]) -> None:
    assert imported_by(tmp_path / "data", *arguments) == "0"


@pytest.mark.holds("graph.speed.cold-scan")
@pytest.mark.parametrize("arguments", [["scan", "reframing"], ["node", "reframing", "--level", "4"]])
def test_a_cold_look_at_nodes_loads_what_a_view_needs_and_no_more(
    lore, sample: str, tmp_path: Path, arguments: list[str]
) -> None:
    assert imported_by(tmp_path / "data", *arguments) == "0 numpy"


@pytest.mark.holds("graph.speed.cold-scan")
def test_a_cold_scan_loads_nothing_that_other_commands_need(lore, sample: str, tmp_path: Path) -> None:
    assert imported_by(tmp_path / "data", "scan", "reframing", heavy=[*OF_OTHER_COMMANDS, *OF_DIGESTS]) == "0"


@pytest.mark.holds("retrieval.index.cold-search")
def test_a_cold_search_assembles_no_digest_and_reads_no_document(lore, sample: str, tmp_path: Path) -> None:
    assert imported_by(tmp_path / "data", "search", "reframing", heavy=OF_DIGESTS, program="ask_program") == "0"


@pytest.mark.holds("retrieval.index.cold-search")
def test_a_cold_pack_parses_no_document_and_grades_no_graph(lore, sample: str, tmp_path: Path) -> None:
    heavy = ["pyromark", "loreweave.knowledge.documents.read_document", "loreweave.contracts.graph_reports"]
    assert imported_by(tmp_path / "data", "context", "reframing", heavy=heavy) == "0"


@pytest.mark.holds("retrieval.speed")
@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="the system does not list threads")
def test_a_question_is_not_spread_over_threads_that_wait_busily(lore, sample: str, tmp_path: Path) -> None:
    count = "import os, sys; from loreweave.faces.cli.lore import run; run(sys.argv[1:]); "
    count += "print('threads', len(os.listdir('/proc/self/task')))"
    command = [sys.executable, "-c", count, "scan", "reframing"]
    env = {"LORE_DATA_DIR": str(tmp_path / "data"), "LORE_EMBEDDER": "none"}
    done = subprocess.run(command, capture_output=True, text=True, env=env, timeout=PATIENCE, check=True)
    assert done.stdout.splitlines()[-1] == "threads 1"


@pytest.mark.holds("house.cli.stdout-is-data")
def test_a_reader_that_goes_away_is_no_failure(lore, sample: str, tmp_path: Path) -> None:
    command = [sys.executable, "-m", "loreweave.faces.cli.lore", "export"]
    process = subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env={"LORE_DATA_DIR": str(tmp_path / "data")}
    )
    assert process.stdout is not None
    process.stdout.close()
    _, err = process.communicate(timeout=PATIENCE)
    assert (process.returncode, err) == (0, b"")
