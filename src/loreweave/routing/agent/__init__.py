"""Graphs of skills inside agents of pydantic-ai; the one room of routing that knows it."""
