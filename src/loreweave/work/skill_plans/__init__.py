"""Skill plans: read, checked and run."""
