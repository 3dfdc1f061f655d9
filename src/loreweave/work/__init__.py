"""Contract 004: work on top of what is known."""
