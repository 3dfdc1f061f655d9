"""One agent turn: its tools, its permissions, its tokens."""
