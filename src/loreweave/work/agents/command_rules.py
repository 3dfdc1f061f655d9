"""What each command can do by its name and options. All of them run in the sandbox; this holds what it does not.

Reading commands must only read, run nothing, follow no links and take no file names out of files. Options that do
otherwise are refused, also abbreviated (`--out`) or joined with others (`-no`). `git` shows history and no more; what
its configuration could run is switched off where it is started.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal

CommandClass = Literal["reading", "working", "code", "installing", "network", "other"]

READING = frozenset(
    ["ls", "cat", "head", "tail", "wc", "sort", "uniq", "grep", "find", "diff", "stat", "pwd", "tree", "echo"]
)
WORKING = frozenset(["mkdir", "cp", "mv", "rm", "touch"])
CODE_RUNNING = frozenset(["python", "python3", "pytest", "node"])
NETWORK = frozenset(["curl", "wget", "ssh", "scp", "rsync", "nc"])
GIT_SHOWS = frozenset(["status", "diff", "log", "show"])
NPM_RUNS = frozenset(("run", "test"))
NPM_INSTALLS = frozenset(
    ["install", "i", "in", "add", "ci", "clean-install", "update", "up", "uninstall", "remove", "rm", "link"]
)
_SHORT = re.compile(r"-([A-Za-z0-9]+)")


@dataclass(frozen=True, slots=True)
class Refused:
    """Options a command may not have: letters of joined ones, long ones, and words taken whole."""

    letters: str = ""
    long: tuple[str, ...] = ()
    words: frozenset[str] = frozenset()


_REFUSED: Mapping[str, Refused] = {
    "find": Refused(
        words=frozenset(
            (
                *("-exec", "-execdir", "-ok", "-okdir", "-delete", "-fprint", "-fprint0", "-fprintf", "-fls"),
                *("-files0-from", "-L", "-H", "-follow"),
            )
        )
    ),
    "sort": Refused("oT", ("--output", "--compress-program", "--files0-from", "--temporary-directory")),
    "wc": Refused(long=("--files0-from",)),
    "tree": Refused("olR", ("--output",)),
    "grep": Refused("R", ("--dereference-recursive",)),
    "ls": Refused("LH", ("--dereference", "--dereference-command-line", "--dereference-command-line-symlink-to-dir")),
    "diff": Refused("l", ("--paginate",)),
    "cp": Refused("LH", ("--dereference",)),
    "git": Refused(
        "O", ("--output", "--ext-diff", "--textconv", "--no-index", "--show-signature", "--open-files-in-pager")
    ),
}
# The option after which an argument is a text, never a file: code, and patterns.
TEXT_FOLLOWS: Mapping[str, frozenset[str]] = {
    "python": frozenset(("-c",)),
    "python3": frozenset(("-c",)),
    "node": frozenset(("-e", "--eval", "-p", "--print", "-pe")),
    "find": frozenset(["-name", "-iname", "-path", "-ipath", "-wholename", "-iwholename", "-regex", "-iregex"]),
}
TEXT_OPTIONS: Mapping[str, tuple[str, ...]] = {
    "grep": ("--exclude=", "--exclude-dir=", "--include="),
    "diff": ("--exclude=",),
}


def class_of(argv: tuple[str, ...]) -> CommandClass:
    name, first = argv[0], argv[1] if len(argv) > 1 else ""
    if name in ("pip", "pip3") or _runs_pip(argv):
        return "installing"
    if name in READING:
        return "reading"
    if name in WORKING:
        return "working"
    if name in CODE_RUNNING or (name == "npm" and first in NPM_RUNS):
        return "code"
    if name == "git" and first in GIT_SHOWS:
        return "working"
    if name == "npm" and first in NPM_INSTALLS:
        return "installing"
    return "network" if name in NETWORK else "other"


def _runs_pip(argv: tuple[str, ...]) -> bool:
    """`python -m pip` in any spelling is pip."""
    if argv[0] not in ("python", "python3"):
        return False
    joined = [argument for argument in argv if argument.startswith("-") and argument.endswith(("mpip", "mensurepip"))]
    after = [second for first, second in pairwise(argv) if re.fullmatch(r"-[A-Za-z]*m", first)]
    return bool(joined) or bool({"pip", "ensurepip"} & set(after))


def risky_option(argv: tuple[str, ...]) -> str:
    """The first argument that would let a harmless command do harm; empty where there is none."""
    refused = _REFUSED.get(argv[0], Refused())
    for argument in argv[1:]:
        if argument in refused.words or _is_long(argument, refused) or _is_joined(argument, refused):
            return argument
    if argv[0] == "uniq":
        return _second_operand(argv)
    if argv[0] == "git":
        return next((argument for argument in argv if "%G" in argument), "")  # these ask gpg
    return ""


def _is_long(argument: str, refused: Refused) -> bool:
    name = argument.partition("=")[0]
    return len(name) > 2 and name.startswith("--") and any(option.startswith(name) for option in refused.long)


def _is_joined(argument: str, refused: Refused) -> bool:
    found = _SHORT.match(argument)
    return found is not None and any(letter in found[1] for letter in refused.letters)


def _second_operand(argv: tuple[str, ...]) -> str:
    """The file that uniq would write."""
    operands = [argument for argument in argv[1:] if not argument.startswith(("-", "+")) and not argument.isdigit()]
    return operands[1] if len(operands) > 1 else ""
