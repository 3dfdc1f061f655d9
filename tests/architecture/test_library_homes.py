"""Every outside library has a home room; nobody else imports it."""

import ast
from functools import cache

import pytest
from tests.architecture.source_tree import SOURCE, modules

HOMES = {
    "Stemmer": ("language",),
    "anthropic": ("seams/models",),
    "anyio": ("faces", "work/agents/mcp_portal.py"),
    "dbos": ("seams/engine",),
    "httpx": ("seams/archives", "seams/embedding", "faces/cli"),
    "httpx2": ("seams/models",),
    "mcp": ("faces/mcp", "work/agents/mcp_portal.py"),
    "mcp_types": ("faces/mcp", "work/agents/mcp_portal.py"),
    "nh3": ("knowledge/documents",),
    "numpy": (
        *("language", "seams/embedding", "index", "knowledge/packs", "knowledge/graph"),
        "knowledge/digest",
        *("memory/search", "memory/inbox"),
    ),
    "openai": ("seams/models",),
    "platformdirs": ("settings.py",),
    "psycopg": ("seams/engine", "seams/storage"),
    "pydantic": ("contracts", "faces", "operations", "work/skill_plans"),
    "pydantic_ai": ("seams/models", "routing/agent"),
    "pydantic_core": ("faces", "knowledge/documents"),
    "pyromark": ("language/markdown", "knowledge/documents", "knowledge/answers"),
    "python_multipart": ("faces/http",),
    "regex": ("routing/folders",),
    "rich": ("faces/cli",),
    "serial": ("seams/host",),
    "sqlalchemy": ("seams/engine",),
    "sqlite3": ("seams/storage",),
    "starlette": ("faces",),
    "subprocess": ("faces/cli", "seams/host"),
    "typer": ("faces/cli",),
    "uvicorn": ("faces/http",),
    "watchfiles": ("work/folder_watches.py",),
    "websockets": ("faces/http",),
    "yaml": ("language/headers",),
}


@cache
def _imports() -> list[tuple[str, str]]:
    """(top name of what is imported, file below the package)."""
    found = []
    for module in modules().values():
        for node in ast.walk(module.tree):
            if isinstance(node, ast.Import):
                found += [(name.name.partition(".")[0], module.path) for name in node.names]
            elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
                found.append((node.module.partition(".")[0], module.path))
    return [(library, path.relative_to(SOURCE / "loreweave").as_posix()) for library, path in found]


@pytest.mark.holds("house.storage.imports-go-down")
def test_a_library_is_imported_in_its_home_room_alone() -> None:
    strangers = [
        f"{file} imports {library}"
        for library, file in _imports()
        if library in HOMES and not file.startswith(HOMES[library])
    ]
    assert strangers == []


@pytest.mark.holds("house.storage.imports-go-down")
def test_every_library_that_is_imported_has_a_home() -> None:
    import sys

    known = {*HOMES, *sys.stdlib_module_names, "loreweave"}
    assert sorted({library for library, _ in _imports()} - known) == []


@pytest.mark.holds("house.storage.imports-go-down")
def test_the_time_is_asked_of_the_clock_alone() -> None:
    askers = [module.path.name for module in modules().values() if "datetime.now" in module.text]
    assert askers == ["clock.py"]


@pytest.mark.holds("retrieval.reading.one-of-each")
def test_headers_and_archives_that_somebody_sends_are_opened_by_one_reader_each() -> None:
    """The standard library's ZIP only packs what we hand out, and opens weights of our own."""
    found = {library: sorted({path for name, path in _imports() if name == library}) for library in ("zipfile", "yaml")}
    assert found == {
        "zipfile": [
            "memory/markdown/export_memories.py",
            "seams/embedding/two_tower_embedder.py",
            "work/builds/build_service.py",
        ],
        "yaml": ["language/headers/header_tree.py"],
    }
