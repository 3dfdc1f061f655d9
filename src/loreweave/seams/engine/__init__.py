"""Durable execution: work that goes on after its process was killed."""
