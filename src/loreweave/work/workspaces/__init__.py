"""Folders in which people design."""
