"""Who has stood still for too long, by our own watch: clocks of machines may differ."""

from collections.abc import Mapping


class SignsOfLife:
    """Everybody counts up in a row of their own; whose count stays the same for so many seconds is dead."""

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._seen: dict[str, tuple[int, float]] = {}
        self._looked = 0.0

    def find_dead(self, counts: Mapping[str, int], now: float) -> list[str]:
        if now - self._looked >= self._seconds:
            self._seen.clear()  # what held us up may have held up everybody: nobody is judged by that time
        self._looked = now
        dead = []
        for name, count in counts.items():
            known = self._seen.get(name)
            if known is None or known[0] != count:
                self._seen[name] = (count, now)
            elif now - known[1] >= self._seconds:
                dead.append(name)
        for name in set(self._seen) - set(counts):
            del self._seen[name]
        return sorted(dead)
