"""An upload of the greatest size, and reads while it is worked on; with room for a busy machine."""

import io
import json
import threading
import time
import urllib.request
import zipfile
from pathlib import Path

import pytest
from tests.faces.served import served
from tests.pace import PATIENCE, slowness

ROOM = 5
FILES, BYTES = 500, 5 * 1024 * 1024
WORDS = "notes on attention, memory and the budget of tokens that a reader has for every question asked of them "


def _archive() -> bytes:
    buffer = io.BytesIO()
    size = BYTES // FILES
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for number in range(FILES):
            head = f"---\nname: Note {number}\n---\n# Note {number}\n\nSee [[note-{(number + 1) % FILES}]].\n\n"
            archive.writestr(f"note-{number}.md", (head + WORDS * (size // len(WORDS) + 1))[:size])
    return buffer.getvalue()


def _upload(address: str, archive: bytes, name: str) -> dict:
    boundary = "loreweave-boundary"
    parts = [("sourceType", "zip"), ("name", name)]
    body = b"".join(
        f'--{boundary}\r\nContent-Disposition: form-data; name="{field}"\r\n\r\n{value}\r\n'.encode()
        for field, value in parts
    )
    head = f'--{boundary}\r\nContent-Disposition: form-data; name="file"; filename="v.zip"\r\n\r\n'
    body += head.encode() + archive + f"\r\n--{boundary}--\r\n".encode()
    headers = {"Content-Type": f"multipart/form-data; boundary={boundary}"}
    request = urllib.request.Request(f"{address}/api/skillgraph/ingest", body, headers)
    with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
        return json.load(answer)


def _stats(address: str, graph: str) -> float:
    start = time.perf_counter()
    urllib.request.urlopen(f"{address}/api/skillgraph/stats?graphId={graph}", timeout=PATIENCE).read()
    return time.perf_counter() - start


@pytest.mark.holds("graph.speed.zip-over-http", "graph.speed.reads-meanwhile")
def test_the_largest_upload_is_quick_and_delays_no_reader(tmp_path: Path) -> None:
    archive = _archive()
    with served(tmp_path / "data") as address:
        _upload(address, archive, "first")  # starts the reader processes
        tried = [_upload_among_reads(address, archive, f"copy-{number}") for number in range(3)]
    assert min(seconds for seconds, _ in tried) < 1.2 * ROOM
    assert min(wait for _, wait in tried) < 0.100 * ROOM


def _upload_among_reads(address: str, archive: bytes, name: str) -> tuple[float, float]:
    """The seconds of the upload and of its slower readers, as they would be at an ordinary pace."""
    answers: list[dict] = []
    pace = slowness(time.perf_counter)
    uploading = threading.Thread(target=lambda: answers.append(_upload(address, archive, name)))
    start = time.perf_counter()
    uploading.start()
    waits = []
    while uploading.is_alive():
        waits.append(_stats(address, "first"))
    seconds = time.perf_counter() - start
    uploading.join()
    assert answers[0]["metrics"]["nodeCount"] == FILES
    waits.sort()
    pace = max(pace, slowness(time.perf_counter))
    return seconds / pace, waits[int(len(waits) * 0.95)] / pace
