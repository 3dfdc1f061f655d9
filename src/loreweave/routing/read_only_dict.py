"""A dict that refuses to change, so that frozen values may hold one and JSON still writes it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NoReturn


class ReadOnlyDict(dict[str, Any]):
    """Equal to any dict of the same items."""

    __slots__ = ()

    def _refuse(self, *_: object, **__: object) -> NoReturn:
        raise TypeError("this mapping cannot be changed; make a dict of it first")

    __setitem__ = __delitem__ = __ior__ = _refuse
    clear = pop = popitem = setdefault = update = _refuse

    def __copy__(self) -> ReadOnlyDict:
        return self

    def __reduce__(self) -> tuple[type[ReadOnlyDict], tuple[dict[str, Any]]]:
        return ReadOnlyDict, (dict(self),)


EMPTY = ReadOnlyDict()


def read_only(mapping: Mapping[str, Any] | None) -> ReadOnlyDict:
    """A copy that stays as it is now."""
    if isinstance(mapping, ReadOnlyDict):
        return mapping
    return ReadOnlyDict(mapping) if mapping else EMPTY


def frozen_copy(value: Any) -> Any:
    """A copy whose containers cannot change: dicts read-only, lists as tuples, sets frozen."""
    if isinstance(value, str | ReadOnlyDict):
        return value
    if isinstance(value, Mapping):
        return ReadOnlyDict({key: frozen_copy(item) for key, item in value.items()})
    if isinstance(value, list | tuple):
        copied = tuple(frozen_copy(item) for item in value)
        return copied if type(value) in (list, tuple) else value
    if isinstance(value, set | frozenset):
        return frozenset(value)
    return value
