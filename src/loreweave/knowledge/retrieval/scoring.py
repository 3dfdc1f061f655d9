"""The points of a node, in integers of one millionth so that halves round the same way everywhere."""

MILLION = 1_000_000
TEXT_POINTS = 55
LINK_POINTS = 20
MOST_HUB_POINTS = 10
TYPE_POINTS = {"moc": 5, "framework": 4, "technique": 2}
DOMAIN_POINTS = 5  # where the query names the node's domain
RECENCY_POINTS = 5
RECENCY_DAYS = 100


def standing_points(degree: int, node_type: str, age_days: int | None) -> int:
    """What a node has whatever is asked: hub, type and recency, in millionths of a point."""
    hub = min(MOST_HUB_POINTS, degree)
    recency = 0
    if age_days is not None:
        recency = RECENCY_POINTS * MILLION // RECENCY_DAYS * max(0, RECENCY_DAYS - age_days)
    return (hub + TYPE_POINTS.get(node_type, 0)) * MILLION + recency


def whole_points(millionths: int) -> int:
    """Half-up to whole points."""
    return (2 * millionths + MILLION) // (2 * MILLION)
