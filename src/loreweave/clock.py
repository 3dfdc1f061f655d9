"""Time as a value, so that it is passed in and tests can wind it."""

from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Protocol


class Clock(Protocol):
    """Tells the time."""

    def now(self) -> datetime: ...


class SystemClock:
    """The machine's time, in UTC."""

    def now(self) -> datetime:
        return datetime.now(UTC)


class FileClock:
    """The time is what a file says (RFC 3339); for tests that wind it from outside the process."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def now(self) -> datetime:
        return parse_time(self._path.read_text(encoding="utf-8").strip())


WOUND_SECONDS = 0.05


def wait_at_most(clock: Clock, seconds: float) -> float:
    """How long to wait before the next look at the clock, so many seconds before a deadline: one that somebody else
    winds is looked at often."""
    return seconds if isinstance(clock, SystemClock) else min(seconds, WOUND_SECONDS)


def open_clock(clock_file: Path | None) -> Clock:
    return FileClock(clock_file) if clock_file else SystemClock()


def parse_time(text: str) -> datetime:
    """Reads RFC 3339; a time without a zone is UTC."""
    time = datetime.fromisoformat(text)
    return time.replace(tzinfo=UTC) if time.tzinfo is None else time.astimezone(UTC)


def format_time(time: datetime) -> str:
    """RFC 3339 in UTC, whole seconds, with `Z`."""
    return time.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


# An instant is a time as whole microseconds since 1970: exact, and compared as a number.
SECOND = 1_000_000
DAY = 86_400 * SECOND
_START = datetime(1970, 1, 1, tzinfo=UTC)


def instant(time: datetime) -> int:
    return (time - _START) // timedelta(microseconds=1)


def parse_instant(text: str) -> int:
    return instant(parse_time(text))


def format_instant(at: int) -> str:
    """RFC 3339 in UTC with `Z`; fractions of a second only where there are any."""
    whole, rest = divmod(at, SECOND)
    text = (_START + timedelta(seconds=whole)).strftime("%Y-%m-%dT%H:%M:%S")
    return f"{text}.{rest:06d}".rstrip("0") + "Z" if rest else text + "Z"


def format_milliseconds(at: int) -> str:
    """RFC 3339 in UTC with `Z`, always with milliseconds."""
    whole, rest = divmod(at, SECOND)
    return (_START + timedelta(seconds=whole)).strftime("%Y-%m-%dT%H:%M:%S") + f".{rest // 1000:03d}Z"
