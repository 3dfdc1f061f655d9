"""The points a node has whatever is asked: hub, type and recency, in millionths of a point."""

MILLION = 1_000_000
MOST_HUB_POINTS = 10
TYPE_POINTS = {"moc": 5, "framework": 4, "technique": 2}
RECENCY_POINTS = 5
RECENCY_DAYS = 100


def standing_points(degree: int, node_type: str, age_days: int | None) -> int:
    """`age_days` counts back from the newest note of the graph; None for a note without a date."""
    recency = 0
    if age_days is not None:
        recency = RECENCY_POINTS * MILLION // RECENCY_DAYS * max(0, RECENCY_DAYS - age_days)
    return (min(MOST_HUB_POINTS, degree) + TYPE_POINTS.get(node_type, 0)) * MILLION + recency
