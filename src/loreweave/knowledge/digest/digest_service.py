"""The one door to builds: digests of folders and of ingested graphs, their trees, and whether they still hold."""

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal
from urllib.parse import quote

from loreweave.bulk_work import Run, without_collection
from loreweave.contracts.ask import BuildReport, VerifyReport
from loreweave.contracts.skill_graph import PageSettings
from loreweave.contracts.wire import committed_json
from loreweave.entities.digest import Digest, Distilled
from loreweave.errors import Conflict, InvalidInput, NotFound
from loreweave.knowledge.digest.build_digest import BuildOptions, Distil, Source, Tell, corpus, run_build, undistilled
from loreweave.knowledge.digest.build_sources import (
    FolderDocuments,
    StoreBuild,
    cache_file,
    index_folder,
    read_folder,
    record_folder,
)
from loreweave.knowledge.digest.check_digest import check_digest
from loreweave.knowledge.digest.digest_file import digest_bytes, digest_value, distilled_of
from loreweave.knowledge.digest.digest_library import DigestLibrary
from loreweave.knowledge.digest.digest_tree import write_tree
from loreweave.knowledge.digest.opened_digest import digest_searcher, suggesting
from loreweave.knowledge.digest.orientation import llms_text
from loreweave.knowledge.documents.source_paths import DIGEST_PATH, read_digest
from loreweave.knowledge.graph.stored_notes import settings_of
from loreweave.language.markdown.note_slugs import is_ignored
from loreweave.seams.host.walk_below import remove_leftovers, replace_file
from loreweave.seams.storage.store import Store

Status = Literal["built", "updated", "skipped"]


@dataclass(frozen=True, eq=False, repr=False)
class DigestService:
    """Folders need no store; `cache` is where their readings are kept from one build to the next.

    `open_distil` takes the name of a model, None for the one of the settings; it answers None where there is none, and
    refuses one whose key is missing.
    """

    open_store: Callable[[], Store]
    open_library: Callable[[], DigestLibrary]
    open_distil: Callable[[str | None], Distil | None]
    cache: Path | None = None
    run: Run = map

    def build_folder(self, path: Path, options: BuildOptions, tell: Tell) -> BuildReport:
        """The digest of a folder's documents, in its place below the folder unless another is named."""
        distil = self.open_distil(options.model) if options.asks_model else None
        with without_collection():
            return self._build_folder(path, options, distil, tell)

    def _build_folder(self, path: Path, options: BuildOptions, distil: Distil | None, tell: Tell) -> BuildReport:
        documents = read_folder(path, tell)
        target = options.out or _own_place(path)
        if options.tree:
            _check_tree_place(path, options.tree)
        old = target.read_bytes() if target.is_file() else None
        before = _readable(documents.committed if old is None else old, tell)
        source = self._source(path, documents, options.settings or settings_of(before.get("settings")))
        if options.corpus:
            return _write_corpus(source, Distilled() if options.refresh else distilled_of(before), options.corpus)
        built = run_build(source, distilled_of(before), options, distil, tell)
        digest = _suggesting(built.digest, cache_file(self.cache, path, ".index"))
        status = _write(target, old, digest_bytes(digest))
        if options.tree:
            _write_tree(options.tree, digest, documents.texts)
        return _report(status, str(target), digest, built.sent)

    def build_graph(self, graph: str | None, options: BuildOptions, tell: Tell) -> BuildReport:
        """The same for an ingested graph; what is written about it stays in the store. None is the graph asked last."""
        distil = self.open_distil(options.model) if options.asks_model else None
        library = self.open_library()
        build = StoreBuild(self.open_store(), library)
        with without_collection(), build.of_graph(graph) as (source, before):
            if options.corpus:
                return _write_corpus(source, Distilled() if options.refresh else before, options.corpus)
            built = run_build(source, before, options, distil, tell)
            status: Status = build.keep(built)
            texts = {path: source.text_of(path) for path in source.records} if options.tree else {}
        digest = library.open(build.graph_id).digest
        if options.out:
            _write(options.out, options.out.read_bytes() if options.out.is_file() else None, digest_bytes(digest))
        if options.tree:
            _write_tree(options.tree, digest, texts)
        return _report(status, build.graph_id, digest, built.sent)

    def verify_folder(self, path: Path, digest: Path | None = None, site: Path | None = None) -> VerifyReport:
        file = digest or path / DIGEST_PATH
        if not file.is_file():
            raise NotFound(f"There is no digest {file}; `ask build` makes one.", field="digest")
        written = read_digest(file.read_bytes())
        documents = read_folder(path, lambda sentence: None)  # what a build told is not told again
        source = self._source(path, documents, settings_of(written.get("settings")))
        return _verified(written, source, site)

    def verify_graph(self, graph: str | None, digest: Path | None = None, site: Path | None = None) -> VerifyReport:
        """Compares with the documents in the store: a file's digest, else the one that is shown."""
        library = self.open_library()
        build = StoreBuild(self.open_store(), library)
        with build.of_graph(graph) as (source, _):
            written = digest_value(library.open(build.graph_id).plain)
            if digest is not None:
                if not digest.is_file():
                    raise NotFound(f"There is no digest {digest}.", field="digest")
                written = read_digest(digest.read_bytes())
            return _verified(written, source, site)

    def _source(self, path: Path, documents: FolderDocuments, settings: PageSettings) -> Source:
        return record_folder(documents, settings, cache_file(self.cache, path, ".pages"), self.run)


def _own_place(path: Path) -> Path:
    """Where a folder's digest lives; never behind a link, which a stranger's folder could lead anywhere."""
    place = path / DIGEST_PATH
    for part in (place.parent, place):
        if part.is_symlink():
            raise Conflict(f"{part} is a link; name the digest's place yourself.", file=str(part))
    return place


def _check_tree_place(path: Path, tree: Path) -> None:
    """A tree among the documents would become documents with the next build."""
    root, place = os.path.realpath(path), os.path.realpath(tree)
    below = os.path.relpath(place, root).replace(os.sep, "/")
    if below == "." or not (below.split("/")[0] == ".." or is_ignored(below)):
        raise InvalidInput(f"The tree cannot be among the documents; {path / '.ask' / 'tree'} can.", field="tree")


def _readable(data: bytes | None, tell: Tell) -> Mapping[str, Any]:
    """A digest that cannot be read is as none."""
    if data is None:
        return {}
    try:
        return read_digest(data)
    except InvalidInput as trouble:
        tell(f"{trouble.message} It is built anew.")
        return {}


def _suggesting(digest: Digest, cache: Path | None) -> Digest:
    if digest.suggestions or not digest.sections:
        return digest
    return suggesting(digest, digest_searcher(digest, index_folder(digest, cache)))


def _write(target: Path, old: bytes | None, data: bytes) -> Status:
    remove_leftovers(target)
    if data == old:
        return "skipped"
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        replace_file(target, data)
    except OSError as trouble:
        raise Conflict(f"{target} cannot be written: {trouble.strerror}", file=str(target)) from trouble
    return "built" if old is None else "updated"


def _write_corpus(source: Source, before: Distilled, file: Path) -> BuildReport:
    """The sections still to be distilled."""
    digest = source.assemble(before)
    sections = corpus(source, undistilled(digest))
    old = file.read_bytes() if file.is_file() else None
    status = _write(file, old, committed_json({"contentHash": digest.content_hash, "sections": sections}))
    return BuildReport(
        status=status, path=str(file), sections=len(sections), distilled=0, contentHash=digest.content_hash
    )


def _write_tree(folder: Path, digest: Digest, texts: Mapping[str, str]) -> None:
    def list_pages(files: Mapping[str, str]) -> str:
        return llms_text(digest, lambda path, slug: quote(files[path], safe="/"))

    write_tree(folder, digest_value(digest), texts, list_pages)


def _report(status: Status, path: str, digest: Digest, sent: int) -> BuildReport:
    return BuildReport(
        status=status, path=path, sections=len(digest.sections), distilled=sent, contentHash=digest.content_hash
    )


def _verified(written: Mapping[str, Any], source: Source, site: Path | None) -> VerifyReport:
    problems = check_digest(written, source, site)
    return VerifyReport(ok=all(problem.kind == "link" for problem in problems), problems=problems)
