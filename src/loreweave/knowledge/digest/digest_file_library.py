"""A digest file as something to ask: no store, no documents, only what the file itself says."""

from functools import cached_property
from typing import Any

from loreweave.entities.digest import Digest, DigestSection, Fact, GlossaryTerm
from loreweave.errors import InvalidInput, NotFound
from loreweave.knowledge.digest.index_digest import index_digest
from loreweave.knowledge.digest.opened_digest import OpenDigest
from loreweave.knowledge.graph.read_documents import settings_of
from loreweave.knowledge.ranking.section_index import SectionIndex
from loreweave.knowledge.reading.source_paths import read_digest
from loreweave.seams.embedding.embedder import Embedder


class DigestFileLibrary:
    """Stands where a DigestLibrary stands; there is one digest and it has no graph."""

    def __init__(self, data: bytes, embedder: Embedder | None) -> None:
        self._data = data
        self._embedder = embedder

    def open(self, graph_id: str | None = None) -> OpenDigest:
        if graph_id:
            raise NotFound("A digest file holds no graphs.", graph=graph_id[:200])
        return self._opened

    def is_misconfigured(self) -> bool:
        return False

    @cached_property
    def _opened(self) -> OpenDigest:
        digest = digest_of(read_digest(self._data))

        def find_index(digest: Digest) -> SectionIndex:
            return index_digest(digest, self._embedder)

        return OpenDigest(digest, find_index)


def digest_of(found: dict[str, Any]) -> Digest:
    """A parsed digest file as a digest; its sections have their summary for a text."""
    try:
        return Digest(
            settings=settings_of(found.get("settings")),
            content_hash=str(found.get("contentHash", "")),
            sections=tuple(_section(node) for node in found["nodes"]),
            glossary=tuple(_term(entry) for entry in found["glossary"]),
            edges=(),
            overview=str(found["overview"]),
            context=str(found["context"]),
            suggestions=tuple(map(str, found["suggestions"])),
            slugs={},
        )
    except (KeyError, TypeError, ValueError) as trouble:
        raise InvalidInput(f"The digest is damaged: {trouble!r}.", field="digest") from None


def _term(entry: dict[str, Any]) -> GlossaryTerm:
    return GlossaryTerm(entry["term"], tuple(entry["aliases"]), entry["definition"])


def _section(node: dict[str, Any]) -> DigestSection:
    identity = str(node["id"])
    facts = tuple(Fact(fact["kind"], fact["literal"], fact["start"], fact["end"]) for fact in node["facts"])
    return DigestSection(
        id=identity,
        slug=identity.partition("#")[0],
        path="",
        title=node["title"],
        heading=node["heading"],
        group=node["group"],
        anchor=node["sources"][0]["anchor"],
        level=0 if node["heading"] is None else 2,
        url=node["url"],
        summary=node["summary"],
        distilled=bool(node.get("distilled")),
        hash=str(node.get("hash", "")),
        mode=node["mode"],
        terms=tuple(node["terms"]),
        facts=facts,
        text=node["summary"],
        start=0,
        end=0,
    )
