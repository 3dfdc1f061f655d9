"""Looking after a library: a check of the installation, and its backup."""

from collections.abc import Callable, Iterator
from contextlib import closing, nullcontext
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from loreweave.errors import Damaged, Forbidden, LoreError
from loreweave.faces.cli.command_parts import Data, Json, opened, say, wants_json, write_json
from loreweave.settings import load_settings

if TYPE_CHECKING:
    from loreweave.settings import Settings

KEY_SECONDS = 20.0  # it gives up by itself before that; loading its client takes a while too
LOOK_SECONDS = 0.05
GET_PYTEST = "install `loreweave[agents]`"
GET_ESPTOOL = "install `loreweave[firmware]`; it is needed for a board's firmware alone"
GET_BUBBLEWRAP = "`apt-get install bubblewrap` or your system's package, where unprivileged user namespaces are allowed"


@dataclass(frozen=True, slots=True)
class Check:
    """One thing looked at. What is not needed may be missing: some feature does without it."""

    name: str
    ok: bool
    needed: bool
    detail: str


def add_to(app: typer.Typer) -> None:
    for command in (backup, restore, doctor):
        app.command()(command)


def doctor(
    data: Data = None,
    deep: Annotated[
        bool, typer.Option("--deep", help="Read all that is stored and hold every text against its hash.")
    ] = False,
    json: Json = False,
) -> None:
    """Check the installation."""
    checks = list(run_checks(load_settings(data_dir=data), deep))
    sound = all(check.ok for check in checks if check.needed)
    if wants_json(json):
        write_json({"ok": sound, "checks": [asdict(check) for check in checks]})
    else:
        _show(checks)
    if not sound:
        raise typer.Exit(1)


def run_checks(settings: "Settings", deep: bool = False) -> Iterator[Check]:
    import shutil

    from loreweave.faces.http.static_pages import PAGE_FOLDER
    from loreweave.parts import workspace_root

    yield _try("data folder", True, lambda: _private(settings.data_dir))
    yield _try("database", True, lambda: _database(settings, deep))
    yield _try("embedder", True, lambda: _embedder(settings))
    yield _try("model", False, lambda: _model(settings))
    yield _key(settings)
    built = (PAGE_FOLDER / "index.html").is_file()
    yield Check("page", built, False, "built" if built else "not built: run `make install` in a checkout")
    git = shutil.which("git")
    yield Check("git", git is not None, False, git or "git is not installed; needed for build sessions")
    yield _pytest()
    yield _try("workspace root", True, lambda: _writable(workspace_root(settings), "LORE_WORKSPACE_ROOT"))
    yield _sandbox(settings)
    yield _boards(settings)
    yield _try("engine", True, lambda: _engine(settings))
    yield _try("clients", False, _clients)


def _try(name: str, needed: bool, look: Callable[[], str]) -> Check:
    try:
        return Check(name, True, needed, look())
    except LoreError as refusal:
        return Check(name, False, needed, refusal.message)
    except Exception as trouble:
        return Check(name, False, needed, f"{type(trouble).__name__}: {trouble}")


def _writable(folder: Path, setting: str = "LORE_DATA_DIR") -> str:
    """A folder that is not there yet is not made by looking at it."""
    import tempfile

    from loreweave.private_folder import cannot_write

    there = next(place for place in (folder, *folder.parents) if place.exists())
    try:
        with tempfile.TemporaryFile(dir=there):
            return f"{folder} can be {'written' if there == folder else 'made'}"
    except OSError as trouble:
        raise cannot_write(folder, trouble.strerror or type(trouble).__name__, setting) from None


def _has_library(settings: "Settings") -> bool:
    from loreweave.seams.storage.open_store import holds_library

    return holds_library(settings.data_dir, settings.database_url)


def _private(folder: Path) -> str:
    """What others could read is closed to them here and now, and named."""
    from loreweave.private_folder import open_to_others, tighten

    if not folder.is_dir():
        return _writable(folder)
    found = open_to_others(folder)
    tighten(folder)
    if left := open_to_others(folder):
        raise Forbidden(f"others on this computer can read {_named(left)}: take their rights away with chmod go=")
    closed = f"; was open to others and is closed now: {_named(found)}" if found else ", for you alone"
    return _writable(folder) + closed


def _named(places: list[Path]) -> str:
    more = f" and {len(places) - 5} more" if len(places) > 5 else ""
    return ", ".join(map(str, places[:5])) + more


def _database(settings: "Settings", deep: bool) -> str:
    """Opening brings the tables up to date; the list of graphs shows that they can be read, a deep look the rest."""
    from loreweave.application import open_application

    if not _has_library(settings):
        return f"no library at {settings.data_dir} yet: `lore ingest FOLDER` makes one"
    with closing(open_application(settings)) as application:
        count = len(application.graphs.graphs().graphs)
        faults = application.library.faults() if deep else []
    if faults:
        raise Damaged(f"{'; '.join(faults[:5])}{' and more' if len(faults) > 5 else ''}")
    kind = "postgresql" if settings.database_url.startswith("postgres") else "sqlite"
    return f"{kind}, tables up to date, {count} graph{'s' * (count != 1)}" + (
        ", every text as it was stored" if deep else ""
    )


def _embedder(settings: "Settings") -> str:
    from loreweave.application import open_application

    embedder = open_application(settings).embedder
    if embedder is None:
        return "none: graphs are read by words alone"
    embedder.embed(["A first sentence."])
    return f"{embedder.identity}, {embedder.dimensions} dimensions"


def _model(settings: "Settings") -> str:
    """Whether the chosen one can be opened; nothing is sent to it."""
    from loreweave.application import open_application

    if open_application(settings).model is None:
        return "none: searching works, answers and agents need one (LORE_MODEL; demo needs no key)"
    return f"{settings.model}, not asked"


def _key(settings: "Settings") -> Check:
    """The provider is asked whether it takes the key, and given some seconds to say so."""
    import time

    from loreweave.application import open_application

    if settings.model.strip() in ("none", "demo"):
        return Check("key", True, False, f"not needed for {settings.model}")
    with closing(open_application(settings)) as application:
        until = time.monotonic() + KEY_SECONDS
        state = application.key_check.state()
        while state.status == "unchecked" and state.message is None and time.monotonic() < until:
            time.sleep(LOOK_SECONDS)
            state = application.key_check.state()
    return Check("key", state.usable, False, f"{state.status}{f': {state.message}' if state.message else ''}")


def _sandbox(settings: "Settings") -> Check:
    """Bubblewrap may be installed and still not be allowed to do its work, so it is tried."""
    from loreweave.application import open_application

    needed = settings.sandbox == "required"
    try:
        kind = open_application(settings).sandbox.kind
    except LoreError as refusal:
        return Check("sandbox", False, needed, f"{refusal.message} ({GET_BUBBLEWRAP})")
    if kind == "bubblewrap":
        return Check("sandbox", True, needed, "bubblewrap: commands of agents see their workspace alone")
    why = "LORE_SANDBOX is off" if settings.sandbox == "off" else GET_BUBBLEWRAP
    return Check("sandbox", False, needed, f"limits only, code is run when a person agrees: {why}")


def _engine(settings: "Settings") -> str:
    """Not started: it would go on with what a crash broke off, in a process that ends at once."""
    from importlib.metadata import version

    from loreweave.application import open_application

    if not _has_library(settings):
        return f"dbos {version('dbos')}; no library yet"
    with closing(open_application(settings, takes_work=False)) as application:
        sessions = application.sessions.list()
    running = sum(session.state not in ("idle", "done") for session in sessions)
    return f"dbos {version('dbos')}; sessions: {len(sessions)}, running: {running}"


def _clients() -> str:
    from loreweave.faces.cli.clients.client_entries import connected_clients

    found = connected_clients()
    return f"start this by MCP: {', '.join(found)}" if found else "none starts this by MCP: `lore connect CLIENT`"


def _pytest() -> Check:
    from importlib.util import find_spec

    has = find_spec("pytest") is not None
    return Check("pytest", has, False, "agents can run tests" if has else f"agents run no tests: {GET_PYTEST}")


def _boards(settings: "Settings") -> Check:
    """What flashing needs, and whether a board is there; no port is opened."""
    from loreweave.seams.host.serial_board import find_board, missing_tools

    if missing := missing_tools():
        return Check("serial", False, False, f"not installed: {', '.join(missing)} ({GET_ESPTOOL})")
    board = find_board(settings.serial_ports)
    where = f"{board.kind or 'a board'} at {board.port}" if board else "no board is connected"
    return Check("serial", True, False, f"mpremote and esptool; {where}")


def _show(checks: list[Check]) -> None:
    from rich.console import Console

    from loreweave.faces.cli.terminal.terminal_text import table

    rows = (
        (check.name, "ok" if check.ok else "MISSING" if check.needed else "absent", check.detail) for check in checks
    )
    Console().print(table(("check", "state", "detail"), rows))


File = Annotated[Path, typer.Argument(metavar="FILE", help="The file of the backup.")]


def backup(
    file: File,
    without_workspaces: Annotated[
        bool, typer.Option("--without-workspaces", help="Leave out the folders of sessions and builds.")
    ] = False,
    data: Data = None,
    json: Json = False,
) -> None:
    """Write the library into one file, while servers go on."""
    with opened(data, takes_work=False) as application:
        counts = application.library.backup(file.expanduser(), workspaces=not without_workspaces)
    _tell(f"{file} holds", counts, json)


def restore(
    file: File,
    replace: Annotated[
        bool, typer.Option("--replace", help="Give up what the library holds now for what the backup holds.")
    ] = False,
    data: Data = None,
    json: Json = False,
) -> None:
    """Bring the library of a backup back. On either database, while servers go on."""
    from loreweave.seams.storage import backup as kept

    kept.refuse_stranger(file.expanduser())  # before a library is made for it
    settings = load_settings(data_dir=data)
    making_way = kept.damage_set_aside(settings.data_dir, settings.database_url) if replace else nullcontext()
    with making_way as aside, opened(data, "made", takes_work=False) as application:
        counts = application.library.restore(file.expanduser(), replace=replace)
    if aside:
        say(f"The damaged library is {aside} now; start servers anew, they still read it.")
    _tell("The library holds", counts, json)


def _tell(what: str, counts: dict[str, int], as_json: bool) -> None:
    if wants_json(as_json):
        write_json(counts)
    else:
        say(f"{what} " + ", ".join(f"{count} {name}" for name, count in counts.items()))
