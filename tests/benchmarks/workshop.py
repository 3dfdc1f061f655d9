"""What the cases share: notes on disk and the graphs made of them, each made once, when first asked for."""

import json
import os
import shutil
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests.benchmarks.measuring import run_process
from tests.benchmarks.retrieval_speed import make_queries, write_notes

LINKS = 10
VAULT_NOTES, VAULT_LINKS, VAULT_SENTENCES = 249, 15, 120
AN_HOUR_NS = 3_600_000_000_000


@dataclass(frozen=True, slots=True)
class Ingested:
    """A data folder that holds the graph `notes`, and what making it took."""

    notes: Path
    data: Path
    taken: dict[str, Any]


@dataclass(slots=True)
class Workshop:
    place: Path
    given: Path | None  # a folder of data from outside
    quick: bool
    full: bool
    _ingested: dict[int, Ingested] = field(default_factory=dict)
    _vocabulary: list[str] = field(default_factory=list)
    _vault: Path | None = None
    _folders: int = 0

    @property
    def rounds(self) -> int:
        return 1 if self.quick else 3

    @property
    def large(self) -> int:
        """Notes of the graph that is called large."""
        return 100 if self.quick else 10_000

    @property
    def sizes(self) -> list[int]:
        """For growth: each ten times the one before."""
        return [self.large // 10, self.large, *([100_000] if self.full else [])]

    def new_folder(self, name: str) -> Path:
        """A path that nothing has yet."""
        self._folders += 1
        return self.place / f"{self._folders}-{name}"

    def vault(self) -> Path:
        """A copy of the real vault where one was given, else a generated one of its size."""
        if self._vault is None:
            self._vault = self.new_folder("vault")
            if self.given and (self.given / "skill-vault").is_dir():
                shutil.copytree(self.given / "skill-vault", self._vault, copy_function=shutil.copyfile)
            else:
                self._vault.mkdir()
                write_notes(self._vault, VAULT_NOTES, VAULT_LINKS, sentences=VAULT_SENTENCES)
            _make_old(self._vault)
        return self._vault

    @property
    def vault_is_real(self) -> bool:
        return not (self.vault() / "note-0.md").exists()

    def ingested(self, count: int) -> Ingested:
        """So many generated notes, ingested by a process of its own; the better of two where cheap."""
        if count not in self._ingested:
            notes = self.new_folder(f"notes-{count}")
            notes.mkdir()
            self._vocabulary = write_notes(notes, count, LINKS)
            _make_old(notes)
            runs = [self.ingest(notes) for _ in range(2 if count == 1_000 else 1)]
            self._ingested[count] = min(runs, key=lambda run: run.taken["seconds"])
        return self._ingested[count]

    def queries(self, count: int) -> list[str]:
        """Questions in the language of the generated notes."""
        self.ingested(self.large)
        return make_queries(self._vocabulary, count)

    def ingest(self, notes: Path) -> Ingested:
        """By a process of its own, into a data folder of its own."""
        data = self.new_folder("data")
        command = [sys.executable, "-m", "tests.benchmarks.ingest_process", notes, data]
        return Ingested(notes, data, json.loads(run_process(command)))


def _make_old(folder: Path) -> None:
    """A file changed a moment ago is read again by the next ingest, whatever its time says."""
    then = time.time_ns() - AN_HOUR_NS
    for file in folder.rglob("*"):
        os.utime(file, ns=(then, then))
