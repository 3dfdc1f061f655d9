"""Archives made to hurt: built byte by byte, answered in bounded time and memory, never believed."""

import io
import struct
import tracemalloc
import zipfile
import zlib
from collections.abc import Callable
from dataclasses import dataclass, field

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.examples import examples
from tests.pace import within

from loreweave.entities.note import SourceListing
from loreweave.errors import BadArchive, LoreError, NoMarkdown, TooLarge
from loreweave.knowledge.documents.archive import read_archive
from loreweave.knowledge.documents.source_paths import ReadingLimits

MEBIBYTE = 1024 * 1024
LIMITS = ReadingLimits(max_zip_bytes=10 * MEBIBYTE, max_files=500, max_markdown_bytes=5 * MEBIBYTE)
FULL = 0xFFFFFFFF


@dataclass
class Part:
    """One entry, with every statement about it open to forgery."""

    name: bytes
    content: bytes = b"# A note\n"
    method: int = 0
    flags: int = 0x800
    packed: bytes | None = None
    checksum: int | None = None
    size: int | None = None
    packed_size: int | None = None
    mode: int = 0o100644
    extra: bytes = b""
    local: dict[str, int | bytes] = field(default_factory=dict)  # what the entry says of itself, if otherwise
    offset: int | None = None
    disk: int = 0

    def data(self) -> bytes:
        if self.packed is None:
            squeeze = zlib.compressobj(6, zlib.DEFLATED, -15)
            squeezed = self.method == 8 and squeeze.compress(self.content) + squeeze.flush()
            self.packed = squeezed or self.content
        return self.packed

    def numbers(self) -> tuple[int, int, int]:
        data = self.data()
        checksum = zlib.crc32(self.content) if self.checksum is None else self.checksum
        packed_size = len(data) if self.packed_size is None else self.packed_size
        return checksum, packed_size, len(self.content) if self.size is None else self.size

    def local_header(self) -> bytes:
        checksum, packed_size, size = self.numbers()
        said = {"name": self.name, "flags": self.flags, "method": self.method, "extra": b""}
        said |= {"checksum": checksum, "packed_size": min(packed_size, FULL), "size": min(size, FULL)}
        said |= self.local
        numbers = (
            20,
            said["flags"],
            said["method"],
            0,
            0,
            said["checksum"],
            said["packed_size"],
            said["size"],
        )
        lengths = (len(said["name"]), len(said["extra"]))
        return struct.pack("<4s5H3L2H", b"PK\x03\x04", *numbers, *lengths) + said["name"] + said["extra"]

    def table_row(self, offset: int) -> bytes:
        offset = offset if self.offset is None else self.offset
        checksum, packed_size, size = self.numbers()
        head = (0x0314, 20, self.flags, self.method, 0, 0, checksum, packed_size, size)
        lengths = (len(self.name), len(self.extra), 0, self.disk, 0)
        row = struct.pack("<4s6H3L5H2L", b"PK\x01\x02", *head, *lengths, self.mode << 16, offset)
        return row + self.name + self.extra


def build(*parts: Part, prefix: bytes = b"", comment: bytes = b"", count: int | None = None, shift: int = 0) -> bytes:
    body, table = bytearray(), bytearray()
    for part in parts:
        table += part.table_row(shift + len(body))
        body += part.local_header() + part.data()
    count = len(parts) if count is None else count
    end = struct.pack("<4s4H2LH", b"PK\x05\x06", 0, 0, count, count, len(table), shift + len(body), len(comment))
    return prefix + bytes(body) + bytes(table) + end + comment


def wide(*parts: Part, count: int | None = None, prefix: bytes = b"", tail: bytes = b"") -> bytes:
    """An archive whose end record sends the reader to the 64-bit one."""
    plain = build(*parts)
    *_, size, offset, _ = struct.unpack_from("<4s4H2LH", plain, len(plain) - 22)
    count = len(parts) if count is None else count
    numbers = (44 + len(tail), 45, 45, 0, 0, count, count, size, offset)
    record = struct.pack("<4sQ2H2L4Q", b"PK\x06\x06", *numbers) + tail
    locator = struct.pack("<4sLQL", b"PK\x06\x07", 0, len(plain) - 22, 1)
    end = struct.pack("<4s4H2LH", b"PK\x05\x06", 0, 0, 0xFFFF, 0xFFFF, FULL, FULL, 0)
    return prefix + plain[:-22] + record + locator + end


def read(data: bytes, limits: ReadingLimits = LIMITS, **options: str | None) -> SourceListing:
    return read_archive(data, limits, **{"stem": None, "subdirectory": None, **options})


def paths(data: bytes) -> list[str]:
    return [entry.path for entry in read(data).entries]


def warned(data: bytes) -> list[tuple[str, str]]:
    return [(warning.code, warning.file) for warning in read(data).warnings]


def refused(data: bytes) -> str:
    with pytest.raises(BadArchive) as refusal:
        read(data)
    return refusal.value.code


GOOD = Part(b"good.md", b"# Good\n" * 40, method=8)


@pytest.mark.holds("graph.sources.zip.not-a-zip")
def test_bytes_that_are_no_complete_archive_are_refused() -> None:
    whole = build(GOOD, Part(b"b.md"), comment=b"a comment")
    for data in (
        b"",
        b"PK",
        b"PK\x05\x06",
        b"# just text\n" * 100,
        b"\x1f\x8b" + bytes(100),
        bytes(MEBIBYTE),
    ):
        assert refused(data) == "bad_archive"
    for length in range(len(whole)):
        assert refused(whole[:length]) == "bad_archive"


@pytest.mark.holds("graph.sources.zip.empty")
def test_an_archive_of_nothing_or_of_folders_is_empty() -> None:
    assert refused(build()) == "empty_archive"
    assert refused(build(Part(b"a/", b""), Part(b"a\\b\\", b""), Part(b"c.md", b"", mode=0o040755))) == "empty_archive"


@pytest.mark.holds("graph.sources.zip.no-markdown")
def test_an_archive_whose_only_notes_are_unusable_has_no_markdown() -> None:
    for name in (b"readme.txt", b"x/.hidden/a.md", b"node_modules/x/readme.md", b"../a.md", b"a.mdown"):
        with pytest.raises(NoMarkdown):
            read(build(Part(name)))
    with pytest.raises(NoMarkdown):
        read(build(Part(b"a.md", mode=0o120777)))


@pytest.mark.holds("graph.sources.zip.encrypted")
@pytest.mark.parametrize("flag", [0x1, 0x41, 0x2000, 0x40])
def test_an_encrypted_note_is_refused(flag: int) -> None:
    assert refused(build(GOOD, Part(b"secret.md", flags=flag))) == "bad_archive"


@pytest.mark.holds("graph.sources.zip.encrypted")
def test_an_entry_that_is_encrypted_only_by_its_own_word_is_refused() -> None:
    assert refused(build(Part(b"a.md", local={"flags": 0x801}))) == "bad_archive"


@pytest.mark.holds("graph.sources.zip.method")
@pytest.mark.parametrize("method", [1, 6, 9, 12, 14, 93, 95, 98, 0xFFFF])
def test_a_note_of_another_method_is_refused(method: int) -> None:
    assert refused(build(GOOD, Part(b"a.md", method=method))) == "bad_archive"


@pytest.mark.holds("graph.sources.zip.method", "graph.sources.ignored-count-nothing")
def test_what_is_not_read_may_be_encrypted_or_of_any_method() -> None:
    others = (Part(b"a.png", method=14), Part(b"b.bin", flags=1), Part(b".git/c.md", method=99, checksum=7))
    assert paths(build(GOOD, *others)) == ["good.md"]


LIES = {
    "checksum": Part(b"a.md", checksum=1),
    "checksum, deflated": Part(b"a.md", method=8, checksum=1),
    "size too small": Part(b"a.md", b"x" * 1000, method=8, size=10),
    "size too small, stored": Part(b"a.md", b"x" * 1000, size=10),
    "size too large": Part(b"a.md", b"x" * 1000, method=8, size=1001),
    "size too large, stored": Part(b"a.md", b"x" * 1000, size=1001),
    "packed size too small": Part(b"a.md", b"x" * 1000, method=8, packed_size=4),
    "packed size too large": Part(b"a.md", b"x" * 1000, method=8, packed_size=1_000_000),
    "bytes after the end of the stream": Part(
        b"a.md", b"x", packed=b"K\x04\x00junk", method=8, checksum=zlib.crc32(b"x")
    ),
    "stream cut off": Part(b"a.md", b"x" * 999, packed=zlib.compress(b"x" * 999)[2:8], method=8),
    "no stream at all": Part(b"a.md", b"", packed=b"", method=8, size=5),
    "garbage": Part(b"a.md", b"x" * 9, packed=b"\xff" * 30, method=8),
    "the entry's own size": Part(b"a.md", local={"size": 5}),
    "the entry's own checksum": Part(b"a.md", local={"checksum": 5}),
    "the entry's own method": Part(b"a.md", local={"method": 8}),
    "the entry's own name": Part(b"a.md", local={"name": b"b.md"}),
    "place": Part(b"a.md", offset=3),
    "place beyond the file": Part(b"a.md", offset=10_000_000),
    "missing wide size": Part(b"a.md", size=FULL),
    "part of several disks": Part(b"a.md", disk=3),
}


@pytest.mark.holds("graph.sources.zip.lying-crc-or-size", "graph.sources.zip.library-errors")
@pytest.mark.parametrize("part", LIES.values(), ids=LIES.keys())
def test_a_lie_about_a_note_is_refused(part: Part) -> None:
    assert refused(build(part)) == "bad_archive"
    assert refused(build(GOOD, part, Part(b"z.md"))) == "bad_archive"


@pytest.mark.holds("graph.sources.zip.overlap")
def test_entries_sharing_bytes_are_refused() -> None:
    twice = build(Part(b"a.md"), Part(b"a.md", offset=0))
    inner = build(Part(b"in.md"))
    quoted = build(Part(b"out.txt", inner), Part(b"in.md", offset=30 + len(b"out.txt")))
    long_tail = build(Part(b"a.png", packed_size=60), Part(b"b.md"))
    for data in (twice, quoted, long_tail):
        assert refused(data) == "bad_archive"


@pytest.mark.holds("graph.sources.zip.overlap")
def test_a_quoted_overlap_bomb_is_refused_for_its_overlap() -> None:
    kernel = Part(b"k.md", b"0" * MEBIBYTE, method=8)
    rows = [kernel] + [Part(b"%d.md" % number, b"0" * MEBIBYTE, method=8, offset=0) for number in range(50)]
    assert refused(build(*rows)) == "bad_archive"


UNSAFE = [
    b"/etc/a.md",
    b"\\a.md",
    b"C:\\a.md",
    b"c:a.md",
    b"//host/a.md",
    b"../a.md",
    b"x/../../a.md",
    b"x/..\\a.md",
]
UNSAFE += [
    b"a.md\x00.txt",
    b"a\x00.md",
    b"a\n.md",
    b"\x1b[31m.md",
    b"a\x7f.md",
    "a\x85.md".encode(),
    b"x/" * 3000 + b"a.md",
]
UNSAFE += [b"n" * 256 + b".md"]


@pytest.mark.holds("graph.sources.zip.unsafe-path")
@pytest.mark.parametrize("name", UNSAFE)
def test_an_unsafe_name_is_skipped_with_a_warning(name: bytes) -> None:
    data = build(GOOD, Part(name))
    assert paths(data) == ["good.md"]
    [(code, file)] = warned(data)
    assert code == "unsafe_path"
    assert file.isprintable()
    assert len(file) <= 300


@pytest.mark.holds("graph.sources.zip.unsafe-path")
def test_dots_that_lead_nowhere_are_safe() -> None:
    data = build(Part(b"./a.md"), Part(b"x//b.md"), Part(b"x/./c.md"), Part(b"x/d..md"), Part(b"e..f/g.md"))
    assert paths(data) == ["a.md", "e..f/g.md", "x/b.md", "x/c.md", "x/d..md"]
    assert warned(data) == []


@pytest.mark.holds("graph.sources.zip.symlink")
@pytest.mark.parametrize("mode", [0o120777, 0o010644, 0o020644, 0o060644, 0o140644, 0o170644])
def test_links_and_special_files_are_skipped_with_a_warning(mode: int) -> None:
    data = build(GOOD, Part(b"l.md", b"/etc/passwd", mode=mode), Part(b"folder", b"/etc", mode=mode))
    assert paths(data) == ["good.md"]
    assert warned(data) == [("symlink", "folder"), ("symlink", "l.md")]


@pytest.mark.holds("graph.sources.zip.symlink")
def test_links_beside_the_wrapper_are_told_of_too() -> None:
    data = build(Part(b"vault/a.md"), Part(b"link.md", b"/etc/passwd", mode=0o120777), Part(b"LICENSE"))
    assert paths(data) == ["a.md"]
    assert warned(data) == [("symlink", "link.md")]


@pytest.mark.holds("graph.sources.zip.symlink", "graph.sources.ignored-components")
def test_links_below_ignored_folders_are_not_worth_a_warning() -> None:
    assert warned(build(GOOD, Part(b"node_modules/.bin/x", b"../y", mode=0o120777))) == []


@pytest.mark.holds("graph.sources.zip.duplicate-entry")
def test_of_equal_paths_the_last_counts() -> None:
    same = (Part(b"x/a.md", b"1"), Part(b"x\\a.md", b"22"), Part(b"./x//a.md", b"333"))
    data = build(GOOD, *same, Part(b"a.txt"), Part(b"a.txt"))
    [entry] = [entry for entry in read(data).entries if entry.path == "x/a.md"]
    assert entry.read() == b"333"
    assert warned(data) == [("duplicate_entry", "x/a.md")] * 2


def unicode_name(raw: bytes, name: bytes, version: int = 1) -> bytes:
    return struct.pack("<HHBL", 0x7075, 5 + len(name), version, zlib.crc32(raw)) + name


@pytest.mark.holds("graph.sources.zip.name-encoding")
def test_a_name_without_the_flag_is_read_by_its_unicode_field_then_utf8_then_cp437() -> None:
    raw = "über.md".encode("cp437")
    told = Part(raw, flags=0, extra=b"\x55\x54\x01\x00\x03" + unicode_name(raw, "ÜBER.md".encode()))
    stale = Part(raw, flags=0, extra=unicode_name(b"other.md", b"other.md"))
    broken = Part(raw, flags=0, extra=unicode_name(raw, b"\xff.md"))
    future = Part(raw, flags=0, extra=unicode_name(raw, b"other.md", version=2))
    cut = Part(raw, flags=0, extra=unicode_name(raw, b"other.md")[:-3])
    assert paths(build(told)) == ["ÜBER.md"]
    for part in (stale, broken, future, cut, Part(raw, flags=0)):
        assert paths(build(part)) == ["über.md"]
    assert paths(build(Part("日本.md".encode(), flags=0))) == ["日本.md"]
    assert paths(build(Part(b"a.md", flags=0x800, extra=unicode_name(b"a.md", b"b.md")))) == ["a.md"]


@pytest.mark.holds("graph.sources.zip.name-encoding", "graph.sources.zip.unsafe-path")
def test_a_unicode_field_cannot_smuggle_an_unsafe_name() -> None:
    data = build(GOOD, Part(b"a.md", flags=0, extra=unicode_name(b"a.md", b"../a.md")))
    assert warned(data) == [("unsafe_path", "../a.md")]


@pytest.mark.holds("graph.sources.zip.nested-archive")
def test_an_archive_within_the_archive_is_an_ignored_file() -> None:
    nested = build(Part(b"inner.md"))
    assert paths(build(GOOD, Part(b"inner.zip", nested))) == ["good.md"]
    with pytest.raises(NoMarkdown):
        read(build(Part(b"inner.zip", nested)))


@pytest.mark.holds("graph.sources.zip.nested-archive", "graph.sources.zip.not-a-zip")
def test_a_cut_off_archive_is_not_mistaken_for_the_archive_within_it() -> None:
    nested = build(Part(b"inner.md"))
    whole = build(Part(b"inner.zip", nested), GOOD)
    assert refused(whole[: whole.index(nested) + len(nested)]) == "bad_archive"


def test_bytes_before_the_archive_do_no_harm() -> None:
    program = b"#!/bin/sh\nexit 0\n" * 50
    assert paths(build(GOOD, prefix=program)) == ["good.md"]
    assert paths(build(GOOD, prefix=program, shift=len(program))) == ["good.md"]
    assert paths(wide(GOOD, prefix=program)) == ["good.md"]


def test_a_comment_that_looks_like_an_end_record_deceives_nobody() -> None:
    empty_end = struct.pack("<4s4H2LH", b"PK\x05\x06", 0, 0, 0, 0, 0, 0, 0)
    assert paths(build(GOOD, comment=empty_end)) == ["good.md"]
    assert paths(build(GOOD, comment=b"PK\x05\x06" * 1000)) == ["good.md"]
    assert refused(build(GOOD, comment=build(Part(b"other.md")))) == "bad_archive"


def test_wide_archives_are_read() -> None:
    numbers = struct.pack("<HHQQ", 1, 16, 9, 9)
    large = Part(b"a.md", size=FULL, packed_size=FULL, extra=numbers, local={"size": FULL, "packed_size": FULL})
    assert paths(build(large)) == ["a.md"]
    assert paths(wide(large, GOOD)) == ["a.md", "good.md"]
    assert paths(wide(GOOD, tail=b"vendor data")) == ["good.md"]


def test_wide_numbers_are_not_believed_either() -> None:
    for size in (2**63, 2**64 - 1):
        numbers = struct.pack("<HHQ", 1, 8, size)
        with pytest.raises(TooLarge):
            read(build(Part(b"a.md", size=FULL, extra=numbers, local={"size": FULL})))
        assert refused(build(Part(b"a.md", packed_size=FULL, extra=numbers))) == "bad_archive"


@pytest.mark.holds("graph.sources.zip.entry-count")
def test_a_declared_number_of_entries_is_not_believed() -> None:
    for declared in (0, 2, 9_999):
        assert refused(build(GOOD, count=declared)) in ("bad_archive", "empty_archive")
    for data in (build(GOOD, count=10_001), wide(GOOD, count=2**40)):
        with pytest.raises(TooLarge) as refusal:
            read(data)
        assert refusal.value.facts == {"what": "entries", "limit": 10_000}


def bits(*fields: tuple[int, int]) -> list[int]:
    return [value >> place & 1 for value, width in fields for place in range(width)]


def blank_blocks(size: int) -> bytes:
    """Deflate blocks that each build a code table and then say nothing."""
    lengths = [
        1 if symbol in (18, 1) else 0 for symbol in (16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1)
    ]
    block = bits((0, 1), (2, 2), (0, 5), (0, 5), (14, 4), *((length, 3) for length in lengths))
    block += bits((1, 1), (127, 7), (1, 1), (107, 7), (0, 1), (0, 1), (0, 1))
    eight = sum(bit << place for place, bit in enumerate(block * 8)).to_bytes(len(block), "little")
    return eight * (size // len(eight))


def honest_bomb() -> bytes:
    return build(*(Part(b"%d.md" % number, b"\0" * 4 * MEBIBYTE, method=8) for number in range(5)))


def lying_bomb() -> bytes:
    return build(Part(b"a.md", b"\0" * 20 * MEBIBYTE, method=8, size=1000))


def bomb_in_many_files() -> bytes:
    return build(*(Part(b"%d.md" % number, b"\0" * 20_000, method=8, size=10_000) for number in range(500)))


def busy_deflate() -> bytes:
    return build(Part(b"a.md", b"x" * 5 * MEBIBYTE, packed=blank_blocks(9 * MEBIBYTE), method=8))


def busy_deflate_after_honest_text() -> bytes:
    squeeze = zlib.compressobj(9, zlib.DEFLATED, -15)
    text = b"x" * (5 * MEBIBYTE - 1)
    stream = squeeze.compress(text) + squeeze.flush(zlib.Z_FULL_FLUSH) + blank_blocks(9 * MEBIBYTE)
    return build(Part(b"a.md", text + b"y", packed=stream, method=8))


def one_entry_listed(times: int, count: int) -> bytes:
    """A single entry to which every row of the table points."""
    entry = Part(b"a.md").local_header() + Part(b"a.md").data()
    table = Part(b"a.md").table_row(0) * times
    return entry + table + struct.pack("<4s4H2LH", b"PK\x05\x06", 0, 0, count, count, len(table), len(entry), 0)


def two_hundred_thousand_rows() -> bytes:
    return one_entry_listed(200_000, count=0xFFFF)


def rows_beyond_a_small_count() -> bytes:
    return one_entry_listed(200_000, count=10)


def one_row_shared_by_all() -> bytes:
    return one_entry_listed(10_000, count=10_000)


def longest_names() -> bytes:
    return build(*(Part(b"a/" * 32_000 + b"%d.md" % number) for number in range(80)))


def deepest_names() -> bytes:
    return build(*(Part(b"a/" * 2_000 + b"%d.md" % number) for number in range(1_200)))


def ten_thousand_unsafe_names() -> bytes:
    return build(*(Part(b"../" * 100 + b"%d.md" % number, b"") for number in range(10_000)))


def endless_extra_fields() -> bytes:
    return build(*(Part(b"%d.md" % number, extra=struct.pack("<HH", 9, 0) * 16_000) for number in range(150)))


def nothing_but_end_records() -> bytes:
    return b"PK\x05\x06" * (10 * MEBIBYTE // 4)


def many_fitting_end_records() -> bytes:
    """Every record in the comment claims that the rest of the file is its own comment."""
    comment, length = bytearray(), 65_534
    while length >= 22:
        length -= 22
        comment += struct.pack("<4s4H2LH", b"PK\x05\x06", 0, 0, 1, 1, 46, 0, length)
    return build(GOOD, comment=bytes(comment) + bytes(length))


HOSTILE: list[Callable[[], bytes]] = [
    honest_bomb,
    lying_bomb,
    bomb_in_many_files,
    busy_deflate,
    busy_deflate_after_honest_text,
    two_hundred_thousand_rows,
    rows_beyond_a_small_count,
    one_row_shared_by_all,
    longest_names,
    deepest_names,
    ten_thousand_unsafe_names,
    endless_extra_fields,
    nothing_but_end_records,
    many_fitting_end_records,
]


@pytest.mark.lengthy(4)
@pytest.mark.holds("graph.sources.zip.hostile-cost", "graph.sources.zip.bomb")
@pytest.mark.parametrize("make", HOSTILE)
def test_any_hostile_archive_costs_little_time_and_memory(make: Callable[[], bytes]) -> None:
    data = make()
    assert len(data) <= LIMITS.max_zip_bytes
    outcome = within(2, lambda: attempt(data))
    tracemalloc.start()
    try:
        again = attempt(data)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert outcome == again
    assert peak < 100 * 10**6


def attempt(data: bytes) -> str:
    try:
        read(data)
    except LoreError as refusal:
        return refusal.code
    return "read"


@pytest.mark.holds("graph.sources.zip.bomb")
def test_a_bomb_is_refused_as_what_it_is() -> None:
    assert attempt(honest_bomb()) == "too_large"
    assert attempt(lying_bomb()) == attempt(busy_deflate()) == "bad_archive"


@pytest.mark.holds("graph.sources.zip.bomb", "graph.sources.limits-inclusive")
def test_text_exactly_at_the_limit_is_read_whatever_its_packing() -> None:
    for size in (65_535, 65_536, 65_537, 131_072, 1_000_000):
        part = Part(b"a.md", b"\n" * size, method=8)
        limits = ReadingLimits(10 * MEBIBYTE, 1, size)
        assert read(build(part), limits).entries[0].read() == part.content
        with pytest.raises(TooLarge):
            read(build(Part(b"a.md", b"\n" * (size + 1), method=8)), limits)


def sample() -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        for number in range(4):
            archive.writestr(f"top/{number}.md", f"# Note {number}\n" * number * 20)
        archive.writestr("top/picture.png", bytes(50))
    return stream.getvalue()


SAMPLE = sample()


@pytest.mark.holds("graph.sources.zip.library-errors")
@settings(max_examples=examples(400), deadline=None)
@given(st.lists(st.tuples(st.integers(0, len(SAMPLE) - 1), st.integers(0, 255)), min_size=1, max_size=6))
def test_a_damaged_archive_is_read_or_refused_and_nothing_else(changes: list[tuple[int, int]]) -> None:
    data = bytearray(SAMPLE)
    for place, value in changes:
        data[place] = value
    attempt(bytes(data))


@settings(max_examples=examples(200), deadline=None)
@given(st.lists(st.binary(max_size=40), max_size=8), st.integers(0, 0xFFFF), st.binary(max_size=30))
def test_random_names_never_escape(names: list[bytes], flags: int, extra: bytes) -> None:
    data = build(*(Part(name + b".md", flags=flags & ~0x2041 & ~0x20, extra=extra) for name in names))
    try:
        found = read(data)
    except LoreError:
        return
    for entry in found.entries:
        parts = entry.path.split("/")
        assert not set(parts) & {"", ".", ".."}
        assert "\\" not in entry.path
        assert entry.path.isprintable() or not any(ord(letter) < 32 for letter in entry.path)
