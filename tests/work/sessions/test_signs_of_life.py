"""Who is taken for dead: whose count stands still while we could look, and nobody else."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from loreweave.work.sessions.workshop import SignsOfLife

SECONDS = 10.0


@pytest.mark.holds("session.crash.taken-over")
def test_whoever_stands_still_is_dead_after_so_many_seconds() -> None:
    signs = SignsOfLife(SECONDS)
    found = [signs.find_dead({"alive": moment, "dead": 7}, 100.0 + 2 * moment) for moment in range(8)]
    assert found == [[]] * 5 + [["dead"]] * 3


@pytest.mark.holds("session.crash.taken-over")
def test_a_late_beat_is_a_beat() -> None:
    signs = SignsOfLife(SECONDS)
    counts = [1, 1, 1, 1, 2, 2, 2, 2, 2, 2]
    assert [signs.find_dead({"one": count}, 2.0 * moment) for moment, count in enumerate(counts)][:9] == [[]] * 9


@pytest.mark.holds("session.crash.only-the-dead")
def test_nobody_is_judged_by_a_time_in_which_we_could_not_look() -> None:
    signs = SignsOfLife(SECONDS)
    assert signs.find_dead({"one": 1}, 0.0) == []
    assert signs.find_dead({"one": 1}, 60.0) == []  # the database was held by somebody: by all means, beat now
    assert signs.find_dead({"one": 2}, 62.0) == []
    assert signs.find_dead({"one": 2}, 71.0) == []
    assert signs.find_dead({"one": 2}, 72.0) == ["one"]


@pytest.mark.holds("session.crash.only-the-dead")
def test_whoever_comes_back_is_seen_anew() -> None:
    signs = SignsOfLife(SECONDS)
    assert signs.find_dead({"one": 1}, 0.0) == []
    assert signs.find_dead({}, 9.0) == []  # buried
    assert signs.find_dead({"one": 1}, 18.0) == []


@given(gaps=st.lists(st.floats(0.1, 9.9), min_size=1, max_size=30))
@pytest.mark.holds("session.crash.only-the-dead")
def test_who_beats_between_any_two_looks_is_never_dead(gaps: list[float]) -> None:
    signs, now = SignsOfLife(SECONDS), 0.0
    for count, gap in enumerate(gaps):
        now += gap
        assert signs.find_dead({"one": count}, now) == []
