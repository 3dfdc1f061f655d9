"""How much work at once is done: cut into parts that processes may run, and without looking for garbage."""

import gc
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Any

# As the built-in map: results in order. Processes run it where there is much to do.
Run = Callable[[Callable[[Any], Any], Iterable[Any]], Iterable[Any]]


@contextmanager
def without_collection() -> Iterator[None]:
    """A build makes millions of values that all stay: looking for garbage among them again and again finds none."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()
