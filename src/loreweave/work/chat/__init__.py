"""A conversation over all that the house knows: it reads, answers within its budget, and cites what it read."""
