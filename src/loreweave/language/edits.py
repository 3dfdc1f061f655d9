"""How far two words lie apart."""


def within_one_edit(one: str, other: str) -> bool:
    """Whether one insertion, removal, replacement or swap of neighbours, or none, makes them equal."""
    if len(one) > len(other):
        one, other = other, one
    longer = len(other) - len(one)
    if longer > 1:
        return False
    place = 0
    while place < len(one) and one[place] == other[place]:
        place += 1
    if longer:
        return one[place:] == other[place + 1 :]
    rest, other_rest = one[place:], other[place:]
    return rest[1:] == other_rest[1:] or (
        rest[:2] == other_rest[1::-1] and len(rest) >= 2 and rest[2:] == other_rest[2:]
    )
