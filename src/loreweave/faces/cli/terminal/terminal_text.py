"""Text, tables and facts on a terminal.

What notes, plans and memories say is shown as text: no markup in it works, no control character passes.
"""

from collections.abc import Iterable
from typing import Any

from rich.panel import Panel
from rich.table import Table
from rich.text import Text

SAFE = {code: "\N{REPLACEMENT CHARACTER}" for code in (*range(32), *range(127, 160)) if chr(code) not in "\n\t"}


def plain(value: Any) -> Text:
    return Text(str(value).translate(SAFE))


def table(columns: Iterable[str], rows: Iterable[Iterable[Any]], title: str | None = None) -> Table:
    made = Table(title=None if title is None else plain(title), title_justify="left", header_style="bold")
    for column in columns:
        made.add_column(column, overflow="fold")
    for row in rows:
        made.add_row(*(plain(value) for value in row))
    return made


def facts(pairs: Iterable[tuple[str, Any]], title: str) -> Panel:
    grid = Table.grid(padding=(0, 2))
    for name, value in pairs:
        grid.add_row(Text(name, style="bold"), plain(value))
    return Panel(grid, title=plain(title), title_align="left", expand=False)
