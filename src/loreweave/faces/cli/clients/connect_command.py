"""`lore connect`: the entry of Loreweave in the settings of a client, shown first, asked for, and taken back."""

import os
import stat
import sys
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from loreweave.errors import Conflict, Forbidden, InvalidInput, Unavailable
from loreweave.faces.cli.command_parts import Data, Json, say, wants_json, write, write_json
from loreweave.faces.cli.program import FAILED
from loreweave.faces.cli.server_commands import ALL_TOOLS, READING_TOOLS

if TYPE_CHECKING:
    from loreweave.faces.cli.clients.client_entries import McpClient, Scope

PRIVATE, SHARED = 0o600, 0o666  # of a file that is new; the second as the user's mask has it
MOST_SHOWN = 300  # characters of a line
CACHES = ("archive-v0", "uv/cache", "uv\\cache")  # where `uvx` puts what it runs


def add_to(app: typer.Typer) -> None:
    app.command()(connect)


def connect(
    client: Annotated[str, typer.Argument(metavar="CLIENT", help="claude-code, cursor or codex.")],
    project: Annotated[
        bool, typer.Option("--project/--user", help="In the settings of this folder, or of all you do (--user).")
    ] = False,
    remove: Annotated[bool, typer.Option("--remove", help="Take the entry out again.")] = False,
    name: Annotated[str, typer.Option("--name", metavar="NAME", help="What the entry is called.")] = "loreweave",
    toolsets: Annotated[
        str | None, typer.Option("--toolsets", metavar="NAMES", help="Which tools to offer, as of `lore mcp`.")
    ] = None,
    replace: Annotated[
        bool, typer.Option("--replace", help="Overwrite an entry of this name that starts something else.")
    ] = False,
    yes: Annotated[bool, typer.Option("--yes", help="Write without asking.")] = False,
    data: Data = None,
    json: Json = False,
) -> None:
    """Have a client start Loreweave by MCP. What would be written is shown first."""
    from loreweave.faces.cli.clients.client_entries import client_called, refuse_name

    known = client_called(client)
    refuse_name(name)
    _refuse_toolsets(toolsets)
    scope: Scope = "project" if project else "user"
    shown = known.file(scope)
    file = _real(shown)
    before = _read(file)
    after = (
        _removed(known, shown, before, name)
        if remove
        else _connected(known, shown, before, name, data, toolsets, replace)
    )
    told = {"client": client, "scope": scope, "file": str(shown), "name": name, "diff": _difference(before, after)}
    if before == after:
        _tell({**told, "written": False}, json, f"{shown} says so already: nothing was written.")
        return
    where = f"{shown} (a link to {file})" if shown.is_symlink() else str(shown)
    if not json and sys.stdout.isatty():
        write(f"{where}\n{told['diff']}".encode("utf-8", "replace"))
    if not yes and not _agreed(where):
        _tell({**told, "written": False}, json, "Nothing was written.")
        raise typer.Exit(FAILED)
    _write(file, before, after, SHARED if project else PRIVATE)
    _tell(
        {**told, "written": True},
        json,
        f"{known.title} {'no longer starts' if remove else 'starts'} Loreweave: {where}",
    )
    if not remove:
        _advise(known, project, data, toolsets)


def _refuse_toolsets(toolsets: str | None) -> None:
    if toolsets is None:
        return
    for name in toolsets.split(","):
        if name.strip() not in ALL_TOOLS.split(","):
            message = f"There is no toolset {name.strip()!r}: there are {ALL_TOOLS}"
            raise InvalidInput(message, field="toolsets")


def _connected(
    client: "McpClient",
    shown: Path,
    before: bytes | None,
    name: str,
    data: Path | None,
    toolsets: str | None,
    replace: bool,
) -> bytes:
    from loreweave.faces.cli.clients.client_entries import is_ours, make_entry
    from loreweave.faces.cli.clients.settings_text import BrokenSettings, put_entry, read_entry

    entry = make_entry(client, data, toolsets)
    text = _text(shown, before)
    try:
        found = read_entry(client.form, text, name)
        if found == entry and before is not None:
            return before
        if found is not None and not is_ours(found) and not replace:
            message = (
                f"{shown} has another entry called {name}: --replace overwrites it, --name gives ours another name"
            )
            raise Conflict(message, file=str(shown), name=name)
        return put_entry(client.form, text, name, entry).encode()
    except BrokenSettings as trouble:
        raise _unreadable(shown, trouble) from None


def _removed(client: "McpClient", shown: Path, before: bytes | None, name: str) -> bytes | None:
    from loreweave.faces.cli.clients.client_entries import is_ours
    from loreweave.faces.cli.clients.settings_text import BrokenSettings, read_entry, take_entry

    text = _text(shown, before)
    if text is None:
        return before
    try:
        found = read_entry(client.form, text, name)
        if found is None:
            return before
        if not is_ours(found):
            message = f"The entry {name} of {shown} does not start `lore`, so it is not taken out"
            raise Conflict(message, file=str(shown), name=name)
        left = take_entry(client.form, text, name)
    except BrokenSettings as trouble:
        raise _unreadable(shown, trouble) from None
    if left is None and shown.is_symlink():  # a link is somebody's, and so is the file that it leads to
        return b"{}\n" if client.form == "json" else b""
    return None if left is None else left.encode()


def _unreadable(shown: Path, trouble: Exception) -> InvalidInput:
    return InvalidInput(f"{shown} cannot be changed: {trouble}. It was left as it is", field="file", file=str(shown))


def _real(shown: Path) -> Path:
    """Where the file is: one that a link leads to is changed in its place, and the link stays."""
    try:
        return Path(os.path.realpath(shown, strict=shown.exists()))
    except OSError as trouble:
        raise Unavailable(f"{shown} cannot be read: {(trouble.strerror or '').lower()}", file=str(shown)) from None


def _read(file: Path) -> bytes | None:
    try:
        if file.exists() and not file.is_file():
            raise InvalidInput(f"{file} is no file", field="file", file=str(file))
        return file.read_bytes()
    except FileNotFoundError:
        return None
    except OSError as trouble:
        raise Unavailable(f"{file} cannot be read: {(trouble.strerror or '').lower()}", file=str(file)) from None


def _text(shown: Path, before: bytes | None) -> str | None:
    try:
        return None if before is None else before.decode()
    except UnicodeDecodeError as trouble:
        raise _unreadable(shown, ValueError(f"it is not written in UTF-8 ({trouble.reason})")) from None


def _difference(before: bytes | None, after: bytes | None) -> str:
    """The lines that change, without their neighbours: those may hold somebody's keys."""
    old, new = ((text or b"").decode("utf-8", "replace").split("\n") for text in (before, after))
    first = next(
        (at for at, (one, other) in enumerate(zip(old, new, strict=False)) if one != other), min(len(old), len(new))
    )
    last = 0
    while last < min(len(old), len(new)) - first and old[-1 - last] == new[-1 - last]:
        last += 1
    gone, come = old[first : len(old) - last], new[first : len(new) - last]
    if not gone and not come:
        return ""
    lines = [f"@@ -{first + 1},{len(gone)} +{first + 1},{len(come)} @@"]
    lines += [sign + _cut(line) for sign, some in (("-", gone), ("+", come)) for line in some]
    return "\n".join(lines) + "\n"


def _cut(line: str) -> str:
    line = line.rstrip("\r")
    return line if len(line) <= MOST_SHOWN else f"{line[:MOST_SHOWN]}… ({len(line)} characters)"


def _agreed(where: str) -> bool:
    if not sys.stdin.isatty():
        say("Nobody is here to be asked: --yes writes it.")
        return False
    return typer.confirm(f"Write {where}?", err=True)


def _write(file: Path, before: bytes | None, after: bytes | None, mode: int) -> None:
    """Whole or not at all, with the rights that the file had; nothing where it changed since it was shown."""
    beside = file.with_name(f".{file.name}.lore-{os.getpid()}")
    try:
        if _read(file) != before:
            raise Conflict(f"{file} was changed by somebody else just now: run it again", file=str(file))
        if before is not None and not file.stat().st_mode & stat.S_IWUSR:
            raise Forbidden(f"{file} may only be read: nothing was written", file=str(file))
        if after is None:
            file.unlink()
            return
        file.parent.mkdir(parents=True, exist_ok=True)
        descriptor = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, mode)
        with os.fdopen(descriptor, "wb") as stream:
            if before is not None:
                found = file.stat()
                os.fchmod(descriptor, stat.S_IMODE(found.st_mode))
                with suppress(OSError):
                    os.fchown(descriptor, found.st_uid, found.st_gid)
            stream.write(after)
            stream.flush()
            os.fsync(descriptor)
        os.replace(beside, file)
    except OSError as trouble:
        why = (trouble.strerror or type(trouble).__name__).lower()
        raise Unavailable(f"{file} cannot be written: {why}", file=str(file)) from None
    finally:
        beside.unlink(missing_ok=True)


def _tell(told: dict[str, Any], as_json: bool, sentence: str) -> None:
    if wants_json(as_json):
        write_json(told)
    else:
        say(sentence)


def _advise(client: "McpClient", project: bool, data: Path | None, toolsets: str | None) -> None:
    if not client.is_installed():
        say(f"{client.title} was not found on this computer: the entry waits for it.")
    if any(part in sys.argv[0] for part in CACHES):
        say("This `lore` runs from a cache that may be emptied: install it (`pipx install`) and connect again.")
    if project and client.program == "codex":
        say("Codex reads the settings of a project once you trust it.")
    if project and client.program == "claude":
        say("Claude Code asks whether you trust the servers of a project before it starts them.")
    if toolsets is not None and READING_TOOLS.issuperset(name.strip() for name in toolsets.split(",")):
        from loreweave.seams.storage.open_store import holds_library
        from loreweave.settings import load_settings

        settings = load_settings(data_dir=data)
        if not holds_library(settings.data_dir, settings.database_url):
            say("There is no library to read yet, and these tools make none: `lore ingest FOLDER` makes one.")
