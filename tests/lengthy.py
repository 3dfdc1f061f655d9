"""What `make test` leaves to `make test-all`: tests that take long, where shorter ones hold the same sentences.

`@pytest.mark.lengthy` leaves out a test, `@pytest.mark.lengthy(3)` all of its variants but three. Whoever asks for
them, by a test's name or by `-m lengthy`, has them. That each sentence keeps a test is held by tests/architecture.
"""

import pytest
from tests.examples import SHORT


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "lengthy(most=0): left to `make test-all`, but for so many of its variants")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if SHORT and not config.option.markexpr and not any("::" in asked for asked in config.args):
        left = _left_out(items)
        config.hook.pytest_deselected(items=[item for item in items if item in left])
        items[:] = [item for item in items if item not in left]


def _left_out(items: list[pytest.Item]) -> set[pytest.Item]:
    """Of variants that stay, the first and the last, and those between as far from one another."""
    variants: dict[str, list[pytest.Item]] = {}
    most: dict[str, int] = {}
    for item in items:
        if mark := item.get_closest_marker("lengthy"):
            name = item.nodeid.partition("[")[0]
            variants.setdefault(name, []).append(item)
            most[name] = sum(mark.args)
    left = set()
    for name, of_one in variants.items():
        steps = max(most[name] - 1, 1)
        stay = {round(place * (len(of_one) - 1) / steps) for place in range(most[name])}
        left.update(item for place, item in enumerate(of_one) if place not in stay)
    return left
