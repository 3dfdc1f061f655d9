"""The best of many, in a way that does not depend on their order."""

import numpy


def largest(scores: numpy.ndarray, count: int, most: int | None = None) -> numpy.ndarray:
    """Places of so many of the largest scores, in ascending order; of equal ones all, or none where these are more
    than `most`."""
    if len(scores) <= count:
        return numpy.arange(len(scores))
    cut = numpy.partition(scores, -count)[-count]
    found = numpy.flatnonzero(scores >= cut)
    return found if most is None or len(found) <= most else numpy.flatnonzero(scores > cut)
