"""How deep the tests look: a short run is for every change, a deep one (`make test-deep`) for a release."""

import os

DEEP = os.environ.get("HOUSE_TESTS") == "deep"


def examples(most: int) -> int:
    """How many examples a law is tried on: all of them in a deep run, a tenth in a short one."""
    return most if DEEP else max(10, most // 10)
