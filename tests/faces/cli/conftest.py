"""Commands run in this process, with what they print."""

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from tests.laid_tables import lay_tables

from loreweave.faces.cli.lore import run


@dataclass(frozen=True, slots=True)
class Done:
    code: int
    out: bytes
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)


Lore = Callable[..., Done]


@pytest.fixture
def lore(tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes], monkeypatch: pytest.MonkeyPatch) -> Lore:
    """`lore("scan", "words")` on a data folder of its own."""
    monkeypatch.setenv("LORE_DATA_DIR", str(tmp_path / "data"))
    monkeypatch.setenv("LORE_EMBEDDER", "none")

    def command(*arguments: str) -> Done:
        capfdbinary.readouterr()
        code = run(arguments)
        out, err = capfdbinary.readouterr()
        return Done(code, out, err.decode())

    return command


@pytest.fixture
def sample(lore: Lore, vault: Path, tmp_path: Path) -> str:
    lay_tables(tmp_path / "data")
    assert lore("ingest", str(vault), "--name", "sample").code == 0
    return "sample"
