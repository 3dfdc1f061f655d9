"""What the page promises: memories."""

from tests.requirements.requirement import Requirement

SENTENCES: dict[str, Requirement] = {}
