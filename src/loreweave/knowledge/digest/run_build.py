"""One build, whatever the documents come from: what was asked for, and what it makes of them."""

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from loreweave.entities.digest import Digest, DigestSettings, Distilled
from loreweave.errors import InvalidInput
from loreweave.knowledge.digest.build_digest import (
    Built,
    Distil,
    Source,
    assemble_written,
    build_digest,
    corpus,
    undistilled,
)
from loreweave.knowledge.digest.json_text import json_bytes

Tell = Callable[[str], None]  # a sentence for the one who builds, beside the report


@dataclass(frozen=True, slots=True)
class BuildOptions:
    out: Path | None = None  # where the digest goes; a folder has a place of its own for it
    model: str | None = None  # None: the one of the settings, if any
    key_free: bool = False  # no model, whatever the settings say
    refresh: bool = False  # nothing that was written before counts
    assemble: bytes | None = None  # JSON that somebody wrote about the sections
    corpus: Path | None = None  # where to put what is still to be distilled; nothing is built then
    tree: Path | None = None  # where to put the digest as Markdown files, too
    settings: DigestSettings | None = None  # of a folder; None: those of its digest, else the defaults

    @property
    def asks_model(self) -> bool:
        return not self.key_free and self.assemble is None and self.corpus is None


def run_build(source: Source, before: Distilled, options: BuildOptions, distil: Distil | None, tell: Tell) -> Built:
    if options.assemble is not None:
        given = _given(options.assemble)
        built = assemble_written(source, before, given, refresh=options.refresh)
    else:
        built = build_digest(source, before, distil, refresh=options.refresh)
    for sentence in built.refused:
        tell(sentence)
    return built


def corpus_of(source: Source, before: Distilled, *, refresh: bool) -> tuple[Digest, list[dict[str, Any]]]:
    """The digest as it is, and the sections still to be distilled."""
    digest = source.assemble(Distilled() if refresh else before)
    return digest, corpus(source, undistilled(digest))


def corpus_bytes(digest: Digest, sections: list[dict[str, Any]]) -> bytes:
    return json_bytes({"contentHash": digest.content_hash, "sections": sections})


def _given(data: bytes) -> Any:
    try:
        return json.loads(data)
    except (ValueError, RecursionError):
        raise InvalidInput("What was written about the sections is no JSON", field="assemble") from None
