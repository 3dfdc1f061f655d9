"""Rounding half up in whole numbers: Python's own `round` goes to the even neighbour and works on binary fractions."""


def half_up(numerator: int, denominator: int, places: int = 0) -> int:
    """numerator / denominator in units of the last place, halves upward; for values that are not negative."""
    return (2 * numerator * 10**places + denominator) // (2 * denominator)


def rounded(numerator: int, denominator: int, places: int) -> float:
    """The same as a number: rounded(67, 552, 2) is 0.12."""
    return half_up(numerator, denominator, places) / 10**places
