"""Builds: from a spec to a planned, tested, committed and deployed product."""
