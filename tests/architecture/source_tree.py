"""The package as its rules see it: modules, what each imports, and what each defines."""

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

SOURCE = Path(__file__).resolve().parents[2] / "src"
PAGE = SOURCE.parent / "web" / "src"


@dataclass(frozen=True)
class Module:
    name: str
    path: Path
    tree: ast.Module
    text: str

    @property
    def room(self) -> str:
        return self.name.rpartition(".")[0]

    @property
    def is_room(self) -> bool:
        return self.path.name == "__init__.py"


@cache
def modules() -> dict[str, Module]:
    found = {}
    for path in sorted((SOURCE / "loreweave").rglob("*.py")):
        parts = path.relative_to(SOURCE).with_suffix("").parts
        name = ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
        text = path.read_text(encoding="utf-8")
        found[name] = Module(name, path, ast.parse(text), text)
    return found


def _imported(module: Module) -> Iterator[str]:
    """Whatever the module imports of the package, at its head, later or for types alone."""
    for node in ast.walk(module.tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            for alias in node.names:
                inner = f"{node.module}.{alias.name}"
                yield inner if inner in modules() else node.module


@cache
def imports() -> dict[str, frozenset[str]]:
    known = modules()
    return {name: frozenset(set(_imported(module)) & known.keys() - {name}) for name, module in known.items()}


def circles() -> list[list[str]]:
    """Modules that import one another, however far round, by taking away whoever imports nobody that is left."""
    left = {name: set(targets) for name, targets in imports().items()}
    while free := [name for name, targets in left.items() if not targets & left.keys()]:
        for name in free:
            del left[name]
    while free := [name for name in left if not any(name in targets for targets in left.values())]:
        for name in free:
            del left[name]
    return [sorted(left)] if left else []
