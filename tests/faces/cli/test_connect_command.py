"""`lore connect`: shown, asked, written whole, taken back; and what it wrote really starts."""

import json
import os
import sys
import tomllib
from pathlib import Path
from typing import Any

import anyio
import pytest
from mcp import Client
from mcp.client.stdio import StdioServerParameters, get_default_environment, stdio_client
from tests.faces.cli.terminal import on_terminal

from loreweave.faces.cli.clients.client_entries import CLIENTS

FILES = {
    ("claude-code", "user"): ".claude.json",
    ("claude-code", "project"): ".mcp.json",
    ("cursor", "user"): ".cursor/mcp.json",
    ("cursor", "project"): ".cursor/mcp.json",
    ("codex", "user"): ".codex/config.toml",
    ("codex", "project"): ".codex/config.toml",
}
HELD = {
    "claude-code": '{\n  "numStartups": 3, // mine\n  "mcpServers": {\n    "x": {"command": "y"}\n  }\n}\n',
    "cursor": '{"mcpServers": {"x": {"url": "http://127.0.0.1:1/mcp"}}}',
    "codex": '# mine\nmodel = "gpt"\n\n[mcp_servers.x]\ncommand = "y"\n\n# about profiles\n[profiles.a]\n',
}
CASES = sorted(FILES)


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home and a project of their own; `home / "project"` is where the command runs."""
    place = tmp_path / "home"
    (place / "project").mkdir(parents=True)
    monkeypatch.setenv("HOME", str(place))
    for name in ("CLAUDE_CONFIG_DIR", "CODEX_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.chdir(place / "project")
    return place


def file_of(home: Path, client: str, scope: str) -> Path:
    return (home / "project" if scope == "project" else home) / FILES[client, scope]


def entry_in(file: Path, name: str = "loreweave") -> Any:
    """As the client reads it."""
    if file.suffix == ".toml":
        return tomllib.loads(file.read_text(encoding="utf-8"))["mcp_servers"][name]
    return json.loads(file.read_text(encoding="utf-8"))["mcpServers"][name]


@pytest.mark.holds("outside.connect.places", "outside.connect.reversible")
@pytest.mark.parametrize(("client", "scope"), CASES)
def test_an_entry_is_written_where_the_client_looks_and_taken_back(lore, home: Path, client: str, scope: str) -> None:
    file = file_of(home, client, scope)
    done = lore("connect", client, f"--{scope}", "--yes")
    assert (done.code, done.json["file"], done.json["written"]) == (0, str(file), True)
    entry = entry_in(file)
    assert Path(entry["command"]).is_absolute()
    assert entry["args"][-3:] == ["mcp", "--data", str(home.parent / "data")]
    made = file.read_bytes()
    again = lore("connect", client, f"--{scope}")
    assert (again.code, again.json["written"], again.json["diff"]) == (0, False, "")
    assert file.read_bytes() == made
    gone = lore("connect", client, f"--{scope}", "--remove", "--yes")
    assert (gone.code, gone.json["written"], file.exists()) == (0, True, False)
    nothing = lore("connect", client, f"--{scope}", "--remove")
    assert (nothing.code, nothing.json["written"]) == (0, False)


@pytest.mark.holds("outside.connect.reversible", "outside.connect.bytes", "outside.connect.whole")
@pytest.mark.parametrize("client", list(HELD))
def test_settings_that_were_there_come_back_to_the_byte_with_their_rights(lore, home: Path, client: str) -> None:
    file = file_of(home, client, "user")
    file.parent.mkdir(exist_ok=True)
    file.write_text(HELD[client], encoding="utf-8")
    file.chmod(0o640)
    connected = lore("connect", client, "--yes", "--toolsets", "graph,ask", "--data", "~/lore data")
    assert connected.code == 0, connected.err
    arguments = read_as_client(file, client)["loreweave"]["args"]
    assert arguments[-4:] == ["--data", str(home / "lore data"), "--toolsets", "graph,ask"]
    assert sorted(read_as_client(file, client)) == ["loreweave", "x"]
    assert lore("connect", client, "--yes").json["written"] is True  # other arguments: ours is ours to change
    assert "--toolsets" not in read_as_client(file, client)["loreweave"]["args"]
    assert lore("connect", client, "--remove", "--yes").code == 0
    assert file.read_text(encoding="utf-8") == HELD[client]
    assert file.stat().st_mode & 0o777 == 0o640
    assert [path.name for path in file.parent.iterdir() if ".lore-" in path.name] == []


def read_as_client(file: Path, client: str) -> Any:
    text = file.read_text(encoding="utf-8")
    if client == "codex":
        return tomllib.loads(text)["mcp_servers"]
    return json.loads(text.replace(", // mine", ","))["mcpServers"]


@pytest.mark.holds("outside.connect.starts")
def test_what_was_written_starts_and_lists_its_tools(lore, home: Path, tmp_path: Path) -> None:
    """Once, since a start takes seconds: all three are to start the same, with the environment that clients hand on."""
    started = []
    for client in HELD:
        assert lore("connect", client, "--yes", "--toolsets", "memory").code == 0
        entry = entry_in(file_of(home, client, "user"))
        started.append((entry["command"], entry["args"], _expanded(entry)))
    assert started == [started[0]] * 3
    command, arguments, variables = started[0]

    async def tools() -> set[str]:
        environment = {**get_default_environment(), **variables}
        parameters = StdioServerParameters(command=command, args=arguments, env=environment, cwd=tmp_path)
        async with Client(stdio_client(parameters)) as session:
            return {tool.name for tool in (await session.list_tools()).tools}

    assert {"store_memory", "get_memory"} <= anyio.run(tools)


@pytest.mark.holds("outside.connect.starts")
def test_tools_that_only_read_are_told_that_there_is_nothing_to_read_yet(lore, home: Path) -> None:
    done = lore("connect", "codex", "--yes", "--toolsets", "ask,route")
    assert (done.code, "`lore ingest FOLDER` makes one" in done.err) == (0, True)


def _expanded(entry: dict[str, Any]) -> dict[str, str]:
    """Variables as the three clients hand them on."""
    names = entry.get("env_vars", entry.get("env", {}))
    for name in names if isinstance(names, dict) else ():
        assert names[name] in (f"${{{name}:-}}", f"${{env:{name}}}")
    return {name: os.environ[name] for name in names}


@pytest.mark.holds("outside.connect.no-secret")
@pytest.mark.parametrize(("client", "scope"), CASES)
def test_a_secret_is_named_and_never_written(lore, home: Path, monkeypatch, client: str, scope: str) -> None:
    monkeypatch.setenv("LORE_DATABASE_URL", "postgresql://ann:s3cret@db/lore")
    monkeypatch.setenv("ANTHROPIC_API_KEY", "sk-s3cret")
    done = lore("connect", client, f"--{scope}", "--yes")
    assert done.code == 0, done.err
    file = file_of(home, client, scope)
    assert b"s3cret" not in file.read_bytes() + done.out
    assert {"ANTHROPIC_API_KEY", "LORE_DATABASE_URL", "LORE_EMBEDDER"} == set(_expanded(entry_in(file)))


@pytest.mark.holds("outside.connect.shown")
def test_the_change_is_shown_without_the_keys_of_others(lore, home: Path) -> None:
    file = home / ".claude.json"
    file.write_text(
        '{\n  "mcpServers": {\n    "x": {\n      "env": {"KEY": "s3cret"}\n    }\n  }\n}\n', encoding="utf-8"
    )
    before = file.read_bytes()
    shown = lore("connect", "claude-code")
    assert (shown.code, shown.json["written"], file.read_bytes()) == (1, False, before)
    assert "--yes" in shown.err
    assert '+    "loreweave": {' in shown.json["diff"]
    assert "s3cret" not in shown.json["diff"]


@pytest.mark.holds("outside.connect.shown")
@pytest.mark.parametrize(("key", "written"), [(b"n\n", False), (b"y\n", True)])
def test_a_person_sees_the_change_and_is_asked(home: Path, key: bytes, written: bool) -> None:
    with on_terminal("loreweave.faces.cli.lore", "connect", "cursor", "--project", HOME=str(home)) as terminal:
        terminal.read_until("[y/N]")
        assert '+    "loreweave": {' in terminal.seen
        terminal.press(key)
        code = terminal.finish()
    assert (code == 0, (home / "project/.cursor/mcp.json").exists()) == (written, written)
    assert ("Cursor starts Loreweave" in terminal.seen, "Nothing was written" in terminal.seen) == (
        written,
        not written,
    )


@pytest.mark.holds("outside.connect.shown", "outside.connect.whole")
def test_settings_that_a_client_changed_while_the_person_thought_are_left_alone(home: Path) -> None:
    file = home / ".claude.json"
    file.write_text("{}\n", encoding="utf-8")
    with on_terminal("loreweave.faces.cli.lore", "connect", "claude-code", HOME=str(home)) as terminal:
        terminal.read_until("[y/N]")
        file.write_text('{"numStartups": 2}\n', encoding="utf-8")
        terminal.press(b"y\n")
        assert terminal.finish() == 1
    assert "was changed by somebody else" in terminal.seen
    assert file.read_text(encoding="utf-8") == '{"numStartups": 2}\n'


@pytest.mark.holds("outside.connect.foreign")
def test_an_entry_of_somebody_else_is_left_alone_unless_told(lore, home: Path) -> None:
    file = home / ".cursor" / "mcp.json"
    file.parent.mkdir()
    file.write_text('{"mcpServers": {"loreweave": {"url": "https://elsewhere/mcp"}}}', encoding="utf-8")
    before = file.read_bytes()
    for arguments in (["--yes"], ["--yes", "--remove"]):
        refused = lore("connect", "cursor", *arguments)
        assert (refused.code, file.read_bytes()) == (1, before)
        assert "loreweave" in refused.err
    beside = lore("connect", "cursor", "--yes", "--name", "lore-2")
    assert (beside.code, entry_in(file, "loreweave")) == (0, {"url": "https://elsewhere/mcp"})
    assert lore("connect", "cursor", "--remove", "--name", "lore-2", "--yes").code == 0
    assert file.read_bytes() == before
    assert lore("connect", "cursor", "--yes", "--replace").code == 0
    assert entry_in(file)["args"][-3] == "mcp"


@pytest.mark.holds("outside.connect.broken")
@pytest.mark.parametrize(
    ("client", "text"), [("cursor", b"{"), ("codex", b"a = "), ("claude-code", b"\xff\xfe{\x00}\x00")]
)
def test_settings_that_cannot_be_read_are_left_as_they_are(lore, home: Path, client: str, text: bytes) -> None:
    file = file_of(home, client, "user")
    file.parent.mkdir(exist_ok=True)
    file.write_bytes(text)
    for arguments in ([], ["--remove"]):
        refused = lore("connect", client, "--yes", *arguments)
        assert (refused.code, file.read_bytes()) == (2, text)
        assert str(file) in refused.err


@pytest.mark.holds("outside.connect.whole")
def test_a_link_stays_a_link_and_what_it_leads_to_is_changed(lore, home: Path) -> None:
    kept = home / "dotfiles" / "claude.json"
    kept.parent.mkdir()
    kept.write_text("{}\n", encoding="utf-8")
    (home / ".claude.json").symlink_to(kept)
    assert lore("connect", "claude-code", "--yes").code == 0
    assert (home / ".claude.json").is_symlink()
    assert entry_in(kept)["type"] == "stdio"
    assert lore("connect", "claude-code", "--yes", "--remove").code == 0
    assert kept.read_text(encoding="utf-8") == "{}\n"
    (home / ".claude.json").unlink()
    (home / ".claude.json").symlink_to(".claude.json")
    assert lore("connect", "claude-code", "--yes").code == 1
    (home / ".claude.json").unlink()
    (home / ".claude.json").symlink_to(home / "dotfiles" / "later.json")
    assert lore("connect", "claude-code", "--yes").code == 0
    assert entry_in(home / "dotfiles" / "later.json")


@pytest.mark.holds("outside.connect.whole")
def test_what_may_only_be_read_is_not_written(lore, home: Path) -> None:
    file = home / ".claude.json"
    file.write_text("{}\n", encoding="utf-8")
    file.chmod(0o400)
    refused = lore("connect", "claude-code", "--yes")
    assert (refused.code, file.read_text(encoding="utf-8")) == (1, "{}\n")
    assert "may only be read" in refused.err
    (home / ".cursor").write_text("a file", encoding="utf-8")
    refused = lore("connect", "cursor", "--yes")
    assert (refused.code, "cannot be" in refused.err) == (1, True)
    (home / ".codex" / "config.toml").mkdir(parents=True)
    assert lore("connect", "codex", "--yes").code == 2


@pytest.mark.holds("outside.connect.places")
def test_a_client_that_keeps_its_settings_elsewhere_is_found_there(lore, home: Path, monkeypatch) -> None:
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", str(home / "claude"))
    monkeypatch.setenv("CODEX_HOME", str(home / "codex"))
    for client, file in (("claude-code", "claude/.claude.json"), ("codex", "codex/config.toml")):
        done = lore("connect", client, "--yes")
        assert (done.code, done.json["file"]) == (0, str(home / file))
    assert lore("connect", "claude-code", "--project", "--yes").code == 0
    checks = {check["name"]: check for check in lore("doctor").json["checks"]}
    assert checks["clients"]["detail"] == "start this by MCP: claude-code (user), claude-code (project), codex (user)"


@pytest.mark.holds("outside.connect.places")
def test_a_client_that_is_not_installed_is_told_of(lore, home: Path, monkeypatch) -> None:
    monkeypatch.setenv("PATH", "/nowhere")
    done = lore("connect", "codex", "--project", "--yes")
    assert (done.code, "Codex was not found" in done.err, "once you trust it" in done.err) == (0, True, True)


@pytest.mark.holds("outside.connect.places")
@pytest.mark.parametrize(
    "arguments",
    [["vim"], ["cursor", "--name", "a b"], ["cursor", "--toolsets", "magic"], ["cursor", "--data", "/x/${HOME}"]],
)
def test_wrong_usage_of_connect_is_exit_two(lore, home: Path, arguments: list[str]) -> None:
    done = lore("connect", *arguments, "--yes")
    assert (done.code, done.out) == (2, b"")
    assert sorted(path.name for path in home.iterdir()) == ["project"]
    assert list((home / "project").iterdir()) == []


def test_the_program_that_is_written_is_the_one_that_runs(lore, home: Path, tmp_path: Path, monkeypatch) -> None:
    own = tmp_path / "bin" / "lore"
    own.parent.mkdir()
    own.write_text("#!/bin/sh\n", encoding="utf-8")
    own.chmod(0o755)
    monkeypatch.setattr(sys, "argv", [str(own), "connect"])
    assert lore("connect", "codex", "--yes").code == 0
    assert entry_in(home / ".codex" / "config.toml")["command"] == str(own)
    assert [client.title for client in CLIENTS.values()] == ["Claude Code", "Cursor", "Codex"]


@pytest.mark.holds("outside.connect.whole")
def test_an_unknown_client_is_answered_with_those_there_are(lore) -> None:
    refused = lore("connect", "vscode")
    assert (refused.code, refused.err) == (
        2,
        "error: There is no client 'vscode': there are claude-code, cursor, codex.\n",
    )
