"""What the page promises: asking."""

from tests.requirements.requirement import Requirement

SENTENCES: dict[str, Requirement] = {}
