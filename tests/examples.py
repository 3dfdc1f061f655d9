"""How much the tests look at: `make test` at every change, `make test-all` before one is shared, and for a release
`make test-deep`, which tries each law on all its examples."""

import os

DEEP = os.environ.get("HOUSE_TESTS") == "deep"
SHORT = not os.environ.get("HOUSE_TESTS")


def examples(most: int) -> int:
    """How many examples a law is tried on: all of them in a deep run, a tenth in a short one."""
    return most if DEEP else max(10, most // 10)
