"""Loreweave: a folder of markdown as a graph of know-how."""

from __future__ import annotations

TYPE_CHECKING = False  # as type checkers know it; importing typing would cost more than all the rest here
if TYPE_CHECKING:
    from typing import Any

    from loreweave.routing import *  # noqa: F403

__version__ = "0.1.0"

# Names so general that only `loreweave.routing` lists them, where they say what they are about.
_UNLISTED = frozenset(("Conflict", "Limit", "Message", "Move"))


def open(data: Any = None, **settings: Any) -> Any:
    """The library of a data folder, for Python: `with loreweave.open("data") as lore: lore.graph.graphs()`.

    Its rooms are `graph`, `ask`, `memory`, `route` and `sessions`; without a folder it is the one of the settings, and
    settings may be given by name.
    """
    from importlib import import_module

    return import_module("loreweave.faces.python_library").open_library(data, **settings)


def __getattr__(name: str) -> Any:
    """The names of routing are its own; they are loaded when first asked for, so importing the package stays cheap."""
    if name == "__all__":  # `open` would hide the one of Python, and all of routing load the frameworks of agents
        return ["__version__"]
    if not name.startswith("_"):
        from loreweave.routing import NAMES

        if name in NAMES:
            from importlib import import_module

            globals()[name] = value = getattr(import_module("loreweave.routing"), name)
            return value
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    from loreweave.routing import NAMES

    return sorted({*globals(), *NAMES} - _UNLISTED)
