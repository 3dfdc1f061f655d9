"""Time as a value."""

from datetime import UTC, datetime
from pathlib import Path

import pytest

from loreweave.clock import FileClock, SystemClock, format_time, open_clock, parse_time


@pytest.mark.holds("house.settings.clock-file")
def test_the_time_is_what_the_file_says(tmp_path: Path) -> None:
    file = tmp_path / "time"
    file.write_text("2026-03-01T12:00:00+02:00\n")
    clock = open_clock(file)
    assert isinstance(clock, FileClock)
    assert clock.now() == datetime(2026, 3, 1, 10, tzinfo=UTC)
    file.write_text("2026-03-02T00:00:00Z")
    assert format_time(clock.now()) == "2026-03-02T00:00:00Z"


@pytest.mark.holds("house.settings.clock-file")
def test_without_a_file_the_machine_tells_the_time() -> None:
    clock = open_clock(None)
    assert isinstance(clock, SystemClock)
    assert clock.now().tzinfo is UTC
    assert parse_time("2026-01-01T00:00:00").tzinfo is UTC
