"""Sections to an index of their passages. One that was built before saves reading those that are as they were."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from hashlib import blake2b
from itertools import chain

import numpy

from loreweave.entities.digest import SearchedPassage, SearchedSection
from loreweave.index.bulk_work import Run, without_collection
from loreweave.index.index_arrays import Array, IndexArrays
from loreweave.index.nearness import embed_rows
from loreweave.index.read_rows import read_rows
from loreweave.index.splice_rows import join_words, plan_splice, starts_of
from loreweave.seams.embedding.embedder import Embedder

PRINT_BYTES = 16

KnownPrints = Mapping[str, tuple[SearchedSection, tuple[bytes, ...]]]  # by id of the section


@dataclass(frozen=True, slots=True)
class BuiltIndex:
    """The arrays, and the sections they were built of: whoever builds the next index from it saves reading them."""

    arrays: IndexArrays
    known: KnownPrints = field(default_factory=dict)


def build_index(
    sections: Sequence[SearchedSection],
    embedder: Embedder | None,
    before: BuiltIndex | None = None,
    run: Run = map,
) -> BuiltIndex:
    """The same whatever was there `before` and however it is `run`; near-linear in the text that was not."""
    order = sorted(range(len(sections)), key=lambda place: (sections[place].id, place))
    ordered = [sections[place] for place in order]
    rows = [row for section in ordered for row in section_rows(section)]
    prints = _row_prints(rows, before.known if before else {})
    old = before.arrays if before else NOTHING
    plan = plan_splice(_as_list(old.prints), prints)
    with without_collection(), ThreadPoolExecutor(1) as beside:  # processes embed while the words are read here
        embedding = beside.submit(embed_rows, rows, embedder, old, plan, run)
        words = join_words(old, read_rows([rows[place] for place in plan.added.tolist()]), plan)
        meaning = embedding.result()
    counts = [max(1, len(section.passages)) for section in ordered]
    page_numbers = {page: number for number, page in enumerate(sorted({section.page for section in ordered}))}
    pages = numpy.array([page_numbers[section.page] for section in ordered], dtype=numpy.int32)
    arrays = IndexArrays(
        given=numpy.array(order, dtype=numpy.int32),
        sections=numpy.repeat(numpy.arange(len(ordered), dtype=numpy.int32), counts),
        pages=numpy.repeat(pages, counts),
        prints=numpy.frombuffer(b"".join(prints), dtype=numpy.uint8).reshape(-1, PRINT_BYTES),
        sizes=numpy.array([row.size for row in rows], dtype=numpy.int32),
        opening=numpy.repeat(numpy.array([section.heading is None for section in ordered], dtype=bool), counts),
        **words,
        **meaning,
    )
    firsts = starts_of(numpy.array(counts, dtype=numpy.int64)).tolist()
    known = {
        section.id: (section, tuple(prints[firsts[number] : firsts[number + 1]]))
        for number, section in enumerate(ordered)
    }
    return BuiltIndex(arrays, known)


def section_rows(section: SearchedSection) -> list[SearchedPassage]:
    texts = section.passages or (section.text,)
    sizes = section.sizes or (0,) * len(texts)
    return [SearchedPassage(section, number, *found) for number, found in enumerate(zip(texts, sizes, strict=True))]


def _row_prints(rows: Sequence[SearchedPassage], known: KnownPrints) -> list[bytes]:
    """Equal where everything that an index reads of a row is equal; of a section that is known itself, not only by its
    id, none is made again."""
    prints = []
    for row in rows:
        found = known.get(row.section.id)
        prints.append(found[1][row.number] if found and found[0] is row.section else _print(row))
    return prints


def _as_list(prints: Array) -> list[bytes]:
    data = prints.tobytes()
    return [data[start : start + PRINT_BYTES] for start in range(0, len(data), PRINT_BYTES)]


def _print(row: SearchedPassage) -> bytes:
    """Lengths go before the texts, so that no text can pass for another's end."""
    section, note = row.section, row.note
    literals = section.literals if row.number else row.literals  # the first holds those that no other does
    texts = (section.id, str(row.number), section.title, section.above, section.heading or "", row.text)
    lists: list[tuple[str, ...]] = [section.called, section.terms, literals]
    if note:
        lists += [(note.name,), note.aliases, note.tags, note.sentences]
    every = (*texts, section.summary, row.deeper, *chain.from_iterable(lists))
    shape = f"{section.heading is None} {list(map(len, lists))} {list(map(len, every))} "
    return blake2b((shape + "".join(every)).encode("utf-8", "surrogatepass"), digest_size=PRINT_BYTES).digest()


NOTHING = read_rows([])
