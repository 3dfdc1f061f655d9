"""How long a test may wait, and how much work an attacker's input may cost.

Promises of speed are lines of `make bench`. What is held here is growth: work over hostile input ends, with so much
room that only cost which grows with its square, or worse, can miss it, on the slowest machine too.
"""

import time
from collections.abc import Callable
from typing import TypeVar

from tests.examples import DEEP

Answer = TypeVar("Answer")

ROOM = 10
PART = 1 if DEEP else 3  # of a long hostile text, and of its time, a short run tries one in so many
ORDINARY = 0.05  # seconds of an idle, ordinary machine for the measure below


def slowness(clock: Callable[[], float] = time.process_time) -> float:
    """How many times slower than an ordinary machine; never below one."""
    started = clock()
    sum(number % 7 for number in range(1_000_000))
    return max(1.0, (clock() - started) / ORDINARY)


def _stretch() -> float:
    """How much longer waits may be than on an ordinary machine, others' work on its processors counted."""
    return min(8.0, max(slowness(time.perf_counter) for _ in range(3)))


STRETCH = _stretch()  # once, before there are workers
PATIENCE = 100.0 * STRETCH  # seconds; below the limit of a whole test, so that a wait says itself what it waited for


def within(seconds: float, work: Callable[[], Answer], *, clock: Callable[[], float] = time.process_time) -> Answer:
    """What the work answers, which took no longer than so many seconds and much room."""
    started = clock()
    answer = work()
    taken = clock() - started
    if taken >= seconds * ROOM:  # the machine is asked only then: that takes longer than most of what is measured
        most = seconds * ROOM * slowness(clock)
        assert taken < most, f"it took {taken:.2f} s; {most:.2f} s are plenty"
    return answer
