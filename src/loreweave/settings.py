"""The only reader of the environment: one frozen, typed Settings.

Environment, then `lore.toml` in the data folder, then flags; later wins. In `lore.toml` a setting has its name in
lower case without the prefix: `port = 9000`.
"""

import os
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

from loreweave.errors import InvalidInput

MEBIBYTE = 1024 * 1024
GITHUB_ARCHIVES = "https://github.com/{owner}/{repo}/archive/{ref}.zip"


@dataclass(frozen=True, slots=True)
class Settings:
    """What can be set, under the name `LORE_` + upper case of the field."""

    data_dir: Path
    host: str = "127.0.0.1"
    port: int = 8000
    database_url: str = ""  # empty: SQLite in the data folder
    embedder: str = "static"
    max_zip_bytes: int = 10 * MEBIBYTE
    max_files: int = 500
    max_markdown_bytes: int = 5 * MEBIBYTE
    ingests_per_hour: int = 20  # 0: no limit
    github_archive_url: str = GITHUB_ARCHIVES
    auth: str = "auto"
    cors_origins: tuple[str, ...] = ()
    failpoint: str = ""
    clock_file: Path | None = None
    openai_api_key: str = ""
    openai_base_url: str = ""

    def __repr__(self) -> str:
        """Names the folder only: a settings value that lands in a log must not carry a key."""
        return f"Settings(data_dir={str(self.data_dir)!r})"


_FOREIGN = {"openai_api_key": "OPENAI_API_KEY", "openai_base_url": "OPENAI_BASE_URL"}
# Documented settings of parts that are not built yet: a file that holds them is right, they do nothing here.
_LATER = {
    *("model", "narrator_model", "narrator_debounce_s", "narrator_interval_s", "token_budget"),
    *("ask_graph", "ask_timeout_s", "ask_concurrency", "ask_log", "ask_user_timeout_s", "recovery_days"),
    *("workspace_root", "agent_timeout_s", "max_parallel_tasks", "serial_ports", "sandbox"),
}
_CHOICES = {"auth": ("auto", "required", "off")}
_RANGES = {
    "port": (0, 65535),
    "max_zip_bytes": (1, 2**40),
    "max_files": (1, 10**9),
    "max_markdown_bytes": (1, 2**40),
    "ingests_per_hour": (0, 10**9),
}


def load_settings(environment: Mapping[str, str] | None = None, **flags: Any) -> Settings:
    """Reads environment and file, lays the given flags (those not None) over them and checks every value."""
    environment = os.environ if environment is None else environment
    given = {name: value for name, value in flags.items() if value is not None}
    found = _from_environment(environment)
    data_dir = Path(given.get("data_dir") or found.get("data_dir") or _platform_data_dir())
    found = {**found, **_from_file(data_dir / "lore.toml"), **given, "data_dir": data_dir.expanduser().absolute()}
    return Settings(**{name: _checked(name, value) for name, value in found.items()})


def _variable(name: str) -> str:
    return _FOREIGN.get(name) or "LORE_" + name.upper()


def _from_environment(environment: Mapping[str, str]) -> dict[str, Any]:
    names = [field.name for field in fields(Settings)]
    return {name: environment[_variable(name)] for name in names if environment.get(_variable(name))}


def _from_file(path: Path) -> dict[str, Any]:
    try:
        found = tomllib.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return {}
    except (OSError, ValueError) as trouble:
        raise InvalidInput(f"lore.toml cannot be read: {trouble}", field="lore.toml") from trouble
    known = {field.name for field in fields(Settings)} - {"data_dir"} - set(_FOREIGN)
    for name in found:
        if name not in known | _LATER:
            raise InvalidInput(f"lore.toml holds an unknown setting {name!r}", field=name)
    return {name: value for name, value in found.items() if name in known}


def _platform_data_dir() -> Path:
    import platformdirs  # only when nothing else names the folder

    return Path(platformdirs.user_data_dir("loreweave", appauthor=False))


def _checked(name: str, value: Any) -> Any:
    if name in ("data_dir", "clock_file"):
        return Path(value)
    if name in _RANGES:
        return _whole_number(name, value)
    if name == "cors_origins":
        parts = value.split(",") if isinstance(value, str) else value
        return tuple(str(part).strip().rstrip("/") for part in parts if str(part).strip())
    if not isinstance(value, str):
        raise InvalidInput(f"{_variable(name)} must be text", field=_variable(name))
    if name in _CHOICES and value not in _CHOICES[name]:
        raise InvalidInput(f"{_variable(name)} must be one of {', '.join(_CHOICES[name])}", field=_variable(name))
    return value


def _whole_number(name: str, value: Any) -> int:
    low, high = _RANGES[name]
    try:
        if isinstance(value, bool):
            raise ValueError
        number = int(value) if isinstance(value, str) else value
        if not isinstance(number, int) or not low <= number <= high:
            raise ValueError
    except ValueError:
        message = f"{_variable(name)} must be a whole number from {low} to {high}"
        raise InvalidInput(message, field=_variable(name)) from None
    return number


def without_pydantic_plugins() -> None:
    """Looking for plugins that we never use costs pydantic a tenth of a cold command's time."""
    os.environ.setdefault("PYDANTIC_DISABLE_PLUGINS", "1")
