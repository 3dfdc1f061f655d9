"""Every path that an argument of a command may name, in whatever way programs let one be written."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice, pairwise
from urllib.parse import unquote

from loreweave.work.agents.command_rules import TEXT_FOLLOWS, TEXT_OPTIONS
from loreweave.work.agents.path_places import LONGEST_PATH

_FILE_ADDRESS = re.compile(r"file:(?://[^/]*)?([^\s]*)", re.IGNORECASE)
_LETTERS = re.compile(r"-[A-Za-z0-9]+")
_REMOTE = re.compile(r"(?!file:)\b[A-Za-z][A-Za-z0-9+.-]{0,20}://[^\s,;]*", re.IGNORECASE)
_SEPARATORS = re.compile(r"[=@:,;]")
_SIGNS = 32
_PROSE = re.compile(r"[\s\"'()]")


def paths_of_command(argv: tuple[str, ...]) -> set[str]:
    """Those of all arguments but the ones that are code or a pattern."""
    found: set[str] = set()
    texts_after = TEXT_FOLLOWS.get(argv[0], frozenset())
    for before, argument in pairwise(argv):
        if before not in texts_after and not argument.startswith(TEXT_OPTIONS.get(argv[0], ("\0",))):
            found.update(paths_of_argument(argument))
    return found - {"", "-", "--"}


def paths_of_argument(argument: str) -> Iterator[str]:
    if argument.startswith("--"):
        yield from _parts(argument.partition("=")[2])
    elif argument.startswith("-"):
        yield from _joined(argument)
    else:
        yield from _parts(argument)


def _joined(argument: str) -> Iterator[str]:
    """`-o/tmp/x`, `-rf../x`: a value may begin after any of the letters."""
    letters = _LETTERS.match(argument)
    end = letters.end() if letters else 1
    for start in range(3, min(end, 64)):
        yield argument[start:]
    yield from _parts(argument[2:])
    yield from _parts(argument[end:])


def _parts(text: str) -> Iterator[str]:
    """The text itself, and what stands behind or between signs that join values: `a=@b`, `host:/x`, `a,b`."""
    yield text
    for found in _FILE_ADDRESS.finditer(text):
        yield unquote(found[1]) or "/"
    if text.startswith("@"):
        yield text[1:]
    if "=" in text:
        yield text.partition("=")[2].removeprefix("@")
    if _PROSE.search(text):
        return  # a sentence or a piece of code
    here = _REMOTE.sub("", text)  # an address on the network names no file of this computer
    yield from _SEPARATORS.split(here)
    if len(here) <= LONGEST_PATH:
        for sign in islice(_SEPARATORS.finditer(here), _SIGNS):
            yield here[sign.end() :]  # a name may hold such a sign itself
