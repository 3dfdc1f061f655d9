"""Text, tables and facts on a terminal.

What notes, plans and memories say is shown as text: no markup in it works, no control character passes.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from rich.console import Console, ConsoleOptions, RenderableType
from rich.padding import Padding
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from loreweave.faces.cli.program import safe

EDGES = 3  # signs around a column
LONGEST_WORD = 40  # what is longer may be broken inside
LEAST_WIDTH = 16  # of a column of sentences
INDENT = (0, 0, 0, 2)
SHORT = 30  # characters of a value that shares its line in a list of records


def plain(value: Any) -> Text:
    return Text(safe(value))


def short_time(time: str) -> str:
    """To the minute: a person needs no more."""
    return time[:16].replace("T", " ") + " UTC" if time else ""


class FittingTable:
    """A table where its words fit into the width of the terminal; else one record below the other.

    A column in which nothing stands is left out.
    """

    def __init__(self, columns: Iterable[str], rows: Iterable[Iterable[Any]], title: str | None = None) -> None:
        named, shown = list(columns), [[safe(value) for value in row] for row in rows]
        kept = [at for at in range(len(named)) if not shown or any(row[at] for row in shown)]
        self._columns = [named[at] for at in kept]
        self._rows = [[row[at] for at in kept] for row in shown]
        self._title = title

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> Iterator[RenderableType]:
        by_column = [[name, *(row[at] for row in self._rows)] for at, name in enumerate(self._columns)]
        least = [_least_width(cells) for cells in by_column]
        if sum(least) + EDGES * len(least) + 1 <= options.max_width:
            yield self._table([all(" " not in cell for cell in cells) for cells in by_column])
            return
        if self._title is not None:
            yield Text(safe(self._title), style="italic")
        for row in self._rows:
            yield from self._record(row)

    def _table(self, of_words: Sequence[bool]) -> Table:
        title = None if self._title is None else plain(self._title)
        made = Table(title=title, title_justify="left", header_style="bold")
        for column, whole in zip(self._columns, of_words, strict=True):
            made.add_column(column, overflow="fold", no_wrap=whole)
        for row in self._rows:
            made.add_row(*map(Text, row))
        return made

    def _record(self, row: Sequence[str]) -> Iterator[RenderableType]:
        """Its first value, then short ones in a line with their names, then what is long."""
        yield Text(row[0], style="bold")
        named = [(name, value) for name, value in zip(self._columns[1:], row[1:], strict=True) if value]
        short = [f"{name} {value}".strip() for name, value in named if len(value) <= SHORT]
        if short:
            yield Padding(Text(" · ".join(short), style="dim"), INDENT, expand=False)
        for _, value in named:
            if len(value) > SHORT:
                yield Padding(Text(value), INDENT, expand=False)


def _least_width(cells: Sequence[str]) -> int:
    words = [word for cell in cells for word in (cell.split() if " " in cell else [cell])]
    has_sentences = any(" " in cell for cell in cells)
    widest = max(map(len, words), default=0)
    return max(LEAST_WIDTH, min(LONGEST_WORD, widest)) if has_sentences else widest


def table(columns: Iterable[str], rows: Iterable[Iterable[Any]], title: str | None = None) -> FittingTable:
    return FittingTable(columns, rows, title)


def facts(pairs: Iterable[tuple[str, Any]], title: str) -> Panel:
    grid = Table.grid(padding=(0, 2))
    for name, value in pairs:
        grid.add_row(Text(name, style="bold"), plain(value))
    return Panel(grid, title=plain(title), title_align="left", expand=False)
