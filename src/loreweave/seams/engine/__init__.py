"""Durable execution."""
