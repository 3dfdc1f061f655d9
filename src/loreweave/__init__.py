"""Loreweave: a folder of markdown as a graph of know-how."""

__version__ = "0.1.0"
