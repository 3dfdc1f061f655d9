"""The sliding hour of ingests, on a clock that the test winds."""

from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta

import pytest

from loreweave.access.access_service import AccessService
from loreweave.application import Application
from loreweave.errors import RateLimited

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)


class WoundClock:
    def __init__(self) -> None:
        self.time = NOON

    def now(self) -> datetime:
        return self.time

    def wind(self, **passed: float) -> None:
        self.time += timedelta(**passed)


@pytest.fixture
def clock() -> WoundClock:
    return WoundClock()


@pytest.fixture
def access(application: Application, clock: WoundClock) -> AccessService:
    return AccessService(application.store, clock, ingests_per_hour=3)


def is_refused(access: AccessService, user: str = "mira") -> bool:
    try:
        access.count_ingest(user)
    except RateLimited:
        return True
    return False


@pytest.mark.holds("graph.rate.sliding-hour")
def test_an_ingest_leaves_the_hour_exactly_when_it_is_an_hour_old(access: AccessService, clock: WoundClock) -> None:
    for _ in range(3):
        access.count_ingest("mira")
        clock.wind(minutes=10)
    assert is_refused(access)
    clock.wind(minutes=29, seconds=59.999)
    assert is_refused(access)
    clock.wind(seconds=0.001)
    assert not is_refused(access)
    assert is_refused(access)


@pytest.mark.holds("graph.rate.retry-after")
def test_the_wait_is_told_in_whole_seconds_and_is_true(access: AccessService, clock: WoundClock) -> None:
    for _ in range(3):
        access.count_ingest("mira")
        clock.wind(seconds=10.5)
    with pytest.raises(RateLimited) as refused:
        access.count_ingest("mira")
    assert refused.value.facts == {"limit": 3, "retryAfter": 3569}  # 3600 - 31.5, rounded up
    clock.wind(seconds=3569)
    access.count_ingest("mira")


def test_a_refusal_is_not_counted(access: AccessService, clock: WoundClock) -> None:
    for _ in range(3):
        access.count_ingest("mira")
    clock.wind(minutes=59)
    for _ in range(5):
        assert is_refused(access)
    clock.wind(minutes=1)
    assert not is_refused(access)


def test_checking_counts_nothing(access: AccessService) -> None:
    for _ in range(10):
        access.check_ingest("mira")
    for _ in range(3):
        access.count_ingest("mira")
    with pytest.raises(RateLimited):
        access.check_ingest("mira")


@pytest.mark.holds("graph.rate.user")
def test_users_do_not_share_an_hour(access: AccessService) -> None:
    for _ in range(3):
        access.count_ingest("mira")
    assert is_refused(access, "mira")
    assert not is_refused(access, "noor")


@pytest.mark.holds("graph.rate.survives-restart")
def test_a_restart_forgets_nothing(application: Application, access: AccessService, clock: WoundClock) -> None:
    for _ in range(3):
        access.count_ingest("mira")
    assert is_refused(AccessService(application.store, clock, ingests_per_hour=3))


@pytest.mark.holds("house.settings.ingests-per-hour-zero")
def test_zero_means_no_limit(application: Application, clock: WoundClock) -> None:
    unlimited = AccessService(application.store, clock, ingests_per_hour=0)
    for _ in range(50):
        unlimited.check_ingest("mira")
        unlimited.count_ingest("mira")


def test_ingests_that_arrive_together_cannot_share_the_last_place(access: AccessService) -> None:
    with ThreadPoolExecutor(8) as threads:
        refused = list(threads.map(lambda _: is_refused(access), range(8)))
    assert refused.count(False) == 3


@pytest.mark.holds("graph.rate.clock-that-ran-ahead")
def test_what_was_counted_while_the_clock_ran_ahead_does_not_count(access: AccessService, clock: WoundClock) -> None:
    clock.wind(days=40)
    for _ in range(3):
        access.count_ingest("mira")
    clock.wind(days=-40)
    access.check_ingest("mira")
    assert [is_refused(access) for _ in range(4)] == [False, False, False, True]
    clock.wind(days=40)
    assert not is_refused(access)
