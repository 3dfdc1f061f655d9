"""What the page promises: the studio."""

from tests.requirements.requirement import Requirement

SENTENCES: dict[str, Requirement] = {}
