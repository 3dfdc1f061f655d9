"""How deep the tests look: a short run is for every change, a deep one (`make test-deep`) for a release."""

import os
from collections.abc import Sequence
from typing import TypeVar

Case = TypeVar("Case")

DEEP = os.environ.get("HOUSE_TESTS") == "deep"


def examples(most: int) -> int:
    """How many examples a law is tried on: all of them in a deep run, a tenth in a short one."""
    return most if DEEP else max(10, most // 10)


def first(most: int, cases: Sequence[Case]) -> Sequence[Case]:
    """Of cases that go one way through the same code: the first few in a short run, all of them in a deep one."""
    return cases if DEEP else cases[:most]
