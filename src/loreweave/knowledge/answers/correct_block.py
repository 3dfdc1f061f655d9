"""A block of an answer, held against its sources: read by the grammar that renders it, corrected, and read again.

A correction may bring its two sides together, or uncover what begins a line. So a corrected block is read anew until
nothing is left to correct; a block that does not come to rest loses every character that could mean something.
"""

from __future__ import annotations

import re

import pyromark

from loreweave.knowledge.answers.read_block import PLAIN, TABLES, BlockReading, CitationSources, Edit, block_events

CLOSES = "\0"  # no line of code reads so
_MEANING = re.compile(r"[\[\]<`~]")
_PASSES = 5


class BlockCorrector:
    """Knows the sources and the definitions so far; `unverified` lists code that stands in no source, in order."""

    def __init__(self, sources: CitationSources) -> None:
        self._sources = sources
        self._defined: dict[str, str] = {}  # label → address
        self.unverified: list[str] = []

    def correct(self, around: str, block: str, held: int, *, settled: bool) -> tuple[str, str, str] | None:
        """What may go out, the rest that opens a fence, and the list items still open.

        Changes nothing before `held`. None where a definition may still come, unless all is `settled`.
        """
        before = len(around.encode())
        first = before + len(block[:held].encode())
        for turn in range(_PASSES + 1):
            reading = self._read(around + block, before, PLAIN)
            if reading.unresolved and not settled:
                return None
            # What stands between bars is a cell to some readers and running text to others.
            edits = reading.edits_from(first) or (
                self._read(around + block, before, TABLES).edits_from(first) if "|" in block else []
            )
            if not edits:
                break
            block = _edited(reading.data, edits)[before:].decode()
            if turn == _PASSES - 1:
                block = block[:held] + _MEANING.sub("", block[held:])
        self._defined |= reading.defined
        head, rest = reading.data[before : reading.end], reading.data[reading.end :]
        return head.decode(), rest.decode(), reading.open_items()

    def open_items(self, text: str) -> str:
        """The list items in which a line of a fence ends."""
        return self._read(text, len(text.encode()), PLAIN).open_items()

    def read_code(self, opener: str, line: str) -> str | None:
        """What a line behind the opening of a fence says; CLOSES for the one that ends it, None for one outside."""
        inside, said = False, ""
        for kind, tag, value, _, end in block_events(opener + line, PLAIN):
            if kind == "Start" and tag == "CodeBlock":
                if end <= len(opener.encode()):
                    return None
                inside = True
            elif kind == "End" and tag == "CodeBlock":
                return said or CLOSES
            elif kind == "Text" and inside:
                said += value
        return None

    def list_unverified(self, code: str) -> None:
        if code and code not in self.unverified and not self._sources.has_code(code):
            self.unverified.append(code)

    def _read(self, text: str, start: int, options: pyromark.Options) -> BlockReading:
        reading = BlockReading(text.encode(), start, self._sources, self._defined)
        reading.walk(text, options)
        for code in reading.code:
            self.list_unverified(code)
        return reading


def _edited(data: bytes, edits: list[Edit]) -> bytes:
    out, place = [], 0
    for start, end, text in edits:
        if start >= place:
            out += [data[place:start], text]
            place = end
    return b"".join([*out, data[place:]])
