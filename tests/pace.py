"""How fast this machine is just now: a shared one may be twenty times slower from one minute to the next.

A promise of speed is held against the machine's own pace at that moment, and fails only where it fails every
time it is tried. What merely guards against hanging waits for PATIENCE.
"""

import time
from collections.abc import Callable
from typing import TypeVar

Answer = TypeVar("Answer")

PATIENCE = 600.0
ATTEMPTS = 5
ORDINARY = 0.05  # seconds of an idle, ordinary machine for the measure below


def slowness(clock: Callable[[], float] = time.process_time) -> float:
    """How many times slower than an ordinary machine; never below one."""
    started = clock()
    sum(number % 7 for number in range(1_000_000))
    return max(1.0, (clock() - started) / ORDINARY)


def within(seconds: float, work: Callable[[], Answer], *, clock: Callable[[], float] = time.process_time) -> Answer:
    """What the work answers, once it took no longer than an ordinary machine may take."""
    tried = []
    for _ in range(ATTEMPTS):
        before = slowness(clock)
        started = clock()
        answer = work()
        taken = clock() - started
        pace = max(before, slowness(clock))
        if taken < seconds * pace:
            return answer
        tried.append(f"{taken:.2f} s at a pace of {pace:.1f}")
    raise AssertionError(f"{seconds} s were promised; taken: {', '.join(tried)}")
