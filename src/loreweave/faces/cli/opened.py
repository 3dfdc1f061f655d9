"""The services, opened for the length of one command."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from loreweave.application import Application


@contextmanager
def opened(data: Path | None, *, start_method: str = "fork", **flags: Any) -> "Iterator[Application]":
    """Settings from environment, file and flags; then the application over them.

    A command that runs threads must not fork: it asks for another `start_method`.
    """
    from loreweave.application import open_application
    from loreweave.settings import load_settings

    application = open_application(load_settings(data_dir=data, **flags), start_method=start_method)
    try:
        yield application
    finally:
        application.close()


def given(**values: Any) -> dict[str, Any]:
    """Only what was said: everything else is the contract's default."""
    return {name: value for name, value in values.items() if value is not None}
