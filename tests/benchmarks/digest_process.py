"""A site ingested, digested, searched, and edited page by page, in a process of its own; answers one line of JSON.

Run: python -m tests.benchmarks.digest_process FOLDER DATA EDITS
"""

import json
import multiprocessing
import resource
import sys
import time
from collections.abc import Callable
from pathlib import Path

from tests.benchmarks.ingest_process import own_peak

from loreweave.application import Application, open_application
from loreweave.contracts.ask import AskRequest
from loreweave.settings import Settings


def cpu_seconds() -> float:
    """Of this process and of those it started that have ended."""
    spent = [resource.getrusage(whose) for whose in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(used.ru_utime + used.ru_stime for used in spent)


def timed(work: Callable[[], object]) -> dict[str, float]:
    used, started = cpu_seconds(), time.perf_counter()
    work()
    return {"seconds": time.perf_counter() - started, "cpu_seconds": cpu_seconds() - used}


def whole(folder: Path, data: Path) -> None:
    """From files to the first answer."""
    application = open_application(Settings(data_dir=data))
    application.graphs.ingest_folder(folder, name="site")
    ask(application, "how to install")
    application.close()
    for child in multiprocessing.active_children():
        child.join()  # only what has ended is counted


def ask(application: Application, query: str) -> list[str]:
    return [result.id for result in application.asking.search(AskRequest(query=query)).results]


def edited(application: Application, folder: Path, number: int) -> dict[str, float]:
    """What it takes until a word that was written just now is found; ingesting it is told apart."""
    file = sorted(folder.rglob("*.md"))[number * 7]
    with file.open("a", encoding="utf-8") as page:
        page.write(f"\n\n## Edit {number}\n\nSomething about zyx{number}yz.\n")
    ingested = timed(lambda: application.graphs.ingest_folder(folder, name="site"))
    found: list[str] = []
    taken = timed(lambda: found.extend(ask(application, f"zyx{number}yz")))
    if not found or not found[0].endswith(f"#edit-{number}"):
        raise SystemExit(f"the edit was not found: {found}")
    return {**taken, "ingest_cpu_seconds": ingested["cpu_seconds"]}


def main() -> None:
    folder, data = Path(sys.argv[1]), Path(sys.argv[2])
    first = timed(lambda: whole(folder, data))
    application = open_application(Settings(data_dir=data))
    cold = timed(lambda: ask(application, "how to install"))
    sections = len(application.asking.sections().sections)
    edits = [edited(application, folder, number) for number in range(int(sys.argv[3]))]
    application.close()
    print(json.dumps({"whole": first, "cold": cold, "edits": edits, "sections": sections, "peak": own_peak()}))


if __name__ == "__main__":
    main()
