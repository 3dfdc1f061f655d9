"""What the page promises: routes."""

from tests.requirements.requirement import Requirement

SENTENCES: dict[str, Requirement] = {}
