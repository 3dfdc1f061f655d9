"""What the page promises: the library and its spaces."""

from tests.requirements.requirement import Requirement

SENTENCES: dict[str, Requirement] = {}
