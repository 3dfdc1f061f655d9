"""Ten times the notes: time, memory and disk; and what one changed file costs at each size."""

import random
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.benchmarks.measuring import Line, alternate
from tests.benchmarks.workshop import LINKS, Ingested, Workshop

from loreweave.application import open_application
from loreweave.knowledge.documents.folder import list_folder
from loreweave.settings import Settings

MEBIBYTE = 1024 * 1024
READERS = 2  # processes that read notes beside the one that writes
TIMES, MOST_TIMES = 4, 6  # so many times the notes may cost so many times the work


@pytest.mark.holds("graph.speed.folder-100k")
def growth_case(workshop: Workshop) -> Iterator[Line]:
    before: Ingested | None = None
    for count in workshop.sizes:
        ingested = workshop.ingested(count)
        yield from _lines(count, ingested, before)
        before = ingested


def _lines(count: int, ingested: Ingested, before: Ingested | None) -> Iterator[Line]:
    taken, case = ingested.taken, "growth"
    name = f"{count:,} notes"
    promised = 90 if count == 100_000 else None
    yield Line(
        case, f"{name}: ingest", taken["seconds"], "s", promise=f"≤ {promised} s" if promised else "",
        kept=taken["seconds"] <= promised if promised else None,
        remark=f"{count / taken['seconds']:,.0f} notes/s, {taken['cpu_seconds']:.1f} s of processors",
    )  # fmt: skip
    if before:
        for what in ("seconds", "cpu_seconds"):
            other = before.taken[what]
            title = "ingest" if what == "seconds" else "processor time"
            yield Line(
                case, f"{name}: {title}", taken[what], "s", f"{count // 10:,} notes", other, "≤ 12×",
                taken[what] <= 12 * other,
            )  # fmt: skip
    peak, reader = taken["peak"] / MEBIBYTE, taken["peak_of_a_reader"] / MEBIBYTE
    limit = 300 + 3 * count / 1024
    yield Line(
        case, f"{name}: peak memory", peak, "MiB", promise=f"≤ {limit:,.0f} MiB", kept=peak <= limit,
        remark=f"a reader {reader:.0f} MiB, all at most {peak + READERS * reader:,.0f} MiB",
    )  # fmt: skip
    size = sum(file.stat().st_size for file in ingested.notes.iterdir()) / count
    yield Line(case, f"{name}: disk per note", taken["bytes"] / count, "bytes", "source text", size)


@pytest.mark.holds("graph.speed.folder-100k")
def alike_case(workshop: Workshop) -> Iterator[Line]:
    """Folders that real people have: every file is called alike, or every link leads to what was renamed."""
    few = 20 if workshop.quick else 1_000
    for shape, write in (("names alike", _write_alike), ("broken links", _write_broken)):
        taken = []
        for count in (few, TIMES * few):
            notes = workshop.new_folder(shape.replace(" ", "-"))
            for number in range(count):
                write(notes, number, count)
            taken.append(min(workshop.ingest(notes).taken["cpu_seconds"] for _ in range(workshop.rounds)))
        small, large = taken
        yield Line(
            "alike", f"{TIMES * few:,} notes, {shape}: processors", large, "s", f"{few:,} notes", small,
            f"≤ {MOST_TIMES}×", None if workshop.quick else large <= MOST_TIMES * small,
        )  # fmt: skip


def _write_alike(notes: Path, number: int, count: int) -> None:
    folder = notes / f"topic-{number}"
    folder.mkdir(parents=True)
    others = ", ".join(f"[[README]], [[../topic-{(number * 7 + step) % count}/README]]" for step in range(LINKS // 2))
    folder.joinpath("README.md").write_text(f"# Overview\n\nTopic {number} goes on in {others}.\n", encoding="utf-8")


def _write_broken(notes: Path, number: int, count: int) -> None:
    notes.mkdir(exist_ok=True)
    gone = ", ".join(f"[[chapter {(number * 7 + step) % count} as it was]]" for step in range(LINKS))
    text = f"# Chapter {number}\n\nChapter {number} refers to {gone}.\n"
    notes.joinpath(f"chapter-{number}-revised.md").write_text(text, encoding="utf-8")


@pytest.mark.holds("graph.speed.one-changed-file", "graph.speed.change-proportional")
def change_case(workshop: Workshop) -> Iterator[Line]:
    """What the walk through the folder takes is told apart: it grows with the folder, whatever changed."""
    small: float | None = None
    for count in workshop.sizes[:2]:
        ingested = workshop.ingested(count)
        application = open_application(Settings(data_dir=ingested.data))
        application.graphs.ingest_folder(ingested.notes, name="notes")
        taken = alternate(
            2 * workshop.rounds + 1,
            {
                "change": lambda number, ingested=ingested: change_one(ingested, number),
                "walk": lambda _, ingested=ingested: list_folder(ingested.notes),
                "ingest": lambda _, ingested=ingested, application=application: application.graphs.ingest_folder(
                    ingested.notes, name="notes"
                ),
            },
        )
        application.close()
        best = (taken["ingest"].best - taken["walk"].best) * 1000
        median = (taken["ingest"].median - taken["walk"].median) * 1000
        told = count >= 10_000 and best > 0  # beside a walk that was disturbed nothing can be said
        yield Line(
            "change", f"1 of {count:,} notes, without walk", best, "ms",
            "" if small is None else f"1 of {count // 10:,}", small,
            "≤ 150 ms" if count >= 10_000 else "", best <= 150 if told else None,
            f"median {median:.0f}, walk {taken['walk'].best * 1000:.0f} ms" + "; not measurable here" * (best <= 0),
        )  # fmt: skip
        whole = ingested.taken["seconds"]
        yield Line("change", f"1 of {count:,} notes, with walk", taken["ingest"].best, "s", "whole ingest", whole)
        small = best


def change_one(ingested: Ingested, number: int) -> None:
    """One more sentence, with a link, in one note."""
    chance = random.Random(number)
    notes = ingested.taken["nodes"]
    with (ingested.notes / f"note-{chance.randrange(notes)}.md").open("a", encoding="utf-8") as note:
        note.write(f"\nSentence {number} has [[note-{chance.randrange(notes)}]] in it.\n")
