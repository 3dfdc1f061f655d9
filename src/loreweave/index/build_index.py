"""Sections to an index of their passages. One that was built before saves reading those that are as they were."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from hashlib import blake2b
from itertools import chain

import numpy

from loreweave.bulk_work import without_collection
from loreweave.entities.digest import PageRecord, SearchedNote, SearchedPassage, SearchedSection
from loreweave.errors import Unavailable
from loreweave.index.index_arrays import Array, IndexArrays
from loreweave.index.nearness import embed_texts, embedded_text
from loreweave.index.read_rows import read_rows
from loreweave.index.splice_rows import Gathered, join_rows, stretches_of
from loreweave.seams.embedding.embedder import Embedder

PRINT_BYTES = 16


def build_index(
    sections: Sequence[SearchedSection], embedder: Embedder | None, before: IndexArrays | None = None
) -> IndexArrays:
    """The same whatever was there `before`; near-linear in the text that was not."""
    order = sorted(range(len(sections)), key=lambda place: (sections[place].id, place))
    ordered = [sections[place] for place in order]
    rows = [row for section in ordered for row in section_rows(section)]
    prints = list(map(row_print, rows))
    old = before if before is not None and before.embedder == (embedder.identity if embedder else "") else NOTHING
    found = _found(old, prints)
    is_new = found < 0
    added = index_rows([rows[place] for place in numpy.flatnonzero(is_new).tolist()], embedder)
    joined = Gathered()
    stretches = stretches_of(is_new.astype(numpy.int64), numpy.where(is_new, numpy.cumsum(is_new) - 1, found))
    join_rows(of_one_meaning([old, added]), stretches, joined)
    counts = [max(1, len(section.passages)) for section in ordered]
    page_numbers = {page: number for number, page in enumerate(sorted({section.page for section in ordered}))}
    pages = numpy.array([page_numbers[section.page] for section in ordered], dtype=numpy.int32)
    return IndexArrays(
        given=numpy.array(order, dtype=numpy.int32),
        sections=numpy.repeat(numpy.arange(len(ordered), dtype=numpy.int32), counts),
        pages=numpy.repeat(pages, counts),
        **joined,
    )


def _found(old: IndexArrays, prints: list[bytes]) -> Array:
    """Of each row its number before, -1 for a new one. Of equal ones one is kept; where the order of kept ones changed,
    all are new."""
    numbers = {found: number for number, found in enumerate(_as_list(old.prints))}
    found = numpy.fromiter((numbers.pop(row, -1) for row in prints), dtype=numpy.int64, count=len(prints))
    if (numpy.diff(found[found >= 0]) < 0).any():  # of doubled ids only: others stand in the order of their ids
        found[:] = -1
    return found


def index_rows(
    rows: Sequence[SearchedPassage], embedder: Embedder | None, before: IndexArrays | None = None
) -> IndexArrays:
    """An index of these rows alone. Where a remote embedder is away, words alone still find; what it said `before` of a
    row it is not asked again."""
    with without_collection():
        arrays = read_rows(rows)
        prints = list(map(row_print, rows))
        arrays = replace(arrays, prints=numpy.frombuffer(b"".join(prints), dtype=numpy.uint8).reshape(-1, PRINT_BYTES))
        if embedder is None or not rows:
            return arrays
        known = {} if before is None else {found: number for number, found in enumerate(_as_list(before.prints))}
        places = [known.get(found, -1) for found in prints]
        fresh = [row for row, place in zip(rows, places, strict=True) if place < 0]
        try:
            if before is None or len(fresh) == len(rows):
                vectors = embed_texts(list(map(embedded_text, rows)), embedder)
            else:
                vectors = before.vectors[places]
                if fresh:
                    vectors[numpy.array(places) < 0] = embed_texts(list(map(embedded_text, fresh)), embedder)
        except Unavailable:
            return arrays
        return replace(arrays, vectors=vectors, embedder=embedder.identity)


def of_one_meaning(parts: Sequence[IndexArrays]) -> list[IndexArrays]:
    """All rows have vectors or none has: the embedder may have gone away between them."""
    if len({part.embedder for part in parts if len(part.sizes)}) < 2:
        return list(parts)
    return [replace(part, vectors=part.vectors[:, :0], embedder="") for part in parts]


def _as_list(prints: Array) -> list[bytes]:
    data = prints.tobytes()
    return [data[start : start + PRINT_BYTES] for start in range(0, len(data), PRINT_BYTES)]


def row_print(row: SearchedPassage) -> bytes:
    """Equal where everything that an index reads of a row is equal. Lengths go before the texts, so that no text can
    pass for another's end."""
    section, note = row.section, row.note
    literals = section.literals if row.number else row.literals  # the first holds those that no other does
    texts = (section.id, str(row.number), section.title, section.above, section.heading or "", row.text)
    lists: list[tuple[str, ...]] = [section.called, section.terms, literals]
    if note:
        lists += [(note.name,), note.aliases, note.tags, note.sentences]
    every = (*texts, section.summary, row.deeper, *chain.from_iterable(lists))
    shape = f"{section.heading is None} {list(map(len, lists))} {list(map(len, every))} "
    return blake2b((shape + "".join(every)).encode("utf-8", "surrogatepass"), digest_size=PRINT_BYTES).digest()


def section_rows(section: SearchedSection) -> list[SearchedPassage]:
    texts = section.passages or (section.text,)
    sizes = section.sizes or (0,) * len(texts)
    return [SearchedPassage(section, number, *found) for number, found in enumerate(zip(texts, sizes, strict=True))]


def page_sections(path: str, record: PageRecord, sentences: tuple[str, ...]) -> Iterable[SearchedSection]:
    """A page without text is found by its names. `sentences`: those in which it links, as its edges number them."""
    note = SearchedNote(record.name, record.aliases, record.tags, sentences)
    title = record.title or record.name
    names = tuple(dict.fromkeys((record.name, *record.aliases)))
    terms: dict[int, list[str]] = {}
    for found in record.glossary:
        terms.setdefault(found.section, []).extend((found.term, *found.aliases))
    if not record.sections:
        yield SearchedSection(
            f"{path}\0", path, title, None, (*names, *record.tags), (), "", record.description or "", called=names,
            note=note,
        )  # fmt: skip
    above: list[tuple[int, str]] = []
    for number, section in enumerate(record.sections):
        while above and above[-1][0] >= section.level:
            above.pop()
        yield SearchedSection(
            id=f"{path}\0{number:06d}",
            page=path,
            title=title,
            heading=section.heading,
            terms=(*names, *record.tags, *terms.get(number, ())),
            literals=tuple(fact.literal for fact in section.facts),
            text="",
            summary=record.description or "",
            above=" ".join(heading for _, heading in above),
            called=(title, *names) if number == 0 else (),
            passages=tuple(passage.text for passage in section.passages),
            sizes=tuple(passage.tokens for passage in section.passages),
            deeper=_deeper(record, number),
            note=note if number == 0 else None,
        )
        if section.heading:
            above.append((section.level, section.heading))


def _deeper(record: PageRecord, number: int) -> tuple[str, ...]:
    """For each passage what heads it beside the section's own heading: the page's first, and those too deep."""
    section, headings = record.sections[number], record.headings
    above, last, found = "", -1, []
    if headings and headings[0].level == 1:
        above, last = headings[0].text if number == 0 else "", 0
    for passage in section.passages:
        heading = headings[passage.heading].text if passage.heading not in (-1, last) else ""
        found.append(f"{above} {heading if heading != section.heading else ''}".strip())
        above, last = "", passage.heading
    return tuple(found) if any(found) else ()


NOTHING = index_rows([], None)
