"""Boards: found, written to, listened to, and played by a stand-in."""
