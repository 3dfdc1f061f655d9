"""The session log, its watchers, and what waits for people."""
