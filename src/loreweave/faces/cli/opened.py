"""The services, opened for the length of one command."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from loreweave.application import Application


@contextmanager
def opened(
    data: Path | None, *, start_method: str = "fork", takes_work: bool = True, **flags: Any
) -> "Iterator[Application]":
    """Settings from environment, file and flags; then the application over them.

    A command that runs threads must not fork: it asks for another `start_method`. One that ends soon leaves
    sessions to others: without `takes_work` it goes on with nothing they left.
    """
    from loreweave.application import open_application
    from loreweave.settings import load_settings

    settings = load_settings(data_dir=data, **flags)
    application = open_application(settings, start_method=start_method, takes_work=takes_work)
    try:
        yield application
    finally:
        application.close()


def given(**values: Any) -> dict[str, Any]:
    """Only what was said: everything else is the contract's default."""
    return {name: value for name, value in values.items() if value is not None}
