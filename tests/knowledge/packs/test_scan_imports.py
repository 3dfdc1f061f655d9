"""A scan that runs once must not pay for what it does not use."""

import subprocess
import sys

PROGRAM = """
import sys
from pathlib import Path
from loreweave.application import open_application
from loreweave.contracts.skill_graph import NodeRequest, ScanRequest
from loreweave.settings import Settings
application = open_application(Settings(data_dir=Path(sys.argv[1])))
assert application.retrieval.scan(ScanRequest(graphId="therapy", query="catastrophizng")).total == 1
application.retrieval.read_node(NodeRequest(graphId="therapy", id="reframing", level=4))
application.close()
dear = {"numpy", "yaml", "httpx", "fastapi", "mcp", "psycopg"}
print(*sorted(dear & {name.partition(".")[0] for name in sys.modules}))
"""


def test_a_scan_and_a_node_load_no_numpy(therapy) -> None:
    data = therapy.application.settings.data_dir
    done = subprocess.run([sys.executable, "-c", PROGRAM, str(data)], capture_output=True, text=True, check=True)
    assert done.stdout.split() == []
