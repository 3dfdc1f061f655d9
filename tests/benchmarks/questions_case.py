"""Real questions to a real site: from its files to the first answer, cold, warm, over HTTP, and many at once."""

import json
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.benchmarks.http_case import Caller, serving
from tests.benchmarks.measuring import Line, alternate, program, run_process
from tests.benchmarks.workshop import Workshop

from loreweave.application import Application, open_application
from loreweave.contracts.ask import AskRequest
from loreweave.settings import Settings

CASE = "asked"
SITE, ASKED, SMALL = "k8s-docs", "k8s-questions.json", "docs-site"
CLIENTS, SECONDS = 50, 5.0


@pytest.mark.holds("retrieval.speed")
def questions_case(workshop: Workshop) -> Iterator[Line]:
    given = workshop.given
    missing = [name for name in (SITE, ASKED, SMALL) if given is None or not (given / name).exists()]
    if given is None or missing:
        yield Line(CASE, "no questions to ask", 0, "", remark=f"needs {', '.join(missing)} in the data folder")
        return
    questions = [one["question"] for one in json.loads((given / ASKED).read_text(encoding="utf-8"))]
    questions = questions[: 10 if workshop.quick else None]
    data = workshop.new_folder("site")
    yield _first_answer(given / SITE, data, questions[0])
    yield from _cold(workshop, data, questions[0])
    application = open_application(Settings(data_dir=data))
    yield from _warm(application, questions, workshop.rounds)
    application.close()
    with serving([program("lore"), "serve", "--port", "0", "--data", data]) as address:
        yield _over_http(address, questions, workshop.rounds, is_new=True)
        yield _over_http(address, questions, workshop.rounds, is_new=False)
    small = workshop.new_folder("small")
    run_process([program("lore"), "ingest", given / SMALL, "--data", small])
    with serving([program("lore"), "serve", "--port", "0", "--data", small]) as address:
        yield from _many(address, questions, 1.0 if workshop.quick else SECONDS)


def _first_answer(site: Path, data: Path, question: str) -> Line:
    def run(_: int) -> None:
        run_process([program("lore"), "ingest", site, "--data", data])
        run_process([program("ask"), "search", question, "--data", data])

    taken = alternate(1, {"run": run})["run"]
    remark = f"{taken.least_cpu:.1f} s of processors"
    return Line(CASE, "files to first answer", taken.best, "s", promise="≤ 7 s", kept=taken.best <= 7, remark=remark)


def _cold(workshop: Workshop, data: Path, question: str) -> Iterator[Line]:
    commands = {"ask search": [program("ask"), "search"], "lore context": [program("lore"), "context"]}
    work = {
        name: lambda _, command=command: run_process([*command, question, "--data", data])
        for name, command in commands.items()
    }
    work["python"] = lambda _: run_process([sys.executable, "-c", "pass"])
    taken = alternate(3 * workshop.rounds, work)
    for name in commands:
        found = taken[name]
        yield Line(
            CASE, f"{name}, cold", found.least_cpu, "CPU s", "python -c pass", taken["python"].least_cpu, "≤ 0.5 s",
            found.least_cpu <= 0.5, f"by the clock {found.best:.2f} s",
        )  # fmt: skip


def _warm(application: Application, questions: list[str], rounds: int) -> Iterator[Line]:
    """A question that nobody asked before is read and ranked; of one that was asked the answer is kept."""

    def search(question: str) -> float:
        started = time.thread_time()
        application.asking.search(AskRequest(query=question, typing=True), "k8s-docs")
        return 1000 * (time.thread_time() - started)

    search(questions[0])
    new = sorted(min(search(question + " " * number) for number in range(1, rounds + 1)) for question in questions)
    again = sorted(min(search(question) for _ in range(rounds + 1)) for question in questions)
    for what, found in (("new", new), ("answer kept", again)):
        for name, place, most in (("p50", len(found) // 2, 1), ("p99", int(len(found) * 0.99), 5)):
            value = found[place]
            yield Line(CASE, f"warm search, {what}: {name}", value, "CPU ms", "", None, f"≤ {most} ms", value <= most)


def _over_http(address: str, questions: list[str], rounds: int, *, is_new: bool) -> Line:
    caller = Caller(address)
    taken = []
    for question in questions:
        times = []
        for number in range(rounds + 1):
            asked = question + " " * (number + 1) * is_new
            body = json.dumps({"query": asked, "mode": "keyword"}).encode()
            started = time.perf_counter()
            caller.ask("POST", "/api/ask", body)
            times.append(1000 * (time.perf_counter() - started))
        taken.append(min(times))
    caller.close()
    value = sorted(taken)[len(taken) // 2]
    what = f"warm over HTTP, {'new' if is_new else 'answer kept'}: p50"
    return Line(CASE, what, value, "ms", "", None, "≤ 3 ms", value <= 3)


def _many(address: str, questions: list[str], seconds: float) -> Iterator[Line]:
    """The load's own client runs on the same cores; most answers are kept from one client to the next."""
    taken: list[float] = []
    until = time.perf_counter() + seconds

    def ask(number: int) -> None:
        caller = Caller(address)
        while time.perf_counter() < until:
            body = json.dumps({"query": questions[number % len(questions)], "mode": "keyword"}).encode()
            started = time.perf_counter()
            caller.ask("POST", "/api/ask", body)
            taken.append(time.perf_counter() - started)
            number += 7
        caller.close()

    clients = [threading.Thread(target=ask, args=(number,)) for number in range(CLIENTS)]
    for client in clients:
        client.start()
    for client in clients:
        client.join()
    ordered = sorted(taken)
    rate, spread = len(taken) / seconds, ordered[int(len(taken) * 0.99)] / ordered[len(taken) // 2]
    yield Line(CASE, f"{CLIENTS} clients on /api/ask", rate, "/s", "", None, "≥ 300 /s", rate >= 300)
    yield Line(CASE, f"{CLIENTS} clients: p99 ÷ p50", spread, "×", "", None, "≤ 3", spread <= 3)
