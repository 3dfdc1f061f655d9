"""The clients that start Loreweave by MCP: where each keeps its settings, and what stands there for us."""

import os
import re
import shutil
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from loreweave.errors import InvalidInput
from loreweave.faces.cli.clients.settings_text import BrokenSettings, Form, read_entry
from loreweave.language.strange_text import is_unicode
from loreweave.settings import folder_named, given_variables, named_data_dir

Scope = Literal["user", "project"]
USUAL_NAME = "loreweave"
START_SECONDS = 60  # Codex waits ten by itself: the first start after an installation may take longer
_MODULE = "loreweave.faces.cli.lore"
_NAME = re.compile(r"[A-Za-z0-9_-]{1,64}")
_EXPANDED = re.compile(r"\$\{")


@dataclass(frozen=True, slots=True)
class McpClient:
    """`home`: the folder of a user's settings, which `moved_by` may name another; `reference`: a variable by name."""

    title: str
    program: str
    form: Form
    home: str
    moved_by: str | None
    user_file: str
    project_file: str
    reference: str | None

    def file(self, scope: Scope) -> Path:
        if scope == "project":
            return Path.cwd() / self.project_file
        named = folder_named(self.moved_by) if self.moved_by else None
        return (named or Path.home() / self.home) / self.user_file

    def is_installed(self) -> bool:
        return shutil.which(self.program) is not None or self.file("user").exists()


CLIENTS = {
    "claude-code": McpClient(
        *("Claude Code", "claude", "json", "", "CLAUDE_CONFIG_DIR", ".claude.json", ".mcp.json", "${%s:-}")
    ),
    "cursor": McpClient("Cursor", "cursor", "json", ".cursor", None, "mcp.json", ".cursor/mcp.json", "${env:%s}"),
    "codex": McpClient(*("Codex", "codex", "toml", ".codex", "CODEX_HOME", "config.toml", ".codex/config.toml", None)),
}


def client_called(name: str) -> McpClient:
    if name not in CLIENTS:
        raise InvalidInput(f"There is no client {name!r}", field="client", known=list(CLIENTS))
    return CLIENTS[name]


def refuse_name(name: str) -> None:
    if not _NAME.fullmatch(name):
        message = "--name takes 1 to 64 letters, digits, hyphens and underscores, as clients do"
        raise InvalidInput(message, field="name")


def make_entry(client: McpClient, data: Path | None, toolsets: str | None) -> dict[str, Any]:
    """What the client is to start. Variables that set something now are named, their values are written nowhere."""
    command, *arguments = [*_own_program(), "mcp"]
    named = named_data_dir(data)
    arguments += ["--data", str(named)] if named else []
    arguments += ["--toolsets", toolsets] if toolsets is not None else []
    for part in (command, *arguments):
        _refuse_unwritable(part, client)
    variables = given_variables()
    if client.reference is None:
        entry = {"command": command, "args": arguments, "startup_timeout_sec": START_SECONDS}
        return {**entry, "env_vars": variables} if variables else entry
    entry = {"type": "stdio", "command": command, "args": arguments}
    return {**entry, "env": {name: client.reference % name for name in variables}} if variables else entry


def _own_program() -> list[str]:
    """The `lore` that runs: as it was called, or of the same installation."""
    called = Path(os.path.abspath(sys.argv[0]))
    for place in (called, Path(sys.executable).parent / "lore", Path(sys.executable).parent / "lore.exe"):
        if place.stem == "lore" and place.suffix in ("", ".exe") and os.access(place, os.X_OK) and place.is_file():
            return [str(place)]
    return [sys.executable, "-m", _MODULE]


def _refuse_unwritable(part: str, client: McpClient) -> None:
    if not is_unicode(part):
        raise InvalidInput(f"{part!r} is no text, so it cannot stand in settings", field="data")
    if client.reference is not None and _EXPANDED.search(part):
        raise InvalidInput(f"{part} holds ${{, which {client.title} would take for a variable", field="data")


def is_ours(entry: Any) -> bool:
    """Whether an entry starts `lore mcp`, of whichever installation."""
    if not isinstance(entry, dict):
        return False
    command, arguments = entry.get("command"), entry.get("args")
    if not isinstance(command, str) or not isinstance(arguments, list):
        return False
    program = re.split(r"[\\/]", command)[-1].removesuffix(".exe")
    words = [*map(str, arguments), ""]
    return (program == "lore" and words[0] == "mcp") or words[:3] == ["-m", _MODULE, "mcp"]


def connected_clients() -> list[str]:
    """Clients whose settings start `lore`, here or everywhere; settings that cannot be read say nothing."""
    found = []
    for name, client in CLIENTS.items():
        for scope in ("user", "project"):
            try:
                text = client.file(scope).read_bytes().decode()
                if is_ours(read_entry(client.form, text, USUAL_NAME)):
                    found.append(f"{name} ({scope})")
            except (OSError, UnicodeDecodeError, BrokenSettings):
                continue
    return found
