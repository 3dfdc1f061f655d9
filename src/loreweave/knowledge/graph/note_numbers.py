"""From the keys of many notes to their numbers in a view, by numpy and all at once."""

from collections.abc import Sequence
from typing import Any

import numpy

from loreweave.knowledge.graph.view_values import ViewNode

Array = Any  # of numpy; columns of whole numbers


class NoteNumbers:
    """Looks keys up among the nodes of a view."""

    def __init__(self, nodes: Sequence[ViewNode]) -> None:
        keys = numpy.fromiter((node.key for node in nodes), dtype=numpy.int64, count=len(nodes))
        self._order = numpy.argsort(keys, kind="stable")
        self._keys = keys[self._order]

    def __len__(self) -> int:
        return len(self._keys)

    def of_keys(self, wanted: Array) -> Array:
        """The number of each key; -1 where no node has it."""
        if not len(self._keys):
            return numpy.full(len(wanted), -1, dtype=numpy.int64)
        places = numpy.searchsorted(self._keys, wanted).clip(max=len(self._keys) - 1)
        return numpy.where(self._keys[places] == wanted, self._order[places], -1)


def column(values: Any) -> Array:
    """An array or bytes of whole numbers of eight bytes, not copied."""
    return numpy.frombuffer(values, dtype=numpy.int64) if len(values) else numpy.empty(0, dtype=numpy.int64)
