"""One ingest in a process of its own, so that its memory is its own; answers one line of JSON.

Run: python -m tests.benchmarks.ingest_process FOLDER DATA
"""

import json
import multiprocessing
import resource
import sys
import time
from pathlib import Path

from loreweave.application import open_application
from loreweave.settings import Settings

KIBIBYTE = 1024


def own_peak() -> int:
    """Bytes. Linux hands a parent's `ru_maxrss` on to its children, so the high-water mark comes first."""
    try:
        lines = Path("/proc/self/status").read_text(encoding="utf-8").splitlines()
        return next(int(line.split()[1]) for line in lines if line.startswith("VmHWM")) * KIBIBYTE
    except (OSError, StopIteration):
        return _peak(resource.RUSAGE_SELF)


def _peak(whose: int) -> int:
    found = resource.getrusage(whose).ru_maxrss
    return found if sys.platform == "darwin" else found * KIBIBYTE


def main() -> None:
    folder, data = map(Path, sys.argv[1:])
    application = open_application(Settings(data_dir=data))
    started = time.perf_counter()
    answer = application.graphs.ingest_folder(folder, name="notes")
    seconds = time.perf_counter() - started
    application.close()
    for child in multiprocessing.active_children():
        child.join()  # only what has ended is counted
    own, children = resource.getrusage(resource.RUSAGE_SELF), resource.getrusage(resource.RUSAGE_CHILDREN)
    print(
        json.dumps(
            {
                "seconds": seconds,
                "cpu_seconds": sum(used.ru_utime + used.ru_stime for used in (own, children)),
                "nodes": answer.metrics.nodeCount,
                "edges": answer.metrics.edgeCount,
                "peak": own_peak(),
                "peak_of_a_reader": _peak(resource.RUSAGE_CHILDREN),
                "bytes": sum(file.stat().st_size for file in data.rglob("*") if file.is_file()),
            }
        )
    )


if __name__ == "__main__":
    main()
