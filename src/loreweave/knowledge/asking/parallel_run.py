"""How work that is cut into parts is run."""

from collections.abc import Callable, Iterable
from typing import Any

# As the built-in map: results in order. Processes run it where there is much to do.
Run = Callable[[Callable[[Any], Any], Iterable[Any]], Iterable[Any]]
