"""From the keys of many notes to their numbers in a view, by numpy and all at once."""

from array import array
from collections.abc import Mapping, Sequence
from copy import copy
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
        self._versions = numpy.fromiter((node.version for node in nodes), dtype=numpy.int64, count=len(nodes))

    def with_versions(self, versions: Mapping[int, int]) -> "NoteNumbers":
        """The same nodes, some of them, named by their numbers, in other versions."""
        other = copy(self)
        other._versions = self._versions.copy()
        for number, version in versions.items():
            other._versions[number] = version
        return other

    def __len__(self) -> int:
        return len(self._keys)

    def of_keys(self, wanted: Array) -> Array:
        """The number of each key; -1 where no node has it."""
        if not len(self._keys):
            return numpy.full(len(wanted), -1, dtype=numpy.int64)
        places = numpy.searchsorted(self._keys, wanted).clip(max=len(self._keys) - 1)
        return numpy.where(self._keys[places] == wanted, self._order[places], -1)

    def of_documents(self, keys: array, versions: array) -> Array:
        """The number of each (key, version); -1 where the node has another version or there is none."""
        numbers = self.of_keys(column(keys))
        if not len(self._keys):
            return numbers
        return numpy.where((numbers >= 0) & (self._versions[numbers] == column(versions)), numbers, -1)


def column(values: Any) -> Array:
    """An array or bytes of whole numbers of eight bytes, not copied."""
    return numpy.frombuffer(values, dtype=numpy.int64) if len(values) else numpy.empty(0, dtype=numpy.int64)
