"""What rows mention, field by field, as arrays: each text is read once, each distinct chunk of it once for all."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import chain
from typing import Any

import numpy

from loreweave.entities.digest import SearchedPassage, SearchedSection
from loreweave.index.index_arrays import CODES, Array, IndexArrays, Rows, rows_of, starts_of, word_print
from loreweave.index.read_chunks import MENTIONS, ChunkTable, ReadChunks
from loreweave.index.splice_rows import rarities
from loreweave.index.weigh_entries import FIELDS, NOTE_FIELDS
from loreweave.language.identifiers import WHOLE, heading_key
from loreweave.language.numbered_texts import number_texts

MOST_PASSAGE_KEYS = 500  # of a row: some long table must not make every search slow


def read_rows(rows: Sequence[SearchedPassage]) -> IndexArrays:
    """An index of these rows alone, without vectors; sections and pages are numbered as they follow one another."""
    chunks = ReadChunks()
    read = [_read_field(rows, name, chunks) for name in (*FIELDS, *NOTE_FIELDS)]
    table = chunks.table()
    mentioned = [_mentions(found, table) for found in read]
    places, counts = _distinct([_places(found, table, code, len(rows)) for code, found in enumerate(mentioned)])
    places, codes = numpy.divmod(places, CODES)
    numbers, holding = numpy.divmod(places, max(1, len(rows)))
    entries = entry_arrays(table.keys, numbers, holding, counts * CODES + codes, len(rows))
    words = _row_words(mentioned, table, len(rows))
    headings, titles = (_keys(mentioned[FIELDS.index(name)], table) for name in ("heading", "title"))
    passages = _keys(_firsts(mentioned[FIELDS.index("text")], MOST_PASSAGE_KEYS), table)
    texts = [_shown_text(row).encode("utf-8", "replace") for row in rows]
    links = _link_words(rows)
    sections = numpy.cumsum([row.number == 0 for row in rows], dtype=numpy.int32) - 1
    return IndexArrays(
        given=numpy.arange(int(sections[-1]) + 1 if rows else 0, dtype=numpy.int32),
        sections=sections,
        pages=sections,
        sizes=numpy.array([row.size for row in rows], dtype=numpy.int32),
        prints=numpy.zeros((len(rows), 0), dtype=numpy.uint8),
        **entries,
        lengths=numpy.stack([numpy.diff(found.starts) for found in mentioned[: len(FIELDS)]], 1).astype(numpy.int32),
        words=table.words,
        word_keys=table.word_keys.astype(numpy.int32),
        word_counts=entries["holders"][table.word_keys],
        row_words=words.flat,
        row_word_starts=words.starts,
        heading_keys=headings.flat,
        heading_starts=headings.starts,
        title_keys=titles.flat,
        title_starts=titles.starts,
        opening=numpy.array([row.section.heading is None for row in rows], dtype=bool),
        passage_keys=passages.flat,
        passage_starts=passages.starts,
        link_words=links.flat,
        link_word_starts=links.starts,
        texts=numpy.frombuffer(b"".join(texts), dtype=numpy.uint8),
        text_starts=starts_of(numpy.array(list(map(len, texts)), dtype=numpy.int64)),
        vectors=numpy.zeros((len(rows), 0), dtype=numpy.int8),
        mean=numpy.zeros(0, dtype=numpy.float32),
        embedder="",
    )


def _read_field(rows: Sequence[SearchedPassage], name: str, chunks: ReadChunks) -> Rows:
    """The chunks of a field, row after row. What stands over a section is read once for all its rows."""
    if name == "literals":
        return _joined([list(chain.from_iterable(map(chunks.read_literal, row.literals))) for row in rows])
    if name in _NOTED:
        return _joined([chunks.read(_NOTED[name](row)) for row in rows])
    if name == "text":
        numbered = number_texts([row.text for row in rows])
        numbers = numpy.array([chunks[chunk] for chunk in numbered.chunks], dtype=numpy.int64)
        return Rows(numbers[numbered.numbers], numbered.bounds)
    read, found, section = _OVER[name], [], None
    for row in rows:
        if row.section is not section:
            section, over = row.section, read(row.section, chunks)
        found.append(over)
    return _joined(found)


def _heading_chunks(section: SearchedSection, chunks: ReadChunks) -> list[int]:
    """The section that opens a page is headed by the page's title."""
    heading = section.title if section.heading is None else section.heading
    if not heading and not section.called:
        return []
    names = [name.split() for name in dict.fromkeys((heading, *section.called))]
    keys = dict.fromkeys(heading_key(chain.from_iterable(map(MENTIONS.__getitem__, name))) for name in names)
    return [*chunks.read(heading), *chain.from_iterable(map(chunks.key, keys))]


_OVER: dict[str, Callable[[SearchedSection, ReadChunks], list[int]]] = {
    "heading": _heading_chunks,
    "title": lambda section, chunks: chunks.read(f"{section.title} {section.above}"),
    "terms": lambda section, chunks: chunks.read(" ".join(section.terms)),
    "summary": lambda section, chunks: chunks.read(section.summary),
}


_NOTED: dict[str, Callable[[SearchedPassage], str]] = {
    "name": lambda row: row.note.name if row.note else "",
    "alias": lambda row: " ".join(row.note.aliases) if row.note else "",
    "tag": lambda row: " ".join(row.note.tags) if row.note else "",
    "deeper": lambda row: row.deeper,
}


def _word_prints(chunk: str) -> list[int]:
    """Of the words of a chunk. Sentences hold words that no row is found by, so that keys could not name them."""
    mentions = chain.from_iterable(map(MENTIONS.__getitem__, chunk.split()))
    return [word_print(mention.key) for mention in mentions if not mention.key.startswith(WHOLE)]


def _link_words(rows: Sequence[SearchedPassage]) -> Rows:
    sentences = [row.note.sentences if row.note else () for row in rows]
    numbered = number_texts(list(chain.from_iterable(sentences)))
    prints = _joined(list(map(_word_prints, numbered.chunks)))
    ends = starts_of(numpy.diff(prints.starts)[numbered.numbers])
    said = Rows(prints.flat[rows_of(prints, numbered.numbers)], ends[numbered.bounds])
    owners = _owners(said)
    firsts = numpy.sort(numpy.unique(owners << 32 | said.flat, return_index=True)[1])  # each word once in a sentence
    counts = numpy.bincount(owners[firsts], minlength=len(said.starts) - 1)
    flat = numpy.insert(said.flat[firsts], numpy.cumsum(counts), 0).astype(numpy.uint32)
    return Rows(flat, starts_of(counts + 1)[starts_of(numpy.array(list(map(len, sentences)), dtype=numpy.int64))])


def _joined(found: Sequence[Sequence[int]]) -> Rows:
    counts = numpy.array(list(map(len, found)), dtype=numpy.int64)
    return Rows(numpy.array(list(chain.from_iterable(found)), dtype=numpy.int64), starts_of(counts))


def _mentions(read: Rows, table: ChunkTable) -> Rows:
    """The mentions of a field as places in the table, row after row."""
    places = rows_of(Rows(table.mention_keys, table.chunks), read.flat)
    ends = starts_of(table.chunks[read.flat + 1] - table.chunks[read.flat])
    return Rows(places, ends[read.starts])


def _owners(rows: Rows) -> Array:
    owners: Array = numpy.repeat(numpy.arange(len(rows.starts) - 1), numpy.diff(rows.starts))
    return owners


def _places(rows: Rows, table: ChunkTable, field: int, count: int) -> Array:
    """One number for key, row and field of each mention."""
    place = table.mention_keys[rows.flat] * count + _owners(rows)
    places: Array = place * CODES + 2 * field + table.mention_parts[rows.flat]
    return places


def _distinct(numbers: Sequence[Array]) -> tuple[Array, Array]:
    """(different ones in order, how often each); sorting beats the tables of numpy.unique many times over."""
    every = numpy.concatenate(numbers)
    every.sort()
    firsts = numpy.flatnonzero(numpy.diff(every, prepend=-1))
    return every[firsts], numpy.diff(firsts, append=len(every))


def _row_words(mentioned: Sequence[Rows], table: ChunkTable, rows: int) -> Rows:
    pairs = []
    for found in mentioned:
        words = table.mention_words[found.flat]
        named = words >= 0
        pairs.append(_owners(found)[named] * max(1, len(table.words)) + words[named])
    owners, words = numpy.divmod(_distinct(pairs)[0], max(1, len(table.words)))
    return Rows(words.astype(numpy.int32), starts_of(numpy.bincount(owners, minlength=rows)))


def _keys(rows: Rows, table: ChunkTable) -> Rows:
    return Rows(table.mention_keys[rows.flat].astype(numpy.int32), rows.starts)


def _firsts(rows: Rows, most: int) -> Rows:
    counts = numpy.minimum(numpy.diff(rows.starts), most)
    starts = starts_of(counts)
    return Rows(rows.flat[numpy.arange(starts[-1]) + numpy.repeat(rows.starts[:-1] - starts[:-1], counts)], starts)


def _shown_text(row: SearchedPassage) -> str:
    """What snippets are cut from, blanks made single; a heading without a body shows itself."""
    for text in (row.text, row.section.summary, row.section.heading, row.section.title):
        shown = " ".join((text or "").split())
        if shown:
            return shown
    return ""


def entry_arrays(keys: list[str], numbers: Array, rows: Array, counts: Array, total: int) -> dict[str, Any]:
    """Who mentions what, by key, then by row, then by field; `numbers` of the keys."""
    firsts = (numpy.diff(rows, prepend=-1) != 0) | (numpy.diff(numbers, prepend=-1) != 0)
    holders = numpy.bincount(numbers[firsts], minlength=len(keys))
    return {
        "keys": keys,
        "key_starts": starts_of(numpy.bincount(numbers, minlength=len(keys))),
        "entry_rows": rows.astype(numpy.int32),
        "entry_counts": counts.astype(numpy.uint32),
        "holders": holders.astype(numpy.int32),
        "rarity": rarities(holders, total),
    }
