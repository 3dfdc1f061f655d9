"""Runs a command that was approved, in the sandbox, and says how it ended.

Git is shown a repository of ours: a copy of the workspace's heads and index beside its objects. So neither the
workspace being a repository itself, nor a setting, filter, hook, attribute or link in its `.git`, starts or reads
anything.
"""

from __future__ import annotations

import asyncio
import os
import tempfile
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from loreweave.errors import Forbidden, NotFound, Unavailable
from loreweave.language.strange_text import boxed
from loreweave.seams.host.confined_folder import ConfinedFolder
from loreweave.seams.host.sandbox import BESIDE_AS, MEBIBYTE, SEEN_AS, Command, CommandResult
from loreweave.work.agents.agent_tools import AgentTools
from loreweave.work.agents.command_rules import class_of, runs_pip

COMMAND_SECONDS = 60.0
_GIT_FILES = {  # and how many bytes each may have: an empty file may claim any size
    "HEAD": 4_096,
    "shallow": MEBIBYTE,
    "info/exclude": MEBIBYTE,
    "index": 32 * MEBIBYTE,
    "packed-refs": 32 * MEBIBYTE,
}
_GIT_REFERENCE = 4_096
_GIT_REFERENCES = 2_000
_GIT_SETTINGS = """[core]
    repositoryformatversion = 0
    bare = false
    fsmonitor = false
    hooksPath = /dev/null
    attributesFile = /dev/null
    pager = cat
[protocol]
    allow = never
"""
_GIT_ENVIRONMENT = {
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_CONFIG_GLOBAL": "/dev/null",
    "GIT_ATTR_NOSYSTEM": "1",
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_ALLOW_PROTOCOL": "none",
    "GIT_CONFIG_COUNT": "1",
    "GIT_CONFIG_KEY_0": "safe.bareRepository",
    "GIT_CONFIG_VALUE_0": "explicit",
}


async def run_agent_command(tools: AgentTools, argv: tuple[str, ...]) -> str:
    kind = class_of(argv)
    resolved = tools.programs.resolve(_guarded(argv))
    if resolved is None:
        raise Unavailable("This program is not installed here")
    command = Command(
        argv=resolved,
        folder=tools.folder.path,
        # Of the first two only such commands come here as the session's rules or a person allowed.
        network=kind in ("network", "installing") or (tools.permissions.allow_network and kind in ("code", "other")),
        seconds=COMMAND_SECONDS,
    )
    return _said(await (_run_git(tools, command) if argv[0] == "git" else tools.sandbox.run(command)))


def _guarded(argv: tuple[str, ...]) -> tuple[str, ...]:
    """Without what a folder's own files could start, and without following links from folder to folder."""
    if argv[0] == "git":
        if class_of(argv) != "git":
            raise Unavailable("Of git there are status, diff, log and show")
        drivers = () if argv[1] == "status" else ("--no-ext-diff", "--no-textconv")
        # In a folder that is a repository of its own git would read that one's settings.
        return ("git", "--no-pager", argv[1], *drivers, "--ignore-submodules=all", *argv[2:])
    if argv[0] == "diff":
        return ("diff", "--no-dereference", *argv[1:])
    return (argv[0], "-P", *argv[1:]) if runs_pip(argv) else argv  # the product's pip, not a pip.py that lies here


async def _run_git(tools: AgentTools, command: Command) -> CommandResult:
    with tempfile.TemporaryDirectory(prefix="lore-git-") as place:
        repository = Path(place)
        await asyncio.to_thread(_copy_repository, tools.folder, repository)
        is_walled = tools.sandbox.kind == "bubblewrap"
        seen = SEEN_AS if is_walled else str(command.folder)
        environment = {
            **_GIT_ENVIRONMENT,
            "GIT_DIR": BESIDE_AS if is_walled else place,
            "GIT_WORK_TREE": seen,
            "GIT_OBJECT_DIRECTORY": f"{seen}/.git/objects",
        }
        return await tools.sandbox.run(replace(command, environment=environment, beside=repository))


def _copy_repository(folder: ConfinedFolder, repository: Path) -> None:
    """All that showing history needs. The objects stay where they are, but must be the workspace's own."""
    try:
        if folder.kind_of(".git/objects") != "folder" or folder.kind_of(".git/objects/info/alternates") is not None:
            raise NotFound("no objects of its own")
        references = folder.list_files(".git/refs", limit=_GIT_REFERENCES)
    except (Forbidden, NotFound):
        raise NotFound("The workspace holds no git repository of its own") from None
    (repository / "refs").mkdir()
    (repository / "config").write_text(_GIT_SETTINGS)
    for name, limit in {**{path[5:]: _GIT_REFERENCE for path in references}, **_GIT_FILES}.items():
        with suppress(NotFound):
            data = folder.read_bytes(f".git/{name}", limit)
            (repository / name).parent.mkdir(parents=True, exist_ok=True)
            (repository / name).write_bytes(data)
    with suppress(OSError):  # by its age git knows which files may have changed since
        age = os.lstat(folder.path / ".git" / "index").st_mtime_ns
        os.utime(repository / "index", ns=(age, age))


def _said(result: CommandResult) -> str:
    if result.over_limit:
        ended = result.over_limit
    elif result.timed_out:
        ended = f"The command was ended after {COMMAND_SECONDS:g} seconds."
    else:
        ended = f"Exit code {result.exit_code}."
    return f"{ended}\n{boxed('output', result.output)}" if result.output else f"{ended} It printed nothing."
