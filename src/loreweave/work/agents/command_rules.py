"""What each command can do by its name and options. All of them run in the sandbox; this holds what it does not.

Reading commands must only read, run nothing, follow no links and take no file names out of files. Each has a list of
options that do no more; every other one is refused, so a new version of a program brings no surprise.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal

CommandClass = Literal["reading", "working", "git", "code", "installing", "network", "other"]

CODE_RUNNING = frozenset(["python", "python3", "pytest", "node"])
NETWORK = frozenset(["curl", "wget", "ssh", "scp", "rsync", "nc"])
GIT_SHOWS = frozenset(["status", "diff", "log", "show"])
NPM_RUNS = frozenset(("run", "test"))
NPM_INSTALLS = frozenset(
    ["install", "i", "in", "add", "ci", "clean-install", "update", "up", "uninstall", "remove", "rm", "link"]
)


@dataclass(frozen=True, slots=True)
class _Options:
    """Short ones as letters: alone, with a value (also the next argument), with a value only if joined; and long ones,
    which with a `=` take the next argument where they hold none. `words`: single-dashed, as `find` has them."""

    letters: str = ""
    valued: str = ""
    joined: str = ""
    long: str = ""
    words: str = ""
    most_operands: int = 1_000


_READING: Mapping[str, _Options] = {
    "ls": _Options(
        "aAbBcCdfFgGhiklmnNopqQrRsStuUvxXZ1",
        "wIT",
        long="all almost-all author escape block-size= ignore-backups color directory classify file-type format= "
        "full-time group-directories-first no-group human-readable si hide= indicator-style= inode ignore= kibibytes "
        "numeric-uid-gid literal hide-control-chars show-control-chars quote-name quoting-style= reverse recursive "
        "size sort= time= time-style= tabsize= width= zero",
    ),
    "cat": _Options(
        "AbeEnstTuv", long="show-all number-nonblank show-ends number squeeze-blank show-tabs show-nonprinting"
    ),
    "head": _Options("qvz0123456789", "nc", long="lines= bytes= quiet silent verbose zero-terminated"),
    "tail": _Options("qvzfF0123456789", "ncs", long="lines= bytes= quiet silent verbose zero-terminated follow retry"),
    "wc": _Options("clmwL", long="bytes chars lines words max-line-length total="),
    "sort": _Options(
        "bdfgiMhnRrVcCmsuz",
        "kSt",
        long="ignore-leading-blanks dictionary-order ignore-case general-numeric-sort ignore-nonprinting month-sort "
        "human-numeric-sort numeric-sort random-sort reverse sort= version-sort check merge stable unique "
        "zero-terminated key= field-separator= buffer-size= parallel= debug",
    ),
    "uniq": _Options(
        "cdDiuz0123456789",
        "fsw",
        long="count repeated all-repeated group ignore-case skip-fields= skip-chars= unique zero-terminated "
        "check-chars=",
        most_operands=1,  # a second one would be written
    ),
    "grep": _Options(
        "EFGPiyvwxcLloqsbHhnTZzUraI0123456789",
        "efABCmDd",
        long="extended-regexp fixed-strings basic-regexp perl-regexp regexp= file= ignore-case no-ignore-case "
        "invert-match word-regexp line-regexp count color colour files-without-match files-with-matches max-count= "
        "only-matching quiet silent no-messages byte-offset with-filename no-filename label= line-number initial-tab "
        "null after-context= before-context= context= text binary-files= devices= directories= exclude= exclude-from= "
        "exclude-dir= include= recursive line-buffered null-data",
    ),
    "find": _Options(
        words="-P -print -print0 -ls -not -and -or -a -o -prune -quit -depth -empty -true -false -readable -writable "
        "-executable -mount -xdev -name= -iname= -path= -ipath= -wholename= -iwholename= -regex= -iregex= -regextype= "
        "-type= -maxdepth= -mindepth= -size= -mtime= -mmin= -atime= -amin= -ctime= -cmin= -newer= -perm= -user= "
        "-group= -links= -inum= -printf="
    ),
    "diff": _Options(
        "qscuenyprtTNaiEZbwBdP0123456789",
        "UCLWxXFISD",
        long="normal brief report-identical-files context unified ed rcs side-by-side width= left-column "
        "suppress-common-lines show-c-function show-function-line= label= expand-tabs initial-tab tabsize= "
        "suppress-blank-empty recursive no-dereference new-file unidirectional-new-file ignore-file-name-case exclude= "
        "exclude-from= starting-file= from-file= to-file= ignore-case ignore-tab-expansion ignore-trailing-space "
        "ignore-space-change ignore-all-space ignore-blank-lines ignore-matching-lines= text strip-trailing-cr minimal "
        "speed-large-files color",
    ),
    "stat": _Options("ft", "c", long="format= printf= file-system terse"),
    "pwd": _Options("LP", long="logical physical"),
    "tree": _Options(
        "adfspughDFqNnCSiJXrtUvcQAx",
        "LPIHT",
        long="dirsfirst filesfirst filelimit= noreport charset= du si prune timefmt= sort= inodes device matchdirs "
        "ignore-case",
    ),
}
_WORKING: Mapping[str, _Options] = {
    "mkdir": _Options("pv", "m", long="parents verbose mode="),
    "cp": _Options(
        "afinprRuvTPd",
        "t",
        long="archive force interactive no-clobber recursive update verbose no-target-directory parents preserve "
        "no-preserve= no-dereference target-directory= strip-trailing-slashes",
    ),
    "mv": _Options(
        "finuvT", "t", long="force interactive no-clobber update verbose no-target-directory target-directory="
    ),
    "rm": _Options("firRdvI", long="force recursive dir verbose interactive one-file-system preserve-root"),
    "touch": _Options("acm", "dtr", long="no-create date= reference= time="),
}
_GIT = _Options(
    "pscwbzDRaimrtqvg0123456789",
    "nSGLl",
    "UMCBXu",
    long="oneline stat numstat shortstat dirstat summary compact-summary name-only name-status patch no-patch "
    "patch-with-stat raw color no-color color-words word-diff word-diff-regex= cached staged merge-base all branches "
    "tags remotes graph decorate no-decorate abbrev abbrev-commit no-abbrev-commit pretty format= date= since= after= "
    "until= before= author= committer= grep= all-match invert-grep regexp-ignore-case extended-regexp fixed-strings "
    "perl-regexp max-count= skip= merges no-merges first-parent follow reverse topo-order date-order "
    "author-date-order diff-filter= find-renames find-copies find-copies-harder no-renames renames ignore-all-space "
    "ignore-space-change ignore-space-at-eol ignore-blank-lines ignore-cr-at-eol unified= function-context minimal "
    "patience histogram diff-algorithm= anchored= exit-code quiet full-index binary relative no-relative short branch "
    "porcelain long untracked-files ignored column no-column ahead-behind no-ahead-behind show-stash check "
    "inter-hunk-context= pickaxe-all pickaxe-regex output-indicator-new= output-indicator-old= "
    "output-indicator-context= text root cc left-right cherry-pick boundary full-history parents children "
    "relative-date no-prefix src-prefix= dst-prefix= line-prefix= ws-error-highlight= null verbose",
)
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
    if name in ("pip", "pip3") or runs_pip(argv):
        return "installing"
    if name in _READING or name == "echo":
        return "reading"
    if name in _WORKING:
        return "working"
    if name in CODE_RUNNING or (name == "npm" and first in NPM_RUNS):
        return "code"
    if name == "git" and first in GIT_SHOWS:
        return "git"
    if name == "npm" and first in NPM_INSTALLS:
        return "installing"
    return "network" if name in NETWORK else "other"


def runs_pip(argv: tuple[str, ...]) -> bool:
    """`python -m pip` in any spelling is pip."""
    if argv[0] not in ("python", "python3"):
        return False
    joined = [argument for argument in argv if argument.startswith("-") and argument.endswith(("mpip", "mensurepip"))]
    after = [second for first, second in pairwise(argv) if re.fullmatch(r"-[A-Za-z]*m", first)]
    return bool(joined) or bool({"pip", "ensurepip"} & set(after))


def risky_option(argv: tuple[str, ...]) -> str:
    """The first argument that may let a harmless command do harm; empty where there is none."""
    if argv[0] == "git" and class_of(argv) == "git":
        signed = next((argument for argument in argv if "%G" in argument), "")  # these ask gpg
        return signed or _unknown(argv[2:], _GIT)
    options = {**_READING, **_WORKING}.get(argv[0])
    return "" if options is None else _unknown(argv[1:], options)


def _unknown(arguments: tuple[str, ...], options: _Options) -> str:
    """The first option that is on no list, or operand that is one too many; `--` ends the options."""
    operands, is_value, are_over = 0, False, False
    for argument in arguments:
        if is_value and (options.words or not argument.startswith("-")):  # else judged as what it may be
            is_value = False
        elif argument == "--" and not are_over:
            are_over = True
        elif are_over or argument == "-" or not argument.startswith("-"):
            operands += 1
            if operands > options.most_operands:
                return argument
        else:
            known = _takes_next(argument, options)
            if known is None:
                return argument
            is_value = known
    return ""


def _takes_next(option: str, options: _Options) -> bool | None:
    """Whether its value is the next argument; None where the option is not known. No abbreviation is."""
    if options.words or option.startswith("--"):
        name, equals, _ = option.removeprefix("--").partition("=")
        known = (options.words or options.long).split()
        if f"{name}=" in known:
            return not equals
        return False if name in known else None
    for place, letter in enumerate(option[1:], 2):
        if letter in options.valued:
            return place == len(option)
        if letter in options.joined:
            return False
        if letter not in options.letters:
            return None
    return False
